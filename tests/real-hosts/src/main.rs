//! The driver as a program.

use std::process::ExitCode;

fn main() -> ExitCode {
    real_hosts::command_line::main()
}
