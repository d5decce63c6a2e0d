//! What `explain` shows, for people and for machines.

use std::fmt::Write as _;

use payload::one_line;
use rules::loss::Loss;
use rules::{Command, Decision, Facts, Family, Finding, Judgement, Zone, families};
use serde_json::{Value, json};
use shell::{Analysis, How, NoteKind};

/// A judgement of one command line, ready to be shown.
pub(crate) struct Report<'a> {
    command: &'a str,
    judgement: &'a Judgement,
    facts: &'a Facts<'a>,
}

impl<'a> Report<'a> {
    /// A report of `judgement` about `command`.
    pub(crate) fn new(command: &'a str, judgement: &'a Judgement, facts: &'a Facts<'a>) -> Self {
        Self { command, judgement, facts }
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let verdict = match self.judgement.decision {
            Some(Decision::Deny) => "deny",
            Some(Decision::Ask) => "ask",
            None => "no objection",
        };
        let _ = writeln!(text, "{verdict}: {}", one_line(self.command));
        for analysis in &self.judgement.analyses {
            let _ = writeln!(text, "\nWould run:");
            for (index, atom) in analysis.atoms.iter().enumerate() {
                // Numbered from one, as the lines in front of the commands are.
                let how = match atom.via {
                    Some(via) => format!("  ({} {})", describe(via.how), via.parent + 1),
                    None => String::new(),
                };
                let indent = "  ".repeat(depth(analysis, index));
                let _ = writeln!(text, "{:>4}  {indent}{}{how}", index + 1, self.readable(analysis, index));
                for remark in self.why_not(analysis, index) {
                    let _ = writeln!(text, "      {indent}  {remark}");
                }
            }
            for note in &analysis.notes {
                let file = note.file.and_then(|file| analysis.files.get(file as usize));
                let part = note.span.of(file.map_or(self.command, |file| &file.text));
                // An unfinished command ends where its note begins: there is nothing to quote.
                let part = if part.trim().is_empty() { "it ends too early" } else { part };
                let _ = writeln!(text, "      {}: {}", remark(note.kind), one_line(part));
            }
        }
        for harmless in self.judgement.harmless.iter().filter(|harmless| harmless.loss == Loss::Nothing) {
            let place = harmless.atom.map_or(String::new(), |atom| format!(" at {}", atom + 1));
            let _ = writeln!(text, "\n{}{place}\n  Nothing would be lost here and now.", harmless.rule.id);
        }
        for finding in &self.judgement.findings {
            let Finding { rule, atom, loss, .. } = finding;
            let place = atom.map_or(String::new(), |atom| format!(" at {}", atom + 1));
            let severity = loss.severity(rule).name();
            let _ = writeln!(text, "\n{} ({severity}){place}\n  {}", rule.id, loss.reason(rule));
            if let Some(way) = self.way(finding) {
                let _ = writeln!(text, "  Reached by: {}", way.join(" → "));
            }
            let _ = writeln!(text, "  Instead: {}", rule.instead);
        }
        text
    }

    /// For machines.
    pub(crate) fn json(&self) -> String {
        let decision = self.judgement.decision.map(|decision| match decision {
            Decision::Ask => "ask",
            Decision::Deny => "deny",
        });
        let analyses = self.judgement.analyses.iter();
        let atoms: Vec<Value> = analyses.clone().flat_map(|analysis| self.atoms(analysis)).collect();
        let notes: Vec<Value> = analyses
            .flat_map(|analysis| &analysis.notes)
            .map(|note| json!({ "note": remark(note.kind), "span": [note.span.start, note.span.end] }))
            .collect();
        let findings: Vec<Value> = self.judgement.findings.iter().map(|found| self.finding(found)).collect();
        let report = json!({
            "version": 1,
            "command": self.command,
            "decision": decision,
            "commands": atoms,
            "notes": notes,
            "findings": findings,
        });
        format!("{report:#}\n")
    }

    fn atoms(&self, analysis: &Analysis) -> Vec<Value> {
        let atoms = analysis.atoms.iter().enumerate();
        atoms
            .map(|(index, atom)| {
                json!({
                    "command": self.readable(analysis, index),
                    "program": shell::mark::readable(&atom.program()),
                    "cwd": shell::mark::readable(&atom.cwd),
                    "via": atom.via.map(|via| json!({ "how": how(via.how), "parent": via.parent })),
                    "span": [atom.span.start, atom.span.end],
                    "file": atom.file.and_then(|file| analysis.files.get(file as usize)).map(|file| {
                        json!({ "path": &*file.path, "line": file.line(atom.span) })
                    }),
                })
            })
            .collect()
    }

