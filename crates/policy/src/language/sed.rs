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
pub(crate) fn actions(script: &str) -> Vec<SedAction> {
    let mut reader = Reader {
        rest: script,
        found: Vec::new(),
    };
    while !reader.rest.is_empty() {
        if reader.command().is_none() {
            reader.found.push(SedAction::Unknown);
            break;
        }
    }
    reader.found
}

struct Reader<'s> {
    rest: &'s str,
    found: Vec<SedAction>,
}

impl Reader<'_> {
    /// Reads one command; `None` when it is not understood.
    fn command(&mut self) -> Option<()> {
        self.rest = self
            .rest
            .trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ';' | '}' | '{'));
        if self.rest.is_empty() {
            return Some(());
        }
        self.address()?;
        self.rest = self.rest.trim_start_matches([' ', '\t', '!']);
        let command = self.take()?;
        match command {
            '{' | '}' => Some(()),
            's' => self.substitute(),
            'y' => {
                let end = self.take()?;
                self.until(end)?;
                self.until(end).map(drop)
            }
            'e' => {
                let source = self.line();
                self.found.push(SedAction::Run(source));
                Some(())
            }
            'w' | 'W' => {
                let path = self.line();
                self.found.extend(written(&path));
                Some(())
            }
            'r' | 'R' => {
                let path = self.line();
                self.found.push(SedAction::Read(path));
                Some(())
            }
            'a' | 'i' | 'c' => {
                self.text();
                Some(())
            }
            '#' | ':' => {
                self.line();
                Some(())
            }
            'b' | 't' | 'T' => {
                let end = self.rest.find([';', '\n', '}']).unwrap_or(self.rest.len());
                self.rest = self.rest.get(end..)?;
                Some(())
            }
            'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | '=' | 'F' | 'z' => {
                Some(())
            }
            'q' | 'Q' | 'l' | 'L' => {
                self.rest = self
                    .rest
                    .trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
                Some(())
            }
            _ => None,
        }
    }

    fn take(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = self.rest.get(c.len_utf8()..)?;
        Some(c)
    }

    /// Skips `1,/x/I` and the like.
    fn address(&mut self) -> Option<()> {
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\t']);
            let c = self.rest.chars().next()?;
            match c {
                '0'..='9' | '$' | ',' | '~' | '+' => {
                    self.take();
                }
                '/' => {
                    self.take();
                    self.until('/')?;
                    self.rest = self.rest.trim_start_matches(['I', 'M']);
                }
                '\\' => {
                    self.take();
                    let end = self.take()?;
                    self.until(end)?;
                    self.rest = self.rest.trim_start_matches(['I', 'M']);
                }
                _ => return Some(()),
            }
        }
    }

    /// Reads up to a delimiter that is neither escaped nor in brackets.
    fn until(&mut self, end: char) -> Option<String> {
        let mut text = String::new();
        let mut brackets = false;
        loop {
            let c = self.take()?;
            if c == '\\' {
                text.push(c);
                text.push(self.take()?);
                continue;
            }
            if c == end && !brackets {
                return Some(text);
            }
            match c {
                '[' => brackets = !text.ends_with('\\') && self.rest.contains(']'),
                ']' => brackets = text.ends_with('[') || text.ends_with("[^"),
                _ => {}
            }
            text.push(c);
        }
    }

    fn substitute(&mut self) -> Option<()> {
        let end = self.take()?;
        self.until(end)?;
        // Brackets mean nothing in a replacement.
        let mut replacement = String::new();
        loop {
            match self.take()? {
                '\\' => {
                    replacement.push('\\');
                    replacement.push(self.take()?);
                }
                c if c == end => break,
                c => replacement.push(c),
            }
        }
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
                    return Some(());
                }
                _ => return Some(()),
            }
        }
    }

    fn line(&mut self) -> String {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        let line = self.rest.get(..end).unwrap_or_default().trim().to_owned();
        self.rest = self.rest.get(end..).unwrap_or_default();
        line
    }

    /// The text of `a`, `i` and `c` goes on as long as lines end in a backslash.
    fn text(&mut self) {
        let mut first = true;
        loop {
            let line = self.line();
            let goes_on = line.ends_with('\\') || (first && line.is_empty());
            first = false;
            if !goes_on || self.rest.is_empty() {
                return;
            }
            self.rest = self.rest.get(1..).unwrap_or_default();
        }
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
            ("1w out.txt", write("out.txt")),
            ("s/a/b/w out.txt", write("out.txt")),
            ("s/a/b/gw out.txt", write("out.txt")),
            ("1e touch x", run("touch x")),
            ("s/.*/date/e", run("date")),
            ("s/a/b", vec![SedAction::Unknown]),
            ("k", vec![SedAction::Unknown]),
        ] {
            assert_eq!(actions(script), expected, "{script}");
        }
    }
}
