//! Hosts that are addresses, however they are spelled, and the ones that give out credentials.

use super::decoded;
use std::net::{Ipv4Addr, Ipv6Addr};

/// Where clouds answer whoever asks from inside a machine, with that machine's credentials.
const METADATA_V4: &[Ipv4Addr] = &[
    Ipv4Addr::new(169, 254, 169, 254),
    Ipv4Addr::new(169, 254, 170, 2),
    Ipv4Addr::new(169, 254, 170, 23),
    Ipv4Addr::new(169, 254, 0, 23),
    Ipv4Addr::new(169, 254, 42, 42),
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(192, 0, 0, 192),
    Ipv4Addr::new(168, 63, 129, 16),
];

const METADATA_V6: &[Ipv6Addr] = &[
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254),
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23),
    Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254),
    Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0xa9fe, 0xa9fe),
    Ipv6Addr::new(0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42),
];

const METADATA_NAMES: &[&str] = &[
    "metadata.google.internal",
    "metadata.goog",
    "instance-data",
    "instance-data.ec2.internal",
    "metadata.tencentyun.com",
    "metadata.platformequinix.com",
    "metadata.packet.net",
];

/// Domains below which every name that holds an address resolves to it.
const ADDRESS_DOMAINS: &[&str] = &[".nip.io", ".sslip.io", ".xip.io"];

/// Whether a host is the metadata service of a cloud.
pub(crate) fn is_metadata(host: &str) -> bool {
    let host = plain(host);
    if let Some(address) = v4(&host).or_else(|| held(&host)) {
        return METADATA_V4.contains(&address);
    }
    let without_zone = host.split('%').next().unwrap_or_default();
    match without_zone.parse::<Ipv6Addr>() {
        Ok(address) => {
            METADATA_V6.contains(&address)
                || translated(address).is_some_and(|inner| METADATA_V4.contains(&inner))
        }
        Err(_) => METADATA_NAMES.contains(&host.as_str()),
    }
}

/// The metadata services among the parts of `host:port:address` and the like.
pub(crate) fn metadata_within(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(['[', ']', ',', '/'])
        .flat_map(|part| std::iter::once(part).chain(part.split(':')))
        .filter(|part| is_metadata(part))
        .map(str::to_owned)
}

/// A host as a resolver gets it: decoded, in lower case, in ASCII where browsers make it so.
fn plain(host: &str) -> String {
    let host = decoded(host.trim_start_matches('[').trim_end_matches(']'));
    let mut plain: String = host.chars().map(folded).collect();
    plain.make_ascii_lowercase();
    let kept = plain.trim_end_matches('.').len();
    plain.truncate(kept);
    plain
}

/// The digit, letter or dot that a look-alike is taken for in a host name.
fn folded(c: char) -> char {
    let shifted = |first: u32, to: char| {
        let distance = u32::from(c).checked_sub(first)?;
        char::from_u32(u32::from(to).checked_add(distance)?)
    };
    let found = match c {
        '\u{ff0e}' | '\u{3002}' | '\u{ff61}' | '\u{2024}' => Some('.'),
        '\u{ff01}'..='\u{ff5e}' => shifted(0xff01, '!'),
        '\u{2460}'..='\u{2468}' => shifted(0x2460, '1'),
        '\u{24ea}' | '\u{2070}' | '\u{2080}' => Some('0'),
        '\u{2081}'..='\u{2089}' => shifted(0x2081, '1'),
        '\u{2074}'..='\u{2079}' => shifted(0x2074, '4'),
        '\u{b9}' => Some('1'),
        '\u{b2}' => Some('2'),
        '\u{b3}' => Some('3'),
        '\u{24b6}'..='\u{24cf}' => shifted(0x24b6, 'a'),
        '\u{24d0}'..='\u{24e9}' => shifted(0x24d0, 'a'),
        '\u{1d7ce}'..='\u{1d7ff}' => {
            let digit = u32::from(c).saturating_sub(0x1d7ce) % 10;
            char::from_digit(digit, 10)
        }
        _ => None,
    };
    found.unwrap_or(c)
}

/// An address of one to four numbers, each decimal, octal (`0…`) or hexadecimal (`0x…`), the last
/// of which fills what is left.
fn v4(host: &str) -> Option<Ipv4Addr> {
    let parts: Vec<&str> = host.split('.').collect();
    let (last, first) = parts.split_last()?;
    if first.len() > 3 {
        return None;
    }
    let mut address: u64 = 0;
    for part in first {
        let number = number(part).filter(|&number| number < 256)?;
        address = (address << 8) | number;
    }
    let bits = 8 * (4_u32.saturating_sub(u32::try_from(first.len()).ok()?));
    let last = number(last).filter(|&number| number < 1 << bits)?;
    u32::try_from((address << bits) | last)
        .ok()
        .map(Ipv4Addr::from)
}

fn number(text: &str) -> Option<u64> {
    let (digits, radix) = match text.strip_prefix("0x") {
        Some(hex) => (hex, 16),
        None if text.len() > 1 && text.starts_with('0') => (text, 8),
        None => (text, 10),
    };
    if digits.is_empty() {
        return (radix == 16).then_some(0);
    }
    let plain = digits.chars().all(|c| c.is_digit(radix));
    plain.then(|| u64::from_str_radix(digits, radix).ok())?
}

/// The address that a name under one of [`ADDRESS_DOMAINS`] holds.
fn held(host: &str) -> Option<Ipv4Addr> {
    let rest = ADDRESS_DOMAINS
        .iter()
        .find_map(|domain| host.strip_suffix(domain))?;
    let spread = rest.replace('-', ".");
    let parts: Vec<&str> = spread.split('.').collect();
    let dotted = parts.len().checked_sub(4).and_then(|at| parts.get(at..));
    dotted
        .and_then(|four| four.join(".").parse().ok())
        .or_else(|| {
            let hex = parts.last().filter(|hex| hex.len() == 8)?;
            u32::from_str_radix(hex, 16).ok().map(Ipv4Addr::from)
        })
}

/// The IPv4 address that an IPv6 address stands for.
fn translated(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let joined = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match address.segments() {
        [0, 0, 0, 0, 0 | 0xffff, 0, high, low]
        | [0, 0, 0, 0, 0, 0xffff, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => Some(joined(high, low)),
        _ => None,
    }
}
