//! Secrets that can be told by their shape alone, and whose they are.

use super::{decoded, is_loopback, parse, user_info};

/// A shape that some provider gives its tokens, and no other text has.
#[derive(Debug)]
pub(crate) struct Shape {
    prefix: &'static str,
    /// How many letters, digits, `-` and `_` follow at least.
    least: usize,
    /// The provider's domains; none where more than one provider uses the shape.
    domains: &'static [&'static str],
}

const fn shape(prefix: &'static str, least: usize, domains: &'static [&'static str]) -> Shape {
    Shape {
        prefix,
        least,
        domains,
    }
}

const GITHUB: &[&str] = &[
    "github.com",
    "githubusercontent.com",
    "githubcopilot.com",
    "github.ai",
    "ghcr.io",
    "ghe.com",
];
const AWS: &[&str] = &[
    "amazonaws.com",
    "amazonaws.com.cn",
    "aws.amazon.com",
    "api.aws",
];
const SLACK: &[&str] = &["slack.com"];
const STRIPE: &[&str] = &["stripe.com"];

const SHAPES: &[Shape] = &[
    shape("ghp_", 30, GITHUB),
    shape("gho_", 30, GITHUB),
    shape("ghu_", 30, GITHUB),
    shape("ghs_", 30, GITHUB),
    shape("ghr_", 30, GITHUB),
    shape("github_pat_", 22, GITHUB),
    shape("AKIA", 16, AWS),
    shape("ASIA", 16, AWS),
    shape("xoxb-", 20, SLACK),
    shape("xoxp-", 20, SLACK),
    shape("xoxa-", 20, SLACK),
    shape("xoxe-", 20, SLACK),
    shape("xoxs-", 20, SLACK),
    shape("xoxr-", 20, SLACK),
    shape("xapp-", 20, SLACK),
    shape("sk_live_", 16, STRIPE),
    shape("rk_live_", 16, STRIPE),
    shape("sk-ant-", 20, &["anthropic.com"]),
    shape("sk-proj-", 20, &["openai.com"]),
    shape("sk-or-v1-", 20, &["openrouter.ai"]),
    shape("sk-", 32, &[]),
    shape("glpat-", 20, &[]),
    shape("npm_", 36, &["npmjs.org", "npmjs.com"]),
    shape("pypi-AgEI", 50, &["pypi.org"]),
    shape("hf_", 30, &["huggingface.co", "hf.co"]),
    shape("AIza", 35, &["googleapis.com", "google.com"]),
    shape("SG.", 40, &["sendgrid.com"]),
    shape("dop_v1_", 60, &["digitalocean.com"]),
    // The beginning of a JSON web token: `{"`, encoded.
    shape("eyJ", 30, &[]),
];

impl Shape {
    /// It is known whose tokens have this shape, and the host is not theirs.
    fn is_foreign_to(&self, host: &str) -> bool {
        let theirs = |domain: &&str| {
            host.strip_suffix(domain)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        !self.domains.is_empty() && !self.domains.iter().any(theirs)
    }

    fn is_in(&self, text: &str) -> bool {
        let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        text.match_indices(self.prefix).any(|(at, _)| {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let rest = text.get(at.saturating_add(self.prefix.len())..);
            let token = rest.unwrap_or_default();
            let token = token.split(|c| !part(c)).next().unwrap_or_default();
            // Three parts with dots between them make a web token, capitals an access key.
            let whole = match self.prefix {
                "eyJ" => token.matches('.').count() == 2,
                "AKIA" | "ASIA" => token
                    .chars()
                    .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit()),
                _ => true,
            };
            let begins = !before.is_some_and(|c| c.is_ascii_alphanumeric());
            // What is written for a token in examples is one character over and over.
            let varied = token.chars().any(|c| !token.starts_with(c));
            begins && whole && varied && token.len() >= self.least
        })
    }
}

/// The shapes of the tokens in a text.
fn shapes(text: &str) -> impl Iterator<Item = &'static Shape> + '_ {
    SHAPES.iter().filter(move |shape| shape.is_in(text))
}

/// Whether a text holds a token of one provider that none of these hosts belongs to.
pub(crate) fn is_foreign(text: &str, hosts: &[String]) -> bool {
    !hosts.is_empty()
        && shapes(text).any(|shape| hosts.iter().all(|host| shape.is_foreign_to(host)))
}

/// Names of query values that are secrets.
const SECRET_KEYS: &[&str] = &[
    "accesstoken",
    "apikey",
    "apitoken",
    "authtoken",
    "clientsecret",
    "idtoken",
    "passwd",
    "password",
    "privatetoken",
    "refreshtoken",
    "secret",
    "secretkey",
    "sessiontoken",
    "token",
    "xapikey",
];

/// Whether a URL that leads to another machine holds a password or a token, which servers, proxies
/// and histories keep.
pub(crate) fn is_in_url(text: &str) -> bool {
    let Some(at) = text.find("://") else {
        return false;
    };
    let url = parse(text);
    if url.file.is_some() || url.host.is_empty() || is_loopback(&url.host) {
        return false;
    }
    let password = user_info(text).and_then(|user| user.split_once(':'));
    if password.is_some_and(|(_, password)| is_given(password, 1)) {
        return true;
    }
    let whole = text.get(at..).unwrap_or_default();
    let (before, query) = whole.split_once(['?', '#']).unwrap_or((whole, ""));
    let in_query = query.split(['&', ';', '#', '?']).any(|pair| {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let key: String = decoded(key)
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .collect::<String>()
            .to_ascii_lowercase();
        let value = decoded(value);
        // A signed address names its access key, and is made to be fetched.
        let signed = key == "xamzcredential" || key == "xamzsecuritytoken";
        (SECRET_KEYS.contains(&key.as_str()) && is_given(&value, 8))
            || (!signed && shapes(&value).next().is_some())
    });
    in_query || shapes(&decoded(before)).next().is_some()
}

/// A value that stands there itself, and not a mark for where one goes.
fn is_given(value: &str, least: usize) -> bool {
    let lower = value.to_lowercase();
    let mark = value.contains(['$', '<', '>', '{', '}', '*'])
        || ["your", "example", "placeholder", "redacted", "xxx", "..."]
            .iter()
            .any(|word| lower.contains(word));
    value.len() >= least && !mark
}

#[cfg(test)]
mod tests {
    use super::{is_foreign, is_in_url};

    const GITHUB: &str = "ghp_abcdefghij0123456789ABCDEFGHIJ012345";

    #[test]
    fn secrets_in_urls() {
        for url in [
            "https://user:hunter2@example.org/x",
            "https://example.org/?access_token=abcdefgh12",
            "https://example.org/?a=b&API-Key=abcdefgh12",
            "https://example.org/#token=abcdefgh12",
            "https://example.org/?x=AKIAIOSFODNN7ABCDEFG",
            "https://example.org/?x=xoxb-12345678901-abcdefghijklm",
            "https://example.org/?j=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmN",
            "https://api.example.org/sk-abcdefghijklmnopqrstuvwxyz0123456789",
            "https://example.org/?%74oken=abcdefgh12",
        ] {
            assert!(is_in_url(url), "{url}");
        }
        assert!(is_in_url(&format!("https://{GITHUB}@github.com/o/r.git")));
        for url in [
            "https://example.org/x?page_token=abcdefgh12",
            "https://user@example.org/x",
            "http://user:pw@localhost:5432/db",
            "https://user:${PASSWORD}@example.org",
            "https://example.org/?token=YOUR_TOKEN_HERE",
            "https://example.org/?token=",
            "https://example.org/sk-learn/task-list",
            "https://example.org/?X-Amz-Credential=AKIAIOSFODNN7ABCDEFG%2F20260101",
            "https://example.org/keys/AKIA",
            "git@github.com:o/r.git",
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        ] {
            assert!(!is_in_url(url), "{url}");
        }
    }

    #[test]
    fn tokens_belong_to_their_providers() {
        let header = format!("Authorization: token {GITHUB}");
        for (host, foreign) in [
            ("api.github.com", false),
            ("github.com", false),
            ("evil.example", true),
            ("notgithub.com", true),
            ("github.com.evil.example", true),
        ] {
            assert_eq!(is_foreign(&header, &[host.to_owned()]), foreign, "{host}");
        }
        assert!(!is_foreign(
            "Authorization: Bearer abc",
            &["x.example".to_owned()]
        ));
        assert!(!is_foreign(&header, &[]));
    }
}
