//! Commands and assignments that change what zsh makes of the rest.

use crate::model::CommandId;
use crate::scan::Scanner;
use crate::text::Slice;
use crate::{DiagnosticKind, Dialect};

impl Scanner {
    /// Reports a command that zsh takes for something else than a program of that name.
    #[cold]
    pub(in crate::scan) fn flag_zsh_command(&mut self, id: CommandId) {
        let Some((kind, slice)) = self.zsh_command(id) else {
            return;
        };
        self.report_slice(kind, slice);
    }

    fn zsh_command(&self, id: CommandId) -> Option<(DiagnosticKind, Slice)> {
        let data = self.out.commands.get(id.0 as usize)?;
        let first = self.literal_of(data.words)?;
        let zsh = self.options.dialect == Dialect::Zsh;
        let command = self.out.command(id)?;
        let mut words = command.words().map(|word| word.literal().unwrap_or(b"?"));
        let prefix = |word: &[u8]| matches!(word, b"builtin" | b"command" | b"noglob" | b"-");
        if !zsh
            && matches!(
                first,
                b"-" | b"noglob" | b"nocorrect" | b"repeat" | b"foreach"
            )
        {
            return Some((DiagnosticKind::ZshOnly, data.slice));
        }
        let name = words.find(|word| !prefix(word))?;
        let mut rest = words.peekable();
        rest.peek()?;
        let kind = match name {
            // An alias counts from the next line on.
            b"alias" if zsh || rest.any(|word| word.contains(&b'=')) && self.more_lines() => {
                DiagnosticKind::Aliases
            }
            b"disable" | b"enable" if zsh && rest.any(|word| word.starts_with(b"-")) => {
                DiagnosticKind::ZshOnly
            }
            b"emulate" | b"zmodload" => DiagnosticKind::ZshOnly,
            b"functions" if rest.any(|word| word.starts_with(b"-M")) => DiagnosticKind::ZshOnly,
            b"setopt" | b"unsetopt" if !rest.all(is_harmless) => DiagnosticKind::ZshOnly,
            b"set" if zsh && !sets_harmless(rest) => DiagnosticKind::ZshOnly,
            _ => return None,
        };
        Some((kind, data.slice))
    }

    fn more_lines(&self) -> bool {
        let rest = self.out.text.tail(self.pos, self.limit);
        rest.trim_ascii_end().contains(&b'\n')
    }

    /// Reports an assignment that zsh takes for code.
    pub(in crate::scan) fn flag_zsh_variable(&mut self, name: Slice, element: bool, whole: Slice) {
        let code = match self.out.text.get(name) {
            b"aliases" | b"galiases" | b"saliases" | b"functions" | b"options" | b"commands"
            | b"dis_aliases" | b"dis_galiases" | b"dis_functions" => element,
            b"NULLCMD" | b"READNULLCMD" => true,
            _ => false,
        };
        if code {
            self.report_slice(DiagnosticKind::ZshOnly, whole);
        }
    }
}

/// Whether a word as it is written may be a name that [`Scanner::flag_zsh_command`] knows.
#[inline]
pub(in crate::scan) fn may_be_special(first: u8, len: u32) -> bool {
    match first {
        b'\'' | b'"' | b'\\' | b'$' => true,
        b'-' => len == 1,
        b'a' => len == 5,
        b'b' | b'c' | b'd' => len == 7,
        b'e' => matches!(len, 6 | 7),
        b'f' => matches!(len, 7 | 9),
        b'n' => matches!(len, 6 | 9),
        b'r' => len == 6,
        b's' => matches!(len, 3 | 6),
        b'u' | b'z' => len == 8,
        _ => false,
    }
}

/// Whether an option changes nothing about how a source is read.
fn is_harmless(option: &[u8]) -> bool {
    let name: Vec<u8> = option
        .iter()
        .filter(|&&byte| byte != b'_')
        .map(u8::to_ascii_lowercase)
        .collect();
    let name = name.strip_prefix(b"no").unwrap_or(&name);
    matches!(
        name,
        b"allexport"
            | b"bgnice"
            | b"clobber"
            | b"errexit"
            | b"errreturn"
            | b"globdots"
            | b"hup"
            | b"localoptions"
            | b"match"
            | b"monitor"
            | b"nomatch"
            | b"notify"
            | b"nullglob"
            | b"pipefail"
            | b"unset"
            | b"verbose"
            | b"xtrace"
            | b"glob"
    )
}

fn sets_harmless<'a>(words: impl Iterator<Item = &'a [u8]>) -> bool {
    let mut named = false;
    for word in words {
        if named {
            if !is_harmless(word) {
                return false;
            }
            named = false;
            continue;
        }
        let Some((b'-' | b'+', letters)) = word.split_first() else {
            return true;
        };
        if letters == b"-" || letters.is_empty() {
            return true;
        }
        let (last, before) = letters.split_last().unwrap_or((&0, &[]));
        let known = |byte: &u8| b"aefmnuvxC".contains(byte);
        if !before.iter().all(known) || !(known(last) || *last == b'o') {
            return false;
        }
        named = *last == b'o';
    }
    true
}
