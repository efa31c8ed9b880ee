use super::super::read::Unknown;
use std::iter::Peekable;
use std::str::Chars;

/// One setting of a configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setting {
    /// In lower case.
    pub(super) section: String,
    /// As it is written.
    pub(super) subsection: Option<String>,
    /// In lower case.
    pub(super) name: String,
    /// Absent when there is no `=`, which git takes for true.
    pub(super) value: Option<String>,
}

impl Setting {
    /// The whole name, as `git config` prints it.
    pub(super) fn key(&self) -> String {
        let Self { section, name, .. } = self;
        match &self.subsection {
            Some(subsection) => format!("{section}.{subsection}.{name}"),
            None => format!("{section}.{name}"),
        }
    }

    /// Whether it is this setting of a section without a subsection.
    pub(super) fn is(&self, section: &str, name: &str) -> bool {
        self.section == section && self.subsection.is_none() && self.name == name
    }
}

/// The settings of a configuration file (git-config(1), "Syntax"), read as git's own reader does.
/// What git refuses is unknown, and so is text that is not UTF-8.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Setting>, Unknown> {
    let text = std::str::from_utf8(bytes).map_err(|_| Unknown)?;
    // Git's strings end at a NUL, wherever that is.
    if text.contains('\0') {
        return Err(Unknown);
    }
    let mut reader = Reader {
        rest: text
            .strip_prefix('\u{feff}')
            .unwrap_or(text)
            .chars()
            .peekable(),
    };
    let mut header = None;
    let mut settings = Vec::new();
    while let Some(char) = reader.next() {
        match char {
            _ if is_space(char) => {}
            '#' | ';' => reader.skip_line(),
            '[' => header = Some(reader.header()?),
            _ if char.is_ascii_alphabetic() => {
                let header = header.as_deref().ok_or(Unknown)?;
                settings.push(reader.setting(header, char)?);
            }
            _ => return Err(Unknown),
        }
    }
    Ok(settings)
}

#[derive(Debug)]
struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
}

impl Reader<'_> {
    /// The next character; the two that end a line on Windows are one.
    fn next(&mut self) -> Option<char> {
        match self.rest.next() {
            Some('\r') => Some(self.rest.next_if_eq(&'\n').unwrap_or('\r')),
            other => other,
        }
    }

    fn skip_line(&mut self) {
        while self.next().is_some_and(|char| char != '\n') {}
    }

    /// What follows the `[` of a section up to its `]`: `a` or `a.b`.
    fn header(&mut self) -> Result<String, Unknown> {
        let mut header = String::new();
        loop {
            match self.next().ok_or(Unknown)? {
                ']' if header.is_empty() => return Err(Unknown),
                ']' => return Ok(header),
                '\n' => return Err(Unknown),
                char if is_space(char) => break,
                char if is_name(char) || char == '.' => header.push(char.to_ascii_lowercase()),
                _ => return Err(Unknown),
            }
        }
        loop {
            match self.next().ok_or(Unknown)? {
                '"' => break,
                char if is_space(char) && char != '\n' => {}
                _ => return Err(Unknown),
            }
        }
        header.push('.');
        loop {
            let char = match self.next().ok_or(Unknown)? {
                '"' => break,
                '\\' => self.next().ok_or(Unknown)?,
                char => char,
            };
            if char == '\n' {
                return Err(Unknown);
            }
            header.push(char);
        }
        match self.next() {
            Some(']') => Ok(header),
            _ => Err(Unknown),
        }
    }

    fn setting(&mut self, header: &str, first: char) -> Result<Setting, Unknown> {
        let mut name = String::from(first.to_ascii_lowercase());
        let mut next = self.next();
        while let Some(char) = next.filter(|&char| is_name(char)) {
            name.push(char.to_ascii_lowercase());
            next = self.next();
        }
        while matches!(next, Some(' ' | '\t')) {
            next = self.next();
        }
        let value = match next {
            None | Some('\n') => None,
            Some('=') => Some(self.value()?),
            Some(_) => return Err(Unknown),
        };
        // `[a.b]` and `[a "b"]` make the same names.
        let (section, subsection) = match header.split_once('.') {
            Some((section, subsection)) => (section, Some(subsection.to_owned())),
            None => (header, None),
        };
        Ok(Setting {
            section: section.to_owned(),
            subsection,
            name,
            value,
        })
    }

    /// What follows a `=` up to the end of the line that is not continued.
    fn value(&mut self) -> Result<String, Unknown> {
        let mut value = String::new();
        let mut kept = 0;
        let mut quoted = false;
        loop {
            match self.next() {
                None | Some('\n') if quoted => return Err(Unknown),
                None | Some('\n') => break,
                Some('#' | ';') if !quoted => {
                    self.skip_line();
                    break;
                }
                Some(char) if is_space(char) && !quoted => {
                    if !value.is_empty() {
                        value.push(char);
                    }
                    // Blanks count only when something follows.
                    continue;
                }
                Some('"') => quoted = !quoted,
                Some('\\') => match self.next() {
                    None | Some('\n') => {}
                    Some('t') => value.push('\t'),
                    Some('b') => value.push('\u{8}'),
                    Some('n') => value.push('\n'),
                    Some(char @ ('\\' | '"')) => value.push(char),
                    Some(_) => return Err(Unknown),
                },
                Some(char) => value.push(char),
            }
            kept = value.len();
        }
        value.truncate(kept);
        Ok(value)
    }
}

/// What git takes for a blank.
fn is_space(char: char) -> bool {
    matches!(char, ' ' | '\t' | '\n' | '\r')
}

fn is_name(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '-'
}
