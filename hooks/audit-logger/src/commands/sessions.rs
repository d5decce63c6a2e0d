//! `audit-logger sessions`: one line for each session.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use audit::Record;
use chrono::{DateTime, Utc};
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::{Value, json};

use super::calls::session_key;
use super::filter::{self, Filter};
use super::text::{colours, short};
use super::{Ended, FINE, FOUND, Trouble, clock, each, files, say};

pub(super) fn command() -> Command {
    let command = Command::new("sessions")
        .about("Shows one line per session: when, where, and how many calls, denials and questions");
    filter::arguments(command)
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON"))
}

/// One session.
#[derive(Default)]
struct Session {
    first: String,
    last: String,
    host: String,
    id: String,
    user: String,
    repo: String,
    calls: BTreeSet<String>,
    denied: BTreeSet<String>,
    asked: BTreeSet<String>,
    /// What would have been denied or asked about.
    observed: BTreeSet<String>,
}

impl Session {
    fn add(&mut self, record: &Record) {
        let ts = record.ts();
        if self.first.is_empty() || ts < self.first.as_str() {
            ts.clone_into(&mut self.first);
        }
        if ts > self.last.as_str() {
            ts.clone_into(&mut self.last);
        }
        let paths = [(&mut self.host, "host"), (&mut self.id, "session"), (&mut self.user, "user")];
        for (field, path) in paths.into_iter().chain([(&mut self.repo, "repo.root")]) {
            if field.is_empty() {
                record.text(path).clone_into(field);
            }
        }
        // A record without a call counts as a call of its own.
        let call = if record.text("call").is_empty() { record.text("id") } else { record.text("call") };
        if record.text("event") == "PreToolUse" {
            self.calls.insert(call.to_owned());
        }
        if record.text("kind") != "decision" {
            return;
        }
        let kind = match record.decision() {
            "deny" | "block" if record.is_enforced() => &mut self.denied,
            "ask" if record.is_enforced() => &mut self.asked,
            "deny" | "block" | "ask" => &mut self.observed,
            _ => return,
        };
        kind.insert(call.to_owned());
    }

    fn lasted(&self) -> i64 {
        let time = |text: &str| text.parse::<DateTime<Utc>>().ok();
        time(&self.first).zip(time(&self.last)).map_or(0, |(first, last)| (last - first).num_seconds())
    }

    fn json(&self) -> Value {
        json!({
            "session": self.id, "host": self.host, "user": self.user, "repo": self.repo, "first": self.first,
            "last": self.last, "seconds": self.lasted(), "calls": self.calls.len(), "denied": self.denied.len(),
            "asked": self.asked.len(), "observed": self.observed.len(),
        })
    }
}

pub(super) fn run(matches: &ArgMatches) -> Ended {
    let filter = Filter::new(matches)?;
    let files = files(matches, true)?;
    let mut sessions: BTreeMap<String, Session> = BTreeMap::new();
    each("reading the log", &files, |record| {
        // What belongs to none, such as an input that was not an event, is not a session.
        if record.is_about_agents() && !record.text("session").is_empty() && filter.takes(&record) {
            sessions.entry(session_key(&record)).or_default().add(&record);
        }
        ControlFlow::Continue(())
    })?;
    let mut sessions: Vec<Session> = sessions.into_values().collect();
    sessions.sort_by(|one, other| one.first.cmp(&other.first));
    if sessions.is_empty()
        && let Some(mistyped) = filter.mistyped()
    {
        return Err(Trouble::Usage(mistyped));
    }
    if matches.get_flag("json") {
        let list: Vec<Value> = sessions.iter().map(Session::json).collect();
        say(&format!("{:#}\n", json!({ "version": 1, "sessions": list })))?;
    } else if sessions.is_empty() {
        say("No matching sessions.\n")?;
    } else {
        say(&people(&sessions, screen::fold(), colours()))?;
    }
    Ok(if sessions.is_empty() { FOUND } else { FINE })
}

/// The columns beside the repository.
const BESIDE: usize = 63;

fn people(sessions: &[Session], fold: Option<usize>, colours: bool) -> String {
    let name = |session: &Session| session.repo.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    let longest = sessions.iter().map(|session| name(session).chars().count()).max().unwrap_or(0).max(10);
    // As much as there is room for; a pipe has all of it.
    let room = fold.map_or(longest, |width| longest.min(width.max(BESIDE + 10) - BESIDE));
    let time = clock::head();
    let mut text = format!(
        "{time:<16} {:>7} {:<8} {:<room$} {:>5} {:>6} {:>5} {:<8}\n",
        "LASTED", "HOST", "REPOSITORY", "CALLS", "DENIED", "ASKED", "SESSION"
    );
    for session in sessions {
        let count = |count: usize, width: usize, tone: screen::Tone| {
            let shown = format!("{:>width$}", if count == 0 { "-".to_owned() } else { count.to_string() });
            if colours && count > 0 { screen::paint(tone, shown) } else { shown }
        };
        let line = format!(
            "{:<16} {:>7} {:<8} {:<room$} {:>5} {} {} {:<8}",
            clock::local(&session.first).get(..16).unwrap_or_default(),
            lasted(session.lasted()),
            short(&session.host, 8),
            short(&name(session), room),
            session.calls.len(),
            count(session.denied.len(), 6, screen::Tone::Bad),
            count(session.asked.len(), 5, screen::Tone::Warn),
            short(&session.id, 8),
        );
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// A time span in its two largest units.
fn lasted(seconds: i64) -> String {
    match seconds {
        ..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..86_400 => format!("{}h{:02}m", seconds / 3600, seconds % 3600 / 60),
        _ => format!("{}d{:02}h", seconds / 86_400, seconds % 86_400 / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_fit_their_column() {
        for (seconds, expected) in [
            (0, "0 s"),
            (59, "59 s"),
            (3599, "59 min"),
            (3660, "1h01m"),
            (86_399, "23h59m"),
            (90_000, "1d01h"),
        ] {
            assert_eq!(lasted(seconds), expected);
            assert!(expected.len() <= 7);
        }
    }

    #[test]
    fn a_line_fits_the_terminal_whatever_the_repository_is_called() {
        let mut session = Session { repo: "/p/".to_owned() + &"x".repeat(90), ..Session::default() };
        session.first = "2026-11-22T05:01:26.123456Z".to_owned();
        session.id = "0123456789".to_owned();
        for width in [80, 120] {
            let text = people(std::slice::from_ref(&session), Some(width), false);
            assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
        }
    }
}
