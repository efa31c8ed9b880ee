//! Plugins that misbehave.
