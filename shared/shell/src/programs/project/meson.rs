//! `meson`: the lines that a project's own files run while it is set up, and those of the targets, tests and scripts of an
//! installation that a call asks for.

use shell_engine::{Arg, Loaded, Process, Scope, mark, path};

use super::names;
use super::recipe::{self, Recipe, offset};
use super::testers::{MAX_NAMES, closing, parts, split, strings};
use crate::programs::quoted;

/// Values inside of values.
const MAX_VALUES: usize = 8;

/// What calls of Meson's own run, and when: with a name, where that is asked for.
const CALLS: [(&str, When); 8] = [
    ("run_command", When::SetUp),
    ("add_postconf_script", When::SetUp),
    ("run_target", When::Named),
    ("custom_target", When::Built),
    ("test", When::Tested),
    ("benchmark", When::Tested),
    ("add_install_script", When::Installed),
    ("add_dist_script", When::Packed),
];

/// Sub-commands that only change or show settings.
const SHOWS: [&str; 11] = [
    "configure",
    "introspect",
    "init",
    "help",
    "rewrite",
    "subprojects",
    "wrap",
    "format",
    "devenv",
    "env2mfile",
    "convert",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    SetUp,
    Named,
    Built,
    Tested,
    Installed,
    Packed,
}

/// A file of a project: its folder, seen from the root, and what its names stand for.
struct Project<'t> {
    text: &'t str,
    /// The folders of the file, of the whole project, and in which it builds.
    folders: [&'t str; 3],
}

/// Runs what `meson compile NAME`, `meson setup build` and their like do.
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let words = names(process);
    let verb = words.first().copied().unwrap_or("");
    let shows = |arg: &Arg| matches!(arg.text.as_str(), "--help" | "-h" | "--version" | "-v" | "--list");
    if SHOWS.contains(&verb) || process.args().iter().any(shows) {
        return None;
    }
    let when = match verb {
        "compile" => When::Built,
        "test" => When::Tested,
        "install" => When::Installed,
        "dist" => When::Packed,
        _ => When::SetUp,
    };
    let [_, named] = recipe::named(process);
    let mut scope = process.scope.clone();
    let loaded = recipe::nearest(process, &mut scope, &["meson.build"])?;
    let root = scope.cwd.to_string();
    let wanted: Vec<&str> = words.iter().skip(1).copied().collect();
    // `meson setup build`, `meson compile -C build`, or called where it builds.
    let built = match (when, named) {
        (When::SetUp, _) => path::join(&root, wanted.first().copied().unwrap_or(verb)),
        (_, Some(folder)) => path::join(&process.scope.cwd, folder),
        _ if *process.scope.cwd != *root => process.scope.cwd.to_string(),
        _ => path::join(&root, "build"),
    };
    let files = with_parts(process, &scope, loaded);
    for (folder, loaded) in &files {
        let own = path::join(&root, folder);
        let project = Project { text: &loaded.text, folders: [&own, &root, &built] };
        let lines = project.lines(when, &wanted);
        let mut inner = scope.clone();
        for (name, value) in [("SOURCE_ROOT", &root), ("BUILD_ROOT", &built), ("SUBDIR", folder)] {
            inner.set_text(&format!("MESON_{name}"), value);
            inner.export(&format!("MESON_{name}"));
        }
        inner.change_folder(if when == When::SetUp { &own } else { &built });
        recipe::run(process, &inner, (loaded, wanted.last().unwrap_or(&verb)), &lines);
    }
    None
}

/// The file of a project with those of the folders that it names, each with its folder.
fn with_parts(process: &mut Process<'_>, scope: &Scope, loaded: Loaded) -> Vec<(String, Loaded)> {
    let mut files = vec![(String::new(), loaded)];
    let mut at = 0;
    while let Some((folder, loaded)) = files.get(at).cloned().filter(|_| at < MAX_NAMES) {
        at += 1;
        for body in calls(&loaded.text, "subdir") {
            let Some((_, name)) = strings(body).first().copied() else { continue };
            let inner = format!("{folder}{name}/");
            if let Some(found) = process.runner.look_up(scope, &format!("{inner}meson.build"))
                && !files.iter().any(|(_, own)| own.file == found.file)
            {
                files.push((inner, found));
            }
        }
    }
    files
}

/// What stands between the brackets of each call of a function.
fn calls<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let head = format!("{name}(");
    let is_code = |at: usize| {
        let before = text[..at].rsplit('\n').next().unwrap_or("");
        !before.contains('#') && !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
    };
    let found = text.match_indices(&head).filter(|(at, _)| is_code(*at));
    let bodies = found.map(|(at, _)| &text[at + head.len()..]);
    bodies.map(|rest| &rest[..closing(rest, ('(', ')')).unwrap_or(rest.len())]).collect()
}

