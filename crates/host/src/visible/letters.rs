//! Characters that look like others. Not a list of all: of those that a command could be faked with.

/// What a letter or digit is for who reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Letter {
    /// Of the script that commands are written in.
    Latin,
    /// A digit, in whatever script.
    Digit,
    /// Of a script whose words can look like Latin ones, and itself like a Latin letter.
    Alike,
    /// Of such a script, and like no Latin letter.
    Foreign,
    /// Of a script that nobody takes for another.
    Other,
}

const CYRILLIC: &str = "аеорсухѕіјһԁԛԝүӏԍѵАВЕКМНОРСТУХЅІЈҮӀԌԜԚѴ";
const GREEK: &str = "ονικρυαχγωΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϹϳͿϒ";
const ARMENIAN: &str = "օոսհցքզաՍՕԼՏ";
const HEBREW: &str = "סוןי";

pub(super) fn letter(character: char) -> Letter {
    let alike = |letters: &str| {
        if letters.contains(character) {
            Letter::Alike
        } else {
            Letter::Foreign
        }
    };
    match character {
        'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => Letter::Latin,
        _ if character.is_numeric() => Letter::Digit,
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => alike(GREEK),
        '\u{400}'..='\u{52f}' | '\u{1c80}'..='\u{1c8f}' | '\u{a640}'..='\u{a69f}' => {
            alike(CYRILLIC)
        }
        '\u{530}'..='\u{58f}' => alike(ARMENIAN),
        '\u{590}'..='\u{5ff}' => alike(HEBREW),
        // Their capitals are those of Latin, turned or not.
        '\u{13a0}'..='\u{13ff}'
        | '\u{ab70}'..='\u{abbf}'
        | '\u{a4d0}'..='\u{a4ff}'
        | '\u{2c80}'..='\u{2cff}'
        | '\u{10280}'..='\u{1031f}'
        | '\u{10400}'..='\u{1044f}' => Letter::Alike,
        _ => Letter::Other,
    }
}

/// It stands for a letter, a digit or a sign of ASCII wherever it is read.
pub(super) fn is_double(character: char) -> bool {
    matches!(character,
        // Letters of phonetics, and Latin ones that lack or turn a piece.
        '\u{131}' | '\u{138}' | '\u{17f}' | '\u{1c0}'..='\u{1c3}' | '\u{237}' | '\u{250}'..='\u{2ff}'
        | '\u{1d00}'..='\u{1dbf}' | '\u{a72c}'..='\u{a7ff}' | '\u{ab30}'..='\u{ab6f}'
        // Letters as signs, wide, in circles, in the type of mathematics; Roman numerals.
        | '\u{aa}' | '\u{ba}' | '\u{2071}' | '\u{207f}' | '\u{2090}'..='\u{209c}'
        | '\u{2100}'..='\u{2115}' | '\u{2117}'..='\u{2121}' | '\u{2123}'..='\u{214f}'
        | '\u{2160}'..='\u{2188}' | '\u{fb00}'..='\u{fb06}' | '\u{ff01}'..='\u{ff5e}'
        | '\u{1d400}'..='\u{1d7ff}' | '\u{1f100}'..='\u{1f1e5}'
        // Signs that a shell acts on: dashes, dots, commas, slashes, bars, quotes, colons.
        | '\u{b4}' | '\u{37e}' | '\u{384}'..='\u{387}' | '\u{589}' | '\u{5c3}' | '\u{5f3}' | '\u{5f4}' | '\u{60d}'
        | '\u{66a}' | '\u{66b}' | '\u{66d}' | '\u{6d4}' | '\u{701}'..='\u{704}' | '\u{1fbd}'..='\u{1fc1}'
        | '\u{1fcd}'..='\u{1fcf}' | '\u{1fdd}'..='\u{1fdf}' | '\u{1fed}'..='\u{1fef}' | '\u{1ffd}' | '\u{1ffe}'
        | '\u{2010}'..='\u{2012}' | '\u{2015}' | '\u{201a}' | '\u{201b}' | '\u{2024}' | '\u{2025}' | '\u{2032}'..='\u{2037}' | '\u{2039}' | '\u{203a}'
        | '\u{2041}' | '\u{2043}' | '\u{2044}' | '\u{204e}' | '\u{204f}' | '\u{2052}' | '\u{2053}'
        | '\u{2212}' | '\u{2215}'..='\u{2217}' | '\u{2223}' | '\u{2236}' | '\u{223c}' | '\u{226a}' | '\u{226b}'
        | '\u{2758}' | '\u{2768}'..='\u{2775}' | '\u{27cb}' | '\u{27cd}' | '\u{29f5}' | '\u{29f8}' | '\u{29f9}'
        | '\u{2cba}' | '\u{2e40}' | '\u{3003}' | '\u{3014}' | '\u{3015}' | '\u{31d3}' | '\u{31d4}'
        | '\u{a4f8}'..='\u{a4ff}' | '\u{a60e}' | '\u{fe10}'..='\u{fe19}' | '\u{fe30}'..='\u{fe6f}'
        | '\u{10323}' | '\u{1d110}')
}
