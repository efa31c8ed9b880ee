//! A library whose module does not fit, told in a line.

use crate::ModuleRef;
use abi_stable::StableAbi;
use abi_stable::abi_stability::abi_checking::{
    AbiInstability, ExpectedFound, check_layout_compatibility,
};
use abi_stable::library::LibraryError;
use abi_stable::type_layout::{TLFieldOrFunction, TypeLayout};
use std::fmt;

/// How many differences are told; more do not help a person.
const MOST: usize = 4;

/// A library whose module is not the one that this interface describes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleError {
    /// What matters, for a person: one line.
    pub summary: String,
    /// Everything that the check found: hundreds of lines for a mismatch, for a debug log.
    pub full: String,
}

impl fmt::Display for ModuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.summary)
    }
}

impl std::error::Error for ModuleError {}

impl ModuleError {
    pub(crate) fn new(text: &str) -> Self {
        Self {
            summary: text.to_owned(),
            full: text.to_owned(),
        }
    }

    /// `found` is the layout that the library gave, where it came that far.
    pub(crate) fn of(error: &LibraryError, found: Option<&'static TypeLayout>) -> Self {
        Self {
            summary: summary(error, found),
            full: error.to_string(),
        }
    }
}

fn summary(error: &LibraryError, found: Option<&'static TypeLayout>) -> String {
    match (error, found) {
        (LibraryError::AbiInstability(_), Some(found)) => differences(found),
        (LibraryError::InvalidAbiHeader(_), _) => {
            "its root symbol does not begin as a module of abi_stable 0.11 does".to_owned()
        }
        (LibraryError::InvalidCAbi { .. }, _) => {
            "its compiler passes arguments in another way than this host's".to_owned()
        }
        (
            LibraryError::IncompatibleVersionNumber {
                expected_version,
                actual_version,
                ..
            },
            _,
        ) => format!("version {actual_version} instead of {expected_version}"),
        (LibraryError::RootModule { err, .. }, _) => {
            format!("it did not give its module: {}", one_line(&err.to_string()))
        }
        (error, _) => one_line(&error.to_string()),
    }
}

/// The report of a layout check is hundreds of lines of text, but its parts can be had one by one.
fn differences(found: &'static TypeLayout) -> String {
    let Err(report) = check_layout_compatibility(<ModuleRef as StableAbi>::LAYOUT, found) else {
        return "its types are laid out in another way".to_owned();
    };
    let mut told: Vec<String> = Vec::new();
    for error in &report.errors {
        let place = place(&error.stack_trace);
        for problem in &error.errs {
            let text = format!("{place} has {}", difference(problem));
            if !told.contains(&text) {
                told.push(text);
            }
        }
    }
    let more = told.len().saturating_sub(MOST);
    told.truncate(MOST);
    if more > 0 {
        told.push(format!("and {more} more"));
    }
    told.join("; ")
}

/// Where it differs, from the module inwards: `Module.create.result`.
fn place(way: &[ExpectedFound<TLFieldOrFunction>]) -> String {
    let names = way.iter().filter_map(|step| match step.expected {
        TLFieldOrFunction::Field(field) => Some(match field.name() {
            "0" => field.layout().name(),
            "__returns" => "result",
            name => name.split_once(',').map_or(name, |(first, _)| first),
        }),
        // Its field has the same name.
        TLFieldOrFunction::Function(_) => None,
    });
    let names: Vec<&str> = names.collect();
    if names.is_empty() {
        "the module".to_owned()
    } else {
        names.join(".")
    }
}

fn difference(problem: &AbiInstability) -> String {
    use AbiInstability as Is;
    match problem {
        Is::Name(types) => instead("type", types),
        Is::Package(names) => instead("package", names),
        Is::PackageVersion(versions) => instead("package version", versions),
        Is::Size(sizes) => instead("size", sizes),
        Is::Alignment(alignments) => instead("alignment", alignments),
        Is::FieldCountMismatch(counts) => instead("number of fields", counts),
        Is::MismatchedPrefixSize(counts) => instead("number of fields that never change", counts),
        Is::TooManyVariants(counts) => instead("number of variants", counts),
        Is::UnexpectedVariant(names) => instead("variant", names),
        Is::UnexpectedField(fields) => named(fields.expected.name(), fields.found.name()),
        Is::FieldLifetimeMismatch(_) | Is::FnLifetimeMismatch(_) => "other lifetimes".to_owned(),
        _ => "another form".to_owned(),
    }
}

/// `abi_stable` runs the names of all parameters of a function together, each with a comma, into the
/// name of the first.
fn named(expected: &'static str, found: &'static str) -> String {
    let what = if expected.ends_with(',') {
        "parameters"
    } else {
        "field"
    };
    let quoted = |name: &str| format!("`{}`", name.trim_end_matches(','));
    instead(
        what,
        &ExpectedFound {
            expected: quoted(expected),
            found: quoted(found),
        },
    )
}

fn instead<T: fmt::Display>(what: &str, values: &ExpectedFound<T>) -> String {
    format!("{what} {} instead of {}", values.found, values.expected)
}

fn one_line(text: &str) -> String {
    const LONGEST: usize = 300;
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests;
