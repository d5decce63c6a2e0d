//! `policy schema`: the JSON Schema of policy files, from the same tables that the reader uses.

use serde_json::{Map, Value, json};

use crate::read::{self, matchers, rule};

/// The schema (draft 2020-12), for editors such as Taplo and Even Better TOML.
pub fn schema() -> Value {
    let texts = json!({ "anyOf": [{ "type": "string", "minLength": 1 },
        { "type": "array", "items": { "type": "string", "minLength": 1 }, "minItems": 1 }] });
    let word = |words: &[&str]| json!({ "enum": words });
    let words = |words: &[&str]| json!({ "anyOf": [{ "enum": words }, { "type": "array", "items": { "enum": words }, "minItems": 1 }] });
    let text = json!({ "type": "string", "minLength": 1 });
    let flag = json!({ "type": "boolean" });
    let value = |key: &str| match key {
        "id" | "reason" | "instead" | "rule" | "owner" => text.clone(),
        "decision" => word(rule::DECISIONS),
        "no_prompt" => word(&["deny", "ask", "none"]),
        "unmatched" | "unresolved" => word(&["none", "ask", "deny"]),
        "override_by" => word(&["none", "system", "user", "project"]),
        "profile" => word(&["standard", "strict"]),
        "scripts" => {
            let whose = word(read::SCRIPTS);
            json!({ "anyOf": [whose.clone(), { "type": "object", "additionalProperties": whose }] })
        }
        "lock" | "known_only" | "allow_empty" | "allow_project_allow" | "allow_user_exceptions" => {
            flag.clone()
        }
        "access" => words(matchers::ACCESS),
        "host" => words(matchers::HOSTS),
        "schema" => json!({ "const": 1 }),
        "expires" => json!({ "type": "string", "format": "date" }),
        "match" | "not_match" => json!({ "type": "array", "items": { "type": ["string", "object"] } }),
        "rules" => json!({ "type": "object", "additionalProperties": word(crate::read::BUILTIN_RULES) }),
        "args" => json!({ "type": "object", "additionalProperties": texts.clone() }),
        // Most keys take one string or a list of them.
        _ => texts.clone(),
    };
    let object = |keys: &[&str], special: &dyn Fn(&str) -> Option<Value>, required: &[&str]| {
        let properties: Map<String, Value> =
            keys.iter().map(|key| ((*key).to_owned(), special(key).unwrap_or_else(|| value(key)))).collect();
        json!({ "type": "object", "properties": properties, "additionalProperties": false, "required": required })
    };
    let plain = |keys: &[&str]| object(keys, &|_| None, &[]);
    let several =
        |of: Value| json!({ "anyOf": [of.clone(), { "type": "array", "items": of, "minItems": 1 }] });
    let kind = |key: &str| match key {
        "run" => Some(several(plain(matchers::RUN))),
        "path" => Some(several(plain(matchers::PATH))),
        "net" => Some(several(plain(matchers::NET))),
        "mcp" => Some(several(plain(matchers::MCP))),
        "agent" => Some(several(plain(matchers::AGENT))),
        "when" => Some(plain(matchers::WHEN)),
        // Its form depends on the rule's kind, which is another key.
        "unless" => Some(json!({ "type": ["object", "array", "string"] })),
        "tool" => Some(words(rule::TOOLS)),
        _ => None,
    };
    let file = |key: &str| match key {
        "defaults" => Some(plain(read::DEFAULTS)),
        "system" => Some(plain(read::LIMITS)),
        "builtin" => Some(plain(read::BUILTIN)),
        "environment" => Some(plain(read::ENVIRONMENT)),
        "rule" => Some(json!({ "type": "array", "items": object(rule::RULE, &kind, &["id", "decision"]) })),
        "exception" => Some(
            json!({ "type": "array", "items": object(rule::EXCEPTION, &kind, &["rule", "reason", "expires"]) }),
        ),
        _ => None,
    };
    let mut schema = object(read::FILE, &file, &["schema"]);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("A policy of policy-hooks");
    schema
}
