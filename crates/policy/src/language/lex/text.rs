use super::Lexer;
use crate::language::tokens::Token;

/// How a text says what it holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quoting {
    /// Backslashes stand for more than themselves and the closing quote.
    pub(super) escapes: bool,
    /// They stand for themselves before anything, but keep a quote from closing.
    pub(super) raw: bool,
    /// A line's end may stand in it.
    pub(super) lines: bool,
    /// What is filled in.
    pub(super) fills: Fills,
}

/// What a language fills into a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fills {
    Nothing,
    /// `{code}`
    Braces,
    /// `${code}`
    Dollar,
    /// `#{code}`
    Hash,
    /// `$name`, `@name` and what is simple of them.
    Sigils,
    /// The same without `@name`, and `{$name}`.
    Php,
}

/// What a text holds so far.
#[derive(Debug)]
struct Held {
    text: String,
    whole: bool,
}

impl Held {
    fn fill(&mut self) {
        self.text.push_str("$_");
        self.whole = false;
    }
}

impl Lexer<'_> {
    /// A text behind its opening quote, up to the closing one, which is taken too.
    pub(super) fn text(&mut self, close: &str, quoting: Quoting) -> Option<(String, bool)> {
        let mut held = Held {
            text: String::new(),
            whole: true,
        };
        loop {
            if self.rest.starts_with(close) {
                self.take(close.len())?;
                return Some((held.text, held.whole));
            }
            let c = self.first()?;
            match c {
                '\\' => self.escape(quoting, &mut held)?,
                '\n' if !quoting.lines => return None,
                '{' | '}' if quoting.fills == Fills::Braces => {
                    if self.rest.starts_with(if c == '{' { "{{" } else { "}}" }) {
                        held.text.push(c);
                        self.take(2)?;
                    } else if c == '}' {
                        return None;
                    } else {
                        self.take(1)?;
                        self.filled(quoting.fills, &mut held)?;
                    }
                }
                '$' if quoting.fills == Fills::Dollar && self.rest.starts_with("${") => {
                    self.take(2)?;
                    self.filled(quoting.fills, &mut held)?;
                }
                '#' if quoting.fills == Fills::Hash && self.rest.starts_with("#{") => {
                    self.take(2)?;
                    self.filled(quoting.fills, &mut held)?;
                }
                '#' if quoting.fills == Fills::Hash
                    && self.rest.get(1..)?.starts_with(['@', '$']) =>
                {
                    self.take(1)?;
                    held.fill();
                }
                '$' | '@' if quoting.fills == Fills::Sigils => {
                    self.variable(close, quoting.fills, &mut held)?;
                }
                '$' if quoting.fills == Fills::Php => {
                    self.variable(close, quoting.fills, &mut held)?;
                }
                '{' if quoting.fills == Fills::Php && self.rest.starts_with("{$") => {
                    let end = self.rest.find('}')?;
                    let inside = self.take(end.saturating_add(1))?.get(1..end)?;
                    let reaches = REACHING.iter().any(|name| inside.contains(name));
                    (!reaches && is_plain_path(inside)).then(|| held.fill())?;
                }
                _ => {
                    held.text.push(c);
                    self.take(c.len_utf8())?;
                }
            }
        }
    }

    /// Code that is filled in, behind its opening brace. Only what cannot hold a brace of its own.
    fn filled(&mut self, fills: Fills, held: &mut Held) -> Option<()> {
        let end = self.rest.find('}')?;
        let code = self.take(end)?;
        self.take(1)?;
        // A comment would hold the brace.
        if code.contains(['{', '\\', '`', '#']) && fills != Fills::Dollar
            || fills == Fills::Dollar && (code.contains(['{', '\\', '`']) || code.contains("//"))
            || code.trim().is_empty()
        {
            return None;
        }
        self.inside.push(code.to_owned());
        held.fill();
        Some(())
    }

    /// A variable that is filled in, with what may stand behind it and cannot run anything.
    fn variable(&mut self, close: &str, fills: Fills, held: &mut Held) -> Option<()> {
        let sigil = self.take(1)?;
        let braced = self.rest.starts_with('{');
        if braced {
            self.take(1)?;
        }
        let length = self.word();
        if length == 0 {
            // A variable whose name is a sign, or one of the main package.
            let mut after = self.rest.chars().skip(1);
            if self.rest.starts_with("::")
                || matches!(after.next(), Some('[' | '{')) && fills == Fills::Sigils
            {
                return None;
            }
            // `$` at the end of a pattern, an address: it stands for itself, or for something short.
            let plain = !braced && !self.rest.starts_with(['$', '@', '(', '{', '[']);
            if plain || !braced && self.rest.starts_with('(') && sigil == "@" {
                held.text.push_str(sigil);
                return Some(());
            }
            return (!braced && self.rest.starts_with('$')).then(|| held.fill());
        }
        let name = self.take(length)?;
        if REACHING.contains(&name) {
            return None;
        }
        let package = self
            .rest
            .trim_start_matches('\'')
            .starts_with(|c: char| c.is_ascii_alphabetic());
        if fills == Fills::Sigils
            && (self.rest.starts_with("::") || self.rest.starts_with('\'') && package)
        {
            return None;
        }
        if braced {
            self.rest.starts_with('}').then_some(())?;
            self.take(1)?;
        }
        held.fill();
        loop {
            let at = if self.rest.starts_with("->[") || self.rest.starts_with("->{") {
                2
            } else {
                0
            };
            let end_sign = match self.rest.get(at..)?.chars().next() {
                Some('[') => ']',
                Some('{') => '}',
                _ => return Some(()),
            };
            let inside = self.rest.get(at.saturating_add(1)..)?;
            let end = inside.find(end_sign)?;
            let inside = inside.get(..end)?;
            if inside.contains(close)
                || !is_plain_key(inside, end_sign == '}' || fills == Fills::Php)
            {
                return None;
            }
            self.take(at.saturating_add(end).saturating_add(2))?;
        }
    }

    /// A backslash and what it stands for.
    fn escape(&mut self, quoting: Quoting, held: &mut Held) -> Option<()> {
        self.take(1)?;
        let c = self.first()?;
        self.take(c.len_utf8())?;
        if quoting.fills == Fills::Braces && matches!(c, '{' | '}') {
            return None;
        }
        if quoting.raw {
            held.text.extend(['\\', c]);
            return Some(());
        }
        if !quoting.escapes {
            if !matches!(c, '\\' | '\'') {
                held.text.push('\\');
            }
            held.text.push(c);
            return Some(());
        }
        match c {
            'n' => held.text.push('\n'),
            't' => held.text.push('\t'),
            'r' => held.text.push('\r'),
            '\n' => {}
            '\\' | '\'' | '"' | '`' | '$' | '@' | '/' | '#' | '{' | '}' | ' ' | '.' | '-' | '%' => {
                held.text.push(c);
            }
            'x' => self.code_point(2, 16, held),
            'u' => self.code_point(4, 16, held),
            'U' => self.code_point(8, 16, held),
            '0'..='7' => {
                let digits =
                    |rest: &str| rest.chars().take(2).take_while(|c| c.is_digit(8)).count();
                let more = digits(self.rest);
                let text = format!("{c}{}", self.take(more)?);
                held.push_code(&text, 8);
            }
            // What it stands for differs, but it is one character or none.
            _ => held.fill(),
        }
        Some(())
    }

    fn code_point(&mut self, digits: usize, radix: u32, held: &mut Held) {
        let text = self
            .rest
            .get(..digits)
            .filter(|text| text.chars().all(|c| c.is_digit(radix)));
        match text {
            Some(text) => {
                held.push_code(text, radix);
                self.rest = self.rest.get(digits..).unwrap_or_default();
            }
            // `\u{…}`, `\xF`: left to stand for something unknown.
            None => held.fill(),
        }
    }

    pub(super) fn push_text(&mut self, close: &str, quoting: Quoting) -> Option<()> {
        let (text, whole) = self.text(close, quoting)?;
        self.push(Token::Text { text, whole });
        Some(())
    }

    pub(super) fn push_shell(&mut self, close: &str, quoting: Quoting) -> Option<()> {
        let (text, whole) = self.text(close, quoting)?;
        self.push(Token::Shell { text, whole });
        Some(())
    }
}

