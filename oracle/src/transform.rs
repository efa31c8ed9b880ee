//! Rewrites that change the text of a script and not what it runs.
//!
//! Each is applied only where it certainly means the same, so that a difference in what the lexer
//! lists is a mistake of the lexer. A wrapper adds a command of its own: `:` or the shell that is
//! given the text.

use std::collections::BTreeSet;

use countersign_lexer::{RedirectOp, Script, Status, Word};

/// Every rewrite that applies to the source, by name.
///
/// `script` must be the source as lexed. There are none unless it was understood completely.
///
/// | name | what it does | what it adds |
/// |---|---|---|
/// | `blanks` | doubles the blanks between words | |
/// | `broken-between` | breaks the line between words | |
/// | `broken-inside` | breaks the line inside words | |
/// | `leading-colon` | `:;` before | `:` |
/// | `comment-line`, `comment` | a comment behind | |
/// | `group` | `{ …⏎}` around | |
/// | `subshell` | `( …⏎)` around | |
/// | `substitution` | `: $( …⏎)` around | `:` |
/// | `bash-c` | `bash -c '…'` | `bash`, and everything else one layer down |
/// | `eval` | `eval '…'` | `eval`, and everything else one layer down |
pub fn all(source: &[u8], script: &Script) -> Vec<(&'static str, Vec<u8>)> {
    let mut found = Vec::new();
    if script.status() != Status::Complete || source.contains(&0) {
        return found;
    }
    let gaps = gaps(source, script);
    let insides = insides(source, script);
    if !gaps.is_empty() {
        found.push(("blanks", insert(source, &gaps, b" ")));
        found.push(("broken-between", insert(source, &gaps, b"\\\n")));
    }
    if !insides.is_empty() {
        found.push(("broken-inside", insert(source, &insides, b"\\\n")));
    }
    // Without the blank, `;` and a leading `&>` would become one operator.
    found.push(("leading-colon", around(b":; ", source, b"")));
    found.push(("comment-line", around(b"", source, b"\n# it's \"$(c1 `${x")));
    if !source.ends_with(b"\n") && !has_heredoc(script) {
        found.push(("comment", around(b"", source, b" # it's \"$(c1 `${x")));
    }
    wrap(source, script, &mut found);
    if !source.starts_with(b"-") && !source.starts_with(b"+") {
        let quoted = quote(source);
        found.push(("bash-c", around(b"bash -c ", &quoted, b"")));
        found.push(("eval", around(b"eval ", &quoted, b"")));
    }
    found
}

/// One word that stands for these bytes; they must not contain NUL.
pub fn quote(bytes: &[u8]) -> Vec<u8> {
    let mut quoted = vec![b'\''];
    for &byte in bytes {
        if byte == b'\'' {
            quoted.extend_from_slice(b"'\\''");
        } else {
            quoted.push(byte);
        }
    }
    quoted.push(b'\'');
    quoted
}

fn wrap(source: &[u8], script: &Script, found: &mut Vec<(&'static str, Vec<u8>)>) {
    // A shell option counts from the next line on, and inside there is only one.
    let line_by_line = [&b"shopt"[..], b"alias", b"extglob", b"set "]
        .iter()
        .any(|word| contains(source, word));
    // `{ }` and `( )` must not be empty.
    if line_by_line || script.commands().next().is_none() {
        return;
    }
    found.push(("group", around(b"{ ", source, b"\n}")));
    found.push(("subshell", around(b"( ", source, b"\n)")));
    // In a substitution other rules say where the body of a here-document ends, and bash 5.2 does
    // not read back what it makes of `time (c1)`.
    if !has_heredoc(script) && !contains(source, b"time") {
        found.push(("substitution", around(b": $( ", source, b"\n)")));
    }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

fn around(before: &[u8], source: &[u8], after: &[u8]) -> Vec<u8> {
    [before, source, after].concat()
}

fn has_heredoc(script: &Script) -> bool {
    let is_heredoc = |op| matches!(op, RedirectOp::Heredoc | RedirectOp::HeredocTabs);
    script
        .commands()
        .any(|command| command.redirects().any(|it| is_heredoc(it.op())))
        || script
            .scopes()
            .any(|scope| scope.redirects().any(|it| is_heredoc(it.op())))
}

/// Just before each word that follows another one after nothing but blanks.
fn gaps(source: &[u8], script: &Script) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for command in script.commands() {
        let next = command.words().skip(1);
        for (word, next) in command.words().zip(next) {
            let (start, end) = (word.span().end, next.span().start);
            let gap = source.get(start..end).unwrap_or_default();
            if !gap.is_empty() && gap.iter().all(|byte| matches!(byte, b' ' | b'\t')) {
                found.insert(end);
            }
        }
    }
    found
}

/// After the first byte of each word that stands in the source exactly as it is passed on.
fn insides(source: &[u8], script: &Script) -> BTreeSet<usize> {
    let plain = |word: &Word<'_>| {
        let span = word.span();
        let text = source.get(span.start..span.end).unwrap_or_default();
        word.literal() == Some(text) && text.len() > 1 && text.iter().all(u8::is_ascii_alphanumeric)
    };
    script
        .commands()
        .flat_map(|command| command.words().filter(plain).collect::<Vec<_>>())
        .map(|word| word.span().start + 1)
        .collect()
}

