//! Sources that may be for zsh: what bash takes for text or an error there.

use crate::model::{KindData, RedirectOp};
use crate::scan::{Scanner, lex_as};
use crate::text::Slice;
use crate::{Diagnostic, DiagnosticKind, Dialect, Options, Script, Span, Status};

/// Reads a source that bash rejects once more, as zsh would. If that runs anything, the source is
/// opaque.
///
/// One reading is forgotten before the next, so that they share the memory of one.
#[cold]
pub(in crate::scan) fn read_as_zsh(mut script: Script, source: &[u8], options: &Options) -> Script {
    let before_error = script.before_error;
    let diagnostics = std::mem::take(&mut script.diagnostics);
    drop(script);
    let zsh = Options {
        dialect: Dialect::Zsh,
        ..*options
    };
    let mut other = lex_as(source, &zsh);
    let rejected = other.status == Status::SyntaxError
        && (other.before_error == Some(0) || other.before_error == before_error);
    let runs = !rejected && !other.commands.is_empty();
    // Where bash runs lines before the error, its reading of them is the one to keep.
    if runs && before_error == Some(0) {
        other.diagnostics = diagnostics;
        return opaque(other);
    }
    drop(other);
    let script = lex_as(source, options);
    if runs { opaque(script) } else { script }
}

fn opaque(mut script: Script) -> Script {
    script.before_error = None;
    if script.status != Status::TooBig {
        script.status = Status::Opaque;
    }
    let span = Span {
        start: 0,
        end: script.source().len(),
    };
    script.diagnostics.push(Diagnostic {
        kind: DiagnosticKind::ZshOnly,
        span,
    });
    script
}

impl Scanner {
    /// Reports a redirection that means something else to zsh.
    pub(in crate::scan) fn flag_zsh_redirect(&mut self, op: RedirectOp, target: u32) {
        let Some(slice) = self.out.words.get(target as usize).map(|word| word.slice) else {
            return;
        };
        let text = self.out.text.get(slice);
        let range = op == RedirectOp::Read
            && self.byte() == Some(b'>')
            && text.contains(&b'-')
            && text
                .iter()
                .all(|byte| byte.is_ascii_digit() || *byte == b'-');
        let writes = !matches!(op, RedirectOp::Read | RedirectOp::HereString);
        if range || writes && text.first() == Some(&b'!') {
            self.report_slice(DiagnosticKind::ZshOnly, slice);
        }
    }

    /// Reports redirections without a command. zsh gives them one, which for reading shows the
    /// file, and which variables can set.
    #[cold]
    pub(in crate::scan) fn flag_null_command(&mut self, first: u32, slice: Slice) {
        let reads = self
            .out
            .redirects
            .get(first as usize)
            .is_some_and(|it| it.op == RedirectOp::Read && it.next == crate::arena::NONE);
        // In a substitution the file itself is what is read.
        let kind = self.out.scopes.get(self.place.scope.0 as usize);
        let substitutes = kind.is_some_and(|it| {
            matches!(it.kind, KindData::CommandSubstitution | KindData::Backtick)
        });
        let substituted = reads && substitutes;
        if !substituted && (reads || self.zsh()) {
            self.report_slice(DiagnosticKind::ZshOnly, slice);
        }
    }
}
