/// Words that begin a statement which only reads.
const READING: &[&str] = &[
    "select", "explain", "show", "describe", "desc", "values", "with", "table",
];

/// Words that make a statement do more than read, wherever they stand.
const CHANGING: &[&str] = &[
    "alter",
    "analyse",
    "analyze",
    "attach",
    "call",
    "checkpoint",
    "copy",
    "create",
    "delete",
    "delimiter",
    "detach",
    "do",
    "drop",
    "dumpfile",
    "execute",
    "export",
    "for",
    "grant",
    "handler",
    "import",
    "insert",
    "install",
    "into",
    "listen",
    "load",
    "lock",
    "merge",
    "notify",
    "outfile",
    "pragma",
    "prepare",
    "refresh",
    "reindex",
    "rename",
    "replace",
    "reset",
    "revoke",
    "set",
    "truncate",
    "uescape",
    "unlisten",
    "update",
    "upsert",
    "vacuum",
];

/// Tables that read files when they are selected from, or hold passwords.
const REACHING: &[&str] = &[
    "fsdir",
    "mysql.global_priv",
    "mysql.user",
    "pg_authid",
    "pg_hba_file_rules",
    "pg_shadow",
    "pg_user_mapping",
    "pg_user_mappings",
    "sqlite_dbpage",
    "zipfile",
];

/// Words that end the list of tables of a statement.
const AFTER_TABLES: &[&str] = &[
    "group", "having", "limit", "offset", "on", "order", "select", "union", "using", "where",
    "window",
];

