//! The least that a hook can be: reads JSON, writes JSON.

use std::io::{Read, Write};

fn main() -> std::io::Result<()> {
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input)?;
    let value: serde_json::Value = serde_json::from_slice(&input)?;
    std::io::stdout().write_all(value.to_string().as_bytes())
}
