//! `OpenAI`'s chat completions: Copilot CLI with a provider of one's own.

use serde_json::{Value, json};

use super::{Answer, Kind, Reply, Seen, flat, items};

pub(super) fn reply(answer: &Answer, request: &Value) -> Reply {
    let calls: Vec<Value> = answer
        .calls
        .iter()
        .enumerate()
        .map(|(index, call)| {
            json!({
                "index": index, "id": format!("call_{}", answer.id(index)), "type": "function",
                "function": {"name": call.name, "arguments": call.input.to_string()}
            })
        })
        .collect();
    let reason = if calls.is_empty() { "stop" } else { "tool_calls" };
    let usage = json!({"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120});
    let part = |object: &str, choices: Value, usage: &Value| {
        json!({
            "id": format!("chatcmpl_{:04}", answer.number), "created": 1_700_000_000, "model": request["model"],
            "object": object, "choices": choices, "usage": usage
        })
    };
    if request["stream"] != true {
        let mut message = json!({"role": "assistant", "content": answer.text});
        if !calls.is_empty() {
            message["tool_calls"] = json!(calls);
        }
        let choices = json!([{"index": 0, "message": message, "finish_reason": reason}]);
        return Reply::Json(part("chat.completion", choices, &usage));
    }
    let chunk = |delta: Value, reason: Option<&str>| {
        let choices = json!([{"index": 0, "delta": delta, "finish_reason": reason}]);
        (None, part("chat.completion.chunk", choices, &Value::Null).to_string())
    };
    let text = answer.text.clone().unwrap_or_default();
    let mut events = vec![chunk(json!({"role": "assistant", "content": text}), None)];
    events.extend(calls.iter().map(|call| chunk(json!({"tool_calls": [call]}), None)));
    events.push(chunk(json!({}), Some(reason)));
    events.push((None, part("chat.completion.chunk", json!([]), &usage).to_string()));
    events.push((None, "[DONE]".to_owned()));
    Reply::Events(events)
}

pub(super) fn seen(request: &Value) -> Vec<Seen> {
    let mut all = Vec::new();
    for message in items(&request["messages"]) {
        let kind = match message["role"].as_str() {
            Some("tool") => Kind::ToolResult,
            Some("system" | "developer") => Kind::System,
            _ => Kind::Text,
        };
        if !message["content"].is_null() {
            all.push(Seen { kind, text: flat(&message["content"]) });
        }
        for call in items(&message["tool_calls"]) {
            all.push(Seen { kind: Kind::ToolCall, text: flat(&call["function"]["arguments"]) });
        }
    }
    all
}
