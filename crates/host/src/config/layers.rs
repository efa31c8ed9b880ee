use super::error::{ConfigError, ConfigErrorKind};
use super::file::{AuditFile, ConfigFile, Exception, Undecided, parse};
use super::lists::Lists;
use super::review::Review;
use super::source::{Source, Texts};
use super::{commands, packs};
use crate::audit::Anchor;
use crate::paths::{Dirs, WORKSPACE_FILE};
use countersign_broker::Limits;
use countersign_policy::{Pattern, Settings, defaults};
use std::fs::{Metadata, OpenOptions};
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// The largest configuration file read, in bytes.
pub(super) const MAX_CONFIG: u64 = 1 << 20;

/// The settings in force, and where they come from.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// What policy needs.
    pub settings: Settings,
    /// What the agent is told about undecided calls.
    pub undecided: Undecided,
    /// Where the head of the audit log is kept too.
    pub anchor: Option<Anchor>,
    /// Who reviews.
    pub review: Review,
    /// How often is too often.
    pub limits: Limits,
    /// The files that were read, in the order they were applied.
    pub files: Vec<PathBuf>,
    /// The file of each pack in the settings.
    pub pack_files: Vec<PathBuf>,
    /// What the owners' command files describe.
    pub(crate) commands: Vec<commands::Known>,
    /// What a person should know: replaced built-in lists, exceptions in force.
    pub notes: Vec<String>,
    lists: Lists,
}

impl Loaded {
    fn built_in() -> Self {
        Self {
            settings: Settings::default(),
            undecided: Undecided::NoOpinion,
            anchor: None,
            review: Review::default(),
            limits: Limits::default(),
            files: Vec::new(),
            pack_files: Vec::new(),
            commands: Vec::new(),
            notes: Vec::new(),
            lists: Lists::default(),
        }
    }
}

/// Reads every layer. A missing file is an absent layer; a broken file of the administrator or the
/// user is an error; a broken or loosening file of the workspace is ignored, named, and makes
/// policy flag everything but reads until it is mended.
///
/// # Errors
/// When the administrator's or the user's file cannot be used.
pub fn load(dirs: &Dirs, roots: &[String]) -> Result<Loaded, ConfigError> {
    load_from(dirs, roots, Texts::default()).map(|(loaded, _)| loaded)
}

/// The same from what was kept of the files, with every text that was used. What was not kept is
/// read.
///
/// # Errors
/// As [`load`].
pub(crate) fn load_from(
    dirs: &Dirs,
    roots: &[String],
    kept: Texts,
) -> Result<(Loaded, Texts), ConfigError> {
    let mut source = Source::kept(kept);
    let mut loaded = Loaded::built_in();
    // The administrator's file is applied over the user's, so that it has the last word.
    for file in [dirs.config_file(), dirs.managed_file()] {
        if let Some(text) = source.owners(&file)? {
            apply(&mut loaded, &file, parsed(&file, &text)?)
                .map_err(|error| error.located(&text))?;
            loaded.files.push(file);
        }
    }
    loaded.notes.extend(loaded.lists.notes());
    packs::of_owners(&mut loaded, &mut source, dirs)?;
    commands::of_owners(&mut loaded, &mut source, dirs)?;
    if let Some(problem) = loaded.review.problem() {
        return Err(ConfigError {
            file: loaded.review.ask_from.unwrap_or_else(|| dirs.config_file()),
            kind: ConfigErrorKind::Review(problem),
        });
    }
    // A workspace that was moved, or left, takes nothing away.
    let mut all_roots = source.kept_roots();
    all_roots.extend(roots.iter().cloned());
    all_roots.sort();
    all_roots.dedup();
    for root in &all_roots {
        let file = Path::new(root).join(WORKSPACE_FILE);
        for text in source.anybodys(&file) {
            match text.and_then(|text| {
                let config = parsed(&file, &text)?;
                tighten(&mut loaded, &file, config).map_err(|error| error.located(&text))
            }) {
                Ok(()) if loaded.files.contains(&file) => {}
                Ok(()) => loaded.files.push(file.clone()),
                Err(error) => loaded.settings.complaints.push(error.to_string()),
            }
        }
        packs::of_workspace(&mut loaded, &mut source, dirs, root);
        commands::of_workspace(&mut loaded, root);
    }
    loaded.settings.complaints.sort();
    loaded.settings.complaints.dedup();
    Ok((loaded, source.into_texts()))
}

