//! What a call hands over to the hosts that it reaches.

use crate::analysis::{Findings, Value};
use crate::url::{self, token};
use countersign_core::{EffectKind, Target};

/// A program that is not known reaches the URLs that it is given. Only what no program should reach
/// is worth an effect.
pub(crate) fn of_unknown_program(found: &mut Findings, index: u32, words: &[Value]) {
    for word in words.iter().filter(|word| word.text.contains("://")) {
        let host = url::parse(&word.text).host;
        if url::is_metadata(&host) {
            found.add(index, EffectKind::Receive, Some(Target::Host { host }), &[]);
        }
    }
}

/// Tags what a call sends and fetches where one of its words gives away a secret: a password or
/// token in a URL, or a token of one provider on its way to another host.
pub(crate) fn note<'t>(found: &mut Findings, index: u32, words: impl Iterator<Item = &'t str>) {
    let mut hosts = Vec::new();
    let mut reaches = false;
    for effect in found.of(index) {
        let network = matches!(effect.kind, EffectKind::Send | EffectKind::Receive);
        if !network || effect.tags.iter().any(|tag| tag == "loopback") {
            continue;
        }
        reaches = true;
        if let Some(Target::Host { host }) = &effect.target {
            hosts.push(host.clone());
        }
    }
    if !reaches {
        return;
    }
    let (mut exposed, mut foreign) = (false, false);
    for word in words {
        exposed |= token::is_in_url(word);
        foreign |= token::is_foreign(word, &hosts);
    }
    for (given, tag) in [(exposed, "secret-in-url"), (foreign, "foreign-token")] {
        for kind in [EffectKind::Send, EffectKind::Receive] {
            if given {
                found.tag(index, kind, tag);
            }
        }
    }
}
