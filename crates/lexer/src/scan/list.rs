//! Lists and pipelines: `a && b | c; d &`.

use super::Scanner;
use super::class::ends_word;
use super::frame::Frame;
use super::reserved::Reserved;
use super::stop::Stop;
use crate::model::{CommandId, Context};
use crate::text::offset;
use crate::{DiagnosticKind, Dialect};

#[derive(Debug, Clone, Copy)]
pub(super) struct List {
    pub(super) stop: Stop,
    pub(super) state: State,
    link: Link,
    /// Where the current stage started.
    start: u32,
    /// The command of the current stage, when it is a simple one.
    last: Option<CommandId>,
    /// The current pipeline and stage, once there are two.
    stage: Option<(u32, u32)>,
    empty: bool,
    /// Whether `time` stands alone so far, which a substitution may contain.
    timed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// A command may start.
    Start,
    /// A command must follow, after an operator.
    Needed,
    /// As [`State::Needed`], after `|`, where `time` is an ordinary word.
    Piped,
    /// A command may follow `!` or `time`.
    Prefixed,
    /// A command is complete.
    After,
}

/// What joins the current pipeline to the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Link {
    None,
    And,
    Or,
    /// A semicolon that bash 5.2 may lose.
    Doubtful,
}

impl List {
    pub(super) fn new(stop: Stop) -> Self {
        Self {
            stop,
            state: State::Start,
            link: Link::None,
            start: 0,
            last: None,
            stage: None,
            empty: true,
            timed: false,
        }
    }

    /// Whether a reserved word ends it.
    pub(super) fn ends_at(&self, word: Reserved) -> bool {
        self.stop.at_reserved(word)
    }

    /// Forgets the simple command of the current stage, which turned out to be something else.
    pub(super) fn forget_last(&mut self) {
        self.last = None;
    }

    /// Lets a command follow what was taken for one.
    pub(super) fn restart(&mut self) {
        self.last = None;
        self.state = State::Prefixed;
    }
}

impl Scanner {
    pub(super) fn list(&mut self, list: List) {
        self.blanks();
        if self.zsh() && self.zsh_list(list) {
            return;
        }
        if list.state == State::After {
            self.after_command(list);
        } else {
            self.before_command(list);
        }
    }

    fn before_command(&mut self, mut list: List) {
        if list.state == State::Start {
            if self.new_line && self.frames.is_empty() {
                self.new_line = false;
                self.complete = offset(self.out.commands.len());
            }
            self.place.stage = None;
            list.stage = None;
        }
        if list.state != State::Prefixed {
            list.start = self.pos;
        }
        match self.peek() {
            None => self.end_list(list),
            Some(b'\n') if list.state == State::Prefixed => self.complete(list),
            Some(b'\n') if list.state == State::Start => {
                self.new_line |= self.frames.is_empty();
                self.push(Frame::List(list));
                self.newline();
            }
            Some(b'\n') => {
                self.push(Frame::List(list));
                self.newline();
            }
            Some(b')') if list.stop.at_paren() => self.end_list(list),
            Some(b'}') if list.stop == Stop::SubstBrace => self.end_list(list),
            Some(b';') if self.at_arm_end(list.stop) => self.end_list(list),
            Some(b';') if list.state == State::Prefixed => self.complete(list),
            Some(b'&') if self.redirects_both() => self.start_command(list, None),
            Some(b';' | b'&' | b'|' | b')') => self.unexpected(list),
            Some(b'<' | b'>') => self.start_command(list, None),
            Some(_) => self.word_or_compound(list),
        }
    }

    fn word_or_compound(&mut self, mut list: List) {
        let Some((word, end)) = self.reserved() else {
            return self.start_command(list, None);
        };
        match word {
            _ if list.stop.at_reserved(word) => self.end_list(list),
            Reserved::Bang => {
                if list.state == State::Piped {
                    self.report(DiagnosticKind::UnexpectedToken);
                }
                self.pos = end;
                list.state = State::Prefixed;
                list.timed = false;
                self.push(Frame::List(list));
            }
            Reserved::Time if list.state != State::Piped && !self.is_program(end) => {
                self.pos = end;
                self.flag_bashism();
                self.time_options();
                list.timed = list.state == State::Start && list.empty;
                list.state = State::Prefixed;
                self.push(Frame::List(list));
            }
            Reserved::In | Reserved::CloseTest if self.zsh() => self.start_command(list, None),
            Reserved::In | Reserved::CloseTest => {
                self.report(DiagnosticKind::UnexpectedToken);
                self.start_command(list, None);
            }
            Reserved::Then
            | Reserved::Elif
            | Reserved::Else
            | Reserved::Fi
            | Reserved::Do
            | Reserved::Done
            | Reserved::Esac
            | Reserved::End
            | Reserved::CloseBrace => self.unexpected(list),
            _ => self.start_command(list, Some((word, end))),
        }
    }

