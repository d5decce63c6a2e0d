//! From a call and the layers to a decision.

mod agents;

use policy::{Facts, Judgement, Profile, Severity};
use shell::{Atom, Flow, Place};

use crate::action::{Action, Part};
use crate::fit::{self, Fit, Lean};
use crate::layers::{File, Stack};
use crate::model::{Effect, Exception, Layer, NoPrompt, Rule, Subject, Unresolved};
use crate::once;
use crate::programs;
use crate::scene::Scene;

/// The id under which a broken file is reported.
pub const BROKEN: &str = "policy.broken";
/// The id under which a call is reported that no rule speaks about.
pub const UNMATCHED: &str = "policy.unmatched";
/// The id under which a command is reported that cannot be resolved.
pub const UNRESOLVED: &str = "policy.unresolved";
/// Built-in rules about sub-agents, which are about the repository and not about commands.
pub(crate) const AGENT_FAMILY: &str = "agents";
/// Their ids.
pub(crate) const AGENT_RULES: [&str; 2] = ["agents.unknown", "agents.unnamed"];

/// A rule that speaks about a part of a call.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The rule's id.
    pub rule: String,
    /// Who says so.
    pub layer: Layer,
    /// The file, if it is one.
    pub file: Option<String>,
    /// What the rule says about it.
    pub effect: Effect,
    /// What becomes of an ask where nobody can answer.
    pub no_prompt: NoPrompt,
    /// Why it matters.
    pub reason: String,
    /// What to do instead.
    pub instead: String,
    /// What it is about.
    pub part: Part,
    /// The same as it reads for a person.
    pub evidence: String,
    /// Whether only run time tells that the rule matches.
    pub maybe: bool,
    /// The exception that takes it away: its reason.
    pub excepted: Option<String>,
}

/// What the policies say about a call.
#[derive(Debug, Default)]
pub struct Ruling {
    /// The decision, whoever asks; none where nobody speaks.
    pub decision: Option<Effect>,
    /// The decision on the host that asks: an ask that reaches nobody has become what the rule says.
    pub answer: Option<Effect>,
    /// Every rule that speaks, the strictest first.
    pub findings: Vec<Finding>,
    /// The rules that hold the call back, if a person may lift them all once: their ids and reasons.
    pub once: Option<Vec<(String, String)>>,
    /// Whether an ask reaches a person there.
    pub can_ask: bool,
    /// What each command text would run.
    pub analyses: Vec<shell::Analysis>,
}

impl Finding {
    /// What it comes to on a host.
    pub fn on_host(&self, can_ask: bool) -> Option<Effect> {
        match (self.effect, self.no_prompt) {
            _ if self.excepted.is_some() => None,
            (Effect::Note, _) => None,
            (Effect::Ask, NoPrompt::Deny) if !can_ask => Some(Effect::Deny),
            (Effect::Ask, NoPrompt::None) if !can_ask => None,
            (effect, _) => Some(effect),
        }
    }

    fn counts(&self) -> bool {
        self.excepted.is_none() && self.effect >= Effect::Ask
    }
}

/// Judges a call by all layers. `branch` overrides what the disk says, for examples.
pub fn decide(stack: &Stack<'_>, action: &Action<'_>, facts: &Facts<'_>, branch: Option<&str>) -> Ruling {
    decide_judged(stack, action, policy::judge(&action.commands, facts), facts, branch)
}

