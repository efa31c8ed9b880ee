//! Reserved words.

use super::Scanner;
use super::class::{BREAK, QUOTE, ends_word, is};
use crate::text::offset;

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
    /// The last four are reserved in zsh alone.
    Foreach,
    End,
    Repeat,
    Nocorrect,
}

impl Reserved {
    /// Whether a compound command starts with it.
    pub(super) fn starts(self) -> bool {
        matches!(
            self,
            Self::If
                | Self::While
                | Self::Until
                | Self::For
                | Self::Select
                | Self::Case
                | Self::OpenBrace
                | Self::OpenTest
                | Self::Foreach
                | Self::Repeat
        )
    }

    /// Whether it ends or divides a compound command.
    pub(super) fn closes(self) -> bool {
        matches!(
            self,
            Self::Then
                | Self::Elif
                | Self::Else
                | Self::Fi
                | Self::Do
                | Self::Done
                | Self::Esac
                | Self::End
                | Self::CloseBrace
        )
    }
}

const LONGEST: usize = 8;

pub(super) fn lookup(word: &[u8]) -> Option<Reserved> {
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

fn can_start(byte: u8) -> bool {
    matches!(
        byte,
        b'c'..=b'f' | b'i' | b'n' | b'r'..=b'u' | b'w' | b'!' | b'{' | b'}' | b'[' | b']' | b'\\'
    )
}

impl Scanner {
    /// The reserved word at the current position and where it ends. Whether a reserved word may
    /// stand here is for the caller to know.
    pub(super) fn reserved(&self) -> Option<(Reserved, u32)> {
        self.reserved_at(self.pos)
    }

    pub(super) fn reserved_at(&self, pos: u32) -> Option<(Reserved, u32)> {
        let rest = self.out.text.tail(pos, self.limit);
        // Most words end this here.
        if !can_start(*rest.first()?) {
            return None;
        }
        if self.zsh() {
            return self.zsh_reserved(pos);
        }
        let ends = |&byte: &u8| is(byte, BREAK);
        let len = rest.get(..=LONGEST).unwrap_or(rest).iter().position(ends);
        let (word, end) = match len.map(|len| (len, rest.get(len))) {
            Some((_, Some(b'\\'))) => self.reserved_apart(pos)?,
            None if rest.len() > LONGEST => return None,
            _ => {
                let len = len.unwrap_or(rest.len());
                (lookup(rest.get(..len)?)?, pos + offset(len))
            }
        };
        let after = self.out.text.tail(end, self.limit);
        let next = after.first();
        let quotes = next.is_some_and(|&byte| is(byte, QUOTE) && byte != b'\\');
        let process = matches!(after, [b'<' | b'>', b'(' | b'\\', ..]) && self.glued_process(end);
        if quotes || process {
            return None;
        }
        // With patterns on, `!(` starts one.
        let pattern = word == Reserved::Bang && self.extglob && next == Some(&b'(');
        (!pattern).then_some((word, end))
    }

    /// Whether a process substitution at `pos` makes a longer word of what stands before it.
    fn glued_process(&self, pos: u32) -> bool {
        let mut cursor = self.cursor_at(pos);
        cursor.next();
        cursor.peek() == Some(b'(')
    }

    /// The same for a word that may have a backslash-newline in it.
    fn reserved_apart(&self, pos: u32) -> Option<(Reserved, u32)> {
        let mut cursor = self.cursor_at(pos);
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
        Some((lookup(word.get(..len)?)?, cursor.pos))
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
