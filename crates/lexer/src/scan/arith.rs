//! Arithmetic: `$(( ))`, `(( ))`, `$[ ]` and subscripts.
//!
//! The shell expands arithmetic as if it stood in double quotes. Quotation marks inside protect
//! nothing there, so every expansion counts.

use super::Scanner;
use super::class::{BREAK, ends_word, is};
use super::frame::Frame;
use super::place::{Place, Site};
use crate::model::{Context, KindData, PartData};
use crate::text::Slice;

#[derive(Debug, Clone, Copy)]
pub(super) struct Arith {
    start: u32,
    pieces: u32,
    kind: Kind,
    /// Where the text around it ends. The closing parentheses, for the kinds that end in them,
    /// are a limit for everything inside.
    limit: u32,
    /// Open brackets, for the kinds that end in one.
    depth: u32,
    /// The quotation mark that keeps a bracket from counting.
    quote: Option<u8>,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// `$((…))`
    Dollar { quoted: bool, site: Site },
    /// `$[…]`
    Bracket { quoted: bool, site: Site },
    /// `((…))`
    Command { outer: Place },
    /// `((…))` behind `for`
    For { outer: Place },
    /// `[…]` behind a name in a word
    Subscript,
    /// `[…]` behind a name in `${…}`, which a `}` ends too
    ParamSubscript,
}

impl Kind {
    fn ends_in_bracket(self) -> bool {
        matches!(
            self,
            Self::Bracket { .. } | Self::Subscript | Self::ParamSubscript
        )
    }
}

impl Arith {
    /// Whether process substitutions are read here: a subscript may turn out to be part of a word.
    fn takes_processes(&self) -> bool {
        matches!(self.kind, Kind::Subscript) && self.quote.is_none()
    }

    /// Whether a byte ends the word that zsh takes a subscript for.
    fn ends_at_blank(&self, byte: u8) -> bool {
        matches!(self.kind, Kind::Subscript) && self.quote.is_none() && ends_word(Some(byte))
    }

    /// Accounts for one byte; whether it is the bracket that ends the expression.
    fn ends_at(&mut self, byte: u8) -> bool {
        if let Some(quote) = self.quote {
            if byte == quote {
                self.quote = None;
            }
            return false;
        }
        match byte {
            b'\'' | b'"' => self.quote = Some(byte),
            b'}' => return matches!(self.kind, Kind::ParamSubscript),
            b'[' => self.depth += 1,
            b']' if self.depth == 0 => return true,
            b']' => self.depth -= 1,
            _ => {}
        }
        false
    }
}

impl Scanner {
    /// Starts `$((…))` unless its parentheses belong to commands.
    pub(super) fn start_dollar_arith(&mut self, start: u32, quoted: bool) -> bool {
        let Some(end) = self.arith_end() else {
            return false;
        };
        let site = std::mem::replace(&mut self.place.site, Site::Arithmetic);
        self.start_parens(start, Kind::Dollar { quoted, site }, end);
        true
    }

    /// Starts `((…))` unless its parentheses belong to subshells.
    pub(super) fn start_arith_command(&mut self, start: u32) -> bool {
        let Some(end) = self.arith_end() else {
            return false;
        };
        self.flag_bashism();
        let outer = self.enter_arith(start);
        self.start_parens(start, Kind::Command { outer }, end);
        true
    }

    /// Starts the `((…))` of a `for`, which cannot be anything else.
    pub(super) fn start_for_arith(&mut self) {
        self.flag_bashism();
        let start = self.pos;
        let end = self.arith_end().unwrap_or(self.limit);
        let outer = self.enter_arith(start);
        self.start_parens(start, Kind::For { outer }, end);
    }

    fn enter_arith(&mut self, start: u32) -> Place {
        let outer = self.enter(KindData::Arithmetic, Context::ArithmeticSubstitution, start);
        self.place.site = Site::Arithmetic;
        outer
    }

    fn start_parens(&mut self, start: u32, kind: Kind, end: u32) {
        self.bump();
        self.bump();
        self.push_arith(start, kind);
        self.arithmetic.extend(&self.out.text, end);
        self.limit = self.limit.min(end);
    }

