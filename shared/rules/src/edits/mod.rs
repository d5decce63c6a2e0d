//! What the built-in rules say about edit tools: files that decide what agents may do are not an agent's to change.

mod accepted;
mod carried;
mod content;
mod jsonc;
mod lines;
mod scripts;
mod switches;

use payload::{Access, Change, Edit, Event, ToolKind};
use shell::{Place, mark};

pub(crate) use carried::counts;
pub use scripts::{Foretold, Script, denied_in_files, foretell, scripts_made, scripts_written};

use crate::builtin::{AGENT_SETTINGS, PERSON_ONLY_SCRIPT, READ_KEY, READ_STATE, orders, protecting};
use crate::facts::{Content, Facts};
use crate::protected::{self, Judged, Kept, Owner, Relation};
use crate::rule::{Decision, Profile, Rule};
use crate::zone::Target;

/// A rule that matched an edit.
#[derive(Debug, Clone)]
pub struct EditFinding {
    pub rule: &'static Rule,
    /// The file, as the tool names it.
    pub path: String,
    /// The same as it reads for a person.
    pub evidence: String,
}

/// What the built-in rules say about the files that a tool changes or reads by itself, the most severe first.
pub fn judge_files(event: &Event<'_>, facts: &Facts<'_>) -> Vec<EditFinding> {
    let mut findings = judge_edits(&event.edits(), facts);
    findings.extend(reads(event, facts));
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.rule.severity));
    findings
}

/// What the built-in rules say about the files that an edit tool changes, the most severe first.
fn judge_edits(edits: &[Edit<'_>], facts: &Facts<'_>) -> Vec<EditFinding> {
    let found = edits
        .iter()
        .filter_map(|edit| Some(finding(rule(edit, facts).or_else(|| written(edit))?, &edit.path)));
    let mut findings: Vec<EditFinding> = found.collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.rule.severity));
    findings
}

fn finding(rule: &'static Rule, path: &str) -> EditFinding {
    // An agent wrote it, and a line break could make it look like words of ours.
    let evidence = path.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    EditFinding { rule, path: path.to_owned(), evidence }
}

/// The rule about what a file does once it is run, if it does that.
fn written(edit: &Edit<'_>) -> Option<&'static Rule> {
    let orders = match &edit.change {
        Change::Whole(text) => orders::gives_orders(text),
        Change::Pieces(pieces) => pieces.iter().any(|piece| orders::gives_orders(&piece.new)),
        Change::Unknown => false,
    };
    if orders && orders::is_run(&edit.path) { crate::builtin::rule(PERSON_ONLY_SCRIPT) } else { None }
}

/// What findings about edits lead to under a profile.
pub fn decision_on_edits(findings: &[EditFinding], profile: Profile) -> Option<Decision> {
    findings.iter().map(|finding| crate::judge::decision(finding.rule.severity, profile)).max()
}

/// The absolute paths that a tool may mean: Windows' separators count on every system.
fn places(text: &str, cwd: Option<&str>, facts: &Facts<'_>) -> Vec<String> {
    let cwd = shell::windows::folder(cwd.unwrap_or("."));
    let mut paths = vec![Target::of(text, &cwd, Place::Here, facts).path];
    // On Unix a backslash may be part of a name: both readings count.
    if text.contains('\\') || shell::windows::has_drive(text) {
        let slashed = text.replace('\\', "/");
        paths.push(Target::of(&shell::windows::plain(&slashed), &cwd, Place::Here, facts).path);
    }
    paths
}

/// The rule about what an edit touches.
fn rule(edit: &Edit<'_>, facts: &Facts<'_>) -> Option<&'static Rule> {
    let paths = places(&mark::scrub(&edit.path), facts.cwd, facts);
    let owner = owner_of(edit, &paths, facts);
    let carried = || {
        let names = paths.iter().flat_map(|path| protected::also_known(path, facts));
        let adds = names
            .filter_map(|path| protected::carrier(&path, facts).map(|carrier| (path, carrier)))
            .any(|(path, carrier)| carried::adds(carrier, &path, &edit.change, facts));
        adds.then(|| crate::builtin::rule(AGENT_SETTINGS)).flatten()
    };
    owner.and_then(protecting).or_else(carried)
}

/// Whose protection an edit in the folder `cwd` touches.
pub(crate) fn owner(edit: &Edit<'_>, cwd: &str, facts: &Facts<'_>) -> Option<Owner> {
    owner_of(edit, &places(&mark::scrub(&edit.path), Some(cwd), facts), facts)
}

fn owner_of(edit: &Edit<'_>, paths: &[String], facts: &Facts<'_>) -> Option<Owner> {
    let touches = |kept: &Kept| kept.relation == Relation::At || edit.access == Access::Delete;
    let found =
        paths.iter().flat_map(|path| protected::touched(path, facts)).filter(|(_, kept)| touches(kept));
    found
        .filter(|(path, kept)| {
            // Of a project's files, only what decides about agents matters; of ours and the user's, any change.
            let whole = kept.owner != Owner::Project || edit.access == Access::Delete;
            let fine = if whole {
                // Without its tasks a project starts less by itself, never more.
                edit.access == Access::Delete && kept.judged == Judged::Tasks
            } else {
                is_fine(kept.judged, path, &edit.change, facts)
            };
            !fine
        })
        .map(|(_, kept)| kept.owner)
        .max()
}

/// What the rules say about the files that a tool only reads, as far as the payload tells: nothing is looked up.
fn reads(event: &Event<'_>, facts: &Facts<'_>) -> Option<EditFinding> {
    let kind = event.tool_kind();
    // What commands read, the rules about commands know better.
    if matches!(kind, ToolKind::Shell | ToolKind::ShellInput) {
        return None;
    }
    // Seen from a folder of ours, a path needs no telling name.
    let near = || facts.cwd.is_some_and(protected::may_name);
    let found = event.paths().into_iter().filter(|touched| protected::may_name(&touched.path) || near());
    let rules = found.filter_map(|touched| {
        // `paths: ["~/.local/state/**"]`
        let text = mark::scrub(&touched.path).replace('*', &mark::STAR.to_string());
        let stands =
            places(&text, facts.cwd, facts).iter().filter_map(|path| protected::key(path, facts)).max()?;
        let name = event.tool().map_or("", |tool| &*tool.name).to_ascii_lowercase();
        // A search for names shows none of what stands in them.
        let searches = ["grep", "content", "search_text", "ripgrep"].iter().any(|word| name.contains(word));
        let lists = kind == ToolKind::Search && !searches;
        let id = match stands {
            _ if lists => return None,
            Relation::At | Relation::Above { near: true } if searches => READ_KEY,
            Relation::At => READ_KEY,
            Relation::Above { .. } if searches => READ_STATE,
            Relation::Above { .. } => return None,
        };
        Some(finding(crate::builtin::rule(id)?, &touched.path))
    });
    rules.max_by_key(|finding| finding.rule.severity)
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
    content::is_fine(judged, path, before, change)
}
