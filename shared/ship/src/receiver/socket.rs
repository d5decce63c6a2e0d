//! The system's own socket, as `syslog(3)` uses it.
//!
//! A datagram that was accepted lies in the kernel until the receiver reads it. Whether the receiver lived to do so is
//! asked for a moment later, by connecting once more to the same file.

use std::path::{Path, PathBuf};

use export::{Entry, Format};

use super::{Failure, Receiver, With};

pub(super) struct Local {
    path: PathBuf,
    #[cfg_attr(not(unix), expect(dead_code, reason = "there is no such socket"))]
    format: Format,
    #[cfg_attr(not(unix), expect(dead_code, reason = "there is no such socket"))]
    patience: std::time::Duration,
}

impl Local {
    pub(super) fn new(path: &Path, with: With<'_>) -> Self {
        Self { path: path.to_owned(), format: with.format, patience: with.patience }
    }
}

#[cfg(not(unix))]
impl Receiver for Local {
    fn send(&mut self, _entries: &[Entry<'_>]) -> Result<(), Failure> {
        Err(Failure::Everything {
            why: format!("{}: there is no such socket on this system", self.path.display()),
        })
    }
}

#[cfg(unix)]
impl Receiver for Local {
    fn send(&mut self, entries: &[Entry<'_>]) -> Result<(), Failure> {
        use std::io::{ErrorKind, Write as _};
        use std::os::unix::fs::MetadataExt as _;
        use std::os::unix::net::{UnixDatagram, UnixStream};

        /// How long a receiver has to live after the last datagram.
        const AFTERWARDS: std::time::Duration = std::time::Duration::from_millis(500);

        let identity = || self.path.metadata().map(|about| (about.dev(), about.ino()));
        let before = identity().map_err(Failure::later)?;
        let messages =
            entries.iter().map(|entry| export::syslog_local(entry, &super::text(self.format, entry)));
        let connect = || -> std::io::Result<UnixDatagram> {
            let socket = UnixDatagram::unbound()?;
            socket.set_write_timeout(Some(self.patience))?;
            socket.connect(&self.path)?;
            Ok(socket)
        };
        match connect() {
            Ok(socket) => {
                for message in messages {
                    socket.send(message.as_bytes()).map_err(Failure::later)?;
                }
            }
            // Some receivers take a stream there, with a zero after each message.
            Err(error) if error.raw_os_error() == Some(EPROTOTYPE) => {
                let mut stream = UnixStream::connect(&self.path).map_err(Failure::later)?;
                stream.set_write_timeout(Some(self.patience)).map_err(Failure::later)?;
                for message in messages {
                    stream
                        .write_all(message.as_bytes())
                        .and_then(|()| stream.write_all(b"\0"))
                        .map_err(Failure::later)?;
                }
            }
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                return Err(Failure::Everything { why: format!("{}: {error}", self.path.display()) });
            }
            Err(error) => return Err(Failure::later(error)),
        }
        std::thread::sleep(AFTERWARDS);
        let is_alive = connect().is_ok() || UnixStream::connect(&self.path).is_ok();
        if is_alive && identity().is_ok_and(|now| now == before) {
            return Ok(());
        }
        Err(Failure::later("the receiver ended while it had records that it may not have written"))
    }
}

/// The number by which systems say that a socket is of another kind.
#[cfg(target_os = "linux")]
const EPROTOTYPE: i32 = 91;
#[cfg(all(unix, not(target_os = "linux")))]
const EPROTOTYPE: i32 = 41;
