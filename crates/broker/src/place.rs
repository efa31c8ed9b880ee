//! Where a call belongs: its session, its scope, and the longer window over both.

use crate::store::{Key, Table};
use countersign_core::{Digest, Request};

/// Where a call belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<'a> {
    /// The adapter that observes it.
    pub source: &'a str,
    /// The agent's session; empty where it has none.
    pub session: &'a str,
    /// The session and prompt that denials are counted in; empty where the caller tells no prompts
    /// apart, or says by [`human_spoke`](crate::human_spoke) when a new one begins.
    pub scope: &'a str,
}

impl<'a> Place<'a> {
    /// Where a request belongs.
    pub fn of(request: &'a Request) -> Self {
        Self {
            source: &request.source,
            session: request.session.as_deref().unwrap_or_default(),
            scope: request.scope.as_deref().unwrap_or_default(),
        }
    }

    /// A place by its names.
    pub fn named(source: &'a str, session: &'a str, scope: &'a str) -> Self {
        Self {
            source,
            session,
            scope,
        }
    }
}

/// A key that no choice of names can make meet another: each name is counted.
fn key(table: Table, names: &[&str]) -> Key {
    let mut form = Vec::new();
    for name in names {
        form.extend_from_slice(&name.len().to_le_bytes());
        form.extend_from_slice(name.as_bytes());
    }
    Key::new(table, Digest::of("countersign.row.v1", &form).to_string())
}

pub(crate) fn session_key(place: &Place<'_>) -> Key {
    key(Table::Session, &[place.source, place.session])
}

pub(crate) fn scope_key(place: &Place<'_>) -> Key {
    key(Table::Scope, &[place.source, place.session, place.scope])
}

pub(crate) fn window_key(user: &str, agent: &str, project: &str) -> Key {
    key(Table::Window, &[user, agent, project])
}
