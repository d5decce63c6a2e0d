//! From a call and the layers to a decision.

mod agents;
mod allowed;
mod builtin;
mod environment;
mod exceptions;
mod rewrite;

use std::rc::Rc;

pub(crate) use allowed::{Beside, Unallowed};
pub use rewrite::Rewritten;

use rules::{Facts, Judgement};
use shell::Atom;

use crate::action::{Action, Part};
use crate::case::Case;
use crate::certainty::{Lean, Match};
use crate::finding::{BROKEN, Finding, UNMATCHED, UNRESOLVED};
use crate::layers::{File, Stack};
use crate::matching;
use crate::model::{Effect, Layer, NoPrompt, Rule, Said, Subject, Unresolved};
use crate::once;
use crate::programs;
use crate::scripts::Owners;

/// What the policies say about a call.
#[derive(Debug, Default)]
pub struct Ruling {
    /// The decision, whoever asks; none where no one speaks.
    pub decision: Option<Effect>,
    /// The decision on the host that asks: an ask that reaches no one has become what the rule says.
    pub answer: Option<Effect>,
    /// Every rule that speaks, the strictest first.
    pub findings: Vec<Finding>,
    /// The rules that hold the call back, if a person may lift them all once: their ids and reasons.
    pub once: Option<Vec<(String, String)>>,
    /// What the call would become by rules that rewrite, where it is held back. Nothing is judged of it yet.
    pub rewritten: Option<Rewritten>,
    /// Whether an ask reaches a person there; found out only where a rule asks.
    pub can_ask: bool,
    /// What each command text would run.
    pub analyses: Vec<shell::Analysis>,
}

/// Judges a call by all layers.
pub fn decide(stack: &Stack<'_>, action: &Action<'_>, facts: &Facts<'_>) -> Ruling {
    let judgement = rules::judge(&action.commands, facts);
    let judgement = judged_as_said(stack, judgement, &action.commands, (facts, action.cwd));
    decide_judged(stack, action, judgement, facts)
}

