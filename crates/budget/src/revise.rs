//! How often an agent may be told to try again before a person is asked.

use crate::state::{STATE_VERSION, StateError, known_version};
use std::fmt;

/// The longest key of an intent or a request, in bytes. A digest of 512 bits in hexadecimal fits.
pub const MAX_KEY_BYTES: usize = 128;

/// The most revisions that one extension may add. Chosen here: eight times what an intent has, so
/// that one slip of the finger gives little away.
pub const MAX_EXTENSION: u32 = 16;

/// The most revisions that a scope may ever have, extensions among them. Chosen here: it bounds the
/// memory of a budget, and is far more than anybody wants.
pub const MAX_REVISIONS: u32 = 1_000;

/// How many revisions there are.
///
/// The default is 2 for an intent and 6 for a scope, as Countersign's design has it. Others stop in
/// the same range: `DevAgent`'s critic after 1 for a file, `ChatFlow` after 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReviseLimits {
    per_intent: u32,
    per_scope: u32,
}

impl Default for ReviseLimits {
    fn default() -> Self {
        Self {
            per_intent: 2,
            per_scope: 6,
        }
    }
}

impl ReviseLimits {
    /// So many revisions for each intent, and so many for all intents of a scope. None at all is a
    /// limit too; where an intent may have more than the scope, the scope's limit holds.
    ///
    /// # Errors
    /// When one of them is more than [`MAX_REVISIONS`].
    pub fn new(per_intent: u32, per_scope: u32) -> Result<Self, LimitsError> {
        let most = per_intent.max(per_scope);
        if most > MAX_REVISIONS {
            return Err(LimitsError { asked: most });
        }
        Ok(Self {
            per_intent,
            per_scope,
        })
    }

    /// The revisions of one intent.
    pub fn per_intent(self) -> u32 {
        self.per_intent
    }

    /// The revisions of all intents of a scope together.
    pub fn per_scope(self) -> u32 {
        self.per_scope
    }
}

/// A limit that is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct LimitsError {
    /// How many revisions were asked for.
    pub asked: u32,
}

impl fmt::Display for LimitsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a limit of {} revisions is too high; give at most {MAX_REVISIONS}",
            self.asked
        )
    }
}

impl std::error::Error for LimitsError {}

/// What one intent has used. Plain data, for a caller that keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct IntentState {
    /// The caller's key of the intent.
    pub intent: String,
    /// How many revisions persons added, to the intent and the scope alike.
    pub extended: u32,
    /// The keys of the requests that were answered with revise, the oldest first.
    pub requests: Vec<String>,
}

/// All that a [`ReviseBudget`] knows. Plain data, for a caller that keeps it; anybody can make one,
/// and [`ReviseBudget::restore`] checks it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct ReviseState {
    /// The version of this form, [`STATE_VERSION`].
    pub v: u32,
    /// The revisions of one intent.
    pub per_intent: u32,
    /// The revisions of all intents together.
    pub per_scope: u32,
    /// The intents that were revised or extended, the oldest first.
    pub intents: Vec<IntentState>,
}

impl ReviseState {
    fn of(&self, intent: &str) -> Option<&IntentState> {
        self.intents.iter().find(|known| known.intent == intent)
    }

    fn or_new(&mut self, intent: &str) -> &mut IntentState {
        let at = self.intents.iter().position(|known| known.intent == intent);
        let at = at.unwrap_or_else(|| {
            self.intents.push(IntentState {
                intent: intent.to_owned(),
                extended: 0,
                requests: Vec::new(),
            });
            self.intents.len() - 1
        });
        #[expect(clippy::indexing_slicing, reason = "found there, or pushed there")]
        &mut self.intents[at]
    }

    fn limit_of_intent(&self, intent: &str) -> u32 {
        let extended = self.of(intent).map_or(0, |known| known.extended);
        self.per_intent.saturating_add(extended)
    }

    fn limit_of_scope(&self) -> u32 {
        let extended = self.intents.iter().map(|known| known.extended);
        extended.fold(self.per_scope, u32::saturating_add)
    }

    /// What is left of both limits, none of them below nought.
    fn room(&self, intent: &str) -> Room {
        let used = self.of(intent).map_or(0, |known| count(&known.requests));
        let used_of_scope = self
            .intents
            .iter()
            .map(|known| count(&known.requests))
            .fold(0, u32::saturating_add);
        Room {
            intent: self.limit_of_intent(intent).saturating_sub(used),
            scope: self.limit_of_scope().saturating_sub(used_of_scope),
        }
    }

