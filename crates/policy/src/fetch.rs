//! Fetching that does nothing else, which the owner's settings may count as reading.

use crate::analysis::Findings;
use crate::settings::Settings;
use countersign_core::{Effect, EffectKind, RuleHit, Severity, Target};

/// What is fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fetch {
    /// What a remote service answers its own command line tool.
    Service,
    /// A page that anybody may ask for.
    Page,
}

impl Fetch {
    /// What an effect fetches, where nothing else is said of it: any other tag speaks of a credential,
    /// a secret, another host or a doubt.
    pub(crate) fn of(effect: &Effect, found: &Findings) -> Option<Self> {
        let only = |wanted: &str| {
            let said = |tag: &str| tag == wanted || tag == "rehearsal";
            effect.tags.iter().any(|tag| tag == wanted) && effect.tags.iter().all(|tag| said(tag))
        };
        if found.calculates {
            return None;
        }
        let fetch = match (effect.kind, &effect.target) {
            (EffectKind::Receive, None) if only("remote-read") => Self::Service,
            (EffectKind::Receive, Some(Target::Host { host })) if only("web") && is_plain(host) => {
                Self::Page
            }
            _ => return None,
        };
        // A word that is not in sight may be an option, or data on its way out.
        let words = &found
            .calls
            .get(usize::try_from(effect.command).ok()?)?
            .words;
        let known = words.iter().all(|word| word.exact().is_some());
        known.then_some(fetch)
    }

    /// Whether the owner counts it as reading.
    pub(crate) fn is_reading(self, settings: &Settings) -> bool {
        match self {
            Self::Service => settings.remote_reads,
            Self::Page => settings.plain_gets,
        }
    }

    /// Says which setting allows it.
    pub(crate) fn hit(self, effect: &Effect) -> RuleHit {
        let (rule, what) = match self {
            Self::Service => ("network.remote_reads", "reads of remote services"),
            Self::Page => ("network.plain_gets", "plain fetches of pages"),
        };
        RuleHit {
            rule: rule.to_owned(),
            severity: Severity::Allow,
            command: Some(effect.command),
            target: None,
            resolved: None,
            why: format!("the owner's configuration allows {what}"),
            safer: None,
        }
    }
}

/// A name or address, and no pattern that stands for several.
fn is_plain(host: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':');
    !host.is_empty() && host.chars().all(plain)
}
