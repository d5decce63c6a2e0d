//! What each channel calls a target.

use crate::target::Target;

/// The names of one target.
pub(crate) struct Names {
    /// Of a wheel.
    pub(crate) wheel: &'static [&'static str],
    /// As Node says them: the system, and the processors that run it.
    pub(crate) node: (&'static str, &'static [&'static str]),
    /// Debian's, where there is such a package.
    pub(crate) debian: Option<&'static str>,
    /// RPM's.
    pub(crate) rpm: Option<&'static str>,
}

impl Names {
    pub(crate) fn of(target: Target) -> Self {
        match target {
            // Static programs run on every C library, old or new.
            Target::LinuxX86 => Self {
                wheel: &["manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"],
                node: ("linux", &["x64"]),
                debian: Some("amd64"),
                rpm: Some("x86_64"),
            },
            Target::LinuxArm => Self {
                wheel: &["manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"],
                node: ("linux", &["arm64"]),
                debian: Some("arm64"),
                rpm: Some("aarch64"),
            },
            // Windows on ARM runs programs for x64, too; pip there does not take a wheel of them, npm does.
            Target::WindowsX86 => {
                Self { wheel: &["win_amd64"], node: ("win32", &["x64", "arm64"]), debian: None, rpm: None }
            }
            Target::MacArm => {
                Self { wheel: &["macosx_11_0_arm64"], node: ("darwin", &["arm64"]), debian: None, rpm: None }
            }
            Target::MacX86 => {
                Self { wheel: &["macosx_10_12_x86_64"], node: ("darwin", &["x64"]), debian: None, rpm: None }
            }
        }
    }

    /// The short name, in npm's packages and in templates: `linux-x64`.
    pub(crate) fn short(&self) -> String {
        let (system, processors) = self.node;
        format!("{system}-{}", processors.first().unwrap_or(&""))
    }
}
