//! Scripts that an edit tool writes, judged as if they were run already.

use std::rc::Rc;

use payload::{Access, Change, Edit, Event, Language, quote};
use shell::{Disk, Entry, Found};

use super::{content, places};
use crate::facts::{Content, Facts};
use crate::judge::{CommandText, Finding, decision, judge_with};
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

/// What is found in a script that is written.
#[derive(Debug)]
pub struct WrittenFinding {
    pub finding: Finding,
    /// What the script will be, which the finding may quote.
    pub text: Rc<str>,
}

/// A script before and after a call has changed it.
struct Script {
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

/// What would be denied if a script were run that this call writes: the first finding, unless the script was like that
/// before. Rules about loss are left out, as what would be lost then is not known yet.
pub fn judge_written(event: &Event<'_>, facts: Facts<'_>, settings: Settings<'_>) -> Option<WrittenFinding> {
    let scripts: Vec<Script> = event.edits().iter().filter_map(|edit| script(edit, &facts)).collect();
    if scripts.is_empty() {
        return None;
    }
    let after = scripts.iter().map(|script| (script.path.clone(), Rc::clone(&script.after)));
    let facts = facts.with_scripts(Rc::new(Paper(after.collect())));
    let found = scripts.iter().find_map(|script| Some((script, denied(&script.line, &facts, settings)?)));
    let (script, finding) = found?;
    if let Some(before) = &script.before {
        let before = Paper(vec![(script.path.clone(), Rc::from(before.as_str()))]);
        let known = denied(&script.line, &facts.with_scripts(Rc::new(before)), settings);
        if known.is_some_and(|known| known.rule.id == finding.rule.id) {
            return None;
        }
    }
    Some(WrittenFinding { finding, text: Rc::clone(&script.after) })
}

/// What becomes a script, as far as that can be known.
fn script(edit: &Edit<'_>, facts: &Facts<'_>) -> Option<Script> {
    if edit.access != Access::Write || edit.change == Change::Unknown {
        return None;
    }
    let starter = starter(&edit.path);
    // What has another ending is data or source; a name without one says nothing.
    let name = edit.path.rsplit(['/', '\\']).next().unwrap_or(&edit.path);
    if starter.is_none() && name.contains('.') {
        return None;
    }
    let path = places(&edit.path, facts.cwd, facts).into_iter().next()?;
    let before = match facts.text_of(&path) {
        Content::Text(text) => Some(text),
        _ => None,
    };
    let after: Rc<str> = Rc::from(content::after(before.as_deref(), &edit.change)?);
    let starter = match starter {
        _ if after.len() > MAX_SCRIPT => return None,
        None if !after.starts_with("#!") => return None,
        starter => starter.unwrap_or("bash"),
    };
    Some(Script { line: format!("{starter} {}", quote(&path)), path, before, after })
}

/// What runs a file of this name.
fn starter(path: &str) -> Option<&'static str> {
    let (_, ending) = path.rsplit_once('.')?;
    STARTERS.iter().find(|(known, _)| known.eq_ignore_ascii_case(ending)).map(|(_, starter)| *starter)
}

/// What is denied in the files that a line runs.
fn denied(line: &str, facts: &Facts<'_>, settings: Settings<'_>) -> Option<Finding> {
    let judgement = judge_with(&[CommandText { text: line, language: Language::Posix }], facts, settings);
    let analysis = judgement.analyses.first()?;
    let in_file = |finding: &Finding| {
        finding.atom.and_then(|atom| analysis.atoms.get(atom)).is_some_and(|atom| atom.file.is_some())
    };
    judgement.findings.into_iter().find(|finding| {
        in_file(finding)
            && !finding.rule.when.is_about_loss()
            && decision(finding.severity(), settings.profile) == Decision::Deny
    })
}
