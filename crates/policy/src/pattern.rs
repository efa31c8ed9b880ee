//! Permission patterns, `Tool(pattern)`, as users of Claude Code and Pi write them.

mod windows;

use crate::analysis::{Known, Value};
use crate::knowledge::{Commands, Node};
use crate::{paths, tool};
use thiserror::Error;

/// One permission pattern.
///
/// The tool's name is compared without case; `*` in it stands for any run of characters, and the
/// name of an MCP server alone covers all its tools. For tools that run commands the argument is
/// matched against every command that a call would run, with quotes, wrappers and chaining out of
/// the way; `:*` at its end, or ` *`, stands for any further words, and options match wherever they
/// stand and however they are spelled. A path of Windows is one path in every spelling: `C:\x`,
/// `C:/x`, `/c/x`, `/mnt/c/x`. For file tools the argument is a path pattern: `**` crosses
/// directories, `~/` is the home directory, `//x` and `/x` are absolute, anything else is relative
/// to the workspace or, without a slash, a name at any depth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    raw: String,
    tool: String,
    argument: Option<String>,
}

/// A pattern that means nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PatternError {
    /// There is no tool name.
    #[error("names no tool; write `Tool` or `Tool(pattern)`, for example `Bash(git push:*)`")]
    NoTool,
    /// A parenthesis is missing or something follows the last one.
    #[error("has parentheses that do not fit; write `Tool(pattern)`")]
    Parentheses,
}

/// A family of tools that share a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Command,
    Read,
    Write,
    Fetch,
    Other,
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// See [`PatternError`].
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let trimmed = text.trim();
        let (tool, argument) = match trimmed.split_once('(') {
            None => (trimmed, None),
            Some((tool, rest)) => {
                let argument = rest.strip_suffix(')').ok_or(PatternError::Parentheses)?;
                (tool, Some(argument.trim()))
            }
        };
        let tool = tool.trim_start_matches('@');
        let named = tool
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '*' | '/'));
        if tool.is_empty() || !named {
            return Err(if tool.contains(')') {
                PatternError::Parentheses
            } else {
                PatternError::NoTool
            });
        }
        Ok(Self {
            raw: trimmed.to_owned(),
            tool: tool.to_lowercase(),
            argument: argument
                .filter(|text| !text.is_empty() && *text != "*")
                .map(str::to_owned),
        })
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.raw
    }

    pub(crate) fn family(&self) -> Family {
        use tool::Family as Tool;
        match tool::family(&self.tool) {
            Tool::Command => Family::Command,
            Tool::Read | Tool::Search => Family::Read,
            Tool::Write | Tool::Edit | Tool::Editor | Tool::Delete | Tool::Patch => Family::Write,
            Tool::Fetch => Family::Fetch,
            Tool::WebSearch | Tool::Skill | Tool::Mcp | Tool::Nothing | Tool::Other => {
                Family::Other
            }
        }
    }

    /// The pattern holds for every call of its tool.
    pub(crate) fn is_bare(&self) -> bool {
        self.argument.is_none()
    }

    pub(crate) fn names_tool(&self, tool: &str) -> bool {
        let tool = tool.to_lowercase();
        paths::matches(&self.tool, &tool)
            || (self.tool.starts_with("mcp__") && tool.starts_with(&format!("{}__", self.tool)))
    }

    /// Whether it holds for one command. `strict` is for allow rules: nothing may be guessed.
    pub(crate) fn holds_for_command(
        &self,
        commands: &Commands,
        words: &[Value],
        strict: bool,
    ) -> bool {
        let Some(argument) = &self.argument else {
            return true;
        };
        let (argument, open) = open_ended(argument);
        let known = words.iter().all(|word| word.known == Known::Whole);
        if (known || !strict) && line_fits(argument, open, words, strict) {
            return true;
        }
        !strict && shape_fits(commands, argument, open, words)
    }

    /// Whether it holds for a path.
    pub(crate) fn holds_for_path(&self, path: &str, home: &str, roots: &[String]) -> bool {
        let Some(argument) = &self.argument else {
            return true;
        };
        let path = path.to_lowercase();
        let argument = argument.to_lowercase();
        let mut spellings = windows::spellings(&argument, true);
        if let [drive, _, _] = spellings.as_slice() {
            if windows::of_path(&path).is_some_and(|path| paths::matches_path(drive, &path)) {
                return true;
            }
        } else {
            // In the pattern of a path a backslash is a separator.
            spellings = vec![argument.replace('\\', "/")];
        }
        spellings
            .iter()
            .any(|argument| place_fits(argument, &path, home, roots))
    }

    /// Whether it holds for a host: `domain:example.org` covers the names under it as well.
    pub(crate) fn holds_for_host(&self, host: &str) -> bool {
        let Some(argument) = &self.argument else {
            return true;
        };
        let domain = argument
            .strip_prefix("domain:")
            .unwrap_or(argument)
            .to_lowercase();
        host == domain || host.ends_with(&format!(".{domain}")) || paths::matches(&domain, host)
    }

    /// Whether it holds for the JSON text of another tool's input.
    pub(crate) fn holds_for_input(&self, input: &str) -> bool {
        self.argument
            .as_ref()
            .is_none_or(|argument| paths::matches(argument, input))
    }
}

