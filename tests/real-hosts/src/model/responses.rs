//! `OpenAI`'s responses: Codex CLI.

use serde_json::{Value, json};

use super::{Answer, Kind, Reply, Seen, flat, items};

pub(super) fn reply(answer: &Answer, request: &Value) -> Reply {
    let number = answer.number;
    let mut output = Vec::new();
    if let Some(text) = &answer.text {
        output.push(json!({
            "type": "message", "id": format!("msg_{number:04}"), "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}]
        }));
    }
    for (index, call) in answer.calls.iter().enumerate() {
        let id = answer.id(index);
        let (kind, field) =
            if call.is_text { ("custom_tool_call", "input") } else { ("function_call", "arguments") };
        let input = call.input.as_str().map_or_else(|| call.input.to_string(), str::to_owned);
        let mut item = json!({
            "type": kind, "id": format!("fc_{id}"), "call_id": format!("call_{id}"), "name": call.name,
            "status": "completed"
        });
        if let Some(namespace) = &call.namespace {
            item["namespace"] = json!(namespace);
        }
        item[field] = json!(input);
        output.push(item);
    }
    let usage = json!({
        "input_tokens": 100, "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 20, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 120
    });
    let response = |status: &str, output: &[Value], usage: &Value| {
        json!({
            "id": format!("resp_{number:04}"), "object": "response", "created_at": 1_700_000_000, "status": status,
            "model": request["model"], "output": output, "usage": usage, "error": null, "incomplete_details": null,
            "parallel_tool_calls": true, "tools": []
        })
    };
    if request["stream"] != true {
        return Reply::Json(response("completed", &output, &usage));
    }
    let mut events = Events::default();
    events.push("response.created", json!({"response": response("in_progress", &[], &Value::Null)}));
    for (index, item) in output.iter().enumerate() {
        let mut begun = item.clone();
        begun["status"] = json!("in_progress");
        events.push("response.output_item.added", json!({"output_index": index, "item": begun}));
        events.push("response.output_item.done", json!({"output_index": index, "item": item}));
    }
    events.push("response.completed", json!({"response": response("completed", &output, &usage)}));
    Reply::Events(events.0)
}

/// Events that are numbered as they come.
#[derive(Default)]
struct Events(Vec<(Option<&'static str>, String)>);

impl Events {
    fn push(&mut self, name: &'static str, mut data: Value) {
        data["type"] = json!(name);
        data["sequence_number"] = json!(self.0.len());
        self.0.push((Some(name), data.to_string()));
    }
}

pub(super) fn seen(request: &Value) -> Vec<Seen> {
    let mut all = vec![Seen { kind: Kind::System, text: flat(&request["instructions"]) }];
    if request["input"].is_string() {
        all.push(Seen { kind: Kind::Text, text: flat(&request["input"]) });
    }
    for item in items(&request["input"]) {
        let kind = item["type"].as_str().unwrap_or("message");
        all.push(if kind.ends_with("_output") {
            Seen { kind: Kind::ToolResult, text: flat(&item["output"]) }
        } else if kind.ends_with("_call") {
            let input = if item["arguments"].is_null() { &item["input"] } else { &item["arguments"] };
            Seen { kind: Kind::ToolCall, text: flat(input) }
        } else if matches!(item["role"].as_str(), Some("system" | "developer")) {
            Seen { kind: Kind::System, text: flat(&item["content"]) }
        } else {
            Seen { kind: Kind::Text, text: flat(&item["content"]) }
        });
    }
    all
}
