//! Several reviewers as one, under one deadline.

mod join;
mod member;

pub use member::Member;

use countersign_core::{Case, FailureKind, Review, ReviewContext, ReviewFailure, Reviewer};
use std::num::NonZeroUsize;
use std::thread::ScopedJoinHandle;
use thiserror::Error;

/// How the members of a chain come to one opinion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// The first that has an opinion. An abstention passes on; a failure does so only where the
    /// member says `fallback`, and stands where nobody after it has an opinion.
    First,
    /// Every one is asked, and the most restrictive opinion counts. A failure counts as what it
    /// comes to for the call.
    All,
    /// Every one is asked, and an opinion counts that this many share. Failures and abstentions are
    /// no votes. Where two opinions have enough votes, the more restrictive one counts; where none
    /// has, a person decides.
    Quorum(NonZeroUsize),
}

/// A chain that cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ChainError {
    /// Nobody would be asked.
    #[error("a chain needs at least one reviewer")]
    Empty,
    /// No vote could ever be carried.
    #[error("a quorum of {quorum} cannot be reached with {members} reviewers")]
    Quorum {
        /// The votes that are wanted.
        quorum: usize,
        /// The votes that there can be.
        members: usize,
    },
}

/// Several reviewers as one.
#[derive(Debug)]
pub struct Chain {
    mode: Mode,
    members: Vec<Member>,
}

impl Chain {
    /// A chain of these members, in this order.
    ///
    /// # Errors
    /// When it has no members, or its quorum is more than them.
    pub fn new(mode: Mode, members: Vec<Member>) -> Result<Self, ChainError> {
        match mode {
            _ if members.is_empty() => Err(ChainError::Empty),
            Mode::Quorum(quorum) if quorum.get() > members.len() => Err(ChainError::Quorum {
                quorum: quorum.get(),
                members: members.len(),
            }),
            _ => Ok(Self { mode, members }),
        }
    }

    /// The members' names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.members.iter().map(|member| member.name.as_str())
    }

    fn first(&self, case: &Case, context: &ReviewContext<'_>) -> Opinion {
        let mut unanswered = Ok(None);
        for member in &self.members {
            match member.ask(case, context) {
                // What failed before stays failed: an abstention is no answer to it.
                Ok(None) => {}
                Ok(Some(review)) => return Ok(Some(review)),
                Err(failure) if member.fallback && may_fall_back(&failure) => {
                    unanswered = Err(failure);
                }
                Err(failure) => return Err(failure),
            }
        }
        unanswered
    }

    /// Everybody's opinion, in the members' order whoever was first.
    fn everyone(&self, case: &Case, context: &ReviewContext<'_>) -> Vec<Opinion> {
        std::thread::scope(|scope| {
            let asked: Vec<_> = self
                .members
                .iter()
                .map(|member| {
                    std::thread::Builder::new()
                        .spawn_scoped(scope, move || member.ask(case, context))
                })
                .collect();
            let failed = |what: String| Err(ReviewFailure::new(FailureKind::Failed, what));
            asked
                .into_iter()
                .map(|thread| match thread.map(ScopedJoinHandle::join) {
                    Ok(Ok(opinion)) => opinion,
                    Ok(Err(_)) => failed("its thread ended".to_owned()),
                    Err(error) => failed(format!("no thread to ask it on: {error}")),
                })
                .collect()
        })
    }
}

impl Reviewer for Chain {
    fn review(&self, case: &Case, context: &ReviewContext<'_>) -> Opinion {
        match self.mode {
            Mode::First => self.first(case, context),
            Mode::All => join::strictest(self.everyone(case, context), context),
            Mode::Quorum(quorum) => join::quorum(self.everyone(case, context), quorum.get()),
        }
    }
}

/// What a reviewer says.
type Opinion = Result<Option<Review>, ReviewFailure>;

/// A call that is at fault itself, or that nobody waits for, is no better off with the next one.
fn may_fall_back(failure: &ReviewFailure) -> bool {
    !matches!(failure.kind, FailureKind::Cancelled | FailureKind::TooBig)
}
