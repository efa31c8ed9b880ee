//! `${ }` with every operator.

use super::expansion::Place;
use super::writer::Writer;

impl Writer<'_> {
    pub(super) fn parameter(&mut self, place: Place) {
        if self.random.chance(15) {
            self.one_of(&[
                "${#}",
                "${##}",
                "${#x}",
                "${#a[@]}",
                "${#@}",
                "${!x}",
                "${!x@}",
                "${!x*}",
                "${!a[@]}",
                "${!a[*]}",
                "${x@Q}",
                "${x@U}",
                "${a[@]@A}",
                "${@}",
                "${*}",
                "${?}",
                "${$}",
                "${!}",
                "${-}",
                "${#?}",
                "${#-}",
                "${x^}",
                "${x,,}",
                "${x: -1}",
                "${@:1:2}",
                "${!1}",
                "${x[0]}",
                "${x:0:$#}",
                "${#a[0]}",
            ]);
            return;
        }
        self.code("${");
        if self.random.chance(8) {
            self.raw("!");
        }
        match self.random.below(10) {
            0 => {
                self.raw("a[");
                self.subscript();
                self.raw("]");
            }
            1 => self.one_of(&["@", "*", "1", "12", "?", "_", "0"]),
            _ => self.one_of(&["x", "y", "z", "v1"]),
        }
        match self.random.below(30) {
            0..=11 => {
                self.one_of(&[":-", "-", ":+", "+", ":-", ":=", "="]);
                self.operand(place, false);
            }
            12 => {
                self.one_of(&[":-", ":+"]);
                self.raw("${y:?");
                self.operand(place, false);
                self.raw("}");
            }
            13..=18 => {
                self.one_of(&["#", "##", "%", "%%", "^", "^^", ",", ",,"]);
                self.operand(place, true);
            }
            19..=23 => {
                self.one_of(&["/", "//", "/#", "/%"]);
                self.operand(place, true);
                if self.random.chance(70) {
                    self.raw("/");
                    self.operand(place, true);
                }
            }
            24..=26 => {
                self.raw(":");
                self.one_of(&["1", " -1", "0", "x", "(1)", "$x", "x?1:2"]);
                if self.random.chance(50) {
                    self.raw(":");
                    self.nested(Self::expression);
                }
            }
            27 => self.one_of(&["@Q", "@E", "@P", "@a", "@L"]),
            _ => {}
        }
        self.code("}");
    }

    /// What follows the operator. In double quotes, single quotes quote only in a pattern.
    fn operand(&mut self, place: Place, pattern: bool) {
        for _ in 0..self.random.below(4) {
            match self.random.below(16) {
                0..=4 => self.one_of(&[
                    "d", " ", "d e", "*", "?", "[a-z]", ":", "#", "~", "{", ";", "|", "(", "&",
                    ")", "<", "a=b", "\t", "é", "\u{a0}", "-",
                ]),
                5 => self.raw("\\}"),
                6 => self.one_of(&["\\\\", "\\$", "\\`", "\\\"", "\\a", "\\\n"]),
                7..=8 if place == Place::Bare || pattern => {
                    self.one_of(&["'q'", "'}'", "'$(c1 no)'", "'\"'", "'`'", "''"]);
                }
                7..=8 => {
                    self.raw("'");
                    self.expansion(Place::Double);
                    self.raw("'");
                }
                9..=10 if place != Place::Heredoc => self.nested(Self::double_quotes),
                11 if place == Place::Bare => self.ansi_quotes(),
                12 if self.random.chance(10) && place == Place::Double && !pattern => self.raw("'"),
                _ => self.expansion(place),
            }
        }
    }
}
