//! What verifying found, in words.

use std::fmt::Write as _;
use std::path::Path;

use audit::Report;
use serde::Serialize;

/// How a log stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Intact,
    Broken,
    /// It could not be verified.
    Unknown,
}

/// How many findings are shown.
const SHOWN: usize = 20;

/// The state of a log's proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Proof {
    pub state: State,
    /// The log's place.
    pub log: String,
    /// What there is to say in one sentence.
    pub said: String,
    /// How far an anchor vouches for it.
    pub anchor: String,
    /// The number of the last record.
    pub last: u64,
    /// The number of the last record that an anchor vouches for.
    pub anchored: Option<u64>,
    /// The hash of the last record.
    pub head: String,
    /// What is wrong, the first of it.
    pub findings: Vec<String>,
}

impl Proof {
    /// Of what verifying found.
    pub fn of(report: &Report, log: &Path) -> Self {
        let s = |count: u64| if count == 1 { "" } else { "s" };
        let (records, files) = (report.records, report.files as u64);
        let mut said = format!(
            "{records} record{} in {files} file{}, numbers {} to {}.",
            s(records),
            s(files),
            report.first,
            report.last
        );
        if report.intact {
            said.push_str(" Nothing was changed, removed, added or moved.");
        } else {
            let verb = if report.found == 1 { " is" } else { "s are" };
            let _ = write!(said, " {} thing{verb} not as written.", report.found);
        }
        if report.gaps > 0 {
            let _ = write!(said, " {} gap{} noted by the writers.", report.gaps, s(report.gaps));
        }
        let last = report.last;
        let anchor = match report.anchored {
            Some(seq) if seq == last => format!("Anchored to its end, record {seq}."),
            Some(seq) => {
                format!("Anchored up to record {seq}: nothing proves that record {last} was the last.")
            }
            None => format!(
                "Not anchored: nothing proves that record {last} is the last, or that the log was not rewritten."
            ),
        };
        let findings = report.findings.iter().take(SHOWN).map(|finding| match finding.line {
            0 => format!("{}: {}", finding.what, finding.text),
            line => format!("{}:{line}: {}: {}", finding.file, finding.what, finding.text),
        });
        Self {
            state: if report.intact { State::Intact } else { State::Broken },
            log: log.display().to_string(),
            said,
            anchor,
            last,
            anchored: report.anchored,
            head: report.head.clone(),
            findings: findings.collect(),
        }
    }

    /// Of a log that could not be verified.
    pub fn unknown(log: &Path, why: &str) -> Self {
        Self {
            state: State::Unknown,
            log: log.display().to_string(),
            said: format!("It could not be verified: {why}."),
            anchor: String::new(),
            last: 0,
            anchored: None,
            head: String::new(),
            findings: Vec::new(),
        }
    }

    /// The first word about it.
    pub fn word(&self) -> &'static str {
        match self.state {
            State::Intact => "Intact",
            State::Broken => "Not intact",
            State::Unknown => "Not verified",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(intact: bool, anchored: Option<u64>) -> Report {
        let found = u64::from(!intact);
        Report { intact, records: 9, files: 1, first: 1, last: 9, anchored, found, ..Report::default() }
    }

    #[test]
    fn what_is_not_proved_is_said() {
        let path = Path::new("/log");
        let fine = Proof::of(&report(true, Some(9)), path);
        assert_eq!((fine.word(), fine.anchor.as_str()), ("Intact", "Anchored to its end, record 9."));
        assert!(Proof::of(&report(true, None), path).anchor.contains("not rewritten"));
        assert!(Proof::of(&report(true, Some(4)), path).anchor.contains("record 9 was the last"));
        let broken = Proof::of(&report(false, None), path);
        assert_eq!(broken.state, State::Broken);
        assert!(broken.said.contains("1 thing is not as written"), "{}", broken.said);
    }
}
