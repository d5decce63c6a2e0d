//! Every screen, at the widths of terminals: what people read of each command, held against what is kept in `screens`.
//!
//! `UPDATE_SNAPSHOTS=1` writes them anew. Paths, times and codes differ from run to run: they are replaced by others of the
//! same length, so that lines break where they did.

use std::fs;
use std::path::PathBuf;

use regex::Regex;
use support::call::Call;
use support::programs::{STAND_INS, root, stand_in};
use support::terminal::{at_a_terminal, has_script};

use super::Machine;

/// The widths, of a small terminal and of a wide one.
const WIDTHS: [usize; 2] = [80, 120];

/// A screen by its name, and what is typed for it. `~` stands for the home folder.
const SCREENS: &[(&str, &str)] = &[
    ("help", "hook-runner --help"),
    ("status", "hook-runner status"),
    ("rules", "hook-runner rules"),
    ("rules-family", "hook-runner rules windows-code"),
    ("rule", "hook-runner rule git.push-force"),
    ("rule-unknown", "hook-runner rule git.push-forse"),
    ("explain", "hook-runner explain 'cd build && sudo rm -rf / && git push --force origin main'"),
    ("explain-harmless", "hook-runner explain --host claude 'git status'"),
    ("run", "hook-runner run --host claude --command 'git push --force origin main'"),
    ("run-bare", "hook-runner run --host gemini --command 'rm -rf /'"),
    ("run-unknown-host", "hook-runner run --host claud --command ls"),
    ("replay", "hook-runner replay ~/recorded.jsonl --answers"),
    ("check", "hook-runner check ~/broken/settings.json"),
    ("check-missing", "hook-runner check ~/no-such-file.json"),
    ("doctor", "hook-runner doctor --host claude"),
    ("kept", "hook-runner kept"),
    ("kept-unknown", "hook-runner kept restore 7k3f9qxm"),
    ("update", "hook-runner update"),
    ("log", "hook-runner log"),
    ("log-help", "hook-runner log --help"),
    ("report-mistyped", "hook-runner report --sinse 1d"),
    ("log-query", "hook-runner log query --decision deny"),
    ("log-query-nothing", "hook-runner log query --rule git.push-forse"),
    ("log-mistyped-time", "hook-runner log query --since yesterday"),
    ("log-verify", "hook-runner log verify"),
    ("log-show", "hook-runner log show ID"),
    ("log-anchor", "hook-runner log anchor"),
    ("check-codes", "hook-runner check --codes"),
    ("check-notes", "hook-runner check --notes"),
    ("run-session", "hook-runner run --host claude --session ~/session.json"),
    ("policy-mutate", "hook-runner policy test --mutate ~/policy.toml"),
    ("init-no-hook", "hook-runner init --user --host claude --hook comand-bloker"),
    ("init-nothing-asked", "hook-runner init --user --host claude --hook audit-logger"),
    ("init-machine", "hook-runner init --machine --host claude --out ~/tree --yes"),
    ("uninstall-no-person", "hook-runner uninstall"),
    ("trust-no-person", "hook-runner trust"),
    ("mode-unknown", "command-blocker --mode observed"),
    ("event-unknown", "command-blocker --event PreToolUsed"),
    ("stop-guard-check", "stop-guard check"),
    ("audit-logger-unknown", "audit-logger stat"),
    ("log-show-unknown", "hook-runner log show zzz"),
    ("report", "hook-runner report"),
    ("statusline", "hook-runner statusline"),
    ("policy-check", "hook-runner policy check ~/policy.toml ~/mistaken.toml"),
    ("policy-explain", "hook-runner policy explain --policy ~/policy.toml -- 'make deploy'"),
    ("policy-test", "hook-runner policy test ~/policy.toml ~/mistaken.toml"),
    ("policy-diff", "hook-runner policy diff ~/policy.toml ~/other.toml ~/calls.txt"),
    ("policy-status", "hook-runner policy status --root ~/root"),
    ("policy-pull", "hook-runner policy pull ~/team.bundle --root ~/root"),
    ("policy-import", "hook-runner policy import ~/rules/settings.json -o ~/imported.toml --force"),
    ("policy-missing", "hook-runner policy test ~/no-such-file.toml"),
    ("unknown-command", "hook-runner install"),
    ("unknown-option", "hook-runner status --jsn"),
    ("no-person", "hook-runner approve"),
    ("command-blocker", "command-blocker explain 'git push --force origin main | tee log'"),
    ("command-blocker-files", "command-blocker explain --cwd ~/site 'npm run reset'"),
    ("command-blocker-unknown-shell", "command-blocker explain --shell bahs ls"),
    ("approval-gate", "approval-gate policy explain --policy ~/policy.toml -- 'make deploy'"),
    ("context-injector", "context-injector preview --host claude"),
    ("formatter-trigger", "formatter-trigger which src/main.rs"),
    ("stop-guard", "stop-guard status"),
];