    /// Whether `time`, which ends here, is a program: in `sh` it is before an option.
    fn is_program(&self, end: u32) -> bool {
        let mut cursor = self.cursor_at(end);
        cursor.blanks();
        self.options.dialect == Dialect::Sh && cursor.peek() == Some(b'-')
    }

    /// Whether printing loses the semicolon behind a command: it does behind a here-document, unless
    /// that belongs to this very command.
    fn may_lose_semicolon(&self, list: &List) -> bool {
        let waiting = self.pending.get(self.place.pending as usize..);
        let last = waiting.and_then(<[_]>::last);
        let own = list.stage.is_none() && list.last.is_some();
        self.bodies_found > self.place.bodies
            || last.is_some_and(|it| !own || it.owner() != list.last)
    }

    fn time_options(&mut self) {
        self.blanks();
        for option in [&b"-p"[..], b"--"] {
            let mut cursor = self.cursor();
            if option.iter().all(|&byte| cursor.eat(byte)) && ends_word(cursor.peek()) {
                self.pos = cursor.pos;
                self.blanks();
            }
        }
    }

    /// Starts whatever command comes next; the list goes on behind it.
    fn start_command(&mut self, mut list: List, reserved: Option<(Reserved, u32)>) {
        if list.link == Link::Doubtful {
            self.report(DiagnosticKind::LostSemicolon);
        }
        list.state = State::After;
        list.empty = false;
        list.last = None;
        if reserved.is_some() || self.byte() == Some(b'(') {
            self.push(Frame::List(list));
            if self.start_compound(reserved) || self.start_definition(reserved) {
                return;
            }
            self.frames.pop();
        }
        let context = self.command_context(&list);
        let (id, simple) = self.start_simple(context);
        list.last = Some(id);
        self.push(Frame::List(list));
        self.simple(simple);
    }

    fn command_context(&self, list: &List) -> Context {
        let own = self.context();
        if own.outranks_operators() {
            return own;
        }
        match (list.stage, list.link) {
            (Some(_), _) => Context::Pipe,
            (None, Link::And) => Context::And,
            (None, Link::Or) => Context::Or,
            (None, Link::None | Link::Doubtful) => own,
        }
    }

    fn after_command(&mut self, mut list: List) {
        match self.peek() {
            None => self.end_list(list),
            Some(b'\n') => {
                self.end_pipeline(&mut list);
                list.state = State::Start;
                self.new_line |= self.frames.is_empty();
                self.push(Frame::List(list));
                self.newline();
            }
            Some(b')') if list.stop.at_paren() => self.end_list(list),
            Some(b'}') if list.stop == Stop::SubstBrace => self.end_list(list),
            Some(b';') if self.at_arm_end(list.stop) => self.end_list(list),
            Some(b';') if !self.looking_at(b";;") && !self.looking_at(b";&") => {
                // bash 5.2 prints a substitution and reads that; printing goes wrong here.
                let doubtful = self.place.terminator.is_some() && self.may_lose_semicolon(&list);
                self.end_pipeline(&mut list);
                self.bump();
                list.state = State::Start;
                if doubtful {
                    list.link = Link::Doubtful;
                }
                self.push(Frame::List(list));
            }
            Some(b'&' | b'|') => self.operator(list),
            // A compound command has just ended; only its reserved word may follow directly.
            Some(_) => match self.reserved() {
                Some((word, _)) if list.stop.at_reserved(word) => self.end_list(list),
                _ => self.unexpected(list),
            },
        }
    }

