//! Where records go, as people write it.

use std::path::{Path, PathBuf};

use export::Format;

use crate::error::ShipError;

/// A receiver's address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// OTLP over HTTP: the whole address.
    Otlp { url: String },
    /// Splunk's HTTP Event Collector: the address without its path.
    Splunk { url: String },
    /// Syslog over TCP, `HOST:PORT`, with TLS or without.
    Syslog { host: String, port: u16, tls: bool },
    /// The system's own socket.
    Socket { path: PathBuf },
    /// A folder, or what is mounted as one.
    Folder { path: PathBuf },
}

impl Target {
    /// Reads an address.
    pub fn parse(to: &str) -> Result<Self, ShipError> {
        let wrong = |why| ShipError::Target { to: without_secrets(to), why };
        if Path::new(to).is_absolute() {
            return Ok(Self::Folder { path: to.into() });
        }
        let (scheme, rest) =
            to.split_once("://").ok_or_else(|| wrong("it is neither an address nor an absolute path"))?;
        if rest.bytes().any(|byte| byte.is_ascii_control() || byte == b' ') {
            return Err(wrong("it has blanks"));
        }
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if authority.contains('@') {
            return Err(wrong("a password in an address can be read by everyone here; use --token-file"));
        }
        match scheme {
            "file" if Path::new(rest).is_absolute() => Ok(Self::Folder { path: rest.into() }),
            "syslog+unix" if Path::new(rest).is_absolute() => Ok(Self::Socket { path: rest.into() }),
            "file" | "syslog+unix" => Err(wrong("its path is not absolute")),
            _ if authority.is_empty() => Err(wrong("it names no host")),
            "http" | "https" => {
                let path = &rest[authority.len()..];
                // As OTLP's exporters do with the base address that they are given.
                let path = if matches!(path, "" | "/") { "/v1/logs" } else { path };
                Ok(Self::Otlp { url: format!("{scheme}://{authority}{path}") })
            }
            "splunk+http" | "splunk+https" => {
                let scheme = scheme.trim_start_matches("splunk+");
                Ok(Self::Splunk { url: format!("{scheme}://{authority}") })
            }
            "syslog+tcp" | "syslog+tls" => {
                let tls = scheme == "syslog+tls";
                let (host, port) = host_and_port(authority, if tls { 6514 } else { 601 })
                    .ok_or_else(|| wrong("its port is not a number"))?;
                Ok(Self::Syslog { host, port, tls })
            }
            _ => Err(wrong("its scheme is unknown")),
        }
    }

    /// The format that is sent unless another is asked for.
    pub fn usual_format(&self) -> Format {
        match self {
            Self::Otlp { .. } => Format::OtlpProtobuf,
            Self::Syslog { .. } | Self::Socket { .. } => Format::Syslog,
            Self::Splunk { .. } | Self::Folder { .. } => Format::Jsonl,
        }
    }

    /// Whether a format can be sent there.
    pub fn check(&self, format: Format) -> Result<(), ShipError> {
        let (receiver, takes) = match self {
            Self::Otlp { .. } => ("an OTLP receiver", format.is_batched()),
            Self::Splunk { .. } => ("Splunk", format == Format::Jsonl),
            Self::Syslog { .. } | Self::Socket { .. } => {
                ("syslog", !format.is_batched() && format != Format::Csv && format != Format::Jsonl)
            }
            Self::Folder { .. } => ("a folder", format != Format::Syslog),
        };
        if takes { Ok(()) } else { Err(ShipError::Format { receiver, format: format.name() }) }
    }

    /// Whether what is sent can be read on the way.
    pub fn is_in_the_clear(&self) -> bool {
        let (host, clear) = match self {
            Self::Otlp { url } | Self::Splunk { url } => {
                let rest = url.strip_prefix("http://");
                (rest.and_then(|rest| rest.split('/').next()).unwrap_or_default(), rest.is_some())
            }
            Self::Syslog { host, tls, .. } => (host.as_str(), !tls),
            Self::Socket { .. } | Self::Folder { .. } => return false,
        };
        let host = host_and_port(host, 0).map_or_else(|| host.to_owned(), |(host, _)| host);
        let is_loopback =
            host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback());
        clear && !is_loopback
    }
}

/// An address without what stands in front of its `@`, for messages.
fn without_secrets(to: &str) -> String {
    match (to.split_once("://"), to.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://…@{host}"),
        _ => to.to_owned(),
    }
}

/// `HOST`, `HOST:PORT`, `[IPV6]:PORT`.
fn host_and_port(authority: &str, usual: u16) -> Option<(String, u16)> {
    if let Some(rest) = authority.strip_prefix('[') {
        let (host, rest) = rest.split_once(']')?;
        let port = if rest.is_empty() { usual } else { rest.strip_prefix(':')?.parse().ok()? };
        return Some((host.to_owned(), port));
    }
    match authority.split_once(':') {
        Some((host, port)) => Some((host.to_owned(), port.parse().ok()?)),
        None => Some((authority.to_owned(), usual)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let otlp = |url: &str| Target::Otlp { url: url.to_owned() };
        let syslog = |host: &str, port, tls| Target::Syslog { host: host.to_owned(), port, tls };
        for (to, target) in [
            ("https://c:4318", otlp("https://c:4318/v1/logs")),
            ("http://c/", otlp("http://c/v1/logs")),
            ("https://c/otlp/v1/logs", otlp("https://c/otlp/v1/logs")),
            ("splunk+https://s:8088", Target::Splunk { url: "https://s:8088".to_owned() }),
            ("syslog+tls://l", syslog("l", 6514, true)),
            ("syslog+tcp://[::1]:5140", syslog("::1", 5140, false)),
            #[cfg(unix)]
            ("syslog+unix:///dev/log", Target::Socket { path: "/dev/log".into() }),
            #[cfg(unix)]
            ("/mnt/audit", Target::Folder { path: "/mnt/audit".into() }),
            #[cfg(unix)]
            ("file:///mnt/audit", Target::Folder { path: "/mnt/audit".into() }),
        ] {
            assert_eq!(Target::parse(to).unwrap(), target, "{to}");
        }
        for bad in ["", "host:4318", "ftp://x", "https://", "syslog+tcp://h:port", "file://x", "https://a b"]
        {
            assert!(Target::parse(bad).is_err(), "{bad}");
        }
        let error = Target::parse("https://me:s3cret@host").unwrap_err().to_string();
        assert!(!error.contains("s3cret") && error.contains("--token-file"), "{error}");
    }

    #[test]
    fn what_can_be_read_on_the_way_is_known() {
        for (to, clear) in [
            ("http://collector:4318", true),
            ("http://127.0.0.1:4318", false),
            ("http://[::1]:4318", false),
            ("https://collector", false),
            ("syslog+tcp://logs", true),
            ("syslog+tls://logs", false),
        ] {
            assert_eq!(Target::parse(to).unwrap().is_in_the_clear(), clear, "{to}");
        }
    }
}