/// What is typed, in this order, after a reset was kept.
const KEPT: &[(&str, &str)] = &[
    ("kept-list", "hook-runner kept"),
    ("kept-show", "hook-runner kept show last"),
    ("kept-diff", "hook-runner kept diff last"),
    ("kept-restore", "hook-runner kept restore last"),
    ("kept-restore-again", "hook-runner kept restore last"),
    ("kept-drop-no-person", "hook-runner kept drop last"),
];

/// What `init` says for each host and about each trouble, in this order, with the programs that are taken away before.
const INIT: &[(&str, &[&str], &str)] = &[
    ("init-vscode", &[], "hook-runner init --yes --project ~/vscode --host vscode"),
    ("init-copilot", &[], "hook-runner init --yes --project ~/copilot --host copilot"),
    ("init-copilot-cloud", &[], "hook-runner init --yes --project ~/cloud --host copilot-cloud"),
    ("init-claude", &[], "hook-runner init --yes --project ~/claude --host claude"),
    ("init-codex", &[], "hook-runner init --yes --project ~/codex --host codex"),
    ("init-gemini", &[], "hook-runner init --yes --project ~/gemini --host gemini"),
    ("init-qwen", &[], "hook-runner init --yes --project ~/qwen --host qwen"),
    ("init-user-vscode", &[], "hook-runner init --user --yes --host vscode"),
    ("init-user-copilot", &[], "hook-runner init --user --yes --host copilot"),
    ("init-user-copilot-cloud", &[], "hook-runner init --user --yes --host copilot-cloud"),
    ("init-user-claude", &[], "hook-runner init --user --yes --host claude"),
    ("init-user-codex", &[], "hook-runner init --user --yes --host codex"),
    ("init-user-gemini", &[], "hook-runner init --user --yes --host gemini"),
    ("init-user-qwen", &[], "hook-runner init --user --yes --host qwen"),
    ("init-user-again", &[], "hook-runner init --user --yes --host qwen"),
    (
        "init-twice",
        &[],
        "hook-runner init --yes --project ~/twice --host claude --host copilot --preset team",
    ),
    ("init-by-path", &[], "hook-runner init --yes --project ~/paths --host gemini --programs path"),
    ("init-dry-run", &[], "hook-runner init --dry-run --project ~/paths --host claude --preset guard"),
    ("init-left-alone", &[], "hook-runner init --yes --project ~/theirs --host copilot --preset guard"),
    ("init-dropped", &[], "hook-runner init --yes --project ~/dropped --host claude"),
    ("init-off", &[], "hook-runner init --yes --project ~/off --host claude --preset guard"),
    ("init-no-such-project", &[], "hook-runner init --yes --project ~/nowhere --host claude"),
    ("init-machine-vscode", &[], "hook-runner init --machine --yes --host vscode"),
    ("init-machine-weak", &[], "hook-runner init --machine --yes --host claude"),
    ("init-machine-again", &[], "hook-runner init --machine --yes --host gemini --out ~/tree"),
    ("init-machine-nothing-new", &[], "hook-runner init --machine --yes --host gemini --out ~/tree"),
    ("init-some-missing", &["audit-logger"], "hook-runner init --user --yes --host claude --preset audit"),
    (
        "init-missing",
        &["command-blocker", "approval-gate"],
        "hook-runner init --yes --project ~/missing --host claude --programs path",
    ),
    ("init-force", &[], "hook-runner init --yes --project ~/missing --host claude --preset guard --force"),
];

