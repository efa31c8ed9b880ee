//! The scanner: one forward pass with one explicit stack.
//!
//! Every construct that is open is a [`Frame`]. The main loop takes the innermost frame off the
//! stack and lets it read on; a frame that meets something nested puts itself back first. So the
//! stack of frames is the only thing that grows with nesting, and reaching the end of the input
//! closes whatever is open by the same way as reaching its end mark.
//!
//! A construct is a struct with what it must remember, a [`Frame`] and its arm in `step`, a
//! `start_…` that reads the head and pushes it, and a method that reads on. A frame that needs
//! something nested pushes itself and starts that. Words that are complete wait in [`Staged`], and
//! the frame they belong to takes them first thing when it reads on.

mod arith;
mod array;
mod assign;
mod backtick;
mod brace;
mod build;
mod case;
mod class;
mod compound;
mod cond;
mod coproc;
mod cursor;
mod delimiter;
mod derived;
mod dollar;
mod escape;
mod extglob;
mod r#for;
mod frame;
mod function;
mod heredoc;
mod list;
mod options;
mod param;
mod parens;
mod place;
mod plain;
mod quote;
mod quoted_braces;
mod reach;
mod redirect;
mod report;
mod reserved;
mod sequence;
mod simple;
mod spare;
mod split;
mod staged;
mod stop;
mod subst;
mod versions;
mod word;
mod zsh;

use self::frame::Frame;
use self::heredoc::{Body, Pending};
use self::list::List;
use self::parens::Parens;
use self::place::Place;
use self::quoted_braces::Watch;
use self::reach::Reach;
use self::staged::Staged;
use self::stop::Stop;
use crate::arena::{Budget, push};
use crate::text::{Slice, offset};
use crate::{DiagnosticKind, Dialect, Options, Script, Status};
use std::mem::take;

/// Lists every command of a source. Any bytes will do; what cannot be understood is reported in
/// the status and the diagnostics of the result.
pub fn lex(source: &[u8], options: &Options) -> Script {
    let script = lex_as(source, options);
    if script.status == Status::SyntaxError && options.dialect == Dialect::Unknown {
        return zsh::read_as_zsh(script, source, options);
    }
    script
}

fn lex_as(source: &[u8], options: &Options) -> Script {
    let limit = options.limits.input_bytes.min(u32::MAX as usize / 64);
    let refused = if source.len() > limit {
        Some(DiagnosticKind::InputLimit)
    } else if matches!(options.dialect, Dialect::Fish | Dialect::PowerShell) {
        Some(DiagnosticKind::UnsupportedDialect)
    } else {
        None
    };
    // A longer source is refused unread, and its offsets would not fit.
    let source = source.get(..u32::MAX as usize / 2).unwrap_or(source);
    let mut scanner = Scanner::new(source.len(), *options);
    scanner.recycle();
    scanner.out.text.set_source(source);
    if let Some(kind) = refused {
        scanner.pos = scanner.limit;
        scanner.report_slice(kind, Slice::new(0, scanner.limit));
    }
    // Looking for the byte before its place is what goes fast.
    if source.contains(&0)
        && let Some(at) = source.iter().position(|&byte| byte == 0)
    {
        scanner.nul = true;
        scanner.report_slice(
            DiagnosticKind::NulByte,
            Slice::new(offset(at), offset(at + 1)),
        );
    }
    scanner.run()
}

pub(super) struct Scanner {
    /// What has been read.
    out: Script,
    options: Options,
    pos: u32,
    /// Where the text being read ends: the source, or a body inside it.
    limit: u32,
    frames: Vec<Frame>,
    /// Where in the nesting reading is.
    place: Place,
    /// What is complete and waits for its owner.
    staged: Staged,
    budget: Budget,
    /// Here-documents whose bodies have not been reached.
    pending: Vec<Pending>,
    /// Bodies whose end is known and whose inside has not been read.
    bodies: Vec<Body>,
    /// How many bodies have been found.
    bodies_found: u32,
    parens: Parens,
    watch: Watch,
    /// Where arithmetic in parentheses ends.
    arithmetic: Reach,
    /// Where nested parentheses end that bash took for arithmetic first.
    retried: Reach,
    /// Whether extended patterns are on.
    extglob: bool,
    /// Whether they are from the next line on.
    extglob_next: bool,
    /// Whether there are NUL bytes, which some ways into a shell drop and others stop at.
    nul: bool,
    /// Whether a limit was reached; from then on every text is at its end.
    halted: bool,
    pipelines: u32,
    /// Bytes that were read again.
    reread: u64,
    /// Whether the line of the script being read has not reached its first command.
    new_line: bool,
    /// The commands on complete lines of the script.
    complete: u32,
}

impl Scanner {
    fn new(len: usize, options: Options) -> Self {
        Self {
            out: Script::default(),
            options,
            pos: 0,
            limit: offset(len),
            frames: Vec::new(),
            place: Place::script(),
            staged: Staged::default(),
            budget: Budget::for_source(len),
            pending: Vec::new(),
            bodies: Vec::new(),
            bodies_found: 0,
            parens: Parens::default(),
            watch: Watch::default(),
            arithmetic: Reach::default(),
            retried: Reach::default(),
            extglob: false,
            extglob_next: false,
            nul: false,
            halted: false,
            pipelines: 0,
            reread: 0,
            new_line: true,
            complete: 0,
        }
    }

    fn run(&mut self) -> Script {
        self.make_room();
        self.open_script();
        self.push(Frame::List(List::new(Stop::End)));
        while let Some(frame) = self.frames.pop() {
            if self.budget.overdrawn {
                self.halt(DiagnosticKind::MemoryLimit);
            }
            self.step(frame);
        }
        self.abandon_heredocs();
        self.leave(Place::script());
        self.keep_stacks();
        take(&mut self.out)
    }

    /// Makes the room that a source of this length usually takes, so that it need not grow.
    fn make_room(&mut self) {
        let len = self.out.source().len();
        let (out, budget) = (&mut self.out, &mut self.budget);
        budget.grow_to(&mut out.words, len / 8 + 2);
        budget.grow_to(&mut out.commands, len / 40 + 2);
        budget.grow_to(&mut out.scopes, len / 64 + 1);
        if len > 64 {
            budget.grow_to(&mut out.details, len / 40);
            budget.grow_to(&mut out.parts, len / 24);
        }
    }

    /// Puts a frame on the stack, unless it is full.
    #[inline]
    fn push(&mut self, frame: Frame) {
        // A construct costs four frames: a word, what is in the word, a list and its command.
        if self.frames.len() / 4 > self.options.limits.depth {
            self.halt(DiagnosticKind::DepthLimit);
        }
        push(&mut self.frames, frame, &mut self.budget);
    }
}
