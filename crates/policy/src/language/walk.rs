//! Goes through a program and tells what it does. Allowed is what is listed: a name, a member or a
//! sign that is not known makes the whole of it opaque.

mod calls;
mod subscripts;

use super::lex::{lex, members};
use super::names::Names;
use super::tables::{Entry, Table, has};
use super::tokens::{Code, Token};
use super::values::{Piece, Scene};
use std::cell::Cell;
use std::collections::BTreeSet;
use subscripts::{counters, is_function};

/// Something that a program does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Act {
    /// What this command would do.
    Command(Vec<Piece>),
    /// It runs this shell line.
    Shell(Piece),
    /// It looks at a variable of the environment.
    Variable(String),
}

/// What is known of a program.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) acts: Vec<Act>,
    /// Modules that it loads, where files of the working directory come first.
    pub(crate) modules: BTreeSet<String>,
    /// Not all of it is understood.
    pub(crate) opaque: bool,
}

/// The longest program that is read, in bytes.
const MAX_SOURCE: usize = 64 << 10;

/// How many parts of expressions are looked at.
const MAX_TERMS: usize = 20_000;

/// How many texts of it may hold code.
const MAX_INSIDE: usize = 256;

/// Reads a program. `home` is the home directory, which many a path begins with.
pub(crate) fn read(table: &'static Table, source: &str, home: &str) -> Reading {
    let mut reading = Reading::default();
    let Some(codes) = codes(table, source) else {
        reading.opaque = true;
        return reading;
    };
    let names = Names::of(table, &codes);
    reading.opaque = names.unclear;
    for module in &names.modules {
        let loaded = table
            .loaded_by(module)
            .iter()
            .map(|name| (*name).to_owned());
        reading.modules.extend(loaded);
        let first = module.split('.').next().unwrap_or_default();
        reading.modules.insert(first.to_owned());
    }
    let tokens = || codes.iter().flat_map(|code| &code.tokens);
    let changes = |token: &Token| {
        token.name().is_some_and(|name| has(table.changers, name))
            || table.name == "php" && token.is("&")
    };
    let mut walk = Walk {
        scene: Scene {
            table,
            codes: &codes,
            names: &names,
            home,
            steady: !tokens().any(changes),
            left: Cell::new(MAX_TERMS),
        },
        counters: counters(table, &codes),
        strict: table.name == "perl" && is_strict(&codes),
        by_symbol: tokens().any(|token| matches!(token.name(), Some("inject" | "reduce" | "sum"))),
        members: members(table.name),
        reading,
        takes_variable: false,
        runs: false,
        done: BTreeSet::new(),
    };
    for (index, code) in codes.iter().enumerate() {
        for at in 0..code.tokens.len() {
            walk.token(code, index, at);
        }
    }
    // Where programs are looked for may have been changed in ways that are not seen here.
    walk.reading.opaque |= walk.takes_variable && walk.runs;
    walk.reading
}

fn codes(table: &Table, source: &str) -> Option<Vec<Code>> {
    if source.len() > MAX_SOURCE {
        return None;
    }
    let mut codes = Vec::new();
    let mut waiting = vec![source.to_owned()];
    while let Some(source) = waiting.pop() {
        let (tokens, inside) = lex(table.name, &source)?;
        codes.push(Code::new(tokens)?);
        waiting.extend(inside);
        if codes.len().saturating_add(waiting.len()) > MAX_INSIDE {
            return None;
        }
    }
    Some(codes)
}

/// A program that is gone through.
struct Walk<'a> {
    scene: Scene<'a>,
    members: &'static [&'static str],
    reading: Reading,
    /// Variables that only count.
    counters: BTreeSet<String>,
    /// In Perl: texts do not stand for variables.
    strict: bool,
    /// It calls methods by symbols.
    by_symbol: bool,
    /// It names a variable of the environment where it may be given a value.
    takes_variable: bool,
    /// It runs programs.
    runs: bool,
    /// Tokens that were judged with others.
    done: BTreeSet<(usize, usize)>,
}

