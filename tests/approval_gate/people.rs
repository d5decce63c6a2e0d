//! The commands for people, of `approval-gate` and of `hook-runner`.

use std::fs;

use serde_json::Value;
use support::call::Answer;
use support::programs::{approval_gate, hook_runner, root};

use super::{Machine, write};

const RULE: &str = r#"schema = 1
[[rule]]
id = "git.push"
decision = "deny"
reason = "Only the release job pushes <to> \"main\"."
run = { program = "git", sub = ["push"] }
match = ["git push"]
not_match = ["git pull"]
"#;

/// What both programs say to the same arguments of `policy`; they say the same.
fn policy(machine: &Machine, arguments: &[&str]) -> Answer {
    let call = |program| machine.call(program).args(["policy"]).args(arguments.iter().copied()).run();
    let (gate, runner) = (call(approval_gate()), call(hook_runner()));
    assert_eq!((&gate.stdout, gate.exit), (&runner.stdout, runner.exit), "{arguments:?}: {}", runner.stderr);
    gate
}

fn json(answer: &Answer) -> Value {
    serde_json::from_str(&answer.stdout).unwrap_or_else(|error| panic!("{error}: {answer:?}"))
}

#[test]
fn check_finds_mistakes_at_their_places() {
    let machine = Machine::new();
    let file = machine.project().join("p.toml");
    write(&file, RULE);
    let path = file.to_str().unwrap();
    let fine = policy(&machine, &["check", path]);
    assert_eq!((fine.stdout.as_str(), fine.exit), (format!("{path}: fine\n").as_str(), Some(0)));
    write(&file, &RULE.replace("decision", "decison"));
    let wrong = policy(&machine, &["check", path]);
    assert_eq!(wrong.exit, Some(1));
    assert!(wrong.stdout.contains(&format!("{path}:4:1: error: unknown key `decison`")), "{}", wrong.stdout);
    assert!(wrong.stdout.contains("did you mean `decision`?"), "{}", wrong.stdout);
    let list = json(&policy(&machine, &["check", path, "--json"]));
    let of_key = |error: &&Value| error["message"].as_str().is_some_and(|text| text.contains("`decison`"));
    let first = list.as_array().unwrap().iter().find(of_key).unwrap();
    assert_eq!(
        (first["line"].as_u64(), first["column"].as_u64(), &first["kind"]),
        (Some(4), Some(1), &"error".into())
    );
    assert_eq!(policy(&machine, &["check", "nothing.toml"]).exit, Some(2));
}

