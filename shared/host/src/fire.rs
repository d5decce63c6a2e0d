//! One event, from the hooks that it calls to what the host then does.

use std::path::Path;
use std::thread;
use std::time::Duration;

use payload::Address;
use payload::model::{self, Effect, Ended, Outcome, Run};

use crate::answer;
use crate::environment;
use crate::hook::{Action, Hook};
use crate::merge::{Merged, is_last, merge};
use crate::problem::Problem;
use crate::process::{Execute, Finished};
use crate::record::{Order, Product, Quirk};
use crate::request::Request;
use crate::scene::{self, Scene, Upshot};
use crate::select::select;

/// Where an event happens.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    pub product: Product,
    /// How it was started.
    pub scene: Scene,
    /// The project's root.
    pub project: &'a Path,
}

/// A hook that ran, and what the host makes of its answer.
#[derive(Debug, Clone)]
pub struct Ran<'a> {
    pub hook: &'a Hook,
    /// The payload that it got.
    pub payload: String,
    /// What its process left behind.
    pub finished: Finished,
    /// What the host makes of that.
    pub outcome: Outcome,
    /// What the host silently does not do.
    pub problems: Vec<Problem>,
}

/// What became of an event.
#[derive(Debug, Clone)]
pub struct Fired<'a> {
    /// The hooks that ran, in the host's order.
    pub ran: Vec<Ran<'a>>,
    /// Those that would have run, had no earlier one said no.
    pub not_reached: Vec<&'a Hook>,
    /// Their answers together.
    pub merged: Merged,
    /// What the host then does.
    pub upshot: Upshot,
    /// What could as well have come of it, where that hangs on which hook answers first.
    pub races: Vec<(Merged, Upshot)>,
    /// Processes that were left behind and are gone now.
    pub left: usize,
}

/// Calls the hooks of an event as a host does.
pub fn fire<'a>(
    setting: &Setting<'_>,
    hooks: &'a [Hook],
    request: &Request,
    execute: &dyn Execute,
) -> Fired<'a> {
    let Setting { product, scene, .. } = *setting;
    let chosen = select(product, hooks, request);
    let one = |hook: &'a Hook, request: &Request| run_one(setting, hook, request, execute);
    // One group that runs in turn makes the whole event do so.
    let in_turn = product.order.value != Order::AtOnce || chosen.iter().any(|hook| hook.in_turn);
    let mut ran: Vec<Ran<'a>> = Vec::new();
    let mut not_reached = Vec::new();
    // One hook alone needs no thread, whatever the host's order.
    if in_turn || chosen.len() < 2 {
        let mut current = request.clone();
        for (index, hook) in chosen.iter().enumerate() {
            let next = one(hook, &current);
            if let Some(input) = &next.outcome.input
                // Where the input is handed on, each hook sees what the one before made of it.
                && product.has(Quirk::HandsInputOn)
            {
                current = current.with_input(input);
            }
            let last = is_last(product, request.kind, &next.outcome);
            ran.push(next);
            if last {
                not_reached = chosen[index + 1..].to_vec();
                break;
            }
        }
    } else {
        thread::scope(|scope| {
            let handles: Vec<_> = chosen.iter().map(|hook| scope.spawn(|| one(hook, request))).collect();
            // A panic in a thread is a fault of ours and goes on as one.
            ran = handles
                .into_iter()
                .map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect();
        });
    }
    let outcomes: Vec<Outcome> = ran.iter().map(|ran| ran.outcome.clone()).collect();
    // In turn, the order of the hooks is that of the answers, however long each one took.
    let mut came: Vec<usize> = (0..ran.len()).collect();
    if !in_turn {
        came.sort_by_key(|index| ran[*index].finished.time);
    }
    let end = |came: &[usize]| {
        let merged = merge(product, request.kind, &outcomes, came);
        let upshot = scene::upshot(product, scene, request, &merged);
        (merged, upshot)
    };
    let (merged, upshot) = end(&came);
    let mut races: Vec<(Merged, Upshot)> = Vec::new();
    if !in_turn {
        for other in other_orders(&ran, &came) {
            let other = end(&other);
            let same = |known: &(Merged, Upshot)| known.0.differs_in_order_only(&other.0);
            if !merged.differs_in_order_only(&other.0) && !races.iter().any(same) {
                races.push(other);
            }
        }
    }
    let left = execute.tidy();
    Fired { ran, not_reached, merged, upshot, races, left }
}

