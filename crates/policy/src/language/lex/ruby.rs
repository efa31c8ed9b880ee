use super::Lexer;
use super::text::{Fills, Quoting};
use crate::language::tokens::Token;

const SIGNS: &[&str] = &[
    "**=", "<=>", "===", "...", "<<=", ">>=", "&&=", "||=", "=>", "->", "::", "==", "!=", "=~",
    "!~", "<=", ">=", "&&", "||", "&.", "..", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<",
    ">>", "**", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~", "<", ">", "(", ")", "[", "]",
    "{", "}", ".", ",", ":", ";", "=", "?",
];

/// Words after which a value begins.
const BEFORE_VALUE: &[&str] = &[
    "and", "do", "else", "elsif", "if", "in", "not", "or", "p", "print", "puts", "require",
    "return", "then", "unless", "until", "when", "while",
];

impl Lexer<'_> {
    pub(super) fn ruby(&mut self) -> Option<()> {
        let starts_line = matches!(self.last(), None | Some(Token::End)) && !self.spaced;
        let c = self.first()?;
        match c {
            '\n' => self.newline(),
            '#' => self.comment(),
            '\\' => self
                .rest
                .starts_with("\\\n")
                .then(|| self.take(2))?
                .map(drop),
            '=' if starts_line && self.rest.starts_with("=begin") => None,
            '_' if starts_line && self.rest.starts_with("__END__") => None,
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
            '/' => self.ruby_slash(),
            '%' => self.ruby_percent(),
            // A character, unless a blank shows that a condition goes on.
            '?' => {
                self.rest.get(1..)?.starts_with([' ', '\n']).then_some(())?;
                self.sign(SIGNS)
            }
            '<' if self.rest.starts_with("<<") => {
                // The text that begins below.
                let next = self.rest.get(2..)?;
                if next.starts_with(|c: char| c.is_alphabetic() || "~-_\"'`".contains(c)) {
                    return None;
                }
                self.sign(SIGNS)
            }
            ':' if !self.rest.starts_with("::") => self.ruby_symbol(),
            '@' | '$' => self.ruby_sigil(),
            'a'..='z' | 'A'..='Z' | '_' => {
                let length = self.word();
                let mut word = self.take(length)?.to_owned();
                if let Some(mark @ ('?' | '!')) = self.first()
                    && !self.rest.get(1..)?.starts_with('=')
                {
                    self.take(1)?;
                    word.push(mark);
                }
                self.push(Token::Name(word));
                Some(())
            }
            '0'..='9' => self.number(),
            _ => self.sign(SIGNS),
        }
    }

    /// A symbol, or the colon of a condition or a label.
    fn ruby_symbol(&mut self) -> Option<()> {
        let rest = self.rest.get(1..)?;
        let label =
            !self.spaced && matches!(self.last(), Some(Token::Name(_) | Token::Text { .. }));
        if label || rest.starts_with([' ', '\n']) {
            return self.sign(SIGNS);
        }
        self.take(1)?;
        let operators = [
            "**", "<=>", "===", "==", "<<", "+", "-", "*", "/", "%", "[]", "|", "&", "<", ">",
        ];
        if let Some(operator) = operators.iter().find(|sign| self.rest.starts_with(**sign)) {
            self.take(operator.len())?;
            self.push(Token::Data);
            return Some(());
        }
        let length = self.word();
        let mut word = format!(":{}", self.take(length).filter(|word| !word.is_empty())?);
        if let Some(mark @ ('?' | '!')) = self.first() {
            self.take(1)?;
            word.push(mark);
        }
        self.push(Token::Name(word));
        Some(())
    }

    fn ruby_sigil(&mut self) -> Option<()> {
        let sigils = self.rest.find(|c| c != '@' && c != '$')?;
        let sigil = self.take(sigils)?;
        let mut length = self.word();
        if length == 0 {
            let special =
                sigil == "$" && self.rest.starts_with(['~', ',', '/', ';', '.', '&', '!']);
            length = special.then_some(1)?;
        }
        let name = format!("{sigil}{}", self.take(length)?);
        self.push(Token::Name(name));
        Some(())
    }

    /// A slash divides or begins a regular expression. Behind a name the blanks around it decide.
    fn ruby_slash(&mut self) -> Option<()> {
        let next_spaced = self.rest.get(1..)?.starts_with([' ', '=', '\n']);
        let literal = match self.begins_literal(BEFORE_VALUE) {
            Some(false)
                if matches!(self.last(), Some(Token::Name(_))) && self.spaced && !next_spaced =>
            {
                return None;
            }
            Some(literal) => literal,
            None => return None,
        };
        if !literal {
            return self.sign(SIGNS);
        }
        self.take(1)?;
        let quoting = Quoting {
            raw: true,
            lines: false,
            ..DOUBLE
        };
        self.text("/", quoting)?;
        let flags = self.word();
        self.take(flags)?;
        self.push(Token::Data);
        Some(())
    }

    fn ruby_percent(&mut self) -> Option<()> {
        let rest = self.rest.get(1..)?;
        if rest.starts_with([' ', '=', '\n']) {
            return self.sign(SIGNS);
        }
        if !self.begins_literal(BEFORE_VALUE)? {
            let name = matches!(self.last(), Some(Token::Name(_)));
            return if name && self.spaced {
                None
            } else {
                self.sign(SIGNS)
            };
        }
        let kind = rest.chars().next().filter(char::is_ascii_alphabetic);
        self.take(1_usize.saturating_add(usize::from(kind.is_some())))?;
        let open = self.first()?;
        let close = match open {
            '(' => ")",
            '[' => "]",
            '{' => "}",
            '<' => ">",
            '|' => "|",
            '!' => "!",
            _ => return None,
        };
        self.take(1)?;
        match kind {
            Some('w' | 'i') => {
                let (text, _) = self.text(close, SINGLE)?;
                if text.contains([open, '\\']) {
                    return None;
                }
                self.words(&text);
                Some(())
            }
            Some('q') => self.nested_text(open, close, SINGLE, false),
            Some('Q') | None => self.nested_text(open, close, DOUBLE, false),
            Some('x') => self.nested_text(open, close, DOUBLE, true),
            Some(_) => None,
        }
    }

    fn nested_text(
        &mut self,
        open: char,
        close: &str,
        quoting: Quoting,
        shell: bool,
    ) -> Option<()> {
        let (text, whole) = self.text(close, quoting)?;
        // A pair inside of it would end it later.
        if text.contains(open) {
            return None;
        }
        self.push(if shell {
            Token::Shell { text, whole }
        } else {
            Token::Text { text, whole }
        });
        Some(())
    }

    /// A list of words, as if each were quoted.
    pub(super) fn words(&mut self, text: &str) {
        self.push(Token::Sign("["));
        for (at, word) in text.split_ascii_whitespace().enumerate() {
            if at > 0 {
                self.push(Token::Sign(","));
            }
            self.push(Token::Text {
                text: word.to_owned(),
                whole: true,
            });
        }
        self.push(Token::Sign("]"));
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
    fills: Fills::Hash,
    ..SINGLE
};
