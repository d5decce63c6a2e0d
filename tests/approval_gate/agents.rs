//! Sub-agents that are called: only those that exist, on every host, and only where a repository defines any.

use std::fs;
use std::path::Path;

use payload::model::Effect;
use serde_json::{Value, json};
use support::call::Answer;
use support::hosts::Target;
use support::payloads::{self, Recorded};

use super::{Machine, write};

const RESEARCH: &str = "---\nname: Research\ndescription: Looks around.\n---\nLook around.\n";

/// Keys under which hosts name the agent.
const NAMES: [&str; 5] = ["subagent_type", "agent_type", "agentType", "agentName", "agent_name"];

/// The recorded calls that start a sub-agent.
fn starts() -> Vec<Recorded> {
    let starts: Vec<Recorded> = payloads::all()
        .into_iter()
        .filter(Recorded::asks_before_a_call)
        .filter(|recorded| input(&recorded.json()).is_some_and(|(_, input)| is_start(input)))
        .collect();
    for target in [Target::Claude, Target::CopilotCamel, Target::CopilotPascal, Target::VsCode] {
        assert!(starts.iter().any(|recorded| recorded.target == target), "{target:?}");
    }
    starts
}

fn is_start(input: &Value) -> bool {
    NAMES.iter().any(|name| input.get(name).is_some())
}

fn input(payload: &Value) -> Option<(&'static str, &Value)> {
    ["tool_input", "toolArgs"].into_iter().find_map(|key| Some((key, payload.get(key)?)))
}

/// The same call of another agent, in the machine's project; without one where `name` is nothing.
fn calls(recorded: &Recorded, name: Option<&str>, machine: &Machine) -> String {
    let mut payload = recorded.json();
    let (key, input) = input(&payload).unwrap();
    let mut input = input.clone();
    let named = NAMES.into_iter().find(|key| input.get(key).is_some()).unwrap();
    match name {
        Some(name) => input[named] = name.into(),
        None => drop(input.as_object_mut().unwrap().remove(named)),
    }
    payload[key] = input;
    payload["cwd"] = machine.project().display().to_string().into();
    payload.to_string()
}

/// A call in the form of Claude Code.
fn claude(machine: &Machine, name: &str) -> Answer {
    machine.hook(machine.claude("Agent", &json!({"description": "d", "prompt": "p", "subagent_type": name})))
}

#[track_caller]
fn silent(answer: &Answer, what: &str) {
    assert_eq!((answer.stdout.as_str(), answer.exit), ("{}", Some(0)), "{what}: {answer:?}");
}

#[track_caller]
fn denied(answer: &Answer, words: &[&str]) {
    let outcome = Target::Claude.reads("PreToolUse", answer);
    let reason = outcome.reason.unwrap_or_default();
    assert_eq!(outcome.effect, Effect::Deny, "{answer:?}");
    for word in words {
        assert!(reason.contains(word), "no {word} in: {reason}");
    }
}

fn with_agents() -> Machine {
    let machine = Machine::new();
    write(&machine.project().join(".github/agents/deep/research.agent.md"), RESEARCH);
    machine
}

#[test]
fn agents_that_no_one_defined_are_denied_on_every_host() {
    let machine = with_agents();
    for recorded in starts() {
        let event = recorded.event();
        let ask = |name: Option<&str>| {
            let answer = machine.hook(calls(&recorded, name, &machine));
            let outcome = recorded.target.reads(&event, &answer);
            (outcome.effect, outcome.reason.unwrap_or_default(), answer)
        };
        for (name, words) in [
            (Some("Reserch"), ["`Reserch`", "Call `Research`", "(rule agents.unknown)"]),
            (Some("../../etc/passwd"), ["`../../etc/passwd`", "`Research`", "(rule agents.unknown)"]),
            (Some(""), ["names no agent", "`Research`", "(rule agents.unnamed)"]),
            (Some(" \t"), ["names no agent", "`Research`", "(rule agents.unnamed)"]),
            (None, ["names no agent", "`Research`", "(rule agents.unnamed)"]),
        ] {
            let (effect, reason, answer) = ask(name);
            assert_eq!(effect, Effect::Deny, "{} {name:?}: {answer:?}", recorded.name());
            for word in words {
                assert!(reason.contains(word), "{} {name:?}: no {word} in {reason}", recorded.name());
            }
        }
        let own = if recorded.target == Target::VsCode { "Plan" } else { "general-purpose" };
        for name in ["Research", own] {
            let (effect, _, answer) = ask(Some(name));
            assert_eq!(effect, Effect::None, "{} {name}: {answer:?}", recorded.name());
            silent(&answer, &recorded.name());
        }
    }
}

