use super::{KEYS, parse, schema};
use serde_json::{Value, json};

/// An answer with this word in this place, and whatever else makes it hold together.
fn with(key: &str, word: &str) -> Value {
    let mut answer = json!({
        "rationale": "because",
        "risk": "low",
        "authorization": "high",
        "tier": "none",
        "verdict": "deny",
        "instruction": null,
    });
    answer[key] = json!(word);
    if word == "revise" {
        answer["instruction"] = json!("do it another way");
    }
    answer
}

#[test]
fn the_schema_and_the_reader_agree() {
    let schema = schema();
    let properties = schema["properties"].as_object().expect("properties");
    assert_eq!(properties.len(), KEYS.len());
    let mut words = 0;
    for (key, property) in properties {
        for word in property["enum"].as_array().into_iter().flatten() {
            let answer = with(key, word.as_str().expect("a word"));
            parse(&answer.to_string()).expect("what the schema lets pass");
            words += 1;
        }
    }
    // Every variant of the four enums; a new one has to go into the schema and the prompt as well.
    assert_eq!(words, 4 + 4 + 5 + 4);
}

#[test]
fn the_prompt_names_every_word_of_the_schema() {
    let prompt = include_str!("../prompt/system.txt");
    for (key, property) in schema()["properties"].as_object().expect("properties") {
        assert!(prompt.contains(&format!("\"{key}\"")), "{key}");
        for word in property["enum"].as_array().into_iter().flatten() {
            let word = word.as_str().expect("a word");
            assert!(prompt.contains(&format!("`{word}`")), "{key} {word}");
        }
    }
}
