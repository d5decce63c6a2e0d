//! Files of settings in which a tool finds lines to run under keys of its own: act, lint-staged, Packer, Skaffold, Tilt, the
//! units of systemd, and the containers of Kubernetes' objects.

use serde_json::Value;
use shell_engine::text::{data, units};
use shell_engine::{Arg, Loaded, Process, Scope, mark};

use super::builders::line;
use super::recipe::{self, Recipe, offset};
use super::testers::{MAX_NAMES, closing, parts, strings};
use super::values;
use super::{names, only_shows};
use crate::programs::{QUOTES, option, options, quoted};

/// Runs what a tool finds in its settings.
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    match process.name {
        "act" => workflows(process),
        "lint-staged" => staged(process),
        "packer" => packer(process),
        "skaffold" => {
            let verbs = ["build", "dev", "run", "debug", "test", "render"];
            names(process).first().filter(|verb| verbs.contains(verb))?;
            of_keys(process, &["skaffold.yaml", "skaffold.yml"], &["buildCommand", "command"])
        }
        "tilt" => tilt(process),
        "systemctl" => units(process),
        _ => None,
    }
}

/// All lines, and lists of words, that stand under one of these keys, wherever in a value.
fn under(value: &Value, keys: &[&str]) -> Vec<String> {
    match value {
        Value::Object(map) => map
            .iter()
            .flat_map(|(key, inner)| match line(inner).filter(|_| keys.contains(&key.as_str())) {
                Some(line) => vec![line],
                None => under(inner, keys),
            })
            .collect(),
        Value::Array(list) => list.iter().flat_map(|inner| under(inner, keys)).collect(),
        _ => Vec::new(),
    }
}

/// Lines of a file, each where it stands there.
fn placed(text: &str, lines: Vec<String>) -> Vec<Recipe> {
    lines.into_iter().map(|line| Recipe { at: place(text, &line), text: line }).collect()
}

/// Where a line stands in a file.
pub(super) fn place(text: &str, line: &str) -> usize {
    let first = line.lines().next().unwrap_or("").trim_matches('\'');
    text.find(first.split("' '").next().unwrap_or(first)).unwrap_or(0)
}

/// Runs what stands under some keys of a file.
fn of_keys(process: &mut Process<'_>, files: &[&str], keys: &[&str]) -> Option<String> {
    let mut scope = process.scope.clone();
    let loaded = recipe::nearest(process, &mut scope, files)?;
    let lines = placed(&loaded.text, under(&data::yaml(&loaded.text), keys));
    recipe::run(process, &scope, (&loaded, ""), &lines);
    None
}

