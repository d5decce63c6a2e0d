//! `policy status`: which bundle is in force on this machine, and what came of the last pull.

use std::path::Path;

use bundle::{Memory, Outcome, stamp};
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::{Value, json};
use store::bundle::{Identity, InForce, in_force_at};

use super::bundle::now;
use crate::Done;
use crate::fault::Exit;
use crate::paint::{Screen, Tone, columns, one_line};

pub(super) fn task() -> Command {
    Command::new("status")
        .about("Shows which bundle of policies is in force on this machine, and what came of the last pull")
        .long_about(
            "Shows which bundle of policies is in force on this machine, and what came of the last pull.\n\n\
             Exit codes: 0 all is well, 1 the bundle is stale or changed, or the last pull was refused or failed.",
        )
        .arg(Arg::new("root").long("root").value_name("FOLDER").help("The root of the file system, such as an image's"))
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON"))
}

/// `hook-runner policy status`.
pub(super) fn run(matches: &ArgMatches, screen: &Screen) -> Done {
    let machine = super::pull::machine(matches.get_one::<String>("root"));
    let standing = Bundled::of(&machine);
    let text = if matches.get_flag("json") {
        format!("{:#}\n", standing.json())
    } else {
        columns(&standing.rows(), "")
    };
    screen.say(&text)?;
    Ok(Exit::found(standing.is_bad()))
}

/// What is known of the bundle here.
pub(crate) struct Bundled {
    in_force: InForce,
    /// Files that are not as they were signed.
    altered: Vec<String>,
    /// What the pulls remember, or why that cannot be read.
    memory: Result<Memory, String>,
    now: u64,
}

impl Bundled {
    /// Of this machine.
    pub(crate) fn here() -> Self {
        Self::of(&super::pull::machine(None))
    }

    fn of(machine: &Path) -> Self {
        let policies = machine.join("policy.d");
        let in_force = in_force_at(&policies);
        let altered = match &in_force {
            InForce::Bundle(identity) => identity.altered(&policies),
            InForce::None | InForce::Broken(_) => Vec::new(),
        };
        let memory = bundle::last_pull(machine).map_err(|error| error.to_string());
        Self { in_force, altered, memory, now: now() }
    }

    /// Whether this machine knows of bundles at all.
    pub(crate) fn is_any(&self) -> bool {
        self.in_force != InForce::None || self.memory.as_ref().map_or(true, |memory| memory.last.is_some())
    }

    /// The time, which does not go back.
    fn time(&self) -> u64 {
        self.memory.as_ref().map_or(self.now, |memory| memory.latest.max(self.now))
    }

    fn last(&self) -> Option<&bundle::Last> {
        self.memory.as_ref().ok()?.last.as_ref()
    }

    /// What an administrator should look at, each in a few words.
    pub(crate) fn troubles(&self) -> Vec<String> {
        let mut troubles = Vec::new();
        match &self.in_force {
            InForce::Bundle(identity) if identity.is_stale(self.time()) => troubles.push(format!(
                "stale since {}: it stays in force, and a new one has to be pulled",
                stamp(identity.not_after)
            )),
            InForce::Broken(why) => troubles.push(format!("which bundle is in force cannot be read: {why}")),
            InForce::Bundle(_) | InForce::None => {}
        }
        if !self.altered.is_empty() {
            troubles.push(format!("not as it was signed: {}", self.altered.join(", ")));
        }
        match self.last().map(|last| (&last.outcome, last.when)) {
            Some((Outcome::Refused { why, .. }, when)) => {
                troubles.push(format!("the last pull ({}) was refused: {why}", stamp(when)));
            }
            Some((Outcome::Failed { why, .. }, when)) => {
                troubles.push(format!("the last pull ({}) failed: {why}", stamp(when)));
            }
            Some((Outcome::Installed | Outcome::Unchanged, _)) | None => {}
        }
        if let Err(why) = &self.memory {
            troubles.push(format!("what pulls have seen cannot be read: {why}"));
        }
        troubles
    }

    pub(crate) fn is_bad(&self) -> bool {
        !self.troubles().is_empty()
    }

    /// In a line, for `status` and `doctor`.
    pub(crate) fn line(&self) -> String {
        match &self.in_force {
            InForce::Bundle(identity) => format!("{}, serial {}", identity.name, identity.serial),
            InForce::None | InForce::Broken(_) => "none in force".to_owned(),
        }
    }

    fn rows(&self) -> Vec<Vec<(Tone, String)>> {
        let row = |name: &str, value: String| {
            vec![(Tone::Strong, name.to_owned()), (Tone::Plain, one_line(&value))]
        };
        let mut rows = vec![row("bundle", self.line())];
        if let InForce::Bundle(identity) = &self.in_force {
            rows.push(row("digest", identity.digest.clone()));
            rows.push(row(
                "valid",
                format!("from {} until {}", stamp(identity.not_before), stamp(identity.not_after)),
            ));
            rows.push(row("key", identity.key.clone()));
            rows.push(row("in force", format!("since {}", stamp(identity.pulled))));
            let names: Vec<&str> = identity.files.iter().map(|file| file.name.as_str()).collect();
            rows.push(row("policies", names.join(", ")));
        }
        rows.push(row(
            "last pull",
            match self.last() {
                None => "none".to_owned(),
                Some(last) => {
                    let how = match &last.outcome {
                        Outcome::Installed => "installed",
                        Outcome::Unchanged => "nothing new",
                        Outcome::Refused { .. } => "refused",
                        Outcome::Failed { .. } => "failed",
                    };
                    format!("{how}, {}, from {}", stamp(last.when), last.source)
                }
            },
        ));
        for trouble in self.troubles() {
            rows.push(vec![(Tone::Bad, "look at".to_owned()), (Tone::Plain, one_line(&trouble))]);
        }
        if let Some(Outcome::Refused { hint, .. } | Outcome::Failed { hint, .. }) =
            self.last().map(|last| &last.outcome)
        {
            rows.push(vec![(Tone::Quiet, "help".to_owned()), (Tone::Plain, one_line(hint))]);
        }
        rows
    }

    pub(crate) fn json(&self) -> Value {
        let bundle = match &self.in_force {
            InForce::Bundle(one) => identity(one, self.time()),
            InForce::None | InForce::Broken(_) => Value::Null,
        };
        json!({
            "version": 1,
            "bundle": bundle,
            "altered": self.altered,
            "last_pull": self.last().map(|last| json!({
                "when": stamp(last.when),
                "source": last.source,
                "outcome": match last.outcome {
                    Outcome::Installed => "installed",
                    Outcome::Unchanged => "unchanged",
                    Outcome::Refused { .. } => "refused",
                    Outcome::Failed { .. } => "failed",
                },
                "why": match &last.outcome {
                    Outcome::Refused { why, .. } | Outcome::Failed { why, .. } => Some(why),
                    Outcome::Installed | Outcome::Unchanged => None,
                },
            })),
            "troubles": self.troubles(),
        })
    }
}

/// A bundle for scripts.
pub(super) fn identity(identity: &Identity, now: u64) -> Value {
    json!({
        "name": identity.name,
        "serial": identity.serial,
        "digest": identity.digest,
        "not_before": stamp(identity.not_before),
        "not_after": stamp(identity.not_after),
        "stale": identity.is_stale(now),
        "key": identity.key,
        "pulled": stamp(identity.pulled),
        "files": identity.files.iter().map(|file| &file.name).collect::<Vec<_>>(),
    })
}
