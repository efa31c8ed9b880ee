use super::{Anchor, AuditLog};
use countersign_broker::AuditPort as _;
use countersign_core::{AuditEvent, AuditKind};
use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

thread_local! {
    static DAY: Cell<i64> = const { Cell::new(0) };
}

fn now() -> jiff::Timestamp {
    DAY.with(|day| {
        jiff::Timestamp::from_second(1_796_083_200 + day.get() * 86_400).expect("a time")
    })
}

struct Place {
    scratch: tempfile::TempDir,
    log: AuditLog,
}

impl Place {
    fn new() -> Self {
        let scratch = tempfile::tempdir().expect("a folder");
        let mut log = AuditLog::new(scratch.path().join("audit"));
        log.now = now;
        log.patience = Duration::from_millis(100);
        Self { scratch, log }
    }

    fn anchored(required: bool) -> Self {
        let mut place = Self::new();
        let file = place.scratch.path().join("anchor");
        place.log = place.log.anchored(Some(Anchor { file, required }));
        place
    }

    fn note(&self, day: i64, kind: AuditKind, text: &str) {
        self.try_note(day, kind, text).expect("it is written");
    }

    fn try_note(&self, day: i64, kind: AuditKind, text: &str) -> Result<(), String> {
        DAY.set(day);
        let event = AuditEvent::note(kind, "test", text);
        let mut log = self.log.clone();
        log.record(&event).map_err(|error| error.to_string())
    }

    /// Three days with some records each.
    fn filled(self) -> Self {
        for day in 0..3 {
            for number in 0..4 {
                let kind = [AuditKind::Failure, AuditKind::Setup][number % 2];
                self.note(day, kind, &format!("{day} {number}"));
            }
        }
        self
    }

    fn segments(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = fs::read_dir(self.log.folder())
            .expect("it is there")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.extension().is_some())
            .collect();
        files.sort();
        files
    }

    fn broken(&self) -> Option<String> {
        let verified = self.log.verify(None).expect("it can be read");
        verified.broken.map(|found| found.said())
    }

    fn kinds(&self) -> Vec<&'static str> {
        let mut kinds = Vec::new();
        self.log
            .each(None, &mut |record| kinds.push(record.event.kind.as_str()))
            .expect("it can be read");
        kinds
    }
}

fn lines(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).expect("a segment");
    text.lines().map(str::to_owned).collect()
}

fn put(file: &Path, lines: &[String]) {
    let mut text = lines.join("\n");
    text.push('\n');
    let text = if lines.is_empty() { "" } else { &text };
    fs::write(file, text).expect("it can be written");
}

#[test]
fn each_day_has_a_segment_that_goes_on_from_the_one_before() {
    let place = Place::new().filled();
    let segments = place.segments();
    let names: Vec<_> = segments
        .iter()
        .filter_map(|file| file.file_name())
        .collect();
    assert_eq!(
        names,
        ["2026-12-01.jsonl", "2026-12-02.jsonl", "2026-12-03.jsonl"]
    );
    assert_eq!(place.broken(), None);
    assert_eq!(
        place
            .kinds()
            .iter()
            .filter(|kind| **kind == "segment")
            .count(),
        2
    );
    assert!(lines(&segments[1])[0].contains("goes on from record 4"));
    // A clock that goes back writes on where the log ends.
    place.note(1, AuditKind::Failure, "later, and earlier");
    assert_eq!(lines(&segments[2]).len(), 6);
    let verified = place
        .log
        .verify(Some("2026-12-02"))
        .expect("it can be read");
    assert_eq!(
        (verified.before, verified.segments, verified.broken),
        (4, 2, None)
    );
    let last = place.log.last(3, &|_| true).expect("it can be read");
    assert_eq!(
        last.iter().map(|record| record.seq).collect::<Vec<_>>(),
        [13, 14, 15]
    );
}

/// What one change of the files does to them.
type Change = Box<dyn Fn()>;

