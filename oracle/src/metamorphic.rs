//! A text that means the same must be reported the same.

use crate::answer::Answer;
use crate::judge::{Slot, options, reported, reported_effects};
use crate::transform;
use countersign_lexer::{Script, Status, lex};

/// A rewritten source that is reported differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The rewrite.
    pub how: &'static str,
    /// What it made of the source.
    pub text: Vec<u8>,
    /// What is missing, and what is too much.
    pub detail: String,
}

/// Applies every rewrite to a source and compares the reports. Dynamic words are compared by what
/// is known of them.
pub fn differences(source: &[u8]) -> Vec<Difference> {
    let script = lex(source, &options());
    if script.status() != Status::Complete {
        return Vec::new();
    }
    let before = sorted(&reported(&script));
    transform::all(source, &script)
        .into_iter()
        .filter_map(|(how, text)| {
            let detail = match how {
                // One layer down: the effect layer lists it, beside more. It reads text only.
                "bash-c" | "eval" if std::str::from_utf8(source).is_err() => None,
                "bash-c" | "eval" => missing_effects(&before, &text),
                // There bash 5.2 takes the name of a simple command for that of the coproc.
                "substitution" if source.windows(6).any(|word| word == b"coproc") => None,
                _ => compare(&before, &text, added(how)),
            };
            Some(Difference {
                how,
                detail: detail?,
                text,
            })
        })
        .collect()
}

/// Compares with what `bash --pretty-print` printed.
pub fn pretty_difference(answer: &Answer) -> Option<Difference> {
    let script = lex(&answer.command.0, &options());
    let text = answer.pretty.as_ref()?;
    if script.status() != Status::Complete {
        return None;
    }
    let detail = compare(&sorted(&reported(&script)), &text.0, None)?;
    Some(Difference {
        how: "pretty-print",
        text: text.0.clone(),
        detail,
    })
}

/// The command that a rewrite puts beside the others.
fn added(how: &str) -> Option<&'static str> {
    matches!(how, "leading-colon" | "substitution").then_some(":")
}

fn compare(before: &[String], text: &[u8], added: Option<&str>) -> Option<String> {
    let script = lex(text, &options());
    let mut after = sorted(&reported(&script));
    if let Some(name) = added {
        // In `: $( … )` the colon has an argument.
        let is_added = |shown: &String| shown.starts_with(&format!("{name:?}"));
        let index = after.iter().position(is_added)?;
        after.remove(index);
    }
    (after != before || script.status() != Status::Complete)
        .then(|| told_apart(&script, before, &after))
}

fn missing_effects(before: &[String], text: &[u8]) -> Option<String> {
    let effects = sorted(&reported_effects(text));
    let mut rest = effects.clone();
    for claim in before {
        match rest.iter().position(|found| found == claim) {
            Some(index) => drop(rest.remove(index)),
            None => return Some(format!("{claim} is not among {effects:?}")),
        }
    }
    None
}

fn told_apart(script: &Script, before: &[String], after: &[String]) -> String {
    let without = |all: &[String], others: &[String]| -> Vec<String> {
        let missing = all.iter().filter(|claim| !others.contains(claim));
        missing.cloned().collect()
    };
    format!(
        "{:?}, missing {:?}, too much {:?}",
        script.status(),
        without(before, after),
        without(after, before)
    )
}

/// A form that does not depend on where a word is broken into pieces.
fn sorted(claims: &[Vec<Slot>]) -> Vec<String> {
    let mut shown: Vec<String> = claims.iter().map(|slots| show(slots)).collect();
    shown.sort();
    shown
}

fn show(slots: &[Slot]) -> String {
    let word = |slot: &Slot| match slot {
        Slot::Exactly(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
        Slot::Any => "<any>".to_owned(),
        Slot::One(pieces) => {
            let mut text = String::from("<");
            for piece in pieces {
                match piece {
                    Some(bytes) => text.push_str(&String::from_utf8_lossy(bytes)),
                    None => text.push('…'),
                }
            }
            text + ">"
        }
    };
    slots.iter().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{compare, differences, sorted};
    use crate::judge::{options, reported};
    use countersign_lexer::lex;

    #[test]
    fn a_rewrite_that_changes_the_commands_is_noticed() {
        let before = sorted(&reported(&lex(b"a b; c", &options())));
        assert_eq!(compare(&before, b"a  b\nc", None), None);
        assert_eq!(compare(&before, b": ; a  b; c", Some(":")), None);
        assert!(compare(&before, b"a b c", None).is_some());
        assert!(compare(&before, b"a b; c; d", None).is_some());
    }

    #[test]
    fn rewritten_commands_are_reported_alike() {
        for source in [
            &b"a b && c \"$d\"$e | f"[..],
            b"if a; then b; fi",
            b"cat <<E\n$(a)\nE",
        ] {
            assert_eq!(differences(source), []);
        }
    }
}
