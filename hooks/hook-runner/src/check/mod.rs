//! `check`: finds what hosts silently do not do with hooks, before it matters.

mod answers;
mod files;
mod finding;
mod human;
mod machine;
mod matchers;
mod programs;
mod targets;
mod words;

use std::path::PathBuf;

use host::{Product, Severity};

use crate::Done;
use crate::command_line::{CheckOptions, Format};
use crate::fault::{Exit, Fault};
use crate::paint::Screen;
use crate::project::Project;
use finding::Finding;

/// `hook-runner check`.
pub(crate) fn check(options: &CheckOptions, screen: &Screen) -> Done {
    if options.codes {
        screen.say(&human::codes())?;
        return Ok(Exit::Fine);
    }
    let paths = if options.paths.is_empty() { vec![PathBuf::from(".")] } else { options.paths.clone() };
    let mut report = Report::default();
    for path in &paths {
        let path = path.canonicalize().map_err(|error| Fault::unreadable(path, error))?;
        report.look_at(&path, &options.host)?;
    }
    let least = if options.notes { Severity::Note } else { Severity::Warning };
    report.findings.retain(|finding| finding.severity >= least);
    report.findings.sort_by(|a, b| (&a.file, a.span.start, a.code).cmp(&(&b.file, b.span.start, b.code)));
    report.findings.dedup();
    let text = match options.format {
        Format::Human => human::text(&report),
        Format::Json => machine::json(&report),
        Format::Sarif => machine::sarif(&report),
        Format::Github => machine::github(&report),
    };
    screen.say(&text)?;
    Ok(Exit::found(!report.findings.is_empty()))
}

/// Everything that was found.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// What was found.
    pub(crate) findings: Vec<Finding>,
    /// How many files were read.
    pub(crate) files: usize,
}

impl Report {
    fn look_at(&mut self, path: &std::path::Path, hosts: &[Product]) -> Result<(), Fault> {
        if path.is_dir() {
            self.folder(&Project::around(Some(path))?, hosts);
            return Ok(());
        }
        let project = Project::around(path.parent())?;
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            self.files += 1;
            self.findings.extend(answers::check(path, &project, hosts)?);
            return Ok(());
        }
        let target = targets::of_file(path, &project, hosts);
        self.file(&target, &project);
        Ok(())
    }

    /// A whole project: every file that a host reads there, and files that look as if.
    fn folder(&mut self, project: &Project, hosts: &[Product]) {
        for target in targets::of_project(project, hosts) {
            self.file(&target, project);
        }
        self.findings.extend(files::strays(project));
        self.findings.extend(files::workflows(project));
        self.findings.extend(files::twice(project, hosts));
        self.findings.extend(files::audit_late(project, hosts));
    }

    fn file(&mut self, target: &targets::Target, project: &Project) {
        self.files += 1;
        self.findings.extend(targets::read(target, project));
    }
}
