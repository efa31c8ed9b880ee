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

/// Variables that only change how something is shown, or whether a question is asked.
const HARMLESS: &[&str] = &[
    "CARGO_TERM_COLOR",
    "CI",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "DEBIAN_FRONTEND",
    "FORCE_COLOR",
    "GIT_OPTIONAL_LOCKS",
    "GIT_TERMINAL_PROMPT",
    "HOMEBREW_NO_ANALYTICS",
    "HOMEBREW_NO_AUTO_UPDATE",
    "LANG",
    "LANGUAGE",
    "LINES",
    "NO_COLOR",
    "NO_UPDATE_NOTIFIER",
    "POSIXLY_CORRECT",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONIOENCODING",
    "PYTHONUNBUFFERED",
    "PYTHONUTF8",
    "PY_COLORS",
    "RUST_BACKTRACE",
    "RUST_LOG",
    "SYSTEMD_COLORS",
    "TERM",
    "TZ",
];

/// What in the name of a variable says that its value may lead somewhere: to a program, code, a
/// setting, a file or a host.
const LEADING: &[&str] = &[
    "ADDR", "ALIAS", "ARG", "ASK", "AUDIT", "AUTH", "BIN", "BROWSER", "CMD", "COMMAND", "COMPILER",
    "CONF", "CRED", "DIFF", "DIR", "DISPLAY", "EDIT", "ENDPOINT", "ENGINE", "EXEC", "EXT", "FILE",
    "FILTER", "FLAG", "GATEWAY", "HELPER", "HOME", "HOOK", "HOST", "IFS", "INIT", "INTERP", "KEY",
    "LIB", "LINK", "LOAD", "MODULE", "OPT", "PAGER", "PASS", "PATH", "PLUGIN", "PREFIX", "PRELOAD",
    "PROFILE", "PROG", "PROMPT", "PROXY", "RC", "REGISTRY", "REMOTE", "REPO", "ROOT", "RUN",
    "SCRIPT", "SECRET", "SERVER", "SHELL", "SOCK", "SOURCE", "SSH", "SSL", "START", "STORE",
    "TEMPLATE", "TLS", "TOKEN", "TOOL", "TRACE", "URI", "URL", "USER", "VIEW", "WRAP",
];

/// What the names of variables begin with that programs take settings from.
const SETTING: &[&str] = &[
    "ANSIBLE",
    "AR",
    "AS",
    "AWS",
    "AZURE",
    "BASH",
    "BAT",
    "BUN",
    "CARGO",
    "CC",
    "CPP",
    "CXX",
    "DENO",
    "DOCKER",
    "DYLD",
    "FC",
    "FZF",
    "GCLOUD",
    "GCONV",
    "GEM",
    "GH_",
    "GIT",
    "GLIBC",
    "GNU",
    "GO",
    "GREP",
    "HELM",
    "HG",
    "JAVA",
    "JJ",
    "JQ",
    "JDK",
    "KUBE",
    "LD",
    "LESS",
    "LOCALE",
    "MAGIC",
    "MAKE",
    "MALLOC",
    "MAN",
    "MYSQL",
    "NIX",
    "NLS",
    "NODE",
    "NPM",
    "OPENSSL",
    "PERL",
    "PG",
    "PHP",
    "PIP",
    "PS",
    "PSQL",
    "PYTHON",
    "RIPGREP",
    "RSYNC",
    "RUBY",
    "RUST",
    "SVN",
    "SYSTEMD",
    "TAR",
    "TERRAFORM",
    "TF_",
    "TMUX",
    "UV",
    "VAULT",
    "VIM",
    "WGET",
    "XDG",
    "YARN",
    "ZSH",
    "Z_",
];

/// Whether a variable that nobody knows is of no use to a program that is known: its value is a
/// plain word, and its name is not like those that lead somewhere.
fn is_idle(name: &str, value: &str) -> bool {
    let name = name.to_ascii_uppercase();
    value.bytes().all(|b| b.is_ascii_alphanumeric())
        && !SETTING.iter().any(|start| name.starts_with(start))
        && !LEADING.iter().any(|part| name.contains(part))
}

