//! How much of what was said and done a reviewer is shown.

use std::fmt;

/// The bytes that count as one token.
const BYTES_PER_TOKEN: u64 = 4;

/// An estimate of the tokens of a text: its bytes divided by 4, rounded up.
///
/// Tokenizers differ; this is the same everywhere, and what public agents reckon with too (`OpenAI`
/// Codex estimates its reviewer's transcript so). Parts never count for less than the whole that
/// they are joined to.
pub fn tokens(text: &str) -> u64 {
    bytes(text).div_ceil(BYTES_PER_TOKEN)
}

fn bytes(text: &str) -> u64 {
    u64::try_from(text.len()).unwrap_or(u64::MAX)
}

/// Whose an item of optional evidence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// What the user said.
    User,
    /// What the agent did or said.
    ToolCalls,
    /// What tools answered, as far as it has to do with the action.
    Results,
}

/// How many tokens there are for each class of optional evidence, and for everything.
///
/// The defaults: 10,000 for the user and for tool calls each, as `OpenAI` Codex shows its reviewer;
/// half as much for results, which nobody vouches for; 50,000 for everything, which is the 200,000
/// bytes of the prompt of Countersign's model reviewers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvidenceLimits {
    /// Tokens for what the user said, beside what is required of it.
    pub user: u64,
    /// Tokens for what the agent did.
    pub tool_calls: u64,
    /// Tokens for what tools answered.
    pub results: u64,
    /// Tokens for everything together, what is required among it.
    pub whole: u64,
}

impl Default for EvidenceLimits {
    fn default() -> Self {
        Self {
            user: 10_000,
            tool_calls: 10_000,
            results: 5_000,
            whole: 50_000,
        }
    }
}

/// What must be shown does not fit. The review fails; nothing is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequiredTooBig {
    /// The tokens that it needs.
    pub needed: u64,
    /// The tokens that there are.
    pub had: u64,
}

impl fmt::Display for RequiredTooBig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "what a reviewer must see needs {} tokens, and there are {}; give it a larger budget, \
             or let a person decide",
            self.needed, self.had
        )
    }
}

impl std::error::Error for RequiredTooBig {}

/// How an item may be made to fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// Not at all: a half of it would mislead, or break the markup around it.
    Whole,
    /// By keeping its beginning.
    Prefix,
}

/// What becomes of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken<'t> {
    /// It is shown.
    Whole(&'t str),
    /// Its beginning is shown, up to a character's boundary. A mark that says so is the caller's,
    /// who counts it among what is required.
    Cut {
        /// The beginning; never empty.
        kept: &'t str,
        /// The bytes that are left out; never none.
        left_out: u64,
    },
    /// It is not shown.
    Omitted,
}

impl<'t> Taken<'t> {
    /// What is shown of it, if anything.
    pub fn kept(self) -> Option<&'t str> {
        match self {
            Self::Whole(kept) | Self::Cut { kept, .. } => Some(kept),
            Self::Omitted => None,
        }
    }
}

/// What became of the items of one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Share {
    /// The tokens that are set aside for the class.
    pub reserved: u64,
    /// The tokens that its items took.
    pub used: u64,
    /// How many items are shown whole.
    pub whole: u64,
    /// How many items are cut: none, or one.
    pub cut: u64,
    /// How many items are not shown.
    pub omitted: u64,
    /// The bytes that are left out of cut and omitted items together.
    pub left_out: u64,
}

impl Share {
    fn take<'t>(&mut self, text: &'t str, fit: Fit) -> Taken<'t> {
        // What is shown of a class has no gaps, so that nobody mistakes it for all there was.
        let closed = self.cut > 0 || self.omitted > 0;
        let left = self.reserved.saturating_sub(self.used);
        let needed = tokens(text);
        if !closed && needed <= left {
            self.used = self.used.saturating_add(needed);
            self.whole = self.whole.saturating_add(1);
            return Taken::Whole(text);
        }
        let kept = if closed || fit == Fit::Whole {
            ""
        } else {
            prefix(text, left)
        };
        let left_out = bytes(text).saturating_sub(bytes(kept));
        self.left_out = self.left_out.saturating_add(left_out);
        if kept.is_empty() {
            self.omitted = self.omitted.saturating_add(1);
            return Taken::Omitted;
        }
        self.used = self.used.saturating_add(tokens(kept));
        self.cut = self.cut.saturating_add(1);
        Taken::Cut { kept, left_out }
    }
}

