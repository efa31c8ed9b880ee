//! An open file, handed from the host to its runner over their socket.

use nix::cmsg_space;
use nix::sys::socket::{ControlMessage, ControlMessageOwned, MsgFlags, recvmsg, sendmsg};
use std::io::{Error, ErrorKind, IoSlice, IoSliceMut, Result};
use std::os::fd::{AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;

#[cfg(target_os = "linux")]
const CLOSE_ON_EXEC: libc::c_int = libc::MSG_CMSG_CLOEXEC;
#[cfg(not(target_os = "linux"))]
const CLOSE_ON_EXEC: libc::c_int = 0;

/// Hands a file over.
pub(super) fn give(socket: &UnixStream, file: BorrowedFd<'_>) -> Result<()> {
    let files = [file.as_raw_fd()];
    let message = [ControlMessage::ScmRights(&files)];
    // A file travels with at least one byte.
    let bytes = [IoSlice::new(b"f")];
    sendmsg::<()>(
        socket.as_raw_fd(),
        &bytes,
        &message,
        MsgFlags::empty(),
        None,
    )?;
    Ok(())
}

/// Takes a file.
pub(super) fn take(socket: &UnixStream) -> Result<OwnedFd> {
    let mut byte = [0];
    let mut bytes = [IoSliceMut::new(&mut byte)];
    let mut space = cmsg_space!([RawFd; 1]);
    let flags = MsgFlags::from_bits_retain(CLOSE_ON_EXEC);
    let message = recvmsg::<()>(socket.as_raw_fd(), &mut bytes, Some(&mut space), flags)?;
    for part in message.cmsgs()? {
        if let ControlMessageOwned::ScmRights(files) = part
            && let [file] = files.as_slice()
        {
            #[expect(
                unsafe_code,
                reason = "the system gives a number, and it is ours alone"
            )]
            // SAFETY: the file was opened for this process by the message, and nobody else has it.
            return Ok(unsafe { OwnedFd::from_raw_fd(*file) });
        }
    }
    Err(Error::new(ErrorKind::UnexpectedEof, "no file came"))
}
