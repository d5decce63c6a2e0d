//! What takes records, and says so.

mod folder;
mod http;
mod socket;
mod syslog;

use std::path::Path;
use std::time::Duration;

use export::{Entry, Format};

use crate::error::ShipError;
use crate::target::Target;
use crate::token::Token;

/// Why records were not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// It may go better later; the receiver may say when.
    Later { why: String, after: Option<Duration> },
    /// These records are refused; others may not be.
    Records { why: String },
    /// Nothing will be taken until someone changes something.
    Everything { why: String },
}

impl Failure {
    pub(crate) fn later(why: impl std::fmt::Display) -> Self {
        Self::Later { why: why.to_string(), after: None }
    }

    pub(crate) fn why(&self) -> &str {
        match self {
            Self::Later { why, .. } | Self::Records { why } | Self::Everything { why } => why,
        }
    }
}

/// A receiver.
pub trait Receiver {
    /// Sends records, and returns when the receiver has taken all of them.
    fn send(&mut self, entries: &[Entry<'_>]) -> Result<(), Failure>;
}

/// What a receiver needs besides its address.
#[derive(Debug, Clone, Copy)]
pub(crate) struct With<'w> {
    pub(crate) format: Format,
    pub(crate) token: Option<&'w Token>,
    pub(crate) ca_file: Option<&'w Path>,
    /// How long it is waited for.
    pub(crate) patience: Duration,
}

/// The receiver at an address.
pub(crate) fn open(target: &Target, with: With<'_>) -> Result<Box<dyn Receiver>, ShipError> {
    target.check(with.format)?;
    Ok(match target {
        Target::Otlp { url } => Box::new(http::Otlp::new(url, with)?),
        Target::Splunk { url } => Box::new(http::Splunk::new(url, with)?),
        Target::Syslog { host, port, tls } => Box::new(syslog::Tcp::new(host, *port, *tls, with)?),
        Target::Socket { path } => Box::new(socket::Local::new(path, with)),
        Target::Folder { path } => Box::new(folder::Folder::new(path, with)),
    })
}

/// What a message of syslog says: the record, or an event of another format.
pub(crate) fn text(format: Format, entry: &Entry<'_>) -> String {
    if format == Format::Syslog {
        return entry.line.to_owned();
    }
    let mut out = Vec::new();
    export::write(format, std::slice::from_ref(entry), &mut out);
    String::from_utf8_lossy(&out).trim_end().to_owned()
}
