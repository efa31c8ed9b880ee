use countersign_core::{Facts, Judgement, Request, Severity};
use countersign_policy::{Policy, Settings};
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

pub(crate) const CWD: &str = "/home/user/project";

/// Facts of a machine with nothing on it and one workspace.
pub(crate) fn facts() -> Facts {
    Facts::virtual_at("/home/user", &[CWD])
}

/// The built-in policy's judgement of a command.
pub(crate) fn judge(command: &str) -> Judgement {
    judge_with(Settings::default(), command)
}

/// The judgement of a command under some settings.
pub(crate) fn judge_with(settings: Settings, command: &str) -> Judgement {
    Policy::new(settings).judge(&Request::command("test", "test", CWD, command), &facts())
}

/// Every TOML file in a folder of this crate and in the folders of that, with its path.
pub(crate) fn files<T: DeserializeOwned>(folder: &str) -> Vec<(String, T)> {
    let parsed = |(name, text): (String, String)| {
        let parsed = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, parsed)
    };
    texts(folder).into_iter().map(parsed).collect()
}

/// The same as text.
pub(crate) fn texts(folder: &str) -> Vec<(String, String)> {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    collect(&crate_folder.join(folder), &mut paths);
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let name = path
            .strip_prefix(crate_folder)
            .expect("it is in the folder")
            .to_string_lossy()
            .into_owned();
        (name, text)
    };
    paths.into_iter().map(read).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            files.push(path);
        }
    }
}

/// The rules that a judgement met, in order, without repetition.
pub(crate) fn rules(judgement: &Judgement) -> Vec<&str> {
    let mut rules: Vec<&str> = judgement.hits.iter().map(|hit| hit.rule.as_str()).collect();
    rules.dedup();
    rules
}

/// What a command must be answered with, before any reviewer or person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Denied for good.
    Hard,
    /// At least not without a clear request of the user.
    Soft,
    /// Flagged: a person is asked.
    Asked,
    /// Flagged by a rule whose name this is, or its pack, or its last part.
    Rule(&'static str),
    /// Flagged or not, but not denied for good.
    NotHard,
    /// Nobody objects, and nobody allows it: the agent's own flow decides.
    Plain,
    /// Nothing is flagged.
    Free,
    /// It only reads.
    Read,
    /// It is not taken for something that only reads.
    NotRead,
}

impl Answer {
    /// Whether a judgement is this answer.
    pub(crate) fn is(self, judgement: &Judgement) -> bool {
        let worst = judgement.worst();
        match self {
            Self::Hard => worst >= Some(Severity::Deny),
            Self::Soft => worst >= Some(Severity::Soft),
            Self::Asked => worst >= Some(Severity::Ask),
            Self::Rule(name) => judgement.hits.iter().any(|hit| {
                let (pack, last) = hit.rule.split_once('.').unwrap_or_default();
                hit.rule == name || pack == name || last == name
            }),
            Self::NotHard => worst < Some(Severity::Deny),
            Self::Plain => worst.is_none() && !judgement.read_only,
            Self::Free => worst.is_none(),
            Self::Read => judgement.read_only,
            Self::NotRead => !judgement.read_only,
        }
    }
}

/// A table: answers and commands, one case a line.
pub(crate) type Rows = &'static [(Answer, &'static str)];

/// Fails where a row's answer is another.
#[track_caller]
pub(crate) fn holds(rows: Rows) {
    let wrong = rows.iter().filter_map(|(answer, command)| {
        let judgement = judge(command);
        let what = || format!("{command:?}: not {answer:?}, but {}", met(&judgement));
        (!answer.is(&judgement)).then(what)
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A test for each table.
macro_rules! tables {
    ($($name:ident: $rows:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            crate::support::holds($rows);
        })*
    };
}
pub(crate) use tables;

/// The worst rule that a judgement met, with all of them, in words.
pub(crate) fn met(judgement: &Judgement) -> String {
    match judgement.worst() {
        Some(worst) => format!("{worst:?} {:?}", rules(judgement)),
        None if judgement.read_only => "read".to_owned(),
        None => "plain".to_owned(),
    }
}