/// `act`: the steps of the workflows, in containers unless a platform is this machine (`-P ubuntu-latest=-self-hosted`).
fn workflows(process: &mut Process<'_>) -> Option<String> {
    if only_shows(process, &["-l", "--list", "-n", "--dryrun", "-g", "--graph", "--validate"]) {
        return None;
    }
    let here = process.args().iter().any(|arg| arg.text.ends_with("-self-hosted"));
    // `--bind`: the project itself, not a copy of it.
    let binds = process.args().iter().any(|arg| matches!(arg.text.as_str(), "--bind" | "-b"));
    let shared = if binds { "-v \"$PWD:$PWD\" -w \"$PWD\"" } else { "" };
    let shared = Some(shared).filter(|_| !here);
    let job = option(process.args(), "-j", "--job");
    let folder =
        option(process.args(), "-W", "--workflows").unwrap_or(".github/workflows").trim_end_matches('/');
    let given = given_to_act(process);
    let mut scope = process.scope.clone();
    let mut files = vec![folder.to_owned()];
    for ending in ["yml", "yaml"] {
        let found = process.runner.paths(&scope, &format!("{folder}/{}.{ending}", mark::STAR));
        files.extend(found.into_iter().filter(|file| !mark::any(file)));
    }
    for file in files.into_iter().take(MAX_NAMES) {
        let Some(loaded) = process.runner.look_up(&scope, &file) else { continue };
        let read = data::yaml(&loaded.text);
        let jobs = read.get("jobs").and_then(Value::as_object).into_iter().flatten();
        let jobs: Vec<(&String, &Value)> = jobs.collect();
        let mut recipes = Vec::new();
        for job in jobs_of(&jobs, job) {
            let known = Known { given: &given, set: [&read, job].map(set_by).concat() };
            let steps: &[Value] = job.get("steps").and_then(Value::as_array).map_or(&[], Vec::as_slice);
            recipes.extend(lines_of(&loaded.text, steps, (&known, shared)));
            // An action of the project's own has steps as well.
            let used = steps
                .iter()
                .filter_map(|step| step.get("uses")?.as_str())
                .filter(|used| used.starts_with("./"));
            for folder in used.take(MAX_NAMES) {
                let files = ["action.yml", "action.yaml"]
                    .map(|file| format!("{}/{file}", folder.trim_end_matches('/')));
                let Some(action) = files.iter().find_map(|file| process.runner.look_up(&scope, file)) else {
                    continue;
                };
                let read = data::yaml(&action.text);
                let steps = read
                    .get("runs")
                    .and_then(|runs| runs.get("steps")?.as_array())
                    .map_or(&[][..], Vec::as_slice);
                let lines = lines_of(&action.text, steps, (&known, shared));
                recipe::run(process, &scope, (&action, ""), &lines);
            }
        }
        recipe::run(process, &scope, (&loaded, ""), &recipes);
        scope.cwd = process.scope.cwd.clone();
    }
    None
}

