//! The documents say what the programs do: consoles are played, commands run, examples read, tables written anew.
//!
//! With `UPDATE_README` set, what can be generated is written instead of compared.

mod blocks;
mod claims;
mod commands;
mod consoles;
mod english;
mod failing;
mod families;
mod help;
mod links;
mod pages;
mod reference;
mod session;
mod skips;
mod stranger;
mod workflows;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use support::programs::{self, root};

/// One writer at a time: several tests may renew one file.
static WRITER: Mutex<()> = Mutex::new(());

const RENEW: &str = "UPDATE_README=1 cargo test -p tests docs writes the new text";

/// Every document of the repository, by its path from the root.
fn documents() -> Vec<String> {
    fn add(folder: &Path, documents: &mut Vec<String>) {
        for entry in fs::read_dir(root().join(folder)).unwrap().flatten() {
            let name = entry.file_name().into_string().unwrap();
            let path = folder.join(&name);
            if entry.file_type().unwrap().is_dir() {
                if !matches!(name.as_str(), ".git" | "target" | "node_modules" | "payloads") {
                    add(&path, documents);
                }
            } else if path.extension().is_some_and(|extension| extension == "md") {
                documents.push(path.to_str().unwrap().to_owned());
            }
        }
    }
    let mut documents = Vec::new();
    add(Path::new(""), &mut documents);
    documents.sort();
    assert!(documents.iter().any(|path| path == "README.md"));
    documents
}

fn read(document: &str) -> String {
    fs::read_to_string(root().join(document)).unwrap_or_else(|error| panic!("{document}: {error}"))
}

/// Holds a file against what it should be, or writes it. No one else writes between reading and writing.
fn renew(document: &str, make: impl FnOnce(&str) -> String) {
    let _writer = WRITER.lock().unwrap_or_else(PoisonError::into_inner);
    let path = root().join(document);
    let now = fs::read_to_string(&path).unwrap_or_default();
    let expected = make(&now);
    if std::env::var_os("UPDATE_README").is_none() {
        assert_eq!(now, expected, "{document}: {RENEW}");
    } else if now != expected {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, expected).unwrap();
    }
}

/// The same for what stands between `<!-- NAME -->` and `<!-- end of NAME -->`.
pub(crate) fn renew_between(document: &str, name: &str, expected: &str) {
    renew(document, |text| {
        let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
        let (before, rest) = text.split_once(&open).unwrap_or_else(|| panic!("{document} has no {open}"));
        let (_, after) = rest.split_once(&close).unwrap_or_else(|| panic!("{document} has no {close}"));
        [before, &open, expected, &close, after].concat()
    });
}

/// The fenced blocks of a string in one language.
fn blocks<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    let open = format!("```{language}\n");
    let mut blocks = Vec::new();
    let mut rest = text;
    while let Some((_, behind)) = rest.split_once(&open) {
        let (block, after) = behind.split_once("```").unwrap();
        blocks.push(block);
        rest = after;
    }
    blocks
}

/// Every program that users get, by name.
fn programs() -> [(&'static str, &'static Path); 7] {
    [
        ("command-blocker", programs::command_blocker()),
        ("approval-gate", programs::approval_gate()),
        ("context-injector", programs::context_injector()),
        ("formatter-trigger", programs::formatter_trigger()),
        ("stop-guard", programs::stop_guard()),
        ("audit-logger", programs::audit_logger()),
        ("hook-runner", programs::hook_runner()),
    ]
}

/// The words that each help text is asked with.
pub(crate) fn help_texts() -> impl Iterator<Item = &'static str> {
    help::all().keys().map(String::as_str)
}

/// A `PATH` on which our programs come first.
fn path_with_ours() -> String {
    let mut folders: Vec<PathBuf> =
        programs().iter().map(|(_, path)| path.parent().unwrap().to_owned()).collect();
    folders.dedup();
    let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
    format!("{}:{}", folders.join(":"), std::env::var("PATH").unwrap())
}