#[test]
fn the_other_tools_that_start_agents_are_looked_at_as_well() {
    let machine = with_agents();
    let cwd = machine.project();
    let gemini = |name: &str| {
        json!({"session_id": "s", "transcript_path": "/home/u/.gemini/t", "cwd": cwd, "timestamp": "2026-11-21T10:30:00Z",
            "hook_event_name": "BeforeTool", "tool_name": "invoke_agent", "tool_input": {"agent_name": name, "prompt": "p"}})
    };
    let codex = |input: Value| {
        json!({"session_id": "s", "turn_id": "t", "model": "m", "cwd": cwd, "hook_event_name": "PreToolUse",
            "tool_name": "spawn_agent", "tool_input": input})
    };
    let vscode = |tool: &str, input: Value| {
        json!({"session_id": "s", "transcript_path": "/t", "cwd": cwd, "timestamp": "2026-11-21T10:30:00Z",
            "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input})
    };
    for (target, event, payload, expected) in [
        (Target::Gemini, "BeforeTool", gemini("nobody"), Effect::Deny),
        (Target::Gemini, "BeforeTool", gemini(""), Effect::Deny),
        (Target::Gemini, "BeforeTool", gemini("generalist"), Effect::None),
        (Target::Codex, "PreToolUse", codex(json!({"agent_type": "nobody", "message": "m"})), Effect::Deny),
        (Target::Codex, "PreToolUse", codex(json!({"agent_type": "worker", "message": "m"})), Effect::None),
        // Codex has a role for calls that name none.
        (Target::Codex, "PreToolUse", codex(json!({"message": "m"})), Effect::None),
        (Target::VsCode, "PreToolUse", vscode("run_subagent", json!({"agentName": "nobody"})), Effect::Deny),
        (Target::VsCode, "PreToolUse", vscode("runSubagent", json!({"prompt": "p"})), Effect::Deny),
        (Target::VsCode, "PreToolUse", vscode("runSubagent", json!({"agentName": "research"})), Effect::None),
        (Target::VsCode, "PreToolUse", vscode("search_subagent", json!({"query": "q"})), Effect::None),
        (Target::VsCode, "PreToolUse", vscode("manage_todo_list", json!({"name": "nobody"})), Effect::None),
    ] {
        let answer = machine.hook(payload.to_string());
        assert_eq!(target.reads(event, &answer).effect, expected, "{payload}: {answer:?}");
    }
}

#[test]
fn where_a_repository_has_no_agents_no_one_is_locked_out() {
    let machine = Machine::new();
    silent(&claude(&machine, "made-up"), "nothing");
    silent(&claude(&machine, ""), "no name");
    write(&machine.home().join(".claude/agents/mine.md"), RESEARCH);
    silent(&claude(&machine, "made-up"), "the user's agents only");
    write(&machine.project().join(".github/agents/README.md"), "# Agents\n");
    silent(&claude(&machine, "made-up"), "no definition");
    let outside = machine.claude("Agent", &json!({"subagent_type": "x"}));
    let outside = outside.replace(&machine.project().display().to_string(), "/nonexistent/folder");
    silent(&machine.hook(outside), "no folder");
    write(&machine.project().join(".claude/agents/research.md"), RESEARCH);
    denied(&claude(&machine, "made-up"), &["agents.unknown"]);
}

#[test]
fn names_come_from_heads_folders_plugins_and_the_user() {
    let machine = with_agents();
    for (path, text) in [
        (".claude/agents/reviewer.md", "---\nname: 'code-reader' # not the file's\n---\n"),
        (".github/agents/plain.agent.md", "No head.\n"),
        (".gemini/agents/g.md", "---\nname: gem\n---\n"),
        (".codex/agents/c.toml", "name = \"cod\"\n"),
        (".codex/config.toml", "[agents.tabled]\ndescription = \"d\"\n"),
        ("packages/a/.claude/agents/near.md", "---\nname: near\n---\n"),
    ] {
        write(&machine.project().join(path), text);
    }
    write(&machine.home().join(".claude/agents/mine.md"), "---\nname: mine\n---\n");
    write(&machine.home().join(".copilot/agents/his.agent.md"), "---\nname: his\n---\n");
    let plugin = machine.home().join(".claude/plugins/cache/market/tools/1.0.0/agents/helper.md");
    write(&plugin, "---\nname: helper\n---\n");
    for name in [
        "Research",
        "code-reader",
        "Code Reader",
        "plain",
        "gem",
        "cod",
        "tabled",
        "mine",
        "his",
        "tools:helper",
    ] {
        silent(&claude(&machine, name), name);
    }
    // The file's own name is none where the head gives another; nor is the case of no account on every host.
    denied(&claude(&machine, "reviewer"), &["`reviewer`"]);
    denied(&claude(&machine, "tools:nobody"), &[]);
    let copilot = |name: &str| {
        json!({"sessionId": "s", "timestamp": 1, "cwd": machine.project(), "toolName": "task",
            "toolArgs": {"agent_type": name, "name": "Research", "prompt": "p"}})
        .to_string()
    };
    silent(&machine.hook(copilot("Research")), "as it is written");
    let answer = machine.hook(copilot("research-"));
    let outcome = Target::CopilotCamel.reads("preToolUse", &answer);
    assert_eq!(outcome.effect, Effect::Deny, "{answer:?}");
    assert!(outcome.reason.unwrap_or_default().contains("Call `Research`"), "{answer:?}");
    assert_eq!(
        Target::CopilotCamel.reads("preToolUse", &machine.hook(copilot("RESEARCH"))).effect,
        Effect::Deny
    );
    // In a folder further down, its agents count as well.
    let below = machine.claude("Agent", &json!({"subagent_type": "near"}));
    denied(&machine.hook(below.clone()), &["agents.unknown"]);
    let project = machine.project().display().to_string();
    silent(&machine.hook(below.replace(&project, &format!("{project}/packages/a"))), "below");
}

#[test]
fn policies_know_more_agents_and_say_who_may_call_whom() {
    let add = |text: &str| {
        let machine = with_agents().user(&format!("schema = 1\n{text}"));
        move |name: &str| claude(&machine, name)
    };
    let call = add("[builtin]\nagents = [\"org-agent\"]\n");
    silent(&call("org-agent"), "said to exist");
    denied(&call("other"), &["agents.unknown"]);
    let call = add("[builtin]\nrules = { \"agents.unknown\" = \"off\" }\n");
    silent(&call("other"), "switched off");
    denied(&call(""), &["agents.unnamed"]);
    let call = add("[builtin]\nrules = { agents = \"ask\" }\n");
    assert_eq!(Target::Claude.reads("PreToolUse", &call("other")).effect, Effect::Ask);
    let call = add(
        "[[exception]]\nrule = \"agents.unknown\"\nreason = \"t\"\nexpires = 2027-01-01\nagent = { callee = \"tmp-*\" }\n",
    );
    silent(&call("tmp-1"), "excepted");
    denied(&call("other"), &["agents.unknown"]);
    // A rule of the user's own stands in its place, and its names count.
    let call = add(
        "[[rule]]\nid = \"a.b\"\ndecision = \"ask\"\nreason = \"r\"\nagent = { known_only = true, extra = [\"more\"] }\n",
    );
    silent(&call("more"), "extra");
    assert_eq!(Target::Claude.reads("PreToolUse", &call("other")).effect, Effect::Ask);
    // Who may call whom.
    let machine = with_agents().user(
        "schema = 1\n[[rule]]\nid = \"a.callees\"\ndecision = \"deny\"\nreason = \"It only plans.\"\n\
         agent = { caller = \"Plan\", callee_not = [\"Research\"] }\n",
    );
    let from = |caller: &str, callee: &str| {
        let mut payload: Value =
            serde_json::from_str(&machine.claude("Agent", &json!({"subagent_type": callee}))).unwrap();
        payload["agent_id"] = "a1".into();
        payload["agent_type"] = caller.into();
        machine.hook(payload.to_string())
    };
    denied(&from("Plan", "general-purpose"), &["It only plans.", "a.callees"]);
    silent(&from("Plan", "Research"), "its callee");
    silent(&from("Explore", "general-purpose"), "another caller");
    silent(&claude(&machine, "general-purpose"), "the main agent");
}

/// What a repository says loosens nothing before a person trusts it.
#[test]
fn a_project_cannot_talk_the_rule_away() {
    let machine = with_agents();
    for text in [
        "[builtin]\nagents = [\"other\"]\n",
        "[builtin]\nrules = { agents = \"off\" }\n",
        "[[rule]]\nid = \"a.b\"\ndecision = \"note\"\nagent = { known_only = true, extra = [\"other\"] }\n",
    ] {
        write(&machine.policy(), &format!("schema = 1\n{text}"));
        denied(&claude(&machine, "other"), &["agents.unknown"]);
    }
}

#[test]
fn what_cannot_be_seen_is_not_held_against_anyone() {
    let full = with_agents();
    let folder = full.project().join(".github/agents/many");
    fs::create_dir(&folder).unwrap();
    for number in 0..5_100 {
        fs::write(folder.join(format!("n{number}.txt")), "").unwrap();
    }
    silent(&claude(&full, "made-up"), "too many files");
    let deep = with_agents();
    write(&deep.project().join(".github/agents").join("d/".repeat(12)).join("x.agent.md"), RESEARCH);
    silent(&claude(&deep, "made-up"), "too deep");
    // A file of any size and content is read as far as its head.
    let odd = with_agents();
    let path = odd.project().join(".github/agents/odd.agent.md");
    fs::write(&path, vec![0xff; 1 << 20]).unwrap();
    silent(&claude(&odd, "odd"), "a name without a head");
    denied(&claude(&odd, "made-up"), &["agents.unknown"]);
}

#[cfg(unix)]
#[test]
fn links_out_of_the_repository_are_not_followed() {
    use std::os::unix::fs::symlink;
    let link = |machine: &Machine, to: &Path, name: &str| {
        let path = machine.project().join(".github/agents").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(to, path).unwrap();
    };
    let machine = with_agents();
    write(&machine.home().join("secret/x.agent.md"), "---\nname: outside\n---\n");
    link(&machine, &machine.home().join("secret"), "there");
    silent(&claude(&machine, "made-up"), "there may be more agents behind the link");
    // Inside it they are: also one that goes round and round.
    let machine = with_agents();
    write(&machine.project().join("docs/agents/x.md"), "---\nname: inside\n---\n");
    link(&machine, &machine.project().join("docs/agents/x.md"), "y.md");
    silent(&claude(&machine, "inside"), "a link inside");
    denied(&claude(&machine, "made-up"), &["agents.unknown"]);
    link(&machine, &machine.project().join(".github/agents"), "round");
    silent(&claude(&machine, "made-up"), "it never ends");
    // Neither a pipe nor a folder in the place of a file makes it wait.
    let machine = with_agents();
    let pipe = machine.project().join(".github/agents/pipe.agent.md");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    silent(&claude(&machine, "pipe"), "by its name");
    denied(&claude(&machine, "made-up"), &["agents.unknown"]);
    // The folder itself leads away.
    let machine = Machine::new();
    fs::create_dir_all(machine.project().join(".github")).unwrap();
    symlink(machine.home(), machine.project().join(".github/agents")).unwrap();
    silent(&claude(&machine, "made-up"), "nothing of the repository");
}
