//! What must not be reported: secrets, and who an address is opened as.

/// `text` without secrets, and its addresses without users, queries and fragments.
pub(super) fn without(text: &str) -> String {
    // Addresses first: what stands for a secret in one would end it early.
    let text = addresses(text);
    let mut plain = String::with_capacity(text.len());
    let mut from = 0;
    for span in redact::find(&text) {
        let Some(before) = text.get(from..span.start) else { continue };
        plain.push_str(before);
        // Without the tag that logs have: the block stays the same from session to session.
        plain.push_str("[secret removed]");
        from = span.end;
    }
    plain.push_str(text.get(from..).unwrap_or_default());
    plain
}

/// Every address, as far as it says where and not who.
fn addresses(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, address) = rest.split_at(at + 3);
        plain.push_str(before);
        let end =
            address.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'')).unwrap_or(address.len());
        let (address, after) = address.split_at(end);
        // A query may hold a token, and tells no one where something is.
        plain.push_str(without_user(address).split(['?', '#']).next().unwrap_or_default());
        rest = after;
    }
    plain.push_str(rest);
    plain
}

/// What follows the user in `user:password@host/path`. A password may hold slashes that no one encoded: the last `@` counts.
fn without_user(address: &str) -> &str {
    address.rsplit_once('@').map_or(address, |(_, rest)| rest)
}
