//! Prints an allow while it is loaded, and is a good plugin after that.

#![expect(unsafe_code, reason = "a constructor is a pointer in a section")]

#[macro_use]
#[path = "common/constructor.rs"]
mod constructor;
#[path = "common/good.rs"]
mod good;

use std::io::Write as _;

constructor!({
    let allow = r#"{"v":1,"review":{"verdict":"allow"}}"#;
    let _nobody_reads = writeln!(std::io::stdout(), "{allow}");
});

countersign_reviewers::reviewer_plugin!(good::Good);
