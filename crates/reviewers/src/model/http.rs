//! One JSON request and its answer, over HTTP.
//!
//! The environment decides nothing: no proxy and no certificates are taken from it. A redirect is
//! not followed, since the key would go where the owner did not send it. A key does not cross a
//! network in the clear unless the owner says so.

mod address;
mod failure;
mod roots;
mod status;

use super::key::{KeySource, Secret};
use super::text::clean;
use address::Address;
use countersign_core::{FailureKind, ReviewFailure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use ureq::http::{HeaderName, HeaderValue, Response};
use ureq::{Agent, Body, Error};

/// The largest answer that is read, in bytes.
const MAX_ANSWER: u64 = 1 << 20;

/// The time that is kept back, so that a late answer is told before nobody listens any more.
const MARGIN: Duration = Duration::from_millis(50);

/// The headers that are not the owner's to set.
const OWN_HEADERS: [&str; 8] = [
    "authorization",
    "connection",
    "content-length",
    "content-type",
    "host",
    "proxy-authorization",
    "transfer-encoding",
    "x-api-key",
];

/// How a server is given the key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum KeyHeader {
    /// `Authorization: Bearer KEY`.
    #[default]
    Bearer,
    /// A header of its own, with nothing but the key.
    Named(&'static str),
}

/// Which server, and how it is reached: what an owner configures.
#[derive(Clone, Default)]
pub struct ServerSettings {
    /// What every path is put behind: `https://…`, or `http://` on this machine.
    pub base_url: String,
    /// The proxy; none unless it is named here.
    pub proxy: Option<String>,
    /// The certificates that are trusted, in PEM, instead of the operating system's.
    pub ca_file: Option<PathBuf>,
    /// `http://` may go to another machine too.
    pub allow_http: bool,
    /// More headers.
    pub headers: BTreeMap<String, String>,
    /// The key; a server on this machine may need none.
    pub key: Option<KeySource>,
    /// How the server is given the key.
    pub key_header: KeyHeader,
}

impl fmt::Debug for ServerSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A header or a proxy's address may hold a secret.
        f.debug_struct("ServerSettings")
            .field("base_url", &self.base_url)
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}

/// A server that a model is behind.
pub struct Server {
    address: Address,
    agent: Agent,
    headers: Vec<(HeaderName, HeaderValue)>,
    key: Option<KeySource>,
    key_header: KeyHeader,
    /// Kept until the server refuses it: a program that gives it may take a second.
    known_key: Mutex<Option<Secret>>,
}

impl Server {
    /// One that is reached so. Nothing is asked of it yet, and the key is not read.
    ///
    /// # Errors
    /// [`FailureKind::Configuration`], with the key of the configuration that is wrong.
    pub fn new(settings: ServerSettings) -> Result<Self, ReviewFailure> {
        let address = Address::new(
            &settings.base_url,
            settings.allow_http,
            settings.proxy.is_some(),
        )?;
        Ok(Self {
            agent: agent(&settings, &address)?,
            headers: headers(&settings.headers)?,
            address,
            key: settings.key,
            key_header: settings.key_header,
            known_key: Mutex::new(None),
        })
    }

    /// The host, without its port.
    pub fn host(&self) -> &str {
        self.address.host()
    }

    /// A key is configured. Whether it is there shows when it is read.
    pub fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// The JSON answer to a JSON body, within so much time.
    ///
    /// # Errors
    /// With what went wrong. No message holds the key.
    pub fn post(&self, path: &str, body: &Value, limit: Duration) -> Result<Value, ReviewFailure> {
        self.ask(path, Some(body), limit)
    }

    /// The JSON answer to a question without a body, within so much time.
    ///
    /// # Errors
    /// With what went wrong. No message holds the key.
    pub fn get(&self, path: &str, limit: Duration) -> Result<Value, ReviewFailure> {
        self.ask(path, None, limit)
    }

    fn ask(
        &self,
        path: &str,
        body: Option<&Value>,
        limit: Duration,
    ) -> Result<Value, ReviewFailure> {
        let started = Instant::now();
        let url = self.address.join(path);
        let key = self.key(limit)?;
        let late = || {
            ReviewFailure::new(
                FailureKind::TimedOut,
                format!("no answer from {url} within {:.1} s", limit.as_secs_f64()),
            )
        };
        let left = limit.saturating_sub(started.elapsed());
        let left = left.saturating_sub(MARGIN.min(left / 10));
        if left.is_zero() {
            return Err(late());
        }
        let answer = self
            .send(&url, body, key.as_ref(), left)
            .and_then(|mut response| {
                let body = response
                    .body_mut()
                    .with_config()
                    .limit(MAX_ANSWER)
                    .read_to_vec()?;
                Ok((response, body))
            });
        let result = match answer {
            Err(Error::Timeout(_)) => Err(late()),
            Err(error) => Err(failure::unanswered(&url, &error)),
            Ok((response, body)) if response.status().is_success() => {
                serde_json::from_slice(&body).map_err(|_| failure::no_json(&url, &body))
            }
            Ok((response, body)) => Err(status::failure(
                &url,
                response.status(),
                response.headers(),
                &body,
            )),
        };
        result.map_err(|failure| self.told(failure, key.as_ref()))
    }

