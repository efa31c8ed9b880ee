//! What an agent could set decides neither where a call goes nor whom it trusts.

use super::{MODEL, push, told};
use countersign_plugin_openai::OpenAi;
use countersign_reviewers::testkit::Tested;
use serde_json::json;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;

/// Tests that would fail if the environment chose the proxy or the authority.
const AGAIN: [&str; 2] = [
    "reviews::verdicts_arrive_as_they_were_given",
    "tls::the_operating_system_does_not_trust_a_stranger",
];

#[test]
fn the_environment_chooses_neither_a_proxy_nor_an_authority() {
    let authority = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/tls/own.pem");
    assert!(authority.exists());
    // Nobody listens there.
    let proxy = "http://127.0.0.1:1";
    let names = ["ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY"];
    let lower = names.map(str::to_lowercase);
    let done = Command::new(std::env::current_exe().expect("this test"))
        .arg("--exact")
        .args(AGAIN)
        .envs(names.iter().map(|name| (*name, proxy)))
        .envs(lower.iter().map(|name| (name, proxy)))
        .env("SSL_CERT_FILE", &authority)
        .env("SSL_CERT_DIR", authority.parent().expect("its folder"))
        .output()
        .expect("this test, once more");
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && text.contains("2 passed"), "{text}");
}

#[test]
fn the_owners_proxy_is_used_and_its_password_is_not_told() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("its number");
    let proxy = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept()?;
        let mut line = String::new();
        BufReader::new(stream.try_clone()?).read_line(&mut line)?;
        stream.write_all(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")?;
        Ok::<String, std::io::Error>(line)
    });
    let plugin = Tested::<OpenAi>::new(&json!({
        "model": MODEL,
        "base_url": "https://model.invalid/v1",
        "proxy": format!("http://me:pa55word@{address}"),
    }))
    .expect("a good configuration");
    let opinion = told(&plugin.review(&push()));
    // So that the proxy ends where nobody asked it.
    drop(TcpStream::connect(address));
    // The proxy looks the name up; nothing here does.
    let line = proxy.join().expect("the proxy").expect("a request");
    assert_eq!(line, "CONNECT model.invalid:443 HTTP/1.1\r\n");
    assert!(opinion.contains("cannot reach its server"), "{opinion}");
    assert!(!opinion.contains("pa55word"), "{opinion}");
}
