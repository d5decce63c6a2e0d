//! Backslash escapes: those of `$'…'`, of `echo -e` and of `printf`.

/// Decodes the inside of `$'…'` as bash does.
pub fn ansi_c(text: &str) -> String {
    decode(text, Style::Quote)
}

/// Decodes the escapes of `echo -e`.
pub fn echo(text: &str) -> String {
    decode(text, Style::Echo)
}

/// Decodes the escapes of `printf`'s format, and of `tr` and `xargs -d`.
pub fn printf(text: &str) -> String {
    decode(text, Style::Format)
}

/// Decodes the escapes of what `printf` gets for `%b`.
pub(crate) fn argument(text: &str) -> String {
    decode(text, Style::Argument)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// `\ooo` with up to three digits.
    Quote,
    /// `\0ooo` only, and quotes are ordinary.
    Echo,
    /// `\ooo`; `\"` is a quote.
    Format,
    /// `\ooo` and `\0ooo`.
    Argument,
}

fn decode(text: &str, style: Style) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let source = text.as_bytes();
    // Bytes above ASCII that escapes have made, by their places.
    let mut made = Vec::new();
    let mut at = 0;
    while at < source.len() {
        if source[at] != b'\\' || at + 1 == source.len() {
            bytes.push(source[at]);
            at += 1;
            continue;
        }
        at += 2;
        let before = bytes.len();
        // Only these can make a byte that is not in the source.
        let numeric = matches!(source[at - 1], b'x' | b'u' | b'U' | b'0'..=b'7');
        match source[at - 1] {
            b'a' => bytes.push(7),
            b'b' => bytes.push(8),
            b'e' | b'E' => bytes.push(27),
            b'f' => bytes.push(12),
            b'n' => bytes.push(b'\n'),
            b'r' => bytes.push(b'\r'),
            b't' => bytes.push(b'\t'),
            b'v' => bytes.push(11),
            b'\\' => bytes.push(b'\\'),
            quote @ (b'\'' | b'"' | b'?') if matches!(style, Style::Quote | Style::Format) => {
                bytes.push(quote);
            }
            b'x' => number(digits(source, &mut at, 2, 16), b"\\x", &mut bytes),
            b'u' => unicode(source, &mut at, 4, &mut bytes),
            b'U' => unicode(source, &mut at, 8, &mut bytes),
            // `echo -e` knows octal only after a zero.
            digit @ b'1'..=b'7' if style == Style::Echo => bytes.extend([b'\\', digit]),
            b'0'..=b'7' => {
                at -= 1;
                let zero = source[at] == b'0' && matches!(style, Style::Echo | Style::Argument);
                let digits = if zero { 4 } else { 3 };
                number(self::digits(source, &mut at, digits, 8), b"\\", &mut bytes);
            }
            // `\c` ends the output here.
            b'c' if matches!(style, Style::Echo | Style::Argument) => break,
            b'c' if style == Style::Format => bytes.extend(b"\\c"),
            b'c' => {
                if let Some(&control) = source.get(at) {
                    bytes.push(control & 0x1F);
                    at += 1;
                }
            }
            other => bytes.extend([b'\\', other]),
        }
        if style == Style::Quote && bytes[before..].contains(&0) {
            // bash ends the text there.
            bytes.truncate(before);
            break;
        }
        if numeric {
            made.extend((before..bytes.len()).filter(|&place| !bytes[place].is_ascii()));
        }
    }
    // Escapes can make the very characters that stand for marks.
    unforge(&mut bytes, &made);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Takes away the marks that bytes in the places `made` are part of: an escape must not forge one.
fn unforge(bytes: &mut [u8], made: &[usize]) {
    for &place in made {
        for start in place.saturating_sub(2)..=place {
            if let Some([0xEF, second @ 0xB7, third @ 0x90..=0xAF]) = bytes.get_mut(start..start + 3) {
                // U+FFFD has the same first byte.
                (*second, *third) = (0xBF, 0xBD);
            }
        }
    }
}

/// Reads up to `digits` digits of `radix`; without any, the text stays as it was.
fn digits(source: &[u8], at: &mut usize, most: usize, radix: u32) -> Option<u32> {
    let start = *at;
    let mut value = 0_u32;
    while *at < source.len() && *at - start < most {
        let Some(digit) = char::from(source[*at]).to_digit(radix) else { break };
        value = value.wrapping_mul(radix).wrapping_add(digit);
        *at += 1;
    }
    (*at > start).then_some(value)
}

/// The byte that an escape names, or the escape itself where it names none.
fn number(value: Option<u32>, otherwise: &[u8], bytes: &mut Vec<u8>) {
    match value {
        Some(value) => bytes.push((value & 0xFF) as u8),
        None => bytes.extend(otherwise),
    }
}

fn unicode(source: &[u8], at: &mut usize, most: usize, bytes: &mut Vec<u8>) {
    let decoded =
        digits(source, at, most, 16).and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER);
    bytes.extend(decoded.encode_utf8(&mut [0; 4]).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_letter_is_read() {
        for spelling in [r"\x72m", r"\162m", r"\u0072m", r"\U00000072m", "rm"] {
            assert_eq!(ansi_c(spelling), "rm", "{spelling}");
        }
        assert_eq!(echo(r"\0162m"), "rm");
        assert_eq!(ansi_c(r"a\'b\n"), "a'b\n");
        assert_eq!(ansi_c(r"\q"), r"\q");
    }

    #[test]
    fn an_escape_cannot_forge_a_mark() {
        for forged in [r"\uFDD0", r"\xef\xb7\x90", r"\U0000FDD1", r"\357\267\220", "\\xef\\xb7\u{90}"] {
            assert!(!crate::mark::any(&echo(forged)), "{forged}");
            assert!(!crate::mark::any(&argument(forged)), "{forged}");
            assert!(!crate::mark::any(&ansi_c(forged)), "{forged}");
        }
        let kept = format!(r"\x72{}\{}", crate::mark::UNKNOWN, crate::mark::REMOTE);
        assert_eq!(echo(&kept).matches(crate::mark::is_mark).count(), 2);
    }

    #[test]
    fn a_lone_backslash_stays() {
        assert_eq!(ansi_c("\\"), "\\");
        assert_eq!(echo(r"\x"), r"\x");
    }
}