/// What the built-in rules find where policies say whose the files are that the call runs. The rules are asked again only
/// where it runs any.
pub fn judged_as_said(
    stack: &Stack<'_>,
    judgement: Judgement,
    commands: &[rules::CommandText<'_>],
    (facts, cwd): (&Facts<'_>, Option<&str>),
) -> Judgement {
    if judgement.analyses.iter().all(|analysis| analysis.files.is_empty()) {
        return judgement;
    }
    let Some(owners) = Owners::of(stack, facts.worktree(), facts.home) else { return judgement };
    let world = owners.world(facts.world());
    let disk = facts.scripts().cloned().unwrap_or_else(|| Rc::new(rules::Files::here()));
    let facts = Facts::here(cwd, facts.home).with_world(&world).with_scripts(owners.disk(disk));
    Judgement { edits: judgement.edits, ..rules::judge(commands, &facts) }
}

/// Judges a call about which the built-in rules have said what they find.
pub fn decide_judged(
    stack: &Stack<'_>,
    action: &Action<'_>,
    judgement: Judgement,
    facts: &Facts<'_>,
) -> Ruling {
    let case = Case::new(action, &judgement.analyses, facts);
    let mut judge = Judge { stack, action, case: &case, findings: Vec::new() };
    judge.built_in(&judgement.findings);
    judge.built_in(&judgement.harmless);
    judge.built_in_edits(&judgement.edits);
    judge.agents();
    for file in &stack.files {
        judge.file(file);
    }
    judge.unresolved();
    // After all restrictions have spoken: an exception lifts one of them.
    judge.except();
    let allowed = judge.allowed().ok();
    let unmatched = judge.unmatched(allowed.as_deref());
    let mut findings = std::mem::take(&mut judge.findings);
    findings.extend(unmatched);
    // The first is the one that the agent reads: what counts, the strictest, and of those the surest.
    findings.sort_by_key(|finding| std::cmp::Reverse((finding.counts(), finding.effect, !finding.maybe)));
    let held = findings.iter().filter(|finding| finding.counts());
    let decision = held.clone().map(|finding| finding.effect).max();
    let asks = held.clone().any(|finding| finding.effect == Effect::Ask);
    // Whether a person sits there costs a look at the system, so it is only asked where a rule asks.
    let can_ask = !asks || action.reach.holds();
    let answer = held.filter_map(|finding| finding.on_host(can_ask)).max();
    let silent = decision.is_none();
    let keeps = findings.iter().any(|finding| finding.effect == Effect::Keep).then_some(Effect::Keep);
    let once = if silent { None } else { once::lifted(stack, &findings, can_ask) };
    let rewritten = if silent { None } else { judge.rewritten(&findings) };
    // `allow` only counts where nothing restricts.
    let allow = if silent && keeps.is_none() { allowed } else { None };
    let allowed_effect = allow.as_ref().map(|_| Effect::Allow);
    findings.extend(allow.into_iter().flatten());
    Ruling {
        decision: decision.or(keeps).or(allowed_effect),
        answer: answer.or(keeps.filter(|_| silent)).or(allowed_effect.filter(|_| silent)),
        findings,
        once,
        rewritten,
        can_ask,
        analyses: judgement.analyses,
    }
}

/// Why no rule allows a call as a whole; `None` where one does. For who asks why a host still asks.
pub(crate) fn unallowed(stack: &Stack<'_>, action: &Action<'_>, facts: &Facts<'_>) -> Option<Unallowed> {
    let judgement = rules::judge(&action.commands, facts);
    let judgement = judged_as_said(stack, judgement, &action.commands, (facts, action.cwd));
    let case = Case::new(action, &judgement.analyses, facts);
    Judge { stack, action, case: &case, findings: Vec::new() }.unallowed()
}

/// The parts that a kind of rule looks at.
fn parts(case: &Case<'_>, subject: &Subject<'_>) -> impl Iterator<Item = Part> {
    let named = move |called: &str| match subject {
        Subject::Run(tests) => {
            // Most rules name a program that is not in the call: they end here, before anything is matched.
            tests.iter().any(|test| test.program.is_empty() || programs::may_be(&test.program, called))
        }
        _ => true,
    };
    let commands = match subject {
        Subject::Run(_) | Subject::Path(_) | Subject::Net(_) | Subject::Text(_) => case.programs(),
        _ => &[],
    };
    let action = case.action;
    let files = if let Subject::Path(_) = subject { action.paths.len() } else { 0 };
    let urls = if let Subject::Net(_) = subject { action.urls.len() } else { 0 };
    let single = match subject {
        Subject::Mcp(_) => action.mcp.as_ref().map(|_| Part::Mcp),
        Subject::Agent(_) => action.agent.as_ref().map(|_| Part::Agent),
        Subject::Text(_) => Some(Part::Whole),
        _ => None,
    };
    let commands = commands.iter().filter(move |(_, called)| named(called)).map(|(part, _)| *part);
    single.into_iter().chain(commands).chain((0..files).map(Part::Path)).chain((0..urls).map(Part::Url))
}

struct Judge<'j, 'f> {
    stack: &'j Stack<'f>,
    action: &'j Action<'j>,
    case: &'j Case<'j>,
    findings: Vec<Finding>,
}

impl Judge<'_, '_> {
    fn file(&mut self, file: &File<'_>) {
        if let Some(error) = file.errors.first()
            // Reading goes on, or the agent could not even see the broken policy.
            && !self.action.only_looks()
        {
            let effect = if file.layer == Layer::System { Effect::Deny } else { Effect::Ask };
            let more = match file.errors.len() {
                1 => String::new(),
                count => format!(" ({} more)", count - 1),
            };
            self.findings.push(Finding {
                rule: BROKEN.to_owned(),
                layer: file.layer,
                file: Some(file.name.clone()),
                effect,
                no_prompt: NoPrompt::Deny,
                reason: format!(
                    "The {} policy cannot be read: {}:{error}{more}.",
                    file.layer.as_str(),
                    file.name
                ),
                instead: "Ask the user to fix the policy; reading files is still possible.".to_owned(),
                part: Part::Whole,
                evidence: String::new(),
                maybe: false,
                excepted: None,
            });
        }
        for rule in &file.policy.rules {
            // What allows is looked at separately: it must cover every part of the call. What keeps is so where a
            // built-in rule speaks.
            if !rule.effect.loosens() {
                self.rule(rule, file);
            }
        }
    }

    /// Every part that a rule speaks about.
    fn rule(&mut self, rule: &Rule<'_>, file: &File<'_>) {
        if !rule.tools.is_empty() && !rule.tools.contains(&self.action.tool) {
            return;
        }
        for part in parts(self.case, &rule.subject) {
            let matches = self.matches(rule, part, Lean::Wide);
            if matches == Match::No {
                continue;
            }
            let maybe = matches == Match::Maybe;
            let effect = match (maybe, effect_of(self.stack.unresolved(file.layer))) {
                // A doubt never makes a rule stricter than it is: what asks does not deny.
                (true, Some(doubt)) => rule.effect.min(doubt),
                // Without a rule for doubt, what may match is only mentioned.
                (true, None) => Effect::Note,
                (false, _) => rule.effect,
            };
            let mut reason = rule.reason.clone().into_owned();
            if maybe {
                reason = format!("Whether the rule applies is only known at run time. {reason}");
            }
            self.findings.push(Finding {
                rule: rule.id.clone().into_owned(),
                layer: file.layer,
                file: Some(file.name.clone()),
                effect,
                no_prompt: rule.no_prompt.or(file.policy.defaults.no_prompt).unwrap_or(NoPrompt::Deny),
                reason,
                instead: rule.instead.clone().into_owned(),
                part,
                evidence: self.evidence(part),
                maybe,
                excepted: None,
            });
            // One is enough for a string: it stands in the command as it is written and as it runs.
            if matches!(rule.subject, Subject::Text(_)) {
                break;
            }
        }
    }

    /// Whether a rule is about a part, with its `when` and its `unless`.
    fn matches(&self, rule: &Rule<'_>, part: Part, lean: Lean) -> Match {
        let matches = matching::subject(&rule.subject, part, self.case, lean);
        if matches == Match::No {
            return matches;
        }
        let when = matching::when(&rule.when, self.case);
        // Where a rule holds and that is not known, a restriction holds and nothing is loosened.
        let matches = match (when, lean) {
            (Match::No, _) | (Match::Maybe, Lean::Narrow | Lean::Open) => return Match::No,
            _ => matches,
        };
        // Turned, because what takes a rule away must be as sure as what loosens.
        let unless = matching::subject(&rule.unless, part, self.case, lean.turned());
        match (unless, lean) {
            (Match::Yes, _) | (Match::Maybe, Lean::Narrow | Lean::Open) => Match::No,
            _ => matches,
        }
    }

    /// What a part is, for a person.
    fn evidence(&self, part: Part) -> String {
        match part {
            Part::Command { .. } => {
                self.case.command(part).map(|command| command.readable()).unwrap_or_default()
            }
            Part::Path(index) => self.action.paths[index].0.clone().into_owned(),
            Part::Url(index) => self.action.urls[index].clone().into_owned(),
            Part::Mcp => {
                let reading = self.action.mcp.as_ref().and_then(|call| call.readings.first());
                reading.map(|(server, tool)| format!("{server}/{tool}")).unwrap_or_default()
            }
            Part::Agent => {
                let name = self.action.agent.as_ref().and_then(|start| start.name.as_deref());
                name.unwrap_or("an agent without a name").to_owned()
            }
            Part::Whole => String::new(),
        }
    }

    /// Where a file says so: everything that could not be followed.
    fn unresolved(&mut self) {
        let Some(layer) = self.stack.who_says_unresolved() else { return };
        let Some(effect) = effect_of(self.stack.unresolved(layer)) else { return };
        let noted = self.case.analyses.iter().any(|analysis| !analysis.notes.is_empty());
        // A name that is only known at run time may be any program.
        let hidden = |atom: &Atom| atom.args.first().is_some_and(shell::Arg::has_hole);
        let named = self.case.analyses.iter().flat_map(|analysis| &analysis.atoms).find(|atom| hidden(atom));
        if !noted && named.is_none() {
            return;
        }
        self.findings.push(Finding {
            rule: UNRESOLVED.to_owned(),
            layer,
            file: None,
            effect,
            no_prompt: self.stack.no_prompt(layer),
            reason: "Some of what it would run is only known at run time, or cannot be read.".to_owned(),
            instead: "Write the command out, one step at a time.".to_owned(),
            part: Part::Whole,
            evidence: named
                .map(|atom| {
                    atom.args.iter().map(|arg| shell::mark::readable(&arg.text)).collect::<Vec<_>>().join(" ")
                })
                .unwrap_or_default(),
            maybe: true,
            excepted: None,
        });
    }

    /// What the files say about a call that no rule speaks about. Rules of a lower layer do not count as speaking:
    /// no one gets around a machine's default by a rule of their own.
    fn unmatched(&self, allowed: Option<&[Finding]>) -> Option<Finding> {
        let spoken = |layer: Layer| {
            // Nor do built-in rules: a project may have switched them on.
            let speaks =
                |finding: &Finding| finding.counts() && finding.file.is_some() && finding.layer >= layer;
            // A project's `allow` counts for users, who trusted it.
            let floor = if layer == Layer::System { Layer::System } else { Layer::Project };
            self.findings.iter().any(speaks)
                || allowed.is_some_and(|rules| rules.iter().all(|finding| finding.layer >= floor))
        };
        let files = self.stack.files.iter().filter(|file| !spoken(file.layer));
        let says =
            files.filter_map(|file| Some((Said::of(file.policy.defaults.unmatched?, file.layer), file)));
        let (Said { effect, layer }, file) = says.max_by_key(|(said, _)| *said)?;
        Some(Finding {
            rule: UNMATCHED.to_owned(),
            layer,
            file: Some(file.name.clone()),
            effect,
            no_prompt: self.stack.no_prompt(layer),
            reason: "No rule of the policy allows it.".to_owned(),
            instead: "Use what the policy allows, or ask the user.".to_owned(),
            part: Part::Whole,
            evidence: String::new(),
            maybe: false,
            excepted: None,
        })
    }
}

fn effect_of(unresolved: Unresolved) -> Option<Effect> {
    match unresolved {
        Unresolved::None => None,
        Unresolved::Ask => Some(Effect::Ask),
        Unresolved::Deny => Some(Effect::Deny),
    }
}
