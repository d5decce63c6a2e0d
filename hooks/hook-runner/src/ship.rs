//! `hook-runner log ship`: sends the audit log to a collector. The only part of all programs that talks to the network.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use audit::Journal;
use audit::queue::Remark;
use clap::{CommandFactory as _, FromArgMatches as _, Parser};
use export::Format;
use ship::{Pace, Plan, ShipError, Shipped, Status, Token};

use crate::Done;
use crate::fault::{Exit, Fault};
use crate::paint::Screen;

const ADDRESSES: &str = "\
Addresses: https://HOST:4318 (OTLP), splunk+https://HOST:8088, syslog+tls://HOST:6514, syslog+tcp://HOST:601, \
syslog+unix:///dev/log, or a folder. What is not given is taken from `[ship]` of audit.toml. A run goes on after the last \
record that the receiver has acknowledged, and ends with the log.\n\n\
Exit codes: 0 all is acknowledged, 1 records wait or were refused, 2 wrong usage, 3 an internal error.";

/// Sends the audit log to a collector, from the last acknowledged record on.
#[derive(Debug, Parser)]
#[command(name = "ship", after_help = ADDRESSES, max_term_width = 100)]
struct Options {
    /// The receiver's address, or a folder
    #[arg(long, value_name = "ADDRESS")]
    to: Option<String>,
    /// The format [default: what the receiver usually takes]
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// A file that holds the receiver's token, and that only you can read
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// A certificate of an authority (PEM), besides those that this machine trusts
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,
    /// The log [default: where the hook writes it]
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Keeps running, and sends what is written
    #[arg(long)]
    follow: bool,
    /// How long a receiver that does not answer is tried, in seconds; with --follow it is tried for ever
    #[arg(long, value_name = "SECONDS", default_value_t = 60, conflicts_with = "follow")]
    give_up: u64,
    /// How long the first pause between tries is, in milliseconds
    #[arg(long, value_name = "N", hide = true, default_value_t = 500)]
    retry_ms: u64,
    /// Sends nothing, and says how many records wait
    #[arg(long)]
    status: bool,
}

/// How often the log is looked at with `--follow`.
const LOOK: Duration = Duration::from_secs(2);

/// Runs the task with what follows `ship` on the command line.
pub(crate) fn task(arguments: &[OsString], screen: &Screen) -> Done {
    let command = program::with_help(Options::command().bin_name("hook-runner log ship"));
    let name = OsString::from("ship");
    let parsed = command
        .try_get_matches_from(std::iter::once(&name).chain(arguments))
        .and_then(|matches| Options::from_arg_matches(&matches));
    let options = match parsed {
        Ok(options) => options,
        Err(error) => {
            program::explain_usage(&error, &error.render().ansi().to_string());
            return Ok(if error.use_stderr() { Exit::Usage } else { Exit::Fine });
        }
    };
    let here = std::env::current_dir().ok();
    let journal = Journal::open(here.as_deref().and_then(std::path::Path::to_str));
    let plan = plan(&options, &journal)?;
    if options.status {
        return status(&plan, screen);
    }
    send(&options, &plan, &journal, screen)
}

/// What is asked for, and where that says nothing, what is set.
fn plan(options: &Options, journal: &Journal) -> Result<Plan, Fault> {
    let set = journal.ship().cloned().unwrap_or_default();
    // An address of the command line comes without the token of another.
    let (to, set) = match &options.to {
        Some(to) if set.to.as_ref() != Some(to) => (to.clone(), audit::Ship::default()),
        _ => {
            let hint = "Name a receiver with --to, or set `to` below [ship] in audit.toml.";
            (set.to.clone().ok_or_else(|| Fault::usage("No receiver is set.", hint))?, set)
        }
    };
    let log = options.log.clone().or_else(|| journal.path().map(PathBuf::from));
    let log = log.ok_or_else(|| Fault::usage("There is no folder for an audit log.", "Set AUDIT_LOG."))?;
    let log = log.canonicalize().unwrap_or(log);
    let state = ship::state().ok_or_else(|| Fault::usage("There is no folder for state.", "Set HOME."))?;
    let format = options.format.clone().or(set.format);
    let format = format.map(|name| name.parse::<Format>());
    let format = format.transpose().map_err(|error| Fault::usage(error.to_string(), "See docs/fleet.md."))?;
    let token = options.token_file.clone().or(set.token_file);
    let token = token.map(|file| Token::read(&file)).transpose().map_err(|error| fault(&error))?;
    let mut plan = Plan::new(log, state, to);
    plan.format = format;
    plan.token = token;
    plan.ca_file = options.ca_file.clone().or(set.ca_file);
    plan.follow = options.follow.then_some(LOOK);
    plan.pace = Pace {
        first: Duration::from_millis(options.retry_ms),
        give_up: (!options.follow).then(|| Duration::from_secs(options.give_up)),
        ..Pace::default()
    };
    Ok(plan)
}

