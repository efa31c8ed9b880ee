use super::error::{SettingsError, SettingsErrorKind};
use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::{Range, Ranged};
use jsonc_parser::tokens::Token;
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, parse_to_ast};
use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::ser::{PrettyFormatter, Serializer};

/// A settings text with the places of everything in it.
///
/// The parser's own editor is not used: it breaks objects on one line apart and drops blank lines.
/// A text that is only ever spliced stays the same everywhere else by construction.
pub(super) struct Document<'a> {
    text: &'a str,
    pub(super) root: Object<'a>,
    tokens: Vec<(Range, Kind)>,
}

/// A piece of text that takes the place of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Splice {
    start: usize,
    end: usize,
    with: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Comma,
    LineComment,
    BlockComment,
    Other,
}

impl Kind {
    fn is_comment(self) -> bool {
        matches!(self, Self::LineComment | Self::BlockComment)
    }
}

/// JSON with comments, which people write into it, and nothing else beyond JSON.
const STRICT: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

impl<'a> Document<'a> {
    pub(super) fn parse(text: &'a str) -> Result<Self, SettingsError> {
        let collect = CollectOptions {
            comments: CommentCollectionStrategy::AsTokens,
            tokens: true,
        };
        let parsed = parse_to_ast(text, &collect, &STRICT).map_err(|error| SettingsError {
            line: error.line_display(),
            column: error.column_display(),
            kind: SettingsErrorKind::Syntax(lower_first(&error.kind().to_string())),
        })?;
        let root = match parsed.value {
            Some(Value::Object(root)) => root,
            Some(other) => {
                let shape = shape("the top level", &other, "an object");
                return Err(error_at(text, other.start(), shape));
            }
            None => return Err(error_at(text, 0, SettingsErrorKind::Empty)),
        };
        let tokens = parsed.tokens.unwrap_or_default();
        Ok(Self {
            text,
            root,
            tokens: tokens
                .iter()
                .map(|found| (found.range, kind(&found.token)))
                .collect(),
        })
    }

    pub(super) fn error(&self, at: usize, kind: SettingsErrorKind) -> SettingsError {
        error_at(self.text, at, kind)
    }

    /// Refuses what the agent cannot read: it drops such a file whole, with every hook in it.
    pub(super) fn must_be_plain(&self) -> Result<(), SettingsError> {
        if let Some((comment, _)) = self.tokens.iter().find(|(_, kind)| kind.is_comment()) {
            return Err(self.error(comment.start, SettingsErrorKind::Comment));
        }
        match serde_json::from_str::<IgnoredAny>(self.text) {
            Ok(_) => Ok(()),
            Err(error) => Err(SettingsError {
                line: error.line(),
                column: error.column(),
                kind: SettingsErrorKind::Syntax("a strict reader refuses it".to_owned()),
            }),
        }
    }

    /// Adds a member at the end of a container without comments, in the style of the text around
    /// it.
    pub(super) fn append(
        &self,
        container: Range,
        members: &[Range],
        name: Option<&str>,
        value: &impl Serialize,
    ) -> Vec<Splice> {
        let open = container.start.saturating_add(1);
        let close = container.end.saturating_sub(1);
        let (Some(first), Some(last)) = (members.first(), members.last()) else {
            let text = if self.is_pretty() {
                let outer = self.indent(container.start);
                let base = format!("{outer}{}", self.unit());
                let text = self.lines(&base, name, value);
                format!("{0}{base}{text}{0}{outer}", self.newline())
            } else {
                member(name, value, None)
            };
            return vec![Splice::replace(Range::new(open, close), text)];
        };
        if !self.slice(open, first.start).contains('\n') {
            return vec![Splice::insert(
                last.end,
                format!(",{}", member(name, value, None)),
            )];
        }
        let base = self.indent(first.start);
        let text = self.lines(base, name, value);
        vec![Splice::insert(
            last.end,
            format!(",{}{base}{text}", self.newline()),
        )]
    }

