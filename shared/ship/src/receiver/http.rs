//! Receivers over HTTP: OTLP (its specification's section on HTTP) and Splunk's HTTP Event Collector.

use std::sync::Arc;
use std::time::{Duration, Instant};

use export::{Entry, Format};
use serde_json::{Value, json};
use ureq::Agent;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

use super::{Failure, Receiver, With};
use crate::error::ShipError;

/// As much of an answer is read, in bytes.
const LARGEST_ANSWER: u64 = 64 * 1024;

/// An answer.
struct Answer {
    status: u16,
    /// When the receiver wants to be asked again.
    after: Option<Duration>,
    body: Vec<u8>,
}

/// A client and what it says with every request.
struct Client {
    agent: Agent,
    token: Option<String>,
}

impl Client {
    fn new(url: &str, scheme: &str, with: With<'_>) -> Result<Self, ShipError> {
        let mut tls = TlsConfig::builder().unversioned_rustls_crypto_provider(crate::tls::provider());
        if url.starts_with("https:") {
            let roots = crate::tls::roots(with.ca_file)?;
            let roots = roots.iter().map(|root| Certificate::from_der(root).to_owned()).collect();
            tls = tls.root_certs(RootCerts::Specific(Arc::new(roots)));
        }
        let config = Agent::config_builder()
            .tls_config(tls.build())
            .http_status_as_error(false)
            // A redirection would carry the token to whoever it names.
            .max_redirects(0)
            .user_agent(concat!("policy-hooks/", env!("CARGO_PKG_VERSION")))
            .timeout_connect(Some(with.patience))
            .timeout_global(Some(with.patience * 3));
        Ok(Self { agent: config.build().into(), token: with.token.map(|token| token.reveal(scheme)) })
    }

    fn post(
        &self,
        url: &str,
        media_type: &str,
        more: &[(&str, &str)],
        body: &[u8],
    ) -> Result<Answer, Failure> {
        let mut request = self.agent.post(url).header("Content-Type", media_type);
        if let Some(token) = &self.token {
            request = request.header("Authorization", token);
        }
        for (name, value) in more {
            request = request.header(*name, *value);
        }
        let mut answer = request.send(body).map_err(trouble)?;
        let after =
            answer.headers().get("retry-after").and_then(|value| value.to_str().ok()?.trim().parse().ok());
        let status = answer.status().as_u16();
        let body = answer.body_mut().with_config().limit(LARGEST_ANSWER).read_to_vec();
        // The status is what counts: a body that breaks off says nothing about what was taken.
        Ok(Answer { status, after: after.map(Duration::from_secs), body: body.unwrap_or_default() })
    }
}

/// No answer came.
fn trouble(error: ureq::Error) -> Failure {
    match error {
        ureq::Error::BadUri(_) | ureq::Error::Http(_) | ureq::Error::TlsRequired => {
            Failure::Everything { why: error.to_string() }
        }
        // Also certificates: a proxy of a hotel answers in the place of the receiver, until it does not.
        other => Failure::later(other),
    }
}

/// What a status says that is not a success.
fn refused(answer: &Answer) -> Failure {
    let said = String::from_utf8_lossy(&answer.body);
    let said: String = said.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect();
    let why = format!("HTTP {}: {}", answer.status, said.trim());
    let why = why.trim_end_matches([':', ' ']).to_owned();
    match answer.status {
        408 | 425 | 429 | 500..=599 => Failure::Later { why, after: answer.after },
        // These records, or all: who asks in smaller parts finds out.
        400 | 413 | 422 => Failure::Records { why },
        _ => Failure::Everything { why },
    }
}

/// A receiver of OTLP.
pub(super) struct Otlp {
    client: Client,
    url: String,
    format: Format,
}

impl Otlp {
    pub(super) fn new(url: &str, with: With<'_>) -> Result<Self, ShipError> {
        Ok(Self { client: Client::new(url, "Bearer", with)?, url: url.to_owned(), format: with.format })
    }
}

