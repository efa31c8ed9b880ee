//! What the names of a program stand for: modules and functions that it takes in, functions that it
//! defines, variables.

mod imports;

use super::lex::members;
use super::tables::{Entry, Table, has};
use super::tokens::{Code, Token};
use imports::required;
use std::collections::{BTreeMap, BTreeSet};

/// A run of tokens in one of the codes of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Span {
    pub(super) code: usize,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// Where a variable gets its values.
#[derive(Debug, Clone, Default)]
struct Bound {
    times: usize,
    value: Option<Span>,
}

/// The names of a program.
#[derive(Debug, Default)]
pub(super) struct Names {
    aliases: BTreeMap<String, Option<String>>,
    functions: BTreeSet<String>,
    bound: BTreeMap<String, Bound>,
    /// Tokens that have been understood: imports, and what another name is given to.
    read: BTreeSet<(usize, usize)>,
    /// Modules that are loaded.
    pub(super) modules: BTreeSet<String>,
    /// Something of it was not understood.
    pub(super) unclear: bool,
    /// Variables that stand where they are set once and where a listed function takes them, so that
    /// nothing else can give them a value.
    plain: BTreeSet<String>,
    /// How often each name stands in the program.
    uses: BTreeMap<String, usize>,
}

/// A dotted name, and where it ends.
#[derive(Debug)]
pub(super) struct Chain {
    pub(super) parts: Vec<String>,
    pub(super) end: usize,
}

impl Names {
    pub(super) fn of(table: &Table, codes: &[Code]) -> Self {
        let mut names = Self::default();
        for name in codes
            .iter()
            .flat_map(|code| &code.tokens)
            .filter_map(Token::name)
        {
            let uses = names.uses.entry(name.to_owned()).or_default();
            *uses = uses.saturating_add(1);
        }
        for (index, code) in codes.iter().enumerate() {
            names.imports(table, code, index);
        }
        for (index, code) in codes.iter().enumerate() {
            names.bindings(table, code, index);
        }
        // Where a word of the grammar is a name, it cannot be told what it is elsewhere.
        names.unclear |=
            table.name == "javascript" && names.bound.keys().any(|name| has(table.keywords, name));
        for (index, code) in codes.iter().enumerate() {
            names.same_as(table, code, index);
        }
        let matches = |token: &Token| {
            table.name == "ruby" && (token.is("=~") || token.is_name("case"))
                || table.name == "python" && token.is_name("case")
        };
        if !codes.iter().flat_map(|code| &code.tokens).any(matches) {
            let plain =
                |name: &&String| codes.iter().all(|code| names.only_given(table, code, name));
            names.plain = names.bound.keys().filter(plain).cloned().collect();
        }
        names
    }

    /// What an imported name stands for.
    pub(super) fn alias(&self, name: &str) -> Option<&str> {
        self.aliases.get(name)?.as_deref()
    }

    pub(super) fn is_confused(&self, name: &str) -> bool {
        self.aliases.get(name).is_some_and(Option::is_none)
    }

    pub(super) fn is_read(&self, code: usize, at: usize) -> bool {
        self.read.contains(&(code, at))
    }

    /// Whether a name is the program's own.
    pub(super) fn is_own(&self, table: &Table, name: &str) -> bool {
        (self.bound.contains_key(name) || self.functions.contains(name)) && !reaches(table, name)
    }

    /// Whether a name is that of a function of the program, and of nothing else.
    pub(super) fn is_function(&self, name: &str) -> bool {
        self.functions.contains(name) && self.bound.get(name).is_none_or(|bound| bound.times <= 1)
    }

    /// Whether a variable surely keeps the value that it is set to.
    pub(super) fn is_plain(&self, name: &str) -> bool {
        self.plain.contains(name)
    }

