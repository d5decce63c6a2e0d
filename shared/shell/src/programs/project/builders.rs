//! Build tools that keep named targets in a file of their own: Ant, Bazel, Babashka, doit, Earthly, Leiningen, mage, Maven,
//! mix, moon, Nx, sbt, Thor, waf, and the shells of Nix.

use std::rc::Rc;

use serde_json::Value;
use shell_engine::text::data;
use shell_engine::{Arg, Loaded, Process, Scope, mark};

use super::blocks::interpolated;
use super::indented::{Given, below};
use super::names;
use super::recipe::{self, Recipe, offset};
use super::testers::{MAX_NAMES, closing, declared, follow, is_name, parts, strings};
use super::workspace::{self, Meant};
use crate::programs::{option, quoted};

/// Runs what the targets that a call names do.
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    match process.name {
        "ant" => ant(process),
        "mvn" | "mvnw" | "mvnd" => maven(process),
        "mix" => mix(process),
        "mage" => {
            let files = ["magefile.go", "magefiles/magefile.go", "magefiles/mage.go"];
            functions(process, &files, ("go", "func "), |name, wanted| {
                wanted.rsplit(':').next().is_some_and(|wanted| name.eq_ignore_ascii_case(wanted))
            })
        }
        "mill" => functions(process, &["build.sc", "build.mill"], ("scala", "def "), |name, wanted| {
            wanted.rsplit('.').next() == Some(name)
        }),
        "waf" => functions(process, &["wscript"], ("python", "def "), |name, wanted| name == wanted),
        // Its methods stand in a class.
        "thor" => functions(process, &["Thorfile", "main.thor"], ("ruby", "  def "), |name, wanted| {
            wanted.rsplit(':').next() == Some(name)
        }),
        "doit" => doit(process),
        "sbt" => sbt(process),
        "moon" | "nx" => target(process),
        "lein" | "bb" => clojure(process),
        "earthly" => earthly(process),
        "bazel" | "bazelisk" => bazel(process),
        _ => None,
    }
}

/// Follows those functions of a file that the call names, and what they need.
fn functions(
    process: &mut Process<'_>,
    files: &[&str],
    (interpreter, keyword): (&str, &str),
    is_meant: impl Fn(&str, &str) -> bool,
) -> Option<String> {
    let mut scope = process.scope.clone();
    let loaded = match recipe::nearest(process, &mut scope, files) {
        Some(loaded) => loaded,
        // `a.thor`: any name.
        None if process.name == "thor" => {
            let found = process.runner.paths(&scope, &format!("{}.thor", mark::STAR));
            found.iter().find_map(|file| process.runner.look_up(&scope, file))?
        }
        None => return None,
    };
    let mut wanted = names(process);
    if wanted.is_empty() {
        // mage's `var Default = Build`
        let usual = loaded.text.split_once("Default = ").map(|(_, rest)| declared(rest));
        wanted.extend(usual);
    }
    let heads = loaded.text.lines().filter_map(|line| line.strip_prefix(keyword)).map(declared);
    let meant: Vec<&str> =
        heads.filter(|name| wanted.iter().any(|wanted| is_meant(name, wanted))).take(MAX_NAMES).collect();
    if !meant.is_empty() {
        follow(process, &loaded, (interpreter, keyword, &meant));
    }
    None
}

/// `doit NAME`: the actions of `task_NAME`, lines for a shell and functions.
fn doit(process: &mut Process<'_>) -> Option<String> {
    let mut scope = process.scope.clone();
    let loaded = recipe::nearest(process, &mut scope, &["dodo.py"])?;
    let words = names(process);
    let words = words.strip_prefix(&["run"]).unwrap_or(&words);
    // `DOIT_CONFIG = {"default_tasks": ["build"]}`
    let usual = loaded.text.split_once("default_tasks").and_then(|(_, rest)| rest.split_once('['));
    let usual = usual.map_or("", |(_, rest)| rest.split(']').next().unwrap_or(rest));
    let usual: Vec<&str> = strings(usual).into_iter().map(|(_, name)| name).collect();
    let wanted = if words.is_empty() { &usual } else { words };
    let functions = loaded.text.lines().filter_map(|line| line.strip_prefix("def ")).map(declared);
    let is_meant = |function: &&str| {
        let name = function.strip_prefix("task_");
        name.is_some_and(|name| {
            wanted.is_empty() || wanted.iter().any(|word| word.split(':').next() == Some(name))
        })
    };
    let meant: Vec<&str> = functions.filter(is_meant).take(MAX_NAMES).collect();
    let text = with_actions_called(&loaded.text).into();
    follow(process, &Loaded { text, file: loaded.file }, ("python", "def ", &meant));
    None
}

/// A file of doit's with calls in the place of its actions: `"rm x"` runs in a shell, `["rm", "x"]` without one, and
/// `(shutil.rmtree, ["x"])` is a call of the function.
fn with_actions_called(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some((before, list)) = rest.split_once("actions") {
        code.extend([before, "actions"]);
        rest = list;
        let Some((between, list)) = list.split_once('[').filter(|(between, _)| between.len() < 8) else {
            continue;
        };
        let end = closing(list, ('[', ']')).unwrap_or(list.len());
        code.extend([between, "["]);
        for action in parts(&list[..end]) {
            let own = action.trim();
            let call = own.strip_prefix('(').and_then(|call| call.strip_suffix(')')?.split_once(','));
            let indent = &action[..action.len() - action.trim_start().len()];
            code.push_str(indent);
            match (own.chars().next(), call) {
                (_, Some((function, args))) => {
                    code.extend([function, "(", args.trim().trim_matches(['[', ']']), "),"]);
                }
                (Some('['), _) => code.extend(["subprocess.run(", own, "),"]),
                (Some(_), _) if own.chars().all(|c| is_name(c) || c == '.') => code.extend([own, "(),"]),
                (Some(_), _) => code.extend(["os.system(", own, "),"]),
                (None, _) => {}
            }
        }
        rest = &list[end..];
    }
    code + rest
}

