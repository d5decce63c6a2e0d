//! `doctor`: which hosts are here, what each would load, what switches hooks off, and whether every hook works.

mod managed;
pub(crate) mod path;
mod verdict;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use host::installed::trusted::Drift;
use host::load::Loaded;
use host::place::Scope;
use host::process::{Processes, Spec};
use host::record::{Patience, Quirk};
use host::{Execute, Hook, Product, Request, Scene, Setting, Severity, Weight};
use payload::model::Ended;
use serde_json::{Value, json};

use crate::Done;
use crate::command_line::{Common, DoctorOptions, InitOptions, Programs};
use crate::fault::Exit;
use crate::init::{Documented, documented, init};
use crate::own_settings::{self, Looked};
use crate::paint::{Screen, Tone, columns, one_line, paint, problem};
use crate::policy::standing::Bundled;
use crate::project::Project;
use crate::run::processes;
use crate::trust;

/// How long a program may take to say its version.
const VERSION_LIMIT: Duration = Duration::from_secs(5);

struct Examined {
    product: Product,
    /// Where the host's program is, and its version.
    program: Option<(String, String)>,
    loaded: Loaded,
    fired: Vec<Tried>,
}

/// One hook that was called once.
struct Tried {
    hook: Hook,
    /// How it went; `None` when no one said that the hook may run.
    went: Option<Went>,
}

pub(crate) struct Went {
    ended: Ended,
    pub(crate) time: Duration,
    problems: Vec<host::Problem>,
    /// Whether the program was only found with the terminal's `PATH`, which a host has that was started there.
    only_here: bool,
}

/// Everything that was found out.
struct Report<'a> {
    project: &'a Project,
    examined: &'a [Examined],
    /// Our own programs: name, and place and version.
    programs: &'a [(&'static str, Option<(String, String)>)],
    /// Why trust cannot be remembered.
    state: Option<&'a String>,
    drift: Option<&'a Drift>,
    looked: &'a Looked,
    /// Hosts that are known by their documentation alone.
    documented: &'a [Documented],
    /// The bundle of policies, and what came of the last pull.
    bundle: &'a Bundled,
}

/// `hook-runner doctor`.
pub(crate) fn doctor(options: &DoctorOptions, screen: &Screen) -> Done {
    let project = Project::around(options.common.project.as_deref())?;
    let hosts = if options.host.is_empty() { Product::ALL.to_vec() } else { options.host.clone() };
    let processes = processes();
    // Hooks are run one after the other, as slow as they are: something has to move on the screen meanwhile.
    let examined: Vec<Examined> = screen::each("examining the hosts", &hosts, |product| {
        examine(*product, &project, options, &processes)
    });
    let programs = programs(&processes, &project);
    let state = trust::folder_is_writable();
    let drift = trust::differs(&project);
    let own = own_settings::look(&project);
    let documented = if options.host.is_empty() { documented(&project.folders.root) } else { Vec::new() };
    let bundle = Bundled::here();
    let bad = state.is_err()
        || bundle.is_bad()
        || !own.mistakes.is_empty()
        || drift.is_some()
        || documented.iter().any(managed::is_bad)
        || examined.iter().any(Examined::is_bad);
    let report = Report {
        project: &project,
        examined: &examined,
        programs: &programs,
        state: state.as_ref().err(),
        drift: drift.as_ref(),
        looked: &own,
        documented: &documented,
        bundle: &bundle,
    };
    let text = if options.common.json {
        json_text(&report)
    } else {
        human(&report)
            + &own.human(&project)
            + &bundled(&bundle)
            + &drifted(&project, report.drift)
            + &verdict::line(&report)
    };
    screen.say(&text)?;
    if options.fix {
        return fix(&examined, bad, screen);
    }
    Ok(Exit::found(bad))
}

