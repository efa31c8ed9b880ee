//! What must not be kept, wherever it turns up.

use countersign_core::redact::Redactor;
use countersign_lexer::{Options, Word, lex};
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

/// How far nested source is looked into, such as what `bash -c` is given.
const DEEPER: u32 = 4;

/// A text without secrets, as it is kept beside a denial. Where the text is a command, what its
/// program takes for a password is one as well, whatever it looks like.
pub fn kept(text: &str) -> String {
    within(text, For::Keeping, DEEPER)
}

/// A text without secrets for somebody who judges it: nothing that a shell would act on is hidden.
pub fn judged(text: &str) -> String {
    within(text, For::Judging, DEEPER)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum For {
    Keeping,
    Judging,
}

impl For {
    fn redact(self, text: &str) -> String {
        match self {
            Self::Keeping => redactor().redact(text).into_owned(),
            Self::Judging => redactor().redact_for_judging(text).into_owned(),
        }
    }
}

fn within(text: &str, what: For, deeper: u32) -> String {
    let mut text = what.redact(text);
    let hidden = hidden_words(&text, what, deeper);
    for (span, word) in hidden.into_iter().rev() {
        if text.is_char_boundary(span.start) && text.is_char_boundary(span.end) {
            text.replace_range(span, &word);
        }
    }
    text
}

/// The words of commands that hold a secret, by their places, in order, with what is shown instead.
fn hidden_words(text: &str, what: For, deeper: u32) -> Vec<(Range<usize>, String)> {
    let script = lex(text.as_bytes(), &Options::default());
    let mut hidden = BTreeMap::new();
    for command in script.commands() {
        let words: Vec<Word<'_>> = command.words().collect();
        // What is not certain may hold a secret all the same.
        let sources: Vec<String> = words.iter().map(source).collect();
        let mut hide = |at: usize, shown: String| {
            let known = words.get(at).zip(sources.get(at));
            if let Some((word, _)) = known.filter(|(_, source)| **source != shown) {
                hidden.insert((word.span().start, word.span().end), shown);
            }
        };
        for (at, (word, source)) in words.iter().zip(&sources).enumerate() {
            // Quotes may have split what is one word to the program.
            if word.literal().is_some() {
                hide(at, what.redact(source));
            }
            if deeper > 0 && source.contains(char::is_whitespace) {
                hide(at, within(source, what, deeper.saturating_sub(1)));
            }
        }
        if what == For::Judging {
            continue;
        }
        // The program may stand behind others that run it, such as `env` and `sudo`.
        for (program, name) in sources.iter().enumerate().take(WRAPPERS) {
            let behind = program.saturating_add(1);
            let name = name.rsplit('/').next().unwrap_or_default();
            let given = sources.get(behind..).unwrap_or_default();
            for (at, shown) in redactor().redact_words(name, given).into_iter().enumerate() {
                if sources
                    .get(behind.saturating_add(at))
                    .is_some_and(|it| *it != shown)
                {
                    hide(behind.saturating_add(at), shown.into_owned());
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

fn source(word: &Word<'_>) -> String {
    let bytes = word.literal().unwrap_or_else(|| word.source());
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{judged, kept};

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

    #[test]
    fn a_judge_sees_all_that_a_shell_acts_on() {
        let token = "ghp_0123456789abcdefghijABCDEFGHIJ4711xy";
        for command in [
            format!("curl -H 'Authorization: Bearer {token}' https://example.org"),
            format!("echo ghp_01\"\"{} | cat", token.split_at(6).1),
            format!("bash -c 'echo {token}'"),
        ] {
            let text = judged(&command);
            assert!(!text.contains(token.split_at(20).1), "{text}");
        }
        for command in [
            "PASSWORD=$(rm -rf ~) make",
            "mysql -p$(rm -rf ~)",
            "sshpass -p \"$(rm -rf ~)\" ls",
            "rm -rf build",
            "TOKEN=`rm -rf ~`",
        ] {
            assert_eq!(judged(command), command);
        }
    }
}
