/// Whether an awk program only computes and prints to standard output.
///
/// Conservative: strings, regular expressions and comments are skipped; outside them there must be
/// no call that runs a program, no pipe, no `getline`, and no `>` that could be a redirection to
/// anything but the standard streams.
pub(crate) fn only_reads(program: &str) -> bool {
    let Some(code) = without_texts(program) else {
        return false;
    };
    if ["system", "getline", "@load", "@include", "@namespace"]
        .iter()
        .any(|word| code.contains(word))
    {
        return false;
    }
    if code.replace("||", "").contains(['|', '@']) {
        return false;
    }
    redirections_are_harmless(&code)
}

/// The program with the insides of strings, regular expressions and comments blanked out, except
/// that the standard streams stay readable. `None` when it ends inside one of them.
fn without_texts(program: &str) -> Option<String> {
    let mut code = String::new();
    let mut rest = program.chars().peekable();
    // What a slash means depends on what comes before it: after a value it divides.
    let mut after_value = false;
    while let Some(c) = rest.next() {
        match c {
            '"' => {
                let text = quoted(&mut rest, '"')?;
                code.push_str(if matches!(text.as_str(), "/dev/stderr" | "/dev/stdout") {
                    "\"std\""
                } else {
                    "\"\""
                });
                after_value = true;
            }
            '/' if !after_value => {
                quoted(&mut rest, '/')?;
                code.push_str("//");
                after_value = true;
            }
            '#' => while rest.next_if(|&c| c != '\n').is_some() {},
            _ => {
                if !c.is_whitespace() {
                    after_value = c.is_alphanumeric() || matches!(c, ')' | ']' | '_' | '$' | '.');
                }
                code.push(c);
            }
        }
    }
    Some(code)
}

fn quoted(rest: &mut std::iter::Peekable<std::str::Chars<'_>>, end: char) -> Option<String> {
    let mut text = String::new();
    loop {
        match rest.next()? {
            '\\' => {
                rest.next()?;
            }
            c if c == end => return Some(text),
            c => text.push(c),
        }
    }
}

/// A `>` in a statement that prints is a redirection unless parentheses hold it.
fn redirections_are_harmless(code: &str) -> bool {
    for statement in code.split(['{', '}', ';', '\n']) {
        if !statement.contains("print") {
            continue;
        }
        let mut depth = 0_i32;
        for (at, c) in statement.char_indices() {
            match c {
                '(' => depth = depth.saturating_add(1),
                ')' => depth = depth.saturating_sub(1),
                '>' if depth <= 0 => {
                    let to = statement
                        .get(at..)
                        .unwrap_or_default()
                        .trim_start_matches('>')
                        .trim_start();
                    if !to.starts_with("\"std\"") {
                        return false;
                    }
                }
                _ => {}
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::only_reads;

    #[test]
    fn programs() {
        for (program, expected) in [
            ("{print $1}", true),
            ("$3 > 5 {print $1, $2}", true),
            ("/rm -rf|system/ {n++} END {print n}", true),
            ("{print \"a | b > c\"}", true),
            ("BEGIN{FS=\",\"} {if ($1 > 2) print ($1 > 3)}", true),
            ("{print $1 > \"/dev/stderr\"}", true),
            ("a || b {print}", true),
            ("{print a/b} # | system()", true),
            ("BEGIN{system(\"x\")}", false),
            ("{print $1 > \"file\"}", false),
            ("{print $1 >> f}", false),
            ("{print | \"sh\"}", false),
            ("{\"cmd\" | getline x}", false),
            (
                "BEGIN { while ((getline line < \"f\") > 0) print line }",
                false,
            ),
            ("@load \"x\"", false),
            ("{print \"unterminated}", false),
        ] {
            assert_eq!(only_reads(program), expected, "{program}");
        }
    }
}