/// Whether a search path leads only to where the system, or a package manager, puts programs.
fn is_of_the_system(path: &str) -> bool {
    const DIRS: &[&str] = &[
        "/bin",
        "/opt/homebrew/bin",
        "/sbin",
        "/usr/bin",
        "/usr/local/bin",
        "/usr/local/sbin",
        "/usr/sbin",
    ];
    path.split(':').all(|dir| DIRS.contains(&dir))
}

/// Variables whose value is run, or loaded into what runs: ld.so(8), bash(1), git(1), less(1).
const EXECUTES: &[&str] = &[
    "BASH_ENV",
    "CARGO_BUILD_RUSTC_WRAPPER",
    "CURL_HOME",
    "ENV",
    "FZF_DEFAULT_COMMAND",
    "GCONV_PATH",
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
    "INPUTRC",
    "LD_AUDIT",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "LESSCLOSE",
    "LESSKEY",
    "LESSKEYIN",
    "LESSKEY_CONTENT",
    "LESSOPEN",
    "MAKEFILES",
    "NODE_REPL_EXTERNAL_MODULE",
    "OPENSSL_ENGINES",
    "OPENSSL_MODULES",
    "PERL5DB",
    "PROMPT_COMMAND",
    "PS4",
    "PYTHONSTARTUP",
    "RIPGREP_CONFIG_PATH",
    "RSYNC_RSH",
    "RUSTC",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTC_WRAPPER",
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
    "SVN_SSH",
    "TAR_OPTIONS",
    "WGETRC",
    "ZDOTDIR",
];

/// Variables that hold options, and what in them makes a program load or run something: node(1),
/// perlrun(1), ruby(1), java(1), make(1).
const OPTIONS: &[(&str, &[&str])] = &[
    ("GNUMAKEFLAGS", &["eval", "SHELL", "-f"]),
    (
        "JAVA_TOOL_OPTIONS",
        &["-javaagent", "-agent", "-XX:On", "@"],
    ),
    ("JDK_JAVA_OPTIONS", &["-javaagent", "-agent", "-XX:On", "@"]),
    ("MAKEFLAGS", &["eval", "SHELL", "-f"]),
    ("MFLAGS", &["eval", "SHELL", "-f"]),
    (
        "NODE_OPTIONS",
        &[
            "-r",
            "--require",
            "--import",
            "--loader",
            "--experimental-loader",
            "--inspect",
        ],
    ),
    ("PERL5OPT", &["-M", "-m", "-d", "-I"]),
    ("RUBYOPT", &["-r", "-I"]),
    ("_JAVA_OPTIONS", &["-javaagent", "-agent", "-XX:On", "@"]),
];

/// Variables that name a file or folder which says what a tool runs: to get its credentials, as a plugin,
/// as an interpreter.
const TOOL_CONFIGURATION: &[&str] = &[
    "AWS_CONFIG_FILE",
    "AWS_SHARED_CREDENTIALS_FILE",
    "AZURE_CONFIG_DIR",
    "AZURE_EXTENSION_DIR",
    "CLOUDSDK_CONFIG",
    "CLOUDSDK_PYTHON",
    "DOCKER_CONFIG",
    "GH_CONFIG_DIR",
    "GLAB_CONFIG_DIR",
    "HELM_PLUGINS",
    "KUBECONFIG",
    "TF_CLI_CONFIG_FILE",
];

