//! One-shot approvals, with the hooks as hosts call them and a person at a terminal.

#[cfg(target_os = "linux")]
mod agents;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use payload::model::Effect;
use serde_json::{Value, json};
use store::trust::agents::marks;
use support::call::{Answer, Call};
use support::hosts::Target;
use support::programs::{approval_gate, audit_logger, command_blocker, hook_runner, stand_in};
use support::terminal::{at_a_terminal, has_script};

/// What is destructive, and no one's catastrophe.
const PUSH: &str = "git push --force origin main";

/// A user with a home, a project and an audit log.
struct Machine {
    folder: tempfile::TempDir,
}

impl Machine {
    fn new() -> Self {
        let machine = Self { folder: tempfile::tempdir().unwrap() };
        for folder in [machine.home(), machine.project().join(".git")] {
            fs::create_dir_all(folder).unwrap();
        }
        machine
    }

    fn home(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("home")
    }

    fn project(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("project")
    }

    fn call(&self, program: &Path) -> Call {
        let call = Call::new(program).folder(&self.project()).env("HOME", self.home());
        ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "AUDIT_LOG", "CLAUDE_CODE_SESSION_ATTENDED"]
            .into_iter()
            .fold(call, |call, name| call.env(name, ""))
    }

    /// A hook, with a generous deadline: what is tried is not the machine.
    fn hook(&self, program: &Path, payload: &str) -> Answer {
        self.call(program).args(["--deadline-ms", "30000"]).input(payload).run()
    }

    /// A shell call before it runs, as a host tells it.
    fn payload(&self, target: Target, call: &str, command: &str) -> String {
        let cwd = self.project();
        let payload = match target {
            Target::Claude => {
                json!({"session_id": "s", "transcript_path": "/t", "cwd": cwd, "permission_mode": "default",
                "hook_event_name": "PreToolUse", "tool_name": "Bash",
                "tool_input": {"command": command, "description": format!("try {call}")}, "tool_use_id": call})
            }
            Target::Codex => {
                json!({"session_id": "s", "turn_id": "t", "transcript_path": "/t", "cwd": cwd, "model": "m",
                "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Bash",
                "tool_input": {"command": command}, "tool_use_id": call})
            }
            Target::CopilotPascal => {
                json!({"hook_event_name": "PreToolUse", "session_id": "s", "timestamp": call,
                "cwd": cwd, "tool_name": "Bash", "tool_input": {"command": command, "description": call}})
            }
            Target::CopilotCamel => {
                json!({"sessionId": "s", "timestamp": call.len(), "cwd": cwd, "toolName": "bash",
                "toolArgs": {"command": command, "description": call}})
            }
            Target::Gemini => {
                json!({"session_id": "s", "transcript_path": "/home/user/.gemini/t.json", "cwd": cwd,
                "hook_event_name": "BeforeTool", "timestamp": call, "tool_name": "run_shell_command",
                "tool_input": {"command": command}})
            }
            Target::VsCode => {
                json!({"timestamp": "2026-11-21T10:30:00.000Z", "hook_event_name": "PreToolUse", "session_id": "s",
                "transcript_path": "/t", "cwd": cwd, "tool_name": "run_in_terminal", "tool_use_id": call,
                "tool_input": {"command": command, "explanation": call, "isBackground": false}})
            }
        };
        payload.to_string()
    }

    /// The blocker's answer to a call of Claude Code.
    fn block(&self, call: &str, command: &str) -> Answer {
        self.hook(command_blocker(), &self.payload(Target::Claude, call, command))
    }

    /// `hook-runner approve` at a terminal, at which someone types.
    fn approve(&self, code: &str, typed: &str, more: &[&str]) -> Answer {
        let line = format!("'{}' approve {code}", stand_in("hook-runner").display());
        at_a_terminal(self.call("/usr/bin/env".as_ref()), &line, typed, more)
    }

    /// As if a person had said yes.
    fn granted(&self, code: &str) {
        let desk = approvals::Desk::of(&self.home());
        let now = std::time::SystemTime::now();
        let offer = desk.find(&code.parse().unwrap(), now).unwrap();
        desk.grant(&offer, now).unwrap();
    }

    fn log(&self) -> PathBuf {
        self.home().join(".local/state/policy-hooks/audit/audit.jsonl")
    }

    fn records(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.log()).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// The code that an answer names.
fn code(answer: &Answer) -> Option<String> {
    let (_, rest) = answer.stdout.split_once("hook-runner approve ")?;
    Some(rest.chars().take(9).collect())
}

