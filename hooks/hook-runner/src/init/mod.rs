//! `init`: puts the shipped configurations where hosts look, and removes them again.

mod change;
mod form;
mod merge;
mod preflight;
mod shipped;
mod style;
mod summary;

use std::fs;
use std::path::{Path, PathBuf};

use host::place::Scope;
use host::read::Source;
use host::{Format, Problem, Product, System};

use crate::Done;
use crate::command_line::{InitOptions, Programs};
use crate::fault::{Exit, Fault};
use crate::paint::{Answer, Screen, Tone, paint};
use crate::project::Project;
use change::Change;
use form::Form;
use shipped::{FLAT, Shipped};

/// `hook-runner init`.
pub(crate) fn init(options: &InitOptions, screen: &Screen) -> Done {
    let project = Project::around(options.project.as_deref())?;
    let hooks = chosen(options)?;
    if options.host.is_empty() {
        return Err(Fault::usage(
            "No host given.",
            format!("Add --host {}; repeat it for several.", Product::one_of()),
        ));
    }
    let without_user = |host: &&Product| host.place(Scope::User).is_none();
    if let Some(host) = options.host.iter().find(without_user).filter(|_| options.user) {
        return Err(Fault::usage(
            format!("The {} reads hooks of repositories only. Nothing was done.", host.title),
            format!("Omit --user for --host {host}, and commit what is written."),
        ));
    }
    // A project's files go to other machines, where the programs lie elsewhere.
    let default = if options.user { Programs::Path } else { Programs::Name };
    let programs = options.programs.unwrap_or(default);
    let (form, missing) = Form::of(programs, &hooks);
    // A hook whose program is missing makes some hosts deny every call.
    if !options.remove && !options.force && !missing.is_empty() {
        return Err(not_there(programs, &missing, &options.host));
    }
    let mut plan = Plan { project: &project, hooks: &hooks, options, form: &form, remarks: Vec::new() };
    let (changes, targets) = plan.changes()?;
    let left = plan.preflight(&targets, &changes)?;
    plan.remark(programs, &left);
    let remarks: String =
        // Notes come before anything is written: some say that it would not help.
        plan.remarks.iter().map(|remark| format!("{} {remark}\n", paint(Tone::Warn, "note:"))).collect();
    if changes.is_empty() {
        let state =
            if options.remove { "nothing of ours is installed" } else { "everything is already installed" };
        screen.say(&format!("{remarks}{}\n", paint(Tone::Good, state)))?;
        return Ok(Exit::found(!left.off.is_empty()));
    }
    let diff = || changes.iter().map(|change| change.diff(&project)).collect::<String>();
    let mut text = summary::text(&changes, &project, &hooks);
    if options.diff || options.dry_run {
        text += &diff();
    }
    screen.say(&(text + &remarks))?;
    if options.dry_run {
        return Ok(Exit::found(!left.off.is_empty()));
    }
    // An agent could take its own guard away otherwise.
    if options.remove {
        store::trust::terminal::person()?;
    }
    if !options.yes && !agreed(screen, diff)? {
        screen.say("Nothing was written.\n")?;
        return Ok(Exit::Fine);
    }
    // One after the other, each whole: what was written before a mistake is valid by itself.
    for change in &changes {
        change.write()?;
    }
    let state = if left.off.is_empty() {
        paint(Tone::Good, "written")
    } else {
        paint(Tone::Bad, "written, and switched off: see the notes above")
    };
    screen.say(&format!("{state}\n"))?;
    Ok(Exit::found(!left.off.is_empty()))
}

/// Asks, and shows the whole difference to who wants to see it first.
///
/// # Errors
///
/// When no one can be asked.
fn agreed(screen: &Screen, diff: impl Fn() -> String) -> Result<bool, Fault> {
    if !Screen::can_ask() {
        return Err(Fault::usage("Nothing was written, as no one can be asked.", "Add --yes."));
    }
    loop {
        match screen.ask_or_show("Write this?") {
            Answer::Yes => return Ok(true),
            Answer::No => return Ok(false),
            Answer::Show => screen.say(&diff())?,
        }
    }
}

