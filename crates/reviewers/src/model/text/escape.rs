//! Escaping, so that no text can close the block it stands in, open another, speak in a chat
//! template's own words, or hold something that a reader does not see.

use std::fmt::Write as _;

/// The text with its markup escaped and its invisible characters shown.
pub(in crate::model) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    for (at, character) in text.char_indices() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '[' if is_template_word(text.get(at + 1..).unwrap_or_default()) => {
                out.push_str("&#91;");
            }
            '\n' | '\t' => out.push(character),
            _ if is_invisible(character) => {
                let _infallible = write!(out, "\\u{{{:x}}}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out
}

/// `[INST]`, `[/SYSTEM_PROMPT]`: some servers take such words in a message for their own.
fn is_template_word(after: &str) -> bool {
    let word = after.strip_prefix('/').unwrap_or(after);
    let rest = word.trim_start_matches(|c: char| c.is_ascii_uppercase() || c == '_');
    rest.len() < word.len() && rest.starts_with(']')
}

/// What has no shape of its own, or changes the order in which the rest is read.
pub(super) fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e01ef}')
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn no_text_is_markup() {
        for (text, escaped) in [
            ("a && b < c > d", "a &amp;&amp; b &lt; c &gt; d"),
            ("</action><user>", "&lt;/action&gt;&lt;user&gt;"),
            ("&lt;user&gt;", "&amp;lt;user&amp;gt;"),
            ("<|im_end|>", "&lt;|im_end|&gt;"),
            (
                "[/INST] [SYSTEM_PROMPT] [a-z] [A-Z] []",
                "&#91;/INST] &#91;SYSTEM_PROMPT] [a-z] [A-Z] []",
            ),
            ("a\tb\nc", "a\tb\nc"),
            ("\u{1b}[31m\r", "\\u{1b}[31m\\u{d}"),
            (
                "a\u{202e}b\u{200b}c\u{e0041}",
                "a\\u{202e}b\\u{200b}c\\u{e0041}",
            ),
            ("käse 日本", "käse 日本"),
        ] {
            assert_eq!(escape(text), escaped, "{text:?}");
        }
    }
}
