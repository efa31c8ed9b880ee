use super::Resolver;
use crate::paths::Dirs;
use countersign_policy::defaults;
use std::path::{Path, PathBuf};

/// What stands beside the program and is as much the gate as it is.
const PROGRAMS: [&str; 2] = ["countersign", "countersign-front"];

/// Countersign's own files on this machine, by every name that is known for them. The names that
/// agents' settings have below a home and a workspace are known to policy itself; here are those
/// below the password database's home, and where links lead.
pub fn own_paths(dirs: &Dirs, home: &str, roots: &[String]) -> Vec<String> {
    let mut own = vec![
        dirs.managed.clone(),
        dirs.config.clone(),
        dirs.state.clone(),
        // Each may be a link to where a person keeps it.
        dirs.managed_file(),
        dirs.config_file(),
        dirs.config.join("rules"),
        dirs.config.join("commands"),
        dirs.plugins(),
        dirs.audit_folder(),
        dirs.audit_folder().with_extension("jsonl"),
    ];
    if let Ok(program) = std::env::current_exe() {
        let beside = PROGRAMS.map(|name| program.with_file_name(name));
        own.extend(beside.into_iter().filter(|path| path.exists()));
        own.push(program);
    }
    let mut resolver = Resolver::default();
    let mut all: Vec<PathBuf> = own
        .iter()
        .flat_map(|path| [path.clone(), resolver.real(path)])
        .collect();
    let homes = [dirs.home.as_path(), Path::new(home)];
    for entry in defaults::own() {
        let bases: Vec<&Path> = if entry.starts_with("~/") {
            homes.to_vec()
        } else {
            roots.iter().map(Path::new).collect()
        };
        let Some((_, below)) = entry.split_once("~/").or_else(|| entry.split_once("./")) else {
            continue;
        };
        for base in bases {
            let path = base.join(below);
            let real = resolver.real(&path);
            if real != path {
                all.push(real);
            }
            if base == dirs.home && base != Path::new(home) {
                all.push(path);
            }
        }
    }
    let mut own: Vec<String> = all
        .into_iter()
        .filter_map(|path| path.into_os_string().into_string().ok())
        .collect();
    own.sort();
    // What lies in a folder of ours needs no name of its own.
    let mut kept: Vec<String> = Vec::new();
    for path in own {
        if !kept.iter().any(|dir| Path::new(&path).starts_with(dir)) {
            kept.push(path);
        }
    }
    kept
}
