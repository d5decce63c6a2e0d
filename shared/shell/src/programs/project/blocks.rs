//! Files of tools that deploy and check: what terraform, pre-commit, cargo and compose start of a project's own.

use serde_json::Value;
use shell_engine::arguments::quoted;
use shell_engine::text::data;
use shell_engine::{Arg, mark};

use super::indented::{Given, indent};
use super::recipe::{Recipe, offset};
use super::testers::{closing, parts, strings};
use crate::programs::QUOTES;

/// The commands of terraform's `local-exec`, which run on this machine, with the values of variables.
pub(super) fn local_exec(text: &str, values: &[Given]) -> Vec<Recipe> {
    let mut found = Vec::new();
    for block in text.split("\"local-exec\"").skip(1) {
        let mut lines = block.lines();
        let (mut set, mut in_environment) = (String::new(), false);
        let (mut command, mut interpreter) = (None, Vec::new());
        while let Some(line) = lines.next() {
            let trimmed = line.trim();
            if trimmed.starts_with('}') && !std::mem::take(&mut in_environment) {
                break;
            }
            let Some((key, value)) = trimmed.split_once('=').map(|(key, value)| (key.trim(), value.trim()))
            else {
                continue;
            };
            if key == "environment" {
                // On one line, or one on each.
                in_environment = value == "{";
                let inside = value.trim_matches(['{', '}']).split(',').filter_map(|one| one.split_once('='));
                set.extend(inside.map(|(name, value)| assignment(name, value, values)));
            } else if in_environment {
                set.push_str(&assignment(key, value, values));
            } else if key == "command"
                && let Some(end) = value.strip_prefix("<<")
            {
                let end = end.trim_start_matches('-').trim();
                let body: Vec<&str> = lines.by_ref().take_while(|line| line.trim() != end).collect();
                command = body.first().map(|first| (offset(text, first), body.join("\n")));
            } else if key == "command"
                && let Some(rest) = value.strip_prefix('"')
            {
                let line = rest.strip_suffix('"').unwrap_or(rest);
                command = Some((offset(text, line), line.replace("\\\"", "\"")));
            } else if key == "working_dir" {
                let folder = value_of(value, values, MAX_VALUES).unwrap_or_default();
                set.extend(["cd ", &quoted(&[Arg::from(folder)]), "; "]);
            } else if key == "interpreter" {
                interpreter = strings(value).into_iter().map(|(_, word)| Arg::from(word)).collect();
            }
        }
        found.extend(command.map(|(at, line)| {
            let line = interpolated(&line, values);
            // A shell is what runs a line here anyway.
            let is_shell = interpreter.first().is_none_or(|program| program.text.ends_with("sh"));
            let line =
                if is_shell { line } else { quoted(&[interpreter.as_slice(), &[Arg::from(line)]].concat()) };
            Recipe { at, text: format!("{set}{line}") }
        }));
    }
    found
}

/// The blocks of HCL that begin with these words, what stands in their braces.
fn blocks<'t>(text: &'t str, head: &'t str) -> impl Iterator<Item = &'t str> {
    text.split(head).skip(1).filter_map(|rest| {
        let (_, body) = rest.split_once('{').filter(|(name, _)| !name.contains('\n'))?;
        Some(&body[..closing(body, ('{', '}')).unwrap_or(body.len())])
    })
}

/// The programs that terraform's data comes from: `data "external" "x" { program = ["sh", "-c", …] }`.
pub(super) fn external(text: &str, values: &[Given]) -> Vec<Recipe> {
    let lists = blocks(text, "data \"external\"").filter_map(|body| {
        let list = body.split_once("program")?.1.split_once('[')?.1;
        Some(&list[..closing(list, ('[', ']')).unwrap_or(list.len())])
    });
    let lines = lists.map(|list| {
        let words = strings(list).into_iter().map(|(_, word)| interpolated(word, values));
        let words: Vec<Arg> = words.map(|word| Arg::from(word.as_str())).collect();
        Recipe { at: offset(text, list), text: quoted(&words) }
    });
    lines.collect()
}

