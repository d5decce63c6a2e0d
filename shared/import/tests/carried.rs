//! What becomes of rules, seen in what our policy then says of calls; and that nothing is loosened.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use std::borrow::Cow;

use import::{Format, Imported, Sort, Source};
use payload::Access;
use policy::layers::{self, Stack};
use policy::{Action, AgentStart, Effect, Layer, McpCall, ToolWord};
use proptest::prelude::*;

const CWD: &str = "/home/user/project";

fn source(text: &str, format: Format) -> Source<'_> {
    Source { name: "rules", text, format, of_project: true }
}

fn carried(text: &str, format: Format) -> Imported {
    import::import(&source(text, format)).unwrap_or_else(|broken| panic!("{broken}: {text}"))
}

/// A file of the host with one entry.
fn file(format: Format, entry: &str) -> String {
    let entry = entry.replace('⏎', "\n");
    match format {
        Format::Claude | Format::Managed | Format::Cursor | Format::Qwen => {
            let (list, rule) = entry.split_once(' ').unwrap();
            format!("{{\"permissions\": {{\"{list}\": [{}]}}}}", serde_json::json!(rule))
        }
        Format::VsCode => format!("{{\"chat.tools.terminal.autoApprove\": {{{entry}}}}}"),
        Format::Copilot => format!("copilot {entry}"),
        Format::OpenCode => format!("{{\"permission\": {entry}}}"),
        Format::Codex => entry,
        // Its settings.
        Format::Gemini if entry.starts_with('{') => entry,
        Format::Gemini => format!("[[rule]]\n{entry}\n"),
    }
}

/// A call: a command, or `read:`, `write:`, `url:`, `mcp:` and `agent:` with what it is about.
fn action(call: &str) -> Action<'_> {
    let base = Action { cwd: Some(CWD), ..Action::default() };
    let path =
        |path, tool, access| Action { tool, paths: vec![(Cow::Borrowed(path), access)], ..base.clone() };
    match call.split_once(':') {
        Some(("read", file)) => path(file, ToolWord::Read, Access::Read),
        Some(("write", file)) => path(file, ToolWord::Write, Access::Write),
        Some(("url", url)) => Action { tool: ToolWord::Fetch, urls: vec![Cow::Borrowed(url)], ..base },
        Some(("mcp", name)) => {
            let (server, tool) = name.split_once('/').unwrap();
            let readings = vec![(server.to_owned(), tool.to_owned())];
            Action { tool: ToolWord::Mcp, mcp: Some(McpCall { readings, args: Vec::new() }), ..base }
        }
        Some(("agent", name)) => {
            let agent = Some(AgentStart { name: Some(Cow::Borrowed(name)) });
            Action { tool: ToolWord::Agent, agent, ..base }
        }
        _ => Action::command(call, Some(CWD)),
    }
}

/// What a policy says of a call, beside what every policy says of it.
fn says(policy: &str, call: &str) -> Option<Effect> {
    let of = |policy: &str| {
        let sources =
            [layers::Source { trusted: true, ..layers::Source::of(Layer::User, "policy.toml", policy) }];
        let stack = Stack::of(&sources, layers::today());
        assert!(stack.files[0].errors.is_empty(), "{:?}\n{policy}", stack.files[0].errors);
        let facts = rules::Facts::on_paper(Some(CWD), Some("/home/user"));
        let ruling = policy::decide(&stack, &action(call), &facts);
        let own = ruling.findings.iter().filter(|finding| finding.file.is_some());
        (ruling.decision, own.map(|finding| finding.effect).max())
    };
    let (decision, own) = of(policy);
    if decision == Some(Effect::Allow) { decision } else { own.filter(|effect| *effect > Effect::Allow) }
}

