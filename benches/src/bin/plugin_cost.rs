//! What a plugin costs: a call through the interface beside the same call made directly, a call of
//! a child process, starting one, loading its file safely, and how late a hanging one is noticed.
#![expect(clippy::print_stdout, reason = "a program for a terminal")]

use countersign_bench::{facts, tiny::Tiny};
use countersign_core::{Case, Judgement, Request, ReviewContext, ReviewFailure, Reviewer};
use countersign_reviewers::load::{
    Checks, Image, Isolation, Pin, Plugin, Settings, become_runner_if_asked,
};
use countersign_reviewers::plugin::abi::{
    AbiError, CallCtx, Host, Host_TO, HostBox, Instance, Instance_TO, InstanceBox, ROk, RResult,
    RSlice, RStr, RVec, TD_Opaque,
};
use countersign_reviewers::plugin::{Call, Loaded, ReviewerPlugin as _};
use countersign_reviewers::{Monotonic, reply};
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;
use serde_json::json;
use std::hint::black_box;
use std::io::{Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What each figure is held against; none may be worse than twice as much.
const AGAINST: &[(&str, Against)] = &[
    ("empty operation, in process", Against::Prototype(0.021)),
    (
        "small review, in process",
        Against::Figure("the same review, directly"),
    ),
    (
        "child call, p50",
        Against::Figure("bare exchange with a process, p50"),
    ),
    (
        "child call, p99",
        Against::Figure("bare exchange with a process, p99"),
    ),
    ("secure load, 1 MB", Against::Prototype(2_500.0)),
    ("secure load, 4 MB", Against::Prototype(9_000.0)),
    ("spawn to first verdict, p50", Against::Prototype(5_000.0)),
    ("deadline overshoot", Against::Prototype(2_000.0)),
    ("panic to error", Against::Prototype(600.0)),
];

enum Against {
    /// The figure of a measured prototype of this interface on a machine of this kind, in
    /// microseconds.
    Prototype(f64),
    /// Another figure of the same run.
    Figure(&'static str),
}

/// Calls `plugin-cost LIBRARY [RUNS] [most times what it is held to]`, where the library is that of
/// `countersign-plugin-hostile`.
fn main() -> Result<(), String> {
    become_runner_if_asked();
    if std::env::args().nth(1).as_deref() == Some(ECHO) {
        return echo();
    }
    let args: Vec<String> = std::env::args().collect();
    let [_, library, rest @ ..] = args.as_slice() else {
        return Err("usage: plugin-cost LIBRARY [RUNS] [MOST]".to_owned());
    };
    let runs: usize = rest
        .first()
        .map_or(Ok(20), |runs| runs.parse())
        .map_err(|_| "RUNS")?;
    let most: f64 = rest
        .get(1)
        .map_or(Ok(2.0), |most| most.parse())
        .map_err(|_| "MOST")?;
    let bench = Bench {
        library: PathBuf::from(library),
        scratch: scratch()?,
        runs,
    };
    let figures = bench.figures();
    let _left = std::fs::remove_dir_all(&bench.scratch);
    report(&figures?, most)
}

fn report(figures: &Figures, most: f64) -> Result<(), String> {
    let named = |wanted: &str| {
        figures
            .iter()
            .find(|(name, _)| *name == wanted)
            .map(|found| found.1)
    };
    let mut worst: Option<String> = None;
    println!("{:<36}{:>12}{:>12}{:>8}", "", "µs", "held to", "ratio");
    for (name, ours) in figures {
        let against = AGAINST.iter().find(|(known, _)| known == name);
        let held = match against.map(|(_, against)| against) {
            Some(Against::Prototype(figure)) => Some(*figure),
            Some(Against::Figure(other)) => named(other),
            None => None,
        };
        let Some(held) = held else {
            println!("{name:<36}{ours:>12.3}");
            continue;
        };
        let ratio = ours / held;
        println!("{name:<36}{ours:>12.3}{held:>12.3}{ratio:>8.2}");
        if ratio > most {
            worst = Some(format!(
                "{name}: {ratio:.2} times what it is held to, more than {most}"
            ));
        }
    }
    worst.map_or(Ok(()), Err)
}

/// The first argument of the process that answers at once.
const ECHO: &str = "echo";

/// Answers every message with as many bytes as a small reply has.
fn echo() -> Result<(), String> {
    let input = std::io::stdin().as_fd().try_clone_to_owned();
    let mut socket = UnixStream::from(input.map_err(|error| error.to_string())?);
    let mut message = [0; MESSAGE];
    while socket.read_exact(&mut message).is_ok() {
        socket
            .write_all(&[0; ANSWER])
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// The bytes of one message of the bare exchange: about those of a small case.
const MESSAGE: usize = 640;

/// The bytes of its answer.
const ANSWER: usize = 32;

/// The least that asking another process can cost: a process that answers every message at once.
struct Bare {
    socket: UnixStream,
    process: Child,
}

impl Bare {
    fn start() -> Result<Self, String> {
        let (socket, theirs) = UnixStream::pair().map_err(|error| error.to_string())?;
        let process = Command::new("/proc/self/exe")
            .arg(ECHO)
            .stdin(OwnedFd::from(theirs))
            .spawn()
            .map_err(|error| error.to_string())?;
        Ok(Self { socket, process })
    }

    fn exchange(&mut self) -> Result<(), String> {
        let mut reply = [0; ANSWER];
        self.socket
            .write_all(&[0; MESSAGE])
            .and_then(|()| self.socket.read_exact(&mut reply))
            .map_err(|error| error.to_string())
    }

    fn end(mut self) -> Result<(), String> {
        drop(self.socket);
        self.process
            .wait()
            .map(drop)
            .map_err(|error| error.to_string())
    }
}

struct Bench {
    library: PathBuf,
    scratch: PathBuf,
    runs: usize,
}

type Figures = Vec<(&'static str, f64)>;

impl Bench {
    fn figures(&self) -> Result<Figures, String> {
        let mut figures = in_process(self.runs * 5_000)?;
        figures.extend(self.child()?);
        figures.push(("secure load, 1 MB", self.load(1 << 20)?));
        figures.push(("secure load, 4 MB", self.load(4 << 20)?));
        figures.push(("spawn to first verdict, p50", self.spawn()?));
        figures.push(("deadline overshoot", self.overshoot()?));
        figures.push(("panic to error", self.panic()?));
        Ok(figures)
    }

    fn plugin(&self, mode: &str) -> Result<Plugin, String> {
        let image =
            Image::open(&self.copy(0)?, &Checks::any()).map_err(|error| error.to_string())?;
        Plugin::new(image, Settings::with_config(json!({"mode": mode})))
            .map_err(|error| error.to_string())
    }

    /// The library at least this long: what follows the last section of a library means nothing.
    fn copy(&self, len: usize) -> Result<PathBuf, String> {
        let mut bytes = std::fs::read(&self.library).map_err(|error| error.to_string())?;
        bytes.resize(bytes.len().max(len), 0);
        let path = self.scratch.join(format!("{len}.so"));
        write(&path, &bytes)?;
        Ok(path)
    }

    fn child(&self) -> Result<Figures, String> {
        let everywhere = on_one_core()?;
        let figures = self.child_on_one_core();
        sched_setaffinity(Pid::this(), &everywhere).map_err(|error| error.to_string())?;
        figures
    }

    fn child_on_one_core(&self) -> Result<Figures, String> {
        let plugin = self.plugin("empty")?;
        let payload = payload();
        let call = || {
            let limit = Duration::from_secs(10);
            plugin
                .operate("review", &payload, limit, limit, &AtomicBool::new(false))
                .map_err(|failure| failure.to_string())
        };
        let mut bare = Bare::start()?;
        let (mut calls, mut exchanges) = (Vec::new(), Vec::new());
        // In turns, so that whatever else the machine does, and how deeply it sleeps between, meets
        // both.
        for turn in 0..self.runs * 50 {
            for _ in 0..10 {
                let began = Instant::now();
                call()?;
                let called = Instant::now();
                bare.exchange()?;
                if turn >= 20 {
                    calls.push(called - began);
                    exchanges.push(called.elapsed());
                }
            }
        }
        bare.end()?;
        let review = self.plugin("good")?;
        let mut reviews = Vec::new();
        for _ in 0..self.runs * 100 {
            let began = Instant::now();
            ask(&review, Duration::from_secs(10)).map_err(|failure| failure.to_string())?;
            reviews.push(began.elapsed());
        }
        Ok(vec![
            ("child call, p50", percentile(&mut calls, 50)),
            ("child call, p99", percentile(&mut calls, 99)),
            (
                "bare exchange with a process, p50",
                percentile(&mut exchanges, 50),
            ),
            (
                "bare exchange with a process, p99",
                percentile(&mut exchanges, 99),
            ),
            ("child review, p50", percentile(&mut reviews, 50)),
        ])
    }

    /// From the file's name to an instance in this process.
    fn load(&self, len: usize) -> Result<f64, String> {
        let mut times = Vec::new();
        for turn in 0..self.runs {
            // Other bytes each time: a library that is loaded already is not loaded again.
            let path = self.copy(len + turn)?;
            let found = Image::open(&path, &Checks::any()).map_err(|error| error.to_string())?;
            let pin = Pin::Sha256(found.sha256().to_owned());
            drop(found);
            let began = Instant::now();
            let image = Image::open(
                &path,
                &Checks {
                    pin,
                    ..Checks::any()
                },
            )
            .map_err(|error| error.to_string())?;
            let settings = Settings {
                isolation: Isolation::InProcess,
                ..Settings::with_config(json!({"mode": "good"}))
            };
            let plugin = Plugin::new(image, settings).map_err(|error| error.to_string())?;
            plugin
                .health(Duration::from_secs(10))
                .map_err(|failure| failure.to_string())?;
            times.push(began.elapsed());
            std::fs::remove_file(&path).map_err(|error| error.to_string())?;
        }
        Ok(percentile(&mut times, 50))
    }

    fn spawn(&self) -> Result<f64, String> {
        let mut times = Vec::new();
        for _ in 0..self.runs {
            let plugin = self.plugin("good")?;
            let began = Instant::now();
            ask(&plugin, Duration::from_secs(10)).map_err(|failure| failure.to_string())?;
            times.push(began.elapsed());
        }
        Ok(percentile(&mut times, 50))
    }

    /// How long after its deadline a plugin that hangs is given up.
    fn overshoot(&self) -> Result<f64, String> {
        let limit = Duration::from_millis(200);
        let mut times = Vec::new();
        for _ in 0..self.runs.min(10) {
            let plugin = self.plugin("sleep")?;
            let began = Instant::now();
            match ask(&plugin, limit) {
                Err(_) => times.push(began.elapsed().saturating_sub(limit)),
                Ok(()) => return Err("a plugin that hangs answered".to_owned()),
            }
        }
        Ok(percentile(&mut times, 50))
    }

    fn panic(&self) -> Result<f64, String> {
        let plugin = self.plugin("panic")?;
        let mut times = Vec::new();
        for _ in 0..self.runs {
            let began = Instant::now();
            match ask(&plugin, Duration::from_secs(10)) {
                Err(_) => times.push(began.elapsed()),
                Ok(()) => return Err("a plugin that panics answered".to_owned()),
            }
        }
        Ok(percentile(&mut times, 50))
    }
}

/// Keeps this program and what it starts on one core, so that what is measured is not how long the
/// other one takes to wake up; where it was allowed before.
fn on_one_core() -> Result<CpuSet, String> {
    let fail = |error: nix::Error| error.to_string();
    let before = sched_getaffinity(Pid::this()).map_err(fail)?;
    let core = (0..CpuSet::count()).find(|core| before.is_set(*core) == Ok(true));
    let mut one = CpuSet::new();
    one.set(core.unwrap_or(0)).map_err(fail)?;
    sched_setaffinity(Pid::this(), &one).map_err(fail)?;
    Ok(before)
}

/// The interface itself, without a library: the same table of functions, in this program.
fn in_process(runs: usize) -> Result<Figures, String> {
    let empty: InstanceBox = Instance_TO::from_value(Empty, TD_Opaque);
    let loaded = Loaded::<Tiny>::create("{}", Host_TO::from_value(Nobody, TD_Opaque))
        .map_err(|error| error.to_string())?;
    let tiny: InstanceBox = Instance_TO::from_value(loaded, TD_Opaque);
    let (payload, ctx) = (payload(), CallCtx::new(1, 10_000));
    let through = |instance: &InstanceBox, payload: &[u8]| {
        instance
            .call(RStr::from_str("review"), RSlice::from_slice(payload), &ctx)
            .into_result()
            .map(|reply| reply.len())
            .map_err(|error| error.to_string())
    };
    let direct =
        Tiny::new(countersign_bench::tiny::Config {}).map_err(|error| error.to_string())?;
    let host: HostBox = Host_TO::from_value(Nobody, TD_Opaque);
    let directly = || -> Result<usize, String> {
        let case: Case = serde_json::from_slice(&payload).map_err(|error| error.to_string())?;
        let review = direct
            .review(&case, &Call::new(ctx, &host))
            .map_err(|failure| failure.to_string())?;
        reply::encode(review.as_ref())
            .map(|bytes| bytes.len())
            .map_err(|error| error.to_string())
    };
    Ok(vec![
        (
            "empty operation, in process",
            mean(runs * 20, || through(&empty, b""))?,
        ),
        (
            "small review, in process",
            mean(runs, || through(&tiny, &payload))?,
        ),
        ("the same review, directly", mean(runs, directly)?),
    ])
}

/// Answers nothing.
struct Empty;

impl Instance for Empty {
    fn call(
        &self,
        _op: RStr<'_>,
        _payload: RSlice<'_, u8>,
        _ctx: &CallCtx,
    ) -> RResult<RVec<u8>, AbiError> {
        ROk(RVec::new())
    }
}

/// A host that does nothing.
#[derive(Clone)]
struct Nobody;

impl Host for Nobody {
    fn log_enabled(&self, _level: u8) -> bool {
        false
    }

    fn log(&self, _level: u8, _target: RStr<'_>, _message: RStr<'_>, _fields_json: RStr<'_>) {}

    fn is_cancelled(&self, _call_id: u64) -> bool {
        false
    }

    fn call(&self, _op: RStr<'_>, _payload: RSlice<'_, u8>) -> RResult<RVec<u8>, AbiError> {
        ROk(RVec::new())
    }
}

fn payload() -> Vec<u8> {
    serde_json::to_vec(&case()).unwrap_or_default()
}

/// A case about a command of 64 bytes.
fn case() -> Case {
    let command = "cargo test --workspace --locked -- --nocapture some::module::path";
    let request = Request::command("bench-1", "bench", countersign_bench::CWD, command);
    Case::new(request, Judgement::empty(facts(), "bench"))
}

fn ask(plugin: &Plugin, limit: Duration) -> Result<(), ReviewFailure> {
    let (clock, cancelled) = (Monotonic::default(), AtomicBool::new(false));
    let context = ReviewContext::within(limit, &clock, &cancelled);
    plugin.review(&case(), &context).map(drop)
}

/// Microseconds of one of many.
fn mean(runs: usize, mut once: impl FnMut() -> Result<usize, String>) -> Result<f64, String> {
    for _ in 0..runs / 10 {
        black_box(once()?);
    }
    let began = Instant::now();
    for _ in 0..runs {
        black_box(once()?);
    }
    let runs = u32::try_from(runs).map_err(|error| error.to_string())?;
    Ok(began.elapsed().as_secs_f64() * 1e6 / f64::from(runs.max(1)))
}

fn percentile(times: &mut [Duration], percent: usize) -> f64 {
    times.sort();
    let at = times.len().saturating_sub(1) * percent / 100;
    times.get(at).map_or(0.0, |time| time.as_secs_f64() * 1e6)
}

fn scratch() -> Result<PathBuf, String> {
    let folder = std::env::temp_dir().join(format!("plugin-cost-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    folder.canonicalize().map_err(|error| error.to_string())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::write(path, bytes)
        .and_then(|()| std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644)))
        .map_err(|error| format!("{}: {error}", path.display()))
}
