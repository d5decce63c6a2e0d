//! The files that a patch changes, where it can be read.

use std::borrow::Cow;

use shell::{Flow, mark};

use super::touch::{Touch, texts};
use crate::command::Command;
use crate::facts::Content;

/// Options of `patch`, `git apply` and `git am` that take the next argument.
const VALUED: &str = "-p --strip -d --directory -D --ifdef -B --prefix -F --fuzz -g --get -o --output -r --reject-file \
    -V --version-control -Y --basename-prefix -z --suffix -C -c --git-dir --work-tree --exclude --include --whitespace \
    --patch-format";

/// Whether a command applies patches: it need not name the files that they change.
pub(super) fn applies(command: &Command<'_>) -> bool {
    match &*command.name {
        "patch" | "gpatch" => true,
        "git" => command.args().iter().any(|arg| matches!(arg.text.as_str(), "apply" | "am")),
        _ => false,
    }
}

/// The files of the patches that can be read here: a text that it is given, one that this command has written before,
/// or a file on the disk. What cannot be read says nothing.
pub(super) fn each(command: &Command<'_>, add: &mut dyn FnMut(&str, Touch)) {
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
    let folder = command.value(&["-d", "--directory", "-C"]).unwrap_or(".");
    let mut texts = Vec::new();
    if let Some(text) = command.atom.stdin.as_deref() {
        texts.push(Cow::Borrowed(text));
    }
    texts.extend(named(command).into_iter().filter_map(|file| read(command, file)));
    for text in texts {
        for file in text.lines().filter_map(changed).flatten() {
            add(&format!("{folder}/{file}"), Touch::Write);
        }
    }
}

/// The patches that are named.
fn named<'c>(command: &Command<'c>) -> Vec<&'c str> {
    let read = command.atom.redirects.iter().filter(|redirect| redirect.flow == Flow::Read);
    let mut named: Vec<&str> = read.map(|redirect| redirect.target.as_str()).collect();
    let operands = texts(command, VALUED);
    if command.name == "git" {
        named.extend(operands.iter().skip(1));
    } else {
        // `patch [ORIGINAL [PATCH]]`
        named.extend(operands.get(1));
        named.extend(command.value(&["-i", "--input"]));
    }
    named
}

/// What stands in a patch.
fn read<'c>(command: &'c Command<'_>, file: &str) -> Option<Cow<'c, str>> {
    let path = command.target(file).path;
    let before = command.analysis.atoms.iter().take_while(|atom| !std::ptr::eq(*atom, command.atom));
    let written = before.filter(|atom| {
        atom.redirects.iter().any(|redirect| {
            redirect.flow != Flow::Read && command.facts.target(&redirect.target, atom).path == path
        })
    });
    // `cat > x.patch <<E`
    if let Some(text) = written.filter_map(|atom| atom.stdin.as_deref()).last() {
        return Some(Cow::Borrowed(text));
    }
    match command.facts.text_of(&path) {
        Content::Text(text) if !mark::any(&path) => Some(Cow::Owned(text)),
        _ => None,
    }
}

/// The files that a line of a patch names.
fn changed(line: &str) -> Option<Vec<Cow<'_, str>>> {
    const HEADS: [&str; 9] = [
        "+++ ",
        "--- ",
        "rename to ",
        "rename from ",
        "copy to ",
        "*** Update File: ",
        "*** Add File: ",
        "*** Delete File: ",
        "*** Move to: ",
    ];
    // Files without lines, such as links and those that only change their mode.
    if let Some(both) = line.strip_prefix("diff --git ") {
        let mut files = Vec::new();
        match both.split_once(" b/").or_else(|| both.split_once(" \"b/")) {
            Some((old, new)) => {
                files.push(bare(old));
                files.push(bare(if both.ends_with('"') { &both[both.len() - new.len() - 3..] } else { new }));
            }
            None => files.extend(both.split(' ').map(bare)),
        }
        return Some(files);
    }
    let file = HEADS.iter().find_map(|head| line.strip_prefix(head))?;
    let file = bare(file.split('\t').next().unwrap_or(file).trim());
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
            ("*** Delete File: .mcp.json", vec![".mcp.json"]),
            ("+ b/.mcp.json", vec![]),
        ] {
            let found = changed(line).unwrap_or_default();
            assert_eq!(found, files, "{line}");
        }
    }
}
