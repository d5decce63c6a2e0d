//! Which hosts read which file, and what each makes of it.

use std::path::{Path, PathBuf};

use host::place::{self, Scope};
use host::read::Source;
use host::record::Nesting;
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

/// The hosts that are looked at without `--host`: those that run here.
fn wanted(hosts: &[Product], product: Product) -> bool {
    if hosts.is_empty() { product.is_here() } else { hosts.contains(&product) }
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
        target.readers.sort_by_key(|(product, format, _)| product.is_guest(*format));
    }
    targets
}

/// The hosts that read one file, by its name, or else by what stands in it.
pub(crate) fn of_file(path: &Path, project: &Project, hosts: &[Product]) -> Target {
    let known = named(path);
    // A name that says nothing, as that of a copy: what stands in the file has to tell.
    let known = if known.is_empty() { guessed(path) } else { known };
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

/// By the name of a file: those whose mark stands closest to its end. It decides the format as well: settings of a host
/// that has no other files, hooks otherwise.
fn named(path: &Path) -> Vec<(Product, host::Format)> {
    let name = path.to_string_lossy().replace('\\', "/");
    let at = |product: &Product| {
        let fitting = product.marks.iter().filter(|(_, end)| name.ends_with(end));
        fitting.filter_map(|(mark, _)| Some((name.rfind(mark)?, *mark))).max()
    };
    let found: Vec<(Product, (usize, &str))> =
        Product::ALL.into_iter().filter_map(|product| Some((product, at(&product)?))).collect();
    let Some(last) = found.iter().map(|(_, mark)| *mark).max() else { return Vec::new() };
    let hooks = last.1.contains("hooks");
    let of = |product: Product| if hooks { host::Format::Hooks } else { own_format(product) };
    let closest = found.into_iter().filter(|(_, mark)| *mark == last);
    closest.map(|(product, _)| (product, of(product))).collect()
}

/// What the files are that `init` writes for a host.
fn own_format(product: Product) -> host::Format {
    product.place(Scope::Project).map_or(host::Format::Hooks, |place| place.format)
}

/// By what stands in a file.
fn guessed(path: &Path) -> Vec<(Product, host::Format)> {
    let text = text(path).unwrap_or_default();
    let has = |word: &str| text.contains(&format!("\"{word}\""));
    let here = |nesting| {
        // Files of the others are known by their names.
        let usual = |product: &Product| product.is_here() && !product.host.is_late();
        Product::ALL.into_iter().filter(move |product| usual(product) && product.nesting.value == nesting)
    };
    let only = |product: &Product, event: &str| {
        Product::ALL.into_iter().all(|other| other == *product || !other.events.contains(&event))
    };
    let own = |product: &Product| product.events.iter().any(|event| only(product, event) && has(event));
    let flat = ["bash", "powershell", "timeoutSec", "version"].iter().any(|key| has(key));
    let nested = text.matches("\"hooks\"").count() > 1;
    // Claude's form is the one that others took over.
    let first = || here(Nesting::Groups).next().filter(|_| nested && !flat);
    match here(Nesting::Groups).find(own).or_else(first) {
        Some(product) => vec![(product, own_format(product))],
        None => here(Nesting::Either).map(|product| (product, own_format(product))).collect(),
    }
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
    let Some((first, format, policy)) = target.readers.first().copied() else { return Vec::new() };
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
        let guest = product != first && product.is_guest(format);
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
