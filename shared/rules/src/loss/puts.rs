//! What copies, moves and unpacks: what it puts where, over files that are there, and what it leaves there twice.

use shell::{Atom, Flow, Language, Place, mark, path};

use super::Does;
use crate::builtin::has;
use crate::command::Command;

/// Where files come from that are put into a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// These files and folders, by absolute paths, each under its own name: `…/.` is what a folder holds, and a name may
    /// have stars.
    Paths(Vec<String>),
    /// What an archive holds, or only what has these names, and lies below them.
    Archive { path: String, only: Vec<String> },
    /// What a commit holds.
    Commit(String),
}

/// What a command puts into a folder, and into which. `None` for other commands, and where that is not known.
pub(crate) fn put(command: &Command<'_>) -> Option<(Source, String)> {
    let (from, into) = match &*command.name {
        "cp" | "gcp" | "mv" | "gmv" => brought(command)?,
        "rsync" => mirrored(command)?,
        "tar" | "bsdtar" | "gtar" => unpacked(command)?,
        "unzip" => {
            let (archive, only) = command.operands().split_first()?;
            let into = command.value(&["-d"]).unwrap_or(".").to_owned();
            let only: Vec<&str> =
                only.iter().map(|arg| arg.text.as_str()).filter(|only| *only != into).collect();
            let writes = command.has(&["-o"]) && !command.has(&["-l", "-t", "-p", "-Z"]);
            (writes.then(|| archive_of(command, &archive.text, &only))?, into)
        }
        "7z" | "7za" | "7zz" => {
            let (verb, rest) = command.operands().split_first()?;
            let archive = rest.first().filter(|_| verb.text == "x" && command.has(&["-y"]))?;
            let into = command.args().iter().find_map(|arg| arg.text.strip_prefix("-o")).unwrap_or(".");
            (archive_of(command, &archive.text, &[]), into.to_owned())
        }
        _ => return None,
    };
    let into = path::join(&command.atom.cwd, &into);
    let here = command.atom.place == Place::Here && command.atom.shell == Language::Posix;
    let is_plain = |text: &str| text.starts_with('/') && !mark::any(text);
    let known = match &from {
        Source::Paths(paths) => !paths.is_empty() && paths.iter().all(|path| is_plain(path)),
        Source::Archive { path, only } => is_plain(path) && !only.iter().any(|only| mark::any(only)),
        Source::Commit(revision) => !mark::any(revision),
    };
    (here && known && is_plain(&into) && !command.only_asks()).then_some((from, into))
}

fn archive_of(command: &Command<'_>, path: &str, only: &[&str]) -> Source {
    let only = only.iter().map(|only| (*only).to_owned()).collect();
    Source::Archive { path: path::join(&command.atom.cwd, path), only }
}

/// A path that is to be listed: a star of the shell is one.
fn source(command: &Command<'_>, text: &str) -> String {
    // `path::join` would take the dot away.
    let inside = text == "." || text.ends_with("/.");
    let full = path::join(&command.atom.cwd, &text.replace(mark::STAR, "*"));
    if inside { format!("{}/.", full.trim_end_matches('/')) } else { full.trim_end_matches('/').to_owned() }
}

/// What `cp` and `mv` bring by folders and patterns; single files by their names are what `writes` finds.
fn brought(command: &Command<'_>) -> Option<(Source, String)> {
    let keeps = ["-n", "--no-clobber", "-b", "--backup", "-S", "--suffix", "-i", "--interactive", "-T"];
    let mut operands = command.operands().to_vec();
    let into = match command.value(&["-t", "--target-directory"]) {
        Some(into) => into.to_owned(),
        None if operands.len() > 1 => operands.pop()?.text.clone(),
        None => return None,
    };
    let moves = command.is(&["mv", "gmv"]);
    let deep = !moves && command.has(&["-r", "-R", "-a", "--recursive", "--archive"]);
    let wild = operands.iter().any(|arg| arg.text.contains(mark::STAR));
    if !(deep || wild) || command.has(&keeps) {
        return None;
    }
    Some((Source::Paths(operands.iter().map(|arg| source(command, &arg.text)).collect()), into))
}