/// What would not fit together if the user's file held this.
///
/// # Errors
/// With what is wrong.
pub(super) fn would_fit(dirs: &Dirs, config: ConfigFile) -> Result<(), String> {
    let mut loaded = Loaded::built_in();
    apply(&mut loaded, &dirs.config_file(), config).map_err(|error| error.to_string())?;
    if let Some(managed) =
        read(&dirs.managed_file(), Whose::Owners).map_err(|error| error.to_string())?
    {
        apply(&mut loaded, &dirs.managed_file(), managed).map_err(|error| error.to_string())?;
    }
    loaded.review.problem().map_or(Ok(()), Err)
}

/// Checks one file as if it were the user's: a pack of rules where it lies in a folder `rules`, a
/// command file where it lies in a folder `commands` or, as the built-in ones do, in a folder of that.
///
/// # Errors
/// When it does not exist or cannot be used.
pub fn check(file: &Path) -> Result<(), ConfigError> {
    if file
        .parent()
        .is_some_and(|folder| folder.ends_with("rules"))
    {
        return packs::check(file);
    }
    if file
        .ancestors()
        .skip(1)
        .take(2)
        .any(|folder| folder.ends_with("commands"))
    {
        return commands::check(file);
    }
    let mut loaded = Loaded::built_in();
    match read_text(file, Whose::Owners)? {
        Some(text) => {
            apply(&mut loaded, file, parsed(file, &text)?).map_err(|error| error.located(&text))
        }
        None => Err(ConfigError {
            file: file.to_path_buf(),
            kind: ConfigErrorKind::Read(std::io::ErrorKind::NotFound.into()),
        }),
    }
}

/// Who may have written a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// The user or root: what it says counts in full.
    Owners,
    /// Whoever wrote the workspace: it can only tighten.
    Anybodys,
}

/// What speaks against a file that counts in full. Group members may write it: a group of one's own
/// is what many systems give a user.
pub(super) fn foreign(found: &Metadata) -> Option<ConfigErrorKind> {
    let owner = found.uid();
    if owner != 0 && owner != nix::unistd::geteuid().as_raw() {
        return Some(ConfigErrorKind::Owner(owner));
    }
    let mode = found.mode() & 0o7777;
    (mode & 0o002 != 0).then_some(ConfigErrorKind::Writable(mode))
}

fn read(file: &Path, whose: Whose) -> Result<Option<ConfigFile>, ConfigError> {
    read_text(file, whose)?
        .map(|text| parsed(file, &text))
        .transpose()
}

fn parsed(file: &Path, text: &str) -> Result<ConfigFile, ConfigError> {
    parse(text).map_err(|error| ConfigError {
        file: file.to_path_buf(),
        kind: ConfigErrorKind::Parse(error),
    })
}

/// The text of a file, if there is one that counts.
pub(super) fn read_text(file: &Path, whose: Whose) -> Result<Option<String>, ConfigError> {
    let fail = |kind| ConfigError {
        file: file.to_path_buf(),
        kind,
    };
    let read = |error| fail(ConfigErrorKind::Read(error));
    // A pipe in the file's place would block its reader, and one that is swapped in between two
    // looks would not have been looked at.
    let open = OpenOptions::new()
        .read(true)
        .custom_flags(nix::fcntl::OFlag::O_NONBLOCK.bits())
        .open(file);
    let open = match open {
        Ok(open) => open,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(read(error)),
    };
    let found = open.metadata().map_err(read)?;
    if !found.is_file() || found.len() > MAX_CONFIG {
        return Err(fail(ConfigErrorKind::NoFile));
    }
    if let (Whose::Owners, Some(kind)) = (whose, foreign(&found)) {
        return Err(fail(kind));
    }
    let mut text = String::new();
    open.take(MAX_CONFIG)
        .read_to_string(&mut text)
        .map_err(read)?;
    Ok(Some(text))
}

