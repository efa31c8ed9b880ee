//! Our ends of a program's pipes. None of them ever waits.

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;

/// How much is read from a pipe at once, in bytes.
const PIECE: usize = 16 << 10;

/// The most that a pipe holds, in bytes, unless root made it larger.
const PIPE: usize = 1 << 20;

/// How many pieces are read before the clock is looked at again, since a program can print for ever.
/// What an ended program has left in its pipe is all read.
const PIECES: usize = PIPE / PIECE + 1;

/// What a program is given to read.
pub(crate) struct Input<'a, W> {
    pipe: Option<W>,
    rest: &'a [u8],
}

impl<'a, W: Write + AsFd> Input<'a, W> {
    pub(crate) fn new(pipe: Option<W>, rest: &'a [u8]) -> io::Result<Self> {
        never_wait(pipe.as_ref())?;
        Ok(Self { pipe, rest })
    }

    /// Writes what the pipe takes now. A program that does not read has its reasons.
    pub(crate) fn advance(&mut self) -> io::Result<()> {
        while let Some(pipe) = &mut self.pipe {
            if self.rest.is_empty() {
                self.pipe = None;
                break;
            }
            match pipe.write(self.rest) {
                Ok(count) => self.rest = self.rest.get(count..).unwrap_or_default(),
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock => break,
                    ErrorKind::Interrupted => {}
                    ErrorKind::BrokenPipe => self.pipe = None,
                    _ => return Err(error),
                },
            }
        }
        Ok(())
    }

    pub(crate) fn awaited(&self) -> Option<PollFd<'_>> {
        let pipe = self.pipe.as_ref()?;
        Some(PollFd::new(pipe.as_fd(), PollFlags::POLLOUT))
    }
}

/// What a program prints last, up to a bound.
pub(crate) struct Output<R> {
    pipe: Option<R>,
    max: usize,
    /// The last bytes.
    pub(crate) kept: Vec<u8>,
    /// There were more than are kept.
    pub(crate) overflowed: bool,
}

impl<R: Read + AsFd> Output<R> {
    pub(crate) fn new(pipe: Option<R>, max: usize) -> io::Result<Self> {
        never_wait(pipe.as_ref())?;
        Ok(Self {
            pipe,
            max,
            kept: Vec::new(),
            overflowed: false,
        })
    }

    /// Reads what is there now.
    pub(crate) fn advance(&mut self) -> io::Result<()> {
        let mut piece = [0; PIECE];
        for _ in 0..PIECES {
            let Some(pipe) = &mut self.pipe else { break };
            match pipe.read(&mut piece) {
                Ok(0) => self.pipe = None,
                Ok(count) => {
                    let read = piece.get(..count).unwrap_or_default();
                    self.kept.extend_from_slice(read);
                    let excess = self.kept.len().saturating_sub(self.max);
                    self.kept.drain(..excess);
                    self.overflowed |= excess > 0;
                }
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock => break,
                    ErrorKind::Interrupted => {}
                    _ => return Err(error),
                },
            }
        }
        Ok(())
    }

    pub(crate) fn awaited(&self) -> Option<PollFd<'_>> {
        let pipe = self.pipe.as_ref()?;
        Some(PollFd::new(pipe.as_fd(), PollFlags::POLLIN))
    }
}

fn never_wait(pipe: Option<&impl AsFd>) -> io::Result<()> {
    if let Some(pipe) = pipe {
        fcntl(pipe, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Output, PIECE};
    use std::io::Write as _;

    /// What is kept of a pipe that was read once.
    fn kept(printed: &[u8], max: usize) -> (Vec<u8>, bool) {
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        let mut output = Output::new(Some(reader), max).expect("it can be told not to wait");
        writer.write_all(printed).expect("it fits the pipe");
        output.advance().expect("it is read");
        (output.kept, output.overflowed)
    }

    #[test]
    fn the_end_of_a_full_pipe_is_kept() {
        let mut printed = vec![b'x'; 4 * PIECE - 4];
        printed.extend(b"last");
        assert_eq!(kept(&printed, 6), (b"xxlast".to_vec(), true));
        assert_eq!(kept(b"all", 3), (b"all".to_vec(), false));
        assert_eq!(kept(b"all", 2), (b"ll".to_vec(), true));
    }

    #[test]
    fn an_endless_pipe_does_not_hold_us() {
        let zeros = std::fs::File::open("/dev/zero").expect("it is there");
        let mut output = Output::new(Some(zeros), 10).expect("it can be told not to wait");
        output.advance().expect("it is read");
        assert!(output.overflowed && output.kept == [0; 10]);
    }
}
