use countersign_core::Verdict;
use std::process::ExitCode;

/// How the program ends. `hook` ends in [`Exit::Done`] or [`Exit::Usage`] and nothing else, since
/// agents run the tool on any other code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Done; for `check`: allow.
    Done,
    /// For `check`: a person decides.
    Defer,
    /// For `check`: not as it is.
    Revise,
    /// For `check`: denied.
    Deny,
    /// Something was found wrong (`doctor`, `config check`, `audit verify`).
    Found,
    /// The command line, or what it names, is wrong; for `hook`: block.
    Usage,
    /// Countersign itself failed.
    Internal,
}

impl Exit {
    /// The process exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Found => 1,
            Self::Usage => 2,
            Self::Defer => 10,
            Self::Revise => 11,
            Self::Deny => 12,
            Self::Internal => 70,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Allow => Self::Done,
            Verdict::Defer => Self::Defer,
            Verdict::Revise => Self::Revise,
            Verdict::Deny => Self::Deny,
        }
    }
}
