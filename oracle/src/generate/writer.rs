//! The text under construction and what is still owed to it.

use super::Random;
use super::heredoc::Heredoc;

/// Writes a program from its beginning to its end.
pub(super) struct Writer<'r> {
    pub(super) random: &'r mut Random,
    pub(super) out: Vec<u8>,
    /// Here-documents whose bodies have to follow the next newline.
    pub(super) heredocs: Vec<Heredoc>,
    /// How many more constructs may contain others.
    fuel: usize,
    depth: usize,
    serial: usize,
    pub(super) extglob: bool,
    /// Functions are not called out of functions, or the program might never end.
    pub(super) in_function: bool,
}

/// How deeply constructs nest.
const DEPTH: usize = 9;

impl<'r> Writer<'r> {
    pub(super) fn new(random: &'r mut Random, size: usize) -> Self {
        Self {
            random,
            out: Vec::with_capacity(size * 2),
            heredocs: Vec::new(),
            fuel: 1 + size / 25,
            depth: 0,
            serial: 0,
            extglob: false,
            in_function: false,
        }
    }

    /// Whether another construct may open; costs a little of what is left.
    pub(super) fn opens(&mut self) -> bool {
        let opens = self.fuel > 0 && self.depth < DEPTH;
        if opens {
            self.fuel -= 1;
        }
        opens
    }

    /// Writes something one level deeper.
    pub(super) fn nested(&mut self, write: impl FnOnce(&mut Self)) {
        self.depth += 1;
        write(self);
        self.depth -= 1;
    }

    /// Writes something whose newlines start no here-document that is owed outside.
    pub(super) fn apart(&mut self, write: impl FnOnce(&mut Self)) {
        let owed = std::mem::take(&mut self.heredocs);
        self.nested(write);
        self.heredocs = owed;
    }

    /// The text of something that is not written here as it is.
    pub(super) fn aside(&mut self, write: impl FnOnce(&mut Self)) -> Vec<u8> {
        let out = std::mem::take(&mut self.out);
        self.apart(write);
        std::mem::replace(&mut self.out, out)
    }

    /// A number that was not used before, to tell arguments apart.
    pub(super) fn serial(&mut self) -> usize {
        self.serial += 1;
        self.serial
    }

    /// Writes bytes as they are.
    pub(super) fn raw(&mut self, bytes: impl AsRef<[u8]>) {
        self.out.extend_from_slice(bytes.as_ref());
    }

    /// Writes code, rarely broken by a backslash and a newline, which the shell removes.
    pub(super) fn code(&mut self, text: &str) {
        for byte in text.bytes() {
            if self.random.below(500) == 0 {
                self.raw("\\\n");
            }
            self.out.push(byte);
        }
    }

    /// Writes one of the choices as it is.
    pub(super) fn one_of(&mut self, choices: &[&str]) {
        let choice = self.random.pick(choices);
        self.raw(choice);
    }

    /// What separates two words.
    pub(super) fn blank(&mut self) {
        let blank = match self.random.below(60) {
            0 => "\t",
            1..=2 => "  ",
            3 => " \\\n",
            4 => " \\\n  ",
            _ => " ",
        };
        self.raw(blank);
    }

    /// A blank, or nothing.
    pub(super) fn gap(&mut self, percent: usize) {
        if self.random.chance(percent) {
            self.blank();
        }
    }

    /// Ends the line, and pays the here-documents that are owed.
    pub(super) fn newline(&mut self) {
        if self.random.chance(6) {
            self.comment();
        }
        self.raw("\n");
        self.bodies();
        if self.random.chance(5) {
            self.one_of(&["\n", "\n\n", "  \n", "# x\n", "  # `it's\n", "\t"]);
        }
    }

    /// A newline where one is allowed and rarely used.
    pub(super) fn maybe_newline(&mut self, percent: usize) {
        if self.random.chance(percent) {
            self.newline();
        } else {
            self.gap(95);
        }
    }

    fn comment(&mut self) {
        self.one_of(&[" #", " # ", "\t#"]);
        self.one_of(&[
            "it's", "\"", "`", "$(c1 a", ") }", "done; fi", "c1 \\", "<<E", "${x", "'$(c1)'",
            "esac ;;", "",
        ]);
    }

    /// Ends the program.
    pub(super) fn finish(mut self) -> Vec<u8> {
        if !self.heredocs.is_empty() {
            self.raw("\n");
            self.bodies_at_the_end();
        } else if self.random.chance(40) {
            self.raw("\n");
        }
        self.out
    }
}
