//! Text that the shell calculates with.
//!
//! A shell reads a number as an expression: a name in it stands for what the variable of that name
//! holds, and a substitution in the subscript of an array is run, wherever the text comes from. So
//! text that somebody else wrote is code there. Which names are calculated with, and what they were
//! given, is gathered without an order: loops, functions and traps run when they like.

use super::Analysis;
use super::flow::{Output, Prints};
use super::script::Lowered;
use super::state::ARGUMENTS;
use countersign_lexer::{
    Command, CommandId, Context, Part, ScopeId, ScopeKind, Script, Span, Word,
};
use std::collections::{BTreeMap, BTreeSet};

/// What is calculated with, and where it comes from, in all the scripts of a call.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    /// Names that stand where a number is wanted.
    used: BTreeSet<String>,
    /// Names that were given text which nobody has seen, each with the command that gave it.
    text: BTreeMap<String, u32>,
    /// The names that a value was made of: whose it is, and that it is for.
    of: BTreeMap<String, BTreeSet<String>>,
}

impl Sums {
    fn gives(&mut self, name: &str, from: Seen, command: u32) {
        for part in from.names.into_iter().filter(|part| part != name) {
            self.of.entry(part).or_default().insert(name.to_owned());
        }
        if from.text {
            self.text
                .entry(name.to_owned())
                .or_insert(from.command.unwrap_or(command));
        }
    }

    /// A variable was given what a builtin read.
    pub(super) fn reads(&mut self, name: &str, read: &Output, command: u32) {
        let seen = Seen {
            names: names(read.text.as_deref().unwrap_or_default().as_bytes()).collect(),
            text: !read.is_calculable(),
            command: None,
        };
        self.gives(name, seen, command);
    }

    /// The commands whose text reaches a number.
    fn found(&self) -> BTreeSet<u32> {
        if self.used.is_empty() {
            return BTreeSet::new();
        }
        let mut found = BTreeSet::new();
        for (name, command) in &self.text {
            let mut seen = BTreeSet::from([name]);
            let mut left = vec![name];
            while let Some(name) = left.pop() {
                if self.used.contains(name) {
                    found.insert(*command);
                    break;
                }
                let next = self.of.get(name).into_iter().flatten();
                left.extend(next.filter(|next| seen.insert(next)));
            }
            if found.len() >= ENOUGH {
                break;
            }
        }
        found
    }
}

/// How many commands are named whose text is calculated with; it takes one to ask.
const ENOUGH: usize = 8;

/// What stands in a piece of source.
#[derive(Debug, Default)]
struct Seen {
    names: BTreeSet<String>,
    /// It holds text which nobody has seen.
    text: bool,
    /// The command that prints that text.
    command: Option<u32>,
}

/// One script whose sums are looked for.
struct Source<'l> {
    lowered: &'l Lowered<'l>,
    /// Its substitutions, in the order of the source.
    substitutions: Vec<(Span, ScopeId)>,
    /// Arrays whose subscripts are plain text.
    keyed: BTreeSet<String>,
}