/// Offers what mends hooks that do not start, or are not there at all: `init` shows it and asks.
fn fix(examined: &[Examined], bad: bool, screen: &Screen) -> Done {
    let lost = |tried: &Tried| tried.went.as_ref().is_some_and(|went| went.is_missing() || went.only_here);
    let host = examined
        .iter()
        .filter(|host| host.product.place(Scope::User).is_some() && host.fired.iter().any(lost))
        .map(|host| host.product)
        .collect::<Vec<_>>();
    if examined.iter().all(|host| host.fired.is_empty()) {
        return init(&InitOptions::default(), screen);
    }
    if host.is_empty() {
        if bad {
            screen.say("Nothing of this can be fixed from here: each line says what is left to do.\n")?;
        }
        return Ok(Exit::found(bad));
    }
    screen.say("\nIn your own settings, with absolute paths:\n")?;
    init(&InitOptions { host, user: true, programs: Some(Programs::Path), ..InitOptions::default() }, screen)
}

fn examine(product: Product, project: &Project, options: &DoctorOptions, processes: &Processes) -> Examined {
    let loaded = project.load(product);
    let Common { headless, gated, .. } = options.common;
    // Modes are words of one host.
    let scene = Scene { headless, gated, mode: None };
    let setting = Setting { product, scene, project: &project.root };
    let hooks = loaded.hooks();
    // A login shell may take long: it is only asked where there is something to start.
    let by = if hooks.is_empty() {
        path::Started::here(processes)
    } else {
        path::Started::by(product, processes, &project.folders.home)
    };
    let here = path::Started::here(processes);
    let fired = hooks
        .into_iter()
        .map(|hook| {
            let may = options.common.trust || trust::may_run(&hook, project);
            let went = may.then(|| {
                let went = try_once(&hook, &setting, &by);
                // It works as the host starts it; else a terminal's PATH may be what it needs.
                if !went.is_missing() {
                    return went;
                }
                let again = try_once(&hook, &setting, &here);
                if again.is_missing() { went } else { Went { only_here: true, ..again } }
            });
            Tried { hook, went }
        })
        .collect();
    let program = product.program.and_then(|name| version(name, processes, project));
    processes.tidy();
    Examined { product, program, loaded, fired }
}

/// Calls one hook with a payload of its event.
pub(crate) fn try_once(hook: &Hook, setting: &Setting<'_>, execute: &dyn Execute) -> Went {
    let cwd = setting.project.display().to_string();
    // An event of some tools only is about the first of them: Cursor's `beforeReadFile`.
    let tools = setting.product.written.of_tools.iter().find(|(key, _)| *key == hook.key);
    // One of no tool by name is about those that others do not name: servers' tools.
    let first = |tools: &[&str]| {
        tools.first().map_or("mcp__example__read".to_owned(), |tool| tool.replace('*', "example"))
    };
    let tool = tools.map(|(_, tools)| first(tools));
    let shell = Request::shell(hook.kind, setting.product, "git status", &cwd);
    let request = match tool {
        Some(tool) if !shell.names(setting.product).contains(&tool) => {
            let file = setting.project.join("README.md").display().to_string();
            Request::tool(hook.kind, &tool, serde_json::json!({ "file_path": file }), &cwd)
        }
        _ if hook.kind.is_about_tool() => shell,
        _ => Request::new(hook.kind, cwd),
    };
    // Alone, and whatever its matcher says: it is to be seen whether it works.
    let alone = [Hook { matcher: host::matcher::Matcher::All, condition: None, ..hook.clone() }];
    let fired = host::fire(setting, &alone, &request, execute);
    let Some(ran) = fired.ran.into_iter().next() else {
        let (ended, time) = (Ended::NotStarted, Duration::ZERO);
        return Went { ended, time, problems: Vec::new(), only_here: false };
    };
    Went { ended: ran.finished.ended, time: ran.finished.time, problems: ran.problems, only_here: false }
}

impl Went {
    /// Whether a shell did not find the program.
    fn is_missing(&self) -> bool {
        // A shell's codes for what it cannot run or find.
        matches!(self.ended, Ended::NotStarted | Ended::Exited(126 | 127))
    }

    /// Whether it is not to be relied on: it failed, or works only where a terminal's `PATH` leads.
    pub(crate) fn is_bad(&self, product: Product) -> bool {
        let error = |problem: &host::Problem| problem.severity == Severity::Error;
        self.problems.iter().any(error)
            || self.is_missing()
            || self.only_here && product.has(Quirk::OnDesktop)
    }
}