/// The value of an argument with a name.
fn keyword<'t>(body: &[&'t str], name: &str) -> Option<&'t str> {
    body.iter().find_map(|part| part.trim().strip_prefix(name)?.trim_start().strip_prefix(':'))
}

impl Project<'_> {
    fn lines(&self, when: When, wanted: &[&str]) -> Vec<Recipe> {
        let named = |body: &[&str], wanted: &[&str]| {
            let own = body.first().map(|name| self.words(name, MAX_VALUES)).unwrap_or_default();
            wanted.iter().any(|word| own.iter().any(|own| own == word))
        };
        // What a target needs is the variable of another one.
        let mut wanted = wanted.to_vec();
        let mut at = 0;
        while let Some(&name) = wanted.get(at).filter(|_| at < MAX_NAMES && when == When::Built) {
            at += 1;
            for body in ["run_target", "alias_target"].iter().flat_map(|call| calls(self.text, call)) {
                let body = parts(body);
                if named(&body, &[name]) {
                    let needs = keyword(&body, "depends").into_iter().chain(body.iter().skip(1).copied());
                    let names = needs.flat_map(|list| list.split(|c: char| !c.is_alphanumeric() && c != '_'));
                    let targets = names.filter_map(|variable| self.assigned(variable)).filter_map(|value| {
                        let value = value.split_once("_target(").map_or("", |(_, value)| value);
                        strings(value).first().map(|(_, name)| *name)
                    });
                    let new: Vec<&str> = targets.filter(|name| !wanted.contains(name)).collect();
                    wanted.extend(new);
                }
            }
        }
        let mut lines = Vec::new();
        for (call, own) in CALLS {
            for body in calls(self.text, call).into_iter().take(MAX_NAMES) {
                let list = parts(body);
                let is_meant = match own {
                    When::Named => when == When::Built && named(&list, &wanted),
                    When::Built if when == When::Built => {
                        let always = ["build_by_default", "install", "build_always"]
                            .iter()
                            .any(|name| keyword(&list, name).is_some_and(|value| value.trim() == "true"));
                        named(&list, &wanted) || wanted.is_empty() && always
                    }
                    When::Tested => when == own && (wanted.is_empty() || named(&list, &wanted)),
                    _ => when == own,
                };
                if is_meant {
                    lines.extend(self.line(body, &list, own));
                }
            }
        }
        lines
    }

    /// What a call runs: its `command`, or its words, of which a test has its name first.
    fn line(&self, body: &str, list: &[&str], when: When) -> Option<Recipe> {
        let is_plain = |part: &&&str| !part.split(['\'', '"', '(']).next().unwrap_or("").contains(':');
        let plain = list.iter().filter(is_plain).copied();
        let parts: Vec<&str> = match when {
            When::Named | When::Built => keyword(list, "command").into_iter().collect(),
            When::Tested => plain.skip(1).chain(keyword(list, "args")).collect(),
            _ => plain.collect(),
        };
        let words: Vec<String> = parts.iter().flat_map(|part| self.words(part, MAX_VALUES)).collect();
        let of = |key: &str| keyword(list, key).map(|value| self.words(value, MAX_VALUES).join(" "));
        let (input, output) = (of("input").unwrap_or_default(), of("output").unwrap_or_default());
        let [own, root, built] = self.folders;
        let fill = |word: &String| {
            let marks = [
                ("@SOURCE_ROOT@", root),
                ("@BUILD_ROOT@", built),
                ("@CURRENT_SOURCE_DIR@", own),
                ("@OUTDIR@", built),
                ("@INPUT@", input.as_str()),
                ("@OUTPUT@", output.as_str()),
            ];
            Arg::from(marks.iter().fold(word.clone(), |word, (mark, value)| word.replace(mark, value)))
        };
        let words: Vec<Arg> = words.iter().map(fill).collect();
        // What was compiled does what no one reads here.
        let first = words.first().filter(|word| !word.text.starts_with(mark::TOKEN))?;
        let at = if self.text.contains(body) { offset(self.text, body) } else { 0 };
        // The environment of a target, as a map of strings.
        let set =
            keyword(list, "env").filter(|value| value.trim_start().starts_with('{')).map_or("", |set| set);
        let set = strings(set);
        let set = set.chunks_exact(2).map(|two| format!("{}={} ", two[0].1, quoted(&[Arg::from(two[1].1)])));
        let set: String = set.collect();
        // A script that was found in the sources is started by its own path.
        let line = if first.text.rsplit('.').next() == Some("py") { "python3 " } else { "" };
        Some(Recipe { at, text: format!("{set}{line}{}", quoted(&words)) })
    }

    /// What a variable of the file is set to.
    fn assigned(&self, name: &str) -> Option<&str> {
        let value = |line: &str| -> Option<usize> {
            let rest = line.trim_start().strip_prefix(name)?.trim_start().strip_prefix('=')?;
            (!rest.starts_with('=')).then(|| offset(self.text, rest))
        };
        let start = self.text.lines().filter(|_| !name.is_empty()).find_map(value)?;
        let rest = &self.text[start..];
        let line = rest.lines().next().unwrap_or(rest);
        let open = line.find(['(', '[', '{']);
        let close = open.and_then(|open| {
            let brackets = [('(', ')'), ('[', ']'), ('{', '}')];
            let brackets = brackets.into_iter().find(|(own, _)| line[open..].starts_with(*own))?;
            Some(open + 1 + closing(&rest[open + 1..], brackets)?)
        });
        Some(&rest[..close.map_or(line.len(), |close| line.len().max(close + 1))])
    }

    /// The words that an expression is, a token for each that is not known.
    fn words(&self, expression: &str, levels: usize) -> Vec<String> {
        let expression = expression.trim().trim_end_matches(',').trim_end();
        let unknown = || vec![mark::TOKEN.to_string()];
        let Some(levels) = levels.checked_sub(1) else { return unknown() };
        if let Some(list) = expression.strip_prefix('[').and_then(|list| list.strip_suffix(']')) {
            let items = parts(list).into_iter().filter(|item| !item.trim().is_empty());
            return items.flat_map(|item| self.words(item, levels)).collect();
        }
        for (sign, between) in [('/', "/"), ('+', "")] {
            let operands = split(expression, sign);
            if operands.len() > 1 {
                let words: Vec<Vec<String>> = operands.iter().map(|part| self.words(part, levels)).collect();
                if sign == '+' && operands.iter().any(|part| part.trim_start().starts_with('[')) {
                    return words.concat();
                }
                let joined = words.iter().map(|words| words.join(" ")).reduce(|whole, part| match sign {
                    '/' => path::join(&whole, &part),
                    _ => [whole.as_str(), between, part.as_str()].concat(),
                });
                return joined.into_iter().collect();
            }
        }
        let [own, root, built] = self.folders;
        if let Some(text) = expression.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')) {
            return vec![text.trim_matches('\'').replace("\\'", "'")];
        }
        let Some((function, arguments)) = expression.strip_suffix(')').and_then(|call| call.split_once('('))
        else {
            let is_name = expression.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            let value = self.assigned(expression).filter(|_| is_name);
            return value.map_or_else(unknown, |value| self.words(value, levels));
        };
        let arguments = || parts(arguments).into_iter().filter(|part| !part.contains(':'));
        match function.trim() {
            "meson.source_root" | "meson.project_source_root" | "meson.global_source_root" => {
                vec![root.to_owned()]
            }
            "meson.current_source_dir" => vec![own.to_owned()],
            "meson.build_root"
            | "meson.project_build_root"
            | "meson.global_build_root"
            | "meson.current_build_dir" => {
                vec![built.to_owned()]
            }
            "files" => {
                let names = arguments().flat_map(|part| self.words(part, levels));
                names.map(|name| path::join(own, &name)).collect()
            }
            "find_program" => {
                let name =
                    arguments().next().map(|part| self.words(part, levels).concat()).unwrap_or_default();
                // What is not a program of the system lies in the sources.
                vec![if name.contains(['/', '.']) { path::join(own, &name) } else { name }]
            }
            "join_paths" => {
                let words = arguments().map(|part| self.words(part, levels).concat());
                words.reduce(|whole, part| path::join(&whole, &part)).into_iter().collect()
            }
            function if function.ends_with("find_installation") => vec!["python3".to_owned()],
            function if let Some(text) = function.strip_suffix(".format") => {
                let form = self.words(text, levels).concat();
                let given = arguments().map(|part| self.words(part, levels).concat()).enumerate();
                vec![given.fold(form, |text, (number, value)| text.replace(&format!("@{number}@"), &value))]
            }
            _ => unknown(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_is_its_words() {
        let project = Project { text: "d = 'x' / 'y'\n", folders: ["/p/s", "/p", "/p/b"] };
        for (expression, expected) in [
            ("'a'", &["a"] as &[&str]),
            ("['a', d]", &["a", "x/y"]),
            ("files('a')", &["/p/s/a"]),
            ("meson.project_source_root() / 'b'", &["/p/b"]),
            ("'@0@/c'.format(d)", &["x/y/c"]),
        ] {
            assert_eq!(project.words(expression, MAX_VALUES), expected, "{expression}");
        }
    }
}