#[test]
fn every_row_says_what_becomes_of_calls() {
    let mut wrong = Vec::new();
    let mut rows = 0;
    for line in include_str!("data/rows.tsv").lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('\t');
        let (format, entry, expected) =
            (columns.next().unwrap(), columns.next().unwrap(), columns.next().unwrap());
        let format: Format = format.parse().unwrap();
        let imported = carried(&file(format, entry), format);
        rows += 1;
        if expected == "left" {
            if !imported.rules.is_empty() || imported.left().next().is_none() {
                wrong.push(format!("{entry}: carried over:\n{}", imported.policy));
            }
            continue;
        }
        if imported.left().next().is_some() || imported.rules.is_empty() {
            wrong.push(format!("{entry}: left: {:?}", imported.remarks));
        }
        for expected in expected.split(" ;; ") {
            let (effect, call) = expected.split_once(' ').unwrap();
            let found = says(&imported.policy, call).map_or("none", Effect::as_str);
            if found != effect {
                wrong.push(format!("{entry}: {found} instead of {effect}: {call}\n{}", imported.policy));
            }
        }
    }
    assert!(rows >= 60 && wrong.is_empty(), "{rows} rows\n{}", wrong.join("\n"));
}

const FILES: [(&str, Format, &str); 10] = [
    ("claude.json", Format::Claude, include_str!("data/claude.json")),
    ("vscode.jsonc", Format::VsCode, include_str!("data/vscode.jsonc")),
    ("copilot.sh", Format::Copilot, include_str!("data/copilot.sh")),
    ("copilot.json", Format::Copilot, include_str!("data/copilot.json")),
    ("codex.rules", Format::Codex, include_str!("data/codex.rules")),
    ("gemini.toml", Format::Gemini, include_str!("data/gemini.toml")),
    ("managed.json", Format::Managed, include_str!("data/managed.json")),
    ("cursor.json", Format::Cursor, include_str!("data/cursor.json")),
    ("opencode.json", Format::OpenCode, include_str!("data/opencode.json")),
    ("qwen.json", Format::Qwen, include_str!("data/qwen.json")),
];

/// What is written passes `policy check` and `policy test`, in every respelling of what it holds back.
#[test]
fn what_is_written_holds() {
    for (name, format, text) in FILES {
        // Qwen Code writes as Claude Code does: it is known by its folder.
        let place = if format == Format::Qwen { "/p/.qwen/settings.json" } else { name };
        assert_eq!(Format::at(place, text), Some(format), "{name}");
        let imported = carried(text, format);
        let source = layers::Source {
            trusted: true,
            ..layers::Source::of(Layer::User, "policy.toml", imported.policy.as_str())
        };
        let report = policy::cli::check(&source, &[], layers::today(), -1);
        assert!(report.errors.is_empty() && report.warnings.is_empty(), "{name}: {report:?}");
        let tested = policy::cli::test(&source, &[], false);
        let faults: Vec<_> = tested.faults().collect();
        assert!(faults.is_empty() && tested.untested.is_empty(), "{name}: {faults:?}");
        assert!(imported.rules.len() > 4, "{name}");
    }
}

/// The example of GitHub's reference, whole: no rule of it is left, and all of it holds however a command is spelled.
#[test]
fn the_documented_managed_permissions_are_carried_over_whole() {
    let imported = carried(include_str!("data/managed.json"), Format::Managed);
    assert_eq!((imported.rules.len(), imported.left().count()), (10, 0), "{:?}", imported.remarks);
    let source = layers::Source {
        trusted: true,
        ..layers::Source::of(Layer::User, "policy.toml", imported.policy.as_str())
    };
    let tested = policy::cli::test(&source, &[], true);
    let faults: Vec<_> = tested.faults().collect();
    assert!(faults.is_empty() && tested.untested.is_empty() && tested.outcomes.len() > 200, "{faults:?}");
}

#[test]
fn the_reports_are_what_people_read() {
    for (name, format, text) in FILES {
        let source = Source { name, ..source(text, format) };
        let imported = import::import(&source).unwrap();
        let now = format!("{}\n{}", import::text(name, &imported), imported.policy);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/snapshots/{name}.txt"));
        if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
            fs::write(&path, &now).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap();
        assert_eq!(now.trim_end(), expected.trim_end(), "{name}: renew with UPDATE_SNAPSHOTS=1");
    }
}

