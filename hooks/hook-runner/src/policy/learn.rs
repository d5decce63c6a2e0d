//! `policy learn`: rules for what people approved again and again, as a diff that no one applies but a person.

use std::fmt::Write as _;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command};
use policy::Layer;
use policy::cli::{Learner, Learnt};
use policy::layers::Source;
use serde_json::json;
use similar::TextDiff;

use crate::Done;
use crate::fault::{Exit, Fault};
use crate::paint::{Screen, one_line};

pub(super) fn task() -> Command {
    let text = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    Command::new("learn")
        .about("Proposes rules for what people approved again and again, as a diff")
        .long_about(
            "Proposes rules for what people approved again and again, as a diff.\n\n\
             It reads the audit log: a shell command that a host or a rule asked about, and that then ran, was approved. A \
             proposal allows the very words, in the folders where they were approved. Never proposed is what a built-in \
             rule holds back or calls destructive, what was refused once, and what is more than one plain command. The \
             policy engine tries each proposal and its respellings before it is shown. Nothing is written: the diff goes \
             to stdout for `patch`, the remarks to stderr. Exit codes: 0 done, 2 a file cannot be read.",
        )
        .arg(Arg::new("log").num_args(0..).value_name("LOG").help("Audit logs [default: the log of this folder]"))
        .arg(text("policy", "FILE", "The policy to add to [default: your own]"))
        .arg(text("least", "TIMES", "Approved at least so often [default: 3]"))
        .arg(text("since", "DAY", "Only records from this day on, such as 2026-11-01"))
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON"))
}

/// `hook-runner policy learn`.
pub(super) fn run(matches: &ArgMatches, screen: &Screen) -> Done {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let least = match text("least") {
        Some(number) => number.parse::<usize>().ok().filter(|least| *least > 0).ok_or_else(|| {
            Fault::usage(format!("--least {number}: not a number from 1 on"), "Give 3, or more.")
        })?,
        None => 3,
    };
    let since = text("since").unwrap_or_default();
    if !since.is_empty() && bundle::Manifest::time(since).is_err() {
        return Err(Fault::usage(format!("--since {since}: not a day"), "Write it as 2026-11-01."));
    }
    let logs: Vec<PathBuf> =
        matches.get_many::<String>("log").into_iter().flatten().map(PathBuf::from).collect();
    let files = if logs.is_empty() { own_log()? } else { logs };
    let home = std::env::home_dir();
    let mut learner = Learner::of(home.as_deref().and_then(Path::to_str).map(str::to_owned));
    let mut records = 0usize;
    for file in &files {
        if !file.is_file() {
            return Err(Fault::unreadable(file, "there is no such file"));
        }
    }
    let strange = audit::each(&files, |record| {
        records += 1;
        if record.ts() >= since {
            learner.record(record.value());
        }
        ControlFlow::Continue(())
    })
    .map_err(|error| {
        Fault::unreadable(files.first().map_or(Path::new("the log"), PathBuf::as_path), error)
    })?;
    if records == 0 && strange > 0 {
        return Err(Fault::usage("no line of it is a record of the audit log", "Name an audit.jsonl."));
    }
    let policy = match text("policy") {
        Some(path) => PathBuf::from(path),
        None => home
            .map(|home| store::settings::user(&home, "policy.toml"))
            .ok_or_else(|| Fault::usage("there is no home folder", "Name the policy with --policy."))?,
    };
    let source = policy_file(&policy)?;
    let learnt = screen::patiently("trying proposals", || learner.propose(&source, least));
    if matches.get_flag("json") {
        screen.say(&format!("{:#}\n", report(&policy, &learnt)))?;
        return Ok(Exit::Fine);
    }
    screen.remark(&remarks(&policy, records, &learnt));
    if !learnt.proposals.is_empty() {
        let name = policy.display().to_string();
        let old = if policy.exists() { name.as_str() } else { "/dev/null" };
        let diff = TextDiff::from_lines(&source.text, &learnt.policy);
        screen::data(&diff.unified_diff().header(old, &name).to_string())?;
    }
    Ok(Exit::Fine)
}

/// The files of the log that is written here.
fn own_log() -> Result<Vec<PathBuf>, Fault> {
    let cwd = std::env::current_dir().ok();
    let journal = audit::Journal::open(cwd.as_deref().and_then(Path::to_str));
    let files = journal
        .path()
        .map(audit::files)
        .transpose()
        .map_err(|error| Fault::usage(error.to_string(), "Name the log."))?;
    files.filter(|files| !files.is_empty()).ok_or_else(|| {
        Fault::usage(
            "there is no audit log here yet",
            "`hook-runner init --hook audit-logger` begins one, or name one.",
        )
    })
}

/// The policy, as far as there is one.
fn policy_file(path: &Path) -> Result<Source, Fault> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Fault::unreadable(path, error)),
    };
    let errors = policy::read(&text, policy::layers::today()).1;
    if let Some(error) = errors.first().filter(|_| !text.trim().is_empty()) {
        let message = format!("{}:{error}", one_line(&path.display().to_string()));
        return Err(Fault::usage(message, "Correct the policy first."));
    }
    // As if it were trusted: a person reads the diff.
    Ok(Source { trusted: true, ..Source::of(Layer::User, path, text) })
}

fn remarks(policy: &Path, records: usize, learnt: &Learnt) -> String {
    let rules = screen::several(learnt.proposals.len(), "rule");
    let mut text = format!(
        "{rules} proposed for {}, from {}; read the diff before you apply it\n",
        one_line(&policy.display().to_string()),
        screen::several(records, "record")
    );
    for (command, times, why) in &learnt.left {
        let _ = writeln!(
            text,
            "  not proposed: {} ({}): {why}",
            one_line(command),
            screen::several(*times, "time")
        );
    }
    for (rule, times) in &learnt.lifted {
        let times = screen::several(*times, "time");
        let _ = writeln!(
            text,
            "  a person lifted `{rule}` {times}: that is for whoever owns the rule to look at"
        );
    }
    text
}

fn report(policy: &Path, learnt: &Learnt) -> serde_json::Value {
    json!({
        "version": 1,
        "policy": policy.display().to_string(),
        "proposals": learnt.proposals.iter().map(|one| json!({
            "id": one.id, "command": one.command, "folders": one.folders, "approved": one.approved,
            "sessions": one.sessions, "last": one.last, "rule": one.text,
        })).collect::<Vec<_>>(),
        "not_proposed": learnt.left.iter().map(|(command, times, why)| json!({
            "command": command, "approved": times, "why": why,
        })).collect::<Vec<_>>(),
        "lifted": learnt.lifted.iter().map(|(rule, times)| json!({ "rule": rule, "times": times })).collect::<Vec<_>>(),
    })
}
