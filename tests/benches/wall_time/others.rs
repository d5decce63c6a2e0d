//! What else people put in this place.

use std::path::Path;

use crate::row::Row;
use crate::{say, write};

/// The title of the hook that people begin with.
pub(crate) const BASH: &str = "a hook in bash and jq";

/// Three calls of `jq` and one of `grep`, as in the guides of the hosts.
const BASH_AND_JQ: &str = r#"#!/bin/bash
INPUT=$(cat)
TOOL=$(printf '%s' "$INPUT" | jq -r '.tool_name // .toolName')
EVENT=$(printf '%s' "$INPUT" | jq -r '.hook_event_name // empty')
COMMAND=$(printf '%s' "$INPUT" | jq -r '.tool_input.command // empty')
if [ "$TOOL" = Bash ] && printf '%s' "$COMMAND" | grep -qE 'rm -rf|git push --force|DROP TABLE'; then
  printf '{"hookSpecificOutput":{"hookEventName":"%s","permissionDecision":"deny"}}' "$EVENT"
fi
"#;

const PYTHON: &str = "\
import json, re, sys
call = json.load(sys.stdin)
command = call.get('tool_input', {}).get('command', '')
if re.search(r'rm -rf|git push --force|DROP TABLE', command):
    print(json.dumps({'hookSpecificOutput': {'permissionDecision': 'deny'}}))
";

const NODE: &str = "\
const call = JSON.parse(require('fs').readFileSync(0, 'utf8'));
if (/rm -rf|git push --force|DROP TABLE/.test((call.tool_input || {}).command || ''))
  console.log(JSON.stringify({hookSpecificOutput: {permissionDecision: 'deny'}}));
";

/// Blockers that others make, with the arguments that make them a hook of Claude Code.
const BLOCKERS: [(&str, &[&str]); 3] =
    [("dcg", &[]), ("cc-safety-net", &["hook", "--claude-code"]), ("nah", &["hook"])];

/// All that is installed here.
pub(crate) fn rows(folder: &Path) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for (program, name, text, title) in [
        ("bash", "hook.sh", BASH_AND_JQ, BASH),
        ("python3", "hook.py", PYTHON, "the same in Python"),
        ("node", "hook.js", NODE, "the same in Node"),
    ] {
        let script = folder.join(name);
        write(&script, text)?;
        if on_path(program) && (program != "bash" || on_path("jq")) {
            rows.push(Row::new(title, &[program, &script.display().to_string()], folder));
        } else {
            say(&format!("{title}: not measured, as it is not installed"));
        }
    }
    for (program, words) in BLOCKERS.iter().filter(|(program, _)| on_path(program)) {
        let argv: Vec<&str> = std::iter::once(*program).chain(words.iter().copied()).collect();
        rows.push(Row::new(program, &argv, folder));
    }
    Ok(rows)
}

fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
