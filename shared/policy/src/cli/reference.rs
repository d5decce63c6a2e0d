//! The reference of the policy language: one page, from the table of the language.

use std::fmt::Write as _;

use crate::case;
use crate::language::{self, Key};

/// What stands around the tables.
const FRAME: &str = include_str!("reference.txt");

/// The page, as Markdown.
pub fn reference() -> String {
    let mut tables = String::new();
    for table in language::tables() {
        let _ = write!(tables, "\n### {}\n\n{}\n", heading(table.title), table.about);
        if !table.required.is_empty() {
            let names: Vec<String> = table.required.iter().map(|key| format!("`{key}`")).collect();
            let _ = write!(tables, "\nRequired: {}.\n", names.join(", "));
        }
        tables.push_str("\n| Key | Takes | Meaning | Example |\n|---|---|---|---|\n");
        for key in &table.keys {
            let example = key.example;
            let _ = writeln!(tables, "| `{}` | {} | {} | `{example}` |", key.name, takes(key), key.about);
        }
    }
    FRAME.replace("{{tables}}\n", tables.trim_start()).replace(
        "{{clients}}",
        &case::clients().iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
    )
}

/// Names of files have a slash less: `[[rule]]` would be read as a link.
fn heading(title: &str) -> String {
    if title.starts_with('[') { format!("`{title}`") } else { title.to_owned() }
}

/// What a key takes, in words.
fn takes(key: &Key) -> String {
    let words = || {
        let words: Vec<String> = language::words(key.of).iter().map(|word| format!("`{word}`")).collect();
        words.join(", ")
    };
    let link = || format!("[`{0}`](#{0})", key.of);
    match key.kind {
        "version" => "1".to_owned(),
        "id" | "text" => "text".to_owned(),
        "texts" => "text, or a list".to_owned(),
        "patterns" => "[patterns](#patterns)".to_owned(),
        "paths" => "[paths](#paths)".to_owned(),
        "options" => "options".to_owned(),
        "flag" => "`true`, `false`".to_owned(),
        "word" => words(),
        "words" => format!("one or several of {}", words()),
        "date" => "a date".to_owned(),
        "examples" => "a list".to_owned(),
        "regexes" => "regular expressions".to_owned(),
        "table" => format!("a table: {}", link()),
        "tables" => format!("tables: {}", link()),
        "matchers" => format!("a table or a list: {}", link()),
        "same" => "as the rule's kind".to_owned(),
        "map" if key.of == "text" => "words, each with another".to_owned(),
        "map" if language::words(key.of).is_empty() => "names, each with patterns".to_owned(),
        "map" => format!("ids, each with {}", words()),
        _ => {
            let words: Vec<String> =
                language::words("SCRIPTS").iter().map(|word| format!("`{word}`")).collect();
            format!("{}; or patterns, each with one of these", words.join(", "))
        }
    }
}
