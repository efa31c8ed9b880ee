use super::{Known, Value, env};
use crate::knowledge::{self, Node, Operand, Opt, ParseStyle, Role, Verbs};
use crate::paths;
use std::rc::Rc;

/// The arguments of a call, told apart by what is known of its program.
#[derive(Debug)]
pub(super) struct Arguments<'v> {
    pub(super) program: &'static Node,
    /// The innermost subcommand; the program itself when it has none.
    pub(super) node: &'static Node,
    /// The verbs that its operands may name.
    pub(super) verbs: Option<&'static Verbs>,
    /// The subcommands' names, outermost first.
    pub(super) path: Vec<&'static str>,
    /// Options in the order given, each with its value.
    pub(super) options: Vec<Given<'v>>,
    /// Everything else, as indices into the words.
    pub(super) operands: Vec<usize>,
    /// `--` stood among the words.
    pub(super) separated: bool,
    /// Words that look like options but are not known, or cannot be told from options.
    pub(super) unknown: Vec<&'v Value>,
    /// An abbreviation stands for more than one option: the program says so and ends.
    pub(super) ambiguous: bool,
    words: &'v [Value],
}

impl Arguments<'_> {
    /// How many conditions of a search are joined so that one is enough, and whether any is turned
    /// round; `None` where that cannot be told.
    pub(super) fn joins(&self) -> Option<(usize, bool)> {
        let mut either = 0_usize;
        let mut negated = false;
        for word in self.words {
            match word.exact() {
                Some("-o" | "-or" | ",") => either = either.saturating_add(1),
                Some("!" | "-not" | "--exclude") => negated = true,
                None if word.known == Known::Nothing || word.text.starts_with('-') => return None,
                _ => {}
            }
        }
        Some((either, negated))
    }
}

/// One option that was given.
#[derive(Debug)]
pub(super) struct Given<'v> {
    pub(super) option: &'static Opt,
    /// The name it was given by.
    pub(super) name: &'static str,
    /// Its value, for a role that is one word.
    pub(super) value: Option<Value>,
    /// The words of a command, for a role that is several.
    pub(super) command: &'v [Value],
}

/// An option and the name that it was found by.
#[derive(Debug, Clone, Copy)]
struct Named {
    option: &'static Opt,
    name: &'static str,
}

/// Splits the words after the program's name.
pub(super) fn split<'v>(program: &'static Node, words: &'v [Value]) -> Arguments<'v> {
    let mut split = Arguments {
        program,
        node: program,
        verbs: program.verbs.as_ref(),
        path: Vec::new(),
        options: Vec::new(),
        operands: Vec::new(),
        separated: false,
        unknown: Vec::new(),
        ambiguous: false,
        words,
    };
    let mut outer: Vec<&'static Node> = Vec::new();
    let mut at = 1;
    while let Some(word) = words.get(at) {
        at = at.saturating_add(1);
        if split.node.parse == ParseStyle::Raw {
            split.operands.push(at.saturating_sub(1));
        } else if word.exact() == Some("--") {
            // Before the subcommand it separates nothing.
            let next = words.get(at).filter(|_| split.path.is_empty());
            if next.is_some_and(|next| split.subcommand(next).is_some()) {
                continue;
            }
            split.separated = true;
            let alone = split.is_env() && words.get(at).and_then(Value::exact) == Some("-");
            split
                .operands
                .extend(at.saturating_add(usize::from(alone))..words.len());
            break;
        } else if split.is_env() && word.exact() == Some("-") {
            split.operands.extend(at..words.len());
            break;
        } else if split.is_env() && split.takes_assignment(word) && !looks_like_option(word) {
            split.operands.extend(at.saturating_sub(1)..words.len());
            break;
        } else if split.node.parse == ParseStyle::Assignments {
            split.assignment(word, at.saturating_sub(1));
        } else if looks_like_option(word) {
            at = split.option(word, at, &outer);
        } else if let Some(sub) = split.subcommand(word) {
            outer.push(split.node);
            split.node = sub;
            split.verbs = sub
                .verbs
                .as_ref()
                .or(split.verbs.filter(|_| sub.is_group()));
            split.path.extend(sub.names.first());
        } else {
            split.operand(word, at.saturating_sub(1));
            if split.node.stop_at_operand && !split.is_assignment_operand(word) {
                split.operands.extend(at..words.len());
                break;
            }
        }
    }
    split
}

