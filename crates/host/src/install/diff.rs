use std::fmt::Write as _;

/// Lines shown before and after a change.
const CONTEXT: usize = 3;

/// One line of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line<'t> {
    Same(&'t str),
    Old(&'t str),
    New(&'t str),
}

/// What changes between two texts, in the unified style; nothing when they are equal.
pub(crate) fn diff(old: &str, new: &str) -> String {
    let lines = compare(
        &old.lines().collect::<Vec<_>>(),
        &new.lines().collect::<Vec<_>>(),
    );
    let near = |at: usize| {
        let from = at.saturating_sub(CONTEXT);
        lines
            .iter()
            .take(at.saturating_add(CONTEXT).saturating_add(1))
            .skip(from)
            .any(|line| !matches!(line, Line::Same(_)))
    };
    let mut shown = String::new();
    let (mut old_number, mut new_number) = (1_usize, 1_usize);
    let mut in_hunk = false;
    for (at, line) in lines.iter().enumerate() {
        let show = near(at);
        if show && !in_hunk {
            let _infallible = writeln!(shown, "@@ -{old_number} +{new_number} @@");
        }
        in_hunk = show;
        let (sign, text) = match line {
            Line::Same(text) => (' ', text),
            Line::Old(text) => ('-', text),
            Line::New(text) => ('+', text),
        };
        if show {
            let _infallible = writeln!(shown, "{sign}{}", visible(text));
        }
        old_number = old_number.saturating_add(usize::from(sign != '+'));
        new_number = new_number.saturating_add(usize::from(sign != '-'));
    }
    shown
}

/// After every difference, the nearest point where both texts agree again is looked for. The edits
/// shown here are few and short, so this finds what a thorough comparison would.
fn compare<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Line<'t>> {
    let (mut old, mut new) = (old, new);
    let mut lines = Vec::new();
    loop {
        match (old, new) {
            ([first, old_rest @ ..], [other, new_rest @ ..]) if first == other => {
                lines.push(Line::Same(first));
                (old, new) = (old_rest, new_rest);
            }
            ([], []) => return lines,
            _ => {
                let (gone, added) = distance(old, new);
                lines.extend(old.iter().take(gone).map(|line| Line::Old(line)));
                lines.extend(new.iter().take(added).map(|line| Line::New(line)));
                old = old.get(gone..).unwrap_or_default();
                new = new.get(added..).unwrap_or_default();
            }
        }
    }
}

/// How many lines of each text lie before they agree again.
fn distance(old: &[&str], new: &[&str]) -> (usize, usize) {
    let farthest = old.len().saturating_add(new.len());
    (1..farthest)
        .flat_map(|sum| (0..=sum).map(move |gone| (gone, sum.saturating_sub(gone))))
        .filter(|(gone, added)| *gone < old.len() && *added < new.len())
        .find(|(gone, added)| old.get(*gone) == new.get(*added))
        .unwrap_or((old.len(), new.len()))
}

fn visible(line: &str) -> String {
    let parts: Vec<String> = line
        .split('\t')
        .map(crate::visible::visible_in_escapes)
        .collect();
    parts.join("\t")
}
