//! `init --machine`: the files that an administrator writes for everyone on a machine, or for every machine of a company.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use host::installed::command::{Call, Quoting, lasting_path};
use host::managed::{Form, Managed, below};
use host::record::Quirk;
use host::{Product, System};

use super::change::Change;
use super::choice::{decider, named};
use super::shipped::{self, FLAT, Shipped, name_of};
use super::{augment, exec, merge, pin, profile, requirements, windsurf};
use crate::Done;
use crate::command_line::{InitOptions, Preset};
use crate::fault::{Exit, Fault};
use crate::paint::{Answer, Screen, Tone, paint};
use crate::project::Project;

/// One tree of managed files.
struct Plan<'a> {
    project: &'a Project,
    system: System,
    /// What stands for the root of its file system.
    root: PathBuf,
    hooks: &'a [&'static str],
    /// The programs on these machines: folder and, for each, its path.
    folder: String,
    paths: Vec<(&'static str, String)>,
    remove: bool,
}

/// `hook-runner init --machine`.
pub(super) fn machine(options: &InitOptions, screen: &Screen) -> Done {
    let project = Project::around(None)?;
    let hosts: Vec<Product> =
        if options.host.is_empty() { Product::ALL.to_vec() } else { options.host.clone() };
    let managed: Vec<(Product, Managed)> =
        hosts.iter().filter_map(|host| Some((*host, host.managed?))).collect();
    let none = hosts.iter().find(|host| host.managed.is_none() && !options.host.is_empty());
    if let Some(host) = none {
        return Err(Fault::usage(
            format!("{} reads no managed hook files.", host.title),
            "Its administrators install the plugin instead: see docs/rollout.md.",
        ));
    }
    let decider = decider(options, &project, &[]);
    let hooks = match options.preset {
        _ if options.remove => named(options, decider)?,
        Some(preset) => preset.hooks(decider),
        None if options.hook.is_empty() => Preset::Guard.hooks(decider),
        None => named(options, decider)?,
    };
    let systems = if options.out.is_some() {
        vec![System::Linux, System::Mac, System::Windows]
    } else {
        vec![System::HERE]
    };
    let mut changes = Vec::new();
    for system in systems {
        let plan = Plan::of(options, &project, system, &hooks)?;
        for (product, managed) in &managed {
            plan.host(*product, managed, &mut changes)?;
        }
        if options.host.is_empty() {
            plan.augment(&mut changes)?;
            plan.windsurf(&mut changes)?;
        }
        if options.out.is_some() {
            plan.profiles(&mut changes)?;
        }
    }
    let state =
        if options.remove { "nothing of ours is installed" } else { "everything is already installed" };
    if changes.is_empty() {
        screen.say(&format!("{}\n", paint(Tone::Good, state)))?;
        return Ok(Exit::Fine);
    }
    write(options, &project, &hooks, &changes, screen)
}

/// Shows what would change, asks, and does it.
fn write(
    options: &InitOptions,
    project: &Project,
    hooks: &[&str],
    changes: &[Change],
    screen: &Screen,
) -> Done {
    let diff = || changes.iter().map(|change| change.diff(project)).collect::<String>();
    let mut text = format!("{}\n", paint(Tone::Strong, format!("{} for everyone:", hooks.join(", "))));
    for change in changes {
        let what = match (&change.before, &change.after) {
            (None, _) => "new",
            (_, None) => "deleted",
            _ => "changed; nothing of yours changes",
        };
        let _ = writeln!(text, "{}: {what}", paint(Tone::Name, change.path.display()));
    }
    if options.diff || options.dry_run {
        text += &diff();
    }
    screen.say(&text)?;
    if options.dry_run {
        return Ok(Exit::Fine);
    }
    // An agent could take its own guard away otherwise.
    if options.remove {
        store::trust::terminal::person()?;
    }
    if !options.yes && super::agreed(screen, None, diff)? != Answer::Yes {
        screen.say("Nothing was written.\n")?;
        return Ok(Exit::Fine);
    }
    for change in changes {
        change.write_for_all()?;
    }
    let done = if options.remove { "removed" } else { "written" };
    screen.say(&format!("{}\n", paint(Tone::Good, done)))?;
    Ok(Exit::Fine)
}