/// What is typed at a terminal, with the answers.
const AT_A_TERMINAL: &[(&str, &str, &str)] = &[
    ("approve-list", "hook-runner approve", ""),
    ("approve-refused", "hook-runner approve CODE", "no\n"),
    ("approve", "hook-runner approve CODE", "yes\n"),
    ("approve-nothing", "hook-runner approve", ""),
    ("approve-unknown", "hook-runner approve 7K3F-9QXM", ""),
    ("kept-drop", "hook-runner kept drop last", "yes\n"),
    ("hook-at-a-terminal", "command-blocker", ""),
    ("init", "hook-runner init --host claude --hook audit-logger", "n\n"),
    ("trust", "hook-runner trust", "no\n"),
    ("uninstall", "hook-runner uninstall", "n\nn\n"),
    ("init-remove", "hook-runner init --remove --user --host claude", "y\n"),
    ("init-remove-nothing", "hook-runner init --remove --user --host claude", "y\n"),
];

/// What is denied on every desk.
const PUSH: &str = "git push --force origin main";

/// A machine whose paths are as long as those of any other.
struct Desk {
    machine: Machine,
    /// Of the call that was denied.
    code: String,
    /// The record of it in the log.
    record: String,
}

impl Desk {
    fn new() -> Self {
        let desk =
            Self { machine: Machine::below("/tmp".as_ref()), code: String::new(), record: String::new() };
        fs::create_dir_all(desk.bin()).unwrap();
        for name in ["hook-runner"].iter().chain(host::installed::PROGRAMS) {
            let (from, to) = (stand_in(name), desk.bin().join(name));
            fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(drop)).unwrap();
        }
        let home = desk.machine.home();
        let write = |name: &str, text: &str| {
            let path = home.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let rule = "schema = 1\n[[rule]]\nid = \"team.deploy\"\ndecision = \"deny\"\nreason = \"Deployments are \
                    made by the pipeline.\"\nrun = { program = \"make\", args_all = [\"deploy\"] }\n";
        write("policy.toml", &format!("{rule}match = [\"make deploy\"]\nnot_match = [\"make test\"]\n"));
        let rules = r#"{"permissions": {"deny": ["Bash(rm:*)"], "allow": ["Bash(git status)", "WebFetch"]}}"#;
        write("rules/settings.json", rules);
        let scripts = "{\n  \"scripts\": {\n    \"build\": \"tsc\",\n    \"reset\": \"sh scripts/reset.sh && echo done\"\n  }\n}\n";
        write("site/package.json", scripts);
        write("site/scripts/reset.sh", "#!/bin/sh\nset -e\nrm -rf /\n");
        write("other.toml", "schema = 1\n");
        write("mistaken.toml", &rule.replace("\"deny\"", "\"block\""));
        write("session.json", r#"[{"shell": "ls"}, {"shell": "git push --force"}, {"text": "done"}]"#);
        write("calls.txt", "make deploy\nmake test\nls\n");
        write("broken/settings.json", "{\n  // mine\n  \"hooks\": {\"PreToolUsed\": []}\n}\n");
        desk.line("hook-runner init --user --yes --host claude --hook command-blocker", 80);
        desk.line("hook-runner run --host claude --command 'rm -rf /' --record ~/recorded.jsonl", 80);
        desk.hook("audit-logger", "SessionStart", PUSH);
        desk.hook("audit-logger", "PreToolUse", PUSH);
        let denial = desk.hook("command-blocker", "PreToolUse", PUSH);
        let code = denial.split_once("approve ").unwrap_or_else(|| panic!("{denial}")).1[..9].to_owned();
        let records = desk.line("hook-runner log query --decision deny --format json", 80);
        let record: serde_json::Value = serde_json::from_str(records.lines().next().unwrap()).unwrap();
        let record = record["id"].as_str().unwrap().to_owned();
        Self { code, record, ..desk }
    }

    /// One where a reset went through, as everything that it would lose was saved.
    fn after_a_reset() -> Self {
        let desk = Self::new();
        let project = desk.machine.project();
        let git = |arguments: &[&str]| {
            let identity =
                ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
            let call = Call::new("/usr/bin/env").args(["git", "-C", project.to_str().unwrap()]);
            let answer = desk.prepare(call.args(identity).args(arguments.iter().copied())).run();
            assert_eq!(answer.exit, Some(0), "{arguments:?}: {answer:?}");
        };
        git(&["init", "--quiet"]);
        fs::write(project.join("plan.md"), "# Plan\n\nFirst.\n").unwrap();
        git(&["add", "--all"]);
        git(&["commit", "--quiet", "--message", "A plan"]);
        fs::write(project.join("plan.md"), "# Plan\n\nFirst.\nThen, after an afternoon of work.\n").unwrap();
        let answer = desk.hook("command-blocker --keep on", "PreToolUse", "git reset --hard");
        assert!(!answer.contains("deny"), "{answer}");
        git(&["reset", "--quiet", "--hard"]);
        desk
    }

    fn bin(&self) -> PathBuf {
        // Whoever is at a terminal counts as a person to programs in a folder of this name.
        self.machine.home().join(STAND_INS)
    }

    fn prepare(&self, call: Call) -> Call {
        self.machine.prepare(call).env("PATH", format!("{}:/usr/bin:/bin", self.bin().display()))
    }

    /// What a program of ours answers to a call of Claude Code.
    fn hook(&self, program: &str, event: &str, command: &str) -> String {
        let payload = serde_json::json!({"session_id": "4f1c2a", "transcript_path": "/t", "source": "startup",
            "cwd": self.machine.project(), "permission_mode": "default", "hook_event_name": event,
            "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "1"});
        let payload = match event {
            "SessionStart" => {
                serde_json::json!({"session_id": "4f1c2a", "transcript_path": "/t", "source": "startup",
                "cwd": self.machine.project(), "hook_event_name": event})
            }
            _ => payload,
        };
        let mut words = program.split(' ');
        let program = self.bin().join(words.next().unwrap_or_default());
        self.prepare(Call::new(program).args(words).input(payload.to_string())).run().stdout
    }

    /// What a person reads who types this.
    fn line(&self, line: &str, width: usize) -> String {
        let line = line
            .replace('~', self.machine.home().to_str().unwrap())
            .replace(" ID", &format!(" {}", self.record));
        let words = shell_words(&line);
        let call = Call::new(self.bin().join(&words[0])).args(words[1..].iter().map(String::as_str));
        let answer = self.prepare(call).env("COLUMNS", width.to_string()).run();
        format!("{}{}exit {}\n", answer.stdout, answer.stderr, answer.exit.unwrap_or(-1))
    }

    /// The same at a terminal.
    fn typed(&self, line: &str, typed: &str, width: usize) -> String {
        let call = self.prepare(Call::new("/usr/bin/env"));
        let more = [format!("COLUMNS={width}")];
        let more: Vec<&str> = more.iter().map(String::as_str).chain(["NO_COLOR=1"]).collect();
        let answer = at_a_terminal(call, &line.replace("CODE", &self.code), typed, &more);
        let said = answer.stdout.replace('\r', "");
        // What was typed is echoed when the terminal gets to it: not always at the same place.
        let said = Regex::new(r"(to agree:|\[y/N[^\]]*\]) ").unwrap().replace_all(&said, "$1\n");
        let echo = |line: &&str| typed.lines().any(|typed| typed == *line);
        said.lines().filter(|line| !echo(line)).map(|line| format!("{line}\n")).collect()
    }

    /// Without what differs from run to run; nothing becomes longer or shorter.
    fn fixed(&self, text: &str) -> String {
        let own = self.machine.home().parent().unwrap().display().to_string();
        let other =
            format!("/tmp/{}", "machine-of-someone-unknown".get(..own.len() - 5).unwrap_or("machine"));
        let mut text = text
            .replace(&own, &other)
            .replace(&self.code, "7K3F-9QXM")
            .replace(&self.record, "0123456789abcdef".get(..self.record.len()).unwrap_or("0123456789abcdef"));
        for (pattern, instead) in [
            (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "2026-11-24 09:41:07"),
            (r"\d{8}-\d{6}-[0-9a-f]{6}", "20261124-094107-052ff1"),
            (r"\d{4}-\d\d-\d\d( +\d+  █)", "2026-11-24$1"),
            (r"\d+ rules in \d+ families", "194 rules in 23 families"),
            (r"(?m)^(  [a-z][a-z-]+ +)\d+ +([A-Z])", "$1 9  $2"),
            (r"\b\d+ s ago", "3 s ago"),
            (r"\b\d+ ms\b", "7 ms"),
            (r"head (\d+):[0-9a-f]+", "head $1:5f0c…"),
            ("\"(hash|prev)\": ?\"[0-9a-f]{64}\"", "\"$1\":\"5f0c…\""),
            ("\"machine\": \"[0-9a-f]+\"", "\"machine\": \"5f0c…\""),
            ("\"user\": \"[0-9]+\"", "\"user\": \"1000\""),
            ("\"latency_us\": [0-9]+", "\"latency_us\": 700"),
            (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z", "2026-11-24T09:41:07.000000Z"),
            (r"\d+ characters; facts", "400 characters; facts"),
            (r"\b\d+\.\d+\.\d+( \([0-9a-f]{10} [0-9-]+\))?", "0.1.0"),
        ] {
            text = Regex::new(pattern).unwrap().replace_all(&text, instead).into_owned();
        }
        text
    }
}

/// Words as a shell reads them: blanks part them, single quotes join.
fn shell_words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(letter),
        }
    }
    words
}

/// Holds a screen against the one that is kept; what is wrong with it.
fn compare(name: &str, width: usize, said: &str) -> Option<String> {
    let wide = super::front::too_wide(said, width);
    if !wide.is_empty() {
        return Some(format!("{name} at {width}: wider than the terminal: {wide:#?}"));
    }
    let path = root().join("tests/runner/screens").join(format!("{name}.{width}.txt"));
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&path, said).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    (said != kept)
        .then(|| format!("{name} at {width}: renew with UPDATE_SNAPSHOTS=1\n--- kept\n{kept}--- now\n{said}"))
}

