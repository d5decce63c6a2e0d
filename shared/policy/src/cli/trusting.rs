//! `trust`: a person lets what loosens in a project's policy count.

use std::fmt::Write as _;
use std::fs;

use clap::ArgMatches;
use store::trust::{Trust, TrustError, terminal};

use super::{Exit, one_line};
use crate::layers::{Places, Source, today};
use crate::model::{Effect, Layer};
use crate::read::read;

pub(super) fn trust(matches: &ArgMatches) -> (String, Exit) {
    match attempt(matches) {
        Ok(text) => (text, Exit::Fine),
        Err((problem, exit)) => (format!("error: {problem}\n"), exit),
    }
}

fn attempt(matches: &ArgMatches) -> Result<String, (String, Exit)> {
    let usage = |problem: String| (problem, Exit::Usage);
    let named = matches.get_one::<String>("file").map_or("", String::as_str);
    // The record holds real paths: a link that changes must not carry the trust along.
    let path = fs::canonicalize(named).map_err(|error| usage(format!("{named}: {error}")))?;
    let home = std::env::home_dir().and_then(|folder| folder.into_os_string().into_string().ok());
    let record = Places::here(home.as_deref()).trust.ok_or_else(|| usage("no home folder".to_owned()))?;
    let refused = |error: TrustError| usage(format!("{error}. {}", error.hint()));
    let person = terminal::person()
        .map_err(|why| usage(format!("trust needs a person at a terminal: {why}. {}", why.hint())))?;
    let mut trust = Trust::read(&record).map_err(refused)?;
    if matches.get_flag("revoke") {
        let any = trust.remove_file(&path);
        trust.write(&record).map_err(refused)?;
        return Ok(if any { "No longer trusted.\n" } else { "It was not trusted.\n" }.to_owned());
    }
    let text = fs::read_to_string(&path).map_err(|error| usage(format!("{named}: {error}")))?;
    let source = Source::of(Layer::Project, &path, text);
    let shown = loosens(&source).map_err(|problem| (problem, Exit::Findings))?;
    let path_shown = one_line(&path.display().to_string());
    let sure = person.agrees(&format!("{path_shown}\n{shown}All of this will count until the file changes."));
    // An answer that cannot be read is not one.
    if !sure.unwrap_or(false) {
        return Err(("not trusted".to_owned(), Exit::Findings));
    }
    // What was shown is trusted, and not what the file holds by now.
    trust.add_file(&path, source.text.as_bytes()).and_then(|()| trust.write(&record)).map_err(refused)?;
    Ok("Trusted.\n".to_owned())
}

/// What a file would loosen, one line each.
fn loosens(source: &Source) -> Result<String, String> {
    let (policy, errors) = read(&source.text, today());
    // A broken file loosens nothing, and only what can be read of it could be shown.
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
