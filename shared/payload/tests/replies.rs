//! Every form of answer, as written down in `replies.tsv`, and the recorded run in which a real host obeyed it.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use payload::model::{self, Ended, Run};
use payload::{Address, Decision, Dialect, EventKind, Host, Reason, RenderError, Verdict, render};
use serde_json::Value;

const INPUT: &str = r#"{"command":"echo rewritten","description":"x"}"#;

fn data(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/payloads").join(file)).unwrap()
}

fn address<'a>(host: &str, dialect: &str, event: &'a str) -> Address<'a> {
    let dialect = match dialect {
        "flat" => Dialect::Flat,
        "timed" => Dialect::Timed,
        "strict" => Dialect::Strict,
        other => panic!("{other}"),
    };
    // Payloads of the flat dialect do not name their event.
    let name = if dialect == Dialect::Flat { "" } else { event };
    Address { host: host.parse().unwrap(), dialect, kind: event.parse().unwrap(), name: Cow::Borrowed(name) }
}

fn decide(decision: Decision) -> Verdict {
    Verdict::Decide { decision, reason: Reason::new("R") }
}

fn verdict(name: &str) -> Verdict {
    match name {
        "deny" => decide(Decision::Deny),
        "ask" => decide(Decision::Ask),
        "allow" => decide(Decision::Allow),
        "block" => Verdict::Block { reason: Reason::new("R") },
        "context" => Verdict::Context("C".to_owned()),
        "notice" => Verdict::Notice("N".to_owned()),
        "rewrite" | "rewrite+allow" => {
            Verdict::Rewrite { input: INPUT.to_owned(), approve: name != "rewrite", said: Reason::default() }
        }
        other => panic!("{other}"),
    }
}

/// What an answer says apart from its wording: strings become `T`, inputs become `I`.
fn shape(value: &Value) -> Value {
    let Value::Object(members) = value else { return value.clone() };
    let reduced =
        members.iter().filter(|(key, _)| !matches!(key.as_str(), "first_only")).map(|(key, value)| {
            let value = match key.as_str() {
                "reason" | "permissionDecisionReason" | "additionalContext" | "message" | "systemMessage" => {
                    "T".into()
                }
                "updatedInput" | "modifiedArgs" | "tool_input" => "I".into(),
                // Gemini has names of its own, and does not compare them.
                "hookEventName" => EventKind::from_name(value.as_str().unwrap()).as_str().into(),
                _ => shape(value),
            };
            (key.clone(), value)
        });
    let mut reduced: BTreeMap<_, _> = reduced.collect();
    // Two recorded allows carry no text, ours may.
    if reduced.get("behavior") == Some(&"allow".into()) {
        reduced.remove("message");
    }
    reduced.into_iter().collect::<serde_json::Map<_, _>>().into()
}

