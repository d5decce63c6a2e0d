//! Scripts that a call writes, by an edit tool or by a command, judged as if they were run already.

use std::rc::Rc;

use payload::{Access, Change, Edit, Event, Language, Reason, quote};
use shell::{Disk, Entry, Found};

use super::{content, places};
use crate::facts::{Content, Facts};
use crate::judge::{CommandText, decision, judge_with};
use crate::rule::{Decision, Settings};

/// What runs a file, by the ending of its name. Of others the first line tells. SQL is left out: a migration is written to be
/// run where that is meant.
const STARTERS: [(&str, &str); 12] = [
    ("sh", "bash"),
    ("bash", "bash"),
    ("zsh", "zsh"),
    ("py", "python3"),
    ("js", "node"),
    ("mjs", "node"),
    ("cjs", "node"),
    ("rb", "ruby"),
    ("pl", "perl"),
    ("php", "php"),
    ("lua", "lua"),
    ("ps1", "pwsh -File"),
];

/// A larger script is left to the call that runs it, in bytes.
const MAX_SCRIPT: usize = 64 * 1024;

/// What would be denied in a script that is written.
#[derive(Debug)]
pub struct Foretold {
    /// The denial.
    pub reason: Reason,
    /// What the script will be, which the reason may quote.
    pub text: Rc<str>,
}

/// A script before and after a call has changed it.
#[derive(Debug)]
pub struct Script {
    path: String,
    before: Option<String>,
    after: Rc<str>,
    /// The line that runs it.
    line: String,
}

/// The only files that there are.
#[derive(Debug, Default)]
struct Paper(Vec<(String, Rc<str>)>);

impl Disk for Paper {
    fn read(&self, path: &str) -> Found {
        let file = self.0.iter().find(|(known, _)| known == path);
        file.map_or(Found::Nothing, |(_, text)| Found::Text(text.to_string()))
    }

    fn list(&self, _: &str) -> Vec<Entry> {
        Vec::new()
    }
}

/// The scripts that a tool writes by itself.
pub fn scripts_written(event: &Event<'_>, facts: &Facts<'_>) -> Vec<Script> {
    event.edits().iter().filter_map(|edit| edited(edit, facts)).collect()
}

/// The scripts that commands write: by a redirection, from a here-document, by `tee`.
pub fn scripts_made<'m>(
    made: impl IntoIterator<Item = &'m (String, String)>,
    facts: &Facts<'_>,
) -> Vec<Script> {
    made.into_iter()
        .filter_map(|(path, text)| {
            let starter = starter(path, text)?;
            let before = match facts.text_of(path) {
                Content::Text(text) => Some(text),
                _ => None,
            };
            Some(Script::new(path.clone(), before, Rc::from(text.as_str()), starter))
        })
        .collect()
}

/// What would be denied if one of the scripts were run, unless it was so before they were changed. `denied` judges the
/// line that runs one.
pub fn foretell(
    scripts: &[Script],
    facts: Facts<'_>,
    denied: impl Fn(&str, &Facts<'_>) -> Option<Reason>,
) -> Option<Foretold> {
    if scripts.is_empty() {
        return None;
    }
    let after = scripts.iter().map(|script| (script.path.clone(), Rc::clone(&script.after)));
    let facts = facts.with_scripts(Rc::new(Paper(after.collect())));
    let (script, reason) = scripts.iter().find_map(|script| Some((script, denied(&script.line, &facts)?)))?;
    if let Some(before) = &script.before {
        let before = Paper(vec![(script.path.clone(), Rc::from(before.as_str()))]);
        let known = denied(&script.line, &facts.with_scripts(Rc::new(before)));
        if known.is_some_and(|known| known.rule == reason.rule) {
            return None;
        }
    }
    Some(Foretold { reason, text: Rc::clone(&script.after) })
}

/// What the built-in rules deny in the files that a line runs. Rules about loss are left out, as what would be lost by then
/// is not known yet.
pub fn denied_in_files(line: &str, facts: &Facts<'_>, settings: Settings<'_>) -> Option<Reason> {
    let judgement = judge_with(&[CommandText { text: line, language: Language::Posix }], facts, settings);
    let finding = judgement.findings.iter().find(|finding| {
        finding.is_in_file(&judgement.analyses)
            && !finding.rule.when.is_about_loss()
            && decision(finding.severity(), settings.profile) == Decision::Deny
    })?;
    let rule = finding.rule;
    let reason = Reason::matched(&finding.evidence, &finding.loss.reason(rule), rule.id, std::iter::empty());
    Some(Reason { advice: rule.instead.to_owned(), ..reason })
}

impl Script {
    fn new(path: String, before: Option<String>, after: Rc<str>, starter: &str) -> Self {
        Self { line: format!("{starter} {}", quote(&path)), path, before, after }
    }
}

/// What an edit makes a script, as far as that can be known.
fn edited(edit: &Edit<'_>, facts: &Facts<'_>) -> Option<Script> {
    if edit.access != Access::Write || edit.change == Change::Unknown {
        return None;
    }
    let path = places(&edit.path, facts.cwd, facts).into_iter().next()?;
    if !may_be_script(&path) {
        return None;
    }
    let before = match facts.text_of(&path) {
        Content::Text(text) => Some(text),
        _ => None,
    };
    let after: Rc<str> = Rc::from(content::after(before.as_deref(), &edit.change)?);
    let starter = starter(&path, &after)?;
    Some(Script::new(path, before, after, starter))
}

/// What runs a file of this name, by its ending.
fn by_ending(path: &str) -> Option<&'static str> {
    let (_, ending) = path.rsplit_once('.')?;
    STARTERS.iter().find(|(known, _)| known.eq_ignore_ascii_case(ending)).map(|(_, starter)| *starter)
}

/// Whether a name leaves it open that a file is a script: what has another ending is data or source.
fn may_be_script(path: &str) -> bool {
    by_ending(path).is_some() || !path.rsplit(['/', '\\']).next().unwrap_or(path).contains('.')
}

/// What runs this file, if it is a script: a name without an ending says nothing, the first line does.
fn starter(path: &str, text: &str) -> Option<&'static str> {
    let starter = by_ending(path).or_else(|| text.starts_with("#!").then_some("bash"))?;
    (may_be_script(path) && text.len() <= MAX_SCRIPT).then_some(starter)
}
