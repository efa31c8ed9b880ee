//! The names that `mktemp` makes.

use super::arguments::Arguments;
use super::{State, Value};
use crate::paths;

/// The path that `mktemp` makes and prints, with its marks left as they are: nothing has that name.
pub(super) fn made(arguments: &Arguments<'_>, state: &State) -> Option<String> {
    let template = arguments
        .operands
        .first()
        .and_then(|&index| arguments.word(index));
    let named = match template {
        Some(word) => Some(word.exact()?),
        None => None,
    };
    let mut dir = None;
    for given in &arguments.options {
        match given.name {
            "-p" | "--tmpdir" => {
                let value = given.value.as_ref().map(Value::exact);
                dir = Some(match value {
                    Some(value) => value?.to_owned(),
                    None => state.temp.to_string(),
                });
            }
            "-t" => dir = Some(state.temp.to_string()),
            _ => {}
        }
    }
    let dir = match (dir, named) {
        (Some(dir), _) => dir,
        (None, None) => state.temp.to_string(),
        (None, Some(_)) => state.cwd.only()?.to_owned(),
    };
    let path = paths::join(&dir, named.unwrap_or("tmp.XXXXXXXXXX"));
    Some(format!("{path}\n"))
}
