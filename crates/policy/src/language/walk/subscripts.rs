//! Values that are taken by a computed name, and functions that are called at once, in JavaScript.

use super::Walk;
use crate::language::tables::Table;
use crate::language::tokens::{Code, Token};
use std::collections::BTreeSet;

impl Walk<'_> {
    /// A value taken by a computed name may be a function that makes others of texts.
    pub(super) fn subscript(&mut self, code: &Code, at: usize) {
        let Some((before, token)) = code.significant_before(at) else {
            return;
        };
        let indexes = match token {
            Token::Name(name) => !BEFORE_LIST.contains(&name.as_str()),
            token => token.is_any(&[")", "]", "}"]) || token.is_literal(),
        };
        let Some(close) = code.partner(at) else {
            return;
        };
        let after = close.saturating_add(1);
        if !indexes {
            // `{[name]: …}` names a member.
            if code.is(after, ":") && token.is_any(&["{", ","]) {
                self.opaque();
            }
            return;
        }
        let inside = at.saturating_add(1)..close;
        let mut tokens = inside.clone().filter_map(|at| code.get(at));
        let only = tokens.next().filter(|_| inside.len() == 1);
        let plain = match only {
            Some(Token::Number(_)) => true,
            Some(Token::Text { text, whole: true }) => self.is_plain_member(text),
            _ => false,
        };
        let counts = inside.clone().any(|at| {
            code.get(at)
                .is_some_and(|token| token.is_any(&["-", "*", "%"]))
        }) && inside.clone().all(|at| {
            let token = code.get(at);
            let sign = token.is_some_and(|token| token.is_any(&["-", "*", "%", ".", "/"]));
            sign || matches!(token, Some(Token::Number(_) | Token::Name(_)))
        });
        let index = only
            .and_then(Token::name)
            .is_some_and(|name| self.counters.contains(name));
        let shown = || {
            let open = before.checked_sub(1).and_then(|at| code.get(at));
            let alone = code
                .get(after)
                .is_some_and(|token| token.is_any(&[")", ","]));
            alone && open.is_some_and(|token| token.is_any(&["(", ","])) && Self::printed(code, at)
        };
        if !plain && !counts && !index && !shown() {
            self.opaque();
        }
    }

    /// Whether what stands here is only shown.
    fn printed(code: &Code, at: usize) -> bool {
        let open = code.around(at).filter(|open| code.is(*open, "("));
        let names = open.and_then(|open| {
            let name = code.before(open)?.name()?;
            let of = code.get(open.checked_sub(3)?)?.name()?;
            Some((of, name))
        });
        matches!(
            names,
            Some(("console", "log" | "error" | "info") | ("JSON", "stringify"))
        )
    }
}

/// Whether what closes here is a function that is called at once.
pub(super) fn is_function(code: &Code, close: usize) -> bool {
    let Some(open) = code.partner(close) else {
        return false;
    };
    // Parameters of a function that is defined: `async (x) => …` and the like.
    let mut at = open.saturating_add(1);
    if code.get(at).is_some_and(|token| token.is_name("async")) {
        at = at.saturating_add(1);
    }
    let body = match code.get(at) {
        Some(Token::Name(name)) if name == "function" => {
            let parameters = (at..close).find(|at| code.is(*at, "("));
            parameters
                .and_then(|at| code.partner(at))
                .map(|at| at.saturating_add(1))
        }
        Some(Token::Name(_)) if code.is(at.saturating_add(1), "=>") => Some(at.saturating_add(2)),
        Some(Token::Sign("(")) => {
            let arrow = code.partner(at).map(|at| at.saturating_add(1));
            arrow
                .filter(|at| code.is(*at, "=>"))
                .map(|at| at.saturating_add(1))
        }
        _ => None,
    };
    body.is_some_and(|body| code.is(body, "{") && code.partner(body) == close.checked_sub(1))
}

/// Variables that only count: `for (let i = 0; …; i++)`.
pub(super) fn counters(table: &Table, codes: &[Code]) -> BTreeSet<String> {
    let mut counting = BTreeSet::new();
    let mut other = BTreeSet::new();
    if table.name != "javascript" {
        return counting;
    }
    for code in codes {
        for (at, token) in code.tokens.iter().enumerate() {
            let Token::Name(name) = token else { continue };
            let next = at.saturating_add(1);
            let number = matches!(code.get(at.saturating_add(2)), Some(Token::Number(_)));
            let ends = code
                .get(at.saturating_add(3))
                .is_some_and(|token| token.is_any(&[";", ","]));
            let declared = code
                .before(at)
                .is_some_and(|token| matches!(token.name(), Some("let" | "var")));
            match code.get(next) {
                Some(Token::Sign("=")) if declared && number && ends => {
                    counting.extend([name.clone()]);
                }
                Some(Token::Sign("+=" | "-=")) if number => {}
                Some(Token::Sign(sign)) if BINDING.contains(sign) => other.extend([name.clone()]),
                Some(Token::Name(_)) => other.extend([name.clone()]),
                _ if declared => other.extend([name.clone()]),
                _ => {}
            }
        }
        // What stands among parameters, or is taken apart, gets any value.
        for (at, token) in code.tokens.iter().enumerate() {
            let Some(close) = code.partner(at).filter(|close| *close > at) else {
                continue;
            };
            let after = code.get(close.saturating_add(1));
            let word = code.before(at).and_then(Token::name);
            let loops = matches!(word, Some("for" | "if" | "while" | "switch"));
            let parameters =
                token.is("(") && !loops && after.is_some_and(|token| token.is_any(&["=>", "{"]));
            let taken = token.is_any(&["{", "["])
                && after.is_some_and(|token| token.is("=") || token.is_name("of"));
            let short = close.saturating_sub(at) < 64;
            if parameters || taken {
                if !short {
                    return BTreeSet::new();
                }
                other.extend((at..close).filter_map(|at| code.get(at)?.name().map(str::to_owned)));
            }
        }
    }
    counting.difference(&other).cloned().collect()
}

/// Signs that give a variable another value than a number.
const BINDING: &[&str] = &["=", "=>", "||=", "&&=", "??=", "+=", "-="];

/// Words after which brackets hold a list.
const BEFORE_LIST: &[&str] = &[
    "await",
    "case",
    "const",
    "default",
    "delete",
    "do",
    "else",
    "extends",
    "in",
    "instanceof",
    "let",
    "new",
    "of",
    "return",
    "throw",
    "typeof",
    "var",
    "void",
];
