//! For every address and every verdict: the answer is one line of ASCII JSON that the host reads as that verdict.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::borrow::Cow;

use payload::{
    Address, Decision, Dialect, EventKind, Hints, Host, MAX_REASON, Reason, Verdict, model, parse, render,
};
use proptest::prelude::*;
use serde_json::Value;

/// Every address that `parse` can give for a named host.
fn addresses() -> impl Strategy<Value = Address<'static>> {
    let places: Vec<(Host, Dialect)> = Host::NAMED
        .into_iter()
        .flat_map(|host| host.dialects().iter().map(move |dialect| (host, *dialect)))
        .collect();
    (prop::sample::select(places), prop::sample::select(EventKind::NAMED)).prop_map(
        |((host, dialect), kind)| {
            let name = match (host, dialect, kind) {
                (_, Dialect::Flat, _) => "",
                (Host::Gemini, _, EventKind::PreToolUse) => "BeforeTool",
                (Host::Gemini, _, EventKind::Stop) => "AfterAgent",
                _ => kind.as_str(),
            };
            Address { host, dialect, kind, name: Cow::Borrowed(name) }
        },
    )
}

fn reasons() -> impl Strategy<Value = Reason> {
    ("(?s).{0,80}", "[ -~\n]{0,40}", "[a-z.-]{0,12}").prop_map(|(text, advice, rule)| Reason {
        text,
        advice,
        rule,
    })
}

fn verdicts() -> impl Strategy<Value = Verdict> {
    let decision = prop::sample::select(vec![Decision::Allow, Decision::Ask, Decision::Deny]);
    prop_oneof![
        Just(Verdict::NoOpinion),
        (decision, reasons()).prop_map(|(decision, reason)| Verdict::Decide { decision, reason }),
        reasons().prop_map(|reason| Verdict::Block { reason }),
        "(?s).{1,80}".prop_map(Verdict::Context),
        "(?s).{1,80}".prop_map(Verdict::Notice),
        ("(?s).{0,20}", any::<bool>(), any::<bool>()).prop_map(|(text, approve, pretty)| {
            let value = serde_json::json!({ "command": text, "n": [1, { "é\n": null }] });
            let input =
                if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
            Verdict::Rewrite { input: input.unwrap(), approve, said: Reason::default() }
        }),
    ]
}

/// A verdict with its strings as a host passes them on.
fn plain(verdict: Verdict) -> Verdict {
    let render = |reason: Reason| Reason::new(reason.render());
    match verdict {
        Verdict::Decide { decision, reason } => Verdict::Decide { decision, reason: render(reason) },
        Verdict::Block { reason } => Verdict::Block { reason: render(reason) },
        Verdict::Rewrite { input, approve, said } => {
            let input: Value = serde_json::from_str(&input).unwrap();
            Verdict::Rewrite { input: input.to_string(), approve, said }
        }
        other => other,
    }
}

/// A line of Markdown as it is shown, if nothing in it is formatted: `CommonMark` drops a backslash before ASCII punctuation.
fn unescaped(line: &str) -> String {
    let mut shown = String::new();
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        let escapes = c == '\\' && characters.peek().is_some_and(char::is_ascii_punctuation);
        shown.push(if escapes { characters.next().unwrap() } else { c });
    }
    shown
}

