//! Programs, lists and pipelines.

use super::writer::Writer;

/// What ends a list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// A reserved word, which needs a separator before it.
    Word,
    /// A parenthesis or an operator, which needs none.
    Operator,
}

impl Writer<'_> {
    /// Lists until the text is as long as wanted.
    pub(super) fn program(&mut self, size: usize) {
        if self.random.chance(4) {
            self.raw("shopt -s extglob\n");
            self.extglob = true;
        }
        self.and_or();
        while self.out.len() < size {
            self.separator();
            self.and_or();
        }
        if self.random.chance(10) {
            self.one_of(&[";", " &", " ;"]);
        }
    }

    /// A list inside something, up to what ends it.
    pub(super) fn list(&mut self, end: End) {
        self.nested(|writer| {
            writer.and_or();
            while writer.random.chance(35) {
                writer.separator();
                writer.and_or();
            }
            if end == End::Word || !writer.heredocs.is_empty() || writer.random.chance(20) {
                writer.separator();
            }
        });
    }

    /// A list in `{ }`, `( )` or after a reserved word may begin on the next line.
    pub(super) fn list_after_word(&mut self, end: End) {
        if self.random.chance(20) {
            self.newline();
        } else {
            self.blank();
        }
        self.list(end);
    }

    pub(super) fn separator(&mut self) {
        match self.random.below(20) {
            0..=8 => self.newline(),
            9..=10 => {
                self.code(" & ");
            }
            11 => {
                self.code(";");
                self.newline();
            }
            12 => self.code(" ; "),
            13 => self.code(";"),
            14 => {
                self.code("&");
                self.newline();
            }
            _ => self.code("; "),
        }
    }

    pub(super) fn and_or(&mut self) {
        self.pipeline();
        while self.random.chance(14) {
            self.gap(90);
            let operator = self.random.pick(&["&&", "||"]);
            self.code(operator);
            self.maybe_newline(10);
            self.pipeline();
        }
    }

    fn pipeline(&mut self) {
        match self.random.below(60) {
            0..=2 => self.code("! "),
            3 => self.code("time "),
            4 => self.code("time -p "),
            5 => self.code("time -- "),
            6 => self.code("! time "),
            7 => self.code("time ! "),
            8 => self.code("! ! "),
            9 => self.code("time -p -- "),
            _ => {}
        }
        self.command();
        while self.random.chance(12) {
            self.gap(90);
            let operator = self.random.pick(&["|", "|", "|", "|&"]);
            self.code(operator);
            self.maybe_newline(8);
            self.command();
        }
    }

    pub(super) fn command(&mut self) {
        if self.random.chance(30) && self.opens() {
            self.compound();
        } else {
            self.simple();
        }
    }
}
