//! No panic leaves a plugin: across the interface it would end the host's process with code 1,
//! which an agent takes for a hook that has nothing to say.

use countersign_abi::{AbiError, Code};
use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs `body`; a panic in it is an error that names the place.
pub(crate) fn guarded<T>(body: impl FnOnce() -> Result<T, AbiError>) -> Result<T, AbiError> {
    keep_place();
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(result) => result,
        Err(payload) => {
            let place = PLACE.with(|place| std::mem::take(&mut *place.borrow_mut()));
            let text = text(payload);
            Err(AbiError::new(
                Code::PANICKED,
                if place.is_empty() {
                    format!("the plugin panicked: {text}")
                } else {
                    format!("the plugin panicked at {place}: {text}")
                },
            ))
        }
    }
}

/// A hook of our own in this library's copy of the standard library. The default one prints, and
/// with a backtrace takes a hundred milliseconds.
fn keep_place() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            let _gone_at_thread_end = PLACE.try_with(|kept| *kept.borrow_mut() = place);
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
