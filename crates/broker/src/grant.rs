//! One-use grants: the right to run one exact call, once and soon.

use crate::store::{Key, Moment, Records, Store, StoreError, Table, look, transact};
use crate::{AuditPort, ports};
use countersign_core::{AuditEvent, AuditKind, Digest, Request};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::fmt::Write as _;
use std::time::Duration;
use subtle::ConstantTimeEq as _;
use thiserror::Error;

/// How long a grant lives unless its owner says otherwise.
pub const GRANT_TTL: Duration = Duration::from_secs(60);

/// The longest that one may live.
pub const MAX_GRANT_TTL: Duration = Duration::from_secs(300);

/// The shortest.
pub const MIN_GRANT_TTL: Duration = Duration::from_secs(1);

/// How long a spent grant is remembered, so that its second use is noticed.
const REMEMBERED_MS: u64 = 60 * 60 * 1000;

const PREFIX: &str = "csg1_";

/// What proves a grant: 256 random bits. It is a secret: it is never stored, and shows itself to
/// [`reveal`](Self::reveal) alone. Pass it on through a pipe or a private file, never as an argument.
#[derive(Clone, PartialEq, Eq)]
pub struct Token([u8; 32]);

impl Token {
    /// A token of these bytes, which must come from the system's generator.
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The text to hand over: `csg1_`, 64 hexadecimal digits, and 8 more that check them, so that a
    /// scanner for secrets can tell it from all else.
    pub fn reveal(&self) -> String {
        let mut text = String::with_capacity(PREFIX.len().saturating_add(72));
        text.push_str(PREFIX);
        push_hex(&mut text, &self.0);
        push_hex(&mut text, &self.check());
        text
    }

    /// The token in a text that [`reveal`](Self::reveal) made.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.trim().strip_prefix(PREFIX)?;
        let (token, check) = digits.split_at_checked(64)?;
        let token = Self(from_hex(token)?);
        (from_hex(check)? == token.check()).then_some(token)
    }

    /// The name that its row has: nothing that is stored leads back to the token.
    fn key(&self) -> Key {
        let mut id = String::with_capacity(64);
        push_hex(&mut id, &Sha256::digest(self.0));
        Key::new(Table::Grant, id)
    }

    fn check(&self) -> [u8; 4] {
        let mut hasher = Sha256::new();
        hasher.update(b"countersign.token.v1\0");
        hasher.update(self.0);
        let digest: [u8; 32] = hasher.finalize().into();
        let [a, b, c, d, ..] = digest;
        [a, b, c, d]
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

fn push_hex(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        // Writing to a string cannot fail.
        let _infallible = write!(text, "{byte:02x}");
    }
}

fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    if digits.len() != N.saturating_mul(2) {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let pair = std::str::from_utf8(pair).ok()?;
        if !pair
            .bytes()
            .all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
        {
            return None;
        }
        *byte = u8::from_str_radix(pair, 16).ok()?;
    }
    Some(bytes)
}

/// The right to run one call, as its holder gets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// What proves it.
    pub token: Token,
    /// The call that it is for.
    pub digest: Digest,
    /// When it is over, by the store's clock: at that very moment it is.
    pub expires: Moment,
}

/// What is kept of a grant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    v: u32,
    digest: Digest,
    session: String,
    source: String,
    tool: Option<String>,
    issued_ms: u64,
    expires_era: u64,
    expires_ms: u64,
    spent: bool,
}

impl Kept {
    fn expires(&self) -> Moment {
        Moment {
            era: self.expires_era,
            ms: self.expires_ms,
        }
    }
}

/// A grant as its owner may see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GrantView {
    /// Names it: the beginning of the hash of its token.
    pub id: String,
    /// The call that it is for.
    pub digest: Digest,
    /// The session that may spend it.
    pub session: String,
    /// Who asked for it.
    pub source: String,
    /// The tool.
    pub tool: Option<String>,
    /// When it was issued, in milliseconds of the store's clock.
    pub issued_ms: u64,
    /// When it is over.
    pub expires_ms: u64,
    /// Where it stands: `open`, `spent` or `expired`.
    pub state: &'static str,
}

/// What is presented to spend a grant.
#[derive(Debug, Clone, Copy)]
pub struct Presented<'a> {
    /// The token.
    pub token: &'a Token,
    /// The digest of the call that is about to run.
    pub digest: &'a Digest,
    /// The session that runs it.
    pub session: &'a str,
    /// Who presents it.
    pub source: &'a str,
}

/// Why a grant was not spent. A deny is a value: nothing may run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GrantRefusal {
    /// There is none with this token.
    #[error("there is no such grant")]
    Unknown,
    /// It is over. It stays unspent, and is of no use.
    #[error("the grant has expired")]
    Expired,
    /// It is for another call or another session. It stays as it was.
    #[error("the grant is for another call or another session")]
    Mismatch,
    /// It was spent before. Two hold the token: tell the owner.
    #[error("the grant was used before: somebody else holds its token")]
    Reused,
    /// It may have been spent just now, and nobody knows. It counts as spent.
    #[error("whether the grant was spent is not known, so it counts as spent: {0}")]
    Unknowable(String),
}

