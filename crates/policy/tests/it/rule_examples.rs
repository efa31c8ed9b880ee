#[path = "../../src/rules/file.rs"]
#[expect(dead_code, reason = "only the examples are read here")]
mod file;

use crate::support;
use file::PackFile;
use std::fmt::Write as _;

#[test]
fn every_example_of_a_rule_holds() {
    let mut wrong = String::new();
    for (name, pack) in support::files::<PackFile>("rules") {
        for rule in &pack.rules {
            let id = format!("{}.{}", pack.pack, rule.id);
            let meets = |command: &str| {
                support::judge(command)
                    .hits
                    .iter()
                    .any(|hit| hit.rule == id)
            };
            for command in rule.matches.iter().filter(|command| !meets(command)) {
                let effects = support::judge(command).effects;
                let _infallible =
                    writeln!(wrong, "{name}: `{command}` does not meet {id}: {effects:?}");
            }
            for command in rule.not_match.iter().filter(|command| meets(command)) {
                let effects = support::judge(command).effects;
                let _infallible = writeln!(wrong, "{name}: `{command}` meets {id}: {effects:?}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// An agent that is stopped needs to know what was wrong and what it can do instead.
#[test]
fn every_rule_names_its_effect_and_a_way_out() {
    for (name, pack) in support::files::<PackFile>("rules") {
        assert_eq!(pack.problem(), None, "{name}");
        assert_eq!(
            name,
            format!("rules/{}.toml", pack.pack),
            "a pack is named after its file"
        );
        for rule in &pack.rules {
            let why = rule.why.split_whitespace().count();
            let safer = rule.safer.split_whitespace().count();
            assert!(why >= 4 && safer >= 4, "{name}: {}: say more", rule.id);
            let ends = |text: &str| text.ends_with('.');
            assert!(
                !ends(&rule.why) && !ends(&rule.safer),
                "{name}: {}: a fragment",
                rule.id
            );
        }
    }
}

#[test]
fn the_ids_of_rules_are_part_of_the_api() {
    let ids: Vec<&str> = countersign_policy::rule_ids().collect();
    insta::assert_snapshot!(ids.join("\n"));
}
