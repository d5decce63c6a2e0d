//! Runners of tests and tasks that keep their commands in files of their own: tox, nox, gulp, grunt.

use std::ops::Range;

use shell_engine::{Atom, Loaded, Process, Scope, Span, mark};

use super::indented::{below, indent};
use super::recipe::{self, Recipe, offset};
use super::{names, only_shows};
use crate::programs::{QUOTES, options};

/// `tox -e NAME`: the commands of its environments, by default those that `envlist` names.
pub(super) fn tox(process: &mut Process<'_>) -> Option<String> {
    let words = names(process);
    let shows = ["list", "l", "config", "c", "devenv", "quickstart"];
    if words.first().is_some_and(|word| shows.contains(word))
        || only_shows(process, &["-l", "--listenvs", "--showconfig", "--notest"])
    {
        return None;
    }
    let mut scope = process.scope.clone();
    let loaded = recipe::nearest(process, &mut scope, &["tox.ini"])?;
    let text = &*loaded.text;
    let named: Vec<&str> = options(process.args(), "-e", "").collect();
    let lists: Vec<&str> = if named.is_empty() {
        let keys = ["envlist", "env_list"];
        keys.iter().flat_map(|key| values(text, "tox", key)).map(|(_, value)| value).collect()
    } else {
        named
    };
    let environments: Vec<&str> = lists
        .iter()
        .flat_map(|list| list.split(|c: char| c == ',' || c.is_whitespace()))
        .filter(|environment| !environment.is_empty())
        .collect();
    let mut recipes = Vec::new();
    for environment in environments.into_iter().take(MAX_NAMES) {
        let section = format!("testenv:{environment}");
        for key in ["commands_pre", "commands", "commands_post"] {
            let own = values(text, &section, key);
            // What an environment does not say itself, all of them have in common.
            let found = if own.is_empty() { values(text, "testenv", key) } else { own };
            for (at, line) in found {
                // `{[testenv:other]commands}`: the lines that stand there.
                let other = line.strip_prefix("{[").and_then(|rest| rest.strip_suffix('}')?.split_once(']'));
                let lines =
                    other.map_or_else(|| vec![(at, line)], |(section, key)| values(text, section, key));
                recipes.extend(lines.into_iter().map(|(at, line)| Recipe { at, text: filled(line, text) }));
            }
        }
    }
    // What only the call's own words fill, or a program that no one knows.
    recipes.retain(|recipe| !recipe.text.trim().is_empty() && !recipe.text.starts_with(mark::TOKEN));
    recipes.dedup();
    recipe::run(process, &scope, (&loaded, "tox"), &recipes).then(String::new)
}

/// Environments, sessions or tasks of one call.
pub(super) const MAX_NAMES: usize = 16;

/// The lines that stand under a key of a section, each with its place; one that a backslash continues is one.
fn values<'t>(text: &'t str, section: &str, key: &str) -> Vec<(usize, &'t str)> {
    let header =
        |line: &str| line.trim().strip_prefix('[')?.strip_suffix(']').map(str::trim).map(str::to_owned);
    let body = text.lines().skip_while(|line| header(line).as_deref() != Some(section)).skip(1);
    let mut body = body.take_while(|line| header(line).is_none());
    let Some((head, value)) = body.find_map(|line| {
        let (own, value) = line.split_once('=').filter(|_| indent(line) == 0)?;
        (own.trim() == key).then_some((line, value.trim()))
    }) else {
        return Vec::new();
    };
    let lines = below(text, offset(text, head)).map(str::trim);
    let lines = std::iter::once(value).chain(lines).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut found: Vec<(usize, &str)> = Vec::new();
    for line in lines {
        match found.last_mut() {
            Some((at, before)) if before.ends_with('\\') => {
                *before = text.get(*at..offset(text, line) + line.len()).unwrap_or(before);
            }
            _ => found.push((offset(text, line), line)),
        }
    }
    found
}

