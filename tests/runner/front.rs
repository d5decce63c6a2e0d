//! The front door: what people type first.

use serde_json::Value;
use support::call::Call;
use support::programs::audit_logger;

use super::Machine;

const DENIED: &str = r#"{"session_id":"1","hook_event_name":"PreToolUse","cwd":"/p","tool_name":"Bash","tool_input":{"command":"git push --force"}}"#;

/// With a program of a host on the `PATH`, and a hook of ours for it.
fn guarded() -> Machine {
    let machine = Machine::new();
    let init = machine.runner(["init", "--user", "--yes", "--host", "claude", "--hook", "command-blocker"]);
    assert_eq!(init.exit, Some(0), "{init:?}");
    machine
}

#[test]
fn status_says_who_is_guarded_and_what_to_do_next() {
    let answer = Machine::new().runner(["status"]);
    assert!(answer.stdout.contains("hook-runner init --user --host claude"), "{answer:?}");
    let machine = guarded();
    let answer = machine.runner(["status"]);
    let line = answer.stdout.lines().find(|line| line.starts_with("Claude Code")).unwrap();
    assert!(line.contains("guarded") && line.contains("command-blocker"), "{line}");
    let json: Value = serde_json::from_str(&machine.runner(["status", "--json"]).stdout).unwrap();
    let claude = json["hosts"].as_array().unwrap().iter().find(|host| host["host"] == "claude").unwrap();
    assert_eq!((&claude["state"], &claude["hooks"][0]), (&"guarded".into(), &"command-blocker".into()));
    // No person is at a terminal: what is pending is not shown.
    assert_eq!(json["pending"], Value::Null);
}

#[test]
fn a_rule_that_a_denial_names_can_be_looked_up() {
    let machine = Machine::new();
    let all = machine.runner(["rules"]);
    assert!(all.exit == Some(0) && all.stdout.contains("Version control"), "{all:?}");
    for words in [["rule", "git.push-force"], ["rules", "git.push-force"]] {
        let one = machine.runner(words);
        assert!(one.stdout.contains("destructive: denied") && one.stdout.contains("Leaves alone"), "{one:?}");
    }
    let typo = machine.runner(["rule", "git.push-forse"]);
    assert!(typo.exit == Some(2) && typo.stderr.contains("Did you mean git.push-force?"), "{typo:?}");
    let json: Value = serde_json::from_str(&machine.runner(["rules", "--json"]).stdout).unwrap();
    let rules = json["rules"].as_array().unwrap();
    assert_eq!(rules.len(), rules::families().iter().map(|family| family.rules.len()).sum::<usize>());
}

#[test]
fn the_log_is_read_at_the_front_door_as_by_its_own_program() {
    let machine = Machine::new();
    machine.prepare(Call::new(audit_logger()).input(DENIED)).run();
    let own =
        |words: &[&str]| machine.prepare(Call::new(audit_logger()).args(words.iter().copied())).run().stdout;
    for (front, words) in [
        (&["log"][..], &["tail"][..]),
        (&["log", "-n", "1"], &["tail", "-n", "1"]),
        (&["log", "query", "--format", "json"], &["query", "--format", "json"]),
        (&["report"], &["report"]),
        (&["report", "--json"], &["stats", "--json"]),
        (&["log", "sessions"], &["sessions"]),
    ] {
        let answer = machine.runner(front.iter().copied());
        assert!(answer.exit == Some(0) && !answer.stdout.is_empty(), "{front:?}: {answer:?}");
        assert_eq!(answer.stdout, own(words), "{front:?}");
    }
    let wrong = machine.runner(["log", "--no-such-option"]);
    assert_eq!(wrong.exit, Some(2), "{wrong:?}");
}

#[test]
fn tables_show_the_time_of_the_clock_on_the_wall_and_json_that_of_the_record() {
    let machine = Machine::new();
    machine.prepare(Call::new(audit_logger()).input(DENIED)).run();
    let seen = |zone: &str, words: &[&str]| -> String {
        machine.call(words.iter().copied()).env("TZ", zone).run().stdout
    };
    let time = |zone: &str| -> i64 {
        let table = seen(zone, &["log"]);
        let line = table.lines().nth(1).unwrap_or_else(|| panic!("{table}"));
        assert!(table.starts_with("TIME "), "{table}");
        let number = |from: usize| line[from..from + 2].parse::<i64>().unwrap();
        (number(8) * 24 + number(11)) * 60 + number(14)
    };
    let ahead = time("JST-9") - time("UTC0");
    // Another day, at the end of a month, when it is evening in Greenwich.
    assert!(ahead == 9 * 60 || ahead < -26 * 24 * 60, "{ahead}");
    let json = ["log", "query", "--format", "json"];
    assert_eq!(seen("JST-9", &json), seen("UTC0", &json));
    let today = seen("JST-9", &["log"])[..].lines().nth(1).unwrap()[..10].to_owned();
    assert!(seen("JST-9", &["log", "query", "--since", &today]).contains("git push"));
}