    fn operator(&mut self, mut list: List) {
        match (self.byte(), self.peek_second()) {
            (Some(b'&'), Some(b'&')) => self.end_with(&mut list, Context::And, Link::And),
            (Some(b'|'), Some(b'|')) => self.end_with(&mut list, Context::Or, Link::Or),
            (Some(b'|'), second) => {
                self.bump();
                if second == Some(b'&') {
                    self.flag_bashism();
                    self.bump();
                }
                self.end_of_stage(&mut list);
                list.state = State::Piped;
            }
            (_, second) => {
                // What redirects in bash is two operators in dash.
                if second == Some(b'>') {
                    self.flag_bashism();
                }
                self.bump();
                if self.zsh() && !self.eat(b"|") {
                    self.eat(b"!");
                }
                self.mark(&list, Context::Background);
                self.end_pipeline(&mut list);
                list.state = State::Start;
            }
        }
        self.push(Frame::List(list));
    }

    /// Ends a pipeline at `&&` or `||`.
    fn end_with(&mut self, list: &mut List, context: Context, link: Link) {
        self.bump();
        self.bump();
        self.mark(list, context);
        self.end_pipeline(list);
        list.link = link;
        list.state = State::Needed;
    }

    fn end_of_stage(&mut self, list: &mut List) {
        let (pipeline, index) = list.stage.unwrap_or_else(|| {
            let pipeline = self.pipelines;
            self.pipelines += 1;
            let stage = self.make_stage(pipeline, list.start);
            if let Some(data) = list.last.and_then(|id| self.command_mut(id)) {
                data.scope = stage;
            }
            (pipeline, 0)
        });
        if let Some(data) = list.last.and_then(|id| self.command_mut(id))
            && !data.context.outranks_operators()
        {
            data.context = Context::Pipe;
        }
        self.end_stage();
        self.next_stage(pipeline, index + 1);
        list.stage = Some((pipeline, index + 1));
        list.last = None;
    }

    /// Gives the command before an operator the context of that operator, if nothing else has.
    fn mark(&mut self, list: &List, context: Context) {
        let own = self.context();
        if let Some(data) = list.last.and_then(|id| self.command_mut(id))
            && data.context == own
            && !own.outranks_operators()
        {
            data.context = context;
        }
    }

    fn end_pipeline(&mut self, list: &mut List) {
        if list.stage.is_some() {
            self.end_stage();
        }
        list.stage = None;
        list.link = Link::None;
        list.last = None;
        self.place.stage = None;
    }

    fn complete(&mut self, mut list: List) {
        list.state = State::After;
        list.empty = false;
        self.push(Frame::List(list));
    }

    pub(super) fn end_list(&mut self, mut list: List) {
        let missing = match list.state {
            State::Needed | State::Piped => true,
            // At the end of the input there is a newline for the shell.
            State::Prefixed => self.peek().is_some() && !(list.timed && list.stop == Stop::Subst),
            State::Start | State::After => false,
        };
        let empty = list.empty && list.state == State::Start;
        if missing || empty && !list.stop.may_be_empty() && !self.zsh() {
            self.report(DiagnosticKind::MissingCommand);
        }
        self.end_pipeline(&mut list);
    }

    /// Skips a token that cannot stand here. What follows is listed all the same: nothing of it
    /// runs, unless the shell sees this place differently than we do.
    fn unexpected(&mut self, mut list: List) {
        self.report(DiagnosticKind::UnexpectedToken);
        let word = self.reserved().filter(|_| list.state != State::After);
        if let Some((_, end)) = word {
            self.pos = end;
        } else if matches!(self.byte(), Some(b';' | b'&' | b'|' | b')')) {
            self.bump();
        }
        self.end_pipeline(&mut list);
        list.state = State::Start;
        self.push(Frame::List(list));
    }

    fn at_arm_end(&self, stop: Stop) -> bool {
        match stop {
            Stop::Arm if self.zsh() => self.ends_arm(),
            Stop::Arm => self.looking_at(b";;") || self.looking_at(b";&"),
            Stop::BraceArm => self.ends_arm(),
            _ => false,
        }
    }

    /// Whether `&>` comes next and redirects. In dash it is `&` and then `>`.
    pub(super) fn redirects_both(&self) -> bool {
        self.options.dialect != Dialect::Sh && self.looking_at(b"&>")
    }
}
