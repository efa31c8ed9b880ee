use std::fmt;

/// The names of the operations of this version. A new capability is a new name: a plugin answers a
/// name that it does not know with [`Code::UNSUPPORTED`], and the host goes on.
pub mod op {
    /// Payload: a case, as JSON. Reply: `{"v":1,"review":{…}}`, or `{"v":1,"review":null}` to abstain.
    pub const REVIEW: &str = "review";
    /// Payload: empty. Reply: what the plugin is and the JSON Schema of its configuration.
    pub const DESCRIBE: &str = "describe";
    /// Payload: empty. Reply: `{"v":1,"ok":true}`, or `ok: false` with a `message`.
    pub const HEALTH: &str = "health";
}

/// Why an operation gave no reply: the numbers that [`AbiError::code`](crate::AbiError) may hold.
/// A number that a host does not know counts as [`Code::FAILED`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Code(pub u32);

impl Code {
    /// It failed, and no other code says why.
    pub const FAILED: Self = Self(1);
    /// The payload cannot be read.
    pub const BAD_PAYLOAD: Self = Self(2);
    /// The plugin does not know the operation.
    pub const UNSUPPORTED: Self = Self(3);
    /// The configuration cannot be used.
    pub const BAD_CONFIG: Self = Self(4);
    /// The call was cancelled.
    pub const CANCELLED: Self = Self(5);
    /// The time that was left ran out.
    pub const DEADLINE: Self = Self(6);
    /// A server or program that the plugin needs cannot be reached or answered badly.
    pub const UPSTREAM: Self = Self(7);
    /// The plugin panicked, and the panic was caught.
    pub const PANICKED: Self = Self(100);
    /// The plugin's process died. Only a host gives this one.
    pub const CRASHED: Self = Self(101);
    /// What came back is not what the protocol says. Only a host gives this one.
    pub const PROTOCOL: Self = Self(102);

    /// The code in words.
    pub fn text(self) -> &'static str {
        match self {
            Self::BAD_PAYLOAD => "the payload cannot be read",
            Self::UNSUPPORTED => "the operation is not supported",
            Self::BAD_CONFIG => "the configuration cannot be used",
            Self::CANCELLED => "cancelled",
            Self::DEADLINE => "out of time",
            Self::UPSTREAM => "what it depends on failed",
            Self::PANICKED => "panicked",
            Self::CRASHED => "crashed",
            Self::PROTOCOL => "broke the protocol",
            _ => "failed",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
