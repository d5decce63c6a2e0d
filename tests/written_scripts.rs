//! What the model learns when it writes a script that would not be let run, on every host whose edit tool was recorded.

use std::fs;
use std::path::Path;

use serde_json::Value;
use support::call::{Answer, Call};
use support::programs::{approval_gate, command_blocker, root};

/// A recorded payload, with other texts in the place of some.
fn recorded(name: &str, texts: &[(&str, &str)]) -> Answer {
    let path = root().join("tests/payloads").join(format!("{name}.json"));
    let mut text = fs::read_to_string(path).unwrap();
    for (old, new) in texts {
        assert!(text.contains(old), "{name}: {old}");
        text = text.replace(old, new);
    }
    let answer = Call::new(command_blocker()).env("HOME", "/home/user").input(text).run();
    assert_eq!(answer.exit, Some(0), "{name}: {answer:?}");
    answer
}

/// The words in the place where a host hands them to the model, and nothing else.
fn context(answer: &Answer) -> Option<String> {
    let said: Value = serde_json::from_str(&answer.stdout).unwrap();
    if said == serde_json::json!({}) {
        return None;
    }
    assert!(!answer.stdout.contains("ecision"), "the write goes through: {answer:?}");
    let nested = &said["hookSpecificOutput"]["additionalContext"];
    let text = nested.as_str().or(said["additionalContext"].as_str());
    Some(text.unwrap_or_else(|| panic!("{answer:?}")).to_owned())
}

/// Where the recorded payload writes a file, its name, and what it writes.
const WRITES: [(&str, &str, &str); 8] = [
    ("claude-code/PreToolUse-Write", "new.txt", r"hello\n"),
    ("codex/PreToolUse-apply_patch", "new.txt", r"hello\n+\n"),
    ("copilot-cli/preToolUse-create", "new.txt", r"hello\n"),
    ("copilot-cli/preToolUse-apply_patch", "new.txt", r"+x\n"),
    ("copilot-cli-pascal/PreToolUse-Write", "new.txt", r"hello\n"),
    ("vscode/PreToolUse-create_file", "new.txt", r"new\n"),
    ("qwen/PreToolUse-write_file", "b.txt", r"x\n"),
    // It reads no context before a call.
    ("gemini/BeforeTool-write_file", "new.txt", r"hello\n"),
];

/// A script as it stands in such a payload.
fn within(name: &str, lines: &[&str]) -> String {
    let plus = if name.contains("apply_patch") { "+" } else { "" };
    let first = if name.starts_with("codex") { "" } else { plus };
    let line =
        |(number, line): (usize, &&str)| format!("{}{line}\\n", if number == 0 { first } else { plus });
    lines.iter().enumerate().map(line).collect()
}

#[test]
fn a_script_that_would_be_denied_is_written_and_the_model_reads_why_it_would() {
    for (name, file, content) in WRITES {
        let script = within(name, &["echo a", "rm -rf /"]);
        let said = context(&recorded(name, &[(content, &script), (file, "clean.sh")]));
        if name.starts_with("gemini") {
            assert_eq!(said, None, "{name}");
            continue;
        }
        let said = said.unwrap_or_else(|| panic!("{name}: nothing is said"));
        assert!(
            said.starts_with("You may write this script, but a call that runs it will be denied. `"),
            "{name}: {said}"
        );
        for part in ["clean.sh:2: rm -rf /", "(rule files.delete-system)", "Instead: "] {
            assert!(said.contains(part), "{name}: {said}");
        }
    }
}

