/// Something that a sed script does beside editing the text that passes through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SedAction {
    /// Writes a file.
    Write(String),
    /// Reads a file.
    Read(String),
    /// Runs shell source.
    Run(String),
    /// It could not be read.
    Unknown,
}

/// What a sed script does beside editing text (sed(1), GNU extensions included).
///
/// The seds differ in where labels, bracket expressions and texts end. The script is read in every
/// such way, and what it does in any of them counts. A way in which it is no script at all does
/// nothing, as long as it is one in another way.
pub(crate) fn actions(script: &str) -> Vec<SedAction> {
    let mut found: Vec<SedAction> = Vec::new();
    let mut read = false;
    for dialect in dialects() {
        let mut reader = Reader {
            rest: script,
            found: Vec::new(),
            dialect,
        };
        let outcome = reader.script();
        for action in reader.found {
            if !found.contains(&action) {
                found.push(action);
            }
        }
        match outcome {
            Ok(()) => read = true,
            Err(Problem::NoScript) => {}
            Err(Problem::Unclear) => {
                read = false;
                break;
            }
        }
    }
    if !read && !found.contains(&SedAction::Unknown) {
        found.push(SedAction::Unknown);
    }
    found
}

/// How one sed reads a script.
#[derive(Debug, Clone, Copy)]
struct Dialect {
    brackets: Brackets,
    /// Bracket expressions count in `y` too.
    brackets_in_y: bool,
    /// Where the label of `:` ends, and that of a branch.
    labels: (Label, Label),
    /// What stands right after `a\` is taken as it is, be it a backslash.
    text_lead: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Brackets {
    /// The delimiter ends the expression wherever it stands.
    None,
    /// It stands for itself in brackets, which may hold `[:class:]`.
    Classes,
    /// So does it, and a backslash escapes in brackets.
    Escapes,
    /// The first `]` ends the brackets.
    Plain,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    Line,
    Semicolon,
    Blank,
    Brace,
}

fn dialects() -> impl Iterator<Item = Dialect> {
    let brackets = [
        (Brackets::None, false),
        (Brackets::Classes, false),
        (Brackets::Classes, true),
        (Brackets::Escapes, false),
        (Brackets::Escapes, true),
        (Brackets::Plain, true),
    ];
    let labels = [
        (Label::Line, Label::Line),
        (Label::Line, Label::Semicolon),
        (Label::Semicolon, Label::Semicolon),
        (Label::Blank, Label::Blank),
        (Label::Brace, Label::Brace),
    ];
    brackets
        .into_iter()
        .flat_map(move |(brackets, brackets_in_y)| {
            labels.into_iter().flat_map(move |labels| {
                [false, true].into_iter().map(move |text_lead| Dialect {
                    brackets,
                    brackets_in_y,
                    labels,
                    text_lead,
                })
            })
        })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Problem {
    /// Every sed that reads it in this way refuses it.
    NoScript,
    /// It cannot be told.
    Unclear,
}

use Problem::{NoScript, Unclear};

struct Reader<'s> {
    rest: &'s str,
    found: Vec<SedAction>,
    dialect: Dialect,
}

impl Reader<'_> {
    fn script(&mut self) -> Result<(), Problem> {
        while !self.rest.is_empty() {
            self.command()?;
        }
        Ok(())
    }

