//! Files in which indentation says what belongs together: justfiles, Taskfiles, playbooks, Procfiles, Rakefiles.

use super::recipe::{Recipe, offset};

/// How many blanks a line begins with.
pub(super) fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The lines below a head, up to the next that stands no deeper.
pub(super) fn below(text: &str, head: usize) -> impl Iterator<Item = &str> {
    let mut lines = text.get(head..).unwrap_or("").lines();
    let depth = lines.next().map_or(0, indent);
    lines.take_while(move |line| line.trim().is_empty() || indent(line) > depth)
}

/// The keys and values of these lines, each `key: value` with or without the dash of a list.
pub(super) fn entries<'t>(lines: impl Iterator<Item = &'t str>) -> impl Iterator<Item = (&'t str, &'t str)> {
    lines.filter_map(|line| {
        let (key, value) = line.trim().trim_start_matches("- ").split_once(':')?;
        Some((key.trim(), value.trim().trim_matches(['"', '\''])))
    })
}

/// A recipe of a justfile, after those that it needs; without a name, the first.
pub(super) fn just(text: &str, name: Option<&str>) -> Vec<Recipe> {
    let mut found = Vec::new();
    let mut seen = Vec::new();
    just_into(text, name, &mut seen, &mut found);
    found
}

/// Recipes that need one another.
const MAX_NEEDS: usize = 32;

fn just_into(text: &str, name: Option<&str>, seen: &mut Vec<String>, found: &mut Vec<Recipe>) {
    let heads = text.lines().filter_map(|line| Some((line, head(line)?)));
    let name = name.map(|name| alias(text, name).unwrap_or(name));
    let Some((line, (own, needs))) =
        heads.into_iter().find(|(_, (own, _))| name.is_none_or(|name| name == *own))
    else {
        return;
    };
    if seen.len() >= MAX_NEEDS || seen.iter().any(|known| known == own) {
        return;
    }
    seen.push(own.to_owned());
    for need in needs.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '&')) {
        if !need.is_empty() {
            just_into(text, Some(need), seen, found);
        }
    }
    let body: Vec<&str> = below(text, offset(text, line)).collect();
    if body.first().is_some_and(|first| first.trim_start().starts_with("#!")) {
        // A recipe with an interpreter of its own is one script.
        let at = offset(text, body[0]);
        let end = body.last().map_or(at, |last| offset(text, last) + last.len());
        found.push(Recipe { at, text: text.get(at..end).unwrap_or("").to_owned() });
        return;
    }
    for line in
        body.into_iter().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let line = line.trim_start_matches(['@', '-']);
        found.push(Recipe { at: offset(text, line), text: filled(line, text) });
    }
}

/// What an alias stands for: `alias b := build`.
fn alias<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let aliases = text.lines().filter_map(|line| line.strip_prefix("alias ")?.split_once(":="));
    aliases.into_iter().find(|(own, _)| own.trim() == name).map(|(_, recipe)| recipe.trim())
}

/// The name of a recipe, and what it needs: `clean arg='x': build`.
fn head(line: &str) -> Option<(&str, &str)> {
    if line.starts_with([' ', '\t', '#', '[']) || line.contains(":=") {
        return None;
    }
    let (names, needs) = line.split_once(':')?;
    let own = names.split_whitespace().next()?.trim_start_matches('@');
    Some((own, needs.split('#').next().unwrap_or("")))
}

/// A line with the values of plain variables: `{{name}}`.
fn filled(line: &str, text: &str) -> String {
    let mut filled = line.to_owned();
    for (name, value) in text.lines().filter_map(|line| line.split_once(":=")) {
        let name = name.trim().trim_start_matches("export ");
        let value = value.trim().trim_matches(['"', '\'']);
        for place in [format!("{{{{{name}}}}}"), format!("{{{{ {name} }}}}")] {
            if filled.len() < 4096 && filled.contains(&place) {
                filled = filled.replace(&place, value);
            }
        }
    }
    // What is left is an argument, or computed.
    while let Some((before, rest)) = filled.split_once("{{") {
        let after = rest.split_once("}}").map_or("", |(_, after)| after);
        filled = format!("{before}{}{after}", shell_engine::mark::TOKEN);
    }
    filled
}

/// The commands of a task in a Taskfile, after those of the tasks that it starts.
pub(super) fn task(text: &str, name: &str) -> Vec<Recipe> {
    let mut found = Vec::new();
    let mut seen = Vec::new();
    task_into(text, name, &mut seen, &mut found);
    found
}

