//! What is to be installed, for which hosts, and whose: as the arguments say, or as it is found here.

use std::fmt::Write as _;

use host::installed::command::call;
use host::place::Scope;
use host::{Product, Request, select};
use payload::EventKind;
use policy::layers::{self, Places};

use super::form::Form;
use super::shipped::{self, Shipped};
use super::trial;
use store::settings::nearest;

use crate::command_line::{InitOptions, Preset, Programs};
use crate::fault::Fault;
use crate::paint::{Tone, columns, paint, width, wrapped};
use crate::project::Project;

/// The programs that decide; one of them is enough.
const DECIDERS: [&str; 2] = ["command-blocker", "approval-gate"];

/// What is to be installed.
pub(super) struct Choice {
    pub(super) hosts: Vec<Product>,
    pub(super) hooks: Vec<&'static str>,
    /// Whether the user's own settings are meant.
    pub(super) user: bool,
    /// Whether the hosts are those that were found, as none was named.
    pub(super) is_found: bool,
    pub(super) preset: Option<Preset>,
    pub(super) programs: Programs,
    pub(super) form: Form,
    /// What was left out, and why.
    pub(super) remarks: Vec<String>,
    decider: &'static str,
}

impl Preset {
    pub(crate) const ALL: [Self; 3] = [Self::Guard, Self::Team, Self::Audit];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Guard => "guard",
            Self::Team => "team",
            Self::Audit => "audit",
        }
    }

    /// What it is for.
    fn purpose(self) -> &'static str {
        match self {
            Self::Guard => "denies what destroys work",
            Self::Team => "guard, context, formatter, check at stop",
            Self::Audit => "guard, and a record of everything",
        }
    }

    /// Its hooks, with this one to decide.
    pub(super) fn hooks(self, decider: &'static str) -> Vec<&'static str> {
        let more: &[&str] = match self {
            Self::Guard => &[],
            Self::Team => &["context-injector", "formatter-trigger", "stop-guard"],
            Self::Audit => &["audit-logger"],
        };
        [&[decider], more].concat()
    }
}

impl Choice {
    /// By the arguments.
    ///
    /// # Errors
    ///
    /// When they do not go together, or nothing of it can be installed here.
    pub(super) fn of(options: &InitOptions, project: &Project) -> Result<Self, Fault> {
        let is_found = options.host.is_empty();
        // Whoever names neither hosts nor a project wants to be protected everywhere.
        let user = options.user || is_found && options.project.is_none();
        let scope = if user { Scope::User } else { Scope::Project };
        let hosts = if is_found { found(options, project, scope)? } else { options.host.clone() };
        if let Some(host) = hosts.iter().find(|host| user && host.place(Scope::User).is_none()) {
            return Err(Fault::usage(
                format!("The {} reads hooks of repositories only. Nothing was done.", host.title),
                format!("Omit --user for --host {host}, and commit what is written."),
            ));
        }
        // A project's files go to other machines, where the programs lie elsewhere.
        let programs = options.programs.unwrap_or(if user { Programs::Path } else { Programs::Name });
        let by_preset = is_found && options.hook.is_empty() && !options.remove;
        let preset = options.preset.or(by_preset.then_some(Preset::Guard));
        let mut choice = Self {
            decider: decider(options, project, &hosts),
            hosts,
            hooks: Vec::new(),
            user,
            is_found,
            preset,
            programs,
            form: Form::of(programs, &[]).0,
            remarks: Vec::new(),
        };
        let hooks = match preset {
            Some(preset) => preset.hooks(choice.decider),
            None => named(options, choice.decider)?,
        };
        // A hook that was named has to be there; of all that are shipped, those that are here are better than none.
        if options.remove || options.force {
            choice.form = Form::of(programs, &hooks).0;
            choice.hooks = hooks;
        } else {
            choice.fill(hooks, !options.hook.is_empty())?;
        }
        Ok(choice)
    }

    /// Whether one of the hooks decides about calls.
    pub(super) fn decides(&self) -> bool {
        self.hooks.iter().any(|hook| DECIDERS.contains(hook))
    }

    /// Another preset.
    pub(super) fn take(&mut self, preset: Preset) -> Result<(), Fault> {
        self.preset = Some(preset);
        self.remarks.clear();
        let hooks = preset.hooks(self.decider);
        self.fill(hooks, false)
    }

    /// These hooks, but for those whose program is not here.
    fn fill(&mut self, hooks: Vec<&'static str>, is_strict: bool) -> Result<(), Fault> {
        let (_, missing) = Form::of(self.programs, &hooks);
        // A hook whose program is missing makes some hosts deny every call.
        let is_left: Vec<&str> = hooks.iter().copied().filter(|hook| !missing.contains(hook)).collect();
        let decides = |hooks: &[&str]| hooks.iter().any(|hook| DECIDERS.contains(hook));
        let unguarded = decides(&hooks) && !decides(&is_left);
        if !missing.is_empty() && (is_strict || is_left.is_empty() || unguarded) {
            return Err(not_there(self.programs, &missing, &self.hosts));
        }
        if !missing.is_empty() {
            let is = if missing.len() == 1 { "is" } else { "are" };
            self.remarks.push(format!("{} {is} left out: not installed here.", missing.join(", ")));
        }
        self.hooks = hooks.into_iter().filter(|hook| !missing.contains(hook)).collect();
        self.form = Form::of(self.programs, &self.hooks).0;
        Ok(())
    }

