//! Patches, as agents' tools take them: which files they change, and how.
//!
//! The reading is strict. A line that has no place in the form makes the whole patch unreadable,
//! because another reader may take it for the name of a file.

/// What a patch does to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) act: Act,
    pub(crate) path: String,
    /// What the file holds afterwards, as far as the patch shows it.
    pub(crate) text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    Write,
    Delete,
    /// It is moved away; where to is a change of its own.
    Move,
}

/// Every change of a patch; `None` when it cannot be read to its end, or changes nothing.
pub(crate) fn read(patch: &str) -> Option<Vec<Change>> {
    if patch.contains('\0') {
        return None;
    }
    let enveloped = patch
        .lines()
        .any(|line| after(line, "*** begin patch").is_some());
    let changes = if enveloped {
        envelope(patch)?
    } else {
        Unified::read(patch)?
    };
    let named = changes.iter().all(|change| !change.path.is_empty());
    (named && !changes.is_empty()).then_some(changes)
}

/// What follows a header, without case and surrounding blanks.
fn after<'l>(line: &'l str, header: &str) -> Option<&'l str> {
    let line = line.trim();
    let start = line.get(..header.len())?;
    let rest = line.get(header.len()..)?;
    start.eq_ignore_ascii_case(header).then_some(rest.trim())
}

/// The form with `*** Begin Patch`.
fn envelope(patch: &str) -> Option<Vec<Change>> {
    let mut lines = patch.lines().filter(|line| !line.trim().is_empty());
    let mut first = lines.next()?;
    // Some readers take a here-document's first and last line along.
    let delimiter = first
        .trim()
        .strip_prefix("<<")
        .map(|word| word.trim_start_matches('-').trim_matches(['\'', '"', ' ']));
    if delimiter.is_some() {
        first = lines.next()?;
    }
    if after(first, "*** begin patch") != Some("") {
        return None;
    }
    let mut changes: Vec<Change> = Vec::new();
    let mut body = Body::None;
    let mut ended = false;
    for line in lines {
        if ended {
            if delimiter == Some(line.trim()) {
                continue;
            }
            return None;
        }
        if body.takes(line) {
            if let (Some(change), false) = (changes.last_mut(), line.starts_with('-')) {
                change.text.push_str(line.get(1..).unwrap_or_default());
                change.text.push('\n');
            }
            continue;
        }
        if let Some(path) = after(line, "*** add file:") {
            body = Body::Added;
            changes.push(change(Act::Write, path));
        } else if let Some(path) = after(line, "*** update file:") {
            body = Body::Updated;
            changes.push(change(Act::Write, path));
        } else if let Some(path) = after(line, "*** delete file:") {
            body = Body::None;
            changes.push(change(Act::Delete, path));
        } else if let Some(path) = after(line, "*** move to:").filter(|_| body == Body::Updated) {
            if let Some(from) = changes.last_mut() {
                from.act = Act::Move;
            }
            changes.push(change(Act::Write, path));
        } else if after(line, "*** end patch") == Some("") {
            ended = true;
        } else {
            let within = line.starts_with("@@") || after(line, "*** end of file") == Some("");
            if !(within && body == Body::Updated) {
                return None;
            }
        }
    }
    ended.then_some(changes)
}

fn change(act: Act, path: &str) -> Change {
    Change {
        act,
        path: path.to_owned(),
        text: String::new(),
    }
}

/// What may follow a file's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Body {
    None,
    Added,
    Updated,
}

impl Body {
    fn takes(self, line: &str) -> bool {
        match self {
            Self::None => false,
            Self::Added => line.starts_with('+'),
            Self::Updated => line.starts_with(['+', '-', ' ']),
        }
    }
}

/// The form with `---`, `+++` and `@@`, of `diff` and of git.
#[derive(Debug, Default)]
struct Unified {
    changes: Vec<Change>,
    /// The file that a `diff --git` line names, until something is said of it.
    announced: Option<String>,
    deleted: bool,
    old: Option<String>,
    /// How many lines of the hunk are still to come, of the old file and of the new one.
    left: (u64, u64),
}

/// Lines of git's that name no file.
const GIT_LINES: &[&str] = &[
    "index ",
    "similarity index ",
    "dissimilarity index ",
    "old mode ",
    "new mode ",
    "new file mode ",
    "deleted file mode ",
];

/// Beginnings of lines after which a reader finds names or contents that are not read here.
const UNREAD: &[&str] = &["GIT binary patch", "Binary files ", "Index: ", "*** "];

