//! `snakemake NAME`: what the rules of a Snakefile run, lines for a shell and pieces of Python.

use shell_engine::text::data;
use shell_engine::{Process, mark};

use super::indented::below;
use super::recipe::{self, Recipe, offset};
use super::testers::{MAX_NAMES, is_name, parts, strings};
use super::{names, only_shows};

/// A rule: its name, and the pieces that stand below its directives.
struct Rule<'t> {
    name: &'t str,
    directives: Vec<(&'t str, &'t str)>,
}

impl<'t> Rule<'t> {
    fn get(&self, key: &str) -> &'t str {
        self.directives.iter().find(|(own, _)| *own == key).map_or("", |(_, body)| body)
    }
}

/// What stands below a line, up to the next that stands no deeper, and on the line itself after its colon.
fn block<'t>(text: &'t str, line: &'t str) -> &'t str {
    let start = offset(text, line) + line.find(':').map_or(line.len(), |at| at + 1);
    let last = below(text, offset(text, line)).last().unwrap_or(line);
    text.get(start..offset(text, last) + last.len()).unwrap_or("")
}

fn rules(text: &str) -> Vec<Rule<'_>> {
    let heads = text.lines().filter(|line| line.starts_with("rule ") || line.starts_with("checkpoint "));
    let rules = heads.map(|head| {
        let name = head.split_once(' ').map_or("", |(_, name)| name.trim().trim_end_matches(':'));
        let body: Vec<&str> = below(text, offset(text, head)).collect();
        let depth =
            body.iter().find(|line| !line.trim().is_empty()).map_or(0, |line| super::indented::indent(line));
        let own = body.into_iter().filter(|line| super::indented::indent(line) == depth);
        let directives = own.filter_map(|line| {
            let (key, _) = line.trim().split_once(':')?;
            Some((key, block(text, line)))
        });
        Rule { name, directives: directives.collect() }
    });
    rules.take(MAX_RULES).collect()
}

/// Rules of one file.
const MAX_RULES: usize = 64;

pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let shows =
        ["-n", "--dry-run", "--dryrun", "-l", "--list", "--dag", "--lint", "--summary", "--rulegraph", "-h"];
    if only_shows(process, &shows) {
        return None;
    }
    let mut scope = process.scope.clone();
    let usual = ["Snakefile", "snakefile", "workflow/Snakefile", "workflow/snakefile"];
    let loaded = recipe::nearest(process, &mut scope, &usual)?;
    let text = &*loaded.text;
    let config = text.lines().find_map(|line| line.strip_prefix("configfile:"));
    let config = config.and_then(|line| Some(strings(line).first()?.1.to_owned()));
    let config =
        config.and_then(|file| process.runner.look_up(&scope, &file)).map(|file| data::yaml(&file.text));
    let config = config.unwrap_or_default();
    let all = rules(text);
    let mut wanted: Vec<&str> = names(process);
    wanted.retain(|word| all.iter().any(|rule| rule.name == *word));
    if wanted.is_empty() {
        wanted.extend(all.first().map(|rule| rule.name));
    }
    // What makes a file that another one reads runs before it.
    let mut at = 0;
    while let Some(name) = wanted.get(at).copied().filter(|_| at < MAX_NAMES) {
        at += 1;
        let inputs = all.iter().find(|rule| rule.name == name).map_or("", |rule| rule.get("input"));
        let named: Vec<String> = strings(inputs).into_iter().map(|(_, file)| shape(file)).collect();
        let makes = |rule: &&Rule<'_>| {
            let outputs = strings(rule.get("output"));
            inputs.contains(&format!("rules.{}.", rule.name))
                || outputs.into_iter().any(|(_, file)| named.contains(&shape(file)))
        };
        let new: Vec<&str> =
            all.iter().filter(makes).map(|rule| rule.name).filter(|name| !wanted.contains(name)).collect();
        wanted.extend(new);
    }
    // Python of the file's own that runs whatever is made: what a rule's piece names may stand there.
    let first = text.lines().filter(|line| {
        line.contains('=') && line.starts_with(|c: char| c.is_alphabetic())
            || line.starts_with("import ")
            || line.starts_with("from ")
    });
    let first: String = first.flat_map(|line| [line, "\n"]).collect();
    let prelude = format!("config = {config}\n{first}");
    for rule in all.iter().filter(|rule| wanted.contains(&rule.name)) {
        let fields: Vec<(&str, Vec<(&str, &str)>)> =
            ["params", "input", "output"].map(|key| (key, assigned(rule.get(key)))).to_vec();
        let (shell, code) = (rule.get("shell"), rule.get("run"));
        if !shell.is_empty() {
            let line: String = strings(shell)
                .into_iter()
                .map(|(_, piece)| piece)
                .filter(|piece| !piece.is_empty())
                .collect();
            let at = strings(shell).first().map_or(0, |(_, piece)| offset(text, piece));
            let text = filled(&line, &fields, &config);
            recipe::run(process, &scope, (&loaded, rule.name), &[Recipe { at, text }]);
        }
        if !code.trim().is_empty() {
            let given: String = fields
                .iter()
                .flat_map(|(field, own)| {
                    own.iter().map(move |(name, value)| format!("{field}_{name} = {value}\n"))
                })
                .collect();
            let mut body = dedented(code);
            for (field, own) in &fields {
                for (name, _) in own {
                    body = body.replace(&format!("{field}.{name}"), &format!("{field}_{name}"));
                }
            }
            let body = format!("{prelude}{given}{}", body.replace("shell(", "__import__('os').system("));
            recipe::code(process, &scope, (&loaded, rule.name), ("python3", &body, 0));
        }
    }
    None
}

