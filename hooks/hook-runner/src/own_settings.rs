//! Our own settings and policy files, in every place that a hook reads: what is wrong with them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use policy::layers::{self, Places, Source};
use policy::{PolicyError, cli};
use serde_json::{Value, json};
use store::settings::context::Context;
use store::settings::format::Format;
use store::settings::stop::Stop;
use store::settings::{Document, Layer, Mistake};

use crate::paint::{Tone, one_line, paint};
use crate::project::Project;

/// What was found in our files.
#[derive(Debug, Default)]
pub(crate) struct Looked {
    /// The files that are there.
    pub(crate) files: Vec<PathBuf>,
    /// What is wrong with them.
    pub(crate) mistakes: Vec<Mistake>,
    /// What counts in policies, and probably not as it is meant.
    pub(crate) doubts: Vec<Mistake>,
}

/// Reads a file as one kind of settings: its mistakes, or `None` when there is none.
type Reader = fn(&Path, Layer) -> Option<Vec<Mistake>>;

/// Our settings files: the name in the folders of the machine and the user, the place in a project, and who reads it.
const KINDS: [(&str, Option<&str>, Reader); 3] = [
    (store::settings::stop::NAME, Some(store::settings::stop::PROJECT_FILE), read::<Stop>),
    (store::settings::context::NAME, Some(store::settings::context::PROJECT_FILE), read::<Context>),
    (store::settings::format::NAME, None, read::<Format>),
];

/// The name of audit-logger's settings, which lie in places of their own.
const AUDIT: &str = "audit.toml";

/// The name of a policy.
const POLICY: &str = "policy.toml";

fn read<T: Document>(path: &Path, layer: Layer) -> Option<Vec<Mistake>> {
    let said = store::settings::read::<T>(path, layer);
    said.document.map(|_| said.mistakes)
}

/// Whether a file is one of ours, by its name.
pub(crate) fn is_ours(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    let in_policies = path.parent().is_some_and(|folder| folder.ends_with("policy.d"));
    name == AUDIT
        || name == POLICY
        || KINDS.iter().any(|(known, ..)| name == *known)
        || (in_policies && path.extension().is_some_and(|extension| extension == "toml"))
}

/// Every place for a project: the machine's, the user's and its own.
pub(crate) fn look(project: &Project) -> Looked {
    let mut looked = Looked::default();
    let home = project.folders.home.as_path();
    for (name, in_project, reader) in KINDS {
        looked.add(store::settings::system(name), Layer::Machine, reader);
        looked.add(store::settings::user(home, name), Layer::User, reader);
        if let Some(place) = in_project {
            looked.add(project.root.join(place), Layer::Project, reader);
        }
    }
    for (path, layer) in audit::settings_places(Some(&project.root)) {
        looked.add(path, layer, audit::settings_mistakes);
    }
    let home = home.to_str();
    let sources = layers::find(&Places::here(home), home, project.root.to_str());
    // An exception of one file may be for a rule of another.
    let ids: Vec<String> = sources
        .iter()
        .flat_map(|source| policy::read(&source.text, layers::today()).0.rules)
        .map(|rule| rule.id.into_owned())
        .collect();
    for source in &sources {
        looked.add_policy(source, &ids);
    }
    looked
}

/// One file that a person named.
pub(crate) fn look_at(path: &Path) -> Looked {
    let mut looked = Looked::default();
    let name = path.file_name().unwrap_or_default();
    let kind = KINDS.iter().find(|(known, ..)| name == *known).map(|(.., reader)| *reader);
    match kind.or((name == AUDIT).then_some(audit::settings_mistakes as Reader)) {
        // As a project's: no owner is asked for, as nothing tells where the file will lie.
        Some(reader) => looked.add(path.to_owned(), Layer::Project, reader),
        None => {
            if let Some(source) = layers::load(policy::Layer::User, path) {
                // As a user's: it may hold everything that a policy can, and no owner is asked for.
                looked.add_policy(&source, &[]);
            }
        }
    }
    looked
}

impl Looked {
    fn add(&mut self, path: PathBuf, layer: Layer, reader: Reader) {
        if let Some(mistakes) = reader(&path, layer) {
            self.mistakes.extend(mistakes);
            self.files.push(path);
        }
    }

    fn add_policy(&mut self, source: &Source, ids: &[String]) {
        let mistake = |at, what: String, hint: String| Mistake { path: source.path.clone(), at, what, hint };
        if let Some(problem) = &source.fault {
            self.mistakes.push(mistake(None, problem.to_string(), problem.hint()));
        } else {
            let checked = cli::check(source, ids, layers::today(), -1);
            let told = |error: PolicyError| {
                let at = (error.line as usize, error.column as usize);
                mistake(Some(at), error.problem.to_string(), error.problem.hint())
            };
            self.mistakes.extend(checked.errors.into_iter().map(told));
            self.doubts.extend(checked.warnings.into_iter().map(told));
        }
        self.files.push(source.path.clone());
    }

    /// For people.
    pub(crate) fn human(&self, project: &Project) -> String {
        if self.mistakes.is_empty() {
            return String::new();
        }
        let mut text = format!(
            "\n{} (each counts at its strictest until it is fixed)\n",
            paint(Tone::Bad, "settings and policies with mistakes")
        );
        for mistake in &self.mistakes {
            let place = mistake.at.map_or(String::new(), |(line, column)| format!(":{line}:{column}"));
            let file = paint(Tone::Name, one_line(&project.short(&mistake.path)) + &place);
            let _ = writeln!(text, "  {file}  {}", one_line(&mistake.what));
            let _ = writeln!(text, "    {} {}", paint(Tone::Quiet, "help:"), one_line(&mistake.hint));
        }
        text
    }

    /// For machines.
    pub(crate) fn json(&self, project: &Project) -> Vec<Value> {
        let one = |mistake: &Mistake| {
            json!({
                "file": project.short(&mistake.path),
                "line": mistake.at.map(|(line, _)| line),
                "column": mistake.at.map(|(_, column)| column),
                "message": mistake.what,
                "help": mistake.hint,
            })
        };
        self.mistakes.iter().map(one).collect()
    }
}
