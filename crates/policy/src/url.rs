//! As much of a URL as a verdict needs: where it leads.

mod address;
pub(crate) mod token;

pub(crate) use address::{is_metadata, metadata_within};

/// What a URL names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Url {
    /// The host, in lower case, without user and port.
    pub(crate) host: String,
    /// For `file:` URLs: the path.
    pub(crate) file: Option<String>,
    /// The host is followed by something, so that more text cannot change it.
    pub(crate) complete: bool,
    /// A scheme by which one can fetch and no more.
    pub(crate) plain: bool,
    /// A transport that runs a program, such as git's `ext::`.
    pub(crate) runs: bool,
}

/// Schemes that browsers read with any number of slashes, in either direction.
const SPECIAL: &[&str] = &["http", "https", "ws", "wss", "ftp", "file"];

/// Prefixes behind which another URL stands.
const WRAPPERS: &[&str] = &["view-source:", "jar:", "feed:", "url:"];

/// Reads a URL as command line tools and browsers do, whichever reading leads further: the scheme
/// may be missing, and so may everything else.
pub(crate) fn parse(text: &str) -> Url {
    let runs = text.starts_with("ext::") || text.starts_with("fd::");
    let cleaned = clean(text);
    let (scheme, rest) = scheme(&cleaned);
    // Where programs differ over where the host begins, it may be any.
    let agreed = scheme.is_empty()
        || (cleaned == text
            && rest.starts_with("//")
            && !rest.get(2..).unwrap_or_default().starts_with(['/', '\\']));
    let plain = agreed && matches!(scheme.as_str(), "" | "http" | "https" | "ws" | "wss");
    if scheme == "file" {
        return Url {
            host: String::new(),
            file: Some(file(rest)),
            plain,
            complete: true,
            runs,
        };
    }
    let rest = if SPECIAL.contains(&scheme.as_str()) {
        rest.trim_start_matches(['/', '\\'])
    } else {
        rest.strip_prefix("//").unwrap_or(rest)
    };
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let authority = rest.get(..end).unwrap_or(rest);
    let host = authority.rsplit('@').next().unwrap_or(authority);
    Url {
        host: without_port(host).to_lowercase(),
        file: None,
        plain,
        complete: end < rest.len(),
        runs,
    }
}

/// Whether a text is a URL with its scheme, and nothing else.
pub(crate) fn has_scheme(text: &str) -> bool {
    let cleaned = clean(text);
    let (scheme, rest) = scheme(&cleaned);
    !scheme.is_empty() && !rest.is_empty() && !cleaned.contains(char::is_whitespace)
}

/// The text between `://` and the host, where it says who asks: `user:password`.
pub(crate) fn user_info(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("://")?;
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    rest.get(..end)?.rsplit_once('@').map(|(user, _)| user)
}

/// Without what surrounds it, and without the tabs and line breaks that browsers leave out.
fn clean(text: &str) -> String {
    let trimmed = text.trim_matches(|c: char| c.is_whitespace() || c.is_control());
    let mut cleaned: String = trimmed
        .chars()
        .filter(|c| !matches!(c, '\t' | '\n' | '\r'))
        .collect();
    while let Some(inner) = WRAPPERS.iter().find_map(|wrapper| {
        let start = cleaned.get(..wrapper.len())?;
        start.eq_ignore_ascii_case(wrapper).then_some(wrapper.len())
    }) {
        cleaned.drain(..inner);
    }
    cleaned
}

/// The scheme, in lower case and empty where there is none, and what follows its colon.
fn scheme(text: &str) -> (String, &str) {
    let Some((scheme, rest)) = text.split_once(':') else {
        return (String::new(), text);
    };
    let named = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    let scheme = scheme.to_ascii_lowercase();
    if named && (rest.starts_with("//") || SPECIAL.contains(&scheme.as_str())) {
        (scheme, rest)
    } else {
        (String::new(), text)
    }
}

/// The path of a `file:` URL, from what follows the colon.
fn file(rest: &str) -> String {
    let rest = rest.replace('\\', "/");
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    let rest = rest.get(..end).unwrap_or(&rest);
    let path = match rest.strip_prefix("//") {
        // What stands before the path is a host.
        Some(after) => after
            .find('/')
            .and_then(|at| after.get(at..))
            .unwrap_or(after),
        None => rest,
    };
    format!("/{}", decoded(path).trim_start_matches('/'))
}

/// With `%41` and the like read. What makes no text stays as it was typed.
pub(crate) fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let hex = |byte: &u8| char::from(*byte).to_digit(16);
        let pair = match (first, after) {
            (b'%', [high, low, ..]) => hex(high).zip(hex(low)),
            _ => None,
        };
        let byte = pair.and_then(|(high, low)| u8::try_from(high * 16 + low).ok());
        bytes.push(byte.unwrap_or(first));
        rest = match byte {
            Some(_) => after.get(2..).unwrap_or_default(),
            None => after,
        };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

fn without_port(host: &str) -> &str {
    if let Some(inner) = host.strip_prefix('[') {
        return inner.split(']').next().unwrap_or(inner);
    }
    host.split(':').next().unwrap_or(host)
}

