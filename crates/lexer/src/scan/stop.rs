//! What ends a list.

use super::reserved::Reserved;

/// What ends a list. The list leaves it for the construct around it to consume.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// The end of the text alone.
    End,
    Paren,
    /// The `)` of a substitution, which may be empty.
    Subst,
    Brace,
    /// The `}` of a substitution, which may be empty.
    SubstBrace,
    Then,
    Do,
    Done,
    /// `elif`, `else` or `fi`.
    Branch,
    Fi,
    /// `;;`, `;&`, `;;&` or `esac`.
    Arm,
    /// The same, where `}` takes the place of `esac`.
    BraceArm,
    /// `end`
    Foreach,
    /// The end of its first pipelines, joined by `&&` and `||`.
    Short,
}

impl Stop {
    pub(super) fn at_reserved(self, word: Reserved) -> bool {
        match self {
            Self::End | Self::Paren | Self::Subst | Self::Short => false,
            Self::Brace | Self::SubstBrace | Self::BraceArm => word == Reserved::CloseBrace,
            Self::Then => word == Reserved::Then,
            Self::Do => word == Reserved::Do,
            Self::Done => word == Reserved::Done,
            Self::Branch => matches!(word, Reserved::Elif | Reserved::Else | Reserved::Fi),
            Self::Fi => word == Reserved::Fi,
            Self::Arm => word == Reserved::Esac,
            Self::Foreach => word == Reserved::End,
        }
    }

    pub(super) fn at_paren(self) -> bool {
        matches!(self, Self::Paren | Self::Subst)
    }

    pub(super) fn may_be_empty(self) -> bool {
        matches!(self, Self::End | Self::Subst | Self::SubstBrace | Self::Arm)
    }
}
