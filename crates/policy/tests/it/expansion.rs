//! Commands inside commands, however deep and however spelled.

use crate::support::{facts, judge};
use countersign_policy::{Origin, expand};

#[track_caller]
fn finds(source: &str, expected: &[&str]) {
    let found: Vec<String> = expand(source.as_bytes(), "/home/user/project", &facts())
        .commands
        .into_iter()
        .map(|found| found.view.argv.join(" "))
        .collect();
    for command in expected {
        assert!(
            found.iter().any(|found| found == command),
            "{source}: no `{command}` in {found:?}"
        );
    }
}

#[test]
fn wrappers_and_nested_shells() {
    finds(
        "sudo -u root env -i A=1 timeout -k 5 10 nice -n 5 rm -rf x",
        &["rm -rf x"],
    );
    finds("bash -c \"sh -c 'rm x'\"", &["rm x"]);
    finds("eval \"rm x\"; eval rm '$HOME'", &["rm x", "rm $HOME"]);
    finds("xargs -n1 -I{} sh -c 'rm {}'", &["sh -c rm {}", "rm $_"]);
    finds("find . -exec true \\; -exec rm {} +", &["rm ./{}"]);
    finds("trap 'rm x' EXIT; alias z='rm y'", &["rm x", "rm y"]);
    finds(
        "ssh host 'rm x'; docker exec c sh -c 'rm y'",
        &["rm x", "rm y"],
    );
    finds(
        "echo 'rm x' | sh; bash <<< 'rm y'; bash <<E\nrm z\nE",
        &["rm x", "rm y", "rm z"],
    );
    finds(
        "source <(echo 'rm x'); echo 'rm y' > /tmp/s; bash /tmp/s",
        &["rm x", "rm y"],
    );
    finds(
        "git -c alias.z='!rm x' z; env -S 'rm y'; test -v 'a[$(rm z)]'",
        &["rm x", "rm y", "rm z"],
    );
    finds("mywrap rm x; $x rm y", &["rm x", "rm y"]);
}

/// Depth and size are bounded, and beyond the bound nothing is taken for harmless.
#[test]
fn what_is_too_deep_is_opaque() {
    let nested = "eval ".repeat(40) + "ls";
    let wrapped = "nice ".repeat(2_000) + "ls";
    for command in [nested, wrapped, "$(".repeat(50_000), "eval $(".repeat(300)] {
        let judgement = judge(&command);
        assert!(
            !judgement.read_only,
            "{}",
            command.get(..40).unwrap_or(&command)
        );
        assert!(
            !judgement.hits.is_empty(),
            "{}",
            command.get(..40).unwrap_or(&command)
        );
    }
}

