//! Completions and manual pages of every program.

use std::process::Command;

use clap_complete::Shell;
use program::Program;

use crate::archive::Entry;
use crate::metadata::Metadata;
use crate::programs::run;
use crate::{ReleaseError, read};

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
        for shell in SHELLS {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut program::command(hook), hook.name, &mut text);
            entries.push(Entry::new(completion(shell, hook.name), text));
        }
        let mut command = program::command(hook);
        command.build();
        entries.push(Entry::new(format!("man/man1/{}.1", hook.name), page(&command)?));
        for task in command.get_subcommands().filter(|task| task.get_name() != "help" && !task.is_hide_set())
        {
            entries.push(Entry::new(format!("man/man1/{}-{}.1", hook.name, task.get_name()), page(task)?));
        }
    }
    entries.extend(runner(metadata)?);
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

/// Those of the runner, which prints them itself. It is built for this machine.
fn runner(metadata: &Metadata) -> Result<Vec<Entry>, ReleaseError> {
    let mut entries = Vec::new();
    let folder = metadata.target_folder.join("release-pages");
    let runner = |words: &[&str]| {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["run", "--locked", "--quiet", "--package", "hook-runner", "--"]).args(words);
        run(cargo.current_dir(&metadata.root), "install Rust with rustup: https://rustup.rs")
    };
    for shell in SHELLS {
        entries.push(Entry::new(
            completion(shell, "hook-runner"),
            runner(&["completions", &shell.to_string()])?,
        ));
    }
    // Pages of commands that no longer exist would stay.
    let _ = std::fs::remove_dir_all(&folder);
    runner(&["man", &folder.display().to_string()])?;
    for file in std::fs::read_dir(&folder).map_err(|error| ReleaseError::file(&folder, error))?.flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        entries.push(Entry::new(format!("man/man1/{name}"), read(&file.path())?));
    }
    Ok(entries)
}
