//! Reserved words, and the braces that need no blank beside them.

use crate::scan::Scanner;
use crate::scan::class::{BREAK, QUOTE, ends_word, is};
use crate::scan::reserved::Reserved;

const LONGEST: usize = 9;

fn lookup(word: &[u8]) -> Option<Reserved> {
    Some(match word {
        b"foreach" => Reserved::Foreach,
        b"end" => Reserved::End,
        b"repeat" => Reserved::Repeat,
        b"nocorrect" => Reserved::Nocorrect,
        _ => return crate::scan::reserved::lookup(word),
    })
}

impl Scanner {
    /// The reserved word at `pos` and where it ends. A `{` is one whatever follows.
    #[cold]
    pub(in crate::scan) fn zsh_reserved(&self, pos: u32) -> Option<(Reserved, u32)> {
        let mut cursor = self.cursor_at(pos);
        if cursor.eat(b'{') {
            return Some((Reserved::OpenBrace, cursor.pos));
        }
        if let Some(end) = self.closing_brace(pos) {
            return Some((Reserved::CloseBrace, end));
        }
        let mut word = [0; LONGEST];
        let mut len = 0;
        while let Some(byte) = cursor.peek().filter(|&byte| !is(byte, BREAK)) {
            if self.closing_brace(cursor.pos).is_some() {
                break;
            }
            *word.get_mut(len)? = byte;
            len += 1;
            cursor.next();
        }
        let end = cursor.pos;
        let found = lookup(word.get(..len)?)?;
        let glued = match cursor.next() {
            Some(b'(') => cursor.peek() != Some(b')'),
            Some(byte @ (b'<' | b'>')) => {
                cursor.peek() == Some(b'(') || byte == b'<' && self.number_pattern(end).is_some()
            }
            Some(byte) => is(byte, QUOTE),
            None => false,
        };
        (!glued).then_some((found, end))
    }

    /// Where a `}` that stands alone ends. A second one may follow it, which closes something
    /// else.
    pub(in crate::scan) fn closing_brace(&self, pos: u32) -> Option<u32> {
        let mut cursor = self.cursor_at(pos);
        let found = cursor.eat(b'}');
        let end = cursor.pos;
        let alone = ends_word(cursor.peek()) || cursor.eat(b'}') && ends_word(cursor.peek());
        (found && alone).then_some(end)
    }

    /// The same at the current position.
    pub(in crate::scan) fn at_closing_brace(&self) -> bool {
        self.closing_brace(self.pos).is_some()
    }
}
