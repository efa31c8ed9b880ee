use super::Value;
use countersign_lexer::{ScopeId, ScopeKind, Script};
use std::collections::{BTreeMap, BTreeSet};

/// What a command puts out, as far as it is known: where the data comes from, and the text itself
/// where it is in the source.
#[derive(Debug, Clone, Default)]
pub(crate) struct Output {
    /// The text.
    pub(crate) text: Option<String>,
    /// The shell fills in something that the text does not show.
    pub(crate) filled: bool,
    /// It comes from another host.
    pub(crate) network: bool,
    /// A secret was read into it.
    pub(crate) secret: bool,
    /// It was decoded or unpacked, so what it holds is not in sight.
    pub(crate) decoded: bool,
    /// It is a list of names of files below an ordinary place, which this word stands for.
    pub(crate) names: Option<Box<Value>>,
    /// How it reaches the standard input that it is read from.
    pub(crate) feed: Feed,
    /// It holds the environment, where tokens are kept.
    pub(crate) environment: bool,
    /// It is numbers of processes that were found by their names.
    pub(crate) processes: bool,
    /// Who made what it says.
    pub(crate) prints: Prints,
}

/// Who made what a command prints, and so what it may hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Prints {
    /// Anybody: it may be any text.
    #[default]
    Text,
    /// The call: it is what stands there.
    Words,
    /// It is nothing but numbers.
    Number,
}

/// How data reaches a standard input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Feed {
    /// Through a pipe, or from a file.
    #[default]
    Stream,
    /// It is the body of a here-document.
    HereDocument,
    /// It is the word of a here-string.
    HereString,
}

/// The longest text that is followed, in bytes.
const MAX_TEXT: usize = 1 << 20;

impl Output {
    pub(crate) fn nothing() -> Self {
        Self {
            text: Some(String::new()),
            prints: Prints::Number,
            ..Self::default()
        }
    }

    pub(crate) fn unknown() -> Self {
        Self::default()
    }

    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self {
            text: Some(text.into()),
            ..Self::default()
        }
    }

    /// Another one after this.
    pub(super) fn append(&mut self, next: &Self) {
        let text = match (self.text.take(), &next.text) {
            (Some(mut first), Some(second))
                if first.len().saturating_add(second.len()) <= MAX_TEXT =>
            {
                first.push_str(second);
                Some(first)
            }
            _ => None,
        };
        *self = Self {
            text,
            ..self.mixed(next)
        };
    }

    /// Data of both, with the text lost.
    pub(crate) fn mixed(&self, other: &Self) -> Self {
        Self {
            text: None,
            names: None,
            feed: Feed::Stream,
            filled: self.filled || other.filled,
            network: self.network || other.network,
            secret: self.secret || other.secret,
            decoded: self.decoded || other.decoded,
            environment: self.environment || other.environment,
            processes: self.processes || other.processes,
            prints: self.printed().min(other.printed()),
        }
    }

    /// The same data on another way.
    pub(super) fn fed_by(self, feed: Feed) -> Self {
        Self { feed, ..self }
    }

    /// Whether something is to be said of what it is used for.
    pub(crate) fn is_marked(&self) -> bool {
        self.network
            || self.secret
            || self.decoded
            || self.environment
            || self.processes
            || !self.is_calculable()
    }

    /// Whether nothing runs when a shell takes it for a number.
    pub(super) fn is_calculable(&self) -> bool {
        self.printed() != Prints::Text
    }

    /// Who made what it says, the text being known or not.
    pub(super) fn printed(&self) -> Prints {
        match &self.text {
            Some(text) if text.contains(['$', '`']) => Prints::Text,
            Some(_) if !self.filled => self.prints.max(Prints::Words),
            _ => self.prints,
        }
    }

    /// The text as a substitution takes it: without the newlines at its end.
    pub(crate) fn line(&self) -> Option<String> {
        self.text
            .as_ref()
            .map(|text| text.trim_end_matches('\n').to_owned())
    }

    /// What makes running it dangerous, as a tag.
    pub(crate) fn danger(&self) -> Option<&'static str> {
        if self.network {
            Some("downloaded")
        } else if self.decoded {
            Some("decoded")
        } else {
            None
        }
    }
}