    /// Why no rule matched a command that rules look at: which were asked, and where its paths lie.
    fn why_not(&self, analysis: &Analysis, index: usize) -> Vec<String> {
        let Some(atom) = analysis.atoms.get(index) else { return Vec::new() };
        // A match explains itself below.
        let found = |finding: &Finding| finding.atom == Some(index);
        if self.judgement.findings.iter().any(found) {
            return Vec::new();
        }
        let command = Command::new(analysis, atom, self.facts);
        // Families that look at every program, for its redirections, would only be noise here.
        let about = |family: &&&Family| family.is_about(&command.name);
        let asked: Vec<&str> = families().iter().filter(about).map(|family| family.id).collect();
        if asked.is_empty() {
            return Vec::new();
        }
        let mut remarks = vec![format!("no rule of {} matches", asked.join(", "))];
        let touches = |id: &&str| matches!(*id, "disks" | "files" | "permissions");
        if asked.iter().any(touches) {
            for arg in command.operands() {
                let target = command.target(arg.as_str());
                remarks.push(one_line(&format!(
                    "{}: {}",
                    shell::mark::readable(arg.as_str()),
                    place(target.zone)
                )));
            }
        }
        remarks
    }

    fn finding(&self, finding: &Finding) -> Value {
        let rule = finding.rule;
        json!({
            "rule": rule.id,
            "severity": finding.loss.severity(rule).name(),
            "command": finding.atom,
            "evidence": finding.evidence,
            "way": self.way(finding),
            "reason": finding.loss.reason(rule),
            "loses": finding.loss.list(),
            "instead": rule.instead,
        })
    }

    /// How what stands in a file is reached: the command that was typed, the lines of files that lead there, what they run.
    fn way(&self, finding: &Finding) -> Option<Vec<String>> {
        let analysis = self.judgement.analyses.get(finding.text)?;
        let index =
            finding.atom.filter(|atom| analysis.atoms.get(*atom).is_some_and(|atom| atom.file.is_some()))?;
        let command = |index: usize| Some(Command::new(analysis, analysis.atoms.get(index)?, self.facts));
        let indices: Vec<usize> = std::iter::once(index).chain(parents(analysis, index)).collect();
        let mut way: Vec<String> = Vec::new();
        for command in indices.iter().rev().filter_map(|index| command(*index)) {
            let step = command.file_and_line().unwrap_or_else(|| one_line(&command.readable_alone()));
            // A line leads to several commands, of which the last is the one that matters.
            if way.last() != Some(&step) {
                way.push(step);
            }
        }
        way.push(one_line(&command(index)?.readable_alone()));
        Some(way)
    }

    /// One of the commands, on one line.
    fn readable(&self, analysis: &Analysis, index: usize) -> String {
        let Some(atom) = analysis.atoms.get(index) else { return String::new() };
        one_line(&Command::new(analysis, atom, self.facts).readable())
    }
}

/// The commands that lead to this one, from the nearest outwards.
fn parents(analysis: &Analysis, index: usize) -> impl Iterator<Item = usize> {
    let parent =
        |index: usize| analysis.atoms.get(index).and_then(|atom| atom.via).map(|via| via.parent as usize);
    // Parents come from the analysis of anyone's text: the way ends somewhere, whatever it says.
    std::iter::successors(parent(index), move |&index| parent(index)).take(12)
}

/// How many commands lead to this one.
fn depth(analysis: &Analysis, index: usize) -> usize {
    parents(analysis, index).count()
}

/// Where a path lies, in words.
fn place(zone: Zone) -> &'static str {
    match zone {
        Zone::Root => "the root folder, or everything in it",
        Zone::System => "part of the system",
        Zone::Device => "a device",
        Zone::Home => "a home folder",
        Zone::HomeSettings => "settings or keys in a home folder",
        Zone::HomeInside => "in a home folder, outside the working tree",
        Zone::Worktree => "the working tree, or a folder that holds it",
        Zone::Repository => "git's own folder",
        Zone::Inside => "in the working tree",
        Zone::Generated => "generated by a tool",
        Zone::Temporary => "temporary",
        Zone::Elsewhere => "outside the working tree",
        Zone::Sink => "a sink",
        Zone::Unknown => "only known at run time",
    }
}

/// The stable word for a way to reach a command.
fn how(how: How) -> &'static str {
    match how {
        How::Arguments => "arguments",
        How::Text => "text",
        How::Input => "input",
        How::File => "file",
        How::Each => "each",
        How::Statement => "statement",
    }
}

/// The same for people, before the number of the command that leads there.
fn describe(how: How) -> &'static str {
    match how {
        How::Arguments => "run by",
        How::Text => "in the string run by",
        How::Input => "read by",
        How::File => "in a file run by",
        How::Each => "for each entry of",
        How::Statement => "sent by",
    }
}

fn remark(kind: NoteKind) -> &'static str {
    match kind {
        NoteKind::Syntax => "not valid",
        NoteKind::TooDeep => "nested too deeply to follow",
        NoteKind::TooMuch => "too large to follow",
        NoteKind::ForkBomb => "starts endless copies of itself",
        NoteKind::RunsRemote => "runs what comes over the network",
        NoteKind::RunsDecoded => "runs what is decoded or computed at run time",
        NoteKind::RunsUnknown => "runs what is only known at run time",
        NoteKind::OpaqueCode => "runs code that cannot be analysed",
        NoteKind::UnreadFile => "runs a file that cannot be read",
        NoteKind::ShowsSecret => "shows a variable that keeps a secret",
        NoteKind::SendsSecret => "sends a variable that keeps a secret to another service",
    }
}
