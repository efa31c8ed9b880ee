//! Words: everything up to an unquoted blank or operator.

use super::Scanner;
use super::assign::{Head, Subscripted};
use super::build::{Mode, Tildes};
use super::class::{BLANK, BRACE, BREAK, GLOB, META, class, is};
use super::frame::Frame;
use super::zsh::Nest;
use crate::model::PartData;
use crate::text::Slice;
use crate::{DiagnosticKind, Dialect};

#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    pub(super) role: Role,
    pub(super) start: u32,
    /// How many pieces were staged before its own.
    pub(super) pieces: u32,
    /// The classes of all unquoted bytes.
    pub(super) seen: u8,
    pub(super) quoted: bool,
    /// The left-hand side, once it is an assignment; then `start` is where the value starts.
    pub(super) head: Option<Head>,
    /// A name whose subscript has just been read.
    pub(super) subscripted: Option<Subscripted>,
    pub(super) nest: Nest,
}

/// What a word is for, which decides how it ends and what the shell does to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Before the command name, or the name.
    Head,
    Argument,
    /// An argument of a command that declares variables.
    Declaration,
    /// A word after `in` of a loop.
    Item,
    /// The target of a redirection.
    Target,
    HereString,
    /// The word after `case`.
    Subject,
    /// A pattern of `case`.
    Pattern,
    /// An operand or operator of `[[ ]]`.
    Operand,
    /// The right-hand side of `=~`.
    Regex,
    /// An element of an array.
    Element,
}

impl Role {
    pub(super) fn mode(self) -> Mode {
        match self {
            Self::Head | Self::Argument | Self::Declaration | Self::Item | Self::Target => Mode {
                splits: true,
                globs: true,
                tildes: Tildes::Argument,
            },
            _ => Mode {
                splits: false,
                globs: false,
                tildes: Tildes::Start,
            },
        }
    }
}

impl Scanner {
    /// Whether a word starts with `byte`, the next one.
    pub(super) fn word_ahead(&self, byte: u8) -> bool {
        !is(byte, META) || self.opens_process(byte) || self.zsh() && self.pattern_ahead(byte)
    }

    fn opens_process(&self, byte: u8) -> bool {
        matches!(byte, b'<' | b'>') && self.peek_second() == Some(b'(')
    }

    pub(super) fn start_word(&mut self, role: Role) {
        self.peek();
        match self.byte().and_then(|byte| self.short_word(byte, role)) {
            Some(_) if role == Role::Pattern => {}
            Some(data) => self.stage_word(data),
            None => self.start_long_word(role),
        }
    }

    /// Starts a word that needs a closer look.
    pub(super) fn start_long_word(&mut self, role: Role) {
        let word = Word {
            role,
            start: self.pos,
            pieces: self.pieces_len(),
            seen: 0,
            quoted: false,
            head: None,
            subscripted: None,
            nest: Nest::at(self.pos),
        };
        match role {
            Role::Head | Role::Declaration => self.start_assignable(word),
            Role::Element if self.byte() == Some(b'[') && !self.zsh() => {
                self.push(Frame::Word(word));
                self.start_subscript();
            }
            _ => self.word(word),
        }
    }

    pub(super) fn word(&mut self, mut word: Word) {
        if self.zsh() {
            return self.zsh_word(word);
        }
        if let Some(name) = word.subscripted.take()
            && self.assigns_element()
        {
            return self.assign(word, name.name, true);
        }
        loop {
            self.plain(&mut word);
            match self.byte() {
                Some(b'\'') => {
                    word.quoted = true;
                    self.single_quotes();
                    if word.seen & GLOB != 0 && self.maybe_zsh() {
                        self.flag_quoted_subscript(word.pieces);
                    }
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
                    word.quoted |= matches!(self.peek_second(), Some(b'\'' | b'"'));
                    self.push(Frame::Word(word));
                    return self.dollar(false);
                }
                Some(b'`') => {
                    self.push(Frame::Word(word));
                    return self.start_backtick(false, false);
                }
                Some(b'(') if self.opens_pattern(&word) => {
                    self.push(Frame::Word(word));
                    return self.start_extglob(word.role != Role::Regex);
                }
                Some(b'|') if word.role == Role::Regex && self.peek_second() != Some(b'|') => {
                    self.literal(Slice::new(self.pos, self.pos + 1), false);
                    self.pos += 1;
                }
                Some(byte) if self.opens_process(byte) => {
                    self.push(Frame::Word(word));
                    return self.start_process();
                }
                _ => return self.end_word(word),
            }
        }
    }

