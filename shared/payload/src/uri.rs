//! `file://` addresses.

/// The path that a `file:` URI names; `None` for anything else.
///
/// `file:///C:/x` is `C:/x`, `file://server/share` is `//server/share`. Bytes that are not UTF-8 become U+FFFD.
pub(crate) fn file_path(text: &str) -> Option<String> {
    let scheme = text.get(..7).filter(|scheme| scheme.eq_ignore_ascii_case("file://"))?;
    let rest = &text[scheme.len()..];
    // A query or a line after it (`#L12`) does not belong to the path.
    let rest = &rest[..rest.find(['?', '#']).unwrap_or(rest.len())];
    let (server, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let path = decode(path);
    if !server.is_empty() && !server.eq_ignore_ascii_case("localhost") {
        return Some(format!("//{server}{path}"));
    }
    // `/C:/x`: the slash belongs to the address.
    let drive =
        path.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic) && path.as_bytes().get(2) == Some(&b':');
    Some(if drive { path[1..].to_owned() } else { path })
}

/// Decodes `%XX`; anything else stays.
fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let code = tail.get(..2).filter(|_| *first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        if let Some(byte) = code.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            bytes.push(byte);
            rest = &tail[2..];
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_uris_become_paths() {
        for (uri, path) in [
            ("file:///home/u/a%20b%C3%A9", Some("/home/u/a bé")),
            ("FILE:///C:/x", Some("C:/x")),
            ("file:///c%3A/x", Some("c:/x")),
            ("file://server/share/a", Some("//server/share/a")),
            ("file://localhost/a%2", Some("/a%2")),
            ("file:///a#L1", Some("/a")),
            ("file:///%ff", Some("/\u{fffd}")),
            ("/home/u", None),
            ("https://x/", None),
            ("é", None),
        ] {
            assert_eq!(file_path(uri).as_deref(), path, "{uri}");
        }
    }
}
