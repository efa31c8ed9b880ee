use super::{MARK, Redactor, redact};
use std::borrow::Cow;

/// A small generator of pseudo-random numbers, so that every run sees the same texts.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("it is small") % sides
    }

    fn pick<'v>(&mut self, of: &[&'v str]) -> &'v str {
        of[self.roll(of.len())]
    }

    fn letters(&mut self, count: usize) -> String {
        const LETTERS: &[u8] = b"abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
        (0..count)
            .map(|_| char::from(LETTERS[self.roll(LETTERS.len())]))
            .collect()
    }
}

#[test]
fn what_is_kept_holds_no_secret() {
    let redactor = Redactor::default();
    for (text, expected) in [
        // Tokens of providers.
        ("glsa_0123456789abcdefghijABCDEFGHIJ01", "glsa_[redacted]"),
        (
            "my-app-ghp_0123456789abcdefghijABCDEFGHIJ012345",
            "my-app-ghp_[redacted]",
        ),
        (
            "\\ghp_0123456789abcdefghijABCDEFGHIJ012345",
            "\\ghp_[redacted]",
        ),
        (
            "SG.abcdefghij0123456789.abcdefghij0123456789ABCDEFGHIJ012345",
            "SG.[redacted]",
        ),
        ("hvs.CAESIAbcdefghij0123456789", "hvs.[redacted]"),
        (
            "bot123456789:AAabcdefghij0123456789abcdefghij012 x",
            "bot123456789:AAabcdefghij0123456789abcdefghij012 x",
        ),
        (
            "/123456789:AAabcdefghij0123456789abcdefghij012/x",
            "/123456789:[redacted]/x",
        ),
        ("dapi0123456789abcdef0123456789abcdef", "dapi[redacted]"),
        // Addresses.
        (
            "https://example.org/?a=b&token=abcdef&sig=abcdefghij0123456789%2B",
            "https://example.org/?a=b&token=[redacted]&sig=[redacted]",
        ),
        (
            "https://x/?X-Amz-Signature=abcdefghij0123456789&x=1",
            "https://x/?X-Amz-Signature=[redacted]&x=1",
        ),
        ("amqp://me:p@ss:word@h/v", "amqp://me:[redacted]@h/v"),
        // Headers.
        (
            "Cookie: session=abcdef; theme=dark; a=b",
            "Cookie: session=[redacted]; theme=[redacted]; a=b",
        ),
        (
            "Set-Cookie: id=abcdef12; Path=/admin; HttpOnly",
            "Set-Cookie: id=[redacted]; Path=/admin; HttpOnly",
        ),
        (
            "Proxy-Authorization: Basic abcdef12",
            "Proxy-Authorization: Basic [redacted]",
        ),
        // Names, and all that stands in their quotes.
        (
            r#"{"password": "correct horse battery", "x": 1}"#,
            r#"{"password": "[redacted]", "x": 1}"#,
        ),
        (
            r#"{\"password\": \"correct horse\", \"x\": 1}"#,
            r#"{\"password\": \"[redacted]\", \"x\": 1}"#,
        ),
        ("DB_PASS=hunter2 x", "DB_PASS=[redacted] x"),
        ("MYSQL_PWD=hunter2", "MYSQL_PWD=[redacted]"),
        (
            "PGPASSWORD='two words' psql",
            "PGPASSWORD='[redacted]' psql",
        ),
        (
            "AccountKey=abcdefghij0123456789+/==;Endpoint=x",
            "AccountKey=[redacted];Endpoint=x",
        ),
        (
            "//registry.example.org/:_authToken=abc123def",
            "//registry.example.org/:_authToken=[redacted]",
        ),
    ] {
        assert_eq!(redactor.redact(text), expected, "{text}");
    }
}

#[test]
fn what_holds_no_secret_is_not_even_copied() {
    let redactor = Redactor::new(["correct horse battery".to_owned()]);
    for text in [
        "",
        "git status --porcelain",
        "/home/user/project/src/token.rs",
        "the token expires; a password is needed",
        "PWD=/home/user OLDPWD=/",
        "max_tokens=1600 --token-file /etc/shadow --secret /run/secret",
        "https://example.org/search?q=token&page=2&key=name&code=404",
        "TOKEN=$TOKEN make",
        "password=$(cat file)",
        "user@example.org:repo.git",
        "http://localhost:8080/x@y",
        "sk-learn hf_hub npm_config_cache secret_santa",
        "cio: cionabcdefghijklmnopqrstuvwxyz-abcdefghijk",
        "correct horse",
    ] {
        assert!(
            matches!(redactor.redact(text), Cow::Borrowed(same) if same == text),
            "{text}: {}",
            redactor.redact(text)
        );
        assert!(matches!(redact(text), Cow::Borrowed(_)), "{text}");
    }
}

