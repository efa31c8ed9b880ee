//! What a scope is called in the tree.

use super::word;
use crate::reason::visible;
use crate::style::Style;
use countersign_lexer::{Scope, ScopeKind, Script};

/// The longest expression that is shown, in characters.
const MAX_EXPRESSION: usize = 60;

/// The name of a scope, with its words and redirections.
pub(super) fn label(script: &Script, scope: &Scope<'_>, style: Style) -> String {
    let text = |bytes: &[u8]| visible(&String::from_utf8_lossy(bytes));
    let name = match scope.kind() {
        ScopeKind::Script => "script".to_owned(),
        ScopeKind::PipelineStage { index, .. } => format!("stage {}", index.saturating_add(1)),
        ScopeKind::Group => compound(script, scope).to_owned(),
        ScopeKind::Subshell => "subshell ( )".to_owned(),
        ScopeKind::Condition | ScopeKind::Body | ScopeKind::Loop => opening(script, scope),
        ScopeKind::For { name } => format!("for {} in", text(name)),
        ScopeKind::Select { name } => format!("select {} in", text(name)),
        ScopeKind::Case => "case".to_owned(),
        ScopeKind::Function { name } => format!("function {}", text(name)),
        ScopeKind::CommandSubstitution => "substitution $( )".to_owned(),
        ScopeKind::Backtick => "substitution ` `".to_owned(),
        ScopeKind::FunctionSubstitution => "substitution ${ }".to_owned(),
        ScopeKind::ProcessSubstitution { write: false } => "process <( )".to_owned(),
        ScopeKind::ProcessSubstitution { write: true } => "process >( )".to_owned(),
        ScopeKind::Heredoc => "here-document".to_owned(),
        ScopeKind::Arithmetic | ScopeKind::TestExpression => expression(script, scope),
        ScopeKind::Coproc => "coproc".to_owned(),
    };
    let mut label = style.dim(name).to_string();
    for piece in scope.words().map(|it| word::word(&it, style)) {
        label.push(' ');
        label.push_str(&piece);
    }
    for piece in scope.redirects().map(|it| word::redirect(&it, style)) {
        label.push(' ');
        label.push_str(&piece);
    }
    label
}

fn source<'s>(script: &'s Script, scope: &Scope<'_>) -> &'s [u8] {
    let span = scope.span();
    let source = script.source().get(span.start..span.end);
    source.unwrap_or_default().trim_ascii()
}

/// A compound command of several lists goes by the word that opens it.
fn compound<'s>(script: &'s Script, scope: &Scope<'_>) -> &'s str {
    let source = source(script, scope);
    let words = ["if", "while", "until", "for"];
    let opens = |word: &&&str| source.starts_with(word.as_bytes());
    words.iter().find(opens).copied().unwrap_or("group { }")
}

/// A list inside a compound command goes by the word before it.
fn opening(script: &Script, scope: &Scope<'_>) -> String {
    let before = script.source().get(..scope.span().start);
    let before = before.unwrap_or_default().trim_ascii_end();
    let letters = before
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_lowercase());
    let start = before.len().saturating_sub(letters.count());
    match before.get(start..).unwrap_or_default() {
        b"if" | b"elif" | b"while" | b"until" => "condition".to_owned(),
        b"then" => "then".to_owned(),
        b"else" => "else".to_owned(),
        _ => match scope.kind() {
            ScopeKind::Condition => "condition".to_owned(),
            ScopeKind::Loop => "do".to_owned(),
            _ => "body".to_owned(),
        },
    }
}

fn expression(script: &Script, scope: &Scope<'_>) -> String {
    let text = String::from_utf8_lossy(source(script, scope));
    let mut shown = visible(&text);
    if let Some((at, _)) = shown.char_indices().nth(MAX_EXPRESSION) {
        shown.truncate(at);
        shown.push('…');
    }
    shown
}
