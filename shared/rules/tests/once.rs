//! What a person may let through once: every kind of denial that the user's own policy could lift, and no other.
#![allow(clippy::unwrap_used)]

use std::borrow::Cow;
use std::fs;

use policy::Facts;
use rules::layers::{Source, Stack};
use rules::{Action, AgentStart, Effect, Layer, Ruling, ToolWord, decide};

/// 2026-11-23, in days since 1970.
const TODAY: i64 = 20_780;

const DENY: &str =
    "schema = 1\n[[rule]]\nid = \"t.x\"\ndecision = \"deny\"\nreason = \"r\"\nrun = { program = \"frob\" }\n";

fn ruling(layer: Layer, policy: &str, command: &str) -> Ruling {
    let sources = [Source::of(layer, "/x/policy.toml", policy)];
    let stack = Stack::of(&sources, TODAY);
    let facts = Facts::on_paper(Some("/home/user/project"), Some("/home/user"));
    decide(&stack, &Action::command(command, Some("/home/user/project")), &facts, None)
}

#[test]
fn a_person_lifts_what_the_user_could_lift() {
    use Layer::{Project, System, User};

    let locked = format!("{DENY}lock = true\n");
    let open = format!("{DENY}override_by = \"user\"\n");
    let strict = "schema = 1\n[builtin]\nprofile = \"strict\"\n";
    let unmatched = "schema = 1\n[defaults]\nunmatched = \"deny\"\n";
    let unresolved = "schema = 1\n[defaults]\nunresolved = \"deny\"\n";
    let git = "schema = 1\n[builtin]\nrules = { git = \"deny\" }\n";
    let broken = "schema = 1\nnonsense = 1\n";
    let nothing = "schema = 1\n";
    for (layer, policy, command, lifts) in [
        (User, nothing, "git push -f", true),
        (User, nothing, "rm -rf /", false),
        (User, nothing, "git push -f; rm -rf /", false),
        (User, nothing, "echo x > ~/.claude/settings.json", false),
        (User, nothing, "hook-runner trust", false),
        (User, DENY, "frob", true),
        (Project, DENY, "frob", true),
        (System, DENY, "frob", false),
        (User, locked.as_str(), "frob", false),
        (System, open.as_str(), "frob", true),
        (User, strict, "git push -f", true),
        (User, git, "git push -f", true),
        (System, git, "git push -f", false),
        (User, unmatched, "frob", true),
        (System, unmatched, "frob", false),
        (User, unresolved, "$(cat name) x", true),
        (System, unresolved, "$(cat name) x", false),
        (User, broken, "frob", false),
        (Project, broken, "frob", false),
    ] {
        let ruling = ruling(layer, policy, command);
        assert!(ruling.answer >= Some(Effect::Ask), "{layer:?} {command}: {:?}", ruling.findings);
        assert_eq!(ruling.once.is_some(), lifts, "{layer:?} {command}: {policy}\n{:?}", ruling.findings);
    }
}

/// A denial because of a sub-agent that nobody has defined is the user's to lift, unless the machine says so.
#[test]
fn a_person_lets_an_unknown_agent_start_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join(".claude/agents")).unwrap();
    fs::write(folder.path().join(".claude/agents/reviewer.md"), "---\nname: reviewer\n---\n").unwrap();
    let cwd = folder.path().to_str().unwrap();
    let action = Action {
        cwd: Some(cwd),
        tool: ToolWord::Agent,
        agent: Some(AgentStart { name: Some(Cow::Borrowed("nobody")) }),
        ..Action::default()
    };
    for (layer, policy, lifts) in [
        (Layer::User, "schema = 1\n", true),
        (Layer::System, "schema = 1\n", true),
        (Layer::System, "schema = 1\n[builtin]\nrules = { agents = \"deny\" }\n", false),
    ] {
        let sources = [Source::of(layer, "/x/policy.toml", policy)];
        let stack = Stack::of(&sources, TODAY);
        let ruling = decide(&stack, &action, &Facts::here(Some(cwd), Some("/home/user")), None);
        assert_eq!(ruling.decision, Some(Effect::Deny), "{:?}", ruling.findings);
        assert_eq!(ruling.once.is_some(), lifts, "{layer:?} {policy}");
    }
}
