//! `policy`: what people do with policy files, which the library [`::policy`] does.

mod import;

use clap::{ArgMatches, Args, Command, FromArgMatches};
use policy::cli;

use crate::Done;
use crate::fault::Exit;
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
        cli::policy_tasks(command).subcommand(import::task())
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// `hook-runner policy`.
pub(crate) fn policy(options: &PolicyOptions, screen: &Screen) -> Done {
    if let Some(("import", matches)) = options.0.subcommand() {
        return import::run(matches, screen);
    }
    let (text, exit) = cli::policy(&options.0);
    screen.say(&screen::tinted(&text))?;
    Ok(match exit {
        cli::Exit::Fine => Exit::Fine,
        cli::Exit::Findings => Exit::Found,
        cli::Exit::Usage => Exit::Usage,
    })
}