    /// Puts another value in the place of one.
    pub(super) fn replace(&self, old: Range, value: &impl Serialize) -> Vec<Splice> {
        let text = if self.slice(old.start, old.end).contains('\n') {
            self.lines(self.indent(old.start), None, value)
        } else {
            member(None, value, None)
        };
        vec![Splice::replace(old, text)]
    }

    /// Takes a member out of its container, with the comma and the space that came with it.
    pub(super) fn remove(&self, gone: Range) -> Vec<Splice> {
        let after = self.after(gone.end);
        let comma_after = self
            .tokens_from(gone.end)
            .find(|(_, kind)| !kind.is_comment());
        if let Some((comma, Kind::Comma)) = comma_after {
            let next = self
                .after(comma.end)
                .map_or(comma.end, |(next, _)| next.start);
            return vec![Splice::remove(gone.start, next)];
        }
        let before = self.before(gone.start);
        let next = after.map_or(gone.end, |(range, _)| range.start);
        let previous = before.map_or(gone.start, |(range, _)| range.end);
        let comma_before = self
            .tokens
            .iter()
            .rev()
            .filter(|(range, _)| range.end <= gone.start)
            .find(|(_, kind)| !kind.is_comment())
            .filter(|(_, kind)| *kind == Kind::Comma);
        let mut splices: Vec<Splice> = comma_before
            .map(|(comma, _)| Splice::remove(comma.start, comma.end))
            .into_iter()
            .collect();
        let comment_before = before.map(|(_, kind)| kind.is_comment());
        let comment_after = after.map(|(_, kind)| kind.is_comment());
        let alone =
            comma_before.is_none() && comment_before == Some(false) && comment_after == Some(false);
        // What follows must not become part of a line comment.
        let needs_its_newline = before.is_some_and(|(_, kind)| kind == Kind::LineComment)
            && !self.slice(gone.end, next).contains('\n');
        splices.push(match (alone, needs_its_newline) {
            (true, _) => Splice::remove(previous, next),
            (false, true) => Splice::remove(gone.start, gone.end),
            (false, false) => Splice::remove(previous, gone.end),
        });
        splices
    }

    /// Whether a comment stands in `outer` but not in `inner`.
    pub(super) fn has_comment(&self, outer: Range, inner: Range) -> bool {
        self.tokens.iter().any(|(range, kind)| {
            kind.is_comment()
                && range.start >= outer.start
                && range.end <= outer.end
                && !(range.start >= inner.start && range.end <= inner.end)
        })
    }

    /// A member on lines of its own, of which the first is already indented.
    fn lines(&self, base: &str, name: Option<&str>, value: &impl Serialize) -> String {
        let layout = Layout {
            newline: self.newline(),
            unit: self.unit(),
            base,
        };
        member(name, value, Some(&layout))
    }

    fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    fn before(&self, at: usize) -> Option<(Range, Kind)> {
        self.tokens
            .iter()
            .rev()
            .find(|(range, _)| range.end <= at)
            .copied()
    }

    fn after(&self, at: usize) -> Option<(Range, Kind)> {
        self.tokens_from(at).next()
    }

    fn tokens_from(&self, at: usize) -> impl Iterator<Item = (Range, Kind)> {
        self.tokens
            .iter()
            .copied()
            .filter(move |(range, _)| range.start >= at)
    }

    /// Whether the top level has lines of its own; an empty one has no style yet.
    fn is_pretty(&self) -> bool {
        self.root.properties.first().is_none_or(|first| {
            self.slice(self.root.range.start, first.range.start)
                .contains('\n')
        })
    }

