//! Words and quotation.

use super::expansion::Place;
use super::writer::Writer;

impl Writer<'_> {
    pub(super) fn word(&mut self) {
        self.piece();
        while self.random.chance(25) {
            if self.random.chance(30) {
                self.one_of(&[
                    "-", "/", "=", "x", ".", ":", ",", "#", "%", "@", "+", "}", "]", "^",
                ]);
            }
            self.piece();
        }
    }

    fn piece(&mut self) {
        match self.random.below(40) {
            0..=9 => {
                let serial = self.serial();
                self.raw(format!("w{serial}"));
            }
            10..=14 => self.nested(Self::double_quotes),
            15..=17 => self.single_quotes(),
            18..=19 => self.ansi_quotes(),
            20 => {
                self.raw("$");
                self.nested(Self::double_quotes);
            }
            21..=22 => self.one_of(&[
                "\\ ", "\\\\", "\\$", "\\;", "\\\"", "\\'", "\\`", "\\a", "\\(", "\\#", "\\*",
                "\\{", "\\~", "\\&", "\\|", "\\\t", "\\é", "\\\r", "\\!",
            ]),
            23 => self.one_of(&["~", "~/x", "~root", "~+", "~-", "x=~", "~\\x", "~\"x\""]),
            24 => self.glob(),
            25 => self.braces(),
            26 if self.opens() => self.process_substitution(),
            27 => self.one_of(&["$", "$ ", "$%", "$=", "x$"]),
            _ => self.expansion(Place::Bare),
        }
    }

    fn single_quotes(&mut self) {
        self.raw("'");
        self.one_of(&[
            "s t", "", "$x", "$(c1 no)", "`c1 no`", "\"", "\\", "a\nb", "#", "*", "{a,b}", "~",
            ";", "x\\\ny", "(", ")", "}", "<<E", "é\r",
        ]);
        self.raw("'");
    }

    pub(super) fn ansi_quotes(&mut self) {
        self.raw("$'");
        for _ in 0..self.random.below(4) {
            self.one_of(&[
                "a",
                " ",
                "\\n",
                "\\t",
                "\\'",
                "\\\"",
                "\\\\",
                "\\x41",
                "\\x4",
                "\\101",
                "\\7",
                "\\u00e9",
                "\\U0001F600",
                "\\cA",
                "\\c?",
                "\\e",
                "\\E",
                "\\a",
                "\\b",
                "\\f",
                "\\r",
                "\\v",
                "\\?",
                "\\z",
                "$(c1 no)",
                "\"",
                "`",
                "\\x{41}",
                "\n",
                "\\\n",
                "\\xff",
                "é",
            ]);
        }
        self.raw("'");
    }

    pub(super) fn double_quotes(&mut self) {
        self.raw("\"");
        for _ in 0..self.random.between(0, 3) {
            if self.random.chance(45) {
                self.one_of(&[
                    "t", " u ", "'", "it's", "*", "~", "#", "{a,b}", ";", "(", ")", "|", "\n",
                    "\\\"", "\\\\", "\\$", "\\`", "\\a", "\\\n", "\\'", "$", "$ ", "!", "=", "\r",
                    "é", "\u{2028}", "<<E", "}", "&&",
                ]);
            } else {
                self.expansion(Place::Double);
            }
        }
        self.raw("\"");
    }

    pub(super) fn glob(&mut self) {
        if self.extglob && self.random.chance(50) {
            self.one_of(&[
                "@(a|b)",
                "!(x)",
                "*(a|$x)",
                "+([0-9])",
                "?(a|@(b|c))",
                "x@(\"$(c1 a)\"|y)",
                "!(*.c|'a b')",
            ]);
        } else {
            self.one_of(&[
                "*",
                "?",
                "[a-z]",
                "[!a]*",
                "x*",
                "*.c",
                "[[:digit:]]",
                "[]a]",
                "[a",
                "a]",
                "**",
                "[\"a\"]",
                "[$x]",
                "\\*",
                "?x?",
                "[^a]",
            ]);
        }
    }

    /// A brace expansion, or what looks like one.
    pub(super) fn braces(&mut self) {
        match self.random.below(12) {
            0..=2 => self.one_of(&[
                "{a,b}",
                "{1..3}",
                "{c..a}",
                "{1..9..4}",
                "{a1,}",
                "{,b}",
                "{01..03}",
                "{-1..1}",
                "p{a,b}q",
                "{a,b}{c,d}",
                "{a,{b,c}}",
                "{a..c..2}",
                "{3..1..-1}",
                "{'a b',c}",
            ]),
            3..=4 => self.one_of(&[
                "{a}",
                "{}",
                "{a..1}",
                "{1..}",
                "{a,b",
                "a,b}",
                "{a\\,b}",
                "{\"a,b\"}",
                "{..}",
                "{1...3}",
                "\\{a,b}",
                "{a,b\\}",
                "{{a,b}",
                "{a},b}",
                "{1..2..x}",
                "'{'a,b}",
                "${x},b}",
                "{$x..3}",
                "x{y",
            ]),
            _ => {
                self.raw("{");
                self.nested(|writer| {
                    for index in 0..writer.random.between(2, 3) {
                        if index > 0 {
                            writer.raw(",");
                        }
                        writer.alternative();
                    }
                });
                self.raw("}");
            }
        }
    }

    fn alternative(&mut self) {
        match self.random.below(10) {
            0 => {}
            1 if self.opens() => self.braces(),
            2..=4 => self.word(),
            _ => {
                let serial = self.serial();
                self.raw(format!("e{serial}"));
            }
        }
    }
}
