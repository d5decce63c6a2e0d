//! Recorded answers: what each host silently does not do with them.

use std::path::Path;

use host::{Problem, Product};

use super::finding::{Finding, Page, join};
use crate::fault::Fault;
use crate::project::Project;
use crate::run::{answers_of, read_recording};

/// What is wrong with the answers of a recording, for the recorded hosts or others.
pub(super) fn check(path: &Path, project: &Project, hosts: &[Product]) -> Result<Vec<Finding>, Fault> {
    let text = host::tree::text(path).map_err(|why| Fault::unreadable(path, why))?;
    let records = read_recording(path)?;
    let page = Page { file: project.short(path), path: path.to_owned(), text: text.as_str().into() };
    let mut findings = Vec::new();
    let lines = text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line.trim_end()))
    });
    for ((start, line), record) in lines.filter(|(_, line)| !line.is_empty()).zip(&records) {
        let products = if hosts.is_empty() { vec![record.product()?] } else { hosts.to_vec() };
        for product in products {
            for problem in answers_of(record, product, &project.root)? {
                // The whole line: a recording is one long line for each event, and the answer stands somewhere in it.
                let problem = Problem { span: start..start + line.len(), ..problem };
                findings.push(page.finding(problem));
            }
        }
    }
    Ok(join(findings))
}
