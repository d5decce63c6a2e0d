//! What a search may come across: `find . -path '*hooks*'`.

use shell::pattern;

/// Words without which a search is about something else: `*.json` and `config*` are everybody's.
const TELLING: &str = "hook settings claude github copilot gemini codex cursor vscode mcp";

/// Whether what is searched for names something of ours, as far as it names anything.
pub(super) fn is_telling(search: &[u8]) -> bool {
    let found =
        |word: &str| search.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()));
    TELLING.split(' ').any(found)
}

/// Whether a search below a folder comes across a file that is protected (`Some(true)`), only across a folder around
/// it (`Some(false)`), or across neither. `line` is the rest of a line of the table, seen from that folder.
///
/// `-path` compares the whole path, and there `*` stands for slashes, too; `-name` compares one name.
pub(super) fn meets(line: &[&str], search: &[&str]) -> Option<bool> {
    let search = search.join("/").to_ascii_lowercase();
    let mut path = String::from("./");
    let mut met = None;
    for (at, part) in line.iter().enumerate() {
        // A file of any name: one that no search by an ending finds.
        let name = if *part == "**" { "x".to_owned() } else { part.replace('*', "").to_ascii_lowercase() };
        path.push_str(&name);
        let fits = pattern::matches(&search, &path)
            || pattern::matches(&search, &path[2..])
            || *part != "**" && pattern::matches(&search, &name);
        if fits {
            met = Some(at + 1 == line.len());
        }
        path.push('/');
    }
    met
}

#[cfg(test)]
mod tests {
    use shell::mark;

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
        for (search, expected) in
            [("*hooks*", true), (".Claude", true), ("*.json", false), ("*.pyc", false), ("config*", false)]
        {
            assert_eq!(is_telling(search.as_bytes()), expected, "{search}");
        }
    }
}
