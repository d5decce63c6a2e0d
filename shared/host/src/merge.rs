//! How a host joins the answers of several hooks.

use payload::EventKind;
use payload::model::{Effect, Outcome};

use crate::record::{Order, Product, Quirk};

/// What several answers amount to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Merged {
    /// What the host does.
    pub effect: Effect,
    /// Why, in the hooks' words; hosts show one reason before a tool, and all of them elsewhere.
    pub reasons: Vec<String>,
    /// What the model is told besides.
    pub contexts: Vec<String>,
    /// The JSON text of the tool input that is used instead.
    pub input: Option<String>,
    /// The tool result or the prompt that is used instead.
    pub replacement: Option<String>,
    /// What the user is told.
    pub notices: Vec<String>,
}

/// Joins answers, in the order in which the hooks ran, or would finish.
pub fn merge(product: Product, kind: EventKind, outcomes: &[Outcome]) -> Merged {
    let strongest = outcomes.iter().map(|outcome| outcome.effect).max_by_key(|effect| rank(*effect));
    let effect = strongest.unwrap_or_default();
    let mut decisive = outcomes.iter().filter(|outcome| outcome.effect == effect);
    let reasons: Vec<String> = if kind.is_before_tool() {
        // Of several reasons before a tool, hosts show one.
        let one = if product.has(Quirk::ShowsLaterDenial) { decisive.next_back() } else { decisive.next() };
        one.and_then(|outcome| outcome.reason.clone()).into_iter().collect()
    } else {
        decisive.filter_map(|outcome| outcome.reason.clone()).collect()
    };
    let mut inputs = outcomes.iter().filter_map(|outcome| outcome.input.clone());
    Merged {
        effect,
        reasons,
        contexts: outcomes.iter().filter_map(|outcome| outcome.context.clone()).collect(),
        // The last changed input counts; Copilot hands each to the next hook, which comes to the same.
        input: inputs.next_back().filter(|_| !matches!(effect, Effect::Deny | Effect::Abort)),
        replacement: outcomes.iter().filter_map(|outcome| outcome.replacement.clone()).next_back(),
        notices: outcomes.iter().filter_map(|outcome| outcome.notice.clone()).collect(),
    }
}

/// The more restrictive, the higher: deny, then defer or abort, then ask, then allow.
fn rank(effect: Effect) -> u8 {
    match effect {
        Effect::None => 0,
        Effect::Allow => 1,
        Effect::EndTurn => 2,
        Effect::Ask => 3,
        Effect::Abort => 4,
        Effect::Deny | Effect::Block => 5,
    }
}

/// Whether the hooks after this answer do not run any more.
pub(crate) fn is_last(product: Product, kind: EventKind, outcome: &Outcome) -> bool {
    match product.order.value {
        Order::UntilFirstNo => {
            kind.is_before_tool() && matches!(outcome.effect, Effect::Deny | Effect::Ask | Effect::Abort)
        }
        // [source] Only a `stopReason` ends VS Code's series.
        Order::EachInTurn => outcome.effect == Effect::Abort,
        Order::AtOnce => false,
    }
}

impl Merged {
    /// The strings of the hooks that reach the model.
    pub fn told(&self, kind: EventKind, product: Product) -> Vec<String> {
        let prompt = kind == EventKind::UserPromptSubmit;
        // The prompt is dropped, so the model is not called and reads nothing.
        if prompt && matches!(self.effect, Effect::Block | Effect::Abort) {
            return Vec::new();
        }
        let decided = matches!(self.effect, Effect::Deny | Effect::Ask | Effect::Block);
        let reasons = self.reasons.iter().filter(|_| decided);
        let texts = reasons.chain(&self.contexts).chain(&self.replacement);
        let limit = product.text_limit.value;
        texts.map(|text| limit.map_or_else(|| text.clone(), |limit| preview(text, limit))).collect()
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
            Just(Effect::EndTurn),
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

    fn products() -> impl Strategy<Value = Product> {
        proptest::sample::select(Product::ALL.as_slice())
    }

    proptest! {
        #[test]
        fn a_denial_wins_over_everything_in_every_order(product in products(), mut some in outcomes(), at: usize) {
            let denial = Outcome { effect: Effect::Deny, reason: Some("no".to_owned()), ..Outcome::default() };
            some.insert(at % (some.len() + 1), denial);
            let merged = merge(product, EventKind::PreToolUse, &some);
            prop_assert_eq!(merged.effect, Effect::Deny);
            prop_assert_eq!(merged.input, None);
        }

        #[test]
        fn the_order_does_not_change_the_effect(product in products(), some in outcomes()) {
            let forward = merge(product, EventKind::PreToolUse, &some).effect;
            let back: Vec<_> = some.into_iter().rev().collect();
            prop_assert_eq!(forward, merge(product, EventKind::PreToolUse, &back).effect);
        }

        #[test]
        fn one_more_hook_never_loosens(product in products(), some in outcomes(), more in effects()) {
            let before = rank(merge(product, EventKind::PreToolUse, &some).effect);
            let mut all = some;
            all.push(Outcome { effect: more, ..Outcome::default() });
            prop_assert!(rank(merge(product, EventKind::PreToolUse, &all).effect) >= before);
        }

        #[test]
        fn every_context_is_kept(product in products(), some in outcomes()) {
            let merged = merge(product, EventKind::PostToolUse, &some);
            let said = some.iter().filter(|outcome| outcome.context.is_some()).count();
            prop_assert_eq!(merged.contexts.len(), said);
        }

        #[test]
        fn no_opinion_stays_none(product in products(), count in 0_usize..5) {
            let some = vec![Outcome::default(); count];
            prop_assert_eq!(merge(product, EventKind::PreToolUse, &some), Merged::default());
        }
    }
}
