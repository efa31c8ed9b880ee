//! What expressions of a program give, as far as that stands in the program.

use super::names::{Names, Span};
use super::tables::{Call, Entry, Given, Table};
use super::tokens::{Code, Token};
use std::cell::Cell;

/// A text as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    /// What is known of it; `$_` stands for what is not.
    pub(crate) text: String,
    pub(crate) whole: bool,
}

impl Piece {
    pub(super) fn whole(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            whole: true,
        }
    }

    pub(super) fn unknown() -> Self {
        Self {
            text: "$_".to_owned(),
            whole: false,
        }
    }
}

/// What an expression gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Worth {
    Text(Piece),
    Number(String),
    List(Vec<Piece>),
    /// A table of options, with their names.
    Options(Vec<String>),
    Unknown,
}

impl Worth {
    /// The same, where it may be something else as well.
    fn doubted(self) -> Self {
        let doubted = |piece: Piece| Piece {
            whole: false,
            ..piece
        };
        match self {
            Self::Text(piece) => Self::Text(doubted(piece)),
            Self::List(pieces) => Self::List(pieces.into_iter().map(doubted).collect()),
            Self::Number(_) | Self::Options(_) | Self::Unknown => Self::Unknown,
        }
    }
}

/// How deep variables may stand for each other.
const MAX_DEPTH: u8 = 6;

/// Where expressions are looked up.
#[derive(Debug)]
pub(super) struct Scene<'a> {
    pub(super) table: &'static Table,
    pub(super) codes: &'a [Code],
    pub(super) names: &'a Names,
    pub(super) home: &'a str,
    /// Variables keep the value that they were given.
    pub(super) steady: bool,
    /// How many more terms are looked at.
    pub(super) left: Cell<usize>,
}

/// The longest text that is put together, in bytes.
const MAX_TEXT: usize = 64 << 10;

