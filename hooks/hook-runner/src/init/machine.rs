//! `init --machine`: the files that an administrator writes for everyone on a machine, or for every machine of a company.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use host::installed::command::{Call, Quoting, call, lasting_path};
use host::managed::{Form, Managed};
use host::record::Quirk;
use host::tree::{self, Member, Node, Value};
use host::{Code, Problem, Product, System};

use super::change::Change;
use super::choice::{decider, named};
use super::shipped::{FLAT, Shipped, name_of};
use super::style::Style;
use super::{documented, merge, profile, requirements};
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
    let hooks = match options.preset {
        _ if options.remove => named(options)?,
        Some(preset) => preset.hooks(decider(options, &project, &[])),
        None if options.hook.is_empty() => Preset::Guard.hooks(decider(options, &project, &[])),
        None => named(options)?,
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
            plan.documented(&mut changes)?;
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
        // A drive is a folder of the tree.
        let inside = path.replace(":\\", "/").replace('\\', "/");
        self.root.join(inside.trim_start_matches('/'))
    }

    fn path_of(&self, program: &str) -> Option<&str> {
        self.paths.iter().find(|(name, _)| *name == program).map(|(_, path)| path.as_str())
    }

    fn host(&self, product: Product, managed: &Managed, changes: &mut Vec<Change>) -> Result<(), Fault> {
        let path = self.place(managed.path(self.system));
        let quoting = match self.system {
            System::Windows if !product.has(Quirk::SameShellOnWindows) => Quoting::PowerShell,
            _ => Quoting::Posix,
        };
        let command = |call: &Call| Some(Call::write(self.path_of(call.program)?, &call.rest, quoting));
        let shipped = match Shipped::of(product) {
            Shipped::Groups(files) => files,
            Shipped::Flat => &[],
        };
        match managed.form {
            Form::Folder => self.folder_of_files(&path, changes),
            Form::Settings => self.change(product, path, changes, |before| match before {
                Some(text) if self.remove => merge::without(text, self.hooks),
                None if self.remove => Ok(None),
                _ => merge::with(before, &merge::Wanted { shipped, hooks: self.hooks, command: &command }),
            }),
            Form::Requirements => self.change(product, path, changes, |before| {
                let trouble = |message| merge::Trouble { message, span: 0..0 };
                match before {
                    Some(text) if self.remove => Ok(requirements::without(text)),
                    None if self.remove => Ok(None),
                    _ => {
                        requirements::with(before, shipped, &self.folder, &command).map(Some).map_err(trouble)
                    }
                }
            }),
        }
    }

    /// Windsurf's file; one that others wrote is left alone, as nothing is known of how it joins hooks.
    fn documented(&self, changes: &mut Vec<Change>) -> Result<(), Fault> {
        let decides = |hook: &&&str| matches!(**hook, "command-blocker" | "approval-gate");
        let Some(hook) = self.hooks.iter().find(decides) else { return Ok(()) };
        let path = self.place(documented::path(self.system));
        let before = super::read(&path)?;
        if before.as_deref().is_some_and(|text| !documented::is_ours(text)) {
            return Ok(());
        }
        let after = self.path_of(hook).map(|program| documented::text(program, self.system));
        if after != before {
            changes.push(Change { path, before, after });
        }
        Ok(())
    }

    /// Claude Code's settings in the form of this system's device management.
    fn profiles(&self, changes: &mut Vec<Change>) -> Result<(), Fault> {
        let Some(managed) = Product::CLAUDE.managed else { return Ok(()) };
        let settings = self.place(managed.path(self.system));
        let written = changes.iter().find(|change| change.path == settings);
        let (name, after) = match (self.system, written.and_then(|change| change.after.as_deref())) {
            (System::Mac, Some(text)) => (profile::PROFILE, profile::profile(text)),
            (System::Windows, Some(text)) => (profile::REGISTRY, profile::registry(text)),
            _ => return Ok(()),
        };
        let path = self.root.join(name);
        let before = super::read(&path)?;
        if after != before {
            changes.push(Change { path, before, after });
        }
        Ok(())
    }

    fn change(
        &self,
        product: Product,
        path: PathBuf,
        changes: &mut Vec<Change>,
        edit: impl Fn(Option<&str>) -> Result<Option<String>, merge::Trouble>,
    ) -> Result<(), Fault> {
        let before = super::read(&path)?;
        let after = edit(before.as_deref()).map_err(|trouble| {
            let message = format!("This cannot be changed: {}.", trouble.message);
            let problem = Problem::new(Code::JsonShape, product, trouble.span, message, "Fix it by hand.");
            Fault::refused(self.project, &path, before.as_deref().unwrap_or_default(), &problem)
        })?;
        if after != before {
            changes.push(Change { path, before, after });
        }
        Ok(())
    }

    /// Files of our own, with programs instead of shell commands: no shell is asked what a path means.
    fn folder_of_files(&self, folder: &Path, changes: &mut Vec<Change>) -> Result<(), Fault> {
        for (name, shipped) in FLAT {
            if !self.hooks.contains(&name_of(name)) {
                continue;
            }
            let path = folder.join(name);
            let before = super::read(&path)?;
            let after = if self.remove { None } else { Some(self.as_programs(shipped)) };
            if before != after {
                changes.push(Change { path, before, after });
            }
        }
        Ok(())
    }

    /// A shipped file whose entries start programs.
    fn as_programs(&self, shipped: &str) -> String {
        let Ok(mut document) = tree::parse(shipped) else { return shipped.to_owned() };
        if let Value::Object(members) = &mut document.root.value {
            let hooks = members.iter_mut().filter(|member| member.key == "hooks");
            for entry in hooks.flat_map(|hooks| entries(&mut hooks.node)) {
                self.as_program(entry);
            }
        }
        Style::new_file().write(&document.root) + "\n"
    }

    fn as_program(&self, entry: &mut Node) {
        let Some(called) = entry.at("bash").and_then(Node::text).and_then(call) else { return };
        let Some(path) = self.path_of(called.program) else { return };
        let text = |text: &str| Node { span: 0..0, value: Value::Text(text.to_owned()) };
        let args: Vec<Node> = called.rest.split_whitespace().map(text).collect();
        let member = |key: &str, node| Member { key: key.to_owned(), key_span: 0..0, node };
        let args = Node { span: 0..0, value: Value::List(args) };
        let put = [member("exec", text(path)), member("args", args)];
        if let Value::Object(members) = &mut entry.value {
            let at = members.iter().position(|member| member.key == "bash").unwrap_or(0);
            members.retain(|member| !matches!(member.key.as_str(), "bash" | "powershell"));
            members.splice(at..at, put);
        }
    }
}

/// The entries of every event.
fn entries(events: &mut Node) -> Vec<&mut Node> {
    let Value::Object(events) = &mut events.value else { return Vec::new() };
    let lists = events.iter_mut().filter_map(|event| match &mut event.node.value {
        Value::List(list) => Some(list),
        _ => None,
    });
    lists.flatten().collect()
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
