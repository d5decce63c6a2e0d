//! Cases that are each about one thing.

use serde_json::{Value, json};

use super::dice::Dice;
use super::{COMMAND, Event, LAST, answer, hooks};
use crate::Turn;
use crate::cases::{Answer, Case, Place, Side};

/// What makes one kind of case.
pub(super) const ALL: [fn(&mut Dice, &mut Case); 10] =
    [sub_agents, calls, mcp, places, long, fields, modes, changed, odd, permission];

fn shell(command: &str) -> Turn {
    Turn::Shell(command.to_owned())
}

fn says(text: &str) -> Turn {
    Turn::Text(text.to_owned())
}

fn is_copilot(side: Side) -> bool {
    matches!(side, Side::CopilotCli | Side::CopilotCliPascal)
}

/// What a hook prints that says no, or yes, before a tool; in the way that its host reads it.
fn verdict(side: Side, word: &str, reason: &str) -> Value {
    match side {
        Side::CopilotCli => json!({"permissionDecision": word, "permissionDecisionReason": reason}),
        Side::Gemini => json!({"decision": word, "reason": reason}),
        _ => json!({"hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": word, "permissionDecisionReason": reason
        }}),
    }
}

fn add(case: &mut Case, event: Event, answer: Answer) {
    case.hooks.entry(event.name(case.host).to_owned()).or_default().push(answer);
}

/// A sub-agent that runs a command. Only these hosts wait for one.
fn sub_agents(dice: &mut Dice, case: &mut Case) {
    if !matches!(case.host, Side::ClaudeCode | Side::VsCode) && !is_copilot(case.host) {
        return calls(dice, case);
    }
    case.script = vec![Turn::Subagent(vec![shell(COMMAND), says("sub answer")]), says(LAST)];
    let events = [
        Event::Before,
        Event::After,
        Event::AgentStart,
        Event::AgentStop,
        Event::AgentStop,
        Event::Stop,
        Event::Prompt,
    ];
    for _ in 0..dice.one(&[1, 2, 2, 3]) {
        let event = dice.one(&events);
        let count = dice.one(&[1, 1, 2]);
        hooks(dice, case, event, count);
    }
    for (event, answers) in &mut case.hooks {
        let about_tool = event.to_lowercase().contains("tool");
        for answer in answers.iter_mut().filter(|_| about_tool) {
            match dice.next() % 4 {
                0 | 1 => {
                    let names = ["Agent", "task", "Bash", "bash", "Agent|Task", ".*"];
                    answer.group.insert("matcher".to_owned(), dice.one(&names).into());
                }
                2 => answer.when = Some("ran.txt".to_owned()),
                _ => {}
            }
        }
    }
}

/// Several calls, in one answer or one after the other, of which hooks hold some.
fn calls(dice: &mut Dice, case: &mut Case) {
    let one = "echo one >> ran.txt; echo MARK_TOOL\"\"_OUTPUT";
    let all = [
        shell(one),
        shell("echo two >> ran.txt; echo second"),
        Turn::Write("other.txt".to_owned(), "other\n".to_owned()),
        Turn::Read("there.txt".to_owned()),
    ];
    let mut some: Vec<Turn> = (0..dice.one(&[2, 2, 3])).map(|_| dice.one(&all)).collect();
    some.dedup();
    case.script = if dice.percent(65) { vec![Turn::Tools(some)] } else { some };
    case.script.push(says(LAST));
    for _ in 0..dice.one(&[1, 1, 2]) {
        let event = dice.one(&[Event::Before, Event::Before, Event::After]);
        let mut answer = answer(dice, case.host, event, case.letter());
        if event == Event::Before && dice.percent(60) {
            let word = dice.one(&["deny", "deny", "allow", "ask"]);
            answer.stdout = Some(verdict(case.host, word, &format!("MARK_{}_REASON", case.letter())));
            answer.exit = None;
        }
        answer.when =
            dice.one(&[Some("one"), Some("two"), Some("other"), Some("there"), None]).map(str::to_owned);
        add(case, event, answer);
    }
    if dice.percent(30) {
        hooks(dice, case, Event::Stop, 1);
    }
}

