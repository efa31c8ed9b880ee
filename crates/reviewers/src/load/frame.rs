//! What a host and its runner say to each other: a length, a kind, a call id, a payload.

use countersign_abi::{MAX_PAYLOAD, MAX_REPLY};
use std::io::{ErrorKind, Read};

/// The version of these frames; both sides say it first.
pub(super) const PROTOCOL: u32 = 1;

/// Length, kind and id.
const HEADER: usize = 4 + 1 + 8;

/// Room beside the payload, for an operation's name and the like.
const SLACK: usize = 4096;

/// The largest payload of a frame to the runner.
pub(super) const MAX_TO_RUNNER: usize = MAX_PAYLOAD + SLACK;

/// The largest payload of a frame to the host.
pub(super) const MAX_TO_HOST: usize = MAX_REPLY + SLACK;

/// What a frame is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// To the runner: how to start.
    Hello = 1,
    /// To the runner: one operation.
    Call = 2,
    /// To the runner: nobody waits for this call any more.
    Cancel = 3,
    /// To the host: started.
    Ready = 10,
    /// To the host: not started, and why.
    Refused = 11,
    /// To the host: a reply.
    Reply = 12,
    /// To the host: an error in place of a reply.
    Error = 13,
    /// To the host: a line for the log.
    Log = 14,
}

impl Kind {
    fn of(byte: u8) -> Option<Self> {
        [
            Self::Hello,
            Self::Call,
            Self::Cancel,
            Self::Ready,
            Self::Refused,
            Self::Reply,
            Self::Error,
            Self::Log,
        ]
        .into_iter()
        .find(|kind| *kind as u8 == byte)
    }
}

/// One frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) kind: Kind,
    pub(super) call: u64,
    pub(super) payload: Vec<u8>,
}

/// The bytes of a frame.
pub(super) fn encode(kind: Kind, call: u64, parts: &[&[u8]]) -> std::io::Result<Vec<u8>> {
    let payload: usize = parts.iter().map(|part| part.len()).sum();
    let len = u32::try_from(payload + HEADER - 4)
        .map_err(|_| std::io::Error::new(ErrorKind::InvalidInput, "the frame is too long"))?;
    let mut bytes = Vec::with_capacity(payload + HEADER);
    bytes.extend(len.to_le_bytes());
    bytes.push(kind as u8);
    bytes.extend(call.to_le_bytes());
    for part in parts {
        bytes.extend_from_slice(part);
    }
    Ok(bytes)
}

/// Reads frames, keeping what arrived of one when a read times out in the middle of it.
#[derive(Debug)]
pub(super) struct Reader<R> {
    from: R,
    buffer: Vec<u8>,
    /// How much of the buffer was given out already.
    taken: usize,
    max: usize,
}

/// What a read came to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Arrival {
    /// A whole frame.
    Frame(Frame),
    /// Nothing whole yet.
    TimedOut,
    /// The other side is gone.
    Ended,
    /// What came is no frame.
    Broken(String),
}

impl<R: Read> Reader<R> {
    pub(super) fn new(from: R, max: usize) -> Self {
        Self {
            from,
            buffer: Vec::new(),
            taken: 0,
            max,
        }
    }

    pub(super) fn source(&self) -> &R {
        &self.from
    }

    /// What was read already, without reading: one read may bring several frames.
    pub(super) fn at_hand(&mut self) -> Option<Arrival> {
        match self.take() {
            Ok(None) => None,
            Ok(Some(frame)) => Some(Arrival::Frame(frame)),
            Err(problem) => Some(Arrival::Broken(problem)),
        }
    }

