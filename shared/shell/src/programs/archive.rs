//! Archives that a command packs and unpacks itself: what was packed lies where it is unpacked.

use std::rc::Rc;

use shell_engine::{Arg, Runner, Scope, mark};

/// Folders that are remembered.
const MAX_UNPACKED: usize = 16;

/// An archive that goes through a pipe: no file has this name.
const PIPED: &str = "/-/archive";

/// `tar cf x.tar FILES`, `tar xf x.tar -C FOLDER`, and both through a pipe.
pub(super) fn tar(runner: &mut Runner, scope: &Scope, args: &[Arg], input: Option<&str>) {
    let (mut packs, mut unpacks) = (false, false);
    let (mut archive, mut folder) = (None, ".");
    // Each with the folder in which it lies.
    let mut members: Vec<(&str, &str)> = Vec::new();
    let mut words = args.iter().map(|arg| arg.text.as_str()).enumerate();
    while let Some((at, word)) = words.next() {
        let mut value = || words.next().map(|(_, word)| word);
        match word {
            "-C" | "--directory" => folder = value().unwrap_or("."),
            "--file" => archive = value(),
            "-T" | "-X" | "-I" | "-g" | "--exclude" | "--transform" | "--strip-components" => drop(value()),
            word if word.starts_with("--file=") => archive = word.strip_prefix("--file="),
            word if word.starts_with("--directory=") => folder = &word["--directory=".len()..],
            word if word.starts_with("--") => {
                packs |= word == "--create";
                unpacks |= matches!(word, "--extract" | "--get");
            }
            word if word.starts_with('-') && word.len() > 1 || at == 0 => {
                packs |= word.contains(['c', 'r', 'u']);
                unpacks |= word.contains('x');
                if word.contains('f') {
                    archive = value();
                }
                if word.contains('C') {
                    folder = value().unwrap_or(".");
                }
            }
            word => members.push((folder, word)),
        }
    }
    let archive = archive.filter(|archive| *archive != "-").unwrap_or(PIPED);
    if unpacks && !packs {
        let input = if archive == PIPED { input.map(Rc::from) } else { runner.file_at(scope, archive) };
        note_foreign(runner, scope, input.as_deref(), folder);
    }
    if !runner.has_disk() {
        return;
    }
    if packs {
        pack(runner, scope, archive, &members);
    } else if unpacks {
        runner.copied(scope, archive, folder);
    }
}

/// `zip x.zip FILES`, `unzip x.zip -d FOLDER`.
pub(super) fn zip(runner: &mut Runner, scope: &Scope, name: &str, args: &[Arg]) {
    let mut folder = ".";
    let mut operands: Vec<&str> = Vec::new();
    let mut words = args.iter().map(|arg| arg.text.as_str());
    while let Some(word) = words.next() {
        match word {
            "-d" if name == "unzip" => folder = words.next().unwrap_or("."),
            "-x" | "-i" => break,
            word if word.starts_with('-') => {}
            word => operands.push(word),
        }
    }
    let Some((archive, members)) = operands.split_first() else { return };
    // zip adds the ending itself.
    let archive = format!("{}.zip", archive.trim_end_matches(".zip"));
    if name == "unzip" {
        let input = runner.file_at(scope, &archive);
        note_foreign(runner, scope, input.as_deref(), folder);
    }
    if !runner.has_disk() {
        return;
    }
    if name == "unzip" {
        runner.copied(scope, &archive, folder);
    } else {
        let members: Vec<(&str, &str)> = members.iter().map(|member| (".", *member)).collect();
        pack(runner, scope, &archive, &members);
    }
}

/// `cpio -o`, which reads the names of what it packs, and `cpio -i`.
pub(super) fn cpio(runner: &mut Runner, scope: &Scope, args: &[Arg], input: Option<&str>) {
    let has = |letter: char, long: &str| {
        args.iter().any(|arg| {
            arg.text == long
                || arg.text.starts_with('-') && !arg.text.starts_with("--") && arg.text.contains(letter)
        })
    };
    if !runner.has_disk() {
        return;
    }
    if has('o', "--create") || has('p', "--pass-through") {
        let members: Vec<(&str, &str)> =
            input.unwrap_or_default().lines().map(|member| (".", member)).collect();
        pack(runner, scope, PIPED, &members);
    }
    let to = args.last().filter(|arg| has('p', "--pass-through") && !arg.text.starts_with('-'));
    if to.is_some() || has('i', "--extract") {
        runner.copied(scope, PIPED, to.map_or(".", |to| &to.text));
    }
}

/// What the files of an archive hold that the command has packed itself: `tar xOf x.tar`, `unzip -p x.zip FILE`.
pub(super) fn held(runner: &mut Runner, scope: &Scope, args: &[Arg]) -> Option<String> {
    if !runner.has_disk() {
        return None;
    }
    let words = || args.iter().map(|arg| arg.text.as_str());
    let archive = words().find(|word| word.contains('.') && !word.starts_with('-')).unwrap_or(PIPED);
    let mut text = String::new();
    for at in [archive, PIPED] {
        for depth in 1..=MAX_DEPTH {
            let pattern = format!("{at}{}", format!("/{}", mark::STAR).repeat(depth));
            for path in runner.paths(scope, &pattern).iter().filter(|path| !mark::any(path)) {
                if let Some(loaded) = runner.load(scope, path) {
                    text.push_str(&loaded.text);
                }
            }
        }
        if !text.is_empty() {
            break;
        }
    }
    (!text.is_empty()).then_some(text)
}

/// Folders below an archive's first in which its files are looked for.
const MAX_DEPTH: usize = 3;

/// Remembers where an archive of another machine is unpacked.
fn note_foreign(runner: &mut Runner, scope: &Scope, archive: Option<&str>, folder: &str) {
    if archive.is_some_and(|text| text.contains(mark::REMOTE))
        && runner.analysis.unpacked.len() < MAX_UNPACKED
    {
        runner.analysis.unpacked.push(scope.absolute(folder));
    }
}

/// An archive is as a folder in which its members lie.
fn pack(runner: &mut Runner, scope: &Scope, archive: &str, members: &[(&str, &str)]) {
    for (folder, member) in members {
        let folder = scope.absolute(folder);
        for path in runner.paths(scope, &shell_engine::path::join(&folder, member)) {
            let inside = path.strip_prefix(&*folder).unwrap_or(&path).trim_start_matches('/');
            let place = if inside.is_empty() { archive.to_owned() } else { format!("{archive}/{inside}") };
            runner.copied(scope, &path, &place);
        }
    }
}
