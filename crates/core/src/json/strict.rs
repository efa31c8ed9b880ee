use super::{JsonError, JsonErrorKind};
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::cell::RefCell;
use std::fmt;

/// How deep arrays and objects may nest.
pub const MAX_DEPTH: usize = 64;

/// 2^53 - 1: the largest integer up to which every reader agrees (RFC 7493 §2.2).
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// Reads one JSON value, refusing what two readers could understand differently: duplicate keys,
/// integers beyond 2^53 - 1, and nesting beyond [`MAX_DEPTH`].
///
/// # Errors
/// With the place of the first thing refused.
pub fn parse_strict(text: &[u8]) -> Result<Value, JsonError> {
    let refused = RefCell::new(None);
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let seed = Strict {
        depth: 0,
        refused: &refused,
    };
    let parsed = seed.deserialize(&mut deserializer).and_then(|value| {
        deserializer.end()?;
        Ok(value)
    });
    parsed.map_err(|error| {
        let kind = refused
            .take()
            .unwrap_or_else(|| JsonErrorKind::Syntax(plain(&error)));
        JsonError {
            kind,
            line: error.line(),
            column: error.column(),
        }
    })
}

/// Refuses a value that did not come through [`parse_strict`] and would not have: a number that
/// other readers round, or nesting beyond [`MAX_DEPTH`].
pub(crate) fn check_value(object: &Map<String, Value>) -> Result<(), JsonErrorKind> {
    let mut rest: Vec<(&Value, usize)> = object.values().map(|value| (value, 1)).collect();
    while let Some((value, depth)) = rest.pop() {
        let inner = depth.saturating_add(1);
        match value {
            Value::Null | Value::Bool(_) | Value::String(_) => {}
            Value::Number(number) => check_number(number)?,
            Value::Array(_) | Value::Object(_) if depth >= MAX_DEPTH => {
                return Err(JsonErrorKind::Depth);
            }
            Value::Array(items) => rest.extend(items.iter().map(|item| (item, inner))),
            Value::Object(fields) => rest.extend(fields.values().map(|value| (value, inner))),
        }
    }
    Ok(())
}

fn check_number(number: &Number) -> Result<(), JsonErrorKind> {
    let exact = if let Some(value) = number.as_i64() {
        value.unsigned_abs() <= MAX_SAFE_INTEGER
    } else if let Some(value) = number.as_u64() {
        value <= MAX_SAFE_INTEGER
    } else {
        #[expect(clippy::cast_precision_loss, reason = "2^53 - 1 is exact in a double")]
        let limit = MAX_SAFE_INTEGER as f64;
        number.as_f64().is_some_and(|value| value.abs() <= limit)
    };
    if exact {
        Ok(())
    } else {
        Err(JsonErrorKind::Number(number.to_string()))
    }
}

/// The error's own words, without the place that it appends.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((words, _)) => words.to_owned(),
        None => text,
    }
}

/// A value at some depth. The first thing refused is kept beside serde's own error, which can
/// only carry text.
#[derive(Clone, Copy)]
struct Strict<'r> {
    depth: usize,
    refused: &'r RefCell<Option<JsonErrorKind>>,
}

impl Strict<'_> {
    fn refuse<E: de::Error>(&self, kind: JsonErrorKind) -> E {
        let error = E::custom(&kind);
        self.refused.replace(Some(kind));
        error
    }

    fn deeper<E: de::Error>(&self) -> Result<Self, E> {
        if self.depth >= MAX_DEPTH {
            return Err(self.refuse(JsonErrorKind::Depth));
        }
        Ok(Self {
            depth: self.depth.saturating_add(1),
            ..*self
        })
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        if value > MAX_SAFE_INTEGER {
            return Err(self.refuse(JsonErrorKind::Number(value.to_string())));
        }
        Ok(Value::Number(value.into()))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Value, E> {
        if value.unsigned_abs() > MAX_SAFE_INTEGER {
            return Err(self.refuse(JsonErrorKind::Number(value.to_string())));
        }
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        // Beyond 2^53 every double is an integer, and several decimal texts share one double.
        #[expect(clippy::cast_precision_loss, reason = "2^53 - 1 is exact in a double")]
        let limit = MAX_SAFE_INTEGER as f64;
        match Number::from_f64(value) {
            Some(number) if value.abs() <= limit => Ok(Value::Number(number)),
            _ => Err(self.refuse(JsonErrorKind::Number(value.to_string()))),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(inner)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if object.contains_key(&key) {
                return Err(self.refuse(JsonErrorKind::DuplicateKey(key)));
            }
            let value = entries.next_value_seed(inner)?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}
