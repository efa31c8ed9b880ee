//! A plugin in a process of its own, seen from the host.

use super::ends::{Ends, Step, Watch};
use super::frame::{self, Arrival, Frame, Kind, MAX_TO_HOST, PROTOCOL, Reader};
use super::plugin::Running;
use super::runner::{Hello, RUNNER_ARGUMENT, Refusal, Wire, call_head};
use super::{Image, LoadErrorKind, Settings, handover};
use crate::wire;
use countersign_abi::AbiError;
use countersign_core::{FailureKind, ReviewFailure};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::time::TimeSpec;
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use std::collections::HashMap;
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{ChildStderr, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// How often a waiting caller looks whether the process died or the call was cancelled. What arrives
/// wakes it at once.
const LOOK: Duration = Duration::from_millis(20);

/// How much of what a plugin prints is kept, in bytes.
const MAX_PRINTED: usize = 16 << 10;

/// How long an exit status is waited for once the socket has closed.
const REAP: Duration = Duration::from_millis(50);

/// The process of one plugin.
pub(super) struct Child {
    process: Mutex<std::process::Child>,
    pid: Pid,
    /// Takes one call at a time.
    calls: Mutex<UnixStream>,
    /// Takes cancellations, and calls while another one is under way.
    control: Mutex<UnixStream>,
    reader: Mutex<Reader<UnixStream>>,
    state: Mutex<State>,
    changed: Condvar,
    printed: Arc<Mutex<Vec<u8>>>,
}

#[derive(Default)]
struct State {
    /// Replies that arrived for calls other than the reader's own.
    replies: HashMap<u64, Option<Frame>>,
    /// The call that was sent by the first socket and is not answered.
    under_way: Option<u64>,
    /// Some caller is reading for all.
    reading: bool,
    dead: Option<ReviewFailure>,
}

impl Child {
    /// Starts the process and waits until the plugin is ready.
    pub(super) fn start(
        image: &Image,
        settings: &Settings,
        until: Instant,
        ends: &Ends<'_>,
    ) -> Result<Self, LoadErrorKind> {
        let io = |error: std::io::Error| LoadErrorKind::Start(error.to_string());
        let (calls, its_calls) = UnixStream::pair().map_err(io)?;
        let (control, its_control) = UnixStream::pair().map_err(io)?;
        for ours in [&calls, &control] {
            // Nothing that the other side does, or leaves half done, may hold a caller up.
            ours.set_nonblocking(true).map_err(io)?;
        }
        let itself = Path::new("/proc/self/exe");
        let mut process = Command::new(settings.runner.as_deref().unwrap_or(itself))
            .arg0(format!("countersign-plugin-{}", image.manifest().name))
            .arg(RUNNER_ARGUMENT)
            .env_clear()
            .envs(settings.granted(image.manifest()))
            .current_dir("/")
            .stdin(OwnedFd::from(its_calls))
            .stdout(OwnedFd::from(its_control))
            .stderr(Stdio::piped())
            .spawn()
            .map_err(io)?;
        let printed = Arc::default();
        if let Some(stderr) = process.stderr.take() {
            keep(stderr, &printed);
        }
        let child = Self {
            pid: Pid::from_raw(i32::try_from(process.id()).unwrap_or(i32::MAX)),
            process: Mutex::new(process),
            calls: Mutex::new(calls.try_clone().map_err(io)?),
            control: Mutex::new(control),
            reader: Mutex::new(Reader::new(calls, MAX_TO_HOST)),
            state: Mutex::default(),
            changed: Condvar::new(),
            printed,
        };
        // A process that ended already is told about when its end is read.
        let _broken_pipe = handover::give(&lock(&child.calls), image.sealed());
        child.greet(image, settings, until, ends)?;
        Ok(child)
    }

    fn greet(
        &self,
        image: &Image,
        settings: &Settings,
        until: Instant,
        ends: &Ends<'_>,
    ) -> Result<(), LoadErrorKind> {
        let began = Instant::now();
        let hello = serde_json::to_vec(&Hello {
            protocol: PROTOCOL,
            manifest: image.manifest().clone(),
            config_json: settings.config.to_string(),
            memory_bytes: settings.memory_bytes,
        })
        .map_err(|error| LoadErrorKind::Start(error.to_string()))?;
        let _broken_pipe = send(&mut lock(&self.calls), Kind::Hello, 0, &[&hello], until);
        let mut reader = lock(&self.reader);
        loop {
            if Instant::now() >= until || ends.is_cancelled() {
                return Err(LoadErrorKind::Late(began.elapsed().as_secs_f64()));
            }
            match read(&mut reader, until) {
                Arrival::Frame(frame) => match frame.kind {
                    Kind::Ready => return Ok(()),
                    Kind::Refused => {
                        let refusal = serde_json::from_slice::<Refusal>(&frame.payload)
                            .map_err(|error| LoadErrorKind::Start(error.to_string()))?;
                        return Err(refusal.into());
                    }
                    Kind::Log => log(&frame),
                    _ => return Err(LoadErrorKind::Start("it broke the protocol".to_owned())),
                },
                Arrival::TimedOut if self.has_ended() => {
                    return Err(LoadErrorKind::Start(self.end()));
                }
                Arrival::TimedOut => {}
                Arrival::Ended => return Err(LoadErrorKind::Start(self.end())),
                Arrival::Broken(what) => {
                    return Err(LoadErrorKind::Start(format!("it sent {what}")));
                }
            }
        }
    }

    /// The reply to a call, read by whoever of the waiting callers comes first.
    fn reply(&self, call: u64, ends: &Ends<'_>) -> Result<Frame, ReviewFailure> {
        let mut watch = Watch::of(ends);
        let mut state = lock(&self.state);
        loop {
            if let Some(frame) = state.replies.get_mut(&call).and_then(Option::take) {
                state.replies.remove(&call);
                return Ok(frame);
            }
            if let Some(dead) = &state.dead {
                return Err(dead.clone());
            }
            let until = match watch.next() {
                Step::Wait(until) => until,
                Step::Tell(until) => {
                    // Where somebody else is sending still, it is ended without having been told.
                    if let Ok(mut control) = self.control.try_lock() {
                        let now = Instant::now();
                        let _noticed_when_read = send(&mut control, Kind::Cancel, call, &[], now);
                    }
                    until
                }
                Step::GiveUp => {
                    drop(state);
                    return Err(self.kill_for(ends));
                }
            };
            state = if state.reading {
                let wait = until.saturating_duration_since(Instant::now()).min(LOOK);
                self.changed
                    .wait_timeout(state, wait)
                    .unwrap_or_else(PoisonError::into_inner)
                    .0
            } else {
                state.reading = true;
                drop(state);
                let read = read(&mut lock(&self.reader), until);
                let mut state = lock(&self.state);
                state.reading = false;
                self.take_in(&mut state, read);
                self.changed.notify_all();
                state
            };
        }
    }

    fn take_in(&self, state: &mut State, read: Arrival) {
        let dead = match read {
            Arrival::Frame(frame) if matches!(frame.kind, Kind::Reply | Kind::Error) => {
                if state.under_way == Some(frame.call) {
                    state.under_way = None;
                }
                // A reply that nobody waits for any more is dropped.
                if let Some(place) = state.replies.get_mut(&frame.call) {
                    *place = Some(frame);
                }
                return;
            }
            Arrival::Frame(frame) if frame.kind == Kind::Log => {
                log(&frame);
                return;
            }
            Arrival::TimedOut if !self.has_ended() => return,
            Arrival::TimedOut | Arrival::Ended => {
                ReviewFailure::new(FailureKind::Crashed, self.end()).retryable()
            }
            Arrival::Frame(_) => broken("it sent a frame that only a host sends"),
            Arrival::Broken(what) => broken(&format!("it sent {what}")),
        };
        state.dead.get_or_insert(dead);
        self.kill();
    }

    /// Ends the process because it did not end the call itself.
    fn kill_for(&self, ends: &Ends<'_>) -> ReviewFailure {
        self.kill();
        lock(&self.state).dead.get_or_insert_with(|| {
            ReviewFailure::new(
                FailureKind::Crashed,
                "its process was ended because another call got no answer",
            )
            .retryable()
        });
        self.changed.notify_all();
        ends.failure("its process was ended")
    }

    fn kill(&self) {
        // Its session's group too: a plugin may have started programs of its own. It is reaped only
        // when it is dropped, so neither number can be another process's.
        let _gone_already = killpg(self.pid, Signal::SIGKILL);
        let _gone_too = kill(self.pid, Signal::SIGKILL);
    }

    fn has_ended(&self) -> bool {
        self.status().is_some()
    }

    /// How it ended, if it did. It is not reaped before it is dropped, so that its number cannot
    /// become another process's, which would then be killed in its stead.
    fn status(&self) -> Option<WaitStatus> {
        let look = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        match waitid(Id::Pid(self.pid), look) {
            Ok(WaitStatus::StillAlive) | Err(_) => None,
            Ok(status) => Some(status),
        }
    }

    /// How it ended, in words. A process that closed the socket and goes on is ended here.
    fn end(&self) -> String {
        let give_up = Instant::now() + REAP;
        let mut status = self.status();
        while status.is_none() && Instant::now() < give_up {
            std::thread::sleep(Duration::from_millis(1));
            status = self.status();
        }
        self.kill();
        tracing::debug!(target: "plugin", printed = %self.printed(), "its process ended");
        status.map_or_else(
            || "its process closed the connection".to_owned(),
            |status| ended(&status),
        )
    }
}

impl Running for Child {
    fn call(
        &self,
        call: u64,
        name: &str,
        payload: &[u8],
        ends: &Ends<'_>,
    ) -> Result<Vec<u8>, ReviewFailure> {
        let head = call_head(name, ends.told_ms());
        let by = {
            let mut state = lock(&self.state);
            state.replies.insert(call, None);
            if state.under_way.is_some() {
                &self.control
            } else {
                state.under_way = Some(call);
                &self.calls
            }
        };
        let Some(mut to) = lock_until(by, ends.hard) else {
            lock(&self.state).replies.remove(&call);
            return Err(ends.failure("its process takes no calls"));
        };
        let sent = send(&mut to, Kind::Call, call, &[&head, payload], ends.hard);
        drop(to);
        if sent.is_err() {
            // Half a frame may have been sent, so there is no going on; how it ended is read below.
            self.kill();
        }
        let reply = self.reply(call, ends);
        lock(&self.state).replies.remove(&call);
        let frame = reply?;
        if frame.kind == Kind::Reply {
            return Ok(frame.payload);
        }
        let error: AbiError = serde_json::from_slice::<Wire>(&frame.payload)
            .map_err(|error| broken(&error.to_string()))?
            .into();
        Err(ends.judge(wire::failure(&error)))
    }

    fn is_dead(&self) -> bool {
        lock(&self.state).dead.is_some()
    }

    fn printed(&self) -> String {
        String::from_utf8_lossy(&lock(&self.printed)).into_owned()
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
        let give_up = Instant::now() + REAP;
        let mut process = lock(&self.process);
        while let Ok(None) = process.try_wait() {
            if Instant::now() >= give_up {
                // Something holds it, a debugger for one. It is reaped with this program.
                return;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    }
}

/// Sends a frame whole, or not at all once the time is over.
fn send(
    to: &mut UnixStream,
    kind: Kind,
    call: u64,
    parts: &[&[u8]],
    until: Instant,
) -> std::io::Result<()> {
    let bytes = frame::encode(kind, call, parts)?;
    let mut rest = bytes.as_slice();
    while !rest.is_empty() {
        match to.write(rest) {
            Ok(written) => rest = rest.get(written..).unwrap_or_default(),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock && Instant::now() < until => {
                wait_for(to, PollFlags::POLLOUT, until)?;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Waits a short while at most; whether what was waited for is there.
fn wait_for(socket: &UnixStream, what: PollFlags, until: Instant) -> std::io::Result<bool> {
    let wait = until.saturating_duration_since(Instant::now()).min(LOOK);
    let wait = TimeSpec::from_duration(wait);
    match ppoll(&mut [PollFd::new(socket.as_fd(), what)], Some(wait), None) {
        Ok(ready) => Ok(ready > 0),
        Err(Errno::EINTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Reads what there is by then, waiting a short while at most.
fn read(reader: &mut Reader<UnixStream>, until: Instant) -> Arrival {
    if let Some(read) = reader.at_hand() {
        return read;
    }
    match wait_for(reader.source(), PollFlags::POLLIN, until) {
        Ok(true) => reader.next(),
        Ok(false) => Arrival::TimedOut,
        Err(_) => Arrival::Ended,
    }
}

fn broken(what: &str) -> ReviewFailure {
    ReviewFailure::new(FailureKind::Malformed, what)
}

fn ended(status: &WaitStatus) -> String {
    match status {
        WaitStatus::Signaled(_, signal, _) => format!("its process was ended by {signal}"),
        WaitStatus::Exited(_, code) => format!("its process ended with code {code}"),
        _ => "its process ended".to_owned(),
    }
}

fn log(frame: &Frame) {
    let Some((&level, message)) = frame.payload.split_first() else {
        return;
    };
    super::plugin::log(level, &wire::message(&String::from_utf8_lossy(message)));
}

/// Keeps the beginning of what a plugin prints, and lets the rest go, so that it never waits.
fn keep(mut stderr: ChildStderr, printed: &Arc<Mutex<Vec<u8>>>) {
    let printed = Arc::clone(printed);
    let _goes_on_without = std::thread::Builder::new().spawn(move || {
        let mut chunk = [0; 4096];
        while let Ok(read @ 1..) = stderr.read(&mut chunk) {
            let mut printed = lock(&printed);
            let room = MAX_PRINTED.saturating_sub(printed.len()).min(read);
            printed.extend_from_slice(chunk.get(..room).unwrap_or_default());
        }
    });
}

/// A lock that somebody may hold for longer than there is time.
fn lock_until<T>(mutex: &Mutex<T>, until: Instant) -> Option<MutexGuard<'_, T>> {
    loop {
        match mutex.try_lock() {
            Ok(guard) => return Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if Instant::now() >= until => return None,
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
