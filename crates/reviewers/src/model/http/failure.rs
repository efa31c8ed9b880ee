//! What a call comes to that got no whole answer, or none in JSON.

use super::{MAX_ANSWER, clean};
use countersign_core::{FailureKind, ReviewFailure};
use std::io::ErrorKind;
use ureq::Error;

/// The longest piece of an error's words that is told, in characters.
const MAX_WORDS: usize = 200;

pub(super) fn unanswered(url: &str, error: &Error) -> ReviewFailure {
    let failure =
        |kind, what: &str| ReviewFailure::new(kind, format!("{url}: {}", clean(what, MAX_WORDS)));
    if let Some(rustls::Error::InvalidCertificate(problem)) = rustls(error) {
        let what = format!(
            "its certificate is not trusted ({problem}); `ca_file` names another authority"
        );
        return failure(FailureKind::Connection, &what);
    }
    match error {
        Error::BodyExceedsLimit(_) => failure(
            FailureKind::Malformed,
            &format!("the answer is longer than {MAX_ANSWER} bytes"),
        ),
        Error::Protocol(_) | Error::LargeResponseHeader(..) => failure(
            FailureKind::Malformed,
            &format!("the answer is not HTTP: {error}"),
        )
        .retryable(),
        Error::HostNotFound => {
            failure(FailureKind::Connection, "there is no such host").retryable()
        }
        // The same words whenever the other side went away: which error shows is a matter of chance.
        Error::Io(io) => failure(
            FailureKind::Connection,
            &match io.kind() {
                ErrorKind::ConnectionRefused => "nobody listens there".to_owned(),
                ErrorKind::ConnectionReset
                | ErrorKind::ConnectionAborted
                | ErrorKind::BrokenPipe
                | ErrorKind::UnexpectedEof => "the connection was cut".to_owned(),
                _ => io.to_string(),
            },
        )
        .retryable(),
        Error::Rustls(_)
        | Error::Tls(_)
        | Error::ConnectionFailed
        | Error::ConnectProxyFailed(_) => {
            failure(FailureKind::Connection, &error.to_string()).retryable()
        }
        other => failure(FailureKind::Failed, &other.to_string()),
    }
}

/// The error of TLS in it; a handshake wraps its own in one of input and output.
fn rustls(error: &Error) -> Option<&rustls::Error> {
    match error {
        Error::Rustls(inner) => Some(inner),
        Error::Io(io) => io.get_ref()?.downcast_ref(),
        _ => None,
    }
}

pub(super) fn no_json(url: &str, body: &[u8]) -> ReviewFailure {
    let begins = String::from_utf8_lossy(body.get(..200).unwrap_or(body));
    let begins = clean(&begins, 60).replace('`', "'");
    ReviewFailure::new(
        FailureKind::Malformed,
        format!("{url}: the answer is not JSON: `{begins}`"),
    )
    .retryable()
}
