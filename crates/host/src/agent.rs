//! One module an agent: how its hook calls become requests, and how decisions become its replies.

pub mod claude_code;
