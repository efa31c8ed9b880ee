use super::Lexer;
use super::text::{Fills, Quoting};
use crate::language::tokens::Token;

const SIGNS: &[&str] = &[
    "**=", "//=", ">>=", "<<=", "...", "->", ":=", "==", "!=", "<=", ">=", "<<", ">>", "**", "//",
    "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "+", "-", "*", "/", "%", "&", "|", "^", "~",
    "<", ">", "(", ")", "[", "]", "{", "}", ".", ",", ":", ";", "=",
];

impl Lexer<'_> {
    pub(super) fn python(&mut self) -> Option<()> {
        let c = self.first()?;
        match c {
            '\n' => self.newline(),
            '#' => self.comment(),
            '\\' => self
                .rest
                .starts_with("\\\n")
                .then(|| self.take(2))?
                .map(drop),
            '"' | '\'' => self.python_text(""),
            'a'..='z' | 'A'..='Z' | '_' => {
                let length = self.word();
                let word = self.take(length)?;
                let prefix = length <= 2 && word.chars().all(|c| "rRbBuUfF".contains(c));
                if prefix && self.rest.starts_with(['"', '\'']) {
                    return self.python_text(&word.to_ascii_lowercase());
                }
                // A text with a prefix that is not known here.
                let text = self.rest.starts_with(['"', '\'']) && length <= 2;
                self.push(Token::Name(word.to_owned()));
                (!text || matches!(word, "if" | "in" | "or" | "is" | "as")).then_some(())
            }
            '0'..='9' => self.python_number(),
            '.' if self
                .rest
                .get(1..)?
                .starts_with(|c: char| c.is_ascii_digit()) =>
            {
                self.python_number()
            }
            _ => self.sign(SIGNS),
        }
    }

    fn python_number(&mut self) -> Option<()> {
        // `1.` and `1j` are numbers too.
        let read = self.number();
        if read.is_none() && self.rest.starts_with(['j', 'J']) {
            self.take(1)?;
            return (self.word() == 0).then_some(());
        }
        read
    }

    fn python_text(&mut self, prefix: &str) -> Option<()> {
        let quote = self.rest.get(..1)?;
        let long = quote.repeat(3);
        let close = if self.rest.starts_with(&long) {
            long.as_str()
        } else {
            quote
        };
        self.take(close.len())?;
        let raw = prefix.contains('r');
        let fills = if prefix.contains('f') {
            Fills::Braces
        } else {
            Fills::Nothing
        };
        let quoting = Quoting {
            escapes: !raw,
            raw,
            lines: close.len() == 3,
            fills,
        };
        let before = self.inside.len();
        self.push_text(close, quoting)?;
        // What is filled in may be followed by how it is shown.
        for code in self.inside.iter_mut().skip(before) {
            let end = shown_from(code);
            code.truncate(end);
        }
        Some(())
    }
}

/// Where the expression ends in `value!r:>10`, `value=`.
fn shown_from(code: &str) -> usize {
    let mut depth = 0_usize;
    let mut quote = None;
    for (at, c) in code.char_indices() {
        let rest = code.get(at.saturating_add(1)..).unwrap_or_default();
        match (quote, c) {
            (Some(open), _) => quote = Some(open).filter(|open| *open != c),
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[') => depth = depth.saturating_add(1),
            (None, ')' | ']') => depth = depth.saturating_sub(1),
            (None, ':') if depth == 0 => return at,
            (None, '!') if depth == 0 && !rest.starts_with('=') => return at,
            (None, '=') if depth == 0 && rest.trim().is_empty() => return at,
            _ => {}
        }
    }
    code.len()
}