    /// Whether a variable stands only where it is set or handed to a listed function.
    fn only_given(&self, table: &Table, code: &Code, name: &str) -> bool {
        let places = (0..code.tokens.len())
            .filter(|at| code.get(*at).is_some_and(|token| token.is_name(name)));
        let mut places = places.map(|at| {
            let next = at.saturating_add(1);
            if code.is(next, "=") && code.around(at).is_none() {
                return begins_statement(code, next)
                    && !code.before(at).is_some_and(|token| token.is(","));
            }
            let fills_in = code.tokens.len() == 1;
            let member = matches!(table.name, "python" | "javascript")
                && code
                    .get(next)
                    .is_some_and(|token| token.is_any(members(table.name)));
            fills_in || member || self.is_handed_over(table, code, at)
        });
        places.all(|plain| plain)
    }

    fn is_handed_over(&self, table: &Table, code: &Code, at: usize) -> bool {
        let beside = |token: Option<&Token>| {
            token.is_some_and(|token| token.is_any(&["(", ")", "[", "]", ",", "+", ".", "/"]))
        };
        if !beside(code.before(at)) || !beside(code.get(at.saturating_add(1))) {
            return false;
        }
        let mut open = code.around(at);
        while let Some(list) = open.filter(|open| code.is(*open, "[")) {
            if !beside(code.before(list)) {
                return false;
            }
            open = code.around(list);
        }
        let Some(open) = open.filter(|open| code.is(*open, "(")) else {
            return false;
        };
        let after = code.partner(open).map(|close| close.saturating_add(1));
        if after.is_some_and(|after| code.is(after, "{") || code.is(after, "=>")) {
            return false;
        }
        let Some(callee) = open.checked_sub(1) else {
            return false;
        };
        let Some(name) = code.get(callee).and_then(Token::name) else {
            return false;
        };
        let member = code
            .before(callee)
            .is_some_and(|token| token.is_any(members(table.name)));
        let listed = matches!(table.entry(name), Some(Entry::Function | Entry::Call(_)))
            || self.alias(name).is_some();
        let mut first = callee;
        while let Some(of) = first.checked_sub(2)
            && code
                .before(first)
                .is_some_and(|token| token.is_any(members(table.name)))
        {
            first = of;
        }
        let defined = code
            .before(first)
            .is_some_and(|token| matches!(token.name(), Some("def" | "function" | "fn" | "sub")));
        !defined && !self.functions.contains(name) && (member || listed)
    }

    /// How often a name stands in the program.
    pub(super) fn uses(&self, name: &str) -> usize {
        self.uses.get(name).copied().unwrap_or_default()
    }

    /// The only value that a variable is given.
    pub(super) fn value(&self, name: &str) -> Option<Span> {
        let bound = self.bound.get(name).filter(|_| !is_given(name))?;
        bound.value.filter(|_| bound.times == 1)
    }

    fn take(&mut self, name: &str, target: &str) {
        let target = Some(target.to_owned());
        let known = self
            .aliases
            .entry(name.to_owned())
            .or_insert_with(|| target.clone());
        if *known != target {
            *known = None;
        }
    }

    fn bind(&mut self, name: &str, value: Option<Span>) {
        let bound = self.bound.entry(name.to_owned()).or_default();
        bound.times = bound
            .times
            .saturating_add(if value.is_some() { 1 } else { 2 });
        bound.value = value;
    }

    fn mark(&mut self, code: usize, from: usize, to: usize) {
        self.read.extend((from..to).map(|at| (code, at)));
    }