/// The lines of steps: in a container, with what it shares with this machine, or here.
fn lines_of(text: &str, steps: &[Value], (known, shared): (&Known<'_>, Option<&str>)) -> Vec<Recipe> {
    let lines = steps.iter().filter_map(|step| {
        let line = step.get("run").and_then(Value::as_str)?;
        let own = Known { given: known.given, set: [known.set.clone(), set_by(step)].concat() };
        let set = own.set.iter().map(|(name, value)| (name, in_quotes(&own.filled(value))));
        let folder = step.get("working-directory").and_then(Value::as_str);
        let folder = folder.map(|folder| format!("cd {}\n", quoted(&[Arg::from(own.filled(folder))])));
        let mut script = folder.unwrap_or_default() + &own.filled(line);
        // A secret is the one that it was before it got another name.
        for (name, value) in &own.set {
            let value = own.filled(value);
            if value.starts_with("${") && value.ends_with('}') {
                script = renamed(&script, name, &value);
            }
        }
        let text_of = if let Some(shared) = shared {
            let set: String = set.map(|(name, value)| format!("-e {name}={value} ")).collect();
            let words = ["image", "sh", "-c", &script].map(Arg::from);
            format!("docker run --rm {shared} {set}{}", quoted(&words))
        } else {
            let set: String = set.map(|(name, value)| format!("export {name}={value}; ")).collect();
            format!("{set}{script}")
        };
        Some(Recipe { at: place(text, line), text: text_of })
    });
    lines.collect()
}

/// A script in which a variable is called otherwise.
fn renamed(script: &str, name: &str, value: &str) -> String {
    let script = script.replace(&format!("${{{name}}}"), value);
    let own = format!("${name}");
    let mut pieces = script.split(&own);
    let mut whole = pieces.next().unwrap_or("").to_owned();
    for piece in pieces {
        let goes_on = piece.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        whole.extend([if goes_on { own.as_str() } else { value }, piece]);
    }
    whole
}

/// The jobs that a call means, those that they need first.
fn jobs_of<'v>(jobs: &[(&'v String, &'v Value)], named: Option<&str>) -> Vec<&'v Value> {
    let find = |name: &str| jobs.iter().find(|(own, _)| *own == name).copied();
    let Some(named) = named else { return jobs.iter().map(|(_, job)| *job).collect() };
    let mut found: Vec<(&String, &Value)> = find(named).into_iter().collect();
    let mut at = 0;
    while let Some((_, job)) = found.get(at).copied().filter(|_| at < MAX_NAMES) {
        at += 1;
        let needs = job.get("needs");
        let list = needs.and_then(Value::as_array).into_iter().flatten().chain(needs);
        let new = list.filter_map(Value::as_str).filter_map(find);
        let new: Vec<_> = new.filter(|(name, _)| found.iter().all(|(own, _)| own != name)).collect();
        found.extend(new);
    }
    found.into_iter().rev().map(|(_, job)| job).collect()
}

/// What a call of act gives, by where a workflow looks for it: `secrets.TOKEN`, `env.STAGE`, `inputs.target`.
fn given_to_act(process: &mut Process<'_>) -> Vec<(String, String)> {
    const OPTIONS: [(&str, &str, &str, &str); 4] = [
        ("secrets", "-s", "--secret", "--secret-file"),
        ("env", "", "--env", "--env-file"),
        ("vars", "", "--var", "--var-file"),
        ("inputs", "", "--input", "--input-file"),
    ];
    let scope = process.scope.clone();
    let mut given = Vec::new();
    // Values that only the environment tells: `-s TOKEN=$GITHUB_TOKEN`.
    let mut unknown = process.runner.secrets.clone().into_iter();
    for (context, short, long, file) in OPTIONS {
        for word in options(process.args(), short, long) {
            let (name, value) = word.split_once('=').map_or_else(
                // Without a value, it is that of the variable with this name.
                || (word, format!("${{{word}}}")),
                |(name, value)| (name, value.to_owned()),
            );
            let named = if value.contains(mark::UNSET) { unknown.next() } else { None };
            let value = named.map_or(value, |secret| format!("${{{secret}}}"));
            given.push((format!("{context}.{name}"), value));
        }
        let usual = match context {
            "secrets" => ".secrets",
            "env" => ".env",
            "vars" => ".vars",
            _ => ".input",
        };
        let file = option(process.args(), "", file).unwrap_or(usual).to_owned();
        if let Some(loaded) = process.runner.look_up(&scope, &file) {
            let set = data::variables(&loaded.text).into_iter();
            given.extend(set.map(|(name, value)| (format!("{context}.{name}"), value.to_owned())));
        }
    }
    given
}

/// The variables that a workflow, a job or a step sets.
fn set_by(value: &Value) -> Vec<(String, String)> {
    let set = value.get("env").and_then(Value::as_object).into_iter().flatten();
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    set.map(|(name, value)| (name.clone(), text(value))).collect()
}

/// What is known where a step of a workflow runs: what the call gives, and the variables, the inner ones last.
struct Known<'g> {
    given: &'g [(String, String)],
    set: Vec<(String, String)>,
}

impl Known<'_> {
    /// A text with the values of its `${{ expressions }}`, and a token for each that has none.
    fn filled(&self, text: &str) -> String {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${{") {
            filled.push_str(before);
            let (expression, after) = after.split_once("}}").unwrap_or((after, ""));
            let name = expression.trim().replace("github.event.inputs.", "inputs.");
            let given = self.given.iter().find(|(own, _)| *own == name).map(|(_, value)| value);
            let own = name.strip_prefix("env.");
            let set =
                self.set.iter().rev().find(|(known, _)| Some(known.as_str()) == own).map(|(_, value)| value);
            match given.or(set.filter(|value| !value.contains("${{"))) {
                Some(value) => filled.push_str(value),
                None => filled.push(mark::TOKEN),
            }
            rest = after;
        }
        filled + rest
    }
}

/// A word between quotes in which variables are still filled in.
pub(super) fn in_quotes(value: &str) -> String {
    if value.contains('$') && !value.contains(['"', '\\', '`']) {
        format!("\"{value}\"")
    } else {
        quoted(&[Arg::from(value)])
    }
}

