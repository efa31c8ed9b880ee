//! A last word for a host that runs plugins in its own process.

use std::fs::File;
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::ptr;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

/// What is written if the process ends before its time, and with which code it ends.
struct Will {
    to: i32,
    reply: &'static [u8],
    code: i32,
}

static WILL: AtomicPtr<Will> = AtomicPtr::new(ptr::null_mut());

/// Somebody is executing the will.
static SPEAKING: AtomicBool = AtomicBool::new(false);

/// While it lives, a process that a plugin ends by `exit`, a crash or an abort first writes a
/// prepared reply and ends with a prepared code. It also keeps standard output for the host alone:
/// what a plugin prints goes to standard error, and the host writes by [`Guard::stdout`].
///
/// It cannot help against `_exit`, SIGKILL, or a stack overflow on a thread that the plugin started
/// itself.
#[derive(Debug)]
pub struct Guard {
    stdout: File,
}

impl Guard {
    /// Prepares a reply and an exit code. The reply must be a deny or a question, never an allow.
    ///
    /// # Errors
    /// When standard output cannot be moved away.
    pub fn arm(reply: Vec<u8>, code: i32) -> std::io::Result<Self> {
        let stdout: OwnedFd = std::io::stdout().as_fd().try_clone_to_owned()?;
        nix::unistd::dup2_stdout(std::io::stderr().as_fd())?;
        prepare(stdout.as_raw_fd(), reply, code);
        install();
        Ok(Self {
            stdout: File::from(stdout),
        })
    }

    /// What was standard output.
    pub fn stdout(&self) -> &File {
        &self.stdout
    }

    /// From now on an early end writes nothing, and is in this code: for a host that writes its own
    /// answer, so that there are never two.
    pub fn answering(&self, code: i32) {
        prepare(self.stdout.as_raw_fd(), Vec::new(), code);
    }

    /// Ends the process at once. No exit handler and no destructor of a plugin runs any more, which
    /// could hang or change the code.
    #[expect(unsafe_code, reason = "the one way to end without exit handlers")]
    pub fn end(self, code: i32) -> ! {
        // SAFETY: ends the process.
        unsafe { libc::_exit(code) }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        WILL.store(ptr::null_mut(), Ordering::Release);
    }
}

fn prepare(to: i32, reply: Vec<u8>, code: i32) {
    let will = Box::leak(Box::new(Will {
        to,
        reply: reply.leak(),
        code,
    }));
    WILL.store(will, Ordering::Release);
}

#[expect(unsafe_code, reason = "a function of the C library")]
unsafe extern "C" {
    /// C11's; not in libc's crate.
    fn at_quick_exit(handler: extern "C" fn()) -> libc::c_int;
}

#[expect(
    unsafe_code,
    reason = "exit handlers and signal handlers are the system's own"
)]
fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        // SAFETY: the handler is a plain function that lives as long as the program.
        let _refused = unsafe { libc::atexit(at_exit) };
        // SAFETY: as above.
        let _refused_too = unsafe { at_quick_exit(at_exit) };
        for signal in [
            libc::SIGSEGV,
            libc::SIGBUS,
            libc::SIGABRT,
            libc::SIGILL,
            libc::SIGFPE,
            libc::SIGTRAP,
            libc::SIGSYS,
        ] {
            // SAFETY: all zeros is a valid value of this plain structure.
            let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
            action.sa_sigaction = at_signal as *const () as usize;
            // A stack overflow leaves no room on the thread's own stack; Rust's threads have another.
            action.sa_flags = libc::SA_ONSTACK | libc::SA_NODEFER;
            // SAFETY: the action is initialised, and its handler does only what a handler may.
            let _refused = unsafe { libc::sigaction(signal, &raw const action, ptr::null_mut()) };
        }
    });
}

extern "C" fn at_exit() {
    speak();
}

#[expect(unsafe_code, reason = "the one way to end by a signal")]
extern "C" fn at_signal(signal: i32) {
    speak();
    // Nothing was prepared: end as the signal would have.
    // SAFETY: signal may be called in a handler.
    let _before = unsafe { libc::signal(signal, libc::SIG_DFL) };
    // SAFETY: raise may be called in a handler.
    let _there_is_no_more = unsafe { libc::raise(signal) };
}

/// Writes the reply and ends. Only what a signal handler may do: no lock, no allocation.
#[expect(unsafe_code, reason = "only system calls may be made here")]
fn speak() {
    let will = WILL.load(Ordering::Acquire);
    // SAFETY: null, or leaked by `prepare` and so valid for ever.
    let Some(will) = (unsafe { will.as_ref() }) else {
        return;
    };
    if SPEAKING.swap(true, Ordering::AcqRel) {
        // Another thread is at it, or this one crashed while it was; either ends the process, and
        // one that cannot is ended by whoever waits for it.
        loop {
            // SAFETY: it waits.
            unsafe { libc::pause() };
        }
    }
    let mut rest = will.reply;
    while !rest.is_empty() {
        // SAFETY: pointer and length are those of a live slice.
        let written = unsafe { libc::write(will.to, rest.as_ptr().cast(), rest.len()) };
        match usize::try_from(written)
            .ok()
            .and_then(|written| rest.get(written..))
        {
            Some(left) if left.len() < rest.len() => rest = left,
            _ => break,
        }
    }
    // SAFETY: ends the process; no code of the plugin runs any more.
    unsafe { libc::_exit(will.code) }
}
