use super::{clean, configuration};
use countersign_core::ReviewFailure;
use std::net::IpAddr;
use ureq::http::Uri;

/// The checked address of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    base: String,
    host: String,
    is_https: bool,
}

impl Address {
    /// Reads the address that every path is put behind.
    pub(super) fn new(
        base_url: &str,
        allow_http: bool,
        has_proxy: bool,
    ) -> Result<Self, ReviewFailure> {
        // Neither a query nor a user is shown: they may be the key.
        let shown = base_url.split(['?', '#']).next().unwrap_or_default();
        let shown = if shown.contains('@') { "…" } else { shown };
        let shown = clean(shown, 100);
        let wrong = |what: &str| Err(configuration(format!("`base_url` {what}: `{shown}`")));
        let Ok(uri) = base_url.parse::<Uri>() else {
            return wrong("is not a URL");
        };
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return wrong("must begin with https:// or http://");
        };
        if authority.as_str().contains('@') {
            return Err(configuration(
                "`base_url` must not hold a user or password; the key goes into `key_env`, \
                 `key_file` or `key_command`",
            ));
        }
        if base_url.contains(['?', '#']) {
            return wrong("must not have a query or a fragment");
        }
        let host = authority.host().trim_matches(['[', ']']).to_owned();
        let is_https = match scheme {
            "https" => true,
            "http" => false,
            _ => return wrong("must begin with https:// or http://"),
        };
        let address = Self {
            base: base_url.trim_end_matches('/').to_owned(),
            host,
            is_https,
        };
        // By way of a proxy even a name of this machine leaves it.
        if !is_https && !allow_http && (has_proxy || !address.is_local()) {
            return wrong(
                "would send the key and the call in the clear; use https://, or set `allow_http` \
                 to true where you trust the network",
            );
        }
        Ok(address)
    }

    pub(super) fn join(&self, path: &str) -> String {
        format!("{}/{path}", self.base)
    }

    pub(super) fn host(&self) -> &str {
        &self.host
    }

    pub(super) fn is_https(&self) -> bool {
        self.is_https
    }

    pub(super) fn is_local(&self) -> bool {
        self.host.eq_ignore_ascii_case("localhost")
            || self.host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }
}
