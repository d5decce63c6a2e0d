//! `explain`: what our hooks say about one command, on one host or all.

use std::path::{Path, PathBuf};
use std::time::Duration;

use host::matcher::Matcher;
use host::place::Scope;
use host::process::{Processes, Spec};
use host::record::Patience;
use host::{Action, Fired, Hook, Origin, Product, Request, Setting, fire};
use payload::EventKind;
use serde_json::{Value, json};

use crate::Done;
use crate::command_line::ExplainOptions;
use crate::fault::{Exit, Fault};
use crate::paint::{Screen, Tone, block, columns, one_line, paint, width, wrapped};
use crate::project::Project;
use crate::run::{effect_word, processes, scene};

/// Our programs that decide about commands, in the order in which they are asked.
const DECIDING: &[&str] = &["command-blocker", "approval-gate"];

/// `hook-runner explain`.
pub(crate) fn explain(options: &ExplainOptions, screen: &Screen) -> Done {
    let project = Project::around(options.common.project.as_deref())?;
    let programs: Vec<(&str, PathBuf)> =
        DECIDING.iter().filter_map(|name| Some((*name, host::installed::find(name)?))).collect();
    // Without our programs there is nothing to explain; a report of "no opinion" would look like an all-clear.
    if programs.is_empty() {
        return Err(Fault::usage(
            format!("Neither {} was found.", DECIDING.join(" nor ")),
            "Install one next to this program, or on the PATH.",
        ));
    }
    // A host that few people have is explained to those who have it.
    let is_meant = |product: &Product| {
        !product.host.is_late() || product.is_found(&project.folders) || is_set_up(&project, *product)
    };
    let hosts = if options.host.is_empty() {
        Product::ALL.into_iter().filter(is_meant).collect()
    } else {
        options.host.clone()
    };
    // Marked as tried out: explaining a command leaves no record and offers no approval.
    let processes = processes();
    let mut rows = Vec::new();
    let mut reports = Vec::new();
    let mut held = false;
    let mut details: Vec<String> = Vec::new();
    let mut missing: Vec<&str> = Vec::new();
    for product in hosts {
        let hooks = hooks(product, &programs);
        let cwd = project.root.display().to_string();
        let request = Request::shell(EventKind::PreToolUse, product, &options.command, &cwd);
        let setting = Setting { product, scene: scene(product, &options.common)?, project: &project.root };
        let fired = fire(&setting, &hooks, &request, &processes);
        held |= fired.upshot.then.holds_back();
        rows.push(row(product, &fired));
        // Hosts word what they cannot ask differently; it is the same rule.
        for reason in fired.ran.iter().filter_map(|ran| ran.outcome.reason.as_deref()) {
            if !details.iter().any(|known| rule(known) == rule(reason)) {
                details.push(reason.to_owned());
            }
        }
        if !is_set_up(&project, product) {
            missing.push(product.title);
        }
        reports.push(report(product, &fired));
    }
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
        // What the blocker says of its own rules stands below.
        let below = |detail: &String| {
            let id = rule(detail).trim_start_matches("(rule ").trim_end_matches(')');
            inside
                .as_ref()
                .is_some_and(|inside| inside.lines().any(|line| line.starts_with(&format!("{id} ("))))
        };
        for detail in details.iter().filter(|detail| !below(detail)) {
            text += &block(&wrapped(detail, width() - 2), "  ", 40);
        }
        if !missing.is_empty() {
            let line = format!(
                "Not set up for {}: nothing is asked there. `hook-runner init` sets it up.",
                missing.join(", ")
            );
            text += &block(&wrapped(&line, width() - 2), "  ", 8);
        }
        text += &inside
            .map(|inside| format!("\n{}", screen::tinted(&block(&wrapped(&inside, width()), "", 200))))
            .unwrap_or_default();
        text
    };
    screen.say(&text)?;
    Ok(Exit::found(held))
}

/// The rule that a reason names at its end; the whole reason where it names none.
fn rule(reason: &str) -> &str {
    reason.rfind("(rule ").map_or(reason, |at| &reason[at..])
}

/// Whether a hook of this host calls one of our programs that decide.
fn is_set_up(project: &Project, product: Product) -> bool {
    // By what they run, wherever they were installed from: a person may have written the entry by hand.
    project.load(product).hooks().iter().any(|hook| {
        let run = hook.action.describe();
        hook.kind == EventKind::PreToolUse && DECIDING.iter().any(|name| run.contains(name))
    })
}

/// Our programs as hooks of the user, without a shell between.
fn hooks(product: Product, programs: &[(&str, PathBuf)]) -> Vec<Hook> {
    let key = host::request::event_name(product, EventKind::PreToolUse);
    let one = |(name, path): &(&str, PathBuf)| Hook {
        // The name of the program stands where a file would: that is what the table shows.
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
        (Tone::Name, product.title.to_owned()),
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
    json!({"host": product.name, "then": fired.upshot.then.as_str(), "hooks": hooks})
}

/// What the blocker itself says about the command: what would run, and which rules match.
fn inside(program: &Path, options: &ExplainOptions, project: &Project, processes: &Processes) -> String {
    let mut arguments = vec!["explain".into(), "--cwd".into(), project.root.clone().into_os_string()];
    if options.common.json {
        arguments.push("--json".into());
    }
    // A command may begin with a dash.
    arguments.extend(["--".into(), options.command.clone().into()]);
    // A process, not the library: what is shown is what the installed program says, whatever its version.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_goes_by_its_rule() {
        assert_eq!(rule("`x`: Bad. (rule git.push)"), "(rule git.push)");
        assert_eq!(rule("Bad."), "Bad.");
    }
}