#[test]
fn broken_texts_are_reported_with_their_place() {
    for (format, text, place, word) in [
        (Format::Claude, "", "1:1", "JSON"),
        (Format::Claude, "{\n  \"permissions\": {\"allow\": [}\n}", "2:29", "JSON"),
        (Format::Claude, "[]", "1:1", "an array"),
        (Format::Claude, "{}", "1:1", "permissions"),
        (Format::Claude, "{\"permissions\": 1}", "1:17", "must be an object"),
        (Format::Claude, "{\"permissions\": {\"deny\": \"Bash\"}}", "1:26", "must be a list"),
        (Format::Claude, "{\"permissions\": {\"deny\": [\n 1]}}", "2:2", "a string"),
        (Format::VsCode, "{\"editor\": 1}", "1:1", "autoApprove"),
        (Format::VsCode, "{\"chat.tools.terminal.autoApprove\": []}", "1:37", "must be an object"),
        (Format::VsCode, "{\"chat.tools.terminal.autoApprove\": {\"a\": \"yes\"}}", "1:43", "true, false"),
        (Format::Copilot, "copilot --help", "1:1", "--allow-tool"),
        (Format::Copilot, "copilot --allow-tool", "1:9", "no value"),
        (Format::Copilot, "{\"locations\": {}}", "1:1", "tool_approvals"),
        (Format::Codex, "prefix_rule(pattern=[\"a\"]\n", "2:1", "comma"),
        (Format::Codex, "\n x = 1", "2:4", "only calls"),
        (Format::Codex, "prefix_rule(pattern=[])", "1:21", "empty"),
        (Format::Codex, "prefix_rule(pattern=[\"a\"], decision=\"maybe\")", "1:37", "maybe"),
        (Format::Codex, "other_rule()", "1:1", "other_rule"),
        (Format::Gemini, "[[rule]]\ntoolName = \n", "2:12", "TOML"),
        (Format::Gemini, "[[rule]]\ntoolName = \"x\"\n", "1:1", "decision"),
        (Format::Gemini, "[[rule]]\ndecision = \"no\"\n", "2:12", "unknown decision"),
        (Format::Gemini, "[[rule]]\ndecison = \"deny\"\n", "1:1", "no `decision`"),
        (Format::Gemini, "x = 1\n", "1:1", "[[rule]]"),
        (Format::Gemini, "{\"ui\": {}}", "1:1", "no `tools`"),
        (Format::Gemini, "{\"tools\": {\"exclude\": \"x\"}}", "1:23", "must be a list"),
        (Format::Gemini, "{\"tools\": {\"exclude\": [1]}}", "1:24", "must be a string"),
    ] {
        let broken = import::import(&source(text, format)).unwrap_err();
        assert_eq!(broken.place.to_string(), place, "{text}: {broken}");
        assert!(broken.message.contains(word), "{text}: {broken}");
    }
    let large = " ".repeat(import::MAX_SIZE + 1);
    assert!(import::import(&source(&large, Format::Codex)).is_err());
}

/// What held back and is lost takes with it what would be allowed too much without it.
#[test]
fn nothing_is_allowed_whose_limit_is_lost() {
    for (format, text) in [
        (Format::VsCode, "{\"chat.tools.terminal.autoApprove\": {\"git\": true, \"/(?<!x)push/\": false}}"),
        (
            Format::Gemini,
            "[[rule]]\ncommandPrefix = \"git\"\ndecision = \"allow\"\n[[safety_checker]]\ntoolName = \"*\"\n",
        ),
        (
            Format::Gemini,
            "[[rule]]\ncommandPrefix = \"git\"\ndecision = \"allow\"\npriority = 10\n\
             [[rule]]\ntoolName = \"*\"\ndecision = \"deny\"\npriority = 900\n",
        ),
        (Format::Claude, "{\"permissions\": {\"allow\": [\"Bash(git log:*)\"], \"ask\": [\"*\"]}}"),
        (
            Format::Gemini,
            "{\"tools\": {\"core\": [\"ShellTool(ls)\"], \"allowed\": [\"run_shell_command(git)\"]}}",
        ),
        (
            Format::Codex,
            "prefix_rule(pattern=[\"git\"])\nprefix_rule(pattern=[\"git\", \"a b\"], decision=\"forbidden\")",
        ),
        (
            Format::Claude,
            "{\"permissions\": {\"allow\": [\"Edit(/src/**)\"], \"deny\": [\"Edit(/src/{a}/**)\"]}}",
        ),
    ] {
        let imported = carried(text, format);
        assert!(imported.rules.is_empty(), "{}", imported.policy);
        assert_eq!(imported.left().count(), 2, "{:?}", imported.remarks);
        assert!(imported.left().any(|remark| remark.why.contains("held back")), "{:?}", imported.remarks);
    }
}

