use crate::good::Good;
use countersign_reviewers::plugin::manifest::{Section, section};
use countersign_reviewers::plugin::{__create, __extension, ReviewerPlugin, abi};

/// The manifest of a plugin that nothing is wrong with.
pub(crate) const MANIFEST: Section = section(Good::NAME, "0.0.0", "", Good::ENV, Good::NETWORK);

/// The module of a plugin that nothing is wrong with.
pub(crate) fn module() -> abi::Module {
    static TEXT: Section = MANIFEST;
    abi::Module {
        abi: abi::ABI,
        panic_unwind: true,
        manifest_json: abi::RStr::from_str(core::str::from_utf8(&TEXT).unwrap_or_default()),
        create: __create::<Good>,
        extension: __extension,
    }
}
