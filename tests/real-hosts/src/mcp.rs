//! An MCP server with one tool, which writes a file: JSON-RPC, one message a line.

use std::fs;
use std::io::{self, BufRead as _, Write as _};

use serde_json::{Value, json};

use crate::script::{SERVER, SERVERS_TOOL};

/// Answers what comes on stdin until it is closed.
///
/// # Errors
///
/// When stdin cannot be read or stdout not be written.
pub fn serve() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line?).unwrap_or_default();
        // A notification wants no answer.
        let Some(id) = message.get("id") else { continue };
        let answer = match result(&message) {
            Some(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            None => {
                json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "no such method"}})
            }
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

fn result(message: &Value) -> Option<Value> {
    let given = &message["params"];
    Some(match message["method"].as_str()? {
        "initialize" => json!({
            "protocolVersion": given["protocolVersion"].as_str().unwrap_or("2025-03-26"),
            "capabilities": {"tools": {}}, "serverInfo": {"name": SERVER, "version": "1"}
        }),
        "tools/list" => json!({"tools": [{
            "name": SERVERS_TOOL, "description": "writes a file", "inputSchema": {
                "type": "object", "required": ["path"],
                "properties": {"path": {"type": "string"}, "text": {"type": "string"}}
            }
        }]}),
        "tools/call" => {
            let [path, text] =
                ["path", "text"].map(|key| given["arguments"][key].as_str().unwrap_or_default());
            let done = fs::write(path, text)
                .map_or_else(|error| error.to_string(), |()| "MARK_TOOL_OUTPUT".to_owned());
            json!({"content": [{"type": "text", "text": done}]})
        }
        "ping" => json!({}),
        _ => return None,
    })
}
