//! The contract, from outside.