#[test]
fn options_of_programs_are_known() {
    let redactor = Redactor::default();
    for (command, expected) in [
        (
            "mysql -u root -phunter2 db",
            "mysql -u root -p[redacted] db",
        ),
        ("mysql -p db", "mysql -p db"),
        (
            "/usr/bin/mysqldump -phunter2",
            "/usr/bin/mysqldump -p[redacted]",
        ),
        (
            "docker login -u me -p hunter2 host",
            "docker login -u me -p [redacted] host",
        ),
        ("docker run -p 80:80 image", "docker run -p 80:80 image"),
        ("sshpass -p hunter2 ssh h", "sshpass -p [redacted] ssh h"),
        ("sshpass -phunter2 ssh h", "sshpass -p[redacted] ssh h"),
        ("curl -u me:hunter2 url", "curl -u me:[redacted] url"),
        ("curl -ume:hunter2 url", "curl -ume:[redacted] url"),
        (
            "curl --user=me:hunter2 url",
            "curl --user=me:[redacted] url",
        ),
        ("curl -u me url", "curl -u me url"),
        (
            "tool --password hunter url",
            "tool --password [redacted] url",
        ),
        ("tool --password=hunter", "tool --password=[redacted]"),
        ("tool --password --user me", "tool --password --user me"),
        ("tool --password $PW", "tool --password $PW"),
        ("tool --password-file f", "tool --password-file f"),
        ("redis-cli -a hunter2 ping", "redis-cli -a [redacted] ping"),
        ("ldapsearch -x -whunter2", "ldapsearch -x -w[redacted]"),
        (
            "smbclient -U me%hunter2 //h/s",
            "smbclient -U me%[redacted] //h/s",
        ),
        ("lftp -u me,hunter2 h", "lftp -u me,[redacted] h"),
        (
            "openssl enc -k hunter2 -in f",
            "openssl enc -k [redacted] -in f",
        ),
        (
            "openssl rsa -passin pass:hunter2",
            "openssl rsa -passin [redacted]",
        ),
        (
            "aws configure set aws_secret_access_key abcd",
            "aws configure set aws_secret_access_key [redacted]",
        ),
        (
            "kubectl create secret generic x --from-literal=k=hunter2",
            "kubectl create secret generic x --from-literal=k=[redacted]",
        ),
        ("cargo login abcdef", "cargo login [redacted]"),
        ("cargo test token", "cargo test token"),
        ("htpasswd -nb me hunter2", "htpasswd -nb me [redacted]"),
        ("env API_TOKEN=hunter make", "env API_TOKEN=[redacted] make"),
        (
            "gh secret set NAME --body hunter2",
            "gh secret set NAME --body [redacted]",
        ),
        (
            "tool --token ghp_0123456789abcdefghijABCDEFGHIJ012345",
            "tool --token ghp_[redacted]",
        ),
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        let (program, words) = words.split_first().expect("a program");
        let hidden = redactor.redact_words(program, words);
        assert_eq!(format!("{program} {}", hidden.join(" ")), expected);
        assert_eq!(redactor.redact_words(program, &hidden), hidden, "{command}");
    }
}

