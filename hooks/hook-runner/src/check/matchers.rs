//! Matchers that fit no tool, or leave one out.

use std::ops::Range;

use host::hosts::purpose;
use host::matcher::Matcher;
use host::record::Quirk;
use host::tools::Use;
use host::{Code, Hook, Problem, Product};
use payload::{Dialect, EventKind};

/// What is wrong with a hook's matcher, beside its form.
pub(super) fn check(product: Product, hook: &Hook, text: &str) -> Vec<Problem> {
    if let Some(pattern) = hook.matcher.invalid() {
        return vec![invalid(product, pattern, matcher_span(hook, text))];
    }
    // Matchers of other events are compared with words that are not tools.
    if !hook.kind.is_about_tool() || matches!(hook.matcher, Matcher::All | Matcher::Never) {
        return Vec::new();
    }
    let span = matcher_span(hook, text);
    let written = text[span.clone()].trim_matches('"');
    if product.has(Quirk::ComparesServerNames)
        && let Matcher::Names(names) = &hook.matcher
        && let Some(server) = names.iter().find(|name| only_server(name))
    {
        let message = format!(
            "`{server}` is compared with the whole name of a tool, and names a server only: the hook never runs for it."
        );
        let help = format!("Write `{server}__.*`.");
        return vec![Problem::new(Code::MatcherNeverFits, product, span, message, help)];
    }
    // Names of MCP tools are the user's own.
    if written.to_lowercase().contains("mcp") || (!product.translated.is_empty() && written.contains('-')) {
        return Vec::new();
    }
    let camel = hook.dialect == Dialect::Flat && hook.kind != EventKind::PermissionRequest;
    let tools: Vec<_> = product
        .tools
        .iter()
        .flat_map(|(kind, names)| names.iter().map(|name| (*name, *kind)))
        .filter(|(name, _)| !(camel && name.starts_with(char::is_uppercase)))
        .collect();
    let fits = |name: &str| hook.matcher.matches(&[name]);
    let mut problems = Vec::new();
    if !tools.iter().any(|(name, _)| fits(name)) {
        let help = same_purpose(written, &tools).map_or_else(
            || "Omit `matcher`, or name one of this host's tools.".to_owned(),
            |name| format!("Did you mean `{name}`?"),
        );
        let message = format!("`{written}` fits no tool of {}: the hook never runs.", product.title);
        problems.push(Problem::new(Code::MatcherNeverFits, product, span, message, help));
    } else if hook.kind == EventKind::PreToolUse {
        let shells = || tools.iter().filter(|(_, kind)| *kind == Use::Shell).map(|(name, _)| *name);
        let missed: Vec<&str> =
            shells().filter(|name| !fits(name)).filter(|name| *name != "Bash" || !camel).collect();
        if shells().any(fits) && !missed.is_empty() {
            let message = format!("`{written}` misses {}, which also run commands.", missed.join(", "));
            let help = "Omit `matcher`, and let the program look at the call.";
            problems.push(Problem::new(Code::MatcherMissesShell, product, span, message, help));
        }
    }
    problems
}

/// Whether a name is that of an MCP server, without a tool.
fn only_server(name: &str) -> bool {
    name.strip_prefix("mcp__").is_some_and(|server| !server.is_empty() && !server.contains("__"))
}

/// A pattern that the host's engine refuses.
fn invalid(product: Product, pattern: &str, span: Range<usize>) -> Problem {
    let language = product.engine.language();
    let message = format!(
        "`{pattern}` is not a regular expression of {language}, as {} reads it: the hook never runs, without a word.",
        product.title
    );
    let help = if language == "Rust" && pattern.contains("(?") {
        "Omit `matcher`, and let the program look at the call: Rust regular expressions have no look-around."
    } else if pattern.contains("(?i") {
        "Write both cases, such as `[Bb]ash`: flags inside a pattern are not JavaScript."
    } else {
        "Omit `matcher`, or write `.*`."
    };
    Problem::new(Code::MatcherInvalid, product, span, message, help)
}

/// The tool that does here what the named one does elsewhere.
fn same_purpose(written: &str, tools: &[(&'static str, Use)]) -> Option<&'static str> {
    let first = written.split('|').next().unwrap_or(written).trim();
    let purpose = purpose(first)?;
    let same_word = tools.iter().find(|(name, _)| name.eq_ignore_ascii_case(first));
    let same_use = || tools.iter().find(|(_, kind)| *kind == purpose && purpose != Use::Other);
    same_word.or_else(same_use).map(|(name, _)| *name)
}

/// Where the matcher of a hook stands: the last one before the entry, or the one in it.
fn matcher_span(hook: &Hook, text: &str) -> Range<usize> {
    let entry = hook.origin.span.clone();
    let inside = text[entry.clone()].find("\"matcher\"").map(|at| entry.start + at);
    let before = || text[..entry.start].rfind("\"matcher\"");
    // A group may have its matcher after its hooks.
    let behind = || text[entry.end..].find("\"matcher\"").map(|at| entry.end + at);
    let Some(at) = inside.or_else(before).or_else(behind) else { return entry };
    let value = at + "\"matcher\"".len();
    let Some(open) = text[value..].find('"').map(|open| value + open) else { return entry };
    let Some(close) = text[open + 1..].find('"').map(|close| open + 1 + close + 1) else { return entry };
    open..close
}
