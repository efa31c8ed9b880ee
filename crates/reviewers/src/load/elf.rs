//! What a library's file says, read before the system's loader gets to see it: a truncated file ends
//! the process with SIGBUS inside `dlopen`, a corrupt one with SIGSEGV.

use super::LoadErrorKind;
use crate::Manifest;
use countersign_abi::MANIFEST_SECTION;
use object::elf::{
    DT_AUDIT, DT_DEPAUDIT, DT_NEEDED, DT_RPATH, DT_RUNPATH, EM_AARCH64, EM_X86_64, ET_DYN,
    FileHeader64, Machine, PT_DYNAMIC, PT_LOAD,
};
use object::read::elf::{Dyn as _, FileHeader as _, ProgramHeader as _, SectionHeader as _};
use object::{Endianness, read::Error};

type Header = FileHeader64<Endianness>;

/// The machine that this program was built for.
const MACHINE: Option<Machine> = if cfg!(target_arch = "x86_64") {
    Some(EM_X86_64)
} else if cfg!(target_arch = "aarch64") {
    Some(EM_AARCH64)
} else {
    None
};

/// The manifest in a library that this machine can load.
pub(super) fn manifest(bytes: &[u8]) -> Result<Manifest, LoadErrorKind> {
    let header = header(bytes)?;
    let endian = header.endian().map_err(corrupt)?;
    complete(header, endian, bytes)?;
    let sections = header.sections(endian, bytes).map_err(corrupt)?;
    let (_, section) = sections
        .section_by_name(endian, MANIFEST_SECTION.as_bytes())
        .ok_or(LoadErrorKind::NoManifest)?;
    let text = section.data(endian, bytes).map_err(corrupt)?;
    Ok(Manifest::parse(text)?)
}

fn header(bytes: &[u8]) -> Result<&Header, LoadErrorKind> {
    if bytes.is_empty() {
        return Err(not_loadable("the file is empty; copy it again"));
    }
    if !bytes.starts_with(b"\x7fELF") {
        return Err(not_loadable(
            "the file is no shared library; give the `.so` that cargo built",
        ));
    }
    let header = Header::parse(bytes)
        .map_err(|_| not_loadable("the file is no whole 64-bit library; copy it again"))?;
    let endian = header.endian().map_err(corrupt)?;
    let machine = header.e_machine(endian);
    if MACHINE.is_some_and(|ours| ours != machine) {
        return Err(not_loadable(format!(
            "the file is for another machine ({}), and this one is {}; take a build for it",
            machine_name(machine),
            std::env::consts::ARCH
        )));
    }
    if header.e_type(endian) != ET_DYN {
        return Err(not_loadable(
            "the file is a program or object and no shared library; set `crate-type = [\"cdylib\"]`",
        ));
    }
    Ok(header)
}

/// Every part that the system would map is there.
fn complete(header: &Header, endian: Endianness, bytes: &[u8]) -> Result<(), LoadErrorKind> {
    let cut = || not_loadable("the file was cut off: it says more than it holds; copy it again");
    let len = bytes.len() as u64;
    let table_end = header
        .e_shoff(endian)
        .checked_add(u64::from(header.e_shnum(endian)) * u64::from(header.e_shentsize(endian)));
    if table_end.is_none_or(|end| end > len) {
        return Err(cut());
    }
    let parts = header.program_headers(endian, bytes).map_err(|_| cut())?;
    let mut dynamic = false;
    for part in parts {
        let (at, size) = part.file_range(endian);
        if at.checked_add(size).is_none_or(|end| end > len) {
            return Err(cut());
        }
        dynamic |= part.p_type(endian) == PT_DYNAMIC;
        if part.p_type(endian) == PT_LOAD && part.p_memsz(endian) < size {
            return Err(damaged());
        }
    }
    if !dynamic {
        return Err(damaged());
    }
    self_contained(header, endian, bytes)
}

/// What it brings along comes from the system's own folders: a pin covers one file, and no library
/// that another folder holds.
fn self_contained(header: &Header, endian: Endianness, bytes: &[u8]) -> Result<(), LoadErrorKind> {
    let sections = header.sections(endian, bytes).map_err(corrupt)?;
    let Some((entries, names)) = sections.dynamic(endian, bytes).map_err(corrupt)? else {
        return Err(damaged());
    };
    let names = sections.strings(endian, bytes, names).map_err(corrupt)?;
    for entry in entries {
        let tag = entry.tag(endian);
        if [DT_RPATH, DT_RUNPATH, DT_AUDIT, DT_DEPAUDIT].contains(&tag) {
            return Err(not_loadable(
                "the file names folders to load other libraries from, which no pin covers; link it without -rpath, or take it out with `patchelf --remove-rpath`",
            ));
        }
        if tag == DT_NEEDED {
            let name = entry.string(endian, names).map_err(corrupt)?;
            if name.contains(&b'/') {
                return Err(not_loadable(
                    "the file names another library by its path, which no pin covers; link that one in",
                ));
            }
        }
    }
    Ok(())
}

fn damaged() -> LoadErrorKind {
    not_loadable("the file is damaged; copy it again")
}

fn corrupt(_error: Error) -> LoadErrorKind {
    damaged()
}

fn not_loadable(text: impl Into<String>) -> LoadErrorKind {
    LoadErrorKind::NotLoadable(text.into())
}

fn machine_name(machine: Machine) -> String {
    match machine {
        EM_X86_64 => "x86_64".to_owned(),
        EM_AARCH64 => "aarch64".to_owned(),
        other => format!("ELF machine {}", other.0),
    }
}
