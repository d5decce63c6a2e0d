//! What runs in containers that files describe: services of compose, a build, a development container, pods.
//! Each becomes the `docker run` that does the same: what it reaches of this machine is seen where that call is followed.

use serde_json::Value;
use shell_engine::text::data;
use shell_engine::{Arg, Loaded, Process};

use super::indented::below;
use super::recipe::{self, Recipe, offset};
use super::{dockerfile, dotenv};
use crate::programs::{QUOTES, container, option, options, quoted};

/// Services of one call.
const MAX_SERVICES: usize = 32;

/// A call of compose: what it asks for.
struct Wanted<'a> {
    /// Options of `run` and `exec`, which are those of `docker run`.
    options: &'a [Arg],
    /// The services that it names.
    names: Vec<&'a str>,
    /// The words of `run` and `exec` after the service.
    command: &'a [Arg],
    /// `exec` starts no entry point.
    executes: bool,
    /// Whether those count that belong to a profile.
    profiles: bool,
}

/// What compose starts, as far as it reaches this machine.
pub(super) fn compose(process: &mut Process<'_>) -> Option<String> {
    build(process);
    let args = process.args();
    let group = process.name.ends_with("-compose") || args.iter().any(|arg| arg.text == "compose");
    let verbs = ["up", "run", "create", "start", "exec", "restart"];
    let verb = args.iter().position(|arg| verbs.contains(&arg.text.as_str()))?;
    if !group {
        return None;
    }
    let rest = &args[verb + 1..];
    let one = matches!(args[verb].text.as_str(), "run" | "exec").then(|| container::operand_of_run(rest));
    let names = rest.iter().map(|arg| arg.text.as_str());
    let wanted = Wanted {
        options: &rest[..one.unwrap_or(0).min(rest.len())],
        names: match one {
            Some(at) => names.skip(at).take(1).collect(),
            None => names.filter(|word| !word.starts_with('-')).collect(),
        },
        command: one.and_then(|at| rest.get(at + 1..)).unwrap_or(&[]),
        executes: args[verb].text == "exec",
        profiles: args.iter().any(|arg| arg.text.starts_with("--profile")),
    };
    let usual = ["compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"];
    let given: Vec<&str> = options(&args[..verb], "-f", "--file").collect();
    let mut scope = process.scope.clone();
    let files: Vec<Loaded> = if given.is_empty() {
        recipe::nearest(process, &mut scope, &usual).into_iter().collect()
    } else {
        given.iter().filter_map(|file| process.runner.look_up(&scope, file)).collect()
    };
    if files.iter().any(|file| file.text.contains('$')) {
        let named: Vec<&str> = options(&args[..verb], "", "--env-file").collect();
        for file in if named.is_empty() { vec![".env"] } else { named } {
            dotenv(process, &mut scope, file);
        }
    }
    for loaded in files {
        let lines = services(&loaded.text, &wanted);
        recipe::run(process, &scope, (&loaded, ""), &lines);
    }
    None
}

