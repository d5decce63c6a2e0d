//! A team's own policy says what agents may do: allow, ask, deny.

mod told;

use std::time::Duration;

use payload::{Decision, Event, Reason, ToolKind, Verdict};
use policy::Facts;
use program::{Context, Failures, Outcome, People, Program, Work};
use rules::layers::{self, Places, Stack};
use rules::{Action, Parts, Programs, Ruling};

/// The hook, as a value.
pub static PROGRAM: Program = Program {
    name: "approval-gate",
    about: "Allows, asks about and denies what coding agents do, as the policies of the team say.",
    version: env!("CARGO_PKG_VERSION"),
    on_failure: Failures::CLOSED,
    deadline: program::DEFAULT_DEADLINE,
    work_limit: None,
    linger: Duration::ZERO,
    // It reads the policy files.
    work: Work::MayBlock,
    decide,
    witness: Some(record),
    settings: &[],
    people: Some(People {
        commands: rules::people::commands,
        run: rules::people::run,
        example: "policy explain -- 'git push --force'",
    }),
};

/// Records what was denied or asked about, where an audit log is set up.
fn record(outcome: &Outcome<'_>) -> Result<(), String> {
    audit::decision(outcome, concat!("policy ", env!("CARGO_PKG_VERSION")), "policy")
}

/// What the policies say about a tool call.
pub fn decide(event: &Event<'_>, context: &Context) -> Verdict {
    if !event.kind.is_before_tool() {
        return Verdict::NoOpinion;
    }
    if event.input_unreadable() {
        return unreadable(event);
    }
    let home = context.home();
    let ruling = judge(event, &Places::here(home.as_deref()), home.as_deref());
    let verdict = told::verdict(&ruling, event);
    let why = || {
        let rules = ruling.once.iter().flatten();
        ruling.once.is_some().then(|| {
            rules
                .map(|(rule, reason)| approvals::Why { rule: rule.clone(), reason: reason.clone() })
                .collect()
        })
    };
    let verdict = approvals::settle(verdict, why, event, context);
    // The process is about to end; taking the analysis apart first costs 5 % of the whole call.
    std::mem::forget(ruling);
    verdict
}

/// Judges an event by the policies in `places`.
pub fn judge(event: &Event<'_>, places: &Places, home: Option<&str>) -> Ruling {
    let parts = Parts::of(event);
    let action: Action<'_> = parts.action(event);
    let facts = Facts::here(action.cwd, home);
    let mut judgement = policy::judge(&action.commands, &facts);
    if action.commands.is_empty() {
        judgement.edits = policy::judge_files(event, &facts);
    }
    let sources = layers::find(places, home, action.cwd);
    let stack = Stack::about(&Programs::of(&judgement.analyses), &sources, layers::today());
    let ruling = rules::decide_judged(&stack, &action, judgement, &facts, None);
    std::mem::forget(stack);
    ruling
}

/// A call whose arguments have a shape that no host writes: certainly a shell's, perhaps another tool's.
fn unreadable(event: &Event<'_>) -> Verdict {
    let tool = event.tool().map_or("a tool", |tool| &*tool.name);
    let shell = event.tool_kind() == ToolKind::Shell || !event.address().can_ask();
    let reason = Reason {
        text: format!("The arguments of `{tool}` have a shape that cannot be read, so it cannot be judged."),
        advice: "call the tool with its arguments as its description says.".to_owned(),
        rule: "hook.arguments-unreadable".to_owned(),
    };
    Verdict::Decide { decision: if shell { Decision::Deny } else { Decision::Ask }, reason }
}
