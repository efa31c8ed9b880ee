//! Functions: of several names, of none, with bodies that are no compound command.

use crate::DiagnosticKind;
use crate::arena::{Chain, Linked, NONE};
use crate::model::{CommandId, Context, KindData};
use crate::scan::Scanner;
use crate::scan::class::ends_word;
use crate::scan::compound::Clause;
use crate::scan::frame::Frame;
use crate::scan::list::List;
use crate::scan::place::Place;
use crate::scan::reserved::Reserved;
use crate::scan::stop::Stop;
use crate::scan::word::Role;
use crate::text::{Slice, offset};

/// A definition by `function`, whose names are being read.
#[derive(Debug, Clone, Copy)]
pub(in crate::scan) struct Function {
    start: u32,
    names: Chain,
}

/// A function without a name, which runs at once.
#[derive(Debug, Clone, Copy)]
pub(in crate::scan) struct Anonymous {
    outer: Place,
    arguments: Chain,
    redirects: Chain,
}

impl Scanner {
    pub(in crate::scan) fn start_zsh_function(&mut self, start: u32) {
        let names = Chain::default();
        self.push(Frame::ZshFunction(Function { start, names }));
    }

    #[cold]
    pub(in crate::scan) fn zsh_function(&mut self, mut function: Function) {
        self.take_words(&mut function.names);
        self.blanks();
        let next = self.peek();
        let brace = matches!(self.reserved(), Some((Reserved::OpenBrace, end))
            if ends_word(self.cursor_at(end).peek()));
        if next.is_some_and(|byte| self.word_ahead(byte)) && !brace {
            self.push(Frame::ZshFunction(function));
            return self.start_word(Role::Argument);
        }
        self.eat(b"()");
        if function.names.is_empty() {
            return self.start_anonymous(function.start);
        }
        self.enter_functions(function.names.first, function.start);
        self.push(Frame::ZshBody(true));
    }

    /// Opens a scope for every name.
    fn enter_functions(&mut self, first: u32, start: u32) {
        let mut next = first;
        while let Some(word) = self.out.words.get(next as usize) {
            let slice = word.slice;
            let following = word.next();
            let name = self.literal_slice(next).unwrap_or(slice);
            let context = if runs_alone(self.out.text.get(name)) {
                Context::Group
            } else {
                Context::FunctionBody
            };
            let outer = self.enter(KindData::Function(name), context, start);
            self.push(Frame::Clause(Clause { outer }));
            if self.halted {
                return;
            }
            next = following;
        }
    }

    /// Turns the words of a command before `()` into the names of a function.
    pub(in crate::scan) fn zsh_define(&mut self, id: CommandId, start: u32) {
        let data = self
            .command_mut(id)
            .map(|data| (data.words, data.redirects));
        let (first, redirects) = data.unwrap_or((NONE, NONE));
        // Substitutions in the names still belong to the command.
        let command = self.out.command(id);
        let plain = command.is_some_and(|it| it.words().all(|word| !word.is_dynamic()));
        if plain && id.0 + 1 == offset(self.out.commands.len()) && redirects == NONE {
            self.out.commands.pop();
            if let Some(Frame::List(list)) = self.frames.last_mut() {
                list.forget_last();
            }
        }
        self.eat(b"()");
        self.enter_functions(first, start);
        self.push(Frame::ZshBody(false));
    }

    /// Reads the body of a function with a name; after `function` it can be a whole pipeline.
    #[cold]
    pub(in crate::scan) fn zsh_body(&mut self, keyword: bool) {
        self.blanks();
        match self.peek() {
            Some(b'\n') => {
                self.push(Frame::ZshBody(keyword));
                return self.newline();
            }
            Some(b';') if !self.ends_arm() => {
                self.bump();
                return self.push(Frame::ZshBody(keyword));
            }
            _ => {}
        }
        let reserved = self.reserved();
        if matches!(reserved, Some((Reserved::OpenBrace, _))) || !keyword {
            if self.start_compound(reserved) || self.start_definition(reserved) {
                return;
            }
            return match self.peek() {
                None | Some(b'&' | b'|' | b')' | b';') => {
                    self.report(DiagnosticKind::MissingCommand);
                }
                Some(_) => {
                    let context = self.context();
                    let (_, simple) = self.start_simple(context);
                    self.push(Frame::Simple(simple));
                }
            };
        }
        self.push(Frame::List(List::new(Stop::Short)));
    }

    /// Starts the body of a function without a name, which arguments may follow.
    pub(in crate::scan) fn start_anonymous(&mut self, start: u32) {
        let outer = self.enter(KindData::Group, Context::Group, start);
        self.push(Frame::ZshAnonymous(Anonymous {
            outer,
            arguments: Chain::default(),
            redirects: Chain::default(),
        }));
        self.push(Frame::ZshBody(false));
    }

    #[cold]
    pub(in crate::scan) fn zsh_anonymous(&mut self, mut function: Anonymous) {
        self.take_words(&mut function.arguments);
        self.take_redirects(&mut function.redirects);
        self.blanks();
        if let Some(byte) = self.peek() {
            if let Some(head) = self.redirect_head(byte) {
                self.push(Frame::ZshAnonymous(function));
                return self.start_redirect(head);
            }
            if self.word_ahead(byte) && !self.at_closing_brace() {
                self.push(Frame::ZshAnonymous(function));
                return self.start_word(Role::Argument);
            }
        }
        let scope = self.place.scope;
        if let Some(data) = self.scope_mut(scope) {
            data.words = function.arguments.first;
            data.redirects = function.redirects.first;
        }
        self.leave(function.outer);
    }

    /// Says where a function is defined that runs by itself; its name may be no text of the source.
    pub(in crate::scan) fn flag_hook(&mut self, name: Slice, definition: Slice) {
        if runs_alone(self.out.text.get(name)) {
            self.report_slice(DiagnosticKind::ZshOnly, definition);
        }
    }
}

/// Whether zsh calls a function of this name by itself.
fn runs_alone(name: &[u8]) -> bool {
    name.starts_with(b"TRAP")
        || matches!(
            name,
            b"chpwd"
                | b"command_not_found_handler"
                | b"periodic"
                | b"precmd"
                | b"preexec"
                | b"zsh_directory_name"
                | b"zshaddhistory"
                | b"zshexit"
        )
}
