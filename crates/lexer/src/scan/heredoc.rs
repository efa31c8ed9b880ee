//! Here-documents: `<<end`, `<<-end`.
//!
//! A body starts at the newline after its operator, behind the bodies of the operators before it.
//! Where it ends depends on lines alone; only then is its inside read.

use super::Scanner;
use super::build::{Mode, Tildes};
use super::frame::Frame;
use super::place::{Place, Site};
use crate::arena::{Run, push};
use crate::model::{
    Cardinality, CommandId, Context, DetailData, KindData, PartData, Shape, WordData, WordKind,
};
use crate::text::{Slice, offset};
use crate::{DiagnosticKind, Dialect};

/// An operator whose body has not been reached.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pending {
    pub(super) heredoc: u32,
    pub(super) delimiter: Slice,
    pub(super) quoted: bool,
    pub(super) strip: bool,
    /// Whether a substitution ended before the body. Such bodies come before all others.
    pub(super) early: bool,
    pub(super) place: Place,
}

/// A body whose inside has not been read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Body {
    heredoc: u32,
    slice: Slice,
    place: Place,
}

/// A body whose inside is being read, and where to go on after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyEnd {
    heredoc: u32,
    slice: Slice,
    pieces: u32,
    outer: Place,
    pos: u32,
    limit: u32,
}

impl Pending {
    /// The command that it belongs to.
    pub(super) fn owner(&self) -> Option<CommandId> {
        self.place.owner
    }

    fn tab_at(&self, scanner: &mut Scanner) -> bool {
        let byte = if self.quoted {
            scanner.byte()
        } else {
            scanner.peek()
        };
        byte == Some(b'\t')
    }
}

/// The length of the first line, with its newline.
fn line_len(rest: &[u8], quoted: bool) -> usize {
    let mut at = 0;
    while let Some(&byte) = rest.get(at) {
        at += 1;
        match byte {
            b'\n' => break,
            b'\\' if !quoted => at += 1,
            _ => {}
        }
    }
    at.min(rest.len())
}

impl Scanner {
    pub(super) fn pending_len(&self) -> u32 {
        offset(self.pending.len())
    }

    /// Consumes a newline, and the bodies that start behind it.
    pub(super) fn newline(&mut self) {
        self.pos += 1;
        self.extglob |= self.extglob_next;
        let base = self.place.pending as usize;
        if self.pending.len() <= base {
            return;
        }
        let height = self.bodies.len();
        self.delimit_from(base);
        if self.bodies.len() > height {
            // The last one on the stack is read first.
            if let Some(added) = self.bodies.get_mut(height..) {
                added.reverse();
            }
            self.push(Frame::Bodies(offset(height)));
        }
    }

    /// Gives every here-document that never met a newline an empty body.
    pub(super) fn abandon_heredocs(&mut self) {
        self.delimit_from(self.place.pending as usize);
    }

    /// Finds the bodies of the operators that wait behind `base`.
    fn delimit_from(&mut self, base: usize) {
        for early in [true, false] {
            for at in base..self.pending.len() {
                if let Some(pending) = self.pending.get(at).copied()
                    && pending.early == early
                {
                    self.delimit(&pending);
                }
            }
        }
        self.pending.truncate(base);
    }

    /// Leaves the here-documents of a substitution that ends before their bodies to the text
    /// around it. bash then reads them before the ones that were waiting there; other shells
    /// need not.
    pub(super) fn outlive(&mut self, base: u32, commands: usize) {
        let base = base as usize;
        if self.pending.len() <= base {
            return;
        }
        // Of several commands bash 5.2 may lose what stands between them, and other shells look for
        // no body outside.
        let simple = self.pending.len() == 1 && commands <= 1;
        let kind = if simple && self.options.dialect == Dialect::Bash {
            DiagnosticKind::HeredocOutlivesSubstitution
        } else {
            DiagnosticKind::ShellDependent
        };
        self.report(kind);
        // What is early already comes first.
        let waiting = self.pending.get_mut(base..).unwrap_or_default();
        if !waiting.is_sorted_by_key(|pending| !pending.early) {
            // Sorting takes half of it again for a moment.
            self.budget.overdrawn |= !self.budget.allows(size_of_val(waiting));
            waiting.sort_by_key(|pending| !pending.early);
        }
        for pending in waiting {
            pending.early = true;
        }
    }

