//! For authors' tests: cases without a host, a host without a process, and text for snapshots.
//!
//! ```
//! # mod deny_list {
//! #     use countersign_reviewers::plugin::prelude::*;
//! #     pub struct DenyList;
//! #     impl ReviewerPlugin for DenyList {
//! #         const NAME: &'static str = "deny-list";
//! #         type Config = std::collections::BTreeMap<String, Vec<String>>;
//! #         fn new(_: Self::Config) -> Result<Self, ReviewFailure> { Ok(Self) }
//! #         fn review(&self, _: &Case, _: &Call<'_>) -> Result<Option<Review>, ReviewFailure> {
//! #             Ok(Some(review(Verdict::Deny, "it is on the list")))
//! #         }
//! #     }
//! # }
//! # use deny_list::DenyList;
//! use countersign_reviewers::testkit::{Tested, case, json, show};
//!
//! let tested = Tested::<DenyList>::new(&json!({"deny": ["terraform"]})).expect("a good configuration");
//! let answer = tested.review(&case("terraform destroy").user("tear it down").build());
//! assert_eq!(show(&answer), "deny, risk low, authorization unknown, tier none\nit is on the list\n");
//! ```

use crate::plugin::{Loaded, ReviewerPlugin};
use crate::{reply, wire};
use countersign_abi::{
    AbiError, CallCtx, Code, Host, Host_TO, HostBox, RErr, RResult, RSlice, RStr, RVec, TD_Opaque,
    op,
};
use countersign_core::{
    Case, Certainty, CommandView, Effect, EffectKind, Evidence, EvidenceItem, EvidenceKind, Facts,
    Judgement, Place, Request, Review, ReviewFailure, RuleHit, Severity, Surface, Target,
};
use serde_json::{Map, Value};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What snapshots are made with.
pub use insta;
/// Writes a configuration as it is read.
pub use serde_json::json;

/// A case about a shell command, run in `/home/user/project`.
pub fn case(command: &str) -> CaseBuilder {
    let cwd = "/home/user/project";
    let mut builder = CaseBuilder::of(Request::command("case-1", "testkit", cwd, command));
    let view = CommandView::plain(command);
    builder.case.judgement.commands.push(view);
    builder
}

/// A case about another tool.
pub fn tool_case(tool: &str, input: Map<String, Value>) -> CaseBuilder {
    let mut request = Request::command("case-1", "testkit", "/home/user/project", "");
    request.command = None;
    request.surface = Surface::from(tool.to_owned());
    request.tool_name = Some(tool.to_owned());
    request.input = Some(input);
    CaseBuilder::of(request)
}

/// Builds a case. A command is split at blanks and nothing more: what a test is about is the
/// reviewer, not the shell.
#[derive(Debug, Clone)]
pub struct CaseBuilder {
    case: Case,
}

impl CaseBuilder {
    fn of(request: Request) -> Self {
        let facts = Facts::virtual_at("/home/user", &["/home/user/project"]);
        Self {
            case: Case::new(request, Judgement::empty(facts, "testkit")),
        }
    }

    /// With a rule that policy found met.
    pub fn hit(mut self, rule: &str, severity: Severity, why: &str) -> Self {
        self.case.judgement.hits.push(RuleHit {
            rule: rule.to_owned(),
            severity,
            command: Some(0),
            target: None,
            resolved: None,
            why: why.to_owned(),
            safer: None,
        });
        self
    }

    /// With a word of its first command that cannot be known, such as `$BRANCH`.
    pub fn dynamic(mut self, at: usize) -> Self {
        let command = self.case.judgement.commands.first_mut();
        if let Some(word) = command.and_then(|command| command.dynamic.get_mut(at)) {
            *word = true;
        }
        self
    }

    /// With these workspace roots.
    pub fn roots(mut self, roots: &[&str]) -> Self {
        let roots = roots.iter().map(|&root| root.to_owned());
        self.case.judgement.observed.roots = roots.collect();
        self
    }

    /// With something that its first command would do.
    pub fn effect(mut self, kind: EffectKind, target: Option<Target>) -> Self {
        self.case.judgement.effects.push(Effect {
            kind,
            target,
            command: 0,
            certainty: Certainty::Always,
            place: Place::Here,
            tags: Vec::new(),
        });
        self
    }

    /// With something the user said before.
    pub fn user(self, text: &str) -> Self {
        self.said(EvidenceKind::User, text)
    }

    /// With something that was said or done before.
    pub fn said(mut self, kind: EvidenceKind, text: &str) -> Self {
        let Evidence { items, .. } = &mut self.case.evidence;
        items.push(EvidenceItem {
            kind,
            text: text.to_owned(),
        });
        self
    }

    /// With the built-in guidance.
    pub fn guided(mut self) -> Self {
        self.case.guidance = crate::guidance::built_in();
        self
    }

    /// The case.
    pub fn build(self) -> Case {
        self.case
    }
}