impl Walk<'_> {
    fn token(&mut self, code: &Code, index: usize, at: usize) {
        if self.done.contains(&(index, at)) || self.scene.names.is_read(index, at) {
            return;
        }
        match code.get(at) {
            Some(Token::Shell { text, whole }) => {
                let piece = Piece {
                    text: text.clone(),
                    whole: *whole,
                };
                self.shell(piece);
            }
            Some(Token::Sign(sign)) => self.sign(code, at, sign),
            Some(Token::Text { text, whole }) => self.text(code, at, text, *whole),
            Some(Token::Name(name)) => {
                let name = name.clone();
                self.name(code, index, at, &name);
            }
            _ => {}
        }
    }

    /// A text may name a member, or say how values are shown.
    fn text(&mut self, code: &Code, at: usize, text: &str, whole: bool) {
        let next = at.saturating_add(1);
        let known = match self.scene.table.name {
            "javascript" => !code.is(next, ":") || whole && self.is_plain_member(text),
            // `"{0.member}".format(value)` reaches into the value.
            "python" => {
                let formats = code.is(next, ".")
                    && code
                        .get(next.saturating_add(1))
                        .is_some_and(|token| token.is_name("format"));
                let alone = !matches!(code.before(at), Some(Token::Text { .. }));
                !formats || alone && whole && !reaches_in(text)
            }
            _ => true,
        };
        if !known {
            self.opaque();
        }
    }

    fn opaque(&mut self) {
        self.reading.opaque = true;
    }

    fn sign(&mut self, code: &Code, at: usize, sign: &str) {
        let next = code.get(at.saturating_add(1));
        if self.members.contains(&sign) {
            let subscript = self.strict && next.is_some_and(|next| next.is_any(&["[", "{"]));
            if !subscript && !matches!(next, Some(Token::Name(_))) {
                self.opaque();
            }
            return;
        }
        match sign {
            "(" => {
                // What something gives is called.
                let before = code.significant_before(at);
                if let Some((before, token)) = before
                    && (token.is_any(&["]", "}"])
                        || token.is_literal()
                        || token.is(")") && !is_function(code, before))
                {
                    self.opaque();
                }
            }
            "[" if self.scene.table.name == "javascript" => self.subscript(code, at),
            // Without `strict` a text leads to the variable of that name.
            "deref" if !self.strict => self.opaque(),
            // Ruby and PHP call what these stand before.
            "&" if self.scene.table.name == "ruby"
                && !matches!(next, Some(Token::Name(name)) if name.starts_with(':')) =>
            {
                let infix = code
                    .before(at)
                    .is_some_and(|token| token.is_literal() || token.is_any(&[")", "]"]));
                if !infix {
                    self.opaque();
                }
            }
            _ => {}
        }
    }

    fn is_plain_member(&self, name: &str) -> bool {
        !has(self.scene.table.hidden, name) && !name.starts_with('_')
    }

    /// Whether a name is that of an argument or of a place in a table.
    fn is_label(&self, code: &Code, at: usize, name: &str) -> bool {
        let next = at.saturating_add(1);
        let opens = code
            .significant_before(at)
            .is_some_and(|(_, token)| token.is_any(&["(", "{", ",", "["]));
        match self.scene.table.name {
            "python" => opens && code.is(next, "=") && Self::within_call(code, at),
            "javascript" => {
                let braces = code
                    .significant_before(at)
                    .is_some_and(|(_, token)| token.is_any(&["{", ","]));
                braces && code.is(next, ":") && self.is_plain_member(name)
            }
            "php" | "ruby" => opens && code.is(next, ":"),
            _ => {
                let subscript = || {
                    let open =
                        code.before(at).is_some_and(|token| token.is("{")) && code.is(next, "}");
                    let of = at.checked_sub(2).and_then(|at| code.get(at));
                    open && of.is_some_and(|of| {
                        of.is("->") || of.name().is_some_and(|name| name.starts_with('$'))
                    })
                };
                code.is(next, "=>") || subscript() && !has(self.scene.table.reserved, name)
            }
        }
    }

    fn within_call(code: &Code, at: usize) -> bool {
        code.around(at).is_some_and(|open| code.is(open, "("))
    }

    fn name(&mut self, code: &Code, index: usize, at: usize, name: &str) {
        let table = self.scene.table;
        if code
            .before(at)
            .is_some_and(|token| token.is_any(self.members))
        {
            return self.member(code, index, at, name);
        }
        if self.is_label(code, at, name) {
            return;
        }
        if let Some(symbol) = name.strip_prefix(':') {
            return self.symbol(code, at, symbol);
        }
        if self.scene.names.is_confused(name) {
            return self.opaque();
        }
        if let Some(known) = self.loads(code, index, at, name) {
            if !known {
                self.opaque();
            }
            return;
        }
        if let Some((target, end)) = self.scene.names.target(table, code, at)
            && self.target(code, index, (at, end), &target)
        {
            return;
        }
        if has(table.keywords, name) {
            return;
        }
        let variable = name.starts_with('$') || name.starts_with('@') || name.starts_with('%');
        let special =
            matches!(table.name, "perl" | "php") && variable && !has(table.reserved, name);
        if !special && !self.scene.names.is_own(table, name) {
            return self.opaque();
        }
        let function = self.scene.names.is_function(name);
        if self.is_called(code, at.saturating_add(1), true) && !function {
            self.opaque();
        }
    }

    /// Whether a word that runs what follows it, or loads it, is given something known.
    fn loads(&mut self, code: &Code, index: usize, at: usize, name: &str) -> Option<bool> {
        let table = self.scene.table;
        let next = at.saturating_add(1);
        match (table.name, name) {
            ("perl", "do" | "eval") => Some(code.is(next, "{")),
            ("perl", "use" | "no") => {
                self.mark(index, next, next.saturating_add(1));
                Some(match code.get(next)? {
                    Token::Name(module) => table.has_module(module),
                    Token::Number(_) => true,
                    _ => false,
                })
            }
            ("ruby", "require") => {
                let text = if code.is(next, "(") {
                    next.saturating_add(1)
                } else {
                    next
                };
                let known = |text: &str| table.has_module(text);
                Some(
                    matches!(code.get(text), Some(Token::Text { text, whole: true }) if known(text)),
                )
            }
            _ => None,
        }
    }

    /// Whether a call follows a name that ends before this place.
    fn is_called(&self, code: &Code, after: usize, own: bool) -> bool {
        let from = code.trim(after, code.tokens.len()).0;
        if code.is(from, "(") {
            return true;
        }
        // Some languages call without parentheses.
        let bare = matches!(self.scene.table.name, "ruby") && own;
        bare && match code.get(after) {
            Some(Token::Name(name)) => !has(self.scene.table.keywords, name),
            Some(token) => token.is_literal(),
            None => false,
        }
    }

    /// A symbol may name a method that is called.
    fn symbol(&mut self, code: &Code, at: usize, name: &str) {
        let calls = code.before(at).is_some_and(|token| token.is("&")) || self.by_symbol;
        if code.is(at.saturating_add(1), "(") || calls && !has(self.scene.table.methods, name) {
            self.opaque();
        }
    }

    /// What a dotted name that is listed does; `false` where it is not listed.
    fn target(
        &mut self,
        code: &Code,
        index: usize,
        (at, end): (usize, usize),
        target: &str,
    ) -> bool {
        let table = self.scene.table;
        if table.name == "javascript"
            && target.starts_with('.')
            && code.get(at).is_some_and(|token| token.is_name("require"))
        {
            self.required(code, index, at);
            return true;
        }
        let mut parts = target.split('.').count();
        let step = |parts: usize| end.saturating_sub(parts.saturating_mul(2));
        let all = parts;
        loop {
            let known: String = target.split('.').take(parts).collect::<Vec<_>>().join(".");
            // A name that is the program's own is not looked up further.
            let end = step(all.saturating_sub(parts));
            match table.entry(&known) {
                Some(Entry::Module) | None => {}
                Some(entry) => {
                    self.mark(index, at, end);
                    self.entry(code, index, (at, end), entry);
                    return true;
                }
            }
            parts = parts.saturating_sub(1);
            if parts == 0 {
                break;
            }
        }
        let first = target.split('.').next().unwrap_or_default();
        let listed = table.has_module(first)
            || self
                .scene
                .names
                .alias(code.get(at).and_then(Token::name).unwrap_or_default())
                .is_some();
        if listed {
            self.mark(index, at, end);
            self.opaque();
        }
        listed
    }

    fn mark(&mut self, index: usize, from: usize, to: usize) {
        self.done.extend((from..to).map(|at| (index, at)));
    }

    fn entry(&mut self, code: &Code, index: usize, (at, end): (usize, usize), entry: Entry) {
        let assigned = code.get(end).is_some_and(|token| token.is_any(ASSIGNING));
        if assigned && !self.is_label(code, at, "") {
            let own = code
                .get(at)
                .and_then(Token::name)
                .filter(|_| end == at.saturating_add(1));
            let own = own.is_some_and(|name| {
                matches!(entry, Entry::Function) && self.scene.names.is_own(self.scene.table, name)
            });
            if !own {
                self.opaque();
            }
            return;
        }
        match entry {
            Entry::Function | Entry::Module => {}
            Entry::Value => {
                if self.is_called(code, end, false) {
                    self.opaque();
                }
            }
            Entry::Environment => self.environment(code, index, end),
            Entry::Call(call) => self.call(code, index, (at, end), call),
        }
    }

    /// A file of data that JavaScript reads, or code that it runs.
    fn required(&mut self, code: &Code, index: usize, at: usize) {
        let text = at.saturating_add(2);
        self.mark(index, at, at.saturating_add(4));
        match code.get(text) {
            Some(Token::Text { text, whole: true }) if is_data(text) => {
                let path = Piece::whole(text);
                self.act(vec![Piece::whole("cat"), path]);
            }
            _ => self.opaque(),
        }
    }

    fn environment(&mut self, code: &Code, index: usize, end: usize) {
        let name = end.saturating_add(1);
        let (variable, after) = match (code.get(end), code.get(name)) {
            (
                Some(Token::Sign("[" | "{")),
                Some(Token::Text { text, whole: true } | Token::Name(text)),
            ) => (text.clone(), end.saturating_add(3)),
            (Some(token), Some(Token::Name(text)))
                if self.scene.table.name == "javascript" && token.is_any(self.members) =>
            {
                (text.clone(), end.saturating_add(2))
            }
            _ => return self.opaque(),
        };
        let name_is_text = !matches!(code.get(name), Some(Token::Name(_)))
            || self.scene.table.name == "perl"
            || !code.is(end, "[");
        let changed = code.get(after).is_some_and(|token| token.is_any(ASSIGNING));
        if changed || !name_is_text || code.is(after, "(") || variable.starts_with('$') {
            return self.opaque();
        }
        self.mark(index, end, after);
        self.takes_variable = true;
        self.reading.acts.push(Act::Variable(variable));
    }

    /// A member of a value.
    fn member(&mut self, code: &Code, index: usize, at: usize, name: &str) {
        let table = self.scene.table;
        let called = self.is_called(code, at.saturating_add(1), false)
            || matches!(table.name, "ruby" | "perl");
        let doubtful = table.doubtful.iter().any(|(module, methods)| {
            self.scene.names.modules.contains(*module) && methods.contains(&name)
        });
        let formats = name == "format" && table.name == "python";
        let of_text = || {
            matches!(
                at.checked_sub(2).and_then(|at| code.get(at)),
                Some(Token::Text { .. })
            )
        };
        if has(table.methods, name) && !doubtful && (!formats || of_text()) {
            if table.name == "ruby" && matches!(name, "inject" | "reduce") && !folds(code, at) {
                self.opaque();
            }
            return;
        }
        if let Some(Entry::Call(call)) = table.entry(&format!("().{name}")).filter(|_| called) {
            return self.call(code, index, (at, at.saturating_add(1)), call);
        }
        let data =
            matches!(table.name, "javascript" | "php") && !called && self.is_plain_member(name);
        if !data {
            self.opaque();
        }
    }

    fn act(&mut self, words: Vec<Piece>) {
        // PHP takes a URL wherever it takes a path.
        let stream = self.scene.table.name == "php"
            && words.iter().any(|word| word.text.contains("://"))
            && words.first().is_none_or(|word| word.text != "curl");
        if stream || words.iter().any(|word| !word.whole) {
            self.opaque();
        }
        self.reading.acts.push(Act::Command(words));
    }

    fn shell(&mut self, line: Piece) {
        self.runs = true;
        if !line.whole {
            self.opaque();
        }
        self.reading.acts.push(Act::Shell(line));
    }
}

