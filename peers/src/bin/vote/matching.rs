//! Whether a list of words with gaps can be the words that bash ran.

use countersign_peers::peer::Argv;

/// How many of the commands that bash ran are in no list.
pub(crate) fn missing(ran: &[Vec<String>], listed: &[Argv]) -> usize {
    ran.iter()
        .filter(|ran| !listed.iter().any(|argv| fits(argv, ran)))
        .count()
}

/// An unknown word stands for any number of words, as an expansion may become none or several.
fn fits(pattern: &[Option<String>], words: &[String]) -> bool {
    let (mut at, mut word) = (0, 0);
    let mut retry = None;
    while word < words.len() {
        match pattern.get(at) {
            Some(None) => {
                retry = Some((at, word));
                at += 1;
            }
            Some(Some(text)) if Some(text) == words.get(word) => {
                at += 1;
                word += 1;
            }
            _ => match retry {
                Some((gap, taken)) => {
                    retry = Some((gap, taken + 1));
                    at = gap + 1;
                    word = taken + 1;
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(at).all(Option::is_none)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn unknown_words_stand_for_any_number_of_words() {
        for (pattern, words, expected) in [
            ("a b", "a b", true),
            ("a b", "a", false),
            ("a", "a b", false),
            ("a ?", "a", true),
            ("a ? c", "a b b c", true),
            ("a ? c", "a c c", true),
            ("? c", "a b", false),
            ("?", "a b", true),
            ("a ? b ? c", "a x b y b c", true),
        ] {
            let pattern: Vec<_> = pattern
                .split(' ')
                .map(|word| (word != "?").then(|| word.to_owned()))
                .collect();
            let words: Vec<_> = words.split(' ').map(str::to_owned).collect();
            assert_eq!(fits(&pattern, &words), expected, "{pattern:?} {words:?}");
        }
    }
}
