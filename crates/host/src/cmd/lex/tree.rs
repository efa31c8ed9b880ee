//! The tree that people read: scopes and commands, each under what it would run in.

use super::place::Lines;
use super::{complaint, scope, status, word};
use crate::style::Style;
use countersign_lexer::{Command, CommandId, Context, Scope, ScopeId, ScopeKind, Script};
use countersign_policy::{Expanded, Expansion, Origin, Source};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The status, the tree and the diagnostics.
pub(super) fn render(source: &[u8], found: &Expansion, style: Style) -> String {
    let Some(script) = found.sources.first().map(|source| &source.script) else {
        return String::new();
    };
    let lines = Lines::new(source);
    let (word, meaning) = status(script.status());
    let mut text = format!("{}: {meaning}\n", style.strong(word));
    Tree::new(found, &lines, style).draw(&mut text);
    for diagnostic in script.diagnostics() {
        text.push('\n');
        text.push_str(&complaint::render(source, &lines, diagnostic, style));
    }
    text
}

/// One line of the tree.
#[derive(Debug, Clone, Copy)]
enum Item<'a> {
    /// A scope of a script.
    Scope(usize, ScopeId),
    /// Stages of one pipeline, as a place among the pipelines.
    Pipeline(usize, u32),
    /// A command of a script.
    Command(usize, CommandId),
    /// A command made of the words of another.
    Words(usize),
    /// Source that a command runs.
    Source(usize),
    /// Why a command may run more than is shown.
    Opaque(&'a str),
}

/// A line that waits to be drawn.
#[derive(Debug, Clone, Copy)]
struct Waiting<'a> {
    item: Item<'a>,
    depth: usize,
    last: bool,
}

/// What lies directly in what, for one script.
#[derive(Debug, Default)]
struct Layout {
    /// Commands and scopes in each scope, in the order of the source.
    inside: BTreeMap<ScopeId, Vec<(usize, Inner)>>,
    /// The scopes that the words of each command hold.
    owned: BTreeMap<CommandId, Vec<ScopeId>>,
    /// The stages of each pipeline.
    stages: BTreeMap<u32, Vec<ScopeId>>,
    root: Option<ScopeId>,
}

#[derive(Debug, Clone, Copy)]
enum Inner {
    Scope(ScopeId),
    Pipeline(u32),
    Command(CommandId),
}

struct Tree<'a> {
    found: &'a Expansion,
    lines: &'a Lines<'a>,
    style: Style,
    layouts: Vec<Layout>,
    /// The index of each command of a script among all commands.
    index: BTreeMap<(usize, CommandId), usize>,
    /// What each command runs in turn.
    below: BTreeMap<usize, Vec<Item<'a>>>,
}

impl Layout {
    fn new(script: &Script) -> Self {
        let mut layout = Self::default();
        for scope in script.scopes() {
            layout.scope(script, &scope);
        }
        for command in script.commands() {
            let inside = layout.inside.entry(command.scope()).or_default();
            inside.push((command.span().start, Inner::Command(command.id())));
        }
        for inside in layout.inside.values_mut() {
            inside.sort_by_key(|(start, _)| *start);
        }
        layout
    }

    fn scope(&mut self, script: &Script, scope: &Scope<'_>) {
        let around = scope.parent().and_then(|parent| script.scope(parent));
        let Some(around) = around else {
            self.root = Some(scope.id());
            return;
        };
        if let Some(owner) = scope.owner().filter(|_| scope.owner() != around.owner()) {
            self.owned.entry(owner).or_default().push(scope.id());
            return;
        }
        let inner = match scope.kind() {
            ScopeKind::PipelineStage { pipeline, .. } => {
                let stages = self.stages.entry(pipeline).or_default();
                stages.push(scope.id());
                if stages.len() > 1 {
                    return;
                }
                Inner::Pipeline(pipeline)
            }
            _ => Inner::Scope(scope.id()),
        };
        let inside = self.inside.entry(around.id()).or_default();
        inside.push((scope.span().start, inner));
    }
}

