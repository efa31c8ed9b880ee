//! Losses of power: a run is recorded by `strace`, and cut everywhere.

mod disk;
pub(crate) mod record;
mod trace;

use crate::bare::Sync;
use crate::field::{self, Ticket};
use crate::random::Random;
use crate::{Chance, Outcome, at, bare};
use clap::Args;
use countersign_broker::GrantRefusal;
use countersign_broker::store::{Key, Store as _, Table};
use disk::{Disk, Left};
use record::{Acknowledged, Run};
use std::path::Path;
use std::process::Command;
use std::time::Instant;
use trace::Event;

/// Everything that changes a file, by whatever name. What the model of a disk does not know stops
/// the run.
const CALLS: &str = "openat,open,creat,write,pwrite64,writev,pwritev,pwritev2,fsync,fdatasync,\
    sync_file_range,ftruncate,truncate,fallocate,unlink,unlinkat,rename,renameat,renameat2,link,\
    linkat,mmap,copy_file_range,sendfile,splice";

/// Where images of the disk cost no disk.
const IN_MEMORY: &str = "/dev/shm";

/// A loss of power.
#[derive(Debug, Clone, Args)]
pub(crate) struct Ploss {
    /// How many grants the run spends
    #[arg(long, default_value_t = 40)]
    grants: u64,
    /// Cut after one in so many writes
    #[arg(long, default_value_t = 1)]
    writes: u64,
    /// Cut after one in so many of what is acknowledged or flushed
    #[arg(long, default_value_t = 1)]
    flushes: u64,
    /// How many images with a random part of what was not flushed, at each cut
    #[arg(long, default_value_t = 2)]
    images: u64,
    #[command(flatten)]
    chance: Chance,
}

/// What came of the cuts of one run.
#[derive(Debug, Default)]
struct Cuts {
    points: u64,
    images: u64,
    /// Images that lost something that was acknowledged.
    lossy: u64,
    /// Cut points with such an image.
    lossy_points: u64,
    first: Option<String>,
}

impl Ploss {
    pub(crate) fn full() -> Self {
        Self {
            grants: 40,
            writes: 1,
            flushes: 1,
            images: 2,
            chance: Chance { seed: 1 },
        }
    }

    pub(crate) fn smoke() -> Self {
        Self {
            grants: 16,
            writes: 16,
            flushes: 3,
            images: 1,
            ..Self::full()
        }
    }

    pub(crate) fn run(&self) -> Outcome {
        let store = self.cut(Run::Store, &|dir, said| check_store(dir, said))?;
        let full = self.cut(Run::Bare(Sync::Full), &bare::check)?;
        for (name, cuts) in [("the store", &store), ("bare statements", &full)] {
            if let Some(first) = &cuts.first {
                return Err(format!(
                    "ploss: {name} lost something in {} of {} images, the first: {first}",
                    cuts.lossy, cuts.images
                ));
            }
        }
        let normal = self.cut(Run::Bare(Sync::Normal), &bare::check)?;
        if normal.lossy == 0 {
            return Err(
                "ploss: with synchronous=NORMAL nothing was lost, so the simulator is blind"
                    .to_owned(),
            );
        }
        println!(
            "ploss: nothing acknowledged was lost; the planted fault (synchronous=NORMAL) lost \
             something at {} of {} cuts",
            normal.lossy_points, normal.points
        );
        Ok(())
    }

