//! Workflows of Argo's.

use serde_json::Value;
use shell_engine::text::data;
use shell_engine::{Arg, Loaded, Process, Scope, mark};

use super::indented::Given;
use super::recipe::{self, Recipe};
use super::settings::place;
use super::testers::MAX_NAMES;
use super::values::{MAX_EXTENDED, MAX_ITEMS, data_of, each, filled, pairs, plain, texts};
use super::{names, only_shows};
use crate::programs::{QUOTES, container, option, options, quoted};

/// `argo submit FILE`: what the containers of a workflow start, with the parameters that the call gives.
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let words = names(process);
    if words.first() != Some(&"submit") || only_shows(process, &["--dry-run", "--server-dry-run"]) {
        return None;
    }
    let files: Vec<String> = words
        .iter()
        .filter(|word| word.contains(".y") || word.contains(".json"))
        .map(|word| (*word).to_owned())
        .collect();
    let mut given: Vec<Given> = options(process.args(), "-p", "--parameter")
        .filter_map(|word| word.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let scope = process.scope.clone();
    if let Some(file) = option(process.args(), "-f", "--parameter-file").map(str::to_owned) {
        given.extend(pairs(data_of(process, &scope, &file).as_ref()));
    }
    let entry = option(process.args(), "", "--entrypoint").map(str::to_owned);
    for file in files.into_iter().take(MAX_ITEMS) {
        if let Some(loaded) = process.runner.look_up(&scope, &file) {
            workflow(process, &scope, &loaded, (&given, entry.as_deref()));
        }
    }
    None
}

/// Runs what a workflow of Argo's starts.
fn workflow(
    process: &mut Process<'_>,
    scope: &Scope,
    loaded: &Loaded,
    (given, entry): (&[Given], Option<&str>),
) {
    let mut lines = Vec::new();
    for object in loaded.text.split("\n---") {
        let read = data::yaml(object);
        let Some(spec) = read.get("spec") else { continue };
        let spec = spec.get("workflowSpec").unwrap_or(spec);
        let own = parameters(spec.get("arguments"));
        let known = given
            .iter()
            .chain(&own)
            .map(|(name, value)| (format!("workflow.parameters.{name}"), value.clone()));
        let known: Vec<Given> = known.collect();
        let Some(first) = entry.or_else(|| spec.get("entrypoint")?.as_str()) else { continue };
        steps_of_argo(each(spec.get("templates")).as_slice(), (first, &known), &mut lines, 0);
        if let Some(last) = spec.get("onExit").and_then(Value::as_str) {
            steps_of_argo(each(spec.get("templates")).as_slice(), (last, &known), &mut lines, 0);
        }
    }
    let lines = lines
        .into_iter()
        .map(|line| Recipe { at: place(&loaded.text, &line), text: format!("kubectl exec pod -- {line}") });
    let lines: Vec<Recipe> = lines.collect();
    recipe::run(process, scope, (loaded, "argo"), &lines);
}

/// Parameters with their values, or what they are where none is given.
fn parameters(value: Option<&Value>) -> Vec<Given> {
    let list = each(value.and_then(|value| value.get("parameters"))).into_iter();
    let plain = |one: &Value| {
        let value = one.get("value").or_else(|| one.get("default"))?;
        Some((one.get("name")?.as_str()?.to_owned(), plain(value)?))
    };
    list.filter_map(plain).collect()
}

/// Takes what a template of Argo's starts, and those that it names.
fn steps_of_argo(
    templates: &[&Value],
    (name, known): (&str, &[Given]),
    lines: &mut Vec<String>,
    level: usize,
) {
    let Some(template) = templates.iter().find(|template| template["name"] == name) else { return };
    if level > MAX_EXTENDED || lines.len() >= MAX_NAMES {
        return;
    }
    // What it is given wins over what it says itself.
    let usual = parameters(template.get("inputs"));
    let usual = usual.into_iter().map(|(name, value)| (format!("inputs.parameters.{name}"), value));
    let known: Vec<Given> = known.iter().cloned().chain(usual).collect();
    let fill = |text: &str, more: &[Given]| {
        filled(text, ("{{", "}}"), |name| {
            more.iter().chain(&known).find(|(own, _)| own == name).map(|(_, value)| value.clone())
        })
    };
    for key in ["container", "script"] {
        let Some(started) = template.get(key) else { continue };
        let image = started.get("image").and_then(Value::as_str).unwrap_or("");
        let mut words = texts(started.get("command"));
        words.extend(container::entry_of(image).filter(|_| words.is_empty()));
        words.extend(texts(started.get("args")));
        if let Some(source) = started.get("source").and_then(Value::as_str) {
            let code = if words.iter().any(|word| word.contains("python")) { "-c" } else { "-ec" };
            words.extend([code, source]);
        }
        let set = each(started.get("env")).into_iter();
        let set = set
            .filter_map(|one| Some(format!("{}={}", one.get("name")?.as_str()?, plain(one.get("value")?)?)));
        let set: Vec<String> = set.collect();
        let words = words.into_iter().map(|word| fill(word, &[]));
        let first = (!set.is_empty())
            .then(|| "env".to_owned())
            .into_iter()
            .chain(set.iter().map(|one| fill(one, &[])));
        let words: Vec<Arg> = first.chain(words).map(Arg::from).collect();
        if !words.is_empty() {
            lines.push(quoted(&words));
        }
    }
    let tasks = each(template.get("dag").and_then(|dag| dag.get("tasks")));
    for step in each(template.get("steps")).into_iter().chain(tasks) {
        let Some(other) = step.get("template").and_then(Value::as_str) else { continue };
        let items = each(step.get("withItems")).into_iter().take(MAX_ITEMS);
        let items = items.map(|item| match item.as_object() {
            Some(map) => {
                map.iter().filter_map(|(key, value)| Some((format!("item.{key}"), plain(value)?))).collect()
            }
            None => plain(item).map(|value| ("item".to_owned(), value)).into_iter().collect(),
        });
        let items: Vec<Vec<Given>> = items.collect();
        for item in if items.is_empty() { vec![Vec::new()] } else { items } {
            let asked = step.get("when").and_then(Value::as_str).map(|asked| fill(asked, &item));
            if asked.is_some_and(|asked| is_false(&asked)) {
                continue;
            }
            let own = parameters(step.get("arguments")).into_iter();
            let own = own.map(|(name, value)| (format!("inputs.parameters.{name}"), fill(&value, &item)));
            let of_all = known.iter().filter(|(name, _)| name.starts_with("workflow.")).cloned();
            let given: Vec<Given> = own.chain(of_all).collect();
            steps_of_argo(templates, (other, &given), lines, level + 1);
        }
    }
}

/// Whether a comparison of two known values does not hold: `prod == dev`.
fn is_false(asked: &str) -> bool {
    let (equal, sides) = match asked.split_once("==") {
        Some(sides) => (true, Some(sides)),
        None => (false, asked.split_once("!=")),
    };
    let Some((left, right)) = sides else {
        return matches!(asked.trim(), "false" | "null" | "");
    };
    let side = |side: &str| side.trim().trim_matches(QUOTES).to_owned();
    !mark::any(asked) && !asked.contains(['&', '|']) && (side(left) == side(right)) != equal
}
