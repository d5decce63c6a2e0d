//! The engine's judgement, and what the host is told about it.

use std::borrow::Cow;

use approvals::Why;
use payload::{Event, Reason, ShellCommand, ShellKind, Verdict};
use policy::{CommandText, Decision, Dialect, Facts, Judgement, Profile, Settings};
use program::{Context, Setting};

/// How strict the rules are.
pub(crate) const PROFILE: Setting = Setting {
    name: "profile",
    values: &["standard", "strict"],
    help: "`standard` denies what destroys and asks about what is risky, `strict` denies both",
};

/// The profile of that name.
pub(crate) fn profile(name: Option<&str>) -> Profile {
    match name {
        Some("strict") => Profile::Strict,
        _ => Profile::Standard,
    }
}

/// How much of a command a reason quotes, in characters.
const QUOTED: usize = 160;

/// Judges the commands of one tool call, and the SQL that it sends to a database.
pub(crate) fn verdict(
    commands: &[ShellCommand<'_>],
    sql: &[Cow<'_, str>],
    event: &Event<'_>,
    context: &Context,
) -> Verdict {
    let cwd = event.cwd();
    let home = context.home();
    let statements = sql.iter().map(|text| CommandText { text, dialect: Dialect::Sql });
    let texts: Vec<CommandText<'_>> = commands
        .iter()
        .map(|command| CommandText { text: &command.text, dialect: dialect(command.shell) })
        .chain(statements)
        .collect();
    // A disk may be slow, so the clock is watched from the moment when a rule first looks at it.
    let watch = || context.may_block();
    let settings = Settings { profile: profile(context.setting(PROFILE.name)), ..Settings::default() };
    let judgement =
        policy::judge_with(&texts, &Facts::guarded(cwd.as_deref(), home.as_deref(), &watch), settings);
    let rules = judgement.findings.iter().map(|finding| finding.rule);
    let told = heard(told(&judgement), rules.clone(), event);
    let verdict = approvals::settle(told, || why(rules), event, context);
    // The process is about to end; taking the analysis apart piece by piece first costs 5 % of the whole call.
    std::mem::forget(judgement);
    verdict
}

/// Judges the files that a tool changes or reads by itself.
pub(crate) fn on_files(event: &Event<'_>, context: &Context) -> Verdict {
    let home = context.home();
    let watch = || context.may_block();
    let cwd = event.cwd();
    let found = policy::judge_files(event, &Facts::guarded(cwd.as_deref(), home.as_deref(), &watch));
    let profile = profile(context.setting(PROFILE.name));
    let (Some(decision), Some(worst)) = (policy::decision_on_edits(&found, profile), found.first()) else {
        return Verdict::NoOpinion;
    };
    let others = found.iter().skip(1).map(|finding| finding.rule.id);
    let told =
        Verdict::Decide { decision: told_as(decision), reason: reason(worst.rule, &worst.evidence, others) };
    let rules = found.iter().map(|finding| finding.rule);
    approvals::settle(heard(told, rules.clone(), event), || why(rules), event, context)
}

/// The language that the engine reads a command in. Where the payload does not say, every plausible one counts.
fn dialect(shell: ShellKind) -> Dialect {
    match shell {
        ShellKind::Posix => Dialect::Posix,
        ShellKind::Unknown => Dialect::Unknown,
        ShellKind::PowerShell => Dialect::PowerShell,
        ShellKind::Cmd => Dialect::Cmd,
    }
}

/// The judgement as a verdict.
fn told(judgement: &Judgement) -> Verdict {
    let (Some(decision), Some((worst, others))) = (judgement.decision, judgement.findings.split_first())
    else {
        return Verdict::NoOpinion;
    };
    let others = others.iter().map(|finding| finding.rule.id);
    Verdict::Decide { decision: told_as(decision), reason: reason(worst.rule, &worst.evidence, others) }
}

fn told_as(decision: Decision) -> payload::Decision {
    match decision {
        Decision::Ask => payload::Decision::Ask,
        Decision::Deny => payload::Decision::Deny,
    }
}

/// A question that the host does not ask becomes a denial.
fn heard(
    told: Verdict,
    mut rules: impl Iterator<Item = &'static policy::Rule>,
    event: &Event<'_>,
) -> Verdict {
    match told {
        Verdict::Decide { decision: payload::Decision::Ask, reason }
            if rules.any(|rule| rule.id == policy::PROJECT_SETTINGS) && !event.asks_about_settings() =>
        {
            Verdict::Decide { decision: payload::Decision::Deny, reason }
        }
        told => told,
    }
}

/// The rules that speak, if a person may lift them all once.
fn why(mut rules: impl Iterator<Item = &'static policy::Rule>) -> Option<Vec<Why>> {
    let lifted = |rule: &policy::Rule| Why { rule: rule.id.to_owned(), reason: rule.reason.to_owned() };
    rules.try_fold(Vec::new(), |mut why, rule| {
        why.push(rule.once().then(|| lifted(rule))?);
        Some(why)
    })
}

/// What matched, why it matters, what to do instead, and the rule.
fn reason(rule: &policy::Rule, evidence: &str, others: impl Iterator<Item = &'static str>) -> Reason {
    let mut text = String::new();
    if !evidence.is_empty() {
        text.push('`');
        text.extend(evidence.chars().take(QUOTED));
        if evidence.chars().nth(QUOTED).is_some() {
            text.push('…');
        }
        text.push_str("`: ");
    }
    text.push_str(rule.reason);
    let mut also: Vec<&str> = Vec::new();
    for id in others {
        if id != rule.id && !also.contains(&id) {
            also.push(id);
        }
    }
    if !also.is_empty() {
        text.push_str(" Also: ");
        text.push_str(&also.join(", "));
        text.push('.');
    }
    Reason { text, advice: rule.instead.to_owned(), rule: rule.id.to_owned() }
}
