//! Says that it is a plugin, and exports no module.

#![expect(unsafe_code, reason = "a section of one's own")]

#[macro_use]
#[path = "../src/section.rs"]
mod section;

section!(countersign_reviewers::plugin::manifest::section(
    "hostile",
    "0.0.0",
    "",
    &[],
    false
));
