//! A loopback server that speaks the Chat Completions format, and every way of failing at it.
//!
//! ```
//! use countersign_plugin_testing::chat::{Answer, Server};
//!
//! let server = Server::start(Answer::allow("it only reads"));
//! let base_url = server.base_url(); // http://127.0.0.1:PORT/v1
//! // … ask it …
//! assert!(base_url.starts_with("http://127.0.0.1:"));
//! assert!(server.requests().is_empty());
//! ```
//!
//! Every request takes the next answer; the last one repeats. `GET /v1/models` is answered with
//! [`MODEL`] where the answer is one of a model, and with the fault where it is one. A path that is
//! not of the format gets 404.

mod answer;
mod http;

pub use answer::{Answer, MODEL};
pub use http::Request;

use std::collections::VecDeque;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A server on a port of its own, until it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    answers: Mutex<VecDeque<Answer>>,
    requests: Mutex<Vec<Request>>,
    over: AtomicBool,
}

impl Server {
    /// One that always answers so.
    ///
    /// # Panics
    /// When there is no port to listen on.
    #[must_use]
    pub fn start(answer: Answer) -> Self {
        Self::sequence([answer])
    }

    /// One that answers with these in order, and then with the last one again and again.
    ///
    /// # Panics
    /// When there is no port to listen on.
    #[must_use]
    #[expect(clippy::expect_used, reason = "only tests call it")]
    pub fn sequence(answers: impl IntoIterator<Item = Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port to listen on");
        let address = listener.local_addr().expect("the port's number");
        let shared = Arc::new(Shared {
            answers: Mutex::new(answers.into_iter().collect()),
            requests: Mutex::default(),
            over: AtomicBool::new(false),
        });
        let kept = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if kept.over.load(Ordering::Acquire) {
                    break;
                }
                let shared = Arc::clone(&kept);
                // A slow answer must not hold up the next caller.
                std::thread::spawn(move || shared.serve(stream.ok()));
            }
        });
        Self { address, shared }
    }

    /// What a client is configured with: up to `/v1`.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Every request so far, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.shared.requests().clone()
    }

    /// The latest request.
    #[must_use]
    pub fn last(&self) -> Option<Request> {
        self.shared.requests().last().cloned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::Release);
        // Wakes the listener, which looks at the flag and ends.
        let _woken = TcpStream::connect(self.address);
    }
}

impl Shared {
    fn requests(&self) -> std::sync::MutexGuard<'_, Vec<Request>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> Option<Answer> {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.len() > 1 {
            answers.pop_front()
        } else {
            answers.front().cloned()
        }
    }

    /// One connection, one request. A client that goes away ends it, whatever was being said.
    fn serve(&self, stream: Option<TcpStream>) -> Option<()> {
        let mut stream = stream?;
        let _small_pieces_go_at_once = stream.set_nodelay(true);
        let (request, body) = http::read_head(&mut stream)?;
        let answer = self.next()?;
        let over = || self.over.load(Ordering::Acquire);
        if matches!(answer, Answer::Reset) {
            // What is left unread when a socket is closed makes the kernel reset the connection.
            self.requests().push(request);
            return http::begin(&mut stream, 200, "application/json", 1000, "{\"id\":").ok();
        }
        let request = request.with_body(http::read_body(&mut stream, body)?);
        let reply = answer.reply(&request);
        self.requests().push(request);
        reply.write(&mut stream, over).ok()
    }
}
