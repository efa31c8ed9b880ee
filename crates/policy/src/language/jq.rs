/// Whether a jq expression only computes from its input (jq(1)).
///
/// No spelling of the words that look elsewhere can hide, so they are searched for in the whole text,
/// comments included, and strings where it is not sure that they are such.
pub(crate) fn only_reads(expression: &str) -> bool {
    words(expression).all(|word| {
        let reaches = match word.text {
            "ENV" | "modulemeta" => true,
            // `$env` is a variable like any other.
            "env" => word.before != Some('$'),
            // Only before a path do they mean a module.
            "import" | "include" => {
                word.before != Some('"') && word.after.trim_start().starts_with(['"', '#'])
            }
            _ => false,
        };
        !reaches || word.is_field || word.in_string
    }) && !expression.contains(['\r', '\0'])
}

/// A word of an expression.
#[derive(Debug, Clone, Copy)]
struct Word<'e> {
    text: &'e str,
    before: Option<char>,
    after: &'e str,
    /// `.word`: a field of the input.
    is_field: bool,
    /// It surely stands in a string.
    in_string: bool,
}

fn words(expression: &str) -> impl Iterator<Item = Word<'_>> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    // A number does not become part of the word that follows it.
    let starts_word = |c: char| c.is_ascii_alphabetic() || c == '_';
    // Escapes, interpolation and comments make it unsure where a string ends.
    let plain = !expression.contains(['\\', '#']);
    let mut at = 0_usize;
    let mut quotes = (0_usize, false);
    std::iter::from_fn(move || {
        let start = at.saturating_add(expression.get(at..)?.find(starts_word)?);
        let rest = expression.get(start..)?;
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        at = start.saturating_add(length);
        let (counted, mut inside) = quotes;
        let between = expression.get(counted..start)?;
        inside ^= between.matches('"').count() % 2 == 1;
        quotes = (start, inside);
        let mut before = expression.get(..start)?.chars().rev();
        let last = before.next();
        let one_before = before.next();
        // In `..x` and `1.x` the dot belongs to what stands before it.
        let is_field =
            last == Some('.') && !one_before.is_some_and(|c| c == '.' || c.is_ascii_digit());
        Some(Word {
            text: rest.get(..length)?,
            before: last,
            after: rest.get(length..)?,
            is_field,
            in_string: plain && inside,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::only_reads;

    #[test]
    fn expressions() {
        for (expression, expected) in [
            (".name", true),
            (".scripts | keys[] | select(test(\"^build\"))", true),
            (".env, .a.env.PATH, .ENV, .a?.env", true),
            (".[$env] | {$env}", true),
            (
                ".environment | to_entries | map(\"\\(.key)=\\(.value)\") | @sh",
                true,
            ),
            (".imports[] | select(.import == \"import\")", true),
            ("input_filename, $__loc__, now, @base64", true),
            (".[\"env\"] | select(.x == \"$ENV\")", true),
            ("\"\"env\"\"", false),
            ("\"a\" | env | \"b\"", false),
            ("env", false),
            ("[env]", false),
            ("{a:env}", false),
            ("($ENV)", false),
            ("$ ENV", false),
            (".|$ENV.HOME", false),
            ("\"\\(env.HOME)\"", false),
            (". # \\\n\"\n| env # \"", false),
            ("..env", false),
            ("1.env", false),
            ("1env", false),
            ("éenv", false),
            ("def f: env; f", false),
            ("import \"a\" as $a; $a", false),
            ("include\n\"a\"; f", false),
            ("\"a\" | modulemeta", false),
        ] {
            assert_eq!(only_reads(expression), expected, "{expression}");
        }
    }
}
