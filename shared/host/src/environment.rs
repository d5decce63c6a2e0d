//! The environment and the command line with which each host starts a hook.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use payload::EventKind;

use crate::hook::{Action, Hook};
use crate::process::Spec;
use crate::product::Product;
use crate::request::Request;

/// Variables by which hooks tell hosts apart: those of another host must not be inherited from the agent that runs us.
const MARKS: &[&str] = &[
    "CLAUDECODE",
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_ENV_FILE",
    "COPILOT_CLI",
    "COPILOT_PROJECT_DIR",
    "COPILOT_HOOK_DIR",
    "GEMINI_PROJECT_DIR",
    "GEMINI_SESSION_ID",
    "GEMINI_CWD",
];

/// How a host starts a hook; `None` when there is nothing to start.
///
/// The working folder is the entry's `cwd`, or the project's root; Claude Code and Codex use the session's folder.
pub fn spec(product: Product, hook: &Hook, request: &Request, project: &Path) -> Option<Spec> {
    let (program, arguments) = command_line(product, &hook.action)?;
    let session_folder = matches!(product, Product::Claude | Product::Codex) && !request.cwd.is_empty();
    let base = if session_folder { PathBuf::from(&request.cwd) } else { project.to_owned() };
    let folder = match &hook.folder {
        Some(folder) => match folder.strip_prefix("~/") {
            Some(rest) if product == Product::VsCode => std::env::home_dir().unwrap_or_default().join(rest),
            _ => project.join(folder),
        },
        None => base,
    };
    Some(Spec {
        program,
        arguments,
        folder,
        unset: MARKS.iter().map(|name| (*name).to_owned()).collect(),
        env: variables(product, hook, request, project),
        limit: hook.limit,
        patience: product.facts().patience.value,
    })
}

fn command_line(product: Product, action: &Action) -> Option<(OsString, Vec<OsString>)> {
    let shell = |start: &[&str], command: &str| {
        let mut words = start.iter().map(|word| match *word {
            "$SHELL" => std::env::var_os("SHELL").unwrap_or_else(|| "/bin/sh".into()),
            word => word.into(),
        });
        let program = words.next()?;
        Some((program, words.chain([command.into()]).collect()))
    };
    match action {
        // PowerShell makes 1 of every exit code but 0, unless the command ends in `; exit $LASTEXITCODE`.
        Action::Shell(command) if cfg!(windows) && product != Product::Claude => {
            shell(&["powershell.exe", "-NoProfile", "-NoLogo", "-Command"], command)
        }
        Action::Shell(command) => shell(product.facts().shell.value, command),
        Action::NamedShell(name, command) if name == "powershell" => {
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
    let mut variables: Vec<(String, OsString)> = Vec::new();
    let mut set = |name: &str, value: OsString| variables.push((name.to_owned(), value));
    let project: OsString = project.into();
    match product {
        Product::VsCode | Product::Codex => {}
        Product::CopilotCli | Product::CopilotCloud => {
            set("COPILOT_CLI", "1".into());
            set("COPILOT_PROJECT_DIR", project.clone());
            set("CLAUDE_PROJECT_DIR", project);
            set("COPILOT_CLI_BINARY_VERSION", product.facts().version.into());
            if let Some(folder) = hook.origin.file.parent() {
                set("COPILOT_HOOK_DIR", folder.into());
            }
        }
        Product::Claude => {
            set("CLAUDECODE", "1".into());
            set("CLAUDE_PROJECT_DIR", project);
            set("CLAUDE_CODE_SESSION_ID", request.session.clone().into());
            set("CLAUDE_CODE_ENTRYPOINT", "cli".into());
            if request.kind == EventKind::SessionStart {
                set("CLAUDE_ENV_FILE", "/dev/null".into());
            }
        }
        Product::Gemini => {
            set("GEMINI_PROJECT_DIR", project.clone());
            set("CLAUDE_PROJECT_DIR", project);
            set("GEMINI_SESSION_ID", request.session.clone().into());
            set("GEMINI_CWD", request.cwd.clone().into());
        }
    }
    variables.extend(hook.env.iter().map(|(name, value)| (name.clone(), value.into())));
    variables
}