/// A layer with full authority: its scalars win, its rules add up, its path lists replace the
/// built-in ones unless they name `$defaults`, and come on top of those of another layer.
fn apply(loaded: &mut Loaded, file: &Path, mut config: ConfigFile) -> Result<(), ConfigError> {
    let fail = |kind| ConfigError {
        file: file.to_path_buf(),
        kind,
    };
    loaded
        .review
        .apply(file, &mut config, &mut loaded.notes)
        .map_err(|problem| fail(ConfigErrorKind::Review(problem)))?;
    loaded.limits = config
        .limits
        .over(loaded.limits)
        .map_err(|problem| fail(ConfigErrorKind::Review(problem)))?;
    if let Some(undecided) = config.undecided {
        loaded.undecided = undecided;
    }
    anchor(&mut loaded.anchor, config.audit).map_err(fail)?;
    let settings = &mut loaded.settings;
    let given = config.permissions;
    for (name, given, list) in [
        ("deny", given.deny, &mut settings.deny),
        ("ask", given.ask, &mut settings.ask),
        ("allow", given.allow, &mut settings.allow),
    ] {
        for pattern in patterns(name, &given) {
            list.push(pattern.map_err(fail)?);
        }
    }
    settings.read_hosts.extend(config.network.read_hosts);
    for (given, setting) in [
        (config.network.remote_reads, &mut settings.remote_reads),
        (config.network.plain_gets, &mut settings.plain_gets),
    ] {
        *setting = given.unwrap_or(*setting);
    }
    for (name, server) in config.mcp.servers {
        let server = countersign_policy::McpServer {
            trust: server.trust,
            read_only: server.read_only,
        };
        settings.mcp.insert(name, server);
    }
    for exception in config.hard_deny.except {
        loaded.notes.push(format!(
            "{}: exception to {}: {}",
            file.display(),
            exception.rule,
            exception.reason
        ));
        settings.exceptions.push(checked(exception).map_err(fail)?);
    }
    let paths = config.paths;
    for (name, given, list, built_in) in [
        (
            "protected",
            paths.protected,
            &mut settings.protected,
            defaults::protected(),
        ),
        (
            "secret",
            paths.secret,
            &mut settings.secret,
            defaults::secret(),
        ),
        ("denied", paths.denied, &mut settings.denied, &[]),
    ] {
        if let Some(given) = given {
            loaded.lists.give(name, file, given, list, built_in);
        }
    }
    Ok(())
}

/// Whoever requires the anchor says so for the file that is in force, whoever named it.
fn anchor(loaded: &mut Option<Anchor>, given: AuditFile) -> Result<(), ConfigErrorKind> {
    if let Some(file) = given.anchor {
        if !file.is_absolute() {
            return Err(ConfigErrorKind::Anchor(file));
        }
        let required = loaded.as_ref().is_some_and(|anchor| anchor.required);
        *loaded = Some(Anchor { file, required });
    }
    if let (Some(anchor), Some(required)) = (loaded, given.anchor_required) {
        anchor.required = required;
    }
    Ok(())
}