/// `mix NAME`: an alias of the project, a list of tasks and lines (`"cmd rm x"`) or a function (`&wipe/1`); else the
/// task that the project has as a module, `Mix.Tasks.Name`.
fn mix(process: &mut Process<'_>) -> Option<String> {
    let name = *names(process).first()?;
    let mut scope = process.scope.clone();
    let loaded = recipe::nearest(process, &mut scope, &["mix.exs"])?;
    let text = &*loaded.text;
    let args = process.args();
    let at = args.iter().position(|arg| arg.text == name).map_or(args.len(), |at| at + 1);
    scope.positional = Some(args[at..].iter().map(|arg| arg.text.clone()).collect());
    let heads = [format!("{name}: "), format!("\"{name}\": ")];
    let value = heads.iter().find_map(|head| {
        let at = text.match_indices(head.as_str()).find(|(at, _)| !text[..*at].ends_with(is_name))?.0;
        Some(&text[at + head.len()..])
    });
    let Some(value) = value else {
        let files = [name.to_owned(), name.replace('.', "/"), name.replace('.', "_")];
        let files = files.map(|file| format!("lib/mix/tasks/{file}.ex"));
        let found = files.iter().find_map(|file| process.runner.look_up(&scope, file))?;
        call_elixir(process, &scope, (&found, name), "run");
        return None;
    };
    let end = match value.strip_prefix('[') {
        Some(list) => closing(list, ('[', ']')).map_or(value.len(), |end| end + 1),
        None => value.find(['\n', ',', ']']).unwrap_or(value.len()),
    };
    let value = &value[..end];
    let lines = strings(value).into_iter().filter(|(_, line)| *line != name).map(|(_, line)| {
        let text = line.strip_prefix("cmd ").map_or_else(|| format!("mix {line}"), str::to_owned);
        Recipe { at: offset(&loaded.text, line), text }
    });
    let lines: Vec<Recipe> = lines.collect();
    recipe::run(process, &scope, (&loaded, name), &lines);
    for function in value.split('&').skip(1).map(|rest| rest.split(|c| !is_name(c)).next().unwrap_or("")) {
        call_elixir(process, &scope, (&loaded, function), function);
    }
    None
}

/// Calls a function of the module that a file defines, with the words of the call.
fn call_elixir(process: &mut Process<'_>, scope: &Scope, (loaded, part): (&Loaded, &str), function: &str) {
    let text = &*loaded.text;
    let module = text.split_once("defmodule ").map_or("", |(_, rest)| rest);
    let module = module.split_whitespace().next().unwrap_or("").trim_end_matches(',');
    let code = format!("{text}\n{module}.{function}(System.argv())\n");
    let mut inner = scope.clone();
    let Some(opened) = process.runner.open_file(&mut inner, (loaded.file, part)) else { return };
    shell_interpreters::run_whole(&mut process.elsewhere(&mut inner), ("elixir", true), &code);
    process.runner.close_file(&mut inner, &opened);
}

/// `sbt NAME`: what the task is defined as, `wipe := { … }`, with the values of the file.
fn sbt(process: &mut Process<'_>) -> Option<String> {
    let mut scope = process.scope.clone();
    let loaded = recipe::nearest(process, &mut scope, &["build.sbt"])?;
    let text = &*loaded.text;
    for name in names(process).into_iter().take(MAX_NAMES) {
        let name = name.rsplit('/').next().unwrap_or(name).trim();
        let mut code = String::new();
        for line in text.lines() {
            let definition = line.split_once(":=").map(|(key, value)| (key.trim(), value));
            match definition {
                Some((key, value)) if key == name => {
                    let rest = &text[offset(text, value)..];
                    let body = rest.trim_start().strip_prefix('{').unwrap_or("");
                    let body = &body[..closing(body, ('{', '}')).unwrap_or(body.len())];
                    code.extend([if body.is_empty() { value } else { body }, "\n"]);
                }
                // What others are is computed only for them.
                Some(_) => {}
                None if line.starts_with(char::is_alphabetic) && !line.contains("taskKey") => {
                    code.extend([line, "\n"]);
                }
                None => {}
            }
        }
        let code = code.replace("Path.userHome", "System.getProperty(\"user.home\")");
        recipe::code(process, &scope, (&loaded, name), ("scala", &code, 0));
    }
    None
}

