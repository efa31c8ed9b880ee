//! Writes the parsed files as Rust constants.

use crate::command_file::{
    EffectName, ModeFile, NodeFile, OperandFile, OptionFile, ParseStyle, PlaceName, Role, VerbsFile,
};
use crate::rule_file::{ConditionFile, PackFile, RuleFile};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

/// The table of programs, sorted by name.
pub(crate) fn commands(programs: &[NodeFile]) -> Result<String, String> {
    let mut names = BTreeMap::new();
    let mut text = String::from("&[\n");
    for (index, program) in programs.iter().enumerate() {
        check(program, &program.name, &[])?;
        text.push_str(&node(program));
        text.push_str(",\n");
        for name in std::iter::once(&program.name).chain(&program.aliases) {
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

/// What the shape alone cannot hold.
fn check(node: &NodeFile, path: &str, outer: &[&OptionFile]) -> Result<(), String> {
    let fail = |problem: &str| Err(format!("commands, `{path}`: {problem}"));
    let lists = std::iter::once(&node.operands)
        .chain(node.modes.iter().filter_map(|mode| mode.operands.as_ref()));
    for operands in lists {
        if operands
            .iter()
            .filter(|operand| operand.many && operand.role != Role::Assign)
            .count()
            > 1
        {
            return fail("more than one operand says `many`");
        }
    }
    for mode in &node.modes {
        for option in &mode.options {
            let tables = || node.options.iter().chain(outer.iter().copied());
            let named =
                |name: &str| tables().find(|known| known.names.iter().any(|known| known == name));
            let whole = named(option);
            let with_value = option.split_once('=').and_then(|(name, _)| named(name));
            let Some(table) = whole.or(with_value) else {
                return fail(&format!(
                    "a mode names `{option}`, which is not an option of it"
                ));
            };
            let unlisted = |name: &&String| whole.is_some() && !mode.options.contains(name);
            if let Some(missing) = table.names.iter().find(unlisted) {
                return fail(&format!(
                    "a mode names `{option}` but not `{missing}`, which stands in the same table"
                ));
            }
        }
    }
    let global = node.options.iter().filter(|option| option.global);
    let outer: Vec<&OptionFile> = outer.iter().copied().chain(global).collect();
    for subcommand in &node.subcommands {
        check(subcommand, &format!("{path} {}", subcommand.name), &outer)?;
    }
    Ok(())
}

fn node(node: &NodeFile) -> String {
    format!(
        "Node {{ names: {}, parse: ParseStyle::{:?}, stop_at_operand: {}, reads: {}, effects: {}, tags: {}, \
         options: {}, operands: {}, modes: {}, verbs: {}, subcommands: {}, stdin: {}, default_path: {}, \
         ordinary_settings: {}, place: Place::{:?}, appends_arguments: {}, repository: {} }}",
        strings(std::iter::once(&node.name).chain(&node.aliases)),
        parse_style(node.parse),
        node.stop_at_operand,
        node.reads,
        effects(&node.effects),
        strings(&node.tags),
        list(node.options.iter().map(option)),
        list(node.operands.iter().map(operand)),
        list(node.modes.iter().map(mode)),
        optional(node.verbs.as_ref().map(verbs)),
        list(node.subcommands.iter().map(self::node)),
        optional(node.stdin.map(role)),
        node.default_path,
        strings(&node.ordinary_settings),
        place(node.place),
        node.appends_arguments,
        node.repository,
    )
}

fn option(option: &OptionFile) -> String {
    let values = list(
        option
            .values
            .iter()
            .map(|(value, tags)| format!("({value:?}, {})", strings(tags))),
    );
    format!(
        "Opt {{ names: {}, value: {}, optional: {}, named: {}, effects: {}, tags: {}, except: {}, values: {values}, global: {} }}",
        strings(&option.names),
        optional(option.value.map(role)),
        option.optional,
        option.named,
        effects(&option.effects),
        strings(&option.tags),
        strings(&option.except),
        option.global,
    )
}

fn operand(operand: &OperandFile) -> String {
    let pairs = |table: &BTreeMap<String, String>| {
        list(
            table
                .iter()
                .map(|(text, tag)| format!("({text:?}, {tag:?})")),
        )
    };
    format!(
        "Operand {{ role: {}, many: {}, effects: {}, tags: {}, starts: {}, holds: {} }}",
        role(operand.role),
        operand.many,
        effects(&operand.effects),
        strings(&operand.tags),
        pairs(&operand.starts),
        pairs(&operand.holds),
    )
}

fn mode(mode: &ModeFile) -> String {
    format!(
        "Mode {{ options: {}, reads: {}, effects: {}, tags: {}, values: {}, operands: {} }}",
        strings(&mode.options),
        mode.reads,
        effects(&mode.effects),
        strings(&mode.tags),
        list(
            mode.values
                .iter()
                .map(|(name, meaning)| format!("({name:?}, {})", role(*meaning)))
        ),
        optional(
            mode.operands
                .as_ref()
                .map(|operands| list(operands.iter().map(operand)))
        ),
    )
}

fn verbs(verbs: &VerbsFile) -> String {
    format!(
        "&Verbs {{ groups: {}, secret: {}, except: {}, reads: {}, deletes: {}, deploys: {}, changes: {}, files: {} }}",
        strings(&verbs.groups),
        strings(&verbs.secret),
        strings(&verbs.except),
        strings(&verbs.reads),
        strings(&verbs.deletes),
        strings(&verbs.deploys),
        strings(&verbs.changes),
        strings(&verbs.files),
    )
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

fn effects(names: &[EffectName]) -> String {
    list(names.iter().map(|name| format!("EffectKind::{name:?}")))
}

fn role(role: Role) -> String {
    format!("Role::{role:?}")
}

fn parse_style(style: ParseStyle) -> impl Debug {
    style
}

fn place(place: PlaceName) -> impl Debug {
    place
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
