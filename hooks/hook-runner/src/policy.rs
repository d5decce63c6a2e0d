//! `policy`: what people do with policy files, which the library [`::policy`] does.

mod bundle;
mod import;
mod learn;
mod pull;
pub(crate) mod standing;

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use clap::{ArgMatches, Args, Command, FromArgMatches};
use policy::cli;

use crate::Done;
use crate::fault::{Exit, Fault};
use crate::paint::Screen;

/// The arguments, as the library takes them.
#[derive(Debug)]
pub(crate) struct PolicyOptions(ArgMatches);

impl FromArgMatches for PolicyOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self(matches.clone()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0 = matches.clone();
        Ok(())
    }
}

impl Args for PolicyOptions {
    fn augment_args(command: Command) -> Command {
        cli::policy_tasks(command).subcommands([
            import::task(),
            bundle::task(),
            pull::task(),
            standing::task(),
            learn::task(),
        ])
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// `hook-runner policy`.
pub(crate) fn policy(options: &PolicyOptions, screen: &Screen) -> Done {
    match options.0.subcommand() {
        Some(("import", matches)) => return import::run(matches, screen),
        Some(("bundle", matches)) => return bundle::run(matches, screen),
        Some(("pull", matches)) => return pull::run(matches, screen),
        Some(("learn", matches)) => return learn::run(matches, screen),
        Some(("status", matches)) => return standing::run(matches, screen),
        _ => {}
    }
    let (text, exit) = cli::policy(&options.0);
    screen.say(&screen::tinted(&text))?;
    Ok(match exit {
        cli::Exit::Fine => Exit::Fine,
        cli::Exit::Findings => Exit::Found,
        cli::Exit::Usage => Exit::Usage,
    })
}

/// Writes a file that a person named; one that is there is never replaced by accident.
fn write_new(path: &Path, bytes: &[u8], force: bool) -> Result<(), Fault> {
    let file = if force {
        OpenOptions::new().write(true).create(true).truncate(true).open(path)
    } else {
        OpenOptions::new().write(true).create_new(true).open(path)
    };
    match file.and_then(|mut file| file.write_all(bytes)) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            Err(Fault::usage(format!("{}: already exists", path.display()), "--force replaces it."))
        }
        done => done.map_err(|error| Fault::unwritable(path, error)),
    }
}
