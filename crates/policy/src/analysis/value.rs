use super::State;
use super::flow::Output;
use super::parameter::{self, Possible};
use super::state::ARGUMENTS;
use countersign_lexer::{Part, ScopeId, Word, WordKind};
use std::rc::Rc;

/// How much of a word is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    /// All of it.
    Whole,
    /// What it begins with.
    Start,
    /// Nothing.
    Nothing,
}

/// A word of a command, as far as it is known before the command runs.
#[derive(Debug, Clone)]
pub(crate) struct Value {
    /// What is known of it.
    pub(crate) text: Rc<str>,
    pub(crate) known: Known,
    /// It holds wildcards that the shell expands.
    pub(crate) glob: bool,
    /// It may stand for no word at all, or for several.
    pub(crate) many: bool,
    /// The source text, as typed.
    pub(crate) source: Rc<str>,
    /// The shell passes it exactly as `text`, whatever variables hold.
    pub(crate) literal: bool,
    /// The same word as shell source with quotes removed: what a shell that gets it as source
    /// would read. Parts that are not known stay as they were typed.
    pub(crate) code: Rc<str>,
    /// Substitutions in it, whose output becomes part of it.
    pub(crate) scopes: Vec<ScopeId>,
    /// It is nothing but one substitution.
    pub(crate) only_scope: bool,
    /// What makes it dynamic, in its own source.
    pub(crate) kind: WordKind,
    /// What is not known of it names something below what is known, found by listing.
    pub(crate) below: bool,
    /// Nothing is left out below: the search that finds it has no condition.
    pub(crate) all: bool,
    /// Where the values of its variables come from.
    pub(crate) data: Option<Rc<Output>>,
    /// It shows the value of a variable whose name says that it is a secret.
    pub(crate) token: bool,
}

impl Value {
    /// A word that is known.
    pub(crate) fn whole(text: &str) -> Self {
        Self::shared(text.into())
    }

    fn shared(text: Rc<str>) -> Self {
        Self {
            known: Known::Whole,
            glob: false,
            many: false,
            source: Rc::clone(&text),
            literal: true,
            code: Rc::clone(&text),
            text,
            scopes: Vec::new(),
            only_scope: false,
            kind: WordKind::Static,
            below: false,
            all: false,
            data: None,
            token: false,
        }
    }

    /// A word that is known, but stands nowhere in the source.
    pub(crate) fn derived(text: &str) -> Self {
        Self {
            literal: false,
            ..Self::whole(text)
        }
    }

    /// A word of which nothing is known.
    pub(crate) fn unknown(source: &str) -> Self {
        Self {
            known: Known::Nothing,
            literal: false,
            many: true,
            ..Self::whole(source)
        }
    }

    /// The text, where all of it is known and it is one word.
    pub(crate) fn exact(&self) -> Option<&str> {
        (self.known == Known::Whole && !self.glob).then_some(&*self.text)
    }

    /// What makes it dynamic. A word that is only filled in when its program runs is a variable.
    pub(crate) fn kind(&self) -> WordKind {
        match self.kind {
            _ if self.literal => WordKind::Static,
            WordKind::Static => WordKind::Var,
            kind => kind,
        }
    }

    /// What the program is shown to get.
    pub(crate) fn shown(&self) -> &str {
        if self.literal {
            &self.text
        } else {
            &self.source
        }
    }
}

/// The words that one word of source stands for, as far as they are known.
pub(crate) fn evaluate(word: &Word<'_>, state: &State) -> Vec<Value> {
    evaluate_inside(word, state, 0)
}

/// The same for all words of a command.
pub(super) fn evaluate_all<'w>(words: impl Iterator<Item = Word<'w>>, state: &State) -> Vec<Value> {
    let mut values = Vec::with_capacity(8);
    for word in words {
        match literal(&word) {
            Some(value) => values.push(value),
            None => values.append(&mut evaluate_inside(&word, state, 0)),
        }
    }
    values
}