/// Issues a grant for a call. The caller must record [`AuditKind::GrantIssued`] before it hands the
/// token out; the walk does.
///
/// # Errors
/// When it may not have been kept. The token is good for nothing then.
pub fn issue(
    store: &dyn Store,
    token: Token,
    request: &Request,
    digest: &Digest,
    ttl: Duration,
) -> Result<Grant, StoreError> {
    let ttl = ttl.clamp(MIN_GRANT_TTL, MAX_GRANT_TTL);
    let ttl_ms = u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX);
    let expires = transact(store, &[token.key()], |records| {
        let expires = records.now.after(ttl_ms);
        let kept = Kept {
            v: 1,
            digest: digest.clone(),
            session: request.session.clone().unwrap_or_default(),
            source: request.source.clone(),
            tool: request.tool_name.clone(),
            issued_ms: records.now.ms,
            expires_era: expires.era,
            expires_ms: expires.ms,
            spent: false,
        };
        records.put(0, &kept, Some(expires.after(REMEMBERED_MS)), false)?;
        Ok(expires)
    })?;
    Ok(Grant {
        token,
        digest: digest.clone(),
        expires,
    })
}

/// Spends a grant: `Ok` once in its life, for the call and the session that it was issued for,
/// before it expires. Whatever happens is recorded, and a grant whose spending cannot be recorded is
/// spent all the same.
///
/// # Errors
/// See [`GrantRefusal`]; the call must not run.
pub fn consume(
    store: &dyn Store,
    audit: &mut dyn AuditPort,
    presented: &Presented<'_>,
) -> Result<(), GrantRefusal> {
    let outcome = spend(store, presented);
    let (kind, note) = match &outcome {
        Ok(()) => (AuditKind::GrantConsumed, "spent".to_owned()),
        Err(refusal @ GrantRefusal::Reused) => (AuditKind::GrantReused, refusal.to_string()),
        Err(refusal) => (AuditKind::GrantRefused, refusal.to_string()),
    };
    let event = AuditEvent {
        session: Some(presented.session.to_owned()),
        digest: Some(presented.digest.clone()),
        subject: Some(short(&presented.token.key())),
        ..AuditEvent::note(kind, presented.source, note)
    };
    let recorded = audit.record(&event);
    outcome?;
    recorded.map_err(|error| GrantRefusal::Unknowable(error.to_string()))
}

fn spend(store: &dyn Store, presented: &Presented<'_>) -> Result<(), GrantRefusal> {
    let keys = [presented.token.key()];
    let unknowable = |error: StoreError| GrantRefusal::Unknowable(error.to_string());
    // Most of what is refused is refused without waiting for anybody.
    look(store, &keys, |records| Ok(standing(records, presented)))
        .and_then(std::convert::identity)
        .map_err(unknowable)?
        .map(drop)?;
    transact(store, &keys, |records| {
        let standing = standing(records, presented)?;
        if let Ok(kept) = &standing {
            let spent = Kept {
                spent: true,
                ..kept.clone()
            };
            let until = kept.expires().after(REMEMBERED_MS);
            records.put(0, &spent, Some(until), false)?;
        }
        Ok(standing.map(drop))
    })
    .map_err(unknowable)?
}

/// Whether the grant covers what is presented.
fn standing(
    records: &Records<'_>,
    presented: &Presented<'_>,
) -> Result<Result<Kept, GrantRefusal>, StoreError> {
    let Some(kept) = records.get::<Kept>(0)? else {
        return Ok(Err(GrantRefusal::Unknown));
    };
    let same = |one: &str, other: &str| bool::from(one.as_bytes().ct_eq(other.as_bytes()));
    let fits = same(kept.digest.as_str(), presented.digest.as_str())
        & same(&kept.session, presented.session);
    Ok(if !fits {
        Err(GrantRefusal::Mismatch)
    } else if kept.spent {
        Err(GrantRefusal::Reused)
    } else if kept.expires().is_past(records.now) {
        Err(GrantRefusal::Expired)
    } else {
        Ok(kept)
    })
}

/// The grants that are remembered, for their owner.
///
/// # Errors
/// When they cannot be had.
pub fn list(store: &dyn Store, limit: usize) -> Result<Vec<GrantView>, StoreError> {
    let now = store.now()?;
    let rows = store.scan(Table::Grant, None, limit)?;
    let mut views = Vec::with_capacity(rows.len());
    for (key, body) in rows {
        let kept: Kept = crate::store::parse(key.table, &body)?;
        let state = if kept.spent {
            "spent"
        } else if kept.expires().is_past(now) {
            "expired"
        } else {
            "open"
        };
        views.push(GrantView {
            id: short(&key),
            digest: kept.digest,
            session: kept.session,
            source: kept.source,
            tool: kept.tool,
            issued_ms: kept.issued_ms,
            expires_ms: kept.expires_ms,
            state,
        });
    }
    Ok(views)
}

/// The record of a grant that was issued.
pub(crate) fn issued(request: &Request, grant: &Grant) -> AuditEvent {
    AuditEvent {
        digest: Some(grant.digest.clone()),
        subject: Some(short(&grant.token.key())),
        ..ports::transition(AuditKind::GrantIssued, request, "")
    }
}

/// Enough of a hash to name a grant by, and useless for anything else.
fn short(key: &Key) -> String {
    key.id.chars().take(12).collect()
}
