//! Arithmetic.

use super::expansion::Place;
use super::writer::Writer;

impl Writer<'_> {
    pub(super) fn arithmetic_command(&mut self) {
        self.code("((");
        self.gap(40);
        self.nested(Self::expression);
        self.gap(40);
        self.code("))");
    }

    /// `$(( ))`, or the old `$[ ]`.
    pub(super) fn arithmetic(&mut self) {
        let old = self.random.chance(15);
        self.code(if old { "$[" } else { "$((" });
        self.gap(30);
        self.nested(Self::expression);
        self.gap(30);
        self.code(if old { "]" } else { "))" });
    }

    pub(super) fn expression(&mut self) {
        self.operand_of_arithmetic();
        while self.random.chance(35) {
            self.gap(50);
            self.one_of(&[
                "+", "-", "*", "/", "%", "**", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&",
                "|", "^", "&&", "||", ",",
            ]);
            self.gap(50);
            self.operand_of_arithmetic();
        }
    }

    fn operand_of_arithmetic(&mut self) {
        match self.random.below(20) {
            0..=8 => self.one_of(&[
                "1", "2", "x", "y", "16#ff", "0x1f", "x=1", "x++", "--x", "!x", "~1", "-1",
                "1?2:3", "a[0]", "x+=2", "$x", "\"1\"", "$#", "${x:-1}", "a[x+1]", "'1'", "1 \\\n",
            ]),
            9..=11 if self.opens() => {
                self.raw("(");
                self.nested(Self::expression);
                self.raw(")");
            }
            12 if self.opens() => {
                self.raw("a[");
                self.nested(Self::expression);
                self.raw("]");
            }
            13..=15 => {
                self.raw("1");
                self.expansion(Place::Double);
            }
            _ => self.one_of(&["3", "x", "$y"]),
        }
    }
}