/// Whether a path is one that a pattern stands for.
fn place_fits(argument: &str, path: &str, home: &str, roots: &[String]) -> bool {
    let mut wanted = Vec::new();
    if let Some(rest) = argument.strip_prefix("~/") {
        wanted.push(format!(
            "{}/{rest}",
            home.trim_end_matches('/').to_lowercase()
        ));
    } else if argument.starts_with('/') {
        wanted.push(format!("/{}", argument.trim_start_matches('/')));
    } else {
        let relative = argument.trim_start_matches("./");
        for root in roots {
            wanted.push(paths::join(&root.to_lowercase(), relative));
        }
        if !relative.contains('/') {
            wanted.push(format!("**/{relative}"));
        }
    }
    wanted
        .iter()
        .any(|pattern| paths::matches_path(pattern, path))
}

/// Whether a command, read as one line, is what the pattern says.
fn line_fits(argument: &str, open: bool, words: &[Value], strict: bool) -> bool {
    let texts: Vec<&str> = words.iter().map(|word| &*word.text).collect();
    let line = texts.join(" ").to_lowercase();
    let line = windows::slashes(&line);
    let first = texts.first().copied().unwrap_or_default().to_lowercase();
    let first = windows::slashes(&first);
    // The first word may hold blanks, so it is cut off by its length.
    let rest = line.get(first.len()..).unwrap_or_default();
    let short = format!("{}{rest}", paths::base_name(&first));
    let wanted = argument.split_whitespace().collect::<Vec<_>>().join(" ");
    windows::spellings(&wanted.to_lowercase(), strict)
        .iter()
        .any(|wanted| {
            let fits = |wanted: &str, line: &str| {
                paths::matches(wanted, line)
                    || (open && paths::matches(&format!("{wanted} *"), line))
            };
            if strict {
                return fits(wanted, &line) || fits(wanted, &short);
            }
            // `./tool` is `tool` in the same directory, and `tool.exe` is `tool`; an allow rule
            // takes neither for the other.
            let bare = |text: &str| {
                let text = text.strip_prefix("./").unwrap_or(text);
                windows::without_exe(text).into_owned()
            };
            fits(&bare(wanted), &bare(&line)) || fits(&bare(wanted), &bare(&short))
        })
}

/// `prefix:*` and `prefix *` cover the prefix alone too.
fn open_ended(argument: &str) -> (&str, bool) {
    let cut = argument
        .strip_suffix(":*")
        .or_else(|| argument.strip_suffix(" *"));
    (cut.unwrap_or(argument), cut.is_some())
}

/// Whether a command does what the pattern's words say, in another order or spelling: its other
/// words begin with the pattern's, and every option of the pattern is among its options.
fn shape_fits(commands: &Commands, argument: &str, open: bool, words: &[Value]) -> bool {
    let mut wanted = argument.split_whitespace();
    let (Some(program), Some(first)) = (wanted.next(), words.first()) else {
        return false;
    };
    let first = windows::slashes(&first.text);
    let name = paths::base_name(&first);
    let (program, lower) = (program.to_lowercase(), name.to_lowercase());
    let (program, plain_name) = (windows::without_exe(&program), windows::without_exe(&lower));
    if !paths::matches(&program, &plain_name) {
        return false;
    }
    // Windows does not tell `GIT.EXE` from `git.exe`.
    let name = if plain_name == lower {
        name
    } else {
        &plain_name
    };
    let (options, plain): (Vec<&str>, Vec<&str>) = wanted.partition(|word| word.starts_with('-'));
    let given: Vec<&str> = words.iter().skip(1).map(|word| &*word.text).collect();
    let values = commands
        .program(name)
        .map(taking_values)
        .unwrap_or_default();
    let mut operands = given
        .iter()
        .enumerate()
        .filter(|(at, _)| {
            let before = at.checked_sub(1).and_then(|before| given.get(before));
            !before.is_some_and(|before| values.contains(before))
        })
        .map(|(_, word)| word)
        .filter(|word| !word.starts_with('-'));
    for word in &plain {
        match operands.next() {
            Some(operand) if paths::matches(&word.to_lowercase(), &operand.to_lowercase()) => {}
            _ => return false,
        }
    }
    let starred = argument.ends_with('*');
    let no_more = plain.len().saturating_add(options.len()) == given.len();
    let complete = open || starred || no_more;
    let named = !plain.is_empty() || !options.is_empty();
    named
        && complete
        && options
            .iter()
            .all(|option| is_given(commands, name, option, &given))
}

