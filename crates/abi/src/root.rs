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
    let header = header.upgrade().map_err(|error| ModuleError::of(&error))?;
    if header.layout().is_none() {
        return Err(ModuleError::without_layout());
    }
    header
        .init_root_module::<ModuleRef>()
        .map_err(|error| ModuleError::of(&error))
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
                    $crate::private::__call_root_module_loader($function)
                }
                // SAFETY: `load` gives the module that the type names.
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

impl ModuleError {
    fn of(error: &LibraryError) -> Self {
        let full = error.to_string();
        Self {
            summary: summary(&full),
            full,
        }
    }

    fn without_layout() -> Self {
        let text = "the library does not say how its types are laid out, so it cannot be checked";
        Self {
            summary: text.to_owned(),
            full: text.to_owned(),
        }
    }
}

/// The errors of a layout report, each once and on one line. A report is hundreds of lines, of which
/// those that begin at an `Error:` matter; a text without any is short and kept whole.
fn summary(full: &str) -> String {
    const MOST: usize = 6;
    let mut found: Vec<String> = Vec::new();
    let mut lines = full.lines().map(str::trim).peekable();
    while let Some(line) = lines.next() {
        let Some(what) = line.strip_prefix("Error:") else {
            continue;
        };
        let mut text = what.trim().to_owned();
        while let Some(next) = lines.next_if(|line| !line.is_empty() && !line.starts_with("Error:"))
        {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(next);
        }
        if !text.is_empty() && !found.contains(&text) {
            found.push(text);
        }
    }
    if found.is_empty() {
        return full.trim().to_owned();
    }
    let more = found.len().saturating_sub(MOST);
    found.truncate(MOST);
    let mut text = found.join("; ");
    if more > 0 {
        text.push_str(&format!("; and {more} more"));
    }
    text
}
