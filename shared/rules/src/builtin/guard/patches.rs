//! The files that a patch changes, where it can be read.

use std::borrow::Cow;

use payload::Edit;
use shell::{Atom, Flow, mark};

use super::super::has;
use super::book::values_of;
use super::touch::{Touch, texts};
use crate::command::Command;
use crate::facts::Content;

/// Whether a command applies patches: it need not name the files that they change.
pub(super) fn applies(command: &Command<'_>) -> bool {
    match &*command.name {
        "patch" | "gpatch" | "git-apply" | "git-am" => true,
        // Anywhere among the words: options of git in front of the sub-command have values.
        "git" => command.args().iter().any(|arg| matches!(arg.text.as_str(), "apply" | "am")),
        _ => is_tool(command),
    }
}

/// Whether a command is the edit tool of Codex as a program: it takes its patch from an argument or from stdin.
fn is_tool(command: &Command<'_>) -> bool {
    matches!(&*command.name, "apply_patch" | "applypatch")
        || command.name == "codex" && command.sub(&["apply_patch"])
}

/// The edits of such a command.
pub(crate) fn edits<'c>(command: &'c Command<'_>) -> Vec<Edit<'c>> {
    if !is_tool(command) {
        return Vec::new();
    }
    let texts = command.args().iter().map(|arg| arg.text.as_str()).chain(command.atom.stdin.as_deref());
    texts.filter(|text| text.contains("*** ")).flat_map(payload::patched).collect()
}

/// The files of the patches that can be read here: a string that it is given, one that this command has written before,
/// or a file on the disk. Of those that git or diff write where it runs, what they were asked about.
pub(crate) fn each(command: &Command<'_>, add: &mut dyn FnMut(&str, Touch)) {
    // A patch of which a part is not known may change more files than it shows.
    let known = command.atom.stdin.as_deref().filter(|text| !mark::any(text));
    let on_disk =
        if known.is_none() { sources(command).iter().find_map(|path| read(command, path)) } else { None };
    if is_tool(command) {
        for edit in on_disk.as_deref().map(payload::patched).unwrap_or_default() {
            add(&edit.path, Touch::Write);
        }
        return;
    }
    if command.has(&[
        "--check",
        "--stat",
        "--numstat",
        "--summary",
        "--dry-run",
        "--cached",
        "--abort",
        "--quit",
    ]) {
        return;
    }
    let folder = |option: &str| command.value(&[option]);
    let base = if command.name == "git" { folder("-C").unwrap_or(".") } else { "." };
    let below =
        if command.name == "git" { folder("--directory") } else { folder("-d").or(folder("--directory")) };
    let folder = below.map_or_else(|| base.to_owned(), |below| format!("{base}/{below}"));
    if let Some(text) = known.or(on_disk.as_deref()) {
        for file in text.lines().filter_map(changed).flatten() {
            add(&format!("{folder}/{file}"), Touch::Write);
        }
        return;
    }
    // The patch is not known: it may change any file below the folder.
    add(&folder, Touch::Pour);
    for pattern in values_of(command, "--include") {
        add(pattern.trim_end_matches('*'), Touch::Pour);
    }
    for text in command.atom.stdin.as_deref().into_iter().flat_map(str::lines).filter_map(changed).flatten() {
        add(&format!("{folder}/{text}"), Touch::Write);
    }
    for (maker, path) in makers(command) {
        let path = command.facts.target(path, maker).path;
        // `.` is the everyday case.
        if path != *maker.cwd {
            add(&path, Touch::Write);
            add(&path, Touch::Pour);
        }
    }
}

/// Programs before this one whose patch it gets, with each path that they were asked about.
fn makers<'c>(command: &'c Command<'_>) -> impl Iterator<Item = (&'c Atom, &'c str)> {
    let named = named(command);
    let before = command.earlier().iter();
    let feeders: Vec<&Atom> = command.feeders().collect();
    let feeds = move |atom: &&Atom| {
        let writes = |file: &str| {
            file.starts_with("/dev/fd/")
                || atom.redirects.iter().any(|redirect| {
                    redirect.flow != Flow::Read
                        && command.facts.target(&redirect.target, atom).path == command.target(file).path
                })
        };
        // `git diff A B -- path | git apply`: the paths say what the patch is about.
        feeders.iter().any(|feeder| std::ptr::eq(*feeder, *atom)) || named.iter().any(|file| writes(file))
    };
    before.filter(feeds).filter(|atom| makes_patches(atom)).flat_map(|atom| {
        let paths = atom.args.iter().skip(1).map(|arg| arg.text.as_str());
        paths.filter(|text| !text.starts_with('-')).map(move |text| (atom, text))
    })
}

/// Whether a program prints a patch.
fn makes_patches(atom: &Atom) -> bool {
    const SUBS: &str =
        "diff show log format-patch stash diff-tree diff-index diff-files whatchanged range-diff";
    match &*atom.program() {
        "git" => atom.args.iter().any(|arg| has(SUBS, &arg.text)),
        "diff" | "gdiff" | "colordiff" | "interdiff" | "filterdiff" | "combinediff" | "hg" | "svn" | "jj" => {
            true
        }
        _ => false,
    }
}

