//! Words: parentheses and number ranges belong to them, and a `}` at their end does not.

use crate::scan::Scanner;
use crate::scan::class::{BREAK, class, ends_word, is};
use crate::scan::frame::Frame;
use crate::scan::word::Word;
use crate::text::Slice;

/// What is open inside a word.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::scan) struct Nest {
    parens: u32,
    braces: u32,
    /// Behind the last outermost parenthesis that opened; 0 before any.
    pub(super) group: u32,
    /// Where `=(` is a process substitution.
    equals: u32,
}

impl Nest {
    /// Of a word that starts at `start`.
    pub(in crate::scan) fn at(start: u32) -> Self {
        Self {
            equals: start,
            ..Self::default()
        }
    }

    /// Remembers where the value of an assignment starts.
    pub(in crate::scan) fn set_equals(&mut self, at: u32) {
        self.equals = at;
    }
}

impl Scanner {
    #[cold]
    pub(in crate::scan) fn zsh_word(&mut self, mut word: Word) {
        if let Some(name) = word.subscripted.take()
            && self.assigns_element()
        {
            return self.assign(word, name.name, true);
        }
        if word.head.is_some_and(|head| head.array) {
            return self.end_word(word);
        }
        loop {
            self.zsh_plain(&mut word);
            match self.byte() {
                Some(b'\'') => {
                    word.quoted = true;
                    self.single_quotes();
                }
                Some(b'\\') => {
                    word.quoted = true;
                    self.escape();
                }
                Some(b'"') => {
                    word.quoted = true;
                    self.push(Frame::Word(word));
                    return self.start_double_quotes();
                }
                Some(b'$') if self.variable_ahead(false) => {}
                Some(b'$') => {
                    word.quoted |= self.peek_second() == Some(b'\'');
                    self.push(Frame::Word(word));
                    return self.dollar(false);
                }
                Some(b'`') => {
                    self.push(Frame::Word(word));
                    return self.start_backtick(false, false);
                }
                Some(b'=') => {
                    self.push(Frame::Word(word));
                    return self.start_process();
                }
                Some(byte @ (b'<' | b'>')) => {
                    if self.peek_second() == Some(b'(') {
                        self.push(Frame::Word(word));
                        return self.start_process();
                    }
                    let range = self.number_pattern(self.pos).filter(|_| byte == b'<');
                    let Some(end) = range else {
                        return self.end_word(word);
                    };
                    self.pattern_piece(&word, end);
                }
                Some(byte) if self.in_parens(&mut word, byte) => {
                    self.pattern_piece(&word, self.pos + 1);
                }
                _ => return self.end_word(word),
            }
        }
    }

    /// Whether a byte that ends words elsewhere goes on with this one.
    fn in_parens(&self, word: &mut Word, byte: u8) -> bool {
        let nest = &mut word.nest;
        match byte {
            b'(' if self.peek_second() == Some(b')') => false,
            b'(' => {
                if nest.parens == 0 {
                    nest.group = self.pos + 1;
                }
                nest.parens += 1;
                true
            }
            b')' if nest.parens > 0 => {
                nest.parens -= 1;
                true
            }
            b'|' | b' ' | b'\t' | b'\n' => nest.parens > 0,
            _ => false,
        }
    }

    /// Reads ordinary bytes.
    fn zsh_plain(&mut self, word: &mut Word) {
        while self.peek().is_some() {
            let start = self.pos;
            while let Some(byte) = self.byte() {
                let ends = match byte {
                    b'{' => {
                        word.nest.braces += 1;
                        false
                    }
                    b'}' if word.nest.braces > 0 => {
                        word.nest.braces -= 1;
                        false
                    }
                    b'}' => self.brace_ends(word),
                    b'=' => self.pos == word.nest.equals && self.peek_second() == Some(b'('),
                    _ => is(byte, BREAK),
                };
                if ends {
                    break;
                }
                word.seen |= class(byte);
                self.pos += 1;
            }
            if self.pos == start {
                return;
            }
            self.literal(Slice::new(start, self.pos), false);
            if self.byte() != Some(b'\\') {
                return;
            }
        }
    }

    /// Whether the `}` that comes next is the last byte of a word that has others, and so closes
    /// a group.
    fn brace_ends(&self, word: &Word) -> bool {
        let mut cursor = self.cursor();
        cursor.next();
        let assigns = word.head.is_some() || word.nest.equals != word.start;
        !assigns && self.pos > word.start && word.nest.parens == 0 && ends_word(cursor.peek())
    }

    /// Gives up what is not certain of a word that ends here.
    #[cold]
    pub(in crate::scan) fn zsh_end_word(&mut self, word: &Word) {
        self.flag_qualifiers(word);
        self.loosen(word.pieces, word.head.is_some());
    }
}