/// Whether the recorded host did what the verdict wants.
fn obeyed(verdict: &str, kind: EventKind, outcome: &Value) -> bool {
    let seen = |part: &str| {
        outcome["seen"].as_array().unwrap().iter().any(|mark| mark.as_str().unwrap().contains(part))
    };
    match (verdict, kind) {
        ("deny" | "ask", _) => outcome["tool"] == "blocked" && seen("REASON"),
        ("allow", _) => outcome["tool"] == "ran",
        ("rewrite" | "rewrite+allow", _) => outcome["tool"] == "rewritten",
        ("context", _) => seen("CTX"),
        ("block", EventKind::Stop) => outcome["continued"] == true && seen("REASON"),
        ("block", EventKind::UserPromptSubmit) => outcome["blocked"] == true,
        ("block", EventKind::PostToolUse) => seen("REASON"),
        // The user's screen was not recorded: only that nothing else came of it.
        ("notice", _) => outcome["blocked"] == false && !seen(""),
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_form_is_as_written_down_and_was_obeyed_by_a_real_host() {
    let recorded: BTreeMap<(String, String), Value> = data("obeyed.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .map(|row: Value| {
            ((row["host"].as_str().unwrap().to_owned(), row["case"].as_str().unwrap().to_owned()), row)
        })
        .collect();
    let (mut proven, mut unproven) = (0, 0);
    for line in data("replies.tsv").lines().filter(|line| !line.starts_with('#')) {
        let [host, dialect, event, name, stdout, run_host, case] = line.split('\t').collect::<Vec<_>>()[..]
        else {
            panic!("{line}")
        };
        let to = address(host, dialect, event);
        let reply = render(&verdict(name), &to).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(reply.stdout, stdout.replace(":I", &format!(":{INPUT}")), "{line}");
        assert_eq!((reply.exit, reply.stderr.as_str()), (0, ""), "{line}");
        if case == "-" {
            // VS Code was never run; Copilot's PascalCase rewrite without a decision is case u10 of the host contract.
            assert!(host == "vscode" || name == "rewrite", "{line}");
            unproven += 1;
            continue;
        }
        let row = &recorded[&(run_host.to_owned(), case.to_owned())];
        let rendered: Value = serde_json::from_str(&reply.stdout).unwrap();
        assert_eq!(shape(&rendered), shape(&row["answer"]["stdout"]), "{line}");
        assert_eq!(row["answer"]["exit"], Value::Null, "{line}");
        let run_kind: EventKind = row["event"].as_str().unwrap().parse().unwrap();
        assert_eq!(run_kind, to.kind, "{line}");
        let person = &row["person"];
        let asked = person["shown"].to_string().contains("REASON")
            && person["yes"] == "ran"
            && person["no"] == "blocked";
        assert!(asked || obeyed(name, to.kind, &row["outcome"]), "{line}: {}", row["outcome"]);
        proven += 1;
    }
    assert_eq!((proven, unproven), (60, 7));
}

/// The answer to a payload that cannot be read must deny everywhere; the form is case u5 of the host contract.
#[test]
fn a_deny_to_an_unknown_host_is_a_deny_on_every_host() {
    let reply = render(&decide(Decision::Deny), &Address::unknown()).unwrap();
    assert_eq!(
        reply.stdout,
        r#"{"permissionDecision":"deny","permissionDecisionReason":"R","decision":"block","reason":"R","permission":"deny","user_message":"R","agent_message":"R","cancel":true,"errorMessage":"R","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"R"}}"#
    );
    assert_eq!((reply.exit, reply.stderr.as_str()), (2, "R"));
    for host in Host::NAMED {
        for dialect in host.dialects() {
            let from = Address {
                host,
                dialect: *dialect,
                kind: EventKind::PreToolUse,
                name: Cow::Borrowed("PreToolUse"),
            };
            let outcome = model::read(&from, &reply);
            assert_eq!(outcome.effect, model::Effect::Deny, "{host} {dialect:?}");
            assert!(
                outcome.reason.as_deref() == Some("R") || (host, *dialect) == (Host::Copilot, Dialect::Timed)
            );
        }
    }
    for kind in [EventKind::PreToolUse, EventKind::PermissionRequest] {
        let to = Address { kind, ..Address::unknown() };
        let reply = render(&decide(Decision::Deny), &to).unwrap();
        assert_eq!(reply.exit, 2);
        for host in Host::NAMED {
            for dialect in host.dialects() {
                let from = Address { host, dialect: *dialect, kind, name: kind.as_str().into() };
                // These two have no permission requests.
                let never = kind == EventKind::PermissionRequest
                    && *dialect == Dialect::Timed
                    && host != Host::Copilot;
                // It is about to ask the user, and reads no answer beside exit code 2.
                let never = never || kind == EventKind::PermissionRequest && host == Host::Qwen;
                let effect = model::read(&from, &reply).effect;
                assert!(never || effect == model::Effect::Deny, "{host} {dialect:?} {kind}: {effect:?}");
            }
        }
    }
    let ask = render(&decide(Decision::Ask), &Address::unknown()).unwrap();
    assert!(ask.exit == 2 && ask.stderr.contains("person must approve"), "{ask:?}");
}

#[test]
fn what_a_host_cannot_read_is_refused_with_a_reason() {
    let cases = [
        (
            "codex",
            "strict",
            "PreToolUse",
            "rewrite",
            "codex rewrites a tool call only when the hook also approves it",
        ),
        ("codex", "strict", "PreToolUse", "allow", "codex cannot be told to allow on PreToolUse"),
        ("gemini", "timed", "BeforeTool", "allow", "gemini cannot be told to allow on PreToolUse"),
        ("gemini", "timed", "BeforeTool", "rewrite+allow", "gemini cannot be told to allow on PreToolUse"),
        ("gemini", "timed", "BeforeTool", "context", "gemini cannot be told to add context on PreToolUse"),
        ("claude", "strict", "Stop", "ask", "claude cannot be told to ask on Stop"),
        ("claude", "strict", "Stop", "context", "claude cannot be told to add context on Stop"),
        ("claude", "strict", "PreToolUse", "block", "claude cannot be told to block on PreToolUse"),
        ("copilot", "flat", "preToolUse", "notice", "copilot cannot be told to show a notice on PreToolUse"),
        ("vscode", "timed", "PreCompact", "block", "vscode cannot be told to block on PreCompact"),
        (
            "vscode",
            "timed",
            "PermissionRequest",
            "deny",
            "vscode cannot be told to deny on PermissionRequest",
        ),
        ("codex", "strict", "Stop", "rewrite", "codex cannot be told to rewrite a tool call on Stop"),
    ];
    for (host, dialect, event, name, message) in cases {
        let error = render(&verdict(name), &address(host, dialect, event)).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert!(!error.hint().is_empty());
    }
    let to = address("claude", "strict", "PreToolUse");
    for input in ["", "[]", "null", "{\"a\":1}}", "\"x\""] {
        let rewrite = Verdict::Rewrite { input: input.to_owned(), approve: false, said: Reason::default() };
        assert_eq!(render(&rewrite, &to), Err(RenderError::InputNotAnObject), "{input}");
    }
    assert_eq!(render(&Verdict::Context(" \n".into()), &to), Err(RenderError::EmptyText { what: "context" }));
    assert_eq!(render(&Verdict::Notice(String::new()), &to), Err(RenderError::EmptyText { what: "notice" }));
    assert!(render(&decide(Decision::Allow), &Address::unknown()).is_err());
}

/// `ask` in answer to a permission request is not an answer where the host asks anyway, and a deny where it might not.
#[test]
fn a_permission_request_is_asked_by_the_host_itself() {
    for host in ["claude", "codex"] {
        let reply = render(&decide(Decision::Ask), &address(host, "strict", "PermissionRequest")).unwrap();
        assert_eq!(reply.stdout, "{}");
    }
    // permreq_none_open: with --allow-all-tools Copilot CLI 1.0.102 runs the tool without a question.
    let to = address("copilot", "flat", "permissionRequest");
    let reply = render(&decide(Decision::Ask), &to).unwrap();
    let run = Run { stdout: &reply.stdout, stderr: "", ended: Ended::Exited(0) };
    assert_eq!(model::read_run(&to, &run).effect, model::Effect::Deny);
}

#[test]
fn what_vs_code_shows_as_markdown_is_shown_as_it_was_written() {
    let kind = EventKind::PreToolUse;
    let to = |host| Address { host, dialect: Dialect::Timed, kind, name: "PreToolUse".into() };
    let reason = Reason::new("`rm *.[ch] $(x) <b> a_b_c`: It deletes.");
    let reply = |decision, host| {
        render(&Verdict::Decide { decision, reason: reason.clone() }, &to(host)).unwrap().stdout
    };
    let shown = reply(Decision::Ask, Host::VsCode);
    let escaped = serde_json::json!(r"\`rm \*.\[ch\] \$(x) \<b\> a\_b\_c\`: It deletes.").to_string();
    assert!(shown.contains(&escaped), "{shown} {escaped}");
    // Nothing else is Markdown: a denial is read by the model, and other hosts show plain text.
    let plain = serde_json::json!("`rm *.[ch] $(x) <b> a_b_c`: It deletes.").to_string();
    assert!(reply(Decision::Deny, Host::VsCode).contains(&plain));
    assert!(reply(Decision::Ask, Host::Copilot).contains(&plain));
}