/// Source, and what its commands run in turn, each as context and words: what bash was seen to
/// run. A dynamic word stands in angle brackets, `!` marks what may run more than is listed.
const EFFECTS: &[(&str, &[&str])] = &[
    (
        "env FOO=bar -- ls",
        &["wrapper:env: -- ls", "forwarded: ls"],
    ),
    (
        "env -u X A=1 -i ls",
        &["wrapper:env: -i ls", "forwarded: ls"],
    ),
    ("env - rm x", &["wrapper:env: rm x"]),
    ("env -i - rm x", &["wrapper:env: rm x"]),
    ("env -- A=1 rm x", &["wrapper:env: rm x"]),
    (
        "env A=1 - rm x",
        &["wrapper:env: - rm x", "forwarded: rm x"],
    ),
    (
        r"find . -exec env f={} c \;",
        &["exec:find: env <f={}> c", "wrapper:env: c"],
    ),
    (
        r"find . -exec echo xx{}xx \;",
        &["exec:find: echo <xx{}xx>"],
    ),
    (
        r#"find . -exec sh -c 'cd -P -- "{}"' \;"#,
        &[
            r#"!exec:find: sh -c <cd -P -- "{}">"#,
            r#"bash-c: cd -P -- <"$_">"#,
        ],
    ),
    (
        r"find . -exec echo {} + -exec rm {} \;",
        &["exec:find: echo <./{}>", "exec:find: rm <./{}>"],
    ),
    (r"find . -exec echo + rm \;", &["exec:find: echo + rm"]),
    (r"find . -exec {} a \;", &["!exec:find: <./{}> a"]),
    ("find . -execdir rm {} +", &["exec:find: rm <./{}>"]),
    ("ls | xargs", &["xargs: echo <…>"]),
    ("ls | xargs -I{}", &["xargs: echo"]),
    (
        "ls | xargs -I% sh -c 'rm x%x'",
        &[
            "!pipe: xargs -I% sh -c rm x%x",
            "!xargs: sh -c <rm x%x>",
            "bash-c: rm <x$_x>",
        ],
    ),
    ("ls | xargs -I{} mv {} x{}y", &["xargs: mv <{}> <x{}y>"]),
    ("ls | xargs --replace=@ mv @ y", &["xargs: mv <@> y"]),
    ("ls | xargs -I {} -n1 rm {}", &["xargs: rm <{}>"]),
    ("ls | xargs -a f rm", &["xargs: rm <…>"]),
    (
        "mapfile -C 'rm -rf /' -c 1 rows <<< x",
        &["shell:mapfile: rm -rf / <$_> <$_>"],
    ),
    (
        "readarray -C 'rm -rf /' -c 1 rows <<< x",
        &["shell:mapfile: rm -rf / <$_> <$_>"],
    ),
    (
        "exec 3<<'E'\nrm x\nE\n. /dev/fd/3",
        &["written-script: rm x"],
    ),
    (
        "exec {fd}<<'P'\nrm x\nP\nsource /dev/fd/$fd",
        &["!top: source </dev/fd/$fd>"],
    ),
    (r#"source "$f""#, &[r#"!top: source <"$f">"#]),
    (". /dev/fd/3", &["!top: . /dev/fd/3"]),
    (". /proc/self/fd/3", &["!top: . /proc/self/fd/3"]),
    (". /dev/fd/4 4<<<'rm x'", &["written-script: rm x"]),
    ("bash /dev/fd/3 3<<<'rm x'", &["written-script: rm x"]),
    (". /dev/stdin <<< 'rm x'", &["herestring-shell: rm x"]),
    ("source <(echo 'rm x')", &["written-script: rm x"]),
    ("nice -5 rm x", &["wrapper:nice: rm x"]),
    ("flock f -c 'rm x'", &["shell:flock: rm x"]),
    ("flock -c 'rm x' f", &["shell:flock: rm x"]),
    ("/usr/bin/time -v rm x", &["wrapper:time: rm x"]),
    ("command -- rm x", &["wrapper:command: rm x"]),
    ("exec -cl rm x", &["wrapper:exec: rm x"]),
    ("exec -a n rm x", &["wrapper:exec: rm x"]),
    ("bash -lc 'rm x'", &["bash-c: rm x"]),
    ("bash -o pipefail -c 'rm x'", &["bash-c: rm x"]),
    ("bash +x -c 'rm x'", &["bash-c: rm x"]),
    ("bash +o pipefail -c 'rm x'", &["bash-c: rm x"]),
    ("bash --rcfile f -c 'rm x'", &["bash-c: rm x"]),
    ("bash --norc -c 'rm x'", &["bash-c: rm x"]),
    ("bash -c -- 'rm x'", &["bash-c: rm x"]),
    ("bash -c -e 'rm x'", &["bash-c: rm x"]),
    ("bash -O extglob -c 'rm x'", &["bash-c: rm x"]),
    ("bash +O extglob -c 'rm x'", &["bash-c: rm x"]),
    ("bash -co pipefail 'rm x'", &["bash-c: rm x"]),
    ("bash -oc pipefail 'rm x'", &["bash-c: rm x"]),
    (r#"bash -c '"$@"' _ rm x"#, &[r#"bash-c: <"$@">"#]),
    ("bash -c '$0 x' rm", &["bash-c: <$0> x"]),
    (
        r#"bash -c 'eval "$1"' _ 'rm x'"#,
        &[r#"bash-c: eval <"$1">"#, "eval: rm x"],
    ),
    ("bash -s <<< 'rm x'", &["herestring-shell: rm x"]),
    ("bash -s a <<< 'rm x'", &["herestring-shell: rm x"]),
    ("bash - <<< 'rm x'", &["herestring-shell: rm x"]),
    ("bash <(echo 'rm x')", &["written-script: rm x"]),
    ("eval rm 'x;' rm y", &["eval: rm x", "eval: rm y"]),
    ("eval -- rm x", &["eval: rm x"]),
    ("trap -- 'rm x' EXIT", &["trap: rm x"]),
    ("env -S 'rm x'", &["wrapper:env-S: rm x"]),
    ("env -S 'rm x' y", &["wrapper:env-S: rm x y"]),
    ("env -S'rm x' y", &["wrapper:env-S: rm x y"]),
    ("env -vS 'rm x'", &["wrapper:env-S: rm x"]),
    ("env '-S rm x' y", &["wrapper:env-S: rm x y"]),
    ("env -S 'A=1 rm x'", &["wrapper:env-S: rm x"]),
    ("env -S '-u B rm x'", &["wrapper:env-S: rm x"]),
    ("env --split-string='rm x' y", &["wrapper:env-S: rm x y"]),
    ("ssh h 'rm x'", &["remote:ssh: rm x"]),
    (
        r"ssh h rm x \; rm y",
        &["remote:ssh: rm x", "remote:ssh: rm y"],
    ),
    ("ssh -o ProxyCommand='rm x' h", &["setting: rm x"]),
    ("PROMPT_COMMAND='rm x'", &["env-exec: rm x"]),
    (
        "PROMPT_COMMAND=(a 'rm x')",
        &["env-exec: a", "env-exec: rm x"],
    ),
    ("PROMPT_COMMAND+='; rm x'", &["!assign: ", "env-exec: rm x"]),
    ("export PROMPT_COMMAND='rm x'", &["env-exec: rm x"]),
    ("declare PROMPT_COMMAND='rm x'", &["env-exec: rm x"]),
    (
        "env PROMPT_COMMAND='rm x' bash",
        &["env-exec: rm x", "wrapper:env: bash"],
    ),
    (
        "export PS4='$(rm x)'; set -x; :",
        &["!top: export PS4=$(rm x)", "env-exec: rm x"],
    ),
    (
        "env BASH_ENV='$(rm x)' bash -c :",
        &[
            "!top: env BASH_ENV=$(rm x) bash -c :",
            "env-exec: rm x",
            "wrapper:env: bash -c :",
            "bash-c: :",
        ],
    ),
    (
        "BASH_ENV='$(rm x)' bash -c :",
        &["!top: bash -c :", "env-exec: rm x", "bash-c: :"],
    ),
    (
        "let 'x=a[$(rm x)]' 'y=1'",
        &["!top: let x=a[$(rm x)] y=1", "arith-eval: rm x"],
    ),
    (
        "printf -v 'b[$(rm x)0]' y",
        &["!top: printf -v b[$(rm x)0] y", "arith-eval: rm x"],
    ),
    (
        "printf -v'b[$(rm x)0]' y",
        &["!top: printf -vb[$(rm x)0] y", "arith-eval: rm x"],
    ),
    (
        "declare 'd[$(rm x)0]=1'",
        &["!top: declare d[$(rm x)0]=1", "arith-eval: rm x"],
    ),
    (
        "declare -i 'd=a[$(rm x)0]'",
        &["!top: declare -i d=a[$(rm x)0]", "arith-eval: rm x"],
    ),
    (
        "declare -a 'd=($(rm x))'",
        &["!top: declare -a d=($(rm x))", "arith-eval: rm x"],
    ),
    (
        "declare -A 'd=([$(rm x)]=1)'",
        &["!top: declare -A d=([$(rm x)]=1)", "arith-eval: rm x"],
    ),
    (
        "test -v 'e[$(rm x)0]'",
        &["!top: test -v e[$(rm x)0]", "arith-eval: rm x"],
    ),
    (
        "[ -v 'e[$(rm x)0]' ]",
        &["!top: [ -v e[$(rm x)0] ]", "arith-eval: rm x"],
    ),
    ("[[ -v 'e[$(rm x)0]' ]]", &["arith-eval: rm x"]),
    ("[[ -v e[$(rm x)0] ]]", &[]),
    ("[[ 'a[$(rm x)0]' -eq 1 ]]", &["arith-eval: rm x"]),
    (
        "read 'a[$(rm x)0]' <<< y",
        &["!top: read a[$(rm x)0]", "arith-eval: rm x"],
    ),
    (
        "a=1; unset 'a[$(rm x)0]'",
        &["!top: unset a[$(rm x)0]", "arith-eval: rm x"],
    ),
    (
        "x='a[$(rm x)0]'; (( x ))",
        &["!assign: ", "arith-eval: rm x"],
    ),
    (
        "x='a[$(rm x)0]'; echo ${!x}",
        &["!assign: ", "arith-eval: rm x"],
    ),
    (
        "x='$(rm x)'; echo ${x@P}",
        &["!assign: ", "arith-eval: rm x"],
    ),
    (
        "declare -n r='a[$(rm x)0]'; echo $r",
        &["!top: declare -n r=a[$(rm x)0]", "arith-eval: rm x"],
    ),
    (
        "set -- 'a[$(rm x)0]'; (( $1 ))",
        &["!top: set -- a[$(rm x)0]", "arith-eval: rm x"],
    ),
    (
        "for x in 'a[$(rm x)0]'; do (( x )); done",
        &["arith-eval: rm x"],
    ),
    (
        "complete -C 'rm x' foo",
        &["shell:complete: rm x <$_> <$_> <$_>"],
    ),
    (
        "compgen -C 'rm x' foo",
        &["shell:complete: rm x <$_> <$_> <$_>"],
    ),
    (
        "compgen -W '$(rm x)' foo",
        &["!top: compgen -W $(rm x) foo", "arith-eval: rm x"],
    ),
    ("fd -x rm {}", &["exec:fd: rm <./{}>"]),
    ("fd -x mv {} {.}.bak", &["exec:fd: mv <./{}> <{.}.bak>"]),
    (
        "fd -x sh -c 'rm {/}'",
        &["!exec:fd: sh -c <rm {/}>", "bash-c: rm <$_>"],
    ),
    ("fd -X rm", &["exec:fd: rm <./{}>"]),
    (
        r"fd x -x echo a \; -x rm b",
        &["exec:fd: echo a <./{}>", "exec:fd: rm b <./{}>"],
    ),
    (
        "ls | parallel rm {}",
        &["!pipe: parallel rm {}", "shell:parallel: rm <$_>"],
    ),
    (
        "ls | parallel rm",
        &["!pipe: parallel rm", "shell:parallel: rm <$_>"],
    ),
    (
        "ls | parallel mv {} {.}.x",
        &[
            "!pipe: parallel mv {} {.}.x",
            "shell:parallel: mv <$_> <$_.x>",
        ],
    ),
    (
        "parallel 'cd {//}; rm {/}' ::: a",
        &[
            "!top: parallel cd {//}; rm {/} ::: a",
            "shell:parallel: cd <$_>",
            "shell:parallel: rm <$_>",
        ],
    ),
    (
        "parallel rm {1} {2} ::: a ::: b",
        &[
            "!top: parallel rm {1} {2} ::: a ::: b",
            "shell:parallel: rm <$_> <$_>",
        ],
    ),
    (
        "busybox sh -c 'rm x'",
        &["wrapper:busybox: sh -c rm x", "bash-c: rm x"],
    ),
];

#[test]
fn effects_are_those_that_bash_has() {
    let mut wrong = Vec::new();
    for (source, expected) in EFFECTS {
        let found = expand(source.as_bytes(), "/home/user/project", &facts()).commands;
        let found: Vec<String> = found
            .into_iter()
            .filter(|it| it.origin != Origin::Note && (it.derived || !it.opaque.is_empty()))
            .map(|it| {
                let words = it.view.argv.iter().zip(&it.view.dynamic);
                let words = words.map(|(word, dynamic)| match dynamic {
                    true => format!("<{word}>"),
                    false => word.clone(),
                });
                let mark = if it.opaque.is_empty() { "" } else { "!" };
                let words: Vec<String> = words.collect();
                format!("{mark}{}: {}", it.view.context, words.join(" "))
            })
            .collect();
        if found != *expected {
            wrong.push(format!(
                "{source}\n  expected {expected:?}\n  found    {found:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