    /// Another name that is given to what a dotted name stands for.
    fn same_as(&mut self, table: &Table, code: &Code, index: usize) {
        if !matches!(table.name, "python" | "javascript") {
            return;
        }
        for at in 0..code.tokens.len() {
            if !code.is(at, "=") || has_class(code, at) || !begins_statement(code, at) {
                continue;
            }
            let from = at.saturating_add(1);
            let (from, _) = code.trim(from, code.tokens.len());
            let Some((target, end)) = self.target(table, code, from) else {
                continue;
            };
            let ends = code
                .get(end)
                .is_none_or(|token| *token == Token::End || token.is_any(&[";", ","]));
            if !ends
                || !matches!(
                    table.entry(&target),
                    Some(Entry::Call(_) | Entry::Function | Entry::Module)
                )
            {
                continue;
            }
            let read = match code.before(at) {
                Some(Token::Name(name))
                    if self
                        .value(name)
                        .is_some_and(|span| (span.code, span.from) == (index, from)) =>
                {
                    let name = name.clone();
                    self.take(&name, &target);
                    self.mark(index, at.saturating_sub(1), at);
                    Some(())
                }
                Some(Token::Sign("}")) => code
                    .partner(at.saturating_sub(1))
                    .and_then(|open| {
                        self.members_taken(table, code, open, &target)
                            .map(|()| open)
                    })
                    .map(|open| self.mark(index, open, at)),
                _ => None,
            };
            if read.is_some() {
                self.mark(index, from, end);
            }
        }
    }

    /// What a dotted name stands for, with imports in place.
    pub(super) fn target(&self, table: &Table, code: &Code, at: usize) -> Option<(String, usize)> {
        let (mut parts, end) = match required(code, at) {
            Some((module, end)) if table.name == "javascript" => {
                let rest = chain_on(code, end, members(table.name));
                let mut parts = vec![module];
                parts.extend(rest.parts);
                (parts, rest.end)
            }
            _ => {
                let chain = chain(code, at, members(table.name))?;
                (chain.parts, chain.end)
            }
        };
        let first = parts.first_mut()?;
        if let Some(alias) = self.aliases.get(first.as_str()) {
            alias.as_ref()?.clone_into(first);
        } else if table.name == "python" && matches!(table.entry(first), Some(Entry::Module)) {
            // It was never imported.
            return None;
        }
        Some((parts.join("."), end))
    }

    fn bindings(&mut self, table: &Table, code: &Code, index: usize) {
        let mut around: Vec<usize> = Vec::new();
        for (at, token) in code.tokens.iter().enumerate() {
            let next = at.saturating_add(1);
            match token {
                Token::Sign("(" | "[" | "{") => around.push(at),
                Token::Sign(")" | "]" | "}") => drop(around.pop()),
                Token::Sign("=" | ":=") => {
                    let labels = table.name == "python" && token.is("=");
                    let label = labels && around.last().is_some_and(|at| code.is(*at, "("));
                    if !label {
                        self.assigned(code, index, at);
                    }
                }
                Token::Sign(sign) if CHANGING.contains(sign) => {
                    for at in [at.checked_sub(1), Some(next)].into_iter().flatten() {
                        if let Some(Token::Name(name)) =
                            code.get(at).filter(|_| at < next || sign.len() == 2)
                        {
                            self.bind(&name.clone(), None);
                        }
                    }
                }
                Token::Sign("=>") if table.name == "javascript" => match code.before(at) {
                    Some(Token::Name(name)) => self.bind(&name.clone(), None),
                    Some(Token::Sign(")")) => {
                        if let Some(open) = code.partner(at.saturating_sub(1)) {
                            self.parameters(code, open.saturating_add(1), at.saturating_sub(1));
                        }
                    }
                    _ => {}
                },
                Token::Sign("|") if table.name == "ruby" => {
                    let opens = code
                        .before(at)
                        .is_some_and(|token| token.is("{") || token.is_name("do"));
                    let rest = code.tokens.get(next..).unwrap_or_default();
                    let mut near = rest.iter().take(MAX_NAMES);
                    if let Some(length) = near.position(|token| token.is("|")).filter(|_| opens) {
                        self.parameters(code, next, next.saturating_add(length));
                    }
                }
                Token::Name(name) => self.binding_word(table, code, at, name),
                _ => {}
            }
        }
    }

