//! The child process that a plugin runs in.
//!
//! Its standard input and output are two sockets to the host. By the first come calls, one at a time,
//! and all replies go back there; by the second come cancellations, and calls made while another one
//! is under way. So a lone call costs no hand-over between threads, and a cancellation is always
//! heard. The library comes by the first as an open file.
//!
//! Both are moved away before any code of the plugin runs: what a plugin reads from standard input is
//! empty, and what it prints goes to standard error, which the host keeps apart.

use super::frame::{self, Arrival, Frame, Kind, MAX_TO_HOST, MAX_TO_RUNNER, PROTOCOL, Reader};
use super::service::Service;
use super::{LoadErrorKind, handover, library};
use crate::Manifest;
use countersign_abi::{
    AbiError, CallCtx, Code, InstanceBox, MAX_REPLY, ModuleError, RResult, RSlice, RStr, RVec,
};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Write as _;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// How long calls may take to end once the host is gone.
const WIND_UP: Duration = Duration::from_secs(1);

/// The first argument that makes a program a runner.
pub const RUNNER_ARGUMENT: &str = "countersign-plugin-runner";

/// Call this first in `main` of a host that runs plugins in child processes: those processes are
/// the same program, started with [`RUNNER_ARGUMENT`]. Returns in every other process.
pub fn become_runner_if_asked() {
    if std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == RUNNER_ARGUMENT)
    {
        let code = match run() {
            Ok(()) => 0,
            Err(problem) => {
                let _unheard = writeln!(std::io::stderr(), "plugin runner: {problem}");
                70
            }
        };
        std::process::exit(code);
    }
}

/// How to start.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Hello {
    pub(super) protocol: u32,
    pub(super) manifest: Manifest,
    pub(super) config_json: String,
    pub(super) memory_bytes: u64,
}

/// Why a plugin was not started, as it travels.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Refusal {
    Layout { summary: String, full: String },
    TwoFaced(String),
    Dl(String),
    Create(Wire),
}

/// An error of the interface, as it travels.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Wire {
    code: u32,
    retryable: bool,
    message: String,
    detail: String,
}

impl From<&AbiError> for Wire {
    fn from(error: &AbiError) -> Self {
        Self {
            code: error.code,
            retryable: error.retryable,
            message: error.message.to_string(),
            detail: error.detail_json.to_string(),
        }
    }
}

impl From<Wire> for AbiError {
    fn from(wire: Wire) -> Self {
        Self {
            code: wire.code,
            retryable: wire.retryable,
            message: wire.message.into(),
            detail_json: wire.detail.into(),
        }
    }
}

impl From<LoadErrorKind> for Refusal {
    fn from(kind: LoadErrorKind) -> Self {
        match kind {
            LoadErrorKind::Layout(ModuleError { summary, full }) => Self::Layout { summary, full },
            LoadErrorKind::TwoFaced(what) => Self::TwoFaced(what),
            LoadErrorKind::Create(error) => Self::Create(Wire::from(&error)),
            LoadErrorKind::Dl(text) => Self::Dl(text),
            other => Self::Dl(other.to_string()),
        }
    }
}

impl From<Refusal> for LoadErrorKind {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Layout { summary, full } => Self::Layout(ModuleError { summary, full }),
            Refusal::TwoFaced(what) => Self::TwoFaced(what),
            Refusal::Create(wire) => Self::Create(wire.into()),
            Refusal::Dl(text) => Self::Dl(text),
        }
    }
}

