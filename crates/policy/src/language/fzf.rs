//! Bindings of fzf: `KEY:ACTION[+ACTION…][,KEY:…]`. Some actions run a shell line.

/// Actions that run their argument.
const RUN: &[&str] = &[
    "become",
    "change-preview",
    "execute",
    "execute-silent",
    "preview",
    "reload",
    "reload-sync",
];

/// Beginnings of actions that run their argument and show what it prints. Without more behind it
/// what is printed are actions, which are not in sight.
const SHOW: &[&str] = &["transform-", "bg-transform-"];

/// Actions that take their argument as text.
const TAKE: &[&str] = &[
    "change-footer",
    "change-ghost",
    "change-header",
    "change-multi",
    "change-nth",
    "change-pointer",
    "change-preview-window",
    "change-prompt",
    "change-query",
    "pos",
    "print",
    "put",
    "rebind",
    "search",
    "toggle-bind",
    "trigger",
    "unbind",
];

/// The shell lines that bindings run; `None` where they cannot be told.
pub(crate) fn fzf(bindings: &str) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    let mut rest = bindings;
    while !rest.is_empty() {
        let (keys, actions) = rest.split_once(':')?;
        let of_key = |c: char| {
            c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ',' | '?' | '/' | '.' | '@')
        };
        if keys.is_empty() || !keys.chars().all(of_key) {
            return None;
        }
        rest = actions;
        loop {
            let of_name = |c: char| c.is_ascii_lowercase() || c == '-';
            let end = rest.find(|c| !of_name(c)).unwrap_or(rest.len());
            let (name, after) = rest.split_at_checked(end)?;
            let (argument, after) = argument(after)?;
            match (argument, what(name)) {
                (None, _) if !name.is_empty() => {}
                (Some(line), Some(Argument::Line)) => lines.push(line.to_owned()),
                (Some(_), Some(Argument::Text)) => {}
                _ => return None,
            }
            rest = after;
            match rest.strip_prefix('+') {
                Some(next) => rest = next,
                None => break,
            }
        }
        rest = match rest.strip_prefix(',') {
            Some(next) if !next.is_empty() => next,
            None if rest.is_empty() => rest,
            _ => return None,
        };
    }
    Some(lines)
}

/// What an action takes its argument for.
enum Argument {
    /// A shell line that it runs.
    Line,
    Text,
}

fn what(name: &str) -> Option<Argument> {
    if RUN.contains(&name) || SHOW.iter().any(|start| name.starts_with(start)) {
        Some(Argument::Line)
    } else if TAKE.contains(&name) {
        Some(Argument::Text)
    } else {
        None
    }
}

/// The argument at the start of a text, and what comes after it. One behind a colon goes on to the
/// end, one in brackets to a closing one that ends its action.
fn argument(text: &str) -> Option<(Option<&str>, &str)> {
    let Some(open) = text.chars().next() else {
        return Some((None, text));
    };
    let close = match open {
        '+' | ',' => return Some((None, text)),
        ':' => return Some((text.get(1..), "")),
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        _ => return None,
    };
    let inside = text.get(1..)?;
    let (end, _) = inside.match_indices(close).find(|(at, _)| {
        let after = inside.get(at.saturating_add(1)..).unwrap_or_default();
        after.is_empty() || after.starts_with(['+', ','])
    })?;
    Some((inside.get(..end), inside.get(end.saturating_add(1)..)?))
}

#[cfg(test)]
mod tests {
    use super::fzf;

    #[test]
    fn actions_that_run_something_are_told_apart() {
        let rows: &[(&str, Option<&[&str]>)] = &[
            ("ctrl-a:select-all", Some(&[])),
            ("ctrl-a:select-all+accept,esc:abort", Some(&[])),
            ("ctrl-p:put(a,b:c)+up", Some(&[])),
            (
                "change:reload:rg --files, + (x)",
                Some(&["rg --files, + (x)"]),
            ),
            ("enter:become(vim {})", Some(&["vim {}"])),
            (
                "a:execute[rm (x)]+abort,b:reload(ls)",
                Some(&["rm (x)", "ls"]),
            ),
            ("a:execute(echo (a) b)", Some(&["echo (a) b"])),
            ("focus:transform-header:file {}", Some(&["file {}"])),
            ("focus:transform:echo abort", None),
            ("a:unknown(x)", None),
            ("a:execute(x", None),
            ("a:execute~x~", None),
            ("nothing", None),
            ("a:up,", None),
            ("a:", None),
            ("", Some(&[])),
        ];
        for (bindings, lines) in rows {
            let lines = lines.map(|lines| lines.iter().map(|line| (*line).to_owned()).collect());
            assert_eq!(fzf(bindings), lines, "{bindings}");
        }
    }
}
