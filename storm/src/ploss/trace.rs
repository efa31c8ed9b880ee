//! What `strace` wrote, as what happened to the files of one folder.

use super::record::WORDS;
use crate::{Outcome, at};
use std::io::{BufRead as _, BufReader};
use std::path::Path;

/// Something that happened, to a file by its name in the folder.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A file was made, empty.
    Create(String),
    /// Bytes were written at a place; at the end where there is none.
    Write(String, Option<usize>, Vec<u8>),
    /// A file was cut or stretched.
    Resize(String, usize),
    /// What was written to a file was flushed.
    Flush(String),
    /// The names in the folder were flushed.
    FlushNames,
    /// A name was removed.
    Remove(String),
    /// A file has another name, too.
    Link(String, String),
    /// Something was told.
    Acknowledge(String),
}

/// The events of a trace that have to do with this folder.
pub(super) fn read(trace: &Path, dir: &Path) -> Outcome<Vec<Event>> {
    let file = std::fs::File::open(trace).map_err(at("the trace"))?;
    let mut made = std::collections::BTreeSet::new();
    let mut events = Vec::new();
    for line in BufReader::new(file).lines() {
        let line = line.map_err(at("the trace"))?;
        let shown: String = line.chars().take(300).collect();
        let event = Call::parse(&line).and_then(|call| match call {
            Some(call) => call.event(dir, &mut made),
            None => Ok(None),
        });
        events.extend(event.map_err(|error| format!("{error} in the trace: {shown}"))?);
    }
    Ok(events)
}

/// One line of a trace.
struct Call<'l> {
    name: &'l str,
    args: Vec<&'l str>,
    result: &'l str,
}

impl<'l> Call<'l> {
    /// Nothing for what is no call, or one that failed.
    fn parse(line: &'l str) -> Outcome<Option<Self>> {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
        if rest.starts_with("+++") || rest.starts_with("---") {
            return Ok(None);
        }
        if rest.contains("<unfinished") || rest.contains("resumed>") {
            return Err("two threads at once".to_owned());
        }
        let (name, rest) = rest.split_once('(').ok_or("no call")?;
        let (args, result) = rest.rsplit_once(" = ").ok_or("no result")?;
        if result.starts_with('-') {
            return Ok(None);
        }
        let args = args.trim_end().strip_suffix(')').ok_or("no end")?;
        Ok(Some(Self {
            name,
            args: args.split(", ").collect(),
            result,
        }))
    }

    fn arg(&self, at: usize) -> &'l str {
        self.args.get(at).copied().unwrap_or_default()
    }

    fn event(
        &self,
        dir: &Path,
        made: &mut std::collections::BTreeSet<String>,
    ) -> Outcome<Option<Event>> {
        if let "link" | "linkat" = self.name {
            return self.named_too(dir, made);
        }
        // A path is an argument, stands behind a descriptor, or is what was opened.
        let about = match self.name {
            "open" | "openat" | "creat" => of_descriptor(self.result)?,
            "unlink" => Some(quoted(self.arg(0))?),
            "unlinkat" => Some(quoted(self.arg(1))?),
            "mmap" => of_descriptor(self.arg(4))?,
            _ => of_descriptor(self.arg(0))?,
        };
        let Some(about) = about else {
            return Ok(None);
        };
        let about = String::from_utf8(about).map_err(|_| "a path in no UTF-8")?;
        let about = Path::new(&about);
        if about == dir {
            return match self.name {
                "fsync" | "fdatasync" => Ok(Some(Event::FlushNames)),
                "openat" | "open" => Ok(None),
                other => Err(format!("{other} on the folder is not understood")),
            };
        }
        let Ok(name) = about.strip_prefix(dir) else {
            return Ok(None);
        };
        let name = name.to_string_lossy().into_owned();
        // Memory that processes share: it is made anew from the log.
        if name.ends_with("-shm") || name.ends_with("(deleted)") {
            return Ok(None);
        }
        self.on(name, made)
    }

    /// A second name for a file.
    fn named_too(
        &self,
        dir: &Path,
        made: &mut std::collections::BTreeSet<String>,
    ) -> Outcome<Option<Event>> {
        let (old, new) = match self.name {
            "link" => (0, 1),
            _ => (1, 3),
        };
        let within = |at: usize| -> Outcome<Option<String>> {
            let path =
                String::from_utf8(quoted(self.arg(at))?).map_err(|_| "a path in no UTF-8")?;
            let name = Path::new(&path).strip_prefix(dir).ok();
            Ok(name.map(|name| name.to_string_lossy().into_owned()))
        };
        match (within(old)?, within(new)?) {
            (Some(old), Some(new)) => {
                made.insert(new.clone());
                Ok(Some(Event::Link(old, new)))
            }
            (None, None) => Ok(None),
            _ => Err("a name in another folder is not understood".to_owned()),
        }
    }

    fn on(
        &self,
        name: String,
        made: &mut std::collections::BTreeSet<String>,
    ) -> Outcome<Option<Event>> {
        let size = |at: usize| {
            let text = self.arg(at);
            text.parse::<usize>()
                .map_err(|_| format!("`{text}` is no size"))
        };
        let written = || -> Outcome<Vec<u8>> {
            let count: usize = self
                .result
                .parse()
                .map_err(|_| "a result that is no number".to_owned())?;
            let mut bytes = quoted(self.arg(1))?;
            if bytes.len() < count {
                return Err("a write whose bytes are not all there".to_owned());
            }
            bytes.truncate(count);
            Ok(bytes)
        };
        let event = match self.name {
            "openat" | "open" => {
                let flags = self.args.iter().any(|arg| arg.contains("O_TRUNC"));
                if flags {
                    return Err("emptying a file is not understood".to_owned());
                }
                let creates = self.args.iter().any(|arg| arg.contains("O_CREAT"));
                if !creates || name == WORDS || !made.insert(name.clone()) {
                    return Ok(None);
                }
                Event::Create(name)
            }
            "write" if name == WORDS => {
                let text = String::from_utf8(written()?).map_err(|_| "words in no UTF-8")?;
                Event::Acknowledge(text.trim().to_owned())
            }
            "write" => Event::Write(name, None, written()?),
            "pwrite64" => Event::Write(name, Some(size(3)?), written()?),
            "ftruncate" => Event::Resize(name, size(1)?),
            "fsync" | "fdatasync" => Event::Flush(name),
            "unlink" | "unlinkat" => {
                made.remove(&name);
                Event::Remove(name)
            }
            "mmap"
                if !self.arg(2).contains("PROT_WRITE") || !self.arg(3).contains("MAP_SHARED") =>
            {
                return Ok(None);
            }
            other => return Err(format!("{other} is not understood")),
        };
        Ok(Some(event))
    }
}