    fn send(
        &self,
        url: &str,
        body: Option<&Value>,
        key: Option<&Secret>,
        left: Duration,
    ) -> Result<Response<Body>, Error> {
        let mut request = ureq::http::Request::builder()
            .method(if body.is_some() { "POST" } else { "GET" })
            .uri(url)
            .header("content-type", "application/json");
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        if let Some(key) = key {
            let (name, text) = match self.key_header {
                KeyHeader::Bearer => ("authorization", format!("Bearer {}", key.expose())),
                KeyHeader::Named(name) => (name, key.expose().to_owned()),
            };
            let mut value = HeaderValue::try_from(text).map_err(ureq::http::Error::from)?;
            value.set_sensitive(true);
            request = request.header(name, value);
        }
        let body = body.map_or_else(String::new, Value::to_string);
        let request = request.body(body)?;
        let request = self
            .agent
            .configure_request(request)
            .timeout_global(Some(left))
            .build();
        self.agent.run(request)
    }

    fn key(&self, limit: Duration) -> Result<Option<Secret>, ReviewFailure> {
        let Some(source) = &self.key else {
            return Ok(None);
        };
        let mut known = self
            .known_key
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if known.is_none() {
            *known = Some(source.read(limit)?);
        }
        Ok(known.clone())
    }

    /// The failure as it is told: without the key, which a server may repeat, and with what to do
    /// where the key was refused.
    fn told(&self, mut failure: ReviewFailure, key: Option<&Secret>) -> ReviewFailure {
        let secrets = self
            .headers
            .iter()
            .filter_map(|(_, value)| value.to_str().ok());
        for secret in secrets.chain(key.map(Secret::expose)) {
            if secret.len() >= 4 {
                failure.message = failure.message.replace(secret, "[redacted]");
            }
        }
        if failure.kind == FailureKind::Unauthorized {
            // It may have been changed since.
            *self
                .known_key
                .lock()
                .unwrap_or_else(PoisonError::into_inner) = None;
            failure.message = match &self.key {
                Some(source) => format!("{}; look at the key of {source}", failure.message),
                None => format!("{}; no key is configured", failure.message),
            };
        }
        failure
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("address", &self.address)
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}

fn agent(settings: &ServerSettings, address: &Address) -> Result<Agent, ReviewFailure> {
    let proxy = match &settings.proxy {
        None => None,
        Some(text) => Some(
            ureq::Proxy::new(text)
                .map_err(|_| configuration("`proxy` is not the address of a proxy"))?,
        ),
    };
    let proxy_is_https = proxy
        .as_ref()
        .is_some_and(|proxy| proxy.uri().scheme_str() == Some("https"));
    let tls = if address.is_https() || proxy_is_https {
        roots::tls(settings.ca_file.as_deref())?
    } else {
        roots::none()
    };
    Ok(Agent::config_builder()
        // Without this it would be the environment's.
        .proxy(proxy)
        .tls_config(tls)
        .max_redirects(0)
        .http_status_as_error(false)
        .user_agent(concat!("countersign/", env!("CARGO_PKG_VERSION")))
        .accept("application/json")
        .build()
        .into())
}

fn headers(
    given: &BTreeMap<String, String>,
) -> Result<Vec<(HeaderName, HeaderValue)>, ReviewFailure> {
    given
        .iter()
        .map(|(name, value)| {
            let wrong = || configuration(format!("`headers.{}` is no header", clean(name, 60)));
            if OWN_HEADERS.iter().any(|own| own.eq_ignore_ascii_case(name)) {
                return Err(configuration(format!(
                    "`headers.{name}` cannot be set here; the key goes into `key_env`, `key_file` \
                     or `key_command`"
                )));
            }
            let mut value = HeaderValue::try_from(value).map_err(|_| wrong())?;
            value.set_sensitive(true);
            Ok((HeaderName::try_from(name).map_err(|_| wrong())?, value))
        })
        .collect()
}

fn configuration(message: impl Into<String>) -> ReviewFailure {
    ReviewFailure::new(FailureKind::Configuration, message)
}
