//! brush-parser: typed commands whose words are text. A second parser splits a word, and the text
//! of a substitution goes through the first one again.

use super::{Argv, Refusal, Result};
use crate::literal::literal;
use brush_parser::ast::{
    AndOr, Assignment, AssignmentName, AssignmentValue, Command, CommandPrefixOrSuffixItem,
    CompoundCommand, CompoundList, ExtendedTestExpr, IoFileRedirectTarget, IoHereDocument,
    IoRedirect, Pipeline, Program, RedirectList, SimpleCommand, Word,
};
use brush_parser::word::{self, ParameterExpr, WordPiece, WordPieceWithSource};
use brush_parser::{Parser, ParserOptions};

/// What a parse gives.
pub type Tree = Program;

/// The bare parse.
///
/// # Errors
///
/// When brush rejects the source.
pub fn parse(source: &str) -> Result<Tree> {
    Parser::new(source.as_bytes(), &ParserOptions::default())
        .parse_program()
        .map_err(|_| Refusal::Rejected)
}

/// Every command anywhere in the source.
///
/// # Errors
///
/// When brush rejects the source, or a text inside it.
pub fn extract(source: &str) -> Result<Vec<Argv>> {
    let mut walk = Walk::default();
    walk.source(source)?;
    Ok(walk.found)
}

#[derive(Default)]
struct Walk {
    options: ParserOptions,
    found: Vec<Argv>,
}

impl Walk {
    fn source(&mut self, source: &str) -> Result<()> {
        let program = parse(source)?;
        program
            .complete_commands
            .iter()
            .try_for_each(|list| self.list(list))
    }

    fn list(&mut self, list: &CompoundList) -> Result<()> {
        for item in &list.0 {
            self.pipeline(&item.0.first)?;
            for next in &item.0.additional {
                let (AndOr::And(pipeline) | AndOr::Or(pipeline)) = next;
                self.pipeline(pipeline)?;
            }
        }
        Ok(())
    }

    fn pipeline(&mut self, pipeline: &Pipeline) -> Result<()> {
        pipeline.seq.iter().try_for_each(|one| self.command(one))
    }

