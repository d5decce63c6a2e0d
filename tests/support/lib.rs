//! What the end-to-end tests, the demo and the instruction counts share: the shipped programs, a way to call them as a
//! host does, the recorded payloads, real formatters, and what each host makes of an answer.

pub mod call;
#[cfg(target_os = "linux")]
pub mod footprint;
pub mod formatters;
pub mod hosts;
pub mod mutations;
pub mod payloads;
pub mod programs;
pub mod repositories;
pub mod terminal;