/// Where a program is, and what it says to `--version`.
fn version(name: &str, processes: &Processes, project: &Project) -> Option<(String, String)> {
    let path = host::installed::find(name)?;
    // A program that the project brings along is not to be started.
    if path.canonicalize().is_ok_and(|path| path.starts_with(&project.root)) {
        return None;
    }
    let said = said_version(&path, processes, &project.folders.home);
    Some((path.display().to_string(), said))
}

pub(crate) fn said_version(path: &Path, processes: &Processes, folder: &Path) -> String {
    let spec = Spec {
        program: path.into(),
        arguments: vec!["--version".into()],
        folder: if folder.is_dir() { folder.to_owned() } else { "/".into() },
        unset: Vec::new(),
        env: Vec::new(),
        limit: VERSION_LIMIT,
        patience: Patience::ForTheProcess,
    };
    let said = processes.run(&spec, b"").stdout;
    one_line(said.lines().next().unwrap_or_default().trim())
}

/// Our own programs: name, and place and version.
fn programs(processes: &Processes, project: &Project) -> Vec<(&'static str, Option<(String, String)>)> {
    host::installed::PROGRAMS.iter().map(|name| (*name, version(name, processes, project))).collect()
}

impl Examined {
    /// Whether neither the host nor hooks for it are here.
    fn is_away(&self) -> bool {
        self.program.is_none() && self.loaded.files.is_empty()
    }

    fn is_bad(&self) -> bool {
        managed::is_off(&self.loaded)
            || managed::is_weak(&self.loaded)
            || self.loaded.files.iter().any(|file| file.reading.dropped || file.text.is_err())
            // What is only worth knowing does not make a host bad.
            || self.loaded.remarks.iter().any(|remark| remark.weight > Weight::Known)
            || self.fired.iter().filter_map(|tried| tried.went.as_ref()).any(|went| went.is_bad(self.product))
    }
}

fn human(report: &Report<'_>) -> String {
    let Report { project, examined, programs, state, .. } = *report;
    let mut text = format!("{} {}\n", paint(Tone::Strong, "hook-runner"), program::VERSION);
    let rows: Vec<Vec<(Tone, String)>> = programs
        .iter()
        .map(|(name, found)| match found {
            Some((path, version)) => {
                vec![
                    (Tone::Name, (*name).to_owned()),
                    (Tone::Plain, path.clone()),
                    (Tone::Quiet, version.clone()),
                ]
            }
            None => vec![(Tone::Name, (*name).to_owned()), (Tone::Quiet, "not installed".to_owned())],
        })
        .collect();
    text += &columns(&rows, "  ");
    if let Some(why) = state {
        let _ = writeln!(text, "  {} trust cannot be recorded: {why}", paint(Tone::Warn, "warning:"));
    }
    // Hosts that are not here are named once, at the end: most people have two or three of them.
    let (away, here): (Vec<&Examined>, Vec<&Examined>) = examined.iter().partition(|host| host.is_away());
    for host in &here {
        text += &host.human(project);
    }
    text += &managed::documented(report.documented);
    if !away.is_empty() {
        let titles: Vec<&str> = away.iter().map(|host| host.product.title).collect();
        let line = format!("not found here, and without hooks: {}", titles.join(", "));
        let _ = writeln!(text, "\n{}", paint(Tone::Quiet, line));
    }
    text
}

/// The bundle of policies, where this machine has one.
fn bundled(bundle: &Bundled) -> String {
    if !bundle.is_any() {
        return String::new();
    }
    let mut text = format!("\n{}  {}\n", paint(Tone::Strong, "bundle of policies"), one_line(&bundle.line()));
    for trouble in bundle.troubles() {
        let _ = writeln!(text, "  {}", paint(Tone::Bad, one_line(&trouble)));
    }
    text
}