/// `nx NAME PROJECT`, `nx run PROJECT:NAME`, `moon run PROJECT:NAME`: the commands of a project's own file.
fn target(process: &mut Process<'_>) -> Option<String> {
    let (file, table) =
        if process.name == "nx" { ("project.json", "targets") } else { ("moon.yml", "tasks") };
    let words = names(process);
    let words = words.strip_prefix(&["run"]).unwrap_or(&words);
    let first = *words.first()?;
    // Without a project, that in which the call is made; `:wipe` means each.
    let (project, name) = match first.split_once(':') {
        Some((project, name)) => (project, name.split(':').next().unwrap_or(name)),
        None => (words.get(1).copied().unwrap_or(""), first),
    };
    let name = option(process.args(), "-t", "--target").filter(|_| first == "run-many").unwrap_or(name);
    let folders = ["", "apps/", "libs/", "packages/"].map(|folder| format!("{folder}{project}/{file}"));
    let files: Vec<&str> = folders.iter().map(|file| file.trim_start_matches('/')).chain([file]).collect();
    // A project of the workspace may lie anywhere.
    let outer = process.scope.clone();
    let meant = Meant::Named(vec![project]);
    let found = if project.is_empty() { Vec::new() } else { workspace::packages(process, &outer, &meant) };
    let mut own = found.iter().find_map(|(folder, _)| process.runner.look_up(folder, file));
    // What all projects have in common, or what stands in the package's file.
    let common = if process.name == "nx" { "package.json" } else { ".moon/tasks.yml" };
    for file in [files.as_slice(), &[common]] {
        let mut scope = process.scope.clone();
        let loaded = own.take().or_else(|| recipe::nearest(process, &mut scope, file));
        let Some(loaded) = loaded else { continue };
        let read: Value = match process.name {
            "nx" => serde_json::from_str(&loaded.text).unwrap_or_default(),
            _ => data::yaml(&loaded.text),
        };
        let read = read.get("nx").unwrap_or(&read);
        let Some(target) = read.get(table).and_then(|targets| targets.get(name)) else { continue };
        let options = target.get("options").unwrap_or(target);
        if let Some(folder) = options.get("cwd").and_then(Value::as_str) {
            scope.change_folder(folder);
        }
        let of = |key: &str| options.get(key).or_else(|| target.get(key));
        // What it needs comes first: `x` and `~:x` are its own project's, `^` those below it.
        let needs = ["deps", "dependsOn"].iter().filter_map(|key| target.get(*key)?.as_array()).flatten();
        let needs = needs.filter_map(Value::as_str).filter(|need| *need != name).map(|need| {
            let task = need.trim_start_matches(['^', '~', ':']);
            match (process.name, need.starts_with('^')) {
                ("nx", true) => format!("nx run-many -t {task}"),
                (tool, true) => format!("{tool} run :{task}"),
                (tool, _) if task.contains(':') => format!("{tool} run {task}"),
                (tool, _) if project.is_empty() => format!("{tool} run {task}"),
                (tool, _) => format!("{tool} run {project}:{task}"),
            }
        });
        let mut lines: Vec<String> = needs.collect();
        lines.extend(["command", "script"].iter().filter_map(|key| line(of(key)?)));
        let each = of("commands").and_then(Value::as_array).into_iter().flatten();
        lines.extend(each.filter_map(|one| line(one.get("command").unwrap_or(one))));
        let lines: Vec<Recipe> =
            lines.into_iter().map(|text| Recipe { at: loaded.text.find(&text).unwrap_or(0), text }).collect();
        recipe::run(process, &scope, (&loaded, name), &lines);
        break;
    }
    None
}

/// A line for a shell, or the words of a program.
pub(super) fn line(value: &Value) -> Option<String> {
    let words = |words: &Vec<Value>| {
        let words: Vec<Arg> = words.iter().filter_map(Value::as_str).map(Arg::from).collect();
        quoted(&words)
    };
    value.as_str().map(str::to_owned).or_else(|| value.as_array().map(words))
}

/// `lein NAME`: an alias, `"wipe" ["shell" "rm" "x"]`. `bb NAME`: a task, `wipe (shell "rm x")`.
fn clojure(process: &mut Process<'_>) -> Option<String> {
    let words = names(process);
    let name = *words.iter().find(|word| **word != "run")?;
    let file = if process.name == "lein" { "project.clj" } else { "bb.edn" };
    let mut scope = process.scope.clone();
    let loaded = recipe::nearest(process, &mut scope, &[file])?;
    if process.name == "lein" {
        let (_, rest) = loaded.text.split_once(&format!("\"{name}\" ["))?;
        let list = &rest[..closing(rest, ('[', ']')).unwrap_or(rest.len())];
        // The plugin that starts other programs, alone or after `"do"`; all else is Leiningen's own.
        let started = list.split("\"shell\"").skip(1).map(|words| words.split(']').next().unwrap_or(words));
        let lines = started.map(|piece| {
            let words: Vec<Arg> = strings(piece).into_iter().map(|(_, word)| Arg::from(word)).collect();
            Recipe { at: offset(&loaded.text, piece), text: quoted(&words) }
        });
        let lines: Vec<Recipe> = lines.collect();
        recipe::run(process, &scope, (&loaded, name), &lines);
        return None;
    }
    let (_, tasks) = loaded.text.split_once(":tasks")?;
    let mut meant = vec![name];
    let mut at = 0;
    while let Some(&name) = meant.get(at).filter(|_| at < MAX_NAMES) {
        at += 1;
        let mut found = tasks.match_indices(name).filter(|(at, _)| tasks[..*at].ends_with(['{', ' ', '\n']));
        let Some(body) = found.find_map(|(at, _)| {
            let rest = tasks[at + name.len()..].trim_start();
            let brackets = if rest.starts_with('{') { ('{', '}') } else { ('(', ')') };
            let inner = rest.strip_prefix(brackets.0)?;
            Some(&rest[..closing(inner, brackets).map_or(rest.len(), |end| end + 2)])
        }) else {
            continue;
        };
        let needed = body.split_once(":depends [").and_then(|(_, rest)| rest.split(']').next());
        let needed: Vec<&str> =
            needed.unwrap_or("").split_whitespace().filter(|task| !meant.contains(task)).collect();
        meant.extend(needed);
        // The options of `shell` stand in a map before its line.
        let mut code = body.to_owned();
        while let Some(at) = code.find("(shell {") {
            let start = at + "(shell ".len();
            let end = closing(&code[start + 1..], ('{', '}')).map_or(code.len(), |end| start + end + 2);
            code.replace_range(start..end, "");
        }
        recipe::code(process, &scope, (&loaded, name), ("clojure", &code, offset(&loaded.text, body)));
    }
    None
}

