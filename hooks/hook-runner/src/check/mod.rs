//! `check`: finds what hosts silently do not do with hooks, before it matters.

mod answers;
mod files;
mod finding;
mod human;
mod machine;
mod matchers;
mod own;
mod programs;
mod targets;
mod words;

use host::place::Scope;
use host::{Product, Severity};

use crate::Done;
use crate::command_line::{CheckOptions, Format, Level};
use crate::fault::{Exit, Fault};
use crate::own_settings::{self, Looked};
use crate::paint::Screen;
use crate::project::Project;
use finding::Finding;

/// Whose files are looked at where no one says which: all that decide what runs here.
const EVERYONE: [Scope; 3] = [Scope::Policy, Scope::User, Scope::Project];

/// Whose files are looked at for a folder that is named.
const OTHERS: [Scope; 2] = [Scope::Policy, Scope::Project];

/// `hook-runner check`.
pub(crate) fn check(options: &CheckOptions, screen: &Screen) -> Done {
    if options.codes {
        screen.say(&human::codes())?;
        return Ok(Exit::Fine);
    }
    let mut report = Report::default();
    if options.paths.is_empty() {
        report.folder(&Project::around(None)?, &options.host, &EVERYONE);
    }
    for path in &options.paths {
        let path = path.canonicalize().map_err(|error| Fault::unreadable(path, error))?;
        report.look_at(&path, &options.host)?;
    }
    let least = match options.level {
        _ if options.notes => Severity::Note,
        Level::Note => Severity::Note,
        Level::Warning => Severity::Warning,
        Level::Error => Severity::Error,
    };
    let ignored = |finding: &Finding| options.ignore.contains(&finding.code);
    report.findings.retain(|finding| finding.severity >= least && !ignored(finding));
    // Sorted before equal ones are removed: `dedup` only sees neighbours.
    report.findings.sort_by(|a, b| (&a.file, a.span.start, a.code).cmp(&(&b.file, b.span.start, b.code)));
    report.findings.dedup();
    // After sorting: what one program does for several hosts is joined at its first place.
    report.findings = finding::by_program(report.findings);
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
            self.folder(&Project::around(Some(path))?, hosts, &OTHERS);
            return Ok(());
        }
        let project = Project::around(path.parent())?;
        // The extension decides: a recording is the only file of ours with lines of JSON.
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            self.files += 1;
            self.findings.extend(answers::check(path, &project, hosts)?);
            return Ok(());
        }
        if own_settings::is_ours(path) {
            self.own(&own_settings::look_at(path), &project);
            return Ok(());
        }
        let target = targets::of_file(path, &project, hosts);
        self.file(&target, &project);
        Ok(())
    }

    /// A whole project: every file of these that a host reads for it, and files that look as if.
    fn folder(&mut self, project: &Project, hosts: &[Product], scopes: &[Scope]) {
        for target in targets::of_project(project, hosts, scopes) {
            self.file(&target, project);
        }
        self.findings.extend(files::switches(project, hosts, scopes));
        self.own(&own_settings::look(project), project);
        self.findings.extend(files::strays(project));
        self.findings.extend(files::workflows(project));
        self.findings.extend(files::agents(project, hosts));
        self.findings.extend(files::twice(project, hosts));
        self.findings.extend(files::audit_late(project, hosts));
        self.findings.extend(files::overridden(project, hosts));
    }

    fn own(&mut self, looked: &Looked, project: &Project) {
        self.files += looked.files.len();
        self.findings.extend(own::findings(looked, project));
    }

    fn file(&mut self, target: &targets::Target, project: &Project) {
        self.files += 1;
        self.findings.extend(targets::read(target, project));
    }
}