/// Every change of one record, or one segment, in these files.
fn changes(segments: &[PathBuf]) -> Vec<(String, Change)> {
    let mut changes: Vec<(String, Change)> = Vec::new();
    for (nth, file) in segments.iter().enumerate() {
        let kept = lines(file);
        for at in 0..kept.len() {
            let mut add = |what: &str, change: &dyn Fn(&mut Vec<String>)| {
                let mut changed = kept.clone();
                change(&mut changed);
                let (file, name) = (file.clone(), format!("{what} {nth}/{at}"));
                changes.push((name, Box::new(move || put(&file, &changed))));
            };
            // At its beginning, in the time, in the hash, in the event, at its end.
            for byte in [1, 9, 30, 90, 140, kept[at].len() - 1] {
                add("flip", &|lines| {
                    let mut bytes = lines[at].clone().into_bytes();
                    bytes[byte] ^= 1;
                    lines[at] = String::from_utf8_lossy(&bytes).into_owned();
                });
            }
            add("drop", &|lines| {
                lines.remove(at);
            });
            add("double", &|lines| lines.insert(at, lines[at].clone()));
            add("cut off", &|lines| lines.truncate(at));
            if at > 0 {
                add("swap", &|lines| lines.swap(at - 1, at));
            }
        }
        let gone = file.clone();
        let remove = move || fs::remove_file(&gone).expect("it was there");
        changes.push((format!("remove {nth}"), Box::new(remove)));
    }
    changes
}

/// The end of the log alone can be taken away unseen, by somebody who takes the head away too. With
/// an anchor that is seen as well.
#[test]
fn any_change_is_found() {
    for (anchored, head) in [(false, true), (true, true), (true, false), (false, false)] {
        let place = if anchored {
            Place::anchored(true)
        } else {
            Place::new()
        }
        .filled();
        assert_eq!(place.broken(), None);
        let segments = place.segments();
        let whole: Vec<Vec<String>> = segments.iter().map(|file| lines(file)).collect();
        if !head {
            fs::remove_file(place.log.folder().join("head")).expect("it was there");
        }
        let (mut found, mut unseen) = (0, Vec::new());
        for (name, change) in changes(&segments) {
            change();
            match place.broken() {
                Some(_) => found += 1,
                None => unseen.push(name),
            }
            for (file, lines) in segments.iter().zip(&whole) {
                put(file, lines);
            }
        }
        assert!(found > 100, "{found}");
        if anchored || head {
            assert_eq!(
                unseen,
                Vec::<String>::new(),
                "anchored {anchored}, head {head}"
            );
        } else {
            // Nothing but changes to the end, and to what no later line holds the hash of.
            let at_end = |name: &String| {
                name.ends_with("2/4") || name.starts_with("cut off 2/") || name == "remove 2"
            };
            assert!(unseen.iter().all(at_end), "{unseen:?}");
            assert!(
                unseen.iter().any(|name| name == "cut off 2/2"),
                "{unseen:?}"
            );
            assert!(unseen.iter().any(|name| name == "remove 2"), "{unseen:?}");
        }
    }
}

#[test]
fn a_cut_is_told_by_the_next_record() {
    let place = Place::new().filled();
    let last = place.segments().pop().expect("a segment");
    let mut kept = lines(&last);
    kept.truncate(3);
    put(&last, &kept);
    assert!(
        place
            .broken()
            .expect("it is cut")
            .contains("the end was cut off")
    );
    place.note(2, AuditKind::Failure, "after it");
    assert!(
        lines(&last)[3].contains("had ended at record 14"),
        "{:?}",
        lines(&last)[3]
    );
    fs::remove_file(&last).expect("it was there");
    place.note(2, AuditKind::Failure, "after that");
    assert!(
        lines(&last)[1].contains("had ended at record 14"),
        "{:?}",
        lines(&last)
    );
    fs::remove_file(place.log.folder().join("head")).expect("it was there");
    place.note(2, AuditKind::Failure, "and that");
    assert!(
        lines(&last)[3].contains("said nothing"),
        "{:?}",
        lines(&last)
    );
    assert_eq!(place.log.verify(None).expect("it can be read").mended, 2);
}