/// What is not as the user trusted it.
fn drifted(project: &Project, drift: Option<&Drift>) -> String {
    let Some(drift) = drift else { return String::new() };
    let head = paint(Tone::Bad, "not as you trusted it");
    let mut text = format!("\n{head} (`hook-runner trust` shows all of it and accepts it)\n");
    let kinds =
        [("new hooks", &drift.unknown), ("changed", &drift.files.changed), ("gone", &drift.files.gone)];
    for (what, paths) in kinds {
        for path in paths {
            let _ = writeln!(text, "  {what}: {}", one_line(&project.short(path)));
        }
    }
    if drift.hooks_gone > 0 {
        let _ = writeln!(text, "  trusted hooks that run something else or are gone: {}", drift.hooks_gone);
    }
    text
}

impl Examined {
    fn human(&self, project: &Project) -> String {
        let mut text = format!("\n{}", paint(Tone::Strong, self.product.title));
        let known = self.product.version;
        let program = match &self.program {
            Some((path, version)) if version.is_empty() => {
                vec![(Tone::Plain, path.clone()), (Tone::Warn, "its version could not be read".to_owned())]
            }
            Some((path, version)) => vec![(Tone::Plain, path.clone()), (Tone::Plain, version.clone())],
            None => vec![(Tone::Quiet, "not found here".to_owned())],
        };
        text += &columns(&[program], "  ");
        let _ = writeln!(text, "  {}", paint(Tone::Quiet, format!("behaviour known for {known}")));
        if let Some(why) = &self.loaded.switched_off {
            let (tone, whose) = if managed::is_off(&self.loaded) {
                (Tone::Bad, "hooks are")
            } else {
                (Tone::Warn, "hooks of users and projects are")
            };
            let _ = writeln!(text, "  {}", paint(tone, format!("{whose} switched off by {why}")));
        }
        if let Some(line) = managed::line(&self.loaded, project) {
            let _ = writeln!(text, "  {line}");
        }
        for remark in &self.loaded.remarks {
            // What keeps hooks from running stands out; the rest is only worth knowing.
            let tone = if remark.weight > Weight::Known { Tone::Warn } else { Tone::Quiet };
            let file = remark.at.as_ref().map_or_else(String::new, |(path, _)| project.short(path) + ": ");
            let _ = writeln!(text, "  {}", paint(tone, one_line(&(file + &remark.text))));
        }
        let rows: Vec<Vec<(Tone, String)>> = self
            .loaded
            .files
            .iter()
            .enumerate()
            .map(|(index, file)| {
                let (tone, state) = match (&file.text, file.reading.dropped, file.reading.hooks.len()) {
                    (Err(why), ..) => (Tone::Bad, format!("cannot be read: {why}")),
                    (_, true, _) => (Tone::Bad, "dropped: none of its hooks runs".to_owned()),
                    (_, _, 0) => (Tone::Quiet, "no hooks".to_owned()),
                    (_, _, 1) => (Tone::Good, "1 hook".to_owned()),
                    (_, _, count) => (Tone::Good, format!("{count} hooks")),
                };
                vec![
                    (Tone::Quiet, format!("{}.", index + 1)),
                    (Tone::Name, project.short(&file.path)),
                    (Tone::Quiet, file.place.scope.as_str().to_owned()),
                    (tone, state),
                ]
            })
            .collect();
        if rows.is_empty() {
            let _ = writeln!(text, "  {}", paint(Tone::Quiet, "no hook files"));
        }
        text += &columns(&rows, "  ");
        // The first mistake is why the host drops the file; `check` shows them all.
        for file in self.loaded.files.iter().filter(|file| file.reading.dropped) {
            let Ok(source) = &file.text else { continue };
            let error = |problem: &&host::Problem| problem.severity == Severity::Error;
            if let Some(found) = file.reading.problems.iter().find(error) {
                let (line, column) = host::tree::position(source, found.span.start);
                let place = format!("{}:{line}:{column}", project.short(&file.path));
                let _ = writeln!(text, "     {}", paint(Tone::Name, place));
                text += &problem(found, "     ");
            }
        }
        let tried: Vec<Vec<(Tone, String)>> = self.fired.iter().map(Tried::row).collect();
        text += &columns(&tried, "     ");
        for went in self.fired.iter().filter_map(|tried| tried.went.as_ref()) {
            for found in &went.problems {
                text += &problem(found, "       ");
            }
        }
        text
    }
}

