//! What an owner can configure.

use crate::tested;
use countersign_plugin_exec::Exec;
use countersign_reviewers::plugin::serde_json::{self, Value, json};
use countersign_reviewers::testkit::{Tested, insta};
use std::fmt::Write as _;

#[test]
fn a_wrong_one_is_an_error_that_names_the_key() {
    let program = "/bin/true";
    let wrong: [Value; 11] = [
        json!({}),
        json!({"program": "house-rules/review"}),
        json!({"program": "~/review"}),
        json!({"program": 1}),
        json!({"program": program, "arguments": []}),
        json!({"program": program, "args": "one two"}),
        json!({"program": program, "args": ["a\u{0}b"]}),
        json!({"program": program, "env": ["TOKEN=secret"]}),
        json!({"program": program, "env": [""]}),
        json!({"program": program, "max_output_bytes": 0}),
        json!({"program": program, "max_output_bytes": (1 << 20) + 1}),
    ];
    let mut text = String::new();
    for config in wrong {
        let failure = Tested::<Exec>::new(&config).expect_err("an error");
        writeln!(text, "{config}\n    {failure}").expect("it fits");
    }
    insta::assert_snapshot!(text, @r#"
    {}
        the reviewer is configured wrongly: missing field `program`
    {"program":"house-rules/review"}
        the reviewer is configured wrongly: `program`: `house-rules/review` is not an absolute path; give one
    {"program":"~/review"}
        the reviewer is configured wrongly: `program`: `~/review` is not an absolute path; give one
    {"program":1}
        the reviewer is configured wrongly: `program`: invalid type: integer `1`, expected path string
    {"arguments":[],"program":"/bin/true"}
        the reviewer is configured wrongly: `arguments`: unknown field `arguments`, expected one of `program`, `args`, `env`, `max_output_bytes`
    {"args":"one two","program":"/bin/true"}
        the reviewer is configured wrongly: `args`: invalid type: string "one two", expected a sequence
    {"args":["a\u0000b"],"program":"/bin/true"}
        the reviewer is configured wrongly: `args`: no argument can hold a NUL character
    {"env":["TOKEN=secret"],"program":"/bin/true"}
        the reviewer is configured wrongly: `env`: the entry `TOKEN` is not the name of a variable; list names without values
    {"env":[""],"program":"/bin/true"}
        the reviewer is configured wrongly: `env`: the entry `` is not the name of a variable; list names without values
    {"max_output_bytes":0,"program":"/bin/true"}
        the reviewer is configured wrongly: `max_output_bytes`: 0 is not between 1 and 1048576
    {"max_output_bytes":1048577,"program":"/bin/true"}
        the reviewer is configured wrongly: `max_output_bytes`: 1048577 is not between 1 and 1048576
    "#);
}

#[test]
fn the_schema_says_what_there_is() {
    let described = tested(&json!({"program": "/bin/true"})).describe();
    let described = described.expect("a description");
    insta::assert_snapshot!(
        serde_json::to_string_pretty(&described["config_schema"]).expect("JSON"), @r#"
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "additionalProperties": false,
          "description": "Which program is asked, and how it is run.",
          "properties": {
            "args": {
              "default": [],
              "description": "Its arguments. No shell reads them.",
              "items": {
                "type": "string"
              },
              "type": "array"
            },
            "env": {
              "default": [],
              "description": "The names of the environment variables that it gets. It gets no others.",
              "items": {
                "type": "string"
              },
              "type": "array"
            },
            "max_output_bytes": {
              "default": 65536,
              "description": "The most that it may print, in bytes.",
              "format": "uint",
              "maximum": 1048576,
              "minimum": 1,
              "type": "integer"
            },
            "program": {
              "description": "The program: an absolute path, outside every workspace.",
              "type": "string"
            }
          },
          "required": [
            "program"
          ],
          "title": "Config",
          "type": "object"
        }
        "#);
}
