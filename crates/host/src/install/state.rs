use super::document::Document;
use super::edit::{MARK, Tree};
use super::error::SettingsError;
use super::registration::{EVENTS, Registration};

/// What settings say about the gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Registered {
    /// Every event that should be registered.
    pub(crate) events: Vec<(&'static str, EventState)>,
    /// Other hooks that can change or answer a call, each with its event.
    pub(crate) beside: Vec<String>,
}

/// How one event is registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EventState {
    /// Not at all.
    Missing,
    /// As it should be.
    Good,
    /// With these faults.
    Differs(Vec<String>),
}

/// Reads what is registered.
///
/// # Errors
/// When the settings are not what the agent's settings look like.
pub(crate) fn registered(
    settings: &str,
    registration: &Registration,
) -> Result<Registered, SettingsError> {
    let document = Document::parse(settings.strip_prefix(MARK).unwrap_or(settings))?;
    let tree = Tree::of(&document)?;
    let events = EVENTS.into_iter().map(|event| {
        let ours = tree
            .hooks()
            .filter(|hook| hook.event == event && registration.owns(hook.object));
        let mut faults: Vec<Vec<String>> = ours
            .map(|hook| {
                let mut faults = registration.differences(hook.object);
                if hook.is_restricted() {
                    faults.push("its group has a matcher, so it sees some calls only".to_owned());
                }
                faults
            })
            .collect();
        faults.sort_by_key(Vec::len);
        let state = match faults.into_iter().next() {
            None => EventState::Missing,
            Some(faults) if faults.is_empty() => EventState::Good,
            Some(faults) => EventState::Differs(faults),
        };
        (event, state)
    });
    let beside = tree
        .hooks()
        .filter(|hook| matches!(hook.event, "PreToolUse" | "PermissionRequest"))
        .filter(|hook| !registration.owns(hook.object))
        .map(|hook| format!("{}: {}", hook.event, crate::reason::visible(hook.what())));
    Ok(Registered {
        events: events.collect(),
        beside: beside.collect(),
    })
}