/// The hooks that are meant: all that are shipped, unless some are named.
fn chosen(options: &InitOptions) -> Result<Vec<&'static str>, Fault> {
    let known = shipped::hooks();
    let Some(unknown) = options.hook.iter().find(|name| !known.contains(&name.as_str())) else {
        let named =
            |name: &&'static str| options.hook.is_empty() || options.hook.iter().any(|hook| hook == name);
        return Ok(known.into_iter().filter(named).collect());
    };
    Err(Fault::usage(format!("Unknown hook `{unknown}`."), format!("Available hooks: {}.", known.join(", "))))
}

/// A configuration whose program is missing is worse than none.
fn not_there(programs: Programs, missing: &[&str], hosts: &[Product]) -> Fault {
    let place = match programs {
        Programs::Path => "neither next to hook-runner nor on the PATH",
        Programs::Name => "not on the PATH",
    };
    let is = if missing.len() == 1 { "is" } else { "are" };
    Fault::usage(
        format!("{} {is} {place}. Without it, {}.", missing.join(", "), Product::without_program(hosts)),
        "Install what is missing first, choose with --hook, or add --force if it will be there.",
    )
}

/// A file in which our hooks are to be, and which of them.
type Target = (PathBuf, Vec<&'static str>);

/// The files of a host.
type Targets = (Product, Vec<Target>);

/// What is to be done.
struct Plan<'a> {
    project: &'a Project,
    hooks: &'a [&'static str],
    options: &'a InitOptions,
    form: &'a Form,
    /// What a person should know beside the changes.
    remarks: Vec<String>,
}