    fn newline(&self) -> &'static str {
        if self.text.contains("\r\n") {
            "\r\n"
        } else {
            "\n"
        }
    }

    /// One step of indentation.
    fn unit(&self) -> &'a str {
        self.root
            .properties
            .first()
            .filter(|_| self.is_pretty())
            .map(|first| self.indent(first.range.start))
            .filter(|unit| !unit.is_empty())
            .unwrap_or("  ")
    }

    /// The white space that the line begins with.
    fn indent(&self, at: usize) -> &'a str {
        let line = self
            .slice(0, at)
            .rfind('\n')
            .map_or(0, |newline| newline.saturating_add(1));
        let rest = self.slice(line, at);
        let text = rest.trim_start_matches([' ', '\t']);
        self.slice(
            line,
            line.saturating_add(rest.len().saturating_sub(text.len())),
        )
    }
}

impl Splice {
    fn insert(at: usize, with: impl Into<String>) -> Self {
        Self::replace(Range::new(at, at), with)
    }

    fn remove(start: usize, end: usize) -> Self {
        Self::replace(Range::new(start, end), "")
    }

    fn replace(old: Range, with: impl Into<String>) -> Self {
        Self {
            start: old.start,
            end: old.end,
            with: with.into(),
        }
    }
}

/// The text with the splices, which are in order and do not overlap, made.
pub(super) fn spliced(text: &str, splices: &[Splice]) -> String {
    let mut made = String::with_capacity(text.len());
    let mut at = 0;
    for splice in splices {
        made.push_str(text.get(at..splice.start).unwrap_or_default());
        made.push_str(&splice.with);
        at = splice.end;
    }
    made.push_str(text.get(at..).unwrap_or_default());
    made
}

/// A text member of an object.
pub(super) fn text<'v>(object: &'v Object<'_>, name: &str) -> Option<&'v str> {
    object.get_string(name).map(|found| &*found.value)
}

pub(super) fn shape(what: &str, found: &Value<'_>, expected: &'static str) -> SettingsErrorKind {
    SettingsErrorKind::Shape {
        what: crate::reason::visible(what),
        found: match found {
            Value::StringLit(_) => "a string",
            Value::NumberLit(_) => "a number",
            Value::BooleanLit(_) => "a boolean",
            Value::Object(_) => "an object",
            Value::Array(_) => "an array",
            Value::NullKeyword(_) => "null",
        },
        expected,
    }
}

/// How a value that takes several lines is laid out.
struct Layout<'t> {
    newline: &'t str,
    unit: &'t str,
    base: &'t str,
}

fn member(name: Option<&str>, value: &impl Serialize, layout: Option<&Layout<'_>>) -> String {
    let text = match layout {
        Some(layout) => {
            pretty(value, layout.unit).replace('\n', &format!("{}{}", layout.newline, layout.base))
        }
        None => serde_json::to_string(value).unwrap_or_default(),
    };
    match (name, layout) {
        (None, _) => text,
        (Some(name), Some(_)) => format!("\"{name}\": {text}"),
        (Some(name), None) => format!("\"{name}\":{text}"),
    }
}

fn pretty(value: &impl Serialize, unit: &str) -> String {
    let mut bytes = Vec::new();
    let mut serializer =
        Serializer::with_formatter(&mut bytes, PrettyFormatter::with_indent(unit.as_bytes()));
    // What is serialised has string keys only, and a vector takes every byte.
    let _infallible = value.serialize(&mut serializer);
    String::from_utf8(bytes).unwrap_or_default()
}

fn error_at(text: &str, at: usize, kind: SettingsErrorKind) -> SettingsError {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    SettingsError {
        line: before.matches('\n').count().saturating_add(1),
        column: line.chars().count().saturating_add(1),
        kind,
    }
}

fn kind(token: &Token<'_>) -> Kind {
    match token {
        Token::Comma => Kind::Comma,
        Token::CommentLine(_) => Kind::LineComment,
        Token::CommentBlock(_) => Kind::BlockComment,
        _ => Kind::Other,
    }
}

fn lower_first(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(characters).collect()
    })
}
