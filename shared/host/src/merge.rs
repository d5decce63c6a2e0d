//! How a host joins the answers of several hooks.

use std::collections::HashSet;

use payload::EventKind;
use payload::model::{Effect, Outcome};

use crate::record::{Counts, Order, Permits, Product, Quirk};

/// What several answers amount to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Merged {
    /// What the host does.
    pub effect: Effect,
    /// Whether the turn ends besides.
    pub ends: bool,
    /// Why, in the hooks' words, as far as the host shows them.
    pub reasons: Vec<String>,
    /// Context for the model.
    pub contexts: Vec<String>,
    /// The JSON text of the tool input that is used instead.
    pub input: Option<String>,
    /// The tool result or the prompt that is used instead.
    pub replacement: Option<String>,
    /// What the user reads.
    pub notices: Vec<String>,
}

/// Joins answers, in the host's order of their hooks. `came` is the order in which they came, by their places in that.
pub fn merge(product: Product, kind: EventKind, outcomes: &[Outcome], came: &[usize]) -> Merged {
    if outcomes.iter().any(|outcome| outcome.voids) {
        return Merged::default();
    }
    let all: Vec<&Outcome> = outcomes.iter().collect();
    let as_came: Vec<&Outcome> = came.iter().filter_map(|index| outcomes.get(*index)).collect();
    let effect = effect(product, kind, &all, &as_came);
    let asked = kind == EventKind::PreToolUse && effect == Effect::Ask || kind == EventKind::PostToolUse;
    let counts = match kind {
        _ if asked && product.has(Quirk::ShowsFirstQuestion) => Counts::First,
        EventKind::PreToolUse => product.refusal.value,
        EventKind::PermissionRequest => product.refusal.value,
        _ => product.objection.value,
    };
    // Who decides is then the one whose reason is shown, whatever the host does elsewhere.
    let first = kind == EventKind::PermissionRequest && product.permits.value == Permits::FirstToAnswer;
    let by_field = by_field(product, kind);
    let every = product.has(Quirk::ShowsEveryReason) || by_field;
    let counts = if by_field { Counts::Last } else { counts };
    let counts = if first { Counts::First } else { counts };
    let in_turn = if first { &as_came } else { &all };
    let explains = |outcome: &&Outcome| outcome.effect == effect || every;
    let reasons = |from: &[&Outcome]| -> Vec<Option<String>> {
        let some = from.iter().copied().filter(explains).map(|outcome| outcome.reason.clone());
        some.filter(|reason| !by_field || reason.is_some()).collect()
    };
    // What a failure denies has no words of an answer before it.
    let failed = all.last().is_some_and(|last| is_last(product, kind, last) && last.ignored.is_some());
    let held = matches!(effect, Effect::Deny | Effect::Abort);
    let hidden =
        kind == EventKind::PostToolUse && effect == Effect::Block && product.has(Quirk::BlockHidesContext);
    let mut contexts: Vec<String> = all.iter().filter_map(|outcome| outcome.context.clone()).collect();
    if by_field {
        contexts = counted(Counts::Last, contexts, Vec::new());
    }
    if hidden {
        contexts.clear();
    }
    // After the counting: an empty one that comes last counts, and hides the one before.
    contexts.retain(|context| !context.is_empty());
    let mut reasons: Vec<String> = counted(counts, reasons(in_turn), reasons(&as_came))
        .into_iter()
        .flatten()
        .filter(|_| !failed)
        .collect();
    if product.has(Quirk::ShowsReasonOnce) && matches!(kind, EventKind::Stop | EventKind::SubagentStop) {
        let mut seen = HashSet::new();
        reasons.retain(|reason| seen.insert(reason.clone()));
    }
    Merged {
        effect,
        // An allow interrupts nothing.
        ends: all.iter().any(|outcome| outcome.ends)
            && (kind != EventKind::PermissionRequest || effect == Effect::Deny),
        reasons,
        contexts,
        input: input(product, kind, effect, &all, &as_came).filter(|_| !held),
        replacement: all
            .iter()
            .filter_map(|outcome| outcome.replacement.clone())
            .next_back()
            .filter(|_| !hidden),
        notices: all.iter().filter_map(|outcome| outcome.notice.clone()).collect(),
    }
}

/// What counts of something, in the host's order and as it came.
fn counted<T>(counts: Counts, mut all: Vec<T>, mut as_came: Vec<T>) -> Vec<T> {
    match counts {
        Counts::First => all.truncate(1),
        Counts::Last => all = Vec::from_iter(all.pop()),
        Counts::LastToAnswer => all = Vec::from_iter(as_came.pop()),
        Counts::All => {}
    }
    all
}

