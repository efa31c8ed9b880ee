//! Here-documents: the operator now, the body after the next newline.

use super::expansion::Place;
use super::writer::Writer;

/// A here-document whose body is still to be written.
pub(super) struct Heredoc {
    delimiter: Vec<u8>,
    quoted: bool,
    tabs: bool,
}

impl Writer<'_> {
    /// `<<` or `<<-` and a delimiter.
    pub(super) fn heredoc(&mut self) {
        let tabs = self.random.chance(25);
        self.code(if tabs { "<<-" } else { "<<" });
        self.gap(15);
        let (written, delimiter, quoted) = self.delimiter();
        self.raw(&written);
        self.heredocs.push(Heredoc {
            delimiter: delimiter.into_bytes(),
            quoted,
            tabs,
        });
    }

    /// A delimiter as written, as compared, and whether any of it is quoted.
    fn delimiter(&mut self) -> (String, String, bool) {
        let name = if self.random.chance(15) {
            self.random
                .pick(&["E", "EOF", "done", "fi", "}"])
                .to_owned()
        } else {
            format!("E{}", self.serial())
        };
        match self.random.below(40) {
            0..=7 => (format!("'{name}'"), name, true),
            8..=10 => (format!("\"{name}\""), name, true),
            11..=12 => (format!("\\{name}"), name, true),
            13 => (format!("'{name} x'"), format!("{name} x"), true),
            14 => (format!("{name}\\ x"), format!("{name} x"), true),
            15 => (format!("{name}'-'\"x\""), format!("{name}-x"), true),
            16 => (format!("{name}-$x"), format!("{name}-$x"), false),
            17 => (format!("{name}.*"), format!("{name}.*"), false),
            18 => ("''".to_owned(), String::new(), true),
            19 => (format!("$'{name}'"), name, true),
            20 => (format!("E\\\n{name}"), format!("E{name}"), false),
            21 => (format!("{name}'`'"), format!("{name}`"), true),
            _ => (name.clone(), name, false),
        }
    }

    /// The bodies that are owed, each with the line that ends it.
    pub(super) fn bodies(&mut self) {
        for heredoc in std::mem::take(&mut self.heredocs) {
            self.body(&heredoc);
            self.end_line(&heredoc);
            self.raw("\n");
        }
    }

    /// The bodies that are owed, where the end of the text may end the last one.
    pub(super) fn bodies_at_the_end(&mut self) {
        let mut owed = std::mem::take(&mut self.heredocs);
        let last = owed.pop();
        self.heredocs = owed;
        self.bodies();
        if let Some(last) = last {
            self.body(&last);
            match self.random.below(10) {
                0 => {}
                1 => self.raw("no end"),
                2..=4 => self.end_line(&last),
                _ => {
                    self.end_line(&last);
                    self.raw("\n");
                }
            }
        }
    }

    fn end_line(&mut self, heredoc: &Heredoc) {
        if heredoc.tabs {
            self.one_of(&["", "\t", "\t\t"]);
        }
        self.raw(&heredoc.delimiter);
    }

    fn body(&mut self, heredoc: &Heredoc) {
        for _ in 0..self.random.below(4) {
            if heredoc.tabs {
                self.one_of(&["", "\t", "\t\t"]);
            }
            if self.random.chance(8) && !heredoc.delimiter.is_empty() {
                self.almost_the_end(heredoc);
            }
            self.raw("b");
            for _ in 0..self.random.below(4) {
                self.body_piece(heredoc);
            }
            self.raw("\n");
        }
    }

    /// The beginning of a line that looks as if it ended the body.
    fn almost_the_end(&mut self, heredoc: &Heredoc) {
        self.one_of(&["", " ", "\\"]);
        self.raw(&heredoc.delimiter);
        self.one_of(&[" ", "x", ";", "\r", "'"]);
    }

    fn body_piece(&mut self, heredoc: &Heredoc) {
        if self.random.chance(50) {
            self.one_of(&[
                " text",
                "'",
                "\"",
                " it's",
                "#",
                " # no comment",
                ";",
                "|",
                "&",
                "(",
                "{a,b}",
                "*",
                "~",
                "\r",
                "\u{a0}",
                "!",
                "\\a",
                "\\\\ ",
                "$",
                "<<E",
                " done",
            ]);
        } else if heredoc.quoted {
            self.one_of(&[
                "$x", "$(c1 no)", "`c1 no`", "\\", "${x", "$((", "\\$", "`", "$(",
            ]);
        } else {
            match self.random.below(20) {
                0 => self.raw("\\\n"),
                1 => self.raw("\\$(c1 no)"),
                2 => self.raw("\\`"),
                _ => self.expansion(Place::Heredoc),
            }
        }
    }
}
