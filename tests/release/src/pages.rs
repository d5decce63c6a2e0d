//! Completions and manual pages of every program.

use clap_complete::Shell;
use program::Program;

use crate::ReleaseError;
use crate::archive::Entry;
use crate::metadata::Metadata;
use crate::runner::{run_runner, written_by_runner};

const HOOKS: [&Program; 6] = [
    &approval_gate::PROGRAM,
    &audit_logger::PROGRAM,
    &command_blocker::PROGRAM,
    &context_injector::PROGRAM,
    &formatter_trigger::PROGRAM,
    &stop_guard::PROGRAM,
];

const SHELLS: [Shell; 5] = [Shell::Bash, Shell::Elvish, Shell::Fish, Shell::PowerShell, Shell::Zsh];

/// All of them.
pub(crate) fn pages(metadata: &Metadata) -> Result<Vec<Entry>, ReleaseError> {
    let mut entries = Vec::new();
    for hook in HOOKS {
        entries.extend(of_hook(hook)?);
    }
    entries.extend(runner(metadata)?);
    Ok(entries)
}

fn of_hook(hook: &'static Program) -> Result<Vec<Entry>, ReleaseError> {
    let mut entries = Vec::new();
    for shell in SHELLS {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut program::command(hook), hook.name, &mut text);
        entries.push(Entry::new(completion(shell, hook.name), text));
    }
    let mut command = program::command(hook);
    command.build();
    entries.push(Entry::new(format!("man/man1/{}.1", hook.name), page(&command)?));
    for task in command.get_subcommands().filter(|task| task.get_name() != "help" && !task.is_hide_set()) {
        entries.push(Entry::new(format!("man/man1/{}-{}.1", hook.name, task.get_name()), page(task)?));
    }
    Ok(entries)
}

/// Where a shell's completions lie, by the name that the shell looks for.
fn completion(shell: Shell, program: &str) -> String {
    let name = match shell {
        Shell::Zsh => format!("_{program}"),
        Shell::Bash => program.to_owned(),
        Shell::Fish => format!("{program}.fish"),
        Shell::Elvish => format!("{program}.elv"),
        _ => format!("_{program}.ps1"),
    };
    format!("completions/{shell}/{name}")
}

fn page(command: &clap::Command) -> Result<Vec<u8>, ReleaseError> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone())
        .date("")
        .render(&mut text)
        .map_err(|error| ReleaseError::Form { what: "a manual page", why: error.to_string() })?;
    Ok(text)
}

/// Those of the runner, which prints them itself.
fn runner(metadata: &Metadata) -> Result<Vec<Entry>, ReleaseError> {
    let mut entries = Vec::new();
    for shell in SHELLS {
        let text = run_runner(metadata, &["completions", &shell.to_string()])?;
        entries.push(Entry::new(completion(shell, "hook-runner"), text));
    }
    let pages = written_by_runner(metadata, &["man"])?;
    entries.extend(pages.into_iter().map(|page| Entry { path: format!("man/man1/{}", page.path), ..page }));
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The runner's own are tested with it: it prints them itself.
    #[test]
    fn every_hook_has_completions_for_every_shell_and_a_page_for_every_command() {
        for hook in HOOKS {
            let entries = of_hook(hook).unwrap();
            let text = |path: &str| -> String {
                let entry =
                    entries.iter().find(|entry| entry.path == path).unwrap_or_else(|| panic!("no {path}"));
                String::from_utf8(entry.bytes.clone()).unwrap()
            };
            let command = program::command(hook);
            for shell in SHELLS {
                let words = text(&completion(shell, hook.name));
                for option in command.get_arguments().filter_map(clap::Arg::get_long) {
                    assert!(words.contains(option), "{} {shell}: no --{option}", hook.name);
                }
                for task in command.get_subcommands() {
                    assert!(words.contains(task.get_name()), "{} {shell}: no {}", hook.name, task.get_name());
                }
            }
            assert!(text(&format!("man/man1/{}.1", hook.name)).contains(".SH NAME"));
            // What only our own programs call is hidden, and has no page.
            for task in command.get_subcommands().filter(|task| !task.is_hide_set()) {
                text(&format!("man/man1/{}-{}.1", hook.name, task.get_name()));
            }
        }
    }
}
