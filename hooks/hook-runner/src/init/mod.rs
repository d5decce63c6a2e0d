//! `init`: puts the shipped configurations where hosts look, and removes them again.

mod augment;
mod change;
mod choice;
mod exec;
mod form;
mod machine;
mod made;
mod merge;
mod pin;
mod preflight;
mod profile;
mod requirements;
mod shipped;
mod style;
mod summary;
mod trial;
mod whole;
mod windsurf;
mod yaml;

pub(crate) use machine::{Documented, documented, weak_part};

use std::fs;
use std::path::{Path, PathBuf};

use host::installed::command::Call;
use host::place::Scope;
use host::read::Source;
use host::{Format, Problem, Product, System};

use crate::Done;
use crate::command_line::{InitOptions, Preset, Programs};
use crate::fault::{Exit, Fault};
use crate::paint::{Answer, Screen, Tone, paint, width, wrapped};
use crate::project::Project;
use change::Change;
use choice::Choice;
use shipped::{FLAT, Shipped};

/// `hook-runner init`.
pub(crate) fn init(options: &InitOptions, screen: &Screen) -> Done {
    if options.machine {
        return machine::machine(options, screen);
    }
    let project = Project::around(options.project.as_deref())?;
    let mut choice = Choice::of(options, &project)?;
    loop {
        match propose(options, &project, &choice, screen)? {
            Next::Done(exit) => return Ok(exit),
            // Another preset was asked for: its own summary comes before its question.
            Next::Again(preset) => choice.take(preset)?,
        }
    }
}

/// What comes after a proposal.
enum Next {
    Done(Exit),
    Again(Preset),
}

/// Shows what would change for a choice, asks, and does it.
fn propose(
    options: &InitOptions,
    project: &Project,
    choice: &Choice,
    screen: &Screen,
) -> Result<Next, Fault> {
    let mut plan = Plan { project, choice, options, remarks: choice.remarks.clone(), is_blocked: false };
    let (changes, targets) = plan.changes()?;
    let left = plan.preflight(&targets, &changes)?;
    plan.remark(&left);
    let remarks: String =
        // Notes come before anything is written: some say that it would not help.
        plan.remarks.iter().map(|remark| labelled("note:", remark)).collect();
    let found = choice.heading();
    let runs = left.off.is_empty() && !plan.is_blocked;
    let is_off = !runs || !plan.is_whole(&targets);
    if changes.is_empty() {
        let state = match (options.remove, runs) {
            (true, _) => paint(Tone::Good, "nothing of ours is installed"),
            (false, true) => paint(Tone::Good, "everything is already installed"),
            (false, false) => {
                paint(Tone::Bad, "nothing to write, and not all of it runs: see the notes above")
            }
        };
        screen.say(&format!("{remarks}{state}\n"))?;
        let works = finish(options, project, choice, &left, screen)?;
        return Ok(Next::Done(Exit::found(is_off || !works)));
    }
    let diff = || changes.iter().map(|change| change.diff(project)).collect::<String>();
    let mut text = found + &summary::text(&changes, project, &choice.hooks);
    if options.diff || options.dry_run {
        text += &diff();
    }
    screen.say(&(text + &remarks))?;
    if options.dry_run {
        return Ok(Next::Done(Exit::found(is_off)));
    }
    // An agent could take its own guard away otherwise.
    if options.remove {
        store::trust::terminal::person()?;
    }
    if !options.yes {
        match agreed(screen, choice.preset, diff)? {
            Answer::Yes => {}
            Answer::Preset(preset) => return Ok(Next::Again(preset)),
            Answer::No | Answer::Show => {
                screen.say("Nothing was written.\n")?;
                return Ok(Next::Done(Exit::Fine));
            }
        }
    }
    // One after the other, each whole: what was written before a mistake is valid by itself.
    for change in &changes {
        change.write()?;
    }
    let state = match (options.remove, runs) {
        (true, _) => paint(Tone::Good, "removed"),
        (false, true) => paint(Tone::Good, "written"),
        (false, false) => paint(Tone::Bad, "written, and not all of it runs: see the notes above"),
    };
    screen.say(&format!("{state}\n"))?;
    let works = finish(options, project, choice, &left, screen)?;
    Ok(Next::Done(Exit::found(is_off || !works)))
}

