//! Packs that an owner writes, in the form of the built-in ones.

use super::file::{ConditionFile, PackFile, RuleFile, SeverityName};
use super::{Condition, PACKS, Rule, Words};
use crate::policy::Policy;
use crate::settings::Settings;
use countersign_core::{Facts, Request, Severity};
use serde::Serialize;
use serde::de::value::{Error, StrDeserializer};
use serde::de::{DeserializeOwned, Error as _, IntoDeserializer};
use std::borrow::Cow;
use thiserror::Error;

/// A pack of rules that an owner wrote.
#[derive(Debug, Clone)]
pub struct Pack {
    name: String,
    about: String,
    rules: Vec<OwnRule>,
}

#[derive(Debug, Clone)]
struct OwnRule {
    id: String,
    severity: Severity,
    why: String,
    safer: String,
    conditions: Vec<Condition>,
    matches: Vec<String>,
    not_match: Vec<String>,
}

/// A pack that cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PackError {
    /// It is not the TOML that is expected.
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// It has the name of a pack that is built in, or of the owner's other rules.
    #[error("the name `{0}` is taken by a built-in pack; give yours a name of its own")]
    Taken(String),
    /// A rule lacks something.
    #[error("{0}")]
    Rule(String),
    /// There is more in it than is worth loading before every call.
    #[error(
        "is too big: at most {MAX_RULES} rules, {MAX_EXAMPLES} examples of {MAX_EXAMPLE} bytes, and {MAX_WORDS} bytes for `why` and `safer`"
    )]
    TooBig,
    /// A word that is no effect, zone or place.
    #[error("the rule `{rule}`: {problem}")]
    Word {
        /// The rule's id.
        rule: String,
        /// What is wrong.
        problem: String,
    },
}

/// The most rules in one pack.
const MAX_RULES: usize = 100;
/// The most examples in one pack.
const MAX_EXAMPLES: usize = 1_000;
/// The longest example, in bytes.
const MAX_EXAMPLE: usize = 1_000;
/// The longest text that people and agents are shown, in bytes.
const MAX_WORDS: usize = 400;

/// Names that rules of other kinds go by.
const RESERVED: &[&str] = &["configuration", "countersign", "permissions"];

impl Pack {
    /// Reads a pack.
    ///
    /// # Errors
    /// When it is not the TOML that `rules/README.md` describes, lacks something that every rule
    /// has, or has the name of a built-in pack.
    pub fn parse(text: &str) -> Result<Self, PackError> {
        let file: PackFile = toml::from_str(text)?;
        if let Some(problem) = file.problem() {
            return Err(PackError::Rule(problem));
        }
        if is_too_big(&file) {
            return Err(PackError::TooBig);
        }
        let built_in = PACKS.iter().map(|(name, _)| *name);
        if built_in
            .chain(RESERVED.iter().copied())
            .any(|name| name == file.pack)
        {
            return Err(PackError::Taken(file.pack));
        }
        if let Some(rule) = file.rules.iter().find(|rule| rule.tested_by.is_some()) {
            let problem = "`tested_by` is for built-in rules; give it examples";
            return Err(PackError::Word {
                rule: format!("{}.{}", file.pack, rule.id),
                problem: problem.to_owned(),
            });
        }
        let rules = file
            .rules
            .into_iter()
            .map(|rule| OwnRule::read(&file.pack, rule))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            name: file.pack,
            about: file.about,
            rules,
        })
    }

    /// Its name, which its rules' ids begin with.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is about.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// The ids of its rules, each with its severity.
    pub fn ids(&self) -> impl Iterator<Item = (&str, Severity)> {
        self.rules
            .iter()
            .map(|rule| (rule.id.as_str(), rule.severity))
    }

    /// Its examples that do not hold, each with what is wrong; judged by the built-in knowledge in
    /// `/home/user/project`, with nothing else on the machine.
    pub fn wrong_examples(&self) -> Vec<String> {
        const ROOT: &str = "/home/user/project";
        let policy = Policy::new(Settings {
            packs: vec![self.clone()],
            ..Settings::default()
        });
        let facts = Facts::virtual_at("/home/user", &[ROOT]);
        let mut wrong = Vec::new();
        for rule in &self.rules {
            let wanted = rule.matches.iter().map(|command| (command, true));
            let unwanted = rule.not_match.iter().map(|command| (command, false));
            for (command, meant) in wanted.chain(unwanted) {
                let request = Request::command("example", "example", ROOT, command);
                let judgement = policy.judge(&request, &facts);
                let meets = judgement.hits.iter().any(|hit| hit.rule == rule.id);
                if meets != meant {
                    let verb = if meant { "does not meet" } else { "meets" };
                    wrong.push(format!("`{command}` {verb} {}", rule.id));
                }
            }
        }
        wrong
    }

    pub(super) fn rules(&self) -> impl Iterator<Item = Rule<'_>> {
        self.rules.iter().map(|rule| Rule {
            id: &rule.id,
            severity: rule.severity,
            why: &rule.why,
            safer: &rule.safer,
            conditions: &rule.conditions,
        })
    }
}

