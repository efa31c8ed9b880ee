use super::{Resolver, contents, read, real, temp_roots};
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use std::os::unix::fs::symlink;
use std::path::Path;

#[test]
fn links_are_followed_as_far_as_the_path_exists() {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let base = std::fs::canonicalize(scratch.path()).expect("it exists");
    std::fs::create_dir(base.join("real")).expect("a directory");
    std::fs::write(base.join("real/file"), "x").expect("a file");
    symlink(base.join("real"), base.join("link")).expect("a link");
    symlink("real/new", base.join("dangling")).expect("a link");
    symlink("loop", base.join("loop")).expect("a link");

    assert_eq!(real(&base.join("link/file")), base.join("real/file"));
    assert_eq!(
        real(&base.join("link/not/there")),
        base.join("real/not/there")
    );
    assert_eq!(real(&base.join("dangling")), base.join("real/new"));
    assert_eq!(real(&base.join("loop")), base.join("loop"));
    assert_eq!(real(&base.join("nothing")), base.join("nothing"));
}

#[test]
fn a_link_out_of_a_linked_directory_leaves_where_that_really_is() {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let base = std::fs::canonicalize(scratch.path()).expect("it exists");
    std::fs::create_dir_all(base.join("deep/er")).expect("a directory");
    symlink("deep/er", base.join("in")).expect("a link");
    symlink("in/../secret", base.join("out")).expect("a link");
    assert_eq!(real(&base.join("out")), base.join("deep/secret"));
}

#[test]
fn too_long_a_chain_of_links_hides_nothing_from_the_next_question() {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let base = std::fs::canonicalize(scratch.path()).expect("it exists");
    for step in 0..60 {
        let to = format!("l{}", step + 1);
        symlink(to, base.join(format!("l{step}"))).expect("a link");
    }
    let mut resolver = Resolver::default();
    assert_eq!(resolver.real(&base.join("l0")), base.join("l0"));
    assert_eq!(resolver.real(&base.join("l41")), base.join("l60"));
}

#[test]
fn only_regular_files_of_a_bounded_size_are_read() {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let at = |name: &str| scratch.path().join(name);
    std::fs::write(at("file"), "1234").expect("a file");
    mkfifo(&at("pipe"), Mode::S_IRWXU).expect("a pipe");
    symlink("/dev/zero", at("zero")).expect("a link");
    symlink("file", at("link")).expect("a link");
    symlink("nowhere", at("dangling")).expect("a link");

    let bytes = Ok(Some(b"1234".to_vec()));
    assert_eq!(read::file(&at("file"), 4), bytes);
    assert_eq!(read::file(&at("link"), 4), bytes);
    assert_eq!(read::file(&at("file"), 3), Err(read::Unknown));
    assert_eq!(read::file(&at("none"), 4), Ok(None));
    assert_eq!(read::file(&at("file/none"), 4), Ok(None));
    assert_eq!(read::file(&at("dangling"), 4), Ok(None));
    for special in ["pipe", "zero", "."] {
        assert_eq!(read::file(&at(special), 4), Err(read::Unknown), "{special}");
        assert_eq!(contents(&at(special)), None, "{special}");
    }
    assert_eq!(contents(&at("file")).map(|hash| hash.len()), Some(64));
}

#[test]
fn a_temporary_directory_is_known_by_both_its_names() {
    let roots = temp_roots();
    assert!(roots.contains(&"/tmp".to_owned()), "{roots:?}");
    let real = real(Path::new("/tmp")).to_string_lossy().into_owned();
    assert!(roots.contains(&real), "{roots:?}");
}
