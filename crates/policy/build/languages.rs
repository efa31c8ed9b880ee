//! Writes the parsed language files as Rust constants.

use crate::language_file::{CallFile, LanguageFile, ValueName};
use std::collections::{BTreeMap, BTreeSet};

/// One table for each language. Lists are sorted, so that they can be searched.
pub(crate) fn tables(languages: &[LanguageFile]) -> Result<String, String> {
    languages.iter().map(table).collect()
}

fn table(language: &LanguageFile) -> Result<String, String> {
    let fail = |problem: String| Err(format!("languages, `{}`: {problem}", language.name));
    let mut functions: BTreeSet<String> = language.functions.iter().cloned().collect();
    let mut modules = BTreeSet::new();
    for (module, names) in &language.modules {
        modules.insert(module.clone());
        functions.extend(names.iter().map(|name| format!("{module}.{name}")));
    }
    let mut calls = BTreeMap::new();
    for call in &language.calls {
        for name in &call.names {
            if calls.insert(name.clone(), call).is_some() || functions.contains(name) {
                return fail(format!("`{name}` is listed twice"));
            }
            modules.extend(modules_of(name));
        }
    }
    for name in functions
        .iter()
        .chain(&language.values)
        .chain(&language.environment)
    {
        modules.extend(modules_of(name));
    }
    Ok(format!(
        "pub(crate) static {}: Table = Table {{ name: {:?}, keywords: {}, functions: {}, modules: {}, values: {}, \
         methods: {}, doubtful: {}, reserved: {}, hidden: {}, changers: {}, environment: {}, labels: {}, loads: {}, calls: {} }};\n",
        language.name.to_uppercase(),
        language.name,
        sorted(&language.keywords),
        sorted(&functions),
        sorted(&modules),
        sorted(&language.values),
        sorted(&language.methods),
        lists(&language.doubtful),
        sorted(&language.reserved),
        sorted(&language.hidden),
        sorted(&language.changers),
        sorted(&language.environment),
        sorted(&language.labels),
        lists(&language.loads),
        list(
            calls
                .iter()
                .map(|(name, file)| format!("({name:?}, {})", call(file)))
        ),
    ))
}

/// `a` and `a.b` of `a.b.c`.
fn modules_of(name: &str) -> Vec<String> {
    let ends = name.match_indices('.').map(|(at, _)| at);
    let modules = ends.filter_map(|at| name.get(..at));
    modules
        .filter(|module| !module.is_empty() && !module.ends_with("()"))
        .map(str::to_owned)
        .collect()
}

fn call(file: &CallFile) -> String {
    let value = file.value.map(|value| match value {
        ValueName::Same => "Given::Same",
        ValueName::Joined => "Given::Joined",
        ValueName::Home => "Given::Home",
        ValueName::Expanded => "Given::Expanded",
    });
    format!(
        "Call {{ run: {}, shell: {:?}, program: {:?}, opens: {:?}, mode: {:?}, pipes: {}, variable: {:?}, value: {}, \
         parameters: {}, sends: {} }}",
        strings(&file.run),
        file.shell,
        file.program,
        file.opens,
        file.mode,
        file.pipes,
        file.variable,
        value.map_or_else(|| "None".to_owned(), |value| format!("Some({value})")),
        strings(&file.parameters),
        strings(&file.sends),
    )
}

fn lists(named: &BTreeMap<String, Vec<String>>) -> String {
    list(
        named
            .iter()
            .map(|(name, names)| format!("({name:?}, {})", sorted(names))),
    )
}

fn sorted<'a>(texts: impl IntoIterator<Item = &'a String>) -> String {
    let texts: BTreeSet<&String> = texts.into_iter().collect();
    strings(texts)
}

fn strings<'a>(texts: impl IntoIterator<Item = &'a String>) -> String {
    list(texts.into_iter().map(|text| format!("{text:?}")))
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("&[{}]", items.into_iter().collect::<Vec<_>>().join(", "))
}
