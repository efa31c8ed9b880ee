//! Makes an input that shows something as small as it goes on showing it.

use crate::generate::tokens;

/// How many inputs are tried at most. Each may cost a run of bash.
const TRIES: usize = 2_000;

/// The smallest input found for which `keeps` still holds.
///
/// Removes lines, then tokens, then bytes, then makes words shorter and plainer, and begins again
/// while that helps. If `keeps` does not hold for the input itself, that is what comes back.
pub fn shrink(input: &[u8], keeps: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut search = Search {
        best: input.to_vec(),
        keeps,
        left: TRIES,
    };
    let mut before = usize::MAX;
    while search.best.len() < before && search.left > 0 {
        before = search.best.len();
        search.remove(|text| text.split_inclusive(|&byte| byte == b'\n').collect());
        search.remove(tokens);
        search.remove(|text| text.chunks(1).collect());
        search.simplify();
    }
    search.best
}

struct Search<F> {
    best: Vec<u8>,
    keeps: F,
    left: usize,
}

impl<F: FnMut(&[u8]) -> bool> Search<F> {
    /// Takes the candidate if it will do.
    fn attempt(&mut self, candidate: Vec<u8>) -> bool {
        if self.left == 0 || candidate == self.best {
            return false;
        }
        self.left -= 1;
        let kept = (self.keeps)(&candidate);
        if kept {
            self.best = candidate;
        }
        kept
    }

    /// Removes runs of units, long ones first.
    fn remove(&mut self, split: impl Fn(&[u8]) -> Vec<&[u8]>) {
        let mut run = split(&self.best).len().div_ceil(2);
        while run > 0 && self.left > 0 {
            let mut at = 0;
            loop {
                let units = split(&self.best);
                if at >= units.len() {
                    break;
                }
                let end = (at + run).min(units.len());
                let without = [units.get(..at), units.get(end..)]
                    .map(Option::unwrap_or_default)
                    .concat();
                if !self.attempt(without.concat()) {
                    at = end;
                }
                if self.left == 0 {
                    return;
                }
            }
            run /= 2;
        }
    }

    /// Puts something plainer in the place of each token.
    fn simplify(&mut self) {
        let mut at = 0;
        loop {
            let units = tokens(&self.best);
            let Some(&unit) = units.get(at) else { break };
            let plainer: &[&[u8]] = match unit {
                [b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9', _, ..] => &[b"a", b"c1"],
                [b'b'..=b'z' | b'A'..=b'Z' | 0x80..] => &[b"a"],
                [b' ' | b'\t', _, ..] | b"\t" => &[b" "],
                b"\n" => &[b";"],
                _ => &[],
            };
            let candidates: Vec<Vec<u8>> = plainer
                .iter()
                .map(|plain| {
                    let mut changed = units.clone();
                    changed.splice(at..=at, [*plain]);
                    changed.concat()
                })
                .collect();
            for candidate in candidates {
                if candidate.len() <= self.best.len() && self.attempt(candidate) {
                    break;
                }
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{TRIES, shrink};

    fn contains(text: &[u8], part: &[u8]) -> bool {
        text.windows(part.len()).any(|window| window == part)
    }

    #[test]
    fn only_what_matters_is_left() {
        let input = b"c1 a b\nif c2; then\n  echo \"${x:-$(c3 'z')}\"  | c4\nfi\nc5 <<E\nb\nE\n";
        let small = shrink(input, |text| contains(text, b"${") && contains(text, b"$("));
        assert_eq!(small, b"${$(");
    }

    #[test]
    fn words_become_plain() {
        let small = shrink(b"alpha   beta_gamma", |text| text.contains(&b' '));
        assert_eq!(small, b" ");
        let small = shrink(b"first second", |text| {
            text.split(|&byte| byte == b' ')
                .filter(|it| !it.is_empty())
                .count()
                == 2
        });
        assert_eq!(small, b"a a");
    }

    #[test]
    fn what_does_not_hold_is_left_alone() {
        assert_eq!(shrink(b"a b", |_| false), b"a b");
        assert_eq!(shrink(b"", |_| true), b"");
    }

    #[test]
    fn the_number_of_tries_is_bounded() {
        let input = b"a b;".repeat(5000);
        let mut calls = 0;
        let small = shrink(&input, |text| {
            calls += 1;
            text.len() % 7 == 0
        });
        assert!(calls <= TRIES);
        assert!(small.len() < input.len() || small.len() % 7 != 0);
    }
}
