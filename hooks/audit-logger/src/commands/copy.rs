//! `audit-logger verify --copy`: the proof on what a collector kept.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use audit::{Anchor, Copy, CopyReport};
use export::back;
use screen::several;

use super::text::one_line;
use super::{Ended, FINE, FOUND, Trouble, say};

/// How many findings people see.
const SHOWN: usize = 50;

/// What is to be proved, and how it is read.
pub(super) struct Wanted<'w> {
    /// None of them means stdin.
    pub(super) files: &'w [PathBuf],
    pub(super) protobuf: bool,
    pub(super) partial: bool,
    pub(super) json: bool,
    pub(super) anchors: &'w [Anchor],
}

pub(super) fn run(wanted: &Wanted<'_>) -> Ended {
    let mut copy = Copy::default();
    let mut strange = 0;
    for path in wanted.files {
        let wrong = |error: io::Error| Trouble::Usage(format!("{}: {error}", path.display()));
        for file in files(path).map_err(wrong)? {
            strange += lines(wanted, File::open(file).map_err(wrong)?, &mut copy).map_err(wrong)?;
        }
    }
    if wanted.files.is_empty() {
        strange = lines(wanted, io::stdin().lock(), &mut copy)?;
    }
    let report = copy.finish(wanted.anchors, wanted.partial);
    if report.records == 0 && report.found == 0 {
        return Err(Trouble::Usage(
            "there is no record of a log in it; --format names what it is".to_owned(),
        ));
    }
    if wanted.json {
        let report = serde_json::to_value(&report).map_err(|error| Trouble::Failed(error.to_string()))?;
        say(&format!("{report:#}\n"))?;
    } else {
        screen::print(&people(&report, strange))?;
    }
    Ok(if report.intact { FINE } else { FOUND })
}

/// The file itself, or every file below a folder: `ship` fills one folder a day.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut entries =
        fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
    entries.sort();
    let mut found = Vec::new();
    for entry in entries {
        // A link to a folder may lead back here; a draft is not there yet.
        let leads_back = entry.is_symlink() && entry.is_dir();
        if !leads_back && entry.extension().is_none_or(|ending| ending != "draft") {
            found.extend(files(&entry)?);
        }
    }
    Ok(found)
}

fn lines(wanted: &Wanted<'_>, reader: impl Read, copy: &mut Copy) -> io::Result<u64> {
    let visit = |line: &[u8]| {
        copy.add(line);
    };
    if wanted.protobuf {
        back::protobuf(io::BufReader::new(reader), visit)
    } else {
        back::text(reader, visit)
    }
}

fn people(report: &CopyReport, strange: u64) -> String {
    let mut text = String::new();
    let verdict = if report.intact { "intact" } else { "NOT INTACT" };
    let _ = writeln!(
        text,
        "{verdict}: {} of {}",
        several(report.records, "record"),
        several(u64::try_from(report.logs.len()).unwrap_or(u64::MAX), "log")
    );
    for log in &report.logs {
        let of = if log.of.is_empty() { String::new() } else { format!("{}: ", one_line(&log.of)) };
        let missing = if log.missing > 0 { format!(", {} missing", log.missing) } else { String::new() };
        let anchored = log.anchored.map(|seq| format!(", anchored up to {seq}")).unwrap_or_default();
        let _ = writeln!(
            text,
            "  {of}{}, numbers {} to {}{missing}{anchored}",
            several(log.records, "record"),
            log.first,
            log.last
        );
    }
    for finding in report.findings.iter().take(SHOWN) {
        let _ = writeln!(text, "  {}: {}", finding.what, one_line(&finding.text));
    }
    let more = report.found.saturating_sub(SHOWN.min(report.findings.len()) as u64);
    if more > 0 {
        let _ = writeln!(text, "  and {more} more");
    }
    if report.repeated > 0 {
        let _ = writeln!(text, "arrived more than once: {}", several(report.repeated, "record"));
    }
    if strange > 0 {
        let _ = writeln!(text, "passed over: {} without a record", several(strange, "line"));
    }
    text
}
