//! Pipelines of Nextflow's.

use shell_engine::Process;

use super::indented::Given;
use super::recipe::{self, Recipe, offset};
use super::testers::{blanked, block_of, closing, parts};
use super::values::{MAX_EXTENDED, MAX_ITEMS, data_of, filled, pairs};
use super::{names, only_shows};
use crate::programs::QUOTES;

/// `nextflow run FILE`: the scripts of the processes that the workflow calls, each in a folder of its own.
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let words: Vec<String> = names(process).into_iter().map(str::to_owned).collect();
    if words.first().is_none_or(|word| word != "run")
        || only_shows(process, &["-stub", "-stub-run", "-preview", "-h", "-help"])
    {
        return None;
    }
    let file = words.get(1).filter(|file| *file != ".").map_or("main.nf", String::as_str);
    let args: Vec<String> = process.args().iter().map(|arg| arg.text.clone()).collect();
    let scope = process.scope.clone();
    let loaded = process.runner.look_up(&scope, file);
    let loaded = loaded.or_else(|| process.runner.look_up(&scope, &format!("{file}/main.nf")))?;
    // `--root /x`: the call's own win.
    let mut params: Vec<Given> = args
        .iter()
        .enumerate()
        .filter_map(|(at, word)| {
            let name = word.strip_prefix("--")?;
            if let Some((name, value)) = name.split_once('=') {
                return Some((name.to_owned(), value.to_owned()));
            }
            let value = args.get(at + 1).filter(|next| !next.starts_with('-'));
            Some((name.to_owned(), value.map_or("true", String::as_str).to_owned()))
        })
        .collect();
    if let Some(at) = args.iter().position(|word| word == "-params-file") {
        let file = args.get(at + 1).cloned().unwrap_or_default();
        params.extend(pairs(data_of(process, &scope, &file).as_ref()));
    }
    let settings = process.runner.look_up(&scope, "nextflow.config");
    let settings = settings.map(|file| file.text).unwrap_or_default();
    let text = &*loaded.text;
    for text in [&*settings, text] {
        let block = text.lines().find(|line| line.trim_start().starts_with("params {"));
        let block = block.map_or("", |head| &text[block_of(text, head)]);
        let plain = text.lines().filter_map(|line| line.trim().strip_prefix("params."));
        for line in plain.chain(block.lines()) {
            if let Some((name, value)) = line.split_once('=')
                && let Some(value) = value_of(value, &params)
            {
                params.push((name.trim().to_owned(), value));
            }
        }
    }
    for value in &mut params {
        value.0.insert_str(0, "params.");
    }
    let calls = called_by_workflow(text, &params);
    let heads = text.lines().filter(|line| line.starts_with("process "));
    let mut lines = Vec::new();
    for head in heads {
        let name = head["process ".len()..].trim_end_matches(['{', ' ']);
        let body = &text[block_of(text, head)];
        for (_, given) in calls.iter().filter(|(own, _)| own == name).take(MAX_ITEMS) {
            lines.extend(
                script_of_process(body, (given, &params))
                    .map(|(script, line)| Recipe { at: offset(text, script), text: line }),
            );
        }
    }
    let mut inner = scope.clone();
    inner.change_folder("work/00/0");
    recipe::run(process, &inner, (&loaded, "nextflow"), &lines);
    None
}

/// The value of an expression of Groovy's as far as it is plain.
fn value_of(expression: &str, known: &[Given]) -> Option<String> {
    let expression = expression.split(" //").next().unwrap_or("").trim();
    let text = QUOTES.iter().find_map(|quote| expression.strip_prefix(*quote)?.strip_suffix(*quote));
    let find = |name: &str| {
        let is_it = |own: &str| own == name || name.strip_prefix("params.") == Some(own);
        known.iter().find(|(own, _)| is_it(own)).map(|(_, value)| value.clone())
    };
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    match text {
        Some(text) => Some(filled(text, ("${", "}"), find)),
        None if matches!(expression, "true" | "false" | "null") || is_number(expression) => {
            Some(expression.to_owned())
        }
        None => find(expression),
    }
}

