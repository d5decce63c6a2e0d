//! Runs, checks and installs hooks exactly as coding agents do.
//!
//! What hosts do is in the library [`host`]; here is what people see of it.

mod approve;
mod beside;
mod check;
mod command_line;
mod doctor;
mod explain;
mod fault;
mod guard;
mod help;
mod hints;
mod init;
mod kept;
mod look;
mod managed;
mod own;
mod own_settings;
mod page;
mod paint;
mod plugins;
mod policy;
mod project;
mod rules;
mod run;
mod schema;
mod ship;
mod status;
mod statusline;
mod stores;
mod trust;
mod uninstall;
mod update;

use std::process::ExitCode;

use clap::FromArgMatches as _;

use command_line::{CommandLine, Task};
use fault::{Exit, Fault};
use paint::Screen;

/// The whole program.
pub fn main() -> ExitCode {
    // Before anything else: what goes wrong in reading the arguments is reported like everything else.
    fault::tell_of_panics();
    let parsed =
        command_line::command().try_get_matches().and_then(|matches| CommandLine::from_arg_matches(&matches));
    let line = match parsed {
        Ok(line) => line,
        Err(error) => {
            let error = hints::with_tip(error);
            program::explain_usage(&error, &error.render().ansi().to_string());
            // Help that was asked for goes to stdout, and is fine.
            return if error.use_stderr() { Exit::Usage } else { Exit::Fine }.into();
        }
    };
    let screen = Screen::new(line.color);
    let done = match &line.task {
        Task::Status(options) => status::status(options, &screen),
        Task::Rules(options) => rules::rules(options, &screen),
        Task::Log(options) => beside::log(options, &screen),
        Task::Report(options) => beside::report(options, &screen),
        Task::Update => update::update(&screen),
        Task::Uninstall(options) => uninstall::uninstall(options, &screen),
        Task::Run(options) => run::run(options, &screen),
        Task::Replay(options) => run::replay(options, &screen),
        Task::Check(options) => check::check(options, &screen),
        Task::Init(options) => init::init(options, &screen),
        Task::Doctor(options) => doctor::doctor(options, &screen),
        Task::Explain(options) => explain::explain(options, &screen),
        Task::Kept(options) => kept::task(options, &screen),
        Task::Look => look::look(),
        Task::Page(options) => page::task(options, &screen),
        Task::Statusline(options) => statusline::statusline(options, &screen),
        Task::Schema(options) => help::schema(options),
        Task::Completions(options) => help::completions(options),
        Task::Man(options) => help::man(options),
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