/// `lint-staged`: the lines for each pattern, without the names of files that come after them.
fn staged(process: &mut Process<'_>) -> Option<String> {
    let mut scope = process.scope.clone();
    let files =
        ["package.json", ".lintstagedrc", ".lintstagedrc.json", ".lintstagedrc.yml", ".lintstagedrc.yaml"];
    for file in files {
        let Some(loaded) = process.runner.look_up(&scope, file) else { continue };
        let read = serde_json::from_str(&loaded.text).unwrap_or_else(|_| data::yaml(&loaded.text));
        let settings = if file == "package.json" { read.get("lint-staged") } else { Some(&read) };
        let values = settings.and_then(Value::as_object).into_iter().flatten().map(|(_, value)| value);
        let lines = values.flat_map(|value| match value {
            Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
            value => value.as_str().into_iter().collect::<Vec<_>>(),
        });
        let lines = placed(&loaded.text, lines.map(str::to_owned).collect());
        recipe::run(process, &scope, (&loaded, "lint-staged"), &lines);
        scope.cwd = process.scope.cwd.clone();
    }
    None
}

/// `packer build FILE`: what its provisioners run on this machine.
fn packer(process: &mut Process<'_>) -> Option<String> {
    let words = names(process);
    let file = words.get(1).copied().filter(|_| words[0] == "build")?;
    let mut files = vec![file.to_owned()];
    let found = process
        .runner
        .paths(process.scope, &format!("{}/{}.pkr.hcl", file.trim_end_matches('/'), mark::STAR));
    files.extend(found.into_iter().filter(|file| !mark::any(file)));
    let scope = process.scope.clone();
    let plan: Vec<Loaded> =
        files.iter().take(MAX_NAMES).filter_map(|file| process.runner.look_up(&scope, file)).collect();
    let values = super::values_of_plan(process, &scope, (&plan, "PKR_VAR_", ".auto.pkrvars.hcl"));
    for loaded in plan {
        let text = &*loaded.text;
        let blocks = text.split("\"shell-local\"").skip(1);
        let blocks = blocks.map(|rest| {
            let body = rest.trim_start_matches([' ', ',', '\n', '{']);
            &body[..closing(body, ('{', '}')).unwrap_or(body.len())]
        });
        let lines = blocks.flat_map(|body| {
            let of =
                |key: &str| body.split(key).nth(1).map(|rest| rest.trim_start_matches(['"', ' ', '=', ':']));
            let list = of("inline")
                .and_then(|rest| rest.strip_prefix('['))
                .map_or("", |rest| &rest[..closing(rest, ('[', ']')).unwrap_or(rest.len())]);
            let one = [" command", " script", "\n  script"]
                .into_iter()
                .filter_map(of)
                .map(|rest| rest.lines().next().unwrap_or(""));
            let set = of("environment_vars")
                .and_then(|rest| rest.strip_prefix('['))
                .map_or("", |rest| &rest[..closing(rest, ('[', ']')).unwrap_or(rest.len())]);
            let set = strings(set).into_iter().filter_map(|(_, word)| word.split_once('='));
            let set: String = set
                .map(|(name, value)| {
                    let value = Arg::from(super::blocks::interpolated(value, &values));
                    format!("export {name}={}; ", quoted(&[value]))
                })
                .collect();
            strings(list)
                .into_iter()
                .chain(one.flat_map(strings))
                .map(|(_, line)| {
                    // What stands in JSON names its variables otherwise.
                    let plain = line.replace("{{user `", "${var.").replace("`}}", "}");
                    let text_of = super::blocks::interpolated(&plain, &values);
                    Recipe { at: offset(text, line), text: format!("{set}{text_of}") }
                })
                .collect::<Vec<_>>()
        });
        let lines: Vec<Recipe> = lines.collect();
        recipe::run(process, &scope, (&loaded, ""), &lines);
    }
    None
}

