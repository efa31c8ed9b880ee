//! Reserved words.

use super::Scanner;
use super::class::ends_word;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reserved {
    If,
    Then,
    Elif,
    Else,
    Fi,
    While,
    Until,
    For,
    Select,
    Do,
    Done,
    Case,
    In,
    Esac,
    Function,
    Coproc,
    Time,
    Bang,
    OpenBrace,
    CloseBrace,
    OpenTest,
    CloseTest,
}

const LONGEST: usize = 8;

fn lookup(word: &[u8]) -> Option<Reserved> {
    Some(match word {
        b"if" => Reserved::If,
        b"then" => Reserved::Then,
        b"elif" => Reserved::Elif,
        b"else" => Reserved::Else,
        b"fi" => Reserved::Fi,
        b"while" => Reserved::While,
        b"until" => Reserved::Until,
        b"for" => Reserved::For,
        b"select" => Reserved::Select,
        b"do" => Reserved::Do,
        b"done" => Reserved::Done,
        b"case" => Reserved::Case,
        b"in" => Reserved::In,
        b"esac" => Reserved::Esac,
        b"function" => Reserved::Function,
        b"coproc" => Reserved::Coproc,
        b"time" => Reserved::Time,
        b"!" => Reserved::Bang,
        b"{" => Reserved::OpenBrace,
        b"}" => Reserved::CloseBrace,
        b"[[" => Reserved::OpenTest,
        b"]]" => Reserved::CloseTest,
        _ => return None,
    })
}

impl Scanner {
    /// The reserved word at the current position and where it ends. Whether a reserved word may
    /// stand here is for the caller to know.
    pub(super) fn reserved(&self) -> Option<(Reserved, u32)> {
        self.reserved_at(self.pos)
    }

    pub(super) fn reserved_at(&self, pos: u32) -> Option<(Reserved, u32)> {
        let mut cursor = self.cursor();
        cursor.pos = pos;
        // Most words end this here.
        if !matches!(
            cursor.peek()?,
            b'a'..=b'z' | b'!' | b'{' | b'}' | b'[' | b']'
        ) {
            return None;
        }
        let mut word = [0; LONGEST];
        let mut len = 0;
        while let Some(byte) = cursor.peek() {
            if ends_word(Some(byte)) {
                break;
            }
            *word.get_mut(len)? = byte;
            len += 1;
            cursor.next();
        }
        let reserved = lookup(word.get(..len)?)?;
        // With patterns on, `!(` starts one.
        let pattern = reserved == Reserved::Bang && self.extglob && cursor.peek() == Some(b'(');
        (!pattern).then_some((reserved, cursor.pos))
    }

    /// Consumes `wanted` if it comes next.
    pub(super) fn eat_reserved(&mut self, wanted: Reserved) -> bool {
        match self.reserved() {
            Some((found, end)) if found == wanted => {
                self.pos = end;
                true
            }
            _ => false,
        }
    }
}
