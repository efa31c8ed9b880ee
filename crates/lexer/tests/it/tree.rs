//! Whole scripts as trees, for people to look at.

use countersign_lexer::{Options, Scope, ScopeKind, Script, lex};

use crate::render::{text, word};

#[test]
fn an_ordinary_script() {
    let tree = tree(
        r#"set -euo pipefail
cd "$(git rev-parse --show-toplevel)" || exit 1
build() {
    local target=${1:-release}
    RUSTFLAGS="-D warnings" cargo build --"$target" 2>&1 | tee build.log
}
for crate in crates/*; do
    [[ -f $crate/Cargo.toml ]] && build >/dev/null &
done
case $(uname) in
    Linux) sudo cp target/release/{app,helper} /usr/local/bin ;;
    *) echo "no" >&2; exit 1 ;;
esac
cat <<EOF >notes.txt
built on $(date) by `whoami`
EOF
"#,
    );
    insta::assert_snapshot!(tree);
}

#[test]
fn a_script_with_everything_wrong() {
    let tree = tree("rm a\n) ; rm b $(if `rm c` ${x y} 'rm d");
    insta::assert_snapshot!(tree);
}

/// One line a scope or command, indented by nesting, and the diagnostics.
fn tree(source: &str) -> String {
    let script = lex(source.as_bytes(), &Options::default());
    let mut lines = vec![format!("{:?}", script.status())];
    for diagnostic in script.diagnostics() {
        let span = diagnostic.span;
        lines.push(format!("{}..{}: {}", span.start, span.end, diagnostic.kind));
    }
    for scope in script.scopes() {
        let indent = "  ".repeat(depth(&script, scope));
        let words: Vec<_> = scope.words().map(|it| word(&it)).collect();
        let line = format!("{indent}{} {words:?}", kind(&scope));
        lines.push(line.trim_end_matches(" []").to_owned());
        for command in script
            .commands()
            .filter(|command| command.scope() == scope.id())
        {
            let context = command.context().as_str();
            lines.push(format!("{indent}  {context}: {}", text(command.source())));
        }
    }
    lines.join("\n")
}

fn kind(scope: &Scope<'_>) -> String {
    match scope.kind() {
        ScopeKind::Function { name } => format!("Function {}", text(name)),
        ScopeKind::For { name } => format!("For {}", text(name)),
        kind => format!("{kind:?}"),
    }
}

fn depth(script: &Script, scope: Scope<'_>) -> usize {
    let parent = |scope: &Scope<'_>| scope.parent().and_then(|id| script.scope(id));
    std::iter::successors(parent(&scope), parent).count()
}