impl Analysis<'_> {
    /// Gathers what a script calculates with; at the end of the call's own, says what is wrong.
    pub(super) fn sums(&mut self, lowered: &Lowered<'_>) {
        let script = lowered.script;
        let source = Source::of(lowered);
        for command in script.commands() {
            if command.context() == Context::ArithmeticSubstitution {
                self.used_at_once(&source, command.scope());
            }
            self.gives_by_assignment(&source, &command);
            self.gives_by_builtin(&source, &command);
        }
        self.gives_by_loops(&source);
        let Pieces {
            mut used, given, ..
        } = Pieces::of(script.source());
        for (name, value) in given {
            let name = String::from_utf8_lossy(source.text(name));
            self.sums.gives(&name, source.look(value), source.first());
        }
        for scope in script.scopes() {
            match scope.kind() {
                ScopeKind::Arithmetic => used.push(scope.span()),
                ScopeKind::TestExpression => {
                    used.extend(source.comparisons(scope.span()));
                    if source.text(scope.span()).windows(2).any(|two| two == b"=~") {
                        let seen = source.look(scope.span());
                        self.sums.gives("BASH_REMATCH", seen, source.first());
                    }
                }
                _ => {}
            }
        }
        for span in used {
            self.used(&source, span);
        }
        let frame = lowered.frame;
        match frame.parent {
            None => {
                for command in self.sums.found() {
                    self.found.opaque(command, "dynamic-code");
                }
            }
            Some(parent) if self.sums.used.contains(ARGUMENTS) => {
                let known = frame.state.held(ARGUMENTS).is_none_or(|held| {
                    let words = held.only();
                    words.is_some_and(|words| words.iter().all(|word| word.exact().is_some()))
                });
                if !known {
                    self.found.opaque(parent, "dynamic-code");
                }
            }
            Some(_) => {}
        }
    }

    /// A substitution that stands in a sum itself.
    fn used_at_once(&mut self, source: &Source<'_>, scope: ScopeId) {
        let mut at = Some(scope);
        while let Some(scope) = at.and_then(|id| source.lowered.script.scope(id)) {
            if is_substitution(scope.kind()) {
                return self.used(source, scope.span());
            }
            at = scope.parent();
        }
    }

    /// A piece of source is read as a number.
    fn used(&mut self, source: &Source<'_>, span: Span) {
        let seen = source.look(span);
        if seen.text {
            let command = seen.command.unwrap_or_else(|| source.first());
            self.found.opaque(command, "dynamic-code");
        }
        self.sums.used.extend(seen.names);
    }

    fn gives_by_assignment(&mut self, source: &Source<'_>, command: &Command<'_>) {
        let index = source.lowered.index(command.id()).unwrap_or_default();
        for assignment in command.assignments() {
            let name = String::from_utf8_lossy(assignment.name());
            let span = assignment.span();
            let text = source.text(span);
            let placed = assignment.is_array() && text.windows(2).any(|two| two == b"]=");
            let subscript = assignment.has_subscript() || placed;
            if (subscript && !source.keyed.contains(&*name)) || INTEGERS.contains(&&*name) {
                self.used(source, span);
            }
            let mut seen = source.look(span);
            let lists = text.iter().any(|byte| matches!(byte, b'*' | b'?'));
            seen.text |= assignment.is_array() && lists;
            self.sums.gives(&name, seen, index);
        }
    }

    fn gives_by_builtin(&mut self, source: &Source<'_>, command: &Command<'_>) {
        let through = [Some(&b"command"[..]), Some(&b"builtin"[..])];
        let mut words = command
            .words()
            .skip_while(|word| through.contains(&word.literal()));
        let Some(first) = words.next().and_then(|word| word.literal()) else {
            return;
        };
        let first = String::from_utf8_lossy(first);
        let index = source.lowered.index(command.id()).unwrap_or_default();
        match &*first {
            "let" => {
                for word in words {
                    self.used(source, word.span());
                }
            }
            "declare" | "export" | "float" | "integer" | "local" | "readonly" | "typeset" => {
                self.declared(source, &words.collect::<Vec<_>>(), (&first, index));
            }
            "getopts" | "mapfile" | "read" | "readarray" | "unset" => {
                let mut value = false;
                for word in words {
                    let plain = word.source();
                    let option = plain.starts_with(b"-");
                    // The value of an option is a text to show, or where a line ends.
                    let shown = std::mem::replace(
                        &mut value,
                        option && plain.last().is_some_and(|last| b"pdtunN".contains(last)),
                    );
                    if !shown && !option {
                        self.named(source, &word);
                    }
                }
            }
            "printf" => self.printed_into(source, words, index),
            "test" | "[" => {
                let mut name = false;
                for word in words {
                    if std::mem::replace(&mut name, matches!(word.literal(), Some(b"-v" | b"-R"))) {
                        self.named(source, &word);
                    }
                }
            }
            name if name == "set" || source.lowered.functions.has(name) => {
                for word in words {
                    self.sums.gives(ARGUMENTS, source.word(&word), index);
                }
            }
            _ => {}
        }
    }

    /// The word of a builtin that names a variable: what stands in its subscript is calculated, and
    /// a name that is not in sight may have one.
    fn named(&mut self, source: &Source<'_>, word: &Word<'_>) {
        let name = word.source().split(|byte| *byte == b'=').next();
        if word.is_dynamic() || name.is_some_and(|name| name.contains(&b'[')) {
            self.used(source, word.span());
        }
    }

    fn declared(&mut self, source: &Source<'_>, words: &[Word<'_>], (by, index): (&str, u32)) {
        let given = |letter: u8| {
            let options = words.iter().map(Word::source);
            let mut options = options.filter(|text| text.starts_with(b"-"));
            options.any(|text| text.contains(&letter))
        };
        let number =
            matches!(by, "float" | "integer") || (by != "export" && (given(b'i') || given(b'n')));
        for word in words.iter().filter(|word| !word.source().starts_with(b"-")) {
            let whole = word.source();
            let name = whole.split(|byte| matches!(byte, b'=' | b'+')).next();
            let name = name.unwrap_or_default();
            let plain = name.iter().all(|&byte| is_name(byte));
            if number || !plain {
                self.used(source, word.span());
            }
            let name = String::from_utf8_lossy(name);
            let mut seen = source.look(word.span());
            let list = name.len().saturating_add(1);
            let list = whole
                .get(list..)
                .is_some_and(|value| value.starts_with(b"("));
            seen.text |= list && whole.iter().any(|byte| matches!(byte, b'*' | b'?'));
            self.sums.gives(&name, seen, index);
        }
    }

    fn printed_into<'w>(
        &mut self,
        source: &Source<'_>,
        words: impl Iterator<Item = Word<'w>>,
        index: u32,
    ) {
        let words: Vec<Word<'_>> = words.collect();
        let [option, name, rest @ ..] = words.as_slice() else {
            return;
        };
        if option.literal() != Some(b"-v") {
            return;
        }
        self.named(source, name);
        let name = String::from_utf8_lossy(name.source()).into_owned();
        for word in rest {
            self.sums.gives(&name, source.word(word), index);
        }
    }

    fn gives_by_loops(&mut self, source: &Source<'_>) {
        for scope in source.lowered.script.scopes() {
            let (ScopeKind::For { name } | ScopeKind::Select { name }) = scope.kind() else {
                continue;
            };
            let name = String::from_utf8_lossy(name);
            for word in scope.words() {
                let seen = source.word(&word);
                self.sums.gives(&name, seen, source.first());
            }
            if scope.words().next().is_none() {
                let arguments = Seen {
                    names: BTreeSet::from([ARGUMENTS.to_owned()]),
                    ..Seen::default()
                };
                self.sums.gives(&name, arguments, source.first());
            }
        }
    }
}