/// The name of a file with `*` for each of its wildcards.
fn shape(file: &str) -> String {
    let mut shape = String::new();
    let mut rest = file;
    while let Some((before, after)) = rest.split_once('{') {
        shape.extend([before, "*"]);
        rest = after.split_once('}').map_or("", |(_, rest)| rest);
    }
    shape + rest
}

/// `dirs=config["fresh"], n=2`: names with their expressions.
fn assigned(piece: &str) -> Vec<(&str, &str)> {
    let named = parts(piece).into_iter().filter_map(|part| part.split_once('='));
    named
        .map(|(name, value)| (name.trim(), value.trim()))
        .filter(|(name, _)| !name.is_empty() && name.chars().all(is_name))
        .collect()
}

/// A line with what stands in its braces: `{params.dir}`, `{config[dir]}`; a token for what only a run tells.
fn filled(line: &str, fields: &[(&str, Vec<(&str, &str)>)], config: &serde_json::Value) -> String {
    let mut filled = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        if let Some(after) = after.strip_prefix('{') {
            filled.push('{');
            rest = after;
            continue;
        }
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        let own = name.split_once('.').and_then(|(field, name)| {
            let (_, own) = fields.iter().find(|(own, _)| *own == field)?;
            own.iter().find(|(own, _)| *own == name).map(|(_, value)| *value)
        });
        let value = own.unwrap_or(name);
        let key =
            value.strip_prefix("config[").map(|key| key.trim_end_matches(']').trim_matches(['"', '\'']));
        let known = key.and_then(|key| config.get(key));
        match (known, strings(value).first()) {
            (Some(serde_json::Value::Array(list)), _) => {
                let words: Vec<&str> = list.iter().filter_map(serde_json::Value::as_str).collect();
                filled.push_str(&words.join(" "));
            }
            (Some(value), _) => filled.push_str(value.as_str().unwrap_or("")),
            (None, Some((_, text))) if own.is_some() && key.is_none() => filled.push_str(text),
            _ => filled.push(mark::TOKEN),
        }
        rest = after;
    }
    filled.replace("}}", "}") + &rest.replace("}}", "}")
}

/// A block of Python at the beginning of its lines.
fn dedented(code: &str) -> String {
    let depth =
        code.lines().filter(|line| !line.trim().is_empty()).map(super::indented::indent).min().unwrap_or(0);
    code.lines().flat_map(|line| [line.get(depth..).unwrap_or(""), "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_directives() {
        let text = "rule all:\n    input: \"a\"\n\nrule x:\n    params: d=\"b\", n=2\n    shell:\n        \"rm -r {params.d} \"\n        \"{output}\"\n";
        let found = rules(text);
        assert_eq!(found.iter().map(|rule| rule.name).collect::<Vec<_>>(), ["all", "x"]);
        assert_eq!(assigned(found[1].get("params")), [("d", "\"b\""), ("n", "2")]);
        assert_eq!(strings(found[1].get("shell")).len(), 2);
        let fields = [("params", assigned(found[1].get("params")))];
        assert_eq!(filled("rm {params.d} {{x}}", &fields, &serde_json::Value::Null), "rm b {x}");
        assert_eq!(shape("a/{s}.txt"), "a/*.txt");
    }
}
