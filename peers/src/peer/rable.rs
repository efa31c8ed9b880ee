//! rable: a tree after bash's own grammar. Operands of `${ }`, terms of `[[ ]]` and bodies of
//! here-documents are text in it, which is parsed again here.

use super::{Argv, Refusal, Result, may_hold_commands};
use crate::literal::literal;
use rable::{Node, NodeKind};

/// What a parse gives.
pub type Tree = Vec<Node>;

/// The bare parse.
///
/// # Errors
///
/// When rable rejects the source.
pub fn parse(source: &str) -> Result<Tree> {
    rable::parse(source, true).map_err(|_| Refusal::Rejected)
}

/// Every command anywhere in the source.
///
/// # Errors
///
/// When rable rejects the source.
pub fn extract(source: &str) -> Result<Vec<Argv>> {
    let tree = parse(source)?;
    let mut found = Vec::new();
    nodes(&tree, &mut found);
    Ok(found)
}

fn nodes(tree: &[Node], found: &mut Vec<Argv>) {
    for one in tree {
        node(one, found);
    }
}

fn node(tree: &Node, found: &mut Vec<Argv>) {
    match &tree.kind {
        NodeKind::Command {
            assignments,
            words,
            redirects,
        } => {
            if !words.is_empty() {
                found.push(words.iter().map(word_literal).collect());
            }
            nodes(assignments, found);
            nodes(words, found);
            nodes(redirects, found);
        }
        NodeKind::Word { parts, .. } | NodeKind::ArithConcat { parts } => nodes(parts, found),
        NodeKind::Pipeline { commands, .. } => nodes(commands, found),
        NodeKind::List { items } => items.iter().for_each(|item| node(&item.command, found)),
        NodeKind::Array { elements } => nodes(elements, found),
        NodeKind::Redirect { target, .. } => node(target, found),
        NodeKind::HereDoc {
            content,
            quoted: false,
            ..
        } => quoted_text(content, found),
        NodeKind::CommandSubstitution { command, .. }
        | NodeKind::ProcessSubstitution { command, .. }
        | NodeKind::Coproc { command, .. } => node(command, found),
        NodeKind::Negation { pipeline } | NodeKind::Time { pipeline, .. } => node(pipeline, found),
        _ => compound(tree, found),
    }
}

fn compound(tree: &Node, found: &mut Vec<Argv>) {
    match &tree.kind {
        NodeKind::If {
            condition,
            then_body,
            else_body,
            redirects,
        } => {
            node(condition, found);
            node(then_body, found);
            nodes(
                else_body.as_deref().map_or(&[], std::slice::from_ref),
                found,
            );
            nodes(redirects, found);
        }
        NodeKind::While {
            condition,
            body,
            redirects,
        }
        | NodeKind::Until {
            condition,
            body,
            redirects,
        } => {
            node(condition, found);
            node(body, found);
            nodes(redirects, found);
        }
        NodeKind::For {
            words,
            body,
            redirects,
            ..
        }
        | NodeKind::Select {
            words,
            body,
            redirects,
            ..
        } => {
            nodes(words.as_deref().unwrap_or_default(), found);
            node(body, found);
            nodes(redirects, found);
        }
        NodeKind::ForArith {
            init,
            cond,
            incr,
            body,
            redirects,
        } => {
            for text in [init, cond, incr] {
                quoted_text(text, found);
            }
            node(body, found);
            nodes(redirects, found);
        }
        NodeKind::Case {
            word,
            patterns,
            redirects,
        } => {
            node(word, found);
            for arm in patterns {
                nodes(&arm.patterns, found);
                nodes(arm.body.as_slice(), found);
            }
            nodes(redirects, found);
        }
        NodeKind::Subshell { body, redirects }
        | NodeKind::BraceGroup { body, redirects }
        | NodeKind::ConditionalExpr { body, redirects } => {
            node(body, found);
            nodes(redirects, found);
        }
        NodeKind::Function { body, .. } => node(body, found),
        _ => expression(tree, found),
    }
}

fn expression(tree: &Node, found: &mut Vec<Argv>) {
    match &tree.kind {
        NodeKind::ArithmeticCommand {
            redirects,
            raw_content,
            ..
        } => {
            quoted_text(raw_content, found);
            nodes(redirects, found);
        }
        NodeKind::ArithmeticExpansion {
            expression: Some(inner),
        } => node(inner, found),
        NodeKind::ArithBinaryOp { left, right, .. }
        | NodeKind::ArithComma { left, right }
        | NodeKind::BinaryTest { left, right, .. }
        | NodeKind::CondAnd { left, right }
        | NodeKind::CondOr { left, right }
        | NodeKind::ArithAssign {
            target: left,
            value: right,
            ..
        } => {
            node(left, found);
            node(right, found);
        }
        NodeKind::ArithUnaryOp { operand, .. }
        | NodeKind::ArithPreIncr { operand }
        | NodeKind::ArithPostIncr { operand }
        | NodeKind::ArithPreDecr { operand }
        | NodeKind::ArithPostDecr { operand }
        | NodeKind::UnaryTest { operand, .. }
        | NodeKind::CondNot { operand }
        | NodeKind::CondParen { inner: operand }
        | NodeKind::ArithSubscript { index: operand, .. } => node(operand, found),
        NodeKind::ArithTernary {
            condition,
            if_true,
            if_false,
        } => {
            node(condition, found);
            for branch in [if_true, if_false].into_iter().flatten() {
                node(branch, found);
            }
        }
        NodeKind::CondTerm { value, .. } => text(value, found),
        NodeKind::ParamExpansion { param, arg, .. }
        | NodeKind::ParamIndirect { param, arg, .. } => {
            quoted_text(param, found);
            text(arg.as_deref().unwrap_or_default(), found);
        }
        NodeKind::ArithDeprecated { expression } => quoted_text(expression, found),
        NodeKind::LocaleString { content, .. } => text(content, found),
        _ => {}
    }
}

fn word_literal(word: &Node) -> Option<String> {
    match &word.kind {
        NodeKind::Word { value, .. } => literal(value),
        _ => None,
    }
}

/// The commands in a text that is read as words.
fn text(text: &str, found: &mut Vec<Argv>) {
    if may_hold_commands(text) {
        arguments(&format!(": {text}"), found);
    }
}

/// The commands in a text whose quotes mean nothing outside substitutions.
fn quoted_text(text: &str, found: &mut Vec<Argv>) {
    if !may_hold_commands(text) {
        return;
    }
    let mut word = String::from(": \"");
    let mut depth = 0_u32;
    let mut previous = '\0';
    for c in text.chars() {
        match c {
            '(' if depth > 0 || previous == '$' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '"' if depth == 0 => word.push('\\'),
            _ => {}
        }
        word.push(c);
        previous = c;
    }
    word.push('"');
    arguments(&word, found);
}

/// The commands inside the words of a command that stands for none.
fn arguments(source: &str, found: &mut Vec<Argv>) {
    for one in parse(source).unwrap_or_default() {
        if let NodeKind::Command { words, .. } = &one.kind {
            nodes(words, found);
        }
    }
}
