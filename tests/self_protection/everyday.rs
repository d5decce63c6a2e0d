//! Two hundred everyday edits and commands near the protected files: `tests/cases/near-settings.tsv` has the commands,
//! which the engine's own tests judge one by one; here they are counted, together with edits.

use std::fs;

use serde_json::{Value, json};
use support::programs::root;

use super::{decided, edited};
use rules::{Decision, Language};

/// Edits that no one should be asked about: the file, what stood there, and what comes.
const EDITS: &[(&str, &str, &str)] = &[
    (".github/workflows/ci.yml", "node: 20", "node: 22"),
    (".github/workflows/release.yml", "on: push", "on: [push]"),
    (".github/dependabot.yml", "daily", "weekly"),
    (".github/CODEOWNERS", "* @a", "* @a @b"),
    (".github/PULL_REQUEST_TEMPLATE.md", "What", "What and why"),
    (".github/ISSUE_TEMPLATE/bug.yml", "a", "b"),
    (".github/copilot-instructions.md", "Use tabs.", "Use blanks."),
    (".github/actions/setup/action.yml", "a", "b"),
    (".vscode/launch.json", "\"port\": 1", "\"port\": 2"),
    (".vscode/extensions.json", "[]", "[\"rust-lang.rust-analyzer\"]"),
    (".vscode/settings.json", "\"editor.tabSize\": 2", "\"editor.tabSize\": 4"),
    (".vscode/settings.json", "\"files.exclude\": {}", "\"files.exclude\": {\"**/x\": true}"),
    (
        ".vscode/settings.json",
        "\"python.analysis.typeCheckingMode\": \"off\"",
        "\"python.analysis.typeCheckingMode\": \"strict\"",
    ),
    (".vscode/tasks.json", "\"make\"", "\"make all\""),
    (".vscode/cspell.json", "[]", "[\"foo\"]"),
    (".claude/settings.json", "\"model\": \"a\"", "\"model\": \"b\""),
    (".claude/CLAUDE.md", "a", "b"),
    (".claude/notes.md", "a", "b"),
    (".gemini/GEMINI.md", "a", "b"),
    (".gemini/styleguide.md", "a", "b"),
    (".codex/AGENTS.md", "a", "b"),
    ("CLAUDE.md", "a", "b"),
    ("AGENTS.md", "a", "b"),
    ("GEMINI.md", "a", "b"),
    (".gitignore", "target", "target\nout"),
    (".gitattributes", "* text", "* text=auto"),
    (".gitmodules", "a", "b"),
    (".mcp.md", "a", "b"),
    (".env.example", "A=1", "A=2"),
    (".editorconfig", "2", "4"),
    (".pre-commit-config.yaml", "v1", "v2"),
    (".husky/pre-commit", "npm test", "npm run lint"),
    (".devcontainer/devcontainer.json", "a", "b"),
    ("src/hooks/useThing.ts", "a", "b"),
    ("src/settings.json", "a", "b"),
    ("config/settings.json", "a", "b"),
    ("packages/a/settings.local.json", "a", "b"),
    ("docs/hooks.md", "disableAllHooks", "disableAllHooks: true"),
    ("tests/fixtures/.claude/settings.json", "a", "b"),
    ("examples/.github/hooks/a.json", "a", "b"),
    ("configs/claude-code/settings.json", "\"hooks\": {", "\"hooks\": {\"Stop\": [],"),
    ("/home/user/.claude/CLAUDE.md", "a", "b"),
    ("/home/user/.claude/plans/plan.md", "a", "b"),
    ("/home/user/.claude/projects/x/memory/MEMORY.md", "a", "b"),
    ("/home/user/.copilot/session-state/s/plan.md", "a", "b"),
    ("/home/user/.copilot/copilot-instructions.md", "a", "b"),
    ("/home/user/.codex/AGENTS.md", "a", "b"),
    ("/home/user/.gemini/GEMINI.md", "a", "b"),
    ("/home/user/.config/nvim/init.lua", "a", "b"),
    ("/tmp/x/.claude/settings.json", "a", "b"),
];

#[test]
fn everyday_work_near_these_files_is_hardly_asked_about_and_never_denied() {
    let text = fs::read_to_string(root().join("tests/cases/near-settings.tsv")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let mut all = 0;
    let mut wrong: Vec<(Decision, String)> = Vec::new();
    for line in lines {
        let (_, command) = line.split_once('\t').unwrap();
        let (language, command): (Language, String) = rules::prompted(command);
        all += 1;
        wrong.extend(decided(language, &command).map(|decision| (decision, command.clone())));
    }
    for (file, old, new) in EDITS {
        for (tool, input) in [
            ("Edit", json!({"file_path": file, "old_string": old, "new_string": new})),
            ("replace_string_in_file", json!({"filePath": file, "oldString": old, "newString": new})),
        ] {
            let input: Value = input;
            all += 1;
            wrong.extend(edited(tool, &input).map(|decision| (decision, format!("{tool} {input}"))));
        }
    }
    assert!(all >= 200, "{all}");
    assert!(wrong.iter().all(|(decision, _)| *decision == Decision::Ask), "denied: {wrong:#?}");
    assert!(wrong.len() * 50 <= all, "{} of {all} are asked about: {wrong:#?}", wrong.len());
}