#[test]
fn an_environment_says_what_is_secret() {
    let environment = [
        ("GITHUB_TOKEN", "plain-words-only"),
        ("DB_PASSWORD", "Tr0ub4dor&3 \"x\""),
        ("DATABASE_URL", "postgres://me:in-the-address@h/d"),
        ("SHORT_TOKEN", "abc"),
        ("MARK_TOKEN", "redacted"),
        ("GOOGLE_APPLICATION_CREDENTIALS", "/home/user/key.json"),
        ("EDITOR", "vim-with-options"),
        (
            "SIGNING_KEY",
            "-----BEGIN X-----\nfirst-line-of-it-all\nsecond-line-of-it-all\n-----END X-----",
        ),
    ];
    let owned = environment.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let redactor = Redactor::of_environment(owned);
    for (text, expected) in [
        ("a plain-words-only b", "a [redacted] b"),
        ("plain-words-onlyplain-words-only", "[redacted]"),
        ("pla'in-wo'rds\"-only\"", "[redacted]\""),
        ("p\\lain-words-only", "[redacted]"),
        (r#"{"x":"Tr0ub4dor&3 \"x\""}"#, r#"{"x":"[redacted]"}"#),
        ("in-the-address", "[redacted]"),
        ("cGxhaW4td29yZHMtb25seQ==", "[redacted]Q=="),
        ("706c61696e2d776f7264732d6f6e6c79", "[redacted]"),
        ("706C61696E2D776F7264732D6F6E6C79", "[redacted]"),
        ("Tr0ub4dor%263%20%22x%22", "[redacted]"),
        ("x second-line-of-it-all x", "x [redacted] x"),
        (
            "abc redacted /home/user/key.json vim-with-options",
            "abc redacted /home/user/key.json vim-with-options",
        ),
    ] {
        assert_eq!(redactor.redact(text), expected, "{text}");
    }
    // In front of it stand one and two other bytes.
    for text in ["OnBsYWluLXdvcmRzLW9ubHk=", "YTpwbGFpbi13b3Jkcy1vbmx5"] {
        assert!(redactor.redact(text).contains(MARK), "{text}");
    }
    assert!(!format!("{redactor:?}").contains("plain"));
}

/// Pieces that the scanners act on, in every order that the dice give.
const PIECES: &[&str] = &[
    "://",
    ":",
    "@",
    "\\",
    "\\n",
    "\"",
    "'",
    "password",
    "PASSWORD",
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
    "ghp_",
    "[redacted]",
    "redacted",
    "[",
    "]",
    "Cookie: ",
    "; ",
    "?",
    "&",
    "sig",
    "--token",
    "$",
    "(",
    "/",
    ".",
    "AKIA",
    "abcdefgh",
    "0123456789abcdef",
    "SG",
    "_",
    "-",
    "{",
    "\u{202e}",
    "known-value",
    "value-known",
];

#[test]
fn any_text_is_taken_and_a_second_time_nothing_changes() {
    let known = ["known-value", "value-known", "redacted[", "x1known-value]"];
    let redactor = Redactor::new(known.map(str::to_owned));
    let mut dice = Dice(7);
    for _ in 0..60_000 {
        let count = 1 + dice.roll(9);
        let text: String = (0..count).map(|_| dice.pick(PIECES)).collect();
        let once = redactor.redact(&text).into_owned();
        assert_eq!(redactor.redact(&once), once, "{text:?}");
        assert!(!once.contains("known-value"), "{text:?} {once:?}");
        assert!(once.len() <= 12 * text.len() + 12, "{text:?}");
        let once = redact(&text).into_owned();
        assert_eq!(redact(&once), once, "{text:?}");
    }
}

#[test]
fn no_planted_secret_survives() {
    let mut dice = Dice(11);
    for round in 0..4_000 {
        let secret = format!("{}7", dice.letters(27));
        let known = format!(
            "{}{}",
            dice.letters(9),
            dice.pick(&["!", " x", "$", "%", "\"q", "é"])
        );
        let redactor = Redactor::new([known.clone()]);
        let planted = match dice.roll(14) {
            0 => format!("ghp_{secret}"),
            1 => format!("https://me:{secret}@example.org/"),
            2 => format!("curl -H 'Authorization: Bearer {secret}' u"),
            3 => format!("X-Api-Key: {secret}"),
            4 => format!("Cookie: a=b; session={secret}"),
            5 => format!("SOME_TOKEN={secret}"),
            6 => format!("{{\"password\": \"{secret}\"}}"),
            7 => format!("{{\\\"client_secret\\\":\\\"{secret}\\\"}}"),
            8 => format!("tool --password {secret}"),
            9 => format!("https://example.org/?access_token={secret}&x=1"),
            10 => format!("https://example.org/?sig={secret}"),
            11 => format!("cat <<EOF\nAPI_KEY={secret}\nEOF\n"),
            12 => format!(
                "-----BEGIN RSA PRIVATE KEY-----\n{secret}a1B\n-----END RSA PRIVATE KEY-----"
            ),
            _ => known.clone(),
        };
        let before = dice.pick(&["", "echo ", "a; ", "\"", "(", "\n", "x="]);
        let after = dice.pick(&["", " | sh", ";", "\"", ")", "\n"]);
        let clean = redactor
            .redact(&format!("{before}{planted}{after}"))
            .into_owned();
        assert!(!clean.contains(&secret), "{round}: {planted:?} {clean:?}");
        assert!(!clean.contains(&known), "{round}: {planted:?} {clean:?}");
    }
}

/// Twice the text takes about twice the time: each of these made a scanner walk the rest again at
/// every word.
#[test]
fn long_texts_are_walked_once() {
    let redactor = Redactor::new(["aaaaaaaaaaaaaaab".to_owned()]);
    for piece in [
        "password=",
        "password=a(",
        "authorization:",
        "Authorization: a ",
        "://a:",
        "://",
        "eyJ.",
        "eyJ",
        "-----BEGIN ",
        "-----BEGIN PRIVATE KEY-----",
        "Cookie: a=",
        "&token=",
        "sk-",
        "a",
        "a\"",
        "--password \"",
        "\\",
        "--token\",\"",
        "ghp_",
        "-",
        "bearer ",
    ] {
        let text = piece.repeat(100_000 / piece.len());
        let _cleaned = (redactor.redact(&text), redact(&text));
    }
}
