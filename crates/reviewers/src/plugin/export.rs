//! What the macro writes.

use super::{Loaded, ReviewerPlugin};
use countersign_abi::{
    AbiError, HostBox, Instance_TO, InstanceBox, RNone, ROption, RResult, RStr, TD_Opaque,
};

#[doc(hidden)]
pub extern "C" fn __create<P: ReviewerPlugin>(
    config_json: RStr<'_>,
    host: HostBox,
) -> RResult<InstanceBox, AbiError> {
    Loaded::<P>::create(config_json.as_str(), host)
        .map(|loaded| Instance_TO::from_value(loaded, TD_Opaque))
        .into()
}

#[doc(hidden)]
pub extern "C" fn __extension(_id: RStr<'_>) -> ROption<*const ()> {
    RNone
}

/// Exports a [`ReviewerPlugin`] from the library: `reviewer_plugin!(Type)`. Once in a library.
#[macro_export]
macro_rules! reviewer_plugin {
    ($plugin:ty) => {
        const _: () = {
            use $crate::plugin::{ReviewerPlugin, abi};

            // The host reads it from the file before it runs any code of the plugin.
            #[allow(unsafe_code, reason = "a section of one's own is one by nature")]
            #[cfg_attr(target_os = "linux", unsafe(link_section = ".csmanifest"))]
            #[used]
            static MANIFEST: $crate::plugin::manifest::Section = $crate::plugin::manifest::section(
                <$plugin as ReviewerPlugin>::NAME,
                env!("CARGO_PKG_VERSION"),
                env!("CARGO_PKG_DESCRIPTION"),
                <$plugin as ReviewerPlugin>::ENV,
                <$plugin as ReviewerPlugin>::NETWORK,
            );

            fn module() -> abi::ModuleRef {
                abi::Module {
                    abi: abi::ABI,
                    panic_unwind: cfg!(panic = "unwind"),
                    manifest_json: abi::RStr::from_str(
                        ::core::str::from_utf8(&MANIFEST).unwrap_or_default(),
                    ),
                    create: $crate::plugin::__create::<$plugin>,
                    extension: $crate::plugin::__extension,
                }
                .export()
            }

            abi::export_module!(module);
        };
    };
}
