#[path = "../../src/knowledge/file.rs"]
#[expect(dead_code, reason = "only options are read here")]
mod file;

use crate::support;
use file::{NodeFile, OptionFile, Role};
use std::fmt::Write as _;

/// Options whose name says that they write a file or run a program.
const TELLING: &[&str] = &[
    "--editor",
    "--exec",
    "--exec-batch",
    "--load-plugin",
    "--log-file",
    "--logfile",
    "--out-file",
    "--outfile",
    "--output-file",
    "--pager",
    "--pid-file",
    "--pidfile",
];

/// Those of them that do neither, and why.
const HARMLESS: &[(&str, &str, &str)] = &[
    ("hg", "--pager", "says whether, not which"),
    ("procs", "--pager", "says whether, not which"),
    ("watch", "--exec", "its operands are the command"),
];

/// `reads = true` is a promise, so an option of such a form that is called like one which writes or
/// runs something has to say so.
#[test]
fn an_option_of_a_reader_says_what_its_name_says() {
    let mut wrong = String::new();
    for (file, program) in support::files::<NodeFile>("commands") {
        let mut nodes = vec![(&program, program.name.clone(), Vec::new())];
        while let Some((node, path, outer)) = nodes.pop() {
            let mut options = outer;
            options.extend(&node.options);
            for option in options.iter().filter(|_| promises(node)) {
                for name in silent(option) {
                    let known = |(program_name, option_name, _): &(&str, &str, &str)| {
                        *program_name == program.name && *option_name == name
                    };
                    if !HARMLESS.iter().any(known) {
                        let _infallible = writeln!(
                            wrong,
                            "{file}: `{path}` only reads, and its option `{name}` has no effect"
                        );
                    }
                }
            }
            nodes.extend(node.subcommands.iter().map(|inner| {
                let path = format!("{path} {}", inner.name);
                (inner, path, options.clone())
            }));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Whether some form of it, other than help, promises to read.
fn promises(node: &NodeFile) -> bool {
    let help = |name: &String| matches!(&**name, "-h" | "--help" | "-v" | "-V" | "--version");
    node.reads
        || node
            .modes
            .iter()
            .any(|mode| mode.reads && !mode.options.iter().any(help))
}

/// The telling names of an option that is said to do nothing.
fn silent(option: &OptionFile) -> impl Iterator<Item = &str> {
    let says = option.value.is_some_and(|role| role != Role::Text)
        || !option.effects.is_empty()
        || !option.tags.is_empty();
    option
        .names
        .iter()
        .map(String::as_str)
        .filter(move |name| !says && TELLING.contains(name))
}
