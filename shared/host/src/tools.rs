//! What a tool is for.

/// What a tool is for, as far as hooks care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Runs commands.
    Shell,
    /// Changes files.
    Edit,
    Other,
}