/// A process can die between any two steps; each of these is what one of them leaves.
#[test]
fn what_a_killed_process_leaves_is_taken_up() {
    type Leave = fn(&Place, &Path);
    let leaves: [(&str, Leave); 7] = [
        ("half a line", |_, last| {
            let text = fs::read(last).expect("a segment");
            fs::write(last, &text[..text.len() - 20]).expect("it can be written");
        }),
        ("half of the first line of a new segment", |place, _| {
            fs::write(place.log.folder().join("2026-12-04.jsonl"), "{\"seq\":").expect("a file");
        }),
        ("an empty new segment", |place, _| {
            fs::write(place.log.folder().join("2026-12-04.jsonl"), "").expect("a file");
        }),
        ("a head that is ahead of its segment", |place, _| {
            let head = fs::read_to_string(place.log.folder().join("head")).expect("a head");
            let hash = head.split(' ').nth(3).expect("a hash").trim();
            let text = format!("2026-12-04 {:020} {:020} {hash}\n", 0, 14);
            fs::write(place.log.folder().join("head"), text).expect("it can be written");
        }),
        ("the same, and the segment", |place, _| {
            let head = fs::read_to_string(place.log.folder().join("head")).expect("a head");
            let hash = head.split(' ').nth(3).expect("a hash").trim();
            let text = format!("2026-12-04 {:020} {:020} {hash}\n", 0, 14);
            fs::write(place.log.folder().join("head"), text).expect("it can be written");
            fs::write(place.log.folder().join("2026-12-04.jsonl"), "").expect("a file");
        }),
        ("a head of before", |place, _| {
            let head = place.log.folder().join("head");
            let before = fs::read(&head).expect("a head");
            place.note(2, AuditKind::Failure, "one more");
            fs::write(head, before).expect("it can be written");
        }),
        ("an empty head", |place, _| {
            fs::write(place.log.folder().join("head"), "").expect("it can be written");
        }),
    ];
    for (what, leave) in leaves {
        for day in [1, 2, 3, 4] {
            if day < 3 && what.ends_with("new segment") {
                continue;
            }
            let place = Place::new().filled();
            let last = place.segments().pop().expect("a segment");
            leave(&place, &last);
            place.note(day, AuditKind::Failure, "the next");
            place.note(day, AuditKind::Setup, "and one more");
            assert_eq!(place.broken(), None, "{what}, day {day}");
            let kinds = place.kinds();
            assert_eq!(kinds.last(), Some(&"setup"), "{what}");
        }
    }
}

#[test]
fn a_log_of_before_segments_is_the_first_one() {
    let place = Place::new();
    place.note(0, AuditKind::Failure, "a");
    place.note(0, AuditKind::Setup, "b");
    // As a version before segments left it.
    let old = place.scratch.path().join("audit.jsonl");
    fs::rename(&place.segments()[0], &old).expect("it was there");
    fs::remove_dir_all(place.log.folder()).expect("it was there");
    let verified = place.log.verify(None).expect("it can be read");
    assert_eq!((verified.records, &verified.broken), (2, &None));
    assert_eq!(
        place.log.last(9, &|_| true).expect("it can be read").len(),
        2
    );
    let mut follower = place.log.follow().expect("it can be read");
    place.note(2, AuditKind::Failure, "c");
    assert_eq!(follower.read().expect("it can be read").len(), 2);
    assert!(!old.exists());
    assert_eq!(place.kinds(), ["failure", "setup", "segment", "failure"]);
    assert_eq!(place.broken(), None);
    // What comes later in its place is not ours.
    fs::write(&old, "x").expect("a file");
    place.note(2, AuditKind::Failure, "d");
    assert_eq!(place.broken(), None);
}

