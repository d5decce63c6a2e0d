//! Tools of MCP servers that carry SQL or commands are judged like a shell's.

use payload::model::Effect;
use support::call::Call;
use support::hosts::Target;
use support::programs::command_blocker;

fn effect(tool: &str, input: &str) -> Effect {
    let payload = format!(
        r#"{{"session_id":"s","transcript_path":"/t","cwd":"/home/user/project","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"{tool}","tool_input":{input},"tool_use_id":"u"}}"#
    );
    let answer = Call::new(command_blocker()).args(["--deadline-ms", "30000"]).input(payload).run();
    Target::Claude.reads("PreToolUse", &answer).effect
}

#[test]
fn sql_and_commands_of_mcp_tools_are_judged() {
    for (tool, input, expected) in [
        ("mcp__postgres__query", r#"{"sql":"DROP TABLE users"}"#, Effect::Deny),
        ("mcp__postgres__query", r#"{"sql":"DELETE FROM users WHERE id = 1"}"#, Effect::None),
        ("mcp__sqlite__write_query", r#"{"query":"DELETE FROM users"}"#, Effect::Deny),
        ("mcp__sqlite__read_query", r#"{"query":"SELECT 'DROP TABLE users'"}"#, Effect::None),
        ("mcp__supabase__execute_sql", r#"{"project_id":"p","query":"TRUNCATE a, b"}"#, Effect::Deny),
        ("mcp__mysql__mysql_query", r#"{"sql":"SELECT 'a\\'; DROP TABLE users -- '"}"#, Effect::Deny),
        ("mcp__mssql__execute", r#"{"query":"EXEC xp_cmdshell 'rm -rf /'"}"#, Effect::Deny),
        (
            "mcp__neon__run_sql_transaction",
            r#"{"params":{"sqlStatements":["SELECT 1","DROP TABLE a"]}}"#,
            Effect::Deny,
        ),
        ("mcp__pg__query", r#"{"sql":"DROP INDEX i"}"#, Effect::Ask),
        ("mcp__terminal__run", r#"{"command":"psql -c 'DROP TABLE users'"}"#, Effect::Deny),
        ("mcp__terminal__run", r#"{"script":"rm -rf /"}"#, Effect::Deny),
        ("mcp__terminal__run", r#"{"command":"ls"}"#, Effect::None),
        ("mcp__github__search_code", r#"{"query":"DROP TABLE users"}"#, Effect::None),
        ("mcp__notion__create_page", r#"{"text":"DELETE FROM users; rm -rf /"}"#, Effect::None),
        ("mcp__postgres_docs__search_docs", r#"{"query":"drop table"}"#, Effect::None),
        ("mcp__postgres__query", r#"{"query":"how do I drop a table?"}"#, Effect::None),
    ] {
        assert_eq!(effect(tool, input), expected, "{tool} {input}");
    }
}