fn task_into(text: &str, name: &str, seen: &mut Vec<String>, found: &mut Vec<Recipe>) {
    if seen.len() >= MAX_NEEDS || seen.iter().any(|known| known == name) {
        return;
    }
    seen.push(name.to_owned());
    let Some(tasks) = text.lines().find(|line| line.trim_end() == "tasks:") else { return };
    let is_head = |line: &&str| {
        let key = line.trim().split_once(':').map_or("", |(key, _)| key);
        key.trim_matches(['"', '\'']) == name
    };
    let mut depth = None;
    let head = below(text, offset(text, tasks)).filter(|line| !line.trim().is_empty()).find(|line| {
        // Only keys of `tasks` itself are names of tasks.
        *depth.get_or_insert(indent(line)) == indent(line) && is_head(line)
    });
    let Some(head) = head else { return };
    if let Some(line) = head.split_once(": ").map(|(_, line)| line.trim()).filter(|line| !line.is_empty()) {
        found.push(Recipe::piece(text, line.trim_matches(['"', '\''])));
    }
    let mut section = "";
    for line in below(text, offset(text, head)) {
        let entry = line.trim_start();
        if let Some(key) = entry.strip_suffix(':').filter(|key| !key.starts_with('-')) {
            section = key;
        }
        if let Some((key @ ("deps" | "cmds"), list)) = entry.split_once(": [") {
            // `deps: [a, {task: b}]`, `cmds: ["x", "y"]`
            for item in list.trim_end_matches([']', ' ']).split(',').map(|item| item.trim_matches(YAML_MARKS))
            {
                match item.strip_prefix("task:") {
                    Some(other) => task_into(text, other.trim(), seen, found),
                    None if key == "deps" => task_into(text, item, seen, found),
                    None => found.push(Recipe { at: offset(text, item), text: templated(item) }),
                }
            }
            continue;
        }
        let item = entry.strip_prefix("- ").map(str::trim);
        match item {
            Some(item) if section == "deps" && !item.contains(':') => task_into(text, item, seen, found),
            Some(item) => {
                if let Some(other) = item.strip_prefix("task:") {
                    task_into(text, other.trim(), seen, found);
                } else if section == "cmds" || section == "cmd" {
                    let command = item.strip_prefix("cmd:").unwrap_or(item).trim();
                    push_command(text, line, command, found);
                }
            }
            None => {
                if let Some(other) = entry.strip_prefix("task:") {
                    task_into(text, other.trim(), seen, found);
                } else if let Some(command) = entry.strip_prefix("cmd:") {
                    push_command(text, line, command.trim(), found);
                }
            }
        }
    }
}

/// What stands around an item of a list on one line.
const YAML_MARKS: [char; 6] = [' ', '{', '}', '"', '\'', '\t'];

/// A command on its line, or as a block below it.
fn push_command(text: &str, line: &str, command: &str, found: &mut Vec<Recipe>) {
    if command.starts_with(['|', '>']) {
        let body: Vec<&str> = below(text, offset(text, line)).collect();
        let Some(first) = body.first() else { return };
        let depth = indent(first);
        let lines: Vec<&str> = body.iter().map(|line| line.get(depth..).unwrap_or("")).collect();
        found.push(Recipe { at: offset(text, first), text: templated(&lines.join("\n")) });
    } else if !command.is_empty() {
        let at = offset(text, command);
        let quoted = |quote: char| command.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
        let plain = quoted('"').map(|inner| inner.replace("\\\"", "\""));
        let plain = plain.or_else(|| quoted('\'').map(|inner| inner.replace("''", "'")));
        found.push(Recipe { at, text: templated(&plain.unwrap_or_else(|| command.to_owned())) });
    }
}

/// A line with a token for each `{{expression}}`.
fn templated(line: &str) -> String {
    let mut line = line.to_owned();
    while let Some((before, rest)) = line.split_once("{{") {
        let after = rest.split_once("}}").map_or("", |(_, after)| after);
        line = format!("{before}{}{after}", shell_engine::mark::TOKEN);
    }
    line
}

