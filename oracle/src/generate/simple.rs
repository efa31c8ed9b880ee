//! Simple commands: stubs, builtins, assignments.

use super::writer::Writer;

/// How stubs are called, quoted in every way.
const STUBS: &[&str] = &[
    "c1",
    "c2",
    "c3",
    "c4",
    "c5",
    "c1",
    "c2",
    "c3",
    "c4",
    "c5",
    "'c1'",
    "\"c2\"",
    "c\\3",
    "$'c4'",
    "c''5",
    "c\\\n1",
    "\"c\"2",
    "$'\\x63'3",
    "$\"c4\"",
    "\\c5",
];

impl Writer<'_> {
    pub(super) fn simple(&mut self) {
        while self.random.chance(5) {
            self.redirect();
            self.blank();
        }
        if self.random.chance(10) {
            self.assignments();
            if self.random.chance(50) {
                return;
            }
            self.blank();
        }
        match self.random.below(30) {
            0..=3 => self.builtin(),
            4..=5 => self.wrapper(),
            6 => self.declaration(),
            7 if !self.in_function => {
                self.one_of(&["f1", "f2", "f3"]);
                self.arguments();
            }
            8 if self.random.chance(40) => {
                self.word();
                self.arguments();
            }
            9 if self.random.chance(30) => {
                self.raw("{c1,");
                self.argument();
                self.raw("}");
            }
            _ => self.stub(),
        }
    }

    /// A command that a recorder sees.
    pub(super) fn stub(&mut self) {
        let name = self.random.pick(STUBS);
        self.code(name);
        let serial = self.serial();
        self.blank();
        self.raw(format!("a{serial}"));
        self.arguments();
    }

    pub(super) fn arguments(&mut self) {
        while self.random.chance(45) {
            self.blank();
            if self.random.chance(14) {
                self.redirect();
            } else {
                self.argument();
            }
        }
    }

    /// A word in a place where nothing is reserved.
    pub(super) fn argument(&mut self) {
        match self.random.below(50) {
            0..=14 => {
                let serial = self.serial();
                self.raw(format!("b{serial}"));
            }
            15 => self.one_of(&[
                "if", "then", "fi", "do", "done", "{", "}", "!", "[[", "]]", "case", "in", "esac",
                "for", "function", "time", "coproc", "else", "while", "select",
            ]),
            16 => self.one_of(&[
                "''",
                "\"\"",
                "$''",
                "a\r",
                "\u{a0}",
                "x\u{b}y",
                "\u{c}",
                "\u{2028}",
                "\u{feff}z",
                "é",
                "}x",
                "x}",
                "{x",
                "%",
                "@",
                "^",
                "-",
                "--",
                "-n",
                "x#y",
                "a=b",
                "=",
                ":",
                "a,b",
                "]",
                "[",
                "x[1]",
                "+=",
                ".",
                "/",
                "1",
                "2",
            ]),
            17 => self.raw(b"x\xff\xfe"),
            18..=20 => self.braces(),
            _ => self.word(),
        }
    }

    fn builtin(&mut self) {
        match self.random.below(16) {
            0 => self.one_of(&["true", "false", ":", "shift", "cd .", "read x", "wait"]),
            1 => {
                self.code("printf ");
                self.one_of(&["%s", "'%s\\n'", "\"%s $x\""]);
                self.arguments();
            }
            2 => {
                self.one_of(&["test -n ", "[ -n ", "[ x = "]);
                let bracket = self.out.ends_with(b"[ -n ") || self.out.ends_with(b"[ x = ");
                self.argument();
                if bracket {
                    self.raw(" ]");
                }
            }
            3 => {
                self.code("set --");
                self.arguments();
            }
            4 => {
                self.one_of(&["eval ", "trap "]);
                let trap = self.out.ends_with(b"trap ");
                self.quoted_program();
                if trap {
                    self.one_of(&[" EXIT", " 0"]);
                }
            }
            5 => {
                self.code("cd ");
                self.one_of(&["/", ".", "\"$x\"", "~", "/tmp", "$(c1 a)"]);
            }
            6 => {
                self.code("read ");
                self.one_of(&["-r x", "x y", "-a a", ""]);
                self.code(" <<< ");
                self.word();
            }
            7 => {
                self.one_of(&[":", "true", "false"]);
                self.arguments();
            }
            8 => self.one_of(&["let x=1", "let 'x = 1 + 2'", "unset x", "let x++"]),
            _ => {
                self.code("echo");
                self.arguments();
            }
        }
    }

    fn declaration(&mut self) {
        let name = self
            .random
            .pick(&["declare", "export", "typeset", "readonly r1=1; export"]);
        self.code(if self.in_function { "local" } else { name });
        for _ in 0..self.random.between(1, 2) {
            self.blank();
            match self.random.below(8) {
                0 => self.raw("x"),
                1 => self.raw("-x"),
                2 => {
                    self.raw("a=");
                    self.array();
                }
                _ => self.assignment(),
            }
        }
    }

    fn assignments(&mut self) {
        self.assignment();
        while self.random.chance(20) {
            self.blank();
            self.assignment();
        }
    }

    fn assignment(&mut self) {
        match self.random.below(14) {
            0..=1 => {
                self.code("a");
                if self.random.chance(30) {
                    self.raw("+");
                }
                self.raw("=");
                self.array();
                return;
            }
            2 => {
                self.raw("a[");
                self.subscript();
                self.raw("]");
            }
            3 => self.code("x+"),
            _ => self.one_of(&["x", "y", "z", "v1", "_"]),
        }
        self.raw("=");
        match self.random.below(12) {
            0 => {}
            1 => self.one_of(&["~", "~/b", "b:~", "~:~/x", "~+"]),
            2 => self.braces(),
            _ => self.word(),
        }
    }

    fn array(&mut self) {
        self.raw("(");
        self.gap(20);
        for index in 0..self.random.below(4) {
            if index > 0 {
                if self.heredocs.is_empty() && self.random.chance(10) {
                    self.one_of(&["\n", " # it's\n"]);
                } else {
                    self.blank();
                }
            }
            if self.random.chance(15) {
                self.raw("[");
                self.subscript();
                self.raw("]=");
            }
            self.argument();
        }
        self.gap(20);
        self.raw(")");
    }

    pub(super) fn subscript(&mut self) {
        match self.random.below(8) {
            0 => self.raw("@"),
            1 => self.raw("\"k\""),
            2..=4 => self.one_of(&["0", "1", "x", "$x", "x+1", "-1", "'k'"]),
            _ => self.expression(),
        }
    }
}
