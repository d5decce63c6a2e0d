//! End-to-end tests of the shipped programs and configs.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[cfg(unix)]
mod approval_gate;
#[cfg(unix)]
mod approvals;
mod arguments;
mod audit;
mod bad_input;
#[cfg(target_os = "linux")]
mod collectors;
mod command_line;
mod configs;
#[cfg(unix)]
mod context_injector;
#[cfg(unix)]
mod docs;
#[cfg(target_os = "linux")]
mod fleet;
#[cfg(unix)]
mod formatter;
mod harness;
#[cfg(unix)]
mod kept;
#[cfg(unix)]
mod loss;
mod mcp;
#[cfg(target_os = "linux")]
mod real_hosts;
mod recorded_payloads;
#[cfg(unix)]
mod runner;
#[cfg(unix)]
mod scene;
#[cfg(unix)]
mod secrets;
mod self_protection;
#[cfg(unix)]
mod stop_guard;
#[cfg(unix)]
mod voice;
mod windows;
mod written_scripts;
