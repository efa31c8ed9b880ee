//! Lexes the input in every dialect, and holds each script to what the lexer promises.
#![no_main]

#[path = "../../oracle/src/invariants.rs"]
mod invariants;

use countersign_lexer::{Dialect, Options, lex};
use libfuzzer_sys::fuzz_target;

const DIALECTS: [Dialect; 6] = [
    Dialect::Unknown,
    Dialect::Bash,
    Dialect::Sh,
    Dialect::Zsh,
    Dialect::Fish,
    Dialect::PowerShell,
];

fuzz_target!(|source: &[u8]| {
    for dialect in DIALECTS {
        let options = Options {
            dialect,
            ..Options::default()
        };
        let script = lex(source, &options);
        if let Some(violation) = invariants::violation(source, &script) {
            panic!("{dialect:?}: {violation}");
        }
        if dialect == Dialect::Unknown {
            invariants::lex_words_again(&script, &options);
        }
    }
});
