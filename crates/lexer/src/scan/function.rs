//! Function definitions: `name() { ; }` and `function name { ; }`.

use super::Scanner;
use super::class::ends_word;
use super::compound::Clause;
use super::frame::Frame;
use super::reserved::Reserved;
use crate::DiagnosticKind;
use crate::arena::NONE;
use crate::model::{CommandId, Context, KindData};
use crate::text::{Slice, offset};

impl Scanner {
    /// Starts `function` or `coproc`, if one comes next.
    pub(super) fn start_definition(&mut self, reserved: Option<(Reserved, u32)>) -> bool {
        let start = self.pos;
        match reserved {
            Some((Reserved::Function, end)) => {
                self.pos = end;
                self.function_keyword(start);
                true
            }
            Some((Reserved::Coproc, end)) => {
                self.pos = end;
                self.start_coproc(start);
                true
            }
            _ => false,
        }
    }

    fn function_keyword(&mut self, start: u32) {
        self.flag_bashism();
        if self.zsh() {
            return self.start_zsh_function(start);
        }
        self.blanks();
        let name = self.plain_word();
        if name.is_empty() {
            self.report(DiagnosticKind::MissingWord);
        }
        self.blanks();
        if self.empty_parens() {
            self.blanks();
        }
        self.start_body(name, start);
    }

    /// Turns a command of one word, before `()`, into a definition.
    pub(super) fn define(&mut self, id: CommandId, start: u32) {
        if self.zsh() {
            return self.zsh_define(id, start);
        }
        let first = self.command_mut(id).map_or(NONE, |data| data.words);
        let slice = self.out.words.get(first as usize).map(|word| word.slice);
        let name = self.literal_slice(first).or(slice).unwrap_or_default();
        // Substitutions in the name still belong to the command; bash rejects those later.
        let plain = self.literal_slice(first).is_some();
        if plain && id.0 + 1 == offset(self.out.commands.len()) {
            self.out.commands.pop();
            if let Some(Frame::List(list)) = self.frames.last_mut() {
                list.forget_last();
            }
        }
        self.empty_parens();
        self.start_body(name, start);
    }

    fn start_body(&mut self, name: Slice, start: u32) {
        if self.maybe_zsh() {
            self.flag_hook(name, Slice::new(start, self.pos));
        }
        let outer = self.enter(KindData::Function(name), Context::FunctionBody, start);
        self.push(Frame::Clause(Clause { outer }));
        self.push(Frame::FunctionBody);
    }

    pub(super) fn function_body(&mut self) {
        self.blanks();
        if self.peek() == Some(b'\n') {
            self.push(Frame::FunctionBody);
            return self.newline();
        }
        let reserved = self.reserved();
        if !self.start_compound(reserved) {
            self.report(DiagnosticKind::UnexpectedToken);
            if !matches!(self.peek(), None | Some(b';' | b'&' | b'|' | b')')) {
                let (_, simple) = self.start_simple(Context::FunctionBody);
                self.push(Frame::Simple(simple));
            }
        }
    }

    fn empty_parens(&mut self) -> bool {
        let mut cursor = self.cursor();
        let found = cursor.eat(b'(') && {
            cursor.blanks();
            cursor.eat(b')')
        };
        if found {
            self.pos = cursor.pos;
        }
        found
    }

    /// The text up to the end of an unquoted word, taken as it is.
    pub(super) fn plain_word(&mut self) -> Slice {
        self.peek();
        let start = self.pos;
        let mut cursor = self.cursor();
        while !ends_word(cursor.peek()) {
            cursor.next();
        }
        self.pos = cursor.pos;
        Slice::new(start, self.pos)
    }
}
