//! What holds for every script, whatever its source is.

use countersign_lexer::Options;
use countersign_lexer::{Assignment, Part, Redirect, Script, Span, Status, Word, WordKind, lex};

/// The first promise that the script of this source breaks, in words.
pub fn violation(source: &[u8], script: &Script) -> Option<String> {
    Check { source, script }.all().err()
}

/// Lexes the source of every word of a script that was understood completely once more, which
/// must end too.
pub fn lex_words_again(script: &Script, options: &Options) {
    if script.status() != Status::Complete {
        return;
    }
    for command in script.commands() {
        for word in command.words() {
            std::hint::black_box(lex(word.source(), options));
        }
    }
}

struct Check<'a> {
    source: &'a [u8],
    script: &'a Script,
}

type Outcome = Result<(), String>;

impl Check<'_> {
    fn all(&self) -> Outcome {
        ensure(self.script.source() == self.source, || {
            "the script has another source".to_owned()
        })?;
        for diagnostic in self.script.diagnostics() {
            self.inside(diagnostic.span, "a diagnostic")?;
        }
        self.scopes()?;
        self.commands()
    }

    fn scopes(&self) -> Outcome {
        let mut first = true;
        for scope in self.script.scopes() {
            self.inside(scope.span(), "a scope")?;
            let parent = scope.parent();
            ensure(parent.is_none() == first, || {
                format!("{:?} has the parent {parent:?}", scope.id())
            })?;
            if let Some(parent) = parent {
                let sound = parent < scope.id() && self.script.scope(parent).is_some();
                ensure(sound, || format!("{:?} is inside {parent:?}", scope.id()))?;
            }
            if let Some(owner) = scope.owner() {
                ensure(self.script.command(owner).is_some(), || {
                    format!("{:?} has an owner that is not there", scope.id())
                })?;
            }
            scope.words().try_for_each(|word| self.word(word))?;
            scope.redirects().try_for_each(|it| self.redirect(it))?;
            first = false;
        }
        ensure(!first, || "there is no scope".to_owned())
    }

    fn commands(&self) -> Outcome {
        for command in self.script.commands() {
            self.inside(command.span(), "a command")?;
            ensure(self.script.scope(command.scope()).is_some(), || {
                format!("{:?} is in a scope that is not there", command.id())
            })?;
            ensure(self.script.command(command.id()).is_some(), || {
                format!("{:?} is not found by its number", command.id())
            })?;
            command.words().try_for_each(|word| self.word(word))?;
            command.redirects().try_for_each(|it| self.redirect(it))?;
            command
                .assignments()
                .try_for_each(|it| self.assignment(it))?;
        }
        Ok(())
    }

    fn redirect(&self, redirect: Redirect<'_>) -> Outcome {
        self.inside(redirect.span(), "a redirection")?;
        self.word(redirect.target())?;
        redirect.body().map_or(Ok(()), |body| self.word(body))
    }

    fn assignment(&self, assignment: Assignment<'_>) -> Outcome {
        self.inside(assignment.span(), "an assignment")?;
        ensure(!assignment.name().is_empty(), || {
            format!("an assignment without a name at {:?}", assignment.span())
        })?;
        assignment.value().map_or(Ok(()), |word| self.word(word))
    }

    fn word(&self, word: Word<'_>) -> Outcome {
        self.inside(word.span(), "a word")?;
        let mut text = Vec::new();
        let mut dynamic = false;
        for part in word.parts() {
            match part {
                Part::Literal { text: piece, .. } => text.extend_from_slice(piece),
                Part::CommandSubstitution { scope, .. }
                | Part::ProcessSubstitution { scope, .. } => {
                    dynamic = true;
                    let known = scope.is_none_or(|id| self.script.scope(id).is_some());
                    ensure(known, || {
                        format!("{} has a scope that is not there", show(word))
                    })?;
                }
                _ => dynamic = true,
            }
        }
        ensure(dynamic == word.is_dynamic(), || {
            format!(
                "{} is dynamic: {}, by its parts: {dynamic}",
                show(word),
                word.is_dynamic()
            )
        })?;
        ensure(dynamic == (word.kind() != WordKind::Static), || {
            format!("{} is of the kind {}", show(word), word.kind().as_str())
        })?;
        let sound = word.literal().is_none_or(|literal| literal == text);
        ensure(sound, || {
            format!("{} is not what its parts are", show(word))
        })
    }

    fn inside(&self, span: Span, what: &str) -> Outcome {
        ensure(
            span.start <= span.end && span.end <= self.source.len(),
            || format!("{what} stands at {}..{}", span.start, span.end),
        )
    }
}

fn show(word: Word<'_>) -> String {
    format!("the word `{}`", word.source().escape_ascii())
}

fn ensure(holds: bool, complaint: impl FnOnce() -> String) -> Outcome {
    if holds { Ok(()) } else { Err(complaint()) }
}

#[cfg(test)]
mod tests {
    use super::{lex_words_again, violation};
    use countersign_lexer::{Options, lex};

    #[test]
    fn a_script_keeps_its_promises() {
        let source = b"x=$(c1 a) c2 'b' {c,d} <<E | (c3 >f)\n`c4`\nE\nfor i in *; do c5; done";
        let script = lex(source, &Options::default());
        assert_eq!(violation(source, &script), None);
        lex_words_again(&script, &Options::default());
    }

    #[test]
    fn the_script_of_another_source_is_found_out() {
        let script = lex(b"c1 a", &Options::default());
        assert!(violation(b"c1", &script).is_some());
    }
}