impl Receiver for Otlp {
    fn send(&mut self, entries: &[Entry<'_>]) -> Result<(), Failure> {
        let mut body = Vec::new();
        export::write(self.format, entries, &mut body);
        let answer = self.client.post(&self.url, self.format.media_type(), &[], &body)?;
        if !(200..300).contains(&answer.status) {
            return Err(refused(&answer));
        }
        // A success may be one in part. The specification lets the client drop the rest: we look for it instead.
        match rejected(self.format, &answer.body) {
            Some((count, why)) => {
                Err(Failure::Records { why: format!("{count} records were rejected: {why}") })
            }
            None => Ok(()),
        }
    }
}

fn rejected(format: Format, body: &[u8]) -> Option<(i64, String)> {
    if format == Format::OtlpProtobuf {
        return export::otlp::rejected(body);
    }
    let said: Value = serde_json::from_slice(body).ok()?;
    let partial = &said["partialSuccess"];
    let count = &partial["rejectedLogRecords"];
    let count = count.as_i64().or_else(|| count.as_str()?.parse().ok()).filter(|count| *count > 0)?;
    Some((count, partial["errorMessage"].as_str().unwrap_or_default().to_owned()))
}

/// Splunk's HTTP Event Collector. Where the token has acknowledgement by the indexer, that is waited for.
pub(super) struct Splunk {
    client: Client,
    url: String,
    channel: String,
    patience: Duration,
}

/// How often the indexer is asked whether it has the events.
const ASKED: Duration = Duration::from_millis(500);

impl Splunk {
    pub(super) fn new(url: &str, with: With<'_>) -> Result<Self, ShipError> {
        let client = Client::new(url, "Splunk", with)?;
        Ok(Self { client, url: url.to_owned(), channel: channel(), patience: with.patience })
    }

    /// Waits until the indexer has the events of a request.
    fn wait(&self, number: &Value) -> Result<(), Failure> {
        let url = format!("{}/services/collector/ack?channel={}", self.url, self.channel);
        let question = json!({ "acks": [number] }).to_string();
        let until = Instant::now() + self.patience * 3;
        while Instant::now() < until {
            let answer = self.client.post(&url, "application/json", &[], question.as_bytes())?;
            if answer.status != 200 {
                return Err(refused(&answer));
            }
            let said: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
            if said["acks"][number.to_string()] == true {
                return Ok(());
            }
            std::thread::sleep(ASKED);
        }
        Err(Failure::later("the indexer did not acknowledge in time"))
    }
}

impl Receiver for Splunk {
    fn send(&mut self, entries: &[Entry<'_>]) -> Result<(), Failure> {
        let mut body = Vec::new();
        for entry in entries {
            // The line as a string, and not as an object: what is indexed is then the exact line.
            let event = json!({
                "time": seconds(entry),
                "source": "audit-logger",
                "sourcetype": "policy_hooks:audit",
                "event": entry.line,
                "fields": { "audit_id": entry.id(), "audit_seq": entry.seq(), "audit_hash": entry.hash() },
            });
            body.extend_from_slice(event.to_string().as_bytes());
            body.push(b'\n');
        }
        let url = format!("{}/services/collector/event", self.url);
        let channel = [("X-Splunk-Request-Channel", self.channel.as_str())];
        let answer = self.client.post(&url, "application/json", &channel, &body)?;
        if answer.status != 200 {
            return Err(refused(&answer));
        }
        let said: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        if said["ackId"].is_number() { self.wait(&said["ackId"]) } else { Ok(()) }
    }
}

/// Seconds since 1970, with their fraction.
#[expect(clippy::cast_precision_loss, reason = "microseconds fit into 52 bits until the year 2112")]
fn seconds(entry: &Entry<'_>) -> f64 {
    entry.micros() as f64 / 1e6
}

/// A channel is named by a UUID.
fn channel() -> String {
    let mut bytes = [0u8; 16];
    let _ = getrandom::fill(&mut bytes);
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}