impl Scene<'_> {
    pub(super) fn worth(&self, span: Span) -> Worth {
        self.worth_within(span, 0)
    }

    fn worth_within(&self, span: Span, depth: u8) -> Worth {
        let Some(code) = self.codes.get(span.code) else {
            return Worth::Unknown;
        };
        let (from, to) = code.trim(span.from, span.to);
        if depth > MAX_DEPTH || from >= to {
            return Worth::Unknown;
        }
        let only = code.get(from).filter(|_| to.saturating_sub(from) == 1);
        match only {
            Some(Token::Number(number)) => return Worth::Number(number.clone()),
            Some(Token::Name(name)) => {
                let value = self.names.value(name).filter(|_| self.steady);
                return value.map_or(Worth::Unknown, |value| {
                    match self.worth_within(value, depth.saturating_add(1)) {
                        Worth::List(_) if self.names.uses(name) > 2 => Worth::Unknown,
                        worth if self.names.is_plain(name) => worth,
                        worth => worth.doubted(),
                    }
                });
            }
            _ => {}
        }
        let last = to.saturating_sub(1);
        match code.get(from) {
            Some(Token::Sign("[" | "("))
                if code.partner(from) == Some(last)
                    && (code.is(from, "[") || code.parts(from).len() > 1) =>
            {
                let pieces = code.parts(from).into_iter();
                let pieces = pieces.map(|(from, to)| {
                    let span = Span { from, to, ..span };
                    self.piece_within(span, depth.saturating_add(1))
                });
                return Worth::List(pieces.collect());
            }
            Some(Token::Sign("{")) if code.partner(from) == Some(last) => {
                let labels = code.parts(from).into_iter();
                let labels = labels.map(|(from, _)| match code.get(from) {
                    Some(Token::Name(name) | Token::Text { text: name, .. }) => name.clone(),
                    _ => "…".to_owned(),
                });
                return Worth::Options(labels.collect());
            }
            _ => {}
        }
        Worth::Text(self.piece_within(span, depth))
    }

    pub(super) fn piece(&self, span: Span) -> Piece {
        self.piece_within(span, 0)
    }

    /// A text, or texts that are put together.
    fn piece_within(&self, span: Span, depth: u8) -> Piece {
        let Some(code) = self.codes.get(span.code) else {
            return Piece::unknown();
        };
        let sign = if matches!(self.table.name, "perl" | "php") {
            "."
        } else {
            "+"
        };
        let terms = code.split(span.from, span.to, sign);
        let mut whole = Piece::whole("");
        for (from, to) in terms {
            let pieces = match code.split(from, to, "/") {
                // Paths that are put together.
                parts if parts.len() > 1 => {
                    let mut parts = parts.into_iter();
                    let parts = parts
                        .by_ref()
                        .map(|(from, to)| self.term(Span { from, to, ..span }, depth));
                    joined(parts)
                }
                _ => self.term(Span { from, to, ..span }, depth),
            };
            if whole.text.len().saturating_add(pieces.text.len()) > MAX_TEXT {
                return Piece::unknown();
            }
            whole.text.push_str(&pieces.text);
            whole.whole &= pieces.whole;
        }
        if whole.text.is_empty()
            && span.from < span.to
            && !matches!(code.get(span.from), Some(Token::Text { .. }))
        {
            return Piece::unknown();
        }
        whole
    }

    fn term(&self, span: Span, depth: u8) -> Piece {
        let unknown = Piece::unknown;
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        if left == 0 {
            return unknown();
        }
        let Some(code) = self.codes.get(span.code).filter(|_| depth <= MAX_DEPTH) else {
            return unknown();
        };
        let (from, to) = code.trim(span.from, span.to);
        let last = to.saturating_sub(1);
        match code.get(from) {
            // Texts beside each other are one.
            Some(Token::Text { .. }) => {
                let mut all = Piece::whole("");
                for at in from..to {
                    let Some(Token::Text { text, whole }) = code.get(at) else {
                        return unknown();
                    };
                    all.text.push_str(text);
                    all.whole &= whole;
                }
                all
            }
            Some(Token::Sign("(")) if code.partner(from) == Some(last) => {
                let span = Span {
                    from: from.saturating_add(1),
                    to: last,
                    ..span
                };
                self.piece_within(span, depth.saturating_add(1))
            }
            Some(Token::Name(name)) if from == last => {
                let value = self.names.value(name).filter(|_| self.steady);
                match value.map(|value| self.worth_within(value, depth.saturating_add(1))) {
                    Some(Worth::Text(piece)) => Piece {
                        whole: piece.whole && self.names.is_plain(name),
                        ..piece
                    },
                    _ => unknown(),
                }
            }
            Some(Token::Name(_)) => self
                .called(code, Span { from, to, ..span }, depth)
                .unwrap_or_else(unknown),
            _ => unknown(),
        }
    }

    /// What a function gives that is called, or a variable of the environment.
    fn called(&self, code: &Code, span: Span, depth: u8) -> Option<Piece> {
        let (target, end) = self.names.target(self.table, code, span.from)?;
        let last = span.to.checked_sub(1)?;
        if matches!(self.table.entry(&target), Some(Entry::Environment)) {
            let bracket = code.get(end)?.is_any(&["[", "{"]);
            let (Token::Text {
                text: name,
                whole: true,
            }
            | Token::Name(name)) = code.get(end.saturating_add(1))?
            else {
                return None;
            };
            return (bracket && name == "HOME" && code.partner(end) == Some(last))
                .then(|| Piece::whole(self.home));
        }
        if target == "process.env.HOME" && end == span.to {
            return Some(Piece::whole(self.home));
        }
        let Some(Entry::Call(call)) = self.table.entry(&target) else {
            return None;
        };
        let arguments = if code.is(end, "(") && code.partner(end) == Some(last) {
            code.parts(end)
        } else if end == span.to && matches!(self.table.name, "ruby" | "php") {
            Vec::new()
        } else {
            return None;
        };
        let mut pieces = arguments.into_iter().map(|(from, to)| {
            let span = Span { from, to, ..span };
            self.piece_within(span, depth.saturating_add(1))
        });
        self.given(call, &mut pieces)
    }

    fn given(&self, call: &Call, pieces: &mut dyn Iterator<Item = Piece>) -> Option<Piece> {
        match call.value {
            Some(Given::Same) => pieces.next(),
            Some(Given::Joined) => Some(joined(pieces)),
            Some(Given::Home) => Some(Piece::whole(self.home)),
            Some(Given::Expanded) => {
                let piece = pieces.next()?;
                match piece.text.strip_prefix('~') {
                    Some(rest) if rest.is_empty() || rest.starts_with('/') => Some(Piece {
                        text: format!("{}{rest}", self.home),
                        ..piece
                    }),
                    Some(_) => None,
                    None => Some(piece),
                }
            }
            None if call.variable == Some(1) => {
                let name = pieces.next()?;
                (name.whole && name.text == "HOME").then(|| Piece::whole(self.home))
            }
            None => None,
        }
    }
}

/// Parts of a path with slashes between them; one that begins with a slash begins anew.
fn joined(pieces: impl Iterator<Item = Piece>) -> Piece {
    let mut all = Piece::whole("");
    for piece in pieces {
        if piece.text.starts_with('/') {
            all = piece;
            continue;
        }
        if !all.text.is_empty() && !all.text.ends_with('/') {
            all.text.push('/');
        }
        all.text.push_str(&piece.text);
        all.whole &= piece.whole;
    }
    all
}
