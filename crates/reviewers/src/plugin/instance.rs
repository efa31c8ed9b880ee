use super::guard::guarded;
use super::{Call, ReviewerPlugin};
use crate::reply;
use countersign_abi::{
    AbiError, CallCtx, Code, HostBox, Instance, RResult, RSlice, RStr, RVec, op,
};
use countersign_core::{Case, FORM_VERSION, FailureKind, ReviewFailure};
use serde_json::{Value, json};
use std::fmt;
use std::mem::ManuallyDrop;

/// A plugin behind the interface: bytes in, bytes out, no panic.
pub struct Loaded<P: ReviewerPlugin> {
    // Dropped by hand, under the guard.
    plugin: ManuallyDrop<Option<P>>,
    host: HostBox,
}

impl<P: ReviewerPlugin> Loaded<P> {
    /// Makes one from the text of its configuration. `null` makes one that answers `describe` only.
    ///
    /// # Errors
    /// [`Code::BAD_CONFIG`] with the key and what is wrong there, or what the plugin itself says.
    pub fn create(config_json: &str, host: HostBox) -> Result<Self, AbiError> {
        let plugin = guarded(|| match config_json.trim() {
            "null" => Ok(None),
            text => P::new(config::<P>(text)?)
                .map(Some)
                .map_err(|failure| error(&failure)),
        })?;
        Ok(Self {
            plugin: ManuallyDrop::new(plugin),
            host,
        })
    }

    /// One operation.
    ///
    /// # Errors
    /// Whatever keeps it from a reply.
    pub fn operate(&self, name: &str, payload: &[u8], ctx: &CallCtx) -> Result<Vec<u8>, AbiError> {
        guarded(|| match name {
            op::REVIEW => self.review(payload, ctx),
            op::DESCRIBE => bytes(&describe::<P>()),
            op::HEALTH => self.health(ctx),
            _ => Err(AbiError::new(
                Code::UNSUPPORTED,
                format!("there is no operation {name:?}"),
            )),
        })
    }

    fn plugin(&self) -> Result<&P, AbiError> {
        self.plugin.as_ref().ok_or_else(|| {
            AbiError::new(
                Code::BAD_CONFIG,
                "it was made without a configuration, to be described only",
            )
        })
    }

    fn review(&self, payload: &[u8], ctx: &CallCtx) -> Result<Vec<u8>, AbiError> {
        let case: Case = serde_json::from_slice(payload)
            .map_err(|problem| AbiError::new(Code::BAD_PAYLOAD, format!("the case: {problem}")))?;
        let review = self
            .plugin()?
            .review(&case, &Call::new(*ctx, &self.host))
            .map_err(|failure| error(&failure))?;
        reply::encode(review.as_ref())
            .map_err(|problem| AbiError::new(Code::FAILED, problem.to_string()))
    }

    fn health(&self, ctx: &CallCtx) -> Result<Vec<u8>, AbiError> {
        let health = self.plugin()?.health(&Call::new(*ctx, &self.host));
        bytes(&match health {
            Ok(()) => json!({"v": FORM_VERSION, "ok": true}),
            Err(failure) => json!({"v": FORM_VERSION, "ok": false, "message": failure.message}),
        })
    }
}

impl<P: ReviewerPlugin> Instance for Loaded<P> {
    fn call(
        &self,
        op: RStr<'_>,
        payload: RSlice<'_, u8>,
        ctx: &CallCtx,
    ) -> RResult<RVec<u8>, AbiError> {
        self.operate(op.as_str(), payload.as_slice(), ctx)
            .map(RVec::from)
            .into()
    }
}

impl<P: ReviewerPlugin> Drop for Loaded<P> {
    fn drop(&mut self) {
        let plugin = self.plugin.take();
        let _told_to_nobody = guarded(|| {
            drop(plugin);
            Ok(())
        });
    }
}

impl<P: ReviewerPlugin> fmt::Debug for Loaded<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loaded")
            .field("name", &P::NAME)
            .finish_non_exhaustive()
    }
}

/// What the plugin is, and how it is configured.
fn describe<P: ReviewerPlugin>() -> Value {
    json!({
        "v": FORM_VERSION,
        "name": P::NAME,
        "operations": [op::REVIEW, op::DESCRIBE, op::HEALTH],
        "config_schema": schemars::schema_for!(P::Config),
    })
}

fn config<P: ReviewerPlugin>(text: &str) -> Result<P::Config, AbiError> {
    // By way of a value: the owner wrote no JSON, so its lines and columns mean nothing to them.
    let value: Value = serde_json::from_str(text)
        .map_err(|problem| AbiError::new(Code::BAD_CONFIG, problem.to_string()))?;
    serde_path_to_error::deserialize(value).map_err(|problem| {
        let path = problem.path().to_string();
        let what = problem.inner();
        AbiError::new(
            Code::BAD_CONFIG,
            if path == "." {
                what.to_string()
            } else {
                format!("`{path}`: {what}")
            },
        )
    })
}

fn bytes(value: &Value) -> Result<Vec<u8>, AbiError> {
    serde_json::to_vec(value).map_err(|problem| AbiError::new(Code::FAILED, problem.to_string()))
}

/// A failure as it crosses the interface: the nearest code, and the exact kind beside it.
fn error(failure: &ReviewFailure) -> AbiError {
    let code = match failure.kind {
        FailureKind::Configuration => Code::BAD_CONFIG,
        FailureKind::Cancelled => Code::CANCELLED,
        FailureKind::TimedOut => Code::DEADLINE,
        FailureKind::Unauthorized
        | FailureKind::Rejected
        | FailureKind::RateLimited
        | FailureKind::Server
        | FailureKind::Connection => Code::UPSTREAM,
        _ => Code::FAILED,
    };
    let mut detail = json!({"kind": failure.kind});
    if let (Some(wait), Value::Object(fields)) = (failure.retry_after_ms, &mut detail) {
        fields.insert("retry_after_ms".to_owned(), json!(wait));
    }
    AbiError {
        retryable: failure.retryable,
        detail_json: detail.to_string().into(),
        ..AbiError::new(code, failure.message.as_str())
    }
}
