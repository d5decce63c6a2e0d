//! Which hosts read which file, and what each makes of it.

use std::path::{Path, PathBuf};

use host::place::{self, Scope};
use host::read::Source;
use host::tree::text;
use host::{Code, Hook, Problem, Product, Severity, System};

use super::finding::{Finding, Page, join};
use super::{files, matchers, programs};
use crate::project::Project;

/// A file and the hosts that read it.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) path: PathBuf,
    /// Who reads it, and how; the first one it is written for.
    pub(crate) readers: Vec<(Product, host::Format, Scope)>,
}

/// The hosts that are looked at without `--host`; the cloud agent reads what Copilot CLI reads.
fn wanted(hosts: &[Product], product: Product) -> bool {
    if hosts.is_empty() { product != Product::COPILOT_CLOUD } else { hosts.contains(&product) }
}

/// Every file of these that a host reads for a project.
pub(crate) fn of_project(project: &Project, hosts: &[Product], scopes: &[Scope]) -> Vec<Target> {
    let mut targets: Vec<Target> = Vec::new();
    for product in Product::ALL.into_iter().filter(|product| wanted(hosts, *product)) {
        for found in place::find(product.places, &project.folders) {
            if !scopes.contains(&found.place.scope) {
                continue;
            }
            let reader = (product, found.place.format, found.place.scope);
            match targets.iter_mut().find(|target| target.path == found.path) {
                Some(target) => target.readers.push(reader),
                None => targets.push(Target { path: found.path, readers: vec![reader] }),
            }
        }
    }
    for target in &mut targets {
        // Whose file it is comes first.
        target.readers.sort_by_key(|(product, ..)| *product != Product::CLAUDE);
    }
    targets
}

/// The hosts that read one file, by its name, or else by what stands in it.
pub(crate) fn of_file(path: &Path, project: &Project, hosts: &[Product]) -> Target {
    let name = path.to_string_lossy().replace('\\', "/");
    let ends = |end: &str| name.ends_with(end);
    let claude = ends("settings.json") || ends("settings.local.json");
    let known: Vec<(Product, host::Format)> = if ends(".codex/hooks.json") || name.contains("/codex/") {
        vec![(Product::CODEX, host::Format::Hooks)]
    } else if name.contains(".gemini/") || name.contains("/gemini") {
        vec![(Product::GEMINI, host::Format::Settings)]
    } else if name.contains(".github/copilot/") || name.contains(".copilot/settings") {
        vec![(Product::COPILOT_CLI, host::Format::Settings)]
    } else if name.contains(".github/hooks/") || name.contains(".copilot/hooks/") {
        vec![(Product::VS_CODE, host::Format::Hooks), (Product::COPILOT_CLI, host::Format::Hooks)]
    } else if claude && (name.contains("claude")) {
        vec![(Product::CLAUDE, host::Format::Settings)]
    } else {
        guessed(path)
    };
    let readers = if hosts.is_empty() {
        known.into_iter().map(|(product, format)| (product, format, scope(path, project))).collect()
    } else {
        let format = known.first().map_or(host::Format::Hooks, |(_, format)| *format);
        hosts.iter().map(|product| (*product, format, scope(path, project))).collect()
    };
    Target { path: path.to_owned(), readers }
}

fn scope(path: &Path, project: &Project) -> Scope {
    if path.starts_with(&project.root) { Scope::Project } else { Scope::User }
}

/// By what stands in a file.
fn guessed(path: &Path) -> Vec<(Product, host::Format)> {
    let text = text(path).unwrap_or_default();
    let has = |word: &str| text.contains(&format!("\"{word}\""));
    if has("BeforeTool") || has("AfterTool") || has("BeforeAgent") || has("AfterAgent") {
        return vec![(Product::GEMINI, host::Format::Settings)];
    }
    let flat = ["bash", "powershell", "timeoutSec", "version"].iter().any(|key| has(key));
    let nested = text.matches("\"hooks\"").count() > 1;
    if nested && !flat {
        return vec![(Product::CLAUDE, host::Format::Settings)];
    }
    vec![(Product::VS_CODE, host::Format::Hooks), (Product::COPILOT_CLI, host::Format::Hooks)]
}

/// What all its hosts make of a file.
fn read_all(target: &Target, text: &str) -> Vec<(Product, Vec<Hook>, Vec<Problem>)> {
    let one = |(product, format, scope): &(Product, host::Format, Scope)| {
        let source = Source { file: target.path.clone(), scope: *scope, format: *format, text };
        let reading = host::read(*product, &source, System::HERE);
        (*product, reading.hooks, reading.problems)
    };
    target.readers.iter().map(one).collect()
}

/// Everything that is wrong with a file.
pub(crate) fn read(target: &Target, project: &Project) -> Vec<Finding> {
    let mut page = Page { file: project.short(&target.path), path: target.path.clone(), text: "".into() };
    let Some((first, _, policy)) = target.readers.first().copied() else { return Vec::new() };
    let text = match text(&target.path) {
        Ok(text) => text,
        Err(why) => {
            let message = format!("The file cannot be read: {why}.");
            return vec![page.finding(Problem::new(
                Code::FileUnreadable,
                first,
                0..0,
                message,
                "Look at it.",
            ))];
        }
    };
    page.text = text.as_str().into();
    let mut findings = Vec::new();
    for (product, hooks, mut problems) in read_all(target, &text) {
        // A file that was written for one host, and that another reads as well.
        let guest = first == Product::CLAUDE && product != first;
        for problem in &mut problems {
            if guest {
                problem.severity = Severity::Note;
            } else if target.readers.len() == 1 {
                // No one else reads it here, so that nothing is for someone else.
                problem.severity = problem.severity.max(problem.code.severity());
            }
        }
        for hook in &hooks {
            let fitting = matchers::check(product, hook, &text);
            problems.extend(fitting.into_iter().filter(|_| !guest));
            problems.extend(programs::check(product, hook, project, &text));
        }
        findings.extend(problems.into_iter().map(|problem| page.finding(problem)));
    }
    findings.extend(files::permissions(&page, first, policy));
    join(findings)
}
