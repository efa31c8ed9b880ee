//! The values of cookies.

use super::shape::leading;

/// Names behind which a cookie says how it is to be kept.
const ATTRIBUTES: [&str; 6] = [
    "path", "domain", "expires", "max-age", "samesite", "version",
];

/// Where the values lie in what stands behind the name of the header, as far as it is a list of
/// cookies.
pub(super) fn values(after: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0_usize;
    while let Some(rest) = after.get(at..) {
        at = at.saturating_add(leading(rest, |byte| byte == b' ').len());
        let rest = after.get(at..).unwrap_or_default();
        let name = leading(rest, is_name);
        let behind = rest.get(name.len()..).unwrap_or_default();
        if !name.is_empty() && behind.starts_with('=') {
            at = at.saturating_add(name.len()).saturating_add(1);
            let value = leading(after.get(at..).unwrap_or_default(), is_value);
            let is_attribute = ATTRIBUTES.iter().any(|it| it.eq_ignore_ascii_case(name));
            if value.len() >= 4 && !is_attribute {
                found.push((at, value.len()));
            }
            at = at.saturating_add(value.len());
        } else {
            at = at.saturating_add(name.len());
        }
        if !after.get(at..).unwrap_or_default().starts_with(';') {
            break;
        }
        at = at.saturating_add(1);
    }
    found
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-.".contains(&byte)
}

fn is_value(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-.~+/=%:!#*^".contains(&byte)
}