#[test]
fn only_what_is_a_script_and_would_be_denied_is_spoken_of() {
    const PAYLOAD: &str = "claude-code/PreToolUse-Write";
    for (file, content, rule) in [
        ("a.py", r"import shutil\nshutil.rmtree('/')\n", Some("files.delete-system")),
        ("a.js", r"require('child_process').execSync('rm -rf /')\n", Some("files.delete-system")),
        ("a.ps1", r"Remove-Item -Recurse -Force C:\\\\\n", Some("files.delete-system")),
        ("a.rb", r"system('rm -rf /')\n", Some("files.delete-system")),
        (
            "deploy",
            r"#!/usr/bin/env python3\nimport os\nos.system('rm -rf /')\n",
            Some("files.delete-system"),
        ),
        ("deploy", r"#!/bin/sh\nrm -rf /\n", Some("files.delete-system")),
        // Words about such commands.
        ("a.md", r"```sh\nrm -rf /\n```\n", None),
        ("README", r"rm -rf /\n", None),
        ("a.txt", r"#!/bin/sh\nrm -rf /\n", None),
        ("a.sh", r"# rm -rf /\necho 'rm -rf /'\n", None),
        ("a.sh", r"clean() { rm -rf /; }\n", None),
        ("test_a.py", r"def test_a():\n    assert judge('rm -rf /') == 'deny'\n", None),
        ("a.json", r#"{\"reset\": \"rm -rf /\"}\n"#, None),
        ("a.rs", r#"run(\"rm -rf /\");\n"#, None),
        ("001_drop.sql", r"DROP DATABASE prod;\n", None),
        // What would be asked about, what depends on what is there by then, and what is harmless.
        ("a.sh", r"npm publish\n", None),
        ("a.sh", r"git reset --hard\n", None),
        ("a.sh", r"rm -rf node_modules dist\n", None),
        ("a.sh", r"", None),
    ] {
        let said = context(&recorded(PAYLOAD, &[("new.txt", file), (r"hello\n", content)]));
        match rule {
            Some(rule) => assert!(said.as_ref().is_some_and(|said| said.contains(rule)), "{file}: {said:?}"),
            None => assert_eq!(said, None, "{file}: {content}"),
        }
    }
}

#[test]
fn of_an_edit_only_what_it_brings_in_is_spoken_of() {
    let project = tempfile::tempdir().unwrap();
    let folder = project.path().canonicalize().unwrap();
    let edit = |before: &str, new: &str| {
        fs::write(folder.join("file.sh"), before).unwrap();
        let place = folder.to_str().unwrap();
        let texts =
            [("file.txt", "file.sh"), ("/home/user/project", place), ("alpha", "echo alpha"), ("ALPHA", new)];
        context(&recorded("claude-code/PreToolUse-Edit", &texts))
    };
    let said = edit("true\necho alpha\n", "rm -rf /").unwrap();
    assert!(said.contains("file.sh:2: rm -rf /"), "{said}");
    assert_eq!(edit("true\necho alpha\n", "echo beta"), None);
    // It was like that before, and the model has read so.
    assert_eq!(edit("rm -rf /\necho alpha\n", "echo beta"), None);
    // The tool will refuse.
    assert_eq!(edit("true\n", "rm -rf /"), None);
    assert_eq!(fs::read_to_string(folder.join("file.sh")).unwrap(), "true\n");
    assert!(Path::new(&folder).read_dir().unwrap().count() == 1, "nothing else is left there");
}

#[test]
fn a_script_that_a_command_writes_is_spoken_of_as_well() {
    for (command, rule) in [
        ("cat > c.sh <<'EOF'\necho a\nrm -rf /\nEOF", Some("files.delete-system")),
        ("cat <<'EOF' > c.sh\nrm -rf ~\nEOF\nchmod +x c.sh", Some("files.delete-system")),
        ("printf '#!/bin/sh\\nrm -rf /\\n' > run", Some("files.delete-system")),
        ("echo 'import shutil; shutil.rmtree(\"/\")' | tee x.py", Some("files.delete-system")),
        (
            "echo '#!/usr/bin/env node' > deploy; echo 'require(\"fs\").rmSync(\"/\", {recursive: true})' >> deploy",
            Some("files.delete-system"),
        ),
        ("mkdir -p bin && cd bin && echo 'rm -rf /' > a.sh", Some("files.delete-system")),
        // Words, data, and what would only be asked about.
        ("echo 'rm -rf /' > notes.txt", None),
        ("echo 'rm -rf /' > notes", None),
        ("echo 'echo \"rm -rf /\"' > a.sh", None),
        ("printf 'npm publish\\n' > a.sh", None),
        ("cat > a.sh <<'EOF'\nclean() { rm -rf /; }\nEOF", None),
        ("cat > a.sh <<'EOF'\nrm -rf node_modules dist\nEOF\nbash a.sh", None),
        // Not known yet: the variable's value stands in the file.
        ("cat > a.sh <<EOF\nrm -rf $DIR/x\nEOF", None),
        ("docker exec box sh -c 'echo x > /tmp/a.txt'", None),
    ] {
        let call = serde_json::json!({
            "session_id": "s", "transcript_path": "/t", "cwd": "/home/user/project", "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command},
            "tool_use_id": "u",
        });
        let answer = Call::new(command_blocker()).env("HOME", "/home/user").input(call.to_string()).run();
        let said = context(&answer);
        match rule {
            Some(rule) => {
                let said = said.unwrap_or_else(|| panic!("{command}: nothing is said"));
                assert!(
                    said.contains(rule) && said.contains("You may write this script"),
                    "{command}: {said}"
                );
            }
            None => assert_eq!(said, None, "{command}"),
        }
    }
}

#[test]
fn the_gate_alone_says_it_by_its_policies() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().canonicalize().unwrap();
    let policy = folder.join(".config/policy-hooks/policy.toml");
    fs::create_dir_all(policy.parent().unwrap()).unwrap();
    let told = |content: &str, file: &str| {
        let path = root().join("tests/payloads/claude-code/PreToolUse-Write.json");
        let text = fs::read_to_string(path).unwrap().replace("new.txt", file).replace(r"hello\n", content);
        let answer = Call::new(approval_gate()).env("HOME", &folder).input(text).run();
        assert_eq!(answer.exit, Some(0), "{answer:?}");
        context(&answer)
    };
    let script = r"echo a\nfrob --all\n";
    // Without a policy nothing but the built-in rules would stop it.
    assert_eq!(told(script, "a.sh"), None);
    let rule = "schema = 1\n[[rule]]\nid = \"team.frob\"\ndecision = \"deny\"\nreason = \"No one frobs.\"\nrun = { program = \"frob\" }\n";
    fs::write(&policy, rule).unwrap();
    let said = told(script, "a.sh").unwrap();
    for part in ["You may write this script", "a.sh:2: frob --all", "No one frobs.", "(rule team.frob)"] {
        assert!(said.contains(part), "{said}");
    }
    assert_eq!(told(script, "a.txt"), None);
    // What decides about the call that runs it, and not about what stands in the file, is no one's news.
    fs::write(&policy, rule.replace("\"frob\"", "\"bash\"")).unwrap();
    assert_eq!(told(script, "a.sh"), None);
    fs::write(&policy, rule.replace("\"deny\"", "\"ask\"")).unwrap();
    assert_eq!(told(script, "a.sh"), None);
}
