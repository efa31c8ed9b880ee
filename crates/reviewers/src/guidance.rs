//! The owner's words for reviewers: four sections, each with built-in entries.
//!
//! The built-in entries have the meaning of those of pi-automode 1.4.0, in words of our own.

use countersign_core::Guidance;

/// The entry that stands for the built-in ones of its section.
pub const DEFAULTS: &str = "$defaults";

/// The sections, by the names that a configuration uses.
pub const SECTIONS: [&str; 4] = ["environment", "allow", "soft_deny", "hard_deny"];

/// The built-in entries of a section; none for a name that is no section.
pub fn defaults(section: &str) -> Vec<&'static str> {
    match section {
        "environment" => include_str!("guidance/environment.txt"),
        "allow" => include_str!("guidance/allow.txt"),
        "soft_deny" => include_str!("guidance/soft_deny.txt"),
        "hard_deny" => include_str!("guidance/hard_deny.txt"),
        _ => "",
    }
    .lines()
    .collect()
}

/// The built-in guidance.
pub fn built_in() -> Guidance {
    let owned = |section| defaults(section).into_iter().map(str::to_owned).collect();
    Guidance {
        environment: owned("environment"),
        allow: owned("allow"),
        soft_deny: owned("soft_deny"),
        hard_deny: owned("hard_deny"),
    }
}

/// The entries of a section as its owner gave them, with [`DEFAULTS`] replaced by the built-in ones.
/// Each entry once, in order.
pub fn expand(section: &str, given: &[String]) -> Vec<String> {
    let mut entries: Vec<String> = Vec::new();
    for entry in given {
        let more: Vec<&str> = if entry == DEFAULTS {
            defaults(section)
        } else {
            vec![entry]
        };
        for entry in more {
            if !entries.iter().any(|known| known == entry) {
                entries.push(entry.to_owned());
            }
        }
    }
    entries
}
