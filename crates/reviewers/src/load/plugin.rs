use super::child::Child;
use super::crashes::{Crashes, Start};
use super::ends::Ends;
use super::inside::Inside;
use super::{Image, LoadError, LoadErrorKind};
use crate::{Manifest, reply, wire};
use countersign_abi::{MAX_PAYLOAD, op};
use countersign_core::{
    Case, FORM_VERSION, FailureKind, Review, ReviewContext, ReviewFailure, Reviewer, parse_strict,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a plugin may take to start.
const START: Duration = Duration::from_secs(10);

/// How often a waiting caller looks whether its call was cancelled.
const LOOK: Duration = Duration::from_millis(20);

/// Where a plugin runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Isolation {
    /// In a process of its own: none of its faults can touch a verdict.
    #[default]
    Process,
    /// In the host's own process. What ends the process ends the host: see [`Guard`](super::Guard).
    /// Only for a pinned plugin whose panics unwind.
    InProcess,
}

/// How a plugin is run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Its configuration, a JSON object; `null` for a plugin that is only described.
    pub config: Value,
    /// Where it runs.
    pub isolation: Isolation,
    /// The environment variables that its owner grants, with their values. It gets those of them
    /// that its manifest asks for.
    pub environment: BTreeMap<String, String>,
    /// The address space of its process, in bytes.
    pub memory_bytes: u64,
    /// The program that runs it; this program itself where there is none, which must then call
    /// [`become_runner_if_asked`](super::become_runner_if_asked).
    pub runner: Option<PathBuf>,
}

impl Settings {
    /// The usual settings: a process of its own, no environment, 2 GiB.
    pub fn with_config(config: Value) -> Self {
        Self {
            config,
            isolation: Isolation::Process,
            environment: BTreeMap::new(),
            memory_bytes: 2 << 30,
            runner: None,
        }
    }

    /// What the manifest asks for of what the owner grants.
    pub(super) fn granted<'a>(
        &'a self,
        manifest: &'a Manifest,
    ) -> impl Iterator<Item = (&'a String, &'a String)> {
        self.environment.iter().filter(|(name, _)| {
            manifest
                .env
                .iter()
                .any(|asked| asked == "*" || asked == *name)
        })
    }
}

/// What a plugin says of itself when it runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    /// The operations it knows.
    pub operations: Vec<String>,
    /// The JSON Schema of its configuration.
    pub config_schema: Value,
}

/// A plugin, started when it is first asked and again after a crash.
pub struct Plugin {
    image: Image,
    settings: Settings,
    epoch: Instant,
    calls: AtomicU64,
    state: Mutex<State>,
    started: Condvar,
}

#[derive(Default)]
struct State {
    running: Option<Arc<dyn Running>>,
    /// Some caller is starting it.
    starting: bool,
    crashes: Crashes,
}

/// A started plugin.
pub(super) trait Running: Send + Sync {
    fn call(
        &self,
        call: u64,
        name: &str,
        payload: &[u8],
        ends: &Ends<'_>,
    ) -> Result<Vec<u8>, ReviewFailure>;

    /// It will never answer again.
    fn is_dead(&self) -> bool;

    /// The beginning of what it printed.
    fn printed(&self) -> String;
}

impl Plugin {
    /// A plugin that is run so. Nothing is started yet.
    ///
    /// # Errors
    /// When it must not run so.
    pub fn new(image: Image, settings: Settings) -> Result<Self, LoadError> {
        if settings.isolation == Isolation::InProcess && !image.is_pinned() {
            return Err(LoadError::new(
                image.manifest().name.as_str(),
                LoadErrorKind::InProcess("it is not pinned".to_owned()),
            ));
        }
        Ok(Self {
            image,
            settings,
            epoch: Instant::now(),
            calls: AtomicU64::new(1),
            state: Mutex::default(),
            started: Condvar::new(),
        })
    }

    /// The checked file.
    pub fn image(&self) -> &Image {
        &self.image
    }

    /// What it says of itself.
    ///
    /// # Errors
    /// When it does not start, or what it says is no description.
    pub fn describe(&self, limit: Duration) -> Result<Description, ReviewFailure> {
        let value = self.value(op::DESCRIBE, limit)?;
        let operations = value.get("operations").and_then(Value::as_array);
        Ok(Description {
            operations: operations
                .into_iter()
                .flatten()
                .filter_map(|name| name.as_str().map(str::to_owned))
                .collect(),
            config_schema: value.get("config_schema").cloned().unwrap_or(Value::Null),
        })
    }

    /// Whether it could review now.
    ///
    /// # Errors
    /// When it does not start, or says what is missing.
    pub fn health(&self, limit: Duration) -> Result<(), ReviewFailure> {
        let value = match self.value(op::HEALTH, limit) {
            // It need not know how to say.
            Err(failure) if failure.kind == FailureKind::Unsupported => return Ok(()),
            other => other?,
        };
        if value.get("ok") == Some(&Value::Bool(true)) {
            return Ok(());
        }
        let message = value.get("message").and_then(Value::as_str);
        Err(ReviewFailure::new(
            FailureKind::Failed,
            wire::message(message.unwrap_or("it does not say why")),
        ))
    }