/// Whether an option is among the words, under any of its names, alone or in a cluster.
fn is_given(commands: &Commands, program: &str, option: &str, given: &[&str]) -> bool {
    let letters = option.strip_prefix('-').filter(|rest| rest.len() > 1);
    let letters = letters.filter(|rest| rest.chars().all(|c| c.is_ascii_alphabetic()));
    if let Some(letters) = letters {
        // A cluster: every letter of it, or the option of that name.
        return given.contains(&option)
            || letters
                .chars()
                .all(|letter| is_given(commands, program, &format!("-{letter}"), given));
    }
    let bare = option.trim_end_matches('*');
    let same: Vec<&str> = commands
        .all(program)
        .flat_map(|node| synonyms(node, bare))
        .collect();
    given.iter().any(|word| {
        paths::matches(option, word)
            || same.iter().any(|name| {
                let letter = name.strip_prefix('-').filter(|rest| rest.len() == 1);
                let clustered = letter.is_some_and(|letter| {
                    word.starts_with('-') && !word.starts_with("--") && word.contains(letter)
                });
                clustered || word == name || word.starts_with(&format!("{name}="))
            })
    })
}

/// The options of a program itself, before any subcommand, that take the next word as their value.
fn taking_values(node: &'static Node) -> Vec<&'static str> {
    let taking = node
        .options
        .iter()
        .filter(|option| option.value.is_some() && !option.optional);
    taking.flat_map(|option| option.names).copied().collect()
}

fn synonyms(node: &'static Node, option: &str) -> Vec<&'static str> {
    let mut stack = vec![node];
    let mut found = Vec::new();
    while let Some(node) = stack.pop() {
        for known in node
            .options
            .iter()
            .filter(|known| known.names.contains(&option))
        {
            found.extend(known.names);
        }
        stack.extend(node.subcommands);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::Pattern;
    use crate::analysis::Value;
    use crate::knowledge::BUILT_IN;

    #[track_caller]
    fn command(pattern: &str, command: &str, loose: bool, strict: bool) {
        let pattern = Pattern::parse(pattern).expect(pattern);
        let words: Vec<Value> = command.split(' ').map(Value::whole).collect();
        let found = (
            pattern.holds_for_command(&BUILT_IN, &words, false),
            pattern.holds_for_command(&BUILT_IN, &words, true),
        );
        assert_eq!(found, (loose, strict), "{} on {command}", pattern.as_str());
    }

    #[test]
    fn commands() {
        command(
            "Bash(git push --force*)",
            "git push --force origin x",
            true,
            true,
        );
        command("bash(git push --force*)", "git push -f", true, false);
        command(
            "bash(git push --force*)",
            "git push origin x --force",
            true,
            false,
        );
        command("bash(git push --force*)", "git push origin x", false, false);
        command("Bash(git push:*)", "git push", true, true);
        command("Bash(git push *)", "git push", true, true);
        command("Bash(git push:*)", "git pushx", false, false);
        command("Bash(git log)", "git log -p", false, false);
        command("Bash(rm -rf *)", "rm -fr x", true, false);
        command("Bash(rm -rf *)", "rm -r x", false, false);
        command("Bash(git clean:*)", "git -C x clean -f", true, false);
        command("Bash(rm *)", "/bin/rm x", true, true);
        command("Bash(*rm*)", "terraform apply", true, true);
        command("Bash", "anything at all", true, true);
    }

    /// claude-code#66609, #46783, #76490, #27537.
    #[test]
    fn programs_of_windows_by_every_name() {
        for pattern in [
            r"Bash(C:\x\y.exe:*)",
            r"Bash(c:\x\y.exe *)",
            r"Bash(C:\\x\\y.exe:*)",
            "Bash(C:/x/y.exe:*)",
        ] {
            for called in [
                r"C:\x\y.exe --v",
                r"c:\x\Y.EXE",
                r"C:\\x\\y.exe",
                "C:/x/y.exe --v",
                "/c/x/y.exe --v",
                "/mnt/c/x/y.exe --v",
            ] {
                command(pattern, called, true, true);
            }
            command(pattern, r"C:\x\y --v", true, false);
            command(pattern, r"D:\x\y.exe", false, false);
            command(pattern, "/mnt/d/x/y.exe", false, false);
            command(pattern, "C:/x/y.exe.sh", false, false);
        }
        for (pattern, called, loose, strict) in [
            // An allow rule for a path of this machine is for no other spelling.
            ("Bash(/mnt/c/x/y.exe:*)", "/mnt/c/x/y.exe a", true, true),
            ("Bash(/mnt/c/x/y.exe:*)", r"C:\x\y.exe a", true, false),
            ("Bash(/c/x/y.exe:*)", "/mnt/c/x/y.exe a", true, false),
            ("Bash(git push:*)", "git.exe push", true, false),
            (
                "Bash(git push:*)",
                r"C:\git\bin\git.exe push -f",
                true,
                false,
            ),
            ("Bash(git push -f)", "git.exe -C x push -f", false, false),
            (
                "Bash(git push -f:*)",
                "GIT.EXE -C x push --force",
                true,
                false,
            ),
            ("Bash(git.exe push:*)", "git push", true, false),
            ("Bash(git.exe push:*)", r"C:\git\git.exe push", true, true),
            (r"Bash(type C:\x\*)", "type C:/x/a.txt", true, true),
            (r"Bash(type C:\x\*)", "type C:/y/a.txt", false, false),
            // Elsewhere a backslash is itself.
            (r"Bash(grep a\b)", r"grep a\b", true, true),
            (r"Bash(grep a\b)", "grep a/b", false, false),
            (
                "Bash(curl https://x.example/*)",
                "curl https://x.example/y",
                true,
                true,
            ),
        ] {
            command(pattern, called, loose, strict);
        }
    }

    #[test]
    fn a_program_of_windows_whose_path_holds_blanks() {
        let words = [
            Value::whole(r"C:\Program Files\x\y.exe"),
            Value::whole("--v"),
        ];
        for pattern in [
            r"Bash(C:\Program Files\x\y.exe:*)",
            r#"Bash("C:\Program Files\x\y.exe" --v)"#,
            "Bash(/mnt/c/Program Files/x/y.exe *)",
            "Bash(y.exe --v)",
        ] {
            let parsed = Pattern::parse(pattern).expect(pattern);
            assert!(
                parsed.holds_for_command(&BUILT_IN, &words, false),
                "{pattern}"
            );
        }
    }

    #[test]
    fn paths() {
        let roots = ["/w".to_owned()];
        for (pattern, path, expected) in [
            ("Read(./secrets/**)", "/w/secrets/a/b", true),
            ("Read(./secrets/**)", "/w/secrets", true),
            ("Read(secrets/**)", "/x/secrets/a", false),
            ("write(.git/**)", "/w/.git/config", true),
            ("Read(*.pem)", "/w/deep/a.pem", true),
            ("Read(~/.ssh/**)", "/home/u/.ssh/id_rsa", true),
            ("Read(//etc/*)", "/etc/passwd", true),
            ("Read(/etc/*)", "/etc/a/b", false),
            ("Read", "/anything", true),
            (r"Read(secrets\**)", "/w/secrets/a", true),
            (r"Read(~\.ssh\**)", "/home/u/.ssh/id_rsa", true),
            (r"Read(C:\Users\u\**)", "/mnt/c/Users/u/a", true),
            (r"Read(C:\Users\u\**)", "/c/users/u/a", true),
            (r"Read(C:\Users\u\**)", r"/w/C:\Users\u\a", true),
            ("Read(C:/Users/u/**)", r"/w/c:\users\u\a", true),
            ("Read(C:/Users/u/**)", "/mnt/d/Users/u/a", false),
            ("Read(C:/Users/u/**)", "/home/c/users/u/a", false),
            ("Read(//mnt/c/Users/**)", "/mnt/c/Users/u/a", true),
        ] {
            let parsed = Pattern::parse(pattern).expect(pattern);
            assert_eq!(
                parsed.holds_for_path(path, "/home/u", &roots),
                expected,
                "{pattern} on {path}"
            );
        }
    }

    #[test]
    fn tools_and_hosts() {
        let server = Pattern::parse("mcp__gate").expect("a pattern");
        assert!(server.names_tool("mcp__gate__ping") && !server.names_tool("mcp__gateway__ping"));
        let fetch = Pattern::parse("WebFetch(domain:example.org)").expect("a pattern");
        assert!(
            fetch.holds_for_host("docs.example.org") && !fetch.holds_for_host("badexample.org")
        );
    }

    #[test]
    fn what_means_nothing_is_an_error() {
        for text in ["", "(x)", "Bash(x", "Bash(x)y", "a b(c)", "Bash)x("] {
            assert!(Pattern::parse(text).is_err(), "{text}");
        }
    }
}
