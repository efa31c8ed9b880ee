use countersign_core::{
    Bindings, BoundError, BoundInput, CallKey, ToolName, call_key, parse_strict,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn name(text: &str) -> ToolName {
    ToolName::new(text).expect("a name")
}

fn redact(input: Value, paths: &[&str]) -> Result<BoundInput, BoundError> {
    let bindings = Bindings::new(paths).expect("paths");
    BoundInput::redact(Some(map(input)), &bindings)
}

fn key(tool: &str, input: Value) -> CallKey {
    call_key(&name(tool), &redact(input, &[]).expect("an input"))
}

#[test]
fn what_the_host_sets_itself_is_removed_and_emptied_objects_with_it() {
    let table = [
        // Seed 3.5, 3.7: a bound path is redacted, emptied ancestors are pruned.
        (json!({"a": 1, "b": 2}), &["b"][..], json!({"a": 1})),
        (json!({"a": {"b": 1}}), &["a.b"], json!({})),
        (json!({"a": {"b": {"c": 1}}}), &["a.b.c"], json!({})),
        (
            json!({"a": {"b": {"c": 1}, "d": 2}}),
            &["a.b.c"],
            json!({"a": {"d": 2}}),
        ),
        (json!({"a": {"b": 1, "c": 2}}), &["a.b", "a.c"], json!({})),
        // What was empty before runs the same as what is emptied.
        (json!({"a": {}}), &["a.b"], json!({})),
        // An empty object that no path leads through is the agent's own.
        (json!({"x": {}}), &["a.b"], json!({"x": {}})),
        (json!({}), &["a.b"], json!({})),
        // Paths within each other, in either order.
        (json!({"a": {"b": 1}}), &["a", "a.b"], json!({})),
        (json!({"a": {"b": 1}}), &["a.b", "a"], json!({})),
        // A bound argument is removed whatever it is.
        (json!({"a": [1, {"b": 2}], "c": 3}), &["a"], json!({"c": 3})),
        // A key with a dot in it is another argument.
        (
            json!({"a.b": 1, "a": {"b": 2}}),
            &["a.b"],
            json!({"a.b": 1}),
        ),
        // Nothing is bound.
        (json!({"a": {"b": 1}}), &[], json!({"a": {"b": 1}})),
    ];
    for (input, paths, left) in table {
        let bound = redact(input.clone(), paths).expect("an input");
        assert_eq!(Value::Object(bound.as_map().clone()), left, "{input}");
    }
}

#[test]
fn what_stands_in_the_way_of_the_host_is_refused() {
    for input in [
        json!({"a": "x"}),
        json!({"a": [{"b": 1}]}),
        json!({"a": null}),
        json!({"a": 1}),
    ] {
        let error = redact(input.clone(), &["a.b"]).expect_err("blocked");
        assert_eq!(error, BoundError::Blocked("a.b".to_owned()), "{input}");
    }
    for path in ["", ".", "a.", ".a", "a..b", &vec!["a"; 65].join(".")] {
        assert!(Bindings::new([path]).is_err(), "{path}");
    }
}

#[test]
fn an_input_without_an_exact_form_is_refused() {
    let mut deep = json!(1);
    for _ in 0..64 {
        deep = json!([deep]);
    }
    for input in [
        json!({"a": 9_007_199_254_740_992_u64}),
        json!({"a": -9_007_199_254_740_992_i64}),
        json!({"a": u64::MAX}),
        json!({"a": [{"b": 1e300}]}),
        json!({ "a": deep }),
    ] {
        assert!(redact(input.clone(), &[]).is_err(), "{input}");
    }
    assert!(redact(json!({"a": 9_007_199_254_740_991_u64}), &[]).is_ok());
}

#[test]
fn calls_that_do_the_same_have_one_key() {
    let none = BoundInput::redact(None, &Bindings::none()).expect("no input");
    // Seed 3.7: absent arguments are {}; the order of keys does not matter.
    assert_eq!(call_key(&name("t"), &none), key("t", json!({})));
    let ordered = parse_strict(br#"{"b":{"y":1,"x":2},"a":1}"#).expect("JSON");
    assert_eq!(
        key("t", ordered),
        key("t", json!({"a": 1, "b": {"x": 2, "y": 1}}))
    );
    // One number, spelt in two ways.
    assert_eq!(key("t", json!({"a": 1})), key("t", json!({"a": 1.0})));
    // Seed 3.5, 3.7: what the agent wrote where the host writes does not count.
    let one = redact(json!({"a": 1, "auth": {"token": "x"}}), &["auth.token"]).expect("input");
    assert_eq!(call_key(&name("t"), &one), key("t", json!({"a": 1})));
}

#[test]
fn calls_that_differ_in_anything_have_two_keys() {
    let calls = [
        ("t", json!({})),
        ("T", json!({})),
        ("t ", json!({})),
        ("t{}", json!({})),
        ("t", json!({"": ""})),
        ("t", json!({"a": null})),
        ("t", json!({"a": []})),
        ("t", json!({"a": {}})),
        ("t", json!({"a": "{}"})),
        // Seed 3.10: a text that looks like JSON is a text, closers or not.
        ("t", json!({"v": "{\"x\":1}"})),
        ("t", json!({"v": "{\"x\":1}}"})),
        ("t", json!({"v": "{\"x\":1}}}"})),
        ("t", json!({"v": {"x": 1}})),
        ("t", json!({"v": "{x:1}"})),
        ("t", json!({"v": "1"})),
        ("t", json!({"v": 1})),
        ("t", json!({"v": "true"})),
        ("t", json!({"v": true})),
        // Seed 3.10: every argument of a shell command counts.
        ("Bash", json!({"command": "ls"})),
        ("Bash", json!({"command": "ls "})),
        ("Bash", json!({"command": "ls", "cwd": "/etc"})),
        ("Bash", json!({"command": "ls", "timeout": 5})),
        ("Bash", json!({"command": "ls", "run_in_background": true})),
        // Letters that look alike, and two forms of one.
        ("t", json!({"a": "\u{e9}"})),
        ("t", json!({"a": "e\u{301}"})),
        ("t", json!({"\u{430}": "\u{e9}"})),
    ];
    for (at, (tool, input)) in calls.iter().enumerate() {
        for (other_tool, other) in calls.iter().skip(at + 1) {
            assert_ne!(
                key(tool, input.clone()),
                key(other_tool, other.clone()),
                "{tool} {input} / {other_tool} {other}"
            );
        }
    }
}

#[test]
fn a_name_is_never_blank_and_holds_nothing_that_could_pass_for_an_input() {
    for text in ["", " ", "a\0{}", "a\n", &"x".repeat(1_025)] {
        assert_eq!(ToolName::new(text), Err(BoundError::Name), "{text:?}");
        let json = serde_json::to_string(text).expect("JSON");
        assert!(serde_json::from_str::<ToolName>(&json).is_err());
    }
    assert!(ToolName::new("mcp__server__tool").is_ok());
}

fn tree() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "\\PC{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec(("[abc]", inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn input() -> impl Strategy<Value = Map<String, Value>> {
    proptest::collection::vec(("[abc]", tree()), 0..4)
        .prop_map(|fields| fields.into_iter().collect())
}

proptest! {
    /// What is bound is not there, whatever the agent wrote; redacting again changes nothing.
    #[test]
    fn nothing_bound_is_left(input in input(), paths in proptest::collection::vec("[abc](\\.[abc]){0,2}", 0..4)) {
        let bindings = Bindings::new(&paths).expect("paths");
        let Ok(bound) = BoundInput::redact(Some(input), &bindings) else {
            return Ok(());
        };
        for path in &paths {
            let pointer = format!("/{}", path.replace('.', "/"));
            let left = Value::Object(bound.as_map().clone());
            prop_assert_eq!(left.pointer(&pointer), None);
        }
        let again = BoundInput::redact(Some(bound.as_map().clone()), &bindings);
        prop_assert_eq!(again, Ok(bound));
    }

    /// Two inputs have one key exactly where they are one value.
    #[test]
    fn keys_tell_values_apart(one in input(), other in input()) {
        let same = one == other;
        let alike = key("t", Value::Object(one)) == key("t", Value::Object(other));
        prop_assert_eq!(same, alike);
    }
}
