//! What a host does for a plugin, in the process that the plugin runs in.

use countersign_abi::{
    AbiError, Code, Host, Host_TO, HostBox, Level, RErr, RResult, RSlice, RStr, RVec, TD_Opaque,
};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Where a plugin's log lines go.
pub(super) type Log = Arc<dyn Fn(u8, &str, &str) + Send + Sync>;

/// The host that an instance is made with.
#[derive(Clone)]
pub(super) struct Service {
    cancelled: Arc<Mutex<HashSet<u64>>>,
    all: Arc<AtomicBool>,
    log: Log,
}

impl Service {
    pub(super) fn new(log: Log) -> Self {
        Self {
            cancelled: Arc::default(),
            all: Arc::default(),
            log,
        }
    }

    pub(super) fn boxed(&self) -> HostBox {
        Host_TO::from_value(self.clone(), TD_Opaque)
    }

    /// From now on nobody waits for this call.
    pub(super) fn cancel(&self, call: u64) {
        self.cancelled().insert(call);
    }

    /// From now on nobody waits for any call.
    pub(super) fn cancel_all(&self) {
        self.all.store(true, Ordering::Release);
    }

    /// The call is over, whoever waited.
    pub(super) fn forget(&self, call: u64) {
        self.cancelled().remove(&call);
    }

    fn cancelled(&self) -> std::sync::MutexGuard<'_, HashSet<u64>> {
        self.cancelled
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host for Service {
    fn log_enabled(&self, level: u8) -> bool {
        level <= Level::Info as u8
    }

    fn log(&self, level: u8, target: RStr<'_>, message: RStr<'_>, _fields_json: RStr<'_>) {
        if self.log_enabled(level) {
            (self.log)(level, target.as_str(), message.as_str());
        }
    }

    fn is_cancelled(&self, call_id: u64) -> bool {
        self.all.load(Ordering::Acquire) || self.cancelled().contains(&call_id)
    }

    fn call(&self, op: RStr<'_>, _payload: RSlice<'_, u8>) -> RResult<RVec<u8>, AbiError> {
        RErr(AbiError::new(
            Code::UNSUPPORTED,
            format!("this host has no service {:?}", op.as_str()),
        ))
    }
}
