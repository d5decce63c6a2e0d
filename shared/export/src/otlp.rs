//! OpenTelemetry logs: `ExportLogsServiceRequest` of opentelemetry-proto 1.x, as protobuf and as its JSON mapping.
//!
//! The names are those of OpenTelemetry's semantic conventions (`gen_ai.*`, `process.*`, `user.*`, `vcs.*`); what they do
//! not name begins with `policy_hooks.`. The body is the record's exact line.

use prost::Message;
use serde_json::{Value, json};

use crate::entry::{Entry, Weight};

#[derive(Clone, PartialEq, Message)]
pub struct Request {
    #[prost(message, repeated, tag = "1")]
    pub resource_logs: Vec<ResourceLogs>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ResourceLogs {
    #[prost(message, optional, tag = "1")]
    pub resource: Option<Resource>,
    #[prost(message, repeated, tag = "2")]
    pub scope_logs: Vec<ScopeLogs>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Resource {
    #[prost(message, repeated, tag = "1")]
    pub attributes: Vec<KeyValue>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ScopeLogs {
    #[prost(message, optional, tag = "1")]
    pub scope: Option<Scope>,
    #[prost(message, repeated, tag = "2")]
    pub log_records: Vec<LogRecord>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Scope {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub version: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct LogRecord {
    #[prost(fixed64, tag = "1")]
    pub time_unix_nano: u64,
    #[prost(int32, tag = "2")]
    pub severity_number: i32,
    #[prost(string, tag = "3")]
    pub severity_text: String,
    #[prost(message, optional, tag = "5")]
    pub body: Option<AnyValue>,
    #[prost(message, repeated, tag = "6")]
    pub attributes: Vec<KeyValue>,
    #[prost(fixed64, tag = "11")]
    pub observed_time_unix_nano: u64,
    #[prost(string, tag = "12")]
    pub event_name: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct KeyValue {
    #[prost(string, tag = "1")]
    pub key: String,
    #[prost(message, optional, tag = "2")]
    pub value: Option<AnyValue>,
}

#[derive(Clone, PartialEq, Message)]
pub struct AnyValue {
    #[prost(oneof = "Any", tags = "1, 2, 3")]
    pub value: Option<Any>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub enum Any {
    #[prost(string, tag = "1")]
    Text(String),
    #[prost(bool, tag = "2")]
    Flag(bool),
    #[prost(int64, tag = "3")]
    Number(i64),
}

/// What a receiver did not take, out of its answer (`ExportLogsServiceResponse.partial_success`).
#[derive(Clone, PartialEq, Message)]
pub struct Response {
    #[prost(message, optional, tag = "1")]
    pub partial_success: Option<PartialSuccess>,
}

#[derive(Clone, PartialEq, Message)]
pub struct PartialSuccess {
    #[prost(int64, tag = "1")]
    pub rejected_log_records: i64,
    #[prost(string, tag = "2")]
    pub error_message: String,
}

/// Attributes of a record that are strings: their name, and where the record has them.
const TEXTS: [(&str, &str); 25] = [
    ("gen_ai.agent.name", "host"),
    ("gen_ai.conversation.id", "session"),
    ("gen_ai.request.model", "model"),
    ("gen_ai.tool.name", "tool.name"),
    ("gen_ai.tool.call.id", "call"),
    ("process.working_directory", "cwd"),
    ("vcs.ref.head.name", "repo.branch"),
    ("policy_hooks.id", "id"),
    ("policy_hooks.hash", "hash"),
    ("policy_hooks.prev", "prev"),
    ("policy_hooks.kind", "kind"),
    ("policy_hooks.event", "event"),
    ("policy_hooks.tool.kind", "tool.kind"),
    ("policy_hooks.decision", "decision.value"),
    ("policy_hooks.rule", "decision.rule"),
    ("policy_hooks.reason", "decision.reason"),
    ("policy_hooks.approval", "decision.approval"),
    ("policy_hooks.permission_mode", "permission_mode"),
    ("policy_hooks.repository", "repo.root"),
    ("policy_hooks.subagent.id", "agent.id"),
    ("policy_hooks.subagent.kind", "agent.kind"),
    ("policy_hooks.level", "level"),
    ("policy_hooks.program", "by.name"),
    ("policy_hooks.program.version", "by.version"),
    ("policy_hooks.policy", "by.policy"),
];

/// Records as one request: those that follow each other from the same machine share a resource.
pub fn request(entries: &[Entry<'_>]) -> Request {
    let mut logs: Vec<ResourceLogs> = Vec::new();
    for entry in entries {
        let resource = resource(entry);
        let record = record(entry);
        match logs.last_mut() {
            Some(last) if last.resource.as_ref() == Some(&resource) => {
                if let Some(scope) = last.scope_logs.first_mut() {
                    scope.log_records.push(record);
                }
            }
            _ => {
                let scope =
                    Scope { name: "policy-hooks/audit".to_owned(), version: audit::VERSION.to_string() };
                let scope_logs = ScopeLogs { scope: Some(scope), log_records: vec![record] };
                logs.push(ResourceLogs { resource: Some(resource), scope_logs: vec![scope_logs] });
            }
        }
    }
    Request { resource_logs: logs }
}

/// Appends a request as protobuf.
pub fn encode(request: &Request, out: &mut Vec<u8>) {
    out.extend_from_slice(&request.encode_to_vec());
}

/// How many records a receiver says it did not take, and why.
pub fn rejected(protobuf: &[u8]) -> Option<(i64, String)> {
    let said = Response::decode(protobuf).ok()?.partial_success?;
    (said.rejected_log_records > 0).then_some((said.rejected_log_records, said.error_message))
}

fn resource(entry: &Entry<'_>) -> Resource {
    let mut attributes = vec![text("service.name", "policy-hooks")];
    let mut add = |key: &str, value: Option<&str>| attributes.extend(value.map(|value| text(key, value)));
    add("host.id", Some(entry.machine()).filter(|machine| !machine.is_empty()));
    add("host.name", entry.text("machine_name"));
    for (key, value) in entry.value("resource").as_object().into_iter().flatten() {
        add(&format!("policy_hooks.resource.{key}"), value.as_str());
    }
    Resource { attributes }
}

fn record(entry: &Entry<'_>) -> LogRecord {
    let time = u64::try_from(entry.micros()).unwrap_or_default().saturating_mul(1000);
    let (severity_number, severity_text) = match entry.weight() {
        Weight::Routine => (9, "INFO"),
        Weight::Notable => (10, "INFO2"),
        Weight::Held => (13, "WARN"),
        Weight::Trouble => (17, "ERROR"),
    };
    LogRecord {
        time_unix_nano: time,
        observed_time_unix_nano: time,
        severity_number,
        severity_text: severity_text.to_owned(),
        body: any(Any::Text(entry.line.to_owned())),
        attributes: attributes(entry),
        event_name: format!("policy_hooks.{}", entry.kind()),
    }
}

fn attributes(entry: &Entry<'_>) -> Vec<KeyValue> {
    let mut all: Vec<KeyValue> =
        TEXTS.iter().filter_map(|(key, path)| entry.text(path).map(|value| text(key, value))).collect();
    let own = [
        ("process.command_line", entry.command()),
        ("user.name", entry.user().map(str::to_owned)),
        ("user.id", entry.user_id().map(str::to_owned)),
        ("user.email", entry.text("email").map(str::to_owned)),
        ("gen_ai.operation.name", entry.text("tool.name").map(|_| "execute_tool".to_owned())),
    ];
    all.extend(own.into_iter().filter_map(|(key, value)| value.map(|value| text(key, &value))));
    let number = |key: &str, value: Option<u64>| {
        let value = i64::try_from(value?).ok()?;
        Some(KeyValue { key: key.to_owned(), value: any(Any::Number(value)) })
    };
    all.extend(number("policy_hooks.seq", Some(entry.seq())));
    all.extend(number("policy_hooks.latency_us", entry.value("latency_us").as_u64()));
    if let Some(enforced) = entry.value("decision")["enforced"].as_bool() {
        all.push(KeyValue { key: "policy_hooks.enforced".to_owned(), value: any(Any::Flag(enforced)) });
    }
    all
}

#[expect(clippy::unnecessary_wraps, reason = "a message's members are optional")]
fn any(value: Any) -> Option<AnyValue> {
    Some(AnyValue { value: Some(value) })
}

fn text(key: &str, value: &str) -> KeyValue {
    KeyValue { key: key.to_owned(), value: any(Any::Text(value.to_owned())) }
}

/// A request in protobuf's JSON mapping as OTLP narrows it: names in camelCase, 64-bit numbers as strings, enumerations
/// as numbers.
pub fn json(request: &Request) -> Value {
    let logs = request.resource_logs.iter().map(|logs| {
        let resource =
            logs.resource.as_ref().map(|resource| json!({ "attributes": pairs(&resource.attributes) }));
        json!({ "resource": resource, "scopeLogs": logs.scope_logs.iter().map(scope).collect::<Vec<_>>() })
    });
    json!({ "resourceLogs": logs.collect::<Vec<_>>() })
}

fn scope(logs: &ScopeLogs) -> Value {
    let scope = logs.scope.as_ref().map(|scope| json!({ "name": scope.name, "version": scope.version }));
    let records = logs.log_records.iter().map(|record| {
        json!({
            "timeUnixNano": record.time_unix_nano.to_string(),
            "observedTimeUnixNano": record.observed_time_unix_nano.to_string(),
            "severityNumber": record.severity_number,
            "severityText": record.severity_text,
            "eventName": record.event_name,
            "body": record.body.as_ref().map(value),
            "attributes": pairs(&record.attributes),
        })
    });
    json!({ "scope": scope, "logRecords": records.collect::<Vec<_>>() })
}

fn pairs(attributes: &[KeyValue]) -> Vec<Value> {
    attributes
        .iter()
        .map(|pair| json!({ "key": pair.key, "value": pair.value.as_ref().map(value) }))
        .collect()
}

fn value(value: &AnyValue) -> Value {
    match &value.value {
        Some(Any::Text(text)) => json!({ "stringValue": text }),
        Some(Any::Flag(flag)) => json!({ "boolValue": flag }),
        Some(Any::Number(number)) => json!({ "intValue": number.to_string() }),
        None => json!({}),
    }
}