/// Calls what is installed now, and says how to go on; whether all of it works.
fn finish(
    options: &InitOptions,
    project: &Project,
    choice: &Choice,
    left: &preflight::Left,
    screen: &Screen,
) -> Result<bool, Fault> {
    if options.remove {
        return Ok(true);
    }
    let after = choice.hosts.iter().filter_map(|host| host.after_init).map(str::to_owned);
    let next: Vec<String> = left.pending.iter().cloned().chain(after).collect();
    // A project's files may be meant for other machines.
    if !choice.user && !choice.is_found {
        screen.say(&next.iter().map(|next| labelled("next:", next)).collect::<String>())?;
        return Ok(true);
    }
    let trial = trial::run(project, choice);
    screen.say(&trial.text(&next))?;
    Ok(trial.works())
}

/// A label and a sentence, on lines that fit.
fn labelled(label: &str, text: &str) -> String {
    let lines = wrapped(&format!("{label} {text}"), width());
    lines.replacen(label, &paint(Tone::Warn, label), 1)
}

/// Asks, and shows the whole difference to who wants to see it first.
///
/// # Errors
///
/// When no one can be asked.
fn agreed(screen: &Screen, preset: Option<Preset>, diff: impl Fn() -> String) -> Result<Answer, Fault> {
    if !Screen::can_ask() {
        return Err(Fault::usage("Nothing was written, as no one can be asked.", "Add --yes."));
    }
    loop {
        match screen.ask_or_show("Write this?", preset) {
            Answer::Show => screen.say(&diff())?,
            answer => return Ok(answer),
        }
    }
}

/// A file in which our hooks are to be, and which of them.
type Target = (PathBuf, Vec<&'static str>);

/// The files of a host.
type Targets = (Product, Vec<Target>);

/// What is to be done.
struct Plan<'a> {
    project: &'a Project,
    choice: &'a Choice,
    options: &'a InitOptions,
    /// What a person should know beside the changes.
    remarks: Vec<String>,
    /// Whether a file of someone else is where one of ours belongs, and does not call our program.
    is_blocked: bool,
}

