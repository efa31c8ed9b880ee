use super::assign::{first_state, is_conditional};
use super::call::Calling;
use super::findings::Found;
use super::flow::{Output, Outputs};
use super::functions::Functions;
use super::shell::calculates;
use super::state::Cwd;
use super::stdin::stdin;
use super::value::evaluate_all;
use super::variables::{Variable, classify, is_command_line};
use super::{
    Analysis, MAX_COMMANDS, MAX_DERIVED, State, Value, choices, descriptors, loops, text_of,
};
use crate::expand::Source;
use countersign_core::{CommandView, EffectKind, Place, Target};
use countersign_lexer::{
    Command, CommandId, Context, Dialect, Options, ScopeId, ScopeKind, Script, Status, lex,
};
use std::collections::{BTreeMap, BTreeSet};

/// Where and how a script runs.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) state: State,
    pub(crate) place: Place,
    /// How it was found; `None` for the call's own source.
    pub(crate) context: Option<String>,
    /// The command that runs it.
    pub(crate) parent: Option<u32>,
    /// The bytes of the call's own source that it comes from, for derived source.
    pub(crate) span: Option<(usize, usize)>,
    pub(crate) depth: u32,
    /// The source is a text whose substitutions run, put behind a command that stands for nothing.
    pub(crate) probe: bool,
    pub(crate) dialect: Dialect,
}

impl Frame {
    /// The call's own source, in the shell that the host names.
    pub(crate) fn outermost(state: State, shell: Option<&str>) -> Self {
        let dialect = shell.map_or(Dialect::Unknown, dialect);
        Self {
            state,
            place: Place::Here,
            context: None,
            parent: None,
            span: None,
            depth: 0,
            probe: false,
            dialect,
        }
    }
}

/// The dialect that a shell of this name reads.
pub(super) fn dialect(shell: &str) -> Dialect {
    match crate::paths::base_name(shell) {
        "bash" => Dialect::Bash,
        "sh" | "dash" | "ash" => Dialect::Sh,
        "zsh" => Dialect::Zsh,
        "fish" => Dialect::Fish,
        "pwsh" | "powershell" => Dialect::PowerShell,
        _ => Dialect::Unknown,
    }
}

/// One script under analysis.
pub(super) struct Lowered<'s> {
    pub(super) script: &'s Script,
    pub(super) frame: &'s Frame,
    /// Where its commands begin among all that were found.
    pub(super) first: usize,
    pub(super) outputs: Outputs,
    /// One state for each scope that is a process of its own; `None` is the script itself.
    states: BTreeMap<Option<ScopeId>, State>,
    pub(super) functions: Functions,
    /// It has loops that give values to a variable.
    pub(super) has_loops: bool,
    /// Those loops that were begun.
    pub(super) entered: BTreeSet<ScopeId>,
}

