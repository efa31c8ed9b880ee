//! From the address of a loaded library's symbol to its checked module, and the macro that puts
//! the symbol there.

use crate::{ModuleError, ModuleRef};
use abi_stable::library::{AbiHeaderRef, LibHeader};
use std::ffi::c_void;

/// The symbol under which a plugin library exports its module, without the closing zero.
pub const ROOT_SYMBOL: &str = "_1as_0lib_1header_0root_bmodule_bloader";

/// The module behind the address of [`ROOT_SYMBOL`], after its layout was compared with ours. The
/// comparison runs code of the library: what `abi_stable` put there to be compared.
///
/// # Errors
/// When it was built against another interface; no function of the module was called then.
///
/// # Safety
/// `symbol` is the address of [`ROOT_SYMBOL`], or null, in a library that stays loaded for as long
/// as the process runs. Either the bytes there do not begin as a header of `abi_stable` does, or
/// `abi_stable` put them there: no check can find a library that lies about its own types.
#[expect(
    unsafe_code,
    reason = "a symbol's address is only what the library says"
)]
pub unsafe fn module_at(symbol: *const c_void) -> Result<ModuleRef, ModuleError> {
    if symbol.is_null() || !symbol.cast::<LibHeader>().is_aligned() {
        return Err(ModuleError::new(
            "its root symbol is not the address of a module",
        ));
    }
    // SAFETY: the type is a transparent wrapper of such an address, which is neither null nor
    // misaligned, and the caller promises what is behind it. The header begins with its own magic
    // and version, which `upgrade` compares before it reads anything else.
    let header = unsafe { std::mem::transmute::<*const c_void, AbiHeaderRef>(symbol) };
    let header = header
        .upgrade()
        .map_err(|error| ModuleError::of(&error, None))?;
    let Some(layout) = header.layout() else {
        return Err(ModuleError::new(
            "it does not say how its types are laid out, so it cannot be checked",
        ));
    };
    header
        .init_root_module::<ModuleRef>()
        .map_err(|error| ModuleError::of(&error, Some(layout)))
}

/// Exports a module from a plugin library: `export_module!(function)`, where the function takes
/// nothing and gives a [`ModuleRef`](crate::ModuleRef). Once in a library.
#[macro_export]
macro_rules! export_module {
    ($function:path) => {
        const _: () = {
            #[allow(unsafe_code, reason = "an exported symbol is one by nature")]
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
