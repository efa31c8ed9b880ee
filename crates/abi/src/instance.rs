use crate::{AbiError, CallCtx};
use abi_stable::sabi_trait;
use abi_stable::std_types::{RBox, RResult, RSlice, RStr, RVec};

/// A configured plugin.
#[sabi_trait]
pub trait Instance: Send + Sync {
    /// One operation: its name, its payload, what goes with it. May be called from several threads
    /// at once. The borrowed inputs live for the call only; the reply belongs to the caller. A panic
    /// that leaves it ends the process.
    #[sabi(last_prefix_field)]
    fn call(
        &self,
        op: RStr<'_>,
        payload: RSlice<'_, u8>,
        ctx: &CallCtx,
    ) -> RResult<RVec<u8>, AbiError>;
}

/// An instance, owned by the host. It is dropped before the host that it was made with.
pub type InstanceBox = Instance_TO<'static, RBox<()>>;
