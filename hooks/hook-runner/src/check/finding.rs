//! Something that was found, with the text around it.

use std::ops::Range;
use std::path::PathBuf;

use host::tree::position;
use host::{Code, Problem, Product, Severity};

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// What.
    pub(crate) code: Code,
    /// How bad it is.
    pub(crate) severity: Severity,
    /// The hosts that have the problem.
    pub(crate) hosts: Vec<Product>,
    /// The file, as a person would write it.
    pub(crate) file: String,
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Where in the text, in bytes.
    pub(crate) span: Range<usize>,
    /// The text; empty when the file has none.
    pub(crate) text: std::rc::Rc<str>,
    /// What is wrong.
    pub(crate) message: String,
    /// What to do.
    pub(crate) help: String,
}

impl Finding {
    /// The line and column of its start, and of its end; all from 1.
    pub(crate) fn region(&self) -> ((usize, usize), (usize, usize)) {
        (position(&self.text, self.span.start), position(&self.text, self.span.end))
    }
}

/// A text in which things are found.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    /// The file, as a person would write it.
    pub(crate) file: String,
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Its text.
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
                    known.help = finding.help;
                }
                known.severity = known.severity.max(finding.severity);
                known.hosts.extend(finding.hosts);
                known.hosts.sort_unstable();
                known.hosts.dedup();
            }
            None => joined.push(finding),
        }
    }
    joined
}
