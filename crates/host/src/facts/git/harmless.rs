use super::config::Setting;

/// Sections, and the names in them; no names at all means every name.
type Table = &'static [(&'static str, &'static [&'static str])];

/// Settings outside subsections with which git runs nothing when it reads (git-config(1)),
/// whatever their value.
#[rustfmt::skip]
const PLAIN: Table = &[
    ("advice", &[]),
    ("am", &["keepcr", "threeway"]),
    ("apply", &["ignorewhitespace", "whitespace"]),
    ("author", &["email", "name"]),
    ("blame", &["blankboundary", "coloring", "date", "ignorerevsfile", "markignoredlines",
        "markunblamablelines", "showemail", "showroot"]),
    ("branch", &["autosetupmerge", "autosetuprebase", "sort"]),
    ("checkout", &["defaultremote", "guess", "thresholdforparallelism", "workers"]),
    ("clean", &["requireforce"]),
    ("color", &[]),
    ("column", &[]),
    ("commit", &["cleanup", "gpgsign", "status", "template", "verbose"]),
    ("committer", &["email", "name"]),
    ("core", &["abbrev", "attributesfile", "autocrlf", "bare", "bigfilethreshold", "checkstat",
        "commentchar", "commentstring", "commitgraph", "compression", "deltabasecachelimit",
        "eol", "excludesfile", "filemode", "filesreflocktimeout", "fscache", "fsync",
        "fsyncmethod", "fsyncobjectfiles", "hidedotfiles", "ignorecase", "ignorestat",
        "logallrefupdates", "longpaths", "loosecompression", "multipackindex", "notesref",
        "packedgitlimit", "packedgitwindowsize", "packedrefstimeout", "precomposeunicode",
        "prefersymlinkrefs", "preloadindex", "protecthfs", "protectntfs",
        "quotepath", "repositoryformatversion", "restrictinheritedhandles", "safecrlf",
        "sharedrepository", "sparsecheckout", "sparsecheckoutcone", "splitindex", "symlinks",
        "trustctime", "untrackedcache", "usereplacerefs", "warnambiguousrefs", "whitespace"]),
    ("credential", &["usehttppath", "username"]),
    ("diff", &["algorithm", "autorefreshindex", "colormoved", "colormovedws", "context",
        "dirstat", "dstprefix", "ignoresubmodules", "indentheuristic", "interhunkcontext",
        "mnemonicprefix", "noprefix", "orderfile", "relative", "renamelimit", "renames",
        "srcprefix", "statgraphwidth", "statnamewidth", "suppressblankempty", "wordregex",
        "wserrorhighlight"]),
    ("extensions", &["compatobjectformat", "noop", "objectformat", "preciousobjects",
        "refstorage", "relativeworktrees", "worktreeconfig"]),
    ("feature", &["experimental", "manyfiles"]),
    ("fetch", &["fsckobjects", "negotiationalgorithm", "output", "parallel", "prune",
        "prunetags", "recursesubmodules", "showforcedupdates", "writecommitgraph"]),
    ("format", &["pretty"]),
    ("gc", &["aggressivedepth", "aggressivewindow", "auto", "autodetach", "autopacklimit",
        "bigpackthreshold", "cruftpacks", "logexpiry", "maxcruftsize", "packrefs", "pruneexpire",
        "reflogexpire", "reflogexpireunreachable", "rerereresolved", "rerereunresolved",
        "worktreepruneexpire", "writecommitgraph"]),
    ("gpg", &["format", "mintrustlevel"]),
    ("grep", &["column", "extendedregexp", "fullname", "linenumber", "patterntype", "threads"]),
    ("gui", &["geometry", "wmstate"]),
    ("http", &["extraheader", "lowspeedlimit", "lowspeedtime", "maxrequests", "postbuffer",
        "version"]),
    ("i18n", &["commitencoding", "logoutputencoding"]),
    ("index", &["recordendofindexentries", "recordoffsettable", "skiphash", "sparse", "threads",
        "version"]),
    ("init", &["defaultbranch", "defaultobjectformat", "defaultrefformat"]),
    ("lfs", &["concurrenttransfers", "fetchexclude", "fetchinclude", "fetchrecentcommitsdays",
        "fetchrecentrefsdays", "locksverify", "repositoryformatversion", "setlockablereadonly"]),
    ("log", &["abbrevcommit", "date", "decorate", "diffmerges", "excludedecoration", "follow",
        "graphcolors", "initialdecorationset", "mailmap", "showroot"]),
    ("mailmap", &["blob", "file"]),
    ("maintenance", &["auto", "autodetach", "strategy"]),
    ("merge", &["autostash", "branchdesc", "conflictstyle", "defaulttoupstream",
        "directoryrenames", "ff", "log", "renamelimit", "renames", "renormalize", "stat",
        "suppressdest", "verbosity"]),
    ("notes", &["displayref", "mergestrategy", "rewritemode", "rewriteref"]),
    ("pack", &["allowpackreuse", "compression", "deltacachelimit", "deltacachesize", "depth",
        "indexversion", "packsizelimit", "threads", "usebitmaps", "usesparse", "window",
        "windowmemory", "writereverseindex"]),
    ("pull", &["ff", "octopus", "rebase", "twohead"]),
    ("push", &["autosetupremote", "default", "followtags", "gpgsign", "recursesubmodules",
        "useforceifincludes"]),
    ("rebase", &["abbreviatecommands", "autosquash", "autostash", "forkpoint",
        "missingcommitscheck", "rebasemerges", "stat", "updaterefs"]),
    ("receive", &["denycurrentbranch", "denydeletes", "denynonfastforwards", "fsckobjects"]),
    ("repack", &["usedeltabaseoffset", "usedeltaislands", "writebitmaps"]),
    ("rerere", &["autoupdate", "enabled"]),
    ("stash", &["showincludeuntracked", "showpatch", "showstat"]),
    ("status", &["aheadbehind", "branch", "displaycommentprefix", "relativepaths", "renamelimit",
        "renames", "short", "showstash", "showuntrackedfiles"]),
    ("submodule", &["active", "alternateerrorstrategy", "alternatelocation", "fetchjobs",
        "propagatebranches", "recurse"]),
    ("tag", &["forcesignannotated", "gpgsign", "sort"]),
    ("transfer", &["fsckobjects", "hiderefs", "unpacklimit"]),
    ("user", &[]),
    ("versionsort", &["suffix"]),
    ("worktree", &["guessremote", "userelativepaths"]),
];

