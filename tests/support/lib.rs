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

/// Says that a test was left out, and why, in the output of the test command itself: what goes through `eprintln!` is
/// shown only of tests that fail.
pub fn skipped(why: std::fmt::Arguments<'_>) {
    use std::io::Write as _;
    // One write: tests run at once, and no line is to land inside another.
    let _ = std::io::stderr().write_all(format!("SKIPPED: {why}\n").as_bytes());
}
