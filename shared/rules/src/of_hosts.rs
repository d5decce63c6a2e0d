//! Tables of which every host has a part: put together while compiling, so that a call reads one string.

/// The lines of one table: its own, and then those of every host.
macro_rules! lines_of_all {
    ($own:expr, $field:ident) => {{
        const PARTS: [&str; ::payload::Host::NAMED.len() + 1] = {
            let mut parts = [$own; ::payload::Host::NAMED.len() + 1];
            let mut at = 0;
            while at < ::payload::Host::NAMED.len() {
                parts[at + 1] = ::payload::Host::NAMED[at].traits().kept.$field;
                at += 1;
            }
            parts
        };
        const BYTES: [u8; $crate::of_hosts::length(&PARTS)] = $crate::of_hosts::joined(&PARTS);
        match std::str::from_utf8(&BYTES) {
            Ok(text) => text,
            Err(_) => panic!("the parts are whole strings"),
        }
    }};
}
pub(crate) use lines_of_all;

/// The length of parts with a line break after each.
pub(crate) const fn length(parts: &[&str]) -> usize {
    let (mut length, mut at) = (0, 0);
    while at < parts.len() {
        length += parts[at].len() + 1;
        at += 1;
    }
    length
}

/// Parts with a line break after each.
pub(crate) const fn joined<const LENGTH: usize>(parts: &[&str]) -> [u8; LENGTH] {
    let mut all = [b'\n'; LENGTH];
    let (mut to, mut part) = (0, 0);
    while part < parts.len() {
        let bytes = parts[part].as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            all[to] = bytes[at];
            to += 1;
            at += 1;
        }
        to += 1;
        part += 1;
    }
    all
}
