//! A folder, or an object store that is mounted as one: a file for each batch, in a folder for each day, so that Parquet
//! and every engine that knows partitions read it as it is (`day=2026-11-22`).
//!
//! A file has its name from the first record in it. A batch that is sent again after a crash takes the place of the one
//! before, so nothing is there twice.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use export::{Entry, Format};

use super::{Failure, Receiver, With};

pub(super) struct Folder {
    path: PathBuf,
    format: Format,
}

impl Folder {
    pub(super) fn new(path: &Path, with: With<'_>) -> Self {
        Self { path: path.to_owned(), format: with.format }
    }

    /// Writes records of one day.
    fn write(&self, entries: &[Entry<'_>]) -> io::Result<()> {
        let Some(first) = entries.first() else { return Ok(()) };
        let folder = self.path.join(format!("day={}", first.day()));
        fs::create_dir_all(&folder)?;
        let machine: String = first.machine.chars().filter(char::is_ascii_alphanumeric).take(32).collect();
        // The hash tells apart logs of one machine: the same number is another record there.
        let hash = first.hash().get(..8).unwrap_or_default();
        let name = format!("{machine}-{:012}-{hash}.{}", first.seq(), self.format.ending());
        let mut bytes = Vec::new();
        if self.format == Format::Csv {
            bytes.extend_from_slice(export::csv_head().as_bytes());
        }
        export::write(self.format, entries, &mut bytes);
        let draft = folder.join(format!(".{name}.draft"));
        let written = (|| {
            let mut file = File::create(&draft)?;
            file.write_all(&bytes)?;
            file.sync_all()?;
            fs::rename(&draft, folder.join(&name))?;
            // The name is on the disk when its folder is; some file systems of object stores know no such thing.
            let _ = File::open(&folder).and_then(|folder| folder.sync_all());
            Ok(())
        })();
        if written.is_err() {
            let _ = fs::remove_file(&draft);
        }
        written
    }
}

impl Receiver for Folder {
    fn send(&mut self, entries: &[Entry<'_>]) -> Result<(), Failure> {
        // A clock that goes back at midnight makes a day come again: all of one day go into one file.
        let mut days: BTreeMap<&str, Vec<Entry<'_>>> = BTreeMap::new();
        for entry in entries {
            days.entry(entry.day()).or_default().push(*entry);
        }
        for day in days.values() {
            self.write(day).map_err(|error| Failure::later(format!("{}: {error}", self.path.display())))?;
        }
        Ok(())
    }
}
