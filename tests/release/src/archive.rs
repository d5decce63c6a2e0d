//! Archives whose bytes depend on their files alone: sorted, one time, no owner.

use std::collections::BTreeSet;
use std::io::{self, Cursor, Read as _, Write as _};

use chrono::{Datelike as _, Timelike as _};
use flate2::write::GzEncoder;
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
    /// A file that names its interpreter can be run: a host that wants a script calls no other one.
    pub(crate) fn new(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self { path: path.into(), executable: bytes.starts_with(b"#!"), bytes }
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
    tar(entries, |tar, entry| {
        let path = format!("{folder}/{}", entry.path);
        tar.append_data(&mut header(entry, time), path, entry.bytes.as_slice())
    })
}

/// An archive of a system's own tree: what unpacks it wants every folder named before what lies in it. An entry whose
/// path ends in `/` is an empty folder.
pub(crate) fn tree_gz(entries: &[Entry], time: u64) -> Result<Vec<u8>, ReleaseError> {
    let mut seen = BTreeSet::new();
    tar(entries, |tar, entry| {
        let ends = entry.path.match_indices('/').map(|(at, _)| &entry.path[..=at]);
        for folder in std::iter::once("").chain(ends) {
            if seen.insert(folder.to_owned()) {
                let mut header = header(&Entry::new("", ""), time);
                header.set_entry_type(tar::EntryType::Directory);
                header.set_mode(0o755);
                append_plain(tar, &mut header, folder, &[])?;
            }
        }
        if entry.path.ends_with('/') {
            return Ok(());
        }
        append_plain(tar, &mut header(entry, time), &entry.path, &entry.bytes)
    })
}

type Tar = tar::Builder<GzEncoder<Vec<u8>>>;

fn tar(
    entries: &[Entry],
    mut append: impl FnMut(&mut Tar, &Entry) -> io::Result<()>,
) -> Result<Vec<u8>, ReleaseError> {
    let bad = |error: io::Error| ReleaseError::Form { what: "the archive", why: error.to_string() };
    let mut tar = tar::Builder::new(gzip_writer());
    for entry in entries {
        append(&mut tar, entry).map_err(bad)?;
    }
    tar.into_inner().and_then(GzEncoder::finish).map_err(bad)
}

/// `path` after `./`, which the crate itself would leave out, and packagers expect.
fn append_plain(tar: &mut Tar, header: &mut tar::Header, path: &str, bytes: &[u8]) -> io::Result<()> {
    let path = format!("./{path}");
    let field = &mut header.as_old_mut().name;
    field
        .get_mut(..path.len())
        .ok_or_else(|| io::Error::other(format!("{path} is longer than 100 bytes")))?
        .copy_from_slice(path.as_bytes());
    header.set_cksum();
    tar.append(header, bytes)
}

fn header(entry: &Entry, time: u64) -> tar::Header {
    let mut header = tar::Header::new_ustar();
    header.set_size(entry.bytes.len() as u64);
    header.set_mode(entry.mode());
    header.set_mtime(time);
    header.set_uid(0);
    header.set_gid(0);
    header.set_entry_type(tar::EntryType::Regular);
    header
}

/// Neither a time nor a system in gzip's own head.
fn gzip_writer() -> GzEncoder<Vec<u8>> {
    GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::best())
}

/// Bytes, compressed.
pub(crate) fn gzip(bytes: &[u8]) -> Result<Vec<u8>, ReleaseError> {
    let mut writer = gzip_writer();
    writer
        .write_all(bytes)
        .and_then(|()| writer.finish())
        .map_err(|error| ReleaseError::Form { what: "a compressed file", why: error.to_string() })
}

/// What an archive of ours holds, without the folder around it.
pub(crate) fn unpack(name: &str, bytes: &[u8]) -> Result<Vec<Entry>, ReleaseError> {
    let entries = if bytes.starts_with(b"PK") { unpack_zip(bytes) } else { unpack_tar(bytes) };
    entries.map_err(|error| ReleaseError::Form { what: "the archive", why: format!("{name}: {error}") })
}

fn unpack_tar(bytes: &[u8]) -> io::Result<Vec<Entry>> {
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(bytes));
    let mut entries = Vec::new();
    for packed in archive.entries()? {
        let mut packed = packed?;
        let path = packed.path()?.to_string_lossy().into_owned();
        let executable = packed.header().mode()? & 0o100 != 0;
        let mut bytes = Vec::new();
        packed.read_to_end(&mut bytes)?;
        entries.push(Entry { path: inside(&path), bytes, executable });
    }
    Ok(entries)
}

fn unpack_zip(bytes: &[u8]) -> io::Result<Vec<Entry>> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes))?;
    let mut entries = Vec::new();
    for index in 0..archive.len() {
        let mut packed = archive.by_index(index)?;
        let executable = packed.unix_mode().unwrap_or_default() & 0o100 != 0;
        let path = packed.name()?.into_owned();
        let mut bytes = Vec::new();
        packed.read_to_end(&mut bytes)?;
        entries.push(Entry { path: inside(&path), bytes, executable });
    }
    Ok(entries)
}

fn inside(path: &str) -> String {
    path.split_once('/').map_or(path, |(_, rest)| rest).to_owned()
}

/// A zip; in a folder, or without one.
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
        let path = if folder.is_empty() { entry.path.clone() } else { format!("{folder}/{}", entry.path) };
        zip.start_file(path, options).map_err(|error| bad(error.to_string()))?;
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
    use super::*;

    fn entries() -> Vec<Entry> {
        let long = format!("hooks/{}/README.md", "x".repeat(90));
        let mut entries = vec![Entry::new("b", "two"), Entry::new(long, "deep"), Entry::new("a", "one")];
        entries[0].executable = true;
        finish(&mut entries);
        entries
    }

    #[test]
    fn what_names_its_interpreter_can_be_run() {
        assert!(Entry::new("configs/cline/PreToolUse", "#!/bin/sh\n").executable);
        assert!(!Entry::new("configs/claude/command-blocker.json", "{}\n").executable);
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
    fn what_was_packed_is_unpacked_as_it_was() {
        let entries = entries();
        let tar = tar_gz("name", &entries, 1_700_000_000).unwrap();
        assert_eq!(unpack("name.tar.gz", &tar).unwrap(), entries);
        let zip = zip("name", &entries, 1_700_000_000).unwrap();
        assert_eq!(unpack("name.zip", &zip).unwrap(), entries);
        assert!(unpack("name.zip", b"PK and no more").is_err());
    }

    #[test]
    fn a_tree_names_each_folder_once_and_first() {
        let entries = [Entry::new("etc/x/", ""), Entry::new("usr/bin/a", "1"), Entry::new("usr/bin/b", "2")];
        let bytes = tree_gz(&entries, 1_700_000_000).unwrap();
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(bytes.as_slice()));
        let names: Vec<String> = archive
            .entries()
            .unwrap()
            .map(|entry| String::from_utf8(entry.unwrap().path_bytes().into_owned()).unwrap())
            .collect();
        let all = ["./", "./etc/", "./etc/x/", "./usr/", "./usr/bin/", "./usr/bin/a", "./usr/bin/b"];
        assert_eq!(names, all);
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
