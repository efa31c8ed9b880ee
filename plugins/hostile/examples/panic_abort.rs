//! Says that its panics cannot be caught.

#![expect(unsafe_code, reason = "a section of one's own")]

#[path = "common/good.rs"]
mod good;
#[path = "common/module.rs"]
mod module;
#[macro_use]
#[path = "../src/section.rs"]
mod section;

use countersign_reviewers::plugin::abi::{self, Module, ModuleRef};

section!(module::MANIFEST);

fn root() -> ModuleRef {
    Module {
        panic_unwind: false,
        ..module::module()
    }
    .export()
}

abi::export_module!(root);
