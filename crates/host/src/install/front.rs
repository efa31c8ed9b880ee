//! The static front, which agents start in this program's place where there is one.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Its name; `crates/front` builds it.
pub(super) const FRONT: &str = "countersign-front";

/// How much of a program's file is read; its table of segments stands at the beginning.
const HEAD: u64 = 64 << 10;

/// The front beside a program, when it is statically linked. A dynamic one would protect nothing.
pub(crate) fn front_beside(program: &Path) -> Option<PathBuf> {
    let front = program.with_file_name(FRONT);
    is_static(&front).then_some(front)
}

/// Whether a file is an ELF program that asks for no interpreter, so that nothing can be loaded
/// into it before it starts.
pub(crate) fn is_static(file: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(file).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.is_ok() && segments(&head).is_some_and(|kinds| !kinds.is_empty() && !kinds.contains(&3))
}

/// The kinds of segments of a 64-bit little-endian ELF file (`elf(5)`, `p_type`; 3 is the
/// interpreter).
fn segments(head: &[u8]) -> Option<Vec<u32>> {
    if !head.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let at = |offset: usize, length: usize| head.get(offset..offset.checked_add(length)?);
    let half = |offset| {
        Some(usize::from(u16::from_le_bytes(
            at(offset, 2)?.try_into().ok()?,
        )))
    };
    let table = u64::from_le_bytes(at(32, 8)?.try_into().ok()?);
    let table = usize::try_from(table).ok()?;
    let (size, count) = (half(54)?, half(56)?);
    (0..count)
        .map(|index| {
            let offset = table.checked_add(index.checked_mul(size)?)?;
            Some(u32::from_le_bytes(at(offset, 4)?.try_into().ok()?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_static_program_is_no_front() {
        let place = tempfile::tempdir().expect("a folder");
        let file = place.path().join(FRONT);
        let program = place.path().join("countersign");
        let dynamic = std::fs::read("/proc/self/exe").expect("this program");
        let mut torn = dynamic.clone();
        torn.truncate(60);
        for bytes in [&b""[..], b"#!/bin/sh\nexit 0\n", &torn, &dynamic] {
            std::fs::write(&file, bytes).expect("a file");
            assert_eq!(front_beside(&program), None);
        }
        std::fs::remove_file(&file).expect("it is there");
        assert_eq!(front_beside(&program), None);
    }
}