impl<'a> Tree<'a> {
    fn new(found: &'a Expansion, lines: &'a Lines<'a>, style: Style) -> Self {
        let mut index = BTreeMap::new();
        let mut below: BTreeMap<usize, Vec<Item<'a>>> = BTreeMap::new();
        for (at, command) in found.commands.iter().enumerate() {
            let parent = command.view.parent.map(usize::try_from);
            match (&command.origin, parent) {
                (Origin::Script { source, command }, _) => {
                    index.insert((*source, *command), at);
                }
                (Origin::Words { .. }, Some(Ok(parent))) => {
                    below.entry(parent).or_default().push(Item::Words(at));
                }
                _ => {}
            }
            let reasons = command.opaque.iter().map(|why| Item::Opaque(why));
            below.entry(at).or_default().extend(reasons);
        }
        for (at, source) in found.sources.iter().enumerate() {
            if let Some(parent) = source.parent {
                below.entry(parent).or_default().push(Item::Source(at));
            }
        }
        let layouts = found.sources.iter().map(|it| Layout::new(&it.script));
        Self {
            layouts: layouts.collect(),
            found,
            lines,
            style,
            index,
            below,
        }
    }

    fn draw(&self, text: &mut String) {
        // The trunk at each depth, as far as it goes on below the line.
        let mut trunk: Vec<bool> = Vec::new();
        let mut waiting = Vec::new();
        push(&mut waiting, self.contents(0), 0);
        while let Some(Waiting { item, depth, last }) = waiting.pop() {
            trunk.truncate(depth);
            let mut frame = self.margin(item);
            for goes_on in &trunk {
                frame.push_str(if *goes_on { "│  " } else { "   " });
            }
            frame.push_str(if last { "└─ " } else { "├─ " });
            trunk.push(!last);
            let (label, inside) = self.line(item);
            let _infallible = writeln!(text, "{}{label}", self.style.dim(frame));
            push(&mut waiting, inside, depth.saturating_add(1));
        }
    }

    /// The number of the line that an item begins in; a source of one line needs none.
    fn margin(&self, item: Item<'a>) -> String {
        let count = self.lines.count();
        if count < 2 {
            return String::new();
        }
        let width = count.to_string().len();
        match self.start(item) {
            Some(start) => format!("{:>width$}  ", self.lines.number(start)),
            None => " ".repeat(width.saturating_add(2)),
        }
    }

    /// Where an item begins in the source itself.
    fn start(&self, item: Item<'a>) -> Option<usize> {
        let script = self.script(0)?;
        let scope = |id| script.scope(id).map(|scope| scope.span().start);
        match item {
            Item::Command(0, id) => script.command(id).map(|command| command.span().start),
            Item::Scope(0, id) => scope(id),
            Item::Pipeline(0, number) => {
                let stages = self.layouts.first()?.stages.get(&number)?;
                stages.first().copied().and_then(scope)
            }
            _ => None,
        }
    }

