//! A server with a certificate that no authority knows. The files in `tls` are for this alone.

use super::{push, told};
use countersign_plugin_openai::OpenAi;
use countersign_plugin_testing::chat::MODEL;
use countersign_reviewers::testkit::Tested;
use countersign_reviewers::testkit::insta::assert_snapshot;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::json;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;

/// Valid for this machine's address.
const OWN: &str = include_str!("tls/own.pem");
/// Valid for this machine's address as well, with another key.
const OTHER: &str = include_str!("tls/other.pem");
/// With the key of the first, valid for another name.
const NAME: &str = include_str!("tls/name.pem");

/// Serves one connection with this certificate.
fn serve(pem: &str) -> SocketAddr {
    let certificate = CertificateDer::from_pem_slice(pem.as_bytes()).expect("a certificate");
    let key = include_bytes!("tls/own.key.der");
    let key = PrivateKeyDer::try_from(key.to_vec()).expect("its key");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("TLS 1.2 and 1.3")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .expect("a server's configuration");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("its number");
    std::thread::spawn(move || {
        let (stream, _) = listener.accept().ok()?;
        answer(stream, Arc::new(config)).ok()
    });
    address
}

fn answer(stream: TcpStream, config: Arc<ServerConfig>) -> std::io::Result<()> {
    let connection = ServerConnection::new(config).map_err(std::io::Error::other)?;
    let mut stream = BufReader::new(StreamOwned::new(connection, stream));
    let mut len = 0;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line)?;
        if let Some(value) = line.strip_prefix("content-length: ") {
            len = value.trim().parse().unwrap_or(0);
        }
        if line.trim().is_empty() {
            break;
        }
    }
    stream.read_exact(&mut vec![0; len])?;
    let content = json!({
        "rationale": "it was asked over TLS", "risk": "low", "authorization": "medium",
        "tier": "none", "verdict": "allow", "instruction": null,
    });
    let body = json!({"choices": [{
        "message": {"content": content.to_string()}, "finish_reason": "stop",
    }]})
    .to_string();
    let stream = stream.get_mut();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    stream.flush()
}

fn ask(address: SocketAddr, pem: Option<&str>, name: &str) -> String {
    let file: PathBuf =
        std::env::temp_dir().join(format!("countersign-ca-{}-{name}", std::process::id()));
    let mut config =
        json!({"model": MODEL, "base_url": format!("https://127.0.0.1:{}/v1", address.port())});
    if let Some(pem) = pem {
        std::fs::write(&file, pem).expect("a file");
        config["ca_file"] = json!(file);
    }
    let opinion = Tested::<OpenAi>::new(&config).map(|plugin| plugin.review(&push()));
    let _is_not_always_there = std::fs::remove_file(&file);
    told(&opinion.expect("a good configuration"))
}

#[test]
fn the_owners_authority_is_trusted_and_no_other() {
    assert_snapshot!("tls", ask(serve(OWN), Some(OWN), "own"));
    assert_snapshot!("tls_other_authority", ask(serve(OWN), Some(OTHER), "other"));
    assert_snapshot!("tls_other_name", ask(serve(NAME), Some(NAME), "name"));
}

#[test]
fn the_operating_system_does_not_trust_a_stranger() {
    assert_snapshot!("tls_stranger", ask(serve(OWN), None, "none"));
}