/// The services of a compose file that a call starts, each as the `docker run` that does the same.
fn services(text: &str, wanted: &Wanted<'_>) -> Vec<Recipe> {
    let read = data::yaml(text);
    let Some(all) = read.get("services").and_then(Value::as_object) else { return Vec::new() };
    let mut names = wanted.names.clone();
    if names.is_empty() {
        let usual = all.iter().filter(|(_, service)| wanted.profiles || service.get("profiles").is_none());
        names.extend(usual.map(|(name, _)| name.as_str()));
    }
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(name) = names.get(at).copied().filter(|_| at < MAX_SERVICES) {
        at += 1;
        let Some(mut service) = all.get(name).map(|service| extended(all, service)) else { continue };
        bind_named(&mut service, read.get("volumes"));
        let is_own = at == 1 && !wanted.command.is_empty();
        let (options, own) = if is_own { (wanted.options, wanted.command) } else { (&[][..], &[][..]) };
        found
            .push(Recipe { at: place(text, name), text: started(&service, (options, own), wanted.executes) });
        // What it needs is started as well, unless it runs already.
        let needs = match service.get("depends_on").filter(|_| !wanted.executes) {
            Some(Value::Object(needs)) => needs.keys().map(String::as_str).collect(),
            Some(Value::Array(needs)) => needs.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        // As the file's own names, which last longer.
        for need in needs.into_iter().filter_map(|need| all.keys().find(|name| *name == need)) {
            if !names.contains(&need.as_str()) {
                names.push(need);
            }
        }
    }
    found
}

/// Names the folders of this machine that volumes with a name stand for: `driver_opts: { o: bind, device: /srv }`.
fn bind_named(service: &mut Value, volumes: Option<&Value>) {
    let device = |name: &str| volumes?.get(name)?.get("driver_opts")?.get("device")?.as_str();
    let mounted = service.get_mut("volumes").and_then(Value::as_array_mut).into_iter().flatten();
    for volume in mounted {
        if let Some((name, rest)) = volume.as_str().and_then(|volume| volume.split_once(':'))
            && let Some(device) = device(name)
        {
            *volume = Value::from(format!("{device}:{rest}"));
        }
    }
}

/// A service with what it takes over from another one: `extends: other`, `extends: { service: other }`.
fn extended(all: &serde_json::Map<String, Value>, service: &Value) -> Value {
    let base = service.get("extends");
    let base = base.and_then(|base| base.as_str().or_else(|| base.get("service")?.as_str()));
    let Some(base) = base.and_then(|base| all.get(base)?.as_object()) else { return service.clone() };
    let mut merged = base.clone();
    merged.extend(service.as_object().into_iter().flatten().map(|(key, value)| (key.clone(), value.clone())));
    Value::Object(merged)
}

/// Where a service says what it starts.
fn place(text: &str, name: &str) -> usize {
    let head = text.lines().find(|line| {
        line.starts_with([' ', '\t']) && line.trim().trim_end_matches(':').trim_matches(QUOTES) == name
    });
    let head = head.map_or(0, |head| offset(text, head));
    let says = |line: &&str| line.trim().starts_with("command") || line.trim().starts_with("entrypoint");
    below(text, head).find(says).map_or(head, |line| offset(text, line.trim_start()))
}

/// A service as a line with the `docker run` that does the same.
fn started(service: &Value, (options, own): (&[Arg], &[Arg]), executes: bool) -> String {
    let mut line = format!("docker run --rm {}", quoted(options));
    let mut push = |word: &str| {
        line.push(' ');
        line.push_str(&spelled(word));
    };
    if service.get("privileged").is_some_and(|value| value.as_str() == Some("true")) {
        push("--privileged");
    }
    for volume in service.get("volumes").and_then(Value::as_array).into_iter().flatten() {
        let part = |names: &[&str]| names.iter().find_map(|name| volume.get(name)?.as_str());
        let mount = match (volume.as_str(), part(&["source", "src"]), part(&["target", "dst", "destination"]))
        {
            (Some(volume), ..) => volume.to_owned(),
            (None, Some(source), Some(target)) => {
                let mode = if part(&["read_only"]) == Some("true") { ":ro" } else { "" };
                format!("{source}:{target}{mode}")
            }
            _ => continue,
        };
        push("-v");
        push(&mount);
    }
    if let Some(folder) = service.get("working_dir").and_then(Value::as_str) {
        push("-w");
        push(folder);
    }
    let set: Vec<String> = match service.get("environment") {
        Some(Value::Object(set)) => {
            set.iter().filter_map(|(name, value)| Some(format!("{name}={}", value.as_str()?))).collect()
        }
        Some(Value::Array(set)) => set.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    for set in set.iter().filter(|set| set.contains('=')) {
        push("-e");
        push(set);
    }
    // A file, a list of them, or of maps with their paths.
    let files = service.get("env_file");
    let listed = files.and_then(Value::as_array).into_iter().flatten();
    let path = |file: &'_ Value| file.as_str().or_else(|| file.get("path")?.as_str()).map(str::to_owned);
    for file in files.into_iter().chain(listed).filter_map(path).take(MAX_SERVICES) {
        push("--env-file");
        push(&file);
    }
    push("image");
    let keys: &[&str] = match (own.is_empty(), executes) {
        (true, _) => &["entrypoint", "command"],
        (false, false) => &["entrypoint"],
        (false, true) => &[],
    };
    // The words of an entry point stand in front of the command.
    for word in keys.iter().filter_map(|key| service.get(*key)).flat_map(words) {
        push(&word);
    }
    line + " " + &quoted(own)
}

/// A word in which compose fills in variables as a shell does between quotes, with `$$` for a dollar sign.
fn spelled(word: &str) -> String {
    if !word.contains('$') {
        return quoted(&[Arg::from(word)]);
    }
    let mut text = String::from("\"");
    let mut rest = word.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '$' if rest.next_if_eq(&'$').is_some() => text.push_str("\\$"),
            '$' => text.push('$'),
            '"' | '\\' | '`' => text.extend(['\\', c]),
            _ => text.push(c),
        }
    }
    text + "\""
}

