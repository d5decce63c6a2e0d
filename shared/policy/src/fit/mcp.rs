//! `mcp`: calls of MCP servers' tools.

use super::{Fit, Lean, any, listed};
use crate::action::McpCall;
use crate::glob::{self, NAME, PLAIN};
use crate::model::{Mcp, Text};

pub(super) fn fits(test: &Mcp<'_>, call: &McpCall<'_>, lean: Lean) -> Fit {
    let named = |(server, tool): &(String, String)| name(&test.server, server).min(name(&test.tool, tool));
    let named = match lean {
        // Where the server's name ends is not clear in every host's form: any reading counts.
        Lean::Wide => any(&call.readings, named),
        Lean::Narrow => {
            let literal = |names: &[Text<'_>]| {
                !names.is_empty() && !names.iter().any(|name| name.contains(['*', '?', '[']))
            };
            let clear = call.readings.len() == 1 || literal(&test.server) && literal(&test.tool);
            if clear { any(&call.readings, named) } else { Fit::No }
        }
    };
    if named == Fit::No {
        return named;
    }
    let argument = |(key, patterns): &(Text<'_>, Vec<Text<'_>>)| {
        let values: Vec<&String> =
            call.args.iter().filter(|(name, _)| name == key).map(|(_, value)| value).collect();
        match lean {
            Lean::Wide => any(&values, |value| listed(patterns, value, PLAIN)),
            Lean::Narrow if values.is_empty() => Fit::No,
            Lean::Narrow => {
                values.iter().map(|value| listed(patterns, value, PLAIN)).min().unwrap_or(Fit::No)
            }
        }
    };
    test.args.iter().map(argument).min().unwrap_or(Fit::Yes).min(named)
}

/// Hosts write `-`, `_`, `.` and blanks of a server's name each in their own way.
fn name(patterns: &[Text<'_>], name: &str) -> Fit {
    if patterns.is_empty() {
        return Fit::Yes;
    }
    let plain = |text: &str| text.replace(['-', '.', ' '], "_");
    let name = plain(name);
    any(patterns, |pattern| glob::fits(&plain(pattern), &name, NAME))
}
