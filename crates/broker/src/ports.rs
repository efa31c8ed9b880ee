use countersign_core::{AuditEvent, AuditKind, Request};
use thiserror::Error;

/// Where every decision is recorded before it leaves.
pub trait AuditPort {
    /// Records one event.
    ///
    /// # Errors
    /// When the record may not have been written. Nothing is allowed then.
    fn record(&mut self, event: &AuditEvent) -> Result<(), AuditError>;
}

/// A record could not be written.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the audit record could not be written: {message}")]
pub struct AuditError {
    /// What went wrong and where, for a person.
    pub message: String,
}

/// A record of something that happened to what is kept, on the way of a call.
pub(crate) fn transition(kind: AuditKind, request: &Request, note: &str) -> AuditEvent {
    let event = AuditEvent::about(kind, request, note);
    AuditEvent {
        note: event.note.filter(|note| !note.is_empty()),
        ..event
    }
}