/// The path behind a descriptor, as `3<path>`.
fn of_descriptor(text: &str) -> Outcome<Option<Vec<u8>>> {
    let Some((_, path)) = text.split_once('<') else {
        return Ok(None);
    };
    let end = path.rfind('>').ok_or("a path without end")?;
    let (path, _) = path.split_at_checked(end).ok_or("a path without end")?;
    unescape(path).map(Some)
}

fn quoted(text: &str) -> Outcome<Vec<u8>> {
    let inner = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'))
        .ok_or("a string that is not whole")?;
    unescape(inner)
}

/// `strace -xx` writes every byte as `\x41`; some versions leave the paths of descriptors as they
/// are.
fn unescape(text: &str) -> Outcome<Vec<u8>> {
    if !text.starts_with("\\x") {
        return Ok(text.as_bytes().to_vec());
    }
    let digit = |byte: &u8| {
        char::from(*byte)
            .to_digit(16)
            .and_then(|d| u8::try_from(d).ok())
    };
    text.as_bytes()
        .chunks(4)
        .map(|chunk| match chunk {
            [b'\\', b'x', high, low] => {
                Some(digit(high)?.checked_mul(16)?.checked_add(digit(low)?)?)
            }
            _ => None,
        })
        .collect::<Option<Vec<u8>>>()
        .ok_or_else(|| "an escape that is not understood".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Call, Event};
    use std::collections::BTreeSet;
    use std::path::Path;

    fn event(line: &str) -> Result<Option<Event>, String> {
        let mut made = BTreeSet::new();
        match Call::parse(line)? {
            Some(call) => call.event(Path::new("/d"), &mut made),
            None => Ok(None),
        }
    }

    #[test]
    fn lines_of_a_trace() {
        let write = |at| Event::Write("f".to_owned(), at, b"ab".to_vec());
        for (line, wanted) in [
            (
                r#"7 pwrite64(3</d/f>, "\x61\x62", 2, 512) = 2"#,
                Some(write(Some(512))),
            ),
            (
                r#"7 pwrite64(3<\x2f\x64\x2f\x66>, "\x61\x62\x63", 3, 0) = 2"#,
                Some(write(Some(0))),
            ),
            (r#"write(3</d/f>, "\x61\x62", 2)   = 2"#, Some(write(None))),
            (r#"write(1</dev/null>, "\x61\x62", 2) = 2"#, None),
            (
                r#"write(3</d/words>, "\x61\x0a", 2) = 2"#,
                Some(Event::Acknowledge("a".to_owned())),
            ),
            ("fdatasync(3</d/f>) = 0", Some(Event::Flush("f".to_owned()))),
            ("fsync(4</d>) = 0", Some(Event::FlushNames)),
            (
                r#"unlink("\x2f\x64\x2f\x66") = 0"#,
                Some(Event::Remove("f".to_owned())),
            ),
            (
                r#"unlink("\x2f\x64\x2f\x66") = -1 ENOENT (No such file or directory)"#,
                None,
            ),
            (
                r#"openat(AT_FDCWD</>, "\x2f", O_RDWR|O_CREAT, 0600) = 3</d/f>"#,
                Some(Event::Create("f".to_owned())),
            ),
            (r#"openat(AT_FDCWD</>, "\x2f", O_RDWR) = 3</d/f>"#, None),
            (
                "ftruncate(3</d/f>, 4096) = 0",
                Some(Event::Resize("f".to_owned(), 4096)),
            ),
            (r#"pwrite64(3</d/f-shm>, "\x61", 1, 0) = 1"#, None),
            (
                "mmap(NULL, 4096, PROT_READ, MAP_SHARED, 3</d/f>, 0) = 0x7f",
                None,
            ),
            ("+++ exited with 0 +++", None),
        ] {
            assert_eq!(event(line), Ok(wanted), "{line}");
        }
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        for line in [
            "mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_SHARED, 3</d/f>, 0) = 0x7f",
            "pwritev(3</d/f>, [], 1, 0) = 2",
            "fallocate(3</d/f>, 0, 0, 10) = 0",
            r#"pwrite64(3</d/f>, "\x61"..., 4096, 0) = 4096"#,
            r#"pwrite64(3</d/f>, "\x61", 4096, 0) = 4096"#,
            r#"write(3</d/f>, "\x61", 1 <unfinished ...>"#,
            r#"openat(AT_FDCWD</>, "\x2f", O_RDWR|O_TRUNC) = 3</d/f>"#,
        ] {
            assert!(event(line).is_err(), "{line}");
        }
    }
}
