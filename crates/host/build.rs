//! Links the program at a fixed address where that is known to work.
//!
//! The tables of commands and rules hold some forty thousand pointers. In a program that can be
//! loaded anywhere, every start writes all of them anew, which is most of what a hook call costs;
//! see `docs/adr/0007-a-fixed-address.md`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |name: &str| std::env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
