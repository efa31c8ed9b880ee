//! Redirections.

use super::writer::Writer;

impl Writer<'_> {
    pub(super) fn redirect(&mut self) {
        match self.random.below(20) {
            0..=3 => {
                self.descriptor();
                self.heredoc();
            }
            4..=5 => {
                self.descriptor();
                self.code("<<<");
                self.gap(60);
                self.word();
            }
            6..=8 => self.one_of(&[
                "2>&1", ">&2", "1>&2", "2>&-", ">&-", "<&-", "3<&0", "3>&1-", "0<&0", "2>&1",
            ]),
            9 => {
                let operator = self.random.pick(&["&>", "&>>", ">&"]);
                self.code(operator);
                self.gap(40);
                self.target();
            }
            10..=11 => {
                self.descriptor();
                self.code("<");
                self.gap(40);
                self.one_of(&["/dev/null", "'/dev/null'", "/dev/nul\"l\""]);
            }
            12 => {
                self.descriptor();
                self.one_of(&["<", ">"]);
                self.raw(" ");
                self.process_substitution();
            }
            _ => {
                self.descriptor();
                let operator = self.random.pick(&[">", ">", ">", ">>", ">|", "<>"]);
                self.code(operator);
                self.gap(40);
                self.target();
            }
        }
    }

    fn descriptor(&mut self) {
        if self.random.chance(25) {
            self.one_of(&["0", "1", "2", "3", "{v}", "{fd}", "10", "2"]);
        }
    }

    fn target(&mut self) {
        if self.random.chance(85) {
            self.one_of(&[
                "f1",
                "f2",
                "f3",
                "./f1",
                "/dev/null",
                "'f 1'",
                "\"f2\"",
                "f\\3",
                "$x.f",
            ]);
        } else {
            self.word();
        }
    }
}
