//! shuck-parser: a fully typed tree with byte spans, and a status.

use super::{Argv, Refusal, Result};
use crate::literal::literal;
use shuck_ast::{
    ArithmeticExpr, ArithmeticExprNode, ArrayElem, Assignment, AssignmentValue,
    BourneParameterExpansion, BuiltinCommand, Command, CompoundCommand, ConditionalExpr,
    DeclOperand, File, HeredocBodyPart, ParameterExpansionSyntax, ParameterOp, Pattern,
    PatternPart, Redirect, RedirectTarget, Span, Stmt, StmtSeq, VarRef, Word, WordPart,
};
use shuck_parser::parser::{ParseStatus, Parser};

/// What a parse gives.
pub type Tree = File;

/// The bare parse.
///
/// # Errors
///
/// When shuck gives up, or had to guess.
pub fn parse(source: &str) -> Result<Tree> {
    let result = Parser::new(source).parse();
    match result.status {
        ParseStatus::Clean => Ok(result.file),
        ParseStatus::Recovered => Err(Refusal::Flagged(commands(&result.file, source))),
        ParseStatus::Fatal => Err(Refusal::Rejected),
    }
}

/// Every command anywhere in the source.
///
/// # Errors
///
/// When shuck gives up, or had to guess.
pub fn extract(source: &str) -> Result<Vec<Argv>> {
    Ok(commands(&parse(source)?, source))
}

fn commands(file: &File, source: &str) -> Vec<Argv> {
    let mut walk = Walk {
        source,
        found: Vec::new(),
    };
    walk.list(&file.body);
    walk.found
}

struct Walk<'a> {
    source: &'a str,
    found: Vec<Argv>,
}

