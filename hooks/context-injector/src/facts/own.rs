//! Facts that a command tells: the person's own, or a trusted project's.

use std::path::Path;
use std::time::{Duration, Instant};

use process::{Ended, Job, Output};

use crate::settings::OwnFact;
use crate::untrusted::quoted;

/// How much of an output is reported, in characters.
const CAP: usize = 200;

/// Runs the commands one after the other, until `until`.
pub(crate) fn tell(commands: &[OwnFact], folder: &Path, until: Instant) -> Vec<(String, String)> {
    let mut told = Vec::new();
    for command in commands {
        // Each may use what those before it left over.
        let left = until.saturating_duration_since(Instant::now());
        if let Some(text) = run(command, folder, left) {
            told.push((command.id.clone(), text));
        }
    }
    process::end_leftovers();
    told
}

fn run(command: &OwnFact, folder: &Path, left: Duration) -> Option<String> {
    let limit = command.limit.min(left);
    if limit.is_zero() {
        return Some("not reported, as there was no time left".to_owned());
    }
    let (program, arguments) = command.argv.split_first()?;
    let ran = process::run(Job {
        program: program.into(),
        arguments: arguments.iter().map(Into::into).collect(),
        folder,
        environment: process::usual(|name| command.env.iter().any(|wanted| wanted == name)),
        input: None,
        stays_open: false,
        // As it is, both streams: what a person would see at a terminal.
        output: Output::Shown,
        limit,
    });
    Some(match ran.ended {
        Ended::Code(0) => {
            let text = ran.output.trim_ascii();
            // A command that prints nothing has no fact to tell.
            if text.is_empty() {
                return None;
            }
            quoted(text, CAP)
        }
        Ended::Code(code) => format!("not reported, the command ended with {code}"),
        Ended::Signalled => "not reported, the command was killed".to_owned(),
        Ended::TooLate | Ended::TooMuch | Ended::StillOpen => {
            "not reported, the command took too long".to_owned()
        }
        Ended::NotStarted(_) => "not reported, the command does not start".to_owned(),
    })
}
