//! What is kept of an event, one line each, so that it can be played again.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use host::process::Finished;
use host::{Fired, Product, Request, Scene, Setting};
use payload::model::Ended;
use payload::{Hints, parse};
use serde::{Deserialize, Serialize};

use crate::fault::Fault;

/// An event and what became of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Record {
    /// Of this form.
    pub(crate) version: u32,
    pub(crate) host: String,
    /// The event, by its canonical name.
    pub(crate) event: String,
    /// The payload, in the host's usual form.
    pub(crate) payload: String,
    /// Whether no one was there.
    pub(crate) headless: bool,
    /// Whether the host itself would have asked.
    pub(crate) gated: bool,
    /// What each hook answered, by the hook's place and number.
    pub(crate) answers: Vec<Answer>,
    /// What the host did.
    pub(crate) then: String,
    /// What the model read.
    pub(crate) told: Vec<String>,
}

/// A hook's answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Answer {
    /// What ran.
    pub(crate) run: String,
    /// The event's key in the configuration.
    pub(crate) key: String,
    /// All of stdout that was kept.
    pub(crate) stdout: String,
    /// All of stderr that was kept.
    pub(crate) stderr: String,
    /// How it ended: `exit`, `signal`, `timeout` or `missing`.
    pub(crate) ended: String,
    #[serde(default)]
    pub(crate) exit: u8,
    /// How long it took, in milliseconds.
    pub(crate) ms: u64,
}

impl Answer {
    /// As a process would have left it.
    pub(crate) fn finished(&self) -> Finished {
        let ended = match self.ended.as_str() {
            "signal" => Ended::Signalled,
            "timeout" => Ended::TimedOut,
            "missing" => Ended::NotStarted,
            _ => Ended::Exited(self.exit),
        };
        Finished {
            stdout: self.stdout.clone(),
            stderr: self.stderr.clone(),
            ended,
            code: Some(self.exit),
            time: Duration::from_millis(self.ms),
            ..Finished::not_started(String::new())
        }
    }
}

/// Adds one event to a file that only its owner can read: commands and answers may hold secrets.
pub(crate) fn append(
    path: &Path,
    setting: &Setting<'_>,
    request: &Request,
    fired: &Fired<'_>,
) -> Result<(), Fault> {
    let record = record(setting, request, fired);
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let line = serde_json::to_string(&record).unwrap_or_default() + "\n";
    let write = || options.open(path)?.write_all(line.as_bytes());
    write().map_err(|error| Fault::unwritable(path, error))
}

fn record(setting: &Setting<'_>, request: &Request, fired: &Fired<'_>) -> Record {
    let Setting { product, scene, .. } = *setting;
    // The dialect in which a host with two of them writes this event.
    let camel = host::event::name(product, request.kind, false).is_none();
    let key = host::event::name(product, request.kind, camel).unwrap_or_default();
    let dialect = host::event::dialect(product, request.kind, camel);
    let payload = match &request.given {
        // As it came: another form of the same event may be read differently.
        Some((_, text)) => text.clone(),
        None => request.payload(product, dialect, key),
    };
    let answers = fired
        .ran
        .iter()
        .map(|ran| {
            let (ended, exit) = match ran.finished.ended {
                Ended::Exited(code) => ("exit", code),
                Ended::Signalled => ("signal", 0),
                Ended::TimedOut => ("timeout", 0),
                Ended::NotStarted => ("missing", 127),
            };
            Answer {
                run: ran.hook.action.describe(),
                key: ran.hook.key.clone(),
                stdout: ran.finished.stdout.clone(),
                stderr: ran.finished.stderr.clone(),
                ended: ended.to_owned(),
                exit,
                ms: u64::try_from(ran.finished.time.as_millis()).unwrap_or(u64::MAX),
            }
        })
        .collect();
    Record {
        version: 1,
        host: product.name.to_owned(),
        event: request.kind.as_str().to_owned(),
        payload,
        headless: scene.headless,
        gated: scene.gated,
        answers,
        then: fired.upshot.then.as_str().to_owned(),
        told: fired.upshot.told.clone(),
    }
}

impl Record {
    /// The host.
    pub(crate) fn product(&self) -> Result<Product, Fault> {
        self.host.parse().map_err(|error: host::hosts::UnknownProduct| {
            Fault::usage(format!("The recording names an unknown host: {error}."), "Record it anew.")
        })
    }

    /// How the host was started.
    pub(crate) fn scene(&self) -> Scene {
        Scene { headless: self.headless, gated: self.gated, mode: None }
    }

    /// What happened.
    pub(crate) fn request(&self) -> Result<Request, Fault> {
        let hints =
            Hints { host: self.product().ok().map(|product| product.host), event: self.event.parse().ok() };
        Ok(Request::of(&parse(self.payload.as_bytes(), hints)?))
    }
}

pub(crate) fn read(path: &Path) -> Result<Vec<Record>, Fault> {
    let text = std::fs::read_to_string(path).map_err(|error| Fault::unreadable(path, error))?;
    // Blank lines come from people, who put recordings together by hand.
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            serde_json::from_str(line)
                .map_err(|error| Fault::unreadable(path, format!("line {}: {error}", number + 1)))
        })
        .collect()
}