    fn delimit(&mut self, pending: &Pending) {
        self.bodies_found += 1;
        let start = self.pos;
        if pending.strip && self.starts_with_tab(pending) && self.options.dialect != Dialect::Bash {
            self.report(DiagnosticKind::ShellDependent);
        }
        let mut end = start;
        let mut lines = Vec::new();
        let mut stripped = false;
        loop {
            let line = self.pos;
            if line >= self.limit {
                self.report(DiagnosticKind::HeredocEndedByEof);
                break;
            }
            if pending.strip {
                // With its tabs the line counts too.
                if self.starts_with_tab(pending)
                    && let Some(after) = self.end_mark(pending)
                {
                    self.pos = after;
                    break;
                }
                // Lines are joined before tabs are removed.
                while pending.tab_at(self) {
                    self.pos += 1;
                }
                stripped |= self.pos > line;
            }
            if let Some(after) = self.end_mark(pending) {
                let line_ends = self.out.text.byte(after.saturating_sub(1)) == Some(b'\n');
                self.pos = after;
                if !line_ends && self.byte().is_some() {
                    self.report(DiagnosticKind::ShellDependent);
                }
                break;
            }
            let text = self.pos;
            self.pos = self.next_line(pending.quoted);
            if pending.strip {
                push(&mut lines, Slice::new(text, self.pos), &mut self.budget);
            }
            end = self.pos;
        }
        self.reread(end.saturating_sub(start));
        let whole = [Slice::new(start, end)];
        let kept = if stripped { &lines[..] } else { &whole[..] };
        let body = if !pending.quoted && self.continues(kept) {
            // They go before the inside is read, in whatever quotes they stand there.
            let joined = self.without_continuations(kept);
            let body = self.derive(&joined);
            self.budget.free(joined);
            body
        } else if stripped {
            self.derive(&lines)
        } else {
            Slice::new(start, end)
        };
        self.budget.free(lines);
        let special = |byte: &u8| matches!(byte, b'$' | b'`' | b'\\');
        if pending.quoted || !self.out.text.get(body).iter().any(special) {
            let word = self.static_word(body, body, pending.quoted);
            self.set_body(pending.heredoc, word);
        } else {
            let Pending { heredoc, place, .. } = *pending;
            let body = Body {
                heredoc,
                slice: body,
                place,
            };
            push(&mut self.bodies, body, &mut self.budget);
        }
    }

    fn starts_with_tab(&self, pending: &Pending) -> bool {
        self.out.text.byte(pending.delimiter.start) == Some(b'\t')
    }

    /// Whether a body that has substitutions in it has backslash-newlines too.
    fn continues(&self, kept: &[Slice]) -> bool {
        let texts = kept.iter().map(|slice| self.out.text.get(*slice));
        let (mut substitutes, mut continues) = (false, false);
        for text in texts {
            substitutes |= text.contains(&b'$') || text.contains(&b'`');
            continues |= text.contains(&b'\\') && text.windows(2).any(|pair| pair == b"\\\n");
        }
        substitutes && continues
    }

    fn without_continuations(&mut self, kept: &[Slice]) -> Vec<Slice> {
        let mut joined = Vec::new();
        for slice in kept {
            let mut from = slice.start;
            let mut at = slice.start;
            while at < slice.end {
                let escapes = self.out.text.byte(at) == Some(b'\\');
                if escapes && self.out.text.byte(at + 1) == Some(b'\n') {
                    push(&mut joined, Slice::new(from, at), &mut self.budget);
                    from = at + 2;
                }
                at += 1 + u32::from(escapes);
            }
            let rest = Slice::new(from.min(slice.end), slice.end);
            push(&mut joined, rest, &mut self.budget);
        }
        joined
    }

