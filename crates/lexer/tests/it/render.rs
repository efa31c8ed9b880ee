//! Commands as the rows of the data files describe them.

use countersign_lexer::{Assignment, Command, Redirect, RedirectOp, Word};
use serde_json::{Value, json};

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub(crate) fn word(word: &Word<'_>) -> String {
    text(word.literal().unwrap_or_else(|| word.source()))
}

pub(crate) fn command(command: &Command<'_>) -> Value {
    json!({
        "argv": command.words().map(|it| word(&it)).collect::<Vec<_>>(),
        "dynamic": command.words().map(|it| it.is_dynamic()).collect::<Vec<_>>(),
        "kinds": command.words().map(|it| it.kind().as_str()).collect::<Vec<_>>(),
        "redirects": command.redirects().map(|it| redirect(&it)).collect::<Vec<_>>(),
        "assignments": command.assignments().map(|it| assignment(&it)).collect::<Vec<_>>(),
        "context": command.context().as_str(),
    })
}

fn redirect(redirect: &Redirect<'_>) -> Value {
    let target = redirect.target();
    let mut row = json!({
        "op": redirect.op().as_str(),
        "target": word(&target),
        "dynamic": target.is_dynamic(),
    });
    if let Some(fd) = redirect.fd() {
        row["fd"] = json!(fd);
    }
    if let Some(variable) = redirect.fd_variable() {
        row["var"] = json!(text(variable));
    }
    if matches!(redirect.op(), RedirectOp::Heredoc | RedirectOp::HeredocTabs) {
        let body = redirect.body().expect("every here-document has a body");
        row["dynamic"] = json!(body.is_dynamic());
        row["quoted"] = json!(redirect.heredoc_quoted());
        if let Some(literal) = body.literal() {
            row["body"] = json!(text(literal));
        }
    }
    row
}

fn assignment(assignment: &Assignment<'_>) -> String {
    let value = assignment
        .value()
        .map_or_else(|| "(…)".into(), |it| word(&it));
    let subscript = if assignment.has_subscript() {
        "[…]"
    } else {
        ""
    };
    let operator = if assignment.append() { "+=" } else { "=" };
    format!("{}{subscript}{operator}{value}", text(assignment.name()))
}
