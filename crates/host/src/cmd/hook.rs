use crate::agent::claude_code::{self, Event, Reply};
use crate::audit::AuditLog;
use crate::cli::Global;
use crate::paths::Dirs;
use crate::review::{Reviewers, Reviewing};
use crate::switch::{self, Switch};
use crate::{Exit, config, facts, gate, install, last_resort, secrets, session, store, visible};
use clap::{Args, ValueEnum};
use countersign_broker::{AuditPort, Keeping, Situation, human_spoke};
use countersign_core::{AuditEvent, AuditKind, Facts};
use countersign_policy::Policy;
use serde_json::{Map, Value};
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// The largest hook input that is read, in bytes.
const MAX_INPUT: u64 = 8 << 20;

#[derive(Debug, Clone, Args)]
pub(crate) struct HookArgs {
    /// The agent that calls
    agent: Agent,
    /// Seconds after which the hook blocks the call by itself; keep it well below the timeout that
    /// the agent is told
    #[arg(long, value_name = "SECONDS", default_value_t = 55, value_parser = clap::value_parser!(u32).range(1..=300))]
    deadline: u32,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Agent {
    /// Claude Code
    ClaudeCode,
}

/// Answers one hook call. Whatever happens, the answer is written once and the exit code is 0 or 2.
pub(crate) fn run(global: &Global, args: &HookArgs) -> Exit {
    std::panic::set_hook(Box::new(|_| {}));
    let reply = guarded(|| {
        if let Err(error) = last_resort::watch(args.deadline) {
            return Reply::Block(failure(&format!("cannot watch for signals: {error}")));
        }
        match args.agent {
            Agent::ClaudeCode => answer(global),
        }
    });
    last_resort::answer_once(&reply.render(), "", Exit::Done)
}

/// A panic is an answer too.
fn guarded(answer: impl FnOnce() -> Reply) -> Reply {
    catch_unwind(AssertUnwindSafe(answer))
        .unwrap_or_else(|panic| Reply::Block(failure(&format!("panicked: {}", message(&*panic)))))
}

fn answer(global: &Global) -> Reply {
    let input = match read_input() {
        Ok(input) => input,
        Err(text) => return Reply::Block(failure(&text)),
    };
    let dirs = global.dirs();
    let event = match Event::parse(&input) {
        Ok(event) => event,
        Err(error) => {
            if let Ok(dirs) = dirs {
                // The error may quote the input, and the log holds none of it.
                note_failure(&dirs, None, "the hook input cannot be used");
            }
            return Reply::Block(failure(&error.to_string()));
        }
    };
    let answered = dirs.and_then(|dirs| {
        match &event {
            Event::PreToolUse(call) => pre_tool_use(&dirs, call),
            Event::ConfigChange(change) => config_change(&dirs, change),
            Event::SessionStart(start) => session_start(&dirs, start),
            Event::UserPromptSubmit(prompt) => user_prompt(&dirs, prompt),
        }
        .inspect_err(|text| note_failure(&dirs, Some(&event), text))
    });
    match (answered, event) {
        (Ok(reply), _) => reply,
        (Err(text), Event::PreToolUse(_)) => Reply::Deny(failure(&text)),
        (Err(text), Event::ConfigChange(_)) => Reply::BlockChange(failure(&text)),
        (Err(text), Event::SessionStart(_) | Event::UserPromptSubmit(_)) => {
            Reply::Notice(failure(&text))
        }
    }
}

fn pre_tool_use(dirs: &Dirs, call: &claude_code::PreToolUse) -> Result<Reply, String> {
    let request = claude_code::request(call);
    let mut audit = AuditLog::new(dirs.audit_folder());
    let switch = switch::read(dirs).map_err(|error| error.to_string())?;
    if switch == Switch::Off {
        // Whoever switched the gate off wants the calls to run, so a log that fails stops none.
        let _best_effort = audit.record(&AuditEvent::about(
            AuditKind::Unjudged,
            &request,
            "the gate is off",
        ));
        return Ok(Reply::Silent);
    }
    let roots = vec![root(&call.cwd)];
    let loaded =
        session::settings(dirs, &roots, &call.session_id).map_err(|error| error.to_string())?;
    let mut base = Facts::at(&home(dirs), &[]);
    base.roots = roots;
    base.temp_roots = facts::temp_roots();
    base.own = facts::own_paths(dirs, &base.home, &base.roots);
    if let Some(anchor) = &loaded.anchor {
        base.own.extend(anchor.own_paths());
    }
    audit = audit.anchored(loaded.anchor);
    base.mode = call.mode.clone();
    let reviewers = Reviewers::new(&loaded.review, dirs, &base.roots);
    let last_words = Reply::Deny(failure("a plugin ended the process that it ran in"));
    reviewers.shield(last_words.render(), Exit::Done)?;
    let transcript = call.transcript.clone().unwrap_or_default();
    let evidence = move || claude_code::evidence(Path::new(&transcript));
    let policy = Policy::new(loaded.settings);
    let store = store::of(dirs, &base.roots);
    let keeping = Keeping {
        store: &store,
        limits: &loaded.limits,
        user: &dirs.home.to_string_lossy(),
        project: base.roots.first().map_or("", String::as_str),
        redact: &secrets::kept,
        grant: None,
    };
    let rejudge = |input: &Map<String, Value>| {
        let mut call = call.clone();
        call.tool_input.clone_from(input);
        gate::judge(&policy, &claude_code::request(&call), base.clone())
    };
    let reviewing = reviewers.reviewing(&evidence).map(|reviewing| Reviewing {
        rejudge: Some(&rejudge),
        ..reviewing
    });
    let situation = Situation {
        cancelled: false,
        lockdown: switch == Switch::Lockdown,
    };
    let outcome = gate::judge_and_decide(
        &policy,
        &request,
        base.clone(),
        situation,
        reviewing,
        Some(keeping),
        &mut audit,
    );
    Ok(Reply::lower(
        &outcome.decision,
        loaded.undecided == config::Undecided::Ask,
    ))
}

/// A running session never takes over changed settings: a repository, or the agent itself, could
/// switch this hook off with them.
fn config_change(dirs: &Dirs, change: &claude_code::ConfigChange) -> Result<Reply, String> {
    let note = format!("blocked {} {}", change.source, change.file_path);
    let mut event = AuditEvent::note(AuditKind::ConfigChange, "claude-code", note);
    event.session = Some(change.session_id.clone());
    config::audit_log(dirs)
        .record(&event)
        .map_err(|error| error.to_string())?;
    Ok(Reply::BlockChange(format!(
        "Countersign: the running session keeps its settings, because a change of {} could switch its hooks off. Start a new session to use the change.",
        if change.file_path.is_empty() {
            &change.source
        } else {
            &change.file_path
        }
    )))
}

fn session_start(dirs: &Dirs, start: &claude_code::SessionStart) -> Result<Reply, String> {
    let mut event = AuditEvent::note(AuditKind::SessionStart, "claude-code", start.source.clone());
    event.session = Some(start.session_id.clone());
    config::audit_log(dirs)
        .record(&event)
        .map_err(|error| error.to_string())?;
    let root = root(&start.cwd);
    // What the session begins with is kept now, before any call of it.
    session::settings(dirs, std::slice::from_ref(&root), &start.session_id)
        .map_err(|error| error.to_string())?;
    Ok(project_settings(Path::new(&root)).map_or(Reply::Silent, Reply::Notice))
}

/// A message of a person begins the count of denials anew; one that a tool or a timer made does not.
fn user_prompt(dirs: &Dirs, prompt: &claude_code::UserPromptSubmit) -> Result<Reply, String> {
    if prompt.is_human() {
        let mut audit = config::audit_log(dirs);
        let store = store::of(dirs, &[]);
        human_spoke(&store, &mut audit, "claude-code", &prompt.session_id)
            .map_err(|error| error.to_string())?;
    }
    Ok(Reply::Silent)
}

/// Names what in the project's settings can reach the gate: some of it, no hook can stop.
fn project_settings(project: &Path) -> Option<String> {
    let mut found = Vec::new();
    for name in install::PROJECT_SETTINGS {
        let file = project.join(name);
        let lines = match install::read_settings(&file) {
            Ok(None) => continue,
            Ok(Some(text)) => install::reach(&text),
            Err(error) => vec![error.kind.to_string()],
        };
        found.extend(
            lines
                .into_iter()
                .map(|line| format!("{}: {line}", file.display())),
        );
    }
    (!found.is_empty()).then(|| {
        visible::visible(&format!(
            "Countersign: this project's settings can reach the gate. {}. `countersign doctor` says what to do.",
            found.join(". ")
        ))
    })
}

/// A log that cannot be written changes no answer here: the call is blocked already.
fn note_failure(dirs: &Dirs, event: Option<&Event>, what: &str) {
    let event = match event {
        Some(Event::PreToolUse(call)) => {
            AuditEvent::about(AuditKind::Failure, &claude_code::request(call), what)
        }
        _ => AuditEvent::note(AuditKind::Failure, "claude-code", what),
    };
    let _best_effort = AuditLog::new(dirs.audit_folder()).record(&event);
}

/// The workspace root: the project directory that the agent sets and a project cannot change.
fn root(cwd: &str) -> String {
    let project = std::env::var("CLAUDE_PROJECT_DIR").ok();
    let root = project
        .filter(|dir| dir.starts_with('/'))
        .unwrap_or_else(|| cwd.to_owned());
    facts::real(Path::new(&root)).to_string_lossy().into_owned()
}

/// What `~` means to the shell that would run the call.
fn home(dirs: &Dirs) -> String {
    std::env::var("HOME")
        .ok()
        .filter(|home| home.starts_with('/'))
        .unwrap_or_else(|| dirs.home.to_string_lossy().into_owned())
}

fn read_input() -> Result<Vec<u8>, String> {
    let mut input = Vec::new();
    std::io::stdin()
        .lock()
        .take(MAX_INPUT.saturating_add(1))
        .read_to_end(&mut input)
        .map_err(|error| format!("cannot read the hook input: {error}"))?;
    if input.len() as u64 > MAX_INPUT {
        return Err(format!(
            "the hook input is over {MAX_INPUT} bytes, more than can be judged"
        ));
    }
    Ok(input)
}

fn failure(what: &str) -> String {
    let what = secrets::redactor().redact(what);
    visible::visible(&format!(
        "Countersign failed, and nothing was judged unsafe: {what}. The call is blocked; tell the user. `countersign doctor` says more."
    ))
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Reply, guarded};

    #[test]
    fn a_panic_blocks_the_call() {
        for reply in [
            guarded(|| panic!("in the middle")),
            guarded(|| std::panic::panic_any(7_u8)),
            guarded(|| std::panic::panic_any("text".to_owned())),
        ] {
            assert!(
                matches!(reply, Reply::Block(ref reason) if reason.contains("panicked")),
                "{reply:?}"
            );
        }
    }
}