impl Unified {
    fn read(patch: &str) -> Option<Vec<Change>> {
        let mut state = Self::default();
        for line in patch.lines() {
            if state.left == (0, 0) {
                state.header(line)?;
            } else {
                state.hunk_line(line)?;
            }
        }
        state.settle()?;
        (state.left == (0, 0) && state.old.is_none()).then_some(state.changes)
    }

    fn header(&mut self, line: &str) -> Option<()> {
        if let Some(names) = line.strip_prefix("diff --git ") {
            self.settle()?;
            let middle = names.len().saturating_sub(1) / 2;
            let (old, new) = (names.get(..middle)?, names.get(middle.saturating_add(1)..)?);
            let same = name(old)? == name(new)?;
            self.announced = Some(if same { name(new)? } else { String::new() });
            self.deleted = false;
            return Some(());
        }
        if line.starts_with("--- ") || line.starts_with("+++ ") {
            return self.sides(line);
        }
        if line.starts_with("@@") {
            self.left = counts(line)?;
            return (!self.changes.is_empty()).then_some(());
        }
        let moved = [
            ("rename from ", Act::Move),
            ("rename to ", Act::Write),
            ("copy to ", Act::Write),
        ];
        for (start, act) in moved {
            if let Some(path) = line.strip_prefix(start) {
                self.announced = None;
                self.changes.push(change(act, &plain(path)?));
                return Some(());
            }
        }
        self.deleted |= line.starts_with("deleted file mode ");
        let is_git = GIT_LINES.iter().any(|start| line.starts_with(start));
        // A link makes later names lead elsewhere.
        if is_git && (line.contains("120000") || line.contains("160000")) {
            return None;
        }
        let unread = UNREAD.iter().any(|start| line.starts_with(start));
        (!unread).then_some(())
    }

    /// The names before and after, which stand on two lines.
    fn sides(&mut self, line: &str) -> Option<()> {
        let shown = line.get(4..)?.split('\t').next().unwrap_or_default();
        let shown = name(shown)?;
        if line.starts_with('-') {
            let first = self.old.is_none();
            self.old = Some(shown);
            return first.then_some(());
        }
        let old = self.old.take()?;
        self.announced = None;
        match (old.as_str(), shown.as_str()) {
            ("/dev/null", "/dev/null") => return None,
            (_, "/dev/null") => self.changes.push(change(Act::Delete, &old)),
            ("/dev/null", _) => self.changes.push(change(Act::Write, &shown)),
            _ => {
                // Which of two names is taken depends on what is there.
                if old != shown {
                    self.changes.push(change(Act::Write, &old));
                }
                self.changes.push(change(Act::Write, &shown));
            }
        }
        Some(())
    }

    fn hunk_line(&mut self, line: &str) -> Option<()> {
        let (old, new) = &mut self.left;
        let text = line.get(1..).unwrap_or_default();
        match line.as_bytes().first() {
            Some(b'+') => *new = new.checked_sub(1)?,
            Some(b'-') => *old = old.checked_sub(1)?,
            Some(b' ' | b'\t') | None => {
                *new = new.checked_sub(1)?;
                *old = old.checked_sub(1)?;
            }
            Some(b'\\') => return Some(()),
            Some(_) => return None,
        }
        if !line.starts_with('-') {
            let change = self.changes.last_mut()?;
            change.text.push_str(text);
            change.text.push('\n');
        }
        Some(())
    }

    /// A file of which nothing was said but its name.
    fn settle(&mut self) -> Option<()> {
        if let Some(path) = self.announced.take() {
            let act = if self.deleted {
                Act::Delete
            } else {
                Act::Write
            };
            self.changes.push(change(act, &path));
            return (!path.is_empty()).then_some(());
        }
        Some(())
    }
}

/// A name without the letter that git puts before it.
fn name(text: &str) -> Option<String> {
    let text = plain(text)?;
    let bare = ["a/", "b/", "i/", "w/", "c/", "o/"]
        .iter()
        .find_map(|letter| text.strip_prefix(letter));
    Some(bare.unwrap_or(&text).to_owned())
}

/// A name that is not quoted: escapes in a quoted one could spell any other.
fn plain(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.starts_with('"')).then(|| text.to_owned())
}

/// The numbers of lines of `@@ -1,2 +1,3 @@`.
fn counts(line: &str) -> Option<(u64, u64)> {
    let mut words = line.strip_prefix("@@ ")?.split(' ');
    let count = |word: &str, sign: char| -> Option<u64> {
        let range = word.strip_prefix(sign)?;
        match range.split_once(',') {
            Some((_, count)) => count.parse().ok(),
            None => range.parse::<u64>().ok().map(|_| 1),
        }
    };
    let old = count(words.next()?, '-')?;
    let new = count(words.next()?, '+')?;
    Some((old, new))
}
