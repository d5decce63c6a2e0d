//! `explain`: what our hooks say about one command, on one host or all.

use std::path::{Path, PathBuf};
use std::time::Duration;

use host::matcher::Matcher;
use host::place::Scope;
use host::process::{Processes, Spec};
use host::product::Patience;
use host::{Action, Fired, Hook, Origin, Product, Request, Setting, fire};
use payload::EventKind;
use serde_json::{Value, json};

use crate::Done;
use crate::command_line::ExplainOptions;
use crate::fault::{Exit, Fault};
use crate::paint::{Screen, Tone, block, columns, one_line, paint};
use crate::project::Project;
use crate::run::{effect_word, processes, scene};

/// Our programs that decide about commands, in the order in which they are asked.
const DECIDING: &[&str] = &["command-blocker", "approval-gate"];

/// `hook-runner explain`.
pub(crate) fn explain(options: &ExplainOptions, screen: &Screen) -> Done {
    let project = Project::around(options.common.project.as_deref())?;
    let programs: Vec<(&str, PathBuf)> =
        DECIDING.iter().filter_map(|name| Some((*name, ours::find(name)?))).collect();
    if programs.is_empty() {
        return Err(Fault::usage(
            format!("Neither {} is here.", DECIDING.join(" nor ")),
            "Install one beside this program, or on the PATH.",
        ));
    }
    let hosts = if options.host.is_empty() { Product::ALL.to_vec() } else { options.host.clone() };
    let processes = processes();
    let mut rows = Vec::new();
    let mut reports = Vec::new();
    let mut held = false;
    let mut details: Vec<String> = Vec::new();
    for product in hosts {
        let hooks = hooks(product, &programs);
        let cwd = project.root.display().to_string();
        let request = Request::shell(EventKind::PreToolUse, product, &options.command, &cwd);
        let setting = Setting { product, scene: scene(&options.common), project: &project.root };
        let fired = fire(&setting, &hooks, &request, &processes);
        held |= fired.upshot.then.holds_back();
        rows.push(row(product, &fired));
        details.extend(fired.ran.iter().filter_map(|ran| ran.outcome.reason.clone()));
        reports.push(report(product, &fired));
    }
    details.sort();
    details.dedup();
    let inside = programs
        .iter()
        .find(|(name, _)| *name == "command-blocker")
        .map(|(_, path)| inside(path, options, &project, &processes));
    let text = if options.common.json {
        let inside: Value = inside.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        let report =
            json!({"version": 1, "command": options.command, "hosts": reports, "command_blocker": inside});
        format!("{report:#}\n")
    } else {
        let mut text = paint(Tone::Strong, one_line(&options.command)) + "\n";
        text += &columns(&rows, "  ");
        for detail in details {
            text += &block(&detail, "  ", 8);
        }
        text += &inside.map(|inside| format!("\n{}", block(&inside, "", 200))).unwrap_or_default();
        text
    };
    screen.say(&text)?;
    Ok(Exit::found(held))
}

/// Our programs as hooks of the user, without a shell between.
fn hooks(product: Product, programs: &[(&str, PathBuf)]) -> Vec<Hook> {
    let key = host::request::event_name(product, EventKind::PreToolUse);
    let one = |(name, path): &(&str, PathBuf)| Hook {
        origin: Origin { file: PathBuf::from(name), scope: Scope::User, ..Origin::default() },
        key: key.to_owned(),
        kind: EventKind::PreToolUse,
        dialect: host::event::dialect(product, EventKind::PreToolUse, false),
        matcher: Matcher::All,
        condition: None,
        action: Action::Program(path.display().to_string(), Vec::new()),
        limit: Duration::from_secs(10),
        folder: None,
        env: Vec::new(),
        blocks_on_failure: false,
        detached: false,
        in_turn: false,
    };
    programs.iter().map(one).collect()
}

fn row(product: Product, fired: &Fired<'_>) -> Vec<(Tone, String)> {
    let then = fired.upshot.then;
    let tone = if then.holds_back() { Tone::Bad } else { Tone::Good };
    let said: Vec<String> = fired
        .ran
        .iter()
        .map(|ran| format!("{}: {}", ran.hook.origin.file.display(), effect_word(ran.outcome.effect).0))
        .collect();
    vec![
        (Tone::Name, product.title().to_owned()),
        (tone, then.sentence().to_owned()),
        (Tone::Quiet, said.join(", ")),
    ]
}

fn report(product: Product, fired: &Fired<'_>) -> Value {
    let hooks: Vec<Value> = fired
        .ran
        .iter()
        .map(|ran| {
            json!({
                "hook": ran.hook.origin.file.display().to_string(),
                "effect": effect_word(ran.outcome.effect).0,
                "reason": ran.outcome.reason,
            })
        })
        .collect();
    json!({"host": product.as_str(), "then": fired.upshot.then.as_str(), "hooks": hooks})
}

/// What the blocker itself says about the command: what would run, and which rules match.
fn inside(program: &Path, options: &ExplainOptions, project: &Project, processes: &Processes) -> String {
    let mut arguments = vec!["explain".into(), "--cwd".into(), project.root.clone().into_os_string()];
    if options.common.json {
        arguments.push("--json".into());
    }
    // A command may begin with a dash.
    arguments.extend(["--".into(), options.command.clone().into()]);
    let spec = Spec {
        program: program.into(),
        arguments,
        folder: project.root.clone(),
        unset: Vec::new(),
        env: Vec::new(),
        limit: Duration::from_secs(10),
        patience: Patience::ForItsOutput,
    };
    processes.run(&spec, b"").stdout
}
