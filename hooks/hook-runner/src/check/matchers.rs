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
    let camel = hook.dialect == Dialect::Flat && hook.kind != EventKind::PermissionRequest;
    let tools: Vec<_> = product
        .tools
        .iter()
        .flat_map(|(kind, names)| names.iter().map(|name| (*name, *kind)))
        .filter(|(name, _)| !(camel && name.starts_with(char::is_uppercase)))
        .collect();
    let fits = |name: &str| hook.matcher.matches(&[name]);
    let mut problems = Vec::new();
    let servers = servers_tools(product, hook, &hook.matcher.text());
    let meant = same_purpose(written, &tools);
    // Whoever writes another host's name for a tool means that tool, and not one of a server that happens to be called so.
    let fits_server = meant.is_none() && servers.iter().any(|name| fits(name));
    if !tools.iter().any(|(name, _)| fits(name)) && !fits_server {
        let help = match (meant, servers.first()) {
            (Some(name), _) => format!("Did you mean `{name}`?"),
            (None, Some(name)) => format!("A server's tool is called `{name}` here."),
            (None, None) => "Omit `matcher`, or name one of this host's tools.".to_owned(),
        };
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

/// Tools of MCP servers that a matcher may mean, by their names on its host. Which servers there are, only the user knows.
fn servers_tools(product: Product, hook: &Hook, written: &str) -> Vec<String> {
    let (before, between) = product.server_tools;
    let asks = hook.kind == EventKind::PermissionRequest && product.has(Quirk::AsksWithSlash);
    let between = if asks { "/" } else { between };
    let mut names = Vec::new();
    for part in written.split(['|', ',']) {
        let any =
            [".*", ".+", "*"].iter().fold(part.trim().to_owned(), |text, any| text.replace(any, "tool"));
        let word: String = any.chars().filter(|c| c.is_alphanumeric() || "_-/".contains(*c)).collect();
        let forms = [("mcp__", "__"), ("mcp_", "_"), ("", "/"), ("", "-")];
        let split = forms.iter().find_map(|(start, middle)| {
            let rest = word.strip_prefix(start)?;
            // A server alone means all of its tools.
            rest.split_once(middle).or_else(|| (!start.is_empty()).then_some((rest, "")))
        });
        let or = |text: &str, other: &str| if text.is_empty() { other.to_owned() } else { text.to_owned() };
        if let Some((server, tool)) = split {
            names.push(format!("{before}{}{between}{}", or(server, "server"), or(tool, "tool")));
        }
        // What is no server's name may be a part of a tool's.
        names.push(format!("{before}server{between}{}", or(&word, "tool")));
    }
    names
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