/// What the scopes of a script put out that somebody may read: substitutions, stages of pipelines
/// and functions. The tables are by the scopes' places.
#[derive(Debug)]
pub(super) struct Outputs {
    of: Vec<Option<Output>>,
    /// The least that was printed in each of them, at any time.
    prints: Vec<Option<Prints>>,
    /// The innermost of such scopes that a scope lies in, or is.
    read: Vec<Option<ScopeId>>,
    /// The one that data goes on to, for each of such scopes.
    next: Vec<Option<ScopeId>>,
    /// The scope of each stage of each pipeline.
    stages: BTreeMap<(u32, u32), ScopeId>,
}

impl Outputs {
    pub(super) fn new(script: &Script) -> Self {
        let mut stages = BTreeMap::new();
        let mut scopes = 0_usize;
        for scope in script.scopes() {
            scopes = scope.id().index().saturating_add(1);
            if let ScopeKind::PipelineStage { pipeline, index } = scope.kind() {
                stages.insert((pipeline, index), scope.id());
            }
        }
        let mut read: Vec<Option<ScopeId>> = vec![None; scopes];
        let mut next = vec![None; scopes];
        // A scope comes after those that it lies in.
        for scope in script.scopes() {
            let outer = scope.parent().and_then(|id| *read.get(id.index())?);
            // Only the last stage's output leaves its pipeline.
            let (is_read, goes_on) = match scope.kind() {
                ScopeKind::PipelineStage { pipeline, index } => {
                    let after = (pipeline, index.saturating_add(1));
                    (true, !stages.contains_key(&after))
                }
                ScopeKind::CommandSubstitution
                | ScopeKind::Backtick
                | ScopeKind::FunctionSubstitution
                | ScopeKind::ProcessSubstitution { .. }
                | ScopeKind::Coproc
                | ScopeKind::Function { .. } => (true, false),
                _ => (false, true),
            };
            let at = scope.id().index();
            if let (Some(read), Some(next)) = (read.get_mut(at), next.get_mut(at)) {
                *read = if is_read { Some(scope.id()) } else { outer };
                *next = outer.filter(|_| goes_on);
            }
        }
        Self {
            of: vec![None; scopes],
            prints: vec![None; scopes],
            read,
            next,
            stages,
        }
    }

    /// Notes that a command of this scope puts something out.
    pub(super) fn add(&mut self, scope: ScopeId, output: &Output) {
        let mut at = self.read.get(scope.index()).copied().flatten();
        while let Some(id) = at {
            if let Some(prints) = self.prints.get_mut(id.index()) {
                let now = output.printed();
                *prints = Some(prints.map_or(now, |before| before.min(now)));
            }
            match self.of.get_mut(id.index()) {
                Some(Some(before)) => before.append(output),
                Some(whole) => *whole = Some(output.clone()),
                None => return,
            }
            at = self.next.get(id.index()).copied().flatten();
        }
    }

    /// What these scopes put out is put out again.
    pub(super) fn forget(&mut self, scopes: &BTreeSet<ScopeId>) {
        for scope in scopes {
            if let Some(put_out) = self.of.get_mut(scope.index()) {
                *put_out = None;
            }
        }
    }

    fn get(&self, scope: ScopeId) -> Option<&Output> {
        self.of.get(scope.index())?.as_ref()
    }

    /// Who made what a substitution put out.
    pub(super) fn printed(&self, scope: ScopeId) -> Prints {
        let prints = self.prints.get(scope.index()).copied().flatten();
        prints.unwrap_or_default()
    }

    /// What the substitutions of a word put out, taken together.
    pub(super) fn of_scopes(&self, scopes: &[ScopeId]) -> Output {
        let mut found = scopes
            .iter()
            .map(|id| self.get(*id).cloned().unwrap_or_default());
        let Some(first) = found.next() else {
            return Output::unknown();
        };
        found.fold(first, |all, output| all.mixed(&output))
    }

    /// What flows into a stage of a pipeline.
    pub(super) fn feeding(&self, pipeline: u32, index: u32) -> Option<&Output> {
        let before = self.stages.get(&(pipeline, index.checked_sub(1)?))?;
        self.get(*before)
    }
}
