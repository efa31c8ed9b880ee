//! Changes to the user's configuration file: only what must change, everything else byte for byte.

use super::layers::would_fit;
use super::{ConfigFile, parse};
use crate::install::SettingsFile;
use crate::paths::Dirs;
use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

/// The user's configuration file, open for changes.
#[derive(Debug)]
pub(crate) struct Edit {
    file: SettingsFile,
    document: DocumentMut,
}

impl Edit {
    /// Opens it; a file that is not there is an empty one.
    pub(crate) fn open(dirs: &Dirs) -> Result<Self, String> {
        let path = dirs.config_file();
        let file = SettingsFile::read(&path).map_err(|error| error.to_string())?;
        let text = file.text.as_deref().unwrap_or_default();
        // A file that does not hold together is mended by a person, not written over.
        let _checked: ConfigFile =
            parse(text).map_err(|error| format!("{}: {error}", path.display()))?;
        let document = text
            .parse::<DocumentMut>()
            .map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self { file, document })
    }

    /// Sets a value in a table, making the tables on the way.
    pub(crate) fn set(&mut self, tables: &[&str], key: &str, value: Value) -> Result<(), String> {
        let table = self.table(tables)?;
        match table.get_mut(key).and_then(Item::as_value_mut) {
            Some(old) => {
                // What is written around the old value stays.
                let decor = old.decor().clone();
                *old = value;
                *old.decor_mut() = decor;
            }
            None => {
                table.insert(key, Item::Value(value));
            }
        }
        Ok(())
    }

    /// A table, made where it is missing.
    pub(crate) fn table(&mut self, tables: &[&str]) -> Result<&mut dyn TableLike, String> {
        let mut at = self.document.as_table_mut() as &mut dyn TableLike;
        for (depth, name) in tables.iter().enumerate() {
            let item = at.entry(name).or_insert_with(|| {
                let mut table = Table::new();
                // Only the innermost is written out.
                table.set_implicit(depth + 1 < tables.len());
                Item::Table(table)
            });
            at = item
                .as_table_like_mut()
                .ok_or_else(|| format!("`{}` is not a table", tables.join(".")))?;
        }
        Ok(at)
    }

    /// Takes a key out of a table, and the table when nothing is left in it; whether the key was
    /// there.
    pub(crate) fn remove(&mut self, tables: &[&str], key: &str) -> bool {
        let removed = self.take(tables, key);
        if let (true, Some((table, above))) = (removed, tables.split_last())
            && self.table(tables).is_ok_and(|table| table.is_empty())
        {
            self.take(above, table);
        }
        removed
    }

    fn take(&mut self, tables: &[&str], key: &str) -> bool {
        let mut at = self.document.as_table_mut() as &mut dyn TableLike;
        for name in tables {
            let Some(next) = at.get_mut(name).and_then(Item::as_table_like_mut) else {
                return false;
            };
            at = next;
        }
        at.remove(key).is_some()
    }

    /// Writes the file, whole or not at all, and only what could be loaded afterwards: a file that
    /// cannot be denies every call.
    pub(crate) fn write(self, dirs: &Dirs) -> Result<(), String> {
        let text = self.document.to_string();
        let changed: ConfigFile =
            parse(&text).map_err(|error| format!("the changed configuration: {error}"))?;
        would_fit(dirs, changed)
            .map_err(|problem| format!("nothing was changed, since {problem}"))?;
        self.file.replace(&text).map_err(|error| error.to_string())
    }
}

/// A `KEY=VALUE` of the command line; `a.b=c` sets `b` in the table `a`. A value that is no TOML value
/// is a string.
pub(crate) fn assignment(text: &str) -> Result<(Vec<String>, Value), String> {
    let (key, value) = text
        .split_once('=')
        .ok_or_else(|| format!("`{text}` is not of the form KEY=VALUE"))?;
    let keys: Vec<String> = key.split('.').map(str::to_owned).collect();
    if keys.iter().any(String::is_empty) {
        return Err(format!("`{text}` has an empty key"));
    }
    let value = match value.parse::<Value>() {
        Ok(parsed) if is_meant(&parsed) => parsed,
        // Whoever opens a list, a table or a quote means no word.
        Err(error) if value.starts_with(['[', '{', '"']) => {
            return Err(format!(
                "`{key}`: `{value}` is not TOML: {}",
                error.message()
            ));
        }
        _ => Value::from(value),
    };
    Ok((keys, value))
}

/// TOML has words for dates and for what is no number; whoever types them means text.
fn is_meant(value: &Value) -> bool {
    match value {
        Value::Datetime(_) => false,
        Value::Float(number) => number.value().is_finite(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::assignment;

    #[test]
    fn what_a_value_is() {
        for (text, shown) in [
            ("a=1", "a 1"),
            ("a=1.5", "a 1.5"),
            ("a=true", "a true"),
            ("a=gpt-5-mini", "a \"gpt-5-mini\""),
            ("a=\"1\"", "a \"1\""),
            ("a=[\"x\", 2]", "a [\"x\", 2]"),
            ("a.b={ c = 1 }", "a.b { c = 1 }"),
            ("a=", "a \"\""),
            ("a=b=c", "a \"b=c\""),
            ("a=nan", "a \"nan\""),
            ("a=inf", "a \"inf\""),
            ("a=2026-11-30", "a \"2026-11-30\""),
            (
                "a=http://127.0.0.1:8080/v1",
                "a \"http://127.0.0.1:8080/v1\"",
            ),
        ] {
            let (keys, value) = assignment(text).expect(text);
            assert_eq!(format!("{} {value}", keys.join(".")), shown, "{text}");
        }
        for text in ["a", "=1", "a.=1", ".a=1", "", "a=[\"x\"", "a={b", "a=\"b"] {
            assert!(assignment(text).is_err(), "{text}");
        }
    }
}