    /// Says whether it adds up.
    fn check(&self) -> Result<(), StateError> {
        known_version(self.v)?;
        let damaged = |what| Err(StateError::Damaged { what });
        if ReviseLimits::new(self.per_intent, self.per_scope).is_err()
            || self.limit_of_scope() > MAX_REVISIONS
        {
            return damaged("it has more revisions than there may be");
        }
        let used = self.intents.iter().map(|known| count(&known.requests));
        if used.fold(0, u32::saturating_add) > self.limit_of_scope() {
            return damaged("the scope was revised more often than it may be");
        }
        let idle = |known: &IntentState| known.requests.is_empty() && known.extended == 0;
        if self.intents.iter().any(idle) {
            return damaged("an intent was neither revised nor extended");
        }
        // From here on the lists are short: there are no more entries than revisions and extensions.
        for (nth, known) in self.intents.iter().enumerate() {
            let keys = std::iter::once(&known.intent).chain(&known.requests);
            if keys.map(|it| key(it)).any(|it| it.is_err()) {
                return damaged("a key is empty or too long");
            }
            if self
                .intents
                .iter()
                .skip(nth + 1)
                .any(|other| other.intent == known.intent)
            {
                return damaged("an intent stands there twice");
            }
            let mut requests = known.requests.iter().enumerate();
            if requests.any(|(nth, it)| known.requests.iter().skip(nth + 1).any(|too| too == it)) {
                return damaged("a request stands there twice");
            }
            if count(&known.requests) > self.per_intent.saturating_add(known.extended) {
                return damaged("an intent was revised more often than it may be");
            }
        }
        Ok(())
    }
}

fn count(requests: &[String]) -> u32 {
    u32::try_from(requests.len()).unwrap_or(u32::MAX)
}

fn key(key: &str) -> Result<(), KeyError> {
    match key.len() {
        0 => Err(KeyError::Empty),
        1..=MAX_KEY_BYTES => Ok(()),
        bytes => Err(KeyError::TooLong { bytes }),
    }
}

/// A key that cannot name an intent or a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// It is empty, and would be the same for everything.
    Empty,
    /// It is longer than [`MAX_KEY_BYTES`].
    TooLong {
        /// Its length in bytes.
        bytes: usize,
    },
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the key is empty; give a digest of what it stands for"),
            Self::TooLong { bytes } => write!(
                f,
                "the key has {bytes} bytes, more than {MAX_KEY_BYTES}; give a digest of what it \
                 stands for"
            ),
        }
    }
}

impl std::error::Error for KeyError {}

/// How many revisions are left. Both have to be there for another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// For the intent.
    pub intent: u32,
    /// For the scope.
    pub scope: u32,
}

/// Where a request stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It may be answered with revise; so many are left before that.
    Room(Room),
    /// The same request of this intent was answered with revise before and comes back as it was.
    /// With the caller this is a denial, and counts as one.
    Identical,
    /// The intent has no revision left: a person decides, or it is a deny.
    IntentExhausted,
    /// The intent has some left, but the scope has not: a person decides, or it is a deny.
    ScopeExhausted,
}

/// Why a revision was not recorded. Nothing has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RevisionRefused {
    /// One of the keys is none.
    Key(KeyError),
    /// [`Standing::Identical`].
    Identical,
    /// [`Standing::IntentExhausted`].
    IntentExhausted,
    /// [`Standing::ScopeExhausted`].
    ScopeExhausted,
}

impl From<KeyError> for RevisionRefused {
    fn from(error: KeyError) -> Self {
        Self::Key(error)
    }
}

impl fmt::Display for RevisionRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(error) => error.fmt(f),
            Self::Identical => {
                f.write_str("this request was to be revised and comes back unchanged; deny it")
            }
            Self::IntentExhausted => {
                f.write_str("the intent has no revision left; ask a person, or deny")
            }
            Self::ScopeExhausted => {
                f.write_str("the scope has no revision left; ask a person, or deny")
            }
        }
    }
}

impl std::error::Error for RevisionRefused {}

/// Why an extension was not recorded. Nothing has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExtensionRefused {
    /// The key of the intent is none.
    Key(KeyError),
    /// None, or more than [`MAX_EXTENSION`], were to be added.
    Size {
        /// How many.
        asked: u32,
    },
    /// The scope would have more than [`MAX_REVISIONS`].
    Full,
}

impl From<KeyError> for ExtensionRefused {
    fn from(error: KeyError) -> Self {
        Self::Key(error)
    }
}