impl<'a> Plan<'a> {
    /// The tree of one system.
    fn of(
        options: &InitOptions,
        project: &'a Project,
        system: System,
        hooks: &'a [&'static str],
    ) -> Result<Self, Fault> {
        let root = match (&options.out, &options.root) {
            (Some(out), _) => out.join(name(system)),
            (None, Some(root)) => root.clone(),
            (None, None) => PathBuf::from("/"),
        };
        let remove = options.remove;
        let mut plan =
            Self { project, system, root, hooks, folder: String::new(), paths: Vec::new(), remove };
        if remove {
            return Ok(plan);
        }
        let given = options.bin.clone().or(options.out.is_some().then(|| usual(system).to_owned()));
        for hook in hooks {
            let path = match &given {
                Some(folder) => join(folder, hook, system),
                None => safe_path(hook)?,
            };
            plan.paths.push((hook, path));
        }
        let first = plan.paths.first().map(|(_, path)| path.as_str()).unwrap_or_default();
        let folder = first.rsplit_once(['/', '\\']).map_or("/", |(folder, _)| folder);
        plan.folder = String::from(folder);
        Ok(plan)
    }

    /// Where a managed path is in this tree.
    fn place(&self, path: &str) -> PathBuf {
        below(&self.root, path)
    }

    fn path_of(&self, program: &str) -> Option<&str> {
        self.paths.iter().find(|(name, _)| *name == program).map(|(_, path)| path.as_str())
    }

    fn host(&self, product: Product, managed: &Managed, changes: &mut Vec<Change>) -> Result<(), Fault> {
        let path = self.place(managed.path.on(self.system));
        let quoting = match self.system {
            System::Windows if !product.has(Quirk::SameShellOnWindows) => Quoting::PowerShell,
            _ => Quoting::Posix,
        };
        let command = |call: &Call| Some(Call::write(self.path_of(call.program)?, &call.rest, quoting));
        let shipped = match Shipped::of(product) {
            Shipped::Groups(files) => files,
            Shipped::Flat | Shipped::Made => &[],
        };
        match managed.form {
            Form::Folder => self.folder_of_files(&path, changes),
            Form::Settings => self.change(path, changes, |before| match before {
                Some(text) if self.remove => {
                    let rest =
                        merge::without(&pin::without(text, managed.pinned), self.hooks, merge::Frame::USUAL)?;
                    // Other hooks of ours are held on as well.
                    let more = |rest: &String| {
                        merge::without(rest, &shipped::hooks(), merge::Frame::USUAL).as_ref()
                            != Ok(&Some(rest.clone()))
                    };
                    Ok(rest.map(|rest| if more(&rest) { pin::with(rest, managed.pinned) } else { rest }))
                }
                None if self.remove => Ok(None),
                _ => {
                    let frame = merge::Frame::USUAL;
                    let wanted = merge::Wanted { shipped, hooks: self.hooks, command: &command, frame };
                    Ok(merge::with(before, &wanted)?.map(|text| pin::with(text, managed.pinned)))
                }
            }),
            Form::Requirements => self.change(path, changes, |before| {
                let trouble = |message| merge::Trouble { message, span: 0..0 };
                match before {
                    Some(text) if self.remove => Ok(requirements::without(text)),
                    None if self.remove => Ok(None),
                    _ => requirements::with(before, shipped, (self.system, &self.folder), &command)
                        .map(Some)
                        .map_err(trouble),
                }
            }),
        }
    }

    /// The programs that decide: what hosts get that are known by their documentation alone.
    fn deciders(&self) -> impl Iterator<Item = &'static str> {
        let decides = |hook: &&str| matches!(*hook, "command-blocker" | "approval-gate");
        self.hooks.iter().copied().filter(decides)
    }

    /// Augment's settings, and the script that they name.
    fn augment(&self, changes: &mut Vec<Change>) -> Result<(), Fault> {
        let Some(settings) = augment::settings(self.system) else { return Ok(()) };
        for hook in self.deciders() {
            // Before the settings: where they name a script that is missing, every tool runs.
            let script = self.path_of(hook).map(augment::script);
            self.set(self.place(&augment::script_path(hook)), |_| script.clone(), changes)?;
        }
        let shipped: Vec<String> = self.deciders().map(augment::shipped).collect();
        let shipped: Vec<(&str, &str)> = shipped.iter().map(|text| ("augment.json", text.as_str())).collect();
        let command = |call: &Call| Some(augment::script_path(call.program));
        let frame = merge::Frame::USUAL;
        let wanted = merge::Wanted { shipped: &shipped, hooks: self.hooks, command: &command, frame };
        self.change(self.place(settings), changes, |before| match before {
            Some(text) if self.remove => merge::without(text, self.hooks, frame),
            None if self.remove => Ok(None),
            _ => merge::with(before, &wanted),
        })
    }

    /// Windsurf's file; one that others wrote is left alone, as nothing is known of how it joins hooks.
    fn windsurf(&self, changes: &mut Vec<Change>) -> Result<(), Fault> {
        let Some(hook) = self.deciders().next() else { return Ok(()) };
        let text = self.path_of(hook).map(|program| windsurf::text(program, self.system));
        let after = |before: Option<&str>| match before {
            Some(others) if !windsurf::is_ours(others) => before.map(str::to_owned),
            _ => text.clone(),
        };
        self.set(self.place(windsurf::path(self.system)), after, changes)
    }

    /// Claude Code's settings in the form of this system's device management.
    fn profiles(&self, changes: &mut Vec<Change>) -> Result<(), Fault> {
        let Some((managed, store)) = Product::CLAUDE.managed.zip(Product::CLAUDE.store) else {
            return Ok(());
        };
        let settings = self.place(managed.path.on(self.system));
        let written = changes.iter().find(|change| change.path == settings);
        let (name, after) = match (self.system, written.and_then(|change| change.after.as_deref())) {
            (System::Mac, Some(text)) => (profile::PROFILE, profile::profile(&store, text)),
            (System::Windows, Some(text)) => (profile::REGISTRY, profile::registry(&store, text)),
            _ => return Ok(()),
        };
        self.set(self.root.join(name), |_| after.clone(), changes)
    }

    fn change(
        &self,
        path: PathBuf,
        changes: &mut Vec<Change>,
        edit: impl Fn(Option<&str>) -> Result<Option<String>, merge::Trouble>,
    ) -> Result<(), Fault> {
        let before = super::read(&path)?;
        let after = edit(before.as_deref())
            .map_err(|trouble| trouble.fault(self.project, &path, before.as_deref().unwrap_or_default()))?;
        if after != before {
            changes.push(Change { path, before, after });
        }
        Ok(())
    }

    /// A file that is ours as a whole.
    fn set(
        &self,
        path: PathBuf,
        after: impl Fn(Option<&str>) -> Option<String>,
        changes: &mut Vec<Change>,
    ) -> Result<(), Fault> {
        self.change(path, changes, |before| Ok(after(before)))
    }

    /// Files of our own.
    fn folder_of_files(&self, folder: &Path, changes: &mut Vec<Change>) -> Result<(), Fault> {
        for (name, shipped) in FLAT.iter().filter(|(name, _)| self.hooks.contains(&name_of(name))) {
            let after = (!self.remove).then(|| exec::as_programs(shipped, &|name| self.path_of(name)));
            self.set(folder.join(name), |_| after.clone(), changes)?;
        }
        Ok(())
    }
}

