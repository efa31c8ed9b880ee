//! Redirections: `2>file`, `{fd}<file`, `<<<word`, `&>file`.

use super::Scanner;
use super::class::ends_word;
use super::cursor::Cursor;
use super::frame::Frame;
use super::place::Site;
use super::word::Role;
use crate::DiagnosticKind;
use crate::arena::NONE;
use crate::model::{RedirectData, RedirectOp};
use crate::text::Slice;

/// Everything before the target.
#[derive(Debug, Clone, Copy)]
pub(super) struct RedirectHead {
    start: u32,
    end: u32,
    op: RedirectOp,
    fd: Option<u32>,
    variable: Option<Slice>,
}

/// A redirection whose target is being read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Redirecting {
    head: RedirectHead,
    site: Site,
}

impl Scanner {
    /// The redirection operator that comes next, with what is glued to it. `byte` is the next one.
    #[inline]
    pub(super) fn redirect_head(&self, byte: u8) -> Option<RedirectHead> {
        if !matches!(byte, b'<' | b'>' | b'&' | b'0'..=b'9' | b'{') {
            return None;
        }
        let mut cursor = self.cursor();
        let start = cursor.pos;
        let mut fd = None;
        let mut variable = None;
        match byte {
            b'<' | b'>' => {}
            b'&' if self.redirects_both() => {}
            b'0'..=b'9' => fd = Some(number(&mut cursor)?),
            b'{' => variable = Some(variable_name(&mut cursor)?),
            _ => return None,
        }
        let glued = fd.is_some() || variable.is_some();
        if glued && !matches!(cursor.peek(), Some(b'<' | b'>')) {
            return None;
        }
        let op = operator(&mut cursor)?;
        // `<(` and `>(` start a word.
        let process =
            matches!(op, RedirectOp::Read | RedirectOp::Write) && cursor.peek() == Some(b'(');
        (!process).then_some(RedirectHead {
            start,
            end: cursor.pos,
            op,
            fd,
            variable,
        })
    }

    pub(super) fn start_redirect(&mut self, head: RedirectHead) {
        self.pos = head.end;
        self.blanks();
        if head.op.is_heredoc() {
            let (target, heredoc) = self.delimiter(head.op);
            return self.complete_redirect(&head, target, heredoc);
        }
        match self.peek() {
            // A number before an operator belongs to that operator.
            Some(byte) if self.word_ahead(byte) && self.redirect_head(byte).is_none() => {
                let here = head.op == RedirectOp::HereString;
                let role = if here { Role::HereString } else { Role::Target };
                if let Some(target) = self.short_word(byte, role) {
                    let target = self.add_word(target);
                    return self.complete_redirect(&head, target, NONE);
                }
                let site = std::mem::replace(&mut self.place.site, Site::Redirect);
                self.push(Frame::Redirect(Redirecting { head, site }));
                self.start_long_word(role);
            }
            _ => self.report(DiagnosticKind::MissingWord),
        }
    }

    pub(super) fn end_redirect(&mut self, redirect: Redirecting) {
        self.place.site = redirect.site;
        let target = std::mem::take(&mut self.staged.words);
        if !target.is_empty() {
            self.complete_redirect(&redirect.head, target.first, NONE);
        }
    }

    fn complete_redirect(&mut self, head: &RedirectHead, target: u32, heredoc: u32) {
        let default = match head.op {
            RedirectOp::DupOut if !self.is_descriptor(target) => None,
            op => op.default_fd(),
        };
        let fd = if head.variable.is_some() {
            None
        } else {
            head.fd.or(default)
        };
        self.stage_redirect(RedirectData {
            op: head.op,
            fd,
            fd_variable: head.variable,
            target,
            start: head.start,
            heredoc,
            next: NONE,
        });
    }

    /// Whether a target is a number or `-`, and so no file.
    fn is_descriptor(&self, target: u32) -> bool {
        let literal = self.literal_of(target).unwrap_or_default();
        let digits = literal.strip_suffix(b"-").unwrap_or(literal);
        !literal.is_empty() && digits.iter().all(u8::is_ascii_digit)
    }
}

/// The variable of `{name}` or `{name[subscript]}`.
fn variable_name(cursor: &mut Cursor<'_>) -> Option<Slice> {
    cursor.next();
    let start = cursor.pos;
    if !cursor.name() {
        return None;
    }
    if cursor.eat(b'[') {
        while !cursor.eat(b']') {
            if ends_word(cursor.next()) {
                return None;
            }
        }
    }
    let name = Slice::new(start, cursor.pos);
    cursor.eat(b'}').then_some(name)
}

/// A descriptor, unless it is too large to be one.
fn number(cursor: &mut Cursor<'_>) -> Option<u32> {
    let mut value = 0u32;
    while let Some(digit) = cursor.peek().filter(u8::is_ascii_digit) {
        value = value
            .checked_mul(10)?
            .checked_add(u32::from(digit - b'0'))?;
        cursor.next();
    }
    i32::try_from(value).is_ok().then_some(value)
}

fn operator(cursor: &mut Cursor<'_>) -> Option<RedirectOp> {
    Some(match cursor.next()? {
        b'&' => {
            cursor.next();
            if cursor.eat(b'>') {
                RedirectOp::AppendAll
            } else {
                RedirectOp::WriteAll
            }
        }
        b'<' if cursor.eat(b'<') => {
            if cursor.eat(b'<') {
                RedirectOp::HereString
            } else if cursor.eat(b'-') {
                RedirectOp::HeredocTabs
            } else {
                RedirectOp::Heredoc
            }
        }
        b'<' if cursor.eat(b'&') => RedirectOp::DupIn,
        b'<' if cursor.eat(b'>') => RedirectOp::ReadWrite,
        b'<' => RedirectOp::Read,
        b'>' if cursor.eat(b'>') => RedirectOp::Append,
        b'>' if cursor.eat(b'&') => RedirectOp::DupOut,
        b'>' if cursor.eat(b'|') => RedirectOp::Clobber,
        b'>' => RedirectOp::Write,
        _ => return None,
    })
}
