//! A plugin that does what its configuration says, however bad: `{"mode": "…"}`.
//!
//! | where | modes |
//! |---|---|
//! | when it is made | `create-panic`, `create-hang`, `create-exit0`, `create-bad-config` |
//! | when it reviews, under the guard of the author's side | the table in `acts.rs` |
//! | when it reviews, past that guard | the table in `raw.rs` |
//! | when it is dropped | `drop-panic` under the guard, `raw-drop-panic` past it |
//!
//! What can only go wrong while a library is loaded has an example each.

#![expect(unsafe_code, clippy::panic, reason = "to misbehave is what it is for")]

mod acts;
mod raw;
#[macro_use]
mod section;
mod system;

use acts::{Act, Answer};
use countersign_reviewers::plugin::abi::{
    self, AbiError, CallCtx, HostBox, Instance, Instance_TO, InstanceBox, ROk, RResult, RSlice,
    RStr, RVec, TD_Opaque, op,
};
use countersign_reviewers::plugin::prelude::*;
use countersign_reviewers::plugin::{Loaded, manifest, schemars, serde};

#[derive(Deserialize, JsonSchema)]
#[serde(crate = "serde", deny_unknown_fields)]
#[schemars(crate = "schemars")]
struct Config {
    /// What it does.
    mode: String,
}

struct Hostile {
    act: Act,
    panics_when_dropped: bool,
}

impl ReviewerPlugin for Hostile {
    const NAME: &'static str = "hostile";
    const ENV: &'static [&'static str] = &["HOSTILE_GRANTED", "HOSTILE_REFUSED"];
    type Config = Config;

    fn new(config: Config) -> Result<Self, ReviewFailure> {
        let mode = config.mode.as_str();
        match mode {
            "create-panic" => panic!("told to panic"),
            "create-hang" => system::hang(),
            "create-exit0" => std::process::exit(0),
            _ => {}
        }
        // `create-bad-config` is a mode that nobody knows, like every misspelt one.
        let act = acts::find(mode).ok_or_else(|| {
            let message = format!("there is no mode {mode:?}");
            ReviewFailure::new(FailureKind::Configuration, message)
        })?;
        Ok(Self {
            act,
            panics_when_dropped: mode == "drop-panic",
        })
    }

    fn review(&self, _case: &Case, call: &Call<'_>) -> Answer {
        (self.act)(call)
    }
}

impl Drop for Hostile {
    fn drop(&mut self) {
        assert!(!self.panics_when_dropped, "told to panic");
    }
}

/// The plugin behind the interface, with a way past the author's side of it.
struct Instanced {
    guarded: Loaded<Hostile>,
    mode: String,
}

impl Instance for Instanced {
    fn call(
        &self,
        op: RStr<'_>,
        payload: RSlice<'_, u8>,
        ctx: &CallCtx,
    ) -> RResult<RVec<u8>, AbiError> {
        match raw::reply(&self.mode) {
            Some(reply) if op.as_str() == op::REVIEW => ROk(reply().into()),
            _ => self.guarded.call(op, payload, ctx),
        }
    }
}

impl Drop for Instanced {
    fn drop(&mut self) {
        assert!(self.mode != "raw-drop-panic", "told to panic");
    }
}

extern "C" fn create(config_json: RStr<'_>, host: HostBox) -> RResult<InstanceBox, AbiError> {
    let text = config_json.as_str();
    let mode = countersign_reviewers::plugin::serde_json::from_str::<Config>(text)
        .map(|config| config.mode)
        .unwrap_or_default();
    let text = if raw::reply(&mode).is_some() || mode == "raw-drop-panic" {
        r#"{"mode":"good"}"#
    } else {
        text
    };
    Loaded::create(text, host)
        .map(|guarded| Instance_TO::from_value(Instanced { guarded, mode }, TD_Opaque))
        .into()
}

section!(manifest::section(
    Hostile::NAME,
    env!("CARGO_PKG_VERSION"),
    env!("CARGO_PKG_DESCRIPTION"),
    Hostile::ENV,
    Hostile::NETWORK,
));

fn module() -> abi::ModuleRef {
    abi::Module {
        abi: abi::ABI,
        panic_unwind: cfg!(panic = "unwind"),
        manifest_json: RStr::from_str(core::str::from_utf8(&SECTION).unwrap_or_default()),
        create,
        extension: countersign_reviewers::plugin::__extension,
    }
    .export()
}

abi::export_module!(module);
