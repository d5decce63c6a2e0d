//! `mcp`: calls of MCP servers' tools.

use super::{any, listed};
use crate::action::McpCall;
use crate::certainty::{Lean, Match};
use crate::glob::{self, NAME, PLAIN};
use crate::model::{Mcp, Text};

pub(super) fn matches(test: &Mcp<'_>, call: &McpCall<'_>, lean: Lean) -> Match {
    let named = |(server, tool): &(String, String)| name(&test.server, server).min(name(&test.tool, tool));
    let named = match lean {
        // Where the server's name ends is not clear in every host's form: any reading counts.
        Lean::Wide => any(&call.readings, named),
        Lean::Narrow | Lean::Open => {
            let literal = |names: &[Text<'_>]| {
                !names.is_empty() && !names.iter().any(|name| name.contains(['*', '?', '[']))
            };
            // With names in full, only one of the readings can be the one that is allowed.
            let clear = call.readings.len() == 1 || literal(&test.server) && literal(&test.tool);
            if clear { any(&call.readings, named) } else { Match::No }
        }
    };
    if named == Match::No {
        return named;
    }
    let argument = |(key, patterns): &(Text<'_>, Vec<Text<'_>>)| {
        let values: Vec<&String> =
            call.args.iter().filter(|(name, _)| name == key).map(|(_, value)| value).collect();
        match lean {
            Lean::Wide => any(&values, |value| listed(patterns, value, PLAIN)),
            // A tool may take a default of its own for what is left out.
            Lean::Narrow | Lean::Open if values.is_empty() => Match::No,
            Lean::Narrow | Lean::Open => {
                // Of a list, every value must be allowed.
                values.iter().map(|value| listed(patterns, value, PLAIN)).min().unwrap_or(Match::No)
            }
        }
    };
    test.args.iter().map(argument).min().unwrap_or(Match::Yes).min(named)
}

/// Hosts write `-`, `_`, `.` and blanks of a server's name each in their own way.
fn name(patterns: &[Text<'_>], name: &str) -> Match {
    if patterns.is_empty() {
        return Match::Yes;
    }
    let plain = |text: &str| text.replace(['-', '.', ' '], "_");
    let name = plain(name);
    any(patterns, |pattern| glob::matches(&plain(pattern), &name, NAME))
}