fn run() -> Result<(), String> {
    let said = |what: &'static str| move |error: nix::Error| format!("{what}: {error}");
    let io = |what: &'static str| move |error: std::io::Error| format!("{what}: {error}");
    // A session of its own, which a process cannot leave as its leader: so it can always be found
    // and ended with all that it started, and has no terminal.
    nix::unistd::setsid().map_err(said("no session of its own"))?;
    setrlimit(Resource::RLIMIT_CORE, 0, 0).map_err(said("no limit on core files"))?;
    close_inherited();
    let (calls, control) = take_over_streams().map_err(io("the streams"))?;
    let library = handover::take(&calls).map_err(io("the library"))?;
    let writer = calls.try_clone().map_err(io("the socket"))?;
    let mut calls = Reader::new(calls, MAX_TO_RUNNER);
    let hello = match calls.next() {
        Arrival::Frame(Frame {
            kind: Kind::Hello,
            payload,
            ..
        }) => serde_json::from_slice::<Hello>(&payload).map_err(|error| error.to_string())?,
        other => return Err(format!("no greeting but {other:?}")),
    };
    if hello.protocol != PROTOCOL {
        return Err(format!(
            "the host speaks protocol {}, not {PROTOCOL}",
            hello.protocol
        ));
    }
    limit_memory(hello.memory_bytes).map_err(said("no limit on memory"))?;

    let served = Arc::new(Served::new(writer));
    // Before the library is loaded: a constructor that never returns keeps new threads from
    // starting, and the host's end must still be noticed.
    let listening = Arc::clone(&served);
    std::thread::Builder::new()
        .spawn(move || listening.listen(Reader::new(control, MAX_TO_RUNNER)))
        .map_err(io("a thread"))?;
    match start(&served, library, &hello) {
        Ok(instance) => {
            let _first = served.instance.set(instance);
            served.send(Kind::Ready, 0, &[]);
        }
        Err(kind) => {
            let refusal = serde_json::to_vec(&Refusal::from(kind)).map_err(|e| e.to_string())?;
            served.send(Kind::Refused, 0, &[&refusal]);
        }
    }
    served.serve(calls)
}

fn start(served: &Served, library: OwnedFd, hello: &Hello) -> Result<InstanceBox, LoadErrorKind> {
    let module = library::load(library.as_fd(), &hello.manifest)?;
    drop(library);
    library::create(module, &hello.config_json, served.service.boxed())
}

/// A limit that is in force already may be lower, and stays.
fn limit_memory(bytes: u64) -> nix::Result<()> {
    let (_, most) = getrlimit(Resource::RLIMIT_AS)?;
    let bytes = bytes.min(most);
    setrlimit(Resource::RLIMIT_AS, bytes, bytes)
}

/// Files that the host has open, and did not mean for the plugin.
fn close_inherited() {
    let open: Vec<i32> = std::fs::read_dir("/proc/self/fd")
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|number| *number > 2)
        .collect();
    for number in open {
        // One of them was the listing's own.
        let _closed_already = nix::unistd::close(number);
    }
}

/// The two sockets, moved out of the reach of whoever reads or prints.
fn take_over_streams() -> std::io::Result<(UnixStream, UnixStream)> {
    let calls = std::io::stdin().as_fd().try_clone_to_owned()?;
    let control = std::io::stdout().as_fd().try_clone_to_owned()?;
    nix::unistd::dup2_stdin(File::open("/dev/null")?)?;
    nix::unistd::dup2_stdout(std::io::stderr().as_fd())?;
    Ok((UnixStream::from(calls), UnixStream::from(control)))
}

/// An instance and its host.
struct Served {
    instance: OnceLock<InstanceBox>,
    service: Service,
    writer: Arc<Mutex<UnixStream>>,
    under_way: AtomicUsize,
}

impl Served {
    fn new(writer: UnixStream) -> Self {
        let writer = Arc::new(Mutex::new(writer));
        let log_to = Arc::clone(&writer);
        Self {
            instance: OnceLock::new(),
            service: Service::new(Arc::new(move |level, _target, message| {
                send(&log_to, Kind::Log, 0, &[&[level], message.as_bytes()]);
            })),
            writer,
            under_way: AtomicUsize::new(0),
        }
    }

    /// Answers one call after the other.
    fn serve(&self, mut calls: Reader<UnixStream>) -> ! {
        loop {
            match calls.next() {
                Arrival::Frame(frame) if frame.kind == Kind::Call => self.work(&frame),
                Arrival::Frame(_) | Arrival::TimedOut => {}
                Arrival::Ended | Arrival::Broken(_) => self.wind_up(),
            }
        }
    }