/// The same for settings in subsections.
#[rustfmt::skip]
const NAMED: Table = &[
    ("color", &[]),
    ("credential", &["usehttppath", "username"]),
    ("diff", &["algorithm", "binary", "cachetextconv", "funcname", "wordregex", "xfuncname"]),
    ("filter", &["required"]),
    ("gc", &["reflogexpire", "reflogexpireunreachable"]),
    ("http", &["extraheader"]),
    ("lfs", &["access", "locksverify"]),
    ("maintenance", &["enabled", "schedule"]),
    ("merge", &["name", "recursive"]),
    ("remote", &["fetch", "followremotehead", "gh-resolved", "mirror", "prune", "prunetags",
        "push", "skipdefaultupdate", "skipfetchall", "tagopt"]),
    ("submodule", &["active", "branch", "fetchrecursesubmodules", "ignore", "path", "shallow"]),
];

/// Whether git runs nothing because of a setting when it reads. What is not known does not count.
pub(super) fn is_harmless(setting: &Setting) -> bool {
    let table = match setting.subsection {
        Some(_) => NAMED,
        None => PLAIN,
    };
    let name = setting.name.as_str();
    let listed = table.iter().any(|(section, names)| {
        *section == setting.section && (names.is_empty() || names.contains(&name))
    });
    listed || is_harmless_value(setting)
}

/// Settings that run something with some values and nothing with others.
fn is_harmless_value(setting: &Setting) -> bool {
    let subsection = setting.subsection.as_deref();
    let Some(value) = setting.value.as_deref() else {
        // Without a `=` it is true, which is git's own monitor or a pager of the user's.
        return setting.is("core", "fsmonitor") || setting.section == "pager";
    };
    match (setting.section.as_str(), subsection, setting.name.as_str()) {
        ("branch", Some(_), "mergeoptions") => false,
        ("branch", Some(_), "remote" | "pushremote")
        | ("remote", None, "pushdefault")
        | ("remote", Some(_), "url" | "pushurl")
        | ("submodule", Some(_), "url") => is_harmless_url(value),
        ("branch", Some(_), _) => true,
        ("core", None, "fsmonitor") | ("pager", None, _) => is_bool(value),
        // Git takes both for no pager.
        ("core", None, "pager") => matches!(value, "" | "cat"),
        ("diff", None, "submodule") => matches!(value, "short" | "log"),
        // What `git lfs install` sets.
        ("filter", Some("lfs"), "clean") => value == "git-lfs clean -- %f",
        ("filter", Some("lfs"), "process") => {
            matches!(
                value,
                "git-lfs filter-process" | "git-lfs filter-process --skip"
            )
        }
        ("filter", Some("lfs"), "smudge") => {
            matches!(
                value,
                "git-lfs smudge -- %f" | "git-lfs smudge --skip -- %f"
            )
        }
        ("lfs", None, "url") => value.starts_with("https://"),
        ("log", None, "showsignature") | ("status", None, "submodulesummary") => {
            matches!(value, "false" | "0")
        }
        ("merge", Some(_), "driver") => value == "true",
        ("submodule", Some(_), "update") => {
            matches!(value, "checkout" | "rebase" | "merge" | "none")
        }
        _ => false,
    }
}

fn is_bool(value: &str) -> bool {
    ["", "0", "1", "false", "no", "off", "on", "true", "yes"]
        .iter()
        .any(|word| value.eq_ignore_ascii_case(word))
}

/// A remote's name, a path or an address of a kind that git itself speaks. Every other kind is the
/// name of a program (gitremote-helpers(7)).
fn is_harmless_url(url: &str) -> bool {
    const OWN: &[&str] = &[
        "file", "ftp", "ftps", "git", "git+ssh", "http", "https", "ssh", "ssh+git",
    ];
    let is_scheme = |char: char| char.is_ascii_alphanumeric() || matches!(char, '+' | '-' | '.');
    let rest = url.trim_start_matches(is_scheme);
    let scheme = url.strip_suffix(rest).unwrap_or(url);
    if url.starts_with('-') || rest.starts_with("::") {
        return false;
    }
    !rest.starts_with("://") || OWN.contains(&scheme)
}