/// The modules of a plan that lie beside it, each with its folder and what it is given.
pub(super) fn modules(text: &str, values: &[Given]) -> Vec<(String, Vec<Given>)> {
    let modules =
        blocks(text, "\nmodule ").chain(text.strip_prefix("module ").into_iter().flat_map(|rest| {
            let (_, body) = rest.split_once('{').unwrap_or(("", ""));
            std::iter::once(&body[..closing(body, ('{', '}')).unwrap_or(body.len())])
        }));
    let of = |body: &str| {
        let given: Vec<Given> = assigned(body)
            .map(|(name, value)| {
                let known = value_of(value, values, MAX_VALUES);
                (format!("var.{name}"), known.unwrap_or_else(|| interpolated(value, values)))
            })
            .collect();
        let folder = given.iter().find(|(name, _)| name == "var.source").map(|(_, folder)| folder.clone());
        folder.filter(|folder| folder.starts_with('.')).map(|folder| (folder, given))
    };
    modules.filter_map(of).collect()
}

/// A variable of the environment, as a shell sets it.
fn assignment(name: &str, value: &str, values: &[Given]) -> String {
    let value = interpolated(value.trim().trim_matches('"'), values);
    format!("export {}={}; ", name.trim().trim_matches('"'), quoted(&[Arg::from(value.as_str())]))
}

/// The values that a file of variables gives: `dir = "/x"`.
pub(super) fn assigned(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines()
        .filter_map(|line| line.split_once('='))
        .map(|(name, value)| (name.trim(), value.trim().trim_matches('"')))
}

/// Values inside of values.
const MAX_VALUES: usize = 8;

/// The value of an expression of HCL's; the items of a list stand on lines of their own.
fn value_of(expression: &str, values: &[Given], levels: usize) -> Option<String> {
    let expression = expression.trim();
    let levels = levels.checked_sub(1)?;
    let value = |expression: &str| value_of(expression, values, levels);
    if let Some(text) = expression.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return Some(filled(text, values, levels));
    }
    if let Some(list) = expression.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let Some((head, each)) =
            list.trim().strip_prefix("for ").and_then(|list| list.split_once(" : ").or(list.split_once(':')))
        else {
            let items = parts(list).into_iter().filter(|item| !item.trim().is_empty());
            return Some(items.filter_map(value).collect::<Vec<_>>().join("\n"));
        };
        let (name, list) = head.split_once(" in ")?;
        // `[for f in list : "x/${f}"]`
        let items = value(list)?;
        let items = items.lines().take(MAX_ITEMS).filter_map(|item| {
            let known = [&[(name.trim().to_owned(), item.to_owned())], values].concat();
            value_of(each, &known, levels)
        });
        return Some(items.collect::<Vec<_>>().join("\n"));
    }
    let Some((function, arguments)) = expression.strip_suffix(')').and_then(|call| call.split_once('('))
    else {
        let module = ["path.module", "path.root", "path.cwd"].contains(&expression).then_some(".");
        let known = values.iter().find(|(own, _)| own == expression).map(|(_, value)| value.as_str());
        return known.or(module).map(str::to_owned);
    };
    let arguments: Vec<String> = parts(arguments)
        .into_iter()
        .map(|argument| value(argument).unwrap_or_else(|| mark::TOKEN.to_string()))
        .collect();
    match (function.trim(), arguments.as_slice()) {
        ("pathexpand", [path]) => {
            Some(match (path.strip_prefix('~'), values.iter().find(|(name, _)| name == "~")) {
                (Some(rest), Some((_, home))) => format!("{home}{rest}"),
                _ => path.clone(),
            })
        }
        ("env", [name]) => match values.iter().find(|(own, _)| own == "~") {
            Some((_, home)) if name == "HOME" => Some(home.clone()),
            _ => Some(format!("${{{name}}}")),
        },
        ("lower", [value]) => Some(value.to_lowercase()),
        ("upper", [value]) => Some(value.to_uppercase()),
        ("join", [between, lists @ ..]) => Some(lists.join("\n").replace('\n', between)),
        ("concat" | "setunion", lists) => Some(lists.join("\n")),
        ("format", [form, given @ ..]) => {
            Some(given.iter().fold(form.clone(), |text, value| text.replacen("%s", value, 1)))
        }
        ("replace", [whole, from, to]) => Some(whole.replace(from.as_str(), to)),
        ("coalesce", given) => given.iter().find(|value| !value.is_empty()).cloned(),
        ("dirname", [path]) => path.rsplit_once('/').map(|(folder, _)| folder.to_owned()),
        (
            "abspath" | "tostring" | "toset" | "tolist" | "trimspace" | "chomp" | "sensitive"
            | "nonsensitive" | "distinct" | "sort" | "compact" | "flatten",
            [value],
        ) => Some(value.clone()),
        _ => None,
    }
}

