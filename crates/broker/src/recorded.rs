use crate::{AuditError, AuditPort};
use countersign_core::AuditEvent;

/// What a step came to, locked up until it is recorded. What the step spent stays spent: whoever
/// drops this, or cannot write the record, has nothing to act on.
///
/// ```compile_fail,E0616
/// use countersign_broker::{Resumed, Unrecorded};
///
/// fn act(outcome: Unrecorded<Resumed>) -> Resumed {
///     outcome.value // nothing is acted on before its record is written
/// }
/// ```
#[derive(Debug)]
#[must_use = "what the step spent is spent, and nothing came of it yet"]
pub struct Unrecorded<T> {
    events: Vec<AuditEvent>,
    value: T,
}

impl<T> Unrecorded<T> {
    pub(crate) fn new(events: Vec<AuditEvent>, value: T) -> Self {
        Self { events, value }
    }

    /// What is to be recorded, in order.
    pub fn events(&self) -> &[AuditEvent] {
        &self.events
    }

    /// Records every event and gives out the value.
    ///
    /// # Errors
    /// When a record may not have been written. The value is gone then, and nothing may come of it.
    pub fn record(self, audit: &mut dyn AuditPort) -> Result<T, AuditError> {
        for event in &self.events {
            audit.record(event)?;
        }
        Ok(self.value)
    }
}
