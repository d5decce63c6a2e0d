//! `init`: puts the shipped configurations where hosts look, and takes them out again.

mod change;
mod merge;
mod shipped;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use host::{Product, failing};

use crate::Done;
use crate::command_line::InitOptions;
use crate::fault::{Exit, Fault};
use crate::paint::{Screen, Tone, paint};
use crate::project::Project;
use change::Change;
use shipped::{FLAT, Shipped};

/// `hook-runner init`.
pub(crate) fn init(options: &InitOptions, screen: &Screen) -> Done {
    let project = Project::around(options.project.as_deref())?;
    let hooks = chosen(options)?;
    if options.host.is_empty() {
        return Err(Fault::usage(
            "It does not say for which hosts.",
            "Add --host vscode, copilot, copilot-cloud, claude, codex or gemini; more than once for several.",
        ));
    }
    if !options.remove {
        programs_are_there(&hooks, &options.host, options.force)?;
    }
    let plan = Plan { project: &project, hooks: &hooks, user: options.user, remove: options.remove };
    let (changes, remarks) = plan.changes(&options.host)?;
    let mut text = String::new();
    for change in &changes {
        text += &change.diff(&project);
    }
    for remark in &remarks {
        let _ = writeln!(text, "{} {remark}", paint(Tone::Warn, "note:"));
    }
    if changes.is_empty() {
        let state = if options.remove { "nothing of ours is there" } else { "everything is there already" };
        let _ = writeln!(text, "{}", paint(Tone::Good, state));
        screen.say(&text)?;
        return Ok(Exit::Fine);
    }
    screen.say(&text)?;
    if options.dry_run {
        return Ok(Exit::Fine);
    }
    if options.remove {
        trust::terminal::person()?;
    }
    let agreed = options.yes || (Screen::can_ask() && screen.ask("Write this?"));
    if !agreed {
        return Err(Fault::usage("Nothing was written.", "Say yes, or add --yes."));
    }
    for change in &changes {
        change.write()?;
    }
    screen.say(&format!("{}\n", paint(Tone::Good, "written")))?;
    Ok(Exit::Fine)
}

/// The hooks that are meant: all that are shipped, unless some are named.
fn chosen(options: &InitOptions) -> Result<Vec<&'static str>, Fault> {
    let known = shipped::hooks();
    let Some(unknown) = options.hook.iter().find(|name| !known.contains(&name.as_str())) else {
        let named =
            |name: &&'static str| options.hook.is_empty() || options.hook.iter().any(|hook| hook == name);
        return Ok(known.into_iter().filter(named).collect());
    };
    Err(Fault::usage(format!("There is no hook `{unknown}`."), format!("There is {}.", known.join(", "))))
}

/// A configuration whose program is missing is worse than none.
fn programs_are_there(hooks: &[&str], hosts: &[Product], force: bool) -> Result<(), Fault> {
    let missing: Vec<&str> = hooks.iter().copied().filter(|name| ours::on_path(name).is_none()).collect();
    if missing.is_empty() || force {
        return Ok(());
    }
    Err(Fault::usage(
        format!(
            "{} is not on the PATH. Without it, {}.",
            missing.join(", "),
            failing::without_program(hosts)
        ),
        "Install it first, choose with --hook, or add --force if it will be there.",
    ))
}

/// What is to be done.
struct Plan<'a> {
    project: &'a Project,
    hooks: &'a [&'static str],
    user: bool,
    remove: bool,
}

