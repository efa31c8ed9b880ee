//! As much of HTTP/1.1 as the tests need, and ways to break it.

use serde_json::Value;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

/// The most that is read of one request, in bytes.
const MAX_REQUEST: u64 = 16 << 20;

/// A request as it came.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Request {
    /// `GET` or `POST`.
    pub method: String,
    /// The path.
    pub path: String,
    /// The headers in order, with their names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body; null when there was none, or it was not JSON.
    pub body: Value,
}

impl Request {
    /// The value of a header, by its name in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let (_, value) = self.headers.iter().find(|(known, _)| known == name)?;
        Some(value)
    }

    /// The text of a message of the body: `system` or `user`.
    #[must_use]
    pub fn message(&self, role: &str) -> Option<&str> {
        let messages = self.body.get("messages")?.as_array()?;
        let message = messages
            .iter()
            .find(|message| message.get("role").and_then(Value::as_str) == Some(role))?;
        message.get("content")?.as_str()
    }

    pub(super) fn with_body(mut self, body: Value) -> Self {
        self.body = body;
        self
    }
}

/// Reads up to the body, and says how long that is.
pub(super) fn read_head(stream: &mut TcpStream) -> Option<(Request, usize)> {
    // Unbuffered, so that the body is still in the socket: a reset needs something unread.
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() > 64 << 10 || stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        head.extend_from_slice(&byte);
    }
    let mut lines = BufReader::new(head.as_slice())
        .lines()
        .map_while(Result::ok);
    let first = lines.next()?;
    let mut words = first.split(' ');
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        })
        .collect();
    let request = Request {
        method,
        path,
        headers,
        body: Value::Null,
    };
    let len = request
        .header("content-length")
        .and_then(|len| len.parse().ok())
        .unwrap_or(0);
    Some((request, len))
}

pub(super) fn read_body(stream: &mut TcpStream, len: usize) -> Option<Value> {
    let mut body = Vec::new();
    stream
        .take(MAX_REQUEST.min(len as u64))
        .read_to_end(&mut body)
        .ok()?;
    Some(serde_json::from_slice(&body).unwrap_or_default())
}

/// What goes back.
#[derive(Debug, Clone)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) kind: &'static str,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: String,
    /// A wait before anything is said, and one before each piece of the body.
    pub(super) pace: Option<(Duration, Duration)>,
}

impl Reply {
    pub(super) fn json(status: u16, body: &Value) -> Self {
        Self::text(status, "application/json", body.to_string())
    }

    pub(super) fn text(status: u16, kind: &'static str, body: String) -> Self {
        Self {
            status,
            kind,
            headers: Vec::new(),
            body,
            pace: None,
        }
    }

    pub(super) fn write(&self, stream: &mut TcpStream, over: impl Fn() -> bool) -> io::Result<()> {
        let (first, each) = self.pace.unwrap_or_default();
        std::thread::sleep(first);
        let extra: Vec<String> = self
            .headers
            .iter()
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        let extra = extra.concat();
        head(stream, self.status, self.kind, self.body.len(), &extra)?;
        if each.is_zero() {
            return stream.write_all(self.body.as_bytes());
        }
        for piece in self.body.as_bytes().chunks(8) {
            if over() {
                break;
            }
            stream.write_all(piece)?;
            std::thread::sleep(each);
        }
        Ok(())
    }
}

/// The head of a reply with so many bytes, and the first of them.
pub(super) fn begin(
    stream: &mut TcpStream,
    status: u16,
    kind: &str,
    len: usize,
    body: &str,
) -> io::Result<()> {
    head(stream, status, kind, len, "")?;
    stream.write_all(body.as_bytes())
}

fn head(
    stream: &mut TcpStream,
    status: u16,
    kind: &str,
    len: usize,
    extra: &str,
) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status} Status\r\nContent-Type: {kind}\r\nContent-Length: {len}\r\n\
         Connection: close\r\n{extra}\r\n"
    );
    stream.write_all(head.as_bytes())
}
