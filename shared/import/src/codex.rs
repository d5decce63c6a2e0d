//! Codex CLI's `.rules`: `prefix_rule(pattern, decision, justification, match, not_match)` and its sisters.
//!
//! By its public source: a pattern is compared with the words of a command, from the first; the strictest decision
//! counts; without one a rule allows.

use payload::quote;

use crate::draft::{Draft, Effect, Example, Kind, Run};
use crate::starlark::{self, Argument, Call, Value};
use crate::words::{self, Reach};
use crate::{About, Broken, Entry, Found, Permission, claude};

/// Commands that one pattern may stand for.
const MAX_ALTERNATIVES: usize = 64;

pub(crate) fn read(found: &mut Found<'_>) -> Result<(), Broken> {
    let calls = starlark::calls(found.text).map_err(|fault| found.broken(fault.at, fault.message))?;
    for call in &calls {
        let shown: String = found.text[call.span.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
        let entry = found.entry(call.span.start, shown);
        match call.name.as_str() {
            "prefix_rule" => prefix(found, &entry, call)?,
            "network_rule" => network(found, &entry, call)?,
            "host_executable" => {
                found.left(
                    &entry,
                    "our rules match a program by its name, and allow it only where it is installed",
                );
            }
            name => {
                return Err(found.broken(
                    call.span.start,
                    format!("unknown rule `{name}`: use prefix_rule, network_rule or host_executable"),
                ));
            }
        }
    }
    Ok(())
}

fn argument<'c>(call: &'c Call, name: &str) -> Option<&'c Argument> {
    call.arguments.iter().find(|(key, _)| key == name).map(|(_, argument)| argument)
}

fn text<'c>(found: &Found<'_>, call: &'c Call, name: &str) -> Result<Option<&'c str>, Broken> {
    match argument(call, name) {
        None => Ok(None),
        Some(Argument { value: Value::Text(text), .. }) => Ok(Some(text)),
        Some(other) => Err(found.broken(other.at, format!("`{name}` must be a string"))),
    }
}

fn decision(found: &Found<'_>, call: &Call) -> Result<Effect, Broken> {
    match text(found, call, "decision")? {
        None | Some("allow") => Ok(Effect::Allow),
        Some("prompt") => Ok(Effect::Ask),
        Some("forbidden" | "deny") => Ok(Effect::Deny),
        Some(other) => {
            let at = argument(call, "decision").map_or(call.span.start, |argument| argument.at);
            Err(found.broken(at, format!("unknown decision `{other}`: use allow, prompt or forbidden")))
        }
    }
}

/// Words, each with its alternatives.
fn pattern(found: &Found<'_>, call: &Call) -> Result<Vec<Vec<String>>, Broken> {
    // The pattern may come without its name, as the first argument.
    let first = call.arguments.first().filter(|(key, _)| key.is_empty()).map(|(_, argument)| argument);
    let Some(argument) = argument(call, "pattern").or(first) else {
        return Err(found.broken(call.span.start, "a prefix_rule has no `pattern`"));
    };
    let Value::List(list) = &argument.value else {
        return Err(found.broken(argument.at, "`pattern` must be a list"));
    };
    let mut words = Vec::new();
    for element in list {
        words.push(match &element.value {
            Value::Text(text) => vec![text.clone()],
            Value::List(inner) => {
                let texts: Option<Vec<String>> = inner
                    .iter()
                    .map(|one| match &one.value {
                        Value::Text(text) => Some(text.clone()),
                        _ => None,
                    })
                    .collect();
                match texts.filter(|texts| !texts.is_empty()) {
                    Some(texts) => texts,
                    None => return Err(found.broken(element.at, "alternatives must be a list of strings")),
                }
            }
            Value::Other(_) => {
                return Err(
                    found.broken(element.at, "a word of a pattern must be a string, or a list of strings")
                );
            }
        });
    }
    if words.is_empty() {
        return Err(found.broken(argument.at, "`pattern` is empty"));
    }
    Ok(words)
}

