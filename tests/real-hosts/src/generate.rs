//! Random cases within what a host accepts: events, answers, exit codes, matchers, several hooks.
//!
//! The same seed makes the same case. What a field may be is deliberately wider than what it should be. Half of the cases
//! mix everything; the others are each about one thing, [`kinds`].

mod dice;
mod kinds;

use std::collections::BTreeMap;

use dice::Dice;
use serde_json::{Map, Value, json};

use crate::Turn;
use crate::cases::{Answer, Case, Side};

/// What the model runs: what it prints is not in it, so that a refusal that quotes it is not taken for a result.
const COMMAND: &str = "echo ran > ran.txt; echo MARK_TOOL\"\"_OUTPUT";

/// What the model says in the end.
const LAST: &str = "final answer";

/// An event, in words that are the same for every host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Event {
    Before,
    Permission,
    After,
    Prompt,
    Stop,
    Start,
    AgentStart,
    AgentStop,
}

impl Event {
    fn name(self, side: Side) -> &'static str {
        let (strict, camel, gemini) = match self {
            Self::Before => ("PreToolUse", "preToolUse", "BeforeTool"),
            Self::Permission => ("PermissionRequest", "permissionRequest", "BeforeTool"),
            Self::After => ("PostToolUse", "postToolUse", "AfterTool"),
            Self::Prompt => ("UserPromptSubmit", "userPromptSubmitted", "BeforeAgent"),
            Self::Stop => ("Stop", "agentStop", "AfterAgent"),
            Self::Start => ("SessionStart", "sessionStart", "SessionStart"),
            Self::AgentStart => ("SubagentStart", "subagentStart", "SessionStart"),
            Self::AgentStop => ("SubagentStop", "subagentStop", "AfterAgent"),
        };
        match side {
            Side::ClaudeCode | Side::Codex | Side::CopilotCliPascal | Side::VsCode => strict,
            Side::CopilotCli => camel,
            Side::Gemini => gemini,
        }
    }
}

/// The case of a seed.
pub(crate) fn case(side: Side, seed: u64) -> Case {
    let mut dice = Dice::of(seed ^ ((side as u64) << 56));
    let mode = if dice.percent(85) { side.open() } else { dice.one(side.modes()) };
    let (case, mode) = (format!("g{seed}"), mode.to_owned());
    let script = vec![Turn::Shell(COMMAND.to_owned()), Turn::Text(LAST.to_owned())];
    let mut case = Case { case, mode, script, ..Case::of(side) };
    // The first half of every sixteen.
    match kinds::ALL.get(usize::try_from(seed % 16).unwrap_or_default()) {
        Some(kind) => kind(&mut dice, &mut case),
        None => mixed(&mut dice, &mut case),
    }
    case
}

/// Hooks of one or two events, which answer anything.
fn mixed(dice: &mut Dice, case: &mut Case) {
    let side = case.host;
    let events = [
        Event::Before,
        Event::Before,
        Event::After,
        Event::Prompt,
        Event::Stop,
        Event::Start,
        Event::Permission,
    ];
    for _ in 0..dice.one(&[1, 1, 1, 2, 2]) {
        let event = dice.one(&events);
        let count = dice.one(&[1, 1, 2, 2, 3]);
        if !case.hooks.contains_key(event.name(side)) {
            hooks(dice, case, event, count);
        }
    }
    if dice.percent(30) {
        // Most hooks have nothing to say.
        case.hooks.entry(Event::Before.name(side).to_owned()).or_default().push(Answer::default());
    }
}

/// Adds hooks of an event.
fn hooks(dice: &mut Dice, case: &mut Case, event: Event, count: usize) {
    for _ in 0..count {
        let letter = case.letter();
        let answer = answer(dice, case.host, event, letter);
        case.hooks.entry(event.name(case.host).to_owned()).or_default().push(answer);
    }
}

impl Case {
    /// One in which nothing happens yet.
    fn of(host: Side) -> Self {
        Self {
            host,
            case: String::new(),
            version: String::new(),
            mode: String::new(),
            hooks: BTreeMap::new(),
            settings: Map::new(),
            others: BTreeMap::new(),
            folder: None,
            mcp: false,
            script: Vec::new(),
            observed: None,
        }
    }

