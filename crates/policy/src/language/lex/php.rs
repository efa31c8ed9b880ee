use super::Lexer;
use super::text::{Fills, Quoting};
use crate::language::tokens::Token;

const SIGNS: &[&str] = &[
    "<=>", "**=", "...", "===", "!==", "<<=", ">>=", "??=", "?->", "=>", "->", "::", "==", "!=",
    "<>", "<=", ">=", "&&", "||", "??", "++", "--", "+=", "-=", "*=", "/=", ".=", "%=", "&=", "|=",
    "^=", "<<", ">>", "**", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~", "<", ">", "(", ")",
    "[", "]", "{", "}", ".", ",", ":", ";", "=", "?", "@",
];

impl Lexer<'_> {
    pub(super) fn php(&mut self) -> Option<()> {
        // Behind it the file is text again; a text in angles holds anything; brackets behind a hash
        // are no comment.
        let unreadable = ["?>", "<<<", "#["];
        if unreadable.iter().any(|start| self.rest.starts_with(start)) {
            return None;
        }
        match self.first()? {
            '\n' => self.newline(),
            '#' => self.php_comment(),
            '/' if self.rest.starts_with("//") => self.php_comment(),
            '/' if self.rest.starts_with("/*") => {
                let end = self.rest.get(2..)?.find("*/")?;
                self.take(end.saturating_add(4)).map(drop)
            }
            '\'' => {
                self.take(1)?;
                self.push_text("'", SINGLE)
            }
            '"' => {
                self.take(1)?;
                self.push_text("\"", DOUBLE)
            }
            '`' => {
                self.take(1)?;
                self.push_shell("`", DOUBLE)
            }
            '$' => {
                self.take(1)?;
                let length = self.word();
                let word = self.take(length).filter(|word| !word.is_empty())?;
                self.push(Token::Name(format!("${word}")));
                Some(())
            }
            'a'..='z' | 'A'..='Z' | '_' => {
                let length = self.word();
                let word = self.take(length)?;
                // Names of functions are the same in any case.
                let word = word.to_ascii_lowercase();
                self.push(Token::Name(word));
                (!self.rest.starts_with('\\')).then_some(())
            }
            '\\' => self
                .rest
                .get(1..)?
                .starts_with(|c: char| c.is_ascii_alphabetic())
                .then(|| self.take(1))?
                .map(drop),
            '0'..='9' => self.number(),
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

    fn php_comment(&mut self) -> Option<()> {
        let length = self.rest.find('\n').unwrap_or(self.rest.len());
        let comment = self.take(length)?;
        (!comment.contains("?>")).then_some(())
    }
}

const SINGLE: Quoting = Quoting {
    escapes: false,
    raw: false,
    lines: true,
    fills: Fills::Nothing,
};

const DOUBLE: Quoting = Quoting {
    escapes: true,
    fills: Fills::Php,
    ..SINGLE
};