/// `tilt up`: the lines of `local("rm x")` and `local_resource("name", cmd="rm x")` in its file.
fn tilt(process: &mut Process<'_>) -> Option<String> {
    names(process).first().filter(|verb| matches!(**verb, "up" | "ci"))?;
    let mut scope = process.scope.clone();
    let loaded = recipe::nearest(process, &mut scope, &["Tiltfile"])?;
    let text = &*loaded.text;
    let calls = |name: &'static str| {
        let code = text.match_indices(name).filter(|(at, _)| {
            let line = text[..*at].rsplit('\n').next().unwrap_or("");
            !line.contains('#') && !line.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.')
        });
        code.map(move |(at, name)| {
            let rest = &text[at + name.len()..];
            &rest[..closing(rest, ('(', ')')).unwrap_or(rest.len())]
        })
    };
    let first = calls("local(").filter_map(|body| parts(body).first().copied());
    let named = calls("local_resource(").flat_map(|body| {
        let is_line = |(at, part): &(usize, &str)| {
            let key = part.split_once('=').map(|(key, _)| key.trim());
            matches!(key, Some("cmd" | "serve_cmd"))
                || *at == 1 && !part.split(QUOTES).next().unwrap_or("").contains('=')
        };
        parts(body).into_iter().enumerate().filter(is_line).map(|(_, part)| part).collect::<Vec<_>>()
    });
    let lines = first.chain(named).filter_map(|part| {
        let words = strings(part);
        let (_, first) = *words.first()?;
        let list: Vec<Arg> = words.iter().map(|(_, word)| Arg::from(*word)).collect();
        let text_of = if part.contains('[') { quoted(&list) } else { first.to_owned() };
        Some(Recipe { at: offset(text, first), text: text_of })
    });
    let lines: Vec<Recipe> = lines.collect();
    recipe::run(process, &scope, (&loaded, ""), &lines);
    None
}

/// `systemctl start UNIT`: the lines that a unit of this command's or of the user's starts.
fn units(process: &mut Process<'_>) -> Option<String> {
    let words = names(process);
    let starts = ["start", "restart", "reload-or-restart", "enable", "reenable", "link", "try-restart"];
    words.first().filter(|verb| starts.contains(verb))?;
    let is_users = process.args().iter().any(|arg| arg.text == "--user");
    let home = format!("{}/.config/systemd/user", process.scope.home);
    let folders: &[&str] = if is_users { &[&home] } else { &["/etc/systemd/system"] };
    for unit in words[1..].iter().take(MAX_NAMES) {
        let name = unit.rsplit('/').next().unwrap_or(unit);
        let name = if name.contains('.') { name.to_owned() } else { format!("{name}.service") };
        let scope = process.scope.clone();
        // A timer starts the service of its name.
        let service = name.strip_suffix(".timer").map(|name| format!("{name}.service"));
        // `demo@x.service` is made of `demo@.service`.
        let template =
            name.split_once('@').and_then(|(before, rest)| Some((before, rest.rsplit_once('.')?.1)));
        let template = template.map(|(before, ending)| format!("{before}@.{ending}"));
        let in_folders = folders.iter().flat_map(|folder| {
            let names = [Some(&name), service.as_ref(), template.as_ref()];
            names.into_iter().flatten().map(move |name| format!("{folder}/{name}"))
        });
        let files: Vec<String> =
            unit.contains('/').then(|| (*unit).to_owned()).into_iter().chain(in_folders).collect();
        for file in files {
            let Some(loaded) = process.runner.look_up(&scope, &file) else { continue };
            let home = if is_users { scope.home.to_string() } else { "/root".to_owned() };
            let unit = units::Unit::new(&loaded.text, (&name, &home));
            let lines = unit.started().map(|(at, text)| Recipe { at, text });
            let lines: Vec<Recipe> = lines.collect();
            let mut inner = scope.clone();
            for (variable, value) in unit.environment() {
                inner.set_text(&variable, &value);
                inner.export(&variable);
            }
            for file in unit.environment_files() {
                let Some(found) = process.runner.look_up(&scope, &file) else { continue };
                for (variable, value) in data::variables(&found.text) {
                    inner.set_text(variable, value);
                    inner.export(variable);
                }
            }
            let folder = unit.folder();
            inner.change_folder(folder.as_deref().unwrap_or(if is_users { &home } else { "/" }));
            recipe::run(process, &inner, (&loaded, name.as_str()), &lines);
        }
    }
    None
}

