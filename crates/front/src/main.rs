#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod environment;

use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The program that is handed over to. It lies beside this one.
const HOST: &str = "countersign";

/// What an agent takes for a denial, together with a text on standard error.
const BLOCK: u8 = 2;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|_| {}));
    // Whoever comes back from here has not been handed over to anything.
    let why =
        std::panic::catch_unwind(hand_over).unwrap_or_else(|_| "it failed in itself".to_owned());
    let _unheard = writeln!(
        std::io::stderr(),
        "countersign-front: {why}; nothing was judged, so the call is blocked. Tell the user; `countersign doctor` says more"
    );
    ExitCode::from(BLOCK)
}

/// Becomes the host; returns only to say why it could not.
fn hand_over() -> String {
    let (keep, args) = match split(std::env::args_os().skip(1)) {
        Ok(split) => split,
        Err(why) => return why,
    };
    let host = match host() {
        Ok(host) => host,
        Err(why) => return why,
    };
    let error = Command::new(&host)
        .arg0(HOST)
        .args(args)
        .env_clear()
        .envs(environment::cleaned(std::env::vars_os(), &keep))
        .exec();
    format!("cannot start {}: {error}", host.display())
}

/// The names after `--keep` at the front, and the host's own arguments.
fn split(args: impl Iterator<Item = OsString>) -> Result<(Vec<OsString>, Vec<OsString>), String> {
    let mut args = args.peekable();
    let mut keep = Vec::new();
    while args.next_if(|word| word == "--keep").is_some() {
        keep.push(args.next().ok_or("`--keep` needs the name of a variable")?);
    }
    Ok((keep, args.collect()))
}

/// The host, by an absolute path that neither `PATH` nor the working directory has a say in.
fn host() -> Result<PathBuf, String> {
    let own = std::env::current_exe()
        .map_err(|error| format!("cannot find the folder of this program: {error}"))?;
    let host = own.with_file_name(HOST);
    if is_program(&host).map_err(|error| format!("cannot read {}: {error}", host.display()))? {
        Ok(host)
    } else {
        Err(format!("{} is no program", host.display()))
    }
}

/// Whether a file begins as programs do, in ELF or Mach-O. What does not, the C library hands to a
/// shell, and an empty script ends well.
fn is_program(file: &Path) -> std::io::Result<bool> {
    let mut magic = [0; 4];
    std::fs::File::open(file)?.read_exact(&mut magic)?;
    Ok(matches!(
        magic,
        [0x7f, b'E', b'L', b'F'] | [0xcf, 0xfa, 0xed, 0xfe] | [0xca, 0xfe, 0xba, 0xbe]
    ))
}