/// `earthly +NAME`: the lines of a target that runs on this machine, `LOCALLY`.
fn earthly(process: &mut Process<'_>) -> Option<String> {
    // `./sub+clean`: that of another folder.
    let (folder, name) = names(process).into_iter().find_map(|word| word.split_once('+'))?;
    let mut scope = process.scope.clone();
    if !folder.is_empty() {
        scope.change_folder(folder);
    }
    let loaded = recipe::nearest(process, &mut scope, &["Earthfile"])?;
    let text = &*loaded.text;
    // `earthly +clean --base=out`
    let given = process.args().iter().filter_map(|arg| arg.text.strip_prefix("--")?.split_once('='));
    let given: Vec<(&str, &str)> = given.collect();
    let argument = |line: &str| {
        let (name, value) = line.strip_prefix("ARG ")?.split_once('=')?;
        let name = name.trim_start_matches("--required ").trim_start_matches("--global ");
        let given = given.iter().find(|(own, _)| *own == name).map(|(_, value)| *value);
        Some(format!("{name}={}; ", given.unwrap_or(value)))
    };
    // Those before the first target are for all of them.
    let first = text.lines().take_while(|line| !line.trim_end().ends_with(':'));
    let shared: String = first.filter_map(argument).collect();
    let (mut meant, mut at, mut recipes) = (vec![name], 0, Vec::new());
    while let Some(&name) = meant.get(at).filter(|_| at < MAX_NAMES) {
        at += 1;
        let Some(head) = text.lines().find(|line| line.trim_end().strip_suffix(':') == Some(name)) else {
            continue;
        };
        let (mut here, mut values) = (false, shared.clone());
        for line in below(text, offset(text, head)).map(str::trim) {
            here |= line == "LOCALLY";
            values.extend(argument(line));
            meant.extend(line.strip_prefix("BUILD +").filter(|other| !meant.contains(other)));
            let run =
                line.strip_prefix("RUN ").filter(|_| here).map(|line| line.trim_start_matches("--no-cache "));
            recipes
                .extend(run.map(|line| Recipe { at: offset(text, line), text: format!("{values}{line}") }));
        }
    }
    recipe::run(process, &scope, (&loaded, name), &recipes);
    None
}

/// `bazel run //FOLDER:NAME`, `bazel test //FOLDER:NAME`: the script that a rule starts, the first of its `srcs`.
/// `bazel build //FOLDER:NAME`: the line of a rule, its `cmd`.
fn bazel(process: &mut Process<'_>) -> Option<String> {
    let words = names(process);
    let verb = *words.first().filter(|verb| matches!(**verb, "run" | "test" | "build"))?;
    let label = words.get(1)?.trim_start_matches('/');
    let (folder, name) = match label.split_once(':') {
        Some((folder, name)) => (folder, name),
        None => (label, label.rsplit('/').next().unwrap_or(label)),
    };
    let folder = folder.trim_end_matches("/...").trim_end_matches("...");
    let folder = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    let files = ["BUILD.bazel", "BUILD"].map(|file| format!("{folder}{file}"));
    let mut scope = process.scope.clone();
    let loaded = recipe::nearest(process, &mut scope, &[&files[0], &files[1]])?;
    let is_all = matches!(name, "all" | "...") || name.is_empty();
    let rules = loaded.text.split("name").skip(1);
    let rules = rules.filter(|rule| strings(rule).first().is_some_and(|(_, own)| *own == name || is_all));
    if verb == "build" {
        let lines = rules.filter_map(|rule| {
            let rest = rule.split_once("cmd = ").or_else(|| rule.split_once("cmd_bash = "))?.1;
            let long = |quotes: &str| rest.strip_prefix(quotes)?.split(quotes).next();
            let line = match long("\"\"\"").or_else(|| long("'''")) {
                Some(line) => line,
                None => strings(rest).first()?.1,
            };
            // What Bazel fills in, `$@` and `$(location x)`, is a file of its own; `$$` is the shell's.
            let text = line.replace("$@", "out").replace("$(", "$(: ").replace("$$", "$");
            Some(Recipe { at: offset(&loaded.text, line), text })
        });
        let lines: Vec<Recipe> = lines.take(MAX_NAMES).collect();
        recipe::run(process, &scope, (&loaded, name), &lines);
        return None;
    }
    let list = |rule: &str, key: &str| -> Vec<String> {
        let Some((_, rest)) = rule.split_once(key) else { return Vec::new() };
        let rest = rest.trim_start().trim_start_matches('=').trim_start();
        let list =
            rest.strip_prefix('[').map(|list| &list[..closing(list, ('[', ']')).unwrap_or(list.len())]);
        let list = list.unwrap_or_else(|| rest.lines().next().unwrap_or(rest));
        strings(list).into_iter().map(|(_, word)| word.to_owned()).collect()
    };
    let found: Vec<[Vec<String>; 4]> = rules
        .map(|rule| {
            let rule = rule.split("\n)").next().unwrap_or(rule);
            ["main", "srcs", "args", "actual"].map(|key| list(rule, key))
        })
        .take(MAX_NAMES)
        .collect();
    let handed =
        process.args().iter().skip_while(|arg| arg.text != "--").skip(1).cloned().collect::<Vec<_>>();
    scope.set_text("BUILD_WORKSPACE_DIRECTORY", &Rc::clone(&scope.cwd));
    scope.set_text("BUILD_WORKING_DIRECTORY", &process.scope.cwd);
    for [main, sources, args, actual] in found {
        // `alias(name = "x", actual = ":y")`
        if let Some(other) = actual.first().filter(|other| !other.ends_with(&format!(":{name}"))) {
            let label = other.strip_prefix(':').map_or(other.clone(), |own| format!("//{folder}:{own}"));
            process.start(&["bazel", verb, label.replace("/:", ":").as_str()].map(Arg::from));
        }
        let Some(source) = main.first().or(sources.first()) else { continue };
        let source = format!("{folder}{}", source.trim_start_matches(':'));
        let interpreter = match source.rsplit_once('.').map(|(_, ending)| ending) {
            Some("py") => "python3",
            Some("sh") => "bash",
            _ => continue,
        };
        let args = args.iter().map(|arg| Arg::from(arg.as_str())).chain(handed.iter().cloned());
        let words: Vec<Arg> = [interpreter, source.as_str()].map(Arg::from).into_iter().chain(args).collect();
        process.start_in(&mut scope.clone(), &words);
    }
    None
}

