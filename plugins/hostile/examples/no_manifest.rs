//! A good module in a file that says nothing of itself.

#[path = "common/good.rs"]
mod good;
#[path = "common/module.rs"]
mod module;

fn root() -> countersign_reviewers::plugin::abi::ModuleRef {
    module::module().export()
}

countersign_reviewers::plugin::abi::export_module!(root);