/// The same for a word inside the expansions of `depth` others.
pub(super) fn evaluate_inside(word: &Word<'_>, state: &State, depth: u8) -> Vec<Value> {
    if let Some(value) = literal(word) {
        return vec![value];
    }
    let source = super::text_of(word.source());
    let mut builder = Builder::new(&source, depth);
    let mut parts = 0_usize;
    for part in word.parts() {
        builder.part(&part, state);
        parts = parts.saturating_add(1);
    }
    let only = parts == 1;
    let mut values = builder.finish();
    for value in &mut values {
        value.kind = word.kind();
        value.only_scope = only && !value.scopes.is_empty();
    }
    values
}

/// A word that is what it says, whatever the shell knows.
fn literal(word: &Word<'_>) -> Option<Value> {
    let literal = word.literal()?;
    let Ok(text) = std::str::from_utf8(literal) else {
        return Some(Value::unknown(&super::text_of(word.source())));
    };
    let value = Value::whole(text);
    Some(if word.source() == literal {
        value
    } else {
        Value {
            source: super::text_of(word.source()).into(),
            ..value
        }
    })
}

/// Puts a word together from its parts; unquoted variables may split it.
struct Builder<'s> {
    source: &'s str,
    done: Vec<Value>,
    /// The word that is being put together, but for its text and its code.
    open: Value,
    text: String,
    code: String,
    begun: bool,
    /// A list without words was expanded in quotes: it leaves no word behind.
    vanished: bool,
    /// The last part was nothing but a separator.
    after_separator: bool,
    depth: u8,
}

impl<'s> Builder<'s> {
    fn new(source: &'s str, depth: u8) -> Self {
        Self {
            source,
            done: Vec::new(),
            open: Self::empty(source.into()),
            text: String::new(),
            code: String::new(),
            begun: false,
            vanished: false,
            after_separator: false,
            depth,
        }
    }

    fn empty(source: Rc<str>) -> Value {
        Value {
            literal: false,
            ..Value::shared(source)
        }
    }

    fn part(&mut self, part: &Part<'_>, state: &State) {
        let after_separator = std::mem::take(&mut self.after_separator);
        match part {
            Part::Literal { text, .. } => self.bytes(text),
            Part::Glob { text } => {
                self.open.glob = true;
                self.bytes(text);
            }
            Part::Tilde { user } => match tilde(user, state) {
                Some(home) => self.text(&home),
                None => self.unknown("~", true),
            },
            Part::Variable {
                name,
                simple,
                quoted,
                source,
            } => {
                let name = super::text_of(name);
                let shown = super::text_of(source);
                if *simple && name == "IFS" && !quoted {
                    self.after_separator = true;
                    return self.split();
                }
                // Whoever writes `$IFS$9` wants a blank: there is no ninth argument.
                let number = name.as_bytes() != b"0" && name.bytes().all(|b| b.is_ascii_digit());
                if *simple && after_separator && number && state.held(ARGUMENTS).is_none() {
                    return;
                }
                self.variable(&name, (*simple, *quoted), &shown, state);
            }
            Part::CommandSubstitution { scope, quoted } => {
                self.open.scopes.extend(*scope);
                self.unknown("$_", !quoted);
            }
            Part::ProcessSubstitution { scope, .. } => {
                self.open.scopes.extend(*scope);
                self.text("/dev/fd/63");
            }
            Part::Arithmetic { quoted } => self.unknown("$_", !quoted),
            Part::Opaque { .. } => self.unknown("$_", true),
        }
    }

    fn variable(&mut self, name: &str, (simple, quoted): (bool, bool), shown: &str, state: &State) {
        let Possible { values, open, data } =
            parameter::possible(name, simple, shown, state, self.depth);
        self.open.token |= parameter::is_token(name, simple, shown, state);
        let data = data.or_else(|| state.held(name)?.data.clone());
        if let Some(data) = data {
            let data = match &self.open.data {
                Some(before) => Rc::new(before.mixed(&data)),
                None => data,
            };
            self.open.data = Some(data);
        }
        let list = parameter::is_list(name, shown);
        match values.as_slice() {
            [words] if !open => self.words(words, quoted, list, state),
            _ => self.unknown(shown, list || !quoted),
        }
    }