fn effect(target: Target, answer: &Answer) -> Effect {
    target.reads(if target == Target::Gemini { "BeforeTool" } else { "PreToolUse" }, answer).effect
}

#[test]
fn on_every_host_an_approved_call_goes_through_both_hooks_once() {
    for target in Target::ALL {
        let machine = Machine::new();
        let hooks = [command_blocker(), approval_gate()];
        let try_all = |call: &str| {
            let payload = machine.payload(target, call, PUSH);
            hooks.map(|hook| machine.hook(hook, &payload))
        };
        let denied = try_all("1");
        // Where a host joins what hooks say, the first alone names the code.
        let joins = matches!(target, Target::VsCode | Target::Gemini);
        let first = code(&denied[0]).unwrap();
        let codes = [Some(first.clone()), Some(first.clone()).filter(|_| !joins)];
        assert_eq!(code(&denied[1]), codes[1], "one call has one code");
        assert!(denied.iter().all(|answer| effect(target, answer) == Effect::Deny), "{target:?}: {denied:?}");
        machine.granted(&first);
        for answer in try_all("22") {
            assert_eq!((answer.stdout.as_str(), answer.exit), ("{}", Some(0)), "{target:?}: {answer:?}");
        }
        for (answer, named) in try_all("333").into_iter().zip(codes) {
            assert_eq!(effect(target, &answer), Effect::Deny, "{target:?}: {answer:?}");
            assert_eq!(code(&answer), named, "it may be asked for again");
        }
    }
}

#[test]
fn what_is_pending_is_listed_newest_first_and_found_by_the_beginning_of_its_code() {
    let machine = Machine::new();
    let first = code(&machine.block("1", PUSH)).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(20));
    let second = code(&machine.block("2", "git reset --hard HEAD~3")).unwrap();
    if !has_script() {
        return;
    }
    let list = machine.approve("", "", &[]);
    let at = |code: &str| list.stdout.find(code).unwrap_or_else(|| panic!("{code}: {list:?}"));
    assert!(at(&second) < at(&first), "{list:?}");
    let agreed = machine.approve(&first[..6], "yes\n", &[]);
    assert!(agreed.exit == Some(0) && agreed.stdout.contains("Allowed, once"), "{agreed:?}");
    assert_eq!(machine.block("3", PUSH).stdout, "{}");
    // What was used is not offered any more.
    let list = machine.approve("", "", &[]);
    assert!(list.stdout.contains(&second) && !list.stdout.contains(&first), "{list:?}");
    let unknown = machine.approve("ZZZZ", "yes\n", &[]);
    assert_eq!(unknown.exit, Some(2), "{unknown:?}");
}

#[test]
fn a_question_that_reaches_no_one_has_a_code_and_one_that_does_has_none() {
    let command = "npm publish";
    for target in Target::ALL {
        let machine = Machine::new();
        let asks = !matches!(target, Target::Codex | Target::Gemini);
        let payload = machine.payload(target, "1", command);
        let headless = machine
            .call(command_blocker())
            .args(["--deadline-ms", "30000"])
            .env("CLAUDE_CODE_SESSION_ATTENDED", "0")
            .input(payload.as_str())
            .run();
        assert_eq!(effect(target, &headless), if asks { Effect::Ask } else { Effect::Deny }, "{target:?}");
        // Whether Copilot CLI has a terminal to ask on depends on where this test runs.
        match target {
            Target::Claude | Target::Codex | Target::Gemini => {
                assert!(code(&headless).is_some(), "{headless:?}");
            }
            Target::VsCode => assert_eq!(code(&headless), None, "{headless:?}"),
            _ => {}
        }
    }
    let machine = Machine::new();
    assert_eq!(code(&machine.block("1", command)), None, "someone is there");
}

