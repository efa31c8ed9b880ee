//! Compound commands and functions.

use super::list::End;
use super::writer::Writer;

impl Writer<'_> {
    pub(super) fn compound(&mut self) {
        match self.random.below(26) {
            0..=2 => self.group(),
            3..=5 => self.subshell(),
            6..=8 => self.branch(),
            9..=10 => self.while_loop(),
            11..=13 => self.for_loop(),
            14 => self.select(),
            15..=17 => self.case(),
            18..=19 => self.test(),
            20..=21 => self.arithmetic_command(),
            22..=24 => return self.function(),
            _ => return self.coproc(),
        }
        while self.random.chance(12) {
            self.gap(80);
            self.redirect();
        }
    }

    fn group(&mut self) {
        self.code("{");
        self.list_after_word(End::Word);
        self.code("}");
    }

    fn subshell(&mut self) {
        self.code("(");
        match self.random.below(10) {
            0 => self.ambiguous_parens(),
            1..=3 => self.list_after_word(End::Operator),
            _ => {
                // `((` would begin arithmetic.
                self.gap(30);
                self.nested(Self::simple);
                if self.random.chance(30) || !self.heredocs.is_empty() {
                    self.separator();
                    self.list(End::Operator);
                }
            }
        }
        self.code(")");
    }

    /// What follows the first parenthesis of `((a); b)`, which is no arithmetic.
    pub(super) fn ambiguous_parens(&mut self) {
        self.one_of(&["(", " ("]);
        self.nested(Self::stub);
        self.owed_bodies();
        self.one_of(&["); ", ")\n", ") ;", ") | ", ") && "]);
        if self.random.chance(50) {
            self.nested(Self::stub);
        } else {
            self.raw("(c1 b)");
        }
        self.owed_bodies();
        self.one_of(&["", " ", ";"]);
    }

    fn branch(&mut self) {
        self.code("if");
        self.list_after_word(End::Word);
        self.code("then");
        self.list_after_word(End::Word);
        while self.random.chance(20) {
            self.code("elif");
            self.list_after_word(End::Word);
            self.code("then");
            self.list_after_word(End::Word);
        }
        if self.random.chance(40) {
            self.code("else");
            self.list_after_word(End::Word);
        }
        self.code("fi");
    }

    fn while_loop(&mut self) {
        let word = self.random.pick(&["while", "until"]);
        self.code(word);
        if self.random.chance(3) {
            // Ends without a `break`.
            self.raw(if word == "while" { " false" } else { " true" });
            self.separator();
            self.code("do");
            self.list_after_word(End::Word);
        } else {
            self.list_after_word(End::Word);
            self.code("do");
            self.list_after_word(End::Word);
            self.raw("break");
            self.one_of(&["; ", "\n"]);
        }
        self.code("done");
    }

    fn for_loop(&mut self) {
        self.code("for");
        self.blank();
        if self.random.chance(25) {
            return self.arithmetic_for();
        }
        self.one_of(&["i", "x", "in", "do", "_a"]);
        match self.random.below(10) {
            0 => self.one_of(&[" ", "; ", "\n", " ;\n"]),
            1 => self.one_of(&[" in; ", " in\n", "\nin\n"]),
            _ => {
                self.maybe_newline(4);
                self.gap(100);
                self.code("in");
                for _ in 0..self.random.between(1, 3) {
                    self.blank();
                    self.argument();
                }
                if self.random.chance(50) {
                    self.raw("; ");
                } else {
                    self.newline();
                }
            }
        }
        self.loop_body(false);
    }

    fn arithmetic_for(&mut self) {
        self.one_of(&["((", "(( "]);
        self.one_of(&["i=0", "", "i=0, x=1", "i=$(c1 a)0"]);
        self.one_of(&[";", "; "]);
        self.one_of(&["i<2", "", "i < 2 && x", "i<(1+1)"]);
        self.one_of(&[";", " ; "]);
        self.one_of(&["i++", "", "i+=1", "i=i+$((1))"]);
        self.one_of(&["))", " ))"]);
        self.one_of(&["; ", " ", "\n"]);
        self.loop_body(true);
    }

    fn loop_body(&mut self, may_be_endless: bool) {
        let braces = self.random.chance(12);
        self.code(if braces { "{" } else { "do" });
        self.list_after_word(End::Word);
        if may_be_endless {
            self.raw("break; ");
        } else if self.random.chance(5) {
            self.raw("continue; ");
        }
        self.code(if braces { "}" } else { "done" });
    }

    fn select(&mut self) {
        self.code("select s");
        self.one_of(&[" in a1 b2; ", "; ", " in $x\n", " in \"$@\"; "]);
        self.code("do");
        self.list_after_word(End::Word);
        self.raw("break; ");
        self.code("done");
    }

    fn case(&mut self) {
        self.code("case");
        self.blank();
        self.argument();
        self.maybe_newline(5);
        self.gap(100);
        self.code("in");
        self.maybe_newline(40);
        let arms = self.random.below(4);
        for arm in 0..arms {
            self.arm(arm + 1 == arms);
        }
        self.code("esac");
    }

    fn arm(&mut self, last: bool) {
        if self.random.chance(20) {
            self.raw("(");
            self.gap(30);
            if self.random.chance(10) {
                self.raw("esac|");
            }
        }
        self.pattern();
        while self.random.chance(25) {
            self.gap(20);
            self.raw("|");
            self.gap(20);
            self.pattern();
        }
        self.code(")");
        if self.random.chance(85) {
            self.maybe_newline(20);
            self.list(if last { End::Word } else { End::Operator });
        } else {
            self.gap(50);
        }
        if last && self.random.chance(40) {
            self.maybe_newline(30);
            return;
        }
        let end = self.random.pick(&[";;", ";;", ";;", ";&", ";;&"]);
        // After `&` or `;` the operator would be read differently.
        if self.out.ends_with(b";") || self.out.ends_with(b"&") {
            self.raw(" ");
        }
        self.code(end);
        self.maybe_newline(60);
    }

    fn pattern(&mut self) {
        match self.random.below(12) {
            0..=4 => self.one_of(&[
                "*",
                "a1",
                "b*",
                "[a-z]",
                "?",
                "'x y'",
                "\"*\"",
                "a\\ b",
                "[[:alpha:]]*",
                "$x",
                "\"$x\"",
                "if",
                "[!a]",
                "~",
            ]),
            5 => self.glob(),
            6 => self.raw("''"),
            _ => self.word(),
        }
    }

    fn coproc(&mut self) {
        self.code("coproc ");
        match self.random.below(4) {
            0..=1 => self.stub(),
            2 => {
                self.raw("P ");
                self.group();
            }
            _ => self.subshell(),
        }
    }

    fn function(&mut self) {
        let outside = std::mem::replace(&mut self.in_function, true);
        let name = self
            .random
            .pick(&["f1", "f2", "f3", "f1", "f2", "f-4", "f.5", "f:6"]);
        match self.random.below(6) {
            0 => self.code(&format!("function {name} ")),
            1 => self.code(&format!("function {name} () ")),
            2 => self.code(&format!("{name} ( ) ")),
            3 => self.code(&format!("function {name}\n")),
            4 => self.code(&format!("{name}()\n")),
            _ => self.code(&format!("{name}() ")),
        }
        match self.random.below(12) {
            0..=1 => self.subshell(),
            2 => self.branch(),
            3 => self.test(),
            4 => self.for_loop(),
            5 => self.case(),
            6 => self.arithmetic_command(),
            7 => self.while_loop(),
            _ => self.group(),
        }
        if self.random.chance(15) {
            self.gap(80);
            self.redirect();
        }
        self.in_function = outside;
    }
}