/// The tool of an MCP server, and matchers for it.
fn mcp(dice: &mut Dice, case: &mut Case) {
    case.mcp = true;
    let name = match case.host {
        Side::ClaudeCode | Side::Codex => "mcp__mock__do_thing",
        Side::CopilotCli | Side::CopilotCliPascal => "mock-do_thing",
        Side::Gemini | Side::VsCode => "mcp_mock_do_thing",
    };
    let input = json!({"path": "$PROJECT/ran.txt", "text": "ran"});
    case.script = vec![Turn::Tool(name.to_owned(), input), says(LAST)];
    let matchers = [
        "mcp__mock__do_thing",
        "mcp__mock",
        "mcp__mock__",
        "mcp__mock__.*",
        "mcp__.*",
        "mcp__.*__do_.*",
        "^mcp",
        "do_thing",
        ".*do_thing",
        "do_thing$",
        "mock-do_thing",
        "mock",
        "mock-.*",
        "mcp_mock_do_thing",
        "mcp_.*",
        "Bash|mcp__mock__do_thing",
        "mock-do_thing|bash",
        "mcp__mock__do_thing, Bash",
        "mcp__mock__do-thing",
        "*",
        "",
    ];
    for _ in 0..dice.one(&[2, 3, 4]) {
        let event = dice.one(&[Event::Before, Event::Before, Event::After, Event::Permission]);
        let mut answer = Answer::default();
        let word = dice.one(&["none", "none", "none", "deny"]);
        if event == Event::Before && word == "deny" {
            answer.stdout = Some(verdict(case.host, word, &format!("MARK_{}_REASON", case.letter())));
        }
        answer.group.insert("matcher".to_owned(), dice.one(&matchers).into());
        add(case, event, answer);
    }
}

/// Hooks in several files at once, some of them switched off.
fn places(dice: &mut Dice, case: &mut Case) {
    for _ in 0..dice.one(&[1, 2]) {
        let event = dice.one(&[Event::Before, Event::Before, Event::After, Event::Prompt, Event::Start]);
        let count = dice.one(&[2, 3]);
        hooks(dice, case, event, count);
    }
    let all: &[Place] = match case.host {
        Side::ClaudeCode => &[Place::Project, Place::User, Place::Local],
        Side::CopilotCli | Side::CopilotCliPascal => {
            &[Place::Project, Place::User, Place::Local, Place::Below]
        }
        Side::Codex | Side::Gemini | Side::VsCode => &[Place::Project, Place::User],
    };
    for answer in case.hooks.values_mut().flatten() {
        answer.place = Some(dice.one(all)).filter(|place| *place != Place::Project);
        // Two files may hold the same command, but it is counted once.
        answer.entry.clear();
    }
    if dice.percent(35) {
        let (key, value) = dice.one(&[
            ("disableAllHooks", json!(true)),
            ("disableAllHooks", json!(true)),
            ("disableAllHooks", json!(false)),
            ("disableAllHooks", json!("true")),
            ("hooksConfig", json!({"enabled": false})),
            ("hooksConfig", json!({"enabled": true})),
            ("version", json!(1)),
        ]);
        let place = dice.one(all);
        let settings =
            if place == Place::Project { &mut case.settings } else { case.others.entry(place).or_default() };
        settings.insert(key.to_owned(), value);
    }
    if dice.percent(20) {
        case.folder = Some("inner".to_owned());
    }
}

/// Long and empty texts, each with a mark at its start and its end.
fn long(dice: &mut Dice, case: &mut Case) {
    let side = case.host;
    for _ in 0..dice.one(&[1, 1, 2]) {
        let event = dice.one(&[Event::Before, Event::After, Event::Prompt, Event::Stop, Event::Start]);
        let letter = case.letter();
        let (count, unit) = dice.one(&[
            (9_900, "x"),
            (10_100, "x"),
            (12_000, "x"),
            (6_000, "ä"),
            (2_500, "word "),
            (1_500, "a line\n"),
            (60_000, "x"),
            (120_000, "x"),
        ]);
        let text = match dice.next() % 10 {
            0 => String::new(),
            1 => "  ".to_owned(),
            _ => format!("MARK_{letter}_BEGIN ~{count}*{unit}~ MARK_{letter}_END"),
        };
        let mut answer = Answer { first_only: event == Event::Stop, ..Answer::default() };
        match dice.next() % 10 {
            0 | 1 => (answer.exit, answer.stderr) = (Some(2), Some(text)),
            2 => answer.stdout = Some(text.into()),
            3..=5 if event != Event::Start => {
                answer.stdout = Some(match event {
                    Event::Before => verdict(side, "deny", &text),
                    _ => json!({"decision": "block", "reason": text}),
                });
            }
            _ => {
                let top = is_copilot(side);
                let context = json!({"additionalContext": text});
                let mut nested = context.clone();
                nested["hookEventName"] = event.name(side).into();
                answer.stdout = Some(if top { context } else { json!({"hookSpecificOutput": nested}) });
            }
        }
        add(case, event, answer);
    }
}