impl<'l> Source<'l> {
    fn of(lowered: &'l Lowered<'l>) -> Self {
        let script = lowered.script;
        let substitutions = script
            .scopes()
            .filter(|scope| is_substitution(scope.kind()));
        let mut substitutions: Vec<(Span, ScopeId)> = substitutions
            .map(|scope| (scope.span(), scope.id()))
            .collect();
        substitutions.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
        Self {
            lowered,
            substitutions,
            keyed: keyed(script),
        }
    }

    /// The first command, for what stands in none.
    fn first(&self) -> u32 {
        u32::try_from(self.lowered.first).unwrap_or_default()
    }

    fn text(&self, span: Span) -> &'l [u8] {
        let source = self.lowered.script.source();
        source.get(span.start..span.end).unwrap_or_default()
    }

    /// What a word may hold: with a pattern in it, names of files, which others gave them.
    fn word(&self, word: &Word<'_>) -> Seen {
        let mut seen = self.look(word.span());
        seen.text |= word.parts().any(|part| matches!(part, Part::Glob { .. }));
        seen
    }

    /// The substitutions in a piece of source that stand in no other one there.
    fn within(&self, span: Span) -> impl Iterator<Item = (Span, ScopeId)> {
        let from = self
            .substitutions
            .partition_point(|(inner, _)| inner.start < span.start);
        let inside = self.substitutions.get(from..).unwrap_or_default().iter();
        let mut end = span.start;
        inside
            .take_while(move |(inner, _)| inner.start < span.end)
            .filter(move |(inner, _)| {
                let outermost = inner.start >= end && inner.end <= span.end;
                if outermost {
                    end = inner.end;
                }
                outermost
            })
            .copied()
    }

    /// What stands in a piece of source. Of a substitution that prints nothing but a number, nothing does.
    fn look(&self, span: Span) -> Seen {
        let mut seen = Seen::default();
        let mut from = span.start;
        let mut names_to = |seen: &mut Seen, to: usize, next: usize| {
            let piece = self.text(Span {
                start: from,
                end: to,
            });
            seen.names.extend(names(piece));
            from = next;
        };
        for (inner, scope) in self.within(span) {
            match self.lowered.outputs.printed(scope) {
                Prints::Text => {
                    seen.text = true;
                    let last = || last_command(self.lowered.script, inner);
                    seen.command = seen.command.or_else(|| self.lowered.index(last()?));
                }
                Prints::Words => {}
                Prints::Number => names_to(&mut seen, inner.start, inner.end),
            }
        }
        names_to(&mut seen, span.end, span.end);
        seen
    }

    /// The parts of `[[ ]]` that read numbers, or the names of variables.
    fn comparisons(&self, span: Span) -> Vec<Span> {
        const READ: &[&[u8]] = &[b"-eq", b"-ne", b"-lt", b"-le", b"-gt", b"-ge", b"-v", b"-R"];
        let mut covered: Vec<Span> = self.within(span).map(|(inner, _)| inner).collect();
        covered.reverse();
        let mut parts = Vec::new();
        let mut start = span.start;
        let mut at = span.start;
        let source = self.lowered.script.source();
        while at < span.end {
            if let Some(inner) = covered.last().filter(|inner| inner.start <= at) {
                at = inner.end.max(at.saturating_add(1));
                covered.pop();
                continue;
            }
            let end = at.saturating_add(2);
            if matches!(source.get(at..end), Some(b"&&" | b"||")) {
                parts.push(Span { start, end: at });
                start = end;
                at = end;
            } else {
                at = at.saturating_add(1);
            }
        }
        parts.push(Span {
            start,
            end: span.end,
        });
        let reads = |part: &Span| {
            let mut words = self.text(*part).split(u8::is_ascii_whitespace);
            words.any(|word| READ.contains(&word))
        };
        parts.retain(reads);
        parts
    }
}

