//! Lists: separators that repeat, conditions that end without one, bodies of one pipeline.

use crate::scan::Scanner;
use crate::scan::class::ends_word;
use crate::scan::frame::Frame;
use crate::scan::list::{List, State};
use crate::scan::reserved::Reserved;
use crate::scan::stop::Stop;

impl Scanner {
    /// Reads on in a list, if zsh does so differently here.
    #[cold]
    pub(in crate::scan) fn zsh_list(&mut self, mut list: List) -> bool {
        let next = self.peek();
        if list.state == State::After {
            let ends = match next {
                None => false,
                Some(b';') if self.ends_arm() => matches!(list.stop, Stop::Short | Stop::Do),
                Some(b'\n' | b';') => list.stop == Stop::Short,
                Some(b'&' | b'|') => {
                    list.stop == Stop::Short && !self.looking_at(b"&&") && next == Some(b'&')
                }
                Some(_) => matches!(list.stop, Stop::Short | Stop::Then | Stop::Do),
            };
            if ends {
                self.end_list(list);
            }
            return ends;
        }
        match next {
            Some(b';') if !self.ends_arm() && list.state != State::Prefixed => {
                self.bump();
                self.push(Frame::List(list));
                true
            }
            None if list.state == State::Needed => {
                list.state = State::Start;
                self.end_list(list);
                true
            }
            Some(b')') if may_end(&list) => {
                list.state = State::Start;
                self.end_list(list);
                true
            }
            Some(b';') if may_end(&list) && self.ends_arm() => {
                list.state = State::Start;
                self.end_list(list);
                true
            }
            Some(_) => self.zsh_reserved_in_list(list),
            None => false,
        }
    }

    fn zsh_reserved_in_list(&mut self, mut list: List) -> bool {
        match self.reserved() {
            Some((Reserved::Nocorrect | Reserved::Time, end)) => {
                self.pos = end;
                list.state = State::Prefixed;
                self.push(Frame::List(list));
                true
            }
            Some((word, _)) if may_end(&list) && word.closes() && !list.ends_at(word) => {
                list.state = State::Start;
                self.end_list(list);
                true
            }
            _ => false,
        }
    }

    /// Consumes `always`, which may follow a group, up to the brace behind it.
    pub(in crate::scan) fn always(&mut self) -> bool {
        let mut cursor = self.cursor();
        cursor.blanks();
        let found = b"always".iter().all(|&byte| cursor.eat(byte));
        if !found || !ends_word(cursor.peek()) {
            return false;
        }
        loop {
            match cursor.peek() {
                Some(b' ' | b'\t' | b';') => {}
                Some(b'\n') if self.pending_len() == 0 => {}
                _ => break,
            }
            cursor.next();
        }
        if cursor.peek() != Some(b'{') {
            return false;
        }
        self.pos = cursor.pos;
        true
    }

    /// Whether the end of an arm of `case` comes next.
    pub(in crate::scan) fn ends_arm(&self) -> bool {
        self.looking_at(b";;") || self.looking_at(b";&") || self.looking_at(b";|")
    }
}

/// Whether the list can end before what only ends something around it: a body can be missing, and
/// so can what `&&` joins.
fn may_end(list: &List) -> bool {
    matches!(list.stop, Stop::Short | Stop::Then | Stop::Do) || list.state == State::Needed
}
