//! Gemini's `generateContent`: Gemini CLI.

use serde_json::{Value, json};

use super::{Answer, Kind, Reply, Seen, flat, items};

/// What the router and the checker of Gemini CLI want to read.
pub(super) const AUXILIARY: &str = r#"{"reasoning":"scripted","model_choice":"flash","next_speaker":"user","complexity_score":1,"complexity_reasoning":"scripted"}"#;

pub(super) fn reply(answer: &Answer, streams: bool) -> Reply {
    let mut parts = Vec::new();
    if let Some(text) = &answer.text {
        parts.push(json!({"text": text}));
    }
    for (index, call) in answer.calls.iter().enumerate() {
        let id = format!("fc_{}", answer.id(index));
        parts.push(json!({"functionCall": {"name": call.name, "args": call.input, "id": id}}));
    }
    let body = json!({
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120},
        "modelVersion": "scripted", "responseId": format!("r_{:04}", answer.number)
    });
    if streams { Reply::Events(vec![(None, body.to_string())]) } else { Reply::Json(body) }
}

pub(super) fn seen(request: &Value) -> Vec<Seen> {
    let mut all = vec![Seen { kind: Kind::System, text: flat(&request["systemInstruction"]) }];
    for content in items(&request["contents"]) {
        for part in items(&content["parts"]) {
            all.push(if let Some(response) = part.get("functionResponse") {
                Seen { kind: Kind::ToolResult, text: response["response"].to_string() }
            } else if let Some(call) = part.get("functionCall") {
                Seen { kind: Kind::ToolCall, text: call["args"].to_string() }
            } else {
                Seen { kind: Kind::Text, text: flat(part) }
            });
        }
    }
    all
}
