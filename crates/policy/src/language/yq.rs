use super::jq::only_reads as jq_only_reads;

/// Operators of mikefarah's yq that read files or the environment, run programs or build expressions.
const REACHING: &[&str] = &["env", "eval", "exec", "load", "system"];

/// Whether a yq expression only computes from its input, for either program of that name.
///
/// mikefarah's yq needs no blank between its tokens: its operators are searched for inside of words
/// too. Only fields, and strings that surely are such, are left out.
pub(crate) fn only_reads(expression: &str) -> bool {
    let Some(code) = without_fields(expression) else {
        return false;
    };
    let code = code.to_ascii_lowercase().replace("$env", "$");
    jq_only_reads(expression) && !REACHING.iter().any(|word| code.contains(word))
}

/// The expression without `.field` and without strings.
fn without_fields(expression: &str) -> Option<String> {
    // Escapes, interpolation and comments make it unsure where a string ends.
    let strings_are_plain = !expression.contains(['\\', '#', '\'']);
    let mut code = String::new();
    let mut before = ' ';
    let mut rest = expression;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..)?;
        let mut length = c.len_utf8();
        match c {
            '.' if before != '.' && !before.is_ascii_digit() => {
                code.push('.');
                let field = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
                if after.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
                    let end = after.find(|c| !field(c)).unwrap_or(after.len());
                    length = length.saturating_add(end);
                }
            }
            // After anything else it may belong to the name of a field.
            '"' if strings_are_plain && (before.is_whitespace() || "([{,|:=".contains(before)) => {
                code.push_str("\"\"");
                length = after.find('"')?.saturating_add(2);
            }
            '"' if strings_are_plain => return None,
            c => code.push(c),
        }
        before = if c == '.' && length > 1 {
            'x'
        } else {
            rest.get(..length)?.chars().next_back()?
        };
        rest = rest.get(length..)?;
    }
    Some(code)
}

#[cfg(test)]
mod tests {
    use super::only_reads;

    #[test]
    fn expressions() {
        for (expression, expected) in [
            (".a.b[0]", true),
            (".web1.environment", true),
            (".services.web.environment, .payload, .a.system", true),
            (
                ".spec | select(.kind == \"workload-environment\") | keys",
                true,
            ),
            (".a as $env | $env.b", true),
            ("... comments=\"\"", true),
            ("with_entries(select(.key | test(\"^x\")))", true),
            ("load(\"f\")", false),
            (".a = load(\"f\")", false),
            ("load_str(\"f\")", false),
            ("loadstr(\"f\")", false),
            ("LOAD_XML(\"f\")", false),
            ("lengthload(\"f\")", false),
            ("1.load(\"f\")", false),
            ("env(HOME)", false),
            ("strenv(HOME)", false),
            (".a | envsubst", false),
            ("$ENV.HOME", false),
            ("[env]", false),
            ("\"\\(env(HOME))\"", false),
            (".a\" | load(\"f\") | \"", false),
            (".a+\" | load(\"f\") | \"", false),
            (". # \"\n| load(\"f\") # \"", false),
            ("eval(\"lo\" + \"ad\")", false),
            ("system(\"id\")", false),
        ] {
            assert_eq!(only_reads(expression), expected, "{expression}");
        }
    }
}