    /// What was found, and what else could be chosen; nothing where the arguments say it.
    pub(super) fn heading(&self) -> String {
        let Some(preset) = self.preset.filter(|_| self.is_found) else { return String::new() };
        let titles: Vec<&str> = self.hosts.iter().map(|host| host.title).collect();
        let mut text = wrapped(&format!("Found: {}", titles.join(", ")), width());
        let time = trial::start_time(self.decider)
            .map_or_else(String::new, |time| format!(" ({} ms each here)", time.as_millis().max(1)));
        let _ = writeln!(text, "Presets, and the programs that a shell call then starts{time}:");
        let rows: Vec<Vec<(Tone, String)>> = Preset::ALL
            .into_iter()
            .map(|other| {
                let (mark, tone) = if other == preset { ("*", Tone::Strong) } else { (" ", Tone::Plain) };
                let count = self.hosts.iter().map(|host| calls(*host, &other.hooks(self.decider))).max();
                vec![
                    (tone, format!("{mark} {}", other.name())),
                    (Tone::Plain, other.purpose().to_owned()),
                    (Tone::Quiet, count.unwrap_or(0).to_string()),
                ]
            })
            .collect();
        text += &columns(&rows, "");
        let scope = if self.user { "in every project" } else { "in this project" };
        let line = format!("{} for you, {scope}; {} decides:", preset.name(), self.decider);
        let line = if self.user { line } else { line.replace(" for you", "") };
        let _ = writeln!(text, "\n{}", paint(Tone::Strong, line));
        text
    }
}

/// How many of these hooks a shell call starts, before and after it.
fn calls(product: Product, hooks: &[&str]) -> usize {
    let all = Shipped::of(product).hooks(product, hooks);
    let of = |kind| select(product, &all, &Request::shell(kind, product, "true", "/")).len();
    of(EventKind::PreToolUse) + of(EventKind::PostToolUse)
}

/// The hosts that are here.
fn found(options: &InitOptions, project: &Project, scope: Scope) -> Result<Vec<Product>, Fault> {
    let folders = &project.folders;
    let here = |product: &Product| {
        // What was installed for a host that is gone is to be removed all the same.
        product.is_here() && product.place(scope).is_some() && (options.remove || product.is_found(folders))
    };
    let hosts: Vec<Product> = Product::ALL.into_iter().filter(here).collect();
    if hosts.is_empty() {
        return Err(Fault::usage(
            "No host was found here.",
            "Install one first, or name it with --host: see `hook-runner init --help`.",
        ));
    }
    Ok(hosts)
}

/// The hooks that are meant: those that are named, or all that are shipped, with one program that decides.
pub(super) fn named(options: &InitOptions, decider: &str) -> Result<Vec<&'static str>, Fault> {
    let known = shipped::hooks();
    let Some(unknown) = options.hook.iter().find(|name| !known.contains(&name.as_str())) else {
        let is_meant = |name: &&'static str| {
            if options.hook.is_empty() {
                // Both would say the same twice; what is removed may be either.
                options.remove || *name == decider || !DECIDERS.contains(name)
            } else {
                options.hook.iter().any(|hook| hook == name)
            }
        };
        return Ok(known.into_iter().filter(is_meant).collect());
    };
    Err(Fault::usage(
        format!("Unknown hook `{unknown}`."),
        match nearest(unknown, known.iter().copied()) {
            Some(meant) => format!("Did you mean {meant}?"),
            None => format!("Available hooks: {}.", known.join(", ")),
        },
    ))
}

/// Who decides: as it is said, as it is installed, or by whether there is a policy that only one of them reads.
pub(super) fn decider(options: &InitOptions, project: &Project, hosts: &[Product]) -> &'static str {
    let known = |name: &str| DECIDERS.iter().copied().find(|known| *known == name);
    if let Some(name) = options.decider.as_deref().and_then(known) {
        return name;
    }
    let installed = hosts.iter().flat_map(|host| project.load(*host).hooks()).find_map(|hook| {
        let mine = hook.origin.scope == Scope::User;
        call(&hook.action.describe()).filter(|_| mine).and_then(|call| known(call.program))
    });
    let home = project.folders.home.to_str();
    let has_policy = || !layers::find(&Places::here(home), home, project.root.to_str()).is_empty();
    installed.unwrap_or_else(|| DECIDERS[usize::from(has_policy())])
}

/// A configuration whose program is missing is worse than none.
fn not_there(programs: Programs, missing: &[&str], hosts: &[Product]) -> Fault {
    let place = match programs {
        Programs::Path => "neither next to hook-runner nor on the PATH",
        Programs::Name => "not on the PATH",
    };
    let (is, it) = if missing.len() == 1 { ("is", "it") } else { ("are", "them") };
    Fault::usage(
        format!("{} {is} {place}. Without {it}, {}.", missing.join(", "), Product::without_program(hosts)),
        "Install what is missing first, choose with --hook, or add --force if it will be there.",
    )
}
