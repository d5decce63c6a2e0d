//! How a path stands to a pattern of the table.

use shell::{mark, pattern};

use super::searched::finds_in;

/// How a path stands to what is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Relation {
    /// A folder around it; `near` if it lies right in there.
    Above {
        /// Whether what is protected lies right in it.
        near: bool,
    },
    /// It is protected, or lies in what is.
    At,
}

pub(super) fn names(path: &str) -> Vec<&str> {
    path.split('/').filter(|name| !name.is_empty() && *name != ".").collect()
}

/// How a path stands to a pattern, both seen from the same folder.
pub(super) fn relation(pattern: &str, path: &[&str]) -> Option<Relation> {
    let mut path = path.iter();
    let mut parts = pattern.trim_start_matches('/').split('/').peekable();
    let last = pattern.rsplit('/').find(|part| *part != "**").unwrap_or("");
    let mut within = false;
    while let Some(part) = parts.next() {
        let name = path.next();
        match name {
            None => {
                let near = part == "**" || parts.peek().is_none();
                return Some(Relation::Above { near });
            }
            // A search goes through all that is below, or through what has a name.
            Some(name) if name.starts_with(mark::ENTRY) => {
                let searched = path.next_back().copied().unwrap_or("");
                let everything = part == "**" || searched.is_empty();
                // From a folder that is ours alone, as `.github`, an ending finds what has any name.
                let named = || match pattern.strip_suffix("/**") {
                    Some(_) if within => finds_in(last, searched) || fits(last, searched),
                    _ => fits(last, searched),
                };
                return (everything || named()).then_some(Relation::At);
            }
            Some(_) if part == "**" => return Some(Relation::At),
            Some(name) if fits(part, name) => within = true,
            Some(_) => return None,
        }
    }
    path.next().is_none().then_some(Relation::At)
}

/// Whether a name may be what a part of a pattern means. Letters' case makes no difference, as on many systems.
pub(super) fn fits(part: &str, name: &str) -> bool {
    if mark::any(name) {
        if !name.contains(mark::is_glob) {
            return false;
        }
        // Hidden names are only meant by patterns that begin with a dot.
        if part.starts_with('.') && !name.starts_with('.') {
            return false;
        }
        return match part.split_once('*') {
            None => pattern::matches(name, part),
            // Two patterns may mean one name where what they begin and end with agrees.
            Some((start, end)) => {
                let first = name.split(mark::is_mark).next().unwrap_or("");
                let last = name.rsplit(mark::is_mark).next().unwrap_or("");
                (first.starts_with(start) || start.starts_with(first))
                    && (last.ends_with(end) || end.ends_with(last))
            }
        };
    }
    match part.split_once('*') {
        None => part.eq_ignore_ascii_case(name),
        Some((start, end)) => {
            let (name, start, end) = (name.as_bytes(), start.as_bytes(), end.as_bytes());
            name.len() >= start.len() + end.len()
                && name[..start.len()].eq_ignore_ascii_case(start)
                && name[name.len() - end.len()..].eq_ignore_ascii_case(end)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stand_in_below_and_above_patterns() {
        const NEAR: Option<Relation> = Some(Relation::Above { near: true });
        const FAR: Option<Relation> = Some(Relation::Above { near: false });
        const AT: Option<Relation> = Some(Relation::At);
        let star = mark::STAR;
        let entry = mark::ENTRY;
        for (pattern, path, expected) in [
            (".github/hooks/**", ".github/hooks/a.json", AT),
            (".github/hooks/**", ".github/hooks/a/b", AT),
            (".github/hooks/**", ".github/hooks", NEAR),
            (".github/hooks/**", ".github", FAR),
            (".github/hooks/**", ".github/workflows/ci.yml", None),
            (".claude/settings*.json", ".claude/settings.local.json", AT),
            (".claude/settings*.json", ".Claude/Settings.JSON", AT),
            (".claude/settings*.json", ".claude", NEAR),
            (".claude/settings*.json", ".claude/settings.md", None),
            (".claude/settings*.json", &format!(".c{star}/{star}.json"), AT),
            (".claude/settings*.json", &format!(".claude/{star}"), AT),
            (".claude/settings*.json", &format!("{star}/{star}.json"), None),
            (".claude/settings*.json", &format!(".claude/{entry}/{star}.json"), AT),
            (".github/hooks/**", &format!(".github/{entry}/{star}.json"), AT),
            (".github/hooks/**", &format!(".github/{entry}/{star}.yml"), None),
            (".claude/settings*.json", &format!(".claude/{entry}"), AT),
            (".claude/settings*.json", &format!(".claude/{entry}/{star}.log"), None),
            (".github/hooks/**", &format!(".github/hooks/{entry}"), AT),
            (".mcp.json", ".mcp.json", AT),
            (".mcp.json", ".mcp.json/x", None),
            ("/etc/codex/**", "etc", FAR),
        ] {
            assert_eq!(relation(pattern, &names(path)), expected, "{pattern} {path:?}");
        }
    }
}
