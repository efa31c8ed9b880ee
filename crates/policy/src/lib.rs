#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
use countersign_core::{Facts, Judgement, Query, Request};

pub struct Policy {
    pub settings: Settings,
}
#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub deny: Vec<Pattern>,
    pub ask: Vec<Pattern>,
    pub allow: Vec<Pattern>,
    pub read_hosts: Vec<String>,
    pub protected: Vec<String>,
    pub secret: Vec<String>,
    pub denied: Vec<String>,
    pub exceptions: Vec<Exception>,
    pub complaints: Vec<String>,
}
#[derive(Debug, Clone)]
pub struct Exception {
    pub rule: String,
    pub path: Option<String>,
    pub host: Option<String>,
    pub reason: String,
}
#[derive(Debug, Clone)]
pub struct Pattern;
impl Pattern {
    pub fn parse(_: &str) -> Result<Self, String> {
        Ok(Self)
    }
}
pub fn rule_ids() -> impl Iterator<Item = &'static str> {
    std::iter::empty()
}
pub mod defaults {
    pub fn protected() -> &'static [&'static str] {
        &[]
    }
    pub fn secret() -> &'static [&'static str] {
        &[]
    }
}
impl Policy {
    pub fn new(settings: Settings) -> Self {
        Self { settings }
    }
    pub fn observe(&self, _: &Request, _: &Facts) -> Vec<Query> {
        Vec::new()
    }
    pub fn judge(&self, r: &Request, f: &Facts) -> Judgement {
        let mut j = Judgement::empty(f.clone(), "x");
        j.no_effect = r.operation == "none";
        j
    }
}