impl Analysis<'_> {
    /// Analyses shell source. The state that it leaves behind is returned, for source that runs in
    /// the shell that reads it (`eval`).
    pub(crate) fn script(&mut self, source: &[u8], frame: &Frame) -> State {
        self.derived = self.derived.saturating_add(source.len());
        let too_much = self.derived > MAX_DERIVED.saturating_mul(2) && frame.parent.is_some();
        if frame.depth > super::MAX_DEPTH || too_much || self.found.commands.len() > MAX_COMMANDS {
            self.note_opaque(source, frame, "too-deep");
            return frame.state.clone();
        }
        let script = lex(
            source,
            &Options {
                dialect: frame.dialect,
                ..Options::default()
            },
        );
        self.note_status(&script, source, frame);
        let kept = self.keep(frame);
        let order = owned_first(&script);
        let mut lowered = Lowered {
            first: self.list(&script, frame, kept),
            outputs: Outputs::new(&script),
            states: BTreeMap::from([(None, first_state(&script, &frame.state))]),
            has_loops: script.scopes().any(|scope| {
                matches!(
                    scope.kind(),
                    ScopeKind::For { .. } | ScopeKind::Select { .. }
                )
            }),
            entered: BTreeSet::new(),
            functions: Functions::of(&script, &order),
            script: &script,
            frame,
        };
        self.bare_redirects(&lowered, frame);
        self.subscripts_in_compounds(&script, frame);
        self.found.calculates |= calculates(source);
        if sets_what_every_program_reads(&script) {
            self.note_opaque(source, frame, "dynamic-code");
        }
        let mut later = Vec::new();
        for command in order.iter().filter_map(|&id| script.command(id)) {
            if lowered.functions.defers(&script, &command) {
                continue;
            }
            if is_trap(&command) {
                later.push((command, lowered.cwd(&command)));
                continue;
            }
            self.command(&mut lowered, &command);
        }
        // A trap runs when something happens, at the end at the latest.
        for (command, cwd) in later {
            lowered.join_cwd(&command, &cwd);
            self.command(&mut lowered, &command);
        }
        for command in lowered.functions.left() {
            if let Some(command) = script.command(command) {
                self.command(&mut lowered, &command);
            }
        }
        self.endless_jobs(&lowered);
        self.sums(&lowered);
        let state = lowered
            .states
            .remove(&None)
            .unwrap_or_else(|| frame.state.clone());
        self.kept(kept, script);
        state
    }

    /// Makes room for a script among those that are kept: the scripts inside it come after it.
    fn keep(&mut self, frame: &Frame) -> Option<usize> {
        let sources = self.sources.as_mut()?;
        sources.push(Source {
            script: Script::default(),
            parent: frame.parent.and_then(|parent| usize::try_from(parent).ok()),
            context: frame.context.clone(),
            probe: frame.probe,
        });
        sources.len().checked_sub(1)
    }

    fn kept(&mut self, at: Option<usize>, script: Script) {
        let mut sources = self.sources.iter_mut().flatten();
        if let Some(source) = at.and_then(|at| sources.nth(at)) {
            source.script = script;
        }
    }

    /// Lists every command in the order of the source, so that people read them so.
    fn list(&mut self, script: &Script, frame: &Frame, kept: Option<usize>) -> usize {
        let first = self.found.commands.len();
        let mut stands_for_nothing = frame.probe;
        self.found.expect(script.commands().count());
        for command in script.commands() {
            let shown = |word: countersign_lexer::Word<'_>| match word.literal() {
                Some(literal) => text_of(literal).into_owned(),
                None => text_of(word.source()).into_owned(),
            };
            let span = command.span();
            let view = CommandView {
                argv: command.words().map(shown).collect(),
                dynamic: command.words().map(|word| word.is_dynamic()).collect(),
                context: frame
                    .context
                    .clone()
                    .unwrap_or_else(|| command.context().as_str().to_owned()),
                place: frame.place,
                span: frame.span.unwrap_or((span.start, span.end)),
                parent: frame.parent,
                known: false,
            };
            let at = self.found.add_command(view, Vec::new());
            let kept = kept.filter(|_| !std::mem::take(&mut stands_for_nothing));
            if let (Some(called), Some(kept)) = (self.found.call(at), kept) {
                called.origin = Some(Found::Script(kept, command.id()));
            }
        }
        first
    }

    /// Redirections of a compound that holds no command (`[[ a ]] > x`): they happen all the same.
    fn bare_redirects(&mut self, lowered: &Lowered<'_>, frame: &Frame) {
        let script = lowered.script;
        let mut held = BTreeSet::new();
        for command in script.commands() {
            let mut at = Some(command.scope());
            while let Some(scope) = at
                .and_then(|id| script.scope(id))
                .filter(|scope| held.insert(scope.id()))
            {
                at = scope.parent();
            }
        }
        for scope in script.scopes().filter(|scope| !held.contains(&scope.id())) {
            if scope.redirects().next().is_none() {
                continue;
            }
            let span = scope.span();
            let view = CommandView {
                argv: Vec::new(),
                dynamic: Vec::new(),
                context: Context::RedirectOnly.as_str().to_owned(),
                place: frame.place,
                span: frame.span.unwrap_or((span.start, span.end)),
                parent: frame.parent,
                known: false,
            };
            let index = self.found.add_command(view, Vec::new());
            for redirect in scope.redirects() {
                self.redirect(index, &redirect, &frame.state);
            }
        }
    }

    /// What the lexer could not read is opaque: it may run anything.
    fn note_status(&mut self, script: &Script, source: &[u8], frame: &Frame) {
        match script.status() {
            Status::Complete | Status::Warnings => {}
            Status::Opaque => {
                self.note_opaque(source, frame, "unreadable");
            }
            Status::SyntaxError => {
                self.note_opaque(source, frame, "syntax-error");
            }
            Status::TooBig => {
                self.note_opaque(source, frame, "too-big");
            }
        }
    }

    pub(super) fn note_opaque(&mut self, source: &[u8], frame: &Frame, why: &'static str) -> u32 {
        let command = frame.parent.unwrap_or_else(|| {
            let start: String = String::from_utf8_lossy(source).chars().take(80).collect();
            let view = CommandView {
                argv: vec![start],
                dynamic: vec![true],
                context: "opaque".to_owned(),
                place: frame.place,
                span: frame.span.unwrap_or((0, source.len())),
                parent: None,
                known: false,
            };
            self.found.add_command(view, Vec::new())
        });
        self.found.opaque(command, why);
        command
    }

    pub(super) fn command(&mut self, lowered: &mut Lowered<'_>, command: &Command<'_>) {
        let Some(index) = lowered.index(command.id()) else {
            return;
        };
        loops::enter(lowered, command);
        let process = lowered.process_of(command.scope());
        let mut state = lowered.take_state(process);
        if state.is_scoped() {
            state.outside(&lowered.around(command));
        }
        let mut tries = choices::of(command, &state).into_iter();
        if let Some(picks) = tries.next() {
            let before = state.clone();
            state.picks = picks;
            self.tried(lowered, command, index, &mut state);
            for picks in tries {
                let mut other = before.with(picks);
                self.tried(lowered, command, index, &mut other);
                state.join(&other);
            }
            state.picks.clear();
            // Which of the values it is decides what runs: the owner's rules go by what is typed.
            let words = command
                .words()
                .map(|word| Value::unknown(&text_of(word.source())));
            let words = words.collect();
            if let Some(called) = self.found.call(index) {
                called.words = words;
            }
        } else {
            self.tried(lowered, command, index, &mut state);
        }
        lowered.put_state(process, state);
    }

    /// One command with one set of values.
    fn tried(
        &mut self,
        lowered: &mut Lowered<'_>,
        command: &Command<'_>,
        index: u32,
        state: &mut State,
    ) {
        let before = state.cwd.clone();
        if command.context() == Context::And {
            state.cwd = state.cwd.went_well();
        }
        let words = evaluate_all(command.words(), state);
        let alone = words.is_empty();
        let kept = (!alone && command.assignments().next().is_some()).then(|| state.clone());
        self.assignments(lowered, command, (index, alone), state);
        self.redirects(lowered, command, index, state);
        let held = state.descriptors.clone();
        descriptors::note(lowered, command, state, &self.found.files);
        let stdin = stdin(lowered, command, state, &self.found.files)
            .or_else(|| state.descriptors.get(&0).cloned());
        let stdin = stdin.map(|read| Output {
            secret: read.secret || self.reads_secret(index),
            ..read
        });
        let output = if alone {
            // `$(< file)`.
            stdin.unwrap_or_else(Output::nothing)
        } else {
            match lowered.functions.called(&words) {
                Some(name) => {
                    let name = name.to_owned();
                    self.function(
                        lowered,
                        command,
                        (index, &name),
                        &words,
                        state,
                        stdin.as_ref(),
                    )
                }
                None => self.call(lowered, index, &words, state, stdin.as_ref()),
            }
        };
        if !descriptors::is_exec(command) {
            state.descriptors = held;
        }
        if let Some(kept) = kept {
            state.take_back(command, &kept);
        }
        if let Some(called) = self.found.call(index) {
            called.words = words;
        }
        // A `cd` before the last `&&` may have failed for what comes after.
        if command.context() == Context::And && state.cwd == before.went_well() {
            state.cwd = before;
        }
        lowered.outputs.add(command.scope(), &output);
    }

    /// Text that holds a substitution is run where a variable is read as a number or by another
    /// name: `$((x))`, `[[ x -eq 0 ]]`, `${x@P}`.
    pub(super) fn code_in_variable(
        &mut self,
        calling: &Calling<'_, '_>,
        name: &str,
        value: Option<&str>,
        state: &State,
    ) {
        let runs = |value: &&str| {
            name == "PROMPT_COMMAND" || is_command_line(name) && value.contains(char::is_whitespace)
        };
        if let Some(value) = value.filter(runs) {
            let frame = self.frame(calling, "env-exec", state, Place::Here);
            let source = value.trim_start_matches(['|', '-']);
            self.script(source.as_bytes(), &frame);
            return;
        }
        let Some(value) = value.filter(|value| value.contains("$(") || value.contains('`')) else {
            return;
        };
        self.found.opaque(calling.index, "dynamic-code");
        let context = match classify(name, Some(value)) {
            Variable::Executes => "env-exec",
            _ => "arith-eval",
        };
        let frame = Frame {
            probe: true,
            ..self.frame(calling, context, state, Place::Here)
        };
        self.script(format!(": \"{value}\"").as_bytes(), &frame);
    }

    /// Setting a variable, for one command or from here on.
    pub(super) fn environment(
        &mut self,
        index: u32,
        name: &str,
        value: Option<&str>,
        exported: bool,
    ) {
        let target = || {
            Some(Target::Name {
                name: name.to_owned(),
            })
        };
        let kind = EffectKind::Environment;
        match classify(name, value) {
            Variable::Insecure => self.found.add(index, kind, target(), &["insecure"]),
            Variable::Executes => self.found.add(index, kind, target(), &["executes"]),
            // Names in capitals are in the environment already, as a rule.
            Variable::Ordinary if exported || !name.chars().any(char::is_lowercase) => {
                self.found.add(index, kind, target(), &[]);
            }
            Variable::Ordinary | Variable::Harmless => {}
        }
    }
}