fn mirrored(command: &Command<'_>) -> Option<(Source, String)> {
    let keeps = ["-n", "--dry-run", "--list-only", "--ignore-existing", "-b", "--backup", "--files-from"];
    let (into, from) = command.operands().split_last()?;
    let elsewhere = into.text.contains(':') || from.iter().any(|arg| arg.text.contains(':'));
    if elsewhere
        || from.is_empty()
        || command.has(&keeps)
        || !command.has(&["-r", "-a", "--recursive", "--archive"])
    {
        return None;
    }
    let inside = |text: &str| {
        // Of a folder with a slash at its end, what is in it.
        if text.ends_with('/') { source(command, &format!("{text}.")) } else { source(command, text) }
    };
    Some((Source::Paths(from.iter().map(|arg| inside(&arg.text)).collect()), into.text.clone()))
}

/// The words of a call of tar: what it does, with which archive, in which folder, and what else it names.
struct Tar<'a> {
    letters: String,
    file: Option<&'a str>,
    folder: Option<&'a str>,
    names: Vec<&'a str>,
}

impl<'a> Tar<'a> {
    fn of(atom: &'a Atom) -> Option<Self> {
        let mut tar = Self { letters: String::new(), file: None, folder: None, names: Vec::new() };
        let mut words = atom.args.iter().skip(1).map(|arg| arg.text.as_str());
        let mut first = true;
        while let Some(word) = words.next() {
            let old = std::mem::take(&mut first) && !word.starts_with('-');
            if let Some(long) = word.strip_prefix("--") {
                match long.split_once('=') {
                    Some(("file", value)) => tar.file = Some(value),
                    Some(("directory", value)) => tar.folder = Some(value),
                    None => match long {
                        "file" => tar.file = words.next(),
                        "directory" | "cd" => tar.folder = words.next(),
                        "extract" | "get" => tar.letters.push('x'),
                        "create" => tar.letters.push('c'),
                        "overwrite" | "gzip" | "verbose" | "no-same-owner" => {}
                        _ => return None,
                    },
                    Some(_) => return None,
                }
                continue;
            }
            let Some(letters) =
                word.strip_prefix('-').or(old.then_some(word)).filter(|word| !word.is_empty())
            else {
                tar.names.push(word);
                continue;
            };
            for (at, letter) in letters.char_indices() {
                tar.letters.push(letter);
                let rest = &letters[at + letter.len_utf8()..];
                let value = |words: &mut dyn Iterator<Item = &'a str>| {
                    if old || rest.is_empty() { words.next() } else { Some(rest) }
                };
                match letter {
                    'f' => tar.file = value(&mut words),
                    'C' => tar.folder = value(&mut words),
                    'b' | 'H' | 'T' | 'X' | 'I' | 'F' | 'g' | 'K' | 'L' | 'N' | 'V' => return None,
                    _ => continue,
                }
                if !old && !rest.is_empty() {
                    break;
                }
            }
        }
        Some(tar)
    }

    fn does(&self, letter: char) -> bool {
        self.letters.contains(letter)
    }
}

fn unpacked(command: &Command<'_>) -> Option<(Source, String)> {
    let tar = Tar::of(command.atom)?;
    if !tar.does('x') || tar.does('k') || tar.does('O') || tar.does('t') {
        return None;
    }
    let into = tar.folder.unwrap_or(".").to_owned();
    if let Some(file) = tar.file.filter(|file| *file != "-") {
        return Some((archive_of(command, file, &tar.names), into));
    }
    let redirected =
        command.atom.redirects.iter().find(|redirect| redirect.flow == Flow::Read && redirect.fd == 0);
    if let Some(redirect) = redirected {
        return Some((archive_of(command, &redirect.target, &tar.names), into));
    }
    let from = fed_by(command)?;
    let words: Vec<&str> = from.args.iter().skip(1).map(|arg| arg.text.as_str()).collect();
    let source = match (&*from.program(), words.as_slice()) {
        ("cat", [file]) => Source::Archive {
            path: path::join(&from.cwd, file),
            only: tar.names.iter().map(|only| (*only).to_owned()).collect(),
        },
        ("git", ["archive", rest @ ..]) => {
            let is_odd = |word: &&&str| word.starts_with('-') && !matches!(**word, "--format=tar");
            match rest.iter().filter(|word| !word.starts_with('-')).collect::<Vec<_>>().as_slice() {
                [revision] if !rest.iter().any(|word| is_odd(&word)) => {
                    Source::Commit((**revision).to_owned())
                }
                _ => return None,
            }
        }
        ("tar" | "gtar" | "bsdtar", _) => {
            let packs =
                Tar::of(from).filter(|tar| tar.does('c') && tar.file.is_none_or(|file| file == "-"))?;
            let folder = path::join(&from.cwd, packs.folder.unwrap_or("."));
            let name = |name: &&str| match name.trim_start_matches("./").trim_end_matches('/') {
                "." | "" => format!("{folder}/."),
                name => format!("{folder}/{}", name.replace(mark::STAR, "*")),
            };
            Source::Paths(packs.names.iter().map(name).collect())
        }
        _ => return None,
    };
    Some((source, into))
}