/// Variables whose value is run, unless it is one of a few plain programs.
const PROGRAM: &[&str] = &[
    "AWS_PAGER",
    "BAT_PAGER",
    "BROWSER",
    "DELTA_PAGER",
    "EDITOR",
    "GH_BROWSER",
    "GH_EDITOR",
    "GH_PAGER",
    "GIT_EDITOR",
    "GIT_PAGER",
    "GIT_SEQUENCE_EDITOR",
    "HGEDITOR",
    "JJ_EDITOR",
    "KUBECTL_EXTERNAL_DIFF",
    "KUBE_EDITOR",
    "MANPAGER",
    "PAGER",
    "PSQL_PAGER",
    "SHELL",
    "SVN_EDITOR",
    "SYSTEMD_EDITOR",
    "SYSTEMD_PAGER",
    "VISUAL",
];

/// A program that only shows what it is given, with options that change how.
fn is_plain_program(value: &str) -> bool {
    let mut words = value.split_ascii_whitespace();
    let plain = matches!(
        words.next(),
        None | Some("cat" | "less" | "more" | "true" | ":")
    );
    plain
        && words.all(|word| word.starts_with('-') && word.chars().skip(1).all(char::is_alphabetic))
}

/// Whether the value of a variable is a command line.
pub(super) fn is_command_line(name: &str) -> bool {
    PROGRAM.contains(&name)
        || matches!(
            name,
            "GIT_EXTERNAL_DIFF" | "GIT_SSH_COMMAND" | "LESSOPEN" | "PROMPT_COMMAND" | "RSYNC_RSH"
        )
}

/// Whether a search path begins where anybody, or the workspace, puts programs: in a directory for
/// temporary files, or in one that depends on where it is read.
fn leads_astray(path: &str) -> bool {
    let temporary = |dir: &str| {
        let roots = ["/tmp", "/var/tmp", "/dev/shm", "/private/tmp"];
        roots.iter().any(|root| crate::paths::is_within(dir, root))
    };
    path.split(':')
        .any(|dir| !dir.starts_with('/') || temporary(dir))
}

/// What setting a variable to a value can do; the value where it is known.
pub(crate) fn classify(name: &str, value: Option<&str>) -> Variable {
    let off = |values: &[&str]| value.is_none_or(|value| values.contains(&value));
    match name {
        "NODE_TLS_REJECT_UNAUTHORIZED" | "PYTHONHTTPSVERIFY" if off(&["0"]) => Variable::Insecure,
        "GIT_SSL_NO_VERIFY" if off(&["1", "true", "yes", "on"]) => Variable::Insecure,
        "CARGO_TARGET_DIR" => Variable::Ordinary,
        "PATH" if value.is_some_and(leads_astray) => Variable::Executes,
        "PATH" if value.is_some_and(is_of_the_system) => Variable::Harmless,
        _ if TOOL_CONFIGURATION.contains(&name) && value.is_some_and(leads_astray) => {
            Variable::Executes
        }
        _ if name.starts_with("CARGO_TARGET_")
            && (name.ends_with("_RUNNER") || name.ends_with("_LINKER")) =>
        {
            Variable::Executes
        }
        _ if OPTIONS.iter().any(|(known, marks)| {
            let marked = |value: &str| marks.iter().any(|mark| value.contains(mark));
            *known == name && value.is_none_or(marked)
        }) =>
        {
            Variable::Executes
        }
        _ if HARMLESS.contains(&name) || name.starts_with("LC_") => Variable::Harmless,
        _ if EXECUTES.contains(&name) || name.starts_with("DYLD_") => Variable::Executes,
        _ if name.starts_with("GIT_CONFIG_KEY_") || name.starts_with("GIT_CONFIG_VALUE_") => {
            Variable::Executes
        }
        _ if PROGRAM.contains(&name) => {
            if value.is_some_and(is_plain_program) {
                Variable::Harmless
            } else {
                Variable::Executes
            }
        }
        _ if value.is_some_and(|value| is_idle(name, value)) => Variable::Harmless,
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
    let here = |on: &str| on.split(' ').eq(path.iter().copied());
    if !WEAKENING.iter().any(|(on, ..)| here(on)) {
        return false;
    }
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
            here(on) && crate::paths::matches(setting, key) && values.contains(&value.as_str())
        }),
        _ => false,
    })
}