    pub(super) fn start_bracket_arith(&mut self, start: u32, quoted: bool) {
        self.flag_bashism();
        self.bump();
        let site = std::mem::replace(&mut self.place.site, Site::Arithmetic);
        self.push_arith(start, Kind::Bracket { quoted, site });
    }

    pub(super) fn start_subscript(&mut self) {
        let start = self.pos;
        self.bump();
        self.push_arith(start, Kind::Subscript);
    }

    pub(super) fn start_param_subscript(&mut self) {
        let start = self.pos;
        self.bump();
        self.push_arith(start, Kind::ParamSubscript);
    }

    fn push_arith(&mut self, start: u32, kind: Kind) {
        let (pieces, limit) = (self.pieces_len(), self.limit);
        self.push(Frame::Arith(Arith {
            start,
            pieces,
            kind,
            limit,
            depth: 0,
            quote: None,
        }));
    }

    /// Where the shell ends what starts with two parentheses here. It looks for that end first,
    /// by text alone, and reads what is inside only when it runs.
    pub(super) fn text_end(&mut self) -> Option<u32> {
        if self.looking_at(b"((") && !self.zsh() {
            self.closing(self.pos)
        } else {
            None
        }
    }

    /// Where the second of two opening parentheses is closed, if the first is closed right after.
    fn arith_end(&mut self) -> Option<u32> {
        if self.maybe_zsh() && self.doubtful_arith() && self.zsh() {
            return None;
        }
        let mut cursor = self.cursor();
        cursor.next();
        cursor.peek();
        let inner = cursor.pos;
        let end = self
            .closing(inner)
            .filter(|&end| end + 1 < self.limit && self.out.text.byte(end + 1) == Some(b')'));
        if end.is_none() {
            let outer = self.closing(self.pos).unwrap_or(self.limit);
            self.retried.extend(&self.out.text, outer);
        }
        end
    }

    pub(super) fn arith(&mut self, mut arith: Arith) {
        while let Some(byte) = self.byte() {
            match byte {
                b'\\' => self.pos = (self.pos + 2).min(self.limit),
                b'$' => {
                    self.push(Frame::Arith(arith));
                    return self.dollar(true);
                }
                b'`' => {
                    self.push(Frame::Arith(arith));
                    return self.start_backtick(true, false);
                }
                b'<' | b'>' if arith.takes_processes() && self.peek_second() == Some(b'(') => {
                    self.push(Frame::Arith(arith));
                    return self.start_process();
                }
                _ if self.zsh() && arith.ends_at_blank(byte) => return self.end_arith(&arith),
                _ if arith.kind.ends_in_bracket() && arith.ends_at(byte) => {
                    return self.end_arith(&arith);
                }
                _ => self.pos += 1,
            }
        }
        self.end_arith(&arith);
    }

    fn end_arith(&mut self, arith: &Arith) {
        let closed = if arith.kind.ends_in_bracket() {
            self.eat(b"]") || matches!(arith.kind, Kind::ParamSubscript) && self.byte().is_some()
        } else {
            self.resume(self.pos, arith.limit);
            self.eat(b"))")
        };
        if let Kind::Dollar { site, .. } | Kind::Bracket { site, .. } = arith.kind {
            self.place.site = site;
        }
        let word = self.zsh() && matches!(arith.kind, Kind::Subscript);
        if !closed && !word {
            self.unterminated(arith.start);
        }
        self.drop_pieces(arith.pieces);
        let source = Slice::new(arith.start, self.pos);
        match arith.kind {
            Kind::Dollar { quoted, .. } | Kind::Bracket { quoted, .. } => {
                self.piece(source, PartData::Arithmetic { quoted });
            }
            Kind::Command { outer } => self.end_compound(outer, true),
            Kind::For { outer } => self.leave(outer),
            Kind::Subscript => self.keep_subscript(source),
            Kind::ParamSubscript => {}
        }
    }

    /// Keeps the text for the case that no assignment follows.
    fn keep_subscript(&mut self, source: Slice) {
        let special = |byte: &u8| is(*byte, BREAK);
        if self.out.text.get(source).iter().any(special) {
            self.piece(source, PartData::Opaque(source));
        } else {
            self.literal(source, false);
        }
    }
}