    /// Reads one command.
    fn command(&mut self) -> Result<(), Problem> {
        self.rest = self
            .rest
            .trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ';');
        if self.rest.is_empty() {
            return Ok(());
        }
        self.address()?;
        self.rest = self.rest.trim_start_matches([' ', '\t', '!']);
        match self.take().ok_or(NoScript)? {
            '{' => Ok(()),
            's' => {
                self.substitute()?;
                self.end()
            }
            'y' => {
                let delimiter = self.delimiter()?;
                self.until(delimiter, self.dialect.brackets_in_y)?;
                self.until(delimiter, false)?;
                self.end()
            }
            'e' => {
                let source = self.line();
                self.found.push(SedAction::Run(source));
                Ok(())
            }
            'w' | 'W' => {
                let path = self.line();
                self.found.extend(written(&path));
                Ok(())
            }
            'r' | 'R' => {
                let path = self.line();
                // Some may let the name end here.
                if path.contains([';', '}']) {
                    return Err(Unclear);
                }
                self.found.push(SedAction::Read(path));
                Ok(())
            }
            'a' | 'i' | 'c' => self.text(),
            '#' => {
                self.line();
                Ok(())
            }
            ':' => self.label(self.dialect.labels.0),
            'b' | 't' | 'T' | 'v' => self.label(self.dialect.labels.1),
            '}' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | '=' | 'F'
            | 'z' => self.end(),
            'q' | 'Q' | 'l' | 'L' => {
                self.rest = self.rest.trim_start_matches([' ', '\t']);
                self.rest = self.rest.trim_start_matches(|c: char| c.is_ascii_digit());
                self.end()
            }
            c if c.is_ascii_alphanumeric() || !c.is_ascii() => Err(Unclear),
            _ => Err(NoScript),
        }
    }

    fn take(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = self.rest.get(c.len_utf8()..)?;
        Some(c)
    }

    /// Nothing may stand between a command and the next one's separator.
    fn end(&mut self) -> Result<(), Problem> {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        match self.rest.chars().next() {
            None | Some('\n' | ';' | '}' | '#') => Ok(()),
            Some(_) => Err(NoScript),
        }
    }

    /// Skips `1,/x/I` and the like.
    fn address(&mut self) -> Result<(), Problem> {
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\t']);
            match self.rest.chars().next().ok_or(NoScript)? {
                '0'..='9' | '$' | ',' | '~' | '+' => {
                    self.take();
                    continue;
                }
                '/' => {
                    self.take();
                    self.until('/', true)?;
                }
                '\\' => {
                    self.take();
                    let end = self.delimiter()?;
                    self.until(end, true)?;
                }
                _ => return Ok(()),
            }
            self.rest = self.rest.trim_start_matches(['I', 'M']);
        }
    }

    /// A delimiter that means nothing else.
    fn delimiter(&mut self) -> Result<char, Problem> {
        let c = self.take().ok_or(NoScript)?;
        let plain = c.is_ascii_punctuation() && !matches!(c, '[' | ']' | '\\' | '^' | '{' | '}');
        if plain { Ok(c) } else { Err(Unclear) }
    }

    /// Reads up to a delimiter that is neither escaped nor, where they count, in brackets.
    fn until(&mut self, end: char, brackets: bool) -> Result<String, Problem> {
        let mut text = String::new();
        loop {
            let c = self.take().ok_or(NoScript)?;
            if c == end {
                return Ok(text);
            }
            text.push(c);
            match c {
                '\\' => text.push(self.take().ok_or(NoScript)?),
                '\n' => return Err(Unclear),
                '[' if brackets && self.dialect.brackets != Brackets::None => {
                    self.bracket(&mut text)?;
                }
                _ => {}
            }
        }
    }

    /// The rest of a bracket expression: a `]` that comes first stands for itself.
    fn bracket(&mut self, text: &mut String) -> Result<(), Problem> {
        let mut first = true;
        loop {
            let c = self.take().ok_or(NoScript)?;
            text.push(c);
            match c {
                '\n' => return Err(Unclear),
                '^' if first && text.ends_with("[^") => continue,
                ']' if !first => return Ok(()),
                '\\' if self.dialect.brackets == Brackets::Escapes => {
                    text.push(self.take().ok_or(NoScript)?);
                }
                '[' if self.dialect.brackets != Brackets::Plain
                    && self.rest.starts_with([':', '.', '=']) =>
                {
                    let kind = self.take().ok_or(NoScript)?;
                    let close = format!("{kind}]");
                    let length = self.rest.find(&close).ok_or(NoScript)?;
                    // Only a name, or seds disagree whether it is one.
                    let name = self.rest.get(..length).ok_or(NoScript)?;
                    if !name.bytes().all(|b| b.is_ascii_alphabetic()) {
                        return Err(Unclear);
                    }
                    text.push_str(name);
                    text.push_str(&close);
                    let after = length.saturating_add(close.len());
                    self.rest = self.rest.get(after..).ok_or(NoScript)?;
                }
                _ => {}
            }
            first = false;
        }
    }

    fn substitute(&mut self) -> Result<(), Problem> {
        let end = self.delimiter()?;
        self.until(end, true)?;
        // Brackets mean nothing in a replacement.
        let replacement = self.until(end, false)?;
        loop {
            match self.rest.chars().next() {
                Some('g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9') => {
                    self.take();
                }
                Some('e') => {
                    self.take();
                    self.found.push(SedAction::Run(replacement.clone()));
                }
                Some('w') => {
                    self.take();
                    let path = self.line();
                    self.found.extend(written(&path));
                    return Ok(());
                }
                _ => return Ok(()),
            }
        }
    }

    fn line(&mut self) -> String {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        let line = self.rest.get(..end).unwrap_or_default();
        let line = line.trim_start_matches([' ', '\t']).to_owned();
        self.rest = self.rest.get(end..).unwrap_or_default();
        line
    }

    /// Skips a label, and lets whatever may follow it be read as commands.
    fn label(&mut self, kind: Label) -> Result<(), Problem> {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        let ends = |c: char| match c {
            '\n' => true,
            ';' => kind != Label::Line,
            '}' => kind == Label::Brace,
            _ => matches!(kind, Label::Blank | Label::Brace) && c.is_ascii_whitespace(),
        };
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        self.rest = self.rest.get(end..).ok_or(NoScript)?;
        Ok(())
    }

    /// The text of `a`, `i` and `c` goes on after a line that ends in an escaping backslash.
    fn text(&mut self) -> Result<(), Problem> {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        if let Some(after) = self.rest.strip_prefix('\\') {
            let line = after.trim_start_matches([' ', '\t']);
            self.rest = line.strip_prefix('\n').unwrap_or(after);
            if self.dialect.text_lead && !line.starts_with('\n') {
                self.take();
            }
        } else if self.rest.is_empty() || self.rest.starts_with('\n') {
            return Err(NoScript);
        }
        while let Some(c) = self.take() {
            match c {
                '\n' => return Ok(()),
                '\\' => {
                    self.take();
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn written(path: &str) -> Option<SedAction> {
    (!matches!(path, "/dev/stdout" | "/dev/stderr")).then(|| SedAction::Write(path.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{SedAction, actions};

    #[test]
    fn scripts() {
        let write = |path: &str| vec![SedAction::Write(path.to_owned())];
        let run = |source: &str| vec![SedAction::Run(source.to_owned())];
        for (script, expected) in [
            ("s/a/b/g", vec![]),
            ("s/=.*/=<x>/", vec![]),
            ("s|/usr|[w] e |g; 1,5p", vec![]),
            ("/^w /d;/x[/]y/p", vec![]),
            ("1{p;q}", vec![]),
            ("$!N;P;D", vec![]),
            ("y/abc/wer/", vec![]),
            ("a\\\nw file", vec![]),
            ("i hello w x", vec![]),
            (":a;N;$!ba;s/\\n/ /g", vec![]),
            ("s/x/w/w /dev/stdout", vec![]),
            ("s/[^/]*$//;s/[[:space:]]*$//;s/[]/]x//", vec![]),
            ("0~3p;1,~4d;/x/I,+2{s/a/b/;s/c/d/};$q5", vec![]),
            ("/a/{n;d}; $!{h;d}\n# e id", vec![]),
            ("$a\\", vec![]),
            ("\\,/x,d;s,a\\,b,c,2g;l 5;Q1", vec![]),
            (":top\ns/(a)/b/\nttop", vec![]),
            ("a\\\nfoo\\\ne id", vec![]),
            ("1w out.txt", write("out.txt")),
            ("s/a/b/w out.txt", write("out.txt")),
            ("s/a/b/gw out.txt", write("out.txt")),
            ("1e touch x", run("touch x")),
            ("s/.*/date/e", run("date")),
            ("/x/e", run("")),
            ("r list.txt", vec![SedAction::Read("list.txt".to_owned())]),
            ("R list.txt", vec![SedAction::Read("list.txt".to_owned())]),
            ("1W out.txt", write("out.txt")),
            ("s/a/b", vec![SedAction::Unknown]),
            ("k", vec![SedAction::Unknown]),
            ("px", vec![SedAction::Unknown]),
            ("sxaxbx", vec![SedAction::Unknown]),
        ] {
            assert_eq!(actions(script), expected, "{script}");
        }
    }

    /// What one sed takes for text and another for commands.
    #[test]
    fn readings() {
        for (script, wanted) in [
            (":a;e id", SedAction::Run("id".to_owned())),
            (":a e id", SedAction::Run("id".to_owned())),
            (":a;w out", SedAction::Write("out".to_owned())),
            (":a;s/x/y/w out", SedAction::Write("out".to_owned())),
            ("bx;e id\n:x", SedAction::Run("id".to_owned())),
            ("{bx}\ne id\n:x", SedAction::Run("id".to_owned())),
            ("{:a};e id", SedAction::Run("id".to_owned())),
            ("y/[/x/;s/.*/id/e;#]/z/", SedAction::Run("id".to_owned())),
            ("s/[[]/id/e;#]/y/", SedAction::Run("id".to_owned())),
            ("s/[^[]/id/e;#]/y/", SedAction::Run("id".to_owned())),
            ("s/[/id/e;#]/y/", SedAction::Run("id".to_owned())),
            ("s/[]]/id/e;#]/y/", SedAction::Run("id".to_owned())),
            ("s/[\\]/id/e;#]/y/", SedAction::Run("id".to_owned())),
            (
                "/[[:alpha:]/e id;#]/d",
                SedAction::Run("id;#]/d".to_owned()),
            ),
            ("a\\\nfoo\\\\\ne id", SedAction::Run("id".to_owned())),
            ("a foo\\\\\nw out", SedAction::Write("out".to_owned())),
            ("a\\\\\ne id", SedAction::Run("id".to_owned())),
            ("i x\ne id", SedAction::Run("id".to_owned())),
            ("s/a/b/;;  e id", SedAction::Run("id".to_owned())),
            ("1~2,/x/M!{e id", SedAction::Run("id".to_owned())),
            ("s/a/b/2pe", SedAction::Run("b".to_owned())),
            ("r a;w b", SedAction::Unknown),
        ] {
            let found = actions(script);
            let unknown = found.contains(&SedAction::Unknown);
            assert!(found.contains(&wanted) || unknown, "{script}: {found:?}");
        }
    }
}