impl Plan<'_> {
    /// The changes, and for each host the files in which its hooks are then.
    fn changes(&mut self) -> Result<(Vec<Change>, Vec<Targets>), Fault> {
        let mut changes: Vec<Change> = Vec::new();
        let mut targets = Vec::new();
        for product in &self.choice.hosts {
            let own = match Shipped::of(*product) {
                Shipped::Flat => self.flat(*product, &mut changes),
                Shipped::Groups(files) => {
                    let command = self.command(*product);
                    self.groups(*product, files, &command, &mut changes).map(|target| vec![target])
                }
                Shipped::Made => whole::made(self, *product, &mut changes),
            };
            match own {
                Ok(own) => targets.push((*product, own)),
                // One host's broken file must not leave the others unguarded.
                Err(fault) if self.choice.is_found => self.left_out(*product, &fault),
                Err(fault) => return Err(fault),
            }
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

    /// A host whose file cannot take our hooks.
    fn left_out(&mut self, product: Product, fault: &Fault) {
        let why = fault.to_string().replace(" Nothing was written.", "");
        self.remarks.push(format!("{} is left out. {why} {}", product.title, fault.hint()));
    }

    /// Whether no host was left out.
    fn is_whole(&self, targets: &[Targets]) -> bool {
        targets.len() == self.choice.hosts.len()
    }

    /// Whole files of our own in a folder of hooks.
    fn flat(&mut self, product: Product, changes: &mut Vec<Change>) -> Result<Vec<Target>, Fault> {
        let (folder, _) = self.place(product)?;
        let mut targets = Vec::new();
        for (name, shipped) in FLAT {
            let Some(hook) = self.choice.hooks.iter().copied().find(|hook| *hook == shipped::name_of(name))
            else {
                continue;
            };
            let path = folder.join(name);
            let now = read(&path)?;
            // Compared by name, as the same file may have absolute paths.
            let ours = now.as_deref().is_none_or(|text| form::by_name(text) == **shipped);
            let short = self.project.short(&path);
            if !ours && self.options.remove {
                self.remarks.push(format!("{short} was changed and is left alone."));
            } else if !ours && summary::calls(now.as_deref().unwrap_or_default(), hook) {
                self.remarks.push(format!("{short} exists and is not what we ship; it is left alone."));
            } else if !ours {
                self.is_blocked = true;
                let text = "exists, is left alone, and does not call";
                self.remarks.push(format!("{short} {text} {hook}. Move it away, and run this again."));
            } else {
                let after = match (&now, self.options.remove) {
                    (_, true) => None,
                    // By name is what is there already, whichever way it has the programs.
                    (Some(now), false) if self.choice.form.is_by_name() => Some(now.clone()),
                    (_, false) => Some(self.choice.form.flat(shipped)),
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

    /// How a host is to call our programs.
    fn command(&self, product: Product) -> impl Fn(&Call) -> Option<String> + use<> {
        // Its own copy: remarks are made while it is in use.
        let (quoting, form) = (form::quoting(product), self.choice.form.clone());
        move |call| form.command(quoting, call)
    }

    /// Groups of ours in a settings file that others write, too.
    fn groups(
        &mut self,
        product: Product,
        shipped: &[(&str, &str)],
        command: &dyn Fn(&Call) -> Option<String>,
        changes: &mut Vec<Change>,
    ) -> Result<Target, Fault> {
        let (path, format) = self.place(product)?;
        let before = read(&path)?;
        let frame = made::frame(product, format);
        let has_line = product == Product::CLAUDE;
        let edited = if self.options.remove {
            before.as_deref().map_or(Ok(None), |text| {
                let text = if has_line { merge::without_status_line(text)? } else { text.to_owned() };
                merge::without(&text, &self.choice.hooks, frame)
            })
        } else {
            if let Some(text) = before.as_deref() {
                self.fits(product, &path, format, text)?;
            }
            let wanted = merge::Wanted { shipped, hooks: &self.choice.hooks, command, frame };
            merge::with(before.as_deref(), &wanted)
        };
        let edited = match edited {
            Ok(Some(text)) if has_line && self.options.status_line => self.with_status_line(&path, text),
            other => other,
        };
        let after = edited
            .map_err(|trouble| trouble.fault(self.project, &path, before.as_deref().unwrap_or_default()))?;
        if after != before {
            changes.push(Change { path: path.clone(), before, after });
        }
        Ok((path, self.choice.hooks.clone()))
    }

    /// With the guard in the status line, unless there is one.
    fn with_status_line(&mut self, path: &Path, text: String) -> Result<Option<String>, merge::Trouble> {
        let command = self.choice.form.status_line();
        let edited = merge::with_status_line(&text, &command)?;
        if edited.is_none() {
            let short = self.project.short(path);
            self.remarks.push(format!(
                "{short} has a status line of its own, which is left alone: `hook-runner statusline` prints ours."
            ));
        }
        Ok(Some(edited.unwrap_or(text)))
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
        if self.choice.user { Scope::User } else { Scope::Project }
    }

    /// The folder or file in which a host's hooks go, and what it holds.
    fn place(&self, product: Product) -> Result<(PathBuf, Format), Fault> {
        let place = product.place(self.scope());
        let none = || {
            let (whose, help) =
                if self.choice.user { ("repositories", "Omit --user.") } else { ("its user", "Add --user.") };
            Fault::usage(format!("{} reads hooks of {whose} only.", product.title), help)
        };
        let place = place.ok_or_else(none)?;
        Ok((self.project.folders.path(place), place.format))
    }

    /// What is left to be done by a person, and what the chosen form means.
    fn remark(&mut self, left: &preflight::Left) {
        if self.options.remove {
            return;
        }
        self.remarks.extend(left.off.iter().cloned());
        // Who named no host gets absolute paths, in files that no one commits.
        if self.choice.is_found {
            return;
        }
        let hosts = &self.choice.hosts;
        let copilot = hosts.contains(&Product::COPILOT_CLI) || hosts.contains(&Product::VS_CODE);
        if copilot && hosts.contains(&Product::CLAUDE) && !self.choice.user {
            let twice = "Copilot CLI reads .claude/settings.json, too, and runs what is in both places twice, which does no harm.";
            self.remarks.push(twice.to_owned());
        }
        match self.choice.programs {
            Programs::Name => {
                self.remarks.push(format!(
                    "Programs are called by name, so that the files suit every machine. Where a host's PATH lacks \
                     them (one started from a desktop has a shorter one than a terminal), {}.",
                    Product::without_program(hosts)
                ));
            }
            Programs::Path if !self.choice.user => {
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
