//! What programs are split into, whatever their language.

/// One token. What a text or a pattern holds cannot be mistaken for code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// An identifier or keyword, with its sigil where it has one.
    Name(String),
    Number(String),
    /// A string; not `whole` where something is filled in, which `$_` stands for.
    Text {
        text: String,
        whole: bool,
    },
    /// A shell line between backticks.
    Shell {
        text: String,
        whole: bool,
    },
    /// A regular expression, or another literal that is nothing but data.
    Data,
    Sign(&'static str),
    /// A line's end.
    End,
}

impl Token {
    pub(super) fn is(&self, sign: &str) -> bool {
        matches!(self, Self::Sign(known) if *known == sign)
    }

    pub(super) fn is_any(&self, signs: &[&str]) -> bool {
        matches!(self, Self::Sign(known) if signs.contains(known))
    }

    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            _ => None,
        }
    }

    pub(super) fn is_name(&self, name: &str) -> bool {
        self.name() == Some(name)
    }

    /// Whether it is a text, a number or the like.
    pub(super) fn is_literal(&self) -> bool {
        matches!(
            self,
            Self::Number(_) | Self::Text { .. } | Self::Shell { .. } | Self::Data
        )
    }
}

/// Tokens with their brackets paired.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub(super) tokens: Vec<Token>,
    /// For each bracket the place of its partner.
    partner: Vec<usize>,
    /// For each token the bracket that it stands in.
    around: Vec<usize>,
}

/// How far a statement is looked along.
const MAX_STATEMENT: usize = 512;

/// How deep brackets may stand in each other.
const MAX_DEPTH: usize = 64;

impl Code {
    /// Pairs the brackets; `None` where they do not pair up.
    pub(super) fn new(tokens: Vec<Token>) -> Option<Self> {
        let mut open: Vec<(usize, &str)> = Vec::new();
        let mut partner = vec![usize::MAX; tokens.len()];
        let mut around = Vec::with_capacity(tokens.len());
        for (at, token) in tokens.iter().enumerate() {
            around.push(open.last().map_or(usize::MAX, |(at, _)| *at));
            let Token::Sign(sign) = token else { continue };
            match *sign {
                "(" => open.push((at, ")")),
                "[" => open.push((at, "]")),
                "{" => open.push((at, "}")),
                ")" | "]" | "}" => {
                    let (from, close) = open.pop()?;
                    if close != *sign {
                        return None;
                    }
                    *partner.get_mut(from)? = at;
                    *partner.get_mut(at)? = from;
                }
                _ => {}
            }
            if open.len() > MAX_DEPTH {
                return None;
            }
        }
        open.is_empty().then_some(Self {
            tokens,
            partner,
            around,
        })
    }

    pub(super) fn get(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at)
    }

    pub(super) fn before(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at.checked_sub(1)?)
    }

    pub(super) fn is(&self, at: usize, sign: &str) -> bool {
        self.get(at).is_some_and(|token| token.is(sign))
    }

    /// The other bracket of a pair.
    pub(super) fn partner(&self, at: usize) -> Option<usize> {
        let at = *self.partner.get(at)?;
        (at != usize::MAX).then_some(at)
    }

    /// The bracket that a token stands in.
    pub(super) fn around(&self, at: usize) -> Option<usize> {
        let at = *self.around.get(at)?;
        (at != usize::MAX).then_some(at)
    }

    /// The last token before this one that is no line's end.
    pub(super) fn significant_before(&self, at: usize) -> Option<(usize, &Token)> {
        let before = self.tokens.get(..at)?.iter().enumerate();
        before.rev().find(|(_, token)| **token != Token::End)
    }

    /// What lies between a bracket and its partner, split at the commas outside of other brackets.
    pub(super) fn parts(&self, open: usize) -> Vec<(usize, usize)> {
        let Some(close) = self.partner(open) else {
            return Vec::new();
        };
        self.split(open.saturating_add(1), close, ",")
    }

    /// A run of tokens, split at a sign outside of brackets; empty parts are left out.
    pub(super) fn split(&self, from: usize, to: usize, sign: &str) -> Vec<(usize, usize)> {
        let mut parts = Vec::new();
        let mut start = from;
        let mut at = from;
        while at < to {
            let Some(token) = self.get(at) else { break };
            if token.is_any(&["(", "[", "{"]) {
                at = self.partner(at).unwrap_or(at);
            } else if token.is(sign) {
                parts.push((start, at));
                start = at.saturating_add(1);
            }
            at = at.saturating_add(1);
        }
        parts.push((start, to));
        let trimmed = parts.into_iter().map(|(from, to)| self.trim(from, to));
        trimmed.filter(|(from, to)| from < to).collect()
    }

    /// The same run without line ends around it.
    pub(super) fn trim(&self, mut from: usize, mut to: usize) -> (usize, usize) {
        let ends = |at: usize| self.get(at) == Some(&Token::End);
        while from < to && ends(from) {
            from = from.saturating_add(1);
        }
        while from < to && ends(to.saturating_sub(1)) {
            to = to.saturating_sub(1);
        }
        (from, to)
    }

    /// Where the statement that goes on at a place ends; `None` where that is too far.
    pub(super) fn statement_end(&self, from: usize) -> Option<usize> {
        let mut at = from;
        for _ in 0..MAX_STATEMENT {
            let Some(token) = self.get(at) else {
                return Some(at);
            };
            match token {
                Token::End | Token::Sign(";" | ")" | "]" | "}") => return Some(at),
                Token::Sign("(" | "[" | "{") => at = self.partner(at).unwrap_or(at),
                _ => {}
            }
            at = at.saturating_add(1);
        }
        None
    }
}
