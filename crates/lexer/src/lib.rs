//! Shell source to commands.
