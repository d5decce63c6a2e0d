//! The languages of command lines and of code. None of them knows another one: they meet in the engine's registry.

pub(crate) mod bash;
pub(crate) mod cmd;
pub(crate) mod powershell;
pub(crate) mod script;
pub(crate) mod sql;
