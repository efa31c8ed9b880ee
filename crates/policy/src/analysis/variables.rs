use super::Value;

/// What setting an environment variable can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variable {
    /// Changes how something is shown.
    Harmless,
    /// Changes how something works.
    Ordinary,
    /// Makes other programs run what it names.
    Executes,
    /// Switches off a check of transport security.
    Insecure,
}

/// Variables that only change how something is shown.
const HARMLESS: &[&str] = &[
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "FORCE_COLOR",
    "GIT_TERMINAL_PROMPT",
    "LANG",
    "LANGUAGE",
    "LINES",
    "NO_COLOR",
    "POSIXLY_CORRECT",
    "TERM",
    "TZ",
];

/// Variables whose value is run, or loaded into what runs: ld.so(8), bash(1), git(1), less(1).
const EXECUTES: &[&str] = &[
    "BASH_ENV",
    "ENV",
    "GIT_ASKPASS",
    "GIT_CONFIG",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_SYSTEM",
    "GIT_EXEC_PATH",
    "GIT_EXTERNAL_DIFF",
    "GIT_PROXY_COMMAND",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_TEMPLATE_DIR",
    "LD_AUDIT",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "LESSCLOSE",
    "LESSOPEN",
    "PROMPT_COMMAND",
    "PS4",
    "PYTHONSTARTUP",
    "RSYNC_RSH",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTC_WRAPPER",
    "SSH_ASKPASS",
    "TAR_OPTIONS",
];

/// Variables that hold options, and what stands in those that load code.
const LOADING: &[(&str, &[&str])] = &[
    ("JAVA_TOOL_OPTIONS", &["-agent", "-javaagent"]),
    ("NODE_OPTIONS", &["-r", "--require", "--import", "loader"]),
    ("PERL5OPT", &["-M", "-m", "-I"]),
    ("RUBYOPT", &["-r", "-I"]),
];

/// Variables whose value is run, unless it is one of a few plain programs.
const PROGRAM: &[&str] = &[
    "BROWSER",
    "EDITOR",
    "GIT_EDITOR",
    "GIT_PAGER",
    "GIT_SEQUENCE_EDITOR",
    "MANPAGER",
    "PAGER",
    "SHELL",
    "VISUAL",
];

/// What setting a variable to a value can do; the value where it is known.
pub(crate) fn classify(name: &str, value: Option<&str>) -> Variable {
    let off = |values: &[&str]| value.is_none_or(|value| values.contains(&value));
    let loads = |(known, options): &(&str, &[&str])| {
        let given = |value: &str| options.iter().any(|option| value.contains(option));
        *known == name && value.is_none_or(given)
    };
    match name {
        "NODE_TLS_REJECT_UNAUTHORIZED" | "PYTHONHTTPSVERIFY" if off(&["0"]) => Variable::Insecure,
        "GIT_SSL_NO_VERIFY" if off(&["1", "true", "yes", "on"]) => Variable::Insecure,
        _ if HARMLESS.contains(&name) || name.starts_with("LC_") => Variable::Harmless,
        _ if EXECUTES.contains(&name) || name.starts_with("DYLD_") => Variable::Executes,
        _ if LOADING.iter().any(loads) => Variable::Executes,
        _ if name.starts_with("GIT_CONFIG_KEY_") || name.starts_with("GIT_CONFIG_VALUE_") => {
            Variable::Executes
        }
        _ if PROGRAM.contains(&name) => {
            if value
                .is_some_and(|value| matches!(value, "" | "cat" | "less" | "more" | "true" | ":"))
            {
                Variable::Harmless
            } else {
                Variable::Executes
            }
        }
        _ => Variable::Ordinary,
    }
}

/// Settings that switch off a check of transport security: subcommands, the setting, its values.
const WEAKENING: &[(&str, &str, &[&str])] = &[
    ("config", "http.sslverify", &["false", "0", "no", "off"]),
    ("config", "http.*.sslverify", &["false", "0", "no", "off"]),
    ("config set", "http.sslverify", &["false", "0", "no", "off"]),
    ("config set", "strict-ssl", &["false", "0", "null"]),
    ("config set", "cafile", &["null", "false", ""]),
    ("set", "strict-ssl", &["false", "0", "null"]),
];

/// Whether a call stores a setting that switches off a check of transport security.
pub(super) fn weakens(path: &[&str], words: &[Value]) -> bool {
    let path = path.join(" ");
    let texts: Vec<String> = words
        .iter()
        .filter(|word| !word.text.starts_with('-'))
        .flat_map(|word| {
            word.text
                .to_lowercase()
                .split('=')
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect();
    texts.windows(2).any(|pair| match pair {
        [key, value] => WEAKENING.iter().any(|(on, setting, values)| {
            *on == path && crate::paths::matches(setting, key) && values.contains(&value.as_str())
        }),
        _ => false,
    })
}
