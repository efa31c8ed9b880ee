//! `[[ ]]`.

use super::writer::Writer;

impl Writer<'_> {
    pub(super) fn test(&mut self) {
        self.code("[[ ");
        self.nested(Self::condition);
        self.code(" ]]");
    }

    fn condition(&mut self) {
        self.term();
        while self.random.chance(20) {
            self.raw(" ");
            let operator = self.random.pick(&["&&", "||"]);
            self.code(operator);
            self.raw(" ");
            if self.heredocs.is_empty() && self.random.chance(10) {
                self.one_of(&["\n", "# it's\n"]);
            }
            self.term();
        }
    }

    fn term(&mut self) {
        match self.random.below(20) {
            0 => {
                self.raw("! ");
                self.primary();
            }
            1 if self.opens() => {
                self.one_of(&["( ", "("]);
                self.nested(Self::condition);
                self.one_of(&[" )", ")"]);
            }
            _ => self.primary(),
        }
    }

    fn primary(&mut self) {
        match self.random.below(10) {
            0..=2 => {
                let operator = self.random.pick(&[
                    "-a", "-b", "-c", "-d", "-e", "-f", "-g", "-h", "-k", "-p", "-r", "-s", "-t",
                    "-u", "-w", "-x", "-G", "-L", "-N", "-O", "-S", "-o", "-v", "-R", "-z", "-n",
                ]);
                self.code(operator);
                self.blank();
                self.tested();
            }
            3..=5 => {
                self.tested();
                self.blank();
                self.one_of(&["=", "==", "!=", "<", ">", "-nt", "-ot", "-ef"]);
                self.blank();
                if self.random.chance(40) {
                    self.glob();
                } else {
                    self.tested();
                }
            }
            6 => {
                self.one_of(&["1", "x", "$x", "x+1", "\"$(c1 a)\"", "a[0]"]);
                self.blank();
                self.one_of(&["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);
                self.raw(" ");
                self.one_of(&["0", "y", "$y", "'1 + 1'"]);
            }
            7..=8 => {
                self.tested();
                self.raw(" =~ ");
                self.regex();
            }
            _ => self.tested(),
        }
    }

    fn tested(&mut self) {
        if self.random.chance(40) {
            self.one_of(&[
                "a1",
                "$x",
                "\"$x\"",
                "'b c'",
                "x",
                "${x}",
                "/dev/null",
                "\"\"",
            ]);
        } else {
            self.word();
        }
    }

    fn regex(&mut self) {
        match self.random.below(6) {
            0..=2 => self.one_of(&[
                "^a",
                "(a|b)",
                "^(a|b c)+$",
                "[[:alpha:]]+",
                "a\\ b",
                "$x",
                "\"(\"",
                "'$('",
                "(a(b)|c)*",
                "^[^)]+$",
                "a{1,2}",
                "\\(",
                "(<|>)",
                "a;b",
                "(;|&)",
                ".*#",
            ]),
            3 => {
                self.raw("(");
                self.nested(|writer| writer.expansion(super::expansion::Place::Bare));
                self.raw("|x y)");
            }
            _ => self.word(),
        }
    }
}