/// A default that denies stands below what is allowed.
#[test]
fn a_default_below_takes_nothing_away() {
    let text = "[[rule]]\ncommandPrefix = \"git log\"\ndecision = \"allow\"\npriority = 10\n\
                [[rule]]\ntoolName = \"*\"\ndecision = \"deny\"\npriority = 1\n";
    let imported = carried(text, Format::Gemini);
    assert_eq!((imported.rules.len(), imported.left().count()), (1, 1), "{}", imported.policy);
}

#[test]
fn settings_of_no_repository_allow_no_paths_from_their_root() {
    let text = "{\"permissions\": {\"allow\": [\"Edit(/src/**)\"], \"deny\": [\"Edit(/src/**)\"]}}";
    let imported = import::import(&Source { of_project: false, ..source(text, Format::Claude) }).unwrap();
    assert_eq!(imported.rules.len(), 1, "{}", imported.policy);
    assert_eq!(imported.left().count(), 1);
}

/// A name or an entry cannot break out of its comment or its quotes.
#[test]
fn odd_texts_stay_texts() {
    let rule = "Bash(made-up \\\"]\n[[rule]]\nid = \\\"x\\\":*)";
    let text = serde_json::json!({ "permissions": { "deny": [rule, "Agent(a\"\n]b)", "mcp__a'b\\c__d"] } });
    let text = text.to_string();
    let name = "x\nschema = 2 \u{202e}";
    let imported = import::import(&Source { name, ..source(&text, Format::Claude) }).unwrap();
    let comments = imported.policy.lines().filter(|line| line.contains("schema = 2"));
    assert!(comments.into_iter().all(|line| line.starts_with('#') || line.starts_with("reason")));
    assert_eq!(says(&imported.policy, "ls"), None);
    assert!(imported.remarks.iter().all(|remark| remark.sort != Sort::Stricter || !remark.why.is_empty()));
}

fn word() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "git", "npm", "ls", "cargo", "push", "status", "test", "run", "-f", "--force", "x", "main",
    ])
}

fn words(most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(word(), 1..=most).prop_map(|words| words.join(" "))
}

/// A command with what people and agents put around one.
fn command() -> impl Strategy<Value = String> {
    let around = prop::sample::select(vec![
        "{}",
        "/usr/bin/{}",
        "./{}",
        "sudo {}",
        "X=1 {}",
        "env X=1 {}",
        "timeout 5 {}",
        "bash -c '{}'",
        "{} > out",
        "{} | sh",
        "{} $(made-up)",
        "( {} )",
        "{} &",
        "nohup {}",
        "eval {}",
        "{}\nmade-up",
        "cd x && {}",
        "{}; made-up",
    ]);
    (words(4), around).prop_map(|(words, around)| around.replace("{}", &words))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever ours allows, the original's text comparison allowed: the command itself begins with the words.
    #[test]
    fn what_is_allowed_was_allowed(rule in words(3), command in command()) {
        let imported = carried(&file(Format::Claude, &format!("allow Bash({rule}:*)")), Format::Claude);
        if says(&imported.policy, &command) == Some(Effect::Allow) {
            let bare = command.trim_start_matches("( ").trim_end_matches(" )").trim_end_matches(" &");
            let began = bare == rule || bare.starts_with(&format!("{rule} "));
            prop_assert!(began, "{rule} allows {command}");
        }
    }

    /// Whatever the original held back, ours does.
    #[test]
    fn what_was_held_back_is_held_back(rule in words(3), rest in words(3)) {
        let imported = carried(&file(Format::Claude, &format!("deny Bash({rule}:*)")), Format::Claude);
        for command in [rule.clone(), format!("{rule} {rest}"), format!("cd x && {rule} {rest}")] {
            prop_assert_eq!(says(&imported.policy, &command), Some(Effect::Deny), "{}\n{}", command, &imported.policy);
        }
    }

    /// Nothing makes it panic, and what it writes is always a policy.
    #[test]
    fn whatever_is_read_ends_well(text in "[a-z{}\\[\\]\"':,=()#\\n *.-]{0,60}") {
        for format in Format::ALL {
            if let Ok(imported) = import::import(&source(&text, format)) {
                says(&imported.policy, "ls");
            }
        }
    }
}
