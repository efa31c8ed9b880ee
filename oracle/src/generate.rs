//! Shell text made up at random, the same for the same seed.
//!
//! [`program`] follows the grammar and is mostly accepted by bash, [`soup`] strings tokens
//! together, and [`mutate`] damages a text a little. Commands are called `c1`, `c2` and so on, so
//! that a recorder in their place sees who ran with which arguments; what is not a stub is a
//! builtin or a program that starts another one.

mod arithmetic;
mod compound;
mod condition;
mod expansion;
mod heredoc;
mod list;
mod mutate;
mod parameter;
mod random;
mod redirect;
mod simple;
mod soup;
mod tokens;
mod word;
mod wrapper;
mod writer;

pub use mutate::mutate;
pub use random::Random;
pub use soup::soup;
pub(crate) use tokens::tokens;

use writer::Writer;

/// A program of about `size` bytes that bash mostly accepts.
///
/// Loops end: they go over few words, or leave at the end of their body.
pub fn program(random: &mut Random, size: usize) -> Vec<u8> {
    let mut writer = Writer::new(random, size);
    writer.program(size);
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::{Random, mutate, program, soup};

    #[test]
    fn the_same_seed_makes_the_same_text() {
        let text = |seed| {
            let mut random = Random::new(seed);
            let program = program(&mut random, 300);
            let mutant = mutate(&mut random, &program);
            (program, mutant, soup(&mut random, 100))
        };
        assert_eq!(text(1), text(1));
        assert_ne!(text(1), text(2));
    }

    #[test]
    fn programs_have_about_the_size_that_was_asked_for() {
        let mut random = Random::new(3);
        for size in [40, 400, 4000] {
            let total: usize = (0..40).map(|_| program(&mut random, size).len()).sum();
            let mean = total / 40;
            assert!(mean > size / 2 && mean < size * 3, "{mean} for {size}");
        }
    }

    #[test]
    fn no_text_holds_a_nul_byte() {
        let mut random = Random::new(4);
        for _ in 0..500 {
            assert!(!program(&mut random, 200).contains(&0));
            assert!(!soup(&mut random, 200).contains(&0));
        }
    }
}
