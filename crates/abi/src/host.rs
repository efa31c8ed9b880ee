use crate::AbiError;
use abi_stable::sabi_trait;
use abi_stable::std_types::{RBox, RResult, RSlice, RStr, RVec};

/// How much a log line matters: the numbers that [`Host::log`] takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Level {
    /// Something failed.
    Error = 1,
    /// Something is not as it should be.
    Warn = 2,
    /// Worth knowing.
    Info = 3,
    /// For whoever looks for a fault.
    Debug = 4,
    /// Every step.
    Trace = 5,
}

/// What a host does for a plugin. Each may be called from any thread, at any time until the
/// instance is dropped.
#[sabi_trait]
pub trait Host: Clone + Send + Sync {
    /// A line of this level would be kept.
    fn log_enabled(&self, level: u8) -> bool;

    /// Keeps a line. `fields_json` is a JSON object, or empty. No secret belongs in it.
    fn log(&self, level: u8, target: RStr<'_>, message: RStr<'_>, fields_json: RStr<'_>);

    /// Nobody waits for this call any more: return soon.
    fn is_cancelled(&self, call_id: u64) -> bool;

    /// A service of the host, by name. A host answers a name that it does not know with
    /// [`Code::UNSUPPORTED`](crate::Code::UNSUPPORTED); version 1.0.0 has no name that a host must know.
    #[sabi(last_prefix_field)]
    fn call(&self, op: RStr<'_>, payload: RSlice<'_, u8>) -> RResult<RVec<u8>, AbiError>;
}

/// A host, owned by the instance that was made with it.
pub type HostBox = Host_TO<'static, RBox<()>>;
