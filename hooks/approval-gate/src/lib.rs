//! A team's own policy says what agents may do: allow, keep, ask, deny.

mod foretold;
mod keep;
mod rewrite;
mod verdict;

use std::borrow::Cow;
use std::time::Duration;

use payload::{Event, Verdict};
use policy::layers::{self, Places, Stack};
use policy::{Action, Effect, Finding, Part, Parts, Programs, Ruling};
use program::{Cli, Context, Failures, Outcome, Program, Work};
use rules::Facts;

pub static PROGRAM: Program = Program {
    name: "approval-gate",
    about: "Allows, denies or asks about what coding agents do, according to the team's policies.",
    version: program::VERSION,
    on_failure: Failures::CLOSED,
    deadline: program::DEFAULT_DEADLINE,
    work_limit: None,
    linger: Duration::ZERO,
    // It reads the policy files.
    work: Work::MayBlock,
    decide,
    witness: Some(record),
    settings: &[],
    cli: Some(Cli {
        commands: policy::cli::commands,
        run: policy::cli::run,
        example: "policy explain -- 'git push --force'",
    }),
};

/// Records what was denied or asked about, where an audit log is set up.
fn record(outcome: &Outcome<'_>) -> Result<(), String> {
    audit::decision(outcome, concat!("policy ", env!("CARGO_PKG_VERSION")), "policy")
}

/// What the policies say about a tool call.
pub fn decide(event: &Event<'_>, context: &Context) -> Verdict {
    if !event.may_be_call() {
        program::note_unknown_event(event, context);
        return Verdict::NoOpinion;
    }
    let home = context.home();
    let (places, home) = (Places::here(home.as_deref()), home.as_deref());
    // Who only watches, and what a person tries out, leaves nothing behind.
    let may_keep = context.enforces() && !context.is_drill();
    let mut judged = judged(event, &places, home, !may_keep);
    let mut failure = None;
    judged.tell_files(context);
    if judged.ruling.answer == Some(Effect::Keep) {
        match keep::keep(&judged, event, home, context) {
            Ok(verdict) => return verdict,
            Err(why) => failure = Some(why),
        }
        judged = self::judged(event, &places, home, true);
    }
    if judged.ruling.answer.is_none()
        && let Some(told) = foretold::denied(&judged.ruling, event, &places, home)
    {
        return voice::foretold(told.reason, &told.text);
    }
    if let Some(rewritten) = &judged.ruling.rewritten
        && let Some(verdict) = rewrite::verdict(rewritten, event, &places, home)
    {
        return verdict;
    }
    let ruling = judged.ruling;
    let verdict = look::not_kept(verdict::of(&ruling, event), failure.as_deref());
    let why = || {
        let rules = ruling.once.iter().flatten();
        ruling.once.is_some().then(|| {
            rules
                .map(|(rule, reason)| approvals::Why { rule: rule.clone(), reason: reason.clone() })
                .collect()
        })
    };
    let files = ruling.analyses.iter().flat_map(|analysis| &analysis.files);
    let verdict = approvals::without_secrets_of(verdict, files.map(|file| &*file.text));
    let verdict = approvals::settle(verdict, why, event, context);
    // The process is about to end; taking the analysis apart first costs 5 % of the whole call.
    std::mem::forget(ruling);
    voice::once(program::unless_read(verdict, event), event, context)
}

/// Judges an event by the policies in `places`: the strictest ruling of the directories in which its commands may run.
pub fn judge(event: &Event<'_>, places: &Places, home: Option<&str>) -> Ruling {
    judged(event, places, home, false).ruling
}

/// A ruling, and the commands that may go through once what they would lose was saved.
#[derive(Debug, Default)]
struct Judged {
    ruling: Ruling,
    losses: Vec<keep::Losing>,
}

impl Judged {
    /// The files that were read, for the record.
    fn tell_files(&self, context: &Context) {
        let place = |finding: &Finding| match finding.part {
            Part::Command { text, atom } => Some((text, atom)),
            _ => None,
        };
        let found = self.ruling.findings.iter().filter_map(place);
        let files = rules::files_read(&self.ruling.analyses, found);
        if !files.is_empty() {
            context.judged_files(files.iter().map(|file| (&*file.path, file.bytes())));
        }
    }
}

fn judged(event: &Event<'_>, places: &Places, home: Option<&str>, keeps_nothing: bool) -> Judged {
    let (folders, parts) = (rules::folders(event, home), Parts::of(event));
    let action = Action { keeps_nothing, ..parts.action(event) };
    judged_as(event, action, &folders, (places, home))
}

/// Judges what an event's call would do in each of the folders, as `action` says.
fn judged_as<'a>(
    event: &Event<'_>,
    mut action: Action<'a>,
    folders: &'a [Option<Cow<'_, str>>],
    (places, home): (&Places, Option<&str>),
) -> Judged {
    let sources = layers::find(places, home, action.cwd);
    let world = look::Look::new(&|| {}).during(event);
    let mut strictest: Option<Ruling> = None;
    let mut losses = Vec::new();
    for folder in folders {
        action.cwd = folder.as_deref();
        let facts = Facts::here(action.cwd, home).with_world(&world);
        let mut judgement = rules::judge(&action.commands, &facts);
        judgement.edits = rules::judge_files(event, &facts);
        let stack = Stack::about(&Programs::of(&judgement.analyses), &sources, layers::today());
        let judgement =
            policy::judged_as_said(&stack, judgement, &action.commands, (&facts, folder.as_deref()));
        let ruling = policy::decide_judged(&stack, &action, judgement, &facts);
        std::mem::forget(stack);
        if ruling.answer == Some(Effect::Keep) {
            losses.extend(keep::losing(&ruling, &action, folder.as_deref()));
        }
        if strictest.as_ref().is_none_or(|known| weight(&ruling) > weight(known)) {
            strictest = Some(ruling);
        }
    }
    Judged { ruling: strictest.unwrap_or_default(), losses }
}

/// How strict a ruling is: an allow only counts where no one else speaks.
fn weight(ruling: &Ruling) -> u8 {
    match ruling.answer {
        Some(Effect::Allow) => 0,
        None | Some(Effect::Note) => 1,
        Some(Effect::Keep) => 2,
        Some(Effect::Ask) => 3,
        Some(Effect::Deny) => 4,
    }
}