/// A line with its `{substitutions}`, a token for each that is not known, without the sign that its failure does not
/// matter.
fn filled(line: &str, text: &str) -> String {
    let mut filled = String::new();
    let mut rest = line.trim_start_matches(['-', '!', ' ']);
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        match name.strip_prefix("posargs") {
            // What stands there unless the call says something else.
            Some(usual) => filled.push_str(usual.trim_start_matches(':')),
            None if name == "envpython" => filled.push_str("python3"),
            None if name == "toxinidir" => filled.push('.'),
            // `{env:HOME}`, `{[section]key}`
            None if let Some(variable) = name.strip_prefix("env:") => {
                filled.extend(["${", &variable.replacen(':', ":-", 1), "}"]);
            }
            None if let Some((section, key)) =
                name.strip_prefix('[').and_then(|name| name.split_once(']')) =>
            {
                let lines = values(text, section, key).into_iter().map(|(_, line)| self::filled(line, ""));
                filled.push_str(&lines.collect::<Vec<_>>().join(" "));
            }
            None => filled.push(mark::TOKEN),
        }
        rest = after;
    }
    filled + rest
}

/// What nox hands to a session, as Python that does the same.
const SESSION: &str = "
import subprocess as _s
class _Session:
    def run(self, *words, **options):
        _s.run(list(words))
    run_always = run
    run_install = run
";

/// What invoke and fabric hand to a task. Without a host to connect to, fabric's lines run here.
const CONTEXT: &str = "
import os as _o
class _Context:
    def run(self, line, **options):
        _o.system(line)
    def sudo(self, line, **options):
        _o.system('sudo ' + line)
    def local(self, line, **options):
        _o.system(line)
";

/// `nox -s NAME`: the sessions of a noxfile, by default those that it lists, or all.
pub(super) fn nox(process: &mut Process<'_>) -> Option<String> {
    if only_shows(process, &["-l", "--list", "--list-sessions", "--version", "-h", "--help"]) {
        return None;
    }
    let mut scope = process.scope.clone();
    let loaded = recipe::nearest(process, &mut scope, &["noxfile.py"])?;
    let text = &*loaded.text;
    let args = process.args();
    let given =
        args.iter().position(|arg| matches!(arg.text.as_str(), "-s" | "--session" | "--sessions" | "-e"));
    let listed = || {
        let list =
            text.split_once("options.sessions").map_or("", |(_, rest)| rest.lines().next().unwrap_or(""));
        strings(list).into_iter().map(|(_, name)| name).collect()
    };
    let mut wanted: Vec<&str> = given.map_or_else(listed, |at| {
        let words = args[at + 1..].iter().map(|arg| arg.text.as_str());
        words.take_while(|word| !word.starts_with('-')).collect()
    });
    if !wanted.is_empty() {
        // `session.notify("lint")`
        wanted.extend(text.split(".notify(").skip(1).filter_map(|rest| Some(strings(rest).first()?.1)));
    }
    // `tests-3.12`, `tests(old)`: with what it is called.
    let is_meant = |name: &str| {
        let same = |word: &&str| {
            word.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '(']))
        };
        wanted.is_empty() || wanted.iter().any(same)
    };
    let sessions = sessions(text).into_iter().filter(|(name, _)| is_meant(name)).take(MAX_NAMES);
    let calls: Vec<(&str, String)> =
        sessions.map(|(_, function)| (function, format!("{function}(_Session())\n"))).collect();
    called(process, &scope, (&loaded, SESSION), &calls)
}

/// Follows a file of Python, and then calls of its functions with what a tool hands to them.
fn called(
    process: &mut Process<'_>,
    scope: &Scope,
    (loaded, given): (&Loaded, &str),
    calls: &[(&str, String)],
) -> Option<String> {
    let meant: Vec<&str> = calls.iter().map(|(name, _)| *name).collect();
    let calls: String = calls.iter().map(|(_, call)| call.as_str()).collect();
    // After the text, so that places in it stay what they are.
    let code = format!("{}\n{given}{calls}", with_functions(&loaded.text, "def ", &meant));
    let before = process.runner.analysis.atoms.len();
    recipe::code(process, scope, (loaded, &calls), ("python3", &code, 0));
    // What the tool's own code starts stands where the file says it: in the line that has most of its words.
    let words_in = |line: &str, atom: &Atom| atom.args.iter().filter(|arg| line.contains(&arg.text)).count();
    let text = &*loaded.text;
    for atom in &mut process.runner.analysis.atoms[before..] {
        if atom.file == loaded.file && atom.span.start as usize >= text.len() {
            let line = text.lines().rev().max_by_key(|line| words_in(line, atom)).unwrap_or(text);
            let at = offset(text, line.trim_start());
            atom.span = Span::new(at, at);
        }
    }
    (!calls.is_empty()).then(String::new)
}

