//! A plugin built against 1.0.0 loads in this host, and a plugin built today loads in a host of
//! 1.0.0.

use abi_stable::StableAbi;
use abi_stable::abi_stability::abi_checking::check_layout_compatibility;
use countersign_abi::ModuleRef;

// The layout check compares package names, and this test's package has the same one.
#[path = "../../../../plugins/frozen/v1.0.0/abi/src/lib.rs"]
#[rustfmt::skip]
#[expect(
    clippy::pedantic,
    dead_code,
    non_local_definitions,
    unreachable_pub,
    unsafe_code,
    unused_imports,
    reason = "it stays as it was"
)]
mod v1;

/// The module as it must never become.
#[expect(
    clippy::expl_impl_clone_on_copy,
    dead_code,
    unsafe_code,
    reason = "only its layout is looked at, and the macro writes an accessor"
)]
mod grown {
    use abi_stable::StableAbi;
    use countersign_abi::{AbiError, HostBox, InstanceBox, ROption, RResult, RStr};

    #[repr(C)]
    #[derive(StableAbi)]
    #[sabi(kind(Prefix(prefix_ref = ModuleRef)))]
    pub(super) struct Module {
        abi: u32,
        panic_unwind: bool,
        manifest_json: RStr<'static>,
        create:
            extern "C" fn(config_json: RStr<'_>, host: HostBox) -> RResult<InstanceBox, AbiError>,
        #[sabi(last_prefix_field)]
        extension: extern "C" fn(id: RStr<'_>) -> ROption<*const ()>,
        more: bool,
    }
}

fn loads<Host: StableAbi, Plugin: StableAbi>() -> bool {
    check_layout_compatibility(Host::LAYOUT, Plugin::LAYOUT).is_ok()
}

#[test]
fn an_old_plugin_loads_in_this_host() {
    assert!(loads::<ModuleRef, v1::ModuleRef>());
}

#[test]
fn a_plugin_of_today_loads_in_an_old_host() {
    assert!(loads::<v1::ModuleRef, ModuleRef>());
}

#[test]
fn a_host_with_one_field_more_refuses_every_old_plugin() {
    assert!(loads::<v1::ModuleRef, grown::ModuleRef>());
    assert!(!loads::<grown::ModuleRef, v1::ModuleRef>());
    assert!(!loads::<grown::ModuleRef, ModuleRef>());
}
