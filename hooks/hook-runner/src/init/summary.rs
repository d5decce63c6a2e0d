//! What changes, in a line per file.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use host::installed::command::call;
use host::tree::{self, Node};

use super::change::Change;
use crate::paint::{Tone, paint};
use crate::project::Project;

/// The lines.
pub(super) fn text(changes: &[Change], project: &Project, hooks: &[&str]) -> String {
    let mut text = String::new();
    let folder = |change: &Change| change.path.parent().map(Path::to_owned);
    // A folder that gets several files of ours has one line.
    let new = |change: &Change| change.before.is_none() || change.after.is_none();
    for group in changes.chunk_by(|one, other| new(one) && new(other) && folder(one) == folder(other)) {
        let [first, _, ..] = group else {
            let name = paint(Tone::Name, project.short(&group[0].path));
            let _ = writeln!(text, "{name}: {}", line(&group[0], hooks));
            continue;
        };
        let name = paint(Tone::Name, project.short(&folder(first).unwrap_or_default()));
        let word = if first.after.is_some() { "new" } else { "deleted" };
        let _ = writeln!(text, "{name}: {} files {word}", group.len());
    }
    text
}

fn line(change: &Change, hooks: &[&str]) -> String {
    let count =
        |text: &Option<String>| text.as_deref().map_or_else(Default::default, |text| ours(text, hooks));
    let (before, after) = (count(&change.before), count(&change.after));
    let of = |(programs, events): &(BTreeSet<String>, usize)| {
        let s = |count: usize| if count == 1 { "" } else { "s" };
        let hooks = format!("{} hook{}", programs.len(), s(programs.len()));
        // Of a file that is not JSON no one counts them.
        if *events == 0 { hooks } else { format!("{hooks} on {events} event{}", s(*events)) }
    };
    let before_text = change.before.as_deref().unwrap_or_default();
    match (&change.before, &change.after) {
        (None, _) => format!("new; {}", of(&after)),
        (Some(_), None) => "deleted; it contained nothing else".to_owned(),
        (Some(_), Some(_)) if before == after => format!("{}, by other paths", of(&after)),
        (Some(_), Some(_)) if before.0.len() > after.0.len() => {
            format!("{} removed; nothing of yours changes", of(&before))
        }
        (Some(_), Some(_)) if before_text.trim().is_empty() => format!("was empty; {}", of(&after)),
        (Some(_), Some(_)) => format!("{}; nothing of yours changes", of(&after)),
    }
}

/// Whether a file calls a program of ours.
pub(super) fn calls(text: &str, hook: &str) -> bool {
    !ours(text, &[hook]).0.is_empty()
}

/// Which of these programs a file calls, and for how many events.
fn ours(text: &str, hooks: &[&str]) -> (BTreeSet<String>, usize) {
    let mut programs = BTreeSet::new();
    let mut events = 0;
    let Ok(document) = tree::parse(text) else {
        return (
            hooks.iter().filter(|hook| text.contains(**hook)).map(|hook| (*hook).to_owned()).collect(),
            0,
        );
    };
    // Events stand at the top, below `hooks`, or below a name of anyone's choice.
    let root = &document.root;
    let below = root.members().iter().flat_map(|member| member.node.members());
    for event in root.members().iter().chain(below) {
        let mut found = false;
        for entry in event.node.elements().unwrap_or_default() {
            let inner = entry.at("hooks").and_then(Node::elements).unwrap_or_default();
            for handler in inner.iter().chain([entry]) {
                let commands = ["command", "bash", "powershell"].into_iter();
                let calls = commands.filter_map(|key| call(handler.at(key)?.text()?));
                for call in calls.filter(|call| hooks.contains(&call.program)) {
                    programs.insert(call.program.to_owned());
                    found = true;
                }
            }
        }
        events += usize::from(found);
    }
    (programs, events)
}
