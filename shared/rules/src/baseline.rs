//! Rules that come with the programs and protect the policies themselves.

use std::borrow::Cow;

use payload::Access;

use crate::model::{Effect, Examples, Layer, PathTest, Rule, Run, Subject, When};

/// The rules.
pub(crate) fn rules() -> Vec<Rule<'static>> {
    vec![
        Rule {
            locked: true,
            ..rule(
                "guard.policy-files",
                Effect::Deny,
                "It changes a policy of this machine or this user, or what has been trusted.",
                "Ask a person to change the policy.",
                writes(&[
                    "/etc/policy-hooks/**",
                    "/Library/Application Support/policy-hooks/**",
                    "~/.config/policy-hooks/**",
                    "~/.local/state/policy-hooks/**",
                    "~/AppData/Roaming/policy-hooks/**",
                    "~/AppData/Local/policy-hooks/**",
                ]),
            )
        },
        Rule {
            override_by: Some(Layer::User),
            ..rule(
                "guard.project-policy",
                Effect::Ask,
                "It changes the policy of this repository, which says what agents may do here.",
                "Propose the change to the people who own the policy.",
                writes(&[".github/hooks/policy.toml", ".claude/hooks/policy.toml"]),
            )
        },
        Rule {
            locked: true,
            ..rule(
                "guard.trust",
                Effect::Deny,
                "Only a person may trust a policy.",
                "Ask the user to run it in a terminal of their own.",
                Subject::Run(vec![Run {
                    program: vec!["approval-gate".into(), "hook-runner".into()],
                    sub_any: vec!["trust".into(), "policy trust".into()],
                    ..Run::default()
                }]),
            )
        },
    ]
}

fn rule(
    id: &'static str,
    effect: Effect,
    reason: &'static str,
    instead: &'static str,
    subject: Subject<'static>,
) -> Rule<'static> {
    Rule {
        id: Cow::Borrowed(id),
        effect,
        reason: Cow::Borrowed(reason),
        instead: Cow::Borrowed(instead),
        locked: false,
        override_by: None,
        no_prompt: None,
        tools: Vec::new(),
        when: When::default(),
        subject,
        unless: Subject::Nothing,
        examples: Examples::default(),
        at: 0,
    }
}

fn writes(paths: &'static [&'static str]) -> Subject<'static> {
    Subject::Path(vec![PathTest {
        access: vec![Access::Write, Access::Delete],
        any: paths.iter().map(|path| Cow::Borrowed(*path)).collect(),
        except: Vec::new(),
    }])
}
