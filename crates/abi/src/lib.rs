#![doc = include_str!("../README.md")]

mod code;
mod context;
mod error;
#[expect(
    clippy::used_underscore_binding,
    unsafe_code,
    non_local_definitions,
    reason = "what abi_stable's macro writes for a trait"
)]
mod host;
#[expect(
    clippy::used_underscore_binding,
    unsafe_code,
    non_local_definitions,
    reason = "what abi_stable's macro writes for a trait"
)]
mod instance;
mod mismatch;
#[expect(
    clippy::expl_impl_clone_on_copy,
    reason = "what abi_stable's macro writes for a module"
)]
mod module;
mod root;

pub use code::{Code, op};
pub use context::CallCtx;
pub use error::AbiError;
pub use host::{Host, Host_TO, HostBox, Level};
pub use instance::{Instance, Instance_TO, InstanceBox};
pub use mismatch::ModuleError;
pub use module::{Module, ModuleRef};
pub use root::{ROOT_SYMBOL, module_at};

/// The names of `abi_stable` that a plugin or a host needs, so that neither depends on it.
pub use abi_stable::{
    sabi_trait::TD_Opaque,
    std_types::{RErr, RNone, ROk, ROption, RResult, RSlice, RSome, RStr, RString, RVec},
};

#[doc(hidden)]
pub mod private {
    pub use abi_stable::library::{
        __call_root_module_loader, CheckTypeLayout, LibHeader, RootModuleResult,
    };
}

/// The number of this interface: what [`Module::abi`] holds. Another number is another interface,
/// under another symbol.
pub const ABI: u32 = 1;

/// The largest payload a host passes to a plugin, in bytes (8 MiB).
pub const MAX_PAYLOAD: usize = 8 << 20;

/// The largest reply a host takes from a plugin, in bytes (1 MiB).
pub const MAX_REPLY: usize = 1 << 20;

/// The section of the library's file that holds the manifest, so that a host can read it without
/// running any code of the plugin.
pub const MANIFEST_SECTION: &str = ".csmanifest";
