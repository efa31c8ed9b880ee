//! The words of a command: what the program takes for a secret, whatever it looks like.

use super::table::{ROWS, Row};
use super::{MARK, Redactor, scan, shape};
use std::borrow::Cow;

pub(super) fn redact<'w, S: AsRef<str>>(
    redactor: &Redactor,
    program: &str,
    words: &'w [S],
) -> Vec<Cow<'w, str>> {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let rows: Vec<&Row> = ROWS
        .iter()
        .filter(|row| row.programs.contains(&name))
        .filter(|row| {
            row.part
                .is_none_or(|part| words.iter().any(|word| word.as_ref() == part))
        })
        .collect();
    let mut next = Next::Any;
    let mut plain = 0_usize;
    let mut reached = rows.iter().any(|row| row.part.is_none());
    let mut out = Vec::with_capacity(words.len());
    for word in words.iter().map(AsRef::as_ref) {
        let expected = std::mem::replace(&mut next, Next::Any);
        let hidden = expected.taken(word).or_else(|| {
            let (hidden, then) = option(&rows, word);
            next = then;
            hidden
        });
        let is_plain = reached && matches!(expected, Next::Any) && !word.starts_with('-');
        let is_meant = is_plain && rows.iter().any(|row| row.plain == Some(plain));
        plain = plain.saturating_add(usize::from(is_plain));
        reached |= rows.iter().any(|row| row.part == Some(word));
        out.push(match hidden {
            Some(hidden) => Cow::Owned(hidden),
            None if is_meant && is_given(word) => Cow::Owned(masked(word)),
            None => redactor.redact(word),
        });
    }
    out
}

/// What the next word is.
enum Next {
    /// Nothing that is known.
    Any,
    Secret,
    /// A name, one of these, and a secret.
    Pair(&'static [char]),
}

impl Next {
    fn taken(&self, word: &str) -> Option<String> {
        match self {
            Self::Any => None,
            // An option where a secret could be: it is asked for at the terminal then.
            Self::Secret => (is_given(word) && !is_option(word)).then(|| masked(word)),
            Self::Pair(separators) => pair(word, separators),
        }
    }
}

/// What a word shows that is an option or an assignment, and what follows it.
fn option(rows: &[&Row], word: &str) -> (Option<String>, Next) {
    if let Some((name, value)) = word.split_once('=') {
        if is_given(value) && (scan::is_secret_name(name) || is_one(rows, name)) {
            return (Some(format!("{name}={}", masked(value))), Next::Any);
        }
        for row in rows.iter().filter(|row| row.pairs.contains(&name)) {
            if let Some(pair) = pair(value, row.separators) {
                return (Some(format!("{name}={pair}")), Next::Any);
            }
        }
        return (None, Next::Any);
    }
    if let Some(row) = rows.iter().find(|row| row.pairs.contains(&word)) {
        return (None, Next::Pair(row.separators));
    }
    if is_one(rows, word) || (word.starts_with("--") && scan::is_secret_name(word)) {
        return (None, Next::Secret);
    }
    if rows.iter().any(|row| row.names) && scan::is_secret_name(word) {
        return (None, Next::Secret);
    }
    (glued(rows, word), Next::Any)
}

fn is_one(rows: &[&Row], option: &str) -> bool {
    rows.iter().any(|row| row.options.contains(&option))
}

/// `-pSECRET`, `-uNAME:SECRET`.
fn glued(rows: &[&Row], word: &str) -> Option<String> {
    if word.starts_with("--") || !word.starts_with('-') {
        return None;
    }
    let (option, value) = word.split_at_checked(2)?;
    if value.is_empty() {
        return None;
    }
    if rows.iter().any(|row| row.glued.contains(&option)) && is_given(value) {
        return Some(format!("{option}{}", masked(value)));
    }
    let row = rows.iter().find(|row| row.pairs.contains(&option))?;
    Some(format!("{option}{}", pair(value, row.separators)?))
}

fn pair(word: &str, separators: &[char]) -> Option<String> {
    let (name, secret) = word.split_once(separators)?;
    let between = word.get(name.len()..word.len().checked_sub(secret.len())?)?;
    is_given(secret).then(|| format!("{name}{between}{}", masked(secret)))
}

fn masked(secret: &str) -> String {
    format!("{}{MARK}", shape::kind(secret))
}

fn is_option(word: &str) -> bool {
    word.starts_with('-') && word.len() > 1
}

/// It stands there itself, and is not asked for or taken from a variable, and not hidden already.
fn is_given(value: &str) -> bool {
    !matches!(value, "" | "-" | "=") && !value.starts_with('$') && !value.ends_with(MARK)
}