/// A host that keeps what it is told.
#[derive(Debug, Clone, Default)]
pub struct MockHost(Arc<Kept>);

#[derive(Debug, Default)]
struct Kept {
    lines: Mutex<Vec<String>>,
    cancelled: AtomicBool,
}

impl MockHost {
    /// What was logged: level, then the text.
    pub fn lines(&self) -> Vec<String> {
        self.0
            .lines
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// From now on every call is cancelled.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Release);
    }

    fn boxed(&self) -> HostBox {
        Host_TO::from_value(self.clone(), TD_Opaque)
    }
}

impl Host for MockHost {
    fn log_enabled(&self, _level: u8) -> bool {
        true
    }

    fn log(&self, level: u8, _target: RStr<'_>, message: RStr<'_>, _fields_json: RStr<'_>) {
        let line = format!("{level} {message}");
        self.0
            .lines
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(line);
    }

    fn is_cancelled(&self, _call_id: u64) -> bool {
        self.0.cancelled.load(Ordering::Acquire)
    }

    fn call(&self, op: RStr<'_>, _payload: RSlice<'_, u8>) -> RResult<RVec<u8>, AbiError> {
        RErr(AbiError::new(
            Code::UNSUPPORTED,
            format!("there is no service {op:?}"),
        ))
    }
}

/// A plugin as a host sees it, by the same bytes, without a library file.
pub struct Tested<P: ReviewerPlugin> {
    loaded: Loaded<P>,
    host: MockHost,
    calls: AtomicU64,
}

impl<P: ReviewerPlugin> Tested<P> {
    /// Configured so.
    ///
    /// # Errors
    /// What a host would be told.
    pub fn new(config: &Value) -> Result<Self, ReviewFailure> {
        let host = MockHost::default();
        let loaded = Loaded::create(&config.to_string(), host.boxed())
            .map_err(|error| wire::failure(&error))?;
        Ok(Self {
            loaded,
            host,
            calls: AtomicU64::new(1),
        })
    }

    /// The host it was given.
    pub fn host(&self) -> &MockHost {
        &self.host
    }

    /// What it makes of a case within ten seconds.
    ///
    /// # Errors
    /// What a host would be told.
    pub fn review(&self, case: &Case) -> Result<Option<Review>, ReviewFailure> {
        self.review_within(case, 10_000)
    }

    /// What it makes of a case within these milliseconds.
    ///
    /// # Errors
    /// What a host would be told.
    pub fn review_within(
        &self,
        case: &Case,
        remaining_ms: u64,
    ) -> Result<Option<Review>, ReviewFailure> {
        let payload = serde_json::to_vec(case).map_err(|problem| {
            ReviewFailure::new(countersign_core::FailureKind::Failed, problem.to_string())
        })?;
        reply::parse(&self.operate(op::REVIEW, &payload, remaining_ms)?)
    }

    /// What the plugin says of itself.
    ///
    /// # Errors
    /// What a host would be told.
    pub fn describe(&self) -> Result<Value, ReviewFailure> {
        self.value(op::DESCRIBE)
    }

    /// Whether it could review now.
    ///
    /// # Errors
    /// What a host would be told.
    pub fn health(&self) -> Result<Value, ReviewFailure> {
        self.value(op::HEALTH)
    }

    fn value(&self, name: &str) -> Result<Value, ReviewFailure> {
        let reply = self.operate(name, b"", 10_000)?;
        serde_json::from_slice(&reply).map_err(|problem| {
            ReviewFailure::new(
                countersign_core::FailureKind::Malformed,
                problem.to_string(),
            )
        })
    }

    fn operate(&self, name: &str, payload: &[u8], ms: u64) -> Result<Vec<u8>, ReviewFailure> {
        let ctx = CallCtx::new(self.calls.fetch_add(1, Ordering::Relaxed), ms);
        self.loaded
            .operate(name, payload, &ctx)
            .map_err(|error| wire::failure(&error))
    }
}

impl<P: ReviewerPlugin> std::fmt::Debug for Tested<P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tested")
            .field("name", &P::NAME)
            .finish_non_exhaustive()
    }
}

/// An answer in a few lines, for a snapshot.
pub fn show(answer: &Result<Option<Review>, ReviewFailure>) -> String {
    let mut text = String::new();
    match answer {
        Ok(None) => text.push_str("abstains\n"),
        Err(failure) => {
            let _infallible = writeln!(text, "failed: {failure}");
        }
        Ok(Some(review)) => {
            let _infallible = writeln!(
                text,
                "{}, risk {}, authorization {}, tier {}\n{}",
                review.verdict,
                word(&review.risk),
                word(&review.authorization),
                word(&review.tier),
                review.rationale
            );
            if let Some(instruction) = &review.instruction {
                let _infallible = writeln!(text, "instead: {instruction}");
            }
            if let Some(replacement) = &review.replacement {
                let _infallible = writeln!(text, "input: {}", Value::Object(replacement.clone()));
            }
        }
    }
    text
}

fn word(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}