impl Held {
    fn push_code(&mut self, digits: &str, radix: u32) {
        match u32::from_str_radix(digits, radix)
            .ok()
            .and_then(char::from_u32)
        {
            Some(c) => self.text.push(c),
            None => self.fill(),
        }
    }
}

/// Variables that hold more than the program gave them.
const REACHING: &[&str] = &[
    "ARGV", "ENV", "GLOBALS", "INC", "SIG", "_COOKIE", "_ENV", "_FILES", "_GET", "_POST",
    "_REQUEST", "_SERVER",
];

/// Whether a subscript inside of a text is a number, a variable or, where a `word` stands for itself, a
/// word: nothing that calls. Expressions are code, in Perl even those without parentheses.
fn is_plain_key(key: &str, word: bool) -> bool {
    let letters = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    let quoted = ['\'', '"']
        .into_iter()
        .find_map(|quote| key.strip_prefix(quote)?.strip_suffix(quote));
    // What is no subscript but says which characters are not meant.
    let others = key.strip_prefix('^').is_some_and(|key| {
        key.chars()
            .all(|c| c.is_ascii_alphanumeric() || "_-^,. >".contains(c))
    });
    match quoted {
        Some(text) => text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_-. ".contains(c)),
        None => {
            others && !word
                || key.strip_prefix('$').is_some_and(letters)
                || digits(key.strip_prefix('-').unwrap_or(key))
                || word && (letters(key) || key.split(',').all(digits))
        }
    }
}

/// Whether what PHP fills in between braces is a variable with members and plain subscripts.
fn is_plain_path(path: &str) -> bool {
    let mut rest = path;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "_$".contains(c));
        if let Some(member) = rest.strip_prefix("->") {
            rest = member;
        } else if let Some((key, after)) =
            rest.strip_prefix('[').and_then(|rest| rest.split_once(']'))
        {
            if !is_plain_key(key, false) {
                return false;
            }
            rest = after;
        } else {
            return rest.is_empty();
        }
    }
}
