//! The hooks of projects that a person let run, as `hook-runner trust` keeps them.
//!
//! Trust is given to exact hooks (command, folder, variables) of one project. A hook that changes is not trusted any more.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use host::load::load;
use host::place::{Folders, Scope};
use host::{Action, Hook, Product, System};
use serde::{Deserialize, Serialize};

use crate::is_ours;

/// The trust that was given: projects, and the hooks of each.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Given {
    /// The form of the file.
    pub version: u32,
    /// For each project's root what its trusted hooks run.
    pub projects: BTreeMap<PathBuf, Vec<String>>,
}

/// Where trust is kept: `$XDG_STATE_HOME/policy-hooks/trust.json`, or the same below `~/.local/state`.
pub fn file() -> Option<PathBuf> {
    let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let state = state.or_else(|| Some(std::env::home_dir()?.join(".local/state")))?;
    Some(state.join("policy-hooks/trust.json"))
}

/// What was given so far.
pub fn given() -> Given {
    // A file that cannot be read gives no trust.
    file()
        .and_then(|path| fs::read_to_string(path).ok())
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default()
}

/// What a hook runs, with all that changes what it runs.
pub fn identity(hook: &Hook) -> String {
    let action = match &hook.action {
        Action::Shell(command) => format!("sh: {command}"),
        Action::NamedShell(shell, command) => format!("{shell}: {command}"),
        Action::Program(program, arguments) => format!("exec: {}", serde_json::json!([program, arguments])),
        Action::Elsewhere(_) | Action::Unstartable(_) => String::new(),
    };
    let mut identity = action;
    if let Some(folder) = &hook.folder {
        let _ = write!(identity, " in {}", serde_json::json!(folder));
    }
    if !hook.env.is_empty() {
        let _ = write!(identity, " with {}", serde_json::json!(hook.env));
    }
    identity
}

/// Whether a hook runs code that a repository brought along.
fn is_foreign(hook: &Hook, project: &Path) -> bool {
    if hook.origin.scope != Scope::Project {
        return false;
    }
    match &hook.action {
        Action::Elsewhere(_) | Action::Unstartable(_) => false,
        Action::Shell(command) => !hook.env.is_empty() || hook.folder.is_some() || !is_ours(command, project),
        Action::NamedShell(..) | Action::Program(..) => true,
    }
}

/// The hooks that nobody said are fine.
pub fn untrusted<'a>(hooks: &'a [Hook], project: &Path, given: &Given) -> Vec<&'a Hook> {
    let known = given.projects.get(project);
    hooks
        .iter()
        .filter(|hook| is_foreign(hook, project))
        .filter(|hook| !known.is_some_and(|known| known.contains(&identity(hook))))
        .collect()
}

/// How the hooks of a project differ from what was trusted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drift {
    /// Files with hooks that nobody trusted, each once.
    pub unknown: Vec<PathBuf>,
    /// How many trusted hooks are there no more, or run something else.
    pub gone: usize,
}

/// How the hooks of the project at `root` differ from what was trusted; `None` where nothing was.
pub fn drift(root: &Path) -> Option<Drift> {
    let given = given();
    let root = root.canonicalize().ok()?;
    let known = given.projects.get(&root)?;
    let folders = Folders::here(&root);
    let hooks: Vec<Hook> =
        Product::ALL.into_iter().flat_map(|product| load(product, &folders, System::HERE).hooks()).collect();
    let mut unknown: Vec<PathBuf> =
        untrusted(&hooks, &root, &given).iter().map(|hook| hook.origin.file.clone()).collect();
    unknown.sort();
    unknown.dedup();
    let gone = known.iter().filter(|known| !hooks.iter().any(|hook| identity(hook) == **known)).count();
    Some(Drift { unknown, gone })
}
