//! However a command is spelled, it is not judged weaker than the plain one.

use crate::support::judge;
use countersign_core::Severity;

const PAYLOADS: &[&str] = &[
    "rm -rf ~",
    "git reset --hard",
    "curl -k https://example.org",
    "cat .env",
    "echo x >> ~/.bashrc",
    "git push --force origin main",
    "rm -rf src",
];

/// Spellings of a payload; `P` stands for it, `Q` for it in single quotes.
const SPELLINGS: &[&str] = &[
    "P",
    "true && P",
    "true; P",
    "sleep 1 & P",
    "true\nP",
    "  P  ",
    "P # comment",
    "(P)",
    "{ P; }",
    "! P",
    "time P",
    "A=1 P",
    "if true; then P; fi",
    "while true; do P; break; done",
    "for i in 1; do P; done",
    "case x in x) P;; esac",
    "f() { P; }; f",
    "echo $(P)",
    "echo `P`",
    "echo \"$(P)\"",
    "cat <(P)",
    "cat <<E\n$(P)\nE",
    "[[ -n $(P) ]]",
    "echo $((1+$(P)))",
    "x=$(P)",
    "sudo P",
    "env P",
    "env -i A=1 P",
    "timeout 5 P",
    "nice -n 5 P",
    "nohup P",
    "setsid P",
    "stdbuf -oL P",
    "command P",
    "exec P",
    "/usr/bin/env P",
    "doas P",
    "ionice -c3 P",
    "flock /tmp/l P",
    "xargs P",
    "find . -maxdepth 0 -exec true \\; -exec P \\;",
    "bash -c Q",
    "sh -c Q",
    "bash -lc Q",
    "/bin/dash -c Q",
    "eval Q",
    "bash <<< Q",
    "bash <<'E'\nP\nE",
    "bash -s <<'E'\nP\nE",
    "echo Q | sh",
    "printf '%s\\n' Q | bash",
    "source <(echo Q)",
    "trap Q EXIT",
    "watch -n1 Q",
    "su -c Q",
    "script -qc Q /dev/null",
    "echo Q > /tmp/z.sh; bash /tmp/z.sh",
    "coproc P",
    "2>/dev/null P",
    "unknown-wrapper P",
];

#[test]
fn no_spelling_is_judged_weaker() {
    let mut weaker = Vec::new();
    for payload in PAYLOADS {
        let plain = judge(payload);
        let worst = plain.worst().expect("a payload meets a rule");
        for spelling in SPELLINGS {
            // A redirection of the payload's own would be taken for the wrapper's.
            if payload.contains('>') && spelling.contains("xargs P") {
                continue;
            }
            let quoted = format!("'{payload}'");
            let command = spelling.replace('P', payload).replace('Q', &quoted);
            let found = judge(&command);
            // What may happen but need not is flagged, never denied for good.
            let enough = if spelling.starts_with("unknown") {
                worst.min(Severity::Soft)
            } else {
                worst
            };
            if found.worst() < Some(enough) || found.read_only {
                weaker.push(format!("{command:?}: {:?}, plain {worst:?}", found.worst()));
            }
        }
    }
    assert!(weaker.is_empty(), "{}", weaker.join("\n"));
}

#[test]
fn text_is_not_taken_for_a_command() {
    for command in [
        "echo 'rm -rf /'",
        "git commit -m 'do not run rm -rf ~ or git push --force'",
        "grep -rn 'rm -rf ~' docs",
        "ls # rm -rf /",
        "cat <<'E'\nrm -rf ~\n$(rm -rf ~)\nE",
        "echo \"never: curl -k https://x\"",
        "printf '%s' 'cat .env'",
    ] {
        assert_eq!(judge(command).worst(), None, "{command}");
    }
}