/// Runs what the containers of Kubernetes' objects start, where an object is made of a file.
pub(super) fn containers(process: &mut Process<'_>, scope: &Scope, loaded: &Loaded, values: Option<&Value>) {
    let mut lines = Vec::new();
    let kept = values.map_or_else(|| loaded.text.to_string(), |values| rendered(&loaded.text, values));
    for object in kept.split("\n---") {
        // What a template fills in is a name without meaning, or a line of its own.
        let mut plain = String::new();
        for line in object.lines().filter(|line| !line.trim_start().starts_with("{{")) {
            let mut rest = line;
            while let Some((before, after)) = rest.split_once("{{") {
                let (expression, after) = after.split_once("}}").unwrap_or((after, ""));
                let known = values.and_then(|values| plain_value(expression, values));
                plain.extend([before, known.as_deref().unwrap_or("x")]);
                rest = after;
            }
            plain.extend([rest, "\n"]);
        }
        started_by(&data::yaml(&plain), &[], &mut lines);
    }
    let recipes = lines.into_iter().map(|(mounts, line)| {
        // What is mounted of a node is as dear as this machine.
        let text = if mounts.is_empty() {
            format!("kubectl exec pod -- {line}")
        } else {
            format!("docker run --rm {} image {line}", quoted(&mounts))
        };
        Recipe { at: place(&loaded.text, &line), text }
    });
    let recipes: Vec<Recipe> = recipes.collect();
    recipe::run(process, scope, (loaded, "containers"), &recipes);
}

/// The value that an expression of a template names: `.Values.db.name | quote`.
fn plain_value(expression: &str, values: &Value) -> Option<String> {
    let (name, filter) = expression.split_once('|').unwrap_or((expression, ""));
    let path = name.trim_matches(['-', ' ']).strip_prefix(".Values.")?;
    let value = values::inside(values, path).and_then(values::plain)?;
    Some(if filter.contains("quote") { format!("\"{value}\"") } else { value })
}

/// A template without the lines that stand below a condition which surely does not hold.
fn rendered(text: &str, values: &Value) -> String {
    let mut rendered = String::new();
    // The blocks around a line: whether they are left out, and whether one of their branches was taken.
    let mut around: Vec<(bool, bool)> = Vec::new();
    for line in text.split_inclusive('\n') {
        let word = line.trim().strip_prefix("{{").map(|rest| rest.trim_start_matches(['-', ' ']));
        let word = word.map(|rest| rest.split("}}").next().unwrap_or(rest).trim_end_matches(['-', ' ']));
        let (key, asked) = word.map_or(("", ""), |word| word.split_once(' ').unwrap_or((word, "")));
        match key {
            "if" => {
                let known = holds(asked, values);
                around.push((known == Some(false), known == Some(true)));
            }
            "with" | "range" | "define" | "block" => around.push((false, false)),
            "else" => {
                if let Some((left_out, taken)) = around.last_mut() {
                    let known = if asked.is_empty() {
                        Some(true)
                    } else {
                        holds(asked.trim_start_matches("if "), values)
                    };
                    *left_out = *taken || known == Some(false);
                    *taken |= known == Some(true);
                }
            }
            "end" => drop(around.pop()),
            _ if around.iter().any(|(left_out, _)| *left_out) => {}
            _ => {
                rendered.push_str(line);
                continue;
            }
        }
        // A line stays one, so that others keep their places.
        rendered.push('\n');
    }
    rendered
}