    /// Where reading goes on, if the line at the current position ends the body.
    fn end_mark(&self, pending: &Pending) -> Option<u32> {
        let wanted = self.out.text.get(pending.delimiter);
        if wanted.contains(&b'\n') {
            return None;
        }
        let mut after = self.pos;
        if pending.quoted {
            let rest = self.out.text.tail(self.pos, self.limit);
            rest.starts_with(wanted).then_some(())?;
            after += offset(wanted.len());
        } else {
            let mut cursor = self.cursor();
            wanted.iter().all(|&byte| cursor.eat(byte)).then_some(())?;
            cursor.peek();
            after = cursor.pos;
        }
        let rest = self.out.text.tail(after, self.limit);
        match rest.first() {
            None => Some(after),
            Some(b'\n') => Some(after + 1),
            Some(_) => {
                // In a substitution bash settles for a line that starts like the end mark and
                // may close the substitution; what is behind the mark is code.
                let terminator = self.place.terminator.filter(|_| !self.zsh())?;
                let line = rest.get(..line_len(rest, pending.quoted))?;
                line.contains(&terminator).then_some(after)
            }
        }
    }

    /// The start of the next line. Unless the delimiter is quoted, a backslash joins two lines.
    fn next_line(&self, quoted: bool) -> u32 {
        let rest = self.out.text.tail(self.pos, self.limit);
        self.pos + offset(line_len(rest, quoted))
    }

    pub(super) fn bodies(&mut self, until: u32) {
        if self.bodies.len() <= until as usize {
            return;
        }
        let Some(body) = self.bodies.pop() else {
            return;
        };
        self.push(Frame::Bodies(until));
        let (outer, pos, limit) = (self.place, self.pos, self.limit);
        // The command may have become a pipeline stage since the operator was read.
        self.place = body.place;
        if let Some(command) = self.place.owner.and_then(|id| self.out.command(id)) {
            self.place.stage = Some(command.scope());
        }
        let owner = self.place.owner;
        self.enter(
            KindData::Heredoc,
            Context::HeredocSubstitution,
            body.slice.start,
        );
        self.place.owner = owner;
        self.place.site = Site::Heredoc;
        self.place.deferred = true;
        self.place.terminator = None;
        self.place.pending = self.pending_len();
        let (heredoc, slice, pieces) = (body.heredoc, body.slice, self.pieces_len());
        self.push(Frame::BodyEnd(BodyEnd {
            heredoc,
            slice,
            pieces,
            outer,
            pos,
            limit,
        }));
        self.resume(slice.start, slice.end);
        self.start_body_text();
    }

    pub(super) fn end_body(&mut self, end: BodyEnd) {
        let mode = Mode {
            splits: false,
            globs: false,
            tildes: Tildes::None,
        };
        let word = self.build_pieces(end.pieces, end.slice, false, mode);
        self.set_body(end.heredoc, word);
        self.abandon_heredocs();
        self.leave(end.outer);
        self.resume(end.pos, end.limit);
    }

    fn set_body(&mut self, heredoc: u32, word: WordData) {
        let word = self.add_word(word);
        if let Some(data) = self.out.heredocs.get_mut(heredoc as usize) {
            data.body = word;
        }
    }

    pub(super) fn static_word(&mut self, slice: Slice, text: Slice, quoted: bool) -> WordData {
        if text == slice && !quoted {
            return WordData::new(slice, Shape::PLAIN);
        }
        let part = PartData::Literal { text, quoted };
        let start = push(&mut self.out.parts, part, &mut self.budget);
        let detail = DetailData {
            source: slice,
            prefix: text,
            suffix: text,
            parts: Run {
                start,
                end: start + 1,
            },
            kind: WordKind::Static,
            cardinality: Cardinality::One,
            quoted,
        };
        let index = push(&mut self.out.details, detail, &mut self.budget);
        WordData::new(slice, Shape::detailed(index))
    }
}
