//! The environment and the command line with which each host starts a hook.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use payload::EventKind;

use crate::hook::{Action, Hook};
use crate::process::Spec;
use crate::record::{Product, Quirk, Variable};
use crate::request::Request;

/// Variables by which hooks tell hosts apart: those of another host must not be inherited from the agent that runs us.
fn marks() -> impl Iterator<Item = &'static str> {
    let all = Product::ALL.into_iter().flat_map(|product| product.variables);
    all.filter(|(_, value)| *value != Variable::Version).map(|(name, _)| *name)
}

/// How a host starts a hook; `None` when there is nothing to start.
///
/// The working folder is the entry's `cwd`, or the project's root; Claude Code and Codex use the session's folder.
pub fn spec(product: Product, hook: &Hook, request: &Request, project: &Path) -> Option<Spec> {
    let (program, arguments) = command_line(product, &hook.action)?;
    // A payload that a person gives need not name a folder.
    let session_folder = product.has(Quirk::RunsInSessionFolder) && !request.cwd.is_empty();
    let base = if session_folder { PathBuf::from(&request.cwd) } else { project.to_owned() };
    let folder = match &hook.folder {
        Some(folder) => match folder.strip_prefix("~/") {
            Some(rest) if product.has(Quirk::ExpandsTilde) => {
                std::env::home_dir().unwrap_or_default().join(rest)
            }
            // `join` keeps a folder that is absolute already.
            _ => project.join(folder),
        },
        None => base,
    };
    Some(Spec {
        program,
        arguments,
        folder,
        unset: marks().map(str::to_owned).collect(),
        env: variables(product, hook, request, project),
        limit: hook.limit,
        patience: product.patience.value,
    })
}

fn command_line(product: Product, action: &Action) -> Option<(OsString, Vec<OsString>)> {
    let shell = |start: &[&str], command: &str| {
        let mut words = start.iter().map(|word| match *word {
            // A service or a container may have none.
            "$SHELL" => std::env::var_os("SHELL").unwrap_or_else(|| "/bin/sh".into()),
            word => word.into(),
        });
        let program = words.next()?;
        Some((program, words.chain([command.into()]).collect()))
    };
    match action {
        // PowerShell makes 1 of every exit code but 0, unless the command ends in `; exit $LASTEXITCODE`.
        Action::Shell(command) if cfg!(windows) && !product.has(Quirk::SameShellOnWindows) => {
            shell(&["powershell.exe", "-NoProfile", "-NoLogo", "-Command"], command)
        }
        Action::Shell(command) => shell(product.shell.value, command),
        Action::NamedShell(name, command) if name == "powershell" => {
            // `powershell` is on Windows alone; elsewhere PowerShell is called `pwsh`.
            shell(&["pwsh", "-NoProfile", "-Command"], command)
        }
        Action::NamedShell(_, command) => shell(&["bash", "-c"], command),
        Action::Program(program, arguments) => {
            Some((program.into(), arguments.iter().map(Into::into).collect()))
        }
        Action::Elsewhere(_) | Action::Unstartable(_) => None,
    }
}

/// The variables that a host sets, and those of the entry on top.
fn variables(product: Product, hook: &Hook, request: &Request, project: &Path) -> Vec<(String, OsString)> {
    let value = |variable: Variable| -> Option<OsString> {
        Some(match variable {
            Variable::Text(text) => text.into(),
            Variable::AtSessionStart(text) if request.kind == EventKind::SessionStart => text.into(),
            Variable::AtSessionStart(_) => return None,
            Variable::Project => project.into(),
            Variable::HookFolder => hook.origin.file.parent()?.into(),
            Variable::Session => request.session.clone().into(),
            Variable::Cwd => request.cwd.clone().into(),
            Variable::Version => product.version.into(),
        })
    };
    let own = product.variables.iter().filter_map(|(name, of)| Some(((*name).to_owned(), value(*of)?)));
    // Of two variables with one name the later counts.
    own.chain(hook.env.iter().map(|(name, value)| (name.clone(), value.into()))).collect()
}
