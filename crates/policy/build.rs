//! Compiles `commands/*/*.toml`, `languages/*.toml` and `rules/*.toml` into static tables.

/// How command files are read, as the library reads an owner's.
#[path = "src/knowledge"]
mod knowledge {
    pub(crate) mod check;
    #[expect(dead_code, reason = "some keys are read by the library only")]
    pub(crate) mod file;
    mod words;
}

#[path = "src/rules/file.rs"]
mod rule_file;

#[path = "src/language/file.rs"]
mod language_file;

#[path = "build/emit.rs"]
mod emit;

#[path = "build/languages.rs"]
mod languages;

use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=commands");
    println!("cargo::rerun-if-changed=languages");
    println!("cargo::rerun-if-changed=rules");
    println!("cargo::rerun-if-changed=build/emit.rs");
    println!("cargo::rerun-if-changed=build/languages.rs");
    println!("cargo::rerun-if-changed=src/language/file.rs");
    println!("cargo::rerun-if-changed=src/knowledge/check.rs");
    println!("cargo::rerun-if-changed=src/knowledge/file.rs");
    println!("cargo::rerun-if-changed=src/knowledge/tables.rs");
    println!("cargo::rerun-if-changed=src/knowledge/words.rs");
    println!("cargo::rerun-if-changed=src/rules/file.rs");
    if let Err(errors) = compile() {
        for error in errors {
            // Cargo shows an error directive up to the first line break.
            println!("cargo::error={}", error.replace('\n', " "));
        }
        std::process::exit(1);
    }
}

fn compile() -> Result<(), Vec<String>> {
    let out = std::env::var_os("OUT_DIR").ok_or_else(|| vec!["OUT_DIR is not set".to_owned()])?;
    let out = PathBuf::from(out);
    let programs = read_all("commands", knowledge::check::read)?;
    let packs: Vec<rule_file::PackFile> = read_all("rules", read_toml)?;
    let spoken: Vec<language_file::LanguageFile> = read_all("languages", read_toml)?;
    let one = |error| vec![error];
    let commands = emit::commands(&programs).map_err(one)?;
    write(&out.join("commands.rs"), &commands).map_err(one)?;
    let languages = languages::tables(&spoken).map_err(one)?;
    write(&out.join("languages.rs"), &languages).map_err(one)?;
    let rules = emit::rules(&packs).map_err(one)?;
    write(&out.join("rules.rs"), &rules).map_err(one)
}

fn read_toml<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Vec<String>> {
    toml::from_str(text).map_err(|error| vec![error.to_string()])
}

/// Every TOML file in a folder and in the folders of that, in the order of their paths.
fn read_all<T>(
    folder: &str,
    read: impl Fn(&str) -> Result<T, Vec<String>>,
) -> Result<Vec<T>, Vec<String>> {
    let mut files = Vec::new();
    collect(Path::new(folder), &mut files).map_err(|error| vec![format!("{folder}: {error}")])?;
    files.sort();
    let (mut parsed, mut wrong) = (Vec::new(), Vec::new());
    for file in &files {
        let text = std::fs::read_to_string(file);
        let text = text.map_err(|error| vec![format!("{}: {error}", file.display())])?;
        match read(&text) {
            Ok(file) => parsed.push(file),
            Err(problems) => wrong.push(format!("{}: {}", file.display(), problems.join("; "))),
        }
    }
    if wrong.is_empty() {
        Ok(parsed)
    } else {
        Err(wrong)
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            files.push(path);
        }
    }
    Ok(())
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}
