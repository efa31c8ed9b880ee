//! Commands that run other commands.

use super::writer::Writer;
use crate::transform::quote;

impl Writer<'_> {
    pub(super) fn wrapper(&mut self) {
        match self.random.below(14) {
            0 => {
                self.one_of(&["env ", "env X=1 ", "env -i ", "env -u x -- "]);
                self.stub();
            }
            1 => {
                self.one_of(&["command ", "command -p ", "command -- "]);
                self.stub();
            }
            2 => {
                self.code("builtin echo");
                self.arguments();
            }
            3 if self.random.chance(30) => {
                self.code("exec ");
                self.stub();
            }
            4 => {
                self.one_of(&["xargs ", "xargs -n 1 ", "xargs -r "]);
                self.stub();
            }
            5 => {
                self.one_of(&["timeout 1 ", "timeout -s KILL 1 "]);
                self.stub();
            }
            6 => {
                self.one_of(&["nice ", "nice -n 5 ", "nohup "]);
                self.stub();
            }
            7 => {
                self.code("find . -maxdepth 0 -exec ");
                self.one_of(&["c1 {} \\;", "c2 a {} +", "c3 ';'", "c4 {} \\; -print"]);
            }
            8 => {
                self.code("eval ");
                self.quoted_program();
            }
            _ => {
                self.one_of(&["bash -c ", "sh -c ", "bash -ec "]);
                self.quoted_program();
                if self.random.chance(20) {
                    self.raw(" name");
                    self.arguments();
                }
            }
        }
    }

    /// A small program as one quoted word.
    pub(super) fn quoted_program(&mut self) {
        if self.random.chance(50) || !self.opens() {
            let serial = self.serial();
            self.raw(format!("'c1 a{serial}'"));
            return;
        }
        let inner = self.aside(|writer| {
            writer.and_or();
            if writer.random.chance(30) {
                writer.separator();
                writer.and_or();
            }
            writer.owed_bodies();
        });
        self.raw(quote(&inner));
    }

    /// A newline and the bodies after it, if any are owed.
    pub(super) fn owed_bodies(&mut self) {
        if !self.heredocs.is_empty() {
            self.raw("\n");
            self.bodies();
        }
    }
}