#[test]
fn test_runs_examples_respellings_and_scenarios() {
    let machine = Machine::new();
    let (file, junit) = (machine.project().join("p.toml"), machine.project().join("junit.xml"));
    let (path, xml) = (file.to_str().unwrap(), junit.to_str().unwrap());
    write(&file, RULE);
    let plain = json(&policy(&machine, &["test", path, "--json"]));
    assert_eq!(
        (plain[0]["tested"].as_u64(), plain[0]["failed"].as_array().map(Vec::len)),
        (Some(2), Some(0))
    );
    let mutated = json(&policy(&machine, &["test", path, "--mutate", "--json"]));
    assert!(mutated[0]["tested"].as_u64() >= Some(22), "{mutated}");
    assert_eq!(mutated[0]["failed"].as_array().map(Vec::len), Some(0), "{mutated}");
    write(
        &file,
        &RULE.replace("\"git pull\"", "\"git push x\"").replace("id = \"git.push\"", "id = \"git.x\""),
    );
    let failed = policy(&machine, &["test", path, "--junit", xml]);
    assert_eq!(failed.exit, Some(1));
    assert!(failed.stdout.contains("git.x: not_match: git push x: the rule matches it"), "{}", failed.stdout);
    let report = fs::read_to_string(&junit).unwrap();
    assert!(report.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>"), "{report}");
    assert!(
        report.contains("tests=\"2\" failures=\"1\"") && report.contains("<failure message="),
        "{report}"
    );
    // Every `<` opens a tag and every `&` an entity: nothing of the policy stands there unescaped.
    assert_eq!(report.matches('<').count(), report.matches('>').count(), "{report}");
}

#[test]
fn scenarios_are_payloads_of_hosts_with_what_is_expected() {
    let machine = Machine::new();
    let (file, scenarios) = (machine.project().join("p.toml"), machine.project().join("s.toml"));
    write(&file, RULE);
    let payload = r#"{"session_id":"s","hook_event_name":"PreToolUse","cwd":"/home/user/project","tool_name":"Bash","tool_input":{"command":"COMMAND"}}"#;
    let scenario = |command: &str, expect: &str, rule: &str| {
        let payload = payload.replace("COMMAND", command);
        format!("[[scenario]]\nname = \"{command}\"\npayload = '{payload}'\nexpect = \"{expect}\"\n{rule}\n")
    };
    let run = |text: &str| {
        write(&scenarios, text);
        policy(&machine, &["test", file.to_str().unwrap(), "--scenarios", scenarios.to_str().unwrap()])
    };
    let fine =
        run(&(scenario("git -C x push", "deny", "rule = \"git.push\"") + &scenario("git pull", "none", "")));
    assert_eq!(fine.exit, Some(0), "{}", fine.stdout);
    assert!(fine.stdout.contains("4 of 4 hold"), "{}", fine.stdout);
    for (text, says) in [
        (scenario("git push", "ask", ""), "ask expected, deny by git.push"),
        (scenario("git push", "deny", "rule = \"git.other\""), "`git.other` does not match"),
        (scenario("git push", "deny", "rul = \"x\""), "unknown key `rul`"),
        ("[[scenario]]\nname = \"x\"\n".to_owned(), "it has no `payload`"),
        ("[[scenario]]\nname = \n".to_owned(), "a value is missing here"),
        ("scenario = 1\n".to_owned(), "a scenario file contains [[scenario]] tables"),
    ] {
        let failed = run(&text);
        assert_eq!(failed.exit, Some(1), "{}", failed.stdout);
        assert!(failed.stdout.contains(says), "{}\nnot: {says}", failed.stdout);
    }
}

#[test]
fn diff_tells_what_changes_for_commands_and_payloads() {
    let machine = Machine::new();
    let name = |name: &str| machine.project().join(name).display().to_string();
    write(name("old.toml").as_ref(), RULE);
    write(name("new.toml").as_ref(), &RULE.replace("\"deny\"", "\"ask\""));
    let payload = machine.claude("Bash", &serde_json::json!({"command": "cd x; git push"}));
    write(name("calls").as_ref(), &format!("git push\nls\n\n{payload}\n"));
    let changed = policy(&machine, &["diff", &name("old.toml"), &name("new.toml"), &name("calls")]);
    assert_eq!(changed.exit, Some(1), "{changed:?}");
    assert!(
        changed.stdout.ends_with("2 of 3 calls change, 2 of them held back less\n"),
        "{}",
        changed.stdout
    );
    assert!(
        changed.stdout.contains("deny -> ask") && changed.stdout.contains("git.push"),
        "{}",
        changed.stdout
    );
    let same = policy(&machine, &["diff", &name("old.toml"), &name("old.toml"), &name("calls")]);
    assert_eq!((same.stdout.as_str(), same.exit), ("0 of 3 calls change\n", Some(0)));
}

#[test]
fn explain_tells_what_would_run_and_what_each_host_makes_of_it() {
    let machine = Machine::new().user(RULE);
    let held = policy(&machine, &["explain", "--", "sudo sh -c 'git -C x push'"]);
    assert_eq!(held.exit, Some(1), "{held:?}");
    for says in ["git.push says deny (user", "git -C x push", "codex", "policy.toml counts (1 rule,"] {
        assert!(held.stdout.contains(says), "{}\nnot: {says}", held.stdout);
    }
    let fine = policy(&machine, &["explain", "--", "git pull"]);
    assert_eq!(fine.exit, Some(0), "{fine:?}");
    let report = json(&policy(&machine, &["explain", "--json", "--", "git push"]));
    assert_eq!((&report["decision"], &report["findings"][0]["rule"]), (&"deny".into(), &"git.push".into()));
}

#[test]
fn explain_says_which_part_keeps_a_line_from_being_allowed() {
    let rules = r#"schema = 1
[[rule]]
id = "reads"
decision = "allow"
may = { set = ["CI"], read = ["**", "!**/private.txt"], write = ["*.log"] }
run = { program = ["cat", "wc", "tee", "build"] }
"#;
    let machine = Machine::new().user(rules);
    for (command, why) in [
        ("cat a | wc -l && make", "No rule allows `make`."),
        ("cat a private.txt", "reads allows `cat a private.txt`, but it reads"),
        ("cat a > b", "but it writes"),
        ("cat a > $x.log", "but it writes"),
        ("CC=x build", "reads allows `build`, but it sets CC (may.set)."),
        ("cat $x", "only run time tells what"),
        ("ssh h cat a", "No rule allows `ssh h cat a`."),
        ("cat 'a", "Something in it is only known at run time."),
    ] {
        let told = policy(&machine, &["explain", "--", command]);
        let said = told.stdout.split("Not allowed without a question:").nth(1);
        assert!(said.is_some_and(|said| said.contains(why)), "{command}\n{}", told.stdout);
        let report = json(&policy(&machine, &["explain", "--json", "--", command]));
        assert!(report["not_allowed"].as_str().is_some_and(|said| said.contains(why)), "{report}");
    }
    let allowed = policy(&machine, &["explain", "--", "CI=1 cat a | tee x.log"]);
    assert!(
        allowed.stdout.starts_with("allow") && !allowed.stdout.contains("Not allowed"),
        "{}",
        allowed.stdout
    );
    // Where nothing allows anything, there is nothing to explain.
    let machine = Machine::new().user(RULE);
    assert!(!policy(&machine, &["explain", "--", "make"]).stdout.contains("Not allowed"));
}

#[cfg(unix)]
#[test]
fn what_allows_looks_at_the_files_that_a_pattern_stands_for() {
    let rules = r#"schema = 1
[[rule]]
id = "reads"
decision = "allow"
may = { read = ["**", "!**/secrets.yml", "!~/.ssh/**"], unknown = true }
run = { program = ["cat", "jq"], flags_none = ["-x"] }
"#;
    let machine = Machine::new().user(rules);
    let project = machine.project();
    let decision = |command: &str| {
        let cwd = project.display().to_string();
        json(&policy(&machine, &["explain", "--json", "--cwd", &cwd, "--", command]))["decision"].clone()
    };
    // Nothing is there yet: what will be is not known.
    assert_eq!(decision("cat flows/*.yml"), serde_json::Value::Null);
    write(&project.join("flows/ci.yml"), "x");
    assert_eq!(decision("cat flows/*.yml"), "allow");
    write(&project.join("flows/secrets.yml"), "x");
    assert_eq!(decision("cat flows/*.yml"), serde_json::Value::Null);
    assert_eq!(decision("cat flows/c*.yml"), "allow");
    std::os::unix::fs::symlink(machine.home().join(".ssh/id"), project.join("flows/cd.yml")).unwrap();
    write(&machine.home().join(".ssh/id"), "x");
    assert_eq!(decision("cat flows/c*.yml"), serde_json::Value::Null);
    // A file that is called like an option.
    write(&project.join("a.json"), "x");
    assert_eq!(decision("jq . *.json"), "allow");
    write(&project.join("-x.json"), "x");
    assert_eq!(decision("jq . *.json"), serde_json::Value::Null);
    assert_eq!(decision("jq . -- *.json"), "allow");
}

#[test]
fn the_schema_knows_every_key_of_the_shipped_policies() {
    let machine = Machine::new();
    let schema = json(&policy(&machine, &["schema"]));
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    let known = schema.to_string();
    let mut seen = 0;
    for entry in fs::read_dir(root().join("configs/policies")).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        for key in text.lines().filter_map(|line| line.split_once(" = ").map(|(key, _)| key.trim())) {
            if !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') {
                assert!(known.contains(&format!("\"{key}\":")), "{key}");
                seen += 1;
            }
        }
    }
    assert!(seen > 50, "{seen}");
}

#[test]
fn the_shipped_policies_are_sound_and_hold_in_every_spelling() {
    let machine = Machine::new();
    for name in ["starter", "strict", "team-baseline", "ci"] {
        // In the machine's folder, where everything that they say counts.
        let file = machine.project().join("policy.d").join(format!("{name}.toml"));
        let text = fs::read_to_string(root().join("configs/policies").join(format!("{name}.toml"))).unwrap();
        write(&file, &text);
        let path = file.to_str().unwrap();
        let checked = policy(&machine, &["check", path]);
        assert_eq!(checked.exit, Some(0), "{}", checked.stdout);
        let tested = policy(&machine, &["test", "--mutate", path]);
        assert_eq!(tested.exit, Some(0), "{}", tested.stdout);
    }
}
