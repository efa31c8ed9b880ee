use super::{unescaped, visible, visible_json};
use std::collections::BTreeMap;

/// Texts that pretend to be others, and what is shown of them.
#[test]
fn deceptive_texts_are_shown_for_what_they_are() {
    let mut table = String::new();
    for text in [
        "plain text, with ünïcode and 日本語: → …",
        "привет мир, Ελλάδα, שלום, नमस्ते, don’t – or do — “this”",
        "two\nlines\tand a tab",
        "\u{1b}[31mred\u{1b}[0m\r\u{7}\u{8}\u{9b}",
        "a\u{202e}b\u{2066}c\u{200f}",
        "c\u{200b}url\u{feff} \u{2060}x",
        "tag\u{e0041}\u{e007f} vs\u{fe0f}",
        "\u{3164}\u{115f}\u{2800}\u{ad}filler",
        "blank\u{a0}blank\u{2003}blank\u{3000}",
        "сurl https://еxample.org",
        "rм -rf /",
        "сор аѕсе оо",
        "ρaypal ονο",
        "ցpt օօ",
        "ᏟᎪᎢ ꓚꓮꓔ",
        "ｒｍ 𝐫𝐦 ℛ ⅼs ſh ı",
        "–rf ––force −x ‐y",
        "/etc∕passwd a⁄b ⧸ ；",
        "a\u{37e} b\u{1fef} c\u{2024}d",
        "e\u{301} o\u{335}",
        "\u{e000}\u{f0000}\u{fffe}",
        "\\n \\u{202e} \\x \\ \\\\ \\",
        "printf 'a\\nb' | grep 'x\\.y'",
    ] {
        let line = format!("{}\n", visible(text));
        table.push_str(&line);
        assert_eq!(unescaped(&visible(text)), text);
    }
    insta::assert_snapshot!(table);
}

/// What is not escaped in two texts is the same, so what looks the same is.
#[test]
fn every_text_is_found_again() {
    let pieces = [
        "\\", "n", "t", "u", "u{", "}", "20", "{", "\n", "\t", "\u{202e}", "a", "а", "с", "ж", "–",
        "-", " ", "\u{301}", "é", "o", "\\u{430}", "'", "日",
    ];
    let mut seen = BTreeMap::new();
    let mut state = 3_u64;
    for _ in 0..60_000 {
        let mut text = String::new();
        let mut roll = |sides: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).expect("it is small") % sides
        };
        for _ in 0..=roll(7) {
            text.push_str(pieces[roll(pieces.len())]);
        }
        let shown = visible(&text);
        assert_eq!(unescaped(&shown), text, "{shown}");
        let before = seen.insert(shown, text.clone());
        assert!(before.is_none_or(|before| before == text));
    }
}

#[test]
fn every_character_is_found_again_and_none_is_unseen() {
    for character in (0..=0x0010_ffff).filter_map(char::from_u32) {
        let text = format!("a{character}b");
        let shown = visible(&text);
        assert_eq!(unescaped(&shown), text, "{shown}");
        assert!(!shown.contains(super::is_deceptive), "{shown}");
    }
}

#[test]
fn json_keeps_its_values() {
    for text in ["a\u{202e}b", "\u{e0041}", "ä\u{a0}", "\u{feff}\"\\\n"] {
        let json = serde_json::to_string(text).expect("a string");
        let shown = visible_json(&json);
        assert!(!shown.contains(super::is_deceptive), "{shown}");
        let back: String = serde_json::from_str(&shown).expect("JSON");
        assert_eq!(back, text);
    }
}
