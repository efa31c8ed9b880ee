//! Which crate may use which. The table is the design; `cargo metadata` is the truth.

use serde_json::Value;
use std::process::Command;

/// Every package of ours and the packages of ours that it may depend on, tests included.
const ALLOWED: &[(&str, &[&str])] = &[
    ("countersign-core", &[]),
    ("countersign-lexer", &[]),
    ("countersign-budget", &[]),
    ("countersign-abi", &[]),
    (
        "countersign-policy",
        &["countersign-core", "countersign-lexer"],
    ),
    (
        "countersign-broker",
        // Its tests are those of a store's author, behind a feature.
        &[
            "countersign-core",
            "countersign-budget",
            "countersign-broker",
        ],
    ),
    (
        "countersign-reviewers",
        &[
            "countersign-core",
            "countersign-budget",
            "countersign-abi",
            "countersign-plugin-testing",
        ],
    ),
    (
        "countersign",
        &[
            "countersign-core",
            "countersign-lexer",
            "countersign-budget",
            "countersign-abi",
            "countersign-policy",
            "countersign-broker",
            "countersign-reviewers",
            "countersign-plugin-testing",
        ],
    ),
    (
        "countersign-bench",
        &[
            "countersign",
            "countersign-core",
            "countersign-lexer",
            "countersign-policy",
            "countersign-reviewers",
        ],
    ),
    (
        "countersign-oracle",
        &[
            "countersign-core",
            "countersign-lexer",
            "countersign-policy",
        ],
    ),
    (
        "countersign-storm",
        &["countersign", "countersign-core", "countersign-broker"],
    ),
    ("countersign-front", &[]),
    ("countersign-plugin-testing", &[]),
    ("countersign-plugin-exec", PLUGIN),
    ("countersign-plugin-openai", PLUGIN),
    ("countersign-plugin-hostile", PLUGIN),
    ("xtask", &[]),
];

/// What a plugin may use: the author's side, and what the plugins' tests share.
const PLUGIN: &[&str] = &["countersign-reviewers", "countersign-plugin-testing"];

/// Packages for tests: nothing that is shipped depends on one.
const TESTS_ONLY: &[&str] = &["countersign-plugin-testing"];

/// Packages that need the standard library only, and what of others a feature may add to them that
/// is off by default.
const STD_ONLY: &[(&str, &[&str])] = &[
    ("countersign-lexer", &[]),
    ("countersign-budget", &["serde"]),
    ("countersign-front", &[]),
];

/// What `cargo metadata` says about this workspace.
pub(crate) fn metadata() -> Result<Value, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["metadata", "--locked", "--no-deps", "--format-version", "1"])
        .output()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}

/// Every dependency that the table does not allow, one line each.
pub(crate) fn violations(metadata: &Value) -> Vec<String> {
    let packages = metadata.get("packages").and_then(Value::as_array);
    let mut found = Vec::new();
    for package in packages.into_iter().flatten() {
        let name = text(package, "name");
        let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
            found.push(format!(
                "{name}: not in the table of layers (xtask/src/layers.rs)"
            ));
            continue;
        };
        let std_only = STD_ONLY.iter().find(|(known, _)| *known == name);
        for dependency in package
            .get("dependencies")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            let on = text(dependency, "name");
            let ours = ALLOWED.iter().any(|(known, _)| *known == on);
            if ours && !allowed.contains(&on) {
                found.push(format!("{name}: may not depend on {on}"));
            }
            let built_in = dependency.get("kind").is_none_or(Value::is_null);
            if built_in && TESTS_ONLY.contains(&on) {
                found.push(format!("{name}: may depend on {on} in its tests only"));
            }
            let optional = dependency.get("optional").and_then(Value::as_bool) == Some(true);
            if built_in
                && let Some((_, by_feature)) = std_only
                && !(optional && by_feature.contains(&on))
            {
                found.push(format!(
                    "{name}: may depend on nothing, but depends on {on}"
                ));
            }
        }
        let by_default = package
            .pointer("/features/default")
            .and_then(Value::as_array);
        if std_only.is_some() && by_default.is_some_and(|features| !features.is_empty()) {
            found.push(format!(
                "{name}: may depend on nothing, so no feature may be on by default"
            ));
        }
    }
    found
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{metadata, violations};
    use serde_json::json;

    #[test]
    fn this_workspace_keeps_its_layers() {
        assert_eq!(
            violations(&metadata().expect("cargo metadata runs")),
            Vec::<String>::new()
        );
    }

    #[test]
    fn seeded_violations_are_found() {
        let seeded = json!({"packages": [
            {"name": "countersign-core", "dependencies": [{"name": "countersign-policy", "kind": null}]},
            {"name": "countersign-lexer", "dependencies": [{"name": "serde", "kind": null}]},
            {"name": "countersign-lexer", "dependencies": [{"name": "insta", "kind": "dev"}]},
            {"name": "countersign-lexer", "dependencies": [{"name": "serde", "kind": null, "optional": true}]},
            {"name": "countersign-budget", "features": {"default": [], "serde": ["dep:serde"]}, "dependencies": [
                {"name": "serde", "kind": null, "optional": true},
                {"name": "rand", "kind": null, "optional": true},
                {"name": "proptest", "kind": "dev", "optional": false},
            ]},
            {"name": "countersign-budget", "features": {"default": ["serde"]}, "dependencies": [
                {"name": "serde", "kind": null, "optional": false},
            ]},
            {"name": "countersign-new", "dependencies": []},
            {"name": "countersign-plugin-exec", "dependencies": [
                {"name": "countersign-core", "kind": null},
                {"name": "countersign-plugin-testing", "kind": "dev"},
            ]},
            {"name": "countersign-plugin-openai", "dependencies": [
                {"name": "countersign-plugin-testing", "kind": null},
            ]},
            {"name": "countersign-plugin-testing", "dependencies": [
                {"name": "countersign-reviewers", "kind": "dev"},
            ]},
        ]});
        assert_eq!(
            violations(&seeded),
            [
                "countersign-core: may not depend on countersign-policy",
                "countersign-lexer: may depend on nothing, but depends on serde",
                "countersign-lexer: may depend on nothing, but depends on serde",
                "countersign-budget: may depend on nothing, but depends on rand",
                "countersign-budget: may depend on nothing, but depends on serde",
                "countersign-budget: may depend on nothing, so no feature may be on by default",
                "countersign-new: not in the table of layers (xtask/src/layers.rs)",
                "countersign-plugin-exec: may not depend on countersign-core",
                "countersign-plugin-openai: may depend on countersign-plugin-testing in its tests only",
                "countersign-plugin-testing: may not depend on countersign-reviewers",
            ]
        );
    }
}