/// Judges a call about which the built-in rules have said what they find.
pub fn decide_judged(
    stack: &Stack<'_>,
    action: &Action<'_>,
    judgement: Judgement,
    facts: &Facts<'_>,
    branch: Option<&str>,
) -> Ruling {
    let scene = Scene::new(action, &judgement.analyses, facts).on_branch(branch);
    let mut judge = Judge { stack, action, scene: &scene, findings: Vec::new() };
    judge.built_in(&judgement.findings);
    judge.built_in_edits(&judgement.edits);
    judge.agents();
    for file in &stack.files {
        judge.file(file);
    }
    judge.unresolved();
    judge.except();
    let allowed = judge.allowed();
    let unmatched = judge.unmatched(allowed.as_deref());
    let mut findings = judge.findings;
    findings.extend(unmatched);
    findings.sort_by_key(|finding| std::cmp::Reverse((finding.counts(), finding.effect, !finding.maybe)));
    let held = findings.iter().filter(|finding| finding.counts());
    let decision = held.clone().map(|finding| finding.effect).max();
    let answer = held.filter_map(|finding| finding.on_host(action.can_ask)).max();
    let silent = decision.is_none();
    let once = if silent { None } else { once::lifted(stack, &findings, action.can_ask) };
    let allow = if silent { allowed } else { None };
    let allowed_effect = allow.as_ref().map(|_| Effect::Allow);
    findings.extend(allow.into_iter().flatten());
    Ruling {
        decision: decision.or(allowed_effect),
        answer: answer.or(allowed_effect.filter(|_| silent)),
        findings,
        once,
        can_ask: action.can_ask,
        analyses: judgement.analyses,
    }
}

fn profile(stack: &Stack<'_>) -> Profile {
    let strict = stack.files.iter().any(|file| file.policy.builtin.profile == Some(Profile::Strict));
    if strict { Profile::Strict } else { Profile::Standard }
}

/// The parts that a kind of rule looks at.
fn parts(scene: &Scene<'_>, action: &Action<'_>, subject: &Subject<'_>) -> impl Iterator<Item = Part> {
    let named = move |called: &str| match subject {
        Subject::Run(tests) => {
            tests.iter().any(|test| test.program.is_empty() || programs::may_be(&test.program, called))
        }
        _ => true,
    };
    let commands = match subject {
        Subject::Run(_) | Subject::Path(_) | Subject::Net(_) | Subject::Text(_) => scene.programs(),
        _ => &[],
    };
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
    scene: &'j Scene<'j>,
    findings: Vec<Finding>,
}

impl Judge<'_, '_> {
    /// The built-in rules, with what the files say about them.
    fn built_in(&mut self, found: &[policy::Finding]) {
        let usual = profile(self.stack);
        for finding in found {
            let part = match finding.atom {
                Some(atom) => Part::Command { text: finding.text, atom },
                None => Part::Whole,
            };
            self.built_in_rule(finding.rule, part, &finding.evidence, usual);
        }
    }

    /// The same about files that a tool edits by itself.
    fn built_in_edits(&mut self, found: &[policy::EditFinding]) {
        let usual = profile(self.stack);
        for finding in found {
            let path = self.action.paths.iter().position(|(path, _)| *path == finding.path);
            let part = path.map_or(Part::Whole, Part::Path);
            self.built_in_rule(finding.rule, part, &finding.evidence, usual);
        }
    }

    fn built_in_rule(&mut self, rule: &'static policy::Rule, part: Part, evidence: &str, usual: Profile) {
        let strict = usual == Profile::Strict;
        let by_severity =
            if rule.severity == Severity::Risky && !strict { Effect::Ask } else { Effect::Deny };
        let mut effect = self.set(
            rule.id,
            rule.family(),
            (!rule.is_locked()).then(|| floor_of_builtin(rule)),
            by_severity,
        );
        if rule.family() == "unresolved"
            && self.stack.says_unresolved()
            && let (Some(now), Some(said)) = (effect, effect_of(self.stack.unresolved()))
        {
            effect = Some(now.max(said));
        }
        if let Some(effect) = effect {
            self.findings.push(Finding {
                rule: rule.id.to_owned(),
                layer: Layer::BuiltIn,
                file: None,
                effect,
                no_prompt: self.stack.no_prompt(),
                reason: rule.reason.to_owned(),
                instead: rule.instead.to_owned(),
                part,
                evidence: evidence.to_owned(),
                maybe: false,
                excepted: None,
            });
        }
        let off = effect.is_none() || self.excepted_builtin(rule, part).is_some();
        if off {
            self.next_of_family(rule, part, evidence, usual);
        }
    }

