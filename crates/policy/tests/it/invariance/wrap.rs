//! Ways to run a command inside another.

/// What a source is, as far as it matters for what may be put around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// One simple command, without redirections.
    Words,
    /// Anything on one line.
    Line,
    /// Lines.
    Lines,
}

/// How sure it is that the payload runs, and as what it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sure {
    /// It runs, here.
    Same,
    /// It may run, or not now.
    Perhaps,
    /// What runs is not statically known, or it runs elsewhere.
    Flagged,
}

/// A source around another: `P` stands for the other, `Q` for it in single quotes, `B` for its
/// base64.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wrap {
    pub(super) text: &'static str,
    takes: Kind,
    pub(super) gives: Kind,
    pub(super) sure: Sure,
}

const fn wrap(text: &'static str, takes: Kind, gives: Kind) -> Wrap {
    Wrap {
        text,
        takes,
        gives,
        sure: Sure::Same,
    }
}

/// A prefix of a simple command.
const fn prefix(text: &'static str) -> Wrap {
    wrap(text, Kind::Words, Kind::Words)
}

/// A command that takes source as a word.
const fn quoted(text: &'static str) -> Wrap {
    wrap(text, Kind::Lines, Kind::Words)
}

/// A list around a list.
const fn line(text: &'static str) -> Wrap {
    wrap(text, Kind::Line, Kind::Line)
}

/// Lines around lines.
const fn lines(text: &'static str) -> Wrap {
    wrap(text, Kind::Lines, Kind::Lines)
}

const fn perhaps(wrap: Wrap) -> Wrap {
    Wrap {
        sure: Sure::Perhaps,
        ..wrap
    }
}

const fn flagged(wrap: Wrap) -> Wrap {
    Wrap {
        sure: Sure::Flagged,
        ..wrap
    }
}

