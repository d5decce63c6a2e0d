//! What a program of a release is made of. A system refuses, or loads from elsewhere, what has another shape, and most of
//! the systems are not here to say so.

use object::read::elf::{ElfFile64, ProgramHeader as _};
use object::read::macho::MachOFile64;
use object::read::pe::{ImageOptionalHeader as _, PeFile64};
use object::{BinaryFormat, LittleEndian, Object as _, elf, macho, pe};

use crate::target::Target;

/// The libraries that every Mac has, and nothing else is loaded.
const MAC_LIBRARIES: [&str; 2] = ["/usr/lib/libSystem.B.dylib", "/usr/lib/libiconv.2.dylib"];

/// The libraries that every Windows has, without their endings; `api-ms-win-…` as well.
const WINDOWS_LIBRARIES: [&str; 15] = [
    "advapi32",
    "bcrypt",
    "bcryptprimitives",
    "combase",
    "crypt32",
    "kernel32",
    "msvcrt",
    "ntdll",
    "ole32",
    "rpcrt4",
    "secur32",
    "shell32",
    "user32",
    "userenv",
    "ws2_32",
];

/// What is wrong with a program for this target; nothing if it is as it should be.
pub(crate) fn faults(target: Target, bytes: &[u8]) -> Vec<String> {
    let parsed = match object::File::parse(bytes) {
        Ok(parsed) => parsed,
        Err(error) => return vec![error.to_string()],
    };
    let (format, architecture) = target.shape();
    if (parsed.format(), parsed.architecture()) != (format, architecture) {
        return vec![format!("is {:?} for {:?}", parsed.format(), parsed.architecture())];
    }
    let found = match format {
        BinaryFormat::Elf => linux(bytes),
        BinaryFormat::Pe => windows(bytes),
        _ => mac(target, bytes),
    };
    let mut faults = found.unwrap_or_else(|error| vec![error.to_string()]);
    if parsed.has_debug_symbols() {
        faults.push("names sources of the machine that built it".to_owned());
    }
    faults
}

/// Static, so that it starts on any distribution, and no stack of its own runs as code.
fn linux(bytes: &[u8]) -> object::Result<Vec<String>> {
    let file = ElfFile64::<LittleEndian>::parse(bytes)?;
    let mut faults = Vec::new();
    for header in file.elf_program_headers() {
        match header.p_type(LittleEndian) {
            elf::PT_INTERP => faults.push("needs the system's loader".to_owned()),
            elf::PT_GNU_STACK if header.p_flags(LittleEndian) & elf::PF_X != elf::ProgramFlags(0) => {
                faults.push("may run code on its stack".to_owned());
            }
            _ => {}
        }
    }
    Ok(faults)
}

/// Signed, as an ARM Mac kills what is not; at a place that changes; for the oldest system that is promised.
fn mac(target: Target, bytes: &[u8]) -> object::Result<Vec<String>> {
    let file = MachOFile64::<LittleEndian>::parse(bytes)?;
    let (mut faults, mut oldest, mut signed) = (Vec::new(), None, false);
    let mut commands = file.macho_load_commands()?;
    while let Some(command) = commands.next()? {
        signed |= command.cmd() == macho::LC_CODE_SIGNATURE;
        if let Some((version, _)) = command.build_version(LittleEndian)? {
            oldest = Some(version.minos.get(LittleEndian));
        }
        if let Some(library) = command.dylib()? {
            let name = String::from_utf8_lossy(command.string(LittleEndian, library.dylib.name)?);
            if !MAC_LIBRARIES.contains(&&*name) {
                faults.push(format!("loads {name}"));
            }
        }
    }
    if !signed {
        faults.push("has no signature".to_owned());
    }
    let wanted = target.oldest_mac();
    // Two bytes, and one each: 11.0 is 0x000b_0000.
    let oldest = oldest.map(|version| (version.0 >> 16, version.0 >> 8 & 0xff));
    if oldest != wanted {
        faults.push(format!("is for macOS {oldest:?} and later, not {wanted:?}"));
    }
    Ok(faults)
}

/// At a place that changes, without code in data, and with libraries of the system only.
fn windows(bytes: &[u8]) -> object::Result<Vec<String>> {
    let file = PeFile64::parse(bytes)?;
    let mut faults = Vec::new();
    let flags = file.nt_headers().optional_header.dll_characteristics();
    for (flag, what) in [
        (pe::IMAGE_DLLCHARACTERISTICS_DYNAMIC_BASE, "is loaded where anyone can tell"),
        (pe::IMAGE_DLLCHARACTERISTICS_NX_COMPAT, "may run data as code"),
    ] {
        if flags & flag != flag {
            faults.push(what.to_owned());
        }
    }
    for import in file.imports()? {
        let name = String::from_utf8_lossy(import?.library()).to_ascii_lowercase();
        let known = name
            .strip_suffix(".dll")
            .is_some_and(|name| name.starts_with("api-ms-win-") || WINDOWS_LIBRARIES.contains(&name));
        let fault = format!("loads {name}");
        if !known && !faults.contains(&fault) {
            faults.push(fault);
        }
    }
    Ok(faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
    #[test]
    fn a_program_for_this_machine_alone_is_refused() {
        // Tests are built for the system's C library, and with debug information or without.
        let bytes = crate::read(&std::env::current_exe().unwrap()).unwrap();
        assert_eq!(faults(Target::LinuxX86, &bytes)[0], "needs the system's loader");
        for target in [Target::LinuxArm, Target::MacArm, Target::MacX86, Target::WindowsX86] {
            assert_eq!(faults(target, &bytes), ["is Elf for X86_64"], "{target}");
        }
        assert_eq!(faults(Target::LinuxX86, b"#!/bin/sh\n").len(), 1);
    }
}
