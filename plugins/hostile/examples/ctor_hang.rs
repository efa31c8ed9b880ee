//! Never comes back from being loaded.

#![expect(unsafe_code, reason = "a constructor is a pointer in a section")]

#[macro_use]
#[path = "common/constructor.rs"]
mod constructor;
#[path = "common/good.rs"]
mod good;

constructor!({
    loop {
        std::thread::park();
    }
});

countersign_reviewers::reviewer_plugin!(good::Good);