pub(super) const WRAPS: &[Wrap] = &[
    // Prefixes.
    prefix("sudo P"),
    prefix("sudo -u root -- P"),
    prefix("doas P"),
    prefix("env P"),
    prefix("env -i A=1 P"),
    prefix("env -u A -- P"),
    prefix("/usr/bin/env P"),
    prefix("command P"),
    prefix("command -p P"),
    prefix("exec P"),
    prefix("exec -a ls P"),
    prefix("nice P"),
    prefix("nice -n 5 P"),
    prefix("ionice -c3 P"),
    prefix("nohup P"),
    prefix("setsid -f P"),
    prefix("timeout 5 P"),
    prefix("timeout -k 1 -s KILL 5m P"),
    prefix("stdbuf -oL P"),
    prefix("chrt -i 0 P"),
    prefix("taskset -c 0 P"),
    prefix("setarch x86_64 P"),
    prefix("flock /tmp/l P"),
    prefix("xargs P"),
    prefix("xargs -0 -n1 P"),
    prefix("xargs -I X P"),
    prefix("caffeinate -i P"),
    prefix("strace -f P"),
    prefix("ltrace P"),
    prefix("unshare -r P"),
    prefix("systemd-run --user P"),
    prefix("systemd-inhibit P"),
    prefix("dbus-run-session -- P"),
    prefix("firejail P"),
    prefix("unbuffer P"),
    prefix("xvfb-run P"),
    quoted("hyperfine Q"),
    prefix("busybox P"),
    prefix("\\time -v P"),
    prefix("gdb -batch -ex run --args P"),
    prefix("valgrind P"),
    prefix("proxychains4 -q P"),
    prefix("torsocks P"),
    prefix("faketime yesterday P"),
    prefix("fakeroot P"),
    prefix("parallel P ::: 1"),
    prefix("find . -maxdepth 0 -exec P \\;"),
    prefix("find . -maxdepth 0 -execdir P {} +"),
    prefix("fd . -X P"),
    prefix("git bisect run P"),
    prefix("entr P"),
    perhaps(prefix("unknown-wrapper P")),
    perhaps(prefix("unknown-wrapper --option -- P")),
    perhaps(prefix("./wrapper.sh P")),
    // Elsewhere.
    flagged(prefix("ssh host P")),
    flagged(quoted("ssh host Q")),
    flagged(prefix("docker exec box P")),
    flagged(quoted("docker exec box sh -c Q")),
    flagged(prefix("kubectl exec pod -- P")),
    // Source in a word.
    quoted("bash -c Q"),
    quoted("sh -c Q"),
    quoted("bash -lc Q"),
    quoted("bash -ec Q x"),
    quoted("bash -o pipefail -c Q"),
    quoted("bash --norc -c Q"),
    quoted("/bin/dash -c Q"),
    quoted("zsh -c Q"),
    quoted("su -c Q"),
    quoted("su root -c Q"),
    quoted("sudo sh -c Q"),
    wrap("eval Q", Kind::Lines, Kind::Line),
    wrap("builtin eval Q", Kind::Lines, Kind::Line),
    quoted("script -qc Q /dev/null"),
    quoted("watch -n1 Q"),
    quoted("flock /tmp/l -c Q"),
    quoted("parallel ::: Q"),
    quoted("xargs -I{} sh -c Q"),
    perhaps(wrap("env -S Q", Kind::Words, Kind::Words)),
    quoted("tmux new-session -d Q"),
    quoted("tmux send-keys Q Enter"),
    quoted("screen -dm sh -c Q"),
    quoted("git -c alias.x=!Q x"),
    quoted("git -c core.pager=Q log"),
    quoted("git rebase --exec Q main"),
    flagged(quoted("git submodule foreach Q")),
    quoted("find . -maxdepth 0 -exec sh -c Q \\;"),
    flagged(wrap(
        "awk 'BEGIN { system(\"P\") }'",
        Kind::Words,
        Kind::Words,
    )),
    wrap("trap Q EXIT", Kind::Lines, Kind::Line),
    perhaps(wrap("trap Q ERR INT", Kind::Lines, Kind::Line)),
    perhaps(wrap("unknown-wrapper -c Q", Kind::Words, Kind::Words)),
    perhaps(wrap("alias ll=Q", Kind::Lines, Kind::Line)),
    wrap("eval Q >/dev/null", Kind::Lines, Kind::Line),
    wrap("bash <<< Q", Kind::Lines, Kind::Line),
    wrap("printf %s Q | sh", Kind::Lines, Kind::Line),
    wrap(
        "printf %s Q | tee /tmp/log | bash -s",
        Kind::Lines,
        Kind::Line,
    ),
    wrap("printf '%s\\n' Q | bash", Kind::Lines, Kind::Line),
    wrap("printf %s Q | xargs -0 sh -c", Kind::Line, Kind::Line),
    perhaps(wrap("echo B | base64 -d | sh", Kind::Lines, Kind::Line)),
    perhaps(wrap("base64 -d <<< B | bash", Kind::Lines, Kind::Line)),
    perhaps(wrap(
        "eval \"$(echo B | base64 -d)\"",
        Kind::Lines,
        Kind::Line,
    )),
    perhaps(wrap(
        "bash -c \"$(base64 -d <<< B)\"",
        Kind::Lines,
        Kind::Line,
    )),
    wrap("source <(printf %s Q)", Kind::Lines, Kind::Line),
    wrap(". <(printf '%s\\n' Q)", Kind::Lines, Kind::Line),
    wrap("bash <(printf %s Q)", Kind::Lines, Kind::Line),
    wrap(
        "printf %s Q > /tmp/z.sh; bash /tmp/z.sh",
        Kind::Lines,
        Kind::Line,
    ),
    wrap(
        "printf %s Q > z.sh && chmod +x z.sh && ./z.sh",
        Kind::Lines,
        Kind::Line,
    ),
    wrap("printf %s Q | tee z.sh; . ./z.sh", Kind::Lines, Kind::Line),
    wrap("x=Q; eval \"$x\"", Kind::Lines, Kind::Line),
    wrap("x=Q; bash -c \"$x\"", Kind::Lines, Kind::Line),
    wrap("x=Q bash -c 'eval \"$x\"'", Kind::Lines, Kind::Line),
    wrap("export x=Q; sh -c 'eval \"$x\"'", Kind::Lines, Kind::Line),
    wrap("printf -v x %s Q; eval \"$x\"", Kind::Lines, Kind::Line),
    wrap(
        "read -r -d '' x <<< Q; eval \"$x\"",
        Kind::Lines,
        Kind::Line,
    ),
    wrap("set -- Q; eval \"$1\"", Kind::Lines, Kind::Line),
    wrap("a=(Q); eval \"${a[0]}\"", Kind::Line, Kind::Line),
    wrap("f() { eval \"$1\"; }; f Q", Kind::Lines, Kind::Line),
    wrap("for x in Q; do eval \"$x\"; done", Kind::Lines, Kind::Line),
    wrap(
        "printf '%s\\n' Q | while read -r line; do eval \"$line\"; done",
        Kind::Line,
        Kind::Line,
    ),
    wrap(
        "mapfile -t a <<< Q; eval \"${a[0]}\"",
        Kind::Line,
        Kind::Line,
    ),
    flagged(wrap("printf %s Q | ssh host sh", Kind::Lines, Kind::Line)),
    // Lists and compounds.
    line("true && P"),
    line("false || P"),
    line("true; P"),
    line("P; true"),
    line("P && true"),
    line("P || true"),
    line("P & wait"),
    line("sleep 1 & P"),
    line("true | P"),
    line("P | cat"),
    line("P |& cat"),
    line("  P  "),
    line("\tP\t"),
    line("P # comment"),
    line("P > /dev/null 2>&1"),
    line("{ P; } 2>/dev/null"),
    line("(P)"),
    line("( ( P ) )"),
    line("{ P; }"),
    line("! P"),
    line("time P"),
    line("time -p P"),
    line("if true; then P; fi"),
    line("if P; then :; fi"),
    line("if false; then :; else P; fi"),
    line("while true; do P; break; done"),
    line("while P; do break; done"),
    line("until P; do break; done"),
    line("for i in 1; do P; done"),
    line("for ((i=0;i<1;i++)); do P; done"),
    line("case x in x) P;; esac"),
    line("case $x in a) :;; *) P;; esac"),
    line("f() { P; }; f"),
    line("f() (P); f"),
    line("function f { P; }; f"),
    line("f() { P; }; g() { f; }; g"),
    line("f() { P; }; true | f"),
    line("f() { P; }; export -f f; bash -c f"),
    line("f() { P; }; trap f EXIT"),
    line("coproc P"),
    line("coproc N { P; }"),
    line("echo $(P)"),
    line("echo \"$(P)\""),
    line("x=$(P)"),
    line("local x=$(P)"),
    line("a=($(P))"),
    line("echo ${x:-$(P)}"),
    line("echo ${x:=$(P)}"),
    line("echo $((1+$(P)))"),
    line("echo `P`"),
    line("cat <(P)"),
    line("true > >(P)"),
    line("[[ -n $(P) ]]"),
    line("[ -n \"$(P)\" ]"),
    line("(( $(P) ))"),
    line("cd . && P"),
    line("cd . || exit; P"),
    line("(cd sub && true); P"),
    line("pushd . && P; popd"),
    line("set -e; P"),
    line("set +x; P"),
    line("shopt -s nullglob; P"),
    line("A=1; P"),
    line("test -d x && { echo y; P; }"),
    line("echo y | (P)"),
    line("yes | P"),
    line("exec 3>&1; P >&3"),
    wrap("A=1 B=2 P", Kind::Words, Kind::Line),
    wrap("2>/dev/null P", Kind::Words, Kind::Line),
    wrap("</dev/null >/dev/null P", Kind::Words, Kind::Line),
    wrap("alias x=Q; x", Kind::Words, Kind::Line),
    wrap(
        "shopt -s expand_aliases\nalias x=Q\nx",
        Kind::Words,
        Kind::Lines,
    ),
    wrap("x=Q; true; eval $x", Kind::Words, Kind::Line),
    lines("true\nP\ntrue"),
    lines("(\nP\n)"),
    lines("{\nP\n}"),
    lines("if true\nthen\nP\nfi"),
    lines("# comment\n\nP"),
    lines("#!/bin/bash\nset -euo pipefail\nP"),
    lines("f() {\nP\n}\nf"),
    lines("for i in 1 2; do\nP\ndone"),
    lines("echo $(\nP\n)"),
    lines("bash <<'E1'\nP\nE1"),
    lines("sh -s <<-'E2'\nP\nE2"),
    lines("cat <<'E3' | bash\nP\nE3"),
    lines("cat <<'E4' > z.sh\nP\nE4\nbash z.sh"),
    lines("cat > z.sh <<'E5' && sh ./z.sh\nP\nE5"),
    lines("x=$(cat <<'E6'\nP\nE6\n)\neval \"$x\""),
    lines("sudo bash <<'E7'\nP\nE7"),
    lines("source /dev/stdin <<'E8'\nP\nE8"),
    flagged(lines("ssh host <<'E9'\nP\nE9")),
    wrap("cat <<E\n$(P)\nE", Kind::Line, Kind::Lines),
    wrap("cat <<E\n`P`\nE", Kind::Line, Kind::Lines),
    wrap("make -f - <<'E'\nall:\n\tP\nE", Kind::Words, Kind::Lines),
    wrap(
        "printf 'all:\\n\\t%s\\n' Q | make -f -",
        Kind::Words,
        Kind::Line,
    ),
    perhaps(wrap("printf %s Q | at now", Kind::Lines, Kind::Line)),
    wrap(
        "echo '* * * * * true' | crontab -; P",
        Kind::Line,
        Kind::Line,
    ),
];

