//! Many questions, several jails.

use crate::answer::{Answer, Question, Wanted};
use crate::jail::Workshop;
use std::sync::{Mutex, PoisonError, mpsc};

/// How many questions a jail gets at a time.
const BATCH: usize = 32;

/// Asks bash about every question and hands over the answers as they come. Those of one batch come
/// in order, the batches in any.
///
/// # Errors
///
/// When a jail cannot be started or ends early, or when `take` fails.
pub fn ask_all(
    workshop: &Workshop,
    questions: impl Iterator<Item = Question> + Send,
    wanted: Wanted,
    jails: usize,
    mut take: impl FnMut(Answer) -> Result<(), String>,
) -> Result<(), String> {
    let questions = Mutex::new(questions);
    std::thread::scope(|scope| {
        let (send, receive) = mpsc::sync_channel(4 * BATCH);
        for _ in 0..jails.max(1) {
            let send = send.clone();
            let questions = &questions;
            scope.spawn(move || {
                if let Err(error) = work(workshop, questions, wanted, &send) {
                    // When nobody listens any more, an earlier error is the one to tell.
                    let _closed = send.send(Err(error));
                }
            });
        }
        drop(send);
        for answer in receive {
            take(answer?)?;
        }
        Ok(())
    })
}

fn work(
    workshop: &Workshop,
    questions: &Mutex<impl Iterator<Item = Question>>,
    wanted: Wanted,
    send: &mpsc::SyncSender<Result<Answer, String>>,
) -> Result<(), String> {
    let mut jail = workshop.jail()?;
    loop {
        let batch: Vec<Question> = {
            let mut questions = questions.lock().unwrap_or_else(PoisonError::into_inner);
            questions.by_ref().take(BATCH).collect()
        };
        if batch.is_empty() {
            return Ok(());
        }
        for answer in jail.ask(batch, wanted)? {
            if send.send(Ok(answer)).is_err() {
                return Ok(());
            }
        }
    }
}