/// One odd value in an entry of a hook that denies.
fn fields(dice: &mut Dice, case: &mut Case) {
    let one = if case.host == Side::Gemini { 1000.0 } else { 1.0 };
    let odd =
        [json!(null), json!(7), json!(""), json!({}), json!([]), json!(true), json!("text"), json!(1.5)];
    let limits = [
        json!(0),
        json!(-1),
        json!(1.5 * one),
        json!(0.5 * one),
        json!("5"),
        json!("5s"),
        json!(null),
        json!(true),
        json!(1e9),
        json!(1e12),
        json!(5.0),
        json!(600),
        json!(601),
        json!([]),
    ];
    let keys = [
        "type",
        "command",
        "statusMessage",
        "name",
        "env",
        "cwd",
        "once",
        "async",
        "description",
        "if",
        "shell",
        "onFailure",
        "bash",
        "timeoutSec",
        "args",
        "asyncRewake",
        "unknownKey",
        "comment",
        "url",
        "model",
    ];
    let events = [Event::Before, Event::Before, Event::Before, Event::Stop, Event::Prompt];
    let event = dice.one(&events);
    let letter = case.letter();
    let reason = format!("MARK_{letter}_REASON");
    let mut answer = Answer { first_only: event == Event::Stop, ..Answer::default() };
    answer.stdout = Some(match event {
        Event::Before => verdict(case.host, "deny", &reason),
        _ => json!({"decision": "block", "reason": reason}),
    });
    let (key, value) = if dice.percent(40) {
        ("timeout", dice.one(&limits))
    } else {
        let good = [
            json!("command"),
            json!("block"),
            json!("bash"),
            json!({"A": "b"}),
            json!(["x"]),
            json!("."),
            json!(1),
            json!({"A": 7}),
            json!("Bash(echo *)"),
        ];
        (dice.one(&keys), if dice.percent(50) { dice.one(&odd) } else { dice.one(&good) })
    };
    if dice.percent(12) {
        answer.group.insert(dice.one(&["matcher", "sequential", "description"]).to_owned(), dice.one(&odd));
    } else {
        answer.entry.insert(key.to_owned(), value);
    }
    add(case, event, answer);
    // Beside it a hook that is right: it shows what else is dropped.
    let beside = dice.one(&[Event::Start, Event::Before, Event::After]);
    add(case, beside, Answer::default());
}

/// The host's own permissions, and what hooks change about them.
fn modes(dice: &mut Dice, case: &mut Case) {
    let side = case.host;
    let modes: Vec<&str> = side.modes().iter().copied().chain([side.open()]).collect();
    case.mode = dice.one(&modes).to_owned();
    let turns = [
        shell(COMMAND),
        shell(COMMAND),
        Turn::Write("ran.txt".to_owned(), "ran\n".to_owned()),
        Turn::Read("there.txt".to_owned()),
        shell("echo MARK_TOOL\"\"_OUTPUT"),
        shell("ls -la; cat there.txt"),
    ];
    case.script = vec![dice.one(&turns), says(LAST)];
    let word = dice.one(&["allow", "allow", "ask", "deny", "none"]);
    let reason = format!("MARK_{}_REASON", case.letter());
    let stdout = (word != "none").then(|| verdict(side, word, &reason));
    add(case, Event::Before, Answer { stdout, ..Answer::default() });
    if dice.percent(60) {
        hooks(dice, case, Event::Permission, 1);
    }
    add(case, Event::After, Answer::default());
}