/// The command whose output a command reads.
pub(crate) fn fed_by<'a>(command: &Command<'a>) -> Option<&'a Atom> {
    let stage = command.atom.stage;
    let at = stage.index.checked_sub(1)?;
    let is_it =
        |atom: &&Atom| atom.stage.pipeline == stage.pipeline && atom.stage.index == at && atom.via.is_none();
    command.analysis.atoms.iter().find(is_it)
}

/// What a command in front of another one keeps, or carries along, of what it works on.
pub(crate) fn copied(command: &Command<'_>) -> Option<Does> {
    let atom = command.atom;
    if atom.place != Place::Here || atom.shell != Language::Posix {
        return None;
    }
    match &*command.name {
        "cp" | "gcp" => {
            let (from, to) = paired(command, "rRapfvd")?;
            Some(Does::Copy { from, to })
        }
        "mv" | "gmv" => {
            let (from, to) = paired(command, "fv")?;
            Some(Does::Move { from, to, staged: false, forced: true })
        }
        "git" => patch_of(command),
        _ => None,
    }
}

/// What is copied or moved, and to where: with a slash at its end where that is known to be a folder.
fn paired(command: &Command<'_>, letters: &str) -> Option<(Vec<String>, String)> {
    let is_usual = |text: &str| {
        matches!(text, "--recursive" | "--archive" | "--force" | "--verbose" | "--" | "--preserve")
            || text.strip_prefix('-').is_some_and(|known| known.chars().all(|c| letters.contains(c)))
    };
    let options = || command.args().iter().filter(|arg| arg.text.starts_with('-') && arg.text.len() > 1);
    let (to, from) = command.operands().split_last()?;
    if from.is_empty()
        || command.args().iter().any(|arg| mark::any(&arg.text))
        || !options().all(|arg| is_usual(&arg.text))
    {
        return None;
    }
    let full = |text: &str| path::join(&command.atom.cwd, text);
    let made = |folder: &str| {
        let makes = |atom: &Atom| {
            atom.program() == "mkdir"
                && atom.args.iter().any(|arg| path::join(&atom.cwd, &arg.text) == folder)
        };
        command.analysis.atoms.iter().any(makes)
    };
    let mut place = full(&to.text).trim_end_matches('/').to_owned();
    if to.text.ends_with('/') || from.len() > 1 || made(&place) {
        place.push('/');
    }
    // What goes into a device is nowhere afterwards.
    let gone = ["/dev/", "/proc/", "/sys/"].iter().any(|folder| place.starts_with(folder));
    let known = place.starts_with('/') && command.atom.cwd.starts_with('/') && !gone;
    known.then(|| (from.iter().map(|arg| full(&arg.text).trim_end_matches('/').to_owned()).collect(), place))
}

/// `git diff > FILE`.
fn patch_of(command: &Command<'_>) -> Option<Does> {
    let words: Vec<&str> = command.args().iter().map(|arg| arg.text.as_str()).collect();
    let (sub, rest) = words.split_first()?;
    let saved = command.atom.redirects.iter().any(|redirect| {
        redirect.fd == 1
            && redirect.flow == Flow::Write
            && !mark::any(&redirect.target)
            && !redirect.target.starts_with("/dev/")
    });
    let is_usual = |word: &&str| has("HEAD --binary --no-color --no-ext-diff", word);
    let folder = |redirect: &shell::Redirect| {
        let full = path::join(&command.atom.cwd, &redirect.target);
        full.rsplit_once('/').is_some_and(|(folder, _)| command.facts.exists(folder))
    };
    let saved = saved && command.atom.redirects.iter().all(folder);
    (*sub == "diff" && saved && rest.iter().all(is_usual))
        .then(|| Does::SavePatch { on_head: rest.contains(&"HEAD") })
}
