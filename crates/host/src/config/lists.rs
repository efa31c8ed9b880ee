use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The word that stands for the built-in entries of a list.
const DEFAULTS: &str = "$defaults";

/// What the owners' files say of the lists of paths. The first file that gives a list replaces the
/// built-in entries unless it names them; what a later file says comes on top.
#[derive(Debug, Clone, Default)]
pub(super) struct Lists(BTreeMap<&'static str, Given>);

#[derive(Debug, Clone)]
struct Given {
    /// The first file that gave it.
    file: PathBuf,
    /// How many built-in entries no file has named.
    left_out: usize,
}

impl Lists {
    /// What one file gives for a list.
    pub(super) fn give(
        &mut self,
        name: &'static str,
        file: &Path,
        given: Vec<String>,
        list: &mut Vec<String>,
        built_in: &[&str],
    ) {
        let named = given.iter().any(|entry| entry == DEFAULTS);
        let given = expanded(given, built_in);
        let before = self.0.entry(name).or_insert_with(|| {
            list.clear();
            Given {
                file: file.to_path_buf(),
                left_out: built_in.len(),
            }
        });
        if named {
            before.left_out = 0;
        }
        // The last of several equal entries decides.
        list.retain(|entry| !given.contains(entry));
        list.extend(given);
    }

    /// What a person should know: built-in entries that are not in force.
    pub(super) fn notes(&self) -> impl Iterator<Item = String> {
        let replaced = self.0.iter().filter(|(_, given)| given.left_out > 0);
        replaced.map(|(name, given)| {
            format!(
                "{}: paths.{name} has no `{DEFAULTS}`, so its {} built-in entries are not in force",
                given.file.display(),
                given.left_out
            )
        })
    }
}

fn expanded(given: Vec<String>, built_in: &[&str]) -> Vec<String> {
    given
        .into_iter()
        .flat_map(|entry| match entry.as_str() {
            DEFAULTS => built_in.iter().map(|&path| path.to_owned()).collect(),
            _ => vec![entry],
        })
        .collect()
}
