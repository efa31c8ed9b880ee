//! Real libraries, loaded with dlopen, in real processes.

mod files;
mod hostile;
mod lifecycle;
mod support;
