//! A loopback server that speaks the Chat Completions format, and every way of failing at it.
