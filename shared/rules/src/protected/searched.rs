//! What a search may come across: `find . -path '*hooks*'`.

use shell::{mark, path, pattern};

use super::table::TELLING;

/// Names of files in folders whose files have any name: those that we ship, and others that are usual.
const USUAL: &str = "10-command-blocker.json 20-approval-gate.json 30-context-injector.json \
    40-formatter-trigger.json 50-stop-guard.json 90-audit-logger.json policy-hooks.json policy.toml stop.toml \
    context.toml hook.sh hook.py hook.js";
/// The same for folders that hold descriptions of agents.
const DESCRIBED: &str = "a.agent.md SKILL.md a.md";

/// Whether what is searched for names something of ours, as far as it names anything.
pub(super) fn is_telling(search: &[u8]) -> bool {
    let found =
        |word: &str| search.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()));
    TELLING.split_ascii_whitespace().any(found)
        || std::str::from_utf8(search).is_ok_and(|search| {
            let name = path::file_name(search).to_ascii_lowercase();
            !is_general(&name) && may_be_any(&name, USUAL)
        })
}

/// Whether a search by name is about whatever has an ending, or about everything.
fn is_general(name: &str) -> bool {
    let rest = name.trim_start_matches([mark::STAR, mark::ENTRY]);
    rest.is_empty() || rest.len() < name.len() && rest.starts_with('.') && !mark::any(rest)
}

fn may_be_any(name: &str, names: &str) -> bool {
    names.split(' ').any(|known| pattern::matches(name, &known.to_ascii_lowercase()))
}

/// Whether a search by name may find a file in a folder of the table whose files have any name.
pub(super) fn finds_in(folder: &str, name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    may_be_any(&name, if matches!(folder, "agents" | "skills" | "commands") { DESCRIBED } else { USUAL })
}

/// Whether a search below a folder comes across a file that is protected (`Some(true)`), only across a folder around
/// it (`Some(false)`), or across neither. `line` is the rest of a line of the table, seen from that folder.
///
/// `-path` compares the whole path, and there `*` stands for slashes, too; `-name` compares one name.
pub(super) fn meets(line: &[&str], search: &[&str]) -> Option<bool> {
    // `-iname` and the file systems of macOS and Windows do not tell case apart.
    let search = search.join("/").to_ascii_lowercase();
    let mut path = String::from("./");
    let mut met = None;
    for (at, part) in line.iter().enumerate() {
        let inside = *part == "**";
        // A `*` in the table stands for nothing here: one name that fits the line is enough.
        let name = part.replace('*', "").to_ascii_lowercase();
        // A file of any name: a search for an ending is about something else, unless it says where.
        let names = if !inside {
            name.as_str()
        } else if is_general(&search) {
            "x"
        } else {
            USUAL
        };
        let fits = names.split(' ').any(|name| {
            let file = format!("{path}{name}");
            pattern::matches(&search, &file)
                // With and without `./`, as `find .` and `find` of other folders print it.
                || pattern::matches(&search, &file[2..])
                || pattern::matches(&search, name) && name != "x"
        });
        if fits {
            met = Some(at + 1 == line.len());
        }
        path.push_str(&name);
        path.push('/');
    }
    met
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_meets_what_its_pattern_fits() {
        for (line, search, expected) in [
            (".github/hooks/**", "*hooks*", Some(true)),
            (".github/hooks/**", "*/hooks/*", Some(true)),
            (".github/hooks/**", "hooks", Some(false)),
            (".github/hooks/**", "*HOOK*", Some(true)),
            (".github/hooks/**", ".git*", Some(true)),
            (".github/hooks/**", ".github", Some(false)),
            (".github/hooks/**", "*.hooks.ts", None),
            (".github/hooks/**", "*.yml", None),
            (".github/hooks/**", "*/hooks/*.ts", None),
            (".github/hooks/**", "*/hooks/*.json", Some(true)),
            (".github/hooks/**", "10-*", Some(true)),
            (".github/hooks/**", "*.json", None),
            (".github/hooks/**", "*gate*.json", Some(true)),
            (".github/hooks/**", "tsconfig*.json", None),
            (".claude/settings*.json", "settings.json", Some(true)),
            (".claude/settings*.json", "*claude*", Some(true)),
            (".claude/settings*.json", "settings*.py", None),
            (".mcp.json", "*.mcp.json", Some(true)),
        ] {
            let active: String = search.chars().map(|c| if c == '*' { mark::STAR } else { c }).collect();
            let line: Vec<&str> = line.split('/').collect();
            let search: Vec<&str> = active.split('/').collect();
            assert_eq!(meets(&line, &search), expected, "{line:?} {search:?}");
        }
    }

    #[test]
    fn a_search_without_a_telling_word_is_about_something_else() {
        for (search, expected) in [
            ("*hooks*", true),
            (".Claude", true),
            ("*.json", false),
            ("*.pyc", false),
            ("config*", false),
            ("10-*.json", true),
            ("test_*.json", false),
            ("*", false),
        ] {
            let active: String = search.chars().map(|c| if c == '*' { mark::STAR } else { c }).collect();
            assert_eq!(is_telling(active.as_bytes()), expected, "{search}");
        }
    }
}