/// Whether a condition of a template holds, where that is known: a value, `not`, `and`, `or`, `eq` and `ne`.
fn holds(asked: &str, values: &Value) -> Option<bool> {
    // Where no values lie here, they are elsewhere.
    if values.as_object().is_none_or(serde_json::Map::is_empty) {
        return None;
    }
    let asked = asked.trim();
    let asked = asked.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(asked);
    let words = super::indented::expressions(asked);
    let text = |word: &str| match word.strip_prefix(".Values.") {
        Some(path) => values::inside(values, path).map_or(Some(String::new()), values::plain),
        None => Some(word.trim_matches('"').to_owned()).filter(|word| !word.starts_with(['.', '$', '('])),
    };
    match words.as_slice() {
        ["not", one] => holds(one, values).map(|known| !known),
        [word @ ("and" | "or"), all @ ..] => {
            // One of them is enough to make it this.
            let decides = *word == "or";
            let known: Vec<Option<bool>> = all.iter().map(|one| holds(one, values)).collect();
            if known.contains(&Some(decides)) {
                Some(decides)
            } else {
                known.into_iter().collect::<Option<Vec<_>>>().map(|_| !decides)
            }
        }
        [word @ ("eq" | "ne"), left, right] => Some((text(left)? == text(right)?) == (*word == "eq")),
        [one] => match one.strip_prefix(".Values.") {
            Some(path) => Some(match values::inside(values, path) {
                None | Some(Value::Null) => false,
                Some(Value::Bool(known)) => *known,
                // The reader of YAML gives its truths as text.
                Some(Value::String(text)) => !matches!(text.as_str(), "" | "false" | "null" | "~"),
                Some(Value::Number(number)) => number.as_f64() != Some(0.0),
                Some(Value::Array(list)) => !list.is_empty(),
                Some(Value::Object(map)) => !map.is_empty(),
            }),
            None => match *one {
                "true" => Some(true),
                "false" => Some(false),
                _ => None,
            },
        },
        _ => None,
    }
}

/// The words with which each container in a value starts, with the folders of its node that it sees: `-v /:/host`. What
/// its image starts is not known.
fn started_by(value: &Value, nodes: &[(&str, &str)], lines: &mut Vec<(Vec<Arg>, String)>) {
    match value {
        Value::Object(map) => {
            let text = |value: &'_ Value, keys: &[&str]| -> Option<String> {
                keys.iter().try_fold(value, |value, key| value.get(key))?.as_str().map(str::to_owned)
            };
            let of_node = map.get("volumes").and_then(Value::as_array).into_iter().flatten();
            let own: Vec<(String, String)> = of_node
                .filter_map(|volume| Some((text(volume, &["name"])?, text(volume, &["hostPath", "path"])?)))
                .collect();
            let own: Vec<(&str, &str)> =
                own.iter().map(|(name, path)| (name.as_str(), path.as_str())).collect();
            let nodes = if own.is_empty() { nodes } else { &own };
            let words = ["command", "args"].into_iter().filter_map(|key| map.get(key)?.as_array()).flatten();
            let words: Vec<Arg> = words.filter_map(Value::as_str).map(Arg::from).collect();
            if map.contains_key("image") && !words.is_empty() && lines.len() < MAX_NAMES {
                let mounts = map.get("volumeMounts").and_then(Value::as_array).into_iter().flatten();
                let mounts = mounts.filter_map(|mount| {
                    let name = text(mount, &["name"])?;
                    let (_, path) = nodes.iter().find(|(own, _)| *own == name)?;
                    Some(format!("{path}:{}", text(mount, &["mountPath"])?))
                });
                let mounts = mounts.flat_map(|mount| [Arg::from("-v"), Arg::from(mount)]).collect();
                lines.push((mounts, quoted(&words)));
            }
            map.values().for_each(|inner| started_by(inner, nodes, lines));
        }
        Value::Array(list) => list.iter().for_each(|inner| started_by(inner, nodes, lines)),
        _ => {}
    }
}
