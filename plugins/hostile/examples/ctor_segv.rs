//! Crashes while it is loaded.

#![expect(unsafe_code, reason = "a constructor is a pointer in a section")]

#[macro_use]
#[path = "common/constructor.rs"]
mod constructor;
#[path = "common/good.rs"]
mod good;

constructor!({
    let nowhere = std::ptr::without_provenance_mut::<u8>(8);
    // SAFETY: none; the fault is wanted.
    unsafe { nowhere.write_volatile(1) };
});

countersign_reviewers::reviewer_plugin!(good::Good);
