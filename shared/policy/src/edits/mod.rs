//! What the built-in rules say about edit tools: files that decide what agents may do are not an agent's to change.

mod content;
mod switches;

use payload::{Access, Change, Edit};
use shell::Place;

use crate::builtin::protecting;
use crate::facts::{Content, Facts};
use crate::kept::{self, Judged, Kept, Owner, Relation};
use crate::rule::{Decision, Profile, Rule};
use crate::target::Target;

/// A rule that matched an edit.
#[derive(Debug, Clone)]
pub struct EditFinding {
    /// The rule.
    pub rule: &'static Rule,
    /// The file, as the tool names it.
    pub path: String,
    /// The same as it reads for a person.
    pub evidence: String,
}

/// What the built-in rules say about the files that an edit tool changes, the most severe first.
pub fn judge_edits(edits: &[Edit<'_>], facts: &Facts<'_>) -> Vec<EditFinding> {
    let mut findings: Vec<EditFinding> = edits
        .iter()
        .filter_map(|edit| {
            let rule = protecting(owner(edit, facts)?)?;
            let evidence = edit.path.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            Some(EditFinding { rule, path: edit.path.clone().into_owned(), evidence })
        })
        .collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.rule.severity));
    findings
}

/// What findings about edits lead to under a profile.
pub fn decision_on_edits(findings: &[EditFinding], profile: Profile) -> Option<Decision> {
    findings.iter().filter_map(|finding| crate::judge::decision(finding.rule.severity, profile)).max()
}

/// Whose protection the edit touches.
fn owner(edit: &Edit<'_>, facts: &Facts<'_>) -> Option<Owner> {
    let cwd = shell::windows::folder(facts.cwd.unwrap_or("."));
    let text = shell::mark::scrub(&edit.path);
    let mut paths = vec![Target::of(&text, &cwd, Place::Here, facts).path];
    if text.contains('\\') {
        paths.push(Target::of(&text.replace('\\', "/"), &cwd, Place::Here, facts).path);
    }
    for at in 0..paths.len() {
        paths.extend(facts.leads_to(&paths[at]));
    }
    let touches = |kept: &Kept| kept.relation == Relation::At || edit.access == Access::Delete;
    let found = paths.iter().filter_map(|path| Some((path, kept::find(path, facts).filter(touches)?)));
    found
        .filter(|(path, kept)| {
            let whole = kept.owner != Owner::Project || edit.access == Access::Delete;
            let fine = if whole {
                edit.access == Access::Delete && kept.judged == Judged::Tasks
            } else {
                is_fine(kept.judged, path, &edit.change, facts)
            };
            !fine
        })
        .map(|(_, kept)| kept.owner)
        .max()
}

/// Whether a change of a project's file leaves alone what decides what agents may do, or only tightens it.
pub(crate) fn is_fine(judged: Judged, path: &str, change: &Change<'_>, facts: &Facts<'_>) -> bool {
    if *change == Change::Unknown {
        return false;
    }
    let before = facts.text_of(path);
    let before = match &before {
        Content::Text(text) => Content::Text(text.as_str()),
        Content::None => Content::None,
        Content::Unknown => Content::Unknown,
    };
    content::is_fine(judged, before, change)
}
