#![doc = include_str!("../README.md")]

pub mod answer;
pub mod bytes;
pub mod generate;
pub mod inside;
pub mod invariants;
pub mod jail;
pub mod judge;
pub mod metamorphic;
pub mod pool;
pub mod report;
pub mod shrink;
pub mod sources;
pub mod transform;
