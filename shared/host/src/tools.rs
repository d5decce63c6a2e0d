//! The tools of each host, as matchers name them.

use crate::product::Product;

/// What a tool is for, as far as hooks care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Runs commands.
    Shell,
    /// Changes files.
    Edit,
    /// Anything else.
    Other,
}

/// The tools that were seen, or that stand in source or documentation: host-contract.md 1.6, 2.3, 3.3, 4 and 5.
const TOOLS: &[(Product, Use, &[&str])] = &[
    (Product::Claude, Use::Shell, &["Bash", "PowerShell", "Monitor"]),
    (Product::Claude, Use::Edit, &["Write", "Edit", "MultiEdit", "NotebookEdit"]),
    (
        Product::Claude,
        Use::Other,
        &[
            "Read",
            "Glob",
            "Grep",
            "WebFetch",
            "WebSearch",
            "Agent",
            "Task",
            "Skill",
            "Workflow",
            "CronCreate",
            "EnterWorktree",
            "ExitPlanMode",
            "AskUserQuestion",
            "TodoWrite",
            "BashOutput",
            "KillShell",
        ],
    ),
    (Product::CopilotCli, Use::Shell, &["bash", "powershell", "write_bash", "write_powershell", "Bash"]),
    (
        Product::CopilotCli,
        Use::Edit,
        &["create", "edit", "str_replace", "insert", "str_replace_editor", "apply_patch", "Write", "Edit"],
    ),
    (
        Product::CopilotCli,
        Use::Other,
        &[
            "view",
            "Read",
            "grep",
            "rg",
            "Grep",
            "glob",
            "Glob",
            "web_fetch",
            "WebFetch",
            "web_search",
            "WebSearch",
            "ask_user",
            "AskUserQuestion",
            "update_todo",
            "TodoWrite",
            "task",
            "Agent",
            "read_bash",
            "stop_bash",
            "list_bash",
            "sql",
            "skill",
            "report_intent",
            "store_memory",
            "create_pull_request",
            "exit_plan_mode",
        ],
    ),
    (Product::Codex, Use::Shell, &["Bash"]),
    (Product::Codex, Use::Edit, &["apply_patch", "Edit", "Write"]),
    (Product::Gemini, Use::Shell, &["run_shell_command"]),
    (Product::Gemini, Use::Edit, &["write_file", "replace"]),
    (
        Product::Gemini,
        Use::Other,
        &[
            "read_file",
            "read_many_files",
            "grep_search",
            "search_file_content",
            "glob",
            "list_directory",
            "web_fetch",
            "google_web_search",
            "save_memory",
        ],
    ),
];

/// The tools of a host; of Copilot in camelCase, those by their runtime names only.
pub fn of(product: Product) -> Vec<(&'static str, Use)> {
    let product = if product == Product::CopilotCloud { Product::CopilotCli } else { product };
    TOOLS
        .iter()
        .filter(|(known, ..)| *known == product)
        .flat_map(|(_, kind, names)| names.iter().map(|name| (*name, *kind)))
        .collect()
}

/// What the tool of that name is for, on whatever host has it.
pub fn purpose(name: &str) -> Option<Use> {
    let known =
        |(_, _, names): &&(Product, Use, &[&str])| names.iter().any(|known| known.eq_ignore_ascii_case(name));
    TOOLS.iter().find(known).map(|(_, kind, _)| *kind)
}
