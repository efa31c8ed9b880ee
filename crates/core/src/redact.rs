//! Secrets are taken out of a text before anybody keeps or sends it.
//!
//! What is hidden is marked, and what tells the kind of a secret stays (`ghp_[redacted]`). Every
//! scanner walks its text once, allocates only where it hides something, and leaves a text that
//! went through it before as it is.

mod cookie;
mod event;
mod known;
mod pem;
mod scan;
mod shape;
mod table;
#[cfg(test)]
mod tests;
mod words;

use known::Known;
use scan::Care;
use std::borrow::Cow;

/// What stands in the place of a secret.
pub const MARK: &str = "[redacted]";

/// The text without the secrets that can be told by their form, for somebody who judges it. A
/// hidden word could be the dangerous one, so a blank, a path or anything that a shell would act on
/// is never hidden.
pub fn redact(text: &str) -> Cow<'_, str> {
    chain(pem::redact(text), |text| scan::redact(text, Care::Command))
}

/// Takes secrets out of what is kept: logs, error texts, summaries. Beside the secrets that can be
/// told by their form it knows some by their value, and masks those wherever they stand, also
/// quoted, split by quotes, or encoded.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    known: Known,
}

impl Redactor {
    /// One that knows these values. What is shorter than eight bytes is left out: it could be
    /// anything.
    pub fn new(values: impl IntoIterator<Item = String>) -> Self {
        Self {
            known: Known::new(values),
        }
    }

    /// One that knows what an environment holds under names of secrets, and the passwords of the
    /// addresses in it.
    pub fn of_environment(variables: impl IntoIterator<Item = (String, String)>) -> Self {
        Self::new(
            variables
                .into_iter()
                .filter_map(|(name, value)| known::secret_of(&name, value)),
        )
    }

    /// The text without secrets.
    pub fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let text = chain(self.known.redact(text), pem::redact);
        chain(text, |text| scan::redact(text, Care::Kept))
    }

    /// The text for somebody who judges it: as by [`redact`], and without the values that are known.
    pub fn redact_for_judging<'t>(&self, text: &'t str) -> Cow<'t, str> {
        chain(self.known.redact(text), redact)
    }

    /// The words of a command without secrets: what an option of this program takes for a password
    /// is one, whatever it looks like. The program's name is none of the words.
    pub fn redact_words<'w, S: AsRef<str>>(
        &self,
        program: &str,
        words: &'w [S],
    ) -> Vec<Cow<'w, str>> {
        words::redact(self, program, words)
    }
}

/// The next step over what the one before made of a text.
fn chain(before: Cow<'_, str>, step: impl Fn(&str) -> Cow<'_, str>) -> Cow<'_, str> {
    match before {
        Cow::Borrowed(text) => step(text),
        Cow::Owned(text) => match step(&text) {
            Cow::Owned(text) => Cow::Owned(text),
            Cow::Borrowed(_) => Cow::Owned(text),
        },
    }
}

/// A text with pieces of it hidden, which is the text itself until the first one.
struct Hiding<'t> {
    text: &'t str,
    /// How much of the text is in `out`.
    done: usize,
    out: String,
}

impl<'t> Hiding<'t> {
    const fn of(text: &'t str) -> Self {
        Self {
            text,
            done: 0,
            out: String::new(),
        }
    }

    /// Hides a piece that comes after all that were hidden.
    fn hide(&mut self, from: usize, to: usize) {
        if let Some(before) = self.text.get(self.done..from) {
            self.out.push_str(before);
            self.out.push_str(MARK);
            self.done = to;
        }
    }

    fn finish(mut self) -> Cow<'t, str> {
        if self.done == 0 {
            return Cow::Borrowed(self.text);
        }
        self.out
            .push_str(self.text.get(self.done..).unwrap_or_default());
        Cow::Owned(self.out)
    }
}
