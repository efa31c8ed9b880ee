//! Compiles `commands/*/*.toml` and `rules/*.toml` into static tables.

#[path = "src/knowledge/file.rs"]
#[expect(dead_code, reason = "examples are read by the tests only")]
mod command_file;

#[path = "src/rules/file.rs"]
mod rule_file;

#[path = "build/emit.rs"]
mod emit;

use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=commands");
    println!("cargo::rerun-if-changed=rules");
    println!("cargo::rerun-if-changed=build/emit.rs");
    println!("cargo::rerun-if-changed=src/knowledge/file.rs");
    println!("cargo::rerun-if-changed=src/rules/file.rs");
    if let Err(error) = compile() {
        println!("cargo::error={error}");
        std::process::exit(1);
    }
}

fn compile() -> Result<(), String> {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    let programs: Vec<command_file::NodeFile> = read_all("commands")?;
    let packs: Vec<rule_file::PackFile> = read_all("rules")?;
    write(&out.join("commands.rs"), &emit::commands(&programs)?)?;
    write(&out.join("rules.rs"), &emit::rules(&packs)?)
}

/// Every TOML file in a folder and in the folders of that, in the order of their paths.
fn read_all<T: DeserializeOwned>(folder: &str) -> Result<Vec<T>, String> {
    let mut files = Vec::new();
    collect(Path::new(folder), &mut files).map_err(|error| format!("{folder}: {error}"))?;
    files.sort();
    files.iter().map(|file| read(file)).collect()
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

fn read<T: DeserializeOwned>(file: &Path) -> Result<T, String> {
    let text =
        std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    // Cargo shows an error directive up to the first line break.
    toml::from_str(&text).map_err(|error| {
        format!(
            "{}: {}",
            file.display(),
            error.to_string().replace('\n', " ")
        )
    })
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}