impl Plan<'_> {
    /// The changes, and what a person should know beside them.
    fn changes(&self, hosts: &[Product]) -> Result<(Vec<Change>, Vec<String>), Fault> {
        let mut changes: Vec<Change> = Vec::new();
        let mut remarks = Vec::new();
        for product in hosts {
            match Shipped::of(*product) {
                Shipped::Flat => self.flat(*product, &mut changes, &mut remarks)?,
                Shipped::Groups(files) => self.groups(*product, files, &mut changes)?,
            }
            remarks.extend(self.remark(*product));
        }
        let copilot = hosts.contains(&Product::CopilotCli) || hosts.contains(&Product::VsCode);
        if copilot && hosts.contains(&Product::Claude) && !self.user && !self.remove {
            let twice =
                "Copilot CLI reads .claude/settings.json, too, and runs what stands in both places twice.";
            remarks.push(twice.to_owned());
        }
        remarks.sort();
        remarks.dedup();
        Ok((changes, remarks))
    }

    /// Whole files of our own in a folder of hooks.
    fn flat(
        &self,
        product: Product,
        changes: &mut Vec<Change>,
        remarks: &mut Vec<String>,
    ) -> Result<(), Fault> {
        if self.user && product == Product::CopilotCloud {
            remarks.push("The Copilot cloud agent reads hooks of repositories only.".to_owned());
            return Ok(());
        }
        let folders = &self.project.folders;
        let folder = match (self.user, &folders.copilot_home) {
            (false, _) => self.project.root.join(".github/hooks"),
            (true, Some(home)) if product == Product::CopilotCli => home.join("hooks"),
            (true, _) => folders.home.join(".copilot/hooks"),
        };
        for (name, shipped) in FLAT {
            let hook = shipped::name_of(name);
            if !self.hooks.contains(&hook) {
                continue;
            }
            let path = folder.join(name);
            if changes.iter().any(|change| change.path == path) {
                continue;
            }
            let now = read(&path)?;
            match (&now, self.remove) {
                (Some(text), false) if text != shipped => {
                    remarks.push(format!(
                        "{} is there and is not what we ship; it is left alone.",
                        self.project.short(&path)
                    ));
                }
                (Some(text), true) if text != shipped => {
                    remarks.push(format!("{} was changed and is left alone.", self.project.short(&path)));
                }
                (Some(_), true) => changes.push(Change { path, before: now, after: None }),
                (None, false) => {
                    changes.push(Change { path, before: None, after: Some((*shipped).to_owned()) });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Groups of ours in a settings file that others write, too.
    fn groups(
        &self,
        product: Product,
        shipped: &[(&str, &str)],
        changes: &mut Vec<Change>,
    ) -> Result<(), Fault> {
        let path = self.settings(product);
        let before = read(&path)?;
        let text = before.clone().unwrap_or_default();
        let edited = if self.remove {
            merge::without(&text, self.hooks)
        } else {
            shipped.iter().try_fold(text, |text, (_, shipped)| merge::with(&text, shipped, self.hooks))
        };
        let after = edited.map_err(|why| Fault::unreadable(&path, why))?;
        let after = Some(after).filter(|after| !after.is_empty());
        if after != before {
            changes.push(Change { path, before, after });
        }
        Ok(())
    }

    fn settings(&self, product: Product) -> PathBuf {
        let folders = &self.project.folders;
        let base = if self.user { &folders.home } else { &folders.project };
        match product {
            Product::Codex if self.user => {
                folders.codex_home.clone().unwrap_or_else(|| folders.home.join(".codex")).join("hooks.json")
            }
            Product::Codex => base.join(".codex/hooks.json"),
            Product::Gemini => base.join(".gemini/settings.json"),
            _ => base.join(".claude/settings.json"),
        }
    }

    /// What is left to be done by a person.
    fn remark(&self, product: Product) -> Option<String> {
        if self.remove {
            return None;
        }
        match product {
            Product::Codex => {
                Some("Codex CLI skips hooks until they are reviewed: type /hooks there.".to_owned())
            }
            Product::CopilotCli if !self.user => {
                Some("Copilot CLI loads hooks of trusted folders only, in prompt mode (-p), too.".to_owned())
            }
            Product::CopilotCloud => Some(
                "Install the program in copilot-setup-steps.yml: without it every call is denied.".to_owned(),
            ),
            _ => None,
        }
    }
}

fn read(path: &std::path::Path) -> Result<Option<String>, Fault> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Fault::unreadable(path, error)),
    }
}