    /// The engine stops at the first rule of a family that matches; when that one does not count, the others are asked.
    fn next_of_family(&mut self, rule: &'static policy::Rule, part: Part, evidence: &str, usual: Profile) {
        let Some(command) = self.scene.command(part) else { return };
        let family = policy::families().iter().find(|family| family.id == rule.family());
        let rules = family.map_or(&[][..], |family| family.rules);
        let later = rules.iter().skip_while(|one| one.id != rule.id).skip(1);
        let next = later.into_iter().find(|one| match one.when {
            policy::When::Command(matches) => matches(&command),
            policy::When::Note(_) => false,
        });
        if let Some(next) = next {
            self.built_in_rule(next, part, evidence, usual);
        }
    }

    /// What a built-in rule says after the files had their say; `None`: it is switched off. `floor` is the lowest layer
    /// that may loosen it, if one may.
    fn set(&self, rule: &str, family: &str, floor: Option<Layer>, usual: Effect) -> Option<Effect> {
        let mut effect = Some(usual);
        let mut set_above = false;
        for file in &self.stack.files {
            for (id, said, _) in &file.policy.builtin.rules {
                if id != rule && id != family {
                    continue;
                }
                let above = floor.is_some_and(|floor| file.layer >= floor);
                let loosens = above && file.errors.is_empty() && file.layer != Layer::Project;
                effect = if loosens && !set_above { *said } else { effect.max(*said) };
                set_above |= file.layer == Layer::System;
            }
        }
        effect
    }