/// Answers that come within this time of each other may come the other way round the next time.
const CLOSE: Duration = Duration::from_millis(400);

/// The other orders in which answers that came close together could have come: each of them first, and each last.
fn other_orders(ran: &[Ran<'_>], came: &[usize]) -> Vec<Vec<usize>> {
    let time = |index: usize| ran[index].finished.time;
    let close = |a: usize, b: usize| time(a).abs_diff(time(b)) < CLOSE;
    let moved = |index: usize, last: bool| {
        let mut order: Vec<usize> = came.iter().copied().filter(|other| *other != index).collect();
        // Only past those that came close: an order that could not have happened is not tried.
        let at = if last {
            order.iter().rposition(|other| close(*other, index)).map_or(0, |at| at + 1)
        } else {
            order.iter().position(|other| close(*other, index)).unwrap_or(order.len())
        };
        order.insert(at, index);
        order
    };
    let with_others =
        came.iter().filter(|one| came.iter().any(|other| other != *one && close(**one, *other)));
    with_others.flat_map(|index| [moved(*index, true), moved(*index, false)]).collect()
}

fn run_one<'a>(setting: &Setting<'_>, hook: &'a Hook, request: &Request, execute: &dyn Execute) -> Ran<'a> {
    let product = setting.product;
    // For each hook anew: on Copilot the casing of the hook's own key decides the form.
    let payload = request.payload(product, hook.dialect, &hook.key);
    let finished = match environment::spec(product, hook, request, setting.project) {
        Some(spec) => execute.execute(hook, &spec, &payload),
        None => Finished::not_started(match &hook.action {
            Action::Unstartable(why) => why.clone(),
            _ => String::new(),
        }),
    };
    let (outcome, problems) = judge(product, hook, request, &finished);
    Ran { hook, payload, finished, outcome, problems }
}

/// What the host makes of what a hook left behind.
fn judge(product: Product, hook: &Hook, request: &Request, finished: &Finished) -> (Outcome, Vec<Problem>) {
    if matches!(hook.action, Action::Elsewhere(_)) {
        return (Outcome { ignored: Some("hook-runner does not run it"), ..Outcome::default() }, Vec::new());
    }
    if hook.detached {
        return (Outcome { ignored: Some("asynchronous"), ..Outcome::default() }, Vec::new());
    }
    let address =
        Address { host: product.host, dialect: hook.dialect, kind: hook.kind, name: hook.key.clone().into() };
    let run = Run { stdout: &finished.stdout, stderr: &finished.stderr, ended: finished.ended };
    let mut outcome = model::read_run(&address, &run);
    if hook.blocks_on_failure && failed(finished, &outcome) {
        let effect = if hook.kind.is_before_tool() { Effect::Deny } else { Effect::Block };
        // Nothing of the answer counts any more; `ignored` still tells why.
        outcome = Outcome { effect, ignored: outcome.ignored, ..Outcome::default() };
    }
    let problems = answer::check(product, hook, request, finished, &outcome);
    (outcome, problems)
}

/// What `onFailure: "block"` takes for a failure.
///
/// [run] Claude Code 2.1.329: a time-out, a missing program, a signal, exit code 1 even with `{}`, an answer that does not
/// fit the schema; not text in front of the JSON.
fn failed(finished: &Finished, outcome: &Outcome) -> bool {
    let decided = !matches!(outcome.effect, Effect::None);
    match finished.ended {
        // The model names its reasons as text; Claude Code takes only this one for a failure.
        Ended::Exited(0 | 2) => outcome.ignored == Some("the answer does not fit the schema"),
        Ended::Exited(_) => !decided,
        Ended::Signalled | Ended::TimedOut | Ended::NotStarted => true,
    }
}
