use countersign_core::{
    Bindings, Dialog, Envelope, EnvelopeError, Gate, GateWords, Gates, KnownTool, Opened,
    PlainDialog, ToolName, ToolTable,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// `read` and `bash` of the agent, in any case; `deploy` of the host, with a bound token.
struct Tools;

impl ToolTable for Tools {
    fn find(&self, gate: Gate, name: &str) -> Option<KnownTool> {
        let (name, bound) = match (gate, name.to_ascii_lowercase().as_str()) {
            (Gate::Builtin, "read") => ("read", &[][..]),
            (Gate::Builtin, "bash") => ("bash", &[][..]),
            (Gate::Custom, _) if name == "deploy" => ("deploy", &["auth.token"][..]),
            _ => return None,
        };
        Some(KnownTool {
            name: ToolName::new(name).ok()?,
            bindings: Bindings::new(bound).ok()?,
        })
    }
}

fn dialog(title: &str, message: Option<Value>) -> PlainDialog<u64> {
    PlainDialog {
        handle: 7,
        title: title.to_owned(),
        tool_call_id: "made-up-1".to_owned(),
        message,
        input: Some(Map::from_iter([("method".to_owned(), "confirm".into())])),
    }
}

fn open(title: &str, message: Option<Value>) -> Opened<u64> {
    let words = GateWords::default();
    let gates = Gates {
        words: &words,
        tools: &Tools,
    };
    Dialog::new(dialog(title, message)).open(Some(&gates))
}

fn map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn envelope(changes: &[(&str, Value)]) -> Value {
    let mut fields = map(json!({
        "v": 1,
        "kind": "countersign.gate",
        "gate": "custom-tool",
        "toolName": "deploy",
        "toolCallId": "call-1",
        "input": {"to": "production", "auth": {"token": "the agent's"}},
    }));
    for (name, value) in changes {
        fields.insert((*name).to_owned(), value.clone());
    }
    Value::String(Value::Object(fields).to_string())
}

fn without(name: &str) -> Value {
    let text = envelope(&[]);
    let mut fields: Map<String, Value> =
        serde_json::from_str(text.as_str().expect("text")).expect("JSON");
    fields.remove(name);
    Value::String(Value::Object(fields).to_string())
}

const TITLE: &str = "countersign-approval";

#[test]
fn an_envelope_gives_the_real_call_and_nothing_of_the_made_up_one() {
    let Opened::Gate(call) = open(TITLE, Some(envelope(&[]))) else {
        panic!("an envelope");
    };
    assert_eq!(call.handle, 7);
    assert_eq!(call.gate, Gate::Custom);
    assert_eq!(call.tool.as_str(), "deploy");
    assert_eq!(call.tool_call_id, "call-1");
    // Seed 3.8 P2: what the agent wrote where the host writes is not shown.
    assert_eq!(
        Value::Object(call.input.as_map().clone()),
        json!({"to": "production"})
    );
    let Opened::Gate(other) = open(
        TITLE,
        Some(envelope(&[
            ("input", json!({"to": "production"})),
            ("toolCallId", json!("call-2")),
        ])),
    ) else {
        panic!("an envelope");
    };
    assert_eq!(
        call.key(),
        other.key(),
        "keys are made of the same redaction"
    );
}

#[test]
fn builtin_names_come_out_as_the_table_spells_them() {
    // Seed 3.9: `Bash` and `bash` were two tools.
    for name in ["bash", "Bash", "BASH"] {
        let message = envelope(&[
            ("gate", json!("builtin")),
            ("toolName", json!(name)),
            ("input", json!({"command": "ls"})),
        ]);
        let Opened::Gate(call) = open(TITLE, Some(message)) else {
            panic!("an envelope");
        };
        assert_eq!((call.tool.as_str(), call.gate), ("bash", Gate::Builtin));
    }
}

#[test]
fn another_dialog_comes_out_as_it_went_in() {
    // Seed 3.2: another title. Nothing is looked at, were it an envelope or broken.
    for title in [
        "",
        "approval",
        "countersign-approval ",
        "Countersign-approval",
    ] {
        for message in [None, Some(envelope(&[])), Some(json!(5))] {
            let plain = dialog(title, message.clone());
            assert_eq!(open(title, message), Opened::Plain(plain));
        }
    }
    // Seed 3.2, 3.8: an agent without gates may title a dialog as it likes.
    let plain = dialog(TITLE, Some(envelope(&[])));
    assert_eq!(Dialog::new(plain.clone()).open(None), Opened::Plain(plain));
}

#[test]
fn a_title_without_an_envelope_is_rejected() {
    let text = |text: &str| Some(Value::String(text.to_owned()));
    let twice = r#"{"v":1,"kind":"countersign.gate","gate":"builtin","toolName":"read","toolName":"bash","toolCallId":"c","input":{}}"#;
    let table: Vec<(&str, Option<Value>)> = vec![
        ("no message", None),
        ("null", Some(Value::Null)),
        ("an object, not a text", Some(json!({"v": 1}))),
        ("empty", text("")),
        ("bad JSON", text("{")),
        ("more after it", text("{}{}")),
        ("an array", text("[]")),
        ("a text", text("\"x\"")),
        ("duplicate keys", text(twice)),
        ("no v", Some(without("v"))),
        ("another v", Some(envelope(&[("v", json!(2))]))),
        ("v as text", Some(envelope(&[("v", json!("1"))]))),
        ("v as a fraction", Some(envelope(&[("v", json!(1.5))]))),
        ("no kind", Some(without("kind"))),
        (
            "another kind",
            Some(envelope(&[("kind", json!("agent.gate"))])),
        ),
        ("no gate", Some(without("gate"))),
        (
            "an unknown gate",
            Some(envelope(&[("gate", json!("root"))])),
        ),
        (
            "a gate in capitals",
            Some(envelope(&[("gate", json!("BUILTIN"))])),
        ),
        ("no tool", Some(without("toolName"))),
        ("an empty tool", Some(envelope(&[("toolName", json!(""))]))),
        (
            "a blank tool",
            Some(envelope(&[("toolName", json!(" \t"))])),
        ),
        (
            "a tool that is no text",
            Some(envelope(&[("toolName", json!(["deploy"]))])),
        ),
        (
            "an endless tool",
            Some(envelope(&[("toolName", json!("x".repeat(2_000)))])),
        ),
        ("no id", Some(without("toolCallId"))),
        ("an empty id", Some(envelope(&[("toolCallId", json!(""))]))),
        (
            "an id with a NUL",
            Some(envelope(&[("toolCallId", json!("a\0b"))])),
        ),
        ("no input", Some(without("input"))),
        (
            "an input that is a text",
            Some(envelope(&[("input", json!("{}"))])),
        ),
        (
            "an input that is an array",
            Some(envelope(&[("input", json!([]))])),
        ),
        (
            "an inexact number",
            Some(envelope(&[("input", json!({"n": u64::MAX}))])),
        ),
        // Seed 3.8: an unknown tool fell to the default mode, or was shown under its own name.
        (
            "an unknown tool",
            Some(envelope(&[("toolName", json!("nuke"))])),
        ),
        (
            "a tool of the other gate",
            Some(envelope(&[("gate", json!("builtin"))])),
        ),
        // Identity, never policy.
        ("policy", Some(envelope(&[("permission", json!("allow"))]))),
        // What the host sets must be told from the rest.
        (
            "in the host's way",
            Some(envelope(&[("input", json!({"auth": "x"}))])),
        ),
    ];
    let mut texts = String::new();
    for (what, message) in table {
        match open(TITLE, message) {
            Opened::Rejected { handle: 7, why } => {
                let _infallible = writeln!(texts, "{what}: {why}");
                assert!(
                    !why.to_string().contains("nuke"),
                    "the agent's name is not repeated"
                );
            }
            other => panic!("{what}: {other:?}"),
        }
    }
    insta::assert_snapshot!(texts);
}

#[test]
fn a_message_beyond_all_bounds_is_rejected_unread() {
    let long = Value::String("[".repeat((4 << 20) + 1));
    assert!(matches!(
        open(TITLE, Some(long)),
        Opened::Rejected {
            why: EnvelopeError::TooBig(_),
            ..
        }
    ));
}

#[test]
fn an_absent_input_is_an_empty_one() {
    let message = envelope(&[("input", Value::Null)]);
    let Opened::Gate(call) = open(TITLE, Some(message)) else {
        panic!("an envelope");
    };
    assert!(call.input.as_map().is_empty());
}

#[test]
fn an_adapter_may_speak_the_words_of_another_system() {
    let words = GateWords {
        title: "theirs".to_owned(),
        kind: "their.gate".to_owned(),
        builtin: "their-builtin".to_owned(),
        custom: "their-custom".to_owned(),
    };
    let envelope = Envelope {
        gate: Gate::Builtin,
        tool_name: "Read".to_owned(),
        tool_call_id: "c".to_owned(),
        input: Map::new(),
    };
    let message = Some(Value::String(envelope.to_message(&words)));
    let gates = Gates {
        words: &words,
        tools: &Tools,
    };
    let opened = Dialog::new(dialog("theirs", message.clone())).open(Some(&gates));
    assert!(matches!(opened, Opened::Gate(_)));
    // Ours are nothing to it, and its are nothing to us.
    assert!(matches!(open(TITLE, message), Opened::Rejected { .. }));
}

#[test]
fn hostile_texts_survive_the_round_trip() {
    let words = GateWords::default();
    for text in [
        "\"}{\"kind\":\"x\"",
        "\\u0000\\",
        "\u{202e}\u{1b}[31m",
        "\u{1f600}\u{fb33}",
        "</tool>\n\n{}",
        "__proto__",
    ] {
        let sent = Envelope {
            gate: Gate::Custom,
            tool_name: text.to_owned(),
            tool_call_id: text.to_owned(),
            input: Map::from_iter([(text.to_owned(), Value::from(text))]),
        };
        let message = Value::String(sent.to_message(&words));
        assert_eq!(Envelope::parse(Some(&message), &words), Ok(sent));
    }
}

proptest! {
    #[test]
    fn any_text_survives_the_round_trip(
        name in "[^\\x00]{0,8}x",
        id in "[^\\x00]{0,8}x",
        key in any::<String>(),
        value in any::<String>(),
    ) {
        let words = GateWords::default();
        let sent = Envelope {
            gate: Gate::Builtin,
            tool_name: name,
            tool_call_id: id,
            input: Map::from_iter([(key, Value::from(value))]),
        };
        let message = Value::String(sent.to_message(&words));
        prop_assert_eq!(Envelope::parse(Some(&message), &words), Ok(sent));
    }

    /// No text with the title of a gate comes out as another dialog, or breaks anything.
    #[test]
    fn no_message_passes_for_another_dialog(message in any::<String>()) {
        let is_rejected = matches!(
            open(TITLE, Some(Value::String(message))),
            Opened::Rejected { .. }
        );
        prop_assert!(is_rejected);
    }
}
