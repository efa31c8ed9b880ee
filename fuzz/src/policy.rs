//! Lists what the input would run, wrappers and nested shells included.
#![no_main]

use countersign_core::Facts;
use countersign_policy::expand;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static FACTS: LazyLock<Facts> =
    LazyLock::new(|| Facts::virtual_at("/home/user", &["/home/user/work"]));

fuzz_target!(|source: &[u8]| {
    std::hint::black_box(expand(source, "/home/user/work", &FACTS));
});
