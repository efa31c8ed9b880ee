//! What must not be kept, wherever it turns up.

use countersign_core::redact::Redactor;
use countersign_lexer::{Options, lex};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

/// Knows secrets by their form, and those in this process's environment by their value.
pub fn redactor() -> &'static Redactor {
    static REDACTOR: OnceLock<Redactor> = OnceLock::new();
    REDACTOR.get_or_init(|| {
        Redactor::of_environment(std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        }))
    })
}

/// How many words before a program's own are looked at.
const WRAPPERS: usize = 8;

/// A text without secrets, as it is kept beside a denial. Where the text is a command, what its
/// program takes for a password is one as well, whatever it looks like.
pub fn kept(text: &str) -> String {
    within(text, 4)
}

/// `deeper` is how far nested source is looked into, such as what `bash -c` is given.
fn within(text: &str, deeper: u32) -> String {
    let mut text = redactor().redact(text).into_owned();
    let hidden = hidden_words(&text, deeper);
    for (span, word) in hidden.into_iter().rev() {
        if text.is_char_boundary(span.start) && text.is_char_boundary(span.end) {
            text.replace_range(span, &word);
        }
    }
    text
}

/// The words of commands that hold a secret, by their places, in order, with what is shown instead.
fn hidden_words(text: &str, deeper: u32) -> Vec<(Range<usize>, String)> {
    let script = lex(text.as_bytes(), &Options::default());
    let mut hidden = BTreeMap::new();
    for command in script.commands() {
        let words: Vec<_> = command.words().collect();
        // What is not certain may hold a secret all the same.
        let sources: Vec<String> = words
            .iter()
            .map(|word| {
                let bytes = word.literal().unwrap_or_else(|| word.source());
                String::from_utf8_lossy(bytes).into_owned()
            })
            .collect();
        // The program may stand behind others that run it, such as `env` and `sudo`.
        for (program, name) in sources.iter().enumerate().take(WRAPPERS) {
            let behind = program.saturating_add(1);
            let name = name.rsplit('/').next().unwrap_or_default();
            let given = sources.get(behind..).unwrap_or_default();
            let shown = redactor().redact_words(name, given);
            for ((word, source), shown) in words.iter().skip(behind).zip(given).zip(shown) {
                let mut shown = shown.into_owned();
                if deeper > 0 && shown == *source && source.contains(char::is_whitespace) {
                    shown = within(source, deeper.saturating_sub(1));
                }
                if *source != shown {
                    let span = word.span();
                    hidden.insert((span.start, span.end), shown);
                }
            }
        }
    }
    let mut free = 0;
    let mut found = Vec::new();
    for ((start, end), word) in hidden {
        // A word within another that is hidden is hidden with it.
        if start >= free && end <= text.len() {
            free = end;
            found.push((start..end, word));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::kept;

    #[test]
    fn what_a_program_takes_for_a_password_is_kept_nowhere() {
        for command in [
            "mysql -u root -phunter2 db",
            "mysql -u root --password=hunter2 db",
            "docker login -u me -p hunter2 host",
            "sshpass -p hunter2 ssh host ls",
            "sshpass -p 'hunter2' ssh host ls",
            "curl -u me:hunter2 https://example.org",
            "curl https://me:hunter2@example.org/x",
            "curl -H 'Authorization: Bearer hunter2hunter2' https://example.org",
            "DB_PASSWORD=hunter2 make",
            "bash -c 'echo $(mysql -phunter2)'; ls",
            "cd x && env A=b mysql -phunter2 | cat",
        ] {
            let text = kept(&format!("Bash\n{command}\nin /p"));
            assert!(!text.contains("hunter2"), "{text}");
            assert!(text.contains("[redacted]"), "{text}");
            assert!(
                text.starts_with("Bash\n") && text.ends_with("\nin /p"),
                "{text}"
            );
        }
        for text in [
            "Bash\nrm -rf build 'a b'\nin /p",
            "",
            "é ' unfinished",
            "mysql db",
        ] {
            assert_eq!(kept(text), text);
        }
    }
}
