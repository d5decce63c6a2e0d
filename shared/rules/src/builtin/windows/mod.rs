//! What only Windows has: its own programs, the cmdlets of PowerShell and the built-in commands of cmd.
//!
//! Deleting is in `files`, whatever the shell; git, cloud and database tools have one family for all shells.

mod files;
mod foreign_code;
mod machine;
mod protection;

pub(super) use files::FAMILY as FILES;
pub(super) use foreign_code::FAMILY as FOREIGN_CODE;
pub(super) use machine::FAMILY as MACHINE;
pub(super) use protection::FAMILY as PROTECTION;
