//! What a person may let through once: every kind of denial that the user's own policy could lift, and no other.
#![allow(clippy::unwrap_used)]

use std::borrow::Cow;
use std::fs;

use policy::layers::{Source, Stack};
use policy::{Action, AgentStart, Effect, Layer, Ruling, ToolWord, decide};
use rules::Facts;

/// 2026-11-23, in days since 1970.
const TODAY: i64 = 20_780;

const DENY: &str =
    "schema = 1\n[[rule]]\nid = \"t.x\"\ndecision = \"deny\"\nreason = \"r\"\nrun = { program = \"frob\" }\n";

fn ruling(layer: Layer, policy: &str, command: &str) -> Ruling {
    ruled(&[Source::of(layer, "/x/policy.toml", policy)], command)
}

fn ruled(sources: &[Source], command: &str) -> Ruling {
    let stack = Stack::of(sources, TODAY);
    let facts = Facts::on_paper(Some("/home/user/project"), Some("/home/user"));
    decide(&stack, &Action::command(command, Some("/home/user/project")), &facts)
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

/// Neither a project nor a user takes over what the machine denies by saying the same.
#[test]
fn of_equal_denials_the_highest_layers_counts() {
    for (default, command) in [("unmatched", "frob"), ("unresolved", "$(cat name) x")] {
        let denies = format!("schema = 1\n[defaults]\n{default} = \"deny\"\n");
        for below in [&[Layer::Project][..], &[Layer::User], &[Layer::User, Layer::Project]] {
            let mut sources = vec![Source::of(Layer::System, "/etc/p.toml", denies.as_str())];
            for layer in below {
                sources.push(Source::of(*layer, format!("/{layer:?}.toml"), denies.as_str()));
            }
            let ruling = ruled(&sources, command);
            assert_eq!(ruling.answer, Some(Effect::Deny), "{default}: {:?}", ruling.findings);
            assert_eq!(ruling.once, None, "{default}: {below:?}");
        }
    }
}

/// What the machine's rules ask about is asked, whatever a user says of questions that no one answers, or of what cannot
/// be resolved.
#[test]
fn a_users_defaults_are_for_the_users_rules() {
    let asks = DENY.replace("deny", "ask");
    let about_prod = DENY.replace(" }", ", args_any = [\"prod\"] }");
    for (machine, user, command) in [
        ("schema = 1\n[defaults]\nunmatched = \"ask\"\n", "no_prompt = \"none\"", "frob"),
        ("schema = 1\n[builtin]\nrules = { git = \"ask\" }\n", "no_prompt = \"none\"", "git push -f"),
        (asks.as_str(), "no_prompt = \"none\"", "frob"),
        (about_prod.as_str(), "unresolved = \"none\"", "frob $(cat name)"),
    ] {
        let user = format!("schema = 1\n[defaults]\n{user}\n");
        let both =
            [Source::of(Layer::System, "/etc/p.toml", machine), Source::of(Layer::User, "/u.toml", &*user)];
        let held = |sources: &[Source]| {
            let facts = Facts::on_paper(Some("/home/user/project"), Some("/home/user"));
            let action = Action {
                reach: payload::Reach::Known(false),
                ..Action::command(command, Some("/home/user/project"))
            };
            decide(&Stack::of(sources, TODAY), &action, &facts).answer
        };
        assert_eq!(held(&both[..1]), Some(Effect::Deny), "{machine} {command}");
        assert_eq!(held(&both), Some(Effect::Deny), "{machine} {user} {command}");
    }
}

/// A denial because of a sub-agent that no one has defined is the user's to lift, unless the machine says so.
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
        let ruling = decide(&stack, &action, &Facts::here(Some(cwd), Some("/home/user")));
        assert_eq!(ruling.decision, Some(Effect::Deny), "{:?}", ruling.findings);
        assert_eq!(ruling.once.is_some(), lifts, "{layer:?} {policy}");
    }
}
