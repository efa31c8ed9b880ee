//! The literal target of a redirection is among the opened files, once its command has started.

use super::claims::Claim;
use super::matching::matches;
use super::{Kind, Verdict};
use crate::answer::Runs;
use countersign_lexer::{Redirect, RedirectOp, Script};

pub(crate) fn judge(script: &Script, claims: &[Claim], runs: &Runs, verdict: &mut Verdict) {
    if runs.truncated {
        return;
    }
    for (index, claim) in claims.iter().enumerate() {
        let Some(command) = claim.command.and_then(|id| script.command(id)) else {
            continue;
        };
        let others = claims.iter().enumerate().filter(|(it, _)| *it != index);
        let is_only = claim.is_exact() && !others.into_iter().any(|(_, it)| could_be(it, claim));
        if !is_only || !runs.ran.iter().any(|ran| matches(&claim.slots, &ran.argv)) {
            continue;
        }
        for redirect in command.redirects() {
            let Some(target) = redirect.target().literal() else {
                break;
            };
            if !is_a_file(&redirect, target) {
                // Whether a copied descriptor exists decides about the rest.
                if matches!(redirect.op(), RedirectOp::DupIn | RedirectOp::DupOut) {
                    break;
                }
                continue;
            }
            verdict.targets = verdict.targets.saturating_add(1);
            match runs.opened.iter().find(|opened| opened.path.0 == target) {
                Some(opened) if opened.failed => break,
                Some(_) => {}
                None => {
                    let target = String::from_utf8_lossy(target);
                    let opened: Vec<_> = runs.opened.iter().map(|it| &it.path).collect();
                    verdict.add(
                        Kind::NotOpened,
                        format!("{target:?} of {} is not in {opened:?}", claim.shown()),
                    );
                    break;
                }
            }
        }
    }
}

/// Whether two claims cannot be told apart by what ran.
fn could_be(one: &Claim, other: &Claim) -> bool {
    let argv: Vec<crate::bytes::Bytes> = other
        .slots
        .iter()
        .map(|slot| match slot {
            super::Slot::Exactly(bytes) => crate::bytes::Bytes(bytes.clone()),
            _ => crate::bytes::Bytes::default(),
        })
        .collect();
    matches(&one.slots, &argv)
}

/// Whether bash opens a file of this name; the recorder leaves out a few folders.
fn is_a_file(redirect: &Redirect<'_>, target: &[u8]) -> bool {
    let opens = match redirect.op() {
        RedirectOp::Read
        | RedirectOp::Write
        | RedirectOp::Append
        | RedirectOp::Clobber
        | RedirectOp::ReadWrite
        | RedirectOp::WriteAll
        | RedirectOp::AppendAll => true,
        // With another descriptor the word must be a number.
        RedirectOp::DupOut => {
            redirect.fd() == Some(1) && !target.is_empty() && !is_descriptor(target)
        }
        RedirectOp::DupIn
        | RedirectOp::Heredoc
        | RedirectOp::HeredocTabs
        | RedirectOp::HereString => false,
    };
    let left_out: [&[u8]; 9] = [
        b"/usr/",
        b"/lib/",
        b"/etc/",
        b"/proc/",
        b"/dev/tty",
        b"/dev/tcp/",
        b"/dev/udp/",
        b"/dev/fd/",
        b"/dev/std",
    ];
    opens && !left_out.iter().any(|start| target.starts_with(start))
}

fn is_descriptor(target: &[u8]) -> bool {
    let digits = target.strip_suffix(b"-").unwrap_or(target);
    digits.iter().all(u8::is_ascii_digit)
}