#[test]
fn a_person_at_a_terminal_sees_the_action_and_allows_it_once() {
    if !has_script() {
        return;
    }
    let machine = Machine::new();
    fs::create_dir_all(machine.log().parent().unwrap()).unwrap();
    fs::write(machine.log(), "").unwrap();
    let command = "git push --force https://user:hunter2hunter2@example.com/x.git main\n# hаrmless";
    let code = code(&machine.block("1", command)).unwrap();
    let refused = machine.approve(&code, "y\n", &[]);
    assert!(refused.stdout.contains("Nothing was allowed"), "only a whole word counts: {refused:?}");
    assert_eq!(refused.exit, Some(1));
    assert_eq!(effect(Target::Claude, &machine.block("2", command)), Effect::Deny);
    let allowed = machine.approve(&code, "yes\n", &[]);
    assert_eq!(allowed.exit, Some(0), "{allowed:?}");
    // A line that does not fit goes on below, where its value stands.
    let shown = &allowed.stdout.replace('\r', "").replace("\n               ", " ");
    for part in
        ["git push --force https://", "git.push-force", &machine.project().display().to_string(), "claude"]
    {
        assert!(shown.contains(part), "no {part} in {shown}");
    }
    assert!(!shown.contains("hunter2") && shown.contains("U+0430"), "{shown:?}");
    assert_eq!(machine.block("3", command).stdout, "{}");
    assert_eq!(effect(Target::Claude, &machine.block("4", command)), Effect::Deny);
    let unknown = machine.approve("0000-0000", "yes\n", &[]);
    assert_eq!(unknown.exit, Some(2), "{unknown:?}");

    let decisions: Vec<(Value, Value)> = machine
        .records()
        .iter()
        .filter(|record| record["decision"].is_object())
        .map(|record| (record["decision"]["value"].clone(), record["decision"]["approval"].clone()))
        .collect();
    let expected = ["deny", "refused", "deny", "granted", "approved", "deny"];
    let expected: Vec<(Value, Value)> =
        expected.iter().map(|value| (Value::from(*value), Value::from(code.as_str()))).collect();
    assert_eq!(decisions, expected);
    assert!(!fs::read_to_string(machine.log()).unwrap().contains("hunter2"));
    let query =
        machine.call(audit_logger()).args(["query", "--decision", "approved", "--format", "json"]).run();
    assert_eq!(query.stdout.lines().count(), 1, "{query:?}");
    assert_eq!(machine.call(audit_logger()).args(["verify"]).run().exit, Some(0));
}

#[test]
fn an_agent_cannot_approve() {
    let machine = Machine::new();
    let code = code(&machine.block("1", PUSH)).unwrap();
    // Without a terminal, as agents' shells are.
    let blind = machine.call(hook_runner()).args(["approve", &code]).input("yes\n").run();
    assert_eq!(blind.exit, Some(2), "{blind:?}");
    if has_script() {
        for mark in marks() {
            let agent = machine.approve(&code, "yes\n", &[&format!("{mark}=1")]);
            assert_eq!(agent.exit, Some(2), "{mark}: {agent:?}");
            assert!(agent.stdout.contains("an agent's shell"), "{mark}: {agent:?}");
            assert!(!agent.stdout.contains("git push"), "{mark}: {agent:?}");
        }
    }
    assert_eq!(effect(Target::Claude, &machine.block("2", PUSH)), Effect::Deny);
}

#[test]
fn what_no_one_may_lift_has_no_code() {
    let machine = Machine::new();
    for command in [
        "rm -rf /",
        "git push --force origin main; rm -rf /",
        "pkill command-blocker",
        "claude -p hi --dangerously-skip-permissions",
    ] {
        let answer = machine.block("1", command);
        assert_eq!(effect(Target::Claude, &answer), Effect::Deny, "{command}: {answer:?}");
        assert_eq!(code(&answer), None, "{command}: {answer:?}");
    }
    let policy = machine.home().join(".config/policy-hooks/policy.toml");
    fs::create_dir_all(policy.parent().unwrap()).unwrap();
    let rule = |id: &str, more: &str| {
        format!(
            "\n[[rule]]\nid = \"test.{id}\"\ndecision = \"deny\"\nreason = \"No.\"\nrun = {{ program = \"frob-{id}\" }}\n{more}"
        )
    };
    fs::write(&policy, format!("schema = 1\n{}{}", rule("open", ""), rule("locked", "lock = true\n")))
        .unwrap();
    for (command, lifts) in [("frob-open", true), ("frob-locked", false), ("frob-open; frob-locked", false)] {
        let answer = machine.hook(approval_gate(), &machine.payload(Target::Claude, "1", command));
        assert_eq!(effect(Target::Claude, &answer), Effect::Deny, "{command}: {answer:?}");
        assert_eq!(code(&answer).is_some(), lifts, "{command}: {answer:?}");
    }
    fs::write(&policy, "schema = 1\nnonsense = 1\n").unwrap();
    let payload = machine.payload(Target::Codex, "1", "ls");
    let answer = machine.hook(approval_gate(), &payload);
    assert_eq!((effect(Target::Codex, &answer), code(&answer)), (Effect::Deny, None), "{answer:?}");
}

