use countersign_core::{Facts, Judgement, Request};
use countersign_policy::{Policy, Settings};
use serde::de::DeserializeOwned;
use std::path::Path;

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

/// Every TOML file of a folder of this crate, with its name.
pub(crate) fn files<T: DeserializeOwned>(folder: &str) -> Vec<(String, T)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        })
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("the file can be read");
            let name = path
                .file_name()
                .expect("it has a name")
                .to_string_lossy()
                .into_owned();
            let parsed = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            (name, parsed)
        })
        .collect()
}

/// The rules that a judgement met, in order, without repetition.
pub(crate) fn rules(judgement: &Judgement) -> Vec<&str> {
    let mut rules: Vec<&str> = judgement.hits.iter().map(|hit| hit.rule.as_str()).collect();
    rules.dedup();
    rules
}
