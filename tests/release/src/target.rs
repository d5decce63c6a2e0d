//! The targets, and what each needs.

use std::fmt;
use std::str::FromStr;

use object::{Architecture, BinaryFormat};

use crate::ReleaseError;

/// What there are programs for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    LinuxX86,
    LinuxArm,
    WindowsX86,
    MacArm,
    MacX86,
}

impl Target {
    pub(crate) const ALL: [Self; 5] =
        [Self::LinuxX86, Self::LinuxArm, Self::WindowsX86, Self::MacArm, Self::MacX86];

    /// The one whose programs this machine runs.
    pub(crate) fn host() -> Result<Self, ReleaseError> {
        match (std::env::consts::OS, std::env::consts::ARCH) {
            ("linux", "x86_64") => Ok(Self::LinuxX86),
            ("linux", "aarch64") => Ok(Self::LinuxArm),
            ("windows", _) => Ok(Self::WindowsX86),
            ("macos", "aarch64") => Ok(Self::MacArm),
            ("macos", "x86_64") => Ok(Self::MacX86),
            _ => Err(ReleaseError::Target("there are no programs for this machine")),
        }
    }

    /// Rust's name for it.
    pub(crate) fn triple(self) -> &'static str {
        match self {
            Self::LinuxX86 => "x86_64-unknown-linux-musl",
            Self::LinuxArm => "aarch64-unknown-linux-musl",
            Self::WindowsX86 => "x86_64-pc-windows-gnu",
            Self::MacArm => "aarch64-apple-darwin",
            Self::MacX86 => "x86_64-apple-darwin",
        }
    }

    /// Zig's name for it, where zig compiles what is not Rust.
    pub(crate) fn zig(self) -> Option<&'static str> {
        match self {
            Self::LinuxX86 => Some("x86_64-linux-musl"),
            Self::LinuxArm => Some("aarch64-linux-musl"),
            // The oldest systems that Rust has for them.
            Self::MacArm => Some("aarch64-macos.11.0"),
            Self::MacX86 => Some("x86_64-macos.10.12"),
            Self::WindowsX86 => None,
        }
    }

    /// The oldest macOS that the programs are for: that of [`Self::zig`].
    pub(crate) fn oldest_mac(self) -> Option<(u32, u32)> {
        let (_, version) = self.zig()?.split_once("macos.")?;
        let (major, minor) = version.split_once('.')?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    }

    /// What its programs are.
    pub(crate) fn shape(self) -> (BinaryFormat, Architecture) {
        match self {
            Self::LinuxX86 => (BinaryFormat::Elf, Architecture::X86_64),
            Self::LinuxArm => (BinaryFormat::Elf, Architecture::Aarch64),
            Self::WindowsX86 => (BinaryFormat::Pe, Architecture::X86_64),
            Self::MacArm => (BinaryFormat::MachO, Architecture::Aarch64),
            Self::MacX86 => (BinaryFormat::MachO, Architecture::X86_64),
        }
    }

    /// The name of an archive, and of the folder in it.
    pub(crate) fn archive(self, version: &str) -> String {
        format!("policy-hooks-{version}-{self}")
    }

    /// The end of an archive's name.
    pub(crate) fn suffix(self) -> &'static str {
        if self.is_windows() { "zip" } else { "tar.gz" }
    }

    pub(crate) fn is_linux(self) -> bool {
        matches!(self, Self::LinuxX86 | Self::LinuxArm)
    }

    pub(crate) fn is_windows(self) -> bool {
        self == Self::WindowsX86
    }

    pub(crate) fn is_mac(self) -> bool {
        matches!(self, Self::MacArm | Self::MacX86)
    }

    /// Which linker, and which arguments make it leave nothing of the moment, and nothing unused, in a program.
    /// That of Linux is in `.cargo/config.toml`.
    pub(crate) fn linker_flags(self) -> &'static [&'static str] {
        if self.is_windows() {
            &["-Clink-arg=-Wl,--no-insert-timestamp"]
        } else if self.is_mac() {
            &["-Clinker=rust-lld", "-Clinker-flavor=ld64.lld", "-Clink-arg=-dead_strip_dylibs"]
        } else {
            &[]
        }
    }

    /// Whether this machine can build for it, as far as a first look tells.
    pub(crate) fn possible(self) -> Result<(), ReleaseError> {
        if self.is_windows() && !cfg!(windows) && !on_path("x86_64-w64-mingw32-gcc") {
            return Err(ReleaseError::Target(
                "needs a linker for Windows: apt-get install gcc-mingw-w64-x86-64 (or brew install mingw-w64)",
            ));
        }
        Ok(())
    }
}

fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.triple())
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|target| target.triple() == text).ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|target| target.triple()).collect();
            format!("unknown target; available: {}", known.join(", "))
        })
    }
}