    fn value(&self, name: &str, limit: Duration) -> Result<Value, ReviewFailure> {
        let reply = self.operate(name, b"", limit, limit, &AtomicBool::new(false))?;
        let value = parse_strict(&reply)
            .map_err(|error| ReviewFailure::new(FailureKind::Malformed, error.to_string()))?;
        if value.get("v").and_then(Value::as_u64) == Some(u64::from(FORM_VERSION)) {
            Ok(value)
        } else {
            Err(ReviewFailure::new(
                FailureKind::Malformed,
                format!("its `v` is not {FORM_VERSION}"),
            ))
        }
    }

    /// One operation by name, within `left`; `limit` is the whole time, for messages.
    ///
    /// # Errors
    /// Whatever keeps it from a reply.
    pub fn operate(
        &self,
        name: &str,
        payload: &[u8],
        left: Duration,
        limit: Duration,
        cancelled: &AtomicBool,
    ) -> Result<Vec<u8>, ReviewFailure> {
        if payload.len() > MAX_PAYLOAD {
            return Err(ReviewFailure::new(
                FailureKind::TooBig,
                format!(
                    "the case has {} bytes, and {MAX_PAYLOAD} are the most",
                    payload.len()
                ),
            ));
        }
        let ends = Ends::after(left, limit, cancelled);
        let running = self.running(&ends)?;
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        let reply = running.call(call, name, payload, &ends);
        if running.is_dead() {
            self.bury(&running);
        }
        reply
    }

    /// Its process is there and answers.
    pub fn is_running(&self) -> bool {
        let state = self.state();
        state
            .running
            .as_ref()
            .is_some_and(|running| !running.is_dead())
    }

    /// What the plugin printed since it was last started, or its beginning.
    pub fn printed(&self) -> String {
        let state = self.state();
        state
            .running
            .as_ref()
            .map(|running| running.printed())
            .unwrap_or_default()
    }

    /// The started plugin. One caller starts it; the others wait no longer than their own time.
    fn running(&self, ends: &Ends<'_>) -> Result<Arc<dyn Running>, ReviewFailure> {
        let mut state = self.state();
        loop {
            if let Some(running) = &state.running {
                return Ok(Arc::clone(running));
            }
            if !state.starting {
                break;
            }
            let left = ends.hard.saturating_duration_since(Instant::now());
            if left.is_zero() || ends.is_cancelled() {
                return Err(ends.failure("it was still being started"));
            }
            state = self
                .started
                .wait_timeout(state, left.min(LOOK))
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        let wait = match state.crashes.next_start(self.epoch.elapsed()) {
            Start::Open(crashes) => return Err(self.failed(LoadErrorKind::CircuitOpen(crashes))),
            Start::After(wait) if Instant::now() + wait >= ends.soft => {
                return Err(ends.failure("it crashed and is not started again that soon"));
            }
            Start::After(wait) => wait,
        };
        state.starting = true;
        drop(state);
        std::thread::sleep(wait);
        let began = Instant::now();
        let outcome = self.start(ends);
        let mut state = self.state();
        state.starting = false;
        self.started.notify_all();
        let running = outcome.map_err(|kind| {
            match kind {
                LoadErrorKind::Start(_) => state.crashes.note(self.epoch.elapsed()),
                LoadErrorKind::Late(_) if began.elapsed() >= START => {
                    state.crashes.note(self.epoch.elapsed());
                }
                // The caller had less time than a plugin may take: not its fault.
                LoadErrorKind::Late(_) => return ends.failure("it was still starting"),
                _ => {}
            }
            self.failed(kind)
        })?;
        state.running = Some(Arc::clone(&running));
        Ok(running)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start(&self, ends: &Ends<'_>) -> Result<Arc<dyn Running>, LoadErrorKind> {
        let until = ends.hard.min(Instant::now() + START);
        Ok(match self.settings.isolation {
            Isolation::Process => Arc::new(Child::start(&self.image, &self.settings, until, ends)?),
            Isolation::InProcess => Arc::new(Inside::start(&self.image, &self.settings, until)?),
        })
    }

    fn bury(&self, dead: &Arc<dyn Running>) {
        let mut state = self.state();
        if state
            .running
            .as_ref()
            .is_some_and(|running| Arc::ptr_eq(running, dead))
        {
            state.running = None;
            state.crashes.note(self.epoch.elapsed());
        }
    }

    fn failed(&self, kind: LoadErrorKind) -> ReviewFailure {
        if let LoadErrorKind::Layout(error) = &kind {
            tracing::debug!(plugin = %self.image.manifest().name, report = %error.full, "layout");
        }
        LoadError::new(self.image.manifest().name.as_str(), kind).failure()
    }
}

impl Reviewer for Plugin {
    fn review(
        &self,
        case: &Case,
        context: &ReviewContext<'_>,
    ) -> Result<Option<Review>, ReviewFailure> {
        let payload = serde_json::to_vec(case)
            .map_err(|error| ReviewFailure::new(FailureKind::Failed, error.to_string()))?;
        let reply = self.operate(
            op::REVIEW,
            &payload,
            context.remaining(),
            context.limit,
            context.cancelled,
        )?;
        reply::parse(&reply)
    }
}

impl fmt::Debug for Plugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plugin")
            .field("image", &self.image)
            .field("isolation", &self.settings.isolation)
            .finish_non_exhaustive()
    }
}

/// A plugin's line, in the host's own log.
pub(super) fn log(level: u8, message: &str) {
    match level {
        1 => tracing::error!(target: "plugin", "{message}"),
        2 => tracing::warn!(target: "plugin", "{message}"),
        3 => tracing::info!(target: "plugin", "{message}"),
        _ => tracing::debug!(target: "plugin", "{message}"),
    }
}
