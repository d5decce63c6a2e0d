//! Windows' two shells, cmd and PowerShell. Neither knows the other one: both know the same [`system`].

pub mod cmd;
pub mod powershell;
mod system;

pub use system::{below, folder, has_drive, plain, slashes};
