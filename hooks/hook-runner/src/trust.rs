//! Whose hooks may run: no command of ours runs code of a repository that the user has not trusted.
//!
//! Trust is given to exact hooks (command, folder, variables) of one project, and is kept in the user's own folder. A hook
//! that changes has to be trusted again. What a trusted script does is the script's affair, as it is with every host.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use host::place::Scope;
use host::{Action, Hook};
use serde::{Deserialize, Serialize};

use crate::Done;
use crate::command_line::TrustOptions;
use crate::fault::{Exit, Fault};
use crate::ours;
use crate::paint::{Screen, one_line};
use crate::project::Project;

/// The trust that was given: projects, and the hooks of each.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Given {
    version: u32,
    projects: BTreeMap<PathBuf, Vec<String>>,
}

/// Where trust is kept: `$XDG_STATE_HOME/policy-hooks/trust.json`, or the same below `~/.local/state`.
fn file() -> Option<PathBuf> {
    let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let state = state.or_else(|| Some(std::env::home_dir()?.join(".local/state")))?;
    Some(state.join("policy-hooks/trust.json"))
}

fn given() -> Given {
    // A file that cannot be read gives no trust.
    file()
        .and_then(|path| fs::read_to_string(path).ok())
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default()
}

fn keep(given: &Given) -> Result<(), Fault> {
    let path = file().ok_or_else(|| Fault::usage("There is no home folder.", "Set HOME."))?;
    let text = serde_json::to_string_pretty(given).unwrap_or_default() + "\n";
    let write = || -> std::io::Result<()> {
        fs::create_dir_all(path.parent().unwrap_or(Path::new("/")))?;
        // First whole, then in place: a full disk must not take old trust with it.
        let beside = path.with_extension("new");
        fs::write(&beside, &text)?;
        fs::rename(&beside, &path)
    };
    write().map_err(|error| Fault::unwritable(&path, error))
}

/// What a hook runs, with all that changes what it runs.
fn identity(hook: &Hook) -> String {
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
        Action::Shell(command) => {
            !hook.env.is_empty() || hook.folder.is_some() || !ours::is_ours(command, project)
        }
        Action::NamedShell(..) | Action::Program(..) => true,
    }
}

/// The hooks that nobody said are fine.
fn untrusted<'a>(hooks: &'a [Hook], project: &Path, given: &Given) -> Vec<&'a Hook> {
    let known = given.projects.get(project);
    hooks
        .iter()
        .filter(|hook| is_foreign(hook, project))
        .filter(|hook| !known.is_some_and(|known| known.contains(&identity(hook))))
        .collect()
}

/// Whether a hook may run without asking.
pub(crate) fn may_run(hook: &Hook, project: &Project) -> bool {
    untrusted(std::slice::from_ref(hook), &project.root, &given()).is_empty()
}

/// Whether trust can be remembered.
///
/// # Errors
///
/// Why it cannot.
pub(crate) fn folder_is_writable() -> Result<(), String> {
    let path = file().ok_or("there is no home folder")?;
    let folder = path.parent().unwrap_or(Path::new("/"));
    // Nothing is made: the closest folder that is there has to allow it.
    let there = folder.ancestors().find(|folder| folder.exists()).unwrap_or(Path::new("/"));
    match there.metadata() {
        Ok(data) if data.permissions().readonly() => Err(format!("{} is read-only", there.display())),
        Ok(_) => Ok(()),
        Err(error) => Err(format!("{}: {error}", there.display())),
    }
}

/// Makes sure that the user wants these hooks to run; asks on a terminal.
///
/// # Errors
///
/// When the user does not.
pub(crate) fn require(
    hooks: &[Hook],
    project: &Project,
    trusted: bool,
    screen: &Screen,
) -> Result<(), Fault> {
    if trusted {
        return Ok(());
    }
    let unknown = untrusted(hooks, &project.root, &given());
    if unknown.is_empty() {
        return Ok(());
    }
    let list = list(&unknown, project);
    if Screen::can_ask() {
        screen.remark(&format!("These hooks of the project would run:\n{list}\n"));
        if screen.ask("Run them this once?") {
            return Ok(());
        }
    }
    Err(Fault::Untrusted { count: unknown.len(), list })
}

fn list(hooks: &[&Hook], project: &Project) -> String {
    let mut lines: Vec<String> = hooks
        .iter()
        .map(|hook| {
            let place = format!("{}:{}", project.short(&hook.origin.file), hook.origin.line);
            format!("  {place}  {}", one_line(&identity(hook)))
        })
        .collect();
    lines.sort();
    lines.dedup();
    lines.join("\n")
}

/// `hook-runner trust`.
pub(crate) fn task(options: &TrustOptions, screen: &Screen) -> Done {
    let project = Project::around(options.path.as_deref())?;
    let mut given = given();
    if options.revoke {
        let had = given.projects.remove(&project.root).is_some();
        keep(&given)?;
        let text = if had { "No hook of this project is trusted any more." } else { "None was trusted." };
        screen.say(&format!("{text}\n"))?;
        return Ok(Exit::Fine);
    }
    let hooks: Vec<Hook> =
        host::Product::ALL.into_iter().flat_map(|product| project.load(product).hooks()).collect();
    let unknown = untrusted(&hooks, &project.root, &given);
    if unknown.is_empty() {
        screen.say("There is nothing to trust: no hook of this project is unknown.\n")?;
        return Ok(Exit::Fine);
    }
    screen.remark(&format!("{}\n", list(&unknown, &project)));
    let agreed = options.yes || (Screen::can_ask() && screen.ask("Trust these hooks?"));
    if !agreed {
        return Err(Fault::usage("Nothing was trusted.", "Say yes, or add --yes."));
    }
    let identities: Vec<String> = unknown.iter().map(|hook| identity(hook)).collect();
    let kept = given.projects.entry(project.root.clone()).or_default();
    kept.extend(identities);
    kept.sort();
    kept.dedup();
    given.version = 1;
    keep(&given)?;
    screen.say("They are trusted now; a hook that changes has to be trusted again.\n")?;
    Ok(Exit::Fine)
}
