//! A folder with a plugin that works, for its author to go on from.

use crate::step::{Outcome, cargo};
use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// The files of a new plugin, with `{{…}}` where its own words go.
const TEMPLATE: &[(&str, &str)] = &[
    (".gitignore", include_str!("../template/gitignore.in")),
    ("Cargo.toml", include_str!("../template/Cargo.toml.in")),
    ("README.md", include_str!("../template/README.md.in")),
    ("src/lib.rs", include_str!("../template/lib.rs.in")),
    ("src/tests.rs", include_str!("../template/tests.rs.in")),
];

/// The names of the plugins that come with Countersign: another one would take their place.
const SHIPPED: &[&str] = &["exec", "openai"];

/// Makes a plugin's folder and says what to do with it.
pub(crate) fn new_plugin(name: &str, folder: Option<&Path>) -> Outcome {
    let folder = create(name, folder)?;
    println!(
        "\
{folder} is a plugin that denies the programs on a list. Next:

  cd {folder}
  cargo test
  cargo build --release
  countersign plugin add target/release/{library}

Say what it does in `description` of its Cargo.toml: `countersign plugin` shows it to whoever
adds it.

It is a workspace of its own. To make it a member of another one, take `[workspace]` and
`[profile.release]` out of its Cargo.toml and list it in `members` there.",
        folder = folder.display(),
        library = library(name),
    );
    Ok(())
}

/// Makes a plugin as an author would, and runs its tests.
pub(crate) fn smoke() -> Outcome {
    let folder = workspace().join("target/new-plugin/smoke");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| at(&folder, &error))?;
    }
    let folder = create("smoke", Some(&folder))?;
    let manifest = folder.join("Cargo.toml").display().to_string();
    let target = folder.with_file_name("target").display().to_string();
    let built = ["--manifest-path", &manifest, "--target-dir", &target];
    cargo(
        &[["test", "--quiet"].as_slice(), &built].concat(),
        &[("INSTA_UPDATE", "no"), ("CARGO_PROFILE_DEV_DEBUG", "0")],
    )
}

fn create(name: &str, folder: Option<&Path>) -> Result<PathBuf, String> {
    if !is_name(name) {
        return Err(format!(
            "{name:?} is not a plugin's name; take 1 to 64 lower-case letters, digits and dashes, \
             with no dash in front"
        ));
    }
    if SHIPPED.contains(&name) {
        return Err(format!(
            "{name} is a plugin that comes with Countersign; take another name"
        ));
    }
    let folder = folder.map_or_else(|| workspace().join("plugins").join(name), Path::to_path_buf);
    let folder = std::path::absolute(&folder).map_err(|error| at(&folder, &error))?;
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent).map_err(|error| at(parent, &error))?;
    }
    fs::create_dir(&folder).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => format!(
            "{} exists, and is left as it is; take another name, or another folder with --path",
            folder.display()
        ),
        _ => at(&folder, &error),
    })?;
    let folder = folder.canonicalize().map_err(|error| at(&folder, &error))?;
    let reviewers = reviewers_from(&folder, &workspace());
    for (file, text) in TEMPLATE {
        let path = folder.join(file);
        write(&path, &render(text, name, &reviewers)).map_err(|error| at(&path, &error))?;
    }
    // The versions that the plugin interface was tested with; cargo takes out what is not needed.
    let lock = workspace().join("Cargo.lock");
    fs::copy(&lock, folder.join("Cargo.lock")).map_err(|error| at(&lock, &error))?;
    Ok(folder)
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    File::create_new(path)?.write_all(text.as_bytes())
}

fn render(text: &str, name: &str, reviewers: &Path) -> String {
    // A string of JSON is one of TOML too.
    let path = serde_json::Value::from(reviewers.display().to_string());
    text.replace("{{name}}", name)
        .replace("{{library}}", &library(name))
        .replace("{{path}}", &path.to_string())
}

fn library(name: &str) -> String {
    format!("libcountersign_plugin_{}.so", name.replace('-', "_"))
}