/// An element of XML: where it begins, its name and attributes, and what stands between its tags.
struct Element<'t> {
    at: usize,
    name: &'t str,
    attributes: &'t str,
    content: &'t str,
}

impl<'t> Element<'t> {
    fn get(&self, key: &str) -> Option<&'t str> {
        let mut found = self.attributes.match_indices(key);
        found.find_map(|(at, _)| {
            let rest = self.attributes[at + key.len()..].trim_start().strip_prefix('=')?.trim_start();
            let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            let before = self.attributes[..at].chars().next_back();
            before.is_none_or(char::is_whitespace).then_some(())?;
            rest[1..].split(quote).next()
        })
    }
}

/// Elements of one text that are looked at, and those of one kind.
const MAX_ELEMENTS: usize = 2000;
const MAX_OF_KIND: usize = 64;

/// The elements of a text, those inside others after them, without comments. One that is never closed is empty.
fn elements(text: &str) -> Vec<Element<'_>> {
    let mut found: Vec<Element<'_>> = Vec::new();
    // What is open, with the place where its content begins.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once('<').filter(|_| found.len() < MAX_ELEMENTS) {
        let end = offset(text, rest) + before.len();
        if let Some(comment) = tag.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
            continue;
        }
        let Some((head, after)) = tag.split_once('>') else { break };
        rest = after;
        if let Some(name) = head.strip_prefix('/') {
            let of = open.iter().rposition(|(at, _)| found[*at].name == name.trim_end());
            if let Some((at, begins)) = of.and_then(|of| open.drain(of..).next()) {
                found[at].content = &text[begins..end];
            }
        } else if head.starts_with(char::is_alphabetic) {
            let (head, is_empty) = head.strip_suffix('/').map_or((head, false), |head| (head, true));
            let (name, attributes) = head.split_once(char::is_whitespace).unwrap_or((head, ""));
            if !is_empty {
                open.push((found.len(), offset(text, after)));
            }
            found.push(Element { at: offset(text, tag), name, attributes, content: "" });
        }
    }
    found
}