/// Arrays that a script surely declares to have keys before anything else gives them a value.
fn keyed(script: &Script) -> BTreeSet<String> {
    let mut keyed = BTreeSet::new();
    for command in script.commands() {
        let mut words = command.words();
        let first = words.next().and_then(|word| word.literal());
        let declares = matches!(first, Some(b"declare" | b"typeset" | b"local"));
        let straight = || {
            super::assign::is_straight(script, Some(command.scope()), None)
                && !super::assign::is_conditional(script, &command, true)
        };
        let with_keys = |word: Word<'_>| {
            let text = word.source();
            text.starts_with(b"-") && text.contains(&b'A')
        };
        if declares && words.next().is_some_and(with_keys) && straight() {
            let literal = words.map(|word| word.source());
            let names = literal.filter_map(|text| text.split(|byte| *byte == b'=').next());
            keyed.extend(names.map(|name| String::from_utf8_lossy(name).into_owned()));
        }
    }
    keyed
}

/// Variables of the shell that are numbers: what they are given is calculated.
const INTEGERS: &[&str] = &[
    "BASHPID",
    "EPOCHSECONDS",
    "EUID",
    "HISTCMD",
    "LINENO",
    "OPTIND",
    "PPID",
    "RANDOM",
    "SECONDS",
    "SRANDOM",
    "UID",
];

