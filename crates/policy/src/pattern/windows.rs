//! The spellings that one path of Windows has: `C:\x\y.exe`, `C:/x/y.exe`, `/c/x/y.exe` in Git Bash
//! and `/mnt/c/x/y.exe` in WSL. All texts here are in lower case.

use std::borrow::Cow;

/// Where the path of a drive begins: at the beginning of a word.
fn drive(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    bytes.windows(3).enumerate().find_map(|(at, three)| {
        let begins = at.checked_sub(1).and_then(|before| bytes.get(before));
        let begins = begins.is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'=' | b'"' | b'\''));
        let &[letter, b':', b'/' | b'\\'] = three else {
            return None;
        };
        (begins && letter.is_ascii_alphabetic()).then_some(at)
    })
}

/// With one forward slash for every run of slashes, from the first path of a drive on: a path may
/// hold blanks, so where it ends cannot be told.
pub(super) fn slashes(text: &str) -> Cow<'_, str> {
    let Some((before, path)) = drive(text).and_then(|at| text.split_at_checked(at)) else {
        return Cow::Borrowed(text);
    };
    let mut plain = before.to_owned();
    for character in path.chars() {
        match character {
            '/' | '\\' if plain.ends_with('/') => {}
            '/' | '\\' => plain.push('/'),
            _ => plain.push(character),
        }
    }
    Cow::Owned(plain)
}

/// Every spelling of a pattern: itself alone, where it names no drive. Where it is not `strict`,
/// `/c/x` and `/mnt/c/x` name one too; an allow rule does not take a path of this machine for one.
pub(super) fn spellings(pattern: &str, strict: bool) -> Vec<String> {
    let quoted = pattern.starts_with(['"', '\'']) && drive(pattern).is_some();
    let plain = if quoted {
        slashes(pattern).replace(['"', '\''], "")
    } else {
        slashes(pattern).into_owned()
    };
    let of_drive = if strict { None } else { as_drive(&plain) };
    let named = of_drive.as_deref().unwrap_or(&plain);
    let Some((before, path)) = drive(named).and_then(|at| named.split_at_checked(at)) else {
        return vec![plain];
    };
    let Some((letter, rest)) = path.split_once(':') else {
        return vec![plain];
    };
    ["{}:", "/{}", "/mnt/{}"]
        .iter()
        .map(|form| format!("{before}{}{rest}", form.replace("{}", letter)))
        .collect()
}

/// `/c/x` and `/mnt/c/x` as `c:/x`.
fn as_drive(text: &str) -> Option<String> {
    let path = text.strip_prefix("/mnt").unwrap_or(text);
    let rest = path.strip_prefix('/')?;
    let (letter, rest) = rest.split_once('/')?;
    let is_drive = letter.len() == 1 && letter.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_drive.then(|| format!("{letter}:/{rest}"))
}

/// Without the `.exe` that Windows lets people leave out.
pub(super) fn without_exe(text: &str) -> Cow<'_, str> {
    if !text.contains(".exe") {
        return Cow::Borrowed(text);
    }
    let text = text.replace(".exe ", " ");
    Cow::Owned(
        text.strip_suffix(".exe")
            .map_or(text.clone(), str::to_owned),
    )
}

/// The part of a path that names a drive: `c:/x` of `/home/u/project/c:\x`, as which a path of
/// Windows is resolved where there is none.
pub(super) fn of_path(path: &str) -> Option<String> {
    let at = path.match_indices('/').find_map(|(at, _)| {
        let name = path.get(at.saturating_add(1)..)?;
        (drive(name) == Some(0)).then_some(name)
    })?;
    Some(slashes(at).into_owned())
}