impl fmt::Display for ExtensionRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(error) => error.fmt(f),
            Self::Size { asked } => write!(
                f,
                "an extension by {asked} is not possible; give 1 to {MAX_EXTENSION}"
            ),
            Self::Full => write!(
                f,
                "the scope would have more than {MAX_REVISIONS} revisions; begin a new one"
            ),
        }
    }
}

impl std::error::Error for ExtensionRefused {}

/// The revisions of one scope: how often its requests may be answered with "not like this, but
/// like that".
///
/// The caller names two things by keys of its own, digests for instance. The *intent* is what the
/// agent is after, and stays the same when the request is reworded: the tool and its target. The
/// *request* is the exact call. A revised request has another request key and the same intent key.
///
/// What this budget is not:
/// - It does not soften anything. It is asked where a reviewer may answer, after every deny of a
///   rule; room in it is no allow, and none left is never one.
/// - It does not know the caller's breaker and resets nothing there.
/// - An answer that could not be read is a failed review. It is not recorded here.
///
/// Memory is bounded: at most three keys are kept for each revision that the scope may have, which
/// are at most [`MAX_REVISIONS`], and no key is longer than [`MAX_KEY_BYTES`]. Questions keep
/// nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviseBudget(ReviseState);

impl ReviseBudget {
    /// A budget of which nothing is used.
    pub fn new(limits: ReviseLimits) -> Self {
        Self(ReviseState {
            v: STATE_VERSION,
            per_intent: limits.per_intent,
            per_scope: limits.per_scope,
            intents: Vec::new(),
        })
    }

    /// The budget that was kept. The limits are those that it began with.
    ///
    /// # Errors
    /// When the state is of another version, or does not add up.
    pub fn restore(state: ReviseState) -> Result<Self, StateError> {
        state.check()?;
        Ok(Self(state))
    }

    /// What a caller keeps, and gives to [`Self::restore`].
    pub fn state(&self) -> &ReviseState {
        &self.0
    }

    /// Where a request stands. An identical one is that whatever is left; then the intent's limit
    /// is looked at, then the scope's.
    ///
    /// # Errors
    /// When a key is empty or too long. A caller denies then, or asks a person.
    pub fn standing(&self, intent: &str, request: &str) -> Result<Standing, KeyError> {
        key(intent)?;
        key(request)?;
        let revised = self.0.of(intent).map_or(&[][..], |known| &known.requests);
        if revised.iter().any(|known| known == request) {
            return Ok(Standing::Identical);
        }
        let room = self.0.room(intent);
        Ok(if room.intent == 0 {
            Standing::IntentExhausted
        } else if room.scope == 0 {
            Standing::ScopeExhausted
        } else {
            Standing::Room(room)
        })
    }

    /// Records that a request was answered with revise, and says what is left after it. To be
    /// called, and kept, before the answer leaves.
    ///
    /// # Errors
    /// When there is no room or the request is identical to a revised one, so that it must not be
    /// answered with revise; or when a key is none. Nothing is recorded then.
    pub fn revised(&mut self, intent: &str, request: &str) -> Result<Room, RevisionRefused> {
        match self.standing(intent, request)? {
            Standing::Room(_) => {}
            Standing::Identical => return Err(RevisionRefused::Identical),
            Standing::IntentExhausted => return Err(RevisionRefused::IntentExhausted),
            Standing::ScopeExhausted => return Err(RevisionRefused::ScopeExhausted),
        }
        let known = self.0.or_new(intent);
        known.requests.push(request.to_owned());
        Ok(self.0.room(intent))
    }

    /// Records that a person gave an intent, and with it the scope, so many revisions more, and
    /// says what is left. Only on the word of a person: never for an agent, a reviewer, a plugin or
    /// a file of the workspace. What is identical to a revised request stays that.
    ///
    /// The scope's part is for whoever needs it first.
    ///
    /// # Errors
    /// When it adds none or more than [`MAX_EXTENSION`], when the scope would have more than
    /// [`MAX_REVISIONS`], or when the key is none. Nothing is recorded then.
    pub fn extended_by_person(&mut self, intent: &str, by: u32) -> Result<Room, ExtensionRefused> {
        key(intent)?;
        if by == 0 || by > MAX_EXTENSION {
            return Err(ExtensionRefused::Size { asked: by });
        }
        if self.0.limit_of_scope().saturating_add(by) > MAX_REVISIONS {
            return Err(ExtensionRefused::Full);
        }
        let known = self.0.or_new(intent);
        known.extended = known.extended.saturating_add(by);
        Ok(self.0.room(intent))
    }
}