    /// A letter that no hook of it has yet, for its marks.
    fn letter(&self) -> char {
        let count = self.hooks.values().map(Vec::len).sum::<usize>();
        char::from(b'A' + u8::try_from(count % 26).unwrap_or_default())
    }
}

impl Side {
    /// The mode in which only hooks are in the way.
    fn open(self) -> &'static str {
        match self {
            Self::ClaudeCode => "bypassPermissions",
            Self::CopilotCli | Self::CopilotCliPascal => "all",
            Self::Codex => "danger-full-access",
            Self::Gemini => "yolo",
            Self::VsCode => "autoApprove",
        }
    }

    fn modes(self) -> &'static [&'static str] {
        match self {
            Self::ClaudeCode => &["manual", "plan", "acceptEdits", "dontAsk"],
            Self::CopilotCli | Self::CopilotCliPascal => &["default", "tools"],
            Self::Codex => &["read-only", "workspace-write"],
            Self::Gemini => &["default", "auto_edit", "plan"],
            Self::VsCode => &["default", "autopilot"],
        }
    }
}

fn answer(dice: &mut Dice, side: Side, event: Event, letter: char) -> Answer {
    let mark = |word: &str| format!("MARK_{letter}_{word}");
    let mut answer =
        Answer { first_only: matches!(event, Event::Stop | Event::AgentStop), ..Answer::default() };
    answer.exit = dice.percent(25).then(|| dice.one(&[2, 2, 2, 1, 3]));
    if answer.exit.is_some() || dice.percent(15) {
        answer.stderr = dice.percent(80).then(|| mark("STDERR"));
    }
    if dice.percent(3) {
        answer.signal = Some(9);
    }
    if dice.percent(20) {
        answer.waits = Some(dice.one(&[7, 15]));
    }
    if matches!(event, Event::Before | Event::After | Event::Permission) && dice.percent(12) {
        answer.group.insert("matcher".to_owned(), dice.one(&matchers(side)).into());
    }
    if dice.percent(6) {
        let one = if side == Side::Gemini { 1000.0 } else { 1.0 };
        let whole = |seconds: u64| if one > 1.0 { json!(1000 * seconds) } else { json!(seconds) };
        let limits = [whole(1), whole(1), json!("1"), whole(20), json!(1.5 * one), json!(null), json!(0)];
        answer.entry.insert("timeout".to_owned(), dice.one(&limits));
        if dice.percent(60) {
            answer.lingers = Some(30);
        }
    }
    answer.stdout = match dice.next() % 20 {
        0 => None,
        1 => Some(dice.one(&[
            json!(mark("PLAIN")),
            json!([]),
            json!(null),
            json!(7),
            json!("{\"decision\": "),
        ])),
        _ => Some(object(dice, side, event, letter)),
    };
    if let Some(Value::Object(object)) = &answer.stdout
        && dice.percent(6)
    {
        let text = Value::Object(object.clone()).to_string();
        let odd = [
            format!("\u{feff}{text}"),
            format!("note\n{text}"),
            format!("{text}\n{{}}"),
            format!("\n {text} \n"),
        ];
        answer.stdout = Some(dice.one(&odd).into());
    }
    answer
}

fn matchers(side: Side) -> Vec<&'static str> {
    let mut all = vec![
        "",
        "*",
        ".*",
        "zzz",
        "Bash",
        "bash",
        "Ba",
        "^B",
        "Edit|Bash",
        "Bash|Edit",
        "Edit, Bash",
        "(?i)bash",
        "(",
        "(?!Read).*",
        " Bash",
        "Bash ",
        "B.*",
        "[Bb]ash",
        "^(?:Bash|bash)$",
    ];
    if side == Side::Gemini {
        all.extend([
            "run_shell_command",
            "shell",
            " run_shell_command",
            "run_.*",
            "write_file|run_shell_command",
        ]);
    }
    all
}

