//! Runs, checks and installs hooks exactly as coding agents do.
//!
//! What hosts do is in the library [`host`]; here is what people see of it.

mod approve;
mod check;
mod command_line;
mod doctor;
mod explain;
mod fault;
mod help;
mod init;
mod look;
mod own_settings;
mod paint;
mod policy;
mod project;
mod run;
mod schema;
mod trust;

use std::process::ExitCode;

use clap::Parser as _;

use command_line::{CommandLine, Task};
use fault::{Exit, Fault};
use paint::Screen;

/// The whole program.
pub fn main() -> ExitCode {
    // Before anything else: what goes wrong in reading the arguments is reported like everything else.
    fault::tell_of_panics();
    let line = match CommandLine::try_parse() {
        Ok(line) => line,
        Err(error) => {
            let _ = error.print();
            // Help that was asked for goes to stdout, and is fine.
            return if error.use_stderr() { Exit::Usage } else { Exit::Fine }.into();
        }
    };
    let screen = Screen::new(line.color);
    let done = match &line.task {
        Task::Run(options) => run::run(options, &screen),
        Task::Replay(options) => run::replay(options, &screen),
        Task::Check(options) => check::check(options, &screen),
        Task::Init(options) => init::init(options, &screen),
        Task::Doctor(options) => doctor::doctor(options, &screen),
        Task::Explain(options) => explain::explain(options, &screen),
        Task::Look => look::look(),
        Task::Schema(options) => help::schema(options, &screen),
        Task::Completions(options) => help::completions(options, &screen),
        Task::Man(options) => help::man(options, &screen),
        Task::Policy(options) => policy::policy(options, &screen),
        Task::Trust(options) => trust::task(options, &screen),
        Task::Approve(options) => approve::task(options, &screen),
    };
    match done {
        Ok(exit) => exit,
        Err(fault) => screen.fault(&fault),
    }
    .into()
}

/// What a task ends with.
type Done = Result<Exit, Fault>;
