//! A module of another form under the symbol of ours.

#![expect(
    clippy::expl_impl_clone_on_copy,
    dead_code,
    unsafe_code,
    reason = "what the macro writes for a module, and a section of one's own"
)]

#[macro_use]
#[path = "../src/section.rs"]
mod section;

use abi_stable::StableAbi;
use abi_stable::library::RootModule;
use abi_stable::prefix_type::PrefixTypeTrait as _;
use abi_stable::sabi_types::VersionStrings;
use countersign_reviewers::plugin::manifest;

#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = ModuleRef)))]
struct Module {
    abi: u64,
    #[sabi(last_prefix_field)]
    create: extern "C" fn(),
}

impl RootModule for ModuleRef {
    abi_stable::declare_root_module_statics! {ModuleRef}

    const BASE_NAME: &'static str = "countersign_plugin";
    const NAME: &'static str = "countersign_plugin";
    const VERSION_STRINGS: VersionStrings = VersionStrings::new("1.0.0");
}

section!(manifest::section("hostile", "0.0.0", "", &[], false));

extern "C" fn create() {}

#[abi_stable::export_root_module]
fn root() -> ModuleRef {
    Module { abi: 1, create }.leak_into_prefix()
}
