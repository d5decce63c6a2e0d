//! `policy import` as people use it.

use std::fs;

use serde_json::Value;

use super::Machine;

const SETTINGS: &str = "{\n  \"permissions\": {\n    \"allow\": [\"Bash(npm test:*)\", \"Edit(/src/**)\"],\n    \"deny\": [\"Bash(git push:*)\"]\n  }\n}\n";
const RULES: &str = "prefix_rule(pattern = [\"git\", \"push\"], decision = \"forbidden\")\n";

#[test]
fn what_is_written_is_a_policy_that_holds() {
    let machine = Machine::new().with(".claude/settings.json", SETTINGS);
    let answer = machine.runner(["policy", "import", ".claude/settings.json", "-o", "policy.toml"]);
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    assert!(answer.stdout.contains(".claude/settings.json:4:14: leaked in the original"), "{answer:?}");
    assert!(answer.stdout.contains("3 rules, 0 not carried over"), "{answer:?}");
    let check = machine.runner(["policy", "check", "policy.toml"]);
    assert_eq!((check.exit, check.stdout.as_str()), (Some(0), "policy.toml: fine\n"), "{check:?}");
    let test = machine.runner(["policy", "test", "policy.toml", "--mutate"]);
    assert_eq!(test.exit, Some(0), "{test:?}");
    for (command, word) in
        [("git -C . push -f", "deny"), ("npm test x", "allow"), ("npm --prefix . test", "no objection")]
    {
        let answer = machine.runner(["policy", "explain", "--policy", "policy.toml", "--", command]);
        assert!(answer.stdout.starts_with(word), "{command}: {answer:?}");
    }
}

#[test]
fn nothing_is_overwritten_unasked() {
    let machine = Machine::new().with("a.rules", RULES).with("policy.toml", "mine\n");
    let import = |more: &[&str]| {
        let mut line = vec!["policy", "import", "a.rules", "--output", "policy.toml"];
        line.extend(more);
        machine.runner(line)
    };
    let answer = import(&[]);
    assert_eq!(answer.exit, Some(2), "{answer:?}");
    assert!(answer.stderr.contains("already exists") && answer.stderr.contains("--force"), "{answer:?}");
    let policy = machine.project().join("policy.toml");
    assert_eq!(fs::read_to_string(&policy).unwrap(), "mine\n");
    assert_eq!(import(&["--force"]).exit, Some(0));
    assert!(fs::read_to_string(&policy).unwrap().contains("schema = 1"));
}

#[test]
fn the_policy_or_the_report_is_the_answer() {
    let machine = Machine::new().with("a.rules", &format!("{RULES}prefix_rule(pattern=[\"bash\"])\n"));
    let plain = machine.runner(["policy", "import", "a.rules"]);
    assert_eq!(plain.exit, Some(1), "{plain:?}");
    assert!(
        plain.stdout.contains("\nschema = 1\n") && plain.stderr.contains("a.rules:2:1: not carried over"),
        "{plain:?}"
    );
    let json = machine.runner(["policy", "import", "a.rules", "--json"]);
    let report: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(
        (json.exit, &report["format"], &report["version"]),
        (Some(1), &"codex".into(), &1.into()),
        "{json:?}"
    );
    assert_eq!(report["policy"], plain.stdout, "{json:?}");
    assert_eq!(report["rules"].as_array().map(Vec::len), Some(1), "{json:?}");
    assert!(
        report["remarks"]
            .as_array()
            .unwrap()
            .iter()
            .any(|remark| remark["sort"] == "left" && remark["line"] == 2)
    );
}

#[test]
fn stdin_and_every_format_are_taken() {
    let machine = Machine::new();
    let from = |text: &str, more: &[&str]| {
        let mut line = vec!["policy", "import"];
        line.extend(more);
        machine.call(line).input(text).run()
    };
    for (text, rule) in [
        (SETTINGS, "claude.deny-git-push"),
        ("{\"chat.tools.terminal.autoApprove\": {\"rm\": false}}", "vscode.ask-rm"),
        ("copilot --deny-tool 'shell(git push)'", "copilot.deny-git-push"),
        (RULES, "codex.deny-git-push"),
        ("[[rule]]\ncommandPrefix = \"git push\"\ndecision = \"deny\"\n", "gemini.deny-git-push"),
    ] {
        let answer = from(text, &[]);
        assert!(answer.stdout.contains(&format!("id = \"{rule}\"")), "{answer:?}");
    }
    // From stdin no one knows that `/src` is a repository's.
    assert!(from(SETTINGS, &["-"]).stderr.contains("which may not be a repository"));
    for (text, more, words) in [
        ("hello", &[][..], "fit no known host"),
        ("", &[], "fit no known host"),
        (RULES, &["--from", "claude"], "stdin:1:1"),
        ("prefix_rule(", &[], "stdin:1:13"),
        (RULES, &["--from", "emacs"], "emacs"),
        (RULES, &["missing.json"], "missing.json"),
    ] {
        let answer = from(text, more);
        assert_eq!(answer.exit, Some(2), "{answer:?}");
        assert!(answer.stderr.contains(words) && answer.stdout.is_empty(), "{answer:?}");
    }
}

#[test]
fn help_manual_and_completions_know_it() {
    let machine = Machine::new();
    let help = machine.runner(["policy", "import", "--help"]);
    for word in ["--from", "--output", "--force", "--json", "claude, vscode, copilot, codex, gemini"] {
        assert!(help.stdout.contains(word), "{word}: {}", help.stdout);
    }
    machine.runner(["man", "pages"]);
    let page = fs::read_to_string(machine.project().join("pages/hook-runner-policy.1")).unwrap();
    assert!(page.contains("import"), "{page}");
    assert!(machine.runner(["completions", "bash"]).stdout.contains("--output --force --json"), "no options");
}