impl Plan<'_> {
    /// The changes, and for each host the files in which its hooks are then.
    fn changes(&mut self) -> Result<(Vec<Change>, Vec<Targets>), Fault> {
        let mut changes: Vec<Change> = Vec::new();
        let mut targets = Vec::new();
        for product in &self.options.host {
            let own = match Shipped::of(*product) {
                Shipped::Flat => self.flat(*product, &mut changes)?,
                Shipped::Groups(files) => vec![self.groups(*product, files, &mut changes)?],
            };
            targets.push((*product, own));
        }
        Ok((changes, targets))
    }

    /// What each host would make of the files.
    fn preflight(&self, targets: &[Targets], changes: &[Change]) -> Result<preflight::Left, Fault> {
        let mut all = preflight::Left::default();
        if self.options.remove {
            return Ok(all);
        }
        for (product, targets) in targets {
            let left = preflight::look(*product, self.project, targets, changes)?;
            all.pending.extend(left.pending);
            all.off.extend(left.off);
        }
        Ok(all)
    }

    /// Whole files of our own in a folder of hooks.
    fn flat(&mut self, product: Product, changes: &mut Vec<Change>) -> Result<Vec<Target>, Fault> {
        let (folder, _) = self.place(product)?;
        let mut targets = Vec::new();
        for (name, shipped) in FLAT {
            let Some(hook) = self.hooks.iter().copied().find(|hook| *hook == shipped::name_of(name)) else {
                continue;
            };
            let path = folder.join(name);
            let now = read(&path)?;
            // Compared by name, as the same file may have absolute paths.
            let ours = now.as_deref().is_none_or(|text| form::by_name(text) == **shipped);
            let short = self.project.short(&path);
            if !ours && self.options.remove {
                self.remarks.push(format!("{short} was changed and is left alone."));
            } else if !ours {
                self.remarks.push(format!("{short} exists and is not what we ship; it is left alone."));
            } else {
                let after = match (&now, self.options.remove) {
                    (_, true) => None,
                    // By name is what is there already, whichever way it has the programs.
                    (Some(now), false) if self.form.is_by_name() => Some(now.clone()),
                    (_, false) => Some(self.form.flat(shipped)),
                };
                // Two hosts may share a folder: its files are written once.
                if now != after && !changes.iter().any(|change| change.path == path) {
                    changes.push(Change { path: path.clone(), before: now, after });
                }
                targets.push((path, vec![hook]));
            }
        }
        Ok(targets)
    }

    /// Groups of ours in a settings file that others write, too.
    fn groups(
        &self,
        product: Product,
        shipped: &[(&str, &str)],
        changes: &mut Vec<Change>,
    ) -> Result<Target, Fault> {
        let (path, format) = self.place(product)?;
        let before = read(&path)?;
        let edited = if self.options.remove {
            before.as_deref().map_or(Ok(None), |text| merge::without(text, self.hooks))
        } else {
            if let Some(text) = before.as_deref() {
                self.fits(product, &path, format, text)?;
            }
            let quoting = form::quoting(product);
            let command = |call: &host::installed::command::Call| self.form.command(quoting, call);
            let wanted = merge::Wanted { shipped, hooks: self.hooks, command: &command };
            merge::with(before.as_deref(), &wanted)
        };
        let after = edited.map_err(|trouble| {
            let message = format!("This cannot be changed: {}.", trouble.message);
            let help = "Fix it by hand.";
            let problem = Problem::new(host::Code::JsonShape, product, trouble.span, message, help);
            Fault::refused(self.project, &path, before.as_deref().unwrap_or_default(), &problem)
        })?;
        if after != before {
            changes.push(Change { path: path.clone(), before, after });
        }
        Ok((path, self.hooks.to_vec()))
    }

    /// Whether a host takes the file as it is; what it says about it is worth more than what our own change would run into.
    fn fits(&self, product: Product, path: &Path, format: Format, text: &str) -> Result<(), Fault> {
        // What the host says about an empty file does not matter: it will not stay empty.
        if text.trim_start_matches('\u{feff}').trim().is_empty() {
            return Ok(());
        }
        let source = Source { file: path.to_owned(), scope: self.scope(), format, text };
        let reading = host::read(product, &source, System::HERE);
        let error = |problem: &&Problem| problem.severity == host::Severity::Error;
        match reading.problems.iter().find(error).filter(|_| reading.dropped) {
            Some(problem) => Err(Fault::refused(self.project, path, text, problem)),
            None => Ok(()),
        }
    }

    /// Whose files are changed.
    fn scope(&self) -> Scope {
        if self.options.user { Scope::User } else { Scope::Project }
    }

    /// The folder or file in which a host's hooks go, and what it holds.
    fn place(&self, product: Product) -> Result<(PathBuf, Format), Fault> {
        let place = product.place(self.scope());
        let none = || Fault::usage(format!("{} reads no such files.", product.title), "Omit --user.");
        let place = place.ok_or_else(none)?;
        Ok((self.project.folders.path(place), place.format))
    }

    /// What is left to be done by a person, and what the chosen form means.
    fn remark(&mut self, programs: Programs, left: &preflight::Left) {
        if self.options.remove {
            return;
        }
        self.remarks.extend(left.off.iter().chain(&left.pending).cloned());
        let hosts = &self.options.host;
        self.remarks.extend(hosts.iter().filter_map(|host| host.after_init).map(str::to_owned));
        let copilot = hosts.contains(&Product::COPILOT_CLI) || hosts.contains(&Product::VS_CODE);
        if copilot && hosts.contains(&Product::CLAUDE) && !self.options.user {
            let twice = "Copilot CLI reads .claude/settings.json, too, and runs what is in both places twice, which does no harm.";
            self.remarks.push(twice.to_owned());
        }
        match programs {
            Programs::Name => {
                self.remarks.push(format!(
                    "Programs are called by name, so that the files suit every machine. Where a host's PATH lacks \
                     them (one started from a desktop has a shorter one than a terminal), {}.",
                    Product::without_program(hosts)
                ));
            }
            Programs::Path if !self.options.user => {
                let text = "The files have paths of this machine: do not commit them.";
                self.remarks.push(text.to_owned());
            }
            Programs::Path => {}
        }
        // Several hosts have the same remark.
        let mut seen = std::collections::BTreeSet::new();
        self.remarks.retain(|remark| seen.insert(remark.clone()));
    }
}

fn read(path: &Path) -> Result<Option<String>, Fault> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Fault::unreadable(path, error)),
    }
}