/// Functions that are known to compute and nothing else.
const FUNCTIONS: &[&str] = &[
    "abs",
    "acos",
    "age",
    "any_value",
    "approx_count_distinct",
    "array_agg",
    "array_length",
    "ascii",
    "asin",
    "atan",
    "avg",
    "bit_length",
    "bool_and",
    "bool_or",
    "btrim",
    "cast",
    "ceil",
    "ceiling",
    "char_length",
    "character_length",
    "chr",
    "coalesce",
    "concat",
    "concat_ws",
    "cos",
    "count",
    "countif",
    "curdate",
    "current_date",
    "current_time",
    "current_timestamp",
    "curtime",
    "date",
    "date_add",
    "date_diff",
    "date_format",
    "date_part",
    "date_sub",
    "date_trunc",
    "datediff",
    "datetime",
    "day",
    "dayname",
    "dayofmonth",
    "dayofweek",
    "dayofyear",
    "degrees",
    "dense_rank",
    "distinct",
    "exists",
    "exp",
    "extract",
    "first_value",
    "floor",
    "format",
    "from_unixtime",
    "generate_series",
    "greatest",
    "group_concat",
    "hex",
    "hour",
    "if",
    "ifnull",
    "iif",
    "in",
    "initcap",
    "instr",
    "isnull",
    "json_agg",
    "json_array",
    "json_array_length",
    "json_build_object",
    "json_extract",
    "json_object",
    "json_type",
    "json_valid",
    "jsonb_agg",
    "julianday",
    "lag",
    "last_day",
    "last_value",
    "lcase",
    "lead",
    "least",
    "left",
    "length",
    "ln",
    "locate",
    "log",
    "log10",
    "lower",
    "lpad",
    "ltrim",
    "max",
    "md5",
    "median",
    "min",
    "minute",
    "mod",
    "month",
    "monthname",
    "now",
    "nth_value",
    "ntile",
    "nullif",
    "nvl",
    "octet_length",
    "over",
    "percent_rank",
    "percentile_cont",
    "pg_database_size",
    "pg_relation_size",
    "pg_size_pretty",
    "pg_table_size",
    "pg_total_relation_size",
    "pi",
    "position",
    "pow",
    "power",
    "printf",
    "quarter",
    "quote",
    "radians",
    "random",
    "rank",
    "regexp_replace",
    "regexp_substr",
    "repeat",
    "reverse",
    "right",
    "round",
    "row_number",
    "rpad",
    "rtrim",
    "safe_divide",
    "second",
    "sha1",
    "sha256",
    "sign",
    "sin",
    "split_part",
    "sqlite_version",
    "sqrt",
    "starts_with",
    "std",
    "stddev",
    "stddev_pop",
    "stddev_samp",
    "strftime",
    "string_agg",
    "strpos",
    "substr",
    "substring",
    "substring_index",
    "sum",
    "tan",
    "time",
    "timestamp",
    "timestampdiff",
    "to_char",
    "to_date",
    "to_json",
    "to_timestamp",
    "total",
    "translate",
    "trim",
    "trunc",
    "typeof",
    "ucase",
    "unhex",
    "unicode",
    "unix_timestamp",
    "unixepoch",
    "unnest",
    "upper",
    "var_pop",
    "var_samp",
    "variance",
    "version",
    "week",
    "weekday",
    "year",
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

/// A quoted name or a string, where texts are blanked out.
const NAME: char = '\u{1}';
const TEXT: char = '\u{2}';

/// Whether every statement of a text only reads.
///
/// Conservative: databases differ in what is quoted and what is a comment, and only what all of them
/// read alike is read. Strings and comments are skipped; what is left must begin with a reading word,
/// hold no changing word, and call no function that is not known.
pub(crate) fn only_reads(text: &str) -> bool {
    let text = text.trim_ascii();
    let first = text.split_whitespace().next().unwrap_or_default();
    if first.starts_with(['.', '\\']) {
        let rest = text.get(first.len()..).unwrap_or_default();
        let plain = |c: char| c.is_ascii_alphanumeric() || " _.*%+-".contains(c);
        return (DOT_COMMANDS.contains(&first) || BACKSLASH_COMMANDS.contains(&first))
            && rest.chars().all(plain);
    }
    let shell_line = |line: &str| line.trim_start().starts_with(['.', '#', '!']);
    let odd = |c: char| c == '\\' || c.is_control() && !matches!(c, '\n' | '\t');
    if text.contains(odd) || text.lines().any(shell_line) {
        return false;
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
    let lower = statement.to_ascii_lowercase();
    let chunks = || lower.split(|c| !is_word(c)).filter(|word| !word.is_empty());
    // Some end a number where a word begins, others do not.
    let numbers_end = chunks().all(|chunk| {
        let names = |mut pieces: std::str::Split<'_, char>| {
            pieces.all(|piece| !piece.starts_with(|c: char| c.is_ascii_digit()))
        };
        is_number(chunk) || names(chunk.split('.'))
    });
    let mut words: Vec<&str> = chunks().flat_map(|chunk| chunk.split('.')).collect();
    // It runs the statement behind it, which is judged as any other.
    if let ["explain", "analyze" | "analyse", ..] = words.as_slice() {
        words.remove(1);
    }
    numbers_end
        && words.first().is_some_and(|first| READING.contains(first))
        && lower.starts_with(|c: char| c.is_ascii_alphabetic())
        && !words
            .iter()
            .any(|word| CHANGING.contains(word) || REACHING.contains(word))
        && !chunks().any(|chunk| REACHING.contains(&chunk))
        && calls_are_known(&lower)
        && !reads_from_text(&lower)
}

/// Digits, of which some may follow a dot and some an `e`.
fn is_number(chunk: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (mantissa, exponent) = chunk.split_once('e').unwrap_or((chunk, "0"));
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    digits(exponent) && digits(&format!("{whole}{part}"))
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.')
}

/// Whether what stands right before each parenthesis is a known function or no name at all.
fn calls_are_known(statement: &str) -> bool {
    const KEYWORDS: &[&str] = &[
        "",
        "all",
        "and",
        "any",
        "as",
        "between",
        "by",
        "case",
        "else",
        "except",
        "filter",
        "from",
        "having",
        "intersect",
        "join",
        "like",
        "materialized",
        "not",
        "on",
        "or",
        "select",
        "some",
        "then",
        "union",
        "using",
        "values",
        "when",
        "where",
    ];
    statement.match_indices('(').all(|(at, _)| {
        let before = statement.get(..at).unwrap_or_default().trim_end();
        let name = before.rsplit(|c| !is_word(c)).next().unwrap_or_default();
        let head = before.strip_suffix(name).unwrap_or_default().trim_end();
        !before.ends_with([NAME, TEXT])
            && (name.is_empty() || !head.ends_with('.'))
            && (FUNCTIONS.contains(&name) || KEYWORDS.contains(&name) || defines_table(head, name))
    })
}

/// `with NAME (columns) as`: the name that is defined may be any.
fn defines_table(head: &str, name: &str) -> bool {
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    plain && matches!(head, "with" | "with recursive")
}

/// Whether a string stands where a table is read: `DuckDB` takes it for a file or a URL.
fn reads_from_text(statement: &str) -> bool {
    let describes = ["desc", "describe", "show", "table"];
    let starts = describes.iter().any(|word| statement.starts_with(word));
    // For each open parenthesis, whether the tables of a statement are being listed around it.
    let mut outer = Vec::new();
    let mut tables = starts;
    let mut last = "";
    let mut rest = statement;
    while let Some(c) = rest.chars().next() {
        let mut length = c.len_utf8();
        match c {
            '(' => outer.push(std::mem::take(&mut tables)),
            ')' => tables = outer.pop().unwrap_or(true),
            TEXT if tables && !(starts && last == "like") => return true,
            c if is_word(c) => {
                length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                last = rest.get(..length).unwrap_or_default();
                if matches!(last, "from" | "join") {
                    tables = true;
                } else if AFTER_TABLES.contains(&last) {
                    tables = false;
                }
            }
            _ => {}
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    false
}

/// The text with strings, quoted names and comments blanked out; `None` where databases disagree what
/// is one, or when it ends inside one.
fn without_texts(text: &str) -> Option<String> {
    let mut code = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..)?;
        let mut length = c.len_utf8();
        match c {
            '\'' | '"' => {
                let inner = quoted(after, c)?;
                // A name that is a path is a file to some.
                if c == '"' && inner.contains(['/', ':', '.']) {
                    return None;
                }
                code.push(if c == '"' { NAME } else { TEXT });
                length = inner.len().saturating_add(2);
            }
            // To some these do not quote: what they hold must be harmless either way.
            '`' | '[' => {
                let close = if c == '`' { '`' } else { ']' };
                let inner = after.get(..after.find(close)?)?;
                let harmless = |c: char| c.is_ascii_alphanumeric() || " _,-".contains(c);
                if !inner.chars().all(harmless) || inner.contains("--") {
                    return None;
                }
                code.push(' ');
                code.push_str(inner);
                code.push(NAME);
                length = inner.len().saturating_add(2);
            }
            '-' if after.starts_with('-') => {
                let comment = after.get(1..)?;
                if !(comment.is_empty() || comment.starts_with([' ', '\t', '\n'])) {
                    return None;
                }
                code.push(' ');
                length = rest.find('\n').unwrap_or(rest.len());
            }
            '/' if after.starts_with('*') => {
                let comment = after.get(1..)?;
                let inner = comment.get(..comment.find("*/")?)?;
                // A statement to some; nested to some.
                if inner.starts_with(['!', 'M', '+']) || inner.contains("/*") {
                    return None;
                }
                // `/*/` is whole to nobody, but easily misread.
                if inner.starts_with('/') || inner.ends_with('/') {
                    return None;
                }
                code.push(' ');
                length = inner.len().saturating_add(4);
            }
            // A cast; anything else may be a variable that holds anything.
            ':' if after.starts_with(':') => {
                code.push(' ');
                length = 2;
            }
            ':' | '$' | '#' | ']' | '\\' | '@' => return None,
            '\n' | '\t' => code.push(' '),
            c if c.is_ascii_graphic() || c == ' ' => code.push(c),
            _ => return None,
        }
        rest = rest.get(length..)?;
    }
    Some(code)
}

/// What stands before the closing quote; a doubled one is taken for two texts.
fn quoted(rest: &str, end: char) -> Option<&str> {
    rest.get(..rest.find(end)?)
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
            (
                "select date_part('year', at), round(avg(x), 2) from t group by 1",
                true,
            ),
            ("select pg_size_pretty(pg_database_size('app'))", true),
            ("copy (select 1) to program 'id'", false),
            ("select pg_read_file('/etc/passwd')", false),
            ("select lo_export(1, '/tmp/x')", false),
            ("select load_file('/etc/passwd')", false),
            ("select readfile('x')", false),
            ("select * from read_csv('http://host.example/x')", false),
            ("select * from url('http://host.example/x')", false),
            ("select * from dblink('host=x', 'select 1')", false),
            ("select set_config('x', 'y', false)", false),
            ("select nextval('s')", false),
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
    /// What one database takes for a text or a comment and another does not.
    #[test]
    fn quoting() {
        for (text, expected) in [
            ("select \"a b\", `c`, [d e] from \"users\" u", true),
            ("select a /* note */, b -- note 'x\nfrom t", true),
            (
                "select a::text from t where b like '%/x/%' and c[1] = 2",
                true,
            ),
            ("select 'it''s', \"a\"\"b\" from t", true),
            ("select [writefile]('x', 'y')", false),
            ("select \"load_extension\"('x')", false),
            ("select `edit` ('x')", false),
            ("select \"pg_terminate_backend\"/**/(1)", false),
            ("select pg_catalog.\"lo_import\"('x')", false),
            ("select writefile--  \n('x')", false),
            ("select 1 as [']; delete from users; --']", false),
            ("select 1 as [x; drop table t]", false),
            ("select 1 ` ; drop table t ; `", false),
            ("select 1--1; drop table t", false),
            ("select 1 # '\n; drop table t -- '", false),
            ("select $$ ' $$; drop table t; select $$ ' $$", false),
            ("select $a$ ' $a$; drop table t; select $a$ ' $a$", false),
            ("select 'a\\'; drop table t", false),
            ("select 1 /* /* */ ; kill 5 /* */ */", false),
            ("select 1 /*M! into outfile 'x' */", false),
            ("select 1 -- x\r; drop table t", false),
            ("select U&\"!0061\" uescape '!' (1)", false),
            ("select 1.5e3 + .5, \"t\".x, t1.e5, 2. from t1", true),
            ("select 1into x from t", false),
            ("select 1.into x from t", false),
            ("select 1.e5into x from t", false),
            ("select .5into x from t", false),
            ("select t.1into x", false),
            ("select :x", false),
            ("select :'x'", false),
            ("select 1 \u{a0}", false),
        ] {
            assert_eq!(only_reads(text), expected, "{text}");
        }
    }

    #[test]
    fn sources() {
        for (text, expected) in [
            (
                "select a from t join u on t.x = 'y' where b in ('c', 'd')",
                true,
            ),
            ("show tables like 'a%'", true),
            (
                "with recursive n(x) as (select 1 union all select x + 1 from n) select x from n",
                true,
            ),
            ("select * from (select 'x' as a) s, t where a = 'b'", true),
            ("select * from 'https://host.example/a.csv'", false),
            ("select * from t, 'a.csv'", false),
            ("select * from (select 1) s, 'a.csv'", false),
            ("select * from t join 'a.csv' using (x)", false),
            ("select * from \"a.csv\"", false),
            ("describe 'a.csv'", false),
            ("select (from 'a.csv')", false),
            ("from 'a.csv'", false),
            ("select * from read_text('.x')", false),
            ("select data from fsdir where path = '.x'", false),
            ("select * from zipfile where file = 'x.zip'", false),
            ("select * from pg_shadow", false),
            ("explain analyze select 1", true),
            ("explain analyze delete from t", false),
            ("explain analyze analyze t", false),
            ("explain (analyze) insert into t values (1)", false),
            ("attach 'x' as y", false),
            ("pragma journal_mode = off", false),
            ("set x = 1", false),
            ("copy t to 'x'", false),
            ("select 1 for share", false),
            ("select 1;\n.shell id", false),
            ("/* x */ .shell id", false),
            ("select 1\n\\g out", false),
            ("\\dt \\o out", false),
            ("\\dt \\\\ drop table t", false),
            ("\\d users; drop table t", false),
            (".schema users", true),
            (".tables \"|id\"", false),
        ] {
            assert_eq!(only_reads(text), expected, "{text}");
        }
    }
}
