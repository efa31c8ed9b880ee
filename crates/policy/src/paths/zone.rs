use super::is_within;
use countersign_core::{Facts, Zone};

/// What the operating system is made of.
const SYSTEM: &[&str] = &[
    "/Applications",
    "/Library",
    "/System",
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/private",
    "/proc",
    "/run",
    "/sbin",
    "/sys",
    "/usr",
    "/var",
];

/// Directories that hold home directories; losing one loses them all.
const HOMES: &[&str] = &["/home", "/root", "/Users", "/var/home"];

/// Files that hold nothing: what is written there is gone, what is read there is not on disk.
const NULL: &[&str] = &[
    "/dev/full",
    "/dev/null",
    "/dev/ptmx",
    "/dev/random",
    "/dev/stderr",
    "/dev/stdin",
    "/dev/stdout",
    "/dev/tty",
    "/dev/urandom",
    "/dev/zero",
];

/// Whether a directory of a workspace is one that building or installing makes anew.
fn is_built(name: &str) -> bool {
    matches!(
        name,
        ".cache"
            | ".gradle"
            | ".mypy_cache"
            | ".next"
            | ".nuxt"
            | ".nyc_output"
            | ".parcel-cache"
            | ".pytest_cache"
            | ".ruff_cache"
            | ".svelte-kit"
            | ".tox"
            | ".turbo"
            | "__pycache__"
            | "build"
            | "coverage"
            | "dist"
            | "htmlcov"
            | "node_modules"
            | "out"
            | "target"
    )
}

/// Endings of files that building, running or looking makes anew.
const REMADE: &[&str] = &[
    ".class",
    ".ds_store",
    ".gcda",
    ".gcno",
    ".o",
    ".obj",
    ".pyc",
    ".pyo",
    ".tsbuildinfo",
    "thumbs.db",
];

/// Whether the name of a file, or the pattern for names of files, says that it is made anew.
fn is_remade(name: &str) -> bool {
    let ends = |ending: &&str| {
        let mut letters = name.bytes().rev();
        let mut wanted = ending.bytes().rev();
        wanted.all(|want| {
            letters
                .next()
                .is_some_and(|it| it.eq_ignore_ascii_case(&want))
        })
    };
    REMADE.iter().any(ends)
}

/// Where an absolute path without `.` and `..` lies.
pub(crate) fn zone(path: &str, facts: &Facts) -> Zone {
    if path == "/" {
        return Zone::Root;
    }
    // A home directory stays one, also where it is the workspace.
    if path == facts.home.trim_end_matches('/') {
        return Zone::Home;
    }
    if path.starts_with("/dev/") {
        if is_within(path, "/dev/shm") {
            return Zone::Temp;
        }
        if NULL.contains(&path) || is_within(path, "/dev/fd") || is_within(path, "/dev/pts") {
            return Zone::Null;
        }
    }
    // The innermost of the directories that are told apart wins: a workspace under a directory
    // for temporary files is a workspace, a home under `/var` is a home.
    let roots = facts
        .roots
        .iter()
        // What the system or every home lies in is no workspace, whatever it is called.
        .filter(|root| !SYSTEM.contains(&root.as_str()) && !HOMES.contains(&root.as_str()))
        .map(|root| (root.as_str(), Ground::Workspace));
    let temp = facts
        .temp_roots
        .iter()
        .map(|root| (root.as_str(), Ground::Temp));
    let home = std::iter::once((facts.home.as_str(), Ground::Home));
    let inside = roots
        .chain(temp)
        .chain(home)
        .filter(|(base, _)| base.len() > 1 && is_within(path, base))
        .max_by_key(|(base, ground)| (base.len(), ground.rank()));
    if let Some((base, ground)) = inside {
        return ground.zone(path, base);
    }
    // An ancestor of a workspace or a home takes them along.
    let holds = |base: &String| is_within(base, path);
    if holds(&facts.home) || HOMES.contains(&path) {
        return Zone::Home;
    }
    if facts.roots.iter().any(holds) {
        return Zone::WorkspaceRoot;
    }
    if let Some(home) = HOMES.iter().find(|home| is_within(path, home)) {
        let whole = path.trim_start_matches(home).matches('/').count() <= 1 && *home != "/root";
        return if whole { Zone::Home } else { Zone::InHome };
    }
    if is_within(path, "/dev") {
        return Zone::Device;
    }
    if SYSTEM.iter().any(|system| is_within(path, system)) {
        let depth = path.matches('/').count();
        // What is installed or served locally is not what the system is made of.
        let local =
            (is_within(path, "/usr/local") && depth > 3) || (is_within(path, "/var") && depth > 2);
        return if local { Zone::Elsewhere } else { Zone::System };
    }
    Zone::Elsewhere
}

#[derive(Clone, Copy)]
enum Ground {
    Home,
    Temp,
    Workspace,
}

impl Ground {
    fn rank(self) -> u8 {
        match self {
            Self::Home => 0,
            Self::Temp => 1,
            Self::Workspace => 2,
        }
    }

    fn zone(self, path: &str, base: &str) -> Zone {
        let itself = path == base.trim_end_matches('/');
        match self {
            Self::Workspace if itself => Zone::WorkspaceRoot,
            Self::Workspace => {
                let inner = path.get(base.len()..).unwrap_or_default();
                let built = super::components(inner).any(is_built);
                if built || is_remade(inner) {
                    Zone::Build
                } else {
                    Zone::Workspace
                }
            }
            Self::Temp if itself => Zone::TempRoot,
            Self::Temp => Zone::Temp,
            Self::Home if itself => Zone::Home,
            Self::Home => Zone::InHome,
        }
    }
}

/// The more dangerous of two zones to write to or to lose.
pub(crate) fn worst(a: Zone, b: Zone) -> Zone {
    if danger(a) >= danger(b) { a } else { b }
}

fn danger(zone: Zone) -> u8 {
    match zone {
        Zone::Root => 12,
        Zone::System => 11,
        Zone::Device => 10,
        Zone::Home => 9,
        Zone::Unknown => 8,
        Zone::InHome => 7,
        Zone::Elsewhere => 6,
        Zone::TempRoot => 5,
        Zone::WorkspaceRoot => 4,
        Zone::Workspace => 3,
        Zone::Build => 2,
        Zone::Temp => 1,
        Zone::Null => 0,
    }
}
