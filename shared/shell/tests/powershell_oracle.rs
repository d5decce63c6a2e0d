//! What a parser that others have written sees in PowerShell, and what we see.
//!
//! PowerShell's own parser needs .NET, which no registry of ours has; the grammar of `tree-sitter-pwsh` (MIT) stands in
//! for it. It only says where a command stands and how it is spelled, not what it means; so every command that it
//! finds must be one of ours, with the plain words after it, and nothing is said about what we find beyond that.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use shell::{Analysis, Language, Surroundings, analyze_as};
use tree_sitter::{Node, Parser};

/// A command as it is spelled.
#[derive(Debug)]
struct Spelled {
    name: String,
    /// Its plain words, without parameters and their values.
    words: Vec<String>,
}

fn analysis(text: &str) -> Analysis {
    let surroundings =
        Surroundings { cwd: Some("C:/Users/me/project"), home: Some("C:/Users/me"), disk: None };
    analyze_as(text, Language::PowerShell, surroundings)
}

/// The commands below a node that has no error in it.
fn commands(node: Node<'_>, text: &str, found: &mut Vec<Spelled>) {
    if node.kind() == "command" {
        let mut cursor = node.walk();
        let children: Vec<_> = node.children(&mut cursor).collect();
        let name = children.iter().find(|child| child.kind() == "command_name");
        if let Some(name) = name {
            let mut words = Vec::new();
            for elements in children.iter().filter(|child| child.kind() == "command_elements") {
                let mut cursor = elements.walk();
                words.extend(
                    elements
                        .children(&mut cursor)
                        .filter(|child| child.kind() == "generic_token")
                        .map(|child| text[child.byte_range()].to_owned()),
                );
            }
            found.push(Spelled { name: text[name.byte_range()].to_owned(), words });
        }
    }
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        commands(child, text, found);
    }
}

/// The cases for PowerShell in a file, as they are typed.
fn cases(file: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter_map(|line| line.split_once("\tPS> "));
    lines.map(|(_, command)| command.replace('␤', "\n")).collect()
}

/// Whether the text gives the name a meaning of its own.
fn is_defined(text: &str, name: &str) -> bool {
    let text = text.to_lowercase();
    let name = name.to_lowercase();
    ["function ", "filter ", "set-alias ", "sal ", "new-alias ", "nal ", "${function:", "alias:", "-name "]
        .iter()
        .any(|before| text.contains(&format!("{before}{name}")))
}

#[test]
fn every_command_that_another_parser_finds_is_one_of_ours() {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_pwsh::LANGUAGE.into()).unwrap();
    let mut compared = 0;
    let mut differences = Vec::new();
    for file in ["windows-powershell.tsv", "windows-powershell-harmless.tsv", "spelled-powershell.tsv"] {
        for text in cases(file) {
            let tree = parser.parse(&text, None).unwrap();
            // What it cannot read says nothing.
            if tree.root_node().has_error() {
                continue;
            }
            let mut theirs = Vec::new();
            commands(tree.root_node(), &text, &mut theirs);
            let ours = analysis(&text);
            for command in theirs.iter().filter(|command| !is_defined(&text, &command.name)) {
                compared += 1;
                // What the name stands for where nothing else is said.
                let alone = analysis(&command.name);
                let Some(program) = alone.atoms.first().map(|atom| atom.program().to_lowercase()) else {
                    continue;
                };
                let holds = |word: &String| {
                    let bare = word.replace('`', "");
                    // To PowerShell every dash begins a parameter, the grammar knows one of them.
                    bare.starts_with('–')
                        || bare.contains(['$', '*', '?', '[', '~', '%', '{', '(', '"', '\'', ','])
                        || ours.atoms.iter().flat_map(|atom| atom.args.iter()).any(|arg| {
                            arg.text == bare
                                || arg.text.replace('\\', "/") == bare.replace('\\', "/")
                                || arg.text.contains(&bare)
                        })
                };
                // `rm -rf` is meant for the program of that name, whatever the alias says.
                let known = ours
                    .atoms
                    .iter()
                    .map(|atom| atom.program().to_lowercase())
                    .any(|found| found == program || found == command.name.to_lowercase());
                if !known || !command.words.iter().all(holds) {
                    let seen: Vec<_> = ours.atoms.iter().map(shell::Atom::program).collect();
                    differences.push(format!("{text}\n    they: {command:?}\n    we: {seen:?}"));
                }
            }
        }
    }
    assert!(compared > 500, "only {compared} commands were compared");
    assert!(differences.is_empty(), "{} of {compared}:\n{}", differences.len(), differences.join("\n"));
}
