//! Commands and scripts of four sizes, as agents write them.

use std::fmt::Write as _;

/// Their sizes and texts.
pub(crate) fn inputs() -> Vec<(&'static str, String)> {
    vec![
        ("20 B", "git log --oneline -5".to_owned()),
        ("200 B", COMMAND.to_owned()),
        ("10 KB", script(10_000)),
        ("1 MB", script(1_000_000)),
    ]
}

const COMMAND: &str = "cd services/billing && npm ci --silent 2>/dev/null; \
    npx jest --runInBand -t 'refund flow' 2>&1 | tee /tmp/jest.log | tail -n 25; \
    grep -c \"FAIL\" /tmp/jest.log || echo \"all green on $(git rev-parse HEAD)\"";

/// A script that goes on until it has this many bytes, and ends after a whole piece.
fn script(bytes: usize) -> String {
    let mut script = String::from("#!/usr/bin/env bash\nset -euo pipefail\n");
    let longest = 400;
    for number in 0.. {
        if script.len() + longest > bytes {
            break;
        }
        piece(&mut script, number);
    }
    script
}

fn piece(script: &mut String, number: usize) {
    let n = number;
    let _infallible = match number % 6 {
        0 => write!(
            script,
            "\n# Build and check package {n}.\nbuild_{n}() {{\n  local out=\"${{OUT_DIR:-/tmp/build}}/pkg{n}\"\n  mkdir -p \"$out\"\n  cargo build --release -p pkg{n} --target-dir \"$out\" 2>&1 | tail -n 20\n}}\n"
        ),
        1 => write!(
            script,
            "if [ -f src/part{n}.rs ]; then\n  for f in lib main \"the tests\"; do\n    grep -n 'TODO' \"src/$f.rs\" | head -{n} >> /tmp/todo.txt || echo \"none in $f\"\n  done\nelse\n  echo 'missing' >&2\nfi\n"
        ),
        2 => write!(
            script,
            "cat > config/service{n}.yaml <<'YAML'\nname: service{n}\nreplicas: 3\nenv:\n  - key: MODE\n    value: \"production\"\nYAML\nkubectl apply -f config/service{n}.yaml --dry-run=client\n"
        ),
        3 => write!(
            script,
            "version=$(git describe --tags --abbrev=0 2>/dev/null || echo v0.{n})\ncurl -fsSL -H \"Accept: application/json\" \"https://example.test/api/items/{n}?v=${{version#v}}\" | jq -r '.items[] | select(.ok) | .name' > /tmp/names{n}.txt\n"
        ),
        4 => write!(
            script,
            "case \"$1\" in\n  start|restart) docker compose up -d web{n} && docker compose logs --tail=50 web{n} ;;\n  stop) docker compose down --remove-orphans ;;\n  *) echo \"usage: $0 start|stop\" ; exit 1 ;;\nesac\n"
        ),
        _ => write!(
            script,
            "find . -name '*.py' -not -path './venv/*' -print0 | xargs -0 sed -i 's/old_name_{n}/new_name_{n}/g'\ngit add -A && git commit -m \"Rename old_name_{n}\" --no-verify\nwhile read -r line; do printf '%s\\n' \"$line\"; done < /tmp/names{n}.txt\n"
        ),
    };
}