/// Items of one list.
const MAX_ITEMS: usize = 16;

/// Values that were read as they stand, with the values of their expressions. Those that are known win.
pub(super) fn settled(read: &[Given], mut known: Vec<Given>) -> Vec<Given> {
    // One may need another that stands below it.
    for _ in 0..2 {
        for (name, raw) in read {
            if known.iter().all(|(own, _)| own != name)
                && let Some(value) = value_of(raw, &known, MAX_VALUES).filter(|value| !mark::any(value))
            {
                known.push((name.clone(), value));
            }
        }
    }
    known
}

/// What terraform's variables and local values are, as the file says it.
pub(super) fn values(text: &str) -> Vec<Given> {
    let mut found = Vec::new();
    let mut variable = None;
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("locals") {
            variable = Some("");
        } else if let Some(rest) = line.strip_prefix("variable ") {
            variable = rest.split('"').nth(1);
        } else if line == "}" {
            variable = None;
        }
        let plain = line.split_once('=').map(|(key, value)| (key.trim(), whole(text, value.trim())));
        match (variable, plain) {
            (Some(""), Some((name, value))) => found.push((format!("local.{name}"), value.to_owned())),
            (Some(name), Some(("default", value))) => found.push((format!("var.{name}"), value.to_owned())),
            _ => {}
        }
    }
    found
}

/// A value with the lines below it that belong to it: up to where its bracket closes.
fn whole<'t>(text: &'t str, value: &'t str) -> &'t str {
    let bracket = match value.chars().last() {
        Some('[') => ('[', ']'),
        Some('(') => ('(', ')'),
        _ => return value,
    };
    let start = offset(text, value) + value.len();
    let end = text.get(start..).and_then(|rest| closing(rest, bracket)).unwrap_or(0);
    text.get(offset(text, value)..=start + end).unwrap_or(value)
}

/// A line with the values of its `${expressions}`, and a token for each that has none; `$${` is a dollar sign for the shell.
pub(super) fn interpolated(line: &str, values: &[Given]) -> String {
    filled(line, values, MAX_VALUES)
}

fn filled(line: &str, values: &[Given], levels: usize) -> String {
    let mut filled = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("${") {
        filled.push_str(before);
        if before.ends_with('$') {
            filled.push('{');
            rest = after;
            continue;
        }
        let end = closing(after, ('{', '}')).unwrap_or(after.len());
        match value_of(&after[..end], values, levels) {
            Some(value) => filled.push_str(&value),
            None => filled.push(mark::TOKEN),
        }
        rest = after.get(end + 1..).unwrap_or("");
    }
    filled + rest
}

/// The folders of the projects that Gradle's settings include: `include ':app', 'lib:core'`, `include("app")`.
pub(super) fn projects_of_gradle(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.trim_start().strip_prefix("include"));
    let lines = lines.filter(|rest| rest.starts_with([' ', '(']));
    let names = lines.flat_map(|rest| strings(rest.split("//").next().unwrap_or(rest)));
    names.map(|(_, name)| name.trim_start_matches(':').replace(':', "/")).collect()
}

/// The scripts that one of Gradle's applies: `apply from: "$rootDir/x.gradle"`, `apply(from = "x.gradle.kts")`.
pub(super) fn applied_by_gradle(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.trim_start().strip_prefix("apply")?.split_once("from"));
    let files = lines.filter_map(|(_, rest)| {
        let (_, file) = *strings(rest).first()?;
        let file = file.rsplit_once(['}']).map_or(file, |(_, file)| file);
        let file = ["$rootDir", "$projectDir"].iter().find_map(|own| file.strip_prefix(own)).unwrap_or(file);
        Some(file.trim_start_matches('/').to_owned())
    });
    files.filter(|file| !file.contains("://") && !file.contains('$')).collect()
}

