//! Audit records without secrets.

use super::Redactor;
use crate::{AuditEvent, Decision, Review, ReviewFailure, RuleHit};
use std::borrow::Cow;

impl Redactor {
    /// The record without secrets: the record itself where it holds none.
    pub fn redact_event<'e>(&self, event: &'e AuditEvent) -> Cow<'e, AuditEvent> {
        let mut copy = None;
        let mut place = 0_usize;
        // Every text is looked at once; a copy is made for the first that holds a secret.
        each(event, &mut |text| {
            if let Cow::Owned(clean) = self.redact(text) {
                let copy: &mut Vec<_> = copy.get_or_insert_with(Vec::new);
                copy.push((place, clean));
            }
            place = place.saturating_add(1);
        });
        // A tool's input is none of a record's business, whoever put it there.
        let review = event.decision.as_ref().and_then(|it| it.review.as_ref());
        let has_input = review.is_some_and(|review| review.replacement.is_some());
        if copy.is_none() && !has_input {
            return Cow::Borrowed(event);
        }
        let mut event = event.clone();
        if let Some(review) = event.decision.as_mut().and_then(|it| it.review.as_mut()) {
            review.replacement = None;
        }
        let mut found = copy.unwrap_or_default().into_iter().peekable();
        let mut place = 0_usize;
        each_mut(&mut event, &mut |text| {
            if let Some((_, clean)) = found.next_if(|(at, _)| *at == place) {
                *text = clean;
            }
            place = place.saturating_add(1);
        });
        Cow::Owned(event)
    }
}

/// Writes a walk over every text of a record twice, to look at it and to change it. Each pattern
/// names every field, so that a new one cannot be forgotten.
macro_rules! walk {
    ($name:ident, $($reference:tt)+) => {
        fn $name(event: $($reference)+ AuditEvent, on: &mut dyn FnMut($($reference)+ String)) {
            let AuditEvent {
                v: _,
                kind: _,
                source,
                session,
                tool_call_id,
                tool,
                programs,
                digest: _,
                decision,
                subject,
                note,
            } = event;
            on(source);
            for text in [session, tool_call_id, tool, subject, note].into_iter().flatten() {
                on(text);
            }
            for text in programs {
                on(text);
            }
            let Some(Decision {
                v: _,
                verdict: _,
                defer: _,
                stage: _,
                code,
                reasons,
                review,
                failure,
                diagnostics,
            }) = decision
            else {
                return;
            };
            on(code);
            for hit in reasons {
                let RuleHit {
                    rule,
                    severity: _,
                    command: _,
                    target,
                    resolved,
                    why,
                    safer,
                } = hit;
                on(rule);
                on(why);
                for text in [target, resolved, safer].into_iter().flatten() {
                    on(text);
                }
            }
            if let Some(Review {
                reviewer,
                verdict: _,
                risk: _,
                authorization: _,
                tier: _,
                rationale,
                instruction,
                replacement: _,
            }) = review
            {
                on(rationale);
                for text in [reviewer, instruction].into_iter().flatten() {
                    on(text);
                }
            }
            if let Some(ReviewFailure {
                reviewer,
                kind: _,
                message,
                retryable: _,
                retry_after_ms: _,
            }) = failure
            {
                on(message);
                if let Some(text) = reviewer {
                    on(text);
                }
            }
            for text in diagnostics {
                on(text);
            }
        }
    };
}

walk!(each, &);
walk!(each_mut, &mut);
