//! Marks in the words of a command that the program which runs it fills in: `{}` of `find`, `fd`,
//! `parallel` and `xargs -I`.

use super::{Known, Value};

/// Marks of `fd` and `parallel`, longest first; the last two stand for a name without a directory.
pub(super) const PATH_MARKS: &[&str] = &["{}", "{//}", "{.}", "{/.}", "{/}"];

/// Fills the marks of a word with what is known of their value: of a word that is nothing but a
/// mark all of it, of a longer one what it begins with. Text around a mark stays in its source.
pub(super) fn fill(word: &mut Value, marks: &[&str], value: Option<&Value>) {
    let marks = || marks.iter().filter(|mark| !mark.is_empty());
    let first = marks().filter_map(|mark| Some((word.text.find(mark)?, *mark)));
    let first = first.min_by_key(|(at, _)| *at);
    let in_code = marks().any(|mark| word.code.contains(mark));
    if first.is_none() && !in_code {
        return;
    }
    if word.literal {
        word.source.clone_from(&word.text);
    }
    word.literal = false;
    let whole = value.filter(|value| !value.below).and_then(Value::exact);
    let whole = whole.filter(|_| {
        marks().all(|mark| !mark.starts_with("{/") && *mark != "{.}" || !word.code.contains(mark))
    });
    if let (Some(text), Some(value)) = (whole, value) {
        for mark in marks() {
            word.code = word.code.replace(mark, &value.code).into();
            word.text = word.text.replace(mark, text).into();
        }
        return;
    }
    for mark in marks() {
        word.code = word.code.replace(mark, "$_").into();
    }
    let Some((at, mark)) = first else { return };
    if *word.text == *mark
        && let Some(value) = value
    {
        *word = value.clone();
        return;
    }
    word.text = word.text.get(..at).unwrap_or_default().into();
    word.known = Known::Start;
    if !word.text.is_empty() {
        return;
    }
    match value {
        Some(value) if mark.starts_with("{/") && mark != "{//}" => {
            word.text = "./".into();
            word.below = value.below;
            word.all = value.all;
        }
        Some(value) if value.known != Known::Nothing && !value.glob => {
            word.text.clone_from(&value.text);
            word.below = value.below;
        }
        Some(value) if value.glob => {
            let directory = value
                .text
                .rfind('/')
                .map_or(0, |slash| slash.saturating_add(1));
            let directory = value.text.get(..directory).unwrap_or_default();
            word.text = directory.into();
            word.below = value.below;
        }
        _ => {}
    }
    if word.text.is_empty() {
        word.known = Known::Nothing;
    }
}
