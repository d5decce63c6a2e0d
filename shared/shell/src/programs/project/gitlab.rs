//! Jobs of GitLab's, as `gitlab-ci-local` runs them.

use serde_json::Value;
use shell_engine::text::data;
use shell_engine::{Arg, Process};

use super::indented::Given;
use super::recipe::{self, Recipe};
use super::settings::{in_quotes, place};
use super::testers::MAX_NAMES;
use super::values::{MAX_EXTENDED, MAX_ITEMS, each, pairs, texts};
use super::{names, only_shows};
use crate::programs::{QUOTES, options, quoted};

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
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
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
                let mut parts = path.split(',').map(|part| part.trim().trim_matches(QUOTES));
                script_of(all, parts.try_fold(all, |value, part| value.get(part)), level + 1)
            }
            None => vec![line.to_owned()],
        }
    });
    lines.collect()
}
