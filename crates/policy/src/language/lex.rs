//! Splits source of several languages into tokens.
//!
//! Strict on purpose: what can be read in more than one way, or only by knowing more of the
//! program, is not read at all. A text that was taken for code costs a question; code that was taken
//! for a text would cost more.

mod javascript;
mod perl;
mod php;
mod python;
mod ruby;
mod text;

use super::tokens::Token;

/// Source that is split: what of it is left, and what was found.
#[derive(Debug)]
struct Lexer<'s> {
    rest: &'s str,
    tokens: Vec<Token>,
    /// Code inside of texts, which is read on its own.
    inside: Vec<String>,
    /// Whether blanks stand before the next token.
    spaced: bool,
}

/// The tokens of a source, and source inside its texts. `None` when it cannot be told how to read it.
pub(super) fn lex(language: &str, source: &str) -> Option<(Vec<Token>, Vec<String>)> {
    // Some readers end lines at these, some do not.
    let control = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t')
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')
    };
    if source.contains(control) {
        return None;
    }
    let mut lexer = Lexer {
        rest: source,
        tokens: Vec::new(),
        inside: Vec::new(),
        spaced: false,
    };
    while !lexer.rest.is_empty() {
        let before = lexer.rest.len();
        lexer.blanks();
        if lexer.rest.is_empty() {
            break;
        }
        match language {
            "python" => lexer.python()?,
            "javascript" => lexer.javascript()?,
            "ruby" => lexer.ruby()?,
            "perl" => lexer.perl()?,
            "php" => lexer.php()?,
            _ => return None,
        }
        if lexer.rest.len() == before {
            return None;
        }
    }
    Some((joined(lexer.tokens, members(language)), lexer.inside))
}

/// Signs before the name of something that belongs to what stands before.
pub(super) fn members(language: &str) -> &'static [&'static str] {
    match language {
        "python" => &["."],
        "javascript" => &[".", "?."],
        "ruby" => &[".", "&.", "::"],
        "php" => &["->", "?->", "::"],
        _ => &["->"],
    }
}

/// A member may stand in the next line: line ends around such a sign end nothing.
fn joined(tokens: Vec<Token>, members: &[&str]) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        if token.is_any(members) {
            while out.last() == Some(&Token::End) {
                out.pop();
            }
        } else if token == Token::End && out.last().is_some_and(|last| last.is_any(members)) {
            continue;
        }
        out.push(token);
    }
    out
}

impl<'s> Lexer<'s> {
    fn blanks(&mut self) {
        let trimmed = self.rest.trim_start_matches([' ', '\t']);
        self.spaced = trimmed.len() < self.rest.len();
        self.rest = trimmed;
    }

    fn first(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Takes bytes off the front.
    fn take(&mut self, length: usize) -> Option<&'s str> {
        let taken = self.rest.get(..length)?;
        self.rest = self.rest.get(length..)?;
        Some(taken)
    }

    fn push(&mut self, token: Token) {
        self.tokens.push(token);
    }

    fn last(&self) -> Option<&Token> {
        self.tokens.last()
    }

    /// The last token that is no line's end.
    fn last_significant(&self) -> Option<&Token> {
        self.tokens.iter().rev().find(|token| **token != Token::End)
    }

    fn newline(&mut self) -> Option<()> {
        self.take(1)?;
        self.push(Token::End);
        Some(())
    }

    /// A comment up to the line's end; one that may change how the rest is read is not taken.
    fn comment(&mut self) -> Option<()> {
        let length = self.rest.find('\n').unwrap_or(self.rest.len());
        let comment = self.take(length)?;
        (!comment.to_ascii_lowercase().contains("coding")).then_some(())
    }

    /// The length of an identifier at the start.
    fn word(&self) -> usize {
        let belongs = |c: char| c.is_ascii_alphanumeric() || c == '_';
        self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len())
    }

    /// A number that every reader takes whole.
    fn number(&mut self) -> Option<()> {
        let start = self.rest;
        let digits = |text: &str| {
            let other = |c: char| !(c.is_ascii_digit() || c == '_');
            text.find(other).unwrap_or(text.len())
        };
        let lower = self.rest.get(..2).map(str::to_ascii_lowercase);
        if matches!(lower.as_deref(), Some("0x" | "0b" | "0o")) {
            let length = self.word();
            let body = self.take(length)?.get(2..)?;
            let hex = |c: char| c.is_ascii_hexdigit() || c == '_';
            self.numbered(start);
            return (!body.is_empty() && body.chars().all(hex)).then_some(());
        }
        let whole = digits(self.rest);
        self.take(whole)?;
        let point = self.rest.strip_prefix('.');
        let fraction = point.map_or(0, digits);
        if fraction > 0 {
            self.take(fraction.saturating_add(1))?;
        }
        if let Some(exponent) = self.rest.strip_prefix(['e', 'E']) {
            let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            let length = digits(unsigned);
            if length == 0 {
                return None;
            }
            let sign = exponent.len().saturating_sub(unsigned.len());
            self.take(length.saturating_add(sign).saturating_add(1))?;
        }
        self.numbered(start);
        let goes_on = |c: char| c.is_ascii_alphanumeric() || c == '_';
        (!self.rest.starts_with(goes_on)).then_some(())
    }

    fn numbered(&mut self, start: &str) {
        let length = start.len().saturating_sub(self.rest.len());
        let text = start.get(..length).unwrap_or_default();
        let text = text.trim_start_matches("0o").replace('_', "");
        self.push(Token::Number(text));
    }

    /// The longest of some signs.
    fn sign(&mut self, signs: &[&'static str]) -> Option<()> {
        let found = signs.iter().find(|sign| self.rest.starts_with(**sign))?;
        self.take(found.len())?;
        self.push(Token::Sign(found));
        Some(())
    }

    /// Whether what stands before cannot be a value, so that a slash or the like begins a literal.
    /// `None` where that cannot be told without more knowledge of the language.
    fn begins_literal(&self, words: &[&str]) -> Option<bool> {
        match self.last_significant() {
            Some(Token::Name(name)) => {
                let member = self.tokens.iter().rev().nth(1);
                let member = member.is_some_and(|token| token.is_any(&[".", "?.", "->", "&."]));
                Some(!member && words.contains(&name.as_str()))
            }
            Some(Token::Sign("}" | "++" | "--")) => None,
            Some(Token::Sign(")" | "]")) => Some(false),
            Some(Token::Sign(_)) | None => Some(true),
            Some(_) => Some(false),
        }
    }
}
