//! One line about the guard, for the status line of a host, or the prompt of a shell.
//!
//! It is printed again and again while someone works: nothing is run, and of the log only its end is read. Whatever goes
//! wrong, there is a line, and it does not say that all is well.

use std::fs::File;
use std::io::{IsTerminal as _, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use audit::Record;
use chrono::{DateTime, Utc};
use host::Product;
use screen::Stream;
use serde_json::Value;

use crate::Done;
use crate::command_line::StatuslineOptions;
use crate::fault::Exit;
use crate::paint::{Screen, Tone, one_line, paint};
use crate::project::Project;
use crate::status::{State, observes, state};

/// More than a host writes there is not read, in bytes.
const LARGEST: u64 = 1 << 20;

/// How much of the log's end is looked through, in bytes.
const END: u64 = 512 << 10;

/// How much of a command is shown, in characters.
const COMMAND: usize = 48;

/// What a host says of itself. Claude Code 2.1.330: `session_id`, `cwd`, `workspace.current_dir`, `workspace.project_dir`,
/// and more.
#[derive(Default)]
struct Said {
    given: bool,
    session: String,
    folder: Option<PathBuf>,
}

impl Said {
    fn read(text: &[u8]) -> Self {
        let Ok(value) = serde_json::from_slice::<Value>(text) else { return Self::default() };
        let folder = [&value["workspace"]["project_dir"], &value["workspace"]["current_dir"], &value["cwd"]];
        Self {
            given: value.is_object(),
            session: value["session_id"].as_str().unwrap_or_default().to_owned(),
            folder: folder
                .iter()
                .find_map(|folder| folder.as_str())
                .filter(|folder| !folder.is_empty())
                .map(PathBuf::from),
        }
    }
}

/// `hook-runner statusline`.
pub(crate) fn statusline(options: &StatuslineOptions, screen: &Screen) -> Done {
    let mut text = Vec::new();
    // What cannot be read says nothing, and there is a line all the same.
    if !std::io::stdin().is_terminal() {
        let _ = std::io::stdin().lock().take(LARGEST).read_to_end(&mut text);
    }
    let said = Said::read(&text);
    let folder = options.project.as_deref().or(said.folder.as_deref());
    let line = match Project::around(folder) {
        Ok(project) => {
            let product = options.host.or(said.given.then_some(Product::CLAUDE));
            let journal = audit::Journal::open(project.root.to_str());
            let last = journal.path().and_then(|log| last_denied(log, &said.session, &project.root));
            let guard = guard(product, &project);
            format!(
                "{}{}",
                guard.0,
                last.map_or_else(|| guard.1.to_owned(), |denial| denial.text(Utc::now()))
            )
        }
        Err(_) => paint(Tone::Warn, "guard ?"),
    };
    // A host that reads it through a pipe shows colours, as its own are there.
    let colored = if said.given { Some(screen::is_colored(true)) } else { screen.colors() };
    // One line, whatever the width: who shows it cuts it.
    let line = if colored.unwrap_or_else(|| screen::is_colored(Stream::Answer.is_terminal())) {
        line
    } else {
        anstream::adapter::strip_str(&line).to_string()
    };
    screen::data(&(line + "\n"))?;
    Ok(Exit::Fine)
}

/// How the guard stands, and what follows where nothing was denied.
fn guard(product: Option<Product>, project: &Project) -> (String, &'static str) {
    let nothing = ", nothing denied";
    let Some(product) = product else {
        let guarded = |product: &Product| observes(*product, project) == Some(false);
        let names: Vec<&str> =
            Product::ALL.iter().filter(|product| guarded(product)).map(|product| product.name).collect();
        return if names.is_empty() {
            (paint(Tone::Bad, "guard off"), "")
        } else {
            (paint(Tone::Good, format!("guard on: {}", names.join(", "))), nothing)
        };
    };
    match (observes(product, project), state(product, project)) {
        (Some(true), _) => (paint(Tone::Warn, "guard observes"), nothing),
        (_, State::Guarded) => (paint(Tone::Good, "guard on"), nothing),
        (_, State::Off(_)) => (paint(Tone::Bad, "guard switched off"), ""),
        _ => (paint(Tone::Bad, "guard off"), ""),
    }
}

/// What was denied last.
#[derive(Debug, PartialEq)]
struct Denied {
    ts: String,
    what: String,
    rule: String,
    enforced: bool,
}

impl Denied {
    fn text(&self, now: DateTime<Utc>) -> String {
        let ago =
            self.ts.parse::<DateTime<Utc>>().map(|time| ago((now - time).num_seconds())).unwrap_or_default();
        let what: String = one_line(&self.what).chars().take(COMMAND + 1).collect();
        let what = if what.chars().count() > COMMAND {
            what.chars().take(COMMAND - 1).chain(['…']).collect()
        } else {
            what
        };
        let verb = if self.enforced { "denied" } else { "would have denied" };
        let rest = format!("{} {what}, {ago}", one_line(&self.rule));
        format!(", {} {rest}", paint(Tone::Warn, verb))
    }
}

fn ago(seconds: i64) -> String {
    match seconds {
        ..60 => "just now".to_owned(),
        60..3600 => format!("{} min ago", seconds / 60),
        3600..86_400 => format!("{} h ago", seconds / 3600),
        _ => format!("{} d ago", seconds / 86_400),
    }
}

/// The last denial of a session; without one, of a project.
fn last_denied(log: &Path, session: &str, root: &Path) -> Option<Denied> {
    let mut file = File::open(log).ok()?;
    let length = file.metadata().ok().filter(std::fs::Metadata::is_file)?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(END))).ok()?;
    let mut bytes = Vec::new();
    file.take(END).read_to_end(&mut bytes).ok()?;
    denied_in(&bytes, session, root)
}

