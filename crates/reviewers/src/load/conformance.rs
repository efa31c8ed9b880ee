//! Whether a plugin behaves: what `countersign plugin check` runs.

use super::{Image, LoadError, Plugin, Settings};
use crate::reply;
use countersign_abi::{Code, op};
use countersign_core::{Case, CommandView, Facts, FailureKind, Judgement, Request, ReviewFailure};
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How one check ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What was checked.
    pub check: &'static str,
    /// How it ended.
    pub outcome: Outcome,
}

/// How a check ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// As it should, with what was seen.
    Passed(String),
    /// Worth knowing.
    Noted(String),
    /// The plugin is at fault.
    Failed(String),
}

/// How long one answer may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// For an answer.
    pub answer: Duration,
    /// For a call that is ended early.
    pub short: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            answer: Duration::from_secs(30),
            short: Duration::from_millis(400),
        }
    }
}

/// How many calls are made at once.
const AT_ONCE: usize = 8;

/// Payloads that are no case. A plugin answers an error; it does not die of them.
const GARBAGE: [(&str, &[u8]); 6] = [
    ("empty", b""),
    ("not JSON", b"\x00\xff{{{"),
    ("NaN", b"{\"v\":1,\"request\":NaN}"),
    ("cut off", b"{\"v\":1,\"request\":{\"id\":\"x"),
    ("another shape", b"[1,2,3]"),
    (
        "an unknown word",
        b"{\"v\":1,\"judgement\":{\"hits\":[{\"severity\":\"perhaps\"}]}}",
    ),
];

/// Runs every check in a process of the plugin's own.
///
/// # Errors
/// When it cannot be run that way at all.
pub fn check(
    open: impl Fn() -> Result<Image, LoadError>,
    settings: &Settings,
    limits: Limits,
) -> Result<Vec<Finding>, LoadError> {
    let undescribed = Settings {
        config: Value::Null,
        ..settings.clone()
    };
    let broken = Settings {
        config: json!([1, 2, 3]),
        ..settings.clone()
    };
    let bare = Plugin::new(open()?, undescribed)?;
    let broken = Plugin::new(open()?, broken)?;
    let plugin = Plugin::new(open()?, settings.clone())?;
    let subject = Subject {
        plugin: &plugin,
        limits,
    };
    let mut findings = vec![
        describes(&bare, limits),
        refuses_configuration(&broken, limits),
    ];
    let mut add = |check, outcome| findings.push(Finding { check, outcome });
    let answers = subject.answers("ls");
    let works = !matches!(answers, Outcome::Failed(_));
    add("answers", answers);
    if works {
        add(
            "answers about a dangerous call",
            subject.answers("rm -rf /"),
        );
        add("passes over what it does not know", subject.newer_case());
        add("survives garbage", subject.garbage());
        add("survives a huge case", subject.huge());
        add(
            "says no to an unknown operation",
            subject.unknown_operation(),
        );
        add("stops when cancelled", subject.cancelled());
        add("stops in time", subject.short());
        add("answers several calls at once", subject.at_once());
        add("says how it is", subject.health());
        add("still answers", subject.answers("ls"));
    }
    add("prints nothing", quiet(&plugin.printed()));
    Ok(findings)
}

fn describes(plugin: &Plugin, limits: Limits) -> Finding {
    let outcome = match plugin.describe(limits.answer) {
        Ok(found) if !found.operations.iter().any(|name| name == op::REVIEW) => {
            Outcome::Failed("it does not list the operation `review`".to_owned())
        }
        Ok(found) if !found.config_schema.is_object() => {
            Outcome::Noted("it gives no schema of its configuration".to_owned())
        }
        Ok(found) => Outcome::Passed(found.operations.join(", ")),
        Err(failure) => Outcome::Failed(failure.message),
    };
    Finding {
        check: "describes itself",
        outcome,
    }
}

fn refuses_configuration(plugin: &Plugin, limits: Limits) -> Finding {
    let outcome = match plugin.health(limits.answer) {
        Err(failure) if failure.kind == FailureKind::Configuration => {
            Outcome::Passed(format!("given a list, it says: {}", failure.message))
        }
        Err(failure) => Outcome::Failed(format!("{}: {}", failure.kind, failure.message)),
        Ok(()) => Outcome::Failed("it took a list for its configuration".to_owned()),
    };
    Finding {
        check: "refuses a wrong configuration",
        outcome,
    }
}

fn quiet(printed: &str) -> Outcome {
    match printed.lines().find(|line| !line.trim().is_empty()) {
        None => Outcome::Passed("nothing".to_owned()),
        Some(line) => Outcome::Failed(format!(
            "it printed {:?}; use the host's log",
            crate::wire::message(line)
        )),
    }
}

struct Subject<'a> {
    plugin: &'a Plugin,
    limits: Limits,
}

