//! Pipelines whose steps stand in a file: Argo's, DVC's, GitLab's as `gitlab-ci-local` runs them, and Nextflow's.

use serde_json::Value;
use shell_engine::text::data;
use shell_engine::{Arg, Loaded, Process, Scope, mark};

use super::indented::Given;
use super::recipe::{self, Recipe, offset};
use super::settings::{in_quotes, place};
use super::testers::{MAX_NAMES, blanked, block_of, closing, parts};
use super::{names, only_shows};
use crate::programs::{container, option, options, quoted};

/// Runs the steps that a call means.
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    match process.name {
        "argo" => argo(process),
        "dvc" => dvc(process),
        "gitlab-ci-local" => gitlab(process),
        "nextflow" => nextflow(process),
        _ => None,
    }
}

/// Items that one step is repeated for.
const MAX_ITEMS: usize = 16;

/// A text with the values of what stands between two signs, and a token for each that has none.
pub(super) fn filled(
    text: &str,
    (open, close): (&str, &str),
    value: impl Fn(&str) -> Option<String>,
) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(open) {
        filled.push_str(before);
        let (expression, after) = after.split_once(close).unwrap_or((after, ""));
        match value(expression.trim()) {
            Some(value) => filled.push_str(&value),
            None => filled.push(mark::TOKEN),
        }
        rest = after;
    }
    filled + rest
}

/// What a value is in a line.
pub(super) fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

/// The part of a value that a path names: `train.dirs[0]`.
pub(super) fn inside<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    path.split(['.', '[']).try_fold(value, |value, part| {
        let part = part.trim_end_matches(']').trim_matches(['"', '\'']);
        value.get(part).or_else(|| value.get(part.parse::<usize>().ok()?))
    })
}

/// A list, or a single value as one.
fn each(value: Option<&Value>) -> Vec<&Value> {
    match value {
        Some(Value::Array(list)) => list.iter().flat_map(|one| each(Some(one))).collect(),
        Some(Value::Null) | None => Vec::new(),
        Some(one) => vec![one],
    }
}

/// The strings of a value: a list of them, or one.
fn texts(value: Option<&Value>) -> Vec<&str> {
    each(value).into_iter().filter_map(Value::as_str).collect()
}

/// The names and values of a map that are plain.
fn pairs(value: Option<&Value>) -> Vec<Given> {
    let map = value.and_then(Value::as_object).into_iter().flatten();
    // GitLab's may say what they are for: `X: { value: y, description: z }`.
    map.filter_map(|(name, value)| Some((name.clone(), plain(value.get("value").unwrap_or(value))?)))
        .collect()
}