impl Lowered<'_> {
    /// The index of a command among all that were found.
    pub(super) fn index(&self, command: CommandId) -> Option<u32> {
        u32::try_from(self.first.saturating_add(command.index())).ok()
    }

    /// The innermost process of its own that a scope lies in.
    pub(super) fn process_of(&self, scope: ScopeId) -> Option<ScopeId> {
        let mut at = Some(scope);
        while let Some(scope) = at.and_then(|id| self.script.scope(id)) {
            match scope.kind() {
                ScopeKind::Subshell
                | ScopeKind::PipelineStage { .. }
                | ScopeKind::CommandSubstitution
                | ScopeKind::Backtick
                | ScopeKind::ProcessSubstitution { .. }
                | ScopeKind::Coproc => return Some(scope.id()),
                _ => at = scope.parent(),
            }
        }
        None
    }

    /// The state of a process, to be put back; a new one starts as its parent is now.
    pub(super) fn take_state(&mut self, process: Option<ScopeId>) -> State {
        if let Some(state) = self.states.remove(&process) {
            return state;
        }
        let parent = process
            .and_then(|id| self.script.scope(id))
            .and_then(|scope| scope.parent());
        let parent = parent.and_then(|scope| self.process_of(scope));
        match self.states.get(&parent).or_else(|| self.states.get(&None)) {
            Some(state) => state.clone(),
            None => self.frame.state.clone(),
        }
    }

    /// Puts a process into a state, or takes its state away; what it was is returned.
    pub(super) fn swap_state(
        &mut self,
        process: Option<ScopeId>,
        state: Option<State>,
    ) -> Option<State> {
        match state {
            Some(state) => self.states.insert(process, state),
            None => self.states.remove(&process),
        }
    }

    /// Forgets what was found inside scopes that run once more.
    pub(super) fn begin_again(&mut self, inside: &BTreeSet<ScopeId>) {
        self.outputs.forget(inside);
        self.entered.retain(|id| !inside.contains(id));
        self.states
            .retain(|id, _| id.is_none_or(|id| !inside.contains(&id)));
    }

    /// Where a command would work.
    fn cwd(&mut self, command: &Command<'_>) -> Cwd {
        let process = self.process_of(command.scope());
        let state = self.take_state(process);
        let cwd = state.cwd.clone();
        self.put_state(process, state);
        cwd
    }

    fn join_cwd(&mut self, command: &Command<'_>, cwd: &Cwd) {
        let process = self.process_of(command.scope());
        let mut state = self.take_state(process);
        state.cwd.join(cwd);
        self.put_state(process, state);
    }

    pub(super) fn put_state(&mut self, process: Option<ScopeId>, state: State) {
        self.states.insert(process, state);
    }

    /// The scopes that a command lies in.
    fn around(&self, command: &Command<'_>) -> BTreeSet<ScopeId> {
        let mut around = BTreeSet::new();
        let mut at = Some(command.scope());
        while let Some(scope) = at.and_then(|id| self.script.scope(id)) {
            around.insert(scope.id());
            at = scope.parent();
        }
        around
    }

    /// The command runs whenever its process does.
    pub(super) fn is_certain(&self, command: &Command<'_>) -> bool {
        let mut at = Some(command.scope());
        while let Some(scope) = at.and_then(|id| self.script.scope(id)) {
            match scope.kind() {
                ScopeKind::Script | ScopeKind::CommandSubstitution | ScopeKind::Backtick => break,
                ScopeKind::Group | ScopeKind::Subshell | ScopeKind::PipelineStage { .. } => {}
                _ => return false,
            }
            at = scope.parent();
        }
        !is_conditional(self.script, command, false)
    }
}