/// The workspace's layer: what it adds counts, everything else is a complaint.
fn tighten(loaded: &mut Loaded, file: &Path, mut config: ConfigFile) -> Result<(), ConfigError> {
    let settings = &mut loaded.settings;
    let mut wrong = None;
    for (name, given, list) in [
        ("deny", &config.permissions.deny, &mut settings.deny),
        ("ask", &config.permissions.ask, &mut settings.ask),
    ] {
        for pattern in patterns(name, given) {
            match pattern {
                Ok(pattern) => list.push(pattern),
                // The others tighten all the same.
                Err(kind) => wrong = wrong.or(Some(kind)),
            }
        }
    }
    let mut tries = loaded.review.tighten(&mut config);
    match config.limits.tighten(&mut loaded.limits) {
        Ok(true) => tries.push("limits that are laxer"),
        Ok(false) => {}
        Err(what) => wrong = wrong.or(Some(ConfigErrorKind::Review(what))),
    }
    for (name, given, list) in [
        (
            "the entries of paths.protected that begin with `!`",
            config.paths.protected,
            &mut settings.protected,
        ),
        (
            "the entries of paths.secret that begin with `!`",
            config.paths.secret,
            &mut settings.secret,
        ),
        (
            "the entries of paths.denied that begin with `!`",
            config.paths.denied,
            &mut settings.denied,
        ),
    ] {
        let (exempt, added): (Vec<_>, Vec<_>) = given
            .into_iter()
            .flatten()
            .filter(|entry| entry != "$defaults")
            .partition(|entry| entry.starts_with('!'));
        list.extend(added);
        if !exempt.is_empty() {
            tries.push(name);
        }
    }
    match config.undecided {
        Some(Undecided::Ask) => loaded.undecided = Undecided::Ask,
        Some(Undecided::NoOpinion) if loaded.undecided == Undecided::Ask => tries.push("undecided"),
        Some(Undecided::NoOpinion) | None => {}
    }
    if !config.permissions.allow.is_empty() {
        tries.push("permissions.allow");
    }
    if !config.network.read_hosts.is_empty() {
        tries.push("network.read_hosts");
    }
    for (name, given, setting) in [
        (
            "network.remote_reads",
            config.network.remote_reads,
            &mut settings.remote_reads,
        ),
        (
            "network.plain_gets",
            config.network.plain_gets,
            &mut settings.plain_gets,
        ),
    ] {
        if given == Some(true) && !*setting {
            tries.push(name);
        }
        *setting &= given.unwrap_or(true);
    }
    if !config.mcp.servers.is_empty() {
        tries.push("mcp.servers");
    }
    if config.audit != AuditFile::default() {
        tries.push("audit");
    }
    if !config.hard_deny.except.is_empty() {
        tries.push("hard_deny.except");
    }
    if !tries.is_empty() {
        settings.complaints.push(format!(
            "{}: a workspace may only tighten; remove {}",
            file.display(),
            tries.join(", ")
        ));
    }
    wrong.map_or(Ok(()), |kind| {
        Err(ConfigError {
            file: file.to_path_buf(),
            kind,
        })
    })
}

fn patterns(
    list: &'static str,
    given: &[String],
) -> impl Iterator<Item = Result<Pattern, ConfigErrorKind>> {
    given.iter().map(move |pattern| {
        Pattern::parse(pattern).map_err(|error| ConfigErrorKind::Pattern {
            place: String::new(),
            list,
            pattern: pattern.clone(),
            problem: error.to_string(),
        })
    })
}