/// An answer that is one object: fields of this event, of others and of other hosts, mostly with a value that fits.
fn object(dice: &mut Dice, side: Side, event: Event, letter: char) -> Value {
    let mark = |word: &str| Value::from(format!("MARK_{letter}_{word}"));
    let odd = [json!(null), json!(7), json!(""), json!({}), json!([]), json!(true)];
    let text = |dice: &mut Dice, word: &str| if dice.percent(94) { mark(word) } else { dice.one(&odd) };
    let mut top = Map::new();
    let mut nested = Map::new();
    let flat = side == Side::CopilotCli;
    match event {
        Event::Before => {
            let word =
                dice.one(&["deny", "deny", "deny", "allow", "allow", "ask", "none", "none", "defer", "DENY"]);
            let place = dice.next() % 6;
            if word != "none" && (place < 4 && side != Side::Gemini) {
                let into = if flat || place == 3 { &mut top } else { &mut nested };
                into.insert("permissionDecision".to_owned(), word.into());
                if dice.percent(85) {
                    into.insert("permissionDecisionReason".to_owned(), text(dice, "REASON"));
                }
            } else if word != "none" {
                let words = ["block", "block", "deny", "approve", "allow", "ask"];
                top.insert("decision".to_owned(), dice.one(&words).into());
                if dice.percent(85) {
                    top.insert("reason".to_owned(), text(dice, "REASON"));
                }
            }
            if dice.percent(25) {
                let changed = format!("echo MARK_REWRITTEN {letter} > ran.txt; echo MARK_TOOL\"\"_OUTPUT");
                let input = match dice.next() % 12 {
                    0 => json!(null),
                    1 => json!("text"),
                    2 => json!({}),
                    _ => json!({"command": changed, "description": "changed"}),
                };
                let (into, key) = match side {
                    Side::CopilotCli => (&mut top, "modifiedArgs"),
                    Side::CopilotCliPascal if dice.percent(30) => (&mut top, "modifiedArgs"),
                    Side::Gemini => (&mut nested, "tool_input"),
                    _ => (&mut nested, "updatedInput"),
                };
                into.insert(key.to_owned(), input);
            }
        }
        Event::Permission => {
            let word = dice.one(&["allow", "deny", "deny", "none"]);
            if word != "none" {
                let mut decision = json!({"behavior": word});
                if dice.percent(70) {
                    decision["message"] = text(dice, "MESSAGE");
                }
                if dice.percent(12) {
                    decision["interrupt"] = json!(true);
                }
                if matches!(side, Side::CopilotCli | Side::CopilotCliPascal) && dice.percent(85) {
                    top.extend(decision.as_object().cloned().unwrap_or_default());
                } else {
                    nested.insert("decision".to_owned(), decision);
                }
            }
        }
        Event::After | Event::Prompt | Event::Stop | Event::AgentStop => {
            if dice.percent(45) {
                let words = ["block", "block", "block", "approve", "deny"];
                top.insert("decision".to_owned(), dice.one(&words).into());
                if dice.percent(85) {
                    top.insert("reason".to_owned(), text(dice, "REASON"));
                }
            }
        }
        Event::Start | Event::AgentStart => {}
    }
    if dice.percent(if matches!(event, Event::Start | Event::AgentStart) { 80 } else { 30 }) {
        let copilot = matches!(side, Side::CopilotCli | Side::CopilotCliPascal);
        let into = if copilot == dice.percent(15) { &mut nested } else { &mut top };
        into.insert("additionalContext".to_owned(), text(dice, "CONTEXT"));
    }
    if dice.percent(12) {
        top.insert(
            "continue".to_owned(),
            dice.one(&[json!(false), json!(false), json!(true), json!("false")]),
        );
    }
    for (key, word, percent) in [("stopReason", "STOPREASON", 8), ("systemMessage", "SYSTEM", 8)] {
        if dice.percent(percent) {
            top.insert(key.to_owned(), text(dice, word));
        }
    }
    if dice.percent(6) {
        top.insert(
            "suppressOutput".to_owned(),
            dice.one(&[json!(true), json!(false), json!("yes"), json!(null)]),
        );
    }
    if dice.percent(4) {
        top.insert("unknownKey".to_owned(), json!(1));
    }
    if !nested.is_empty() {
        let name = event.name(side);
        let name =
            if dice.percent(94) { Some(name) } else { dice.one(&[None, Some("Stop"), Some("Nothing")]) };
        if let Some(name) = name {
            nested.insert("hookEventName".to_owned(), name.into());
        }
        top.insert("hookSpecificOutput".to_owned(), Value::Object(nested));
    } else if dice.percent(5) {
        top.insert("hookSpecificOutput".to_owned(), dice.one(&odd));
    }
    Value::Object(top)
}
