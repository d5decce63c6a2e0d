//! `audit-logger verify`: whether every record is as it was written.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use audit::{Anchor, Report};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::text::one_line;
use super::{Ended, FINE, FOUND, Trouble, copy, files, reading, say};
use screen::several;

/// How many findings people see.
const SHOWN: usize = 50;

pub(super) fn command() -> Command {
    Command::new("verify").about("Proves that no record was changed, removed, added or moved").args([
        Arg::new("anchor")
            .long("anchor")
            .value_name("FILE")
            .action(ArgAction::Append)
            .value_parser(value_parser!(PathBuf))
            .help("A file with anchors, as `audit-logger anchor` writes them; shows whether the end was cut off"),
        Arg::new("head")
            .long("head")
            .value_name("SEQ:HASH")
            .action(ArgAction::Append)
            .help("An anchor, as one word"),
        Arg::new("copy")
            .long("copy")
            .action(ArgAction::SetTrue)
            .help("The files are what a collector kept, in any format that `export` writes [default: stdin]"),
        Arg::new("format")
            .long("format")
            .value_name("FORMAT")
            .requires("copy")
            .value_parser(PossibleValuesParser::new(export::Format::NAMES))
            .help("The copy's format; only otlp-protobuf has to be named"),
        Arg::new("partial")
            .long("partial")
            .action(ArgAction::SetTrue)
            .requires("copy")
            .help("The copy may lack records, as a filtered export does"),
        Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON"),
        Arg::new("files")
            .value_name("FILE")
            .num_args(0..)
            .value_parser(value_parser!(PathBuf))
            .help("The log's files, oldest first, as on a collector [default: those of the log]"),
    ])
}

pub(super) fn run(matches: &ArgMatches) -> Ended {
    let mut anchors = Vec::new();
    for file in matches.get_many::<PathBuf>("anchor").into_iter().flatten() {
        let text = fs::read_to_string(file)
            .map_err(|error| Trouble::Usage(format!("{}: {error}", file.display())))?;
        let found = Anchor::all(&text);
        if found.is_empty() {
            // A file without anchors would prove nothing, and look as if it did.
            return Err(Trouble::Usage(format!("{} contains no anchor", file.display())));
        }
        anchors.extend(found);
    }
    for text in matches.get_many::<String>("head").into_iter().flatten() {
        let anchor = Anchor::parse(text).ok_or_else(|| {
            Trouble::Usage(format!("`{text}` is not an anchor: use a record's number, a colon and its hash"))
        })?;
        anchors.push(anchor);
    }
    let given: Vec<PathBuf> = matches.get_many::<PathBuf>("files").into_iter().flatten().cloned().collect();
    if matches.get_flag("copy") {
        let protobuf = export::Format::OtlpProtobuf.name();
        return copy::run(&copy::Wanted {
            files: &given,
            protobuf: matches.get_one::<String>("format").is_some_and(|name| name == protobuf),
            partial: matches.get_flag("partial"),
            json: matches.get_flag("json"),
            anchors: &anchors,
        });
    }
    // Without what waits beside the log: it has no place in the chain yet.
    let logs = if given.is_empty() { files(matches, false)? } else { vec![given] };
    if logs.len() > 1 && !anchors.is_empty() {
        return Err(Trouble::Usage("an anchor is of one log: name only that one with --log".to_owned()));
    }
    let proved = |files: &Vec<PathBuf>| {
        reading("verifying", files, |done| audit::verify_counted(files, &anchors, done))
            .map_err(|error| Trouble::Failed(error.to_string()))
    };
    let reports = logs.iter().map(proved).collect::<Result<Vec<_>, _>>()?;
    let name = |files: &Vec<PathBuf>| files.last().map(|file| file.display().to_string()).unwrap_or_default();
    if matches.get_flag("json") {
        let json = |report: &Report| {
            serde_json::to_value(report).map_err(|error| Trouble::Failed(error.to_string()))
        };
        let text = if let [report] = reports.as_slice() {
            json(report)?
        } else {
            let each = logs.iter().zip(&reports).map(|(files, report)| {
                let mut json = json(report)?;
                json["log"] = name(files).into();
                Ok(json)
            });
            serde_json::json!({ "version": 1, "logs": each.collect::<Result<Vec<_>, Trouble>>()? })
        };
        say(&format!("{text:#}\n"))?;
    } else {
        for (files, report) in logs.iter().zip(&reports) {
            if logs.len() > 1 {
                screen::print(&format!("{}\n", one_line(&name(files))))?;
            }
            screen::print(&people(report))?;
        }
    }
    Ok(if reports.iter().all(|report| report.intact) { FINE } else { FOUND })
}

fn people(report: &Report) -> String {
    let mut text = String::new();
    let verdict = if report.intact { "intact" } else { "NOT INTACT" };
    let _ = writeln!(
        text,
        "{verdict}: {} in {}, numbers {} to {}",
        several(report.records, "record"),
        several(u64::try_from(report.files).unwrap_or(u64::MAX), "file"),
        report.first,
        report.last
    );
    for finding in report.findings.iter().take(SHOWN) {
        let place = if finding.line == 0 {
            String::new()
        } else {
            format!("{}:{}: ", one_line(&finding.file), finding.line)
        };
        let _ = writeln!(text, "  {place}{}: {}", finding.what, finding.text);
    }
    let more = report.found.saturating_sub(SHOWN.min(report.findings.len()) as u64);
    if more > 0 {
        let _ = writeln!(text, "  and {more} more");
    }
    if report.gaps > 0 {
        let _ = writeln!(
            text,
            "noted by the writers: {} of {}, left by crashes or written by others",
            several(report.gaps, "gap"),
            several(report.gap_bytes, "byte")
        );
    }
    match report.anchored {
        Some(seq) if seq == report.last => {
            let _ = writeln!(text, "anchored to its end: record {seq}");
        }
        Some(seq) => {
            let _ = writeln!(
                text,
                "anchored up to record {seq}: nothing proves that record {} was the last",
                report.last
            );
        }
        None => {
            let _ = writeln!(
                text,
                "not anchored: nothing proves that record {} is the last, or that the log was not rewritten (see `audit-logger anchor`)",
                report.last
            );
        }
    }
    if report.last > 0 {
        let _ = writeln!(text, "head {}:{}", report.last, report.head);
    }
    text
}
