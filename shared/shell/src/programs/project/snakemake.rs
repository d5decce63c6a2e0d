//! `snakemake NAME`: what the rules of a Snakefile run, lines for a shell and pieces of Python.

use serde_json::Value;
use shell_engine::text::data;
use shell_engine::{Process, Scope, mark};

use super::indented::below;
use super::recipe::{self, Recipe, offset};
use super::testers::{MAX_NAMES, is_name, parts, strings};
use super::values::{data_of, inside, plain};
use super::{names, only_shows};
use crate::programs::QUOTES;

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
    let config = config_of(process, &scope, text);
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
    let shown = config.to_string();
    let prelude = format!("config = {shown}\n{first}");
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
            let computed: Vec<(&str, Vec<(&str, String)>)> = fields
                .iter()
                .map(|(field, own)| {
                    let mut value = |value: &str| computed(process, &scope, (&prelude, value), &config);
                    (*field, own.iter().map(|(name, own)| (*name, value(own))).collect())
                })
                .collect();
            let text = filled(&line, &computed, &config);
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

/// What the file of settings says, and what the call says in its place: `--config dir=/x`.
fn config_of(process: &mut Process<'_>, scope: &Scope, text: &str) -> Value {
    let words: Vec<String> = process.args().iter().map(|arg| arg.text.clone()).collect();
    let after = |option: &'static str| {
        let lists = words.iter().enumerate().filter(move |(_, word)| *word == option);
        lists.flat_map(|(at, _)| words[at + 1..].iter().take_while(|word| !word.starts_with('-')))
    };
    let own = text.lines().filter_map(|line| line.strip_prefix("configfile:"));
    let own = own.filter_map(|line| Some(strings(line).first()?.1.to_owned()));
    let said = after("--configfile").chain(after("--configfiles")).cloned();
    let mut config = serde_json::Map::new();
    for file in own.chain(said).take(MAX_NAMES) {
        if let Some(Value::Object(all)) = data_of(process, scope, &file) {
            config.extend(all);
        }
    }
    for (name, value) in after("--config").chain(after("-C")).filter_map(|word| word.split_once('=')) {
        // Numbers, truths and lists are read as YAML.
        let read = data::yaml(&format!("x: {value}"));
        config.insert(name.to_owned(), read.get("x").cloned().unwrap_or_default());
    }
    Value::Object(config)
}

/// The value of an expression of Python's, the items of a list as words.
fn computed(
    process: &mut Process<'_>,
    scope: &Scope,
    (prelude, value): (&str, &str),
    config: &Value,
) -> String {
    let key = value.strip_prefix("config[").and_then(|key| key.strip_suffix(']'));
    if let Some(known) = key.and_then(|key| config.get(key.trim_matches(QUOTES))) {
        return words_of(known);
    }
    if let Some(plain) = value.strip_prefix('"').and_then(|text| text.strip_suffix('"'))
        && !plain.contains('"')
    {
        return plain.to_owned();
    }
    let code = format!("{prelude}print({value})");
    let mut inner = scope.clone();
    let printed = shell_interpreters::run_piece(&mut process.elsewhere(&mut inner), "python3", (&code, 0));
    let printed = printed.unwrap_or_default();
    let text = printed.trim_end();
    let list = text.strip_prefix('[').and_then(|list| list.strip_suffix(']'));
    match list {
        Some(list) => strings(list).into_iter().map(|(_, item)| item).collect::<Vec<_>>().join(" "),
        None if text.is_empty() || text == "None" => mark::TOKEN.to_string(),
        None => text.to_owned(),
    }
}

/// A value as a line holds it.
fn words_of(value: &Value) -> String {
    match value {
        Value::Array(list) => list.iter().filter_map(plain).collect::<Vec<_>>().join(" "),
        value => plain(value).unwrap_or_else(|| mark::TOKEN.to_string()),
    }
}

/// A line with what stands in its braces: `{params.dir}`, `{config[dir]}`; a token for what only a run tells.
fn filled(line: &str, fields: &[(&str, Vec<(&str, String)>)], config: &Value) -> String {
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
        let name = name.trim_end_matches(":q");
        let own = name.split_once('.').and_then(|(field, name)| {
            let (_, own) = fields.iter().find(|(own, _)| *own == field)?;
            own.iter().find(|(own, _)| *own == name).map(|(_, value)| value.clone())
        });
        let of_config = || inside(config, name.strip_prefix("config")?.trim_start_matches('[')).map(words_of);
        filled.push_str(&own.or_else(of_config).unwrap_or_else(|| mark::TOKEN.to_string()));
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
        let fields = [("params", vec![("d", "b".to_owned())])];
        assert_eq!(filled("rm {params.d} {{x}}", &fields, &Value::Null), "rm b {x}");
        let config = serde_json::json!({ "a": { "b": ["c", "d"] } });
        assert_eq!(filled("rm {config[a][b]}", &[], &config), "rm c d");
        assert_eq!(shape("a/{s}.txt"), "a/*.txt");
    }
}
