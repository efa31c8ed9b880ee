use super::{
    Path, PathList, intersects, is_within, join, matches, matches_path, matches_place, zone,
};
use countersign_core::{Facts, Zone};

fn facts() -> Facts {
    Facts::virtual_at("/home/u", &["/home/u/p", "/tmp/ws"])
}

#[test]
fn joining_removes_dots_without_looking() {
    for (cwd, path, joined) in [
        ("/a/b", "c", "/a/b/c"),
        ("/a/b", "../c", "/a/c"),
        ("/a", "../../..", "/"),
        ("/a", "//x//./y/", "/x/y"),
        ("/a", "/.", "/"),
        ("/a", ".", "/a"),
    ] {
        assert_eq!(join(cwd, path), joined, "{path} in {cwd}");
    }
}

#[test]
fn inside_is_by_components() {
    assert!(is_within("/a/b/c", "/a/b") && is_within("/a/b", "/a/b/"));
    assert!(!is_within("/a/bc", "/a/b"));
}

#[test]
fn zones() {
    for (path, expected) in [
        ("/", Zone::Root),
        ("/etc/passwd", Zone::System),
        ("/usr/local/bin/x", Zone::Elsewhere),
        ("/usr/local/bin", Zone::System),
        ("/var/www/html", Zone::Elsewhere),
        ("/dev/shm/x", Zone::Temp),
        ("/dev/sda", Zone::Device),
        ("/dev/null", Zone::Null),
        ("/dev/fd/63", Zone::Null),
        ("/home", Zone::Home),
        ("/home/u", Zone::Home),
        ("/home/other", Zone::Home),
        ("/home/other/x", Zone::InHome),
        ("/home/u/work", Zone::InHome),
        ("/home/u/p", Zone::WorkspaceRoot),
        ("/home/u/p/src/a.rs", Zone::Workspace),
        ("/home/u/p/target/debug", Zone::Build),
        ("/home/u/p-sibling", Zone::InHome),
        ("/tmp", Zone::TempRoot),
        ("/tmp/x", Zone::Temp),
        ("/tmp/ws/a", Zone::Workspace),
        ("/var/tmp/x", Zone::Temp),
        ("/var/lib", Zone::System),
        ("/srv/app", Zone::Elsewhere),
    ] {
        assert_eq!(zone(path, &facts()), expected, "{path}");
    }
}

#[test]
fn globs() {
    assert!(matches("a*c", "abbc") && matches("*", "") && matches("a?c", "abc"));
    assert!(!matches("a*c", "abd") && !matches("", "a"));
    assert!(matches_path("/a/**", "/a/b/c") && matches_path("/a/**", "/a"));
    assert!(matches_path("/a/*/c", "/a/b/c") && !matches_path("/a/*", "/a/b/c"));
    assert!(matches_path("**/x", "a/b/x") && matches_path("**/x", "x"));
    for (pattern, path, expected) in [
        ("/a/b/**", "/a/b", true),
        ("/a/b/**", "/a/b/c/d", true),
        ("/a/c*/**", "/a/cron.d/x", true),
        ("/a/b", "/a/b/c", false),
        ("**/.x/y", "/h/.x/y", true),
        ("**/.x/y", "/h/z.x/y", false),
        (".ssh/rc", ".ssh/rc", true),
    ] {
        assert_eq!(
            matches_place(pattern, path),
            expected,
            "{pattern} on {path}"
        );
    }
    for (typed, listed, expected) in [
        (".e*", ".env", true),
        (".en?", ".env", true),
        (".[e]nv", ".env", true),
        ("*.pem", "server*", true),
        ("*.txt", "*.pem", false),
        ("id_*", "id_rsa", true),
        ("abc", "*d", false),
    ] {
        assert_eq!(intersects(typed, listed), expected, "{typed} and {listed}");
    }
}

#[test]
fn lists() {
    let list = PathList::new(&[
        ".env",
        ".env.*",
        "!.env.example",
        ".ssh/id_*",
        "~/.netrc",
        ".git",
    ]);
    for (path, expected) in [
        ("/home/u/p/.env", true),
        ("/home/u/p/.ENV", true),
        ("/home/u/p/.env.local", true),
        ("/home/u/p/.env.example", false),
        ("/home/u/p/x.env", false),
        ("/home/u/.ssh/id_rsa", true),
        ("/home/u/.ssh/known_hosts", false),
        ("/home/u/.netrc", true),
        ("/home/u/p/.netrc", false),
        ("/home/u/p/sub/.git/config", true),
        ("/home/u/p/.gitignore", false),
        ("/home/u/p/.e*", true),
        ("/home/u/p/*", false),
    ] {
        assert_eq!(list.holds(&Path::new(path, &facts())), expected, "{path}");
    }
}

#[test]
fn short_cuts_miss_nothing() {
    let mut seed = 7_u64;
    let mut pick = |most: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(seed >> 33).expect("31 bits") % most
    };
    let names = [
        ".env", ".env.*", ".env.p*", "*.pem", "id_*", "id_e*", "a", "ab", "*", "?b", "x*y", ".e*",
        "[ab]c", "@(a|b)", "home", "u", "p", "key*", "k*", "*key", "A", "\u{e9}", ".*", "b.pem",
    ];
    let starts = ["", "!", "/", "~/", "!~/", "!/"];
    for _ in 0..4000 {
        let mut path = |first: &str, most: usize| {
            let mut text = first.to_owned();
            for at in 0..=pick(most) {
                text.push_str(if at == 0 { "" } else { "/" });
                text.push_str(names[pick(names.len())]);
            }
            text
        };
        let begins = ["/", "/home/u/", "/home/u/p/"];
        let begin = begins[path("", 1).len() % 3];
        let typed = path(begin, 3);
        let entries: Vec<String> = (0..6).map(|at| path(starts[at], 2)).collect();
        let list = PathList::new(&entries);
        let found = Path::new(&typed, &facts());
        assert_eq!(
            list.holds(&found),
            list.holds_slowly(&found),
            "{typed} on {entries:?}"
        );
    }
}

#[test]
fn whole_trees_and_capitals() {
    let holds = |entries: &[&str], path: &str, facts: &Facts| {
        PathList::new(entries).holds(&Path::new(path, facts))
    };
    let usual = facts();
    assert!(holds(&["/"], "/etc/hosts", &usual) && holds(&["/"], "/home/u/x", &usual));
    assert!(holds(&["~/"], "/home/u/x", &usual) && !holds(&["~/"], "/etc/hosts", &usual));
    assert!(!holds(&[""], "/etc/hosts", &usual) && !holds(&["/", "!~/"], "/home/u/x", &usual));
    let foreign = Facts::virtual_at("/Users/\u{c9}lodie", &[]);
    assert!(holds(
        &["~/Private"],
        "/Users/\u{c9}lodie/Private/x",
        &foreign
    ));
}
