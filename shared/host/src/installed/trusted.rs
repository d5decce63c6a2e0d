//! The hooks of projects that a person let run, as `hook-runner trust` keeps them.
//!
//! Trust is given to exact hooks (command, folder, variables) of one project. A hook that changes is not trusted any more.
//! The record is that of [`store::trust`], which also knows how the files around them were.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::load::load;
use crate::place::{Folders, Scope};
use crate::{Action, Hook, Product, System};
use store::trust::{Look, Trust};

use crate::installed::is_ours;

/// What the user with this home trusts. A record that cannot be read gives no trust.
pub fn given(home: &Path) -> Trust {
    Trust::read(&store::trust::file(home)).unwrap_or_default()
}

/// What a hook runs, with all that changes what it runs.
pub fn identity(hook: &Hook) -> String {
    let action = match &hook.action {
        Action::Shell(command) => format!("sh: {command}"),
        Action::NamedShell(shell, command) => format!("{shell}: {command}"),
        // As JSON, so that `["a b"]` and `["a", "b"]` are two things.
        Action::Program(program, arguments) => format!("exec: {}", serde_json::json!([program, arguments])),
        // Neither starts a program, so no one is asked to trust them.
        Action::Elsewhere(_) | Action::Unstartable(_) => String::new(),
    };
    let mut identity = action;
    if let Some(folder) = &hook.folder {
        // Writing into a string cannot fail.
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
        // A variable such as `LD_PRELOAD`, or another folder, makes even our own program do something else.
        // Without a shell, a bare name may be looked for in the project first.
        Action::Program(name, _) if !name.contains(['/', '\\']) => true,
        Action::Shell(_) | Action::Program(..) => {
            !hook.env.is_empty() || hook.folder.is_some() || !is_ours(&hook.action.describe(), project)
        }
        Action::NamedShell(..) => true,
    }
}

/// The hooks that no one said are fine.
pub fn untrusted<'a>(hooks: &'a [Hook], project: &Path, given: &Trust) -> Vec<&'a Hook> {
    let known = given.hooks(project);
    hooks
        .iter()
        .filter(|hook| is_foreign(hook, project))
        .filter(|hook| !known.is_some_and(|known| known.contains(&identity(hook))))
        .collect()
}

/// How a project differs from what was trusted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drift {
    /// Files with hooks that no one trusted, each once.
    pub unknown: Vec<PathBuf>,
    /// How many trusted hooks are there no more, or run something else.
    pub hooks_gone: usize,
    /// Configurations, policies and programs that were changed or are gone.
    pub files: store::trust::Drift,
}

impl Drift {
    /// Whether everything is as it was.
    pub fn is_empty(&self) -> bool {
        self.unknown.is_empty() && self.hooks_gone == 0 && self.files.is_empty()
    }
}

/// How the project at `root` differs from what the user with this home trusted; `None` where nothing was.
pub fn drift(home: &Path, root: &Path, look: Look) -> Option<Drift> {
    let given = given(home);
    let root = root.canonicalize().ok()?;
    let known = given.hooks(&root)?;
    let folders = Folders::here(&root);
    let hooks: Vec<Hook> =
        // Of every host: trust is about the project, whoever reads the file.
        Product::ALL.into_iter().flat_map(|product| load(product, &folders, System::HERE).hooks()).collect();
    let mut unknown: Vec<PathBuf> =
        untrusted(&hooks, &root, &given).iter().map(|hook| hook.origin.file.clone()).collect();
    unknown.sort();
    unknown.dedup();
    let hooks_gone = known.iter().filter(|known| !hooks.iter().any(|hook| identity(hook) == **known)).count();
    Some(Drift { unknown, hooks_gone, files: given.drift(&root, look).unwrap_or_default() })
}
