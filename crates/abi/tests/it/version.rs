use abi_stable::library::{ROOT_MODULE_LOADER_NAME, RootModule};
use countersign_abi::{ABI, ModuleRef, ROOT_SYMBOL};

#[test]
fn the_root_symbol_is_the_one_that_abi_stable_looks_for() {
    assert_eq!(ROOT_SYMBOL, ROOT_MODULE_LOADER_NAME);
}

/// Interface 1 is version 1.0.0 of everything; a patch release of the package keeps the first two.
#[test]
fn the_numbers_of_the_interface_stay_together() {
    assert_eq!(ABI, 1);
    assert_eq!(ModuleRef::VERSION_STRINGS.version.as_str(), "1.0.0");
    assert_eq!(ModuleRef::NAME, "countersign_plugin");
    assert_eq!(env!("CARGO_PKG_NAME"), "countersign-abi");
    assert_eq!(env!("CARGO_PKG_VERSION"), "1.0.0");
}