    fn script(&self, source: usize) -> Option<&'a Script> {
        self.found.sources.get(source).map(|it: &Source| &it.script)
    }

    /// What a line says, and what stands below it.
    fn line(&self, item: Item<'a>) -> (String, Vec<Item<'a>>) {
        match item {
            Item::Scope(source, id) => (self.scope(source, id), self.inside(source, id)),
            Item::Pipeline(source, number) => {
                let name = self.style.dim("pipeline").to_string();
                (name, self.stages(source, number))
            }
            Item::Command(source, id) => (self.command(source, id), self.under(source, id)),
            Item::Words(at) => (self.words(at), self.runs(at)),
            Item::Source(at) => self.source(at),
            Item::Opaque(why) => (self.opaque(why), Vec::new()),
        }
    }

    fn scope(&self, source: usize, id: ScopeId) -> String {
        let script = self.script(source);
        let scope = script.and_then(|script| Some((script, script.scope(id)?)));
        scope.map_or_else(String::new, |(script, scope)| {
            scope::label(script, &scope, self.style)
        })
    }

    fn command(&self, source: usize, id: CommandId) -> String {
        let command = self.script(source).and_then(|script| script.command(id));
        let Some(command) = command else {
            return String::new();
        };
        let mut label = word::command(&command, self.style);
        if !command.runs() {
            let mark = self.style.dim("(not run)");
            let _infallible = write!(label, "   {mark}");
        }
        match joined(&command) {
            Some(operator) => format!("{label}   {}", self.style.dim(operator)),
            None => label,
        }
    }

    fn words(&self, at: usize) -> String {
        let found = self.found.commands.get(at);
        let Some((found, origin)) = found.map(|found| (found, &found.origin)) else {
            return String::new();
        };
        let Origin::Words { kinds, assignments } = origin else {
            return String::new();
        };
        let command = word::derived(found, kinds, assignments, self.style);
        format!("{} {command}", self.context(found))
    }

    fn context(&self, found: &Expanded) -> String {
        self.named(&found.view.context)
    }

    fn named(&self, context: &str) -> String {
        let context = format!("[{}]", crate::reason::visible(context));
        self.style.dim(context).to_string()
    }

    /// Source that a command runs; a single command of it needs no line of its own.
    fn source(&self, at: usize) -> (String, Vec<Item<'a>>) {
        let context = self
            .found
            .sources
            .get(at)
            .and_then(|it| it.context.as_ref());
        let context = self.named(context.map_or("", String::as_str));
        let inside = self.contents(at);
        match inside.as_slice() {
            [Item::Command(source, id)] => {
                let command = self.command(*source, *id);
                (format!("{context} {command}"), self.under(*source, *id))
            }
            _ => (context, inside),
        }
    }

    fn opaque(&self, why: &str) -> String {
        let text = match why {
            "dynamic-command" => "its name is only known when it runs",
            "dynamic-code" => "it runs source that is only known when it runs",
            "inline-code" => "it runs code that is not looked into",
            "downloaded" => "it runs what was downloaded",
            "decoded" => "it runs what was decoded",
            "syntax-error" => "it runs source with a syntax error",
            "unreadable" => "it runs source that is not understood",
            "too-big" | "too-deep" => "it runs more than is looked at",
            _ => "it may run more than is listed",
        };
        let mark = self.style.uncertain(format!("! {text}"));
        format!("{mark} {}", self.named(why))
    }

    /// What lies at the top of a script.
    fn contents(&self, source: usize) -> Vec<Item<'a>> {
        let root = self.layouts.get(source).and_then(|layout| layout.root);
        let mut contents = root.map_or_else(Vec::new, |root| self.inside(source, root));
        let probe = self.found.sources.get(source).is_some_and(|it| it.probe);
        if let Some(Item::Command(_, id)) = contents.first().copied().filter(|_| probe) {
            contents.splice(..1, self.under(source, id));
        }
        contents
    }

    fn inside(&self, source: usize, id: ScopeId) -> Vec<Item<'a>> {
        let layout = self.layouts.get(source);
        let inside = layout.and_then(|layout| layout.inside.get(&id));
        let item = |(_, inner): &(usize, Inner)| match *inner {
            Inner::Scope(id) => Item::Scope(source, id),
            Inner::Pipeline(number) => Item::Pipeline(source, number),
            Inner::Command(id) => Item::Command(source, id),
        };
        inside.into_iter().flatten().map(item).collect()
    }

    /// The stages of a pipeline; a stage that holds one thing is that thing.
    fn stages(&self, source: usize, number: u32) -> Vec<Item<'a>> {
        let layout = self.layouts.get(source);
        let stages = layout.and_then(|layout| layout.stages.get(&number));
        let item = |id: &ScopeId| match self.inside(source, *id).as_slice() {
            [only] => *only,
            _ => Item::Scope(source, *id),
        };
        stages.into_iter().flatten().map(item).collect()
    }

    /// What the words of a command hold, and what it runs.
    fn under(&self, source: usize, id: CommandId) -> Vec<Item<'a>> {
        let layout = self.layouts.get(source);
        let owned = layout.and_then(|layout| layout.owned.get(&id));
        let scopes = owned.into_iter().flatten();
        let mut items: Vec<Item<'a>> = scopes.map(|id| Item::Scope(source, *id)).collect();
        if let Some(at) = self.index.get(&(source, id)) {
            items.extend(self.runs(*at));
        }
        items
    }

    fn runs(&self, at: usize) -> Vec<Item<'a>> {
        self.below.get(&at).cloned().unwrap_or_default()
    }
}

fn push<'a>(waiting: &mut Vec<Waiting<'a>>, items: Vec<Item<'a>>, depth: usize) {
    let mut last = true;
    for item in items.into_iter().rev() {
        waiting.push(Waiting { item, depth, last });
        last = false;
    }
}

/// The operator that decides whether a command runs, which the tree does not show.
fn joined(command: &Command<'_>) -> Option<String> {
    let context = command.context();
    matches!(context, Context::And | Context::Or | Context::Background)
        .then(|| format!("({})", context.as_str()))
}