/// The commands of pre-commit's hooks that lie in the repository itself: `entry`, under `repo: local`. Those that run at
/// another stage do not count, unless they are named.
pub(super) fn local_hooks(text: &str, (id, stage): (Option<&str>, &str)) -> Vec<Recipe> {
    let read = data::yaml(text);
    let repositories = read.get("repos").and_then(Value::as_array).into_iter().flatten();
    let local = repositories.filter(|repository| repository["repo"] == "local");
    let hooks = local.filter_map(|repository| repository["hooks"].as_array()).flatten();
    // Older names of stages lack `pre-`.
    let plain = |stage: &str| stage.trim_start_matches("pre-").to_owned();
    let runs_now = |hook: &Value| {
        let stages = hook.get("stages").or_else(|| read.get("default_stages")).and_then(Value::as_array);
        let named = |stages: &Vec<Value>| {
            stages.iter().filter_map(Value::as_str).any(|own| plain(own) == plain(stage))
        };
        stages.is_none_or(named)
    };
    let hooks = hooks.filter(|hook| {
        id.is_none_or(|id| hook["id"] == id)
            && runs_now(hook)
            && !matches!(hook["language"].as_str(), Some("pygrep" | "fail"))
    });
    let lines = hooks.filter_map(|hook| {
        let entry = hook["entry"].as_str()?;
        let args: Vec<Arg> =
            hook["args"].as_array().into_iter().flatten().filter_map(Value::as_str).map(Arg::from).collect();
        let first = entry.lines().next().unwrap_or(entry);
        // A quote in it may be written in another way.
        let at = text.find(first).or_else(|| text.find(first.split(QUOTES).next()?)).unwrap_or(0);
        Some(Recipe { at, text: format!("{entry} {}", quoted(&args)).trim_end().to_owned() })
    });
    lines.collect()
}

/// The objects of a file for Kubernetes: where each stands, its kind, name and namespace.
pub(super) fn objects(text: &str) -> Vec<(usize, [String; 3])> {
    let mut found = Vec::new();
    let mut object: [String; 3] = Default::default();
    let mut at = 0;
    let mut section = "";
    for line in text.lines().chain(["---"]) {
        if line.starts_with("---") {
            let done = std::mem::take(&mut object);
            if !done[0].is_empty() {
                found.push((at, done));
            }
            continue;
        }
        let Some((key, value)) = line.split_once(':') else { continue };
        let value = data::string(value).into_owned();
        match (indent(line), key.trim()) {
            (0, "kind") => {
                at = offset(text, line);
                object[0] = value;
            }
            (0, key) => section = key,
            (1..=4, "name") if section == "metadata" => object[1] = value,
            (1..=4, "namespace") if section == "metadata" => object[2] = value,
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_commands_of_terraform_are_found() {
        let text = "variable \"x\" {\n  default = \"c\"\n}\nresource \"null_resource\" \"x\" {\n  provisioner \"local-exec\" {\n    command = \"rm ${var.x} \\\"a\\\"\"\n  }\n  provisioner \"local-exec\" {\n    command = <<-EOT\n      rm b\n    EOT\n  }\n}\n";
        let texts = |text, values: &[Given]| -> Vec<String> {
            local_exec(text, values).into_iter().map(|recipe| recipe.text).collect()
        };
        assert_eq!(texts(text, &[]), [format!("rm {} \"a\"", mark::TOKEN), "      rm b".to_owned()]);
        assert_eq!(texts(text, &settled(&values(text), Vec::new())), ["rm c \"a\"", "      rm b"]);
        let text =
            "provisioner \"local-exec\" {\n  environment = {\n    A = \"x\"\n  }\n  command = \"rm $A\"\n}\n";
        assert_eq!(texts(text, &[]), ["export A='x'; rm $A"]);
        let text = "provisioner \"local-exec\" {\n  command = \"rm $A\"\n  environment = { A = \"x\" }\n}\n";
        assert_eq!(texts(text, &[]), ["export A='x'; rm $A"]);
    }

    #[test]
    fn only_hooks_of_the_repository_itself_are_its_own() {
        let text = "repos:\n- repo: https://x.y\n  hooks:\n  - id: a\n    entry: rm a\n- repo: local\n  hooks:\n  - id: b\n    entry: rm b\n  - id: c\n    entry: rm c\n  - id: d\n    entry: rm d\n    stages: [manual]\n";
        let of = |id| {
            local_hooks(text, (id, "pre-commit")).into_iter().map(|recipe| recipe.text).collect::<Vec<_>>()
        };
        assert_eq!(of(None), ["rm b", "rm c"]);
        assert_eq!(of(Some("c")), ["rm c"]);
    }

    #[test]
    fn objects_of_a_file_have_kinds_and_names() {
        let text = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: prod\n---\nkind: Pod\nmetadata:\n  name: a\n  namespace: b\nspec:\n  name: c\n";
        let found: Vec<String> = objects(text).into_iter().map(|(_, object)| object.join(" ")).collect();
        assert_eq!(found, ["Namespace prod ", "Pod a b"]);
    }
}