/// The words of a command: a list, or a line, which is taken apart as a shell would.
pub(super) fn words(value: &Value) -> Vec<String> {
    match value {
        Value::Array(list) => {
            let word = |word: &Value| word.as_str().map_or_else(|| word.to_string(), str::to_owned);
            list.iter().map(word).collect()
        }
        _ => shell_words(value.as_str().unwrap_or("")),
    }
}

/// A line's words, with its quotes taken away.
fn shell_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (c, quote) {
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, Some(open)) if c == open => quote = None,
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// `docker build -f FILE FOLDER`: what is run on the way reaches at least the network, with what the build is given.
fn build(process: &mut Process<'_>) {
    let args = process.args();
    let mut words = args.iter().map(|arg| arg.text.as_str()).filter(|word| !word.starts_with('-'));
    let verb = words.next();
    let verb = if matches!(verb, Some("buildx" | "image" | "builder")) { words.next() } else { verb };
    if verb != Some("build") {
        return;
    }
    let named = option(args, "-f", "--file").map(str::to_owned);
    let folder = args.last().map_or(".", |arg| arg.text.as_str()).trim_end_matches('/').to_owned();
    let usual = [format!("{folder}/Dockerfile"), format!("{folder}/Containerfile")];
    let files = named.into_iter().chain(usual);
    let secrets: Vec<String> = options(args, "", "--secret").map(str::to_owned).collect();
    let scope = process.scope.clone();
    for file in files.take(2) {
        if let Some(loaded) = process.runner.look_up(&scope, &file) {
            let before = process.runner.analysis.notes.len();
            let mut lines = dockerfile::built(&loaded.text, (&secrets, &folder));
            // Settings that the build does not get are none of its own.
            let ignored = process.runner.look_up(&scope, &format!("{folder}/.dockerignore"));
            let leaves_out = |list: &str| {
                let is = |line: &str| matches!(line.trim().trim_start_matches("**/"), ".env" | ".env*");
                list.lines().any(is) && !list.contains('!')
            };
            if ignored.is_some_and(|list| leaves_out(&list.text)) {
                lines.retain(|line| !line.text.contains("/.env:"));
            }
            recipe::run(process, &scope, (&loaded, ""), &lines);
            // What a build fetches and runs stays in the image.
            let mut number = 0;
            process.runner.analysis.notes.retain(|note| {
                number += 1;
                number <= before || note.kind != shell_engine::NoteKind::RunsRemote
            });
            return;
        }
    }
}

/// The commands of a development container, by when they run: on this machine before there is one, then inside.
const LIFE: [&str; 6] = [
    "initializeCommand",
    "onCreateCommand",
    "updateContentCommand",
    "postCreateCommand",
    "postStartCommand",
    "postAttachCommand",
];

