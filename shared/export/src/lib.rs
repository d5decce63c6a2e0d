//! The audit log in the formats that collectors read.
//!
//! A record goes in as its exact line, and comes out as bytes; nothing here reads or writes files. Every format carries
//! the record's id, number and hash, and the line itself, so that what arrived elsewhere can be proved: [`back`] finds
//! the lines again.
//!
//! One file per format. What a record says is looked up in [`entry`], so that formats agree about it.

pub mod back;
mod cef;
mod cloudevents;
mod csv;
mod ecs;
mod entry;
mod ocsf;
pub mod otlp;
mod syslog;

use std::str::FromStr;

use thiserror::Error;

pub use cef::EXTENSION as CEF_RECORD;
pub use csv::head as csv_head;
pub use entry::{Entry, Weight, entries};
pub use syslog::{local as syslog_local, message as syslog_message};

/// A format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// The log's own lines.
    Jsonl,
    /// OpenTelemetry logs as JSON: one request per line, as its collector's file exporter writes them.
    OtlpJson,
    /// OpenTelemetry logs as protobuf. Requests that follow each other are one request again.
    OtlpProtobuf,
    /// Open Cybersecurity Schema Framework 1.5.
    Ocsf,
    /// Elastic Common Schema.
    Ecs,
    /// `ArcSight`'s Common Event Format, version 0 (CEF 0.1), one event per line.
    Cef,
    /// `CloudEvents` 1.0 as JSON.
    CloudEvents,
    /// RFC 5424, one message per line.
    Syslog,
    /// RFC 4180, with a head.
    Csv,
}

/// A name that is not a format's.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown format `{name}`: use one of {}", Format::NAMES.join(", "))]
pub struct UnknownFormat {
    pub name: String,
}

impl Format {
    /// The names that people use, in the order of [`Format::ALL`].
    pub const NAMES: [&str; 9] =
        ["jsonl", "otlp", "otlp-protobuf", "ocsf", "ecs", "cef", "cloudevents", "syslog", "csv"];

    pub const ALL: [Self; 9] = [
        Self::Jsonl,
        Self::OtlpJson,
        Self::OtlpProtobuf,
        Self::Ocsf,
        Self::Ecs,
        Self::Cef,
        Self::CloudEvents,
        Self::Syslog,
        Self::Csv,
    ];

    pub fn name(self) -> &'static str {
        let at = Self::ALL.iter().position(|format| *format == self).unwrap_or_default();
        Self::NAMES[at]
    }

    /// How files of this format are called.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Jsonl | Self::OtlpJson | Self::Ocsf | Self::Ecs | Self::CloudEvents => "jsonl",
            Self::OtlpProtobuf => "pb",
            Self::Cef | Self::Syslog => "log",
            Self::Csv => "csv",
        }
    }

    /// The media type of a request with records in this format.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::OtlpProtobuf => "application/x-protobuf",
            Self::OtlpJson => "application/json",
            Self::CloudEvents => "application/cloudevents-batch+json",
            Self::Jsonl | Self::Ocsf | Self::Ecs => "application/x-ndjson",
            Self::Cef | Self::Syslog => "text/plain; charset=utf-8",
            Self::Csv => "text/csv; charset=utf-8",
        }
    }

    /// Whether several records share one envelope.
    pub fn is_batched(self) -> bool {
        matches!(self, Self::OtlpJson | Self::OtlpProtobuf)
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let at = Self::NAMES.iter().position(|known| *known == name);
        at.map(|at| Self::ALL[at]).ok_or_else(|| UnknownFormat { name: name.to_owned() })
    }
}

/// Appends records to `out`; each ends in a line feed, but for [`Format::OtlpProtobuf`].
pub fn write(format: Format, entries: &[Entry<'_>], out: &mut Vec<u8>) {
    let mut lines = |write: &dyn Fn(&Entry<'_>, &mut Vec<u8>)| {
        for entry in entries {
            write(entry, out);
        }
    };
    match format {
        Format::Jsonl => lines(&|entry, out| {
            out.extend_from_slice(entry.line.as_bytes());
            out.push(b'\n');
        }),
        Format::Ocsf => lines(&|entry, out| json_line(&ocsf::event(entry), out)),
        Format::Ecs => lines(&|entry, out| json_line(&ecs::event(entry), out)),
        Format::CloudEvents => lines(&|entry, out| json_line(&cloudevents::event(entry), out)),
        Format::Cef => lines(&|entry, out| {
            out.extend_from_slice(cef::event(entry).as_bytes());
            out.push(b'\n');
        }),
        Format::Syslog => lines(&|entry, out| {
            out.extend_from_slice(syslog::message(entry, entry.line).as_bytes());
            out.push(b'\n');
        }),
        Format::Csv => lines(&|entry, out| out.extend_from_slice(csv::row(entry).as_bytes())),
        Format::OtlpJson => {
            if !entries.is_empty() {
                json_line(&otlp::json(&otlp::request(entries)), out);
            }
        }
        Format::OtlpProtobuf => otlp::encode(&otlp::request(entries), out),
    }
}

/// One event in Common Event Format, without a line feed.
pub fn cef_event(entry: &Entry<'_>) -> String {
    cef::event(entry)
}

fn json_line(value: &serde_json::Value, out: &mut Vec<u8>) {
    out.extend_from_slice(value.to_string().as_bytes());
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_a_name_that_is_read_back() {
        for format in Format::ALL {
            assert_eq!(format.name().parse(), Ok(format));
        }
        let error = "xml".parse::<Format>().unwrap_err();
        assert!(error.to_string().contains("jsonl, otlp, otlp-protobuf"), "{error}");
    }
}
