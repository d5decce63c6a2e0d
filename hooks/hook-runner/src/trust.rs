//! Whose hooks may run: no command of ours runs code of a repository that the user has not trusted.
//!
//! Trust is given to exact hooks (command, folder, variables) of one project, and is kept in the user's own folder. A hook
//! that changes has to be trusted again. What a trusted script does is the script's affair, as it is with every host.

use std::path::{Path, PathBuf};

use host::Hook;
use host::installed::trusted::{Drift, drift, given, identity, untrusted};
use store::trust::{Look, terminal};

use crate::Done;
use crate::command_line::TrustOptions;
use crate::fault::{Exit, Fault};
use crate::paint::{Screen, one_line};
use crate::project::Project;

/// The home folder, in which trust is kept.
pub(crate) fn home() -> Result<PathBuf, Fault> {
    std::env::home_dir().ok_or_else(|| Fault::usage("No home folder is known.", "Set HOME."))
}

/// Whether a hook may run without asking.
pub(crate) fn may_run(hook: &Hook, project: &Project) -> bool {
    // Without a home nothing can have been trusted.
    home().is_ok_and(|home| untrusted(std::slice::from_ref(hook), &project.root, &given(&home)).is_empty())
}

/// Whether trust can be remembered.
///
/// # Errors
///
/// Why it cannot.
pub(crate) fn folder_is_writable() -> Result<(), String> {
    let path = store::trust::file(&home().map_err(|_| "no home folder is known")?);
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
    // `--trust` is for scripts, whose author knows what runs.
    if trusted {
        return Ok(());
    }
    let given = given(&home()?);
    let unknown = untrusted(hooks, &project.root, &given);
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
    // Hosts that read the same files list the same hooks.
    lines.sort();
    lines.dedup();
    lines.join("\n")
}

/// How the project differs from what was trusted, by a close look.
pub(crate) fn differs(project: &Project) -> Option<Drift> {
    drift(&home().ok()?, &project.root, Look::Close).filter(|drift| !drift.is_empty())
}

/// `hook-runner trust`.
pub(crate) fn task(options: &TrustOptions, screen: &Screen) -> Done {
    let project = Project::around(options.path.as_deref())?;
    let home = home()?;
    let record = store::trust::file(&home);
    let mut given = store::trust::Trust::read(&record)?;
    // What an agent runs must not be what trusts it, or forgets what was trusted, whatever it says.
    let person = terminal::person()?;
    if options.revoke {
        let had = given.remove_project(&project.root);
        given.write(&record)?;
        let text = if had { "No hook of this project is trusted now." } else { "None was trusted." };
        screen.say(&format!("{text}\n"))?;
        return Ok(Exit::Fine);
    }
    // Of all hosts: files are shared, and whoever trusts them does so for each that reads them.
    let hooks: Vec<Hook> =
        host::Product::ALL.into_iter().flat_map(|product| project.load(product).hooks()).collect();
    let unknown = untrusted(&hooks, &project.root, &given);
    let files = host::installed::watched::files(&project.root);
    if files.is_empty() {
        screen.say("Nothing to trust: this project has no hooks and no policy.\n")?;
        return Ok(Exit::Fine);
    }
    if !unknown.is_empty() {
        screen.remark(&format!("Hooks that would run:\n{}\n", list(&unknown, &project)));
    }
    let paths: Vec<String> =
        files.iter().map(|path| format!("  {}", one_line(&project.short(path)))).collect();
    screen.remark(&format!("Files to be kept as they are now:\n{}\n", paths.join("\n")));
    let agreed = options.yes || person.agrees("Trust all of this?").unwrap_or(false);
    if !agreed {
        return Err(Fault::usage("Nothing was trusted.", "Answer yes, or add --yes."));
    }
    let mut identities: Vec<String> = hooks
        .iter()
        .filter(|hook| {
            unknown.contains(hook)
                // What was trusted and is still there stays trusted; what is gone is dropped from the record.
                || given.hooks(&project.root).is_some_and(|known| known.contains(&identity(hook)))
        })
        .map(identity)
        .collect();
    identities.sort();
    identities.dedup();
    given.add_project(&project.root, identities, &files)?;
    given.write(&record)?;
    screen.say("They are trusted now. A hook that changes must be trusted again, and changes to the files are reported.\n")?;
    Ok(Exit::Fine)
}
