//! What a model is asked: a text that stays the same from call to call, so that servers can cache
//! it, and one about the call.
//!
//! The owner's lists are the end of the first: they are trusted, and the same for every call. All
//! that an agent, a tool or a file could have written is in the second, in labelled blocks that no
//! text can leave.

mod block;
#[cfg(test)]
mod tests;

use super::text::redact::redact;
use block::{action, element, evidence_item, judgement, override_block};
use countersign_core::{Case, Evidence, EvidenceKind, FailureKind, Guidance, ReviewFailure};

/// The two messages that a model is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// Its task, the contract of its answer, and the owner's lists.
    pub system: String,
    /// The call and what is known about it. Nothing in it is trusted.
    pub user: String,
}

impl Prompt {
    /// The largest size of both texts together, in bytes, where the owner says nothing else.
    pub const MAX_BYTES: usize = 200_000;

    /// The prompt for a case, in at most so many bytes.
    ///
    /// Older evidence is left out first, and its count is told; what the user said is left out
    /// last. The call, what policy found, and the latest word of the user are never cut.
    ///
    /// # Errors
    /// [`FailureKind::TooBig`] when what is never cut does not fit.
    pub fn new(case: &Case, max_bytes: usize) -> Result<Self, ReviewFailure> {
        let system = system(&case.guidance);
        let mut call = override_block(case);
        call.push_str(&judgement(&case.judgement));
        call.push_str(&action(&case.request));
        call.push_str(
            "Review the action above. Answer with the one JSON object and nothing else.\n",
        );
        let room = max_bytes
            .checked_sub(system.len() + call.len())
            .and_then(|room| evidence(&case.evidence, room));
        match room {
            Some(mut user) => {
                user.push_str(&call);
                Ok(Self { system, user })
            }
            None => Err(ReviewFailure::new(
                FailureKind::TooBig,
                format!(
                    "the call, what policy found about it and the user's latest words do not fit \
                     into {max_bytes} bytes with {} bytes of instructions",
                    system.len()
                ),
            )),
        }
    }

    /// The size of both texts in bytes.
    pub fn bytes(&self) -> usize {
        self.system.len() + self.user.len()
    }
}

fn system(guidance: &Guidance) -> String {
    let mut text = include_str!("prompt/system.txt").to_owned();
    for (name, entries) in [
        ("environment", &guidance.environment),
        ("allow", &guidance.allow),
        ("soft_deny", &guidance.soft_deny),
        ("hard_deny", &guidance.hard_deny),
    ] {
        text.push_str("\n## ");
        text.push_str(name);
        text.push('\n');
        if entries.is_empty() {
            text.push_str("(nothing)\n");
        }
        for entry in entries {
            text.push_str("- ");
            // One entry is one line, or it could look like several.
            text.push_str(&redact(
                &entry.split_whitespace().collect::<Vec<_>>().join(" "),
            ));
            text.push('\n');
        }
    }
    text
}

/// The block of evidence in at most so many bytes; `None` when the latest word of the user does not
/// fit.
fn evidence(evidence: &Evidence, room: usize) -> Option<String> {
    const FRAME: usize = "<evidence omitted=\"4294967295\">\n</evidence>\n".len();
    let mut room = room.checked_sub(FRAME)?;
    let items: Vec<String> = evidence.items.iter().map(evidence_item).collect();
    let mut kept = vec![false; items.len()];
    for only_user in [true, false] {
        let newest_first = items.iter().zip(&evidence.items).zip(&mut kept).rev();
        let class =
            newest_first.filter(|((_, item), _)| (item.kind == EvidenceKind::User) == only_user);
        for (nth, ((text, _), kept)) in class.enumerate() {
            match room.checked_sub(text.len()) {
                Some(left) => room = left,
                None if only_user && nth == 0 => return None,
                None => break,
            }
            *kept = true;
        }
    }
    let left_out = kept.iter().filter(|&&kept| !kept).count();
    let omitted = u32::try_from(left_out)
        .unwrap_or(u32::MAX)
        .saturating_add(evidence.omitted);
    let text: String = items
        .iter()
        .zip(&kept)
        .filter_map(|(text, &kept)| kept.then_some(text.as_str()))
        .collect();
    let count = omitted.to_string();
    let attribute = (omitted > 0).then_some(("omitted", count.as_str()));
    let text = if text.is_empty() {
        "(nothing)\n"
    } else {
        &text
    };
    Some(element("evidence", attribute, text))
}
