//! What programs take away besides what they are there for: archives that delete what they have packed, copies that
//! delete what the source lacks.

use shell_engine::{Arg, mark};

/// The paths that are gone afterwards.
pub(super) fn by(name: &str, args: &[Arg]) -> Option<Vec<Arg>> {
    let texts = || args.iter().map(|arg| arg.text.as_str());
    match name {
        "tar" | "gtar" | "bsdtar" => texts().any(|text| text == "--remove-files").then(|| packed(args)),
        "zip" => {
            let moves = |text: &str| {
                text == "--move"
                    || text.starts_with('-')
                        && !text.starts_with("--")
                        && text.len() < 6
                        && text.contains('m')
            };
            let files = || operands("zip", args).into_iter().skip(1).collect();
            texts().any(moves).then(files)
        }
        "7z" | "7za" | "7zz" => {
            texts().any(|text| text == "-sdel").then(|| operands("7z", args).into_iter().skip(2).collect())
        }
        "rsync" => mirrored(args),
        "sed" | "gsed" => cut(args),
        // One file is emptied to be written anew; a pattern empties whatever it finds.
        "truncate" | "gtruncate" => {
            let to_nothing = super::option(args, "-s", "--size") == Some("0");
            let found = operands("truncate", args).into_iter().filter(|arg| mark::any(&arg.text));
            to_nothing.then(|| found.collect())
        }
        _ => None,
    }
}

/// What tar has packed: its operands, in the folder that `-C` names.
fn packed(args: &[Arg]) -> Vec<Arg> {
    let folder =
        super::bundled("tar", args, 'C', "--directory").first().map(|folder| folder.trim_end_matches('/'));
    // The old form brings the archive's name as an operand: `tar czf x.tgz src`.
    let old = args.first().is_some_and(|arg| !arg.text.starts_with('-'));
    operands("tar", args)
        .into_iter()
        .skip(if old { 2 } else { 0 })
        .map(|arg| match folder {
            Some(folder) if !arg.text.starts_with('/') => Arg::from(format!("{folder}/{}", arg.text)),
            _ => arg,
        })
        .collect()
}

/// What rsync deletes: everything in the target, if the source is empty, or what it has sent on.
fn mirrored(args: &[Arg]) -> Option<Vec<Arg>> {
    let has = |beginning: &str| args.iter().any(|arg| arg.text.starts_with(beginning));
    let tries =
        |arg: &Arg| arg.text.starts_with('-') && !arg.text.starts_with("--") && arg.text.contains('n');
    if has("--dry-run") || has("--list-only") || args.iter().any(tries) {
        return None;
    }
    let mut paths = operands("rsync", args);
    let to = paths.pop()?;
    let local = |arg: &Arg| !arg.text.contains(':');
    if has("--del") && local(&to) && paths.iter().all(|from| is_empty(&from.text)) && !paths.is_empty() {
        return Some(vec![to]);
    }
    // Single files go one by one; the folders stay, and are empty.
    has("--remove-source-files").then(|| paths.into_iter().filter(local).collect())
}

/// Whether a folder's name says that nothing is in it: one that was made a moment ago, or is called so.
fn is_empty(folder: &str) -> bool {
    let name = shell_engine::path::file_name(folder.trim_end_matches('/'));
    name.starts_with("empty") || name.ends_with("empty") || folder.contains(mark::TOKEN)
}

/// Files from which sed takes every line: `sed -i 1,\$d FILE`.
fn cut(args: &[Arg]) -> Option<Vec<Arg>> {
    args.iter().find(|arg| arg.text.starts_with("-i") || arg.text.starts_with("--in-place"))?;
    let mut words = args.iter().filter(|arg| !arg.text.starts_with('-'));
    let script = words.next()?.text.replace(' ', "");
    let takes_all =
        |command: &str| matches!(command, "d" | "1,$d" | "0,$d" | "/.*/d" | "/^/d" | "/$/d" | "Q" | "1Q");
    script.split([';', '\n']).any(takes_all).then(|| words.cloned().collect())
}

/// Arguments that are neither options nor their values.
fn operands(program: &str, args: &[Arg]) -> Vec<Arg> {
    let valued = catalog::find(program).map_or("", |row| row.anywhere);
    let mut found = Vec::new();
    let mut words = args.iter();
    while let Some(arg) = words.next() {
        let text = arg.text.as_str();
        if let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) {
            let known = valued.split_ascii_whitespace().any(|option| option == text);
            let last = letters.find(|letter| catalog::has_letter(valued, letter));
            if known || !letters.starts_with('-') && last.is_some_and(|at| at + 1 == letters.len()) {
                words.next();
            }
        } else {
            found.push(arg.clone());
        }
    }
    found
}