/// The processes that a workflow calls, with what each is given, once for every item of a channel.
fn called_by_workflow(text: &str, params: &[Given]) -> Vec<(String, Vec<Option<String>>)> {
    let mut found = Vec::new();
    let heads = text.lines().filter(|line| line.starts_with("workflow"));
    for head in heads {
        let whole = &text[block_of(text, head)];
        let skipped = whole.match_indices("if (").filter_map(|(at, sign)| {
            let asked = &whole[at + sign.len()..];
            let asked = &asked[..closing(asked, ('(', ')'))?];
            let block = block_of(whole, &whole[at..]);
            is_certainly_false(asked, params).then_some(block)
        });
        let body = blanked(whole, skipped);
        let heads: Vec<(usize, &str)> = body.match_indices('(').collect();
        for (at, _) in heads {
            let name = body[..at].rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
            if name.is_empty() || !text.contains(&format!("process {name} ")) {
                continue;
            }
            let rest = &body[at + 1..];
            let arguments = parts(&rest[..closing(rest, ('(', ')')).unwrap_or(rest.len())]);
            let items: Vec<Vec<Option<String>>> = arguments
                .into_iter()
                .map(|argument| items_of_channel(argument, (&body, params), 0))
                .collect();
            let turns = items.iter().map(Vec::len).max().unwrap_or(1).clamp(1, MAX_ITEMS);
            for turn in 0..turns {
                let given = items.iter().map(|items| items.get(turn).or(items.last()).cloned().flatten());
                found.push((name.to_owned(), given.collect()));
            }
        }
        // `Channel.of(params.root) | CLEAN`
        for (before, after) in body.lines().filter_map(|line| line.split_once('|')) {
            let name = after.split('|').next().unwrap_or("").trim();
            if text.contains(&format!("process {name} ")) {
                let items = items_of_channel(before, (&body, params), 0);
                found.extend(items.into_iter().map(|item| (name.to_owned(), vec![item])));
            }
        }
    }
    found
}

/// Whether a condition on a parameter does not hold.
fn is_certainly_false(asked: &str, params: &[Given]) -> bool {
    let (negated, name) = asked.trim().strip_prefix('!').map_or((false, asked.trim()), |name| (true, name));
    if let Some(value) = value_of(name, params) {
        return matches!(value.as_str(), "false" | "null" | "" | "0") != negated;
    }
    let sides = name.split_once("==").or_else(|| name.split_once("!="));
    let known = sides.and_then(|(left, right)| Some((value_of(left, params)?, value_of(right, params)?)));
    known.is_some_and(|(left, right)| (left == right) != name.contains("=="))
}

/// The items of a channel, or a single value.
fn items_of_channel(argument: &str, (body, params): (&str, &[Given]), level: usize) -> Vec<Option<String>> {
    let argument = argument.trim();
    let made = argument.split_once('(').filter(|(head, _)| head.to_ascii_lowercase().starts_with("channel."));
    if let Some((_, rest)) = made {
        let list = &rest[..closing(rest, ('(', ')')).unwrap_or(rest.len())];
        return parts(list).into_iter().map(|item| value_of(item.trim_matches(['[', ']']), params)).collect();
    }
    let set = format!("{argument} =");
    match body.lines().find_map(|line| line.trim().strip_prefix(&set)).filter(|_| level < MAX_EXTENDED) {
        Some(value) => items_of_channel(value, (body, params), level + 1),
        None => vec![value_of(argument, params)],
    }
}

/// What stands for a dollar sign that is the shell's: `\$HOME`.
const ESCAPED: &str = "\u{1}";

/// The script of a process as it stands there, and with the values of its inputs.
fn script_of_process<'t>(
    body: &'t str,
    (given, params): (&[Option<String>], &[Given]),
) -> Option<(&'t str, String)> {
    let asked = body.split_once("when:").and_then(|(_, rest)| rest.trim_start().lines().next());
    if asked.is_some_and(|asked| is_certainly_false(asked, params)) {
        return None;
    }
    let quotes = ["\"\"\"", "'''"].into_iter().filter_map(|quote| Some((body.find(quote)?, quote)));
    let (at, quote) = quotes.min()?;
    let script = &body[at + quote.len()..];
    let script = &script[..script.find(quote).unwrap_or(script.len())];
    let inputs = body.split_once("input:").map_or("", |(_, rest)| rest);
    let inputs = inputs.trim_start().lines().map(str::trim).take_while(|line| {
        ["val", "path", "file", "each", "env", "tuple"].iter().any(|word| line.starts_with(word))
    });
    let names = inputs.map(|line| {
        let name = line.split_once([' ', '(']).map_or("", |(_, name)| name);
        name.split([',', ')']).next().unwrap_or("").trim().to_owned()
    });
    let mut known: Vec<Given> =
        names.zip(given).filter_map(|(name, value)| Some((name, value.clone()?))).collect();
    known.extend(params.iter().cloned());
    let find = |name: &str| known.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone());
    if quote == "'''" {
        return Some((script, filled(script, ("!{", "}"), find)));
    }
    let mut line = filled(&script.replace("\\$", ESCAPED), ("${", "}"), find);
    for (name, value) in &known {
        line = line.replace(&format!("${name}"), value);
    }
    Some((script, line.replace(ESCAPED, "$")))
}
