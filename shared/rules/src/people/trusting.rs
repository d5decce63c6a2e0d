//! `trust`: a person lets what loosens in a project's policy count.

use std::fmt::Write as _;
use std::fs;

use clap::ArgMatches;

use super::{Exit, one_line};
use crate::layers::{Places, Source, today};
use crate::model::{Effect, Layer};
use crate::read::read;
use crate::trust;

pub(super) fn trust(matches: &ArgMatches) -> (String, Exit) {
    match attempt(matches) {
        Ok(text) => (text, Exit::Fine),
        Err((problem, exit)) => (format!("error: {problem}\n"), exit),
    }
}

fn attempt(matches: &ArgMatches) -> Result<String, (String, Exit)> {
    let usage = |problem: String| (problem, Exit::Usage);
    let named = matches.get_one::<String>("file").map_or("", String::as_str);
    let path = fs::canonicalize(named).map_err(|error| usage(format!("{named}: {error}")))?;
    let home = std::env::home_dir().and_then(|folder| folder.into_os_string().into_string().ok());
    let state = Places::here(home.as_deref()).state.ok_or_else(|| usage("no home folder".to_owned()))?;
    if trust::is_agent() || !trust::has_terminal() {
        return Err(usage(
            "trust needs a person at a terminal: run this in a terminal of your own".to_owned(),
        ));
    }
    if matches.get_flag("revoke") {
        let any =
            trust::forget(&state, &path).map_err(|error| usage(format!("{}: {error}", state.display())))?;
        return Ok(if any { "No longer trusted.\n" } else { "It was not trusted.\n" }.to_owned());
    }
    let text = fs::read_to_string(&path).map_err(|error| usage(format!("{named}: {error}")))?;
    let source = Source::of(Layer::Project, &path, text);
    let shown = loosens(&source).map_err(|problem| (problem, Exit::Findings))?;
    print(&format!("{}\n{shown}", one_line(&path.display().to_string())));
    let sure = trust::confirm("All of this will count until the file changes.").unwrap_or(false);
    if !sure {
        return Err(("not trusted".to_owned(), Exit::Findings));
    }
    trust::remember(&state, &source).map_err(|error| usage(format!("{}: {error}", state.display())))?;
    Ok("Trusted.\n".to_owned())
}

/// What a file would loosen, one line each.
fn loosens(source: &Source) -> Result<String, String> {
    let (policy, errors) = read(&source.text, today());
    if let Some(error) = errors.first() {
        return Err(format!("{}:{error}", source.path.display()));
    }
    let mut text = String::new();
    for rule in policy.rules.iter().filter(|rule| rule.effect == Effect::Allow) {
        let _ = writeln!(text, "  allows {}: {}", rule.id, one_line(&rule.reason));
    }
    for exception in &policy.exceptions {
        let _ = writeln!(
            text,
            "  excepts {} until {}: {}",
            exception.rule,
            exception.expires,
            one_line(&exception.reason)
        );
    }
    if text.is_empty() {
        return Err("nothing in it loosens anything, so there is nothing to trust".to_owned());
    }
    Ok(text)
}

/// Shown before the question is asked.
fn print(text: &str) {
    use std::io::Write as _;
    let _ = std::io::stdout().write_all(text.as_bytes());
}