impl Walk<'_> {
    fn list(&mut self, list: &StmtSeq) {
        list.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Stmt) {
        self.command(&statement.command);
        statement.redirects.iter().for_each(|it| self.redirect(it));
    }

    fn command(&mut self, command: &Command) {
        match command {
            Command::Simple(simple) => {
                self.assignments(&simple.assignments);
                let name = (!simple.name.parts.is_empty()).then_some(&simple.name);
                self.argv(None, name.into_iter().chain(&simple.args));
            }
            Command::Builtin(builtin) => self.builtin(builtin),
            Command::Decl(declaration) => {
                self.assignments(&declaration.assignments);
                let mut argv = vec![Some(declaration.variant.to_string())];
                for operand in &declaration.operands {
                    argv.push(self.operand(operand));
                }
                self.found.push(argv);
            }
            Command::Binary(binary) => {
                self.statement(&binary.left);
                self.statement(&binary.right);
            }
            Command::Compound(compound) => self.compound(compound),
            Command::Function(function) => self.statement(&function.body),
            Command::AnonymousFunction(function) => {
                self.words(&function.args);
                self.statement(&function.body);
            }
        }
    }

    fn builtin(&mut self, builtin: &BuiltinCommand) {
        let (name, first, rest, assignments) = match builtin {
            BuiltinCommand::Break(it) => ("break", &it.depth, &it.extra_args, &it.assignments),
            BuiltinCommand::Continue(it) => {
                ("continue", &it.depth, &it.extra_args, &it.assignments)
            }
            BuiltinCommand::Return(it) => ("return", &it.code, &it.extra_args, &it.assignments),
            BuiltinCommand::Exit(it) => ("exit", &it.code, &it.extra_args, &it.assignments),
        };
        self.assignments(assignments);
        self.argv(Some(name), first.iter().chain(rest));
    }

    fn operand(&mut self, operand: &DeclOperand) -> Option<String> {
        match operand {
            DeclOperand::Flag(word) | DeclOperand::Dynamic(word) => {
                self.word(word);
                self.literal(word)
            }
            DeclOperand::Name(reference) => {
                self.reference(reference);
                self.written(reference.span)
            }
            DeclOperand::Assignment(assignment) => {
                self.assignment(assignment);
                self.written(assignment.span)
            }
        }
    }

    fn argv<'w>(&mut self, name: Option<&str>, words: impl Iterator<Item = &'w Word>) {
        let mut argv: Argv = name.map(|name| Some(name.to_owned())).into_iter().collect();
        for word in words {
            argv.push(self.literal(word));
            self.word(word);
        }
        if !argv.is_empty() {
            self.found.push(argv);
        }
    }

    fn compound(&mut self, compound: &CompoundCommand) {
        match compound {
            CompoundCommand::If(it) => {
                self.list(&it.condition);
                self.list(&it.then_branch);
                for (condition, body) in &it.elif_branches {
                    self.list(condition);
                    self.list(body);
                }
                it.else_branch.iter().for_each(|list| self.list(list));
            }
            CompoundCommand::For(it) => {
                self.words(it.words.as_deref().unwrap_or_default());
                self.list(&it.body);
            }
            CompoundCommand::Repeat(it) => {
                self.word(&it.count);
                self.list(&it.body);
            }
            CompoundCommand::Foreach(it) => {
                self.words(&it.words);
                self.list(&it.body);
            }
            CompoundCommand::Select(it) => {
                self.words(&it.words);
                self.list(&it.body);
            }
            CompoundCommand::ArithmeticFor(it) => {
                for part in [&it.init_ast, &it.condition_ast, &it.step_ast] {
                    self.arithmetic(part.as_ref());
                }
                self.list(&it.body);
            }
            CompoundCommand::While(it) => {
                self.list(&it.condition);
                self.list(&it.body);
            }
            CompoundCommand::Until(it) => {
                self.list(&it.condition);
                self.list(&it.body);
            }
            CompoundCommand::Case(it) => {
                self.word(&it.word);
                for arm in &it.cases {
                    arm.patterns.iter().for_each(|it| self.pattern(it));
                    self.list(&arm.body);
                }
            }
            CompoundCommand::Subshell(list) | CompoundCommand::BraceGroup(list) => self.list(list),
            CompoundCommand::Arithmetic(it) => self.arithmetic(it.expr_ast.as_ref()),
            CompoundCommand::Time(it) => it.command.iter().for_each(|it| self.statement(it)),
            CompoundCommand::Conditional(it) => self.condition(&it.expression),
            CompoundCommand::Coproc(it) => self.statement(&it.body),
            CompoundCommand::Always(it) => {
                self.list(&it.body);
                self.list(&it.always_body);
            }
        }
    }

    fn condition(&mut self, condition: &ConditionalExpr) {
        match condition {
            ConditionalExpr::Binary(it) => {
                self.condition(&it.left);
                self.condition(&it.right);
            }
            ConditionalExpr::Unary(it) => self.condition(&it.expr),
            ConditionalExpr::Parenthesized(it) => self.condition(&it.expr),
            ConditionalExpr::Word(word) | ConditionalExpr::Regex(word) => self.word(word),
            ConditionalExpr::Pattern(pattern) => self.pattern(pattern),
            ConditionalExpr::VarRef(reference) => self.reference(reference),
        }
    }

    fn assignments(&mut self, assignments: &[Assignment]) {
        for it in assignments {
            self.assignment(it);
        }
    }

    fn assignment(&mut self, assignment: &Assignment) {
        self.reference(&assignment.target);
        match &assignment.value {
            AssignmentValue::Scalar(word) => self.word(word),
            AssignmentValue::Compound(array) => {
                for element in &array.elements {
                    if let ArrayElem::Keyed { key, .. } | ArrayElem::KeyedAppend { key, .. } =
                        element
                    {
                        key.word_ast().into_iter().for_each(|it| self.word(it));
                    }
                    self.word(&element.value().word);
                }
            }
        }
    }

    fn redirect(&mut self, redirect: &Redirect) {
        match &redirect.target {
            RedirectTarget::Word(word) => self.word(word),
            RedirectTarget::Heredoc(document) => {
                for part in &document.body.parts {
                    self.body_part(&part.kind);
                }
            }
        }
    }

    fn body_part(&mut self, part: &HeredocBodyPart) {
        match part {
            HeredocBodyPart::CommandSubstitution { body, .. } => self.list(body),
            HeredocBodyPart::ArithmeticExpansion {
                expression_word_ast,
                ..
            } => self.word(expression_word_ast),
            HeredocBodyPart::Parameter(parameter) => self.parameter(&parameter.syntax),
            HeredocBodyPart::Literal(_) | HeredocBodyPart::Variable(_) => {}
        }
    }

    fn words(&mut self, words: &[Word]) {
        for word in words {
            self.word(word);
        }
    }

    fn word(&mut self, word: &Word) {
        word.parts.iter().for_each(|part| self.part(&part.kind));
    }

    fn some_words(&mut self, words: [Option<&Word>; 2]) {
        words.into_iter().flatten().for_each(|it| self.word(it));
    }

    fn part(&mut self, part: &WordPart) {
        match part {
            WordPart::DoubleQuoted { parts, .. } => {
                for part in parts {
                    self.part(&part.kind);
                }
            }
            WordPart::CommandSubstitution { body, .. }
            | WordPart::ProcessSubstitution { body, .. } => self.list(body),
            WordPart::ArithmeticExpansion {
                expression_word_ast,
                ..
            } => self.word(expression_word_ast),
            WordPart::Parameter(parameter) => self.parameter(&parameter.syntax),
            WordPart::ParameterExpansion {
                reference,
                operator,
                operand_word_ast,
                ..
            } => self.operation(reference, Some(operator), operand_word_ast.as_deref()),
            WordPart::IndirectExpansion {
                reference,
                operator,
                operand_word_ast,
                ..
            } => self.operation(reference, operator.as_deref(), operand_word_ast.as_deref()),
            WordPart::Substring {
                reference,
                offset_word_ast,
                length_word_ast,
                ..
            }
            | WordPart::ArraySlice {
                reference,
                offset_word_ast,
                length_word_ast,
                ..
            } => {
                self.reference(reference);
                self.some_words([Some(offset_word_ast), length_word_ast.as_deref()]);
            }
            WordPart::Length(reference)
            | WordPart::ArrayAccess(reference)
            | WordPart::ArrayLength(reference)
            | WordPart::ArrayIndices(reference)
            | WordPart::Transformation { reference, .. } => self.reference(reference),
            WordPart::Literal(_)
            | WordPart::ZshQualifiedGlob(_)
            | WordPart::SingleQuoted { .. }
            | WordPart::Variable(_)
            | WordPart::PrefixMatch { .. } => {}
        }
    }

    fn parameter(&mut self, syntax: &ParameterExpansionSyntax) {
        use BourneParameterExpansion as B;
        let ParameterExpansionSyntax::Bourne(parameter) = syntax else {
            return;
        };
        match parameter {
            B::Access { reference }
            | B::Length { reference }
            | B::Indices { reference }
            | B::Transformation { reference, .. } => self.reference(reference),
            B::Indirect {
                reference,
                operator,
                operand_word_ast,
                ..
            } => self.operation(reference, operator.as_deref(), operand_word_ast.as_deref()),
            B::Operation {
                reference,
                operator,
                operand_word_ast,
                ..
            } => self.operation(reference, Some(operator), operand_word_ast.as_deref()),
            B::Slice {
                reference,
                offset_word_ast,
                length_word_ast,
                ..
            } => {
                self.reference(reference);
                self.some_words([Some(offset_word_ast), length_word_ast.as_deref()]);
            }
            B::PrefixMatch { .. } => {}
        }
    }

    fn operation(
        &mut self,
        reference: &VarRef,
        operator: Option<&ParameterOp>,
        operand: Option<&Word>,
    ) {
        self.reference(reference);
        match operator {
            Some(
                ParameterOp::RemovePrefixShort { pattern }
                | ParameterOp::RemovePrefixLong { pattern }
                | ParameterOp::RemoveSuffixShort { pattern }
                | ParameterOp::RemoveSuffixLong { pattern },
            ) => self.pattern(pattern),
            Some(
                ParameterOp::ReplaceFirst {
                    pattern,
                    replacement_word_ast,
                    ..
                }
                | ParameterOp::ReplaceAll {
                    pattern,
                    replacement_word_ast,
                    ..
                },
            ) => {
                self.pattern(pattern);
                self.word(replacement_word_ast);
            }
            _ => self.some_words([operand, None]),
        }
    }

    fn reference(&mut self, reference: &VarRef) {
        let subscript = reference.subscript.as_deref();
        self.some_words([subscript.and_then(|it| it.word_ast()), None]);
    }

    fn pattern(&mut self, pattern: &Pattern) {
        for part in &pattern.parts {
            match &part.kind {
                PatternPart::Word(word) => self.word(word),
                PatternPart::Group { patterns, .. } => {
                    for it in patterns {
                        self.pattern(it);
                    }
                }
                PatternPart::Literal(_)
                | PatternPart::AnyString
                | PatternPart::AnyChar
                | PatternPart::CharClass(_) => {}
            }
        }
    }

    fn arithmetic(&mut self, expression: Option<&ArithmeticExprNode>) {
        let Some(expression) = expression else { return };
        match &expression.kind {
            ArithmeticExpr::ShellWord(word) => self.word(word),
            ArithmeticExpr::Indexed { index, .. } => self.arithmetic(Some(index)),
            ArithmeticExpr::Parenthesized { expression } => self.arithmetic(Some(expression)),
            ArithmeticExpr::Unary { expr, .. } | ArithmeticExpr::Postfix { expr, .. } => {
                self.arithmetic(Some(expr));
            }
            ArithmeticExpr::Binary { left, right, .. } => {
                self.arithmetic(Some(left));
                self.arithmetic(Some(right));
            }
            ArithmeticExpr::Conditional {
                condition,
                then_expr,
                else_expr,
            } => {
                for part in [condition, then_expr, else_expr] {
                    self.arithmetic(Some(part));
                }
            }
            ArithmeticExpr::Assignment { value, .. } => self.arithmetic(Some(value)),
            ArithmeticExpr::Number(_) | ArithmeticExpr::Variable(_) => {}
        }
    }

    /// shuck keeps backslashes and patterns in its texts, so a text with one is read again.
    fn literal(&self, word: &Word) -> Option<String> {
        let text = word.try_static_text(self.source)?;
        if text.contains(['\\', '*', '?', '[', '{', '~', '(']) {
            return literal(&word.render_syntax(self.source));
        }
        Some(text.into_owned())
    }

    fn written(&self, span: Span) -> Option<String> {
        literal(span.slice(self.source))
    }
}