/// `dvc repro [STAGE]`: the commands of stages, after those of the stages that make what they need.
fn dvc(process: &mut Process<'_>) -> Option<String> {
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

/// What a file of data holds.
pub(super) fn data_of(process: &mut Process<'_>, scope: &Scope, file: &str) -> Option<Value> {
    let loaded = process.runner.look_up(scope, file)?;
    Some(serde_json::from_str(&loaded.text).unwrap_or_else(|_| data::yaml(&loaded.text)))
}

/// Keys of GitLab's file that are not jobs.
const NOT_JOBS: [&str; 11] = [
    "stages",
    "variables",
    "default",
    "include",
    "workflow",
    "image",
    "services",
    "cache",
    "before_script",
    "after_script",
    "spec",
];

/// `gitlab-ci-local [JOB]`: the scripts of jobs, here or in a container.
fn gitlab(process: &mut Process<'_>) -> Option<String> {
    if only_shows(process, &["--list", "--list-all", "--list-csv", "--list-json", "--preview", "--validate"])
    {
        return None;
    }
    let mut scope = process.scope.clone();
    let loaded = recipe::nearest(process, &mut scope, &[".gitlab-ci.yml", ".gitlab-ci.yaml"])?;
    let here = only_shows(process, &["--force-shell-executor"]);
    let needs = only_shows(process, &["--needs", "-n"]);
    let mut given: Vec<Given> = options(process.args(), "", "--variable")
        .filter_map(|word| word.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    given.push(("CI_PROJECT_DIR".to_owned(), scope.cwd.to_string()));
    let mut read = data::yaml(&loaded.text);
    let local: Vec<String> = each(read.get("include"))
        .into_iter()
        .filter_map(|one| one.as_str().or_else(|| one.get("local")?.as_str()))
        .map(|file| file.trim_start_matches('/').to_owned())
        .collect();
    let mut files = vec![loaded];
    for file in local.into_iter().filter(|file| !file.contains("://")).take(MAX_ITEMS) {
        let Some(found) = process.runner.look_up(&scope, &file) else { continue };
        let (Value::Object(all), Value::Object(more)) = (&mut read, data::yaml(&found.text)) else {
            continue;
        };
        for (name, value) in more {
            all.entry(name).or_insert(value);
        }
        files.push(found);
    }
    let jobs = read.as_object()?;
    let is_job = |name: &str| !name.starts_with('.') && !NOT_JOBS.contains(&name);
    let mut meant: Vec<&str> = names(process).into_iter().filter(|word| jobs.contains_key(*word)).collect();
    if meant.is_empty() {
        let runs_by_itself =
            |(name, _): &(&String, &Value)| is_job(name) && starts_alone(&job_of(&read, name, 0));
        meant = jobs.iter().filter(runs_by_itself).map(|(name, _)| name.as_str()).collect();
    }
    let mut at = 0;
    while let Some(job) = meant.get(at).filter(|_| at < MAX_NAMES && needs).and_then(|name| jobs.get(*name)) {
        at += 1;
        let before = each(job.get("needs")).into_iter();
        let before = before.filter_map(|need| need.as_str().or_else(|| need.get("job")?.as_str()));
        meant.extend(before.filter(|name| !meant.contains(name)).collect::<Vec<_>>());
    }
    for loaded in &files {
        let lines = meant.iter().take(MAX_NAMES).filter(|name| loaded.text.contains(&format!("{name}:")));
        let lines = lines.filter_map(|name| {
            let job = job_of(&read, name, 0);
            let usual = |key: &str| {
                let own = [job.get(key), read.get("default").and_then(|all| all.get(key)), read.get(key)];
                script_of(&read, own.into_iter().flatten().next(), 0)
            };
            let script = ["before_script", "script", "after_script"].map(usual).concat();
            let first = script_of(&read, job.get("script"), 0).first()?.clone();
            // Those of the call win, and others may name them.
            let own = [pairs(read.get("variables")), pairs(job.get("variables"))].concat().into_iter();
            let own = own.filter(|(name, _)| given.iter().all(|(other, _)| other != name));
            let set: Vec<Given> = given.iter().cloned().chain(own).collect();
            let set: String =
                set.iter().map(|(name, value)| format!("export {name}={}; ", in_quotes(value))).collect();
            let script = format!("{set}{}", script.join("\n"));
            let image = [&job, &read["default"], &read].iter().any(|own| own.get("image").is_some());
            let text = if image && !here {
                let words = ["image", "sh", "-c", &script].map(Arg::from);
                format!("docker run --rm {}", quoted(&words))
            } else {
                script
            };
            Some(Recipe { at: place(&loaded.text, &first), text })
        });
        let lines: Vec<Recipe> = lines.collect();
        recipe::run(process, &scope, (loaded, "gitlab"), &lines);
    }
    None
}

/// Jobs that one takes over from others.
const MAX_EXTENDED: usize = 4;

/// A job with what it takes over from others: `extends: .base`.
fn job_of(all: &Value, name: &str, level: usize) -> Value {
    let own = all.get(name).cloned().unwrap_or_default();
    let Value::Object(mut job) = own else { return own };
    let others: Vec<Value> = texts(job.get("extends").cloned().as_ref())
        .into_iter()
        .filter(|_| level < MAX_EXTENDED)
        .map(|other| job_of(all, other, level + 1))
        .collect();
    for (key, value) in others.into_iter().rev().filter_map(|other| other.as_object().cloned()).flatten() {
        match (job.get_mut(&key), value) {
            (None, value) => drop(job.insert(key, value)),
            (Some(Value::Object(own)), Value::Object(more)) => {
                for (name, value) in more {
                    own.entry(name).or_insert(value);
                }
            }
            _ => {}
        }
    }
    Value::Object(job)
}

/// Whether a job runs without being named.
fn starts_alone(job: &Value) -> bool {
    let waits = |value: &Value| matches!(value["when"].as_str(), Some("manual" | "never"));
    let rules = each(job.get("rules"));
    !waits(job) && (rules.is_empty() || !rules.into_iter().all(waits))
}

/// The lines of a script, with those of others that it refers to: `!reference [.setup, script]`.
fn script_of(all: &Value, script: Option<&Value>, level: usize) -> Vec<String> {
    let lines = texts(script).into_iter().flat_map(|line| {
        let path = line.strip_prefix("!reference").map(|rest| rest.trim().trim_matches(['[', ']']));
        match path.filter(|_| level < MAX_EXTENDED) {
            Some(path) => {
                let mut parts = path.split(',').map(|part| part.trim().trim_matches(['"', '\'']));
                script_of(all, parts.try_fold(all, |value, part| value.get(part)), level + 1)
            }
            None => vec![line.to_owned()],
        }
    });
    lines.collect()
}

/// `argo submit FILE`: what the containers of a workflow start, with the parameters that the call gives.
fn argo(process: &mut Process<'_>) -> Option<String> {
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
    let side = |side: &str| side.trim().trim_matches(['"', '\'']).to_owned();
    !mark::any(asked) && !asked.contains(['&', '|']) && (side(left) == side(right)) != equal
}

/// `nextflow run FILE`: the scripts of the processes that the workflow calls, each in a folder of its own.
fn nextflow(process: &mut Process<'_>) -> Option<String> {
    let words: Vec<String> = names(process).into_iter().map(str::to_owned).collect();
    if words.first().is_none_or(|word| word != "run")
        || only_shows(process, &["-stub", "-stub-run", "-preview", "-h", "-help"])
    {
        return None;
    }
    let file = words.get(1).filter(|file| *file != ".").map_or("main.nf", String::as_str);
    let args: Vec<String> = process.args().iter().map(|arg| arg.text.clone()).collect();
    let scope = process.scope.clone();
    let loaded = process.runner.look_up(&scope, file);
    let loaded = loaded.or_else(|| process.runner.look_up(&scope, &format!("{file}/main.nf")))?;
    // `--root /x`: the call's own win.
    let mut params: Vec<Given> = args
        .iter()
        .enumerate()
        .filter_map(|(at, word)| {
            let name = word.strip_prefix("--")?;
            if let Some((name, value)) = name.split_once('=') {
                return Some((name.to_owned(), value.to_owned()));
            }
            let value = args.get(at + 1).filter(|next| !next.starts_with('-'));
            Some((name.to_owned(), value.map_or("true", String::as_str).to_owned()))
        })
        .collect();
    if let Some(at) = args.iter().position(|word| word == "-params-file") {
        let file = args.get(at + 1).cloned().unwrap_or_default();
        params.extend(pairs(data_of(process, &scope, &file).as_ref()));
    }
    let settings = process.runner.look_up(&scope, "nextflow.config");
    let settings = settings.map(|file| file.text).unwrap_or_default();
    let text = &*loaded.text;
    for text in [&*settings, text] {
        let block = text.lines().find(|line| line.trim_start().starts_with("params {"));
        let block = block.map_or("", |head| &text[block_of(text, head)]);
        let plain = text.lines().filter_map(|line| line.trim().strip_prefix("params."));
        for line in plain.chain(block.lines()) {
            if let Some((name, value)) = line.split_once('=')
                && let Some(value) = value_of(value, &params)
            {
                params.push((name.trim().to_owned(), value));
            }
        }
    }
    for value in &mut params {
        value.0.insert_str(0, "params.");
    }
    let calls = called_by_workflow(text, &params);
    let heads = text.lines().filter(|line| line.starts_with("process "));
    let mut lines = Vec::new();
    for head in heads {
        let name = head["process ".len()..].trim_end_matches(['{', ' ']);
        let body = &text[block_of(text, head)];
        for (_, given) in calls.iter().filter(|(own, _)| own == name).take(MAX_ITEMS) {
            lines.extend(
                script_of_process(body, (given, &params))
                    .map(|(script, line)| Recipe { at: offset(text, script), text: line }),
            );
        }
    }
    let mut inner = scope.clone();
    inner.change_folder("work/00/0");
    recipe::run(process, &inner, (&loaded, "nextflow"), &lines);
    None
}

/// The value of an expression of Groovy's as far as it is plain.
fn value_of(expression: &str, known: &[Given]) -> Option<String> {
    let expression = expression.split(" //").next().unwrap_or("").trim();
    let text = ['"', '\''].iter().find_map(|quote| expression.strip_prefix(*quote)?.strip_suffix(*quote));
    let find = |name: &str| {
        let is_it = |own: &str| own == name || name.strip_prefix("params.") == Some(own);
        known.iter().find(|(own, _)| is_it(own)).map(|(_, value)| value.clone())
    };
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    match text {
        Some(text) => Some(filled(text, ("${", "}"), find)),
        None if matches!(expression, "true" | "false" | "null") || is_number(expression) => {
            Some(expression.to_owned())
        }
        None => find(expression),
    }
}

/// The processes that a workflow calls, with what each is given, once for every item of a channel.
fn called_by_workflow(text: &str, params: &[Given]) -> Vec<(String, Vec<Option<String>>)> {
    let mut found = Vec::new();
    let heads = text.lines().filter(|line| line.starts_with("workflow"));
    for head in heads {
        let whole = &text[block_of(text, head)];
        let skipped = whole.match_indices("if (").filter_map(|(at, sign)| {
            let asked = &whole[at + sign.len()..];
            let asked = &asked[..closing(asked, ('(', ')'))?];
            let block = block_of(whole, &whole[at..]);
            is_certainly_false(asked, params).then_some(block)
        });
        let body = blanked(whole, skipped);
        let heads: Vec<(usize, &str)> = body.match_indices('(').collect();
        for (at, _) in heads {
            let name = body[..at].rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
            if name.is_empty() || !text.contains(&format!("process {name} ")) {
                continue;
            }
            let rest = &body[at + 1..];
            let arguments = parts(&rest[..closing(rest, ('(', ')')).unwrap_or(rest.len())]);
            let items: Vec<Vec<Option<String>>> = arguments
                .into_iter()
                .map(|argument| items_of_channel(argument, (&body, params), 0))
                .collect();
            let turns = items.iter().map(Vec::len).max().unwrap_or(1).clamp(1, MAX_ITEMS);
            for turn in 0..turns {
                let given = items.iter().map(|items| items.get(turn).or(items.last()).cloned().flatten());
                found.push((name.to_owned(), given.collect()));
            }
        }
        // `Channel.of(params.root) | CLEAN`
        for (before, after) in body.lines().filter_map(|line| line.split_once('|')) {
            let name = after.split('|').next().unwrap_or("").trim();
            if text.contains(&format!("process {name} ")) {
                let items = items_of_channel(before, (&body, params), 0);
                found.extend(items.into_iter().map(|item| (name.to_owned(), vec![item])));
            }
        }
    }
    found
}

/// Whether a condition on a parameter does not hold.
fn is_certainly_false(asked: &str, params: &[Given]) -> bool {
    let (negated, name) = asked.trim().strip_prefix('!').map_or((false, asked.trim()), |name| (true, name));
    if let Some(value) = value_of(name, params) {
        return matches!(value.as_str(), "false" | "null" | "" | "0") != negated;
    }
    let sides = name.split_once("==").or_else(|| name.split_once("!="));
    let known = sides.and_then(|(left, right)| Some((value_of(left, params)?, value_of(right, params)?)));
    known.is_some_and(|(left, right)| (left == right) != name.contains("=="))
}

/// The items of a channel, or a single value.
fn items_of_channel(argument: &str, (body, params): (&str, &[Given]), level: usize) -> Vec<Option<String>> {
    let argument = argument.trim();
    let made = argument.split_once('(').filter(|(head, _)| head.to_ascii_lowercase().starts_with("channel."));
    if let Some((_, rest)) = made {
        let list = &rest[..closing(rest, ('(', ')')).unwrap_or(rest.len())];
        return parts(list).into_iter().map(|item| value_of(item.trim_matches(['[', ']']), params)).collect();
    }
    let set = format!("{argument} =");
    match body.lines().find_map(|line| line.trim().strip_prefix(&set)).filter(|_| level < MAX_EXTENDED) {
        Some(value) => items_of_channel(value, (body, params), level + 1),
        None => vec![value_of(argument, params)],
    }
}

/// What stands for a dollar sign that is the shell's: `\$HOME`.
const ESCAPED: &str = "\u{1}";

/// The script of a process as it stands there, and with the values of its inputs.
fn script_of_process<'t>(
    body: &'t str,
    (given, params): (&[Option<String>], &[Given]),
) -> Option<(&'t str, String)> {
    let asked = body.split_once("when:").and_then(|(_, rest)| rest.trim_start().lines().next());
    if asked.is_some_and(|asked| is_certainly_false(asked, params)) {
        return None;
    }
    let quotes = ["\"\"\"", "'''"].into_iter().filter_map(|quote| Some((body.find(quote)?, quote)));
    let (at, quote) = quotes.min()?;
    let script = &body[at + quote.len()..];
    let script = &script[..script.find(quote).unwrap_or(script.len())];
    let inputs = body.split_once("input:").map_or("", |(_, rest)| rest);
    let inputs = inputs.trim_start().lines().map(str::trim).take_while(|line| {
        ["val", "path", "file", "each", "env", "tuple"].iter().any(|word| line.starts_with(word))
    });
    let names = inputs.map(|line| {
        let name = line.split_once([' ', '(']).map_or("", |(_, name)| name);
        name.split([',', ')']).next().unwrap_or("").trim().to_owned()
    });
    let mut known: Vec<Given> =
        names.zip(given).filter_map(|(name, value)| Some((name, value.clone()?))).collect();
    known.extend(params.iter().cloned());
    let find = |name: &str| known.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone());
    if quote == "'''" {
        return Some((script, filled(script, ("!{", "}"), find)));
    }
    let mut line = filled(&script.replace("\\$", ESCAPED), ("${", "}"), find);
    for (name, value) in &known {
        line = line.replace(&format!("${name}"), value);
    }
    Some((script, line.replace(ESCAPED, "$")))
}