impl Wrap {
    /// This around a source, where the two go together.
    pub(super) fn apply(&self, source: &str, kind: Kind) -> Option<String> {
        let lines = kind == Kind::Lines;
        // What is appended to it would be its last word, which says where it goes.
        let appends = ["xargs", "parallel P", "fd ", "{} +"]
            .iter()
            .any(|name| self.text.contains(name));
        let ends = [".git/hooks", ".github", "example:"]
            .iter()
            .any(|to| source.contains(to));
        // It joins its words without quoting them, and only one mark is filled in.
        let joins = self.text.starts_with("parallel P") && source.contains(['\'', '"', '\\', '$']);
        let marks = self.text.contains("{}") && source.contains("{}");
        if (appends && ends) || joins || marks {
            return None;
        }
        let fits = match self.takes {
            Kind::Words => kind == Kind::Words,
            Kind::Line => !lines,
            Kind::Lines => true,
        };
        // Inside backticks backslashes mean something else, and in a pattern's arm a parenthesis.
        let backtick = self.text.contains('`') && source.contains(['`', '\\', '$']);
        // A here-document inside itself would end at the first mark.
        let mark = self.text.split("<<").nth(1).map(|rest| {
            rest.chars()
                .take_while(|c| *c != '\n')
                .filter(char::is_ascii_alphanumeric)
                .take(2)
                .collect::<String>()
        });
        let again =
            mark.is_some_and(|mark| !mark.is_empty() && source.contains(&format!("\n{mark}")));
        let comment = source.contains('#') && self.text.contains('P') && self.takes == Kind::Line;
        if !fits || backtick || again || comment {
            return None;
        }
        let group = format!("{{ {source}; }}");
        let inside = if kind == Kind::Line && self.takes == Kind::Line {
            group.as_str()
        } else {
            source
        };
        let quoted = format!("'{}'", source.replace('\'', "'\\''"));
        let mut whole = String::new();
        for c in self.text.chars() {
            match c {
                'P' => whole.push_str(inside),
                'Q' => whole.push_str(&quoted),
                'B' if self.text.contains("base64") => whole.push_str(&base64(source)),
                c => whole.push(c),
            }
        }
        Some(whole)
    }
}

fn base64(text: &str) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or_default());
        let number = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let digit = usize::try_from(number >> (18 - 6 * at) & 63).expect("six bits");
            let digit = DIGITS.get(digit).filter(|_| at <= chunk.len());
            out.push(digit.map_or('=', |&digit| char::from(digit)));
        }
    }
    out
}
