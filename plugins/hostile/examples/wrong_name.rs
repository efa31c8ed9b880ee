//! Says one name in its file and another when it runs.

#![expect(unsafe_code, reason = "a section of one's own")]

#[path = "common/good.rs"]
mod good;
#[path = "common/module.rs"]
mod module;
#[macro_use]
#[path = "../src/section.rs"]
mod section;

use countersign_reviewers::plugin::abi::{self, ModuleRef};
use countersign_reviewers::plugin::manifest;

section!(manifest::section("honest", "0.0.0", "", &[], false));

fn root() -> ModuleRef {
    module::module().export()
}

abi::export_module!(root);