/// Whether a host is this machine. Only spellings that no resolver can send elsewhere count.
pub(crate) fn is_loopback(host: &str) -> bool {
    if host == "localhost" || host == "::1" {
        return true;
    }
    let parts: Vec<&str> = host.split('.').collect();
    parts.len() == 4
        && parts.first() == Some(&"127")
        && parts.iter().all(|part| part.parse::<u8>().is_ok())
}

/// The host of `user@host:path`.
pub(crate) fn host_of_login(text: &str) -> &str {
    let host = text.rsplit('@').next().unwrap_or(text);
    host.split(':').next().unwrap_or(host)
}

#[cfg(test)]
mod tests {
    use super::{has_scheme, host_of_login, is_loopback, is_metadata, parse};

    #[test]
    fn hosts() {
        for (text, host) in [
            ("http://Example.org/x", "example.org"),
            ("https://user:pw@example.org:8443/x?y", "example.org"),
            ("http://localhost@evil.example/", "evil.example"),
            ("http://evil.example\\@localhost/", "evil.example"),
            ("example.org", "example.org"),
            ("localhost:8080/x", "localhost"),
            ("http://[::1]:8080/", "::1"),
            ("http://127.0.0.1:9/x", "127.0.0.1"),
            ("http:/example.org/x", "example.org"),
            ("http:\\\\example.org\\x", "example.org"),
            ("https:example.org", "example.org"),
            (" ht\ntp://exam\tple.org ", "example.org"),
            ("view-source:http://example.org", "example.org"),
        ] {
            assert_eq!(parse(text).host, host, "{text}");
        }
        assert!(parse("http://127.0.0.1/").plain && parse("127.0.0.1").plain);
        for text in [
            "http:127.0.0.1",
            "http:/127.0.0.1",
            "http:///127.0.0.1",
            "ht\ntp://127.0.0.1",
        ] {
            assert!(!parse(text).plain, "{text}");
        }
        assert!(parse("ext::sh -c x").runs);
        assert_eq!(host_of_login("me@example.org:dir/"), "example.org");
        assert!(has_scheme("https://example.org") && has_scheme("file:/etc/passwd"));
        for text in [
            "example.org",
            "note: this",
            "http: is a scheme",
            "a/b:c",
            "12:30",
        ] {
            assert!(!has_scheme(text), "{text}");
        }
    }

    #[test]
    fn files() {
        for text in [
            "file:///etc/passwd",
            "FILE:///etc/passwd",
            "file:/etc/passwd",
            "file:etc/passwd",
            "file://localhost/etc/passwd",
            "file:\\\\\\etc\\passwd",
            "file:///etc/%70asswd?x#y",
            "view-source:file:///etc/passwd",
        ] {
            assert_eq!(parse(text).file.as_deref(), Some("/etc/passwd"), "{text}");
        }
    }

    #[test]
    fn loopback_is_only_this_machine() {
        assert!(is_loopback("127.0.0.1") && is_loopback("127.1.2.3") && is_loopback("localhost"));
        for host in [
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "127.evil.0.1",
            "0.0.0.0",
            "",
        ] {
            assert!(!is_loopback(host), "{host}");
        }
    }

    #[test]
    fn metadata_services_are_met_in_every_spelling() {
        for text in [
            "http://169.254.169.254/latest/meta-data/",
            "169.254.169.254",
            "http://2852039166/",
            "http://0xa9fea9fe/",
            "http://0xA9.0xFE.0xA9.0xFE/",
            "http://0251.0376.0251.0376/",
            "http://169.254.43518/",
            "http://169.16689662/",
            "http://0251.254.0xa9.254./",
            "http://[::ffff:169.254.169.254]/",
            "http://[::ffff:a9fe:a9fe]:80/",
            "http://[0:0:0:0:0:ffff:a9fe:a9fe]/",
            "http://[::a9fe:a9fe]/",
            "http://[64:ff9b::a9fe:a9fe]/",
            "http://[2002:a9fe:a9fe::]/",
            "http://[fd00:ec2::254]/",
            "http://[FD00:0EC2:0::0254]/",
            "http://[fe80::a9fe:a9fe%25eth0]/",
            "http://user@169.254.169.254/",
            "http://%31%36%39.254.169.254/",
            "http://１６９。２５４｡１６９．２５４/",
            "http://①⑥⑨.②⑤④.①⑥⑨.②⑤④/",
            "http://169.254.169.254.nip.io/",
            "http://x.169-254-169-254.sslip.io/",
            "http://a9fea9fe.nip.io/",
            "http://Metadata.Google.Internal./computeMetadata/v1/",
            "http://instance-data/latest/",
            "http://100.100.100.200/latest/meta-data/",
            "http://169.254.170.2/v2/credentials",
            "http://192.0.0.192/opc/v2/",
            "http:/169.254.169.254/",
        ] {
            assert!(is_metadata(&parse(text).host), "{text}");
        }
        for text in [
            "https://example.org/169.254.169.254",
            "http://169.254.169.253/",
            "http://169.254.1.1/",
            "http://10.0.0.1/",
            "http://169.254.169.254.example.org/",
            "http://metadata.example.org/",
            "http://2852039167/",
            "https://docs.aws.amazon.com/x?ip=169.254.169.254",
            "",
        ] {
            assert!(!is_metadata(&parse(text).host), "{text}");
        }
    }
}
