//! What a hook answers when it could not do its work.

use std::time::Duration;

use payload::{Address, Decision, PayloadError, Reason, Verdict};

use crate::input::INPUT_LIMIT;

/// What to answer when one thing went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnFailure {
    /// The tool call is denied, unless the event is known not to be a tool call.
    Deny,
    /// Nothing: `{}` and exit 0.
    NoOpinion,
}

impl OnFailure {
    /// For help strings.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::Deny => "deny (for an event that is not a tool call: {} and exit 0)",
            Self::NoOpinion => "{} and exit 0",
        }
    }
}

/// What to answer, per cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failures {
    /// Stdin is empty, cannot be read, or holds no payload.
    pub unreadable: OnFailure,
    /// The payload is larger than [`INPUT_LIMIT`].
    pub too_large: OnFailure,
    /// The deadline passed.
    pub deadline: OnFailure,
    /// The program panicked, or made an answer that no host could read.
    pub panic: OnFailure,
}

impl Failures {
    /// For hooks that guard: what was not judged does not run.
    pub const CLOSED: Self = Self {
        unreadable: OnFailure::Deny,
        too_large: OnFailure::Deny,
        deadline: OnFailure::Deny,
        panic: OnFailure::Deny,
    };

    /// For hooks that watch or help: they are never in the way.
    pub const OPEN: Self = Self {
        unreadable: OnFailure::NoOpinion,
        too_large: OnFailure::NoOpinion,
        deadline: OnFailure::NoOpinion,
        panic: OnFailure::NoOpinion,
    };
}

/// Why a hook could not do its work.
#[derive(Debug)]
pub(crate) enum Cause {
    /// Stdin cannot be read; what the system says.
    Stdin(String),
    /// Stdin holds no payload.
    Payload(PayloadError),
    /// More than [`INPUT_LIMIT`] bytes arrived.
    TooLarge,
    /// The deadline passed before the host closed stdin.
    StdinOpen,
    /// The deadline passed while the hook worked.
    Deadline,
    /// The hook's own limit for its work passed, long before the deadline.
    WorkLimit(Duration),
    /// The program panicked; its message.
    Panic(String),
    /// The verdict cannot be said in the host's dialect; why.
    Unsayable(String),
    /// The watchdog cannot be started; what the system says.
    NoWatchdog(String),
}

impl Cause {
    /// What the hook declared for this.
    fn policy(&self, failures: Failures) -> OnFailure {
        match self {
            Self::Stdin(_) | Self::Payload(_) => failures.unreadable,
            Self::TooLarge => failures.too_large,
            Self::StdinOpen | Self::Deadline | Self::WorkLimit(_) => failures.deadline,
            Self::Panic(_) | Self::Unsayable(_) | Self::NoWatchdog(_) => failures.panic,
        }
    }

    /// What happened, to be read after the program's name.
    fn what(&self, deadline_ms: u128) -> String {
        match self {
            Self::Stdin(error) => format!("could not read its input ({error})"),
            Self::Payload(error) => format!("could not read its input: {error}"),
            Self::TooLarge => format!("got more than {} MiB of input", INPUT_LIMIT >> 20),
            Self::StdinOpen => {
                format!("could not finish in {} ms: its input was still open", grouped(deadline_ms))
            }
            Self::Deadline => format!("could not finish in {} ms", grouped(deadline_ms)),
            Self::WorkLimit(limit) => {
                format!("could not finish its work in {} ms", grouped(limit.as_millis()))
            }
            Self::Panic(what) => format!("failed inside: {what}"),
            Self::Unsayable(error) => format!("could not write its answer ({error})"),
            Self::NoWatchdog(error) => format!("could not start its watchdog ({error})"),
        }
    }