/// Whether each field of the answers is that of the last which has it.
fn by_field(product: Product, kind: EventKind) -> bool {
    let one = matches!(
        kind,
        EventKind::UserPromptSubmit
            | EventKind::Stop
            | EventKind::SubagentStop
            | EventKind::PermissionRequest
    );
    one && product.has(Quirk::JoinsByField)
}

fn effect(product: Product, kind: EventKind, all: &[&Outcome], as_came: &[&Outcome]) -> Effect {
    let says = |outcome: &&&Outcome| outcome.effect != Effect::None;
    if by_field(product, kind) {
        return all.iter().rev().find(says).map_or(Effect::None, |outcome| outcome.effect);
    }
    let one = match product.permits.value {
        Permits::Last => all.iter().rev().find(says),
        Permits::FirstToAnswer => as_came.iter().find(says),
        Permits::Strictest => None,
    };
    if kind == EventKind::PermissionRequest && product.permits.value != Permits::Strictest {
        return one.map_or(Effect::None, |outcome| outcome.effect);
    }
    all.iter().map(|outcome| outcome.effect).max_by_key(|effect| rank(*effect)).unwrap_or_default()
}

fn input(
    product: Product,
    kind: EventKind,
    effect: Effect,
    all: &[&Outcome],
    as_came: &[&Outcome],
) -> Option<String> {
    let by_truth = product.has(Quirk::ChangesByTruth);
    let changes = |input: &String| !(by_truth && matches!(&**input, "null" | "false" | "0" | r#""""#));
    let inputs =
        |from: &[&Outcome]| from.iter().filter_map(|outcome| outcome.input.clone()).filter(changes).collect();
    if product.changed.value != Counts::LastToAnswer {
        let input = counted(product.changed.value, inputs(all), inputs(as_came)).pop();
        return input.filter(|input| input != "null" || !product.has(Quirk::ChangesByObject));
    }
    // In the program of Claude Code an answer that is weaker than one before it has no say about the input either.
    let mut strongest = Effect::None;
    let mut last = None;
    for outcome in as_came {
        strongest = [strongest, outcome.effect].into_iter().max_by_key(|effect| rank(*effect))?;
        let heard = outcome.effect == Effect::None || outcome.effect == strongest;
        if heard && (kind != EventKind::PermissionRequest || outcome.effect == effect) {
            last = outcome.input.clone().or(last);
        }
    }
    last
}

/// The more restrictive, the higher: deny, then defer or abort, then ask, then allow.
fn rank(effect: Effect) -> u8 {
    match effect {
        Effect::None => 0,
        Effect::Allow => 1,
        Effect::Ask => 2,
        Effect::Abort => 3,
        Effect::Deny | Effect::Block => 4,
    }
}

/// Whether the hooks after this answer do not run any more.
pub(crate) fn is_last(product: Product, kind: EventKind, outcome: &Outcome) -> bool {
    match (product.order.value, kind) {
        (Order::UntilFirstNo, EventKind::PreToolUse) => {
            matches!(outcome.effect, Effect::Deny | Effect::Ask | Effect::Abort)
        }
        // [run] `multi.post_block_ctx`: the second hook is not called.
        (Order::UntilFirstNo, EventKind::PostToolUse) => outcome.effect == Effect::Block,
        // [run] `d_perm_exit1_allow`: a failure denies, and the hooks after it are not called.
        (Order::UntilFirstNo, EventKind::PermissionRequest) => {
            outcome.effect == Effect::Deny && outcome.ignored.is_some()
        }
        (Order::UntilFirstNo, _) => false,
        // [source] Only a `stopReason` ends VS Code's series.
        (Order::EachInTurn, _) => outcome.effect == Effect::Abort,
        (Order::AtOnce, _) => false,
    }
}

impl Merged {
    /// Whether the two come to the same, whatever the order of what is said.
    pub(crate) fn differs_in_order_only(&self, other: &Self) -> bool {
        let sorted = |texts: &[String]| {
            let mut texts = texts.to_vec();
            texts.sort();
            texts
        };
        let texts = |merged: &Self| [&merged.reasons, &merged.contexts].map(|texts| sorted(texts));
        texts(self) == texts(other)
            && (self.effect, self.ends, &self.input, &self.replacement)
                == (other.effect, other.ends, &other.input, &other.replacement)
    }

    /// The strings of the hooks that reach the model.
    pub fn told(&self, kind: EventKind, product: Product) -> Vec<String> {
        let prompt = kind == EventKind::UserPromptSubmit;
        // The model is not asked any more, so that nothing can reach it.
        if self.ends || prompt && matches!(self.effect, Effect::Block | Effect::Abort) {
            return Vec::new();
        }
        let decided = matches!(self.effect, Effect::Deny | Effect::Ask | Effect::Block);
        let reasons = self.reasons.iter().filter(|_| decided).cloned();
        let limit = product.text_limit.value;
        let cut = |text: &String| limit.map_or_else(|| text.clone(), |limit| preview(text, limit));
        reasons.chain(self.contexts.iter().map(cut)).chain(self.replacement.clone()).collect()
    }
}

/// How much of a long text Claude Code 2.1.329 shows to the model, in characters; the rest is in a file.
const PREVIEW: usize = 2_000;

fn preview(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    text.chars().take(PREVIEW).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn effects() -> impl Strategy<Value = Effect> {
        prop_oneof![
            Just(Effect::None),
            Just(Effect::Allow),
            Just(Effect::Ask),
            Just(Effect::Deny),
            Just(Effect::Abort),
        ]
    }

    fn outcomes() -> impl Strategy<Value = Vec<Outcome>> {
        let outcome = (effects(), proptest::option::of("[a-z]{1,8}"), proptest::option::of("[a-z]{1,8}"));
        proptest::collection::vec(
            outcome.prop_map(|(effect, reason, context)| Outcome {
                effect,
                reason,
                context,
                ..Outcome::default()
            }),
            0..6,
        )
    }

    /// Joined as if each had come in its turn.
    fn merged(product: Product, kind: EventKind, some: &[Outcome]) -> Merged {
        merge(product, kind, some, &(0..some.len()).collect::<Vec<_>>())
    }

    fn products() -> impl Strategy<Value = Product> {
        proptest::sample::select(Product::ALL.as_slice())
    }

    fn reasons(kind: EventKind, effect: Effect) -> Vec<String> {
        let said = ["a", "b", "a"];
        let some =
            said.map(|reason| Outcome { effect, reason: Some(reason.to_owned()), ..Outcome::default() });
        merged(Product::VS_CODE, kind, &some).reasons
    }

    #[test]
    fn vs_code_joins_denials_shows_the_first_question_and_a_reason_to_go_on_once() {
        assert_eq!(reasons(EventKind::PreToolUse, Effect::Deny), ["a", "b", "a"]);
        assert_eq!(reasons(EventKind::PreToolUse, Effect::Ask), ["a"]);
        assert_eq!(reasons(EventKind::PostToolUse, Effect::Block), ["a"]);
        assert_eq!(reasons(EventKind::Stop, Effect::Block), ["a", "b"]);
    }

    #[test]
    fn hooks_know_which_hosts_join_denials() {
        for product in Product::ALL {
            for dialect in product.host.dialects() {
                let (kind, name) = (EventKind::PreToolUse, "PreToolUse".into());
                let address = payload::Address { host: product.host, dialect: *dialect, kind, name };
                let usual = product.host.dialects().first() == Some(dialect);
                let joins = usual && product.refusal.value == Counts::All;
                assert_eq!(address.joins(payload::Decision::Deny), joins, "{product}");
            }
        }
    }

    proptest! {
        #[test]
        fn a_denial_wins_over_everything_in_every_order(product in products(), mut some in outcomes(), at: usize) {
            let denial = Outcome { effect: Effect::Deny, reason: Some("no".to_owned()), ..Outcome::default() };
            some.insert(at % (some.len() + 1), denial);
            let merged = merged(product, EventKind::PreToolUse, &some);
            prop_assert_eq!(merged.effect, Effect::Deny);
            prop_assert_eq!(merged.input, None);
        }

        #[test]
        fn the_order_does_not_change_the_effect(product in products(), some in outcomes()) {
            let forward = merged(product, EventKind::PreToolUse, &some).effect;
            let back: Vec<_> = some.into_iter().rev().collect();
            prop_assert_eq!(forward, merged(product, EventKind::PreToolUse, &back).effect);
        }

        #[test]
        fn one_more_hook_never_loosens(product in products(), some in outcomes(), more in effects()) {
            let before = rank(merged(product, EventKind::PreToolUse, &some).effect);
            let mut all = some;
            all.push(Outcome { effect: more, ..Outcome::default() });
            prop_assert!(rank(merged(product, EventKind::PreToolUse, &all).effect) >= before);
        }

        #[test]
        fn every_context_is_kept(product in products(), some in outcomes()) {
            let merged = merged(product, EventKind::PostToolUse, &some);
            let said = some.iter().filter(|outcome| outcome.context.is_some()).count();
            prop_assert_eq!(merged.contexts.len(), said);
        }

        #[test]
        fn no_opinion_stays_none(product in products(), count in 0_usize..5) {
            let some = vec![Outcome::default(); count];
            prop_assert_eq!(merged(product, EventKind::PreToolUse, &some), Merged::default());
        }
    }
}