fn checked(given: Exception) -> Result<countersign_policy::Exception, ConfigErrorKind> {
    let fail = |text: &str| ConfigErrorKind::Exception(format!("`{}` {text}", given.rule));
    if !countersign_policy::rule_ids().any(|id| id == given.rule) {
        return Err(fail(
            "is not the id of a built-in rule; `countersign config defaults` lists them",
        ));
    }
    if given.path.is_none() && given.host.is_none() {
        return Err(fail("needs a `path` or a `host` that it holds for"));
    }
    if given.reason.trim().is_empty() {
        return Err(fail("needs a `reason`"));
    }
    Ok(countersign_policy::Exception {
        rule: given.rule,
        path: given.path,
        host: given.host,
        reason: given.reason,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whichever of the two files a line is in, the administrator's has the last word.
    #[test]
    fn the_administrator_has_the_last_word() {
        let place = tempfile::tempdir().expect("a folder");
        let dirs = Dirs::under(place.path());
        for (folder, text) in [
            (
                &dirs.config,
                "undecided = \"no-opinion\"\n[paths]\nsecret = [\"$defaults\", \"mine\", \"!theirs\"]\n",
            ),
            (
                &dirs.managed,
                "undecided = \"ask\"\n[paths]\nsecret = [\"theirs\"]\n",
            ),
        ] {
            std::fs::create_dir_all(folder).expect("a folder");
            std::fs::write(folder.join("config.toml"), text).expect("a file");
        }
        let loaded = load(&dirs, &[]).expect("both files are right");
        assert_eq!(loaded.undecided, Undecided::Ask);
        let secret = &loaded.settings.secret;
        assert!(secret.len() > defaults::secret().len(), "the built-in list");
        assert!(secret.iter().any(|entry| entry == "mine"), "{secret:?}");
        assert_eq!(secret.last().map(String::as_str), Some("theirs"));
    }

    /// Reviewers and plugins go by name, scalars by the last word; a section that was replaced and
    /// then given its defaults back has them once.
    #[test]
    fn the_administrator_says_who_reviews() {
        let place = tempfile::tempdir().expect("a folder");
        let dirs = Dirs::under(place.path());
        for (folder, text) in [
            (
                &dirs.config,
                "[review]\nask = [\"mine\"]\ndeadline_s = 10\nretries = 3\n\
                 [reviewers.mine]\n[reviewers.both]\nfallback = true\n\
                 [guidance]\nallow = [\"mine\"]\nhard_deny = []\n",
            ),
            (
                &dirs.managed,
                "[review]\nask = [\"both\", \"theirs\"]\non_failure = \"deny\"\n\
                 [reviewers.both]\n[reviewers.theirs]\n\
                 [guidance]\nallow = [\"$defaults\", \"theirs\"]\n",
            ),
        ] {
            std::fs::create_dir_all(folder).expect("a folder");
            std::fs::write(folder.join("config.toml"), text).expect("a file");
        }
        let loaded = load(&dirs, &[]).expect("both files are right");
        let review = loaded.review;
        assert_eq!(review.ask, ["both", "theirs"]);
        assert_eq!(review.ask_from, Some(dirs.managed_file()));
        assert_eq!((review.deadline.as_secs(), review.retries), (10, 3));
        assert_eq!(review.on_failure, countersign_core::OnFailure::Deny);
        assert!(!review.reviewers["both"].0.fallback, "theirs replaced it");
        assert_eq!(review.reviewers["both"].1, dirs.managed_file());
        assert_eq!(review.guidance.hard_deny, Vec::<String>::new());
        assert_eq!(review.guidance.allow.len(), 8);
        assert_eq!(review.guidance.allow[0], "mine");
        let told = loaded.notes.join("\n");
        assert!(
            told.contains("guidance.allow") && told.contains("guidance.hard_deny"),
            "{told}"
        );
    }

    #[test]
    fn reviews_that_cannot_be() {
        for (text, problem) in [
            ("[review]\nask = [\"x\"]\n", "there is no [reviewers.x]"),
            (
                "[review]\nask = [\"x\", \"x\"]\n[reviewers.x]\n",
                "review.ask names \"x\" twice",
            ),
            ("[review]\ndeadline_s = 0\n", "must be 1 to 50"),
            ("[review]\ndeadline_s = 51\n", "must be 1 to 50"),
            ("[review]\nretries = 6\n", "must be 0 to 5"),
            (
                "[review]\nask = [\"x\"]\nmode = \"quorum\"\n[reviewers.x]\n",
                "review.quorum is 2, and review.ask names 1 reviewers",
            ),
            ("[review]\nmode = \"best\"\n", "unknown variant"),
            ("[reviewers.x]\nplugins = 1\n", "unknown field"),
            ("[plugins.x]\nsha = 1\n", "unknown field"),
        ] {
            let place = tempfile::tempdir().expect("a folder");
            let dirs = Dirs::under(place.path());
            std::fs::create_dir_all(&dirs.config).expect("a folder");
            std::fs::write(dirs.config_file(), text).expect("a file");
            let error = load(&dirs, &[]).expect_err(text).to_string();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }

    #[test]
    fn a_file_that_everybody_can_write_does_not_count() {
        use std::os::unix::fs::PermissionsExt as _;
        let place = tempfile::tempdir().expect("a folder");
        let dirs = Dirs::under(place.path());
        let file = dirs.config_file();
        std::fs::create_dir_all(&dirs.config).expect("a folder");
        std::fs::write(&file, "undecided = \"ask\"\n").expect("a file");
        for (mode, counts) in [(0o600, true), (0o664, true), (0o666, false), (0o602, false)] {
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).expect("a mode");
            assert_eq!(load(&dirs, &[]).is_ok(), counts, "{mode:o}");
        }
    }
}
