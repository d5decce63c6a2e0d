//! The recipes as files: each says how far it was tried, and what belongs together fits together.

use std::collections::BTreeSet;
use std::fs;

use regex::Regex;
use serde_json::Value;
use support::programs::root;

use super::config;

/// The files, by their paths below the folder.
fn recipes() -> Vec<String> {
    let folder = root().join("configs/collectors");
    let mut found = Vec::new();
    for entry in fs::read_dir(&folder).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            let inner = fs::read_dir(entry.path()).unwrap().flatten();
            found.extend(inner.map(|inner| format!("{name}/{}", inner.file_name().into_string().unwrap())));
        } else {
            found.push(name);
        }
    }
    found.sort();
    found
}

#[test]
fn every_recipe_says_how_far_it_was_tried_and_the_page_names_it() {
    let recipes = recipes();
    let page = fs::read_to_string(root().join("docs/collectors.md")).unwrap();
    for name in &recipes {
        let text = config(name);
        let tried = text.contains("Tried with ");
        let documents = text.contains("Written from ")
            && (text.contains("not tried here") || text.contains("not loaded"));
        assert!(
            std::path::Path::new(&name).extension().is_some_and(|ending| ending == "sql")
                || tried
                || documents,
            "{name} does not say how far it was tried"
        );
        let folder = name.split('/').next().unwrap();
        assert!(
            page.contains(&format!("configs/collectors/{folder}")),
            "docs/collectors.md does not name {name}"
        );
    }
    for wanted in ["otel", "rsyslog", "syslog-ng", "vector", "fluent-bit", "splunk", "elastic", "sentinel"] {
        assert!(recipes.iter().any(|name| name.starts_with(wanted)), "there is no recipe for {wanted}");
    }
}

#[test]
fn what_is_json_or_toml_can_be_read() {
    for name in recipes() {
        match name.rsplit('.').next() {
            Some("json") => drop(serde_json::from_str::<Value>(&config(&name)).unwrap()),
            Some("toml") => drop(toml::from_str::<toml::Table>(&config(&name)).unwrap()),
            _ => {}
        }
    }
}

/// A row that a collector writes, and the INSERT, have the columns of the table.
#[test]
fn rows_have_the_columns_of_the_table() {
    let sql = config("clickhouse.sql");
    let (_, table) = sql.split_once("records\n(\n").unwrap();
    let column = Regex::new(r"(?m)^    (\w+) ").unwrap();
    let table: BTreeSet<&str> = column
        .captures_iter(table.split_once("\n)\n").unwrap().0)
        .map(|found| found.get(1).unwrap().as_str())
        .collect();
    let (_, insert) = sql.split_once("INSERT INTO records\nSELECT").unwrap();
    let name = Regex::new(r" AS (\w+)[,\n]").unwrap();
    let inserted: BTreeSet<&str> = name
        .captures_iter(insert.split_once("FROM\n").unwrap().0)
        .map(|found| found.get(1).unwrap().as_str())
        .collect();
    assert_eq!(inserted, table);
    let vector = config("vector.toml");
    let key = Regex::new(r#""(\w+)": "#).unwrap();
    let mut rows: BTreeSet<&str> =
        key.captures_iter(&vector).map(|found| found.get(1).unwrap().as_str()).collect();
    // By which only places of missing records are found: the engine fills them in from the hashes.
    rows.extend(["link", "link_before"]);
    assert_eq!(rows, table);
}

/// The board and the alerts ask for views that there are.
#[test]
fn boards_and_alerts_ask_for_views_that_there_are() {
    let sql = config("clickhouse.sql");
    let view = Regex::new(r"detect_\w+").unwrap();
    let mut asked = BTreeSet::new();
    for name in ["grafana.json", "alerts.yaml"] {
        for found in view.find_iter(&config(name)) {
            assert!(sql.contains(&format!("VIEW {} AS", found.as_str())), "{name}: {}", found.as_str());
            asked.insert(found.as_str().to_owned());
        }
    }
    assert_eq!(asked.len(), sql.matches("CREATE OR REPLACE VIEW detect_").count(), "{asked:?}");
}
