//! The macro and its counterpart, without a library file.

use countersign_abi::{
    ABI, AbiError, Code, HostBox, InstanceBox, Module, ModuleRef, RErr, RNone, ROption, RResult,
    RStr, export_module, module_at,
};
use std::ffi::c_void;

extern "C" fn create(_: RStr<'_>, _: HostBox) -> RResult<InstanceBox, AbiError> {
    RErr(AbiError::new(Code::FAILED, "it makes none"))
}

extern "C" fn extension(_: RStr<'_>) -> ROption<*const ()> {
    RNone
}

fn module() -> ModuleRef {
    Module {
        abi: ABI,
        panic_unwind: true,
        manifest_json: RStr::from_str("{}"),
        create,
        extension,
    }
    .export()
}

export_module!(module);

#[test]
#[expect(unsafe_code, reason = "a symbol of this very program")]
fn what_the_macro_exports_is_found_at_its_symbol() {
    unsafe extern "C" {
        #[link_name = "_1as_0lib_1header_0root_bmodule_bloader"]
        static HEADER: c_void;
    }
    // SAFETY: the macro above put it there.
    let module = unsafe { module_at(&raw const HEADER) };
    let module = module.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(module.abi(), ABI);
    assert_eq!(module.manifest_json(), "{}");
}