    fn command(&mut self, command: &Command) -> Result<()> {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound(compound, redirects) => {
                self.compound(compound)?;
                self.redirects(redirects.as_ref())
            }
            Command::Function(function) => {
                self.compound(&function.body.0)?;
                self.redirects(function.body.1.as_ref())
            }
            Command::ExtendedTest(test, redirects) => {
                self.test(&test.expr)?;
                self.redirects(redirects.as_ref())
            }
        }
    }

    fn simple(&mut self, simple: &SimpleCommand) -> Result<()> {
        let mut argv = Argv::new();
        if let Some(prefix) = &simple.prefix {
            prefix.0.iter().try_for_each(|item| self.item(item, None))?;
        }
        if let Some(name) = &simple.word_or_name {
            argv.push(literal(&name.value));
            self.word(name)?;
        }
        if let Some(suffix) = &simple.suffix {
            for item in &suffix.0 {
                self.item(item, Some(&mut argv))?;
            }
        }
        if !argv.is_empty() {
            self.found.push(argv);
        }
        Ok(())
    }

    /// What stands before or after a name; words of the latter are arguments.
    fn item(&mut self, item: &CommandPrefixOrSuffixItem, argv: Option<&mut Argv>) -> Result<()> {
        let argument = match item {
            CommandPrefixOrSuffixItem::IoRedirect(redirect) => return self.redirect(redirect),
            CommandPrefixOrSuffixItem::Word(word) => {
                self.word(word)?;
                literal(&word.value)
            }
            CommandPrefixOrSuffixItem::AssignmentWord(assignment, word) => {
                self.assignment(assignment)?;
                literal(&word.value)
            }
            CommandPrefixOrSuffixItem::ProcessSubstitution(_, subshell) => {
                self.list(&subshell.list)?;
                None
            }
        };
        if let Some(argv) = argv {
            argv.push(argument);
        }
        Ok(())
    }

    fn assignment(&mut self, assignment: &Assignment) -> Result<()> {
        if let AssignmentName::ArrayElementName(_, index) = &assignment.name {
            self.text(index)?;
        }
        match &assignment.value {
            AssignmentValue::Scalar(word) => self.word(word),
            AssignmentValue::Array(elements) => elements.iter().try_for_each(|(key, value)| {
                key.iter().try_for_each(|key| self.word(key))?;
                self.word(value)
            }),
        }
    }

    fn compound(&mut self, compound: &CompoundCommand) -> Result<()> {
        match compound {
            CompoundCommand::Arithmetic(one) => self.text(&one.expr.value),
            CompoundCommand::ArithmeticForClause(one) => {
                for part in [&one.initializer, &one.condition, &one.updater] {
                    part.iter().try_for_each(|part| self.text(&part.value))?;
                }
                self.list(&one.body.list)
            }
            CompoundCommand::BraceGroup(one) => self.list(&one.list),
            CompoundCommand::Subshell(one) => self.list(&one.list),
            CompoundCommand::ForClause(one) => {
                for word in one.values.iter().flatten() {
                    self.word(word)?;
                }
                self.list(&one.body.list)
            }
            CompoundCommand::CaseClause(one) => {
                self.word(&one.value)?;
                for case in &one.cases {
                    case.patterns.iter().try_for_each(|word| self.word(word))?;
                    case.cmd.iter().try_for_each(|list| self.list(list))?;
                }
                Ok(())
            }
            CompoundCommand::IfClause(one) => {
                self.list(&one.condition)?;
                self.list(&one.then)?;
                for branch in one.elses.iter().flatten() {
                    branch
                        .condition
                        .iter()
                        .try_for_each(|list| self.list(list))?;
                    self.list(&branch.body)?;
                }
                Ok(())
            }
            CompoundCommand::WhileClause(one) | CompoundCommand::UntilClause(one) => {
                self.list(&one.0)?;
                self.list(&one.1.list)
            }
            CompoundCommand::Coprocess(one) => self.command(&one.body),
        }
    }

    fn test(&mut self, expression: &ExtendedTestExpr) -> Result<()> {
        match expression {
            ExtendedTestExpr::And(left, right) | ExtendedTestExpr::Or(left, right) => {
                self.test(left)?;
                self.test(right)
            }
            ExtendedTestExpr::Not(inner) | ExtendedTestExpr::Parenthesized(inner) => {
                self.test(inner)
            }
            ExtendedTestExpr::UnaryTest(_, word) => self.word(word),
            ExtendedTestExpr::BinaryTest(_, left, right) => {
                self.word(left)?;
                self.word(right)
            }
        }
    }

    fn redirects(&mut self, redirects: Option<&RedirectList>) -> Result<()> {
        let all = redirects.iter().flat_map(|list| &list.0);
        all.into_iter().try_for_each(|one| self.redirect(one))
    }

    fn redirect(&mut self, redirect: &IoRedirect) -> Result<()> {
        match redirect {
            IoRedirect::File(_, _, target) => match target {
                IoFileRedirectTarget::Filename(word) | IoFileRedirectTarget::Duplicate(word) => {
                    self.word(word)
                }
                IoFileRedirectTarget::ProcessSubstitution(_, subshell) => self.list(&subshell.list),
                IoFileRedirectTarget::Fd(_) => Ok(()),
            },
            IoRedirect::HereDocument(_, document) => self.here_document(document),
            IoRedirect::HereString(_, word) | IoRedirect::OutputAndError(word, _) => {
                self.word(word)
            }
        }
    }

    fn here_document(&mut self, document: &IoHereDocument) -> Result<()> {
        if !document.requires_expansion || !expands(&document.doc.value) {
            return Ok(());
        }
        let pieces = word::parse_heredoc(&document.doc.value, &self.options)
            .map_err(|_| Refusal::Rejected)?;
        self.pieces(&pieces)
    }

    fn word(&mut self, word: &Word) -> Result<()> {
        self.text(&word.value)
    }

    fn text(&mut self, text: &str) -> Result<()> {
        if !expands(text) {
            return Ok(());
        }
        let pieces = word::parse(text, &self.options).map_err(|_| Refusal::Rejected)?;
        self.pieces(&pieces)
    }

    fn pieces(&mut self, pieces: &[WordPieceWithSource]) -> Result<()> {
        pieces.iter().try_for_each(|one| self.piece(&one.piece))
    }

    fn piece(&mut self, piece: &WordPiece) -> Result<()> {
        match piece {
            WordPiece::DoubleQuotedSequence(pieces)
            | WordPiece::GettextDoubleQuotedSequence(pieces) => self.pieces(pieces),
            WordPiece::CommandSubstitution(source)
            | WordPiece::BackquotedCommandSubstitution(source) => self.source(source),
            WordPiece::ArithmeticExpression(expression) => self.text(&expression.value),
            WordPiece::ParameterExpansion(parameter) => operands(parameter)
                .into_iter()
                .flatten()
                .try_for_each(|text| self.text(text)),
            WordPiece::Text(_)
            | WordPiece::SingleQuotedText(_)
            | WordPiece::AnsiCQuotedText(_)
            | WordPiece::TildeExpansion(_)
            | WordPiece::EscapeSequence(_) => Ok(()),
        }
    }
}

/// Whether there is anything to find in a text, so that plain words cost no second parse.
fn expands(text: &str) -> bool {
    text.contains(['$', '`'])
}

/// The texts inside `${ }` that are expanded in their turn.
fn operands(parameter: &ParameterExpr) -> [Option<&str>; 2] {
    use ParameterExpr as P;
    match parameter {
        P::UseDefaultValues {
            default_value: text,
            ..
        }
        | P::AssignDefaultValues {
            default_value: text,
            ..
        }
        | P::IndicateErrorIfNullOrUnset {
            error_message: text,
            ..
        }
        | P::UseAlternativeValue {
            alternative_value: text,
            ..
        }
        | P::RemoveSmallestSuffixPattern { pattern: text, .. }
        | P::RemoveLargestSuffixPattern { pattern: text, .. }
        | P::RemoveSmallestPrefixPattern { pattern: text, .. }
        | P::RemoveLargestPrefixPattern { pattern: text, .. }
        | P::UppercaseFirstChar { pattern: text, .. }
        | P::UppercasePattern { pattern: text, .. }
        | P::LowercaseFirstChar { pattern: text, .. }
        | P::LowercasePattern { pattern: text, .. } => [text.as_deref(), None],
        P::Substring { offset, length, .. } => [
            Some(&offset.value),
            length.as_ref().map(|length| length.value.as_str()),
        ],
        P::ReplaceSubstring {
            pattern,
            replacement,
            ..
        } => [Some(pattern), replacement.as_deref()],
        P::Parameter {
            parameter: word::Parameter::NamedWithIndex { index, .. },
            ..
        } => [Some(index), None],
        _ => [None, None],
    }
}
