//! The interface, held.
