//! Redirections: `2>file`, `{fd}<file`, `<<<word`, `&>file`.

use super::Scanner;
use super::class::ends_word;
use super::cursor::Cursor;
use super::frame::Frame;
use super::place::Site;
use super::word::Role;
use crate::arena::NONE;
use crate::model::{RedirectData, RedirectOp, Shape, WordData};
use crate::text::Slice;
use crate::{DiagnosticKind, Dialect};

/// Everything before the target.
#[derive(Debug, Clone, Copy)]
pub(super) struct RedirectHead {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) op: RedirectOp,
    pub(super) fd: Option<u32>,
    pub(super) variable: Option<Slice>,
}

impl RedirectHead {
    /// Whether its descriptor has two digits or more.
    pub(super) fn is_wide(&self) -> bool {
        self.fd.is_some_and(|fd| fd > 9)
    }

    /// What its target is.
    fn role(&self) -> Role {
        match self.op {
            RedirectOp::HereString => Role::HereString,
            _ => Role::Target,
        }
    }
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
        if self.zsh() {
            return self.zsh_redirect_head(byte);
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

    /// Reads a redirection to a word that needs no closer look, if that is what comes next.
    pub(super) fn short_redirect(&mut self, head: &RedirectHead) -> bool {
        if head.op.is_heredoc() {
            return false;
        }
        let before = std::mem::replace(&mut self.pos, head.end);
        if self.closes(head) {
            return true;
        }
        self.blanks();
        let role = head.role();
        let target = match self.byte() {
            Some(byte) if self.takes_number(head, byte) => self.short_word(byte, role),
            _ => None,
        };
        let Some(target) = target else {
            self.pos = before;
            return false;
        };
        let target = self.add_word(target);
        self.complete_redirect(head, target, NONE);
        true
    }

    /// Reads `<&-` and `>&-`. The dash is part of the operator, so what is glued to it is a word.
    fn closes(&mut self, head: &RedirectHead) -> bool {
        let duplicates = matches!(head.op, RedirectOp::DupIn | RedirectOp::DupOut);
        if !duplicates || self.zsh() || self.peek() != Some(b'-') {
            return false;
        }
        let dash = WordData::new(Slice::new(self.pos, self.pos + 1), Shape::PLAIN);
        self.pos += 1;
        if !ends_word(self.peek()) {
            self.flag_bashism();
        }
        let target = self.add_word(dash);
        self.complete_redirect(head, target, NONE);
        true
    }

    pub(super) fn start_redirect(&mut self, head: RedirectHead) {
        if self.short_redirect(&head) {
            return;
        }
        self.pos = head.end;
        self.blanks();
        if head.op.is_heredoc() {
            let (target, heredoc) = self.delimiter(head.op);
            return self.complete_redirect(&head, target, heredoc);
        }
        match self.peek() {
            Some(byte) if self.word_ahead(byte) && self.takes_number(&head, byte) => {
                let role = head.role();
                let site = std::mem::replace(&mut self.place.site, Site::Redirect);
                self.push(Frame::Redirect(Redirecting { head, site }));
                self.start_long_word(role);
            }
            _ => self.report(DiagnosticKind::MissingWord),
        }
    }

    /// Whether a word that starts with `byte` is the target even if it is a number before an
    /// operator, which elsewhere belongs to that operator.
    fn takes_number(&self, head: &RedirectHead, byte: u8) -> bool {
        let duplicates = matches!(head.op, RedirectOp::DupIn | RedirectOp::DupOut);
        duplicates && byte.is_ascii_digit() || self.redirect_head(byte).is_none()
    }

    pub(super) fn end_redirect(&mut self, redirect: Redirecting) {
        self.place.site = redirect.site;
        let target = std::mem::take(&mut self.staged.words);
        if !target.is_empty() {
            self.complete_redirect(&redirect.head, target.first, NONE);
        }
    }

    fn complete_redirect(&mut self, head: &RedirectHead, target: u32, heredoc: u32) {
        if head.variable.is_some() || head.op == RedirectOp::HereString {
            self.flag_bashism();
        }
        if self.options.dialect == Dialect::Unknown {
            self.flag_zsh_redirect(head.op, target);
        }
        let default = match head.op {
            RedirectOp::DupOut if !self.is_descriptor(target) => {
                self.flag_bashism();
                None
            }
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