fn insert(source: &[u8], places: &BTreeSet<usize>, bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(source.len() + places.len() * bytes.len());
    for (at, &byte) in source.iter().enumerate() {
        if places.contains(&at) {
            text.extend_from_slice(bytes);
        }
        text.push(byte);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{all, quote};
    use countersign_lexer::{Options, Script, lex};

    fn script(source: &[u8]) -> Script {
        lex(source, &Options::default())
    }

    fn rewritten(source: &str, name: &str) -> Option<String> {
        all(source.as_bytes(), &script(source.as_bytes()))
            .into_iter()
            .find(|(found, _)| *found == name)
            .map(|(_, text)| String::from_utf8(text).unwrap())
    }

    #[track_caller]
    fn becomes(source: &str, name: &str, expected: &str) {
        assert_eq!(rewritten(source, name).as_deref(), Some(expected));
    }

    #[test]
    fn blanks_between_words_are_doubled() {
        becomes("c1 a  'b c' | c2", "blanks", "c1  a   'b c' | c2");
        becomes("x=1 c1 \"$(c2 a)\" >f", "blanks", "x=1 c1  \"$(c2  a)\" >f");
        assert_eq!(rewritten("c1", "blanks"), None);
    }

    #[test]
    fn lines_are_broken_between_words() {
        becomes(
            "c1 a;c2 `c3 b`",
            "broken-between",
            "c1 \\\na;c2 \\\n`c3 \\\nb`",
        );
    }

    #[test]
    fn lines_are_broken_inside_plain_words_only() {
        becomes(
            "c1 'ab' ab {cd,ef} $x # ab",
            "broken-inside",
            "c\\\n1 'ab' a\\\nb {cd,ef} $x # ab",
        );
        becomes(
            "cat <<'E'\nc1 ab\nE\n",
            "broken-inside",
            "c\\\nat <<'E'\nc1 ab\nE\n",
        );
    }

    #[test]
    fn a_colon_leads() {
        becomes("c1", "leading-colon", ":; c1");
    }

    #[test]
    fn a_comment_follows_where_one_can() {
        becomes("c1", "comment", "c1 # it's \"$(c1 `${x");
        becomes("c1 <<E\nE", "comment-line", "c1 <<E\nE\n# it's \"$(c1 `${x");
        assert_eq!(rewritten("c1 <<E\nE", "comment"), None);
        assert_eq!(rewritten("c1\n", "comment"), None);
    }

    #[test]
    fn a_group_and_a_subshell_go_around() {
        becomes("(c1)", "group", "{ (c1)\n}");
        becomes("(c1) # x", "subshell", "( (c1) # x\n)");
        assert_eq!(rewritten("# nothing", "group"), None);
        assert_eq!(rewritten("shopt -s extglob\nc1 @(a)", "group"), None);
    }

    #[test]
    fn a_substitution_goes_around_what_has_no_here_document() {
        becomes("c1", "substitution", ": $( c1\n)");
        assert_eq!(rewritten("c1 <<E\nE\n", "substitution"), None);
        assert_eq!(rewritten("{ c1; } <<E\nE\n", "substitution"), None);
    }

    #[test]
    fn a_shell_and_eval_get_the_text_as_a_word() {
        becomes("c1 'a'", "bash-c", "bash -c 'c1 '\\''a'\\'''");
        becomes("c1 'a'", "eval", "eval 'c1 '\\''a'\\'''");
        assert_eq!(rewritten("-x", "eval"), None);
    }

    #[test]
    fn quotation_is_undone_by_the_lexer() {
        let bytes: Vec<u8> = (1..=255).collect();
        let text = [b"c1 ", quote(&bytes).as_slice()].concat();
        let script = script(&text);
        let command = script.commands().next().unwrap();
        assert_eq!(command.words().nth(1).unwrap().literal(), Some(&bytes[..]));
    }

    #[test]
    fn what_is_not_understood_is_left_alone() {
        assert_eq!(all(b"c1 (", &script(b"c1 (")), []);
        assert_eq!(all(b"c1 <<E\n", &script(b"c1 <<E\n")), []);
    }
}