/// The managed file of a host that is known by its documentation alone.
pub(crate) struct Documented {
    pub(crate) title: &'static str,
    pub(crate) path: PathBuf,
    /// Our programs that it calls.
    pub(crate) programs: BTreeSet<&'static str>,
    /// What it calls and is not there.
    pub(crate) missing: Option<PathBuf>,
}

/// Those of them that are here.
pub(crate) fn documented(root: &Path) -> Vec<Documented> {
    let read = |title, path: Option<&str>, calls: fn(&str) -> Vec<Call>| {
        let path = below(root, path?);
        let calls = calls(&fs::read_to_string(&path).ok()?);
        let mut files = calls.iter().filter_map(|call| Some(below(root, call.path.as_deref()?)));
        let missing = files.find(|file| !file.is_file());
        Some(Documented { title, path, programs: calls.iter().map(|call| call.program).collect(), missing })
    };
    let augment = read("Augment", augment::settings(System::HERE), augment::calls);
    let windsurf = read("Windsurf", Some(windsurf::path(System::HERE)), windsurf::calls);
    augment.into_iter().chain(windsurf).collect()
}

/// The name of a system's tree.
fn name(system: System) -> &'static str {
    match system {
        System::Linux => "linux",
        System::Mac => "macos",
        System::Windows => "windows",
    }
}

/// Where packages put the programs.
fn usual(system: System) -> &'static str {
    match system {
        System::Linux => "/usr/bin",
        System::Mac => "/usr/local/bin",
        System::Windows => r"C:\Program Files\policy-hooks\bin",
    }
}

fn join(folder: &str, hook: &str, system: System) -> String {
    let folder = folder.trim_end_matches(['/', '\\']);
    match system {
        System::Windows => format!(r"{folder}\{hook}.exe"),
        System::Linux | System::Mac => format!("{folder}/{hook}"),
    }
}

/// The path of an installed program that only root can change.
fn safe_path(hook: &str) -> Result<String, Fault> {
    let missing = || {
        Fault::usage(format!("{hook} is not installed here."), "Install it, or say where it is with --bin.")
    };
    let path = lasting_path(hook).ok_or_else(missing)?;
    if let Some(weak) = weak_part(&path) {
        return Err(Fault::usage(
            format!("A normal user could replace {hook}: {} is not root's alone.", weak.display()),
            "Install the programs as root, such as into /usr/local/bin, or say where they are with --bin.",
        ));
    }
    path.into_os_string().into_string().map_err(|_| missing())
}

/// The file or folder by which someone other than root could put another program in its place.
#[cfg(unix)]
pub(crate) fn weak_part(path: &Path) -> Option<PathBuf> {
    use std::os::unix::fs::MetadataExt as _;
    let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // By the name that is written, and by what it leads to.
    let parts = path.ancestors().chain(real.ancestors()).map(Path::to_owned).collect::<Vec<_>>();
    parts.into_iter().find(|part| {
        // A link has every bit set, and only its folder decides.
        let Ok(data) = fs::symlink_metadata(part) else { return true };
        data.uid() != 0 || !data.is_symlink() && data.mode() & 0o022 != 0
    })
}

/// Elsewhere the file's rights are not ours to judge.
#[cfg(not(unix))]
pub(crate) fn weak_part(_: &Path) -> Option<PathBuf> {
    let _ = fs::exists("/");
    None
}
