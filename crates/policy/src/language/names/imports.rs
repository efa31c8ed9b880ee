//! What a program takes in: `import`, `from`, `require`.

use super::{Names, chain, has_class};
use crate::language::tables::Table;
use crate::language::tokens::{Code, Token};

impl Names {
    pub(super) fn imports(&mut self, table: &Table, code: &Code, index: usize) {
        for at in 0..code.tokens.len() {
            let Some(name) = code.get(at).and_then(Token::name) else {
                continue;
            };
            let starts = at == 0
                || code.before(at).is_some_and(|token| {
                    *token == Token::End || token.is_any(&[";", ":", "{", "}"])
                });
            if !starts || !matches!(name, "import" | "from") {
                continue;
            }
            // In a class the name is a member, by which the module is reached elsewhere.
            self.unclear |= has_class(code, at);
            let Some(end) = code.statement_end(at) else {
                self.unclear = true;
                continue;
            };
            let read = match table.name {
                "python" => self.python_import(table, code, (at, end)),
                "javascript" if name == "import" && !code.is(at.saturating_add(1), "(") => {
                    self.javascript_import(table, code, (at, end))
                }
                _ => continue,
            };
            if read.is_none() {
                self.unclear = true;
            }
            self.mark(index, at, end);
        }
    }

    /// `import a.b as c, d` and `from a import b as c, d`.
    fn python_import(
        &mut self,
        table: &Table,
        code: &Code,
        (at, end): (usize, usize),
    ) -> Option<()> {
        let mut from = at.saturating_add(1);
        let mut module = None;
        if code.get(at)?.is_name("from") {
            let chain = chain(code, from, &["."])?;
            let name = chain.parts.join(".");
            table.has_module(&name).then_some(())?;
            self.modules.insert(name.clone());
            module = Some(name);
            code.get(chain.end)?.is_name("import").then_some(())?;
            from = chain.end.saturating_add(1);
        }
        let mut to = end;
        if code.is(from, "(") {
            to = code.partner(from)?;
            from = from.saturating_add(1);
        }
        for (from, to) in code.split(from, to, ",") {
            let chain = chain(code, from, &["."])?;
            let name = chain.parts.join(".");
            let first = chain.parts.first()?;
            let shown = match to.saturating_sub(chain.end) {
                0 => None,
                2 if code.get(chain.end)?.is_name("as") => code.get(to.saturating_sub(1))?.name(),
                _ => return None,
            };
            if let Some(module) = &module {
                let target = format!("{module}.{name}");
                table.entry(&target)?;
                self.take(shown.unwrap_or(&name), &target);
            } else {
                table.has_module(&name).then_some(())?;
                self.modules.insert(name.clone());
                let target = if shown.is_some() { &name } else { first };
                self.take(shown.unwrap_or(first), target);
            }
        }
        Some(())
    }

    /// `import a, {b as c} from "x"`, `import * as a from "x"`.
    fn javascript_import(
        &mut self,
        table: &Table,
        code: &Code,
        (at, end): (usize, usize),
    ) -> Option<()> {
        let last = end.checked_sub(1)?;
        let Token::Text { text, whole: true } = code.get(last)? else {
            return None;
        };
        let module = module_name(text);
        table.has_module(&module).then_some(())?;
        let from = at.saturating_add(1);
        if from == last {
            return Some(());
        }
        let to = last.checked_sub(1)?;
        code.get(to)?.is_name("from").then_some(())?;
        for (from, to) in code.split(from, to, ",") {
            match code.get(from)? {
                Token::Sign("{") => self.members_taken(table, code, from, &module)?,
                Token::Sign("*") => {
                    let name = code.get(to.checked_sub(1)?)?.name()?;
                    self.take(name, &module);
                }
                Token::Name(name) if to.saturating_sub(from) == 1 => self.take(name, &module),
                _ => return None,
            }
        }
        Some(())
    }

    /// `{a, b: c, d as e}` of a module.
    pub(super) fn members_taken(
        &mut self,
        table: &Table,
        code: &Code,
        open: usize,
        module: &str,
    ) -> Option<()> {
        for (from, to) in code.parts(open) {
            let name = code.get(from)?.name()?;
            let target = if name == "default" {
                module.to_owned()
            } else {
                format!("{module}.{name}")
            };
            table.entry(&target)?;
            match to.saturating_sub(from) {
                1 => self.take(name, &target),
                3 => {
                    let between = code.get(from.saturating_add(1))?;
                    (between.is(":") || between.is_name("as")).then_some(())?;
                    self.take(code.get(to.saturating_sub(1))?.name()?, &target);
                }
                _ => return None,
            }
        }
        Some(())
    }
}

/// `require("x")`, and where it ends.
pub(super) fn required(code: &Code, at: usize) -> Option<(String, usize)> {
    let open = at.saturating_add(1);
    let text = at.saturating_add(2);
    let close = at.saturating_add(3);
    if !code.get(at)?.is_name("require") || !code.is(open, "(") || !code.is(close, ")") {
        return None;
    }
    match code.get(text)? {
        Token::Text { text, whole: true } => Some((module_name(text), at.saturating_add(4))),
        _ => None,
    }
}

/// The name that the tables give to a module of JavaScript.
fn module_name(text: &str) -> String {
    text.strip_prefix("node:").unwrap_or(text).replace('/', ".")
}