/// Whether what `inject` is given is no name of a method, or one that is judged as such.
fn folds(code: &Code, at: usize) -> bool {
    let next = at.saturating_add(1);
    let judged = |at: usize| match code.get(at) {
        Some(Token::Name(name)) => name.starts_with(':'),
        token => token.is_some_and(|token| *token == Token::Data || token.is("&")),
    };
    let block =
        |at: usize| code.is(at, "{") || code.get(at).is_some_and(|token| token.is_name("do"));
    if !code.is(next, "(") {
        return block(next) || judged(next);
    }
    let parts = code.parts(next);
    let after = code
        .partner(next)
        .map_or(next, |close| close.saturating_add(1));
    let last = parts.last().is_none_or(|(from, _)| judged(*from));
    last || parts.len() == 1 && block(after)
}

const ASSIGNING: &[&str] = &[
    "=", "+=", "-=", ".=", "||=", "??=", "|=", "<<", ":=", "*=", "/=",
];

/// Whether a format names members of the values that it shows.
fn reaches_in(format: &str) -> bool {
    format.split('{').skip(1).any(|field| {
        let name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let rest = field.trim_start_matches(name);
        !rest.is_empty() && !rest.starts_with(['}', ':', '!'])
    })
}

/// Whether `use strict;` holds for the whole program: nothing but other such lines stands before it.
fn is_strict(codes: &[Code]) -> bool {
    let Some(code) = codes.first() else {
        return false;
    };
    let negated = |code: &Code| code.tokens.iter().any(|token| token.is_name("no"));
    let mut at = 0;
    while code.get(at).is_some_and(|token| token.is_name("use")) {
        let next = at.saturating_add(1);
        let end = (next..code.tokens.len()).find(|at| code.is(*at, ";"));
        let Some(end) = end else { break };
        let strict = code.get(next).is_some_and(|token| token.is_name("strict"));
        if strict && end == at.saturating_add(2) {
            return !codes.iter().any(negated);
        }
        at = code.trim(end.saturating_add(1), code.tokens.len()).0;
    }
    false
}

/// Whether a file is read as data and not run, by its name.
fn is_data(path: &str) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(_, extension)| extension == "json")
}
