//! Colour, where a person looks at a terminal.

use std::fmt::{self, Display};
use std::io::IsTerminal as _;

/// Whether text is coloured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Style {
    coloured: bool,
}

impl Style {
    /// For standard output: a terminal that can show colour, and nobody who asked for none.
    pub(crate) fn of_stdout() -> Self {
        let asked_for_none = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_none_or(|value| value == "dumb");
        Self {
            coloured: !asked_for_none && !dumb && std::io::stdout().is_terminal(),
        }
    }

    /// What frames the text.
    pub(crate) fn dim<T: Display>(self, text: T) -> Styled<T> {
        self.with("2", text)
    }

    /// What the eye should find first.
    pub(crate) fn strong<T: Display>(self, text: T) -> Styled<T> {
        self.with("1", text)
    }

    /// What is wrong.
    pub(crate) fn wrong<T: Display>(self, text: T) -> Styled<T> {
        self.with("31", text)
    }

    /// What is not certain.
    pub(crate) fn uncertain<T: Display>(self, text: T) -> Styled<T> {
        self.with("33", text)
    }

    /// What stands for something else.
    pub(crate) fn special<T: Display>(self, text: T) -> Styled<T> {
        self.with("36", text)
    }

    fn with<T: Display>(self, code: &'static str, text: T) -> Styled<T> {
        Styled {
            code: self.coloured.then_some(code),
            text,
        }
    }
}

/// Text with its colour.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Styled<T> {
    code: Option<&'static str>,
    text: T,
}

impl<T: Display> Display for Styled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => write!(f, "\x1b[{code}m{}\x1b[0m", self.text),
            None => self.text.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Style;

    #[test]
    fn colour_is_around_the_text_or_nowhere() {
        let shown = |coloured| Style { coloured }.wrong("x").to_string();
        assert_eq!(shown(true), "\x1b[31mx\x1b[0m");
        assert_eq!(shown(false), "x");
    }
}
