//! Real reports about real modules that do not fit.

use crate::{
    AbiError, HostBox, InstanceBox, ModuleError, ModuleRef, ROption, RResult, RSlice, RStr,
    RString, module_at,
};
use abi_stable::StableAbi;
use abi_stable::library::{
    __call_root_module_loader, CheckTypeLayout, LibHeader, RootModule, RootModuleResult,
};
use abi_stable::sabi_types::VersionStrings;
use std::fmt::Write as _;
use std::ptr::from_ref;

/// A module in a library of this test, with other fields than the real one.
macro_rules! library {
    ($name:ident $version:literal $check:ident {$($fields:tt)*}) => {
        #[expect(dead_code, unsafe_code, clippy::expl_impl_clone_on_copy, reason = "a library's header")]
        mod $name {
            use super::*;

            #[repr(C)]
            #[derive(StableAbi)]
            #[sabi(kind(Prefix(prefix_ref = ModuleRef)))]
            pub(super) struct Module { $($fields)* }

            impl RootModule for ModuleRef {
                abi_stable::declare_root_module_statics! {ModuleRef}
                const BASE_NAME: &'static str = "countersign_plugin";
                const NAME: &'static str = "countersign_plugin";
                const VERSION_STRINGS: VersionStrings = VersionStrings::new($version);
            }

            extern "C" fn load() -> RootModuleResult {
                __call_root_module_loader(|| -> ModuleRef { panic!("nobody asks for it") })
            }

            pub(super) static HEADER: LibHeader = {
                // SAFETY: `load` never gives a module.
                unsafe { LibHeader::from_constructor::<ModuleRef>(load, CheckTypeLayout::$check) }
            };
        }
    };
}

library!(fits "1.0.0" Yes {
    abi: u32,
    panic_unwind: bool,
    manifest_json: RStr<'static>,
    create: extern "C" fn(config_json: RStr<'_>, host: HostBox) -> RResult<InstanceBox, AbiError>,
    #[sabi(last_prefix_field)]
    extension: extern "C" fn(id: RStr<'_>) -> ROption<*const ()>,
});

library!(renamed_field "1.0.0" Yes {
    abi: u32,
    panics: bool,
    manifest_json: RStr<'static>,
    create: extern "C" fn(config_json: RStr<'_>, host: HostBox) -> RResult<InstanceBox, AbiError>,
    #[sabi(last_prefix_field)]
    extension: extern "C" fn(id: RStr<'_>) -> ROption<*const ()>,
});

library!(renamed_parameter "1.0.0" Yes {
    abi: u32,
    panic_unwind: bool,
    manifest_json: RStr<'static>,
    create: extern "C" fn(config: RStr<'_>, host: HostBox) -> RResult<InstanceBox, AbiError>,
    #[sabi(last_prefix_field)]
    extension: extern "C" fn(id: RStr<'_>) -> ROption<*const ()>,
});

library!(other_type "1.0.0" Yes {
    abi: u64,
    panic_unwind: bool,
    manifest_json: RStr<'static>,
    create: extern "C" fn(config_json: RStr<'_>, host: HostBox) -> RResult<InstanceBox, AbiError>,
    #[sabi(last_prefix_field)]
    extension: extern "C" fn(id: RStr<'_>) -> ROption<*const ()>,
});

library!(field_missing "1.0.0" Yes {
    abi: u32,
    panic_unwind: bool,
    manifest_json: RStr<'static>,
    #[sabi(last_prefix_field)]
    create: extern "C" fn(config_json: RStr<'_>, host: HostBox) -> RResult<InstanceBox, AbiError>,
});

library!(other_argument "1.0.0" Yes {
    abi: u32,
    panic_unwind: bool,
    manifest_json: RStr<'static>,
    create: extern "C" fn(config_json: RString, host: HostBox) -> RResult<InstanceBox, AbiError>,
    #[sabi(last_prefix_field)]
    extension: extern "C" fn(id: RStr<'_>) -> ROption<*const ()>,
});

/// As `AbiError` would be with one field more.
mod grown {
    use abi_stable::{StableAbi, std_types::RString};

    #[repr(C)]
    #[derive(StableAbi)]
    pub(super) struct AbiError {
        code: u32,
        retryable: bool,
        message: RString,
        detail_json: RString,
        more: RString,
    }
}

library!(other_size "1.0.0" Yes {
    abi: u32,
    panic_unwind: bool,
    manifest_json: RStr<'static>,
    create: extern "C" fn(config_json: RStr<'_>, host: HostBox) -> RResult<InstanceBox, grown::AbiError>,
    #[sabi(last_prefix_field)]
    extension: extern "C" fn(id: RStr<'_>) -> ROption<*const ()>,
});

library!(everything_else "1.0.0" Yes {
    number: u64,
    unwinds: u8,
    manifest: RSlice<'static, u8>,
    make: extern "C" fn(RString) -> u8,
    #[sabi(last_prefix_field)]
    more: u64,
});

library!(other_version "2.0.0" Yes {
    abi: u32,
    panic_unwind: bool,
    manifest_json: RStr<'static>,
    create: extern "C" fn(config_json: RStr<'_>, host: HostBox) -> RResult<InstanceBox, AbiError>,
    #[sabi(last_prefix_field)]
    extension: extern "C" fn(id: RStr<'_>) -> ROption<*const ()>,
});

library!(unchecked "1.0.0" No {
    abi: u32,
    panic_unwind: bool,
    manifest_json: RStr<'static>,
    create: extern "C" fn(config_json: RStr<'_>, host: HostBox) -> RResult<InstanceBox, AbiError>,
    #[sabi(last_prefix_field)]
    extension: extern "C" fn(id: RStr<'_>) -> ROption<*const ()>,
});

/// What `module_at` says of a library.
#[expect(unsafe_code, reason = "what is tested takes an address")]
fn looked_at(header: &'static LibHeader) -> Result<ModuleRef, ModuleError> {
    // SAFETY: the header is a static.
    unsafe { module_at(from_ref(header).cast()) }
}

fn refused(header: &'static LibHeader) -> ModuleError {
    looked_at(header).err().expect("it does not fit")
}

#[test]
fn a_mismatch_is_told_in_one_line() {
    let mut text = String::new();
    macro_rules! tell {
        ($($name:ident)*) => {$({
            let error = refused(&$name::HEADER);
            assert!(!error.summary.contains('\n'), "{error}");
            writeln!(text, "{}: {error}", stringify!($name)).unwrap();
        })*};
    }
    tell!(renamed_field renamed_parameter other_type field_missing other_argument other_size everything_else);
    // Their layouts are right, or were not looked at.
    tell!(other_version unchecked fits);
    insta::assert_snapshot!(text);
}

#[test]
fn the_whole_report_is_kept() {
    let error = refused(&other_type::HEADER);
    assert!(error.full.lines().count() > 100, "{}", error.full);
    assert!(
        error.full.contains("Error:mismatched type"),
        "{}",
        error.full
    );
}

#[test]
#[expect(unsafe_code, reason = "what is tested takes an address")]
fn an_address_of_something_else_is_refused() {
    #[repr(align(8))]
    struct Bytes([u8; 64]);
    static BYTES: Bytes = Bytes([7; 64]);
    let mut text = String::new();
    for address in [
        std::ptr::null(),
        from_ref(&BYTES.0[1]).cast(),
        from_ref(&BYTES).cast(),
    ] {
        // SAFETY: null is allowed, and the bytes are a static that does not begin as a header.
        let error = unsafe { module_at(address) }
            .err()
            .expect("it is no module");
        writeln!(text, "{error}").unwrap();
    }
    insta::assert_snapshot!(text);
}
