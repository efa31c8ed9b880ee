use abi_stable::StableAbi;

/// What goes with one call. Plain numbers, so that it costs nothing.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, StableAbi)]
pub struct CallCtx {
    /// Names the call among all that the instance was given: for [`Host::is_cancelled`](crate::Host)
    /// and in logs.
    pub call_id: u64,
    /// Milliseconds that are left. When they are over the host takes no answer any more.
    pub remaining_ms: u64,
    /// Zero. A bit that a plugin does not know says nothing to it.
    pub flags: u64,
    /// Zeros.
    pub reserved: [u64; 5],
}

impl CallCtx {
    /// A context with nothing but an id and a time.
    pub fn new(call_id: u64, remaining_ms: u64) -> Self {
        Self {
            call_id,
            remaining_ms,
            ..Self::default()
        }
    }
}