/// The path of the author's crate: relative inside this workspace, which may be moved as a whole.
fn reviewers_from(folder: &Path, workspace: &Path) -> PathBuf {
    let crate_folder = Path::new("crates/reviewers");
    match folder.strip_prefix(workspace) {
        Ok(inside) => inside
            .components()
            .map(|_| "..")
            .collect::<PathBuf>()
            .join(crate_folder),
        Err(_) => workspace.join(crate_folder),
    }
}

/// The rule that the plugin interface has for names.
fn is_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=64).contains(&name.len()) && !name.starts_with('-') && name.bytes().all(plain)
}

fn workspace() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    root.canonicalize().unwrap_or(root)
}

fn at(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::{SHIPPED, TEMPLATE, create, is_name, library, render, reviewers_from, workspace};
    use std::path::Path;

    #[test]
    fn names_are_those_of_the_interface() {
        let longest = "x".repeat(64);
        for good in ["a", "acme-rules", "2fa", "a-", "a--b", &longest] {
            assert!(is_name(good), "{good:?}");
        }
        let too_long = "x".repeat(65);
        for bad in [
            "", "-a", "Acme", "a_b", "a b", "a/b", "../a", "é", "a\n", "a.", &too_long,
        ] {
            assert!(!is_name(bad), "{bad:?}");
            assert!(create(bad, None).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn the_name_of_a_shipped_plugin_is_not_taken() {
        for name in SHIPPED {
            let manifest = format!("plugins/{name}/Cargo.toml");
            let manifest = std::fs::read_to_string(workspace().join(manifest)).expect(name);
            assert!(manifest.contains(&format!("name = \"countersign-plugin-{name}\"")));
            let folder = std::env::temp_dir().join(format!("not-made-{name}"));
            let refused = create(name, Some(&folder)).expect_err(name);
            assert!(refused.contains("take another name"), "{refused}");
            assert!(!folder.exists());
        }
    }

    #[test]
    fn nothing_that_exists_is_overwritten() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let before = std::fs::read(folder.join("Cargo.toml")).expect("it is there");
        let refused = create("acme", Some(folder)).expect_err("it exists");
        assert!(refused.contains("exists"), "{refused}");
        let file = folder.join("Cargo.toml");
        assert!(create("acme", Some(&file)).is_err());
        assert_eq!(std::fs::read(file).expect("it is there"), before);
        assert!(!folder.join("README.md").exists());
    }

    #[test]
    fn no_placeholder_is_left_and_each_is_used() {
        let whole: String = TEMPLATE.iter().map(|(_, text)| *text).collect();
        for placeholder in ["{{name}}", "{{library}}", "{{path}}"] {
            assert!(whole.contains(placeholder), "{placeholder}");
        }
        for (file, text) in TEMPLATE {
            let rendered = render(
                text,
                "acme-rules",
                Path::new("/odd \"path\"/crates/reviewers"),
            );
            assert!(
                !rendered.contains("{{") && !rendered.contains("}}"),
                "{file}"
            );
        }
    }

    #[test]
    fn the_path_to_the_author_side_is_relative_inside_the_workspace() {
        let of = |folder: &str| reviewers_from(Path::new(folder), Path::new("/src/countersign"));
        assert_eq!(
            of("/src/countersign/plugins/acme"),
            Path::new("../../crates/reviewers")
        );
        assert_eq!(
            of("/src/countersign/acme"),
            Path::new("../crates/reviewers")
        );
        assert_eq!(
            of("/src/acme"),
            Path::new("/src/countersign/crates/reviewers")
        );
        assert!(
            workspace()
                .join("plugins/exec")
                .join(of("/src/countersign/a/b"))
                .exists()
        );
    }

    #[test]
    fn the_guide_shows_the_code_that_is_made() {
        let guide = include_str!("../../plugins/README.md");
        for (file, text) in TEMPLATE.iter().filter(|(file, _)| *file == "src/lib.rs") {
            let code = render(text, "acme-rules", Path::new(""));
            assert!(guide.contains(&code), "{file} of plugins/README.md");
        }
        assert!(guide.contains(&library("acme-rules")));
    }

    #[test]
    fn the_library_is_named_as_cargo_names_it() {
        assert_eq!(library("acme-rules"), "libcountersign_plugin_acme_rules.so");
    }
}