    /// Takes cancellations, and calls that are made while another one is under way.
    fn listen(self: Arc<Self>, mut control: Reader<UnixStream>) {
        loop {
            match control.next() {
                Arrival::Frame(frame) if frame.kind == Kind::Cancel => {
                    self.service.cancel(frame.call);
                }
                Arrival::Frame(frame) if frame.kind == Kind::Call => {
                    let (also, call) = (Arc::clone(&self), frame.call);
                    let started = std::thread::Builder::new().spawn(move || also.work(&frame));
                    if let Err(error) = started {
                        self.refuse(call, &AbiError::new(Code::FAILED, error.to_string()));
                    }
                }
                Arrival::Frame(_) | Arrival::TimedOut => {}
                Arrival::Ended | Arrival::Broken(_) => self.wind_up(),
            }
        }
    }

    /// The host is gone. Calls under way get a moment to end what they started, programs of their
    /// own for one, and no chance to hold this up.
    fn wind_up(&self) -> ! {
        self.service.cancel_all();
        let last = Instant::now() + WIND_UP;
        while self.under_way.load(Ordering::Acquire) > 0 && Instant::now() < last {
            std::thread::sleep(Duration::from_millis(5));
        }
        die()
    }

    fn work(&self, frame: &Frame) {
        self.under_way.fetch_add(1, Ordering::AcqRel);
        match self.operate(frame) {
            Ok(reply) => self.send(Kind::Reply, frame.call, &[reply.as_slice()]),
            Err(error) => self.refuse(frame.call, &error),
        }
        self.service.forget(frame.call);
        self.under_way.fetch_sub(1, Ordering::AcqRel);
    }

    fn refuse(&self, call: u64, error: &AbiError) {
        let error = serde_json::to_vec(&Wire::from(error)).unwrap_or_default();
        self.send(Kind::Error, call, &[&error]);
    }

    fn operate(&self, frame: &Frame) -> Result<RVec<u8>, AbiError> {
        let (name, remaining_ms, payload) = call_parts(&frame.payload)
            .ok_or_else(|| AbiError::new(Code::PROTOCOL, "the call has no name or time"))?;
        let instance = self
            .instance
            .get()
            .ok_or_else(|| AbiError::new(Code::FAILED, "it has not started"))?;
        let ctx = CallCtx::new(frame.call, remaining_ms);
        match instance.call(RStr::from_str(name), RSlice::from_slice(payload), &ctx) {
            RResult::ROk(reply) if reply.len() > MAX_REPLY => Err(AbiError::new(
                Code::PROTOCOL,
                format!(
                    "its reply has {} bytes, and {MAX_REPLY} are the most",
                    reply.len()
                ),
            )),
            RResult::ROk(reply) => Ok(reply),
            RResult::RErr(error) => Err(error),
        }
    }

    fn send(&self, kind: Kind, call: u64, parts: &[&[u8]]) {
        send(&self.writer, kind, call, parts);
    }
}

fn send(writer: &Mutex<UnixStream>, kind: Kind, call: u64, parts: &[&[u8]]) {
    let parts: Vec<&[u8]> = parts
        .iter()
        .map(|part| part.get(..part.len().min(MAX_TO_HOST)).unwrap_or_default())
        .collect();
    let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
    let sent = frame::encode(kind, call, &parts).and_then(|bytes| writer.write_all(&bytes));
    if sent.is_err() {
        die();
    }
}

/// The parts of a call's payload: the operation, the time, what goes to it.
pub(super) fn call_head(name: &str, remaining_ms: u64) -> Vec<u8> {
    let mut head = remaining_ms.to_le_bytes().to_vec();
    head.push(u8::try_from(name.len()).unwrap_or(u8::MAX));
    head.extend(name.bytes().take(usize::from(u8::MAX)));
    head
}

fn call_parts(payload: &[u8]) -> Option<(&str, u64, &[u8])> {
    let (ms, rest) = payload.split_first_chunk::<8>()?;
    let (&len, rest) = rest.split_first()?;
    let (name, rest) = rest.split_at_checked(usize::from(len))?;
    Some((
        std::str::from_utf8(name).ok()?,
        u64::from_le_bytes(*ms),
        rest,
    ))
}

/// Ends at once: no destructor, no exit handler of the plugin's.
fn die() -> ! {
    loop {
        let _there_is_no_more = kill(Pid::this(), Signal::SIGKILL);
    }
}
