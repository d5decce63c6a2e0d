//! Archives whose bytes depend on their files alone: sorted, one time, no owner.

use std::io::{Cursor, Write as _};

use chrono::{Datelike as _, Timelike as _};
use flate2::{Compression, GzBuilder};
use sha2::{Digest as _, Sha256};
use zip::write::SimpleFileOptions;

use crate::ReleaseError;

/// One file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its path in the archive's folder, with `/`.
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) executable: bool,
}

impl Entry {
    pub(crate) fn new(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), bytes: bytes.into(), executable: false }
    }

    fn mode(&self) -> u32 {
        if self.executable { 0o755 } else { 0o644 }
    }
}

/// Sorts, and adds `SHA256SUMS` of everything.
pub(crate) fn finish(entries: &mut Vec<Entry>) {
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    let sums: String = entries.iter().map(|entry| sum_line(&entry.path, &entry.bytes)).collect();
    entries.push(Entry::new("SHA256SUMS", sums));
    entries.sort_by(|one, other| one.path.cmp(&other.path));
}

/// A line that `sha256sum --check` reads.
pub(crate) fn sum_line(name: &str, bytes: &[u8]) -> String {
    format!("{}  {name}\n", hex(bytes))
}

/// The SHA-256 of bytes.
pub(crate) fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn tar_gz(folder: &str, entries: &[Entry], time: u64) -> Result<Vec<u8>, ReleaseError> {
    let bad = |error: std::io::Error| ReleaseError::Form { what: "the archive", why: error.to_string() };
    // Neither a time nor a system in gzip's own head.
    let gzip = GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::best());
    let mut tar = tar::Builder::new(gzip);
    for entry in entries {
        let mut header = tar::Header::new_ustar();
        header.set_size(entry.bytes.len() as u64);
        header.set_mode(entry.mode());
        header.set_mtime(time);
        header.set_uid(0);
        header.set_gid(0);
        header.set_entry_type(tar::EntryType::Regular);
        let path = format!("{folder}/{}", entry.path);
        tar.append_data(&mut header, path, entry.bytes.as_slice()).map_err(bad)?;
    }
    tar.into_inner().and_then(flate2::write::GzEncoder::finish).map_err(bad)
}

pub(crate) fn zip(folder: &str, entries: &[Entry], time: u64) -> Result<Vec<u8>, ReleaseError> {
    let bad = |why: String| ReleaseError::Form { what: "the archive", why };
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let moment = dos_time(time).ok_or_else(|| bad("the time is none that a zip can hold".to_owned()))?;
    for entry in entries {
        let options = SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated)
            .compression_level(Some(9))
            .last_modified_time(moment)
            .unix_permissions(entry.mode());
        zip.start_file(format!("{folder}/{}", entry.path), options)
            .map_err(|error| bad(error.to_string()))?;
        zip.write_all(&entry.bytes).map_err(|error| bad(error.to_string()))?;
    }
    Ok(zip.finish().map_err(|error| bad(error.to_string()))?.into_inner())
}

/// The time as zips have it, in UTC.
fn dos_time(time: u64) -> Option<zip::DateTime> {
    let moment = chrono::DateTime::from_timestamp(i64::try_from(time).ok()?, 0)?;
    let part = |value: u32| u8::try_from(value).ok();
    zip::DateTime::from_date_and_time(
        u16::try_from(moment.year()).ok()?,
        part(moment.month())?,
        part(moment.day())?,
        part(moment.hour())?,
        part(moment.minute())?,
        part(moment.second())?,
    )
    .ok()
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    fn entries() -> Vec<Entry> {
        let long = format!("hooks/{}/README.md", "x".repeat(90));
        let mut entries = vec![Entry::new("b", "two"), Entry::new(long, "deep"), Entry::new("a", "one")];
        entries[0].executable = true;
        finish(&mut entries);
        entries
    }

    #[test]
    fn the_sums_are_of_everything_else() {
        let entries = entries();
        let sums = String::from_utf8(entries[0].bytes.clone()).unwrap();
        assert_eq!(entries[0].path, "SHA256SUMS");
        assert_eq!(sums.lines().count(), 3);
        // What `printf one | sha256sum` prints.
        assert!(
            sums.contains("7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed  a\n"),
            "{sums}"
        );
    }

    #[test]
    fn a_tar_holds_what_went_in_and_no_trace_of_this_machine() {
        let entries = entries();
        let bytes = tar_gz("name", &entries, 1_700_000_000).unwrap();
        assert_eq!(bytes, tar_gz("name", &entries, 1_700_000_000).unwrap());
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(bytes.as_slice()));
        for (mut packed, entry) in archive.entries().unwrap().map(Result::unwrap).zip(&entries) {
            let header = packed.header();
            assert_eq!(header.mode().unwrap(), entry.mode());
            assert_eq!((header.uid().unwrap(), header.gid().unwrap()), (0, 0));
            assert_eq!(header.mtime().unwrap(), 1_700_000_000);
            assert_eq!(packed.path().unwrap().to_str().unwrap(), format!("name/{}", entry.path));
            let mut read = Vec::new();
            packed.read_to_end(&mut read).unwrap();
            assert_eq!(read, entry.bytes);
        }
    }

    #[test]
    fn a_zip_holds_what_went_in() {
        let entries = entries();
        let bytes = zip("name", &entries, 1_700_000_000).unwrap();
        assert_eq!(bytes, zip("name", &entries, 1_700_000_000).unwrap());
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        assert_eq!(archive.len(), entries.len());
        for (index, entry) in entries.iter().enumerate() {
            let mut packed = archive.by_index(index).unwrap();
            assert_eq!(packed.name().unwrap(), format!("name/{}", entry.path));
            let mut read = Vec::new();
            packed.read_to_end(&mut read).unwrap();
            assert_eq!(read, entry.bytes);
        }
    }
}
