//! Why shipping ended before everything was acknowledged.

use std::io;
use std::path::PathBuf;

use audit::LogError;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum ShipError {
    /// The address is not one of a receiver.
    #[error("`{to}` cannot be shipped to: {why}")]
    Target { to: String, why: &'static str },
    /// This receiver does not take that format.
    #[error("{receiver} does not take the format {format}")]
    Format { receiver: &'static str, format: &'static str },
    #[error("the token {}: {why}", path.display())]
    Token { path: PathBuf, why: String },
    /// No certificate can be checked.
    #[error("TLS: {0}")]
    Tls(String),
    #[error("{}: {doing}: {source}", path.display())]
    Io { path: PathBuf, doing: &'static str, source: io::Error },
    #[error(transparent)]
    Log(#[from] LogError),
    /// Another process ships this log to this receiver.
    #[error("another process is at work on it")]
    Busy,
    /// The receiver was away, slow, or out of order until the time was up.
    #[error("the receiver did not take the records: {why}")]
    Away { why: String },
    /// The receiver refuses for a reason that trying again does not change.
    #[error("the receiver refuses: {why}")]
    Refused { why: String },
}

impl ShipError {
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Target { .. } => {
                "Use https://HOST:4318 (OTLP), splunk+https://HOST:8088, syslog+tls://HOST:6514, syslog+tcp://HOST:601, syslog+unix:///dev/log, or a folder."
            }
            Self::Format { .. } => "Leave the format out, or see docs/fleet.md.",
            Self::Token { .. } => "Write the token alone into a file that only you can read, and name it.",
            Self::Tls(_) => "Name the certificate of your authority with --ca-file, or set SSL_CERT_FILE.",
            Self::Io { .. } => "Check the folder, its permissions, and the free space on the disk.",
            Self::Log(error) => error.hint(),
            Self::Busy => "It ends by itself; run this again afterwards.",
            Self::Away { .. } => {
                "Nothing is lost: the next run goes on with the first record that was not acknowledged."
            }
            Self::Refused { .. } => {
                "Check address, token and format; nothing is lost, and the next run tries again."
            }
        }
    }

    pub(crate) fn io(path: impl Into<PathBuf>, doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, doing, source }
    }
}
