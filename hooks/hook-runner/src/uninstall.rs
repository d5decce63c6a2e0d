//! `uninstall`: our hooks out of every host, and what is left to delete.

use std::fmt::Write as _;

use host::Product;
use host::place::Scope;

use crate::Done;
use crate::beside;
use crate::command_line::{InitOptions, UninstallOptions};
use crate::fault::Exit;
use crate::init::init;
use crate::paint::{Screen, Tone, paint};
use crate::project::Project;

/// `hook-runner uninstall`.
pub(crate) fn uninstall(options: &UninstallOptions, screen: &Screen) -> Done {
    // An agent could take its own guard away otherwise.
    store::trust::terminal::person()?;
    if options.machine {
        let root = options.root.clone();
        let machine =
            InitOptions { machine: true, remove: true, yes: options.yes, root, ..InitOptions::default() };
        return init(&machine, screen);
    }
    let project = Project::around(options.project.as_deref())?;
    let everyone = Product::ALL.into_iter();
    let users = everyone.clone().filter(|product| product.place(Scope::User).is_some()).collect();
    screen.say(&format!("{}\n", paint(Tone::Strong, "Your own settings")))?;
    init(&removal(users, true, options), screen)?;
    screen.say(&format!(
        "\n{}\n",
        paint(Tone::Strong, format!("This project: {}", project.short(&project.root)))
    ))?;
    let projects = everyone.filter(|product| product.place(Scope::Project).is_some()).collect();
    init(&removal(projects, false, options), screen)?;
    screen.say(&left(&project))?;
    Ok(Exit::Fine)
}

fn removal(host: Vec<Product>, user: bool, options: &UninstallOptions) -> InitOptions {
    InitOptions {
        host,
        user,
        remove: true,
        yes: options.yes,
        project: options.project.clone(),
        ..InitOptions::default()
    }
}

/// Whether an administrator's files call our programs.
fn managed(project: &Project) -> bool {
    let mut files = Product::ALL.into_iter().flat_map(|product| project.load(product).files);
    files.any(|file| {
        let ours = |hook: &host::Hook| host::installed::command::call(&hook.action.describe()).is_some();
        file.place.scope == Scope::Policy && file.reading.hooks.iter().any(ours)
    })
}

/// What stays, and where: nothing is deleted that a person may want to keep.
fn left(project: &Project) -> String {
    let mut text = format!("\n{}\n", paint(Tone::Strong, "Left for you to delete, once no host calls them"));
    let runner = std::env::current_exe().ok();
    let hooks = host::installed::PROGRAMS.iter().filter_map(|name| beside::program(name, project));
    for path in hooks.chain(runner) {
        let _ = writeln!(text, "  {}", project.short(&path));
    }
    if managed(project) {
        text += "  the files for everyone on this machine: sudo hook-runner uninstall --machine\n";
    }
    for (what, folder) in [
        ("policies and settings", ".config/policy-hooks"),
        ("trust, approvals and records", ".local/state/policy-hooks"),
    ] {
        let path = project.folders.home.join(folder);
        if path.exists() {
            let _ = writeln!(text, "  {}  {}", project.short(&path), paint(Tone::Quiet, format!("({what})")));
        }
    }
    text
}
