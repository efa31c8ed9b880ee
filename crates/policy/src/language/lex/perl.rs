use super::Lexer;
use super::text::{Fills, Quoting};
use crate::language::tokens::Token;

const SIGNS: &[&str] = &[
    "**=", "<=>", "...", "&&=", "||=", "//=", "<<=", ">>=", "=>", "->", "::", "==", "!=", "=~",
    "!~", "<=", ">=", "&&", "||", "//", "..", "++", "--", "+=", "-=", "*=", "/=", ".=", "%=", "x=",
    "|=", "^=", "<<", ">>", "**", "+", "-", "*", "/", "%", "|", "^", "!", "~", "<", ">", "(", ")",
    "[", "]", "{", "}", ".", ",", ":", ";", "=", "?", "\\",
];

/// Words after which a value begins.
const BEFORE_VALUE: &[&str] = &[
    "and", "cmp", "else", "elsif", "eq", "ge", "grep", "gt", "if", "join", "le", "lt", "map", "ne",
    "not", "or", "print", "push", "return", "split", "unless", "until", "when", "while", "x",
];

/// Words that quote what follows.
const QUOTES: &[&str] = &["m", "q", "qq", "qr", "qw", "qx", "s", "tr", "y"];

impl Lexer<'_> {
    pub(super) fn perl(&mut self) -> Option<()> {
        let starts_line = matches!(self.last(), None | Some(Token::End)) && !self.spaced;
        let c = self.first()?;
        match c {
            '\n' => self.newline(),
            '#' => self.comment(),
            // Text that is no code begins.
            '=' if starts_line && self.rest.get(1..)?.starts_with(|c: char| c.is_alphabetic()) => {
                None
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
            '$' | '@' => self.perl_sigil(),
            '%' | '&' | '*' => self.perl_doubtful_sigil(c),
            '/' => {
                if self.begins_literal(BEFORE_VALUE)? {
                    self.take(1)?;
                    self.perl_pattern("/")
                } else if matches!(self.last_significant(), Some(Token::Name(name)) if !name.starts_with(['$', '@']))
                {
                    None
                } else {
                    self.sign(SIGNS)
                }
            }
            '<' => self.perl_less(),
            '?' if self.begins_literal(BEFORE_VALUE) != Some(false) => {
                // Behind a brace it may go on with a condition; nothing else may stand here.
                let brace = self.last_significant().is_some_and(|token| token.is("}"));
                brace.then(|| self.sign(SIGNS))?
            }
            'a'..='z' | 'A'..='Z' | '_' => self.perl_word(starts_line),
            '0'..='9' => self.number(),
            _ => self.sign(SIGNS),
        }
    }

    fn perl_word(&mut self, starts_line: bool) -> Option<()> {
        let length = self.word();
        let mut word = self.take(length)?.to_owned();
        if starts_line && matches!(word.as_str(), "__END__" | "__DATA__") {
            return None;
        }
        while self.rest.starts_with("::") && !word.starts_with("__") {
            self.take(2)?;
            let length = self.word();
            word.push_str("::");
            word.push_str(self.take(length)?);
        }
        // An old way to write `::`.
        if self.rest.starts_with('\'') && !QUOTES.contains(&word.as_str()) {
            return None;
        }
        let subscript = self.last().is_some_and(|token| token.is("{"))
            && self.rest.trim_start().starts_with('}');
        let member = self.last().is_some_and(|token| token.is("->"));
        let label = self.rest.trim_start().starts_with("=>");
        if !QUOTES.contains(&word.as_str()) || label || member {
            self.push(Token::Name(word));
            return Some(());
        }
        if subscript {
            self.push(Token::Data);
            return Some(());
        }
        let blanks = self.rest.len();
        self.blanks();
        let spaced = self.rest.len() < blanks;
        let open = self.first()?;
        if open.is_alphanumeric()
            || matches!(open, '_' | ',' | ';' | '=' | ')' | '\n' | '#') && (spaced || open != '#')
        {
            return None;
        }
        self.take(open.len_utf8())?;
        let close = closing(open);
        match word.as_str() {
            "q" => self.perl_quoted(open, &close, SINGLE, false),
            "qq" => self.perl_quoted(open, &close, DOUBLE, false),
            "qx" => self.perl_quoted(open, &close, DOUBLE, true),
            "qw" => {
                let (text, _) = self.text(&close, SINGLE)?;
                if text.contains([open, '\\']) {
                    return None;
                }
                self.words(&text);
                Some(())
            }
            "m" | "qr" => self.perl_pattern(&close),
            _ => self.perl_replacement(&word, open, &close),
        }
    }

    fn perl_quoted(
        &mut self,
        open: char,
        close: &str,
        quoting: Quoting,
        shell: bool,
    ) -> Option<()> {
        let quoting = if open == '\'' { SINGLE } else { quoting };
        let (text, whole) = self.text(close, quoting)?;
        if close.starts_with(open) || !text.contains(open) {
            self.push(if shell {
                Token::Shell { text, whole }
            } else {
                Token::Text { text, whole }
            });
            return Some(());
        }
        None
    }

    /// A regular expression behind its opening delimiter.
    fn perl_pattern(&mut self, close: &str) -> Option<()> {
        self.perl_expression(close)?;
        let length = self.word();
        let flags = self.take(length)?;
        self.push(Token::Data);
        flags
            .chars()
            .all(|c| "msixpodualngcr".contains(c))
            .then_some(())
    }

    /// What a regular expression holds; none that holds code.
    fn perl_expression(&mut self, close: &str) -> Option<()> {
        let quoting = Quoting {
            raw: true,
            ..DOUBLE
        };
        let (text, _) = self.text(close, quoting)?;
        let open = opening(close);
        // A pair inside of it would end it later. A hash may begin a comment that holds anything.
        let nested = open.is_some_and(|open| text.contains(open));
        (!nested
            && !text.contains("(?{")
            && !text.contains("(??{")
            && !text.contains("(*{")
            && !text.contains("(**{"))
        .then_some(())
    }

    /// `s/…/…/`, `tr/…/…/`.
    fn perl_replacement(&mut self, word: &str, open: char, close: &str) -> Option<()> {
        let literal = Quoting {
            raw: true,
            ..SINGLE
        };
        if word == "s" {
            self.perl_expression(close)?;
        } else {
            self.text(close, literal)?;
        }
        let mut close = close.to_owned();
        if opening(&close).is_some() {
            self.blanks();
            let open = self.first()?;
            self.take(1)?;
            close = closing(open);
            opening(&close)?;
        }
        let start = self.rest;
        let filled = Quoting {
            raw: true,
            ..DOUBLE
        };
        // Where the replacement is code it is read as such, and must be one either way.
        let replaced = {
            let mut end = start.find(close.as_str())?;
            while start.get(..end)?.ends_with('\\') {
                let from = end.saturating_add(1);
                end = from.saturating_add(start.get(from..)?.find(close.as_str())?);
            }
            start.get(..end)?
        };
        let flags = start.get(replaced.len().saturating_add(close.len())..)?;
        let length = flags
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(flags.len());
        let flags = flags.get(..length)?;
        let runs = word == "s" && flags.contains('e');
        if runs {
            if flags.matches('e').count() > 1
                || replaced.contains('\\')
                || opening(&close).is_some_and(|open| replaced.contains(open))
            {
                return None;
            }
            self.inside.push(replaced.to_owned());
            self.take(replaced.len().saturating_add(close.len()))?;
        } else {
            let quoting = if word == "s" && open != '\'' {
                filled
            } else {
                literal
            };
            self.text(&close, quoting)?;
        }
        let length = self.word();
        let flags = self.take(length)?;
        self.push(Token::Name("s///".to_owned()));
        flags
            .chars()
            .all(|c| "msixpodualngcer".contains(c))
            .then_some(())
    }

    fn perl_sigil(&mut self) -> Option<()> {
        let sigil = self.take(1)?;
        let mut rest = self.rest;
        let mut prefix = sigil.to_owned();
        // `$#list`
        if sigil == "$" && rest.starts_with('#') {
            self.take(1)?;
            prefix.push('#');
            rest = self.rest;
        }
        let length = self.word();
        if length > 0 {
            let name = self.take(length)?;
            // The last place of a list is as good as the list.
            let name = format!("{}{name}", prefix.trim_end_matches('#'));
            self.push(Token::Name(name));
            return (!self.rest.starts_with("::") && !self.rest.starts_with('\'')).then_some(());
        }
        if rest.starts_with('{')
            || rest.starts_with('$')
                && rest
                    .get(1..)?
                    .starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '{'))
        {
            // What a reference leads to.
            self.push(Token::Sign("deref"));
            return (!rest.starts_with("{^")).then_some(());
        }
        let c = self.first()?;
        let special = sigil == "$" && "&,\\/;.!@|\"0$".contains(c);
        special.then(|| self.take(1))??;
        self.push(Token::Name(format!("${c}")));
        Some(())
    }

    /// Signs that work on values, and begin names elsewhere.
    fn perl_doubtful_sigil(&mut self, c: char) -> Option<()> {
        if self.rest.starts_with("&&") {
            return self.sign(SIGNS);
        }
        let after_value = match self.last_significant() {
            Some(Token::Name(name)) => name.starts_with(['$', '@']),
            Some(token) => token.is_literal() || token.is_any(&[")", "]", "}"]),
            None => false,
        };
        if after_value {
            return if c == '&' {
                self.take(1)?;
                self.push(Token::Sign("&"));
                Some(())
            } else {
                self.sign(SIGNS)
            };
        }
        let length = self
            .rest
            .get(1..)?
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let length = length.unwrap_or(self.rest.len().saturating_sub(1));
        let deref = self.rest.get(1..)?.starts_with(['$', '{']);
        if c == '%' && deref {
            self.take(1)?;
            self.push(Token::Sign("deref"));
            return Some(());
        }
        if c != '%' || length == 0 {
            return None;
        }
        let name = self.take(length.saturating_add(1))?.to_owned();
        self.push(Token::Name(name));
        // The table of a package.
        (!self.rest.starts_with("::") && !self.rest.starts_with('\'')).then_some(())
    }

    /// `<STDIN>`, a comparison, or the text that begins below.
    fn perl_less(&mut self) -> Option<()> {
        let begins = self.begins_literal(BEFORE_VALUE);
        if begins != Some(false) {
            let inside = self.rest.get(1..)?;
            let end = inside.find('>')?;
            let handle = inside.get(..end)?.trim_start_matches('$');
            let plain = handle
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '_');
            let known = begins == Some(true) || handle.chars().all(|c| c.is_ascii_uppercase());
            if !plain || !known {
                return None;
            }
            self.take(end.saturating_add(2))?;
            self.push(Token::Data);
            return Some(());
        }
        let next = self.rest.get(2..).unwrap_or_default();
        if self.rest.starts_with("<<") && !next.starts_with([' ', '=']) {
            return None;
        }
        self.sign(SIGNS)
    }
}

fn closing(open: char) -> String {
    match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        other => other,
    }
    .to_string()
}

fn opening(close: &str) -> Option<char> {
    match close {
        ")" => Some('('),
        "]" => Some('['),
        "}" => Some('{'),
        ">" => Some('<'),
        _ => None,
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
    fills: Fills::Sigils,
    ..SINGLE
};
