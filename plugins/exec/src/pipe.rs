//! Our ends of a program's pipes. None of them ever waits.

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;

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

/// What a program prints, up to a bound.
pub(crate) struct Output<R> {
    pipe: Option<R>,
    max: usize,
    /// The first bytes.
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

    /// Reads what is there now. Beyond the bound it returns after each piece, since a program can
    /// print for ever.
    pub(crate) fn advance(&mut self) -> io::Result<()> {
        let mut piece = [0; 16 << 10];
        while let Some(pipe) = &mut self.pipe {
            match pipe.read(&mut piece) {
                Ok(0) => self.pipe = None,
                Ok(count) => {
                    let room = self.max.saturating_sub(self.kept.len());
                    let kept = piece.get(..count.min(room)).unwrap_or_default();
                    self.kept.extend_from_slice(kept);
                    self.overflowed |= count > room;
                    if self.overflowed {
                        break;
                    }
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
