//! Mistakes that people make in policies: each is reported with its place and a suggestion, and none switches a
//! denial off.

use std::path::Path;

use payload::Access;
use policy::layers::{Source, Stack};
use policy::{Action, Effect, Layer, Ruling, ToolWord, decide};
use rules::Facts;

const TODAY: i64 = 20_779; // 2026-11-22

const POLICY: &str = include_str!("data/sound.toml");

/// Mistakes: what is replaced by what, the line, and what the report must hold, separated by ` ⇒ `.
const MISTAKES: &str = include_str!("data/mistakes.txt");

struct Mistake {
    name: String,
    text: String,
    line: u32,
    says: Vec<String>,
}

fn mistakes() -> Vec<Mistake> {
    let mut found = Vec::new();
    for line in MISTAKES.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let parts: Vec<&str> = line.split(" ⇒ ").collect();
        let [from, to, says] = parts[..] else { panic!("three parts are needed: {line}") };
        let (from, to) = (from.replace('␤', "\n"), to.replace('␤', "\n"));
        assert_eq!(POLICY.matches(&from).count(), 1, "`{from}` must be there once");
        let (place, says) = says.split_once(": ").unwrap_or_else(|| panic!("LINE: TEXT | TEXT: {line}"));
        found.push(Mistake {
            name: line.to_owned(),
            text: POLICY.replacen(&from, &to, 1),
            line: place.parse().unwrap_or_else(|error| panic!("{line}: {error}")),
            says: says.split(" | ").map(str::to_owned).collect(),
        });
    }
    found
}

fn rule(layer: Layer, text: &str, action: &Action<'_>) -> Ruling {
    let sources = [Source::of(layer, "/policies/policy.toml", text)];
    let stack = Stack::of(&sources, TODAY);
    let facts = Facts::on_paper(Some("/home/user/project"), Some("/home/user"));
    decide(&stack, action, &facts)
}

fn shell(command: &str) -> Action<'_> {
    Action::command(command, Some("/home/user/project"))
}

fn tool(tool: ToolWord, path: &'static str, access: Access) -> Action<'static> {
    Action { tool, paths: vec![(path.into(), access)], cwd: Some("/home/user/project"), ..Action::default() }
}

#[test]
fn the_policy_without_a_mistake_is_sound() {
    let (_, errors) = policy::read(POLICY, TODAY);
    assert_eq!(errors, []);
    assert_eq!(rule(Layer::Project, POLICY, &shell("frob push --force")).decision, Some(Effect::Deny));
    assert_eq!(rule(Layer::Project, POLICY, &shell("frob push")).decision, None);
    assert_eq!(rule(Layer::Project, POLICY, &shell("ls")).decision, None);
}

#[test]
fn each_mistake_is_reported_at_its_place_with_a_suggestion() {
    let mistakes = mistakes();
    assert!(mistakes.len() >= 40, "{}", mistakes.len());
    let mut wrong = Vec::new();
    for mistake in mistakes {
        let (_, errors) = policy::read(&mistake.text, TODAY);
        let reports: Vec<String> = errors.iter().map(ToString::to_string).collect();
        let fits = |report: &String, line: u32| {
            line == mistake.line && mistake.says.iter().all(|says| report.contains(says))
        };
        if !reports.iter().zip(&errors).any(|(report, error)| fits(report, error.line)) {
            wrong.push(format!("{}\n    {reports:?}", mistake.name));
        }
        for error in &errors {
            if error.problem.hint().is_empty() {
                wrong.push(format!("{}: no hint: {error}", mistake.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_mistake_switches_a_denial_off() {
    for mistake in mistakes() {
        for layer in [Layer::Project, Layer::User, Layer::System] {
            let least = if layer == Layer::System { Effect::Deny } else { Effect::Ask };
            for action in [
                shell("frob push --force"),
                shell("ls"),
                tool(ToolWord::Write, "src/main.rs", Access::Write),
                tool(ToolWord::Other, "src/main.rs", Access::Read),
            ] {
                let ruling = rule(layer, &mistake.text, &action);
                assert!(ruling.decision >= Some(least), "{layer:?} {action:?}\n{}", mistake.name);
                let unasked =
                    rule(layer, &mistake.text, &Action { reach: payload::Reach::Known(false), ..action });
                assert_eq!(unasked.answer, Some(Effect::Deny), "{}", mistake.name);
            }
            let reading = rule(layer, &mistake.text, &tool(ToolWord::Read, "src/main.rs", Access::Read));
            assert!(reading.decision.is_none(), "reading stays possible: {}", mistake.name);
        }
    }
}

/// Rules beside a mistake keep their full strength.
#[test]
fn a_mistake_in_one_rule_leaves_the_others_alone() {
    for mistake in mistakes() {
        // Those in the file's first lines may take everything with them.
        let ruling = rule(Layer::Project, &mistake.text, &shell("last deploy production"));
        assert_eq!(ruling.decision, Some(Effect::Deny), "{}", mistake.name);
    }
}

#[test]
fn nothing_that_loosens_survives_a_mistake() {
    for mistake in mistakes() {
        for layer in [Layer::User, Layer::System] {
            let ruling = rule(layer, &mistake.text, &shell("fine status"));
            assert_ne!(ruling.decision, Some(Effect::Allow), "{}", mistake.name);
            let excepted = rule(layer, &mistake.text, &shell("excepted now"));
            assert!(excepted.decision >= Some(Effect::Ask), "{}", mistake.name);
        }
    }
}

#[test]
fn files_that_are_not_policies_are_broken() {
    for (text, fault) in [("", None), ("\u{0}", None), ("[[rule]]", None), ("hello", None)] {
        let mut source = Source::of(Layer::User, Path::new("/p"), text);
        source.fault = fault;
        let sources = [source];
        let stack = Stack::of(&sources, TODAY);
        let facts = Facts::on_paper(Some("/home/user/project"), Some("/home/user"));
        let ruling = decide(&stack, &shell("ls"), &facts);
        assert_eq!(ruling.decision, Some(Effect::Ask), "{text:?}");
    }
}