/// The shell tasks of a playbook for this machine.
pub(super) fn playbook(text: &str, local: bool) -> Vec<Recipe> {
    let here = ["hosts: localhost", "hosts: 127.0.0.1", "connection: local"];
    if !local && !here.iter().any(|sign| text.contains(sign)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for line in text.lines() {
        let entry = line.trim_start().trim_start_matches("- ");
        let Some((key, command)) = entry.split_once(':') else { continue };
        let key = key.trim().trim_start_matches("ansible.builtin.");
        if !matches!(key, "shell" | "command" | "raw") {
            continue;
        }
        push_command(text, line, command.trim(), &mut found);
        if command.trim().is_empty() {
            // `shell:`, then `cmd: …` below it.
            for line in below(text, offset(text, line)) {
                if let Some(("cmd", command)) = line.trim().split_once(':') {
                    push_command(text, line, command.trim(), &mut found);
                }
            }
        }
    }
    found
}

/// What lefthook runs for a hook of git: the `run` of its commands and jobs.
pub(super) fn lefthook(text: &str, hook: &str) -> Vec<Recipe> {
    let Some(head) = text.lines().find(|line| line.trim_end().strip_suffix(':') == Some(hook)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for line in below(text, offset(text, head)) {
        if let Some(command) = line.trim_start().trim_start_matches("- ").strip_prefix("run:") {
            push_command(text, line, command.trim(), &mut found);
        }
    }
    found
}

/// The processes of a Procfile: `web: command`.
pub(super) fn procfile(text: &str, name: Option<&str>) -> Vec<Recipe> {
    let lines = text.lines().filter_map(|line| line.split_once(':'));
    let lines = lines.filter(|(own, _)| !own.starts_with('#') && name.is_none_or(|name| name == own.trim()));
    lines.map(|(_, command)| Recipe::piece(text, command.trim())).collect()
}

/// The body of a task in a Rakefile, as Ruby, with where it begins.
pub(super) fn rake<'t>(text: &'t str, name: &str) -> Option<(usize, &'t str)> {
    let name = name.split(['[', ':']).next_back().filter(|_| !name.contains('[')).unwrap_or(name);
    let line = text.lines().find(|line| {
        let rest = line.trim_start().strip_prefix("task").unwrap_or("").trim_start_matches([' ', '(']);
        let own = rest.trim_start_matches([':', '"', '\'']);
        let own = own.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).next().unwrap_or("");
        own == name && !rest.is_empty() && line.contains(" do")
    })?;
    let start = offset(text, line) + line.len();
    let size: usize = below(text, offset(text, line)).map(|line| line.len() + 1).sum();
    Some((start, text.get(start..(start + size).min(text.len()))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(recipes: Vec<Recipe>) -> Vec<String> {
        recipes.into_iter().map(|recipe| recipe.text).collect()
    }

    #[test]
    fn a_recipe_of_just_comes_after_what_it_needs() {
        let file = "out := \"dist\"\n\nbuild: clean\n  cargo build\n\nclean:\n  @rm -rf {{out}}\n\npy:\n  #!/usr/bin/env python3\n  print(1)\n";
        assert_eq!(texts(just(file, None)), ["rm -rf dist", "cargo build"]);
        assert_eq!(texts(just(file, Some("clean"))), ["rm -rf dist"]);
        assert_eq!(texts(just(file, Some("py"))), ["  #!/usr/bin/env python3\n  print(1)"]);
        assert!(just(file, Some("no")).is_empty());
    }

    #[test]
    fn a_task_runs_its_commands_and_the_tasks_that_it_names() {
        let file = "version: '3'\ntasks:\n  build:\n    deps: [gen]\n    cmds:\n      - go build {{.X}}\n      - task: clean\n      - cmd: echo done\n  clean:\n    cmds:\n      - |\n        rm -rf a\n        rm -rf b\n  one: ls\n";
        let token = shell_engine::mark::TOKEN;
        let expected = [format!("go build {token}"), "rm -rf a\nrm -rf b".to_owned(), "echo done".to_owned()];
        assert_eq!(texts(task(file, "build")), expected);
        assert_eq!(texts(task(file, "one")), ["ls"]);
        assert!(task(file, "cmds").is_empty());
    }

    #[test]
    fn the_tasks_of_a_playbook_count_where_it_is_for_this_machine() {
        let file = "- hosts: all\n  tasks:\n    - name: x\n      shell: rm -rf /\n";
        assert!(playbook(file, false).is_empty());
        assert_eq!(texts(playbook(file, true)), ["rm -rf /"]);
        assert_eq!(texts(procfile("web: node x\n# y: z\n", None)), ["node x"]);
    }
}