#[test]
fn a_hook_that_only_watches_offers_and_uses_nothing() {
    let machine = Machine::new();
    let payload = machine.payload(Target::Claude, "1", PUSH);
    let watch = || machine.call(command_blocker()).args(["--mode", "observe"]).input(payload.as_str()).run();
    let answer = watch();
    assert!(answer.stdout == "{}" && !answer.stderr.contains("hook-runner approve"), "{answer:?}");
    // All that there is is the record that observing is for.
    let state = machine.home().join(".local/state/policy-hooks");
    assert!(!state.join("approvals").exists() && !state.join("sessions").exists());
    assert!(state.join("audit").exists());
    machine.granted(&code(&machine.block("1", PUSH)).unwrap());
    assert!(watch().stderr.contains("would deny"));
    assert_eq!(machine.block("2", PUSH).stdout, "{}");
}

#[test]
fn without_a_place_for_approvals_the_denial_stays_and_says_so() {
    let machine = Machine::new();
    // Also for root: a file stands where the folder would be.
    fs::create_dir_all(machine.home().join(".local")).unwrap();
    fs::write(machine.home().join(".local/state"), "").unwrap();
    let answer = machine.block("1", PUSH);
    assert_eq!((effect(Target::Claude, &answer), code(&answer)), (Effect::Deny, None), "{answer:?}");
    assert!(answer.stdout.contains("No person can allow this once"), "{answer:?}");
    // No one's home.
    let payload = machine.payload(Target::Claude, "1", PUSH);
    let nowhere = machine.folder.path().join("nowhere");
    let answer = machine.call(command_blocker()).env("HOME", &nowhere).input(payload.as_str()).run();
    assert_eq!((effect(Target::Claude, &answer), nowhere.exists()), (Effect::Deny, false), "{answer:?}");
}

/// A session that is over tries nothing again; what was granted waits for the agent.
#[test]
fn what_has_ended_or_is_granted_is_not_offered() {
    if !has_script() {
        return;
    }
    let machine = Machine::new();
    let code = code(&machine.block("1", PUSH)).unwrap();
    let event = |name: &str, more: Value| {
        let mut payload = json!({"session_id": "s", "transcript_path": "/t", "cwd": machine.project(),
            "hook_event_name": name});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        machine.hook(audit_logger(), &payload.to_string());
    };
    assert!(machine.approve("", "", &[]).stdout.contains(&code));
    event("SessionEnd", json!({"reason": "other"}));
    assert!(machine.approve("", "", &[]).stdout.contains("Nothing is pending"));
    event("SessionStart", json!({"source": "resume"}));
    assert!(machine.approve("", "", &[]).stdout.contains(&code));
    machine.granted(&code);
    assert!(machine.approve("", "", &[]).stdout.contains("Nothing is pending"));
}

/// A notification is for those who asked for it, and says nothing that an agent wrote.
#[test]
fn what_is_held_back_while_someone_watches_is_shown_and_notified_if_wanted() {
    if !has_script() {
        return;
    }
    let machine = Machine::new();
    machine.block("1", "git push --force origin first");
    for (way, sequence) in
        [("", ""), ("--notify osc9", "\u{1b}]9;"), ("--notify osc777", "\u{1b}]777;notify;")]
    {
        let payload = machine.payload(Target::Claude, "2", &format!("{PUSH}{}", " -v".repeat(way.len())));
        let hostile = payload.replace("\"s\"", "\"s\\u001b]9;owned\\u0007\"");
        let answer = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(1500));
                let denied = machine.hook(command_blocker(), &hostile);
                assert!(code(&denied).is_some(), "{denied:?}");
            });
            let line = format!("timeout 5 '{}' approve --watch {way}", stand_in("hook-runner").display());
            at_a_terminal(machine.call("/usr/bin/env".as_ref()), &line, "", &["NO_COLOR=1"])
        });
        assert!(answer.stdout.contains("git push --force origin main"), "{way}: {answer:?}");
        let escapes = answer.stdout.matches('\u{1b}').count();
        if sequence.is_empty() {
            assert!(escapes == 0 && !answer.stdout.contains('\u{7}'), "{answer:?}");
        } else {
            let (_, notice) =
                answer.stdout.split_once(sequence).unwrap_or_else(|| panic!("{way}: {answer:?}"));
            let notice = notice.split('\u{1b}').next().unwrap();
            assert!(notice.contains("hook-runner approve") && !notice.contains("owned"), "{notice}");
            assert_eq!(escapes, 2, "{answer:?}");
        }
    }
}
