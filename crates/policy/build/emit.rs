//! Writes the parsed files as Rust constants.

use crate::knowledge::file::{
    EffectName, ModeFile, NodeFile, OperandFile, OptionFile, ParseStyle, PlaceName, Printing,
    PrintsFile, Role, VerbsFile,
};
use crate::rule_file::{ConditionFile, PackFile, RuleFile};
use std::collections::{BTreeMap, BTreeSet};

/// The table of programs, sorted by name.
pub(crate) fn commands(programs: &[NodeFile]) -> Result<String, String> {
    let mut names = BTreeMap::new();
    let mut text = String::from("&[\n");
    for (index, program) in programs.iter().enumerate() {
        text.push_str(&program.emit());
        text.push_str(",\n");
        for name in program.all_names() {
            if names.insert(name.clone(), index).is_some() {
                return Err(format!("two command files describe `{name}`"));
            }
        }
    }
    text.push(']');
    let index = list(
        names
            .iter()
            .map(|(name, index)| format!("({name:?}, {index})")),
    );
    Ok(format!(
        "pub(crate) static PROGRAMS: &[Node] = {text};\npub(crate) static NAMES: &[(&str, usize)] = {index};\n"
    ))
}

/// A part of a file as a constant of what an analysis looks at.
trait Emit {
    fn emit(&self) -> String;
}

/// A struct of `tables.rs` as it is written for a file's.
macro_rules! table {
    (
        $file:ident =>
        $(#[$doc:meta])*
        pub(crate) struct $name:ident {
            $(pub(crate) $field:ident: $type:ty $(= $made:ident)?,)*
        }
    ) => {
        impl Emit for $file {
            fn emit(&self) -> String {
                let fields = [
                    $(concat!(stringify!($field), ": ").to_owned()
                        + &table!(@value self $field $($made)?).emit(),)*
                ];
                format!("{} {{ {} }}", stringify!($name), fields.join(", "))
            }
        }
    };
    (@value $file:ident $field:ident) => { $file.$field };
    (@value $file:ident $field:ident $made:ident) => { $file.$made() };
}

include!("../src/knowledge/tables.rs");

impl Emit for bool {
    fn emit(&self) -> String {
        self.to_string()
    }
}

impl Emit for String {
    fn emit(&self) -> String {
        format!("{self:?}")
    }
}

impl<T: Emit> Emit for Vec<T> {
    fn emit(&self) -> String {
        list(self.iter().map(T::emit))
    }
}

impl<K: Emit, V: Emit> Emit for BTreeMap<K, V> {
    fn emit(&self) -> String {
        list(
            self.iter()
                .map(|(key, value)| format!("({}, {})", key.emit(), value.emit())),
        )
    }
}

impl<T: Emit> Emit for Option<T> {
    fn emit(&self) -> String {
        optional(self.as_ref().map(T::emit))
    }
}

impl Emit for usize {
    fn emit(&self) -> String {
        self.to_string()
    }
}

impl Emit for Printing {
    fn emit(&self) -> String {
        format!("Printing::{self:?}")
    }
}

impl Emit for EffectName {
    fn emit(&self) -> String {
        format!("EffectKind::{self:?}")
    }
}

impl Emit for Role {
    fn emit(&self) -> String {
        format!("Role::{self:?}")
    }
}

impl Emit for ParseStyle {
    fn emit(&self) -> String {
        format!("ParseStyle::{self:?}")
    }
}

impl Emit for PlaceName {
    fn emit(&self) -> String {
        format!("Place::{self:?}")
    }
}

/// The table of rules.
pub(crate) fn rules(packs: &[PackFile]) -> Result<String, String> {
    let mut names = BTreeSet::new();
    let mut rows = Vec::new();
    for pack in packs {
        if let Some(problem) = pack.problem() {
            return Err(format!("rules: {problem}"));
        }
        if !names.insert(&pack.pack) {
            return Err(format!("rules: two packs have the name `{}`", pack.pack));
        }
        rows.extend(pack.rules.iter().map(|rule| one_rule(&pack.pack, rule)));
    }
    let about = packs
        .iter()
        .map(|pack| format!("({:?}, {:?})", pack.pack, pack.about));
    Ok(format!(
        "pub(crate) static PACKS: &[(&str, &str)] = {};\nstatic RULES: &[Rule<'static>] = {};\n",
        list(about),
        list(rows)
    ))
}

fn one_rule(pack: &str, rule: &RuleFile) -> String {
    format!(
        "Rule {{ id: \"{pack}.{}\", severity: Severity::{:?}, why: {:?}, safer: {:?}, conditions: {} }}",
        rule.id,
        rule.severity,
        rule.why,
        rule.safer,
        list(rule.conditions.iter().map(condition)),
    )
}

fn condition(condition: &ConditionFile) -> String {
    format!(
        "Condition {{ program: {}, not_program: {}, subcommand: {}, effect: {}, zone: {}, place: {}, tags: {}, \
         without: {}, list: {}, path: {}, tree: {}, name: {} }}",
        words(&condition.program),
        words(&condition.not_program),
        words(&condition.subcommand),
        variants("EffectKind", &condition.effect),
        variants("Zone", &condition.zone),
        variants("Place", &condition.place),
        words(&condition.tags),
        words(&condition.without),
        optional(condition.list.map(|list| format!("ListName::{list:?}"))),
        words(&condition.path),
        words(&condition.tree),
        words(&condition.name),
    )
}

fn words(texts: &[String]) -> String {
    format!("Words::Compiled({})", strings(texts))
}

/// Words of the JSON form as variants; a wrong word does not compile.
fn variants(kind: &str, words: &[String]) -> String {
    let variants = list(words.iter().map(|word| {
        let name: String = word
            .split('-')
            .map(|part| {
                part.get(..1).unwrap_or_default().to_uppercase() + part.get(1..).unwrap_or_default()
            })
            .collect();
        format!("{kind}::{name}")
    }));
    format!("Cow::Borrowed({variants})")
}

fn optional(value: Option<String>) -> String {
    value.map_or_else(|| "None".to_owned(), |text| format!("Some({text})"))
}

fn strings<'a>(texts: impl IntoIterator<Item = &'a String>) -> String {
    list(texts.into_iter().map(|text| format!("{text:?}")))
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("&[{}]", items.into_iter().collect::<Vec<_>>().join(", "))
}
