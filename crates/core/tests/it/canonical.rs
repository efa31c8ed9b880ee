//! P2; seeds 2.4: the canonical form: the vectors of RFC 8785, and what must or must not share a digest.

use countersign_core::{Digest, Facts, Request, canonical, parse_strict, retry_key};
use serde_json::Value;

fn text(value: &Value) -> String {
    String::from_utf8(canonical(value).expect("it has a form")).expect("UTF-8")
}

/// RFC 8785, appendix B.
#[test]
fn numbers_of_the_rfc() {
    for (bits, expected) in [
        (0x0000_0000_0000_0000_u64, "0"),
        (0x8000_0000_0000_0000, "0"),
        (0x0000_0000_0000_0001, "5e-324"),
        (0x8000_0000_0000_0001, "-5e-324"),
        (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
        (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
        (0x4340_0000_0000_0000, "9007199254740992"),
        (0xc340_0000_0000_0000, "-9007199254740992"),
        (0x4430_0000_0000_0000, "295147905179352830000"),
        (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
        (0x44b5_2d02_c7e1_4af6, "1e+23"),
        (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
        (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
        (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
        (0x444b_1ae4_d6e2_ef50, "1e+21"),
        (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
        (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
        (0x41b3_de43_5555_5553, "333333333.3333332"),
        (0x41b3_de43_5555_5554, "333333333.33333325"),
        (0x41b3_de43_5555_5555, "333333333.3333333"),
        (0x41b3_de43_5555_5556, "333333333.3333334"),
        (0x41b3_de43_5555_5557, "333333333.33333343"),
        (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
        (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
    ] {
        let form = canonical(&f64::from_bits(bits)).expect("it has a form");
        assert_eq!(String::from_utf8_lossy(&form), expected, "{bits:016x}");
    }
    for bits in [0x7fff_ffff_ffff_ffff, 0x7ff0_0000_0000_0000_u64] {
        // Neither NaN nor infinity is JSON; serde makes `null` of them, and nothing that is read holds one.
        let form = canonical(&f64::from_bits(bits));
        assert!(form.is_err() || form.is_ok_and(|form| form == b"null"));
    }
}

/// RFC 8785, sections 3.2.2 and 3.2.3.
#[test]
fn samples_of_the_rfc() {
    let sample: Value = serde_json::from_str(
        r#"{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],
            "string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
            "literals":[null,true,false]}"#,
    )
    .expect("JSON");
    assert_eq!(
        text(&sample),
        r#"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}"#
    );
    let sorted = parse_strict(
        br#"{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}"#,
    )
    .expect("JSON");
    assert_eq!(
        text(&sorted),
        "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"ö\":7,\"€\":1,\"\u{1f600}\":5,\"\u{fb33}\":3}"
    );
}

/// The retry key of a call with this input; nothing where it is refused.
fn key(input: &str) -> Option<Digest> {
    let Ok(Value::Object(input)) = parse_strict(input.as_bytes()) else {
        return None;
    };
    let request = Request {
        input: Some(input),
        ..Request::command("r", "test", "/p", "ls")
    };
    let facts = Facts::virtual_at("/home/u", &["/p"]);
    Some(retry_key(&request, &facts, "1").expect("it has a form"))
}

/// Two inputs of equal meaning have one key, two of different meaning two, and what two readers could
/// take differently has none.
#[test]
fn what_shares_a_key() {
    for (one, other) in [
        (r#"{"a":1,"b":2}"#, r#"{ "b" : 2 , "a" : 1 }"#),
        (r#"{"a":1}"#, r#"{"a":1.0}"#),
        (r#"{"a":0}"#, r#"{"a":-0}"#),
        (r#"{"a":100}"#, r#"{"a":1e2}"#),
        (r#"{"a":"b"}"#, r#"{"\u0061":"\u0062"}"#),
        (r#"{"a":"/"}"#, r#"{"a":"\/"}"#),
        ("{\"a\":\"\u{1f600}\"}", r#"{"a":"\ud83d\ude00"}"#),
    ] {
        assert_eq!(
            key(one).expect(one),
            key(other).expect(other),
            "{one} {other}"
        );
    }
    for (one, other) in [
        (r#"{"a":1}"#, r#"{"a":"1"}"#),
        (r#"{"a":null}"#, "{}"),
        (r#"{"a":""}"#, "{}"),
        (r#"{"a":[1,2]}"#, r#"{"a":[2,1]}"#),
        (r#"{"a":[1,2]}"#, r#"{"a":[[1,2]]}"#),
        (r#"{"v":"{\"x\":1}"}"#, r#"{"v":{"x":1}}"#),
        (r#"{"v":"{\"x\":1}}"}"#, r#"{"v":"{\"x\":1}"}"#),
        // Composed and decomposed: another file to the system, and so another call.
        ("{\"a\":\"\u{e9}\"}", "{\"a\":\"e\u{301}\"}"),
        ("{\"\u{e9}\":1}", "{\"e\u{301}\":1}"),
        (r#"{"command":"ls","cwd":"/etc"}"#, r#"{"command":"ls"}"#),
        (r#"{"a":"b"}"#, r#"{"A":"b"}"#),
        (r#"{"a":"x "}"#, r#"{"a":"x"}"#),
        (r#"{"a":9007199254740991}"#, r#"{"a":9007199254740990}"#),
        (r#"{"a":0.1}"#, r#"{"a":0.10000000000000002}"#),
        (r#"{"a":true}"#, r#"{"a":"true"}"#),
    ] {
        assert_ne!(
            key(one).expect(one),
            key(other).expect(other),
            "{one} {other}"
        );
    }
    for refused in [
        r#"{"a":1,"a":2}"#,
        r#"{"a":1,"\u0061":2}"#,
        r#"{"b":{"a":1,"a":1}}"#,
        r#"{"a":9007199254740992}"#,
        r#"{"a":9007199254740993}"#,
        r#"{"a":-9223372036854775808}"#,
        r#"{"a":18446744073709551615}"#,
        r#"{"a":1e400}"#,
        r#"{"a":"\ud800"}"#,
        "{\"a\":1}\u{0}",
    ] {
        assert_eq!(key(refused), None, "{refused}");
    }
}