/// The patches that are named.
fn named<'c>(command: &Command<'c>) -> Vec<&'c str> {
    let read = command.atom.redirects.iter().filter(|redirect| redirect.flow == Flow::Read);
    let mut named: Vec<&str> = read.map(|redirect| redirect.target.as_str()).collect();
    let operands = texts(command);
    if command.name == "git" {
        named.extend(operands.iter().skip(1));
    } else {
        // `patch [ORIGINAL [PATCH]]`
        named.extend(operands.get(1));
        named.extend(command.value(&["-i", "--input"]));
    }
    named
}

/// The paths of the files whose text reaches a command: those that it names, and those that a program before it prints
/// into its pipe or its arguments.
fn sources(command: &Command<'_>) -> Vec<String> {
    let mut paths: Vec<String> = named(command).into_iter().map(|file| command.target(file).path).collect();
    let fills = command.args().iter().any(shell::Arg::has_hole);
    let before = command.earlier().iter();
    let printers = before.filter(|atom| fills || command.feeders().any(|feeder| std::ptr::eq(feeder, *atom)));
    for atom in printers.filter(|atom| has(PRINTERS, &atom.program()) || atom.args.is_empty()) {
        let operands =
            atom.args.iter().skip(1).map(|arg| arg.text.as_str()).filter(|text| !text.starts_with('-'));
        let read = atom.redirects.iter().filter(|redirect| redirect.flow == Flow::Read);
        let files = operands.chain(read.map(|redirect| redirect.target.as_str()));
        paths.extend(files.map(|file| command.facts.target(file, atom).path));
    }
    paths
}

/// Programs that print files as they are, or parts of them.
const PRINTERS: &str = "cat bat head tail sed tac nl tee gcat ghead gtail";

/// The text of a file, if it is known which one is meant and it can be read.
fn read(command: &Command<'_>, path: &str) -> Option<String> {
    match command.facts.text_of(path) {
        Content::Text(text) if !mark::any(path) => Some(text),
        _ => None,
    }
}

/// The files that a line of a patch names.
fn changed(line: &str) -> Option<Vec<Cow<'_, str>>> {
    const HEADS: [&str; 5] = ["+++ ", "--- ", "rename to ", "rename from ", "copy to "];
    // Files without lines, such as links and those that only change their mode.
    if let Some(both) = line.strip_prefix("diff --git ") {
        let mut files = Vec::new();
        match both.split_once(" b/").or_else(|| both.split_once(" \"b/")) {
            Some((old, new)) => {
                files.push(bare(old));
                files.push(bare(if both.ends_with('"') { &both[both.len() - new.len() - 3..] } else { new }));
            }
            // Names without the usual letters, as with `--no-prefix`.
            None => files.extend(both.split(' ').map(bare)),
        }
        return Some(files);
    }
    let file = HEADS.iter().find_map(|head| line.strip_prefix(head))?;
    let file = bare(file.split('\t').next().unwrap_or(file).trim());
    // The other side of a file that is new or deleted.
    (file != "/dev/null").then(|| vec![file])
}

/// The name of a file without the letter in front, and without git's quotes.
fn bare(file: &str) -> Cow<'_, str> {
    let file = match file.strip_prefix('"') {
        Some(quoted) => Cow::Owned(unquoted(quoted.strip_suffix('"').unwrap_or(quoted))),
        None => Cow::Borrowed(file),
    };
    if file.starts_with("a/") || file.starts_with("b/") { Cow::Owned(file[2..].to_owned()) } else { file }
}

/// A name as git quotes it, with `\"` and `\150`.
fn unquoted(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let digits = rest.iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
        if digits > 0 {
            let value = rest[..digits].iter().fold(0u32, |value, digit| value * 8 + u32::from(digit - b'0'));
            bytes.push(u8::try_from(value).unwrap_or(b'?'));
            rest = &rest[digits..];
        } else if let Some((&byte, after)) = rest.split_first() {
            bytes.push(byte);
            rest = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_that_names_a_file_is_read() {
        for (line, files) in [
            ("+++ b/.github/hooks/a.json", vec![".github/hooks/a.json"]),
            ("--- a/x\t2026-11-22", vec!["x"]),
            ("+++ /dev/null", vec![]),
            ("+++ \"b/.github/hoo\\153s/a\\\"b\"", vec![".github/hooks/a\"b"]),
            ("rename to .claude/settings.json", vec![".claude/settings.json"]),
            ("diff --git a/x b/.claude/hooks/y", vec!["x", ".claude/hooks/y"]),
            ("diff --git x .mcp.json", vec!["x", ".mcp.json"]),
            ("diff --git \"a/x\" \"b/.claude/\\150ooks/y\"", vec!["x", ".claude/hooks/y"]),
            ("+ b/.mcp.json", vec![]),
        ] {
            let found = changed(line).unwrap_or_default();
            assert_eq!(found, files, "{line}");
        }
    }
}