    fn cut(&self, run: Run, check: &dyn Fn(&Path, &Acknowledged) -> Outcome) -> Outcome<Cuts> {
        let begun = Instant::now();
        let dir = field::folder()?;
        let events = self.record(run, dir.path())?;
        let in_memory = Path::new(IN_MEMORY);
        let images = if in_memory.is_dir() {
            field::folder_in(in_memory)
        } else {
            field::folder()
        };
        let images = images?;
        let mut cuts = Cuts::default();
        let mut disk = Disk::default();
        let mut said = Acknowledged::default();
        let mut random = Random::new(self.chance.seed, 9);
        let (mut writes, mut flushes): (u64, u64) = (0, 0);
        for event in &events {
            let flush = match event {
                Event::Acknowledge(text) => {
                    said.hear(text)?;
                    true
                }
                other => disk.apply(other)?,
            };
            let (count, one_in) = if flush {
                (&mut flushes, self.flushes)
            } else {
                (&mut writes, self.writes)
            };
            *count = count.saturating_add(1);
            if !count.is_multiple_of(one_in.max(1)) {
                continue;
            }
            let mut kinds = vec![Left::Some; usize::try_from(self.images).unwrap_or(1)];
            if flush {
                kinds.push(Left::Nothing);
            }
            cuts.points = cuts.points.saturating_add(1);
            let before = cuts.lossy;
            for left in kinds {
                let image = images.path().join("image");
                disk.image(left, &mut random, &image)?;
                cuts.images = cuts.images.saturating_add(1);
                if let Err(lost) = check(&image, &said) {
                    cuts.lossy = cuts.lossy.saturating_add(1);
                    let at = cuts.points;
                    cuts.first.get_or_insert_with(|| {
                        format!("cut {at}, {left:?} of the rest left: {lost}")
                    });
                }
                std::fs::remove_dir_all(&image).map_err(at("an image"))?;
            }
            cuts.lossy_points = cuts
                .lossy_points
                .saturating_add(u64::from(cuts.lossy > before));
        }
        println!(
            "ploss: {run}: {} writes, {} flushes and acknowledgements; {} cuts, {} images, \
             {} cuts lost something; {:.1} s",
            writes,
            flushes,
            cuts.points,
            cuts.images,
            cuts.lossy_points,
            begun.elapsed().as_secs_f64()
        );
        if said.is_empty() {
            return Err("ploss: the run acknowledged nothing".to_owned());
        }
        Ok(cuts)
    }

    fn record(&self, run: Run, dir: &Path) -> Outcome<Vec<Event>> {
        let this = std::env::current_exe().map_err(at("this program cannot be found"))?;
        let trace = dir.join("trace");
        let stage = dir.join("run");
        let status = Command::new("strace")
            .args(["-f", "-y", "-xx", "-s", "1000000", "-e"])
            .arg(format!("trace={CALLS}"))
            .arg("-o")
            .arg(&trace)
            .arg(this)
            .arg("record")
            .arg("--dir")
            .arg(&stage)
            .args(["--grants", &self.grants.to_string()])
            .args(["--run", run.word()])
            .status()
            .map_err(at(
                "strace cannot be started; install it (apt-get install strace)",
            ))?;
        if !status.success() {
            return Err(format!("the run under strace failed ({status})"));
        }
        trace::read(&trace, &stage)
    }
}

/// Whether all that was acknowledged is in an image.
fn check_store(dir: &Path, said: &Acknowledged) -> Outcome {
    let store = field::open(dir);
    for number in &said.issued {
        // Presented by another session, it is looked at and stays as it is.
        let mut ticket = Ticket::new(record::SEED, *number);
        ticket.session.push('x');
        let found = ticket.consume(&store);
        if found != Err(GrantRefusal::Mismatch) {
            return Err(format!("grant {number} was issued, and is now: {found:?}"));
        }
    }
    for number in &said.spent {
        let again = Ticket::new(record::SEED, *number).consume(&store);
        if again != Err(GrantRefusal::Reused) {
            return Err(format!("grant {number} was spent, and is now: {again:?}"));
        }
    }
    for (row, version) in &said.denials {
        let key = Key::new(Table::Session, row.to_string());
        let view = store.read(&[key]).map_err(|error| error.to_string())?;
        let kept = view.bodies.first().cloned().flatten().unwrap_or_default();
        let kept: Option<u64> = kept.split(' ').next().and_then(|word| word.parse().ok());
        if kept < Some(*version) {
            return Err(format!(
                "denial {row} had version {version}, and has {kept:?}"
            ));
        }
    }
    if said.audited > 0 {
        let log = std::fs::read(dir.join(record::LOG)).map_err(at("the log"))?;
        let lines = log.split_inclusive(|byte| *byte == b'\n');
        let whole = lines.take_while(|line| record::is_whole(line)).count();
        if u64::try_from(whole).unwrap_or(0) < said.audited {
            return Err(format!("{whole} of {} lines are in the log", said.audited));
        }
    }
    drop(store);
    if field::file(dir).exists() {
        field::in_order(dir)?;
    }
    Ok(())
}