#[test]
fn a_lock_that_hangs_is_an_error_in_time() {
    let place = Place::new().filled();
    let held = super::head::Lock::take(place.log.folder(), Duration::ZERO).expect("it is free");
    let begun = std::time::Instant::now();
    let error = place
        .try_note(2, AuditKind::Failure, "x")
        .expect_err("it is held");
    assert!(error.contains("kept the log locked"), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(2));
    drop(held);
    place.note(2, AuditKind::Failure, "x");
}

#[test]
fn what_is_in_the_way_is_an_error_and_changes_nothing() {
    for (name, what) in [
        ("head", "a folder"),
        ("2026-12-03.jsonl", "a folder"),
        ("2026-12-04.jsonl", "a folder"),
        ("2026-12-04.jsonl", "a link"),
    ] {
        let place = Place::new().filled();
        let path = place.log.folder().join(name);
        let _none = fs::remove_file(&path);
        if what == "a link" {
            std::os::unix::fs::symlink("elsewhere", &path).expect("a link");
        } else {
            fs::create_dir(&path).expect("a folder");
        }
        assert!(
            place.try_note(3, AuditKind::Failure, "x").is_err(),
            "{name} {what}"
        );
    }
}

#[test]
fn the_anchor_sees_a_log_written_anew() {
    let place = Place::anchored(false).filled();
    let anchored = place.log.verify(None).expect("it can be read").anchored;
    let anchored = anchored.expect("an anchor");
    assert_eq!((anchored.last, anchored.others), (14, 0));
    fs::remove_dir_all(place.log.folder()).expect("it was there");
    assert!(
        place
            .broken()
            .expect("it is gone")
            .contains("the anchor has record 14")
    );
    let place = Place {
        log: place.log,
        scratch: place.scratch,
    };
    for number in 0..20 {
        place.note(2, AuditKind::Failure, &format!("{number}"));
    }
    assert!(
        place
            .broken()
            .expect("it is another")
            .contains("is not the one that the anchor has")
    );
}

/// Plain records are anchored after every so many.
#[test]
fn few_plain_records_are_not_anchored() {
    let place = Place::anchored(true);
    for number in 0..200 {
        place.note(0, AuditKind::Failure, &format!("{number}"));
    }
    let verified = place.log.verify(None).expect("it can be read");
    assert_eq!(verified.anchored.expect("an anchor").last, 192);
}

#[test]
fn an_anchor_that_cannot_be_written_is_told_or_stops_everything() {
    for required in [false, true] {
        let place = Place::anchored(required);
        place.note(0, AuditKind::Setup, "a");
        let file = place.scratch.path().join("anchor");
        fs::remove_file(&file).expect("it was there");
        fs::create_dir(&file).expect("a folder");
        let plain = place.try_note(0, AuditKind::Failure, "plain");
        assert_eq!(plain, Ok(()), "nothing is anchored then");
        let flushed = place.try_note(0, AuditKind::Setup, "flushed");
        if required {
            assert!(flushed.expect_err("it is required").contains("anchor"));
            assert_eq!(place.kinds(), ["setup", "failure"]);
        } else {
            assert_eq!(flushed, Ok(()));
            assert_eq!(place.kinds(), ["setup", "failure", "unanchored", "setup"]);
        }
        fs::remove_dir(&file).expect("it was there");
        place.note(0, AuditKind::Setup, "b");
        assert_eq!(place.broken(), None);
    }
}

#[test]
fn no_secret_is_written() {
    let place = Place::new();
    place.note(
        0,
        AuditKind::Failure,
        "cannot read https://me:canary-4711@example.org/x",
    );
    let text = fs::read_to_string(&place.segments()[0]).expect("a segment");
    assert!(!text.contains("canary"), "{text}");
    assert!(
        text.contains("https://me:[redacted]@example.org/x"),
        "{text}"
    );
}