    fn hint(&self) -> &'static str {
        match self {
            Self::Stdin(_) => "Try again, and check what runs between the host and the hook.",
            Self::Payload(error) => error.hint(),
            Self::TooLarge => "Pass large content through a file instead of the call itself.",
            Self::StdinOpen => {
                "Check wrapper scripts between host and hook: stdin has to end after the payload."
            }
            Self::Deadline => "Try again with a smaller call; --deadline-ms gives a slow machine more time.",
            Self::WorkLimit(_) => "Try again; if it persists, look for a disk that is slow or full.",
            Self::Panic(_) | Self::Unsayable(_) => {
                "This is a bug: please report it with the call that led here."
            }
            Self::NoWatchdog(_) => "The machine is out of threads or memory: try again when it is less busy.",
        }
    }

    /// The rule under which it is reported.
    pub(crate) fn rule(&self) -> &'static str {
        match self {
            Self::Stdin(_) | Self::Payload(_) => "hook.input-unreadable",
            Self::TooLarge => "hook.input-too-large",
            Self::StdinOpen | Self::Deadline | Self::WorkLimit(_) => "hook.deadline",
            Self::Panic(_) | Self::Unsayable(_) | Self::NoWatchdog(_) => "hook.internal-error",
        }
    }

    /// The sentence for stderr.
    pub(crate) fn sentence(&self, name: &str, deadline_ms: u128) -> String {
        format!("{name} {}.", self.what(deadline_ms))
    }

    /// The documented verdict.
    pub(crate) fn verdict(
        &self,
        name: &str,
        deadline_ms: u128,
        failures: Failures,
        to: &Address<'_>,
    ) -> Verdict {
        // An unknown kind counts as a call: an event that a new version of a host has may well be one.
        let known_harmless = to.kind != payload::EventKind::Other && !to.kind.is_before_tool();
        if self.policy(failures) == OnFailure::NoOpinion || known_harmless {
            return Verdict::NoOpinion;
        }
        let text =
            format!("{} What was not judged does not run. {}", self.sentence(name, deadline_ms), self.hint());
        let reason = Reason { text, advice: String::new(), rule: self.rule().to_owned() };
        Verdict::Decide { decision: Decision::Deny, reason }
    }
}

/// A number with a comma before every three digits.
fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use payload::EventKind;

    fn verdict(cause: &Cause, failures: Failures, kind: EventKind) -> Verdict {
        let to = Address { kind, ..Address::unknown() };
        cause.verdict("guard", 1500, failures, &to)
    }

    #[test]
    fn a_guard_denies_what_it_could_not_judge() {
        for kind in [EventKind::PreToolUse, EventKind::PermissionRequest, EventKind::Other] {
            let Verdict::Decide { decision, reason } = verdict(&Cause::Deadline, Failures::CLOSED, kind)
            else {
                panic!("{kind:?} must be decided");
            };
            assert_eq!(decision, Decision::Deny);
            assert_eq!(
                reason.text,
                "guard could not finish in 1,500 ms. What was not judged does not run. Try again with a smaller call; \
                 --deadline-ms gives a slow machine more time."
            );
            assert_eq!(reason.rule, "hook.deadline");
        }
    }

    #[test]
    fn a_limit_for_the_work_is_reported_as_what_it_is() {
        let cause = Cause::WorkLimit(Duration::from_millis(250));
        let Verdict::Decide { reason, .. } = verdict(&cause, Failures::CLOSED, EventKind::PreToolUse) else {
            panic!("it must be decided");
        };
        assert!(reason.text.starts_with("guard could not finish its work in 250 ms."), "{}", reason.text);
        assert!(!reason.text.contains("1,500") && !reason.text.contains("--deadline-ms"), "{}", reason.text);
        assert_eq!(reason.rule, "hook.deadline");
    }

    #[test]
    fn an_event_other_than_a_tool_call_is_left_alone() {
        for kind in [EventKind::Stop, EventKind::PostToolUse, EventKind::SessionStart] {
            assert_eq!(verdict(&Cause::TooLarge, Failures::CLOSED, kind), Verdict::NoOpinion);
        }
    }

    #[test]
    fn an_observer_is_never_in_the_way() {
        let cause = Cause::Payload(PayloadError::Empty);
        assert_eq!(verdict(&cause, Failures::OPEN, EventKind::PreToolUse), Verdict::NoOpinion);
        assert_eq!(
            verdict(&Cause::Panic("x".to_owned()), Failures::OPEN, EventKind::Other),
            Verdict::NoOpinion
        );
    }

    #[test]
    fn numbers_are_grouped() {
        for (number, text) in [(5, "5"), (999, "999"), (1_500, "1,500"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }
}
