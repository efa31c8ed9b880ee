//! The recorder's file, read back: see `shim/shim.c` for its form.

use crate::answer::{Opened, Ran};
use crate::bytes::Bytes;

/// One line of the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Recorded {
    /// A program would have been started.
    Exec(Ran),
    /// A file was opened.
    Open(Opened),
}

/// Reads a whole record; a torn line is left out.
pub(crate) fn read(record: &[u8]) -> Vec<Recorded> {
    record
        .split_inclusive(|byte| *byte == b'\n')
        .filter_map(|line| line.strip_suffix(b"\n"))
        .filter_map(line)
        .collect()
}

fn line(line: &[u8]) -> Option<Recorded> {
    let mut fields = line.split(|byte| *byte == b'\t');
    let kind = fields.next()?;
    let depth = std::str::from_utf8(fields.next()?).ok()?.parse().ok()?;
    let path = unescaped(fields.next()?)?;
    let words: Vec<Bytes> = fields.map(unescaped).collect::<Option<_>>()?;
    match kind {
        b"E" => Some(Recorded::Exec(ran(&path, words, depth))),
        b"O" => Some(Recorded::Open(Opened {
            path,
            how: String::from_utf8_lossy(&words.first()?.0).into_owned(),
            failed: words.len() > 1,
        })),
        _ => None,
    }
}

fn ran(path: &Bytes, mut argv: Vec<Bytes>, depth: u32) -> Ran {
    let name = |bytes: &Bytes| bytes.0.rsplit(|byte| *byte == b'/').next().map(Bytes::from);
    let program = name(path);
    let other = argv.first().is_some_and(|first| name(first) != program);
    if argv.is_empty() {
        argv.push(path.clone());
    }
    Ran {
        argv,
        program: program.filter(|_| other),
        depth,
        traced: false,
    }
}

fn unescaped(field: &[u8]) -> Option<Bytes> {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((&first, after)) = rest.split_first() {
        if first == b'%' {
            let (digits, after) = after.split_at_checked(2)?;
            let digits = std::str::from_utf8(digits).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = after;
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    Some(Bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::{Recorded, read};
    use crate::answer::{Opened, Ran};
    use crate::bytes::Bytes;

    #[test]
    fn execs_and_opens_are_read_and_a_torn_line_is_not() {
        let found = read(b"E\t1\t/usr/bin/rm\trm\ta%20b\t\nO\t0\tout\twt\nE\t0\t/x");
        let expected = [
            Recorded::Exec(Ran {
                argv: ["rm", "a b", ""].map(Bytes::from).to_vec(),
                program: None,
                depth: 1,
                traced: false,
            }),
            Recorded::Open(Opened {
                path: Bytes::from("out"),
                how: "wt".to_owned(),
                failed: false,
            }),
        ];
        assert_eq!(found, expected);
    }
}
