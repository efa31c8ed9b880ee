//! What the tests of `install` share, and the kinds of them.

mod edits;
mod files;
mod places;
mod random;

use super::edit::{install, uninstall};
use super::registration::Registration;
use super::{EventState, registered};
use serde_json::Value;
use std::path::Path;

/// Settings without any hook of ours, in every style met.
const STYLES: &[(&str, &str)] = &[
    ("an empty object", "{}"),
    ("an empty object with a newline", "{}\n"),
    ("an empty object with space inside", "{ \n }\n"),
    (
        "two spaces",
        "{\n  \"model\": \"opus\",\n  \"env\": {\"A\": \"1\"}\n}\n",
    ),
    (
        "four spaces, no newline at the end",
        "{\n    \"model\": \"opus\"\n}",
    ),
    (
        "tabs",
        "{\n\t\"model\": \"opus\",\n\n\t\"permissions\": {\n\t\t\"allow\": []\n\t}\n}\n",
    ),
    ("crlf", "{\r\n  \"model\": \"opus\"\r\n}\r\n"),
    ("a byte order mark", "\u{feff}{\n  \"model\": \"opus\"\n}\n"),
    ("one line", "{\"model\":\"opus\",\"env\":{}}"),
    ("one line with spaces", "{ \"model\": \"opus\" }\n"),
    (
        "odd spacing kept",
        "{\n  \"a\" :1 ,\n\n      \"b\":[ 1,2 ] }\n\n",
    ),
    (
        "escapes and other alphabets",
        "{\n  \"\\u0061\": \"é\\n\\ud83d\\ude00\"\n}\n",
    ),
    ("empty hooks", "{\n  \"hooks\": {}\n}\n"),
    (
        "an empty event",
        "{\n  \"hooks\": {\n    \"PreToolUse\": []\n  },\n  \"z\": 1\n}\n",
    ),
];

/// Settings with hooks of other people.
const WITH_HOOKS: &[(&str, &str)] = &[
    (
        "another PreToolUse",
        "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"/opt/lint\" }\n        ]\n      }\n    ]\n  },\n  \"model\": \"opus\"\n}\n",
    ),
    (
        "another event, on one line",
        "{\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}]}\n}\n",
    ),
    (
        "all on one line",
        "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[{\"type\":\"http\",\"url\":\"http://127.0.0.1/\"}]}]}}",
    ),
    (
        "crlf and tabs",
        "{\r\n\t\"hooks\": {\r\n\t\t\"SessionStart\": [\r\n\t\t\t{ \"hooks\": [] }\r\n\t\t]\r\n\t}\r\n}",
    ),
    (
        "a program that only sounds like ours",
        "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"/opt/countersign\",\"args\":[\"status\"]}]}]}}\n",
    ),
];

fn ours() -> Registration {
    Registration::new(Path::new("/opt/bin/countersign"), None, None).expect("it is UTF-8")
}

fn installed(text: &str) -> String {
    install(text, &ours())
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .text
}

fn uninstalled(text: &str) -> String {
    uninstall(text, &ours())
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .text
}

fn json(text: &str) -> Value {
    serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn is_good(text: &str, registration: &Registration) -> bool {
    let found = registered(text, registration).expect("these are settings");
    found
        .events
        .iter()
        .all(|(_, state)| *state == EventState::Good)
}

/// Every byte of `old` is still there and in order: `new` is `old` with whole pieces put in.
#[track_caller]
fn assert_only_added(old: &str, new: &str, most_pieces: usize) {
    let (mut old, mut new) = (old.as_bytes(), new.as_bytes());
    let mut pieces = 0;
    loop {
        let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        (old, new) = (&old[same..], &new[same..]);
        if old.is_empty() {
            break;
        }
        pieces += 1;
        // A piece that was put in ends where the old text goes on.
        let ahead = &old[..old.len().min(12)];
        let at = new.windows(ahead.len()).position(|window| window == ahead);
        new = &new[at.expect("nothing was taken away")..];
    }
    assert!(pieces <= most_pieces, "{pieces} pieces");
}
