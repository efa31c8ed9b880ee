//! Calls that do more than compute, and the commands that do the same.

use super::{Act, Walk};
use crate::language::names::Span;
use crate::language::tables::{Call, has};
use crate::language::tokens::{Code, Token};
use crate::language::values::{Piece, Worth};

impl Walk<'_> {
    /// A call that does more than compute.
    pub(super) fn call(
        &mut self,
        code: &Code,
        index: usize,
        (at, end): (usize, usize),
        call: &Call,
    ) {
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
        let of = call.run.contains(&"{0}") || call.opens == Some(0);
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
            Some(Worth::List(words)) => {
                self.runs = true;
                self.act(words);
            }
            Some(_) => self.opaque(),
            None => {}
        }
        if let Some(first) = call.program {
            self.program(&arguments, usize::from(first.saturating_sub(1)));
        }
        if self.scene.table.name == "perl" && call.pipes && arguments.given.len() == 2 {
            self.open_perl(arguments.given.get(1));
        } else if self.scene.table.name == "perl"
            && call.pipes
            && matches!(arguments.given.get(1), Some(Worth::Text(mode)) if mode.text.contains('|'))
        {
            self.program(&arguments, 2);
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
                self.reading.acts.push(Act::Variable(text));
            }
            Some(_) => self.opaque(),
            None => {}
        }
    }

    /// A program and its arguments; alone it is a shell line.
    fn program(&mut self, arguments: &Arguments, first: usize) {
        self.runs = true;
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
        let reaches =
            call.shell.or(call.program).or(call.opens).is_some() || !call.sends.is_empty();
        let python = self.scene.table.name == "python";
        for (from, to) in spans {
            // Arguments that are spread may be any.
            let spread = code
                .get(from)
                .is_some_and(|token| token.is_any(&["*", "**", "..."]));
            arguments.unclear |= spread;
            // Those behind the known ones may name another program, or be what is sent.
            let known = call.parameters.len();
            arguments.unclear |=
                python && reaches && known > 0 && arguments.given.len() >= known.max(2);
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
                // A table of options that is not seen.
                let options = self.scene.table.name == "javascript"
                    && reaches
                    && !arguments.given.is_empty()
                    && matches!(
                        &worth,
                        Worth::Unknown | Worth::Text(Piece { whole: false, .. })
                    )
                    && !is_given_function(code, (from, to));
                arguments.unclear |= options;
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

/// Whether a function is written here, or a text.
fn is_given_function(code: &Code, (from, to): (usize, usize)) -> bool {
    let arrow = code.split(from, to, "=>").len() > 1;
    let word = code.get(from).and_then(Token::name);
    arrow || word == Some("function") || matches!(code.get(from), Some(Token::Text { .. }))
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

/// Words that end the arguments of a call without parentheses.
const STOPPING: &[&str] = &[
    "and", "do", "for", "foreach", "if", "or", "rescue", "unless", "until", "while", "then",
];
