//! The way back: the log's own lines out of what a collector kept.
//!
//! Collectors wrap, rename and index, so the line is not looked for in one place: any string that is a whole record of
//! the log counts, in whichever field of whichever document, with one line of text at a time in memory.

use std::io::{self, BufRead, Read};

use audit::Link;
use memchr::memmem;
use prost::Message as _;

use crate::{cef, otlp};

/// A longer line of text is not looked through, in bytes: a request holds at most a few thousand records.
const LONGEST: u64 = 256 << 20;

/// How a record begins in JSON, in a string of JSON, and in a field of CSV.
const PLAIN: &[u8] = b"{\"v\":";
const QUOTED: &[u8] = b"\"{\\\"v\\\":";
const DOUBLED: &[u8] = b"\"{\"\"v\"\":";

/// Calls `visit` with every line of the log that a text holds: JSON of any kind, syslog, CEF, or CSV. Returns how many
/// lines of the text held none.
pub fn text(reader: impl Read, mut visit: impl FnMut(&[u8])) -> io::Result<u64> {
    let mut reader = io::BufReader::with_capacity(256 * 1024, reader);
    let mut line = Vec::new();
    let mut strange = 0;
    loop {
        line.clear();
        if reader.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
            return Ok(strange);
        }
        let text = line.trim_ascii();
        if !text.is_empty() && of_line(text, &mut visit) == 0 && !is_frame(text) {
            strange += 1;
        }
    }
}

/// Calls `visit` with every line of the log in requests of OTLP's protobuf, one after the other.
pub fn protobuf(mut reader: impl Read, mut visit: impl FnMut(&[u8])) -> io::Result<u64> {
    let mut strange = 0;
    // Requests that follow each other are one message with a repeated field: read one member at a time.
    while let Some(member) = member(&mut reader)? {
        let Ok(logs) = otlp::ResourceLogs::decode(member.as_slice()) else {
            strange += 1;
            continue;
        };
        for record in logs.scope_logs.into_iter().flat_map(|scope| scope.log_records) {
            match record.body.and_then(|body| body.value) {
                Some(otlp::Any::Text(line)) if Link::of(line.as_bytes()).is_some() => visit(line.as_bytes()),
                _ => strange += 1,
            }
        }
    }
    Ok(strange)
}

/// The next member of a request.
fn member(reader: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    /// The first field, of variable length.
    const RESOURCE_LOGS: u8 = 1 << 3 | 2;
    let bad = || io::Error::new(io::ErrorKind::InvalidData, "this is not OTLP as protobuf");
    let mut byte = [0];
    if reader.read(&mut byte)? == 0 {
        return Ok(None);
    }
    if byte[0] != RESOURCE_LOGS {
        return Err(bad());
    }
    let (mut length, mut shift) = (0u64, 0);
    loop {
        reader.read_exact(&mut byte)?;
        length |= u64::from(byte[0] & 0x7f) << shift;
        if byte[0] & 0x80 == 0 {
            break;
        }
        shift += 7;
        if shift > 35 {
            return Err(bad());
        }
    }
    if length > LONGEST {
        return Err(bad());
    }
    let mut bytes = Vec::new();
    reader.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length { Ok(Some(bytes)) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// What frames records and holds none: the brackets of a list, and the head of a table.
fn is_frame(text: &[u8]) -> bool {
    matches!(text, b"[" | b"]" | b"," | b"{" | b"}") || text.starts_with(b"seq,id,ts,")
}

/// Visits the lines of the log that one line of text holds, and returns how many there are.
fn of_line(text: &[u8], visit: &mut impl FnMut(&[u8])) -> usize {
    let mut take = |line: &[u8]| {
        // A link alone is the end of any text: what stands before a record is not part of it.
        let is_one = line.starts_with(PLAIN) && Link::of(line).is_some();
        if is_one {
            visit(line);
        }
        usize::from(is_one)
    };
    // As it is, or in the last field of an event.
    if take(text) == 1 {
        return 1;
    }
    if let Some(line) = std::str::from_utf8(text).ok().and_then(cef::line_of)
        && take(line.as_bytes()) == 1
    {
        return 1;
    }
    let mut found = 0;
    for at in memmem::find_iter(text, DOUBLED) {
        found += undoubled(&text[at + 1..]).map_or(0, |line| take(&line));
    }
    for at in memmem::find_iter(text, QUOTED) {
        let mut strings = serde_json::Deserializer::from_slice(&text[at..]).into_iter::<String>();
        if let Some(Ok(line)) = strings.next() {
            found += take(line.as_bytes());
        }
    }
    if found > 0 {
        return found;
    }
    // After what a receiver puts in front.
    usize::from(memmem::find_iter(text, PLAIN).any(|at| take(&text[at..]) == 1))
}

/// A field of CSV after its first quote.
fn undoubled(text: &[u8]) -> Option<Vec<u8>> {
    let mut field = Vec::new();
    let mut at = 0;
    while let Some(length) = memchr::memchr(b'"', &text[at..]) {
        field.extend_from_slice(&text[at..at + length]);
        at += length + 1;
        if text.get(at) != Some(&b'"') {
            return Some(field);
        }
        field.push(b'"');
        at += 1;
    }
    None
}
