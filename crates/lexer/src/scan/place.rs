//! Where in the nesting the scanner stands.

use super::Scanner;
use crate::arena::{NONE, push};
use crate::model::{CommandId, Context, KindData, ScopeData, ScopeId};
use crate::text::Slice;

/// Everything about the nesting that a construct saves when it opens and restores when it closes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// The scope whose list is being read.
    pub(super) scope: ScopeId,
    /// The stage of the current pipeline, once something needs it as a parent.
    pub(super) stage: Option<ScopeId>,
    /// The command whose words are being read.
    pub(super) owner: Option<CommandId>,
    pub(super) site: Site,
    /// Whether the shell reads this text only when it runs, so that an error in it does not
    /// reject the script.
    pub(super) deferred: bool,
    /// What ends the substitution around this list. Such a list is read together with its
    /// terminator, which makes the end of a here-document laxer.
    pub(super) terminator: Option<u8>,
    /// How many here-documents were waiting outside.
    pub(super) pending: u32,
    /// How many here-documents had been read before the substitution around this list.
    pub(super) bodies: u32,
}

/// What a substitution stands in, as far as it changes what the substitution is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Site {
    Word,
    Heredoc,
    Arithmetic,
    Test,
    Redirect,
}

impl Place {
    pub(super) fn script() -> Self {
        Self {
            scope: ScopeId(0),
            stage: None,
            owner: None,
            site: Site::Word,
            deferred: false,
            terminator: None,
            pending: 0,
            bodies: 0,
        }
    }
}

impl Scanner {
    /// Opens a scope and returns the place to give back to [`Scanner::leave`].
    pub(super) fn enter(&mut self, kind: KindData, context: Context, start: u32) -> Place {
        let parent = self.parent();
        let outer = self.place;
        // Inside a substitution everything runs because of the substitution.
        let around = self.context();
        let inherits = around.is_substitution() && !context.is_substitution();
        let context = if inherits { around } else { context };
        let scope = self.open(kind, context, Some(parent), start);
        self.place = Place {
            scope,
            stage: None,
            owner: None,
            site: Site::Word,
            ..outer
        };
        outer
    }

    pub(super) fn leave(&mut self, outer: Place) {
        let (scope, end) = (self.place.scope, self.pos);
        if let Some(data) = self.scope_mut(scope) {
            data.slice.end = end.max(data.slice.start);
        }
        self.place = outer;
    }

    /// The scope that something inside the current pipeline stage belongs to.
    fn parent(&mut self) -> ScopeId {
        if let Some(stage) = self.place.stage {
            return stage;
        }
        let context = self.context();
        let stage = self.open(
            KindData::Transparent,
            context,
            Some(self.place.scope),
            self.pos,
        );
        self.place.stage = Some(stage);
        stage
    }

    /// Turns the current stage into one of a pipeline of several.
    pub(super) fn make_stage(&mut self, pipeline: u32, start: u32) -> ScopeId {
        let stage = self.parent();
        if let Some(data) = self.scope_mut(stage) {
            data.kind = KindData::PipelineStage { pipeline, index: 0 };
            data.slice.start = start;
        }
        stage
    }

    pub(super) fn next_stage(&mut self, pipeline: u32, index: u32) {
        let (kind, context) = (KindData::PipelineStage { pipeline, index }, self.context());
        self.place.stage = Some(self.open(kind, context, Some(self.place.scope), self.pos));
    }

    pub(super) fn end_stage(&mut self) {
        let end = self.pos;
        if let Some(data) = self.place.stage.and_then(|stage| self.scope_mut(stage)) {
            data.slice.end = end.max(data.slice.start);
        }
    }

    /// The context of a command that stands directly here.
    pub(super) fn context(&self) -> Context {
        self.out
            .scopes
            .get(self.place.scope.0 as usize)
            .map_or(Context::Top, |data| data.context)
    }

    /// The context inside `{ }` or `( )`, which the body of a function or a coprocess overrides.
    pub(super) fn body_context(&self, own: Context) -> Context {
        match self
            .out
            .scopes
            .get(self.place.scope.0 as usize)
            .map(|data| data.kind)
        {
            Some(KindData::Function(_)) => self.context(),
            Some(KindData::Coproc) => Context::Coproc,
            _ => own,
        }
    }

    pub(super) fn scope_mut(&mut self, id: ScopeId) -> Option<&mut ScopeData> {
        self.out.scopes.get_mut(id.0 as usize)
    }

    fn open(
        &mut self,
        kind: KindData,
        context: Context,
        parent: Option<ScopeId>,
        start: u32,
    ) -> ScopeId {
        let scope = ScopeData {
            kind,
            parent,
            owner: self.place.owner,
            context,
            slice: Slice::new(start, start),
            redirects: NONE,
            words: NONE,
        };
        ScopeId(push(&mut self.out.scopes, scope, &mut self.budget))
    }

    pub(super) fn open_script(&mut self) {
        self.open(KindData::Script, Context::Top, None, 0);
    }
}
