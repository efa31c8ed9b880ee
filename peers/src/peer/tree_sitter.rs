//! tree-sitter-bash: a concrete tree without types, in which an error is one more node.

use super::{Argv, Refusal, Result};
use crate::literal::literal;
use std::cell::RefCell;
use tree_sitter::{Node, Parser};

/// What a parse gives.
pub type Tree = tree_sitter::Tree;

thread_local! {
    // Made once: setting a parser up is no part of a parse.
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

/// The bare parse.
///
/// # Errors
///
/// When there is an error anywhere in the tree.
pub fn parse(source: &str) -> Result<Tree> {
    let tree = tree(source).ok_or(Refusal::Rejected)?;
    if tree.root_node().has_error() {
        return Err(Refusal::Flagged(Vec::new()));
    }
    Ok(tree)
}

/// Every command anywhere in the source.
///
/// # Errors
///
/// When there is an error anywhere in the tree.
pub fn extract(source: &str) -> Result<Vec<Argv>> {
    let tree = tree(source).ok_or(Refusal::Rejected)?;
    let found = commands(&tree, source);
    if tree.root_node().has_error() {
        Err(Refusal::Flagged(found))
    } else {
        Ok(found)
    }
}

fn tree(source: &str) -> Option<Tree> {
    PARSER.with_borrow_mut(|parser| {
        if parser.language().is_none() {
            parser
                .set_language(&tree_sitter_bash::LANGUAGE.into())
                .ok()?;
        }
        parser.parse(source, None)
    })
}

fn commands(tree: &Tree, source: &str) -> Vec<Argv> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        match node.kind() {
            "command" => found.push(command(node, source)),
            "declaration_command" | "unset_command" => found.push(declaration(node, source)),
            "test_command" if text(node, source).starts_with("[ ") => {
                found.push(vec![Some("[".to_owned()), None]);
            }
            _ => {}
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

fn text<'a>(node: Node<'_>, source: &'a str) -> &'a str {
    source.get(node.byte_range()).unwrap_or_default()
}

fn command(node: Node<'_>, source: &str) -> Argv {
    let mut argv = Argv::new();
    let mut cursor = node.walk();
    for child in node.children_by_field_name("name", &mut cursor) {
        argv.push(literal(text(child, source)));
    }
    for child in node.children_by_field_name("argument", &mut cursor) {
        argv.push(literal(text(child, source)));
    }
    if let Some(around) = node.parent()
        && around.kind() == "redirected_statement"
    {
        after_redirects(around, source, &mut argv);
    }
    argv
}

/// Words after a redirection belong to the command, but stand in the redirection.
fn after_redirects(statement: Node<'_>, source: &str, argv: &mut Argv) {
    let mut cursor = statement.walk();
    for redirect in statement.children_by_field_name("redirect", &mut cursor) {
        let (field, target) = match redirect.kind() {
            "heredoc_redirect" => ("argument", 0),
            _ => ("destination", 1),
        };
        let mut cursor = redirect.walk();
        for word in redirect
            .children_by_field_name(field, &mut cursor)
            .skip(target)
        {
            argv.push(literal(text(word, source)));
        }
    }
}

fn declaration(node: Node<'_>, source: &str) -> Argv {
    let mut cursor = node.walk();
    node.children(&mut cursor)
        .map(|child| literal(text(child, source)))
        .collect()
}
