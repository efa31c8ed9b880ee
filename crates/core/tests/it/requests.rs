use countersign_core::{Request, Surface};

const GOOD: &str = r#"{"v":1,"id":"r","source":"s","surface":"command","operation":"run","cwd":"/p","command":"ls"}"#;

#[track_caller]
fn refused(text: &str, expected: &str) {
    let error = Request::from_json(text.as_bytes()).expect_err(text);
    assert!(error.to_string().contains(expected), "{text}: {error}");
}

#[test]
fn the_form_is_read_strictly() {
    assert_eq!(
        Request::from_json(GOOD.as_bytes())
            .expect("it is good")
            .surface,
        Surface::Command
    );
    refused(&GOOD.replace("\"v\":1,", ""), "version none is not known");
    refused(
        &GOOD.replace("\"v\":1", "\"v\":2"),
        "version 2 is not known",
    );
    refused(
        &GOOD.replace("\"v\":1", "\"v\":1.5"),
        "version 1.5 is not known",
    );
    refused(&GOOD.replace("\"cwd\"", "\"dir\""), "unknown field `dir`");
    refused(&GOOD.replace(",\"cwd\":\"/p\"", ""), "missing field `cwd`");
    refused(
        &GOOD.replace("\"id\":\"r\"", "\"id\":\"r\",\"id\":\"r\""),
        "duplicate key `id`",
    );
    refused(&GOOD.replace("\"id\":\"r\"", "\"id\":7"), "invalid type");
    refused(
        &GOOD.replace("\"id\":\"r\"", "\"id\":\" \\t\""),
        "`id` must not be blank",
    );
    refused(
        &GOOD.replace("\"surface\":\"command\"", "\"surface\":\"\""),
        "`surface` must not be blank",
    );
    refused(&GOOD.replace("\"/p\"", "\"p\""), "must be an absolute path");
    refused(&GOOD.replace("ls\"", "ls\\u0000\""), "holds a NUL byte");
    refused(&GOOD.replace("\"s\"", "\"s\\u0000\""), "holds a NUL byte");
    refused("[]", "version none");
    refused("{", "not valid JSON");
}

#[test]
fn sizes_are_bounded() {
    let long = "x".repeat(5 << 20);
    let error = Request::from_json(GOOD.replace("ls", &long).as_bytes()).expect_err("too big");
    assert!(error.is_too_big());
    let error = Request::from_json(
        GOOD.replace("\"s\"", &format!("\"{}\"", "x".repeat(65 << 10)))
            .as_bytes(),
    );
    assert!(error.expect_err("too big").is_too_big());
}