/// `ant NAME`: the tasks of the target, after those of the targets that it depends on; by default what the project says.
fn ant(process: &mut Process<'_>) -> Option<String> {
    let mut scope = process.scope.clone();
    let mut files = vec![recipe::nearest(process, &mut scope, &["build.xml"])?];
    let imported: Vec<String> = elements(&files[0].text)
        .iter()
        .filter(|element| matches!(element.name, "import" | "include"))
        .filter_map(|import| import.get("file").map(str::to_owned))
        .take(MAX_NAMES)
        .collect();
    files.extend(imported.iter().filter_map(|file| process.runner.look_up(&scope, file)));
    let all: Vec<(usize, Element<'_>)> = files
        .iter()
        .enumerate()
        .flat_map(|(number, file)| elements(&file.text).into_iter().map(move |element| (number, element)))
        .collect();
    let mut values = defined(process);
    for (_, property) in all.iter().filter(|(_, element)| element.name == "property") {
        let name = property.get("name");
        let value = property.get("value").or_else(|| property.get("location"));
        values.extend(name.zip(value).map(|(name, value)| (name.to_owned(), interpolated(value, &values))));
        let file = property.get("file").and_then(|file| process.runner.look_up(&scope, file));
        let set = file.iter().flat_map(|file| data::variables(&file.text));
        values.extend(set.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }
    let mut meant: Vec<&str> = names(process);
    if meant.is_empty() {
        let project = all.iter().find(|(_, element)| element.name == "project");
        meant.extend(project.and_then(|(_, project)| project.get("default")));
    }
    let mut at = 0;
    while let Some(&name) = meant.get(at).filter(|_| at < MAX_NAMES) {
        at += 1;
        let is_it = |element: &Element<'_>| element.name == "target" && element.get("name") == Some(name);
        for (number, target) in all.iter().filter(|(_, element)| is_it(element)).take(MAX_NAMES) {
            let called = elements(target.content);
            let called = called.iter().filter(|element| element.name == "antcall");
            let needed = target.get("depends").into_iter().flat_map(|list| list.split(','));
            let needed = needed.chain(called.filter_map(|call| call.get("target"))).map(str::trim);
            let needed: Vec<&str> = needed.filter(|name| !meant.contains(name)).collect();
            meant.extend(needed);
            let recipes = tasks_of_ant(&files[*number].text, target.content, &values);
            recipe::run(process, &scope, (&files[*number], name), &recipes);
        }
    }
    None
}

/// The values that a call gives, `-Dname=value`, and those that are always there.
fn defined(process: &Process<'_>) -> Vec<Given> {
    let home = &process.scope.home;
    let words = process.args().iter().filter_map(|arg| arg.text.strip_prefix("-D")?.split_once('='));
    let mut values: Vec<Given> = words.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    values.extend(["basedir", "project.basedir", "user.dir"].map(|name| (name.to_owned(), ".".to_owned())));
    values.extend(["user.home", "env.HOME"].map(|name| (name.to_owned(), home.to_string())));
    values
}

/// What the tasks in this piece of a file of Ant's do, as lines for a shell.
fn tasks_of_ant(text: &str, piece: &str, values: &[Given]) -> Vec<Recipe> {
    let begins = offset(text, piece);
    let tasks = elements(piece).into_iter().filter_map(|task| {
        let get = |key: &str| task.get(key).map(|value| interpolated(value, values));
        let inner = if matches!(task.name, "delete" | "exec" | "apply") {
            elements(task.content)
        } else {
            Vec::new()
        };
        let words: Vec<String> = match task.name {
            "delete" => {
                let own = ["dir", "file"].into_iter().filter_map(get);
                let text = deleted_by_ant(own.collect(), &inner, values);
                return (!text.is_empty()).then_some(Recipe { at: begins + task.at, text });
            }
            "move" => {
                let (from, to) = (get("file").or_else(|| get("dir")), get("todir").or_else(|| get("tofile")));
                ["mv".to_owned()].into_iter().chain(from).chain(to).collect()
            }
            "exec" | "apply" => {
                let own = get("executable").into_iter();
                let args = inner.iter().filter(|arg| arg.name == "arg");
                let args = args.flat_map(|arg| match (arg.get("line"), arg.get("value")) {
                    (Some(line), _) => {
                        line.split_whitespace().map(|word| interpolated(word, values)).collect()
                    }
                    (None, value) => {
                        let value = value.or_else(|| arg.get("path")).or_else(|| arg.get("file"));
                        value.map(|value| interpolated(value, values)).into_iter().collect::<Vec<_>>()
                    }
                });
                own.chain(args).collect()
            }
            // Another file: `<ant antfile="x/build.xml" target="wipe"/>`.
            "ant" => {
                let file = get("antfile").unwrap_or_else(|| "build.xml".to_owned());
                let file = get("dir").map_or_else(|| file.clone(), |dir| format!("{dir}/{file}"));
                ["ant".to_owned(), "-f".to_owned(), file].into_iter().chain(get("target")).collect()
            }
            _ => return None,
        };
        let words: Vec<Arg> = words.iter().map(|word| Arg::from(word.as_str())).collect();
        Some(Recipe { at: begins + task.at, text: quoted(&words) })
    });
    tasks.take(MAX_OF_KIND).collect()
}

/// What `<delete>` takes away: its own paths, and what its sets name: `<fileset dir="src" includes="**/*.java,**/*.class"/>`.
fn deleted_by_ant(mut whole: Vec<String>, sets: &[Element<'_>], values: &[Given]) -> String {
    let words = |words: &[&str]| quoted(&words.iter().map(|word| Arg::from(*word)).collect::<Vec<_>>());
    let mut lines = Vec::new();
    for set in sets.iter().filter(|set| matches!(set.name, "fileset" | "dirset")) {
        let Some(folder) = set.get("dir").map(|folder| interpolated(folder, values)) else { continue };
        let patterns = set.get("includes").unwrap_or("**").split([',', ' ']).filter(|part| !part.is_empty());
        let names: Vec<&str> =
            patterns.map(|pattern| pattern.rsplit('/').next().unwrap_or(pattern)).collect();
        if names.iter().any(|name| name.trim_matches('*').is_empty()) {
            whole.push(folder);
        } else {
            lines.extend(names.iter().map(|name| words(&["find", &folder, "-name", name, "-delete"])));
        }
    }
    if !whole.is_empty() {
        let all: Vec<&str> = ["rm", "-rf"].into_iter().chain(whole.iter().map(String::as_str)).collect();
        lines.insert(0, words(&all));
    }
    lines.join("; ")
}

/// The phases of Maven that a project hangs something on, in their order.
const LIFE_OF_MAVEN: [&str; 18] = [
    "validate",
    "initialize",
    "generate-sources",
    "process-sources",
    "generate-resources",
    "process-resources",
    "compile",
    "process-classes",
    "generate-test-sources",
    "process-test-resources",
    "test-compile",
    "test",
    "prepare-package",
    "package",
    "integration-test",
    "verify",
    "install",
    "deploy",
];

/// What a project and its modules hang on Maven's phases and goals: programs, tasks of Ant's, directories that are cleaned.
fn maven(process: &mut Process<'_>) -> Option<String> {
    let mut scope = process.scope.clone();
    let root = recipe::nearest(process, &mut scope, &["pom.xml"])?;
    hung_on_maven(process, &scope, &root);
    let named = option(process.args(), "-pl", "--projects").into_iter().flat_map(|list| list.split(','));
    let listed = elements(&root.text);
    let listed = listed.iter().filter(|element| element.name == "module").map(|module| module.content.trim());
    let mut folders: Vec<&str> = named.chain(listed).collect();
    folders.dedup();
    for folder in folders.into_iter().take(MAX_NAMES) {
        let mut inner = scope.clone();
        inner.change_folder(folder);
        if let Some(module) = process.runner.look_up(&inner, "pom.xml") {
            hung_on_maven(process, &inner, &module);
        }
    }
    None
}

/// What may choose a profile, in one text: the call, what its environment and the project add to it, the user's settings.
fn profiles_of_maven(process: &mut Process<'_>, scope: &Scope) -> String {
    let settings = option(process.args(), "-s", "--settings").map(str::to_owned);
    let settings = settings.unwrap_or_else(|| format!("{}/.m2/settings.xml", scope.home));
    let mut texts: Vec<String> = process.args().iter().map(|arg| arg.text.clone()).collect();
    texts.extend(process.variable("MAVEN_ARGS"));
    for file in [".mvn/maven.config", &settings] {
        texts.extend(process.runner.look_up(scope, file).map(|loaded| loaded.text.to_string()));
    }
    texts.join("\n").replace("-P", " ")
}

/// What stands between the names of profiles.
fn is_between(c: char) -> bool {
    c.is_whitespace() || mark::is_glob(c) || matches!(c, ',' | '=' | '+' | '?' | '<' | '>')
}

/// What one project hangs there.
fn hung_on_maven(process: &mut Process<'_>, scope: &Scope, loaded: &Loaded) {
    let text = &*loaded.text;
    let all = elements(text);
    let mut values = defined(process);
    for properties in all.iter().filter(|element| element.name == "properties").take(MAX_NAMES) {
        for property in elements(properties.content) {
            values.push((property.name.to_owned(), interpolated(property.content.trim(), &values)));
        }
    }
    let goals = names(process);
    let place = |phase: &str| LIFE_OF_MAVEN.iter().position(|own| *own == phase);
    let reached = goals.iter().filter_map(|goal| place(goal)).max();
    let mut recipes = Vec::new();
    let chosen = profiles_of_maven(process, scope);
    let profiles = all.iter().filter(|element| element.name == "profile").filter(|profile| {
        let parts = elements(profile.content);
        let has = |name: &str, is: &dyn Fn(&str) -> bool| {
            parts.iter().any(|part| part.name == name && is(part.content.trim()))
        };
        // One that a property or a system chooses may be at work.
        !has("activation", &|_| true) && !has("id", &|id| chosen.split(is_between).any(|word| word == id))
    });
    let idle: Vec<_> = profiles.map(|profile| profile.content.as_bytes().as_ptr_range()).collect();
    let works = |plugin: &str| !idle.iter().any(|profile| profile.contains(&plugin.as_ptr()));
    let plugins = all.iter().filter(|element| element.name == "plugin" && works(element.content));
    for plugin in plugins.take(MAX_OF_KIND) {
        let parts = elements(plugin.content);
        let of = |name: &'static str| parts.iter().filter(move |part| part.name == name);
        let Some(artifact) = of("artifactId").next().map(|part| part.content.trim()) else { continue };
        let prefix =
            artifact.trim_start_matches("maven-").trim_end_matches("-plugin").trim_end_matches("-maven");
        // `exec:exec`, `exec:exec@wipe`
        let is_called = goals.iter().any(|goal| goal.split(':').next() == Some(prefix) && goal.contains(':'));
        let hangs = of("phase").any(|phase| {
            let phase = phase.content.trim();
            place(phase).is_some_and(|at| reached.is_some_and(|reached| at <= reached))
                || goals.contains(&phase)
                || phase.ends_with("clean") && goals.contains(&"clean")
        });
        let cleans = prefix == "clean" && goals.contains(&"clean");
        if !(is_called || hangs || cleans) {
            continue;
        }
        match prefix {
            "clean" => recipes.extend(of("directory").map(|folder| {
                let begins = offset(text, folder.content);
                let folder = interpolated(folder.content.trim(), &values);
                let words = ["rm", "-rf", &folder].map(Arg::from);
                Recipe { at: begins, text: quoted(&words) }
            })),
            "antrun" => {
                recipes.extend(of("target").flat_map(|target| tasks_of_ant(text, target.content, &values)));
            }
            _ => recipes.extend(programs_of_maven(text, plugin.content, &values)),
        }
    }
    recipe::run(process, scope, (loaded, &goals.join(" ")), &recipes);
}

/// The programs that a plugin of Maven's is set up to start: an `executable` and its `argument`s, in each configuration.
fn programs_of_maven(text: &str, plugin: &str, values: &[Given]) -> Vec<Recipe> {
    let configurations = elements(plugin).into_iter().filter(|part| part.name == "configuration");
    let started = configurations.filter_map(|configuration| {
        let parts = elements(configuration.content);
        let of = |name: &str| {
            let found: Vec<String> = parts
                .iter()
                .filter(|part| part.name == name)
                .map(|part| interpolated(part.content.trim(), values))
                .collect();
            found
        };
        let program = of("executable").into_iter().next()?;
        let line = of("commandlineArgs").into_iter().next().unwrap_or_default();
        let words: Vec<Arg> = std::iter::once(program)
            .chain(of("argument"))
            .chain(line.split_whitespace().map(str::to_owned))
            .map(|word| Arg::from(word.as_str()))
            .collect();
        Some(Recipe { at: offset(text, configuration.content), text: quoted(&words) })
    });
    started.collect()
}

/// The programs and the deletions that the targets of a project of .NET's hang on a build.
pub(super) fn targets_of_msbuild(process: &mut Process<'_>, verb: &str) {
    let outer = process.scope.clone();
    let files = projects_of_msbuild(process, &outer);
    // `-t:Wipe`
    let goals: Vec<String> = process
        .args()
        .iter()
        .filter_map(|arg| arg.text.trim_start_matches(['-', '/']).split_once(':'))
        .filter(|(option, _)| matches!(*option, "t" | "target"))
        .map(|(_, goals)| goals.to_owned())
        .collect();
    for file in files.into_iter().take(MAX_NAMES) {
        let Some(loaded) = process.runner.look_up(&outer, &file) else { continue };
        let mut scope = outer.clone();
        if let Some((folder, _)) = file.rsplit_once('/') {
            scope.change_folder(folder);
        }
        let text = &*loaded.text;
        let all = elements(text);
        let here = ["MSBuildProjectDirectory", "MSBuildThisFileDirectory", "ProjectDir"];
        let mut values: Vec<Given> = here.map(|name| (name.to_owned(), "./".to_owned())).to_vec();
        for group in all.iter().filter(|element| element.name == "PropertyGroup").take(MAX_NAMES) {
            let own = elements(group.content).into_iter();
            values.extend(own.map(|one| (one.name.to_owned(), one.content.trim().to_owned())));
        }
        // `<Stale Include="src" />`, which tasks name as `@(Stale)`.
        let items = all.iter().filter(|element| element.name == "ItemGroup").take(MAX_NAMES);
        for item in items.flat_map(|group| elements(group.content)) {
            let path = item.get("Include").unwrap_or("").replace(';', " ");
            values.push((format!("@{}", item.name), path));
        }
        // Lines that Visual Studio writes as properties.
        let events = all.iter().filter(|event| matches!(event.name, "PreBuildEvent" | "PostBuildEvent"));
        let events = events.filter(|event| verb != "clean" && !event.content.trim().is_empty());
        let mut recipes: Vec<Recipe> = events
            .map(|event| Recipe {
                at: offset(text, event.content),
                text: in_shell(event.content.trim(), &values),
            })
            .collect();
        let needed = all
            .iter()
            .filter(|target| target.get("Name").is_some_and(|name| goals.iter().any(|goal| goal == name)));
        let needed =
            needed.filter_map(|target| target.get("DependsOnTargets")).flat_map(|list| list.split(';'));
        let goals: Vec<String> =
            goals.iter().cloned().chain(needed.map(|name| name.trim().to_owned())).collect();
        for target in all.iter().filter(|element| element.name == "Target").take(MAX_OF_KIND) {
            let hangs = target.get("BeforeTargets").or_else(|| target.get("AfterTargets"));
            // What hangs on cleaning runs when it is called for.
            let hangs = hangs.is_some_and(|on| on.contains("Clean") == (verb == "clean"));
            let is_called = target.get("Name").is_some_and(|name| goals.iter().any(|goal| goal == name));
            if !hangs && !is_called {
                continue;
            }
            for task in elements(target.content) {
                let words = match task.name {
                    "Exec" => task.get("Command").map(str::to_owned),
                    "RemoveDir" => task.get("Directories").map(|paths| format!("rm -rf {paths}")),
                    "Delete" => task.get("Files").map(|paths| format!("rm -f {paths}")),
                    _ => None,
                };
                let line = words.map(|line| in_shell(&line, &values));
                recipes.extend(
                    line.map(|line| Recipe { at: offset(text, target.content) + task.at, text: line }),
                );
            }
        }
        recipe::run(process, &scope, (&loaded, verb), &recipes);
    }
}

/// The projects that a build of .NET's is about: those that it names, or that lie here; those of a solution, those that a
/// project refers to, and what each of them imports.
fn projects_of_msbuild(process: &mut Process<'_>, scope: &Scope) -> Vec<String> {
    let own = |word: &&str| ["proj", ".sln", ".slnx"].iter().any(|ending| word.ends_with(*ending));
    let words = process.args().iter().skip(1).map(|arg| arg.text.as_str());
    let named = words.clone().find(own).map(str::to_owned);
    let folder = option(process.args(), "-p", "--project")
        .or_else(|| words.clone().next().filter(|word| !word.starts_with('-')));
    let here = |ending: &str| match folder.filter(|folder| !own(folder)) {
        Some(folder) => format!("{}/{}.{ending}", folder.trim_end_matches('/'), mark::STAR),
        None => format!("{}.{ending}", mark::STAR),
    };
    let mut files: Vec<String> = named.into_iter().collect();
    for pattern in ["csproj", "sln", "slnx"].map(here) {
        if files.is_empty() {
            files = process.runner.paths(scope, &pattern);
            files.retain(|file| !mark::any(file));
        }
    }
    files.extend(["Directory.Build.targets", "Directory.Build.props"].map(str::to_owned));
    let mut at = 0;
    while let Some(file) = files.get(at).cloned().filter(|_| at < MAX_NAMES) {
        at += 1;
        let Some(loaded) = process.runner.look_up(scope, &file) else { continue };
        let folder = file.rfind('/').map_or("", |slash| &file[..=slash]);
        let is_solution = file.rsplit_once('.').is_some_and(|(_, ending)| ending == "sln");
        let lines = loaded.text.lines();
        let lines = lines.filter(|line| {
            let line = line.trim_start();
            let heads = ["<ProjectReference", "<Import ", "<Project Path"];
            if is_solution {
                line.starts_with("Project(")
            } else {
                heads.iter().any(|head| line.starts_with(head))
            }
        });
        let names = lines.flat_map(strings).map(|(_, name)| name.replace('\\', "/"));
        let is_file =
            |name: &String| ["proj", ".targets", ".props"].iter().any(|ending| name.ends_with(ending));
        for name in names.filter(is_file).map(|name| name.replace("$(MSBuildThisFileDirectory)", "")) {
            let name = format!("{folder}{name}");
            if !name.contains('$') && !files.contains(&name) {
                files.push(name);
            }
        }
    }
    files
}

/// A line of a project of .NET's for a shell: `$(NAME)` is a property of the project, or a variable.
fn in_shell(line: &str, values: &[Given]) -> String {
    let line = line.replace("&quot;", "\"").replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&");
    let mut whole = line;
    // Values may name others.
    for _ in 0..MAX_NAMES {
        let Some(at) = whole.find("$(").into_iter().chain(whole.find("@(")).min() else { break };
        let rest = &whole[at + 2..];
        let (name, after) = rest.split_once(')').unwrap_or((rest, ""));
        let own = if whole[at..].starts_with('@') { format!("@{name}") } else { name.to_owned() };
        let value = values.iter().rev().find(|(known, _)| *known == own).map(|(_, value)| value.clone());
        let value = value.unwrap_or_else(|| format!("${{{name}}}"));
        whole = format!("{}{value}{after}", &whole[..at]);
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_attributes_and_contents() {
        let text = "<a x='1'\n y=\"2\"><!-- <b/> --><c/><a>t</a></a><d>";
        let found = elements(text);
        let names: Vec<_> = found.iter().map(|element| (element.name, element.content)).collect();
        assert_eq!(names, [("a", "<!-- <b/> --><c/><a>t</a>"), ("c", ""), ("a", "t"), ("d", "")]);
        assert_eq!((found[0].get("x"), found[0].get("y"), found[0].get("z")), (Some("1"), Some("2"), None));
        // A tag that a name of another one ends with.
        assert_eq!(elements("<x outdir='1' dir='2'/>")[0].get("dir"), Some("2"));
        assert_eq!(elements(&"<a>".repeat(100_000)).len(), MAX_ELEMENTS);
    }

    #[test]
    fn a_task_of_ant_is_a_command() {
        let text =
            "<delete file='a'/><exec executable='x'><arg value='b c'/></exec><copy file='d' todir='e'/>";
        let lines: Vec<String> =
            tasks_of_ant(text, text, &[]).into_iter().map(|recipe| recipe.text).collect();
        assert_eq!(lines, ["'rm' '-rf' 'a'", "'x' 'b c'"]);
    }
}