/// What `devcontainer up` runs: on this machine before the container exists, then in it, where it sees the project.
pub(super) fn development(process: &mut Process<'_>) -> Option<String> {
    let args = process.args();
    let verb = args.iter().find(|arg| matches!(arg.text.as_str(), "up" | "build" | "run-user-commands"))?;
    let only_host = verb.text == "build";
    let mut scope = process.scope.clone();
    if let Some(folder) = option(args, "", "--workspace-folder") {
        scope.change_folder(folder);
    }
    let names = [".devcontainer/devcontainer.json", ".devcontainer.json"];
    let loaded = names.iter().find_map(|name| process.runner.look_up(&scope, name))?;
    let plain = super::package::without_comments(&loaded.text);
    let read: Value = serde_json::from_str(&plain).ok()?;
    let name = scope.cwd.rsplit('/').next().unwrap_or("").to_owned();
    let text = |key: &str| read.get(key).and_then(Value::as_str);
    let inside = text("workspaceFolder").map_or_else(|| format!("/workspaces/{name}"), str::to_owned);
    let fill = |text: &str| {
        let text = text.replace("${localWorkspaceFolderBasename}", &name);
        let text = text.replace("${localWorkspaceFolder}", &scope.cwd);
        text.replace("${containerWorkspaceFolder}", &inside).replace("${localEnv:", "${")
    };
    let mut start = String::from("docker run --rm");
    let shared = text("workspaceMount")
        .map_or_else(|| format!("type=bind,source={},target={inside}", scope.cwd), fill);
    let mounts = read.get("mounts").and_then(Value::as_array).into_iter().flatten().filter_map(|mount| {
        let part = |name: &str| mount.get(name).and_then(Value::as_str);
        let of_parts = || Some(format!("source={},target={}", part("source")?, part("target")?));
        mount.as_str().map(str::to_owned).or_else(of_parts)
    });
    for mount in std::iter::once(shared).chain(mounts.map(|mount| fill(&mount))) {
        start = start + " --mount " + &spelled(&mount);
    }
    start = start + " -w " + &spelled(&fill(&inside)) + " image";
    let mut lines = Vec::new();
    for key in LIFE.iter().take(if only_host { 1 } else { LIFE.len() }) {
        for (value, line) in read.get(key).into_iter().flat_map(commands) {
            let line = fill(&line);
            let at = loaded.text.find(&format!("\"{key}\"")).unwrap_or(0);
            let at = loaded.text[at..].find(value).map_or(at, |more| at + more);
            let inside = || format!("{start} sh -c {}", quoted(&[Arg::from(line.as_str())]));
            lines.push(Recipe { at, text: if *key == LIFE[0] { line.clone() } else { inside() } });
        }
    }
    recipe::run(process, &scope, (&loaded, ""), &lines).then(String::new)
}

/// The lines of a command: a line, a list of words, or several of them with names. Each with what it begins with.
fn commands(value: &Value) -> Vec<(&str, String)> {
    match value {
        Value::String(line) => vec![(line, line.clone())],
        Value::Array(list) => {
            let first = list.first().and_then(Value::as_str).unwrap_or("");
            let words: Vec<Arg> = list.iter().filter_map(Value::as_str).map(Arg::from).collect();
            vec![(first, quoted(&words))]
        }
        Value::Object(named) => {
            named.values().filter(|value| !value.is_object()).flat_map(commands).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let wanted =
            Wanted { options: &[], names: Vec::new(), command: &[], executes: false, profiles: false };
        services(text, &wanted).into_iter().map(|service| service.text.replace('\'', "")).collect()
    }

    #[test]
    fn a_service_is_a_docker_run() {
        let text = "services:\n  db:\n    image: y\n    command: [\"a\", \"b\"]\n  web:\n    image: x\n    volumes:\n      - /:/host\n    command: sh -c 'rm -rf /host'\nvolumes:\n  x:\n";
        let expected =
            ["docker run --rm  image a b ", "docker run --rm  -v /:/host image sh -c rm -rf /host "];
        assert_eq!(texts(text), expected);
    }

    #[test]
    fn a_dollar_sign_of_compose_is_one_between_quotes() {
        assert_eq!(spelled("${HOME}:/h"), "\"${HOME}:/h\"");
        assert_eq!(spelled("echo \"$$x\""), "\"echo \\\"\\$x\\\"\"");
    }
}
