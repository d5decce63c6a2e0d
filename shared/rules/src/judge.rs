//! From command strings to a decision.

use std::collections::BTreeSet;

use payload::Language;
use shell::{Analysis, NoteKind, ScriptFile, Surroundings};

use crate::asked::Asked;
use crate::builtin::{self, Searches};
use crate::command::{Command, place};
use crate::edits::EditFinding;
use crate::facts::Facts;
use crate::loss::Loss;
use crate::made;
use crate::places;
use crate::rule::{Decision, Profile, Rule, Settings, Severity, When};

/// A command line that a tool call would run.
#[derive(Debug, Clone, Copy)]
pub struct CommandText<'a> {
    pub text: &'a str,
    pub language: Language,
}

/// A rule that matched.
#[derive(Debug, Clone)]
pub struct Finding {
    pub rule: &'static Rule,
    /// Which of the command strings.
    pub text: usize,
    /// Which atom of that text's analysis; none for a remark about the whole text.
    pub atom: Option<usize>,
    /// The command that matched, as it reads for a person.
    pub evidence: String,
    /// What it would lose, if someone has looked.
    pub loss: Loss,
    /// Whether it stands in a file that a team has committed, and that was not changed since.
    pub team: bool,
    /// Whether it happens to something on this machine that is made and thrown away.
    pub local: bool,
}

impl Finding {
    /// Whether it is worth a word: what is risky is not, where it is made and thrown away.
    pub fn speaks(&self) -> bool {
        self.loss.speaks_for(self.rule) && !(self.local && self.rule.severity == Severity::Risky)
    }

    /// How bad it is here.
    pub fn severity(&self) -> Severity {
        let severity = self.loss.severity(self.rule);
        let severity = if self.local { severity.min(Severity::Risky) } else { severity };
        if self.team { severity.in_team_file().unwrap_or(Severity::Risky) } else { severity }
    }

    /// Whether its command stands in a file that was read.
    pub(crate) fn is_in_file(&self, analyses: &[Analysis]) -> bool {
        let atom =
            analyses.get(self.text).zip(self.atom).and_then(|(analysis, atom)| analysis.atoms.get(atom));
        atom.is_some_and(|atom| atom.file.is_some())
    }
}

/// What the rules say about a call.
#[derive(Debug, Default)]
pub struct Judgement {
    /// The strictest decision, if any rule matched and the profile decides at all.
    pub decision: Option<Decision>,
    /// Every match, the most severe first.
    pub findings: Vec<Finding>,
    /// Matches of rules about loss where nothing, or nothing known, would be lost. They decide nothing, unless a policy names the rule.
    pub harmless: Vec<Finding>,
    /// Matches about files that a tool edits by itself, where the caller has asked for them.
    pub edits: Vec<EditFinding>,
    /// What each text would run.
    pub analyses: Vec<Analysis>,
}