/// Every program has colours where they are asked for, the same ones, and none where `NO_COLOR` is set.
#[test]
fn colours_are_alike_in_all_programs() {
    let machine = guarded();
    machine.prepare(Call::new(audit_logger()).input(DENIED)).run();
    machine.prepare(Call::new(support::programs::command_blocker()).input(DENIED)).run();
    for (program, words) in [
        ("command-blocker", &["explain", "git push --force"][..]),
        ("approval-gate", &["policy", "explain", "--", "git push --force"]),
        ("audit-logger", &["tail"]),
        ("hook-runner", &["explain", "git push --force"]),
        ("hook-runner", &["policy", "explain", "--", "git push --force"]),
        ("hook-runner", &["log"]),
    ] {
        let call =
            || machine.prepare(Call::new(support::programs::stand_in(program)).args(words.iter().copied()));
        let colored = call().env("FORCE_COLOR", "1").run().stdout;
        let plain = call().env("FORCE_COLOR", "1").env("NO_COLOR", "1").run().stdout;
        assert!(!plain.contains('\u{1b}'), "{program} {words:?}: {plain}");
        assert!(colored.contains("\u{1b}[1;31m"), "{program} {words:?}: {colored}");
        assert!(!call().run().stdout.contains('\u{1b}'), "{program} {words:?}");
    }
}

#[test]
fn a_word_that_is_not_a_command_gets_the_right_one() {
    for (word, instead) in
        [("install", "hook-runner init"), ("stats", "hook-runner report"), ("why", "hook-runner explain")]
    {
        let answer = Machine::new().runner([word]);
        assert!(
            answer.exit == Some(2) && answer.stderr.contains(&format!("tip: try {instead}")),
            "{answer:?}"
        );
    }
}

#[test]
fn update_finds_programs_of_one_version() {
    let answer = Machine::new().runner(["update"]);
    assert!(answer.exit == Some(0) && answer.stdout.contains("command-blocker"), "{answer:?}");
}

#[test]
fn uninstall_takes_everything_of_ours_out_and_needs_a_person() {
    let machine = guarded();
    let alone = machine.runner(["uninstall", "--yes"]);
    assert_eq!(alone.exit, Some(2), "{alone:?}");
    assert!(machine.home().join(".claude/settings.json").exists());
    let Some(answer) = machine.at_a_terminal(&["uninstall", "--yes"], "") else { return };
    assert!(answer.exit == Some(0) && answer.stdout.contains("Left for you to delete"), "{answer:?}");
    assert!(!machine.home().join(".claude/settings.json").exists(), "{answer:?}");
}

/// Lines that a terminal of this width would break: but for a word that is wider by itself, where there is nothing to do.
pub(super) fn too_wide(text: &str, width: usize) -> Vec<&str> {
    text.lines().filter(|line| line.chars().count() > width && line.trim().contains(' ')).collect()
}

/// `--help` of everything fits a screen, at any width; `--help-all` may be longer.
#[test]
fn every_help_fits_the_terminal() {
    let machine = Machine::new();
    let mut wrong = Vec::new();
    for words in crate::docs::help_texts() {
        let (name, rest) = words.split_once(' ').unwrap_or((words, ""));
        let program = support::programs::stand_in(name);
        for width in [80, 120] {
            let call = Call::new(&program).args(rest.split_whitespace()).args(["--help"]);
            let help = machine.prepare(call).env("COLUMNS", width.to_string()).run().stdout;
            if help.lines().count() > 40 {
                wrong.push(format!("{words}: {} lines at {width}", help.lines().count()));
            }
            wrong
                .extend(too_wide(&help, width).into_iter().map(|line| format!("{words} at {width}: {line}")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What people look at most, at the widths of terminals.
#[test]
fn no_screen_is_wider_than_its_terminal() {
    let machine = guarded();
    machine.prepare(Call::new(audit_logger()).input(DENIED)).run();
    machine.prepare(Call::new(support::programs::command_blocker()).input(DENIED)).run();
    for width in [80, 120] {
        for words in [
            &["status"][..],
            &["rules"],
            &["rules", "git"],
            &["rule", "unresolved.opaque-code"],
            &["explain", "cd build && sudo rm -rf / && git push --force origin main"],
            &["log"],
            &["report"],
            &["approve"],
            &["doctor", "--host", "claude"],
        ] {
            let answer = machine.call(words.iter().copied()).env("COLUMNS", width.to_string()).run();
            let said = answer.stdout + &answer.stderr;
            assert_eq!(too_wide(&said, width), Vec::<&str>::new(), "{words:?} at {width}:\n{said}");
            assert!(!said.is_empty(), "{words:?}");
        }
    }
}
