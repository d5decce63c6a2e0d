//! What a tool is for, and what a call of one does.

/// What a tool is for, as far as hooks care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Runs commands.
    Shell,
    /// Changes files.
    Edit,
    Other,
}

/// What a call of a host's own tool does, in words that are the same for every host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed<'a> {
    /// Runs a command.
    Shell(&'a str),
    /// Writes a new file: path, text.
    Write(&'a str, &'a str),
    /// Replaces a string in a file: path, old, new.
    Edit(&'a str, &'a str, &'a str),
    /// Reads a file.
    Read(&'a str),
    /// Has a sub-agent do this.
    Delegate(&'a str),
}
