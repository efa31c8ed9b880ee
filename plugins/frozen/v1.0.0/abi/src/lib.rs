//! The boundary types of the plugin interface as version 1.0.0 had them, in one file.
//!
//! It never changes. The tests of `crates/abi` include it and compare its layouts with today's.

use abi_stable::StableAbi;
use abi_stable::library::RootModule;
use abi_stable::prefix_type::PrefixTypeTrait;
use abi_stable::sabi_trait;
use abi_stable::sabi_types::VersionStrings;
use abi_stable::std_types::{RBox, RString};

pub use abi_stable::sabi_trait::TD_Opaque;
pub use abi_stable::std_types::{RErr, RNone, ROk, ROption, RResult, RSlice, RStr, RVec};

/// The number of the interface.
pub const ABI: u32 = 1;

/// The error code for an operation that a plugin does not know.
pub const UNSUPPORTED: u32 = 3;

/// Why an operation gave no reply.
#[repr(C)]
#[derive(Debug, Clone, StableAbi)]
pub struct AbiError {
    pub code: u32,
    pub retryable: bool,
    pub message: RString,
    pub detail_json: RString,
}

/// What goes with one call.
#[repr(C)]
#[derive(Debug, Clone, Copy, StableAbi)]
pub struct CallCtx {
    pub call_id: u64,
    pub remaining_ms: u64,
    pub flags: u64,
    pub reserved: [u64; 5],
}

/// What a host does for a plugin.
#[sabi_trait]
pub trait Host: Clone + Send + Sync {
    fn log_enabled(&self, level: u8) -> bool;

    fn log(&self, level: u8, target: RStr<'_>, message: RStr<'_>, fields_json: RStr<'_>);

    fn is_cancelled(&self, call_id: u64) -> bool;

    #[sabi(last_prefix_field)]
    fn call(&self, op: RStr<'_>, payload: RSlice<'_, u8>) -> RResult<RVec<u8>, AbiError>;
}

/// A host, owned by the instance that was made with it.
pub type HostBox = Host_TO<'static, RBox<()>>;

/// A configured plugin.
#[sabi_trait]
pub trait Instance: Send + Sync {
    #[sabi(last_prefix_field)]
    fn call(
        &self,
        op: RStr<'_>,
        payload: RSlice<'_, u8>,
        ctx: &CallCtx,
    ) -> RResult<RVec<u8>, AbiError>;
}

/// An instance, owned by the host.
pub type InstanceBox = Instance_TO<'static, RBox<()>>;

/// What a plugin library exports.
#[repr(C)]
#[derive(Debug, StableAbi)]
#[sabi(kind(Prefix(prefix_ref = ModuleRef)))]
pub struct Module {
    pub abi: u32,
    pub panic_unwind: bool,
    pub manifest_json: RStr<'static>,
    pub create:
        extern "C" fn(config_json: RStr<'_>, host: HostBox) -> RResult<InstanceBox, AbiError>,
    #[sabi(last_prefix_field)]
    pub extension: extern "C" fn(id: RStr<'_>) -> ROption<*const ()>,
}

impl Module {
    /// The module as a library exports it.
    pub fn export(self) -> ModuleRef {
        self.leak_into_prefix()
    }
}

impl RootModule for ModuleRef {
    abi_stable::declare_root_module_statics! {ModuleRef}

    const BASE_NAME: &'static str = "countersign_plugin";
    const NAME: &'static str = "countersign_plugin";
    const VERSION_STRINGS: VersionStrings = VersionStrings::new("1.0.0");
}

#[doc(hidden)]
pub mod private {
    pub use abi_stable::library::{
        __call_root_module_loader, CheckTypeLayout, LibHeader, RootModuleResult,
    };
}

/// Exports a module from a plugin library: `export_module!(function)`.
#[macro_export]
macro_rules! export_module {
    ($function:path) => {
        const _: () = {
            #[unsafe(export_name = "_1as_0lib_1header_0root_bmodule_bloader")]
            static HEADER: $crate::private::LibHeader = {
                extern "C" fn load() -> $crate::private::RootModuleResult {
                    let function: fn() -> $crate::ModuleRef = $function;
                    $crate::private::__call_root_module_loader(function)
                }
                // SAFETY: `load` gives a module of the type that is named.
                unsafe {
                    $crate::private::LibHeader::from_constructor::<$crate::ModuleRef>(
                        load,
                        $crate::private::CheckTypeLayout::Yes,
                    )
                }
            };
        };
    };
}
