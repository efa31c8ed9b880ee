//! Goes through a program and tells what it does. Allowed is what is listed: a name, a member or a
//! sign that is not known makes the whole of it opaque.

use super::lex::{lex, members};
use super::names::{Names, Span};
use super::tables::{Call, Entry, Table, has};
use super::tokens::{Code, Token};
use super::values::{Piece, Scene, Worth};
use std::cell::Cell;
use std::collections::BTreeSet;

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
        done: BTreeSet::new(),
    };
    for (index, code) in codes.iter().enumerate() {
        for at in 0..code.tokens.len() {
            walk.token(code, index, at);
        }
    }
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
                !formats || alone && !reaches_in(text)
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

    /// A value taken by a computed name may be a function that makes others of texts.
    fn subscript(&mut self, code: &Code, at: usize) {
        let Some((before, token)) = code.significant_before(at) else {
            return;
        };
        let indexes = match token {
            Token::Name(name) => !BEFORE_LIST.contains(&name.as_str()),
            token => token.is_any(&[")", "]", "}"]) || token.is_literal(),
        };
        let Some(close) = code.partner(at) else {
            return;
        };
        let after = close.saturating_add(1);
        if !indexes {
            // `{[name]: …}` names a member.
            if code.is(after, ":") && token.is_any(&["{", ","]) {
                self.opaque();
            }
            return;
        }
        let inside = at.saturating_add(1)..close;
        let mut tokens = inside.clone().filter_map(|at| code.get(at));
        let only = tokens.next().filter(|_| inside.len() == 1);
        let plain = match only {
            Some(Token::Number(_)) => true,
            Some(Token::Text { text, whole: true }) => self.is_plain_member(text),
            _ => false,
        };
        let counts = inside.clone().any(|at| {
            code.get(at)
                .is_some_and(|token| token.is_any(&["-", "*", "%"]))
        }) && inside.clone().all(|at| {
            let token = code.get(at);
            let sign = token.is_some_and(|token| token.is_any(&["-", "*", "%", ".", "/"]));
            sign || matches!(token, Some(Token::Number(_) | Token::Name(_)))
        });
        let index = only
            .and_then(Token::name)
            .is_some_and(|name| self.counters.contains(name));
        let shown = || {
            let open = before.checked_sub(1).and_then(|at| code.get(at));
            let alone = code
                .get(after)
                .is_some_and(|token| token.is_any(&[")", ","]));
            alone && open.is_some_and(|token| token.is_any(&["(", ","])) && self.printed(code, at)
        };
        if !plain && !counts && !index && !shown() {
            self.opaque();
        }
    }

    /// Whether what stands here is only shown.
    fn printed(&self, code: &Code, at: usize) -> bool {
        let open = code.around(at).filter(|open| code.is(*open, "("));
        let names = open.and_then(|open| {
            let name = code.before(open)?.name()?;
            let of = code.get(open.checked_sub(3)?)?.name()?;
            Some((of, name))
        });
        matches!(
            names,
            Some(("console", "log" | "error" | "info") | ("JSON", "stringify"))
        )
    }

    fn is_plain_member(&self, name: &str) -> bool {
        !has(self.scene.table.reserved, name) && !name.starts_with('_')
    }

    /// Whether a name is that of an argument or of a place in a table.
    fn is_label(&self, code: &Code, at: usize, name: &str) -> bool {
        let next = at.saturating_add(1);
        let opens = code
            .significant_before(at)
            .is_some_and(|(_, token)| token.is_any(&["(", "{", ",", "["]));
        match self.scene.table.name {
            "python" => opens && code.is(next, "=") && self.within_call(code, at),
            "javascript" => {
                let braces = code
                    .significant_before(at)
                    .is_some_and(|(_, token)| token.is_any(&["{", ","]));
                braces && code.is(next, ":") && self.is_plain_member(name)
            }
            "php" => opens && code.is(next, ":"),
            "ruby" => opens && code.is(next, ":"),
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

    fn within_call(&self, code: &Code, at: usize) -> bool {
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
            Some(Token::Text { text, whole: true }) if text.ends_with(".json") => {
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
        if !line.whole {
            self.opaque();
        }
        self.reading.acts.push(Act::Shell(line));
    }

    /// A call that does more than compute.
    fn call(&mut self, code: &Code, index: usize, (at, end): (usize, usize), call: &Call) {
        let Some(arguments) = self.arguments(code, index, end, call) else {
            // It is not called here: who knows where.
            return self.opaque();
        };
        let receiver = || {
            let span = receiver(code, at, self.members).map(|from| Span {
                code: index,
                from,
                to: at.saturating_sub(1),
            });
            span.map_or_else(Piece::unknown, |span| self.scene.piece(span))
        };
        let of = call.run.iter().any(|word| *word == "{0}") || call.opens == Some(0);
        let receiver = of.then(receiver).unwrap_or_else(Piece::unknown);
        if arguments.unclear {
            self.opaque();
        }
        let argument = |at: Option<u8>| {
            at.map(|at| match at.checked_sub(1) {
                None => Worth::Text(receiver.clone()),
                Some(at) => arguments
                    .given
                    .get(usize::from(at))
                    .cloned()
                    .unwrap_or(Worth::Unknown),
            })
        };
        if !call.run.is_empty() {
            let mut words = template(call, &arguments, &receiver);
            if arguments.sends {
                words.splice(1..1, ["-d", "…"].map(Piece::whole));
            }
            self.act(words);
        }
        match argument(call.shell) {
            Some(Worth::Text(line)) => self.shell(line),
            Some(Worth::List(words)) => self.act(words),
            Some(_) => self.opaque(),
            None => {}
        }
        if let Some(first) = call.program {
            self.program(&arguments, usize::from(first.saturating_sub(1)));
        }
        if self.scene.table.name == "perl" && call.pipes && arguments.given.len() == 2 {
            self.open_perl(arguments.given.get(1));
        } else if let Some(path) = argument(call.opens) {
            self.open(
                call,
                path,
                argument(call.mode)
                    .filter(|_| arguments.given.len() >= usize::from(call.mode.unwrap_or(0))),
            );
        }
        match argument(call.variable) {
            Some(Worth::Text(Piece { text, whole: true })) => {
                self.reading.acts.push(Act::Variable(text))
            }
            Some(_) => self.opaque(),
            None => {}
        }
    }

    /// A program and its arguments; alone it is a shell line.
    fn program(&mut self, arguments: &Arguments, first: usize) {
        let mut words = Vec::new();
        let mut alone = true;
        for worth in arguments.given.iter().skip(first) {
            alone &= words.is_empty() && matches!(worth, Worth::Text(_));
            match worth {
                Worth::Text(piece) => words.push(piece.clone()),
                Worth::Number(number) => words.push(Piece::whole(number)),
                Worth::List(pieces) => words.extend(pieces.iter().cloned()),
                Worth::Options(_) => {}
                Worth::Unknown => words.push(Piece::unknown()),
            }
        }
        match words.pop() {
            Some(line) if alone && words.is_empty() => self.shell(line),
            Some(last) => {
                words.push(last);
                self.act(words);
            }
            None => self.opaque(),
        }
    }

    /// A file that is opened.
    fn open(&mut self, call: &Call, path: Worth, mode: Option<Worth>) {
        let path = match path {
            Worth::Text(path) => path,
            // A descriptor that is open already.
            Worth::Number(number) if matches!(number.as_str(), "0" | "1" | "2") => return,
            _ => Piece::unknown(),
        };
        let text = path.text.trim();
        if call.pipes && (text.starts_with('|') || text.ends_with('|')) {
            let line = text.trim_matches('|').to_owned();
            return self.shell(Piece { text: line, ..path });
        }
        if let Some((scheme, rest)) = path.text.split_once("://") {
            return match scheme.to_ascii_lowercase().as_str() {
                "http" | "https" | "ftp" => self.act(vec![Piece::whole("curl"), path]),
                "php"
                    if matches!(
                        rest,
                        "stdin" | "stdout" | "stderr" | "output" | "memory" | "temp"
                    ) => {}
                _ => self.opaque(),
            };
        }
        if let Some(Worth::Text(mode)) = &mode
            && call.pipes
            && mode.text.contains('|')
        {
            return self.shell(path);
        }
        let mode = match mode {
            None => "r".to_owned(),
            Some(Worth::Text(Piece { text, whole: true })) => text,
            Some(_) => {
                self.opaque();
                "w".to_owned()
            }
        };
        let words: &[&str] = match mode.trim() {
            "r" | "rb" | "rt" | "br" | "<" | "r:utf-8" | "r:UTF-8" | "<:encoding(UTF-8)"
            | "<:utf8" => &["cat"],
            mode if mode.starts_with('a') || mode.starts_with(">>") => &["tee", "-a"],
            _ => &["tee"],
        };
        let mut words: Vec<Piece> = words.iter().map(|word| Piece::whole(word)).collect();
        words.push(path);
        self.act(words);
    }

    /// A file whose name says how it is opened.
    fn open_perl(&mut self, name: Option<&Worth>) {
        let Some(Worth::Text(name)) = name else {
            return self.opaque();
        };
        let text = name.text.trim();
        let path = |text: &str| Piece {
            text: text.trim().to_owned(),
            whole: name.whole,
        };
        let words = |program: &[&str], text: &str| {
            let words = program.iter().map(|word| Piece::whole(word));
            words.chain([path(text)]).collect()
        };
        if text.starts_with('|') || text.ends_with('|') {
            self.shell(path(text.trim_matches('|')));
        } else if let Some(rest) = text.strip_prefix(">>") {
            self.act(words(&["tee", "-a"], rest));
        } else if text.starts_with(['>', '+']) {
            self.act(words(&["tee"], text.trim_start_matches(['>', '+', '<'])));
        } else {
            self.act(words(&["cat"], text.trim_start_matches('<')));
        }
    }

    /// The arguments of a call, or `None` where it is not called.
    fn arguments(
        &mut self,
        code: &Code,
        index: usize,
        end: usize,
        call: &Call,
    ) -> Option<Arguments> {
        let spans = if code.is(end, "(") {
            code.parts(end)
        } else if matches!(self.scene.table.name, "ruby" | "perl")
            || self.scene.table.name == "php" && code.get(end).is_some_and(Token::is_literal)
        {
            let mut to = code.statement_end(end)?;
            let stops = |at: &usize| {
                code.get(*at)
                    .and_then(Token::name)
                    .is_some_and(|name| STOPPING.contains(&name))
            };
            if let Some(stop) = (end..to).find(stops) {
                to = stop;
            }
            code.split(end, to, ",")
        } else {
            return None;
        };
        let mut arguments = Arguments::default();
        for (from, to) in spans {
            let label = code.get(from).and_then(Token::name);
            let sign = if self.scene.table.name == "python" {
                "="
            } else {
                ":"
            };
            let labelled = label.filter(|_| {
                code.is(from.saturating_add(1), sign) && self.scene.table.name != "javascript"
            });
            let value = |from| Span {
                code: index,
                from,
                to,
            };
            let Some(label) = labelled else {
                let worth = self.scene.worth(value(from));
                if let Worth::Options(labels) = &worth
                    && labels
                        .iter()
                        .any(|label| !has(self.scene.table.labels, label))
                {
                    arguments.unclear = true;
                    arguments.sends |= labels
                        .iter()
                        .any(|label| call.sends.contains(&label.as_str()));
                }
                arguments.given.push(worth);
                continue;
            };
            let position = call.parameters.iter().position(|known| *known == label);
            match position {
                Some(position) => {
                    let length = arguments.given.len().max(position.saturating_add(1));
                    arguments.given.resize(length, Worth::Unknown);
                    if let Some(given) = arguments.given.get_mut(position) {
                        *given = self.scene.worth(value(from.saturating_add(2)));
                    }
                }
                None if call.sends.contains(&label) => arguments.sends = true,
                None => arguments.unclear |= !has(self.scene.table.labels, label),
            }
        }
        Some(arguments)
    }
}

/// What a call is given.
#[derive(Debug, Default)]
struct Arguments {
    given: Vec<Worth>,
    /// It sends data.
    sends: bool,
    /// One of them may change what the call does.
    unclear: bool,
}

/// The words of the command that does the same.
fn template(call: &Call, arguments: &Arguments, receiver: &Piece) -> Vec<Piece> {
    let pieces = |worth: &Worth| match worth {
        Worth::Text(piece) => vec![piece.clone()],
        Worth::Number(number) => vec![Piece::whole(number)],
        Worth::List(pieces) => pieces.clone(),
        Worth::Options(_) => Vec::new(),
        Worth::Unknown => vec![Piece::unknown()],
    };
    let mut words = Vec::new();
    for word in call.run {
        let place = word
            .strip_prefix('{')
            .and_then(|word| word.strip_suffix('}'));
        match place {
            None => words.push(Piece::whole(word)),
            Some("*") => {
                words.extend(arguments.given.iter().flat_map(pieces));
                if arguments.given.is_empty() {
                    words.push(Piece::unknown());
                }
            }
            Some("0") => words.push(receiver.clone()),
            Some(place) => {
                let optional = place.ends_with('?');
                let at = place.trim_end_matches('?').parse::<usize>().unwrap_or(1);
                match at.checked_sub(1).and_then(|at| arguments.given.get(at)) {
                    Some(worth) => words.extend(pieces(worth)),
                    None if optional => {}
                    None => words.push(Piece::unknown()),
                }
            }
        }
    }
    words
}

/// Where the value begins that a member belongs to.
fn receiver(code: &Code, at: usize, members: &[&str]) -> Option<usize> {
    let mut from = at.checked_sub(2)?;
    if code.is(from, ")") {
        let open = code.partner(from)?;
        match open.checked_sub(1).and_then(|at| code.get(at)) {
            Some(Token::Name(_)) => from = open.saturating_sub(1),
            _ => return Some(open),
        }
    }
    code.get(from)?.name()?;
    while let (Some(sign), Some(name)) = (from.checked_sub(1), from.checked_sub(2)) {
        if !code.get(sign).is_some_and(|token| token.is_any(members)) {
            break;
        }
        code.get(name)?.name()?;
        from = name;
    }
    Some(from)
}

/// Whether what closes here is a function that is called at once.
fn is_function(code: &Code, close: usize) -> bool {
    let Some(open) = code.partner(close) else {
        return false;
    };
    // Parameters of a function that is defined: `async (x) => …` and the like.
    let mut at = open.saturating_add(1);
    if code.get(at).is_some_and(|token| token.is_name("async")) {
        at = at.saturating_add(1);
    }
    let body = match code.get(at) {
        Some(Token::Name(name)) if name == "function" => {
            let parameters = (at..close).find(|at| code.is(*at, "("));
            parameters
                .and_then(|at| code.partner(at))
                .map(|at| at.saturating_add(1))
        }
        Some(Token::Name(_)) if code.is(at.saturating_add(1), "=>") => Some(at.saturating_add(2)),
        Some(Token::Sign("(")) => {
            let arrow = code.partner(at).map(|at| at.saturating_add(1));
            arrow
                .filter(|at| code.is(*at, "=>"))
                .map(|at| at.saturating_add(1))
        }
        _ => None,
    };
    body.is_some_and(|body| code.is(body, "{") && code.partner(body) == close.checked_sub(1))
}

const ASSIGNING: &[&str] = &[
    "=", "+=", "-=", ".=", "||=", "??=", "|=", "<<", ":=", "*=", "/=",
];

/// Words that end the arguments of a call without parentheses.
const STOPPING: &[&str] = &[
    "and", "do", "for", "foreach", "if", "or", "rescue", "unless", "until", "while", "then",
];

/// Variables that only count: `for (let i = 0; …; i++)`.
fn counters(table: &Table, codes: &[Code]) -> BTreeSet<String> {
    let mut counting = BTreeSet::new();
    let mut other = BTreeSet::new();
    if table.name != "javascript" {
        return counting;
    }
    for code in codes {
        for (at, token) in code.tokens.iter().enumerate() {
            let Token::Name(name) = token else { continue };
            let next = at.saturating_add(1);
            let number = matches!(code.get(at.saturating_add(2)), Some(Token::Number(_)));
            let ends = code
                .get(at.saturating_add(3))
                .is_some_and(|token| token.is_any(&[";", ","]));
            let declared = code
                .before(at)
                .is_some_and(|token| matches!(token.name(), Some("let" | "var")));
            match code.get(next) {
                Some(Token::Sign("=")) if declared && number && ends => {
                    drop(counting.insert(name.clone()))
                }
                Some(Token::Sign("+=" | "-=")) if number => {}
                Some(Token::Sign(sign)) if BINDING.contains(sign) => {
                    drop(other.insert(name.clone()))
                }
                Some(Token::Name(_)) => drop(other.insert(name.clone())),
                _ if declared => drop(other.insert(name.clone())),
                _ => {}
            }
        }
        // What stands among parameters, or is taken apart, gets any value.
        for (at, token) in code.tokens.iter().enumerate() {
            let Some(close) = code.partner(at).filter(|close| *close > at) else {
                continue;
            };
            let after = code.get(close.saturating_add(1));
            let word = code.before(at).and_then(Token::name);
            let loops = matches!(word, Some("for" | "if" | "while" | "switch"));
            let parameters =
                token.is("(") && !loops && after.is_some_and(|token| token.is_any(&["=>", "{"]));
            let taken = token.is_any(&["{", "["])
                && after.is_some_and(|token| token.is("=") || token.is_name("of"));
            let short = close.saturating_sub(at) < 64;
            if parameters || taken {
                if !short {
                    return BTreeSet::new();
                }
                other.extend((at..close).filter_map(|at| code.get(at)?.name().map(str::to_owned)));
            }
        }
    }
    counting.difference(&other).cloned().collect()
}

/// Signs that give a variable another value than a number.
const BINDING: &[&str] = &["=", "=>", "||=", "&&=", "??=", "+=", "-="];

/// Words after which brackets hold a list.
const BEFORE_LIST: &[&str] = &[
    "await",
    "case",
    "const",
    "default",
    "delete",
    "do",
    "else",
    "extends",
    "in",
    "instanceof",
    "let",
    "new",
    "of",
    "return",
    "throw",
    "typeof",
    "var",
    "void",
];

/// Whether a format names members of the values that it shows.
fn reaches_in(format: &str) -> bool {
    format.split('{').skip(1).any(|field| {
        let name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        field.trim_start_matches(name).starts_with(['.', '['])
    })
}

fn is_strict(codes: &[Code]) -> bool {
    let tokens = || codes.iter().flat_map(|code| code.tokens.windows(2));
    let says = |word: &str| {
        tokens().any(|pair| matches!(pair, [first, second] if first.is_name(word) && second.is_name("strict")))
    };
    says("use") && !says("no")
}
