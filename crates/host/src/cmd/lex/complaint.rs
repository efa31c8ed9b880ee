//! A diagnostic with the line it is about and a caret under the text.

use super::place::Lines;
use crate::reason::visible;
use crate::style::Style;
use countersign_lexer::Diagnostic;

/// How much of a long line is shown on each side of where a diagnostic begins, in characters.
const AROUND: usize = 50;

pub(super) fn render(
    source: &[u8],
    lines: &Lines<'_>,
    diagnostic: &Diagnostic,
    style: Style,
) -> String {
    let span = diagnostic.span;
    let place = lines.place(span.start);
    let (start, end) = lines.bounds(place.line);
    let text = |from: usize, to: usize| {
        String::from_utf8_lossy(source.get(from..to).unwrap_or_default()).into_owned()
    };
    let before = tail(&text(start, span.start));
    let marked = visible(&text(span.start, span.end.min(end)));
    let (marked, cut) = head(&marked);
    let after = if cut {
        "…".to_owned()
    } else {
        visible(&text(span.end.min(end), end))
    };
    let carets = "^".repeat(marked.chars().count().max(1));
    let number = place.line.to_string();
    let margin = " ".repeat(number.len());
    format!(
        "{} {}\n{margin} {bar}\n{number} {bar} {before}{marked}{}\n{margin} {bar} {}{}\n",
        style.strong(format!("{}:{}", place.line, place.column)),
        diagnostic.kind,
        head(&after).0,
        " ".repeat(before.chars().count()),
        style.wrong(carets),
        bar = style.dim("│"),
    )
}

/// The end of the text before the place, made visible.
fn tail(text: &str) -> String {
    let shown = visible(text);
    let count = shown.chars().count();
    if count <= AROUND {
        return shown;
    }
    let kept = shown.chars().skip(count.saturating_sub(AROUND));
    std::iter::once('…').chain(kept).collect()
}

/// The beginning of a text, and whether something was cut off.
fn head(text: &str) -> (String, bool) {
    let kept: String = text.chars().take(AROUND).collect();
    let cut = kept.len() < text.len();
    (kept, cut)
}