fn denied_in(bytes: &[u8], session: &str, root: &Path) -> Option<Denied> {
    // The first of them may be half a line, and is passed over.
    bytes.rsplit(|byte| *byte == b'\n').filter_map(Record::parse).find_map(|record| {
        let here = if session.is_empty() {
            Path::new(record.text("cwd")).starts_with(root)
        } else {
            record.text("session") == session
        };
        let is_ours = record.text("kind") == "decision" && matches!(record.decision(), "deny" | "block");
        (here && is_ours).then(|| Denied {
            ts: record.ts().to_owned(),
            what: record.gist(),
            rule: record.rule().to_owned(),
            enforced: record.is_enforced(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(session: &str, value: &str, command: &str) -> String {
        format!(
            "{{\"v\":1,\"id\":\"x\",\"kind\":\"decision\",\"ts\":\"2026-11-22T10:00:00.000000Z\",\"session\":\"{session}\",\
             \"cwd\":\"/p/a\",\"command\":\"{command}\",\"decision\":{{\"value\":\"{value}\",\"rule\":\"git.x\"}}}}\n"
        )
    }

    #[test]
    fn the_last_denial_of_the_session_or_of_the_project() {
        let log = [
            "half a line\n".to_owned(),
            record("1", "deny", "one"),
            record("2", "deny", "two"),
            record("1", "ask", "three"),
        ]
        .concat();
        let what = |session: &str, root: &str| {
            denied_in(log.as_bytes(), session, Path::new(root)).map(|denied| denied.what)
        };
        assert_eq!(what("1", "/").as_deref(), Some("one"));
        assert_eq!(what("", "/p").as_deref(), Some("two"));
        assert_eq!((what("3", "/"), what("", "/q")), (None, None));
    }

    #[test]
    fn a_denial_is_one_short_line() {
        let denied = Denied {
            ts: "2026-11-22T10:00:00.000000Z".to_owned(),
            what: format!("a\u{1b}[2J\nb{}", "x".repeat(200)),
            rule: "git.x".to_owned(),
            enforced: true,
        };
        let text =
            anstream::adapter::strip_str(&denied.text("2026-11-22T10:12:30Z".parse().unwrap())).to_string();
        assert!(text.starts_with(", denied git.x a·[2J⏎b") && text.ends_with("…, 12 min ago"), "{text}");
        assert!(text.chars().count() < 100);
        assert_eq!(
            (ago(-5), ago(7200), ago(200_000)),
            ("just now".to_owned(), "2 h ago".to_owned(), "2 d ago".to_owned())
        );
    }

    #[test]
    fn what_a_host_says_names_the_session_and_the_project() {
        let said = Said::read(
            br#"{"session_id":"s","cwd":"/p/x","workspace":{"current_dir":"/p/x","project_dir":"/p"}}"#,
        );
        assert_eq!((said.session.as_str(), said.folder.as_deref()), ("s", Some(Path::new("/p"))));
        for nothing in [&b""[..], b"[]", b"\xff", b"7"] {
            assert!(!Said::read(nothing).given);
        }
    }
}