/// Changed inputs: whole, partial, of another type.
fn changed(dice: &mut Dice, case: &mut Case) {
    let side = case.host;
    let writes = dice.percent(25);
    if writes {
        case.script[0] = Turn::Write("ran.txt".to_owned(), "ran\n".to_owned());
    }
    for _ in 0..dice.one(&[1, 1, 2]) {
        let letter = case.letter();
        let command = format!("echo MARK_REWRITTEN {letter} > ran.txt; echo MARK_TOOL\"\"_OUTPUT");
        let input = dice.one(&[
            json!(null),
            json!("text"),
            json!(""),
            json!([]),
            json!(7),
            json!(true),
            json!({}),
            json!({"description": "partial"}),
            json!({"command": command}),
            json!({"command": command, "description": "changed"}),
            json!({"command": command, "description": "changed", "unknown": 7}),
            json!({"command": 7}),
            json!({"command": null, "description": "x"}),
            json!({"command": ""}),
        ]);
        let key = match side {
            Side::CopilotCli => "modifiedArgs",
            Side::Gemini => "tool_input",
            _ => "updatedInput",
        };
        let word = dice.one(&["none", "allow", "allow", "ask", "deny"]);
        let mut stdout =
            if word == "none" { json!({}) } else { verdict(side, word, &format!("MARK_{letter}_REASON")) };
        if side == Side::CopilotCli {
            stdout[key] = input;
        } else {
            stdout["hookSpecificOutput"]["hookEventName"] = Event::Before.name(side).into();
            stdout["hookSpecificOutput"][key] = input;
        }
        let waits = dice.percent(25).then_some(12);
        add(case, Event::Before, Answer { stdout: Some(stdout), waits, ..Answer::default() });
    }
    add(case, Event::After, Answer::default());
}

/// Answers that are nearly right.
fn odd(dice: &mut Dice, case: &mut Case) {
    let event =
        dice.one(&[Event::Before, Event::Before, Event::After, Event::Prompt, Event::Stop, Event::Start]);
    let letter = case.letter();
    let mut answer = answer(dice, case.host, event, letter);
    answer.entry.clear();
    let whole = match &answer.stdout {
        Some(Value::Object(object)) => Value::Object(object.clone()),
        _ => verdict(case.host, "deny", &format!("MARK_{letter}_REASON")),
    };
    let text = whole.to_string();
    let cut = text.trim_end_matches('}').to_owned();
    let spaced = serde_json::to_string_pretty(&whole).unwrap_or_default();
    let forms = [
        format!("\u{feff}{text}"),
        format!("{text}\u{feff}"),
        format!("{text}\n{text}"),
        format!("{text}{text}"),
        format!("{text},"),
        format!("[{text}]"),
        format!("note\n{text}"),
        format!("{text}\nnote"),
        format!("{{\"a\": 1}}\n{text}"),
        format!("/* why */ {text}"),
        format!("{cut}, \"decision\": \"block\", \"decision\": \"approve\"}}"),
        format!("{cut}, \"reason\": \"MARK_{letter}_TWICE\"}}"),
        format!("{cut}, }}"),
        text.replace('"', "'"),
        spaced.replace('\n', "\r\n"),
        serde_json::to_string(&text).unwrap_or_default(),
        format!("```json\n{spaced}\n```"),
        format!("{text}\u{0}"),
        format!("\u{1b}[0m{text}"),
        cut,
    ];
    answer.stdout = Some(dice.one(&forms).into());
    if dice.percent(20) {
        answer.exit = Some(dice.one(&[1, 2, 3]));
        answer.stderr = Some(dice.one(&[format!("MARK_{letter}_STDERR"), text, String::new()]));
    }
    add(case, event, answer);
}

/// Two or three hooks that are asked for permission.
fn permission(dice: &mut Dice, case: &mut Case) {
    if matches!(case.host, Side::Codex | Side::Gemini) {
        return changed(dice, case);
    }
    if case.host == Side::ClaudeCode {
        case.mode = dice.one(&["manual", "manual", "plan", "dontAsk", "acceptEdits"]).to_owned();
    } else if dice.percent(40) {
        "default".clone_into(&mut case.mode);
    }
    let count = dice.one(&[2, 2, 3]);
    hooks(dice, case, Event::Permission, count);
    for answer in case.hooks.values_mut().flatten() {
        if dice.percent(40) {
            answer.waits = Some(dice.one(&[6, 12, 18]));
        }
        if dice.percent(70) {
            (answer.exit, answer.signal) = (None, None);
            answer.entry.clear();
        }
    }
    if dice.percent(30) {
        let reason = format!("MARK_{}_REASON", case.letter());
        let word = dice.one(&["allow", "ask", "deny"]);
        let stdout = Some(verdict(case.host, word, &reason));
        add(case, Event::Before, Answer { stdout, ..Answer::default() });
    }
}