/// The sessions of a noxfile: their names, and those of their functions.
fn sessions(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut name = None;
    for line in text.lines() {
        if let Some(decorator) = line.strip_prefix('@') {
            let is_session = decorator.split('(').next().is_some_and(|path| path.ends_with("session"));
            let given = decorator.split_once("name=").and_then(|(_, rest)| strings(rest).into_iter().next());
            name = if is_session { Some(given.map(|(_, name)| name)) } else { name };
        } else if let Some(function) = line.strip_prefix("def ").and_then(|rest| rest.split('(').next()) {
            found.extend(name.take().map(|name| (name.unwrap_or(function), function)));
        }
    }
    found
}

/// `invoke NAME`, `fab NAME`: the tasks of a file of Python.
pub(super) fn invoke(process: &mut Process<'_>) -> Option<String> {
    if only_shows(process, &["-l", "--list", "-h", "--help", "-V", "--version", "-R", "--dry"]) {
        return None;
    }
    let mut scope = process.scope.clone();
    let files: &[&str] = if process.name == "fab" {
        &["fabfile.py", "fabfile/__init__.py"]
    } else {
        &["tasks.py", "tasks/__init__.py"]
    };
    let mut loaded = recipe::nearest(process, &mut scope, files)?;
    // `clean-all` is the function `clean_all`; `docs.build` that of a collection, or of another file.
    let wanted: Vec<String> = names(process).iter().map(|name| name.replace('-', "_")).collect();
    let parts = wanted.first().and_then(|name| name.rsplit_once('.'));
    if let Some((collection, function)) =
        parts.filter(|(_, name)| !loaded.text.contains(&format!("def {name}(")))
    {
        let module = collection.replace('.', "/");
        let files = [format!("{module}.py"), format!("tasks/{module}.py")];
        let found = files.iter().find_map(|file| process.runner.look_up(&scope, file));
        loaded = found.filter(|found| found.text.contains(&format!("def {function}("))).unwrap_or(loaded);
    }
    // A task of another file of the package: `from . import workstation`.
    if let Some(function) = wanted.first().filter(|name| !loaded.text.contains(&format!("def {name}("))) {
        let imports = loaded.text.lines().filter_map(|line| line.trim().strip_prefix("from ."));
        let words =
            imports.flat_map(|line| line.split(|c: char| !is_name(c))).filter(|word| !word.is_empty());
        let mut files =
            words.flat_map(|word| ["", "tasks/", "fabfile/"].map(|folder| format!("{folder}{word}.py")));
        let holds = |found: &Loaded| found.text.contains(&format!("def {function}("));
        let found = files.find_map(|file| process.runner.look_up(&scope, &file).filter(holds));
        loaded = found.unwrap_or(loaded);
    }
    let text = &*loaded.text;
    let wanted: Vec<&str> = wanted.iter().map(|name| name.rsplit('.').next().unwrap_or(name)).collect();
    let mut meant: Vec<&str> = wanted.clone();
    let mut at = 0;
    while let Some(&name) = meant.get(at).filter(|_| at < MAX_NAMES) {
        let more: Vec<&str> = around(text, name).into_iter().filter(|name| !meant.contains(name)).collect();
        meant.extend(more);
        at += 1;
    }
    let is_there = |name: &&&str| text.contains(&format!("def {name}("));
    // `inv teardown --env staging`
    let words = process.args().iter().map(|arg| arg.text.as_str()).collect::<Vec<_>>();
    let given = words.windows(2).filter_map(|pair| {
        let name = pair[0].strip_prefix("--").filter(|name| name.chars().all(is_name))?;
        (!pair[1].starts_with('-')).then(|| format!(", {name}={:?}", pair[1]))
    });
    let glued = words.iter().filter_map(|word| word.strip_prefix("--")?.split_once('='));
    let glued = glued.map(|(name, value)| format!(", {}={value:?}", name.replace('-', "_")));
    // `--yes` alone sets what is false without it, `--no-yes` the other way.
    let head = meant.first().and_then(|name| text.split_once(&format!("def {name}("))?.1.split_once("):"));
    let usual = |name: &str| {
        let (_, value) = head?.0.split_once(&format!("{name}="))?;
        Some(value.split([',', ')']).next().unwrap_or(value).trim())
    };
    let set = |name: &str, value: bool| {
        let flag = format!("--{}", name.replace('_', "-"));
        let opposite = format!("--no-{}", name.replace('_', "-"));
        if value { !words.contains(&opposite.as_str()) } else { words.contains(&flag.as_str()) }
    };
    let parameters = head.map_or("", |(parameters, _)| parameters).split(',');
    let parameters =
        parameters.filter_map(|one| one.split_once('=')).map(|(name, value)| (name.trim(), value.trim()));
    let flags: Vec<(&str, bool)> = parameters
        .filter(|(_, value)| matches!(*value, "True" | "False"))
        .map(|(name, value)| (name, set(name, value == "True")))
        .collect();
    let undone = meant.first().map_or_else(Vec::new, |name| not_done(text, &format!("def {name}("), &flags));
    let switches = words.iter().filter_map(|word| {
        let name = word.strip_prefix("--")?.replace('-', "_");
        let off = name.strip_prefix("no_").filter(|name| usual(name) == Some("True"));
        match (usual(&name), off) {
            (Some("False"), _) => Some(format!(", {name}=True")),
            (_, Some(name)) => Some(format!(", {name}=False")),
            _ => None,
        }
    });
    let given: String = given.chain(glued).chain(switches).collect();
    let calls = meant.iter().filter(is_there).take(MAX_NAMES).enumerate().map(|(at, name)| {
        let given = if at == 0 { given.as_str() } else { "" };
        (*name, format!("{name}(_Context(){given})\n"))
    });
    let calls: Vec<(&str, String)> = calls.collect();
    let loaded = Loaded { text: blanked(text, undone.into_iter()).into(), file: loaded.file };
    // What the tasks are configured with: `c.config.db.host`, `c.db.host`.
    let settings = ["invoke.yaml", "invoke.yml", "fabric.yaml"];
    let settings = settings.into_iter().find_map(|file| Some((file, process.runner.look_up(&scope, file)?)));
    let context = settings.map_or_else(
        || CONTEXT.to_owned(),
        |(file, loaded)| {
            let keys = loaded.text.lines().filter_map(|line| line.split_once(':').map(|(key, _)| key));
            let keys = keys
                .filter(|key| !key.is_empty() && key.chars().all(is_name) && !matches!(*key, "run" | "sudo"));
            let fields: String = keys.map(|key| format!("    {key} = _settings['{key}']\n")).collect();
            let read = format!("\nimport yaml as _y\n_settings = _y.safe_load(open('{file}'))\n");
            format!("{read}{CONTEXT}    config = _settings\n{fields}")
        },
    );
    called(process, &scope, (&loaded, &context), &calls)
}

