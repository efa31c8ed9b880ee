//! The lexer itself, measured and asked as the peers are.

use crate::peer::{Argv, Refusal};
use countersign_lexer::{Options, Script, Status, lex};

/// Lexes and visits every command, word and literal, without copying: what a caller of the lexer
/// does. The sum keeps the compiler from leaving any of it out.
pub fn visit(source: &[u8], options: &Options) -> usize {
    weigh(&lex(source, options))
}

/// Visits every command, word and literal.
pub fn weigh(script: &Script) -> usize {
    script
        .commands()
        .flat_map(|command| command.words())
        .map(|word| word.literal().map_or(1, <[u8]>::len))
        .fold(0, usize::wrapping_add)
}

/// Lexes and copies into the lists that the peers make.
///
/// # Errors
///
/// When part of the source is opaque, wrong or beyond a limit.
pub fn extract(source: &str) -> Result<Vec<Argv>, Refusal> {
    let script = lex(source.as_bytes(), &Options::default());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let argvs = script
        .commands()
        .map(|command| {
            command
                .words()
                .map(|word| word.literal().map(text))
                .collect::<Argv>()
        })
        .filter(|argv| !argv.is_empty())
        .collect();
    match script.status() {
        Status::Complete | Status::Warnings => Ok(argvs),
        Status::SyntaxError => Err(Refusal::Rejected),
        Status::Opaque | Status::TooBig => Err(Refusal::Flagged(argvs)),
    }
}
