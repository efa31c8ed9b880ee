use crate::{AbiError, HostBox, InstanceBox};
use abi_stable::StableAbi;
use abi_stable::library::RootModule;
use abi_stable::prefix_type::PrefixTypeTrait;
use abi_stable::sabi_types::VersionStrings;
use abi_stable::std_types::{ROption, RResult, RStr};

/// What a plugin library exports. The names of its fields, and of the parameters of its functions,
/// are compared when a plugin is loaded, as their types are.
#[repr(C)]
#[derive(Debug, StableAbi)]
#[sabi(kind(Prefix(prefix_ref = ModuleRef)))]
pub struct Module {
    /// [`ABI`](crate::ABI).
    pub abi: u32,
    /// A panic in it unwinds, so that it can be caught. Where not, no host loads it into itself.
    pub panic_unwind: bool,
    /// The manifest, as JSON: the same text that the manifest section of the file holds.
    pub manifest_json: RStr<'static>,
    /// Makes an instance from its configuration, a JSON object. The text `null` makes one that is
    /// only described.
    pub create:
        extern "C" fn(config_json: RStr<'_>, host: HostBox) -> RResult<InstanceBox, AbiError>,
    /// Reserved: looks up an extension by an id that carries its own version. A plugin of version
    /// 1.0.0 knows none and answers nothing.
    #[sabi(last_prefix_field)]
    pub extension: extern "C" fn(id: RStr<'_>) -> ROption<*const ()>,
}

impl Module {
    /// The module as a library exports it. It lives for as long as the process.
    pub fn export(self) -> ModuleRef {
        self.leak_into_prefix()
    }
}

impl RootModule for ModuleRef {
    abi_stable::declare_root_module_statics! {ModuleRef}

    const BASE_NAME: &'static str = "countersign_plugin";
    const NAME: &'static str = "countersign_plugin";
    // The interface's version and not the package's: a patch release must not change what loads.
    const VERSION_STRINGS: VersionStrings = VersionStrings::new("1.0.0");
}