fn is_too_big(file: &PackFile) -> bool {
    let examples = || {
        let rules = file.rules.iter();
        rules.flat_map(|rule| rule.matches.iter().chain(&rule.not_match))
    };
    let wordy = |rule: &RuleFile| rule.why.len() > MAX_WORDS || rule.safer.len() > MAX_WORDS;
    file.rules.len() > MAX_RULES
        || file.rules.iter().any(wordy)
        || examples().count() > MAX_EXAMPLES
        || examples().any(|example| example.len() > MAX_EXAMPLE)
}

impl OwnRule {
    fn read(pack: &str, rule: RuleFile) -> Result<Self, PackError> {
        let id = format!("{pack}.{}", rule.id);
        let conditions: Result<Vec<Condition>, Error> =
            rule.conditions.into_iter().map(condition).collect();
        let conditions = conditions.map_err(|problem| PackError::Word {
            rule: id.clone(),
            problem: problem.to_string(),
        })?;
        Ok(Self {
            id,
            severity: match rule.severity {
                SeverityName::Ask => Severity::Ask,
                SeverityName::Soft => Severity::Soft,
                SeverityName::Hard => Severity::Hard,
            },
            why: rule.why,
            safer: rule.safer,
            conditions,
            matches: rule.matches,
            not_match: rule.not_match,
        })
    }
}

fn condition(file: ConditionFile) -> Result<Condition, Error> {
    Ok(Condition {
        effect: variants(&file.effect)?,
        zone: variants(&file.zone)?,
        place: variants(&file.place)?,
        program: Words::Read(file.program),
        not_program: Words::Read(file.not_program),
        subcommand: Words::Read(file.subcommand),
        tags: Words::Read(file.tags),
        without: Words::Read(file.without),
        list: file.list,
        path: Words::Read(file.path),
        tree: Words::Read(file.tree),
        name: Words::Read(file.name),
    })
}

/// Words of the JSON form as what they stand for.
fn variants<T: DeserializeOwned + Serialize + Clone>(
    words: &[String],
) -> Result<Cow<'static, [T]>, Error> {
    let read = |word: &String| {
        let reader: StrDeserializer<'_, Error> = word.as_str().into_deserializer();
        let variant = T::deserialize(reader)?;
        // What a later version may send is read as something; what is typed here must be known.
        let known = serde_json::to_value(&variant).is_ok_and(|name| name == word.as_str());
        known.then_some(variant).ok_or_else(|| {
            Error::custom(format!(
                "`{word}` is no effect, zone or place that there is"
            ))
        })
    };
    let read: Result<Vec<T>, Error> = words.iter().map(read).collect();
    read.map(Cow::Owned)
}
