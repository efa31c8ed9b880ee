//! A plugin for an interface that this host does not know.

#![expect(unsafe_code, reason = "a section of one's own")]

#[path = "common/good.rs"]
mod good;
#[path = "common/module.rs"]
mod module;
#[macro_use]
#[path = "../src/section.rs"]
mod section;

use countersign_reviewers::plugin::abi::{self, Module, ModuleRef, RStr};

section!({
    let mut manifest = module::MANIFEST;
    // The number in `{"v":1,"abi":1`.
    manifest[13] = b'2';
    manifest
});

fn root() -> ModuleRef {
    Module {
        abi: 2,
        manifest_json: RStr::from_str(core::str::from_utf8(&SECTION).unwrap_or_default()),
        ..module::module()
    }
    .export()
}

abi::export_module!(root);