/// What a function of Python's does not do for these flags: `if not yes:` with `return` below it ends it where that is false.
fn not_done(text: &str, head: &str, flags: &[(&str, bool)]) -> Vec<Range<usize>> {
    let Some(line) = text.lines().find(|line| line.starts_with(head)) else { return Vec::new() };
    let body: Vec<&str> = below(text, offset(text, line)).collect();
    let end = body.last().map_or(0, |last| offset(text, last) + last.len());
    let mut found = Vec::new();
    for line in body {
        let asked = line.trim().strip_prefix("if ").and_then(|rest| rest.strip_suffix(':'));
        let Some(asked) = asked else { continue };
        let (negated, name) = asked.strip_prefix("not ").map_or((false, asked), |name| (true, name));
        let Some((_, value)) = flags.iter().find(|(own, _)| *own == name) else { continue };
        let block: Vec<&str> = below(text, offset(text, line)).collect();
        let Some(last) = block.iter().rev().find(|line| !line.trim().is_empty()) else { continue };
        let after = offset(text, last) + last.len();
        if *value == negated {
            found.push(offset(text, line) + line.len()..after);
            // A block needs a statement.
            continue;
        }
        let leaves = ["return", "raise", "sys.exit", "exit("];
        if leaves.iter().any(|word| last.trim_start().starts_with(word)) && after < end {
            found.push(after..end);
        }
    }
    found
}