    /// The next frame.
    pub(super) fn next(&mut self) -> Arrival {
        let mut chunk = [0; 4 << 10];
        loop {
            if let Some(read) = self.at_hand() {
                return read;
            }
            self.buffer.drain(..self.taken);
            self.taken = 0;
            match self.from.read(&mut chunk) {
                Ok(0) => return Arrival::Ended,
                Ok(read) => self
                    .buffer
                    .extend_from_slice(chunk.get(..read).unwrap_or_default()),
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut => return Arrival::TimedOut,
                    ErrorKind::Interrupted => {}
                    _ => return Arrival::Ended,
                },
            }
        }
    }

    fn take(&mut self) -> Result<Option<Frame>, String> {
        let left = self.buffer.get(self.taken..).unwrap_or_default();
        let Some((len, rest)) = left.split_first_chunk::<4>() else {
            return Ok(None);
        };
        let len = u32::from_le_bytes(*len) as usize;
        let Some(payload) = len.checked_sub(HEADER - 4) else {
            return Err("a frame without a header".to_owned());
        };
        if payload > self.max {
            return Err(format!(
                "a frame of {payload} bytes, where {} are the most",
                self.max
            ));
        }
        let Some((frame, _)) = rest.split_at_checked(len) else {
            return Ok(None);
        };
        let Some((&kind, body)) = frame.split_first() else {
            return Err("a frame without a kind".to_owned());
        };
        let Some((call, payload)) = body.split_first_chunk::<8>() else {
            return Err("a frame without an id".to_owned());
        };
        let Some(kind) = Kind::of(kind) else {
            return Err(format!("a frame of the unknown kind {kind}"));
        };
        let frame = Frame {
            kind,
            call: u64::from_le_bytes(*call),
            payload: payload.to_vec(),
        };
        self.taken += 4 + len;
        Ok(Some(frame))
    }
}

#[cfg(test)]
mod tests {
    use super::{Arrival, Frame, Kind, Reader, encode};
    use std::collections::VecDeque;
    use std::io::{ErrorKind, Read};

    /// Gives what it holds piece by piece, with a timeout before each.
    struct Pieces(VecDeque<Option<Vec<u8>>>);

    impl Read for Pieces {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            match self.0.pop_front() {
                None => Ok(0),
                Some(None) => Err(ErrorKind::WouldBlock.into()),
                Some(Some(piece)) => {
                    into[..piece.len()].copy_from_slice(&piece);
                    Ok(piece.len())
                }
            }
        }
    }

    #[test]
    fn frames_survive_any_cut() {
        let mut bytes = Vec::new();
        bytes.extend(encode(Kind::Call, 7, &[b"re", b"view"]).unwrap());
        bytes.extend(encode(Kind::Cancel, u64::MAX, &[]).unwrap());
        for size in 1..=bytes.len() {
            let pieces = bytes
                .chunks(size)
                .flat_map(|piece| [None, Some(piece.to_vec())])
                .collect();
            let mut reader = Reader::new(Pieces(pieces), 100);
            let mut found = Vec::new();
            loop {
                match reader.next() {
                    Arrival::Frame(frame) => found.push(frame),
                    Arrival::TimedOut => {}
                    other => {
                        assert_eq!(other, Arrival::Ended);
                        break;
                    }
                }
            }
            let expected = [
                (Kind::Call, 7, &b"review"[..]),
                (Kind::Cancel, u64::MAX, b""),
            ]
            .map(|(kind, call, payload)| Frame {
                kind,
                call,
                payload: payload.to_vec(),
            });
            assert_eq!(found, expected, "pieces of {size}");
        }
    }

    /// Whoever waits for the other side to send would wait in vain for what it sent before.
    #[test]
    fn frames_that_came_together_are_at_hand() {
        let mut bytes = Vec::new();
        for call in 1..=3 {
            bytes.extend(encode(Kind::Reply, call, &[b"{}"]).unwrap());
        }
        let mut reader = Reader::new(Pieces([Some(bytes)].into()), 100);
        assert_eq!(reader.at_hand(), None);
        assert!(matches!(
            reader.next(),
            Arrival::Frame(Frame { call: 1, .. })
        ));
        for call in 2..=3 {
            let found = reader.at_hand();
            assert!(matches!(found, Some(Arrival::Frame(frame)) if frame.call == call));
        }
        assert_eq!(reader.at_hand(), None);
    }

    #[test]
    fn what_is_no_frame_is_broken() {
        let rows: [&[u8]; 4] = [
            &[0, 0, 0, 0, 2],
            &[8, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0],
            &[255, 255, 255, 255],
            &[9, 0, 0, 0, 99, 0, 0, 0, 0, 0, 0, 0, 0],
        ];
        for row in rows {
            let outcome = Reader::new(row, 100).next();
            assert!(
                matches!(outcome, Arrival::Broken(_)),
                "{row:?}: {outcome:?}"
            );
        }
        let cut: &[u8] = &[9, 0, 0, 0, 2];
        assert_eq!(Reader::new(cut, 100).next(), Arrival::Ended);
    }
}