    /// Reads ordinary bytes.
    fn plain(&mut self, word: &mut Word) {
        while self.peek().is_some() {
            let rest = self.out.text.tail(self.pos, self.limit);
            let mut len = 0;
            for &byte in rest {
                let class = class(byte);
                if class & BREAK != 0 {
                    break;
                }
                word.seen |= class;
                len += 1;
            }
            if len == 0 {
                return;
            }
            let start = self.pos;
            self.pos += len;
            self.literal(Slice::new(start, self.pos), false);
        }
    }

    fn opens_pattern(&self, word: &Word) -> bool {
        if word.role == Role::Regex {
            return true;
        }
        let last = self
            .staged
            .pieces
            .get(word.pieces as usize..)
            .and_then(<[_]>::last);
        let Some(PartData::Literal {
            text,
            quoted: false,
        }) = last.map(|piece| piece.part)
        else {
            return false;
        };
        let before = text
            .end
            .checked_sub(1)
            .and_then(|at| self.out.text.byte(at));
        self.extglob && !text.is_empty() && matches!(before, Some(b'?' | b'*' | b'+' | b'@' | b'!'))
    }

    pub(super) fn end_word(&mut self, word: Word) {
        if self.zsh() {
            self.zsh_end_word(&word);
        }
        let slice = Slice::new(word.start, self.pos);
        match word.role {
            Role::Pattern | Role::Element => self.drop_pieces(word.pieces),
            Role::Head if word.head.is_some() => self.end_assignment(&word),
            Role::Head | Role::Argument | Role::Declaration | Role::Item => {
                self.flag_zsh_path(&word);
                if word.role == Role::Head && self.options.dialect == Dialect::Unknown {
                    self.flag_zsh_head(&word);
                }
                if word.quoted {
                    self.flag_quoted_braces(&word, slice);
                }
                if word.seen & BRACE == 0 || !self.expand_braces(&word, slice) {
                    let data = self.build(&word, slice, word.role.mode());
                    self.stage_word(data);
                }
            }
            Role::Target => {
                if word.seen & BRACE != 0 {
                    self.refuse_braces(&word, slice);
                }
                let data = self.build(&word, slice, word.role.mode());
                self.stage_word(data);
            }
            Role::HereString | Role::Subject | Role::Operand | Role::Regex => {
                let data = self.build(&word, slice, word.role.mode());
                self.stage_word(data);
            }
        }
    }

    /// A name that starts with a brace is a group in zsh, and digits can be assigned to.
    fn flag_zsh_head(&mut self, word: &Word) {
        let mut cursor = self.cursor_at(word.start);
        let assigns = cursor.number() && (cursor.eat(b'=') || cursor.eat(b'+') && cursor.eat(b'='));
        if assigns || self.out.text.byte(word.start) == Some(b'{') {
            let source = Slice::new(word.start, self.pos);
            self.report_slice(DiagnosticKind::ZshOnly, source);
        }
    }

    /// In zsh `=name` is the path of a program, which makes it a program to run.
    fn flag_zsh_path(&mut self, word: &Word) {
        if !matches!(self.options.dialect, Dialect::Unknown | Dialect::Zsh) {
            return;
        }
        let mut cursor = self.cursor_at(word.start);
        let equals = cursor.eat(b'=');
        let Some(first) = cursor.next().filter(|_| equals) else {
            return;
        };
        let named = match first {
            b'(' => !self.zsh(),
            b'_' | b'.' | b'/' => true,
            _ => first.is_ascii_alphanumeric() || self.zsh() && !is(first, BLANK | META),
        };
        if named {
            let source = Slice::new(word.start, self.pos);
            self.drop_pieces(word.pieces);
            self.piece(source, PartData::Opaque(source));
            self.report_slice(DiagnosticKind::ZshOnly, source);
        }
    }
}