fn fault(error: &ShipError) -> Fault {
    Fault::Usage { message: error.to_string(), hint: error.hint().to_owned() }
}

fn send(options: &Options, plan: &Plan, journal: &Journal, screen: &Screen) -> Done {
    // Records that could not wait for the log have no place in its chain yet.
    let waiting = if options.log.is_none() { journal.take_in().unwrap_or(0) } else { 0 };
    if waiting > 0 {
        screen::remark(&format!(
            "hook-runner: {waiting} records wait beside the log and are not sent: it is busy, or on a network file system\n"
        ));
    }
    if ship::Target::parse(&plan.to).is_ok_and(|target| target.is_in_the_clear()) {
        screen::remark("hook-runner: the records travel in the clear: use https or syslog+tls\n");
    }
    let mut last = Shipped::default();
    let ended = ship::ship(plan, |shipped| last.clone_from(shipped));
    let (shipped, error) = match ended {
        Ok(shipped) => (shipped, None),
        Err(error @ (ShipError::Target { .. } | ShipError::Format { .. })) => return Err(fault(&error)),
        Err(error) => (last, Some(error)),
    };
    for remark in &shipped.remarks {
        screen::remark(&format!("hook-runner: {}\n", remark_of(*remark)));
    }
    if !shipped.refused.is_empty() {
        let numbers: Vec<String> = shipped.refused.iter().take(20).map(u64::to_string).collect();
        screen::remark(&format!(
            "hook-runner: the receiver refused {}, and took their neighbours: {}\n",
            screen::several(shipped.refused.len() as u64, "record"),
            numbers.join(", ")
        ));
    }
    screen.say(&format!("{} acknowledged\n", screen::several(shipped.records, "record")))?;
    match error {
        // Whoever is at work there sends what we would.
        Some(ShipError::Busy) => {
            screen::remark("hook-runner: another process ships this log there already\n");
            Ok(Exit::Fine)
        }
        Some(error) => {
            screen::remark(&format!("hook-runner: {error}. {}\n", error.hint()));
            Ok(match error {
                ShipError::Io { .. } | ShipError::Log(_) | ShipError::Tls(_) => Exit::Internal,
                _ => Exit::Found,
            })
        }
        None => Ok(Exit::found(!shipped.refused.is_empty() || waiting > 0 || !shipped.remarks.is_empty())),
    }
}

fn remark_of(remark: Remark) -> String {
    match remark {
        Remark::Replaced => "the log is not the one that was shipped before: all of it is sent".to_owned(),
        Remark::Expired(count) => format!(
            "{} had been removed as too old (keep_days) before they were sent",
            screen::several(count, "record")
        ),
    }
}

/// How far the receiver has acknowledged.
fn status(plan: &Plan, screen: &Screen) -> Done {
    let known = ship::status(&plan.state, &plan.to, &plan.log).unwrap_or_default();
    let Status { cursor, refused_count, .. } = known;
    let waiting = ship::waiting(&plan.log, cursor.as_ref()).map_err(|error| fault(&error))?;
    let last = cursor.map_or("nothing acknowledged yet".to_owned(), |cursor| {
        format!("acknowledged up to record {}", cursor.seq)
    });
    let refused = if refused_count > 0 { format!(", {refused_count} refused") } else { String::new() };
    screen.say(&format!("{}: {last}, {} waiting{refused}\n", plan.to, screen::several(waiting, "record")))?;
    Ok(Exit::found(waiting > 0))
}