/// The tasks that run before and after one: `@task(pre=[wipe], post=[call(tidy)])`.
fn around<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let Some((before, _)) = text.split_once(&format!("\ndef {name}(")) else { return Vec::new() };
    // The decorator may go over several lines.
    let decorator = before.rfind("\n@").map_or(before, |at| &before[at..]);
    let lists = ["pre=[", "post=["].into_iter().filter_map(|head| decorator.split_once(head));
    lists.flat_map(|(_, list)| list.split(']').next().unwrap_or(list).split(|c| !is_name(c))).collect()
}

/// The name after the word that declares a function; `func (DB) Wipe()` of Go's says first what it belongs to.
pub(super) fn declared(rest: &str) -> &str {
    let receiver = rest.strip_prefix('(').and_then(|rest| rest.split_once(") "));
    let rest = receiver.map_or(rest, |(_, rest)| rest);
    rest.split(|c| !is_name(c)).next().unwrap_or("")
}

/// Whether a name of Python or JavaScript may hold this.
pub(super) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// The plain strings in a piece of code, each with its place in it.
pub(super) fn strings(code: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find(QUOTES) {
        let quote = rest.as_bytes()[at] as char;
        let body = &rest[at + 1..];
        let end = body.find(quote).unwrap_or(body.len());
        found.push((offset(code, body), &body[..end]));
        rest = body.get(end + 1..).unwrap_or("");
    }
    found
}

/// The parts of a list between its commas.
pub(in crate::programs) fn parts(list: &str) -> Vec<&str> {
    split(list, ',')
}

/// What stands between signs outside of strings and brackets.
pub(in crate::programs) fn split(text: &str, sign: char) -> Vec<&str> {
    let mut start = 0;
    let mut found: Vec<&str> = outside(text, sign)
        .map(|at| {
            let piece = &text[start..at];
            start = at + sign.len_utf8();
            piece
        })
        .collect();
    found.push(&text[start..]);
    found
}

/// What stands before the first such sign, and after it.
pub(in crate::programs) fn split_once(text: &str, sign: char) -> Option<(&str, &str)> {
    let at = outside(text, sign).next()?;
    Some((&text[..at], &text[at + sign.len_utf8()..]))
}

/// Where a sign stands outside of strings and brackets.
fn outside(text: &str, sign: char) -> impl Iterator<Item = usize> {
    let (mut depth, mut quote) = (0_u32, None);
    text.char_indices().filter_map(move |(at, c)| {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            (_, Some(_)) => {}
            (c, None) if c == sign && depth == 0 => return Some(at),
            ('"' | '\'' | '`', None) => quote = Some(c),
            ('(' | '[' | '{', None) => depth += 1,
            (')' | ']' | '}', None) => depth = depth.saturating_sub(1),
            _ => {}
        }
        None
    })
}

/// Where the bracket closes that was opened before this piece.
pub(in crate::programs) fn closing(code: &str, (open, close): (char, char)) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, c) in code.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            match depth.checked_sub(1) {
                Some(outer) => depth = outer,
                None => return Some(at),
            }
        }
    }
    None
}

