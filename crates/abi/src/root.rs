//! From the address of a loaded library's symbol to its checked module, and the macro that puts
//! the symbol there.

use crate::ModuleRef;
use abi_stable::library::{AbiHeaderRef, LibraryError};
use std::ffi::c_void;
use std::fmt;

/// The symbol under which a plugin library exports its module, without the closing zero.
pub const ROOT_SYMBOL: &str = "_1as_0lib_1header_0root_bmodule_bloader";

/// A library whose module is not the one that this interface describes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleError {
    /// The few lines that matter, for a person.
    pub summary: String,
    /// Everything that the check found: hundreds of lines for a mismatch, for a debug log.
    pub full: String,
}

impl fmt::Display for ModuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.summary)
    }
}

impl std::error::Error for ModuleError {}

/// The module behind the address of [`ROOT_SYMBOL`], after its layout was compared with ours.
///
/// # Errors
/// When it was built against another interface; nothing of it was called then.
///
/// # Safety
/// `symbol` is the address of [`ROOT_SYMBOL`] in a library that stays loaded for as long as the
/// process runs.
#[expect(
    unsafe_code,
    reason = "a symbol's address is only what the library says"
)]
pub unsafe fn module_at(symbol: *const c_void) -> Result<ModuleRef, ModuleError> {
    // SAFETY: the type is a transparent wrapper of such an address, and the caller promises what is
    // behind it. The header begins with its own magic and version, which `upgrade` compares before
    // it reads anything else.
    let header = unsafe { std::mem::transmute::<*const c_void, AbiHeaderRef>(symbol) };
    header
        .upgrade()
        .and_then(|header| header.init_root_module::<ModuleRef>())
        .map_err(|error| ModuleError::of(&error))
}

impl ModuleError {
    fn of(error: &LibraryError) -> Self {
        let full = error.to_string();
        Self {
            summary: summary(&full),
            full,
        }
    }
}

/// The distinct error lines of a layout report; a report without any is short and kept whole.
fn summary(full: &str) -> String {
    full.trim().to_owned()
}
