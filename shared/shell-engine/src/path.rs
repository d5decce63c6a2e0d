//! Paths as text. Nothing here looks at a file system.

/// `path` seen from the folder `base`, without `.`, `..`, doubled slashes and a slash at its end.
///
/// `..` is taken away as text, which is what a shell's `cd` does; symbolic links are not followed.
pub fn join(base: &str, path: &str) -> String {
    // The usual case: there is nothing to be taken away.
    if let Some(inside) = base.strip_prefix('/')
        && is_plain(inside)
        && is_plain(path)
        && !path.starts_with('~')
        && !is_windows_root(path)
    {
        return [base, "/", path].concat();
    }
    let mut joined = String::with_capacity(base.len() + path.len() + 1);
    let absolute = path.starts_with('/') || path.starts_with('~') || is_windows_root(path);
    // `~/x` and `C:/x` are absolute, but have no root that `..` stops at.
    let rooted = if absolute { path } else { base }.starts_with('/');
    if !absolute {
        append(&mut joined, base, rooted);
    }
    append(&mut joined, path, rooted);
    if joined.is_empty() {
        joined.push_str(if rooted { "/" } else { "." });
    }
    joined
}

/// Whether a relative path has no part that is empty or begins with a dot.
fn is_plain(path: &str) -> bool {
    let bytes = path.as_bytes();
    let ends = matches!(bytes, [] | [b'/' | b'.', ..] | [.., b'/']);
    !ends && !bytes.windows(2).any(|pair| matches!(pair, [b'/', b'/' | b'.']))
}

fn append(joined: &mut String, path: &str, rooted: bool) {
    for segment in segments(path) {
        match segment {
            "" | "." => {}
            ".." => match joined.rfind('/') {
                // Above the root is the root.
                Some(slash) => joined.truncate(slash),
                None if joined.is_empty() && !rooted => joined.push_str(".."),
                None => joined.clear(),
            },
            segment => {
                if rooted || !joined.is_empty() {
                    joined.push('/');
                }
                joined.push_str(segment);
            }
        }
    }
}

/// What slashes separate, like `path.split('/')`; a plain loop over bytes is much faster for parts this short.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(path);
    std::iter::from_fn(move || {
        let path = rest?;
        let slash = path.bytes().position(|byte| byte == b'/');
        rest = slash.map(|slash| &path[slash + 1..]);
        Some(slash.map_or(path, |slash| &path[..slash]))
    })
}

fn is_windows_root(path: &str) -> bool {
    let bytes = path.as_bytes();
    bytes.len() > 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && matches!(bytes[2], b'/' | b'\\')
        || bytes.len() > 4
            && bytes[..2].eq_ignore_ascii_case(b"HK")
            && path.find(':').is_some_and(|at| at < 5)
}

/// The part after the last slash.
pub fn file_name(path: &str) -> &str {
    path.bytes().rposition(|byte| byte == b'/').map_or(path, |slash| &path[slash + 1..])
}

/// Whether `path` is `folder` or lies below it. Both are as [`join`] makes them.
pub fn is_within(path: &str, folder: &str) -> bool {
    folder == "/" && path.starts_with('/')
        || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a path is another name of standard input.
pub fn is_stdin(path: &str) -> bool {
    matches!(path, "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_resolved_as_text() {
        for (base, path, expected) in [
            ("/a/b", "c", "/a/b/c"),
            ("/a/b", "./c/", "/a/b/c"),
            ("/a/b", "../..", "/"),
            ("/a/b", "../../../..", "/"),
            ("/a", "/tmp/..", "/"),
            ("/a", "//", "/"),
            ("/a", "/tmp/../etc", "/etc"),
            ("/", "usr", "/usr"),
            ("/", ".", "/"),
            ("/a", "~/x", "~/x"),
            ("/a", "C:/x", "C:/x"),
        ] {
            assert_eq!(join(base, path), expected, "{base} {path}");
        }
    }

    #[test]
    fn within_is_about_whole_names() {
        assert!(is_within("/home/user", "/home/user"));
        assert!(is_within("/home/user/x", "/home/user"));
        assert!(!is_within("/home/users", "/home/user"));
        assert!(is_within("/etc", "/"));
    }
}
