//! The keys of policy files in one table, from which errors, the JSON Schema and the reference page are made.
//!
//! The table is one text, read when someone needs it: a hook that decides never does.

use crate::read::{self, matchers, rule};

/// The rows; see [`tables`].
const TEXT: &str = include_str!("language.txt");

/// A table of the language, with its keys.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) id: &'static str,
    /// How people call it.
    pub(crate) title: &'static str,
    pub(crate) about: &'static str,
    pub(crate) required: Vec<&'static str>,
    pub(crate) keys: Vec<Key>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    /// What kind of value it takes, and for some of them of what.
    pub(crate) kind: &'static str,
    pub(crate) of: &'static str,
    pub(crate) about: &'static str,
    /// A line of a file, as it is written.
    pub(crate) example: &'static str,
}

/// Every table, in the order of the page.
pub(crate) fn tables() -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    for line in TEXT.lines().filter(|line| !line.is_empty()) {
        if let Some(head) = line.strip_prefix("== ") {
            let mut parts = head.split(" | ");
            let mut next = || parts.next().unwrap_or_default();
            let (id, title, about) = (next(), next(), next());
            let required = next().split(", ").filter(|key| !key.is_empty()).collect();
            tables.push(Table { id, title, about, required, keys: Vec::new() });
        } else if let Some(table) = tables.last_mut() {
            let mut parts = line.splitn(4, " | ");
            let mut next = || parts.next().unwrap_or_default();
            let (name, value, about, example) = (next(), next(), next(), next());
            let (kind, of) = value.split_once(' ').unwrap_or((value, ""));
            table.keys.push(Key { name, kind, of, about, example });
        }
    }
    tables
}

/// The names of a table's keys.
pub(crate) fn keys(table: &str) -> Vec<&'static str> {
    let mut tables = tables().into_iter();
    let found = tables.find(|known| known.id == table);
    found.map_or_else(Vec::new, |table| table.keys.iter().map(|key| key.name).collect())
}

/// How people call a table.
pub(crate) fn title(table: &str) -> &'static str {
    let mut tables = tables().into_iter();
    tables.find(|known| known.id == table).map_or("the file", |table| table.title)
}

/// The words of a key, by the name of their list.
pub(crate) fn words(list: &str) -> &'static [&'static str] {
    match list {
        "UNMATCHED" => read::UNMATCHED,
        "NO_PROMPT" => read::NO_PROMPT,
        "PROFILES" => read::PROFILES,
        "BUILTIN_RULES" => read::BUILTIN_RULES,
        "SCRIPTS" => read::SCRIPTS,
        "DECISIONS" => rule::DECISIONS,
        "LAYERS" => rule::LAYERS,
        "TOOLS" => rule::TOOLS,
        "OTHERWISE" => rule::OTHERWISE,
        "HOSTS" => matchers::HOSTS,
        "ACCESS" => matchers::ACCESS,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Problem;

    /// A file with a table that holds this line.
    fn file(table: &str, line: &str) -> String {
        let rule = "[[rule]]\nid = \"x\"\ndecision = \"note\"\nreason = \"r\"\nmatch = [\"a\"]\nnot_match = [\"b\"]\n";
        let exception = "[[exception]]\nrule = \"x\"\nreason = \"r\"\nexpires = 2026-12-01\n";
        match table {
            "file" => format!("schema = 1\n{line}\n"),
            "defaults" | "system" | "builtin" | "environment" => format!("schema = 1\n[{table}]\n{line}\n"),
            "rule" => format!("schema = 1\n{rule}{line}\n"),
            "exception" => format!("schema = 1\n{exception}{line}\n"),
            "when" | "may" | "rewrite" => {
                format!("schema = 1\n{rule}run = {{ program = \"x\" }}\n{table} = {{ {line} }}\n")
            }
            "example" => format!("schema = 1\n{rule}run = {{ program = \"x\" }}\n")
                .replace("[\"b\"]", &format!("[{{ {line} }}]")),
            kind => format!("schema = 1\n{rule}{kind} = {{ {line} }}\n"),
        }
    }

    /// What people read about a file, mistakes in its examples included.
    fn found(text: &str) -> Vec<crate::PolicyError> {
        let source = crate::layers::Source::of(crate::Layer::User, "x.toml", text);
        let report = crate::cli::check(&source, &[], 20_780, -1);
        report.errors.into_iter().chain(report.warnings).collect()
    }

    fn problems(text: &str) -> Vec<String> {
        found(text).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_example_is_read_and_every_key_is_known_to_the_reader() {
        let mut seen = 0;
        for table in tables() {
            assert!(!table.about.is_empty() && table.required.iter().all(|key| keys(table.id).contains(key)));
            for key in &table.keys {
                seen += 1;
                let unknown = format!("unknown key `{}`", key.name);
                let text = file(table.id, &key.example.replace("\\|", "|"));
                let found = problems(&text);
                assert!(
                    !found.iter().any(|said| said.contains(&unknown)),
                    "{}.{}: {found:?}",
                    table.id,
                    key.name
                );
                // The value as well: what else is wrong comes of what the example leaves out or says twice.
                let value = format!("`{}` is ", key.name);
                let word = format!("`{}` cannot be", key.name);
                assert!(
                    !found.iter().any(|said| said.contains(&value) || said.contains(&word)),
                    "{text}{found:?}"
                );
                assert!(key.about.ends_with(['.', ':']), "{}.{}", table.id, key.name);
                if matches!(key.kind, "word" | "words") {
                    assert!(!words(key.of).is_empty(), "{}.{}", table.id, key.name);
                }
            }
        }
        assert!(seen >= 80, "{seen}");
    }

    /// A key that is not in the table is not read, and one that is nearly right gets a suggestion from it.
    #[test]
    fn a_key_that_is_misspelled_is_unknown_and_the_table_says_what_was_meant() {
        for table in tables() {
            for key in table.keys.iter().filter(|key| key.name.len() > 3 && !matches!(table.id, "file")) {
                let name = format!("{}x", key.name);
                let text = file(table.id, &format!("{name} = 1"));
                let errors = found(&text);
                let told = errors.iter().find_map(|error| match &error.problem {
                    Problem::UnknownKey { key, table: of, nearest } if *key == name => Some((*of, *nearest)),
                    _ => None,
                });
                assert_eq!(told, Some((table.id, Some(key.name))), "{text}{errors:?}");
            }
        }
    }
}
