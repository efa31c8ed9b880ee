use super::configuration;
use countersign_core::ReviewFailure;
use rustls_native_certs::{CertificateResult, load_certs_from_paths, load_native_certs};
use std::path::Path;
use std::sync::Arc;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

/// Where Linux distributions keep the authorities that they trust, in one file.
const BUNDLES: &[&str] = if cfg!(target_os = "linux") {
    &[
        "/etc/ssl/certs/ca-certificates.crt",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
        "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]
} else {
    &[]
};

/// The variables by which an environment would choose whom to trust.
const VARIABLES: [&str; 2] = ["SSL_CERT_FILE", "SSL_CERT_DIR"];

/// TLS that trusts the authorities in the owner's file, or else those of the operating system.
pub(super) fn tls(ca_file: Option<&Path>) -> Result<TlsConfig, ReviewFailure> {
    let (found, place) = match ca_file {
        Some(path) if !path.is_absolute() => {
            return Err(configuration("`ca_file` is not an absolute path; give one"));
        }
        Some(path) => (
            load_certs_from_paths(Some(path), None),
            format!("`ca_file` {}", path.display()),
        ),
        None => (system()?, "the operating system".to_owned()),
    };
    if found.certs.is_empty() {
        let why = found
            .errors
            .first()
            .map_or_else(|| "there is none".to_owned(), ToString::to_string);
        return Err(configuration(format!(
            "no certificate of an authority in {place}: {why}"
        )));
    }
    let certificates = found
        .certs
        .iter()
        .map(|certificate| Certificate::from_der(certificate).to_owned());
    Ok(with(RootCerts::from(certificates)))
}

/// TLS that trusts nobody, for a server that is spoken to without it.
pub(super) fn none() -> TlsConfig {
    with(RootCerts::from(Vec::new()))
}

fn with(roots: RootCerts) -> TlsConfig {
    TlsConfig::builder()
        .root_certs(roots)
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build()
}

fn system() -> Result<CertificateResult, ReviewFailure> {
    if let Some(bundle) = BUNDLES.iter().map(Path::new).find(|path| path.exists()) {
        return Ok(load_certs_from_paths(Some(bundle), None));
    }
    // What follows would take them from there.
    if let Some(name) = VARIABLES
        .iter()
        .find(|name| std::env::var_os(name).is_some())
    {
        return Err(configuration(format!(
            "{name} is set, which must not choose the authorities; name them in `ca_file`"
        )));
    }
    Ok(load_native_certs())
}
