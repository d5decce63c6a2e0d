//! The engine's judgement, and how the host learns of it.

use std::borrow::Cow;
use std::rc::Rc;
use std::time::{Duration, Instant};

use approvals::Why;
use look::Look;
use payload::{Event, Language, Reason, ToolKind, Verdict};
use program::{Context, Setting};
use rules::loss::{Line, Loss};
use rules::{CommandText, Decision, EditFinding, Facts, Judgement, Profile, Settings, Severity};
use shell::ScriptFile;

/// How strict the rules are.
pub(crate) const PROFILE: Setting = Setting {
    name: "profile",
    values: &["standard", "strict"],
    help: "`standard` denies what is destructive and asks about what is risky, `strict` denies both",
};

/// Whether what a command would lose may be saved instead of denying the command.
pub(crate) const KEEP: Setting = Setting {
    name: "keep",
    values: &["off", "on"],
    help: "`on` saves what a command would lose and lets it run, where all of it can be saved; see `hook-runner kept`",
};

pub(crate) fn profile(name: Option<&str>) -> Profile {
    match name {
        Some("strict") => Profile::Strict,
        _ => Profile::Standard,
    }
}

/// As much time is left for the answer when something was saved, or could not be.
const ANSWERING: Duration = Duration::from_millis(100);

/// Judges one tool call: its commands, in each directory where they may run, the SQL that it sends to a database, and the
/// files that it touches by itself.
pub(crate) fn verdict(event: &Event<'_>, context: &Context) -> Verdict {
    // A tool that sends SQL to a database runs no shell: its text is one more command, in a language of its own.
    let (commands, sql) = (event.commands(), event.sql());
    let home = context.home();
    // A disk may be slow, so the clock is watched from the moment when a rule first looks at it.
    let watch = || context.may_block();
    let world = Look::new(&watch).during(event);
    let settings = Settings { profile: profile(context.setting(PROFILE.name)), ..Settings::default() };
    let mut found = Found::default();
    let statements = sql.iter().map(|text| CommandText { text, language: Language::Sql });
    let texts: Vec<CommandText<'_>> = commands
        .iter()
        .map(|command| CommandText { text: &command.text, language: command.language })
        .chain(statements)
        .collect();
    let folders = if texts.is_empty() { Vec::new() } else { rules::folders(event, home.as_deref()) };
    if !texts.is_empty() {
        // Payloads do not always say in which folder a command starts: each that it may be is judged, and the
        // strictest answer counts.
        let clock = context.clone();
        let files: Rc<dyn shell::Disk> = Rc::new(rules::Files::guarded(move || clock.may_block()));
        for (number, folder) in folders.iter().enumerate() {
            let facts = Facts::guarded(folder.as_deref(), home.as_deref(), &watch).with_world(&world);
            let facts = facts.with_scripts(Rc::clone(&files));
            found.commands(rules::judge_with(&texts, &facts, settings), number);
        }
    }
    // A shell touches files by its commands alone.
    if event.tool_kind() != ToolKind::Shell {
        let cwd = event.cwd();
        let facts = Facts::guarded(cwd.as_deref(), home.as_deref(), &watch);
        found.files(rules::judge_files(event, &facts), settings.profile);
    }
    if !found.files.is_empty() {
        context.judged_files(found.files.iter().map(|file| (&*file.path, file.bytes())));
    }
    let writes = event.tool_kind() != ToolKind::Shell || !found.made.is_empty();
    if found.decision.is_none() && writes && voice::hears(event) {
        let cwd = folders.first().map_or_else(|| event.cwd(), Clone::clone);
        let facts = Facts::guarded(cwd.as_deref(), home.as_deref(), &watch);
        let mut scripts = rules::scripts_made(&found.made, &facts);
        if event.tool_kind() != ToolKind::Shell {
            scripts.extend(rules::scripts_written(event, &facts));
        }
        let denied = |line: &str, facts: &Facts<'_>| rules::denied_in_files(line, facts, settings);
        if let Some(told) = rules::foretell(&scripts, facts, denied) {
            return voice::foretold(told.reason, &told.text);
        }
    }
    let mut failure = None;
    if context.setting(KEEP.name) == Some("on") && found.decision.is_some() {
        match found.keep((&texts, &folders), home.as_deref(), &world, context) {
            Some(Ok(kept)) => return kept.verdict(event),
            Some(Err(why)) => failure = Some(why),
            None => {}
        }
    }
    let verdict = denied_if_unasked(found.verdict(), found.rules(), event);
    let verdict = look::not_kept(verdict, failure.as_deref());
    let verdict = approvals::without_secrets_of(verdict, found.files.iter().map(|file| &*file.text));
    approvals::settle(verdict, || why(found.rules()), event, context)
}

/// What the rules say about the parts of a call.
#[derive(Default)]
struct Found {
    /// The strictest decision.
    decision: Option<Decision>,
    findings: Vec<Heard>,
    /// The files that were read: they may be quoted, and a secret in them must not be.
    files: Vec<ScriptFile>,
    /// The files that the commands write, with what they hold then.
    made: Vec<(String, String)>,
}

/// A rule that matched: what, how bad it is here, and what would be lost by it.
struct Heard {
    rule: &'static rules::Rule,
    evidence: String,
    severity: Severity,
    loss: Loss,
    at: Option<At>,
}