/// The commands of `match` or `not_match`.
fn examples(found: &Found<'_>, call: &Call, name: &str) -> Result<Vec<String>, Broken> {
    let Some(argument) = argument(call, name) else { return Ok(Vec::new()) };
    let Value::List(list) = &argument.value else {
        return Err(found.broken(argument.at, format!("`{name}` must be a list")));
    };
    list.iter()
        .map(|one| match &one.value {
            Value::Text(text) => Ok(text.clone()),
            Value::List(words) => {
                let words = words.iter().map(|word| match &word.value {
                    Value::Text(text) => Ok(quote(text).into_owned()),
                    _ => Err(found.broken(word.at, "a word of an example must be a string")),
                });
                // As a command: our examples are text, and a word may have blanks in it.
                Ok(words.collect::<Result<Vec<_>, _>>()?.join(" "))
            }
            Value::Other(_) => Err(found.broken(one.at, "an example is a command")),
        })
        .collect()
}

fn prefix(found: &mut Found<'_>, entry: &Entry, call: &Call) -> Result<(), Broken> {
    let effect = decision(found, call)?;
    let pattern = pattern(found, call)?;
    let reason =
        text(found, call, "justification")?.map(str::to_owned).filter(|reason| !reason.trim().is_empty());
    let (matches, spares) = (examples(found, call, "match")?, examples(found, call, "not_match")?);
    let before = found.drafts.len();
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    for words in &pattern {
        // Counted before they are made: the product grows with each word.
        if all.len() * words.len() > MAX_ALTERNATIVES {
            let why =
                format!("it stands for more than {MAX_ALTERNATIVES} commands: split it into several rules");
            found.lost(Permission { entry, effect }, About::Commands, why);
            return Ok(());
        }
        all = all
            .iter()
            .flat_map(|start| words.iter().map(|word| start.iter().chain([word]).cloned().collect()))
            .collect();
    }
    let odd = |word: &String| word.is_empty() || word.contains(|c: char| c.is_whitespace() || c.is_control());
    if all.iter().flatten().any(odd) {
        let why = "a word of it is empty or contains spaces: rules match single words of a command";
        found.lost(Permission { entry, effect }, About::Commands, why);
        return Ok(());
    }
    for words in &all {
        match effect {
            Effect::Allow => words::allow(found, entry, words, Reach::Begins),
            effect => words::restrict(found, Permission { entry, effect }, words, Reach::Begins),
        }
    }
    // One entry of the original stays one rule, however many commands it stands for.
    merge(&mut found.drafts, before);
    for draft in &mut found.drafts[before..] {
        draft.reason.clone_from(&reason);
        // It was made from the words themselves, and proves the rule. Those of the original may be wrong.
        let own = draft.matches.first().cloned();
        draft.matches.extend(matches.iter().cloned().map(Example::Command));
        draft.spares.extend(spares.iter().cloned().map(Example::Command));
        draft.matches.dedup();
        // What one alternative matches the other does not: only a rule of all of them is asked for all examples.
        draft.matches.sort_by_key(|example| Some(example) != own.as_ref());
    }
    Ok(())
}

/// Makes one rule of those that came of the alternatives of one entry.
fn merge(drafts: &mut Vec<Draft>, from: usize) {
    let mut rest = drafts.split_off(from).into_iter();
    let Some(mut first) = rest.next() else { return };
    for mut next in rest {
        if let (Kind::Run(runs), Kind::Run(more)) = (&mut first.kind, &mut next.kind) {
            join(runs, std::mem::take(more));
            first.matches.append(&mut next.matches);
            first.spares.append(&mut next.spares);
            // The text of one command is not that of all.
            first.fallback = None;
        } else {
            drafts.push(next);
        }
    }
    drafts.insert(from, first);
}

/// Adds matchers; those of one program that only differ in how they are written become one.
fn join(runs: &mut Vec<Run>, more: Vec<Run>) {
    for mut run in more {
        let same =
            |one: &&mut Run| one.program == run.program && !one.written.is_empty() && !run.written.is_empty();
        match runs.iter_mut().find(same) {
            Some(one) => one.written.append(&mut run.written),
            None => runs.push(run),
        }
    }
}

fn network(found: &mut Found<'_>, entry: &Entry, call: &Call) -> Result<(), Broken> {
    let effect = decision(found, call)?;
    let Some(host) = text(found, call, "host")? else {
        return Err(found.broken(call.span.start, "a network_rule has no `host`"));
    };
    if effect == Effect::Allow {
        found.left(entry, "it opens the sandbox of the host, and allows no command");
    } else if claude::is_host(host) {
        claude::net(found, Permission { entry, effect }, host);
    } else {
        found.lost(Permission { entry, effect }, About::Hosts, "it names no host");
    }
    Ok(())
}
