//! Encodings that hide a command: base64, base32, hexadecimal and gzip.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::atom::Arg;
use crate::mark;

/// Decoded text longer than this is not followed.
const MAX_DECODED: usize = 64 * 1024;
/// Compressed bytes travel between filters as Latin-1 characters after this letter of a private area.
const BINARY: char = '\u{F8FF}';

/// What a decoder prints for `input`, or nothing where it is not one or cannot be followed.
pub fn run(name: &str, args: &[Arg], input: &str) -> Option<String> {
    // Half of an encoded text cannot be decoded, and marks are not base64.
    if mark::any(input) || input.is_empty() {
        return None;
    }
    let has = |flags: &[&str]| args.iter().any(|arg| flags.contains(&arg.text.as_str()));
    let bundled = |letter: char| {
        args.iter()
            .any(|arg| arg.text.starts_with('-') && !arg.text.starts_with("--") && arg.text.contains(letter))
    };
    let decoded = match name {
        "base64" if bundled('d') || has(&["--decode", "-D", "--dec"]) => base64(input)?,
        "base64" => return Some(format!("{}\n", engine().encode(bytes_of(input)))),
        "basenc" if has(&["--base64"]) && (bundled('d') || has(&["--decode"])) => base64(input)?,
        "basenc" if has(&["--base16"]) && (bundled('d') || has(&["--decode"])) => hex(input)?,
        "base32" if bundled('d') || has(&["--decode"]) => base32(input)?,
        "openssl" if has(&["base64", "-base64", "-a"]) && has(&["-d"]) => base64(input)?,
        "xxd" if bundled('r') => hex(input)?,
        "uudecode" => uudecode(input)?,
        "gunzip" => gunzip(&bytes_of(input))?,
        "gzip" if bundled('d') || has(&["--decompress"]) => gunzip(&bytes_of(input))?,
        _ => return None,
    };
    Some(text_of(decoded))
}

fn engine() -> GeneralPurpose {
    // With or without `=` at the end: coreutils warn, and print what they have decoded.
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    GeneralPurpose::new(&STANDARD, config)
}

/// Decodes base64 as `base64 -d` and Python do; blanks are skipped.
pub fn base64(text: &str) -> Option<Vec<u8>> {
    let compact: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    if compact.len() > MAX_DECODED {
        return None;
    }
    engine().decode(compact).ok()
}

/// Decodes `%2F` and the like; bytes that are not text stay as they are written.
pub fn percent(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digit = |at: usize| after.get(at).and_then(|&byte| char::from(byte).to_digit(16));
        if let (b'%', Some(high), Some(low)) = (first, digit(0), digit(1)) {
            bytes.push(u8::try_from(high * 16 + low).unwrap_or(b'?'));
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// Decodes pairs of hexadecimal digits; blanks are skipped.
pub fn hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> =
        text.chars().filter_map(|c| c.to_digit(16)).filter_map(|digit| u8::try_from(digit).ok()).collect();
    if digits.is_empty() || digits.len() > MAX_DECODED {
        return None;
    }
    Some(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

fn base32(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let (mut value, mut width) = (0_u32, 0);
    for c in text.chars().filter(|c| !c.is_ascii_whitespace() && *c != '=') {
        let digit = match c {
            'A'..='Z' => c as u32 - 'A' as u32,
            '2'..='7' => c as u32 - '2' as u32 + 26,
            _ => return None,
        };
        value = (value << 5 | digit) & 0xFFFF;
        width += 5;
        if width >= 8 {
            width -= 8;
            bytes.push((value >> width & 0xFF) as u8);
        }
    }
    Some(bytes)
}

/// Decodes what stands between `begin` and its end, in either form.
fn uudecode(text: &str) -> Option<Vec<u8>> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with("begin"));
    if lines.next()?.starts_with("begin-base64") {
        return base64(&lines.take_while(|line| *line != "====").collect::<String>());
    }
    let mut bytes = Vec::new();
    for line in lines.take_while(|line| *line != "end") {
        let digits: Vec<u8> = line.bytes().map(|byte| byte.wrapping_sub(b' ') & 0x3F).collect();
        let (count, digits) = digits.split_first()?;
        let triples = digits.chunks(4).flat_map(|four| {
            let digit = |at: usize| u32::from(four.get(at).copied().unwrap_or(0));
            let [_, triple @ ..] = (digit(0) << 18 | digit(1) << 12 | digit(2) << 6 | digit(3)).to_be_bytes();
            triple
        });
        bytes.extend(triples.take(usize::from(*count)));
    }
    Some(bytes)
}

/// Unpacks a gzip member: a fixed header of ten bytes, then a deflate stream.
fn gunzip(bytes: &[u8]) -> Option<Vec<u8>> {
    // Flags of zero: with a file name or a comment, the header would be longer.
    let plain = bytes.starts_with(&[0x1F, 0x8B, 8, 0]);
    let body = bytes.get(10..).filter(|_| plain)?;
    miniz_oxide::inflate::decompress_to_vec_with_limit(body, MAX_DECODED).ok()
}

fn text_of(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text) => mark::scrub(&text).into_owned(),
        Err(error) => {
            let mut text = String::from(BINARY);
            // gzip after base64: the bytes must come out as they went in, and strings here hold UTF-8.
            text.extend(error.into_bytes().into_iter().map(char::from));
            text
        }
    }
}

fn bytes_of(text: &str) -> Vec<u8> {
    match text.strip_prefix(BINARY) {
        Some(binary) => binary.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect(),
        None => text.as_bytes().to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_commands_are_read() {
        let args = |words: &[&str]| words.iter().map(|&word| Arg::from(word)).collect::<Vec<_>>();
        assert_eq!(run("base64", &args(&["-d"]), "cm0gLXJmIC8K\n").as_deref(), Some("rm -rf /\n"));
        assert_eq!(
            run("openssl", &args(&["enc", "-base64", "-d"]), "cm0gLXJmIC8=").as_deref(),
            Some("rm -rf /")
        );
        assert_eq!(run("xxd", &args(&["-r", "-p"]), "726d").as_deref(), Some("rm"));
        assert_eq!(run("uudecode", &[], "begin 644 x\n\"<FT \n`\nend\n").as_deref(), Some("rm"));
        assert_eq!(run("uudecode", &[], "begin-base64 644 x\ncm0=\n====\n").as_deref(), Some("rm"));
        assert_eq!(run("base32", &args(&["-d"]), "OJWSALLSMYQC6===").as_deref(), Some("rm -rf /"));
        let packed =
            run("base64", &args(&["-d"]), "H4sIAAAAAAACA0vPLFEoKC3OUNDVTcsvSk5VyC/KTM/MU8hNzMwDAJHbwEMcAAAA");
        assert_eq!(run("gunzip", &[], &packed.unwrap()).as_deref(), Some("git push --force origin main"));
    }

    #[test]
    fn garbage_is_not_an_answer() {
        assert_eq!(run("base64", &[Arg::from("-d")], "!!!"), None);
        assert_eq!(run("gunzip", &[], "plain"), None);
    }
}
