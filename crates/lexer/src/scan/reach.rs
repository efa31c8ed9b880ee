//! How far a construct reaches that changes what bash makes of the text in it.

use crate::text::{Slice, Text};

/// The furthest end so far, apart for the source and for text derived from it: derived text stands
/// behind the source, which is read on after it.
#[derive(Debug, Default)]
pub(super) struct Reach {
    source: u32,
    derived: u32,
}

impl Reach {
    pub(super) fn extend(&mut self, text: &Text, end: u32) {
        let furthest = if text.is_source(Slice::new(end, end)) {
            &mut self.source
        } else {
            &mut self.derived
        };
        *furthest = end.max(*furthest);
    }

    pub(super) fn covers(&self, text: &Text, pos: u32) -> bool {
        let furthest = if text.is_source(Slice::new(pos, pos)) {
            self.source
        } else {
            self.derived
        };
        pos < furthest
    }
}
