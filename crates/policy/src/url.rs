//! As much of a URL as a verdict needs: where it leads.

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

/// Reads a URL as command line tools do: the scheme may be missing, and so may everything else.
pub(crate) fn parse(text: &str) -> Url {
    let runs = text.starts_with("ext::") || text.starts_with("fd::");
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => (scheme.to_lowercase(), rest),
        None => (String::new(), text),
    };
    let plain = matches!(scheme.as_str(), "" | "http" | "https" | "ws" | "wss");
    if scheme == "file" {
        let path = rest
            .find('/')
            .and_then(|at| rest.get(at..))
            .unwrap_or(rest)
            .to_owned();
        return Url {
            host: String::new(),
            file: Some(path),
            plain,
            complete: true,
            runs,
        };
    }
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
    use super::{host_of_login, is_loopback, parse};

    #[test]
    fn hosts() {
        for (text, host) in [
            ("http://Example.org/x", "example.org"),
            ("https://user:pw@example.org:8443/x?y", "example.org"),
            ("http://localhost@evil.example/", "evil.example"),
            ("http://evil.example\\@localhost/", "evil.example"),
            ("example.org", "example.org"),
            ("http://[::1]:8080/", "::1"),
            ("http://127.0.0.1:9/x", "127.0.0.1"),
        ] {
            assert_eq!(parse(text).host, host, "{text}");
        }
        assert_eq!(
            parse("file:///etc/passwd").file.as_deref(),
            Some("/etc/passwd")
        );
        assert!(parse("ext::sh -c x").runs);
        assert_eq!(host_of_login("me@example.org:dir/"), "example.org");
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
}
