//! What only the operating system can do, and what never ends.

use std::hint::{black_box, spin_loop};

const PAGE: usize = 4096;

pub(crate) fn spin() -> ! {
    loop {
        spin_loop();
    }
}

pub(crate) fn hang() -> ! {
    loop {
        std::thread::park();
    }
}

/// Stops every thread of the process, until somebody lets it go on.
pub(crate) fn stop() {
    // SAFETY: a signal to this process.
    unsafe { libc::raise(libc::SIGSTOP) };
}

/// Ends the process without running what was registered for its end.
pub(crate) fn exit_now(code: i32) -> ! {
    // SAFETY: it takes a number and does not come back.
    unsafe { libc::_exit(code) }
}

pub(crate) fn segv() {
    let nowhere = std::ptr::without_provenance_mut::<u8>(8);
    // SAFETY: none; the fault is wanted, and the volatile write is not removed.
    unsafe { nowhere.write_volatile(black_box(1)) };
}

/// Ends when the stack does.
pub(crate) fn overflow(depth: u64) -> u64 {
    let frame = black_box([depth; 512]);
    if depth == u64::MAX {
        return 0;
    }
    black_box(overflow(depth + 1)).wrapping_add(frame.iter().sum())
}

/// Takes memory and uses every page of it, without end.
pub(crate) fn eat_memory() -> ! {
    loop {
        let mut block = vec![0_u8; 16 << 20];
        block.iter_mut().step_by(PAGE).for_each(|byte| *byte = 1);
        std::mem::forget(black_box(block));
    }
}

/// Writes all of it, or as much as the file takes.
pub(crate) fn write_all(file: i32, bytes: &[u8]) {
    let mut rest = bytes;
    while !rest.is_empty() {
        // SAFETY: the pointer and the length are those of a slice.
        let written = unsafe { libc::write(file, rest.as_ptr().cast(), rest.len()) };
        match usize::try_from(written) {
            Ok(written) if written > 0 => rest = rest.get(written..).unwrap_or_default(),
            _ => break,
        }
    }
}

pub(crate) fn close(file: i32) {
    // SAFETY: it takes a number. That the file belongs to somebody else is the point.
    unsafe { libc::close(file) };
}

/// A child that holds every file of this process for an hour.
pub(crate) fn fork_sleeper() {
    // SAFETY: the child calls nothing but what may be called there.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // SAFETY: it takes a number.
        unsafe { libc::sleep(3600) };
        exit_now(0);
    }
}

/// A process of its own session, which sleeps with every file of this one open.
#[expect(
    clippy::multiple_unsafe_ops_per_block,
    reason = "one act, told in one go"
)]
pub(crate) fn fork_sleeper_elsewhere() {
    // SAFETY: the child only calls what may be called after a fork.
    unsafe {
        if libc::fork() == 0 {
            libc::setsid();
            libc::sleep(5);
            libc::_exit(0);
        }
    }
}

/// Joins a process group of another process, where the system allows it.
#[expect(
    clippy::multiple_unsafe_ops_per_block,
    reason = "one act, told in one go"
)]
pub(crate) fn leave_group() {
    // SAFETY: the child only calls what may be called after a fork.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            libc::setpgid(0, 0);
            libc::sleep(5);
            libc::_exit(0);
        }
        libc::usleep(50_000);
        libc::setpgid(0, child);
    }
}
