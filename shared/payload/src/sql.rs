//! SQL that a tool call would send to a database.

use std::borrow::Cow;

use crate::event::Event;
use crate::json::{Json, JsonType};
use crate::keys::{self, Meaning};
use crate::tool::ToolKind;

impl Event<'_> {
    /// The strings of SQL that the tool call would send to a database (or sent), in the order of the payload.
    ///
    /// They are the arguments of MCP tools and of tools we do not know whose name says so: `sql`, `statement` and the
    /// like always, `query` only where the tool or its server is named for a database, because a query is mostly a
    /// search. Copilot's own `sql` tool keeps its notes in a database of the session, and is not here.
    pub fn sql(&self) -> Vec<Cow<'_, str>> {
        let mut found = Vec::new();
        let unknown = matches!(self.tool_kind(), ToolKind::Mcp | ToolKind::Other);
        if !(unknown || self.is_unfamiliar()) || !self.kind.may_carry_tool() {
            return found;
        }
        if let Some(scope) = self.scope() {
            let name = self.tool().map_or("", |tool| &*tool.name);
            // The tool's name is only looked at where a key is `query`.
            let mut asks = None;
            collect(scope, &mut || *asks.get_or_insert_with(|| is_database(name)), &mut found);
        }
        found
    }
}

fn collect<'e>(value: Json<'e>, asks: &mut impl FnMut() -> bool, found: &mut Vec<Cow<'e, str>>) {
    for (key, value) in value.members() {
        let meaning = keys::guess(&key);
        let carries = meaning.is(Meaning::SQL) || (meaning.is(Meaning::QUERY) && asks());
        match value.kind() {
            JsonType::String if carries => found.extend(value.as_str()),
            JsonType::Object => collect(value, asks, found),
            JsonType::Array => {
                for element in value.elements() {
                    if carries {
                        found.extend(element.as_str());
                    }
                    collect(element, asks, found);
                }
            }
            _ => {}
        }
    }
}

/// Whether a tool's name says that its queries go to a database.
fn is_database(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let words = || name.split(|c: char| !c.is_ascii_alphanumeric());
    let searches =
        |word: &str| matches!(word, "search" | "docs" | "find" | "web" | "issues" | "semantic" | "graphql");
    // First, because a search may be named after the database whose documents it searches.
    if words().any(searches) {
        return false;
    }
    let databases = [
        "sql",
        "postgres",
        "maria",
        "database",
        "bigquery",
        "snowflake",
        "redshift",
        "clickhouse",
        "duckdb",
        "oracle",
        "supabase",
        "neon",
        "planetscale",
        "turso",
        "cockroach",
        "athena",
        "trino",
        "presto",
        "spanner",
        "databricks",
        "warehouse",
        "vertica",
        "teradata",
        "cassandra",
        "timescale",
        "d1",
    ];
    let named = |word: &str| {
        matches!(word, "db" | "pg" | "dbhub" | "rds" | "hana" | "hive" | "spark")
            || databases.iter().any(|database| word.contains(database))
    };
    // `mcp__x__query`, `mcp__x__execute_query`
    let last = name.rsplit("__").next().unwrap_or(&name);
    words().any(named)
        || matches!(last, "query" | "execute_query" | "run_query" | "read_query" | "write_query")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::{Hints, parse};

    #[test]
    fn sql_is_distinguished_from_other_queries() {
        for (tool, input, expected) in [
            ("mcp__postgres__query", r#"{"sql":"SELECT 1"}"#, &["SELECT 1"][..]),
            ("mcp__sqlite__write_query", r#"{"query":"DELETE FROM t"}"#, &["DELETE FROM t"]),
            ("mcp_supabase_execute_sql", r#"{"query":"SELECT 1","project_id":"p"}"#, &["SELECT 1"]),
            ("mcp__neon__run_sql_transaction", r#"{"params":{"sqlStatements":["a","b"]}}"#, &["a", "b"]),
            ("mcp__dbhub__execute", r#"{"query":"SELECT 1"}"#, &["SELECT 1"]),
            ("mcp__x__execute_query", r#"{"query":"SELECT 1"}"#, &["SELECT 1"]),
            ("pgsql_query", r#"{"query":"SELECT 1"}"#, &["SELECT 1"]),
            ("mcp__github__search_code", r#"{"query":"DROP TABLE users"}"#, &[]),
            ("mcp__linear__list_issues", r#"{"query":"DROP TABLE users"}"#, &[]),
            ("mcp__postgres_docs__search", r#"{"query":"DROP TABLE users"}"#, &[]),
            ("grep_search", r#"{"query":"DROP TABLE users"}"#, &[]),
            ("sql", r#"{"query":"DELETE FROM todos"}"#, &[]),
            ("Bash", r#"{"command":"ls","sql":"DROP TABLE users"}"#, &[]),
        ] {
            let text = format!(
                r#"{{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"{tool}","tool_input":{input}}}"#
            );
            let event = parse(text.as_bytes(), Hints::default()).unwrap();
            assert_eq!(event.sql(), expected, "{tool} {input}");
        }
    }
}