/// `gulp NAME`: the function that a gulpfile exports, and those that it names.
pub(super) fn gulp(process: &mut Process<'_>) -> Option<String> {
    if only_shows(
        process,
        &["-T", "--tasks", "--tasks-simple", "--tasks-json", "-v", "--version", "-h", "--help"],
    ) {
        return None;
    }
    let mut scope = process.scope.clone();
    let loaded = recipe::nearest(
        process,
        &mut scope,
        &["gulpfile.js", "gulpfile.mjs", "gulpfile.cjs", "gulpfile.ts"],
    )?;
    let text = &*loaded.text;
    let mut wanted = names(process);
    if wanted.is_empty() {
        wanted.push("default");
    }
    // Each may name others: `exports.all = series(exports.clean, build)`.
    let mut meant = wanted;
    let mut at = 0;
    while let Some(&name) = meant.get(at).filter(|_| at < MAX_NAMES) {
        at += 1;
        // `exports.wipe = series(build, wipe);`, `export const wipe = …`, `gulp.task("wipe", …)`
        let heads = [
            format!("exports.{name} ="),
            format!("export const {name} ="),
            format!("task(\"{name}\","),
            format!("task('{name}',"),
        ];
        let values = heads.iter().filter_map(|head| text.split_once(head.as_str()));
        let named = values.map(|(_, rest)| rest.split([';', '\n']).next().unwrap_or(""));
        let words: Vec<&str> = named.flat_map(|value| value.split(|c| !is_name(c))).collect();
        for word in words.into_iter().filter(|word| !word.is_empty()) {
            if !meant.contains(&word) {
                meant.push(word);
            }
        }
    }
    follow(process, &loaded, ("node", "function ", &meant));
    Some(String::new())
}

/// `grunt NAME`, `jake NAME`: the body of the task with this name.
pub(super) fn grunt(process: &mut Process<'_>) -> Option<String> {
    let mut scope = process.scope.clone();
    let (files, declares): (&[&str], &str) = match process.name {
        "jake" => (&["Jakefile", "Jakefile.js", "jakefile.js"], "task"),
        _ => (&["Gruntfile.js", "gruntfile.js", "Gruntfile.cjs"], "registerTask"),
    };
    let loaded = recipe::nearest(process, &mut scope, files)?;
    let text = &*loaded.text;
    let mut meant = names(process);
    if meant.is_empty() {
        meant.push("default");
    }
    // Each declaration, `registerTask("wipe", ["clean"], () => {`, with its name and what stands in its brackets.
    let head = format!("{declares}(");
    let tasks = text.match_indices(&head).filter_map(|(at, head)| {
        let start = at + head.len();
        let end = start + closing(&text[start..], ('(', ')'))?;
        let (_, name) = *strings(text[start..end].split(',').next()?).first()?;
        Some((name, start..end))
    });
    let tasks: Vec<(&str, Range<usize>)> = tasks.collect();
    let mut at = 0;
    while let Some(&name) = meant.get(at).filter(|_| at < MAX_NAMES) {
        at += 1;
        for (_, task) in tasks.iter().filter(|(own, _)| *own == name) {
            // Names of others stand in front of its own code.
            let before = text[task.clone()].split(['{', '>']).next().unwrap_or("");
            meant.extend(strings(before).into_iter().map(|(_, other)| other).filter(|other| *other != name));
        }
    }
    let others = tasks.into_iter().filter(|(name, _)| !meant.contains(name));
    let code = blanked(text, others.map(|(_, task)| task));
    let known = Loaded { text: code.into(), file: loaded.file };
    follow(process, &known, ("node", "function ", &meant));
    if process.name == "grunt" {
        super::grunt::plugins(process, &scope, &loaded, &meant);
    }
    Some(String::new())
}

/// What Gradle's own tasks come after, as far as plugins let a script hang something on them.
const LIFE_OF_GRADLE: [(&str, &[&str]); 9] = [
    ("build", &["assemble", "check"]),
    ("assemble", &["jar", "classes"]),
    ("check", &["test"]),
    ("test", &["classes", "testClasses"]),
    ("testClasses", &["compileTestJava", "compileTestKotlin"]),
    ("jar", &["classes"]),
    ("run", &["classes"]),
    ("bootRun", &["classes"]),
    ("classes", &["compileJava", "compileKotlin", "processResources"]),
];