/// Where a command stands.
struct At {
    text: usize,
    atom: usize,
    /// Which of the folders in which it may run.
    folder: usize,
}

impl Found {
    fn commands(&mut self, mut judgement: Judgement, folder: usize) {
        self.decision = self.decision.max(judgement.decision);
        let findings = std::mem::take(&mut judgement.findings);
        if !findings.is_empty() {
            let found = findings.iter().filter_map(|finding| Some((finding.text, finding.atom?)));
            let files = rules::files_read(&judgement.analyses, found);
            self.files.extend(files.into_iter().cloned());
        }
        let heard = |finding: rules::Finding| Heard {
            severity: finding.severity(),
            rule: finding.rule,
            evidence: finding.evidence,
            loss: finding.loss,
            at: finding.atom.map(|atom| At { text: finding.text, atom, folder }),
        };
        self.findings.extend(findings.into_iter().map(heard));
        self.made
            .extend(judgement.analyses.iter_mut().flat_map(|analysis| std::mem::take(&mut analysis.made)));
        // The process is about to end; taking the analysis apart piece by piece first costs 5 % of the whole call.
        std::mem::forget(judgement);
    }

    fn files(&mut self, findings: Vec<EditFinding>, profile: Profile) {
        self.decision = self.decision.max(rules::decision_on_edits(&findings, profile));
        let heard = |finding: EditFinding| Heard {
            rule: finding.rule,
            evidence: finding.evidence,
            severity: finding.rule.severity,
            loss: Loss::Unknown,
            at: None,
        };
        self.findings.extend(findings.into_iter().map(heard));
        // The worst is the one that is quoted, whether it came from a command or from a file.
        self.findings.sort_by_key(|heard| std::cmp::Reverse(heard.severity));
    }

    /// Saves what the commands would lose. `None` where that is not all that speaks against them.
    fn keep(
        &self,
        (texts, folders): (&[CommandText<'_>], &[Option<Cow<'_, str>>]),
        home: Option<&str>,
        world: &Look<'_>,
        context: &Context,
    ) -> Option<Result<look::Kept, String>> {
        // Who only watches, and what a person tries out, leaves nothing behind.
        if !context.enforces() || context.is_drill() {
            return None;
        }
        let mut lines = Vec::new();
        for Heard { rule, severity, evidence, at, .. } in &self.findings {
            let At { text, atom, folder } = at.as_ref()?;
            let CommandText { text, language: Language::Posix } = texts.get(*text)? else { return None };
            if !rule.when.can_be_kept() || *severity >= Severity::Catastrophic {
                return None;
            }
            let cwd = folders.get(*folder)?.as_deref();
            lines.push(Line { text, atom: *atom, command: evidence, cwd, home });
        }
        let left = context.deadline().saturating_duration_since(Instant::now());
        let kept = world.keep(&lines, left.saturating_sub(ANSWERING));
        if let (Ok(kept), Some(worst)) = (&kept, self.findings.first()) {
            let (text, rule) = (kept.sentence(), worst.rule.id.to_owned());
            context.kept(Reason { text, advice: String::new(), rule });
        }
        Some(kept)
    }

    fn rules(&self) -> impl Iterator<Item = &'static rules::Rule> {
        self.findings.iter().map(|heard| heard.rule)
    }

    /// The findings as a verdict.
    fn verdict(&self) -> Verdict {
        let (Some(decision), Some((worst, others))) = (self.decision, self.findings.split_first()) else {
            return Verdict::NoOpinion;
        };
        let others = others.iter().map(|heard| heard.rule.id);
        Verdict::Decide { decision: of_host(decision), reason: reason(worst, others) }
    }
}

fn of_host(decision: Decision) -> payload::Decision {
    match decision {
        Decision::Ask => payload::Decision::Ask,
        Decision::Deny => payload::Decision::Deny,
    }
}

/// A question that the host does not ask becomes a denial.
fn denied_if_unasked(
    verdict: Verdict,
    mut rules: impl Iterator<Item = &'static rules::Rule>,
    event: &Event<'_>,
) -> Verdict {
    match verdict {
        Verdict::Decide { decision: payload::Decision::Ask, reason }
            if rules.any(|rule| rule.id == rules::PROJECT_SETTINGS) && !event.asks_about_settings() =>
        {
            Verdict::Decide { decision: payload::Decision::Deny, reason }
        }
        verdict => verdict,
    }
}

/// The rules that speak, if a person may lift them all once.
fn why(mut rules: impl Iterator<Item = &'static rules::Rule>) -> Option<Vec<Why>> {
    let lifted = |rule: &rules::Rule| Why { rule: rule.id.to_owned(), reason: rule.reason.to_owned() };
    rules.try_fold(Vec::new(), |mut why, rule| {
        why.push(rule.once().then(|| lifted(rule))?);
        Some(why)
    })
}

/// What matched, why it matters, what to do instead, and the rule.
fn reason(heard: &Heard, others: impl Iterator<Item = &'static str>) -> Reason {
    let Heard { rule, evidence, loss, .. } = heard;
    let reason = Reason::matched(evidence, &loss.reason(rule), rule.id, others);
    Reason { advice: rule.instead.to_owned(), ..reason }
}
