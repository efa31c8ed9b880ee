//! Settings that nobody wrote: random values under random white space, many times over.

use super::{installed, is_good, json, ours, uninstalled};
use serde_json::{Value, json};

/// A small generator of pseudo-random numbers, so that every run sees the same texts.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn pick<'v>(&mut self, of: &[&'v str]) -> &'v str {
        let at = self.roll(of.len() as u64);
        of[usize::try_from(at).expect("it is small")]
    }

    fn space(&mut self) -> &'static str {
        self.pick(&["", "", "", " ", "\n", "\n  ", "\n\t", "\r\n    ", "\n\n "])
    }

    fn value(&mut self, depth: u64) -> String {
        match self.roll(if depth > 3 { 4 } else { 6 }) {
            0 => self
                .pick(&[
                    "\"hooks\"",
                    "\"a \\\" \\\\ , ] }\"",
                    "\"é\\u0000\"",
                    "\"// no comment\"",
                ])
                .to_owned(),
            1 => self.pick(&["0", "-1.5e3", "true", "null"]).to_owned(),
            2 => "[]".to_owned(),
            3 => "{}".to_owned(),
            4 => self.list(depth, '[', ']', &[], Self::value),
            _ => self.list(depth, '{', '}', &["\"a\"", "\"hook\"", "\"\""], Self::value),
        }
    }

    /// A container, of which an object has these keys.
    fn list(
        &mut self,
        depth: u64,
        open: char,
        close: char,
        keys: &[&str],
        item: fn(&mut Self, u64) -> String,
    ) -> String {
        let mut text = String::from(open);
        let count = if keys.is_empty() {
            1 + self.roll(3)
        } else {
            keys.len() as u64
        };
        for index in 0..count {
            let comma = if index == 0 { "" } else { "," };
            text = text + self.space() + comma + self.space();
            if let Some(key) = usize::try_from(index)
                .ok()
                .and_then(|index| keys.get(index))
            {
                text = text + key + self.space() + ":" + self.space();
            }
            text += &item(self, depth + 1);
        }
        text + self.space() + &close.to_string()
    }

    fn hook(&mut self, depth: u64) -> String {
        self.list(depth, '{', '}', &["\"type\"", "\"command\""], |dice, _| {
            dice.pick(&["\"command\"", "\"/x/countersign\""]).to_owned()
        })
    }

    fn hooks(&mut self, depth: u64) -> String {
        self.list(depth, '[', ']', &[], Self::hook)
    }

    fn groups(&mut self, depth: u64) -> String {
        self.list(depth, '[', ']', &[], |dice, depth| {
            dice.list(depth, '{', '}', &["\"hooks\""], Self::hooks)
        })
    }

    fn events(&mut self, depth: u64) -> String {
        let keys: &[&str] = match self.roll(3) {
            0 => &["\"PreToolUse\"", "\"SessionStart\""],
            1 => &["\"Stop\""],
            _ => &["\"ConfigChange\"", "\"PreToolUse\"", "\"Stop\""],
        };
        self.list(depth, '{', '}', keys, Self::groups)
    }

    fn settings(&mut self) -> String {
        let before = self.space();
        let keys: &[&str] = match self.roll(3) {
            0 => &["\"hooks\""],
            1 => &["\"model\"", "\"env\""],
            _ => &["\"model\"", "\"hooks\"", "\"env\""],
        };
        let mut text = self.list(0, '{', '}', keys, |_, _| "@".to_owned());
        for key in keys {
            let value = if *key == "\"hooks\"" {
                self.events(1)
            } else {
                self.value(1)
            };
            text = text.replacen('@', &value, 1);
        }
        before.to_owned() + &text + self.space()
    }
}

/// The value without what was registered.
fn without_ours(mut settings: Value) -> Value {
    let Some(events) = settings["hooks"].as_object_mut() else {
        return settings;
    };
    for groups in events.values_mut() {
        groups
            .as_array_mut()
            .expect("an array")
            .retain(|group| group["hooks"][0]["args"] != json!(["hook", "claude-code"]));
    }
    events.retain(|_, groups| *groups != json!([]));
    if events.is_empty() {
        settings.as_object_mut().expect("an object").remove("hooks");
    }
    settings
}

#[test]
fn whatever_the_text_nothing_else_changes() {
    let mut dice = Dice(7);
    for _ in 0..500 {
        let text = dice.settings();
        let done = installed(&text);
        assert!(is_good(&done, &ours()), "{done}");
        assert_eq!(installed(&done), done);
        assert_eq!(uninstalled(&done), text, "{done}");
        assert_eq!(without_ours(json(&done)), json(&text), "{done}");
    }
}