/// Judges command strings by the built-in rules, with the standard profile.
pub fn judge(commands: &[CommandText<'_>], facts: &Facts<'_>) -> Judgement {
    judge_with(commands, facts, Settings::default())
}

/// Judges command strings by the built-in rules.
pub fn judge_with(commands: &[CommandText<'_>], facts: &Facts<'_>, settings: Settings<'_>) -> Judgement {
    let mut judgement = Judgement::default();
    for (text, command) in commands.iter().enumerate() {
        let surroundings = surroundings(facts);
        if command.language == Language::Unknown {
            let windows = facts.cwd.is_some_and(shell::windows::has_drive);
            let readings = shell::readings(command.text, windows);
            let (analysis, found) = worst_reading((text, command), &readings, facts, settings);
            judgement.findings.extend(found);
            judgement.analyses.push(analysis);
            continue;
        }
        if command.language == Language::PowerShell
            && let Some(readings) = shell::cmd_in_powershell(command.text)
        {
            let (analysis, found) = worst_reading((text, command), readings, facts, settings);
            judgement.findings.extend(found);
            judgement.analyses.push(analysis);
            continue;
        }
        let analysis = shell::analyze_as(command.text, command.language, surroundings);
        judgement.findings.extend(find(&analysis, (text, command), facts, settings));
        judgement.analyses.push(analysis);
    }
    let silent = |finding: &mut Finding| !finding.speaks();
    judgement.harmless = judgement.findings.extract_if(.., silent).collect();
    // The reason begins with the worst, and with what a command breaks before what it would merely lose.
    let loses = |finding: &Finding| matches!(finding.rule.when, When::KnownLoss(_));
    judgement.findings.sort_by_key(|finding| (std::cmp::Reverse(finding.severity()), loses(finding)));
    judgement.decision =
        judgement.findings.iter().map(|finding| decision(finding.severity(), settings.profile)).max();
    judgement
}

/// Where a command line runs, for its analysis.
pub fn surroundings<'f>(facts: &'f Facts<'_>) -> Surroundings<'f> {
    Surroundings { cwd: facts.cwd, home: facts.home, disk: facts.scripts() }
}

/// Reads a string as every shell would that may be meant, and keeps the worst reading. A reading that is not a valid
/// text of its shell does not count beside one that is.
fn worst_reading(
    (text, command): (usize, &CommandText<'_>),
    languages: &[Language],
    facts: &Facts<'_>,
    settings: Settings<'_>,
) -> (Analysis, Vec<Finding>) {
    let mut readings: Vec<(Analysis, Vec<Finding>)> = Vec::new();
    for &shell in languages {
        let analysis = shell::analyze_as(command.text, shell, surroundings(facts));
        let found = find(&analysis, (text, command), facts, settings);
        readings.push((analysis, found));
    }
    let valid =
        |(analysis, _): &(Analysis, _)| !analysis.notes.iter().any(|note| note.kind == NoteKind::Syntax);
    // A syntax error is a sign of the wrong shell, not of harmlessness: without any valid reading, all count.
    if readings.iter().any(valid) {
        readings.retain(valid);
    }
    let worst = |(_, found): &(Analysis, Vec<Finding>)| found.iter().map(Finding::severity).max();
    // Of readings that are equally bad, the likeliest.
    readings.into_iter().rev().max_by_key(worst).unwrap_or_default()
}

/// The files that were read because commands would run them, each once: first those in which something was found, by text
/// and atom. What could not be read has nothing in it.
pub fn files_read(analyses: &[Analysis], found: impl Iterator<Item = (usize, usize)>) -> Vec<&ScriptFile> {
    // The usual case: nothing was read.
    if analyses.iter().all(|analysis| analysis.files.is_empty()) {
        return Vec::new();
    }
    let file_of = |(text, atom): (usize, usize)| {
        let analysis = analyses.get(text)?;
        analysis.files.get(analysis.atoms.get(atom)?.file? as usize)
    };
    let mut files: Vec<&ScriptFile> = Vec::new();
    for file in found.filter_map(file_of).chain(analyses.iter().flat_map(|analysis| &analysis.files)) {
        if !file.text.is_empty() && !files.iter().any(|known| known.path == file.path) {
            files.push(file);
        }
    }
    files
}

/// What a severity leads to under a profile.
pub(crate) fn decision(severity: Severity, profile: Profile) -> Decision {
    match (profile, severity) {
        (Profile::Standard, Severity::Risky) => Decision::Ask,
        _ => Decision::Deny,
    }
}

/// What the rules find in one text's analysis.
fn find(
    analysis: &Analysis,
    (text, source): (usize, &CommandText<'_>),
    facts: &Facts<'_>,
    settings: Settings<'_>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let families = || builtin::families().iter().filter(|family| !settings.off.contains(&family.id));
    let mut asked = Asked::new(analysis);
    let searches = Searches::new();
    for (index, atom) in analysis.atoms.iter().enumerate() {
        // Loops and branches bring the same command several times; one verdict is enough.
        if asked.before(index, atom) {
            continue;
        }
        let mut command = Command::new(analysis, atom, facts);
        command.searches = Some(&searches);
        command.source = source.text;
        for family in asked.families(&command, families).iter() {
            // The first rule of a family that matches says it all.
            let mut looked = None;
            let matching =
                |rule: &&Rule| rule.when.matches(&command) && !made::is_of_this_text(rule, &command);
            for rule in family.rules.iter().filter(matching) {
                let loss = if rule.when.is_about_loss() {
                    looked.get_or_insert_with(|| facts.loss(source, index, &command.readable())).clone()
                } else {
                    Loss::Unknown
                };
                let local = settings.profile != Profile::Strict && places::is_local(rule, &command);
                let evidence = command.readable();
                let finding = Finding { rule, text, atom: Some(index), evidence, loss, team: false, local };
                let speaks = finding.speaks();
                findings.push(finding);
                // One that is silent leaves the word to the next.
                if speaks {
                    break;
                }
            }
        }
    }
    // The usual case: no rule about notes needs to be looked for.
    if analysis.notes.is_empty() {
        return as_its_owner_means(findings, analysis, facts);
    }
    for rule in families().flat_map(|family| family.rules) {
        if let When::Note(kind) = rule.when
            && let Some(note) = analysis.notes.iter().find(|note| note.kind == kind)
        {
            let evidence = place(analysis, note.file, note.span, facts).unwrap_or_default();
            let (loss, team, local) = (Loss::Unknown, false, false);
            findings.push(Finding { rule, text, atom: None, evidence, loss, team, local });
        }
    }
    as_its_owner_means(findings, analysis, facts)
}

/// Findings in files that a team has committed, and not changed since, count for less.
fn as_its_owner_means(findings: Vec<Finding>, analysis: &Analysis, facts: &Facts<'_>) -> Vec<Finding> {
    if analysis.files.is_empty() {
        return findings;
    }
    let file_of = |finding: &Finding| match (finding.atom, finding.rule.when) {
        (Some(atom), _) => analysis.atoms.get(atom)?.file,
        (None, When::Note(kind)) => analysis.notes.iter().find(|note| note.kind == kind)?.file,
        _ => None,
    };
    let files: BTreeSet<u32> = findings.iter().filter_map(file_of).collect();
    let paths = files.iter().filter_map(|file| Some(&*analysis.files.get(*file as usize)?.path));
    // All at once: to ask git costs a program.
    let committed = facts.are_committed(&paths.collect::<Vec<_>>());
    let is_team = |finding: &Finding| {
        let place = file_of(finding).and_then(|file| files.iter().position(|known| *known == file));
        place.and_then(|place| committed.get(place).copied().flatten()) == Some(true)
    };
    let lowered = findings.into_iter().filter_map(|finding| {
        if !is_team(&finding) {
            return Some(finding);
        }
        finding.loss.severity(finding.rule).in_team_file()?;
        Some(Finding { team: true, ..finding })
    });
    lowered.collect()
}
