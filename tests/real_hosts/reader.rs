//! VS Code's own reader of hook files, on what is shipped: it takes every entry, as `hook-runner check` says it does.

use std::fs;
use std::path::Path;

use host::place::{Format, Scope};
use host::read::Source;
use host::{Action, Product, System};
use real_hosts::{Host, vscode};
use serde_json::{Value, json};
use support::programs::root;

/// The shipped files that VS Code reads, by the place where it looks for them.
fn shipped() -> Vec<(String, String)> {
    let of = |folder: &str, place: fn(&str) -> String| -> Vec<(String, String)> {
        let entries = fs::read_dir(root().join("configs").join(folder)).unwrap();
        let files = entries.map(|entry| entry.unwrap().path());
        let files = files.filter(|file| file.extension().is_some_and(|extension| extension == "json"));
        files.map(|file| (place(&name(&file)), fs::read_to_string(&file).unwrap())).collect()
    };
    let hooks = |name: &str| format!(".github/hooks/{name}");
    [of("", hooks), of("at-stop", hooks), of("claude-code", |_| ".claude/settings.json".to_owned())].concat()
}

fn name(file: &Path) -> String {
    file.file_name().unwrap().to_string_lossy().into_owned()
}

/// What we say that VS Code makes of a file.
fn ours((place, text): &(String, String)) -> Vec<Value> {
    let format = if place.starts_with(".claude") { Format::Settings } else { Format::Hooks };
    let source = Source { file: place.into(), scope: Scope::Project, format, text };
    let [linux, mac, windows] = [System::Linux, System::Mac, System::Windows]
        .map(|system| host::read(Product::VS_CODE, &source, system).hooks);
    let command = |action: &Action| match action {
        Action::Shell(command) | Action::NamedShell(_, command) => command.clone(),
        other => panic!("{place}: {other:?}"),
    };
    let rows = linux.iter().zip(&mac).zip(&windows).map(|((linux, mac), windows)| {
        let commands = [linux, mac, windows].map(|hook| command(&hook.action));
        json!([linux.kind.as_str(), commands[0], commands[1], commands[2], linux.limit.as_secs()])
    });
    let mut rows: Vec<Value> = rows.collect();
    rows.sort_by_key(Value::to_string);
    rows
}

#[test]
fn vs_codes_own_reader_takes_every_entry_of_the_shipped_files() {
    let files = shipped();
    if !super::is_there(Host::VsCode) {
        return;
    }
    let read = vscode::read_hooks(&files).unwrap();
    let mut entries = 0;
    for (file, mut theirs) in files.iter().zip(read.unwrap()) {
        theirs.sort_by_key(Value::to_string);
        assert_eq!(theirs, ours(file), "{}: {}", file.0, file.1);
        entries += theirs.len();
    }
    assert!(entries > 30, "{entries} entries in {} files", files.len());
}
