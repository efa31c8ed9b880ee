#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod agent;
pub mod audit;
mod cli;
mod cmd;
pub mod config;
mod exit;
pub mod facts;
pub mod gate;
mod install;
mod last_resort;
mod output;
pub mod paths;
mod person;
mod reason;
pub mod review;
pub mod secrets;
mod session;
pub mod store;
mod style;
pub mod switch;
mod visible;

pub use cli::run;
pub use exit::Exit;