/// No value that opens a guard or ends a turn.
fn harmless(answer: &Value, allows: bool) -> bool {
    let Value::Object(members) = answer else { return true };
    members.iter().all(|(key, value)| match (key.as_str(), value) {
        ("decision", Value::String(word)) => ["block", "ask", "force_ask", "deny"].contains(&word.as_str()),
        ("permissionDecision" | "behavior", word) => allows || word != "allow",
        ("reason" | "permissionDecisionReason" | "message", text) => {
            text.as_str().is_some_and(|text| !text.is_empty())
        }
        ("continue" | "stopReason" | "suppressOutput", _) => false,
        ("updatedInput" | "modifiedArgs" | "tool_input", _) => true,
        _ => harmless(value, allows),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_host_reads_back_the_verdict(to in addresses(), verdict in verdicts()) {
        let Ok(reply) = render(&verdict, &to) else { return Ok(()) };
        prop_assert!(reply.stdout.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{}", reply.stdout);
        let mut answer: Value = serde_json::from_str(&reply.stdout).unwrap();
        prop_assert!(answer.is_object());
        // There it keeps the call from running, and no more: driven, 0.24.4.
        if to.host == Host::Qwen && to.kind == EventKind::PreToolUse {
            answer.as_object_mut().unwrap().remove("continue");
        }
        // There it is how a prompt is refused, by its documents.
        if to.host == Host::Cursor && to.kind == EventKind::UserPromptSubmit {
            answer.as_object_mut().unwrap().remove("continue");
        }
        let allows = matches!(
            verdict,
            Verdict::Decide { decision: Decision::Allow, .. } | Verdict::Rewrite { approve: true, .. }
        );
        prop_assert!(harmless(&answer, allows), "{}", reply.stdout);
        if let Some(name) = answer["hookSpecificOutput"]["hookEventName"].as_str() {
            prop_assert_eq!(name, if to.name.is_empty() { to.kind.as_str() } else { &*to.name });
        }

        let read = model::read(&to, &reply);
        prop_assert_eq!(read.ignored, None, "{} to {:?}", &reply.stdout, &to);
        match (plain(verdict.clone()), plain(read.verdict())) {
            (Verdict::Decide { decision: Decision::Ask, .. }, read) if to.kind == EventKind::PermissionRequest && to.can_ask() => {
                prop_assert_eq!(read, Verdict::NoOpinion);
            }
            (Verdict::Decide { decision: Decision::Ask, .. }, Verdict::Decide { decision, reason }) if !to.can_ask() => {
                prop_assert_eq!(decision, Decision::Deny);
                prop_assert!(reason.text.contains("A person must approve this"), "{}", reason.text);
            }
            // What a person reads at its terminal is the notice.
            (Verdict::Decide { decision: Decision::Ask, reason }, Verdict::Decide { decision: Decision::Ask, .. }) if to.host == Host::Gemini => {
                prop_assert_eq!(read.notice, Some(reason.text));
            }
            // What a person reads in its box is the Markdown, rendered.
            (Verdict::Decide { decision: Decision::Ask, reason }, Verdict::Decide { decision: Decision::Ask, reason: read }) if to.host == Host::VsCode => {
                prop_assert_eq!(unescaped(&read.text), reason.text);
            }
            // An allow without a string stays without one.
            (Verdict::Decide { decision: Decision::Allow, .. }, Verdict::Decide { decision, .. }) => {
                prop_assert_eq!(decision, Decision::Allow);
            }
            (given, read) => prop_assert_eq!(read, given, "{} to {:?}", reply.stdout, to),
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse(&bytes, Hints::default());
    }

    #[test]
    fn a_cut_or_changed_payload_is_read_or_refused(at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
        let payload = include_bytes!("../../../tests/payloads/copilot-cli/preToolUse-task.json");
        let mut bytes = payload.to_vec();
        let at = at.index(bytes.len());
        if cut { bytes.truncate(at) } else { bytes[at] = byte }
        if let Ok(event) = parse(&bytes, Hints::default()) {
            let _ = (event.commands(), event.paths(), event.urls(), event.mcp(), event.agent_started(), event.unknown_fields());
            prop_assert!(!cut, "half a payload was read");
        }
    }

}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_reason_is_one_short_clean_line(text in "(?s).{0,9000}", advice in "(?s).{0,90}", rule in "[a-z.-]{0,12}") {
        let line = Reason { text, advice, rule: rule.clone() }.render();
        prop_assert!(!line.trim().is_empty());
        prop_assert!(line.chars().count() <= MAX_REASON);
        prop_assert!(!line.chars().any(char::is_control), "{line:?}");
        let tail = format!("(rule {rule})");
        prop_assert!(rule.is_empty() || line.ends_with(&tail));
        prop_assert_eq!(Reason::new(line.clone()).render(), line);
    }
}
