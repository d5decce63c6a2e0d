//! Whose hooks may run: no command of ours runs code of a repository that the user has not trusted.
//!
//! Trust is given to exact hooks (command, folder, variables) of one project, and is kept in the user's own folder. A hook
//! that changes has to be trusted again. What a trusted script does is the script's affair, as it is with every host.

use std::fs;
use std::path::Path;

use host::Hook;
use ours::trusted::{Given, file, given, identity, untrusted};

use crate::Done;
use crate::command_line::TrustOptions;
use crate::fault::{Exit, Fault};
use crate::paint::{Screen, one_line};
use crate::project::Project;

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
