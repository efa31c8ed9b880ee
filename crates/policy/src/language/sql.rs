/// Words that begin a statement which only reads.
const READING: &[&str] = &[
    "select", "explain", "show", "describe", "desc", "values", "with", "table",
];

/// Words that make a statement do more than read, wherever they stand.
const CHANGING: &[&str] = &[
    "alter", "analyze", "attach", "call", "copy", "create", "delete", "detach", "do", "drop",
    "execute", "export", "for", "grant", "import", "insert", "install", "into", "listen", "load",
    "lock", "merge", "notify", "pragma", "prepare", "reindex", "rename", "replace", "reset",
    "revoke", "set", "truncate", "update", "upsert", "vacuum",
];

/// Functions that are known to compute and nothing else.
const FUNCTIONS: &[&str] = &[
    "abs",
    "avg",
    "cast",
    "ceil",
    "coalesce",
    "concat",
    "count",
    "current_date",
    "current_timestamp",
    "date",
    "date_trunc",
    "datetime",
    "distinct",
    "exists",
    "extract",
    "floor",
    "group_concat",
    "ifnull",
    "in",
    "json_extract",
    "left",
    "length",
    "lower",
    "ltrim",
    "max",
    "min",
    "now",
    "nullif",
    "over",
    "right",
    "round",
    "row_number",
    "rtrim",
    "sqlite_version",
    "strftime",
    "string_agg",
    "substr",
    "substring",
    "sum",
    "total",
    "trim",
    "typeof",
    "upper",
    "version",
];

/// Commands of the sqlite shell that only read.
const DOT_COMMANDS: &[&str] = &[
    ".databases",
    ".dbinfo",
    ".indexes",
    ".indices",
    ".schema",
    ".show",
    ".tables",
];

/// Commands of the `PostgreSQL` shell that only read.
const BACKSLASH_COMMANDS: &[&str] = &[
    "\\conninfo",
    "\\d",
    "\\d+",
    "\\df",
    "\\di",
    "\\dn",
    "\\dt",
    "\\dt+",
    "\\du",
    "\\dv",
    "\\l",
    "\\l+",
    "\\list",
];

/// Whether every statement of a text only reads.
///
/// Conservative: strings and comments are skipped; what is left must begin with a reading word, hold
/// no changing word, and call no function that is not known.
pub(crate) fn only_reads(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    if first.starts_with('.') {
        return DOT_COMMANDS.contains(&first) && !text.contains(['|', '\n']);
    }
    if first.starts_with('\\') {
        return BACKSLASH_COMMANDS.contains(&first) && !text.contains(['|', '!', '`', '\n']);
    }
    without_texts(text).is_some_and(|code| {
        let statements: Vec<&str> = code
            .split(';')
            .map(str::trim)
            .filter(|statement| !statement.is_empty())
            .collect();
        !statements.is_empty()
            && statements
                .iter()
                .all(|statement| statement_reads(statement))
    })
}

fn statement_reads(statement: &str) -> bool {
    let lower = statement.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '.')))
        .filter(|word| !word.is_empty())
        .collect();
    // A line that begins with a backslash is a command of the shell, not a statement.
    words.first().is_some_and(|first| READING.contains(first))
        && !lower.contains('\\')
        && !words.iter().any(|word| CHANGING.contains(word))
        && calls(&lower).all(|name| FUNCTIONS.contains(&name))
}

/// The names that stand right before a parenthesis.
fn calls(statement: &str) -> impl Iterator<Item = &str> {
    statement.match_indices('(').filter_map(|(at, _)| {
        let before = statement.get(..at)?.trim_end();
        let name = before
            .rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '$')))
            .map_or(Some(before), |at| before.get(at.saturating_add(1)..))?;
        let keyword = [
            "", "as", "and", "or", "not", "from", "where", "on", "by", "select", "union", "all",
            "using", "join", "then", "else", "when",
        ];
        (!keyword.contains(&name)).then_some(name)
    })
}

/// The text with strings and comments blanked out; `None` when it ends inside one.
fn without_texts(text: &str) -> Option<String> {
    let mut code = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\'' | '"' | '`' => {
                loop {
                    match rest.next()? {
                        // Some databases take a backslash for an escape, others do not.
                        '\\' => return None,
                        inner if inner == c => break,
                        _ => {}
                    }
                }
                code.push_str("''");
            }
            '-' if rest.peek() == Some(&'-') => while rest.next_if(|&c| c != '\n').is_some() {},
            '/' if rest.peek() == Some(&'*') => {
                rest.next();
                // `/*!` is a comment to some and a statement to others.
                if rest.peek() == Some(&'!') {
                    return None;
                }
                let mut before = ' ';
                loop {
                    let c = rest.next()?;
                    if before == '*' && c == '/' {
                        break;
                    }
                    before = c;
                }
                code.push(' ');
            }
            '$' if matches!(rest.peek(), Some('$')) => return None,
            _ => code.push(c),
        }
    }
    Some(code)
}

#[cfg(test)]
mod tests {
    use super::only_reads;

    #[test]
    fn statements() {
        for (text, expected) in [
            ("SELECT * FROM users", true),
            (
                "select count(*), lower(name) from t where x in (1, 2); EXPLAIN SELECT 1;",
                true,
            ),
            ("SELECT 'drop table x; delete'", true),
            ("select 1 -- drop table", true),
            ("SHOW DATABASES", true),
            (".tables", true),
            ("\\dt", true),
            ("with a as (select 1) select * from a", true),
            ("drop table users", false),
            ("select 1; drop table users", false),
            (
                "with a as (delete from t returning *) select * from a",
                false,
            ),
            ("select * into outfile 'x' from t", false),
            ("select pg_terminate_backend(1)", false),
            ("select writefile('x', 'y')", false),
            ("select load_extension('x')", false),
            ("select * from t for update", false),
            ("select 'a\\'; drop table x; --'", false),
            ("select /*!50000 1 into outfile 'x' */", false),
            (".shell ls", false),
            (".output x", false),
            ("\\! ls", false),
            ("select 1\n\\! ls", false),
            ("select 'unterminated", false),
            ("", false),
        ] {
            assert_eq!(only_reads(text), expected, "{text}");
        }
    }
}
