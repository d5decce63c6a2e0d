//! Where the agent works.

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use repository::{Repository, Snapshot};

/// A folder, and the repository around it if there is one.
#[derive(Debug)]
pub(crate) struct Place {
    /// The top folder of the repository; outside of any, the folder itself.
    pub(crate) root: PathBuf,
    pub(crate) repository: Option<Repository>,
    /// Why git's facts cannot be had.
    pub(crate) trouble: Option<String>,
}

impl Place {
    /// The place around `folder`.
    pub(crate) fn around(folder: &Path) -> Self {
        let (repository, trouble) = match Repository::around(folder) {
            Ok(repository) => (repository, None),
            Err(error) => (None, Some(format!("{error}. {}", error.hint()))),
        };
        let root = repository.as_ref().map_or(folder, Repository::root).to_owned();
        Self { root, repository, trouble }
    }

    /// The files as they are now; `None` outside of a repository, and when that takes longer than until `until`.
    pub(crate) fn snapshot(&self, until: Instant) -> Option<Snapshot> {
        self.repository.as_ref()?.snapshot(until).ok()
    }
}

/// What `work` returns within `limit`. A thread that is too late ends with the process.
pub(crate) fn within<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (done, result) = mpsc::channel();
    thread::Builder::new().spawn(move || done.send(work())).ok()?;
    result.recv_timeout(limit).ok()
}
