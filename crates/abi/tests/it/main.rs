//! The interface, held: a change of anything here is a new interface.

mod exported;
mod frozen;
mod layout;
mod version;
