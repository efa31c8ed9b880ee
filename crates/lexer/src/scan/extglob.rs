//! Extended patterns, `@(a|b)`, and the groups of regular expressions.

use super::Scanner;
use super::frame::Frame;
use super::place::Site;
use crate::DiagnosticKind;
use crate::model::PartData;
use crate::text::Slice;

#[derive(Debug, Clone, Copy)]
pub(super) struct Extglob {
    start: u32,
    pieces: u32,
    depth: u32,
}

impl Scanner {
    /// Starts a pattern at its parenthesis; `operator` tells whether the byte before belongs to it.
    pub(super) fn start_extglob(&mut self, operator: bool) {
        let mut start = self.pos;
        if operator && let Some(last) = self.staged.pieces.last_mut() {
            last.source.end = last.source.end.saturating_sub(1);
            if let PartData::Literal { text, .. } = &mut last.part {
                text.end = text.end.saturating_sub(1);
                start = text.end;
            }
        }
        self.push(Frame::Extglob(Extglob {
            start,
            pieces: self.pieces_len(),
            depth: 0,
        }));
    }

    pub(super) fn extglob(&mut self, mut extglob: Extglob) {
        while let Some(byte) = self.peek() {
            match byte {
                b'(' => extglob.depth += 1,
                b')' => {
                    extglob.depth = extglob.depth.saturating_sub(1);
                    if extglob.depth == 0 {
                        self.bump();
                        return self.end_extglob(&extglob);
                    }
                }
                b'\\' => {
                    self.pos = (self.pos + 2).min(self.limit);
                    continue;
                }
                b'\'' => {
                    self.single_quotes();
                    continue;
                }
                b'"' => {
                    self.push(Frame::Extglob(extglob));
                    return self.start_double_quotes();
                }
                b'$' => {
                    self.push(Frame::Extglob(extglob));
                    return self.dollar(false);
                }
                b'`' => {
                    self.push(Frame::Extglob(extglob));
                    return self.start_backtick(false, false);
                }
                b'<' | b'>' if self.peek_second() == Some(b'(') => {
                    self.push(Frame::Extglob(extglob));
                    return self.start_process();
                }
                _ => {}
            }
            self.pos += 1;
        }
        self.report_from(DiagnosticKind::UnterminatedExpansion, extglob.start);
        self.end_extglob(&extglob);
    }

    /// Leaves one part for the pattern, whose text covers the expansions that follow it.
    fn end_extglob(&mut self, extglob: &Extglob) {
        let source = Slice::new(extglob.start, self.pos);
        if self.place.site != Site::Test && self.maybe_zsh() {
            self.flag_group(source);
        }
        let base = (extglob.pieces as usize).min(self.staged.pieces.len());
        let mut inner = self.staged.pieces.split_off(base);
        inner.retain(|piece| !matches!(piece.part, PartData::Literal { .. }));
        self.piece(source, PartData::Glob(source));
        for mut piece in inner {
            piece.source = Slice::new(source.end, source.end);
            self.staged.pieces.push(piece);
        }
    }
}
