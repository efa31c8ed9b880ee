//! A disk that keeps what was flushed, and of the rest what chance will have.

use super::trace::Event;
use crate::random::Random;
use crate::{Outcome, at};
use std::collections::BTreeMap;
use std::fs::{DirBuilder, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;

/// What a disk writes whole.
const SECTOR: usize = 512;

/// What is left of all that was not flushed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Left {
    Nothing,
    Some,
}

#[derive(Debug, Default)]
pub(super) struct Disk {
    files: Vec<File>,
    /// As programs see them.
    names: BTreeMap<String, usize>,
    flushed_names: BTreeMap<String, usize>,
    /// What happened to names since, in order.
    names_since: Vec<(String, Option<usize>)>,
}

#[derive(Debug, Default)]
struct File {
    flushed: Vec<u8>,
    since: Vec<Step>,
    /// As programs see it.
    len: usize,
}

#[derive(Debug, Clone)]
enum Step {
    Write(usize, Vec<u8>),
    Resize(usize),
}

impl Disk {
    /// Whether it was a flush.
    pub(super) fn apply(&mut self, event: &Event) -> Outcome<bool> {
        match event {
            Event::Create(name) => {
                let file = self.files.len();
                self.files.push(File::default());
                self.names.insert(name.clone(), file);
                self.names_since.push((name.clone(), Some(file)));
            }
            Event::Link(old, new) => {
                let file = self.names.get(old).copied();
                let file = file.ok_or_else(|| format!("`{old}` was not made in the run"))?;
                self.names.insert(new.clone(), file);
                self.names_since.push((new.clone(), Some(file)));
            }
            Event::Remove(name) => {
                self.names.remove(name);
                self.names_since.push((name.clone(), None));
            }
            Event::Write(name, place, bytes) => {
                let file = self.file(name)?;
                let place = place.unwrap_or(file.len);
                file.len = file.len.max(place.saturating_add(bytes.len()));
                file.since.push(Step::Write(place, bytes.clone()));
            }
            Event::Resize(name, len) => {
                let file = self.file(name)?;
                file.len = *len;
                file.since.push(Step::Resize(*len));
            }
            Event::Flush(name) => {
                let file = self.file(name)?;
                for step in std::mem::take(&mut file.since) {
                    take(&mut file.flushed, &step);
                }
                return Ok(true);
            }
            Event::FlushNames => {
                self.flushed_names.clone_from(&self.names);
                self.names_since.clear();
                return Ok(true);
            }
            Event::Acknowledge(_) => {}
        }
        Ok(false)
    }

    fn file(&mut self, name: &str) -> Outcome<&mut File> {
        self.names
            .get(name)
            .and_then(|file| self.files.get_mut(*file))
            .ok_or_else(|| format!("`{name}` was not made in the run"))
    }

    /// Writes a folder as a machine finds it that lost its power now. The sectors of a write reach
    /// the disk in any order, and names in theirs.
    pub(super) fn image(&self, left: Left, random: &mut Random, dir: &Path) -> Outcome {
        let say = at("an image");
        DirBuilder::new().mode(0o700).create(dir).map_err(&say)?;
        // Mostly much or little: each part alone, and all parts in the middle, are rare.
        let share = match (left, random.below(4)) {
            (Left::Nothing, _) => 0,
            (Left::Some, 0) => 1000,
            (Left::Some, 1) => 950,
            (Left::Some, 2) => 100,
            (Left::Some, _) => random.below(1000),
        };
        let mut names = self.flushed_names.clone();
        for (name, file) in &self.names_since {
            if !random.per_mille(share) {
                break;
            }
            match file {
                Some(file) => names.insert(name.clone(), *file),
                None => names.remove(name),
            };
        }
        for (name, file) in names {
            let Some(file) = self.files.get(file) else {
                continue;
            };
            let mut bytes = file.flushed.clone();
            for step in &file.since {
                take_some(&mut bytes, step, share, random);
            }
            OpenOptions::new()
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(dir.join(name))
                .and_then(|mut file| file.write_all(&bytes))
                .map_err(&say)?;
        }
        Ok(())
    }
}

