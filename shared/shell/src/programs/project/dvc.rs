//! Stages of DVC's: `dvc repro`.

use serde_json::Value;
use shell_engine::text::data;
use shell_engine::{Arg, Process};

use super::indented::Given;
use super::recipe::{self, Recipe};
use super::settings::place;
use super::testers::MAX_NAMES;
use super::values::{MAX_ITEMS, data_of, each, filled, inside, plain, texts};
use super::{names, only_shows};
use crate::programs::{options, quoted};

/// `dvc repro [STAGE]`: the commands of stages, after those of the stages that make what they need.
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let words = names(process);
    let goals: Vec<String> = match words.as_slice() {
        ["repro", goals @ ..] | ["exp" | "experiments", "run", goals @ ..] => {
            goals.iter().map(|goal| (*goal).to_owned()).collect()
        }
        _ => return None,
    };
    if only_shows(process, &["--dry", "--queue"]) {
        return None;
    }
    let alone = only_shows(process, &["-s", "--single-item"]);
    let set: Vec<Given> = options(process.args(), "-S", "--set-param")
        .filter_map(|word| word.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let mut scope = process.scope.clone();
    let loaded = recipe::nearest(process, &mut scope, &["dvc.yaml"])?;
    let read = data::yaml(&loaded.text);
    let mut known: Vec<Value> = Vec::new();
    for one in each(read.get("vars")) {
        match one.as_str() {
            None => known.push(one.clone()),
            Some(file) => known.extend(data_of(process, &scope, file)),
        }
    }
    known.extend(data_of(process, &scope, "params.yaml"));
    let stages: Vec<(&String, &Value)> =
        read.get("stages").and_then(Value::as_object).into_iter().flatten().collect();
    let makes = |stage: &Value, needed: &[&str]| {
        let body = stage.get("do").unwrap_or(stage);
        let outs = ["outs", "metrics", "plots"].into_iter().flat_map(|key| each(body.get(key)));
        outs.filter_map(path_of).any(|out| needed.contains(&out))
    };
    let mut meant: Vec<&str> = goals.iter().map(|goal| stage_of(goal)).collect();
    if meant.is_empty() {
        meant = stages.iter().map(|(name, _)| name.as_str()).collect();
    }
    let mut at = 0;
    while let Some(name) = meant.get(at).copied().filter(|_| at < MAX_NAMES && !alone) {
        at += 1;
        let stage = stages.iter().find(|(own, _)| *own == name);
        let needed =
            stage.map(|(_, stage)| each(stage.get("do").unwrap_or(stage).get("deps"))).unwrap_or_default();
        let needed: Vec<&str> = needed.into_iter().filter_map(path_of).collect();
        let new =
            stages.iter().filter(|(name, stage)| makes(stage, &needed) && !meant.contains(&name.as_str()));
        meant.extend(new.map(|(name, _)| name.as_str()).collect::<Vec<_>>());
    }
    let mut lines = Vec::new();
    for (name, stage) in stages.iter().filter(|(name, _)| meant.contains(&name.as_str())) {
        let asked = goals.iter().find(|goal| stage_of(goal) == *name).and_then(|goal| goal.split_once('@'));
        for item in items_of_dvc(stage, &known).into_iter().take(MAX_ITEMS) {
            let value = |name: &str| {
                let given = set.iter().find(|(own, _)| own.rsplit(':').next() == Some(name));
                given.map(|(_, value)| value.clone()).or_else(|| {
                    std::iter::once(&item).chain(&known).find_map(|known| inside(known, name).and_then(plain))
                })
            };
            let key = value("key").or_else(|| value("item"));
            if stage["frozen"] == "true"
                || asked.is_some_and(|(_, asked)| key.is_some_and(|key| key != asked))
            {
                continue;
            }
            let body = stage.get("do").unwrap_or(stage);
            let fill = |text: &str| filled(text, ("${", "}"), value);
            let folder = body.get("wdir").and_then(Value::as_str).map(fill);
            let folder =
                folder.map_or(String::new(), |folder| format!("cd {} && ", quoted(&[Arg::from(folder)])));
            lines.extend(texts(body.get("cmd")).into_iter().map(|line| Recipe {
                at: place(&loaded.text, line),
                text: format!("{folder}{}", fill(line)),
            }));
        }
    }
    recipe::run(process, &scope, (&loaded, "dvc"), &lines);
    None
}

/// The stage in the name of a target: `dvc.yaml:train@x`.
fn stage_of(goal: &str) -> &str {
    let goal = goal.rsplit(':').next().unwrap_or(goal);
    goal.split('@').next().unwrap_or(goal)
}

/// A path of DVC's, which may have settings of its own: `- data: {cache: false}`.
fn path_of(value: &Value) -> Option<&str> {
    value.as_str().or_else(|| value.as_object()?.keys().next().map(String::as_str))
}

/// What a stage is repeated for, as the values that it sees: `foreach`, `matrix`; once nothing where it is not.
fn items_of_dvc(stage: &Value, known: &[Value]) -> Vec<Value> {
    let named = |value: &Value| {
        let name = value.as_str().and_then(|text| text.strip_prefix("${")?.strip_suffix('}'));
        let found = name.and_then(|name| known.iter().find_map(|known| inside(known, name.trim())));
        found.unwrap_or(value).clone()
    };
    if let Some(matrix) = stage.get("matrix").and_then(Value::as_object) {
        let mut rows = vec![serde_json::Map::new()];
        for (name, values) in matrix {
            let values = named(values);
            let longer = rows.iter().flat_map(|row| {
                each(Some(&values)).into_iter().map(|value| {
                    let mut row = row.clone();
                    row.insert(name.clone(), value.clone());
                    row
                })
            });
            rows = longer.take(MAX_ITEMS).collect();
        }
        return rows.into_iter().map(|row| serde_json::json!({ "item": row })).collect();
    }
    match stage.get("foreach").map(named) {
        Some(Value::Array(list)) => {
            list.into_iter().map(|item| serde_json::json!({ "item": item })).collect()
        }
        Some(Value::Object(map)) => {
            map.into_iter().map(|(key, item)| serde_json::json!({ "key": key, "item": item })).collect()
        }
        _ => vec![Value::Null],
    }
}
