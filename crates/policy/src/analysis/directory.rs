//! Builtins that change where the commands after them work.

use super::arguments::Arguments;
use super::held::Held;
use super::state::Cwd;
use super::{State, Value};
use crate::paths;

/// `cd` and its like.
pub(super) fn changes_directory(arguments: &Arguments<'_>, words: &[Value], state: &mut State) {
    let name = words.first().and_then(Value::exact);
    let Some(name @ ("cd" | "popd" | "pushd")) = name else {
        return;
    };
    let to = arguments
        .operands
        .first()
        .and_then(|&index| arguments.word(index));
    let before = state.cwd.changed_to().map(str::to_owned);
    match (name, to) {
        ("cd", None) => {
            let home = state.home.clone();
            state.cwd.change(Some(&home));
        }
        ("cd", Some(word)) if word.exact() == Some("-") => {
            let back = state.held("OLDPWD").and_then(Held::only);
            let back = back.and_then(|words| words.first()?.exact().map(str::to_owned));
            state.cwd.change(back.as_deref());
        }
        ("cd" | "pushd", Some(word)) => {
            let to = word.exact().filter(|text| !text.starts_with(['-', '+']));
            let along = to.and_then(|to| along_path(to, state));
            state.cwd.change(to);
            if let Some(along) = along {
                let mut elsewhere = state.cwd.clone();
                elsewhere.change(Some(&along));
                state.cwd.join(&elsewhere);
            }
            if name == "pushd" {
                match &before {
                    Some(before) if to.is_some() => state.stack.push(before.clone()),
                    _ => state.stack.clear(),
                }
            }
        }
        ("popd", None) => match state.stack.pop() {
            Some(dir) => state.cwd.change(Some(&dir)),
            None => state.cwd = Cwd::unknown(),
        },
        ("popd" | "pushd", _) => {
            state.stack.clear();
            state.cwd = Cwd::unknown();
        }
        _ => return,
    }
    if name != "pushd" && name != "popd" || before.is_some() {
        state.assign_text("OLDPWD", before);
    }
}

/// Where `CDPATH` has `cd` go.
fn along_path(to: &str, state: &State) -> Option<String> {
    if to.starts_with('/') || matches!(to.split('/').next(), Some("." | "..")) {
        return None;
    }
    let path = state.held("CDPATH")?.only()?.first()?.exact()?.to_owned();
    let dir = path.split(':').find(|dir| !dir.is_empty())?;
    Some(paths::join(dir, to))
}