    /// Words before what they give a name to.
    fn binding_word(&mut self, table: &Table, code: &Code, at: usize, word: &str) {
        let next = at.saturating_add(1);
        let named = code.get(next).and_then(Token::name).map(str::to_owned);
        let until = |word: &str| {
            let rest = code.tokens.get(next..).unwrap_or_default();
            let mut near = rest.iter().take(MAX_NAMES);
            let length = near.position(|token| token.is_name(word) || token.is(word));
            length.map_or(next, |length| next.saturating_add(length))
        };
        let group = |from: usize| {
            let open = (from..from.saturating_add(3)).find(|at| code.is(*at, "("));
            open.and_then(|open| Some((open.saturating_add(1), code.partner(open)?)))
        };
        match (table.name, word) {
            (
                "python" | "ruby" | "php" | "javascript" | "perl",
                "def" | "function" | "sub" | "fn",
            ) => {
                if let Some(name) = named {
                    self.functions.insert(name);
                }
                if let Some((from, to)) = group(next) {
                    self.parameters(code, from, to);
                }
            }
            (_, "class") => drop(named.map(|name| self.functions.insert(name))),
            ("python" | "ruby", "for") => self.parameters(code, next, until("in")),
            ("python", "lambda") => self.parameters(code, next, until(":")),
            ("python", "as") | ("perl", "foreach" | "for") => {
                let at = if named.as_deref() == Some("my") {
                    next.saturating_add(1)
                } else {
                    next
                };
                if let Some(Token::Name(name)) = code.get(at) {
                    self.bind(&name.clone(), None);
                }
            }
            ("php", "as" | "list") => {
                self.parameters(code, next, next.saturating_add(MAX_NAMES));
            }
            ("javascript", "catch") => {
                if let Some((from, to)) = group(next) {
                    self.parameters(code, from, to);
                }
            }
            ("javascript", "const" | "let" | "var") => {
                let (from, to) = match code.get(next) {
                    Some(Token::Sign("{" | "[")) => (next, code.partner(next).unwrap_or(next)),
                    _ => (next, next.saturating_add(1)),
                };
                let given = code.is(to, "=")
                    || code.is(to.saturating_add(1), "=") && to > from.saturating_add(1);
                if !given {
                    self.parameters(code, from, to);
                }
            }
            ("ruby", "rescue") => {
                for at in next..next.saturating_add(MAX_NAMES) {
                    if let (true, Some(Token::Name(name))) =
                        (code.is(at, "=>"), code.get(at.saturating_add(1)))
                    {
                        self.bind(&name.clone(), None);
                    }
                }
            }
            _ => {}
        }
    }

    /// Names that get a value from elsewhere.
    fn parameters(&mut self, code: &Code, from: usize, to: usize) {
        for at in from..to {
            let Some(Token::Name(name)) = code.get(at) else {
                continue;
            };
            // What follows `=` is a value.
            let default = code
                .before(at)
                .is_some_and(|token| token.is_any(&["=", ".", "->"]));
            if !default {
                self.bind(&name.clone(), None);
            }
        }
    }

    /// The names before `=`.
    fn assigned(&mut self, code: &Code, index: usize, at: usize) {
        let from = code.trim(at.saturating_add(1), code.tokens.len()).0;
        let end = code.statement_end(from).unwrap_or(from);
        let to = code
            .split(from, end, ",")
            .first()
            .map_or(from, |(_, to)| *to);
        let value = Span {
            code: index,
            from,
            to,
        };
        let Some(before) = at.checked_sub(1) else {
            return;
        };
        match code.get(before) {
            Some(Token::Name(name)) => {
                let member = code
                    .before(before)
                    .is_some_and(|token| token.is_any(&[".", "->", "::", "&."]));
                let several = code.before(before).is_some_and(|token| token.is(","));
                if member {
                    return;
                }
                let name = name.clone();
                let function = code
                    .get(from)
                    .is_some_and(|token| starts_function(code, from, token));
                if function {
                    self.functions.insert(name.clone());
                }
                self.bind(&name, Some(value).filter(|_| !several));
                if several {
                    self.listed_before(code, before);
                }
            }
            Some(Token::Sign("]" | "}" | ")")) => {
                let Some(open) = code.partner(before) else {
                    return;
                };
                match open.checked_sub(1).and_then(|at| code.get(at)) {
                    // A part of a value is changed.
                    Some(Token::Name(name)) if !DECLARING.contains(&name.as_str()) => {
                        self.bind(&name.clone(), None);
                    }
                    _ => self.parameters(code, open, before),
                }
            }
            _ => {}
        }
    }