/// The tasks that a call of Gradle's runs: those that it names, those that they depend on, and those that finish them.
pub(super) fn tasks_of_gradle<'t>(text: &'t str, wanted: &[&'t str]) -> Vec<&'t str> {
    let mut meant = wanted.to_vec();
    if meant.is_empty() {
        let usual = text.lines().filter(|line| line.trim_start().starts_with("defaultTasks"));
        meant.extend(usual.flat_map(strings).map(|(_, name)| name));
    }
    let tasks: Vec<(&str, Range<usize>)> =
        text.lines().filter_map(|line| Some((task_of_gradle(line)?, block_of(text, line)))).collect();
    let mut at = 0;
    while let Some(&name) = meant.get(at).filter(|_| at < MAX_NAMES) {
        at += 1;
        let own = LIFE_OF_GRADLE.iter().find(|(task, _)| *task == name);
        let mut needed = own.map_or(&[] as &[&str], |(_, own)| own).to_vec();
        for (_, block) in tasks.iter().filter(|(own, _)| *own == name) {
            let head = text[..block.start].rfind('\n').map_or(0, |at| at + 1);
            let piece = text.get(head..block.end).unwrap_or("");
            needed.extend(piece.lines().flat_map(tasks_after));
        }
        let about = text.lines().filter(|line| line.trim_start().starts_with(&format!("{name}.")));
        needed.extend(about.flat_map(tasks_after));
        needed.retain(|name| !meant.contains(name));
        meant.extend(needed);
    }
    meant
}

/// A script of Gradle's with blanks in the place of the tasks that a call does not run.
pub(super) fn run_by_gradle(text: &str, meant: &[&str]) -> String {
    let tasks = text.lines().filter_map(|line| Some((task_of_gradle(line)?, block_of(text, line))));
    blanked(text, tasks.filter(|(name, _)| !meant.contains(name)).map(|(_, block)| block))
}

/// What stands in the braces after a head, which may open on the next line.
pub(super) fn block_of(text: &str, head: &str) -> Range<usize> {
    let start = offset(text, head);
    let rest = &text[start..];
    let open = rest.find('{').filter(|&open| rest[..open].trim_end().lines().count() < 2);
    let Some(open) = open else { return start + head.len()..start + head.len() };
    let body = &rest[open + 1..];
    let end = closing(body, ('{', '}')).unwrap_or(body.len());
    start + open + 1..start + open + 1 + end
}

/// The task that a line of Gradle's declares or changes: `task wipe(type: Delete) {`, `tasks.register<Exec>("wipe") {`,
/// `val wipe by tasks.registering {`, `clean {`.
fn task_of_gradle(line: &str) -> Option<&str> {
    const OWN: [&str; 8] = ["clean", "test", "jar", "build", "check", "assemble", "javadoc", "run"];
    let line = line.trim_start();
    if let Some((before, rest)) = line.split_once("tasks.") {
        if let Some(name) = before.trim().strip_prefix("val ").filter(|_| rest.starts_with("regist")) {
            return name.split(|c| !is_name(c)).next();
        }
        let declares = ["register", "create", "named", "getByName"];
        declares.iter().find(|word| rest.starts_with(**word))?;
        let (_, given) = *strings(rest.split('{').next().unwrap_or(rest)).first()?;
        return Some(given);
    }
    let name = line.strip_prefix("task ").map_or(line, |rest| rest.trim_start_matches(['(', '"', '\'']));
    let name = name.split(|c| !is_name(c) && c != '-').next()?;
    (line.starts_with("task ") || OWN.contains(&name) && line.ends_with('{')).then_some(name)
}

/// The tasks that a line makes another one depend on, or be finished by.
fn tasks_after(line: &str) -> Vec<&str> {
    let after = ["dependsOn", "finalizedBy"].iter().filter_map(|word| line.split_once(word));
    let after = after.map(|(_, rest)| rest.split('{').next().unwrap_or(rest));
    after.flat_map(|rest| rest.split(|c| !is_name(c) && c != '-')).filter(|name| !name.is_empty()).collect()
}

/// Follows a file of code without those of its functions that have nothing to do with what is meant.
pub(super) fn follow(
    process: &mut Process<'_>,
    loaded: &Loaded,
    (interpreter, keyword, meant): (&str, &str, &[&str]),
) {
    let code = with_functions(&loaded.text, keyword, meant);
    let mut inner = process.scope.clone();
    let Some(opened) = process.runner.open_file(&mut inner, (loaded.file, &meant.join(" "))) else { return };
    shell_interpreters::run_body(&mut process.elsewhere(&mut inner), interpreter, &code);
    process.runner.close_file(&mut inner, &opened);
}

/// Code with blanks in the place of functions that neither are meant nor named by those that are, nor called where the
/// file is read.
fn with_functions(text: &str, keyword: &str, meant: &[&str]) -> String {
    let functions = text.lines().filter_map(|line| {
        let bare = line.strip_prefix("export ").unwrap_or(line);
        let plain = bare.strip_prefix("async ").unwrap_or(bare).strip_prefix(keyword);
        let rest = plain.or_else(|| arrow(bare).filter(|_| keyword == "function "))?;
        let start = offset(text, line);
        let end =
            below(text, start).last().map_or(start + line.len(), |last| offset(text, last) + last.len());
        Some((declared(rest), start..end))
    });
    let functions: Vec<(&str, Range<usize>)> = functions.collect();
    let mut outside = blanked(text, functions.iter().map(|(_, body)| body.clone()));
    outside.retain(|c| c != ' ');
    let is_called = |name: &str| {
        outside.match_indices(&format!("{name}(")).any(|(at, _)| !outside[..at].ends_with(is_name))
    };
    let (mut kept, mut left): (Vec<_>, Vec<_>) =
        functions.into_iter().partition(|(name, _)| meant.contains(name) || is_called(name));
    let mut at = 0;
    while let Some((_, body)) = kept.get(at).cloned() {
        let words: Vec<&str> = text.get(body).unwrap_or("").split(|c| !is_name(c)).collect();
        kept.extend(left.extract_if(.., |(name, _)| words.contains(name)));
        at += 1;
    }
    blanked(text, left.into_iter().map(|(_, body)| body))
}

/// The name of a function that is assigned: `exports.clean = cb => …`, `const clean = async () => {`, and what follows it.
fn arrow(line: &str) -> Option<&str> {
    let heads = ["exports.", "module.exports.", "const ", "let ", "var "];
    let rest = heads.iter().find_map(|head| line.strip_prefix(head))?;
    let value = rest.trim_start_matches(is_name).trim_start().strip_prefix('=')?;
    (value.contains("=>") || value.trim_start().starts_with("function")).then_some(rest)
}

/// A text with blanks in the place of these pieces.
pub(super) fn blanked(text: &str, pieces: impl Iterator<Item = Range<usize>>) -> String {
    let mut code = text.as_bytes().to_vec();
    for piece in pieces {
        code[piece].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
    String::from_utf8(code).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_key_are_commands() {
        let text = "[tox]\nenvlist = a, b\n[testenv:a]\ncommands =\n    x {posargs}\n    # no\n    - y \\\n      z\nother = 1\n";
        let lines: Vec<&str> =
            values(text, "testenv:a", "commands").into_iter().map(|(_, line)| line).collect();
        assert_eq!(lines, ["x {posargs}", "- y \\\n      z"]);
        assert_eq!(values(text, "tox", "envlist")[0].1, "a, b");
        assert!(values(text, "testenv", "commands").is_empty());
        assert_eq!(filled("- y {x}/z", text), format!("y {}/z", mark::TOKEN));
    }

    #[test]
    fn functions_that_no_one_means_are_blanks() {
        let text = "x = 1\ndef a():\n    b()\n\ndef b():\n    pass\ndef c():\n    pass\ny = 2\n";
        let code = with_functions(text, "def ", &["a"]);
        assert_eq!(code.len(), text.len());
        assert!(code.contains("def b") && !code.contains("def c") && code.ends_with("y = 2\n"), "{code}");
    }

    #[test]
    fn sessions_have_names() {
        let text = "@nox.session(name=\"wipe-all\", python=[\"3\"])
@nox.parametrize('a', [1])
def wipe(session, a):
    pass

def no():
    pass
";
        assert_eq!(sessions(text), [("wipe-all", "wipe")]);
    }
}
