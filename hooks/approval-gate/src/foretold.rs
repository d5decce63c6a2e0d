//! Scripts that a call writes and that the policies would not let run.

use payload::{Event, ToolKind};
use policy::layers::{self, Places, Stack};
use policy::{Action, Effect, Finding, Part, Programs, Ruling};
use rules::{Facts, Foretold};

use crate::verdict;

/// What would be denied in the scripts that a call writes, of which the policies say nothing themselves.
pub(crate) fn denied(
    ruling: &Ruling,
    event: &Event<'_>,
    places: &Places,
    home: Option<&str>,
) -> Option<Foretold> {
    let made = || ruling.analyses.iter().flat_map(|analysis| &analysis.made);
    let edits = event.tool_kind() != ToolKind::Shell;
    // Nearly every call writes nothing.
    if !edits && made().next().is_none() || !voice::hears(event) {
        return None;
    }
    let folders = rules::folders(event, home);
    let cwd = folders.first()?.as_deref();
    let facts = Facts::here(cwd, home);
    let mut scripts = rules::scripts_made(made(), &facts);
    if edits {
        scripts.extend(rules::scripts_written(event, &facts));
    }
    if scripts.is_empty() {
        return None;
    }
    let sources = layers::find(places, home, cwd);
    let denied = |line: &str, facts: &Facts<'_>| {
        let action = Action { host: event.host, reach: event.reach(), ..Action::command(line, cwd) };
        let analyses = rules::judge(&action.commands, facts).analyses;
        let stack = Stack::about(&Programs::of(&analyses), &sources, layers::today());
        let ruling = policy::decide(&stack, &action, facts);
        let found = ruling.findings.iter().find(|finding| is_denied_in_file(finding, &ruling))?;
        Some(verdict::matched(found, found.effect == Effect::Ask, std::iter::empty()))
    };
    rules::foretell(&scripts, facts, denied)
}

/// Whether a finding denies a command of a file, whatever would be lost by then.
fn is_denied_in_file(finding: &Finding, ruling: &Ruling) -> bool {
    let Part::Command { text, atom } = finding.part else { return false };
    let atom = ruling.analyses.get(text).and_then(|analysis| analysis.atoms.get(atom));
    atom.is_some_and(|atom| atom.file.is_some())
        && finding.on_host(ruling.can_ask) == Some(Effect::Deny)
        && !rules::rule(&finding.rule).is_some_and(|rule| rule.when.is_about_loss())
}