    /// `a, b, c =`: the names before the last.
    fn listed_before(&mut self, code: &Code, last: usize) {
        let mut at = last;
        while let Some(before) = at.checked_sub(1) {
            match code.get(before) {
                Some(Token::Name(name)) => self.bind(&name.clone(), None),
                Some(Token::Sign("," | "*" | "(" | ")")) => {}
                _ => return,
            }
            at = before;
        }
    }
}

/// Whether the interpreter gives a variable values too.
fn is_given(name: &str) -> bool {
    name.strip_prefix('$').is_some_and(|name| {
        let letter = name.starts_with(|c: char| c.is_ascii_alphabetic());
        !letter || matches!(name, "a" | "b" | "F" | "argn" | "argv" | "argc" | "this")
    })
}

/// Whether a class begins before this place.
fn has_class(code: &Code, at: usize) -> bool {
    let before = code.tokens.get(..at).unwrap_or_default();
    before.iter().any(|token| token.is_name("class"))
}

/// Whether what is given a value at this place is all that its statement does.
fn begins_statement(code: &Code, at: usize) -> bool {
    let name = at.saturating_sub(1);
    let first = code.partner(name).unwrap_or(name);
    code.before(first).is_none_or(|token| {
        *token == Token::End
            || token.is_any(&[";", "{", "}"])
            || token.name().is_some_and(|name| DECLARING.contains(&name))
            || token.is(",") && code.around(first).is_none()
    })
}

/// How many tokens may lie between a word and the last name that it binds.
const MAX_NAMES: usize = 48;

/// Signs that change the variable beside them.
const CHANGING: &[&str] = &[
    "++", "--", "+=", "-=", "*=", "/=", "//=", "%=", "**=", ".=", "x=", "|=", "&=", "^=", "<<=",
    ">>=", "||=", "&&=", "??=", "=~", "<<",
];

const DECLARING: &[&str] = &["const", "let", "my", "our", "local", "var"];

/// Whether a name can be taken for nothing else, whatever the program says.
fn reaches(table: &Table, name: &str) -> bool {
    // A part of a name with its package, which may be that of a builtin.
    let part =
        |part: &str| has(table.reserved, part) || matches!(table.entry(part), Some(Entry::Call(_)));
    name.contains("::") && name.split("::").any(part)
        || has(table.reserved, name)
        || has(table.keywords, name)
        || matches!(table.entry(name), Some(Entry::Call(_)))
}

fn starts_function(code: &Code, at: usize, token: &Token) -> bool {
    match token {
        Token::Name(name) => match name.as_str() {
            "lambda" | "function" | "fn" | "sub" => true,
            "async" => code
                .get(at.saturating_add(1))
                .is_some_and(|token| starts_function(code, at.saturating_add(1), token)),
            _ => code.is(at.saturating_add(1), "=>"),
        },
        Token::Sign("->") => true,
        Token::Sign("(") => code
            .partner(at)
            .is_some_and(|close| code.is(close.saturating_add(1), "=>")),
        _ => false,
    }
}

/// A dotted name at a place.
fn chain(code: &Code, at: usize, members: &[&str]) -> Option<Chain> {
    let first = code.get(at)?.name()?.to_owned();
    let rest = chain_on(code, at.saturating_add(1), members);
    let mut parts = vec![first];
    parts.extend(rest.parts);
    Some(Chain {
        parts,
        end: rest.end,
    })
}

fn chain_on(code: &Code, mut at: usize, members: &[&str]) -> Chain {
    let mut parts = Vec::new();
    while let (Some(sign), Some(Token::Name(name))) = (code.get(at), code.get(at.saturating_add(1)))
    {
        if !sign.is_any(members) {
            break;
        }
        parts.push(name.clone());
        at = at.saturating_add(2);
    }
    Chain { parts, end: at }
}
