use super::document::text;
use super::edit::MARK;
use jsonc_parser::ast::{Object, Value};
use jsonc_parser::{ParseOptions, parse_to_ast};

/// Names what in a project's settings can reach the gate. Every spelling that some reader could
/// accept counts, and so does every occurrence of a key.
pub(crate) fn reach(settings: &str) -> Vec<String> {
    with_root(settings, |root| {
        let mut found = Vec::new();
        if is_off(root) {
            found.push(
                "`disableAllHooks` switches every hook off, the gate's too; where no person is, nobody is asked"
                    .to_owned(),
            );
        }
        for events in objects(root, "hooks") {
            found.extend(events.properties.iter().filter_map(hooks));
        }
        for variables in objects(root, "env") {
            found.extend(variables.properties.iter().filter_map(|variable| {
                environment(variable.name.as_str())
            }));
        }
        for permissions in objects(root, "permissions") {
            found.extend(mode(permissions));
        }
        for (key, what) in [
            ("allowManagedHooksOnly", "asks that only the administrator's hooks run"),
            ("allowedHttpHookUrls", "chooses which hooks may be called over HTTP"),
("enabledPlugins", "brings plugins, which can have hooks of their own"),
        ] {
            if root.get(key).is_some() {
                found.push(format!("`{key}` {what}"));
            }
        }
        found.sort();
        found.dedup();
        found
    })
    .unwrap_or_else(|| {
        vec!["it cannot be read as an object of settings, so what it does is not known".to_owned()]
    })
}

/// Whether settings switch every hook off.
pub(crate) fn switches_off(settings: &str) -> bool {
    with_root(settings, is_off).unwrap_or(false)
}

fn with_root<T>(settings: &str, look: impl FnOnce(&Object<'_>) -> T) -> Option<T> {
    let body = settings.strip_prefix(MARK).unwrap_or(settings);
    if body.trim().is_empty() {
        return Some(look(&Object {
            range: jsonc_parser::common::Range::new(0, 0),
            properties: Vec::new(),
        }));
    }
    let parsed = parse_to_ast(
        body,
        &jsonc_parser::CollectOptions::default(),
        &ParseOptions::default(),
    );
    match parsed.ok()?.value? {
        Value::Object(root) => Some(look(&root)),
        _ => None,
    }
}

fn is_off(root: &Object<'_>) -> bool {
    values(root, "disableAllHooks").any(|value| match value {
        Value::BooleanLit(flag) => flag.value,
        Value::NullKeyword(_) => false,
        _ => true,
    })
}

fn hooks(event: &jsonc_parser::ast::ObjectProp<'_>) -> Option<String> {
    if matches!(&event.value, Value::Array(groups) if groups.elements.is_empty()) {
        return None;
    }
    let name = event.name.as_str();
    Some(match name {
        "PreToolUse" => {
            "a hook of `PreToolUse` can rewrite a call after the gate allowed it".to_owned()
        }
        "PermissionRequest" => {
            "a hook of `PermissionRequest` can answer what the gate asks a person".to_owned()
        }
        _ => format!(
            "a hook of `{}` runs commands that the gate never sees",
            crate::reason::visible(name)
        ),
    })
}

fn environment(name: &str) -> Option<String> {
    let what = if name == "PATH" {
        "chooses the programs that hooks start"
    } else if name.starts_with("LD_") || name.starts_with("DYLD_") {
        "loads other code into hooks that are dynamically linked"
    } else {
        return None;
    };
    Some(format!("`env.{}` {what}", crate::reason::visible(name)))
}

fn mode(permissions: &Object<'_>) -> Option<String> {
    permissions.get("defaultMode")?;
    let mode = text(permissions, "defaultMode").unwrap_or("of another type");
    if matches!(mode, "default" | "manual" | "plan") {
        return None;
    }
    let shown: String = mode.chars().take(40).collect();
    Some(format!(
        "`permissions.defaultMode` is {}, so calls that nobody decided may run without a prompt",
        crate::reason::visible(&shown)
    ))
}

fn objects<'v, 'a>(root: &'v Object<'a>, name: &str) -> impl Iterator<Item = &'v Object<'a>> {
    values(root, name).filter_map(Value::as_object)
}

fn values<'v, 'a>(root: &'v Object<'a>, name: &str) -> impl Iterator<Item = &'v Value<'a>> {
    root.properties
        .iter()
        .filter(move |property| property.name.as_str() == name)
        .map(|property| &property.value)
}
