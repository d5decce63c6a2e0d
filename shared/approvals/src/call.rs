//! Which call a grant was used for: one, however many hooks look at it.

use std::borrow::Cow;

use payload::Event;
use serde::{Deserialize, Serialize};

/// One hook's look at one call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// Which event reported it.
    event: String,
    /// The host's own identifier.
    id: Option<String>,
    /// When the host says that it happened.
    moment: Option<String>,
    /// The program that looks at it.
    by: String,
}

impl Call {
    /// A look of the program `by`.
    pub fn of(event: &Event<'_>, by: &str) -> Self {
        Self {
            event: event.kind.as_str().to_owned(),
            id: event.tool_use_id().map(Cow::into_owned).filter(|id| !id.is_empty()),
            moment: event.timestamp().map(Cow::into_owned).filter(|moment| !moment.is_empty()),
            by: by.to_owned(),
        }
    }

    /// Whether a grant that was used for `used` may be used for this, too: only where both are the same call.
    ///
    /// - With the host's identifier on both sides, that decides.
    /// - Without (Copilot CLI, Gemini CLI, Claude Code's permission requests), two events of one kind are one call if
    ///   they bear the same moment and come from two programs. Each program may use a grant once for each kind of event,
    ///   so that of two calls in the same millisecond at least one is refused by every program.
    /// - A permission request follows the call's own event at another moment. As each program judges both, and uses the
    ///   grant once for each, a second call is refused at its first event.
    pub(crate) fn may_follow(&self, used: &[Self]) -> bool {
        used.iter().all(|used| match (&self.id, &used.id) {
            (Some(own), Some(other)) => own == other,
            _ if self.event != used.event => true,
            (None, None) => self.moment == used.moment && self.by != used.by,
            _ => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(event: &str, id: &str, moment: &str, by: &str) -> Call {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Call { event: event.to_owned(), id: some(id), moment: some(moment), by: by.to_owned() }
    }

    #[test]
    fn one_call_passes_all_hooks_and_a_second_passes_none() {
        let before = |id: &str, moment: &str, by: &str| call("PreToolUse", id, moment, by);
        let asks = |id: &str, moment: &str, by: &str| call("PermissionRequest", id, moment, by);
        // What was used, what comes, and whether it may.
        let table = [
            (vec![], before("1", "", "a"), true),
            (vec![before("1", "", "a")], before("1", "", "b"), true),
            (vec![before("1", "", "a")], before("1", "", "a"), true),
            (vec![before("1", "", "a")], before("2", "", "b"), false),
            (vec![before("", "5", "a")], before("", "5", "b"), true),
            (vec![before("", "5", "a")], before("", "5", "a"), false),
            (vec![before("", "5", "a")], before("", "6", "b"), false),
            (vec![before("", "", "a")], before("", "", "b"), true),
            (vec![before("", "", "a")], before("", "", "a"), false),
            (vec![before("1", "", "a")], before("", "", "b"), false),
            (vec![before("", "", "a")], before("1", "", "b"), false),
            (vec![before("1", "", "a")], asks("", "", "a"), true),
            (vec![before("1", "", "a"), asks("", "", "a")], asks("", "", "b"), true),
            (vec![before("1", "", "a"), asks("", "", "a")], asks("", "", "a"), false),
            (vec![before("", "5", "a"), asks("", "7", "a")], asks("", "8", "b"), false),
            (vec![before("1", "", "a")], asks("2", "", "a"), false),
        ];
        for (used, comes, may) in table {
            assert_eq!(comes.may_follow(&used), may, "{comes:?} after {used:?}");
        }
    }
}
