//! Our hooks in a file of YAML that others write, too: whole lines, each with a mark at its end, so that their removal
//! leaves every other byte.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use host::Product;
use host::installed::command::{Call, call};

use super::made::Entry;
use super::merge::Trouble;

/// What our lines end with.
const MARK: &str = " # policy-hooks";

/// Stands after the mark where the line was there before without events.
const WAS: &str = ", was: ";

/// What stands alone in a file for these entries.
pub(super) fn block(product: Product, entries: &[Entry]) -> String {
    let mut text = String::from("hooks:\n");
    let names: BTreeSet<&str> = entries.iter().map(|entry| entry.event).collect();
    for name in names {
        let _ = writeln!(text, "  {name}:");
        for line in lines(product, entries, name, "    ") {
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

/// The lines of an event's entries.
fn lines(product: Product, entries: &[Entry], event: &str, indent: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for entry in entries.iter().filter(|entry| entry.event == event) {
        for (at, (key, value)) in entry.scalars(product).into_iter().enumerate() {
            let lead = if at == 0 { "- " } else { "  " };
            lines.push(format!("{indent}{lead}{key}: {value}"));
        }
    }
    lines
}

/// The programs of ours that a file calls, as it has them.
pub(super) fn calls(text: &str) -> Vec<Call> {
    let ours = text.lines().filter_map(|line| line.strip_suffix(MARK));
    let commands = ours.filter_map(|line| line.trim_start().strip_prefix("- command: "));
    commands.filter_map(|command| call(&unquoted(command))).collect()
}

/// The text without our lines; `None` where nothing else was ever in it.
pub(super) fn without(text: &str) -> Option<String> {
    let mut rest = String::new();
    let mut ours = false;
    for line in text.split_inclusive('\n') {
        let body = line.trim_end_matches(['\n', '\r']);
        if body.ends_with(MARK) {
            ours = true;
        } else if let Some((_, was)) = body.split_once(&format!("{MARK}{WAS}")) {
            rest += was;
            rest += &line[body.len()..];
        } else {
            rest += line;
        }
    }
    // A file that was empty before counts as none: neither says anything.
    (!ours || !rest.is_empty()).then_some(rest)
}

/// The text with these entries, and none of ours beside them.
///
/// # Errors
///
/// When hooks stand there in a form that cannot be added to by whole lines.
pub(super) fn with(product: Product, text: Option<&str>, entries: &[Entry]) -> Result<String, Trouble> {
    let rest = text.and_then(without).unwrap_or_default();
    let trouble = |at: usize, message: &str| Trouble { message: message.to_owned(), span: at..at };
    let mut all: Vec<String> = rest.split_inclusive('\n').map(str::to_owned).collect();
    let mark = |line: &str| format!("{line}{MARK}\n");
    let top = all.iter().position(|line| line.starts_with("hooks:"));
    let place = |all: &[String], line: usize| all[..line].iter().map(String::len).sum::<usize>();
    let Some(top) = top else {
        if all.last().is_some_and(|last| !last.ends_with('\n')) {
            return Err(trouble(rest.len(), "its last line has no end"));
        }
        all.extend(block(product, entries).lines().map(mark));
        return Ok(all.concat());
    };
    let value = all[top].trim_end()["hooks:".len()..].trim().to_owned();
    let value = value.split('#').next().unwrap_or_default().trim();
    // What is nested below it, and by how much.
    let inside: Vec<usize> = (top + 1..all.len()).take_while(|line| is_inside(&all[*line])).collect();
    let first = inside.iter().copied().find(|line| !is_blank(&all[*line]));
    if matches!(value, "{}" | "null" | "~") && first.is_none() {
        let was = all[top].trim_end().to_owned();
        all[top] = format!("hooks:{MARK}{WAS}{was}\n");
    } else if !value.is_empty() {
        return Err(trouble(place(&all, top), "`hooks` is not written over several lines"));
    }
    let unit = first.map_or("  ", |line| indent(&all[line])).to_owned();
    let names: BTreeSet<&str> = entries.iter().map(|entry| entry.event).collect();
    // From the last, so that places stay what they are.
    let mut added: Vec<(usize, Vec<String>)> = Vec::new();
    for name in names {
        let head = format!("{unit}{name}:");
        match inside.iter().copied().find(|line| all[*line].trim_end() == head) {
            Some(line) => {
                let item = all.get(line + 1).filter(|item| item.trim_start().starts_with("- "));
                let Some(item) = item else {
                    return Err(trouble(place(&all, line), &format!("`{name}` is not a list")));
                };
                let deeper = indent(item).to_owned();
                added.push((line + 1, lines(product, entries, name, &deeper)));
            }
            None if inside.iter().any(|line| all[*line].starts_with(&head)) => {
                return Err(trouble(
                    place(&all, top),
                    &format!("`{name}` is not written over several lines"),
                ));
            }
            None => {
                let own = lines(product, entries, name, &format!("{unit}  "));
                added.push((top + 1, [vec![head], own].concat()));
            }
        }
    }
    added.sort_by_key(|(line, _)| std::cmp::Reverse(*line));
    for (line, own) in added {
        let own: Vec<String> = own.iter().map(|line| mark(line)).collect();
        all.splice(line..line, own);
    }
    Ok(all.concat())
}

fn is_blank(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

/// Whether a line belongs to what stands above it at the margin.
fn is_inside(line: &str) -> bool {
    is_blank(line) || line.starts_with([' ', '-'])
}

fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches(' ').len()]
}

/// A value as [`Entry::scalars`] writes it.
fn unquoted(value: &str) -> String {
    value.strip_prefix('"').map_or_else(
        || value.to_owned(),
        |_| serde_json::from_str(value).unwrap_or_else(|_| value.to_owned()),
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::made::entries;
    use super::*;

    fn made(hooks: &[&str]) -> Vec<Entry> {
        entries(Product::HERMES, hooks, &|hook| format!("'/opt/a b/{hook}'"))
    }

    #[test]
    fn whatever_was_there_is_there_afterwards() {
        for text in [
            "",
            "model: x\n",
            "hooks: {}\n",
            "model: x\nhooks: {} # none\nafter: 1\n",
            "hooks:\nafter: 1\n",
            "hooks:\n  pre_tool_call:\n    - command: mine\n      timeout: 5\n  # why\n  post_llm_call:\n  - command: x\nafter: 1\n",
            "hooks:\n    on_session_start:\n        - command: mine\n",
        ] {
            let once =
                with(Product::HERMES, Some(text), &made(&["command-blocker", "audit-logger"])).unwrap();
            let source = host::read::Source {
                file: "config.yaml".into(),
                scope: host::place::Scope::User,
                format: host::Format::Settings,
                text: &once,
            };
            let reading = host::read(Product::HERMES, &source, host::System::HERE);
            let ours = |name: &str| {
                reading.hooks.iter().filter(|hook| hook.action.describe().contains(name)).count()
            };
            assert!(
                ours("command-blocker") == 1 && ours("audit-logger") > 3,
                "{once}\n{:?}",
                reading.problems
            );
            assert_eq!(ours("mine"), text.matches("mine").count(), "{once}");
            assert_eq!(calls(&once).len(), ours("command-blocker") + ours("audit-logger"), "{once}");
            let again =
                with(Product::HERMES, Some(&once), &made(&["command-blocker", "audit-logger"])).unwrap();
            assert_eq!(again, once);
            assert_eq!(without(&once).unwrap_or_default(), text, "{once}");
        }
    }

    #[test]
    fn what_cannot_be_added_to_is_left_alone() {
        for text in ["hooks: {pre_tool_call: []}\n", "hooks:\n  pre_tool_call: []\n", "model: x"] {
            assert!(with(Product::HERMES, Some(text), &made(&["command-blocker"])).is_err(), "{text}");
        }
    }
}
