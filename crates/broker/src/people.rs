//! What a person sees and does about breakers and budgets. That it is a person, the caller sees to.

use crate::AuditPort;
use crate::place::{Place, scope_key};
use crate::scope::{Limits, Scope, Window};
use crate::store::{Key, Store, StoreError, Table, look, parse, transact};
use countersign_core::{AuditEvent, AuditKind};
use serde::Serialize;
use thiserror::Error;

/// Something that a person wanted was not done.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PersonError {
    /// There is none.
    #[error("there is no such {0} any more; list them again")]
    Gone(&'static str),
    /// It cannot be.
    #[error("{0}")]
    Refused(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It could not be recorded, so it was not done.
    #[error(transparent)]
    Audit(#[from] crate::AuditError),
}

/// A breaker as persons see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BreakerView {
    /// Names it.
    pub id: String,
    /// `scope` or `window`.
    pub kind: &'static str,
    /// Whose it is: session and scope, or user, agent and project.
    pub of: Vec<String>,
    /// It is open.
    pub open: bool,
    /// Denials in a row.
    pub in_a_row: u32,
    /// Denials among the last outcomes.
    pub denials: u32,
}

/// The breakers that have counted something, in the order of their ids.
///
/// # Errors
/// When they cannot be had.
pub fn breakers(store: &dyn Store, limit: usize) -> Result<Vec<BreakerView>, StoreError> {
    let mut views = Vec::new();
    for (key, body) in store.scan(Table::Scope, None, limit)? {
        let scope: Scope = parse(key.table, &body)?;
        let of = vec![scope.session.clone(), scope.word.clone()];
        views.push(view("scope", &key, of, &scope.breaker));
    }
    for (key, body) in store.scan(Table::Window, None, limit)? {
        let window: Window = parse(key.table, &body)?;
        let of = vec![window.user, window.agent, window.project];
        views.push(view("window", &key, of, &window.breaker));
    }
    views.retain(|view| view.open || view.denials > 0);
    Ok(views)
}

fn view(kind: &'static str, key: &Key, of: Vec<String>, breaker: &crate::Breaker) -> BreakerView {
    let (in_a_row, denials) = breaker.counts();
    BreakerView {
        id: key.id.clone(),
        kind,
        of,
        open: breaker.is_open(),
        in_a_row,
        denials,
    }
}

/// Closes a breaker: it begins anew. For a scope, what was denied in it may be reviewed again.
///
/// # Errors
/// See [`PersonError`].
pub fn reset_breaker(
    store: &dyn Store,
    audit: &mut dyn AuditPort,
    of: &BreakerView,
) -> Result<(), PersonError> {
    let is_scope = of.kind == "scope";
    let table = if is_scope {
        Table::Scope
    } else {
        Table::Window
    };
    let mut event = AuditEvent::note(AuditKind::BreakerReset, "countersign", of.kind);
    event.subject = Some(of.id.chars().take(12).collect());
    audit.record(&event)?;
    let found = transact(store, &[Key::new(table, &of.id)], |records| {
        if is_scope {
            let Some(mut scope) = records.get::<Scope>(0)? else {
                return Ok(false);
            };
            scope.rearm();
            records.put(0, &scope, None, false)?;
        } else {
            let Some(mut window) = records.get::<Window>(0)? else {
                return Ok(false);
            };
            window.breaker.rearm();
            records.put(0, &window, None, false)?;
        }
        Ok(true)
    })?;
    found.then_some(()).ok_or(PersonError::Gone("breaker"))
}

/// The human behind a session said something new, which its adapter saw for certain: what an agent
/// or a tool wrote in a person's name is no such message. The scope that the session counts in
/// begins anew; the longer window stays as it is. For adapters that put no scope into their
/// requests.
///
/// # Errors
/// When the store or the log fails; the scope may then count on.
pub fn human_spoke(
    store: &dyn Store,
    audit: &mut dyn AuditPort,
    source: &str,
    session: &str,
) -> Result<(), PersonError> {
    let keys = [scope_key(&Place::named(source, session, ""))];
    let known = look(store, &keys, |records| {
        Ok(records
            .get::<Scope>(0)?
            .map(|scope| scope.breaker.is_open()))
    })?;
    let Some(open) = known else {
        return Ok(());
    };
    if open {
        let mut event = AuditEvent::note(AuditKind::BreakerReset, source, "the user spoke");
        event.session = Some(session.to_owned());
        audit.record(&event)?;
    }
    Ok(transact(store, &keys, |records| records.remove(0))?)
}

/// The revisions that a scope has used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BudgetView {
    /// Names the scope.
    pub id: String,
    /// Its session.
    pub session: String,
    /// Its own word.
    pub scope: String,
    /// The intent.
    pub intent: String,
    /// Revisions that it has used.
    pub used: u32,
    /// Revisions that persons added.
    pub extended: u32,
    /// Revisions that are left to it.
    pub left: u32,
}

/// The revise budgets that were used, one line an intent.
///
/// # Errors
/// When they cannot be had.
pub fn budgets(
    store: &dyn Store,
    limits: &Limits,
    limit: usize,
) -> Result<Vec<BudgetView>, StoreError> {
    let mut views = Vec::new();
    for (key, body) in store.scan(Table::Scope, None, limit)? {
        let scope: Scope = parse(key.table, &body)?;
        let budget = scope.budget(limits.revise)?;
        for known in &budget.state().intents {
            let used = u32::try_from(known.requests.len()).unwrap_or(u32::MAX);
            let most = budget.state().per_intent.saturating_add(known.extended);
            views.push(BudgetView {
                id: key.id.clone(),
                session: scope.session.clone(),
                scope: scope.word.clone(),
                intent: known.intent.clone(),
                used,
                extended: known.extended,
                left: most.saturating_sub(used),
            });
        }
    }
    Ok(views)
}

/// Gives an intent, and its scope, more revisions.
///
/// # Errors
/// See [`PersonError`].
pub fn extend_budget(
    store: &dyn Store,
    audit: &mut dyn AuditPort,
    of: &BudgetView,
    by: u32,
    limits: &Limits,
) -> Result<u32, PersonError> {
    let note = format!("{by} more revisions");
    let mut event = AuditEvent::note(AuditKind::BudgetExtended, "countersign", note);
    event.session = Some(of.session.clone());
    event.subject = Some(of.intent.chars().take(12).collect());
    audit.record(&event)?;
    let room = transact(store, &[Key::new(Table::Scope, &of.id)], |records| {
        let Some(mut scope) = records.get::<Scope>(0)? else {
            return Ok(Err(PersonError::Gone("budget")));
        };
        let room = scope.extend(&of.intent, by, limits.revise)?;
        if room.is_ok() {
            records.put(0, &scope, None, scope.is_pinned())?;
        }
        Ok(room.map_err(PersonError::Refused))
    })??;
    Ok(room.intent)
}