impl Tried {
    fn row(&self) -> Vec<(Tone, String)> {
        let mut row =
            vec![(Tone::Plain, self.hook.key.clone()), (Tone::Plain, one_line(&self.hook.action.describe()))];
        match &self.went {
            None => {
                row.push((Tone::Warn, "not tried: not trusted (--trust, or `hook-runner trust`)".to_owned()));
            }
            Some(went) => {
                let (tone, word) = match went.ended {
                    Ended::Exited(0) => (Tone::Good, "works".to_owned()),
                    Ended::Exited(code) => (Tone::Warn, format!("exit {code}")),
                    Ended::Signalled => (Tone::Bad, "killed".to_owned()),
                    Ended::TimedOut => (Tone::Bad, "too late".to_owned()),
                    Ended::NotStarted => (Tone::Bad, "does not start".to_owned()),
                };
                let (tone, word) = if went.only_here {
                    (Tone::Warn, format!("{word}, but only from a terminal: not on the host's PATH"))
                } else {
                    (tone, word)
                };
                row.push((tone, word));
                row.push((Tone::Quiet, format!("{} ms", went.time.as_millis())));
            }
        }
        row
    }
}

fn json_text(report: &Report<'_>) -> String {
    let Report { project, examined, programs, state, drift, looked, documented, bundle } = *report;
    let paths = |paths: &[PathBuf]| -> Vec<String> { paths.iter().map(|path| project.short(path)).collect() };
    let drift = drift.map(|drift| {
        json!({
            "unknown": paths(&drift.unknown),
            "changed": paths(&drift.files.changed),
            "gone": paths(&drift.files.gone),
            "hooks_gone": drift.hooks_gone,
        })
    });
    let place = |found: &Option<(String, String)>| {
        found.as_ref().map(|(path, version)| json!({"path": path, "version": version}))
    };
    let hosts: Vec<Value> = examined
        .iter()
        .map(|host| {
            let files: Vec<Value> = host
                .loaded
                .files
                .iter()
                .map(|file| {
                    json!({
                        "file": project.short(&file.path),
                        "scope": file.place.scope.as_str(),
                        "source": file.place.source,
                        "hooks": file.reading.hooks.len(),
                        "dropped": file.reading.dropped,
                    })
                })
                .collect();
            let remarks: Vec<Value> = host
                .loaded
                .remarks
                .iter()
                .map(|remark| json!({"text": remark.text, "bad": remark.weight > Weight::Known}))
                .collect();
            let hooks: Vec<Value> = host.fired.iter().map(Tried::json).collect();
            json!({
                "host": host.product.name,
                "known_version": host.product.version,
                "program": place(&host.program),
                "switched_off": host.loaded.switched_off,
                "managed": managed::report(&host.loaded, project),
                "files": files,
                "settings": remarks,
                "hooks": hooks,
                "bad": host.is_bad(),
            })
        })
        .collect();
    let own: Vec<Value> =
        programs.iter().map(|(name, found)| json!({"name": name, "found": place(found)})).collect();
    let report = json!({
        "version": 1,
        "hook_runner": env!("CARGO_PKG_VERSION"),
        "programs": own,
        "trust_error": state,
        "drift": drift,
        "mistakes": looked.json(project),
        "hosts": hosts,
        "documented": managed::documented_report(documented),
        "bundle": bundle.json(),
    });
    format!("{report:#}\n")
}

impl Tried {
    fn json(&self) -> Value {
        let (ended, ms, problems) = match &self.went {
            None => ("not trusted", 0, Vec::new()),
            Some(went) => {
                let ended = match went.ended {
                    _ if went.only_here => "only from a terminal",
                    Ended::Exited(0) => "works",
                    Ended::Exited(_) => "failed",
                    Ended::Signalled => "killed",
                    Ended::TimedOut => "timeout",
                    Ended::NotStarted => "missing",
                };
                let codes: Vec<&str> = went.problems.iter().map(|problem| problem.code.as_str()).collect();
                (ended, went.time.as_millis(), codes)
            }
        };
        json!({
            "event": self.hook.key,
            "run": self.hook.action.describe(),
            "went": ended,
            "ms": u64::try_from(ms).unwrap_or(u64::MAX),
            "problems": problems,
        })
    }
}
