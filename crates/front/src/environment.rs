//! Which variables reach the host. An agent takes the environment of its hooks from the settings
//! of whatever project it works in, so a variable that nobody needs is one that nobody gets.

use std::ffi::{OsStr, OsString};

/// Where programs are looked for, whatever the project says.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// What the host reads: what the shell would see, where the agent works, who started it.
const KEPT: &[&str] = &[
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SESSION_ATTENDED",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_PID",
    "CLAUDE_PROJECT_DIR",
    "CODEX_HOME",
    "CODEX_SANDBOX",
    "COPILOT_CLI",
    "CURSOR_AGENT",
    "CURSOR_PROJECT_DIR",
    "GEMINI_CLI",
    "GEMINI_PROJECT_DIR",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_WORK_TREE",
    "HOME",
    "LANG",
    "LOGNAME",
    "NO_COLOR",
    "OPENCODE",
    "PI_CODING_AGENT",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
];

/// Ends of the names that secrets have. The host must know them to keep them out of its log; a
/// reviewer gets one when its owner grants it, and nobody else.
const KEYS: &[&str] = &[
    "_KEY",
    "_PASS",
    "_PASSWD",
    "_PASSWORD",
    "_PWD",
    "_SECRET",
    "_TOKEN",
];

/// Beginnings of names that change what a program does before its first line runs. No `--keep`
/// brings one of them back.
const NEVER: &[&str] = &[
    "BASH_", "DYLD_", "GCONV", "GLIBC_", "LD_", "LOCPATH", "MALLOC_", "NLSPATH", "NODE_", "PATH",
    "PYTHON", "RUST", "SSL_",
];

/// The environment of the host.
pub(crate) fn cleaned(
    given: impl Iterator<Item = (OsString, OsString)>,
    keep: &[OsString],
) -> Vec<(OsString, OsString)> {
    given
        .filter(|(name, _)| passes(name, keep))
        .chain([("PATH".into(), PATH.into())])
        .collect()
}

fn passes(name: &OsStr, keep: &[OsString]) -> bool {
    let Some(text) = name.to_str() else {
        return false;
    };
    !NEVER.iter().any(|begin| text.starts_with(begin))
        && (KEPT.contains(&text)
            || KEYS.iter().any(|end| text.ends_with(end))
            || keep.iter().any(|kept| kept == name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStringExt as _;

    fn names(given: &[&str], keep: &[&str]) -> Vec<String> {
        let given = given.iter().map(|name| (name.into(), "evil".into()));
        let keep: Vec<OsString> = keep.iter().map(OsString::from).collect();
        cleaned(given, &keep)
            .into_iter()
            .filter(|(_, value)| value == "evil")
            .map(|(name, _)| name.into_string().expect("text"))
            .collect()
    }

    #[test]
    fn what_steers_a_program_before_it_starts_is_gone() {
        for name in [
            "LD_PRELOAD",
            "LD_LIBRARY_PATH",
            "LD_AUDIT",
            "LD_DEBUG_OUTPUT",
            "LD_SOMETHING_KEY",
            "DYLD_INSERT_LIBRARIES",
            "GCONV_PATH",
            "GETCONF_DIR",
            "GLIBC_TUNABLES",
            "HOSTALIASES",
            "LOCALDOMAIN",
            "LOCPATH",
            "MALLOC_CHECK_",
            "MALLOC_PERTURB_",
            "NLSPATH",
            "RESOLV_HOST_CONF",
            "RES_OPTIONS",
            "PATH",
            "BASH_ENV",
            "ENV",
            "IFS",
            "NODE_OPTIONS",
            "PERL5OPT",
            "PYTHONPATH",
            "PYTHONSTARTUP",
            "RUBYOPT",
            "RUST_BACKTRACE",
            "RUST_LOG",
            "RUST_MIN_STACK",
            "SSL_CERT_FILE",
            "SSL_CERT_DIR",
            "HTTPS_PROXY",
            "https_proxy",
            "ALL_PROXY",
            "NO_PROXY",
            "XDG_CONFIG_HOME",
            "COUNTERSIGN_CONFIG",
            "OPENAI_BASE_URL",
            "GIT_SSH_COMMAND",
            "GIT_CONFIG_COUNT",
            "SHELL",
            "",
        ] {
            assert_eq!(names(&[name], &[]), Vec::<String>::new(), "{name}");
        }
    }

    #[test]
    fn what_the_host_reads_stays() {
        for name in KEPT.iter().chain(&["OPENAI_API_KEY", "HF_TOKEN"]) {
            assert_eq!(names(&[name], &[]), [*name]);
        }
    }

    #[test]
    fn the_owner_can_keep_a_name_but_not_one_that_steers() {
        assert_eq!(names(&["MODEL_DIR"], &["MODEL_DIR"]), ["MODEL_DIR"]);
        for name in ["LD_PRELOAD", "PATH", "SSL_CERT_FILE", "GLIBC_TUNABLES"] {
            assert_eq!(names(&[name], &[name]), Vec::<String>::new(), "{name}");
        }
    }

    #[test]
    fn a_name_that_is_not_text_is_gone_and_the_path_is_fixed() {
        let odd = OsString::from_vec(vec![b'A', 0xff]);
        let left = cleaned([(odd.clone(), "x".into())].into_iter(), &[odd]);
        assert_eq!(left, [("PATH".into(), PATH.into())]);
    }
}