/// Whether a loop or a builtin that reads gives a value to a variable that decides what other
/// programs run.
fn sets_what_every_program_reads(script: &Script) -> bool {
    let decides = |name: &[u8]| {
        let name = text_of(name);
        matches!(&*name, "PATH" | "HOME" | "IFS" | "SHELL")
            || classify(&name, None) == Variable::Executes
    };
    let loops = script.scopes().any(|scope| match scope.kind() {
        ScopeKind::For { name } | ScopeKind::Select { name } => decides(name),
        _ => false,
    });
    let reads = |command: Command<'_>| {
        let mut words = command.words().filter_map(|word| word.literal());
        words.any(|word| matches!(word, b"read" | b"mapfile" | b"readarray" | b"getopts"))
            && words.any(decides)
    };
    loops || script.commands().any(reads)
}

/// Every command, those inside another one's words before it: what a substitution puts out is
/// known when the command that uses it is analysed.
fn owned_first(script: &Script) -> Vec<CommandId> {
    let owners: Vec<Option<CommandId>> = script
        .commands()
        .map(|command| owner(script, &command))
        .collect();
    if owners.iter().all(Option::is_none) {
        return script.commands().map(|command| command.id()).collect();
    }
    let mut owned: BTreeMap<Option<CommandId>, Vec<CommandId>> = BTreeMap::new();
    for (command, owner) in script.commands().zip(owners) {
        owned.entry(owner).or_default().push(command.id());
    }
    let mut order = Vec::new();
    let mut stack: Vec<(CommandId, bool)> = Vec::new();
    let push = |stack: &mut Vec<(CommandId, bool)>, of: Option<CommandId>| {
        let inside = owned.get(&of).into_iter().flatten().rev();
        stack.extend(inside.map(|&id| (id, false)));
    };
    push(&mut stack, None);
    while let Some((id, seen)) = stack.pop() {
        if seen {
            order.push(id);
        } else {
            stack.push((id, true));
            push(&mut stack, Some(id));
        }
    }
    order
}

fn is_trap(command: &Command<'_>) -> bool {
    let first = command.words().next();
    first.is_some_and(|word| word.literal() == Some(b"trap"))
}

fn owner(script: &Script, command: &Command<'_>) -> Option<CommandId> {
    let mut at = Some(command.scope());
    while let Some(scope) = at.and_then(|id| script.scope(id)) {
        if let Some(owner) = scope.owner().filter(|owner| *owner != command.id()) {
            return Some(owner);
        }
        at = scope.parent();
    }
    None
}
