//! Redirections: descriptors of one digit, and operators that override `noclobber`.

use crate::model::RedirectOp;
use crate::scan::Scanner;
use crate::scan::cursor::Cursor;
use crate::scan::redirect::RedirectHead;
use crate::text::Slice;

impl Scanner {
    /// The redirection operator that comes next, with what stands before it.
    #[cold]
    pub(in crate::scan) fn zsh_redirect_head(&self, byte: u8) -> Option<RedirectHead> {
        let mut cursor = self.cursor();
        let start = cursor.pos;
        let mut fd = None;
        let mut variable = None;
        match byte {
            b'<' | b'>' => {}
            b'&' if self.looking_at(b"&>") => {}
            b'0'..=b'9' => {
                cursor.next();
                let both = cursor.peek() == Some(b'&');
                if !both && !matches!(cursor.peek(), Some(b'<' | b'>')) {
                    return None;
                }
                fd = Some(u32::from(byte - b'0'));
            }
            b'{' => variable = Some(variable_name(&mut cursor)?),
            _ => return None,
        }
        if self.number_pattern(cursor.pos).is_some() {
            return None;
        }
        let op = operator(&mut cursor)?;
        Some(RedirectHead {
            start,
            end: cursor.pos,
            op,
            fd,
            variable,
        })
    }
}

/// The variable of `{name}`, which may stand apart from its operator.
fn variable_name(cursor: &mut Cursor<'_>) -> Option<Slice> {
    cursor.next();
    let start = cursor.pos;
    while cursor
        .peek()
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    {
        cursor.next();
    }
    let name = Slice::new(start, cursor.pos);
    let named = cursor.eat(b'}') && !name.is_empty();
    cursor.blanks();
    let mut ahead = *cursor;
    let both = ahead.eat(b'&') && ahead.peek() == Some(b'>');
    (named && (both || matches!(cursor.peek(), Some(b'<' | b'>')))).then_some(name)
}

fn operator(cursor: &mut Cursor<'_>) -> Option<RedirectOp> {
    let op = match cursor.next()? {
        b'&' => {
            cursor.eat(b'>').then_some(())?;
            if cursor.eat(b'>') {
                RedirectOp::AppendAll
            } else {
                RedirectOp::WriteAll
            }
        }
        b'<' | b'>' if cursor.peek() == Some(b'(') => return None,
        b'<' if before_process(cursor, b'<') => return Some(RedirectOp::Read),
        b'<' if cursor.eat(b'<') => {
            return Some(if cursor.eat(b'<') {
                RedirectOp::HereString
            } else if cursor.eat(b'-') {
                RedirectOp::HeredocTabs
            } else {
                RedirectOp::Heredoc
            });
        }
        b'<' if cursor.eat(b'&') => return Some(RedirectOp::DupIn),
        b'<' if cursor.eat(b'>') => return Some(RedirectOp::ReadWrite),
        b'<' => return Some(RedirectOp::Read),
        b'>' if before_process(cursor, b'>') => return Some(RedirectOp::Write),
        b'>' if cursor.eat(b'>') => {
            if cursor.eat(b'&') {
                RedirectOp::AppendAll
            } else {
                RedirectOp::Append
            }
        }
        b'>' if cursor.eat(b'&') => RedirectOp::DupOut,
        b'>' => RedirectOp::Write,
        _ => return None,
    };
    let forced = cursor.eat(b'|') || cursor.eat(b'!');
    Some(match op {
        RedirectOp::Write if forced => RedirectOp::Clobber,
        RedirectOp::DupOut if forced => RedirectOp::WriteAll,
        op => op,
    })
}

/// Whether the second of two angle brackets starts a process substitution.
fn before_process(cursor: &Cursor<'_>, bracket: u8) -> bool {
    let mut ahead = *cursor;
    ahead.eat(bracket) && ahead.peek() == Some(b'(')
}
