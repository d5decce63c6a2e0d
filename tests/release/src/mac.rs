//! What a linker has to know of macOS: names of libraries, and which symbols they have. Apple's own kit is not needed.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{ReleaseError, create, read, write};

/// Names under which Rust's standard library asks for the one library that zig describes.
const SYSTEM: [&str; 3] = ["System", "c", "m"];

/// What libgit2 needs for file names in other Unicode forms: a library of every Mac that zig does not describe.
const ICONV: &str = "exports:
  - targets: [ x86_64-macos, arm64-macos ]
    symbols: [ _iconv, _iconv_close, _iconv_open ]
";

/// What libgit2's package asks for in any case, although only its TLS, which is not built, uses them. Without a symbol
/// the link fails should that ever change; unused they do not get into a program.
const FRAMEWORKS: [&str; 2] = ["CoreFoundation", "Security"];

/// A folder that serves as `SDKROOT`, made of zig's description of the system library.
pub(crate) fn sdk(zig: &Path, folder: &Path) -> Result<PathBuf, ReleaseError> {
    let libraries = folder.join("usr/lib");
    create(&libraries)?;
    let known = zig.with_file_name("lib/libc/darwin/libSystem.tbd");
    // LLVM does not know the newest processors that Apple names, and Apple no longer names the oldest.
    let system = String::from_utf8_lossy(&read(&known)?).replace("arm64e.x1-", "arm64-");
    for name in SYSTEM {
        keep(&libraries.join(format!("lib{name}.tbd")), &system)?;
    }
    keep(&libraries.join("libiconv.tbd"), &description("/usr/lib/libiconv.2.dylib", ICONV))?;
    for name in FRAMEWORKS {
        let framework = folder.join(format!("System/Library/Frameworks/{name}.framework"));
        create(&framework)?;
        let installed = format!("/System/Library/Frameworks/{name}.framework/Versions/A/{name}");
        keep(&framework.join(format!("{name}.tbd")), &description(&installed, ""))?;
    }
    Ok(folder.to_owned())
}

/// A library in the form that linkers for macOS read.
fn description(installed: &str, exports: &str) -> String {
    format!(
        "--- !tapi-tbd\ntbd-version: 4\ntargets: [ x86_64-macos, arm64-macos ]\ninstall-name: '{installed}'\n{exports}...\n"
    )
}

/// Writes a file unless it is there as it should be.
fn keep(path: &Path, text: &str) -> Result<(), ReleaseError> {
    if fs::read_to_string(path).is_ok_and(|now| now == text) { Ok(()) } else { write(path, text.as_bytes()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_library_is_described_for_processors_that_the_linker_knows() {
        let scratch = tempfile::tempdir().unwrap();
        let zig = scratch.path().join("zig");
        create(&scratch.path().join("lib/libc/darwin")).unwrap();
        let told = "targets: [ x86_64-macos, arm64e-macos, arm64e.x1-macos ]\n";
        write(&scratch.path().join("lib/libc/darwin/libSystem.tbd"), told.as_bytes()).unwrap();
        let sdk = sdk(&zig, &scratch.path().join("sdk")).unwrap();
        for name in SYSTEM {
            let text = fs::read_to_string(sdk.join(format!("usr/lib/lib{name}.tbd"))).unwrap();
            assert_eq!(text, "targets: [ x86_64-macos, arm64e-macos, arm64-macos ]\n");
        }
        let iconv = fs::read_to_string(sdk.join("usr/lib/libiconv.tbd")).unwrap();
        assert!(iconv.contains("'/usr/lib/libiconv.2.dylib'") && iconv.contains("_iconv_open"), "{iconv}");
        assert!(sdk.join("System/Library/Frameworks/Security.framework/Security.tbd").is_file());
    }
}
