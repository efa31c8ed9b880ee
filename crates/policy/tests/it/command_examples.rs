use crate::support;
use countersign_policy::CommandFile;
use std::fmt::Write as _;

/// Each file is read as an owner's is and stands in for what is built in, so that its examples hold
/// for both: a test beside the tables compares them.
#[test]
fn every_example_of_a_command_file_holds() {
    let mut wrong = String::new();
    for (path, text) in support::texts("commands") {
        let file = CommandFile::parse(&path, &text).unwrap_or_else(|error| panic!("{error}"));
        for problem in file.wrong_examples() {
            let _infallible = writeln!(wrong, "{path}: {problem}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_command_file_stands_under_its_first_letter() {
    for (path, _) in support::texts("commands") {
        let file = path.rsplit('/').next().expect("a path has a last part");
        let letter = file
            .chars()
            .next()
            .map(|first| first.to_ascii_lowercase())
            .filter(char::is_ascii_lowercase)
            .unwrap_or('0');
        assert_eq!(path, format!("commands/{letter}/{file}"));
    }
}
