//! A word on its own is the same word: its span says where all of it stands.

use super::{Kind, Slot, Verdict, of_word, options};
use countersign_lexer::{Command, ScopeKind, Script, Span, Status, Word, lex};

/// Builtins whose arguments may be assignments, with lists in parentheses.
const DECLARE: &[&[u8]] = &[b"declare", b"typeset", b"local", b"export", b"readonly"];

pub(crate) fn judge(script: &Script, verdict: &mut Verdict) {
    if !matches!(script.status(), Status::Complete | Status::Warnings) {
        return;
    }
    for command in script.commands() {
        let words: Vec<Word<'_>> = command.words().collect();
        // The alternatives of a brace expansion share a span.
        let families = words.chunk_by(|one, other| one.span() == other.span());
        for (index, family) in families.enumerate() {
            judge_family(script, &command, index == 0, family, verdict);
        }
    }
}

fn in_backquotes(script: &Script, command: &Command<'_>) -> bool {
    let mut scope = script.scope(command.scope());
    while let Some(found) = scope {
        if found.kind() == ScopeKind::Backtick {
            return true;
        }
        scope = found.parent().and_then(|parent| script.scope(parent));
    }
    false
}

fn judge_family(
    script: &Script,
    command: &Command<'_>,
    is_name: bool,
    family: &[Word<'_>],
    verdict: &mut Verdict,
) {
    let Some(first) = family.first() else { return };
    let Some(text) = text_of(script, first.span()) else {
        verdict.add(Kind::Span, format!("{:?} is outside", first.span()));
        return;
    };
    // Text in backquotes stands in the source with more backslashes, and with other rules for `;`.
    let alone = family.len() == 1 && first.source() != text;
    let derived = text.contains(&b'\\') && in_backquotes(script, command);
    if alone || derived || !stands_in_plain_text(script, text) {
        return;
    }
    verdict.spans = verdict.spans.saturating_add(1);
    let head = command.words().next().and_then(|word| word.literal());
    let declares = head.is_some_and(|head| DECLARE.contains(&head));
    // In the place of the name, `a[…]` is read to the end of the subscript. After an assignment no
    // word is reserved.
    let before = match (is_name, declares) {
        (true, _) => &b"x=1 "[..],
        (_, true) => b"declare ",
        (_, false) => b"x ",
    };
    let source = [before, text].concat();
    let script = lex(&source, &options());
    let words = script.commands().next().into_iter();
    let found: Vec<Slot> = words
        .flat_map(|command| command.words().collect::<Vec<_>>())
        .skip(usize::from(!is_name))
        .map(|word| of_word(&word))
        .collect();
    let expected: Vec<Slot> = family.iter().map(of_word).collect();
    if found != expected {
        let text = String::from_utf8_lossy(text);
        verdict.add(
            Kind::Span,
            format!("the word {text:?} is {expected:?}, alone {found:?}"),
        );
    }
}

fn text_of(script: &Script, span: Span) -> Option<&[u8]> {
    script.source().get(span.start..span.end)
}

/// Patterns of extglob depend on an earlier `shopt`, here-documents on later lines.
fn stands_in_plain_text(script: &Script, text: &[u8]) -> bool {
    let has = |part: &[u8]| script.source().windows(part.len()).any(|it| it == part);
    !has(b"extglob") && !text.windows(2).any(|two| two == b"<<")
}
