//! `policy explain`: what would run, what the rules say, and what each host makes of it.

use std::fmt::Write as _;
use std::path::Path;

use clap::ArgMatches;
use payload::{Access, Asking, Host};
use rules::Facts;
use serde_json::json;

use super::{Done, Exit, one_line};
use crate::action::Action;
use crate::decide::{Beside, Ruling, Unallowed, decide, unallowed};
use crate::layers::{Places, Stack, find, today};
use crate::model::Effect;

/// What the policies make of a command, for people. `not_allowed`: why a host asks although rules allow much.
pub fn explain(stack: &Stack<'_>, command: &str, ruling: &Ruling, not_allowed: Option<&str>) -> String {
    let mut text = String::new();
    let word = ruling.decision.map_or("no objection", Effect::as_str);
    let _ = writeln!(text, "{word}: {}\n\nWould run:", one_line(command));
    let atoms = ruling.analyses.iter().flat_map(|analysis| &analysis.atoms);
    for (index, atom) in atoms.enumerate() {
        let words: Vec<_> = atom.args.iter().map(|arg| shell::mark::readable(&arg.text)).collect();
        let _ = writeln!(text, "{:>4}  {}", index + 1, one_line(&words.join(" ")));
    }
    for finding in &ruling.findings {
        let file = finding.file.as_ref().map_or(String::new(), |file| format!(", {file}"));
        let _ = writeln!(
            text,
            "\n{} says {} ({}{file})\n  {}",
            finding.rule,
            finding.effect.as_str(),
            finding.layer.as_str(),
            one_line(&finding.reason)
        );
        if !finding.evidence.is_empty() {
            let _ = writeln!(text, "  About: {}", one_line(&finding.evidence));
        }
        if !finding.instead.is_empty() {
            let _ = writeln!(text, "  Instead: {}", one_line(&finding.instead));
        }
        if let Some(why) = &finding.excepted {
            let _ = writeln!(text, "  Excepted: {}", one_line(why));
        }
    }
    if let Some(why) = not_allowed {
        let _ = writeln!(text, "\nNot allowed without a question:\n  {}", one_line(why));
    }
    let _ = writeln!(text, "\nBy host:");
    let asking =
        Host::NAMED.into_iter().flat_map(|host| host.traits().asking.iter().map(move |row| (host, row)));
    for (host, (mode, asking, _)) in asking {
        let mode = if *mode == "*" { "other modes" } else { mode };
        let rows: &[(&str, bool)] = match asking {
            Asking::Asks => &[(mode, true)],
            Asking::ByOwnClient => &[("own clients", true), ("on the SDK", false)],
            Asking::AtTerminal => &[("at a terminal", true), ("elsewhere", false)],
            // What was not seen to ask counts as silent, as it does in the hook.
            Asking::Unproven | Asking::Never => &[(mode, false)],
        };
        for (mode, can_ask) in rows {
            let answer = on_host(ruling, *can_ask).map_or("nothing", Effect::as_str);
            let _ = writeln!(text, "  {:<11} {mode:<13} {answer}", host.as_str());
        }
    }
    for file in &stack.files {
        let state = match (file.errors.len(), file.may_loosen) {
            (0, true) => "counts",
            (0, false) => "in effect, except for what loosens: not trusted",
            _ => "is broken",
        };
        let _ = writeln!(
            text,
            "\n{} {} ({}, {})",
            file.name,
            state,
            screen::several(file.policy.rules.len(), "rule"),
            screen::several(file.policy.exceptions.len(), "exception")
        );
    }
    text
}

/// Why a call that nothing holds back is left to the host's own question.
fn why_not_allowed(why: &Unallowed) -> Option<String> {
    Some(match why {
        Unallowed::Unasked => return None,
        Unallowed::NotUnderstood => "Something in it is only known at run time.".to_owned(),
        Unallowed::NoRule(part) => format!("No rule allows `{part}`."),
        Unallowed::Beside { part, rule, does } => {
            let does = match does {
                Beside::Elsewhere => "it runs on another machine".to_owned(),
                Beside::Unknown(word) => format!("only run time tells what `{word}` is (may.unknown)"),
                Beside::Sets(name) => format!("it sets {name} (may.set)"),
                Beside::Touches(Access::Read, path) => format!("it reads {path} (may.read)"),
                Beside::Touches(Access::Write, path) => format!("it writes {path} (may.write)"),
                Beside::Touches(Access::Delete, path) => format!("it deletes {path} (may.write)"),
                Beside::Outside(place) => format!("{place} lies outside the project (may.inside)"),
                Beside::MayWrite => "it may write files (may.write)".to_owned(),
            };
            if part.is_empty() { format!("{does}.") } else { format!("{rule} allows `{part}`, but {does}.") }
        }
    })
}

/// What a ruling comes to on a host.
fn on_host(ruling: &Ruling, can_ask: bool) -> Option<Effect> {
    // Notes and what allows are findings, too, and neither holds anything back.
    let held = ruling.findings.iter().filter(|finding| finding.effect >= Effect::Ask);
    match held.filter_map(|finding| finding.on_host(can_ask)).max() {
        None => ruling.decision.filter(|decision| decision.loosens()),
        answer => answer,
    }
}

pub(super) fn command(matches: &ArgMatches) -> Done {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let line = text("command").unwrap_or_default();
    let here = std::env::current_dir().ok().and_then(|folder| folder.into_os_string().into_string().ok());
    let home = std::env::home_dir().and_then(|folder| folder.into_os_string().into_string().ok());
    let cwd = text("cwd").or(here.as_deref());
    let sources = match text("policy") {
        Some(path) => vec![super::open(Path::new(path))?],
        None => find(&Places::here(home.as_deref()), home.as_deref(), cwd),
    };
    let stack = Stack::of(&sources, today());
    let action = Action::command(line, cwd);
    let facts = Facts::here(cwd, home.as_deref());
    let ruling = decide(&stack, &action, &facts);
    // As the hook does: what the rules make of it counts only if nothing holds that back.
    let becomes = ruling.rewritten.as_ref().and_then(|rewritten| rewritten.texts.first()).filter(|text| {
        let ruling = decide(&stack, &Action::command(text, cwd), &facts);
        let noted = ruling.analyses.iter().any(|analysis| !analysis.notes.is_empty());
        ruling.decision <= Some(Effect::Allow) && !noted
    });
    let silent = ruling.decision.is_none();
    let not_allowed =
        silent.then(|| unallowed(&stack, &action, &facts)).flatten().and_then(|why| why_not_allowed(&why));
    // Scripts can ask whether a command would run without a question.
    let exit = if ruling.decision >= Some(Effect::Ask) { Exit::Findings } else { Exit::Fine };
    if matches.get_flag("json") {
        let findings = ruling.findings.iter().map(|finding| {
            json!({
                "rule": finding.rule, "layer": finding.layer.as_str(), "file": finding.file,
                "decision": finding.effect.as_str(), "evidence": finding.evidence, "reason": finding.reason,
                "maybe": finding.maybe, "excepted": finding.excepted,
            })
        });
        let findings: Vec<_> = findings.collect();
        let report = json!({
            "version": 1, "command": line, "decision": ruling.decision.map(Effect::as_str), "rewritten": becomes,
            "not_allowed": not_allowed, "findings": findings,
        });
        return Ok((format!("{report:#}\n"), exit));
    }
    let mut text = explain(&stack, line, &ruling, not_allowed.as_deref());
    if let Some(becomes) = becomes {
        let _ =
            writeln!(text, "\nWhere the host takes another command, it runs this one: {}", one_line(becomes));
    }
    Ok((text, exit))
}