#[test]
fn every_screen_is_as_it_is_kept_and_fits_its_terminal() {
    let desk = Desk::new();
    let wrong: Vec<String> = SCREENS
        .iter()
        .flat_map(|(name, line)| {
            WIDTHS.map(|width| compare(name, width, &desk.fixed(&desk.line(line, width))))
        })
        .flatten()
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_screen_of_init_is_as_it_is_kept_and_fits() {
    let mut wrong = Vec::new();
    for width in WIDTHS {
        let desk = Desk::new();
        let home = desk.machine.home();
        for (name, text) in [
            ("theirs/.github/hooks/10-command-blocker.json", "{\"version\": 1, \"hooks\": {}}\n"),
            ("dropped/.claude/settings.json", "{\n  // mine\n  \"model\": \"sonnet\"\n}\n"),
            ("off/.claude/settings.local.json", "{\"disableAllHooks\": true}\n"),
        ] {
            let path = home.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        for (name, gone, line) in INIT {
            if let Some((_, project)) = line.split_once("--project ~/").filter(|_| !line.contains("nowhere"))
            {
                fs::create_dir_all(home.join(project.split(' ').next().unwrap())).unwrap();
            }
            for program in *gone {
                fs::remove_file(desk.bin().join(program)).unwrap();
            }
            let said = desk.fixed(&desk.line(line, width));
            // What comes before the answer of who is asked has to fit on a screen.
            assert!(line.contains("dry-run") || said.lines().count() <= 20, "{name}: {said}");
            wrong.extend(compare(name, width, &said));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_screen_of_what_was_kept_is_as_it_is_kept() {
    let mut wrong = Vec::new();
    for width in WIDTHS {
        let desk = Desk::after_a_reset();
        for (name, line) in KEPT {
            wrong.extend(compare(name, width, &desk.fixed(&desk.line(line, width))));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_screen_at_a_terminal_is_as_it_is_kept_and_fits() {
    if !has_script() {
        return;
    }
    let mut wrong = Vec::new();
    for width in WIDTHS {
        let desk = Desk::after_a_reset();
        for (name, line, typed) in AT_A_TERMINAL {
            wrong.extend(compare(name, width, &desk.fixed(&desk.typed(line, typed, width))));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The README's first command for those who build.
#[test]
fn the_demo_fits_a_terminal_and_shows_what_there_is() {
    let plain = Call::new(stand_in("demo")).env("NO_COLOR", "1").env("COLUMNS", "200").run();
    assert_eq!((plain.exit, plain.stderr.as_str()), (Some(0), ""), "{plain:?}");
    let said = &plain.stdout;
    assert!(said.lines().all(|line| line.chars().count() < 80), "{said}");
    let row = said.lines().find(|line| line.starts_with("npm publish ")).unwrap();
    assert!(row.contains("asks") && row.contains("denied"), "hosts differ: {row}");
    for part in [
        "asks    the person reads:",
        "denied  the model reads:",
        "$ hook-runner approve ",
        "runs    the same call",
        "denied  another time",
        "$ hook-runner kept restore last\nRestored 1 file",
        "file0.txt: an afternoon of work",
        "approved",
        "[git.push-force] git push --force origin main",
    ] {
        assert!(said.contains(part), "no {part:?} in:\n{said}");
    }
    let colored = Call::new(stand_in("demo")).env("NO_COLOR", "").env("FORCE_COLOR", "1").run();
    assert!(colored.stdout.contains("\u{1b}[31mdenied"), "{colored:?}");
}

/// What is said for people at each sub-command is on some screen.
#[test]
fn every_sub_command_for_people_has_a_screen() {
    // Each with its own test of what it prints: for machines, or with snapshots of `first`.
    const ELSEWHERE: [&str; 6] = ["init", "uninstall", "trust", "schema", "completions", "man"];
    let on_screen = |words: &str| SCREENS.iter().any(|(_, line)| line.starts_with(words));
    let missing: Vec<&str> = crate::docs::help_texts()
        .filter(|words| words.starts_with("hook-runner ") && words.split(' ').count() == 2)
        .filter(|words| !ELSEWHERE.iter().any(|name| words.ends_with(name)) && !on_screen(words))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Whoever writes to a terminal by itself writes at no width, and in colours of its own.
#[test]
fn only_the_screen_and_the_harness_open_stdout_and_stderr() {
    // The harness answers hosts, on the way of a call.
    const WRITERS: [&str; 5] = [
        // Bytes of formats that are no text.
        "hooks/audit-logger/src/commands/export.rs",
        "shared/screen/src/stream.rs",
        "shared/program/src/run.rs",
        "shared/program/src/stream/portable.rs",
        "shared/program/src/stream/unix.rs",
    ];
    let writes =
        Regex::new(r"io::std(out|err)\(|\be?print(ln)?!\(|stdio::std(out|err)\(|rror\.print\(").unwrap();
    let mut found = Vec::new();
    for part in ["hooks", "shared"] {
        for name in fs::read_dir(root().join(part)).unwrap().flatten() {
            sources(&name.path().join("src"), &mut found);
        }
    }
    assert!(found.len() > 300, "{}", found.len());
    let wrong: Vec<String> = found
        .into_iter()
        .map(|path| (path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned(), path))
        .filter(|(name, _)| !WRITERS.contains(&name.as_str()) && name != "shared/screen/src/width.rs")
        .filter(|(_, path)| {
            fs::read_to_string(path)
                .unwrap()
                .lines()
                .any(|line| writes.is_match(line) && !line.contains("(\""))
        })
        .map(|(name, _)| name)
        .collect();
    assert!(wrong.is_empty(), "write by `screen` instead: {wrong:#?}");
}

fn sources(folder: &std::path::Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}
