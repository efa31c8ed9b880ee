//! From checked bytes to running code.

use super::LoadErrorKind;
use crate::Manifest;
use countersign_abi::{HostBox, InstanceBox, ModuleRef, ROOT_SYMBOL, RResult, RStr};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::error::Error as _;
use std::ffi::c_void;
use std::fmt::Write as _;
use std::os::fd::{AsRawFd as _, BorrowedFd};

/// Loads a library from its sealed memory, checks that it is what its manifest says, and never
/// unloads it: threads and destructors of its own may outlive every use.
#[expect(
    unsafe_code,
    reason = "loading a library runs code that the compiler has not seen"
)]
pub(super) fn load(
    sealed: BorrowedFd<'_>,
    manifest: &Manifest,
) -> Result<ModuleRef, LoadErrorKind> {
    let path = format!("/proc/self/fd/{}", sealed.as_raw_fd());
    let flags = RTLD_NOW | RTLD_LOCAL | libc::RTLD_NODELETE;
    // SAFETY: the library's constructors run. Its owner pinned it, or asked for it unpinned, and
    // the bytes are those that were checked.
    let library = unsafe { Library::open(Some(&path), flags) }.map_err(|error| chain(&error))?;
    // SAFETY: only the address is taken; what is behind it is checked below.
    let symbol = unsafe { library.get::<*const c_void>(ROOT_SYMBOL.as_bytes()) }
        .map_err(|error| chain(&error))?
        .into_raw();
    std::mem::forget(library);
    // SAFETY: the address is the root symbol's, and the library is never unloaded.
    let module = unsafe { countersign_abi::module_at(symbol.cast_const()) }
        .map_err(LoadErrorKind::Layout)?;
    agrees(module, manifest)?;
    Ok(module)
}

/// Makes an instance.
pub(super) fn create(
    module: ModuleRef,
    config_json: &str,
    host: HostBox,
) -> Result<InstanceBox, LoadErrorKind> {
    match module.create()(RStr::from_str(config_json), host) {
        RResult::ROk(instance) => Ok(instance),
        RResult::RErr(error) => Err(LoadErrorKind::Create(error)),
    }
}

/// What runs is what the file said.
fn agrees(module: ModuleRef, manifest: &Manifest) -> Result<(), LoadErrorKind> {
    let said = Manifest::parse(module.manifest_json().as_bytes())?;
    if said != *manifest {
        return Err(LoadErrorKind::TwoFaced(format!(
            "{} {}",
            said.name, said.version
        )));
    }
    if module.abi() != manifest.abi {
        return Err(LoadErrorKind::TwoFaced(format!(
            "interface {}",
            module.abi()
        )));
    }
    Ok(())
}

/// libloading keeps the system's own words in the source of its error.
fn chain(error: &libloading::Error) -> LoadErrorKind {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let _infallible = write!(text, ": {cause}");
        source = cause.source();
    }
    LoadErrorKind::Dl(text)
}
