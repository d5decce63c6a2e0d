//! Something that was found, with the text around it.

use std::ops::Range;
use std::path::PathBuf;

use host::failing::{self, Fate};
use host::tree::position;
use host::{Code, Problem, Product, Severity};

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) code: Code,
    /// How bad it is.
    pub(crate) severity: Severity,
    /// The hosts that have the problem.
    pub(crate) hosts: Vec<Product>,
    /// The file, as a person would write it.
    pub(crate) file: String,
    pub(crate) path: PathBuf,
    /// Where in the text, in bytes.
    pub(crate) span: Range<usize>,
    /// The text; empty when the file has none.
    pub(crate) text: std::rc::Rc<str>,
    pub(crate) message: String,
    pub(crate) help: String,
    /// What becomes of each call then, by host.
    pub(crate) fates: Vec<(Product, Fate)>,
}

impl Finding {
    /// The same of more hosts.
    fn add_hosts(&mut self, other: Self) {
        self.severity = self.severity.max(other.severity);
        self.hosts.extend(other.hosts);
        self.hosts.sort_unstable();
        self.hosts.dedup();
        self.fates.extend(other.fates);
        self.fates.sort_by_key(|(product, _)| *product);
        self.fates.dedup();
    }

    /// What becomes of each call, by the titles of the hosts.
    fn titled(&self) -> Vec<(&'static str, Fate)> {
        self.fates.iter().map(|(host, fate)| (host.title, *fate)).collect()
    }

    /// The line and column of its start, and of its end; all from 1.
    pub(crate) fn region(&self) -> ((usize, usize), (usize, usize)) {
        (position(&self.text, self.span.start), position(&self.text, self.span.end))
    }
}

/// A string in which things are found.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    /// The file, as a person would write it.
    pub(crate) file: String,
    pub(crate) path: PathBuf,
    pub(crate) text: std::rc::Rc<str>,
}

impl Page {
    /// A problem that one host has with this page.
    pub(crate) fn finding(&self, problem: Problem) -> Finding {
        Finding {
            code: problem.code,
            severity: problem.severity,
            hosts: vec![problem.product],
            file: self.file.clone(),
            path: self.path.clone(),
            span: problem.span,
            text: self.text.clone(),
            message: problem.message,
            help: problem.help,
            fates: problem.fate.map(|fate| (problem.product, fate)).into_iter().collect(),
        }
    }
}

/// Puts together what several hosts have in common: the same code at the same place.
pub(crate) fn join(findings: Vec<Finding>) -> Vec<Finding> {
    let mut joined: Vec<Finding> = Vec::new();
    for finding in findings {
        let same = joined.iter_mut().find(|known| {
            known.code == finding.code && known.span == finding.span && known.path == finding.path
        });
        match same {
            Some(known) => {
                if known.message != finding.message && !known.hosts.contains(&finding.hosts[0]) {
                    known.message = format!("{} {}", known.message, finding.message);
                }
                if known.help.is_empty() {
                    known.help.clone_from(&finding.help);
                }
                known.add_hosts(finding);
            }
            None => joined.push(finding),
        }
    }
    joined
}

/// Tells once of each program that cannot be started, however many entries name it, and what its hosts do then.
pub(crate) fn by_program(findings: Vec<Finding>) -> Vec<Finding> {
    let unstartable = |code| matches!(code, Code::ProgramMissing | Code::ProgramNotExecutable);
    let mut told: Vec<(Finding, usize)> = Vec::new();
    for finding in findings {
        let same = told.iter_mut().find(|(known, _)| {
            unstartable(finding.code) && known.code == finding.code && known.message == finding.message
        });
        match same {
            Some((known, entries)) => {
                known.add_hosts(finding);
                *entries += 1;
            }
            None => told.push((finding, 1)),
        }
    }
    let mut findings: Vec<Finding> = Vec::new();
    for (mut finding, entries) in told {
        if unstartable(finding.code) {
            let fates = failing::sentence(&finding.titled());
            let fates =
                if fates.is_empty() { "its hosts continue without the hook".to_owned() } else { fates };
            let others = if entries > 1 { format!(" ({entries} entries name it)") } else { String::new() };
            let said = finding.message.trim_end_matches('.');
            finding.message = format!("{said}{others}. Then {fates}.");
        }
        findings.push(finding);
    }
    findings
}
