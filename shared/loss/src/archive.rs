//! The names in an archive: what it would be unpacked over.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// As many names are read.
const NAMES: usize = 10_000;

/// As much of an archive is unpacked for its names, in bytes.
const UNPACKED: u64 = 64 << 20;

/// The files in an archive, by their names in it. `None` for what is none, or too large.
pub(crate) fn names(path: &Path) -> Option<Vec<String>> {
    if !std::fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut file = File::open(path).ok()?;
    let mut start = [0; 4];
    file.read_exact(&mut start).ok()?;
    file.rewind().ok()?;
    match start {
        [0x1F, 0x8B, ..] => {
            of_tar(&mut flate2::read::MultiGzDecoder::new(io::BufReader::new(file)).take(UNPACKED))
        }
        [b'P', b'K', ..] => of_zip(&mut file),
        _ => of_tar(&mut io::BufReader::new(file).take(UNPACKED)),
    }
}

const BLOCK: usize = 512;

fn of_tar(from: &mut impl Read) -> Option<Vec<String>> {
    let (mut names, mut long): (Vec<String>, Option<String>) = (Vec::new(), None);
    loop {
        let mut header = [0; BLOCK];
        if from.read_exact(&mut header).is_err() || header.iter().all(|byte| *byte == 0) {
            return Some(names);
        }
        if names.len() == NAMES || &header[257..262] != b"ustar" {
            return None;
        }
        let size = u64::from_str_radix(text(&header[124..136]).trim(), 8).ok()?;
        let padded = size.div_ceil(BLOCK as u64) * BLOCK as u64;
        match header[156] {
            kind @ (b'L' | b'x') => {
                let mut content = vec![0; usize::try_from(padded).ok().filter(|size| *size <= 1 << 20)?];
                from.read_exact(&mut content).ok()?;
                content.truncate(usize::try_from(size).ok()?);
                long = if kind == b'L' { Some(text(&content)) } else { path_of(&content).or(long) };
                continue;
            }
            b'g' | b'K' => {}
            kind => {
                let prefix = text(&header[345..500]);
                let name = text(&header[..100]);
                // Of the GNU form, other things stand there.
                let is_plain = prefix.is_empty() || &header[257..265] != b"ustar\x0000";
                let name = if is_plain { name } else { format!("{prefix}/{name}") };
                let name = long.take().unwrap_or(name);
                if kind != b'5' {
                    names.push(name);
                }
            }
        }
        io::copy(&mut from.by_ref().take(padded), &mut io::sink()).ok()?;
    }
}

fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// The path among the extended attributes of a file: `30 path=src/…`.
fn path_of(attributes: &[u8]) -> Option<String> {
    let lines = String::from_utf8_lossy(attributes).into_owned();
    lines.lines().find_map(|line| line.split_once(" path=").map(|(_, path)| path.to_owned()))
}

/// The directory at the end of a ZIP archive.
fn of_zip(file: &mut File) -> Option<Vec<String>> {
    const END: usize = 22;
    let length = file.metadata().ok()?.len();
    let tail = length.min(END as u64 + 0xFFFF);
    file.seek(SeekFrom::Start(length - tail)).ok()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).ok()?;
    let end = (0..=bytes.len().checked_sub(END)?).rev().find(|at| bytes[*at..].starts_with(b"PK\x05\x06"))?;
    let number = |bytes: &[u8], at: usize, length: usize| {
        let bytes = bytes.get(at..at + length)?;
        Some(bytes.iter().rev().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte)))
    };
    let (size, start) = (number(&bytes, end + 12, 4)?, number(&bytes, end + 16, 4)?);
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut entries = Vec::new();
    file.by_ref().take(size.min(UNPACKED)).read_to_end(&mut entries).ok()?;
    let (mut names, mut at) = (Vec::new(), 0);
    while entries.get(at..at + 4) == Some(b"PK\x01\x02") {
        let field = |offset: usize| usize::try_from(number(&entries, at + offset, 2)?).ok();
        let (name, extra, comment) = (field(28)?, field(30)?, field(32)?);
        let name_at = at + 46;
        let text = String::from_utf8_lossy(entries.get(name_at..name_at + name)?).into_owned();
        if !text.ends_with('/') {
            names.push(text);
        }
        if names.len() == NAMES {
            return None;
        }
        at = name_at + name + extra + comment;
    }
    Some(names)
}