    fn file(&mut self, file: &File<'_>) {
        if let Some(error) = file.errors.first()
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
                instead: "Ask the user to correct the policy; reading files is still possible.".to_owned(),
                part: Part::Whole,
                evidence: String::new(),
                maybe: false,
                excepted: None,
            });
        }
        for rule in &file.policy.rules {
            if rule.effect != Effect::Allow {
                self.rule(rule, file);
            }
        }
    }

    /// Every part that a rule speaks about.
    fn rule(&mut self, rule: &Rule<'_>, file: &File<'_>) {
        if !rule.tools.is_empty() && !rule.tools.contains(&self.action.tool) {
            return;
        }
        for part in parts(self.scene, self.action, &rule.subject) {
            let fits = self.fits(rule, part, Lean::Wide);
            if fits == Fit::No {
                continue;
            }
            let maybe = fits == Fit::Maybe;
            let effect = match (maybe, effect_of(self.stack.unresolved())) {
                (true, Some(doubt)) => rule.effect.min(doubt),
                (true, None) => Effect::Note,
                (false, _) => rule.effect,
            };
            let mut reason = rule.reason.clone().into_owned();
            if maybe {
                reason = format!("Only run time tells whether this is what the rule is about. {reason}");
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
            // One is enough for a text: it stands in the command as it is written and as it runs.
            if matches!(rule.subject, Subject::Text(_)) {
                break;
            }
        }
    }

    /// Whether a rule is about a part, with its `when` and its `unless`.
    fn fits(&self, rule: &Rule<'_>, part: Part, lean: Lean) -> Fit {
        let fits = fit::subject(&rule.subject, part, self.scene, self.action, lean);
        if fits == Fit::No {
            return fits;
        }
        let when = fit::when(&rule.when, self.action, self.scene);
        // Where a rule holds and that is not known, a restriction holds and nothing is loosened.
        let fits = match (when, lean) {
            (Fit::No, _) | (Fit::Maybe, Lean::Narrow) => return Fit::No,
            _ => fits,
        };
        let unless = fit::subject(&rule.unless, part, self.scene, self.action, lean.turned());
        match (unless, lean) {
            (Fit::Yes, _) | (Fit::Maybe, Lean::Narrow) => Fit::No,
            _ => fits,
        }
    }

    /// What a part is, for a person.
    fn evidence(&self, part: Part) -> String {
        match part {
            Part::Command { .. } => {
                self.scene.command(part).map(|command| command.readable()).unwrap_or_default()
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
        let Some(effect) = effect_of(self.stack.unresolved()).filter(|_| self.stack.says_unresolved()) else {
            return;
        };
        let noted = self.scene.analyses.iter().any(|analysis| !analysis.notes.is_empty());
        let hidden = |atom: &Atom| atom.args.first().is_some_and(shell::Arg::has_hole);
        let named = self.scene.analyses.iter().flat_map(|analysis| &analysis.atoms).find(|atom| hidden(atom));
        if !noted && named.is_none() {
            return;
        }
        self.findings.push(Finding {
            rule: UNRESOLVED.to_owned(),
            layer: Layer::System,
            file: None,
            effect,
            no_prompt: self.stack.no_prompt(),
            reason: "Some of what it would run only exists at run time, or cannot be read.".to_owned(),
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

    /// Takes away what an exception is for.
    fn except(&mut self) {
        let mut findings = std::mem::take(&mut self.findings);
        for finding in &mut findings {
            if !finding.counts() || finding.rule.starts_with("policy.") {
                continue;
            }
            finding.excepted = match finding.layer {
                Layer::BuiltIn if policy::rule(&finding.rule).is_some() => {
                    policy::rule(&finding.rule).and_then(|rule| self.excepted_builtin(rule, finding.part))
                }
                Layer::BuiltIn if AGENT_RULES.contains(&&*finding.rule) => {
                    self.exception(&finding.rule, Layer::BuiltIn, Layer::User, finding.part)
                }
                _ => self.rule_of(finding).and_then(|(rule, layer)| self.excepted(rule, layer, finding.part)),
            };
        }
        self.findings = findings;
    }

    /// The rule of a finding, with its layer.
    fn rule_of(&self, finding: &Finding) -> Option<(&Rule<'_>, Layer)> {
        let files = self.stack.files.iter().filter(|file| Some(&file.name) == finding.file.as_ref());
        let mut rules = files.flat_map(|file| file.policy.rules.iter().map(|rule| (rule, file.layer)));
        rules.find(|(rule, _)| rule.id == finding.rule && rule.effect != Effect::Allow)
    }

    fn excepted_builtin(&self, rule: &policy::Rule, part: Part) -> Option<String> {
        if rule.is_locked() {
            return None;
        }
        // What is the user's own, the user may let an agent change, for a time.
        let floor = if rule.family() == "guard" { Layer::User } else { floor_of_builtin(rule) };
        self.exception(rule.id, Layer::BuiltIn, floor, part)
    }

    fn excepted(&self, rule: &Rule<'_>, layer: Layer, part: Part) -> Option<String> {
        if rule.locked {
            return None;
        }
        let floor = rule.override_by.unwrap_or(match layer {
            Layer::BuiltIn => Layer::System,
            layer => layer,
        });
        self.exception(&rule.id, layer, floor, part)
    }

    /// The exception for a part, from a layer that may.
    fn exception(&self, id: &str, of: Layer, floor: Layer, part: Part) -> Option<String> {
        let limits = self.stack.limits();
        let may = |file: &&File<'_>| {
            let shut = file.layer == Layer::User && of > Layer::User && !limits.user_exceptions;
            file.may_loosen && file.layer >= floor && !shut
        };
        let exceptions = self.stack.files.iter().filter(may).flat_map(|file| &file.policy.exceptions);
        let mut live = exceptions
            .filter(|exception| is_for(exception, id) && exception.expires.days() >= self.stack.today);
        live.find(|exception| self.covers(exception, part))
            .map(|exception| exception.reason.clone().into_owned())
    }

    fn covers(&self, exception: &Exception<'_>, part: Part) -> bool {
        let only = match &exception.only {
            Subject::Nothing => Fit::Yes,
            only => fit::subject(only, part, self.scene, self.action, Lean::Narrow),
        };
        only == Fit::Yes && fit::when(&exception.when, self.action, self.scene) == Fit::Yes
    }

    /// The rules that allow the call, if every part of it is allowed and nothing is in doubt.
    fn allowed(&self) -> Option<Vec<Finding>> {
        let files = self.stack.files.iter().filter(|file| file.may_loosen);
        let rules: Vec<(&File<'_>, &Rule<'_>)> = files
            .flat_map(|file| file.policy.rules.iter().map(move |rule| (file, rule)))
            .filter(|(_, rule)| rule.effect == Effect::Allow)
            .filter(|(_, rule)| rule.tools.is_empty() || rule.tools.contains(&self.action.tool))
            .collect();
        if rules.is_empty() || self.scene.analyses.iter().any(|analysis| !analysis.notes.is_empty()) {
            return None;
        }
        let parts = self.all_parts()?;
        let mut findings = Vec::new();
        for part in parts {
            let rule = rules.iter().find(|(_, rule)| {
                let kind = matches!(part, Part::Command { .. }) == matches!(rule.subject, Subject::Run(_));
                kind && self.is_plain(part) && self.fits(rule, part, Lean::Narrow) == Fit::Yes
            });
            let (file, rule) = rule?;
            findings.push(Finding {
                rule: rule.id.clone().into_owned(),
                layer: file.layer,
                file: Some(file.name.clone()),
                effect: Effect::Allow,
                no_prompt: NoPrompt::Deny,
                reason: rule.reason.clone().into_owned(),
                instead: String::new(),
                part,
                evidence: self.evidence(part),
                maybe: false,
                excepted: None,
            });
        }
        Some(findings)
    }

    /// Everything that must be allowed; `None` where that is nothing we know.
    fn all_parts(&self) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        for (text, analysis) in self.scene.analyses.iter().enumerate() {
            // What an MCP tool sends to a database belongs to the call.
            let sql =
                self.action.commands.get(text).is_some_and(|command| command.dialect == policy::Dialect::Sql);
            if sql && self.action.mcp.is_some() {
                continue;
            }
            // A text in which nothing is found is no text that is allowed.
            if analysis.atoms.is_empty() {
                return None;
            }
            parts.extend((0..analysis.atoms.len()).map(|atom| Part::Command { text, atom }));
        }
        if self.action.mcp.is_some() {
            parts.push(Part::Mcp);
        } else {
            parts.extend((0..self.action.urls.len()).map(Part::Url));
            parts.extend((0..self.action.paths.len()).map(Part::Path));
        }
        if self.action.agent.is_some() {
            parts.push(Part::Agent);
        }
        (!parts.is_empty()).then_some(parts)
    }

    /// Whether a command is no more than its words: nothing is written, set or only known at run time.
    fn is_plain(&self, part: Part) -> bool {
        let Part::Command { text, atom } = part else { return true };
        let Some(atom) = self.scene.analyses.get(text).and_then(|analysis| analysis.atoms.get(atom)) else {
            return false;
        };
        let harmless = |redirect: &shell::Redirect| {
            redirect.target == "/dev/null"
                || redirect.flow != Flow::Read
                    && matches!(redirect.target.as_str(), "/dev/stdout" | "/dev/stderr")
        };
        atom.place == Place::Here
            && atom.assigns.is_empty()
            && atom.redirects.iter().all(harmless)
            && atom.args.iter().all(|arg| arg.known().is_some())
    }

    /// What the files say about a call that no rule speaks about. Rules of a lower layer do not count as speaking:
    /// nobody gets round a machine's default by a rule of his own.
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
        let files = self.stack.files.iter().filter_map(|file| Some((file.policy.defaults.unmatched?, file)));
        let (effect, file) =
            files.filter(|(_, file)| !spoken(file.layer)).max_by_key(|(effect, _)| *effect)?;
        Some(Finding {
            rule: UNMATCHED.to_owned(),
            layer: file.layer,
            file: Some(file.name.clone()),
            effect,
            no_prompt: self.stack.no_prompt(),
            reason: "No rule of the policy allows it.".to_owned(),
            instead: "Use what the policy allows, or ask the user.".to_owned(),
            part: Part::Whole,
            evidence: String::new(),
            maybe: false,
            excepted: None,
        })
    }
}

/// Whether an exception names a rule, or its family: `git.*`.
fn is_for(exception: &Exception<'_>, id: &str) -> bool {
    match exception.rule.strip_suffix(".*") {
        Some(family) => id.strip_prefix(family).is_some_and(|rest| rest.starts_with('.')),
        None => exception.rule == id,
    }
}

/// The lowest layer that may loosen a built-in rule.
pub(crate) fn floor_of_builtin(rule: &policy::Rule) -> Layer {
    if rule.severity == Severity::Catastrophic || rule.family() == "guard" {
        Layer::System
    } else {
        Layer::User
    }
}

fn effect_of(unresolved: Unresolved) -> Option<Effect> {
    match unresolved {
        Unresolved::None => None,
        Unresolved::Ask => Some(Effect::Ask),
        Unresolved::Deny => Some(Effect::Deny),
    }
}
