//! Commands whose variables may hold several things: each is tried.

use super::State;
use super::held::Words;
use super::parameter::{Possible, key, possible};
use countersign_lexer::{Command, Part, Word};

/// How many combinations of values one command is tried with.
const MAX_TRIES: usize = 48;

/// A value for each expansion that may stand for several; `None` for what is not known.
pub(super) type Picks = Vec<(String, Option<Words>)>;

/// The values to try a command with; none where every one of its words is known, or not known, by
/// itself.
pub(super) fn of(command: &Command<'_>, state: &State) -> Vec<Picks> {
    if !words(command).any(|word| word.is_dynamic()) {
        return Vec::new();
    }
    let words = words(command);
    of_words(words, state)
}

/// The same for words that belong to no command.
pub(super) fn of_words<'a>(words: impl Iterator<Item = Word<'a>>, state: &State) -> Vec<Picks> {
    let mut tries: Vec<Picks> = Vec::new();
    for part in words.flat_map(|word| word.parts()) {
        let Part::Variable {
            name,
            simple,
            source,
            ..
        } = part
        else {
            continue;
        };
        let name = super::text_of(name);
        let shown = super::text_of(source);
        let key = key(&name, simple, &shown);
        let taken = |picks: &Picks| picks.iter().any(|(taken, _)| taken == key);
        if tries.first().is_some_and(taken) {
            continue;
        }
        let Possible { values, open, .. } = possible(&name, simple, &shown, state, 0);
        if values.is_empty() || (values.len() == 1 && !open) {
            continue;
        }
        let all = values.into_iter().map(Some).chain(open.then_some(None));
        tries = combined(tries, key, all.collect());
    }
    tries
}

fn combined(tries: Vec<Picks>, key: &str, values: Vec<Option<Words>>) -> Vec<Picks> {
    let before = if tries.is_empty() {
        vec![Picks::new()]
    } else {
        tries
    };
    let too_many = before.len().saturating_mul(values.len()) > MAX_TRIES;
    let values = if too_many { vec![None] } else { values };
    let mut tries = Vec::new();
    for picks in &before {
        for value in &values {
            let mut picks = picks.clone();
            picks.push((key.to_owned(), value.clone()));
            tries.push(picks);
        }
    }
    tries
}

/// Every word in which a variable may stand.
fn words<'a>(command: &Command<'a>) -> impl Iterator<Item = Word<'a>> {
    let assigned = command
        .assignments()
        .filter_map(|assignment| assignment.value());
    let targets = command.redirects().map(|redirect| redirect.target());
    let bodies = command.redirects().filter_map(|redirect| redirect.body());
    command.words().chain(assigned).chain(targets).chain(bodies)
}
