//! Path patterns: in our form, and a path that fits.

/// A path that a pattern fits: every wildcard stands for something plain.
pub(crate) fn sample(pattern: &str) -> String {
    let mut text = String::new();
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '*' => {
                let mut deep = false;
                while chars.peek() == Some(&'*') {
                    chars.next();
                    deep = true;
                }
                // `**/` may match no folder at all.
                if deep && chars.peek() == Some(&'/') {
                    chars.next();
                } else {
                    text.push('x');
                }
            }
            '?' => text.push('x'),
            '[' => {
                let inside: String = chars.by_ref().take_while(|c| *c != ']').collect();
                text.push(member(&inside));
            }
            '{' => {
                let inside: String = chars.by_ref().take_while(|c| *c != '}').collect();
                // The first alternative is as good as any.
                text.push_str(inside.split(',').next().unwrap_or_default());
            }
            '\\' => text.extend(chars.next()),
            c => text.push(c),
        }
    }
    text
}

/// A character of a class, without its brackets.
fn member(class: &str) -> char {
    let Some(excluded) = class.strip_prefix(['!', '^']) else { return class.chars().next().unwrap_or('x') };
    let excluded: Vec<char> = excluded.chars().collect();
    let excludes = |c: char| {
        excluded.contains(&c)
            || excluded.windows(3).any(|range| range[1] == '-' && (range[0]..=range[2]).contains(&c))
    };
    ['x', 'X', '0', '_', '~'].into_iter().find(|c| !excludes(*c)).unwrap_or('x')
}

/// A pattern of git's ignore files below `base`, which is empty for the working tree; with what lies in a folder of
/// that name.
pub(crate) fn ignored(pattern: &str, base: &str) -> Vec<String> {
    let folder = pattern.ends_with('/');
    let bare = pattern.trim_end_matches('/');
    let rooted = bare.strip_prefix('/').unwrap_or(bare);
    // As in git's ignore files: without a slash inside, at any depth.
    let anywhere = !bare.contains('/') && !bare.is_empty();
    let first = match (anywhere, base) {
        (true, "") => format!("**/{rooted}"),
        (true, base) => format!("{base}/**/{rooted}"),
        (false, "") => rooted.to_owned(),
        (false, base) => format!("{base}/{rooted}"),
    };
    let ends = first.ends_with('*');
    let mut all = Vec::new();
    if !folder {
        all.push(first.clone());
    }
    if !ends || folder {
        all.push(format!("{first}/**"));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_fit_their_patterns() {
        for (pattern, path) in [
            ("[!a]b", "xb"),
            ("[^w-z]b", "Xb"),
            ("**/.env", ".env"),
            ("src/**", "src/x"),
            ("*.{md,txt}", "x.md"),
            ("[!a]b?", "xbx"),
            ("/etc/**/x", "/etc/x"),
            ("a\\*", "a*"),
        ] {
            assert_eq!(sample(pattern), path, "{pattern}");
        }
    }

    #[test]
    fn ignore_patterns_say_where() {
        for (pattern, base, all) in [
            (".env", "", &["**/.env", "**/.env/**"][..]),
            ("secrets/", "", &["**/secrets/**"]),
            ("src/**", "", &["src/**"]),
            ("/docs/a.md", "", &["docs/a.md", "docs/a.md/**"]),
            ("*.key", "~", &["~/**/*.key", "~/**/*.key/**"]),
        ] {
            assert_eq!(ignored(pattern, base), all, "{pattern}");
        }
    }
}
