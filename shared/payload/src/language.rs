//! The language of a string that something runs.

/// The language of a string that something runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// bash, or another shell of the POSIX family.
    #[default]
    Posix,
    /// Windows `PowerShell` or `PowerShell` 7.
    PowerShell,
    /// `cmd.exe`.
    Cmd,
    /// SQL that goes to a database as it is, as the argument of a tool.
    Sql,
    /// No one says; every plausible reading counts.
    Unknown,
}
