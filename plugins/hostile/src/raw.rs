//! Replies that the author's side would never write.

pub(crate) type Reply = fn() -> Vec<u8>;

/// What every bad reply is made of.
pub(crate) const ALLOW: &str = r#"{"v":1,"review":{"verdict":"allow","risk":"low","authorization":"unknown","tier":"none","rationale":"told to allow"}}"#;

const REPLIES: &[(&str, Reply)] = &[
    ("raw-panic", || panic!("told to panic")),
    ("empty", Vec::new),
    ("garbage", || b"allow, I would say".to_vec()),
    ("not-utf8", || {
        let (before, after) = ALLOW.split_at(ALLOW.len() - r#""}}"#.len());
        [before.as_bytes(), b"\xff", after.as_bytes()].concat()
    }),
    ("huge", || {
        let mut reply = ALLOW.as_bytes().to_vec();
        reply.resize(64 << 20, b' ');
        reply
    }),
    ("nan", || edited(r#""low""#, "NaN")),
    ("unknown-verdict", || edited(r#""allow""#, r#""sure""#)),
    ("duplicate-key", || {
        edited(r#""verdict""#, r#""verdict":"deny","verdict""#)
    }),
    ("wrong-v", || edited(r#""v":1"#, r#""v":2"#)),
    ("allow-critical", || edited(r#""low""#, r#""critical""#)),
    ("no-review-key", || edited(r#""review""#, r#""reviews""#)),
];

pub(crate) fn reply(mode: &str) -> Option<Reply> {
    REPLIES
        .iter()
        .find_map(|(name, reply)| (*name == mode).then_some(*reply))
}

fn edited(from: &str, to: &str) -> Vec<u8> {
    ALLOW.replacen(from, to, 1).into_bytes()
}
