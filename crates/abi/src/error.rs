use crate::Code;
use abi_stable::StableAbi;
use abi_stable::std_types::RString;
use std::fmt;

/// Why an operation gave no reply.
#[repr(C)]
#[derive(Debug, Clone, PartialEq, Eq, StableAbi)]
pub struct AbiError {
    /// One of [`Code`]'s numbers.
    pub code: u32,
    /// The same call may succeed if it is made again.
    pub retryable: bool,
    /// What happened, for a person: one sentence without a full stop, and no secret in it.
    pub message: RString,
    /// More for programs, as a JSON object; empty when there is none. Known keys: `kind` (a failure
    /// kind of the core envelope) and `retry_after_ms`.
    pub detail_json: RString,
}

impl AbiError {
    /// An error that a further try does not mend.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code: code.0,
            retryable: false,
            message: message.into().into(),
            detail_json: RString::new(),
        }
    }
}

impl fmt::Display for AbiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", Code(self.code), self.message)
    }
}

impl std::error::Error for AbiError {}
