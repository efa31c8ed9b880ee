//! Words that are secrets by how they begin.

/// How they begin, and the least number of letters, digits, `-` and `_` behind that.
const TOKENS: &[(&str, usize)] = &[
    ("AGE-SECRET-KEY-", 40),
    ("AIza", 30),
    ("AKCp", 50),
    ("ATATT3", 40),
    ("ATCTT3", 40),
    ("CFPAT-", 30),
    ("GOCSPX-", 20),
    ("HRKU-", 30),
    ("LTAI", 16),
    ("NRAK-", 20),
    ("PMAK-", 40),
    ("cio", 32),
    ("dapi", 32),
    ("dckr_pat_", 20),
    ("doo_v1_", 40),
    ("dop_v1_", 40),
    ("dor_v1_", 40),
    ("fig_", 40),
    ("figd_", 30),
    ("fm2_", 40),
    ("fo1_", 30),
    ("gho_", 20),
    ("ghp_", 20),
    ("ghr_", 20),
    ("ghs_", 20),
    ("ghu_", 20),
    ("github_pat_", 20),
    ("glagent-", 20),
    ("glc_", 30),
    ("glcbt-", 16),
    ("gldt-", 16),
    ("glft-", 16),
    ("glimt-", 16),
    ("glpat-", 16),
    ("glptt-", 16),
    ("glrt-", 16),
    ("glsa_", 30),
    ("glsoat-", 16),
    ("gsk_", 20),
    ("hf_", 20),
    ("lin_api_", 30),
    ("nfp_", 30),
    ("npm_", 30),
    ("ntn_", 30),
    ("nvapi-", 30),
    ("ops_eyJ", 40),
    ("pat-eu1-", 30),
    ("pat-na1-", 30),
    ("phx_", 30),
    ("pplx-", 30),
    ("pscale_pw_", 20),
    ("pscale_tkn_", 20),
    ("pul-", 40),
    ("pypi-", 30),
    ("r8_", 30),
    ("rk_live_", 16),
    ("rk_test_", 16),
    ("rubygems_", 40),
    ("sbp_", 30),
    ("secret_", 40),
    ("shpat_", 30),
    ("shpca_", 30),
    ("shppa_", 30),
    ("shpss_", 30),
    ("sk-", 16),
    ("sk_live_", 16),
    ("sk_test_", 16),
    ("sntrys_", 40),
    ("sntryu_", 40),
    ("sq0atp-", 20),
    ("sq0csp-", 30),
    ("tskey-", 20),
    ("waka_", 30),
    ("whsec_", 16),
    ("xai-", 20),
    ("xapp-", 10),
    ("xkeysib-", 40),
    ("xoxa-", 10),
    ("xoxb-", 10),
    ("xoxe-", 10),
    ("xoxp-", 10),
    ("xoxr-", 10),
    ("xoxs-", 10),
];

/// Words before a dot, and the least length of what stands behind the dot.
const DOTTED: &[(&str, usize)] = &[
    ("SG", 40),
    ("dp", 40),
    ("hvb", 24),
    ("hvr", 24),
    ("hvs", 24),
    ("sl", 60),
    ("ya29", 30),
];

/// Where in the text at whose beginning a word stands a secret lies that can be told by its form:
/// how much to keep, and how much to hide then.
pub(super) fn in_word(word: &str, text: &str) -> Option<(usize, usize)> {
    if let Some(found) = token(word).or_else(|| access_key(word)) {
        return Some(found);
    }
    let after = text.get(word.len()..)?;
    if word.starts_with("eyJ") {
        let token = leading(text, |byte| is_word(byte) || byte == b'.');
        let dots = token.bytes().filter(|byte| *byte == b'.').count();
        return (token.len() >= 40 && dots >= 2).then(|| (3, token.len().saturating_sub(3)));
    }
    if after.starts_with('.') {
        let (_, least) = DOTTED.iter().find(|(begin, _)| *begin == word)?;
        let rest = leading(after, |byte| is_word(byte) || byte == b'.');
        let keep = word.len().saturating_add(1);
        return (rest.len() > *least).then(|| (keep, rest.len().saturating_sub(1)));
    }
    if after.starts_with(':') && (8..=10).contains(&word.len()) && is_number(word) {
        // A bot of a messenger: its number, and its token.
        let token = leading(after.get(1..)?, is_word);
        let is_token = token.len() == 35 && token.starts_with("AA");
        return is_token.then(|| (word.len().saturating_add(1), token.len()));
    }
    None
}

/// Also behind a `-` or `_` in the word, where the beginning is no short one.
fn token(word: &str) -> Option<(usize, usize)> {
    let begins = |at: usize| {
        let rest = word.get(at..)?;
        let first = rest.as_bytes().first()?;
        if !first.is_ascii_alphanumeric() {
            return None;
        }
        let (prefix, _) = TOKENS.iter().find(|(prefix, least)| {
            prefix.as_bytes().first() == Some(first)
                && (at == 0 || prefix.len() > 3)
                && rest.len() >= prefix.len().saturating_add(*least)
                && rest.starts_with(prefix)
        })?;
        let keep = at.saturating_add(prefix.len());
        let hide = word.len().checked_sub(keep)?;
        // What words are joined to a name is no token.
        let rest = word.get(keep..)?;
        let plain = prefix.bytes().all(|byte| byte.is_ascii_lowercase());
        (!plain || (!rest.contains(['-', '_']) && has_digit(rest))).then_some((keep, hide))
    };
    if word.len() < 19 {
        return (word.len() >= 15).then(|| begins(0)).flatten();
    }
    let inner = word
        .bytes()
        .enumerate()
        .filter(|(_, byte)| matches!(byte, b'-' | b'_'))
        .map(|(at, _)| at.saturating_add(1));
    std::iter::once(0).chain(inner).find_map(begins)
}

fn access_key(word: &str) -> Option<(usize, usize)> {
    let is_key = word.len() == 20
        && (word.starts_with("AKIA") || word.starts_with("ASIA") || word.starts_with("ABIA"));
    is_key.then_some((4, 16))
}

/// How much of a secret says what kind it is, and stays.
pub(super) fn kind(secret: &str) -> &str {
    let word = leading(secret, is_word);
    let keep = in_word(word, secret).map_or(0, |(keep, _)| keep);
    secret.get(..keep).unwrap_or_default()
}

pub(super) fn leading(text: &str, wanted: impl Fn(u8) -> bool) -> &str {
    let end = text.bytes().position(|byte| !wanted(byte));
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

pub(super) fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}
