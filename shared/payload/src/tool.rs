//! What a tool does, whatever the host calls it.

use std::borrow::Cow;

/// What a tool does, whatever the host calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToolKind {
    /// Runs a command line.
    Shell,
    /// Types into a shell that runs already.
    ShellInput,
    /// Defines or starts a task that runs commands.
    Task,
    /// Creates or overwrites a file.
    Create,
    /// Changes a file.
    Edit,
    /// Applies a patch to any number of files.
    Patch,
    /// Changes a notebook.
    Notebook,
    /// Makes a directory.
    MakeDir,
    /// Reads a file.
    Read,
    /// Searches files or lists directories.
    Search,
    /// Fetches from the network, or searches the web.
    Fetch,
    /// Starts a sub-agent.
    Agent,
    /// Acts on the editor.
    Ide,
    /// Notes of the model; a `command` in it is never a shell command.
    Memory,
    /// Offered by an MCP server.
    Mcp,
    /// Queries the host's own database.
    Sql,
    /// Anything that we do not know.
    Other,
}

/// The tool that is (or was) called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool<'a> {
    /// The host's own name.
    pub name: Cow<'a, str>,
    pub kind: ToolKind,
}

impl ToolKind {
    /// Whether it runs what it is given as a command, or types it into a shell.
    pub(crate) fn takes_commands(self) -> bool {
        matches!(self, Self::Shell | Self::ShellInput)
    }

    /// The kind that a host's own tool name stands for. Names are case-sensitive, as in the hosts.
    ///
    /// Names are shared by all hosts without conflict. An MCP tool is recognised by its `mcp_` prefix or a `/`; Copilot's
    /// `server-tool` form is recognised in [`crate::parse`], where the host is known.
    ///
    /// Sources: VS Code's `toolNames.ts` (Copilot Chat 0.42.0 and 0.67.0) and its documentation's older names, Copilot CLI
    /// 1.0.102 with its map to Claude's names, Claude Code 2.1.329, Codex CLI 0.169.0, Gemini CLI 0.61.0.
    pub fn from_name(name: &str) -> Self {
        match name {
            "Bash" | "bash" | "run_in_terminal" | "run_shell_command" | "powershell" | "PowerShell"
            | "Monitor" | "exec_command" | "shell" | "local_shell" | "container.exec" | "shell_command"
            | "runTerminalCommand" | "runInTerminal" | "runTerminalCmd" | "runCommands" | "execute"
            | "unified_exec" => Self::Shell,
            "send_to_terminal" | "sendToTerminal" | "write_bash" | "write_powershell" | "write_stdin" => {
                Self::ShellInput
            }
            "create_and_run_task"
            | "createAndRunTask"
            | "run_task"
            | "runTask"
            | "Workflow"
            | "CronCreate" => Self::Task,
            "create_file" | "createFile" | "create" | "Write" | "write_file" => Self::Create,
            "Edit"
            | "edit"
            | "MultiEdit"
            | "replace_string_in_file"
            | "multi_replace_string_in_file"
            | "insert_edit_into_file"
            | "str_replace"
            | "insert"
            | "str_replace_editor"
            | "replace"
            | "editFiles"
            | "edit_file"
            | "edit_files"
            | "vscode_renameSymbol" => Self::Edit,
            "apply_patch" | "applyPatch" => Self::Patch,
            "edit_notebook_file" | "editNotebook" | "NotebookEdit" => Self::Notebook,
            "create_directory" | "createDirectory" => Self::MakeDir,
            "Read"
            | "view"
            | "read_file"
            | "readFile"
            | "view_image"
            | "read_many_files"
            | "get_errors"
            | "read_notebook_cell_output" => Self::Read,
            "Grep"
            | "Glob"
            | "grep"
            | "rg"
            | "glob"
            | "file_search"
            | "grep_search"
            | "semantic_search"
            | "list_dir"
            | "list_directory"
            | "search_file_content"
            | "LS" => Self::Search,
            "WebFetch"
            | "web_fetch"
            | "fetch_webpage"
            | "WebSearch"
            | "web_search"
            | "google_web_search"
            | "fetch"
            | "github_repo"
            | "github_text_search"
            | "open_simple_browser"
            | "open_browser_page"
            | "navigate_page" => Self::Fetch,
            "Agent" | "agent" | "Task" | "task" | "runSubagent" | "run_subagent" | "runsubagent"
            | "invoke_agent" | "delegate_to_agent" | "search_subagent" | "execution_subagent"
            | "explore_subagent" | "spawn_agent" => Self::Agent,
            "run_vscode_command"
            | "install_extension"
            | "create_new_workspace"
            | "setup_tools_createNewWorkspace"
            | "create_new_jupyter_notebook"
            | "run_notebook_cell"
            | "kill_terminal"
            | "vscode_askQuestions"
            | "vscode_reviewPlan"
            | "switch_agent" => Self::Ide,
            "memory" | "store_memory" | "save_memory" => Self::Memory,
            "sql" | "session_store_sql" => Self::Sql,
            // Of hosts that are known by their documents: after those of everyday calls, as each name costs a comparison.
            "Shell" | "Execute" | "execute_bash" | "execute_cmd" | "launch-process" | "exec" | "terminal"
            | "run_command" | "run_commands" | "execute_command" => Self::Shell,
            "Create" | "save-file" | "write_to_file" | "write" => Self::Create,
            "replace_in_file"
            | "fs_write"
            | "replace_file_content"
            | "multi_replace_file_content"
            | "str-replace-editor"
            | "StrReplace"
            | "editor"
            | "file_editor"
            | "multiedit" => Self::Edit,
            "ApplyPatch" | "patch" => Self::Patch,
            "fs_read" | "view_file" | "read" | "read_files" => Self::Read,
            "list" | "find" | "ls" | "search_codebase" => Self::Search,
            "webfetch" | "websearch" | "fetch_web_content" => Self::Fetch,
            // After all names of the hosts' own, none of which looks like that.
            name if name.starts_with("mcp_") || name.contains('/') => Self::Mcp,
            _ => Self::Other,
        }
    }
}