fn is_substitution(kind: ScopeKind<'_>) -> bool {
    matches!(
        kind,
        ScopeKind::CommandSubstitution | ScopeKind::Backtick | ScopeKind::FunctionSubstitution
    )
}

/// The command that prints last in a piece of source.
fn last_command(script: &Script, span: Span) -> Option<CommandId> {
    let inside = |command: &Command<'_>| {
        let at = command.span();
        at.start >= span.start && at.end <= span.end
    };
    script
        .commands()
        .filter(inside)
        .last()
        .map(|last| last.id())
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The names in a text, those of variables among them; `$1` and its like are [`ARGUMENTS`].
fn names(text: &[u8]) -> impl Iterator<Item = String> {
    let mut at = 0_usize;
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
            // How long a list is, or a text, is a number.
            if let Some(counted) = rest.strip_prefix(b"${#") {
                let name = counted.iter().take_while(|byte| is_name(**byte)).count();
                at = at.saturating_add(3).saturating_add(name);
                continue;
            }
            let given = rest.strip_prefix(b"${").or(rest.strip_prefix(b"$"));
            let given = given.and_then(<[u8]>::first);
            if given.is_some_and(|byte| matches!(byte, b'1'..=b'9' | b'@' | b'*')) {
                at = at.saturating_add(2);
                return Some(ARGUMENTS.to_owned());
            }
            let length = rest.iter().take_while(|byte| is_name(**byte)).count();
            at = at.saturating_add(length.max(1));
            if let Some(name) = rest.get(..length).filter(|name| !name.is_empty())
                && !name.first().is_some_and(u8::is_ascii_digit)
            {
                return Some(String::from_utf8_lossy(name).into_owned());
            }
        }
    })
}

/// What is open at some place of a source.
#[derive(Debug)]
enum Open {
    Parenthesis,
    /// `((`, from where; `None` inside another one.
    Sum(Option<usize>),
    /// `[` of a subscript.
    Subscript(usize),
    /// `${`; from where on it is calculated.
    Expansion(Option<usize>),
}

/// How deep brackets are told apart.
const MAX_OPEN: usize = 64;

/// How far behind an odd parenthesis the end of a sum is looked for.
const MAX_ODD: usize = 4096;

/// Pieces of a source. Quotes are not read: a piece too many only asks.
#[derive(Debug, Default)]
struct Pieces {
    /// What is calculated, `(( ))`, `$[ ]`, subscripts and offsets; and the names of expansions that
    /// take a value for another name, or for a prompt.
    used: Vec<Span>,
    /// Names that an expansion gives a value, and where that stands.
    given: Vec<(Span, Span)>,
    open: Vec<Open>,
}

impl Pieces {
    fn of(source: &[u8]) -> Self {
        let mut pieces = Self::default();
        let mut at = 0_usize;
        while let Some(rest) = source.get(at..).filter(|rest| !rest.is_empty()) {
            if pieces.open.len() > MAX_OPEN {
                pieces.used = vec![Span {
                    start: 0,
                    end: source.len(),
                }];
                return pieces;
            }
            at = pieces.step(source, rest, at);
        }
        for open in std::mem::take(&mut pieces.open) {
            let start = match open {
                Open::Sum(start) | Open::Expansion(start) => start,
                Open::Subscript(start) => Some(start),
                Open::Parenthesis => None,
            };
            pieces.use_from(start, source.len());
        }
        pieces
    }

    fn use_from(&mut self, start: Option<usize>, end: usize) {
        self.used.extend(start.map(|start| Span { start, end }));
    }

