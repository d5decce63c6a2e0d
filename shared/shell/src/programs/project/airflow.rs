//! `airflow tasks test DAG TASK`, `airflow dags test DAG`: what the operators and functions of a file of DAGs do.

use shell_engine::{Process, mark};

use super::indented::{below, indent};
use super::recipe::{self, offset};
use super::testers::{MAX_NAMES, closing, parts, strings};
use super::{names, only_shows};
use crate::programs::{QUOTES, option};

pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let words: Vec<String> = names(process).into_iter().map(str::to_owned).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    // Without a task, all of them.
    let (dag, task) = match words.as_slice() {
        ["tasks", "test" | "run", dag, task, ..] => (*dag, Some(*task)),
        ["dags", "test", dag, ..] => (*dag, None),
        _ => return None,
    };
    if only_shows(process, &["-n", "--dry-run", "--mark-success-pattern"]) {
        return None;
    }
    let scope = process.scope.clone();
    let said = option(process.args(), "-S", "--subdir").map(str::to_owned);
    let given = process.call.assigns.iter().find(|(name, _)| name == "AIRFLOW__CORE__DAGS_FOLDER");
    let given = given.map(|(_, value)| value.clone());
    let [set, home] =
        ["AIRFLOW__CORE__DAGS_FOLDER", "AIRFLOW_HOME"].map(|name| match process.scope.get(name) {
            Some(shell_engine::Value::One(value)) => Some(value.to_string()),
            _ => None,
        });
    let usual = home.unwrap_or_else(|| format!("{}/airflow", scope.home));
    let folders = [said, given, set, Some(format!("{usual}/dags")), Some("dags".to_owned())];
    for folder in folders.into_iter().flatten() {
        let mut files = process.runner.paths(&scope, &format!("{folder}/{}.py", mark::STAR));
        files.retain(|file| !mark::any(file));
        files.extend(folder.contains(".py").then_some(folder));
        for file in files.into_iter().take(MAX_NAMES) {
            let Some(loaded) = process.runner.look_up(&scope, &file) else { continue };
            let is_its = |sign: char| loaded.text.contains(&format!("{sign}{dag}{sign}"));
            if is_its('"') || is_its('\'') || loaded.text.contains(&format!("def {dag}(")) {
                let code = carried_out(&loaded.text, task);
                recipe::code(process, &scope, (&loaded, task.unwrap_or(dag)), ("python3", &code, 0));
                return None;
            }
        }
    }
    None
}

/// A file of DAGs in which the operators of the tasks that run do what they say, and those of others nothing.
fn carried_out(text: &str, task: Option<&str>) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some((before, body)) = rest.split_once("Operator(") {
        let name = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
        let end = closing(body, ('(', ')')).unwrap_or(body.len());
        let after = body.get(end + 1..).unwrap_or("");
        let fields = fields(&body[..end]);
        let id = fields.iter().find(|(key, _)| *key == "task_id");
        let id = id.and_then(|(_, value)| Some(strings(value).first()?.1));
        code.push_str(&before[..before.len() - name.len()]);
        code.push_str(&match task {
            Some(task) if id != Some(task) => "None".to_owned(),
            _ => done(name, &fields, &body[..end]),
        });
        rest = after;
    }
    code.push_str(rest);
    with_functions(&code, task)
}

/// The arguments of a call that have names.
fn fields(body: &str) -> Vec<(&str, &str)> {
    let parts = parts(body).into_iter().filter_map(|part| part.split_once('='));
    parts.map(|(name, value)| (name.trim(), value.trim())).collect()
}

