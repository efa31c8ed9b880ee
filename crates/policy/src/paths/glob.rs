/// Whether a pattern with `*` (any run) and `?` (any one byte) matches the whole text.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    if !pattern.contains(['*', '?']) {
        return pattern == text;
    }
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut at, mut in_text) = (0_usize, 0_usize);
    let mut star: Option<(usize, usize)> = None;
    while let Some(&found) = text.get(in_text) {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, in_text));
                at = at.saturating_add(1);
            }
            Some(&wanted) if wanted == b'?' || wanted == found => {
                at = at.saturating_add(1);
                in_text = in_text.saturating_add(1);
            }
            _ => {
                // Let the last star take one byte more.
                let Some((star_at, taken)) = star else {
                    return false;
                };
                let taken = taken.saturating_add(1);
                star = Some((star_at, taken));
                at = star_at.saturating_add(1);
                in_text = taken;
            }
        }
    }
    pattern
        .get(at..)
        .unwrap_or_default()
        .iter()
        .all(|&byte| byte == b'*')
}

/// Whether a pattern and a path agree in what they begin with: most do not, in the first letters
/// already, and need no closer look.
#[inline]
pub(crate) fn may_match(pattern: &str, path: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.');
    for (wanted, found) in pattern.bytes().zip(path.bytes()).take(4) {
        if !plain(wanted) || !plain(found) {
            return true;
        }
        if wanted != found {
            return false;
        }
    }
    true
}

/// Whether a pattern matches an absolute path, component by component. `**/` may stand at its
/// beginning for any directories, and `/**` at its end for everything below, and the place itself.
pub(crate) fn matches_place(pattern: &str, path: &str) -> bool {
    let (pattern, below) = match pattern.strip_suffix("/**") {
        Some(rest) => (rest, true),
        None => (pattern, false),
    };
    let Some(rest) = pattern.strip_prefix("**/") else {
        return begins(pattern, path, below);
    };
    let mut from = path;
    loop {
        if begins(rest, from, below) {
            return true;
        }
        match from.split_once('/') {
            Some((_, deeper)) => from = deeper,
            None => return false,
        }
    }
}

fn begins(pattern: &str, path: &str, below: bool) -> bool {
    let mut found = path.split('/');
    let same = |part: &str, name: &str| {
        if super::has_wildcards(name) {
            // A shell wildcard does not match a leading dot.
            !(part.starts_with('.') && name.starts_with(['*', '?', '['])) && intersects(name, part)
        } else {
            matches(part, name)
        }
    };
    let fits = pattern
        .split('/')
        .all(|part| found.next().is_some_and(|name| same(part, name)));
    fits && (below || found.next().is_none())
}

/// Whether a pattern matches a path: `*` stays within a component, `**` crosses them wherever it
/// stands, and a pattern that ends in `/**` also matches the directory itself.
pub(crate) fn matches_path(pattern: &str, path: &str) -> bool {
    let pattern: Vec<&str> = pattern.split('/').collect();
    // The positions in the pattern that can be reached after each component.
    let mut states = vec![0_usize];
    advance(&pattern, &mut states);
    for component in path.split('/') {
        let mut next = Vec::new();
        for &state in &states {
            match pattern.get(state) {
                Some(&"**") => next.push(state),
                Some(part) if matches(part, component) => next.push(state.saturating_add(1)),
                _ => {}
            }
        }
        advance(&pattern, &mut next);
        states = next;
    }
    states.contains(&pattern.len())
}

/// `**` may also stand for nothing.
fn advance(pattern: &[&str], states: &mut Vec<usize>) {
    let mut at = 0;
    while let Some(&state) = states.get(at) {
        let skipped = state.saturating_add(1);
        if pattern.get(state) == Some(&"**") && !states.contains(&skipped) {
            states.push(skipped);
        }
        at = at.saturating_add(1);
    }
    states.sort_unstable();
    states.dedup();
}

/// Whether some text matches both patterns. A bracket expression in `typed` counts as any one
/// character, so a doubt is a match.
pub(crate) fn intersects(typed: &str, listed: &str) -> bool {
    if !super::has_wildcards(typed) {
        return matches(listed, typed);
    }
    let typed = brackets_to_any(typed);
    let listed: Vec<char> = listed.chars().collect();
    // reachable[j]: after the characters of `typed` so far, `listed[j..]` is what is left.
    let width = listed.len().saturating_add(1);
    let mut reachable = vec![false; width];
    mark(&mut reachable, 0, &listed);
    for &c in &typed {
        let mut next = vec![false; width];
        for (at, _) in reachable
            .iter()
            .enumerate()
            .filter(|(_, reached)| **reached)
        {
            step(c, at, &listed, &mut next);
        }
        reachable = next;
    }
    reachable.last().copied().unwrap_or(false)
}

/// Where one character of `typed` can lead from position `at` of `listed`.
fn step(c: char, at: usize, listed: &[char], next: &mut [bool]) {
    if c == '*' {
        (at..=listed.len()).for_each(|to| mark(next, to, listed));
        return;
    }
    match listed.get(at) {
        Some('*') => mark(next, at, listed),
        Some(&other) if c == '?' || other == '?' || c == other => {
            mark(next, at.saturating_add(1), listed);
        }
        _ => {}
    }
}

/// Marks a position, and those behind stars that may stand for nothing.
fn mark(reachable: &mut [bool], mut at: usize, listed: &[char]) {
    while let Some(place) = reachable.get_mut(at) {
        *place = true;
        if listed.get(at) != Some(&'*') {
            return;
        }
        at = at.saturating_add(1);
    }
}

/// A bracket expression or an extended pattern counts as any text: what it holds can be spelled in
/// more ways than are worth reading.
fn brackets_to_any(pattern: &str) -> Vec<char> {
    let open = pattern.find(['[', '(']);
    let close = pattern.rfind([']', ')']);
    match (open, close) {
        (Some(open), Some(close)) if open < close => {
            let before = pattern.get(..open).unwrap_or_default();
            let before = before
                .strip_suffix(['@', '!', '+', '?', '*'])
                .unwrap_or(before);
            let after = pattern.get(close.saturating_add(1)..).unwrap_or_default();
            before.chars().chain(['*']).chain(after.chars()).collect()
        }
        _ => pattern.chars().collect(),
    }
}
