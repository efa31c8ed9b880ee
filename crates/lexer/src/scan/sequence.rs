//! The sequences of brace expansion: `1..5`, `05..15..5`, `a..e`.

/// More elements than allowed.
pub(super) struct TooLong;

/// The elements of the sequence that `text` describes, if it does.
pub(super) fn sequence(text: &[u8], most: usize) -> Option<Result<Vec<Vec<u8>>, TooLong>> {
    let text = std::str::from_utf8(text).ok()?;
    let mut fields = text.split("..");
    let (first, last) = (fields.next()?, fields.next()?);
    let step = match fields.next() {
        Some(step) => integer(step)?,
        None => 1,
    };
    if fields.next().is_some() {
        return None;
    }
    if let (Some(first), Some(last)) = (letter(first), letter(last)) {
        // Between the cases lie bytes that mean something to the shell.
        if first.is_ascii_uppercase() != last.is_ascii_uppercase() {
            return Some(Err(TooLong));
        }
        let elements = range(i64::from(first), i64::from(last), step, most);
        return Some(elements.map(|all| {
            all.into_iter()
                .filter_map(|value| Some(vec![u8::try_from(value).ok()?]))
                .collect()
        }));
    }
    let (from, to) = (integer(first)?, integer(last)?);
    let width = if is_padded(first) || is_padded(last) {
        first.len().max(last.len())
    } else {
        0
    };
    let elements = range(from, to, step, most);
    Some(elements.map(|all| {
        all.into_iter()
            .map(|value| format!("{value:0width$}").into_bytes())
            .collect()
    }))
}

fn range(first: i64, last: i64, step: i64, most: usize) -> Result<Vec<i64>, TooLong> {
    let size = step.checked_abs().ok_or(TooLong)?.max(1);
    let distance = last
        .checked_sub(first)
        .and_then(i64::checked_abs)
        .ok_or(TooLong)?;
    let count = usize::try_from(distance / size).map_err(|_| TooLong)?;
    if count >= most {
        return Err(TooLong);
    }
    let step = if last < first { -size } else { size };
    Ok(
        std::iter::successors(Some(first), |value| value.checked_add(step))
            .take(count + 1)
            .collect(),
    )
}

fn letter(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [byte] if byte.is_ascii_alphabetic() => Some(*byte),
        _ => None,
    }
}

fn integer(text: &str) -> Option<i64> {
    text.parse().ok()
}

fn is_padded(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    digits.len() > 1 && digits.starts_with('0')
}