    /// Reads on; where to go on from there.
    fn step(&mut self, source: &[u8], rest: &[u8], at: usize) -> usize {
        let (next, second) = (at.saturating_add(1), at.saturating_add(2));
        match rest {
            [b'\\', ..] => return second,
            [b'(', b'(', ..] => {
                let inside = matches!(self.open.last(), Some(Open::Sum(_)));
                self.open.push(Open::Sum((!inside).then_some(second)));
                return second;
            }
            [b'(', ..] => self.open.push(Open::Parenthesis),
            [b')', ..] => return self.close(source, at),
            [b'$', b'[', ..] => {
                self.open.push(Open::Subscript(second));
                return second;
            }
            [b'$', b'{', ..] => return self.expansion(rest, at),
            [b']', ..] => {
                if let Some(Open::Subscript(start)) = self.open.last() {
                    let start = *start;
                    self.use_from(Some(start), at);
                    self.open.pop();
                }
            }
            [b'}', ..] => {
                if let Some(Open::Expansion(start)) = self.open.last() {
                    let start = *start;
                    self.use_from(start, at);
                    self.open.pop();
                }
            }
            _ => {}
        }
        next
    }

    /// A closing parenthesis.
    fn close(&mut self, source: &[u8], at: usize) -> usize {
        let next = at.saturating_add(1);
        let outer = |open: &Open| matches!(open, Open::Parenthesis | Open::Sum(_));
        if !self.open.iter().any(outer) {
            return next;
        }
        while let Some(last) = self.open.pop() {
            match last {
                Open::Parenthesis => return next,
                Open::Sum(start) if source.get(next) == Some(&b')') => {
                    self.use_from(start, at);
                    return next.saturating_add(1);
                }
                Open::Sum(start) => {
                    // It is two subshells, or there is a parenthesis in quotes.
                    let rest = source.get(at..).unwrap_or_default();
                    let end = rest.windows(2).take(MAX_ODD).position(|two| two == b"))");
                    self.use_from(start, at.saturating_add(end.unwrap_or_default()));
                    self.open.push(Open::Parenthesis);
                    return next;
                }
                Open::Subscript(start) => self.use_from(Some(start), at),
                Open::Expansion(start) => self.use_from(start, at),
            }
        }
        next
    }

    /// `${`.
    fn expansion(&mut self, rest: &[u8], at: usize) -> usize {
        let inside = rest.get(2..).unwrap_or_default();
        let points = inside.starts_with(b"!");
        let before = usize::from(points || inside.starts_with(b"#"));
        let name = inside.iter().skip(before);
        let length = name.take_while(|byte| is_name(**byte)).count();
        let listed = length == 0 && matches!(inside.first(), Some(b'@' | b'*'));
        let length = length.saturating_add(usize::from(listed));
        let start = at.saturating_add(2).saturating_add(before);
        let name = Span {
            start,
            end: start.saturating_add(length),
        };
        let rest = inside.get(before.saturating_add(length)..);
        let rest = rest.unwrap_or_default();
        let list = rest.strip_prefix(b"[@]").or(rest.strip_prefix(b"[*]"));
        let all = list.is_some() || matches!(rest.first(), Some(b'@' | b'*'));
        if (points && !all) || rest.starts_with(b"@P") {
            self.used.push(name);
        }
        if rest.starts_with(b":=") || rest.starts_with(b"=") {
            let end = rest.iter().take(MAX_ODD).position(|byte| *byte == b'\n');
            let end = end.unwrap_or(rest.len().min(MAX_ODD));
            let value = Span {
                start: name.end,
                end: name.end.saturating_add(end),
            };
            self.given.push((name, value));
        }
        let behind = name.end.saturating_add(if list.is_some() { 3 } else { 0 });
        match list.unwrap_or(rest) {
            [b':', operator, ..] if !matches!(operator, b'-' | b'=' | b'?' | b'+') => {
                self.open.push(Open::Expansion(Some(behind)));
            }
            [b'[', ..] => {
                self.open.push(Open::Expansion(None));
                self.open.push(Open::Subscript(behind));
                return behind.saturating_add(1);
            }
            _ => self.open.push(Open::Expansion(None)),
        }
        behind
    }
}
