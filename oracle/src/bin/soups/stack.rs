//! A small stack, and finding the input that needed more.

use crate::{Inputs, show};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;

/// All the stack that lexing may use.
pub(crate) const SIZE: usize = 64 << 10;

/// The first argument of a child that lexes.
pub(crate) const CHILD: &str = "--child";

/// The first argument of a child that overflows its stack.
pub(crate) const RECURSE: &str = "--recurse";

/// Runs something on a thread with the small stack.
pub(crate) fn on_small_stack<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    on_stack(SIZE, work)
}

fn on_stack<T: Send + 'static>(
    size: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    thread::Builder::new()
        .stack_size(size)
        .spawn(work)
        .map_err(|error| format!("cannot start a thread: {error}"))?
        .join()
        .map_err(|_| "a thread panicked; its message stands above".to_owned())
}

/// Checks that the guard is real: a child that needs twice the stack must die.
pub(crate) fn guard_is_hit() -> Result<(), String> {
    let status = this_program(&[RECURSE.to_owned()], Stdio::null())?;
    match (status.signal(), status.code()) {
        (Some(_), _) => Ok(()),
        (None, code) => Err(format!(
            "a thread used twice its stack and went on (exit code {code:?}), so the stack is not \
             measured; look at `on_stack`"
        )),
    }
}

/// Uses twice the small stack: first on a large one, where it must succeed.
pub(crate) fn recurse() -> Result<(), String> {
    let deep = || frame(2 * SIZE / FRAME);
    on_stack(8 * SIZE, deep)?;
    on_stack(SIZE, deep)?;
    Ok(())
}

const FRAME: usize = 1 << 10;

fn frame(more: usize) -> u8 {
    let bytes = std::hint::black_box([1_u8; FRAME]);
    let below = if more == 0 { 0 } else { frame(more - 1) };
    std::hint::black_box(&bytes)
        .first()
        .map_or(below, |byte| byte ^ below)
}

/// Lexes the inputs in a child. If it dies, halves the inputs until one is left.
pub(crate) fn supervise(inputs: Inputs) -> Result<(), String> {
    let status = lex_in_child(inputs, Stdio::inherit())?;
    let Some(signal) = status.signal() else {
        return if status.success() {
            Ok(())
        } else {
            Err("an input broke a promise".to_owned())
        };
    };
    let mut suspects = inputs;
    while suspects.count > 1 {
        let mut half = suspects;
        half.count = suspects.count / 2;
        if lex_in_child(half, Stdio::null())?.signal().is_none() {
            half.first += half.count;
            half.count = suspects.count - half.count;
        }
        suspects = half;
    }
    Err(format!(
        "signal {signal}, which means that the stack of {} KiB was too small, on input {}: {}",
        SIZE >> 10,
        suspects.first,
        show(&suspects.make(suspects.first))
    ))
}

fn lex_in_child(inputs: Inputs, out: Stdio) -> Result<ExitStatus, String> {
    let args = [&[CHILD.to_owned()][..], &inputs.to_args()].concat();
    this_program(&args, out)
}

fn this_program(args: &[String], out: Stdio) -> Result<ExitStatus, String> {
    let quiet = args.first().is_some_and(|arg| arg == RECURSE);
    let program = std::env::current_exe().map_err(|error| format!("no own path: {error}"))?;
    Command::new(program)
        .args(args)
        .stdout(out)
        .stderr(if quiet {
            Stdio::null()
        } else {
            Stdio::inherit()
        })
        .status()
        .map_err(|error| format!("cannot start itself: {error}"))
}