fn take(bytes: &mut Vec<u8>, step: &Step) {
    match step {
        Step::Write(place, new) => put(bytes, *place, new),
        Step::Resize(len) => bytes.resize(*len, 0),
    }
}

fn take_some(bytes: &mut Vec<u8>, step: &Step, share: u64, random: &mut Random) {
    match step {
        Step::Resize(len) => {
            if random.per_mille(share) {
                bytes.resize(*len, 0);
            }
        }
        Step::Write(place, new) => {
            let (mut place, mut rest) = (*place, new.as_slice());
            while !rest.is_empty() {
                let whole = SECTOR.saturating_sub(place % SECTOR).min(rest.len());
                let (sector, after) = rest.split_at(whole);
                if random.per_mille(share) {
                    put(bytes, place, sector);
                }
                place = place.saturating_add(whole);
                rest = after;
            }
        }
    }
}

fn put(bytes: &mut Vec<u8>, place: usize, new: &[u8]) {
    let end = place.saturating_add(new.len());
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    if let Some(part) = bytes.get_mut(place..end) {
        part.copy_from_slice(new);
    }
}

#[cfg(test)]
mod tests {
    use super::{Disk, Left};
    use crate::ploss::trace::Event;
    use crate::random::Random;

    fn left(events: &[Event], left: Left) -> Option<Vec<u8>> {
        let mut disk = Disk::default();
        for event in events {
            disk.apply(event).expect("understood");
        }
        let dir = tempfile::tempdir().expect("a folder");
        let image = dir.path().join("image");
        disk.image(left, &mut Random::new(3, 0), &image)
            .expect("an image");
        std::fs::read(image.join("f")).ok()
    }

    #[test]
    fn only_what_is_flushed_is_sure() {
        let name = || "f".to_owned();
        let write = |place, byte| Event::Write(name(), Some(place), vec![byte; 1024]);
        let mut events = vec![Event::Create(name()), write(0, 1)];
        assert_eq!(
            left(&events, Left::Nothing),
            None,
            "its name is not flushed"
        );
        events.push(Event::FlushNames);
        assert_eq!(left(&events, Left::Nothing), Some(Vec::new()));
        events.push(Event::Flush(name()));
        assert_eq!(left(&events, Left::Nothing), Some(vec![1; 1024]));
        events.push(write(512, 2));
        events.push(Event::Resize(name(), 0));
        assert_eq!(left(&events, Left::Nothing), Some(vec![1; 1024]));
        events.push(Event::Remove(name()));
        assert_eq!(left(&events, Left::Nothing), Some(vec![1; 1024]));
        events.push(Event::FlushNames);
        assert_eq!(left(&events, Left::Nothing), None);
    }

    #[test]
    fn a_second_name_is_as_sure_as_a_first_one() {
        let (fresh, name) = (|| "fresh".to_owned(), || "f".to_owned());
        let mut events = vec![
            Event::Create(fresh()),
            Event::Write(fresh(), Some(0), vec![1; 100]),
            Event::Flush(fresh()),
            Event::Link(fresh(), name()),
            Event::Remove(fresh()),
        ];
        assert_eq!(left(&events, Left::Nothing), None);
        events.push(Event::FlushNames);
        assert_eq!(left(&events, Left::Nothing), Some(vec![1; 100]));
    }

    #[test]
    fn what_is_left_of_a_write_is_sectors() {
        let events = [
            Event::Create("f".to_owned()),
            Event::FlushNames,
            Event::Write("f".to_owned(), Some(100), vec![1; 8192]),
        ];
        let mut disk = Disk::default();
        for event in &events {
            disk.apply(event).expect("understood");
        }
        let dir = tempfile::tempdir().expect("a folder");
        let mut torn = 0;
        for seed in 0..40 {
            let image = dir.path().join(seed.to_string());
            disk.image(Left::Some, &mut Random::new(seed, 0), &image)
                .expect("an image");
            let bytes = std::fs::read(image.join("f")).expect("the file");
            for sector in bytes.chunks(512).skip(1) {
                assert!(
                    sector.iter().all(|byte| *byte == sector[0]),
                    "a torn sector"
                );
            }
            torn += usize::from(bytes.iter().skip(100).any(|byte| *byte == 0));
        }
        assert!(torn > 5, "{torn}");
    }
}
