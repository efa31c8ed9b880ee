//! No panic leaves a plugin: across the interface it would end the host's process with code 1,
//! which an agent takes for a hook that has nothing to say.

use countersign_abi::{AbiError, Code};
use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    /// While a guard is on: the place of the last panic.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `body`; a panic in it is an error that names the place.
pub(crate) fn guarded<T>(body: impl FnOnce() -> Result<T, AbiError>) -> Result<T, AbiError> {
    keep_places();
    let outer = PLACE.replace(Some(String::new()));
    let outcome = catch_unwind(AssertUnwindSafe(body));
    let place = PLACE.replace(outer).unwrap_or_default();
    outcome.unwrap_or_else(|payload| {
        let text = text(payload);
        Err(AbiError::new(
            Code::PANICKED,
            if place.is_empty() {
                format!("the plugin panicked: {text}")
            } else {
                format!("the plugin panicked at {place}: {text}")
            },
        ))
    })
}

/// A hook of our own in this library's copy of the standard library, for panics under a guard: the
/// default one prints, and with a backtrace takes a hundred milliseconds. Other panics, those of an
/// author's tests for one, go where they always went.
fn keep_places() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let kept = PLACE.try_with(|place| {
                let mut place = place.borrow_mut();
                if let Some(place) = place.as_mut() {
                    *place = info.location().map(ToString::to_string).unwrap_or_default();
                }
                place.is_some()
            });
            if kept != Ok(true) {
                before(info);
            }
        }));
    });
}

/// The text of a panic. A payload that is no text is never dropped: its drop could panic again, out
/// of reach of any guard.
fn text(payload: Box<dyn Any + Send>) -> String {
    match payload.downcast::<&'static str>() {
        Ok(text) => (*text).to_owned(),
        Err(payload) => match payload.downcast::<String>() {
            Ok(text) => *text,
            Err(payload) => {
                std::mem::forget(payload);
                "with something that is no text".to_owned()
            }
        },
    }
}
