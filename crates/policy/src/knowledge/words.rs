//! Plain words for a command file that cannot be read, with the nearest thing that can be written.

/// What people write for a role or an effect, and what is meant.
const MEANT: &[(&str, &str)] = &[
    ("any", "text"),
    ("code-bash", "code-sh"),
    ("command", "run"),
    ("directory", "dir"),
    ("exec", "run"),
    ("execute", "run"),
    ("file", "read"),
    ("folder", "dir"),
    ("input", "read"),
    ("listen-port", "listen"),
    ("network", "receive"),
    ("number", "text"),
    ("output", "write"),
    ("overwrite", "write"),
    ("path", "read"),
    ("program", "run"),
    ("remove", "delete"),
    ("shell", "code-sh"),
    ("sql", "code-sql"),
    ("string", "text"),
    ("sudo", "privilege"),
    ("upload", "send"),
];

/// What is wrong with a text that is no command file, in one line.
pub(super) fn said(text: &str, error: &toml::de::Error) -> String {
    let problem = of_message(error.message());
    match error.span().and_then(|span| place(text, span.start)) {
        Some((line, column)) => format!("line {line}, column {column}: {problem}"),
        None => problem,
    }
}

fn place(text: &str, at: usize) -> Option<(usize, usize)> {
    let before = text.get(..at)?;
    let line = before.matches('\n').count().saturating_add(1);
    let column = before.rsplit('\n').next()?.chars().count();
    Some((line, column.saturating_add(1)))
}

/// What serde says, with what to write instead.
pub(super) fn of_message(message: &str) -> String {
    if message.starts_with("invalid type: string") && message.ends_with("expected a sequence") {
        return "a list is wanted here; put the text in brackets: `[\"…\"]`".to_owned();
    }
    if message == "duplicate key" {
        return "this key is there twice; keep one of them".to_owned();
    }
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let Some((&given, known)) = quoted.split_first() else {
        return message.to_owned();
    };
    if message.starts_with("missing field") {
        return format!("the key `{given}` is missing here; add it");
    }
    let what = if message.starts_with("unknown field") {
        "key"
    } else if !message.starts_with("unknown variant") {
        return message.to_owned();
    } else if known.contains(&"code-sh") {
        "role"
    } else if known.contains(&"workspace-code") {
        "effect"
    } else if known.contains(&"gnu") {
        "way to parse"
    } else {
        "place"
    };
    let instead = instead(given, known.iter().copied());
    if instead.is_empty() {
        let known = known.join("`, `");
        return format!("there is no {what} `{given}` here; there are `{known}`");
    }
    format!(
        "there is no {what} `{given}` here; {}",
        instead.trim_end_matches(", or ")
    )
}

/// "write `x`, or ", where something that is known is near.
pub(super) fn instead<'k>(given: &str, known: impl Iterator<Item = &'k str> + Clone) -> String {
    let meant = MEANT.iter().find(|(typed, _)| *typed == given);
    let meant = meant.and_then(|(_, meant)| known.clone().find(|known| known == meant));
    let most = given.chars().count().div_ceil(4).min(2);
    let near = known
        .map(|known| (distance(given, known), known))
        .filter(|(distance, _)| *distance <= most)
        .min();
    match meant.or(near.map(|(_, known)| known)) {
        Some(known) => format!("write `{known}`, or "),
        None => String::new(),
    }
}

/// How many letters must be changed, added or left out to make one word of the other.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (at, from) in from.chars().enumerate() {
        let mut next = vec![at.saturating_add(1)];
        for (&to, around) in to.iter().zip(row.windows(2)) {
            let [before, above] = around else { continue };
            let left = next.last().copied().unwrap_or_default();
            let changed = before.saturating_add(usize::from(from != to));
            let moved = left.min(*above).saturating_add(1);
            next.push(changed.min(moved));
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}