    /// The words that an expansion stands for.
    fn words(&mut self, words: &[Value], quoted: bool, list: bool, state: &State) {
        let joined = list && quoted && !self.source.contains('@');
        self.vanished |= words.is_empty();
        for (at, word) in words.iter().enumerate() {
            match (at, joined) {
                (0, _) => {}
                (_, true) => self.text(" "),
                (_, false) => self.split(),
            }
            self.open.glob |= word.glob;
            self.open.below |= word.below;
            self.open.all |= word.all;
            match word.known {
                Known::Whole if quoted => self.text(&word.text),
                Known::Whole => match state.separators() {
                    Some(separators) => self.unquoted(&word.text, &separators),
                    None => self.unknown(&word.code, true),
                },
                Known::Start => {
                    self.text(&word.text);
                    self.unknown("$_", word.many || !quoted);
                }
                Known::Nothing => self.unknown("$_", word.many || !quoted),
            }
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.text(text),
            Err(_) => self.unknown("$_", false),
        }
    }

    fn text(&mut self, text: &str) {
        self.begun = true;
        if self.code.len().saturating_add(text.len()) > MAX_WORD {
            return self.unknown("$_", true);
        }
        self.code.push_str(text);
        if self.open.known == Known::Whole {
            self.text.push_str(text);
        }
    }

    fn unknown(&mut self, code: &str, many: bool) {
        self.begun = true;
        self.open.known = match self.open.known {
            Known::Whole if self.text.is_empty() => Known::Nothing,
            Known::Whole => Known::Start,
            known => known,
        };
        self.open.many |= many;
        self.code.push_str(code);
    }

    /// A known value outside quotes: blanks split it, wildcards expand. A tilde in it does not
    /// expand, but is taken for a home all the same: whoever wrote it meant one.
    fn unquoted(&mut self, text: &str, separators: &str) {
        let splits = |c: char| separators.contains(c);
        let mut first = true;
        if text.starts_with(splits) {
            self.split();
        }
        for piece in text.split(splits).filter(|piece| !piece.is_empty()) {
            if !first {
                self.split();
            }
            first = false;
            self.open.glob |= piece.contains(['*', '?', '[']);
            self.text(piece);
        }
        if text.ends_with(splits) {
            self.split();
        }
    }

    fn split(&mut self) {
        if self.begun {
            self.close();
        }
    }

    fn close(&mut self) {
        let next = Self::empty(Rc::clone(&self.open.source));
        let closed = std::mem::replace(&mut self.open, next);
        self.done.push(Value {
            text: std::mem::take(&mut self.text).into(),
            code: std::mem::take(&mut self.code).into(),
            ..closed
        });
        self.begun = false;
    }

    fn finish(mut self) -> Vec<Value> {
        // Quoting an empty value still makes a word.
        let quoted = self.source.contains(['"', '\'']) && !self.vanished;
        if self.begun || (self.done.is_empty() && quoted) {
            self.close();
        }
        if self.done.is_empty() && !self.vanished {
            self.done.push(Value {
                many: true,
                known: Known::Nothing,
                ..Value::unknown(self.source)
            });
        }
        self.done
    }
}

/// The longest word that is put together, in bytes.
const MAX_WORD: usize = 256 << 10;

fn tilde(user: &[u8], state: &State) -> Option<String> {
    match user {
        b"" => Some(state.home.to_string()),
        b"+" => state.cwd.only().map(str::to_owned),
        b"root" => Some("/root".to_owned()),
        _ => {
            let user = std::str::from_utf8(user).ok()?;
            let plain = user
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
            plain.then(|| format!("/home/{user}"))
        }
    }
}
