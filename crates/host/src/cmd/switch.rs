use crate::audit::AuditLog;
use crate::cli::Global;
use crate::switch::{self, Switch};
use crate::{Exit, config, output, person, session};
use std::fmt::Write as _;

/// Judges every call again; lifting a lockdown takes a person.
pub(crate) fn on(global: &Global) -> Result<Exit, String> {
    let dirs = global.dirs()?;
    // A switch that cannot be read denies everything, so setting it anew loosens it.
    if switch::read(&dirs).ok() != Some(Switch::Off) && switch::read(&dirs).ok() != Some(Switch::On)
    {
        person::required("a lockdown is lifted")?;
    }
    set(global, Switch::On, "on: every call is judged")
}

/// Leaves every call to the agent's own flow; takes a person.
pub(crate) fn off(global: &Global) -> Result<Exit, String> {
    person::required("the gate is switched off")?;
    set(
        global,
        Switch::Off,
        "off: every call is left to the agent's own flow; `countersign on` ends this",
    )
}

/// Denies everything until a person lifts it.
pub(crate) fn lockdown(global: &Global) -> Result<Exit, String> {
    set(
        global,
        Switch::Lockdown,
        "lockdown: every call is denied until a person runs `countersign on` in a terminal",
    )
}

fn set(global: &Global, to: Switch, said: &str) -> Result<Exit, String> {
    let dirs = global.dirs()?;
    switch::set(&dirs, to, &mut config::audit_log(&dirs)).map_err(|error| error.to_string())?;
    output::print(&format!("{said}\n"))?;
    Ok(Exit::Done)
}

/// Says what the gate does with calls now.
pub(crate) fn status(global: &Global) -> Result<Exit, String> {
    let dirs = global.dirs()?;
    let cwd = std::env::current_dir().map_err(|error| error.to_string())?;
    let state = switch::read(&dirs).map_err(|error| error.to_string())?;
    let loaded = config::load(&dirs, &[cwd.to_string_lossy().into_owned()])
        .map_err(|error| error.to_string())?;
    let records = AuditLog::new(dirs.audit_folder())
        .verify(None)
        .map_err(|error| error.to_string())?;
    let settings = &loaded.settings;
    let mut text = format!("switch         {}\n", state.as_str());
    let _infallible = writeln!(
        text,
        "rules          {} deny, {} ask, {} allow",
        settings.deny.len(),
        settings.ask.len(),
        settings.allow.len()
    );
    let asked = match loaded.review.ask.as_slice() {
        [] => "nobody".to_owned(),
        names => names.join(", "),
    };
    let _infallible = writeln!(text, "asked          {asked}");
    for file in &loaded.files {
        let _infallible = writeln!(text, "configuration  {}", file.display());
    }
    let kept = session::told(&dirs);
    for note in loaded.notes.iter().chain(&settings.complaints).chain(&kept) {
        let _infallible = writeln!(text, "note           {note}");
    }
    let open = super::breaker::open(global)?;
    if open > 0 {
        let _infallible = writeln!(
            text,
            "breakers       {open} open: nobody is asked for those agents; see `countersign breaker show`"
        );
    }
    let _infallible = writeln!(
        text,
        "audit log      {} records in {}",
        records.records,
        dirs.audit_folder().display()
    );
    output::print(&text)?;
    Ok(Exit::Done)
}