impl Subject<'_> {
    fn call(&self, name: &str, payload: &[u8]) -> Result<Vec<u8>, ReviewFailure> {
        let limit = self.limits.answer;
        self.plugin
            .operate(name, payload, limit, limit, &AtomicBool::new(false))
    }

    fn answers(&self, command: &str) -> Outcome {
        self.judge_answer(&payload(&case(command)))
    }

    fn judge_answer(&self, payload: &[u8]) -> Outcome {
        match self
            .call(op::REVIEW, payload)
            .and_then(|reply| reply::parse(&reply))
        {
            Ok(None) => Outcome::Passed("abstains".to_owned()),
            Ok(Some(review)) => Outcome::Passed(review.verdict.to_string()),
            Err(failure) => failed(&failure),
        }
    }

    /// A newer host sends keys that this plugin has never heard of.
    fn newer_case(&self) -> Outcome {
        let mut value = serde_json::to_value(case("ls")).unwrap_or_default();
        for part in ["", "/request", "/judgement"] {
            if let Some(Value::Object(fields)) = value.pointer_mut(part) {
                fields.insert("x-from-the-future".to_owned(), json!({"a": [1]}));
            }
        }
        self.judge_answer(value.to_string().as_bytes())
    }

    fn garbage(&self) -> Outcome {
        for (name, bytes) in GARBAGE {
            match self.call(op::REVIEW, bytes) {
                Ok(reply) if reply::parse(&reply).is_ok() => {
                    return Outcome::Failed(format!("it gave an opinion about {name}"));
                }
                Err(failure) if is_death(&failure) => {
                    return Outcome::Failed(format!("{name}: {failure}"));
                }
                _ => {}
            }
        }
        Outcome::Passed(format!("{} kinds", GARBAGE.len()))
    }

    fn huge(&self) -> Outcome {
        let command = format!("echo {}", "x".repeat(3 << 20));
        match self.call(op::REVIEW, &payload(&case(&command))) {
            Err(failure) if is_death(&failure) => failed(&failure),
            Err(failure) => Outcome::Passed(failure.kind.to_string()),
            Ok(_) => Outcome::Passed("answers".to_owned()),
        }
    }

    fn unknown_operation(&self) -> Outcome {
        match self.call("no-such-operation", b"") {
            Ok(_) => Outcome::Failed("it answered one that does not exist".to_owned()),
            Err(failure) if is_death(&failure) => failed(&failure),
            Err(_) => Outcome::Passed(Code::UNSUPPORTED.to_string()),
        }
    }

    fn cancelled(&self) -> Outcome {
        let payload = payload(&case("ls"));
        let limit = self.limits.answer;
        let began = Instant::now();
        let reply = self
            .plugin
            .operate(op::REVIEW, &payload, limit, limit, &AtomicBool::new(true));
        self.ended(reply, began)
    }

    fn short(&self) -> Outcome {
        let payload = payload(&case("ls"));
        let limit = self.limits.short;
        let began = Instant::now();
        let reply =
            self.plugin
                .operate(op::REVIEW, &payload, limit, limit, &AtomicBool::new(false));
        self.ended(reply, began)
    }

    /// Whatever was answered, the process lived on.
    fn ended(&self, reply: Result<Vec<u8>, ReviewFailure>, began: Instant) -> Outcome {
        let took = began.elapsed().as_millis();
        match reply {
            Ok(_) => Outcome::Passed(format!("answered after {took} ms")),
            Err(_) if self.plugin.is_running() => {
                Outcome::Passed(format!("stopped after {took} ms"))
            }
            Err(failure)
                if matches!(failure.kind, FailureKind::Cancelled | FailureKind::TimedOut) =>
            {
                Outcome::Noted("it does not stop by itself, so its process is ended".to_owned())
            }
            Err(failure) => failed(&failure),
        }
    }

    fn at_once(&self) -> Outcome {
        let payload = payload(&case("ls"));
        let failures: Vec<ReviewFailure> = std::thread::scope(|scope| {
            let calls: Vec<_> = (0..AT_ONCE)
                .map(|_| scope.spawn(|| self.call(op::REVIEW, &payload)))
                .collect();
            calls
                .into_iter()
                .filter_map(|call| {
                    call.join()
                        .ok()?
                        .and_then(|reply| reply::parse(&reply))
                        .err()
                })
                .collect()
        });
        match failures.first() {
            None => Outcome::Passed(format!("{AT_ONCE} calls")),
            Some(failure) => {
                Outcome::Failed(format!("{} of {AT_ONCE} failed: {failure}", failures.len()))
            }
        }
    }

    fn health(&self) -> Outcome {
        match self.plugin.health(self.limits.answer) {
            Ok(()) => Outcome::Passed("well".to_owned()),
            Err(failure) if is_death(&failure) => failed(&failure),
            Err(failure) => Outcome::Noted(failure.message),
        }
    }
}

fn failed(failure: &ReviewFailure) -> Outcome {
    if failure.kind == FailureKind::Configuration {
        return Outcome::Failed(format!(
            "it needs settings, KEY=VALUE after its name: {}",
            failure.message
        ));
    }
    Outcome::Failed(format!("{}: {}", failure.kind, failure.message))
}

/// The plugin itself broke, whatever it depends on.
fn is_death(failure: &ReviewFailure) -> bool {
    matches!(
        failure.kind,
        FailureKind::Crashed
            | FailureKind::CircuitOpen
            | FailureKind::Panicked
            | FailureKind::TimedOut
    )
}

fn payload(case: &Case) -> Vec<u8> {
    serde_json::to_vec(case).unwrap_or_default()
}

fn case(command: &str) -> Case {
    let cwd = "/home/user/project";
    let mut judgement = Judgement::empty(Facts::virtual_at("/home/user", &[cwd]), "conformance");
    judgement.commands.push(CommandView::plain(command));
    let mut case = Case::new(
        Request::command("check-1", "check", cwd, command),
        judgement,
    );
    case.guidance = crate::guidance::built_in();
    case
}