/// The call that an operator comes to.
fn done(name: &str, fields: &[(&str, &str)], body: &str) -> String {
    let get = |key: &str| fields.iter().find(|(own, _)| *own == key).map(|(_, value)| *value);
    match (get("bash_command"), get("python_callable")) {
        (Some(line), _) => {
            // `{{ params.dir }}`: what the operator or the DAG says.
            let params = get("params").map_or("", |map| map.trim_matches(['{', '}']));
            let mut line = line.to_owned();
            for (key, value) in parts(params).into_iter().filter_map(|part| part.split_once(':')) {
                let key = key.trim().trim_matches(QUOTES);
                let value = strings(value).first().map_or("", |(_, value)| *value);
                line = line.replace(&format!("{{{{ params.{key} }}}}"), value);
            }
            let folder = get("cwd").map_or(String::new(), |folder| format!(", cwd={folder}"));
            let env = get("env").map_or(String::new(), |env| format!(", env={env}"));
            format!("__import__('subprocess').run({line}, shell=True{folder}{env})")
        }
        (None, Some(function)) => {
            let list = get("op_args").map_or("", |list| list.trim_matches(['[', ']', '(', ')']));
            let map = get("op_kwargs").map_or("", |map| map.trim_matches(['{', '}']));
            let named = parts(map).into_iter().filter_map(|part| part.split_once(':'));
            let named =
                named.map(|(key, value)| format!("{}={}", key.trim().trim_matches(QUOTES), value.trim()));
            let all: Vec<String> = Some(list.trim().to_owned())
                .into_iter()
                .filter(|list| !list.is_empty())
                .chain(named)
                .collect();
            format!("{function}({})", all.join(", "))
        }
        (None, None) => format!("{name}Operator({body})"),
    }
}

/// A file with calls of the functions that are tasks: `@task` before `def wipe():`. Other tasks do nothing.
fn with_functions(text: &str, task: Option<&str>) -> String {
    let mut code = text.to_owned();
    let mut calls = String::new();
    for line in text.lines().filter(|line| line.trim_start().starts_with("@task")) {
        let start = offset(text, line) + line.len() + 1;
        let rest = text.get(start..).unwrap_or("");
        let Some(head) = rest.lines().find(|line| !line.trim_start().starts_with(['@', ')', '"', '\'']))
        else {
            continue;
        };
        let Some(declared) = head.trim_start().strip_prefix("def ") else { continue };
        let name = declared.split('(').next().unwrap_or("");
        let said = line.split_once("task_id=").and_then(|(_, rest)| Some(strings(rest).first()?.1));
        let is_meant = task.is_none_or(|task| task == said.unwrap_or(name));
        let from = offset(text, head);
        let body: Vec<&str> = below(text, from).collect();
        let last = body.last().map_or(head, |last| *last);
        let whole = text.get(from..offset(text, last) + last.len()).unwrap_or(head);
        if !is_meant {
            let nothing = format!("{}\n{}pass", head, " ".repeat(indent(head) + 4));
            code = code.replace(whole, &nothing);
            continue;
        }
        // It may stand inside of the DAG's own function.
        let depth = indent(head);
        if depth > 0 {
            calls.extend(whole.lines().flat_map(|line| [line.get(depth..).unwrap_or(""), "\n"]));
        }
        let needs_values = !declared.contains("()");
        if line.contains("task.bash") {
            calls.extend(["__import__('os').system(", name, "())\n"]);
        } else if !needs_values || depth > 0 {
            calls.extend([name, "()\n"]);
        }
    }
    format!("{code}\n{calls}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_task_that_is_meant_does_something() {
        let text = "a = BashOperator(task_id=\"a\", bash_command=\"ls\")\nb = PythonOperator(task_id='b', python_callable=f, op_args=[1], op_kwargs={\"x\": 2})\n";
        assert_eq!(carried_out(text, Some("b")), "a = None\nb = f(1, x=2)\n\n");
        assert!(carried_out(text, None).contains("run(\"ls\", shell=True)"));
        let text = "@task\ndef a():\n    x()\n@task\ndef b():\n    y()\n";
        assert!(carried_out(text, Some("b")).contains("def a():\n    pass\n"));
        assert!(carried_out(text, Some("b")).ends_with("b()\n"));
    }
}
