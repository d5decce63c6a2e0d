//! Whether the lines of a `.gitignore` may match a path: more than git lets match, never less.
//!
//! `*` stands for anything here, case for nothing, and a line that takes something back is not looked at. What is said to
//! match is git's to judge; what is not cannot be ignored.

/// Whether one of the lines may match the path, or a folder that it lies in. The path is relative to where the patterns
/// are from, and ASCII.
pub(crate) fn may_match(lines: &[u8], path: &str) -> bool {
    crate::lines::of(lines).any(|line| may_match_line(line, path.as_bytes()))
}

fn may_match_line(line: &[u8], path: &[u8]) -> bool {
    // Most lines of most such files.
    if let None | Some(b'#') = line.first() {
        return false;
    }
    let pattern = line.trim_ascii();
    match pattern.first() {
        None | Some(b'#' | b'!') => return false,
        _ if is_unclear(pattern) => return true,
        _ => {}
    }
    // With a slash at the end only folders are meant, and the path may lie in one.
    let pattern = pattern.strip_suffix(b"/").unwrap_or(pattern);
    // A slash inside ties a pattern to its own folder; without one it fits at any depth.
    if pattern.contains(&b'/') {
        let pattern = pattern.strip_prefix(b"/").unwrap_or(pattern);
        let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(end, _)| end);
        // A folder that is ignored takes along what it holds.
        return ends.chain([path.len()]).any(|end| path.get(..end).is_some_and(|above| fits(pattern, above)));
    }
    path.split(|byte| *byte == b'/').any(|part| fits(pattern, part))
}

/// Whether a pattern is of a kind that is not read here: with a backslash, or a class with more than plain characters.
fn is_unclear(pattern: &[u8]) -> bool {
    if pattern.contains(&b'\\') || !pattern.is_ascii() {
        return true;
    }
    let mut classes = pattern.split(|byte| *byte == b'[').skip(1);
    classes.any(|rest| {
        let rest = rest.strip_prefix(b"!").or_else(|| rest.strip_prefix(b"^")).unwrap_or(rest);
        // Not closed before the next one begins, or closed at once.
        rest.iter().position(|byte| *byte == b']').is_none_or(|close| close == 0)
    })
}

/// Whether a pattern fits a whole text. Only the last `*` is ever gone back to, so that no pattern takes long.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut place) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while place < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                at += pattern.iter().skip(at).take_while(|byte| **byte == b'*').count();
                // `**/` is also no folder at all.
                if at >= 2 && pattern.get(at - 2) == Some(&b'*') && pattern.get(at) == Some(&b'/') {
                    at += 1;
                }
                star = Some((at, place));
                continue;
            }
            Some(b'[') => {
                // Any character will do for a class: that is more than it lists.
                at += 1 + pattern.iter().skip(at).take_while(|byte| **byte != b']').count();
                place += 1;
                continue;
            }
            Some(byte)
                if *byte == b'?' || text.get(place).is_some_and(|now| now.eq_ignore_ascii_case(byte)) =>
            {
                at += 1;
                place += 1;
                continue;
            }
            _ => {}
        }
        let Some((behind, from)) = star else { return false };
        star = Some((behind, from + 1));
        (at, place) = (behind, from + 1);
    }
    pattern.iter().skip(at).all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_ignores_may_match() {
        for (pattern, path) in [
            ("*.log", "a.log"),
            ("*.log", "deep/a.log"),
            ("target", "target/x"),
            ("target/", "deep/target/x/y"),
            ("/target", "target/x"),
            ("a/b", "a/b/c"),
            ("a/**/b", "a/b"),
            ("a/**/b", "a/x/y/b"),
            ("**/b", "b"),
            ("**/b/", "x/b/c"),
            ("b/**", "b/c/d"),
            ("*.py[cod]", "x.pyc"),
            ("a?c", "abc"),
            ("  spaced  ", "spaced"),
            ("crlf\r", "crlf"),
            ("CASE", "case"),
            ("*", "anything"),
            ("\\!x", "y"),
            ("[", "y"),
            ("[[:alpha:]]", "y"),
            ("a*b*c", "axbxbyc"),
        ] {
            assert!(may_match(format!("nothing\n{pattern}\n").as_bytes(), path), "{pattern} {path}");
        }
    }

    #[test]
    fn what_surely_does_not_match_is_known() {
        for pattern in [
            "",
            "#*",
            "!*",
            "node_modules",
            "node_modules/",
            "/a.ts",
            "*.log",
            "*.py[cod]",
            ".*.sw[a-p]",
            "src/b.ts",
            "lib/**",
            "**/dist/",
            "?",
            "[xyz]",
        ] {
            assert!(!may_match(pattern.as_bytes(), "src/a.ts"), "{pattern}");
        }
    }
}