/// The longest beginning of a text that is worth at most so many tokens and ends between two
/// characters. It is empty only for no tokens: a character has at most the bytes of one.
fn prefix(text: &str, tokens: u64) -> &str {
    let most = tokens.saturating_mul(BYTES_PER_TOKEN);
    let mut end = usize::try_from(most).unwrap_or(usize::MAX).min(text.len());
    while !text.is_char_boundary(end) {
        end = end.saturating_sub(1);
    }
    text.get(..end).unwrap_or_default()
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} tokens, {} whole, {} cut, {} omitted, {} bytes left out",
            self.used, self.reserved, self.whole, self.cut, self.omitted, self.left_out
        )
    }
}

/// What a reviewer is shown, and what it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Account {
    /// The tokens that there are for everything.
    pub limit: u64,
    /// The tokens of what is required.
    pub required: u64,
    /// What the user said, beside that.
    pub user: Share,
    /// What the agent did.
    pub tool_calls: Share,
    /// What tools answered.
    pub results: Share,
}

impl Account {
    /// The tokens of everything that is shown.
    pub fn used(&self) -> u64 {
        [self.user, self.tool_calls, self.results]
            .iter()
            .fold(self.required, |sum, share| sum.saturating_add(share.used))
    }

    /// How many items are not shown at all.
    pub fn omitted(&self) -> u64 {
        [self.user, self.tool_calls, self.results]
            .iter()
            .fold(0, |sum: u64, share| sum.saturating_add(share.omitted))
    }

    /// What became of the items of a class.
    pub fn of(&self, class: Class) -> &Share {
        match class {
            Class::User => &self.user,
            Class::ToolCalls => &self.tool_calls,
            Class::Results => &self.results,
        }
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} of {} tokens", self.used(), self.limit)?;
        writeln!(f, "required: {} tokens", self.required)?;
        writeln!(f, "user: {}", self.user)?;
        writeln!(f, "tool calls: {}", self.tool_calls)?;
        write!(f, "results: {}", self.results)
    }
}

/// The evidence of one review: what fits of it.
///
/// What is *required* comes first and is never cut: the action, the latest instruction of the user,
/// and whatever frame the caller puts around all of it. It counts for the whole alone. Of the rest
/// each class has its limit set aside, in the order user, tool calls, results, before any item is
/// seen; where the whole is too small for all, results lose first. No class ever takes what is set
/// aside for another, nor gets what another did not need.
///
/// Optional items are offered one by one. The order within a class is the caller's and is the
/// priority, often the newest first. As soon as one of a class is not shown whole, the class is
/// closed.
///
/// The same offers have the same result, whatever the clock and the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidenceBudget(Account);

impl EvidenceBudget {
    /// A budget that has taken what is required.
    ///
    /// # Errors
    /// When that does not fit into [`EvidenceLimits::whole`].
    pub fn new(limits: EvidenceLimits, required: &[&str]) -> Result<Self, RequiredTooBig> {
        let needed = required
            .iter()
            .fold(0, |sum: u64, text| sum.saturating_add(tokens(text)));
        let Some(mut left) = limits.whole.checked_sub(needed) else {
            return Err(RequiredTooBig {
                needed,
                had: limits.whole,
            });
        };
        let mut set_aside = |most: u64| {
            let reserved = most.min(left);
            left = left.saturating_sub(reserved);
            Share {
                reserved,
                ..Share::default()
            }
        };
        Ok(Self(Account {
            limit: limits.whole,
            required: needed,
            user: set_aside(limits.user),
            tool_calls: set_aside(limits.tool_calls),
            results: set_aside(limits.results),
        }))
    }

    /// Offers an item, and says what is shown of it.
    pub fn offer<'t>(&mut self, class: Class, text: &'t str, fit: Fit) -> Taken<'t> {
        let share = match class {
            Class::User => &mut self.0.user,
            Class::ToolCalls => &mut self.0.tool_calls,
            Class::Results => &mut self.0.results,
        };
        share.take(text, fit)
    }

    /// What was taken and omitted so far.
    pub fn account(&self) -> &Account {
        &self.0
    }
}
