use super::Lexer;
use super::text::{Fills, Quoting};
use crate::language::tokens::Token;

const SIGNS: &[&str] = &[
    ">>>=", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "...", "=>", "==", "!=",
    "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
    "<<", ">>", "**", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~", "<", ">", "(", ")", "[",
    "]", "{", "}", ".", ",", ":", ";", "=", "?",
];

/// Words after which a value begins.
const BEFORE_VALUE: &[&str] = &[
    "case",
    "delete",
    "do",
    "else",
    "in",
    "instanceof",
    "new",
    "return",
    "throw",
    "typeof",
    "void",
];

/// Words that may or may not be names.
const DOUBTFUL: &[&str] = &[
    "async", "await", "break", "continue", "debugger", "default", "extends", "get", "let", "of",
    "set", "static", "yield",
];

impl Lexer<'_> {
    pub(super) fn javascript(&mut self) -> Option<()> {
        // In scripts these begin comments.
        if self.rest.starts_with("<!--") || self.rest.starts_with("-->") {
            return None;
        }
        match self.first()? {
            '\n' => self.newline(),
            '/' if self.rest.starts_with("//") => {
                let length = self.rest.find('\n').unwrap_or(self.rest.len());
                self.take(length).map(drop)
            }
            '/' if self.rest.starts_with("/*") => {
                let end = self.rest.get(2..)?.find("*/")?;
                let comment = self.take(end.saturating_add(4))?;
                if comment.contains('\n') {
                    self.push(Token::End);
                }
                Some(())
            }
            '/' if self.begins_pattern()? => self.pattern(),
            '"' | '\'' => {
                let close = self.take(1)?;
                self.push_text(close, QUOTED)
            }
            '`' => {
                // Behind a value it would be handed to a function.
                let tag = match self.last_significant() {
                    Some(Token::Name(name)) => {
                        !BEFORE_VALUE.contains(&name.as_str()) && name != "await"
                    }
                    Some(token) => token.is_literal() || token.is_any(&[")", "]", "}"]),
                    None => false,
                };
                if tag {
                    return None;
                }
                self.take(1)?;
                let quoting = Quoting {
                    lines: true,
                    fills: Fills::Dollar,
                    ..QUOTED
                };
                self.push_text("`", quoting)
            }
            'a'..='z' | 'A'..='Z' | '_' | '$' => {
                let belongs = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
                let length = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
                let word = self.take(length)?.to_owned();
                self.push(Token::Name(word));
                Some(())
            }
            '0'..='9' => {
                let read = self.number();
                if read.is_none() && self.rest.starts_with('n') {
                    self.take(1)?;
                    return (self.word() == 0).then_some(());
                }
                read
            }
            '.' if self
                .rest
                .get(1..)?
                .starts_with(|c: char| c.is_ascii_digit()) =>
            {
                self.number()
            }
            _ => self.sign(SIGNS),
        }
    }

    /// Whether a slash begins a regular expression here.
    fn begins_pattern(&self) -> Option<bool> {
        match self.last_significant() {
            Some(Token::Name(name)) if DOUBTFUL.contains(&name.as_str()) => None,
            // In TypeScript, which may be tried next, a value can end with these.
            Some(Token::Sign("!" | ">")) => None,
            // `if (x) /…/` and `(x) / 2` are told apart by what stands before the parenthesis.
            Some(Token::Sign(")")) if self.closes_condition() => None,
            _ => self.begins_literal(BEFORE_VALUE),
        }
    }

    fn closes_condition(&self) -> bool {
        let mut depth = 0_usize;
        for (at, token) in self.tokens.iter().enumerate().rev() {
            if token.is(")") {
                depth = depth.saturating_add(1);
            } else if token.is("(") {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    let before = at.checked_sub(1).and_then(|at| self.tokens.get(at));
                    let word = before.and_then(Token::name);
                    return matches!(word, Some("if" | "while" | "for" | "with" | "await"));
                }
            }
        }
        true
    }

    /// A regular expression with its flags.
    fn pattern(&mut self) -> Option<()> {
        let mut class = false;
        let mut escaped = false;
        let mut end = None;
        for (at, c) in self.rest.char_indices().skip(1) {
            match c {
                '\n' => return None,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '[' => class = true,
                ']' => class = false,
                '/' if !class => {
                    end = Some(at);
                    break;
                }
                _ => {}
            }
        }
        self.take(end?.saturating_add(1))?;
        let flags = self.word();
        self.take(flags)?;
        self.push(Token::Data);
        Some(())
    }
}

const QUOTED: Quoting = Quoting {
    escapes: true,
    raw: false,
    lines: false,
    fills: Fills::Nothing,
};
