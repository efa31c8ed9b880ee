//! A plugin in the host's own process.

use super::ends::{Ends, Step, Watch};
use super::plugin::Running;
use super::service::Service;
use super::{Image, LoadErrorKind, Settings, library};
use crate::wire;
use countersign_abi::{CallCtx, InstanceBox, MAX_REPLY, ModuleRef, RResult, RSlice, RStr};
use countersign_core::{FailureKind, ReviewFailure};
use std::collections::BTreeMap;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a waiting caller looks whether the call was cancelled.
const LOOK: Duration = Duration::from_millis(20);

/// The libraries that this process has loaded, by hash. None is ever unloaded, and loading one twice
/// would make a second copy of it.
static LOADED: Mutex<BTreeMap<String, ModuleRef>> = Mutex::new(BTreeMap::new());

/// A started instance.
pub(super) struct Inside {
    shared: Arc<Shared>,
}

struct Shared {
    // Dropped before the service, which it may still call.
    instance: InstanceBox,
    service: Service,
}

impl Inside {
    /// On a thread of its own, as every call: a library that hangs while it is loaded is left behind.
    pub(super) fn start(
        image: &Image,
        settings: &Settings,
        until: Instant,
    ) -> Result<Self, LoadErrorKind> {
        let began = Instant::now();
        let image = image
            .try_clone()
            .map_err(|error| LoadErrorKind::Start(error.to_string()))?;
        let config = settings.config.to_string();
        let (started, outcome) = channel();
        std::thread::Builder::new()
            .spawn(move || {
                let _nobody_waits = started.send(Shared::start(&image, &config));
            })
            .map_err(|error| LoadErrorKind::Start(error.to_string()))?;
        match outcome.recv_timeout(until.saturating_duration_since(began)) {
            Ok(shared) => Ok(Self {
                shared: Arc::new(shared?),
            }),
            Err(RecvTimeoutError::Timeout) => {
                Err(LoadErrorKind::Late(began.elapsed().as_secs_f64()))
            }
            Err(RecvTimeoutError::Disconnected) => {
                Err(LoadErrorKind::Start("its thread ended".to_owned()))
            }
        }
    }
}

impl Shared {
    fn start(image: &Image, config_json: &str) -> Result<Self, LoadErrorKind> {
        let module = module(image)?;
        if !module.panic_unwind() {
            return Err(LoadErrorKind::InProcess(
                "a panic in it would end the whole program".to_owned(),
            ));
        }
        let service = Service::new(Arc::new(|level, _target, message| {
            super::plugin::log(level, &wire::message(message));
        }));
        Ok(Self {
            instance: library::create(module, config_json, service.boxed())?,
            service,
        })
    }
}

fn module(image: &Image) -> Result<ModuleRef, LoadErrorKind> {
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(module) = loaded.get(image.sha256()) {
        return Ok(*module);
    }
    let module = library::load(image.sealed(), image.manifest())?;
    loaded.insert(image.sha256().to_owned(), module);
    Ok(module)
}

impl Running for Inside {
    /// On a thread of its own: one that does not answer in time is left behind, since nothing can
    /// end it.
    fn call(
        &self,
        call: u64,
        name: &str,
        payload: &[u8],
        ends: &Ends<'_>,
    ) -> Result<Vec<u8>, ReviewFailure> {
        let (answered, answer) = channel();
        let shared = Arc::clone(&self.shared);
        let (name, payload) = (name.to_owned(), payload.to_vec());
        let ctx = CallCtx::new(call, ends.told_ms());
        std::thread::Builder::new()
            .spawn(move || {
                let reply =
                    shared
                        .instance
                        .call(RStr::from_str(&name), RSlice::from_slice(&payload), &ctx);
                shared.service.forget(call);
                let _nobody_waits = answered.send(reply);
            })
            .map_err(|error| ReviewFailure::new(FailureKind::Failed, error.to_string()))?;
        let mut watch = Watch::of(ends);
        loop {
            let until = match watch.next() {
                Step::Wait(until) => until,
                Step::Tell(until) => {
                    self.shared.service.cancel(call);
                    until
                }
                Step::GiveUp => return Err(ends.failure("its thread is left behind")),
            };
            let left = until.saturating_duration_since(Instant::now());
            match answer.recv_timeout(left.min(LOOK)) {
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(ReviewFailure::new(
                        FailureKind::Panicked,
                        "its thread ended",
                    ));
                }
                Ok(RResult::RErr(error)) => return Err(ends.judge(wire::failure(&error))),
                Ok(RResult::ROk(reply)) if reply.len() > MAX_REPLY => {
                    return Err(ReviewFailure::new(
                        FailureKind::Malformed,
                        format!(
                            "its reply has {} bytes, and {MAX_REPLY} are the most",
                            reply.len()
                        ),
                    ));
                }
                Ok(RResult::ROk(reply)) => return Ok(reply.into_vec()),
            }
        }
    }

    fn is_dead(&self) -> bool {
        false
    }

    fn printed(&self) -> String {
        String::new()
    }
}