fn looks_like_option(word: &Value) -> bool {
    word.text.len() > 1 && word.text.starts_with('-') && word.known != super::Known::Nothing
        || word.text.len() > 1
            && word.text.starts_with('+')
            && word.known == super::Known::Whole
            && !word.text.contains(['/', ':'])
}

impl<'v> Arguments<'v> {
    pub(super) fn word(&self, index: usize) -> Option<&'v Value> {
        self.words.get(index)
    }

    /// The words of the call, its program first.
    pub(super) fn words(&self) -> &'v [Value] {
        self.words
    }

    pub(super) fn rest(&self, index: usize) -> &'v [Value] {
        self.words.get(index..).unwrap_or_default()
    }

    /// Whether one of these options was given, by exactly one of these names: a table of options
    /// may list several that merely need no telling apart.
    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|given| names.contains(&given.name))
    }

    /// Whether one of these options was given; `--name=value` stands for one that was given with that
    /// value alone, and `--name=` for one without any.
    pub(super) fn selects(&self, options: &[&str]) -> bool {
        self.has(options)
            || options.iter().any(|option| {
                let wanted = |given: &Given<'_>| {
                    let rest = option.strip_prefix(given.name)?;
                    rest.strip_prefix('=').filter(|_| !given.name.contains('='))
                };
                let mut named = self.options.iter();
                let named = named.find_map(|given| Some((given, wanted(given)?)));
                let Some((named, wanted)) = named else {
                    return false;
                };
                let has_it = |given: &Given<'_>| match &given.value {
                    Some(value) => value.exact() == Some(wanted),
                    None => wanted.is_empty(),
                };
                let same = |given: &&Given<'_>| std::ptr::eq(given.option, named.option);
                self.options.iter().filter(same).all(has_it)
            })
    }

    /// The `NAME=value` words that it sets for the command that it runs.
    pub(super) fn assignments(&self) -> Vec<String> {
        let takes = |slot: &Operand| slot.role == Role::Assign;
        let takes = self.node.operands.first().is_some_and(takes);
        self.operands
            .iter()
            .filter_map(|&index| self.word(index))
            .take_while(|word| takes && self.takes_assignment(word))
            .map(|word| word.shown().to_owned())
            .collect()
    }

    fn subcommand(&self, word: &Value) -> Option<&'static Node> {
        if !self.operands.is_empty() || self.node.subcommands.is_empty() {
            return None;
        }
        knowledge::subcommand(self.node, word.exact()?)
    }

    /// `NAME=value` before a command does not end the options.
    fn is_assignment_operand(&self, word: &Value) -> bool {
        self.node
            .operands
            .first()
            .is_some_and(|operand| operand.role == Role::Assign)
            && self.takes_assignment(word)
    }

    /// `env` takes no options after `-` or the first assignment, unlike `sudo`.
    fn is_env(&self) -> bool {
        self.node.names.first() == Some(&"env")
    }

    /// Whether it takes a word for `NAME=value` rather than for the command.
    pub(super) fn takes_assignment(&self, word: &Value) -> bool {
        if self.is_env() {
            env::is_assignment(word)
        } else {
            is_assignment(word)
        }
    }

    fn is_shell(&self) -> bool {
        self.node.names.first() == Some(&"bash")
    }

    fn operand(&mut self, word: &'v Value, index: usize) {
        // What is not known at all may be an option.
        let open =
            word.known == super::Known::Nothing || &*word.text == "-" && word.exact().is_none();
        let acts = |slot: &Operand| !slot.effects.is_empty();
        let more = || word.many && self.node.operands.iter().any(acts);
        let option = || !self.separated && self.has_effective_option();
        if open && (more() || option() || self.has_effective_subcommand()) {
            self.unknown.push(word);
        }
        self.operands.push(index);
    }

    /// Some option of the program does more than change what is shown.
    fn has_effective_option(&self) -> bool {
        let acts = |option: &Opt| {
            let plain = matches!(
                option.value,
                None | Some(Role::Text | Role::Read | Role::Dir)
            );
            !plain || !option.effects.is_empty() || !option.tags.is_empty()
        };
        let mut modes = self.node.modes.iter();
        self.node.options.iter().any(acts) || modes.any(|mode| !mode.reads)
    }

    /// What stands where a subcommand may could be one that does more than read.
    fn has_effective_subcommand(&self) -> bool {
        let acts = |node: &Node| !node.reads || !node.effects.is_empty() || !node.tags.is_empty();
        self.operands.is_empty() && self.node.subcommands.iter().any(acts)
    }

    fn assignment(&mut self, word: &'v Value, index: usize) {
        let (name, value) = word.text.split_once('=').unwrap_or((&word.text, ""));
        match self.find(name, &[]) {
            Some(Named { option, name }) => {
                let value = Value {
                    text: value.into(),
                    ..word.clone()
                };
                self.options.push(Given {
                    option,
                    name,
                    value: Some(value),
                    command: &[],
                });
            }
            None => self.operand(word, index),
        }
    }

    /// Takes one option and what belongs to it; returns the index of the next word.
    fn option(&mut self, word: &'v Value, next: usize, outer: &[&'static Node]) -> usize {
        let text = &*word.text;
        // An option that is only known to its beginning may be another, or carry more of them.
        if word.known != super::Known::Whole && !text.contains('=') {
            self.unknown.push(word);
            if text.starts_with("--") {
                return next;
            }
        }
        let (name, attached) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        if let Some(named) = self.find(text, outer) {
            return self.take(named, None, word, next);
        }
        if attached.is_some()
            && let Some(named) = self.find(name, outer)
        {
            return self.take(named, attached, word, next);
        }
        if self.node.parse == ParseStyle::Gnu {
            if text.starts_with("--") {
                if let Some(named) = self.abbreviated(name, outer) {
                    return self.take(named, attached, word, next);
                }
            } else if text.starts_with('-') || self.is_shell() {
                return self.cluster(word, next, outer);
            } else {
                self.operand(word, next.saturating_sub(1));
                return next;
            }
        }
        self.unknown.push(word);
        next
    }

    /// `-abc`: each letter an option, the first that takes a value taking the rest.
    fn cluster(&mut self, word: &'v Value, mut next: usize, outer: &[&'static Node]) -> usize {
        let letters = word.text.char_indices().skip(1);
        for (at, letter) in letters {
            // `+n` takes `-n` back, which is the default; `+c` is `-c`.
            if letter == 'n' && word.text.starts_with('+') {
                continue;
            }
            let Some(named) = self.find_letter(letter, outer) else {
                self.unknown.push(word);
                return next;
            };
            let Named { option, name } = named;
            let rest = word
                .text
                .get(at.saturating_add(letter.len_utf8())..)
                .unwrap_or_default();
            if option.value.is_some() && self.is_shell() && !self.attaches() && !rest.is_empty() {
                // The value is the next word, and more options follow in this one.
                self.options.push(Given {
                    option,
                    name,
                    value: self.words.get(next).cloned(),
                    command: &[],
                });
                next = next.saturating_add(1);
                continue;
            }
            if option.value.is_some() {
                let attached =
                    (!rest.is_empty() || word.known != super::Known::Whole).then_some(rest);
                next = self.take(named, attached, word, next);
                return next;
            }
            self.options.push(Given {
                option,
                name,
                value: None,
                command: &[],
            });
        }
        if word.known != super::Known::Whole {
            self.unknown.push(word);
        }
        next
    }

    /// Of the shells, zsh alone takes the value of `-o` from the same word.
    fn attaches(&self) -> bool {
        let name = self.words.first().and_then(Value::exact);
        name.is_some_and(|name| paths::base_name(name) == "zsh")
    }

    fn take(
        &mut self,
        named: Named,
        attached: Option<&str>,
        word: &'v Value,
        next: usize,
    ) -> usize {
        let Named { option, name } = named;
        let Some(role) = option.value else {
            // What it does with a value that it does not take is not known.
            if attached.is_some_and(|value| !value.is_empty()) {
                self.unknown.push(word);
            }
            self.options.push(Given {
                option,
                name,
                value: None,
                command: &[],
            });
            return next;
        };
        if let Some(text) = attached {
            let mut value = Value {
                text: text.into(),
                ..word.clone()
            };
            value.code = after(&word.code, &value.text, &word.text);
            value.source = if word.literal {
                Rc::clone(&value.text)
            } else {
                Rc::clone(&word.source)
            };
            self.options.push(Given {
                option,
                name,
                value: Some(value),
                command: &[],
            });
            return next;
        }
        if option.optional {
            self.options.push(Given {
                option,
                name,
                value: None,
                command: &[],
            });
            return next;
        }
        let next = next.saturating_add(usize::from(option.named));
        if option.named && word_is_open(self.words.get(next.saturating_sub(1))) {
            self.unknown.push(word);
        }
        let rest = self.words.get(next..).unwrap_or_default();
        match role {
            Role::RunUntil => {
                let find = self.node.names.first() == Some(&"find");
                let end = rest
                    .iter()
                    .enumerate()
                    .position(|(at, word)| ends_command(word, at, rest, find))
                    .unwrap_or(rest.len());
                let command = rest.get(..end).unwrap_or_default();
                self.options.push(Given {
                    option,
                    name,
                    value: None,
                    command,
                });
                next.saturating_add(end).saturating_add(1)
            }
            Role::Run => {
                self.options.push(Given {
                    option,
                    name,
                    value: None,
                    command: rest,
                });
                self.words.len()
            }
            _ => {
                // Where one letter means this to one verb and that to another, it may take none.
                let doubtful = rest.first().filter(|value| {
                    self.verbs.is_some() && value.text.len() > 1 && value.text.starts_with('-')
                });
                self.unknown.extend(doubtful);
                self.options.push(Given {
                    option,
                    name,
                    value: rest.first().cloned(),
                    command: &[],
                });
                next.saturating_add(1)
            }
        }
    }

    /// The options that are understood here, those of the innermost subcommand first.
    fn options_here<'o>(
        &self,
        outer: &'o [&'static Node],
    ) -> impl Iterator<Item = &'static Opt> + use<'o> {
        let before_all = self.path.is_empty() && self.operands.is_empty();
        let inherited = outer
            .iter()
            .rev()
            .flat_map(|node| node.options)
            .filter(|option| option.global);
        self.node
            .options
            .iter()
            .chain(inherited)
            .filter(move |option| !(option.late && before_all))
    }

    fn find(&self, name: &str, outer: &[&'static Node]) -> Option<Named> {
        self.options_here(outer).find_map(|option| {
            let name = option.names.iter().find(|known| **known == name)?;
            Some(Named { option, name })
        })
    }

    /// An option of one letter.
    fn find_letter(&self, letter: char, outer: &[&'static Node]) -> Option<Named> {
        let is_it = |name: &&&str| {
            let mut letters = name.strip_prefix('-').unwrap_or_default().chars();
            letters.next() == Some(letter) && letters.next().is_none()
        };
        self.options_here(outer).find_map(|option| {
            let name = option.names.iter().find(is_it)?;
            Some(Named { option, name })
        })
    }

    /// A long option by a beginning that no other shares.
    fn abbreviated(&mut self, name: &str, outer: &[&'static Node]) -> Option<Named> {
        let mut found = self.options_here(outer).flat_map(|option| {
            let names = option
                .names
                .iter()
                .filter(|known| name.len() > 2 && known.starts_with(name));
            names.map(move |name| Named { option, name })
        });
        let first = found.next()?;
        self.ambiguous = found.next().is_some();
        (!self.ambiguous).then_some(first)
    }
}

/// Whether it is not known how many words stand here.
fn word_is_open(word: Option<&Value>) -> bool {
    word.is_none_or(|word| word.known != super::Known::Whole || word.glob)
}

/// `;` ends the command of `find -exec` and `fd -x`; for `find`, so does `+` right after `{}`.
fn ends_command(word: &Value, at: usize, words: &[Value], find: bool) -> bool {
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    match word.exact() {
        Some(";") => true,
        Some("+") if find => before.and_then(Value::exact) == Some("{}"),
        _ => false,
    }
}

/// The end of a word's code form that stands for an attached value.
fn after(code: &str, value: &Rc<str>, whole: &str) -> Rc<str> {
    let head = whole.len().saturating_sub(value.len());
    match code.get(head..) {
        Some(rest) if rest != &**value => rest.into(),
        _ => Rc::clone(value),
    }
}

/// `NAME=value`, as `env` takes it.
pub(super) fn is_assignment(word: &Value) -> bool {
    word.text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && !name.starts_with('-')
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    })
}
