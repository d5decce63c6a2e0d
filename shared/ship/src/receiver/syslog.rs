//! Syslog over TCP, with octet counting (RFC 6587) and, where it is asked for, TLS (RFC 5425).
//!
//! Syslog has no acknowledgement, so this asks for the next best thing. Every batch has a connection of its own, which is
//! closed on our side when all is written; the receiver closes its side when it has read to the end. A second connection,
//! opened before and used for nothing, shows whether the process that read the batch is still alive a moment later: a
//! receiver that was killed with records in its memory has closed it.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs as _};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use export::{Entry, Format};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};

use super::{Failure, Receiver, With, text};
use crate::error::ShipError;

/// How long a receiver has to live after it has read a batch: long enough for it to write.
const AFTERWARDS: Duration = Duration::from_millis(500);

pub(super) struct Tcp {
    host: String,
    port: u16,
    tls: Option<Arc<ClientConfig>>,
    format: Format,
    patience: Duration,
}

impl Tcp {
    pub(super) fn new(host: &str, port: u16, tls: bool, with: With<'_>) -> Result<Self, ShipError> {
        let tls = if tls { Some(crate::tls::client(with.ca_file)?) } else { None };
        Ok(Self { host: host.to_owned(), port, tls, format: with.format, patience: with.patience })
    }

    fn connect(&self) -> io::Result<TcpStream> {
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for address in (self.host.as_str(), self.port).to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, self.patience) {
                Ok(stream) => {
                    stream.set_read_timeout(Some(self.patience))?;
                    stream.set_write_timeout(Some(self.patience))?;
                    return Ok(stream);
                }
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// Writes everything, and returns when the receiver has read it.
    fn deliver(&self, bytes: &[u8]) -> io::Result<()> {
        let mut tcp = self.connect()?;
        let Some(config) = &self.tls else {
            tcp.write_all(bytes)?;
            tcp.shutdown(Shutdown::Write)?;
            return drain(&mut tcp);
        };
        let name = ServerName::try_from(self.host.clone()).map_err(io::Error::other)?;
        let connection = ClientConnection::new(Arc::clone(config), name).map_err(io::Error::other)?;
        let mut stream = StreamOwned::new(connection, tcp);
        stream.write_all(bytes)?;
        stream.conn.send_close_notify();
        stream.flush()?;
        stream.sock.shutdown(Shutdown::Write)?;
        match drain(&mut stream) {
            // Many receivers end the connection without the farewell of TLS; what we wrote was read before.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(()),
            other => other,
        }
    }
}

impl Receiver for Tcp {
    fn send(&mut self, entries: &[Entry<'_>]) -> Result<(), Failure> {
        let mut bytes = Vec::new();
        for entry in entries {
            let message = export::syslog_message(entry, &text(self.format, entry));
            bytes.extend_from_slice(format!("{} ", message.len()).as_bytes());
            bytes.extend_from_slice(message.as_bytes());
        }
        let witness = self.connect().map_err(Failure::later)?;
        self.deliver(&bytes).map_err(Failure::later)?;
        thread::sleep(AFTERWARDS);
        if is_open(&witness) {
            return Ok(());
        }
        Err(Failure::later("the receiver ended while it had records that it may not have written"))
    }
}

/// Reads until the other side has closed.
fn drain(stream: &mut impl Read) -> io::Result<()> {
    let mut bytes = [0; 512];
    while stream.read(&mut bytes)? > 0 {}
    Ok(())
}

/// Whether the other side has not closed.
fn is_open(stream: &TcpStream) -> bool {
    let mut byte = [0];
    let looked = stream.set_nonblocking(true).and_then(|()| stream.peek(&mut byte));
    match looked {
        Ok(count) => count > 0,
        Err(error) => error.kind() == io::ErrorKind::WouldBlock,
    }
}
