//! Anthropic's Messages: Claude Code.

use serde_json::{Value, json};

use super::{Answer, Kind, Reply, Seen, flat, items};

pub(super) fn reply(answer: &Answer, request: &Value) -> Reply {
    let mut content = Vec::new();
    if let Some(text) = &answer.text {
        content.push(json!({"type": "text", "text": text}));
    }
    for (index, call) in answer.calls.iter().enumerate() {
        let id = format!("toolu_{}", answer.id(index));
        content.push(json!({"type": "tool_use", "id": id, "name": call.name, "input": call.input}));
    }
    let reason = if answer.calls.is_empty() { "end_turn" } else { "tool_use" };
    let usage = json!({
        "input_tokens": 100, "output_tokens": 20, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0
    });
    let message = |content: &[Value], reason: Option<&str>| {
        json!({
            "id": format!("msg_{:04}", answer.number), "type": "message", "role": "assistant",
            "model": request["model"], "content": content, "stop_reason": reason, "stop_sequence": null, "usage": usage
        })
    };
    if request["stream"] != true {
        return Reply::Json(message(&content, Some(reason)));
    }
    let mut events = vec![event("message_start", &json!({"message": message(&[], None)}))];
    for (index, block) in content.iter().enumerate() {
        let (start, delta) = if block["type"] == "text" {
            (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": block["text"]}))
        } else {
            let mut start = block.clone();
            start["input"] = json!({});
            (start, json!({"type": "input_json_delta", "partial_json": block["input"].to_string()}))
        };
        events.push(event("content_block_start", &json!({"index": index, "content_block": start})));
        events.push(event("content_block_delta", &json!({"index": index, "delta": delta})));
        events.push(event("content_block_stop", &json!({"index": index})));
    }
    let delta = json!({"stop_reason": reason, "stop_sequence": null});
    events.push(event("message_delta", &json!({"delta": delta, "usage": usage})));
    events.push(event("message_stop", &json!({})));
    Reply::Events(events)
}

/// An event, which says its name in its data once more.
fn event(name: &'static str, data: &Value) -> (Option<&'static str>, String) {
    let mut data = data.clone();
    data["type"] = json!(name);
    (Some(name), data.to_string())
}

pub(super) fn seen(request: &Value) -> Vec<Seen> {
    let mut all = vec![Seen { kind: Kind::System, text: flat(&request["system"]) }];
    for message in items(&request["messages"]) {
        let content = &message["content"];
        if content.is_string() {
            all.push(Seen { kind: Kind::Text, text: flat(content) });
        }
        for block in items(content) {
            all.push(match block["type"].as_str() {
                Some("tool_result") => Seen { kind: Kind::ToolResult, text: flat(&block["content"]) },
                Some("tool_use") => Seen { kind: Kind::ToolCall, text: block["input"].to_string() },
                _ => Seen { kind: Kind::Text, text: flat(block) },
            });
        }
    }
    all
}
