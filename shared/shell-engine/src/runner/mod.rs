//! What every language and every program shares: the runner of an analysis, a shell's memory, a program's call.
//!
//! Nothing here knows a language or a program: `shell` hands them in, as a [`Registry`].

mod array;
mod call;
mod copies;
mod disk;
mod file;
mod later;
mod registry;
pub(crate) mod scope;
mod shared;

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

pub(crate) use array::element_of;
pub use call::{Call, Io, Output, Process, Script};
pub use copies::Entry;
pub use disk::{Disk, Found, Loaded, Opened};
pub use later::scheduled;
pub use registry::{Query, Registry};
pub use scope::{Scope, Value};

use crate::atom::{Analysis, Arg, Handed, Link, Note, NoteKind, Stage};
use crate::mark;
use crate::span::Span;
use file::WrittenFile;

/// Nesting of strings, functions and wrappers that is followed.
pub const MAX_DEPTH: u32 = 24;

/// Symbolic links that one command makes and that are followed.
const MAX_LINKS: usize = 64;
/// Links that lead from one to the next.
const MAX_FOLLOWED: usize = 8;
/// Files whose names are held against a path one by one, before it is looked up.
const MAX_LOOKED_THROUGH: usize = 8;

/// Steps that are still taken when the text to expand has become too much.
const LAST_STEPS: u32 = 100;

/// Everything that one analysis shares, whatever shells it goes through.
pub struct Runner {
    /// Languages and programs, which the engine does not know itself.
    pub registry: &'static Registry,
    /// What has been found so far.
    pub analysis: Analysis,
    /// Files that the command itself has written, with their text.
    files: HashMap<String, WrittenFile>,
    /// Files of the disk.
    disk: disk::Reader,
    /// Process substitutions that have been given a name.
    pub(crate) pseudo_files: usize,
    fresh_names: usize,
    /// The text of `/dev/null`, which is kept apart from what only seems to be empty.
    nothing: Rc<str>,
    /// Files that are open for writing, by their descriptors.
    descriptors: Vec<(u32, String)>,
    /// Pipes with names, and the lines that run on what is written there.
    readers: Vec<(String, Rc<str>)>,
    /// The pipe into which `exec > >(reader)` has led what is printed from then on.
    output: Option<String>,
    /// An input, and the names that took a line of it, one after the other.
    reads: Option<(Rc<str>, Vec<String>)>,
    /// Variables with the atoms whose output they hold.
    taken: Vec<(Box<str>, Range<usize>)>,
    /// The variables with secrets that the last command with some was given, in their order.
    pub secrets: Vec<String>,
    /// Where the command that runs now stands in the original text.
    pub(crate) at: Span,
    /// How the last command of a script ended, where that is known.
    pub(crate) status: Option<bool>,
    /// Steps left.
    fuel: u32,
    /// Bytes of expanded text left.
    bytes: usize,
    pub(crate) pipelines: u32,
    /// How deep the code of interpreters stands in other code that is being looked at.
    pub code_depth: u32,
    /// How deep its expressions are nested, through all of that code.
    pub code_frames: u32,
    /// Nesting of statements of PowerShell, through all of its strings.
    pub levels: u32,
}

/// Fresh names, no two of which are the same.
const MAX_FRESH: usize = 8;
/// Outputs in variables that are followed, and commands that are given one.
const MAX_TAKEN: usize = 64;
/// Descriptors that are followed.
const MAX_DESCRIPTORS: usize = 32;

impl Runner {
    /// A runner for code of `size` bytes. Work is bounded in proportion to it.
    pub fn new(size: usize, registry: &'static Registry) -> Self {
        Self {
            registry,
            analysis: Analysis::default(),
            files: HashMap::new(),
            disk: disk::Reader::default(),
            pseudo_files: 0,
            fresh_names: 0,
            nothing: Rc::from(""),
            readers: Vec::new(),
            output: None,
            taken: Vec::new(),
            secrets: Vec::new(),
            descriptors: Vec::new(),
            reads: None,
            at: Span::default(),
            status: None,
            fuel: u32::try_from(size).unwrap_or(u32::MAX / 2) + 1_000,
            bytes: size * 8 + 256 * 1024,
            pipelines: 0,
            code_depth: 0,
            code_frames: 0,
            levels: 0,
        }
    }

    /// What was found, once everything has run.
    pub fn finish(self) -> Analysis {
        // Descriptors and substitutions end with the command.
        let lasting = self.files.into_iter().filter(|(path, _)| !path.starts_with("/dev/"));
        let mut made: Vec<(String, String)> = lasting.map(|(path, file)| (path, file.into_text())).collect();
        // They are kept in no order.
        made.sort_unstable();
        Analysis { made, ..self.analysis }
    }

    /// Runs code in `scope`, as `eval`, `bash -c` and a script do.
    pub fn run_text(&mut self, scope: &mut Scope, script: &Script<'_>) -> String {
        (self.registry.posix)(self, scope, script)
    }

    /// Notes a string whose commands come from elsewhere; `sets_up`: a shell reads it to be set up by it.
    pub fn note_foreign_text(&mut self, scope: &Scope, text: &str, sets_up: bool) {
        if !mark::any(text) {
            // What was decoded is not text: it is encrypted, or packed in a way that no one here unpacks.
            if text.starts_with(['\u{F8FE}', '\u{F8FF}']) {
                self.note(NoteKind::RunsDecoded, scope.origin.unwrap_or_default());
            }
            return;
        }
        let mut kinds = text.lines().filter_map(|line| match line.trim_start().chars().next() {
            Some(mark::REMOTE) => Some(NoteKind::RunsRemote),
            Some(mark::DECODED) => Some(NoteKind::RunsDecoded),
            // Programs of this machine print what they like for a shell to read: to run that is no worse than running
            // them. A shell of its own has nothing to be set up by, and runs what the call made the program print.
            Some(mark::PRINTED) if sets_up => None,
            Some(c) if mark::is_hole(c) && line.trim().chars().all(mark::is_hole) => {
                Some(NoteKind::RunsUnknown)
            }
            // `for f in *; do eval "$f"; done`: whatever the files are called.
            Some(mark::STAR) => Some(NoteKind::RunsUnknown),
            _ => None,
        });
        if let Some(kind) = kinds.next() {
            self.note(kind, scope.origin.unwrap_or_default());
        }
    }

    /// Whether an atom is anything but a shell of its own: `eval` and `source` have theirs read what they lead to.
    pub(crate) fn sets_up(&self, parent: u32) -> bool {
        let program = self.analysis.atoms.get(parent as usize).and_then(|atom| atom.args.first());
        program.is_none_or(|program| !crate::atom::is_shell(&crate::atom::program_name(&program.text)))
    }

    /// Notes what becomes of the variables with secrets that a command is given; `shows`: what it prints is what the
    /// caller sees.
    pub fn secrets_used(&mut self, (args, at): (&[Arg], Span), secrets: &[&str], shows: bool) {
        let Some(program) = args.first().filter(|_| !secrets.is_empty()) else { return };
        self.secrets = secrets.iter().map(|name| (*name).to_owned()).collect();
        if shows && matches!(program.text.as_str(), "echo" | "printf" | "print") && !self.is_in_file() {
            self.note(NoteKind::ShowsSecret, at);
        }
        if (self.registry.leaks)(args, secrets) {
            self.note(NoteKind::SendsSecret, at);
        }
    }

    /// A variable holds what the atoms from `first` on have printed, and what these variables held.
    pub fn takes<'n>(&mut self, name: &str, first: usize, from: impl Iterator<Item = &'n str>) {
        let own = first..self.analysis.atoms.len();
        if own.is_empty() && self.taken.is_empty() {
            return;
        }
        let mut atoms = self.held(from);
        // `b=$(printf %s "$a" | base64)`
        let handed = self.analysis.handed.iter().filter(|handed| own.contains(&handed.to));
        atoms.extend(handed.map(|handed| handed.atoms.clone()));
        if !own.is_empty() {
            atoms.push(own);
        }
        self.taken.retain(|(known, _)| **known != *name);
        let room = MAX_TAKEN.saturating_sub(self.taken.len());
        self.taken.extend(atoms.into_iter().take(room).map(|atoms| (Box::from(name), atoms)));
    }

    /// Leaves out the atoms from `end` on, which are those from `start` once more: what variables hold, those have printed.
    pub(crate) fn repeats(&mut self, start: usize, end: usize) {
        self.analysis.atoms.truncate(end);
        self.analysis.handed.retain(|handed| handed.to < end);
        for (_, atoms) in self.taken.iter_mut().filter(|(_, atoms)| atoms.end > end) {
            let first = if atoms.start >= end { atoms.start - (end - start) } else { atoms.start };
            *atoms = first..atoms.end.min(end);
        }
    }

    /// The next atom is given what the atoms from `first` on have printed.
    pub fn gives(&mut self, first: usize) {
        let to = self.analysis.atoms.len();
        if first < to && self.analysis.handed.len() < MAX_TAKEN {
            self.analysis.handed.push(Handed { atoms: first..to, to });
        }
    }

    /// The next atom is given these variables.
    pub fn hands<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        let to = self.analysis.atoms.len();
        let held = self.held(names);
        let room = MAX_TAKEN.saturating_sub(self.analysis.handed.len());
        self.analysis.handed.extend(held.into_iter().take(room).map(|atoms| Handed { atoms, to }));
    }

    /// The atoms whose output the variables hold.
    fn held<'n>(&self, names: impl Iterator<Item = &'n str>) -> Vec<Range<usize>> {
        let held = |name: &'n str| self.taken.iter().filter(move |(known, _)| **known == *name);
        names.flat_map(held).map(|(_, atoms)| atoms.clone()).collect()
    }

    /// Whether a variable holds what some atom has printed.
    pub fn has_taken(&self) -> bool {
        !self.taken.is_empty()
    }

    /// Notes something about the text that is being read, once for each kind.
    pub fn note(&mut self, kind: NoteKind, span: Span) {
        let file = self.disk.current();
        if !self.analysis.notes.iter().any(|note| note.kind == kind && note.file == file) {
            self.analysis.notes.push(Note { kind, span, file });
        }
    }

    /// Whether what runs now stands in a file, not in the text that was handed in.
    pub fn is_in_file(&self) -> bool {
        self.disk.current().is_some()
    }

    /// Takes a step; `false` when none is left.
    pub fn step(&mut self) -> bool {
        if self.fuel == 0 {
            self.note(NoteKind::TooMuch, Span::default());
            return false;
        }
        self.fuel -= 1;
        true
    }

    /// Whether there is room for `size` bytes of text, and for what comes after them.
    pub fn has_room(&self, size: usize) -> bool {
        self.bytes / 2 > size
    }

    /// Accounts for `size` bytes of text; `false` when there is no room for them.
    pub fn spend(&mut self, size: usize) -> bool {
        if self.bytes < size {
            self.bytes = 0;
            // Whatever comes now is looked at with little left to compute it from, and not for long.
            self.fuel = self.fuel.min(LAST_STEPS);
            self.note(NoteKind::TooMuch, Span::default());
            return false;
        }
        self.bytes -= size;
        true
    }

    /// Gives room for the work on `size` bytes more.
    fn grant(&mut self, size: usize) {
        // Not to an analysis that has ended.
        if self.fuel > 0 {
            self.fuel = self.fuel.saturating_add(u32::try_from(size).unwrap_or(u32::MAX));
            self.bytes += size * 8;
        }
    }

    /// `text`, if there is room for a copy of it.
    pub fn paid(&mut self, text: String) -> String {
        if self.spend(text.len()) { text } else { mark::UNKNOWN.to_string() }
    }

    /// Appends what a command prints to what others have printed before it.
    pub fn append(&mut self, printed: &mut String, output: String) {
        if printed.is_empty() {
            *printed = output;
        } else if self.spend(output.len()) {
            printed.push_str(&output);
        }
    }

    /// A number for the next pipeline.
    pub fn next_pipeline(&mut self) -> u32 {
        self.pipelines += 1;
        self.pipelines
    }

    /// Whether nothing more is looked at.
    pub fn stopped(&self) -> bool {
        self.fuel == 0
    }

    /// Where an atom stands in the original text.
    pub fn span_of(&self, atom: u32) -> Span {
        self.analysis.atoms.get(atom as usize).map_or_else(Span::default, |atom| atom.span)
    }

    /// Remembers what a file holds from now on.
    pub fn write_file(&mut self, path: String, text: &str, append: bool) {
        // Whoever reads it gets all of it: what is appended line by line and read each time must end somewhere.
        match if append { self.files.get(&path).map(WrittenFile::len) } else { None } {
            Some(before) => self.append_known(path, text, before),
            None => drop(self.files.insert(path, WrittenFile::new(text))),
        }
    }

    /// Adds to a file of this many bytes.
    fn append_known(&mut self, path: String, text: &str, before: usize) {
        // A quarter of what is there already: appending is cheap, but reading it again each time is not.
        if self.spend(before / 4)
            && let Some(file) = self.files.get_mut(&path)
        {
            return file.append(text);
        }
        self.files.insert(path, WrittenFile::new(text));
    }

    /// Remembers what a program has put into a file, and what it is there for.
    pub fn put_file(&mut self, scope: &Scope, path: &str, text: &str) {
        let path = scope.absolute(path);
        self.file_planted(scope, &path, text);
        self.write_file(path, text, false);
    }

    /// Remembers what a program has added to a file, and what it is there for.
    pub fn append_to_file(&mut self, scope: &Scope, path: &str, text: &str) {
        let path = scope.absolute(path);
        self.file_planted(scope, &path, text);
        self.add_to_file(scope, path, text);
    }

    /// Adds to a file: what the command has written there, else what lies on the disk.
    pub(super) fn add_to_file(&mut self, scope: &Scope, path: String, text: &str) {
        let Some(before) = self.files.get(&path).map(WrittenFile::len) else {
            return match self.promise(scope, &path) {
                Some(before) => self.write_file(path, &format!("{before}\n{text}"), false),
                None => self.write_file(path, text, false),
            };
        };
        self.append_known(path, text, before);
    }

    /// Remembers a symbolic link: what lies below `at` lies below `to`.
    pub fn link(&mut self, scope: &Scope, to: &str, at: &str) {
        let at = scope.absolute(at);
        let folder = at.rfind('/').map_or("", |slash| &at[..slash]);
        let to = crate::path::join(folder, to);
        // A link to itself would be followed for ever.
        if to != at && self.analysis.links.len() < MAX_LINKS {
            self.analysis.links.push(Link { at, to, moved: None });
        }
    }

    /// Remembers what is moved to where nothing lies: from here on, what is done there is done to it.
    pub fn moved(&mut self, scope: &Scope, from: &str, at: &str) {
        let (at, to) = (scope.absolute(at), scope.absolute(from));
        if to != at && self.analysis.links.len() < MAX_LINKS {
            let moved = Some(self.analysis.atoms.len());
            self.analysis.links.push(Link { at, to, moved });
        }
    }

    /// Where a path leads through the symbolic links that the command has made.
    pub fn through_links(&self, scope: &Scope, path: &str) -> String {
        let mut path = scope.absolute(path);
        for _ in 0..MAX_FOLLOWED {
            let below = |link: &Link| {
                if link.moved.is_some() {
                    return None;
                }
                let rest = path.strip_prefix(&*link.at)?;
                (rest.is_empty() || rest.starts_with('/'))
                    .then(|| format!("{}{rest}", link.to.trim_end_matches('/')))
            };
            let Some(next) = self.analysis.links.iter().rev().find_map(below) else { break };
            path = next;
        }
        path
    }

    /// Whether the command has written a file with the name in which a path ends: a quick look.
    fn may_have_made(&self, path: &str) -> bool {
        let name = crate::path::file_name(path.trim_end_matches('/'));
        // These are names of other folders.
        matches!(name, "" | "." | "..")
            || ["/dev/", "/proc/"].iter().any(|devices| path.starts_with(devices))
            || self.files.keys().any(|made| {
                made.strip_suffix(name).is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
            })
    }

    /// What the command itself has written into the file that `path` names in `scope`.
    pub fn file_at(&self, scope: &Scope, path: &str) -> Option<Rc<str>> {
        if self.files.is_empty() || self.files.len() <= MAX_LOOKED_THROUGH && !self.may_have_made(path) {
            return None;
        }
        let path = match path {
            "/dev/stdin" => "/dev/fd/0".to_owned(),
            _ => match path
                .strip_prefix("/proc/self/fd/")
                .or_else(|| path.strip_prefix("/proc/thread-self/fd/"))
            {
                Some(number) => format!("/dev/fd/{number}"),
                None => scope.absolute(path),
            },
        };
        self.files.get(&path).map(WrittenFile::text)
    }

    /// The first descriptor that no redirection has named: from 10 on, as in bash.
    pub(crate) fn free_descriptor(&self) -> u32 {
        let used = self.descriptors.iter().map(|(fd, _)| *fd).chain(
            self.files
                .keys()
                .filter_map(|path| path.strip_prefix("/dev/fd/")?.parse().ok())
                .filter(|fd| *fd < 63),
        );
        used.max().map_or(10, |last| last.max(9) + 1)
    }

    /// A descriptor stands for this file from now on.
    pub(crate) fn open_descriptor(&mut self, fd: u32, path: String) {
        self.descriptors.retain(|(known, _)| *known != fd);
        if self.descriptors.len() < MAX_DESCRIPTORS {
            self.descriptors.push((fd, path));
        }
    }

    /// Notes who reads what is written to a pipe: `>(sh)`, `coproc sh`, and `sh FIFO`.
    pub fn add_reader(&mut self, scope: &Scope, path: &str, line: &str) {
        if self.readers.len() < MAX_DESCRIPTORS {
            self.readers.push((scope.absolute(path), Rc::from(line)));
        }
    }

    /// The line reads one of the pipes that the command has made, and no one else does: which one is not known.
    pub fn read_pipes(&mut self, line: &str) {
        for (_, reader) in self.readers.iter_mut().filter(|(_, reader)| reader.is_empty()) {
            *reader = Rc::from(line);
        }
    }

    /// Whether the command has made a pipe at this path, or leads one to it.
    pub fn is_pipe(&self, scope: &Scope, path: &str) -> bool {
        !self.readers.is_empty() && {
            let path = scope.absolute(path);
            self.readers.iter().any(|(pipe, _)| *pipe == path)
        }
    }

    /// Gives what is written to a pipe to those who read there.
    fn feed_readers(&mut self, scope: &Scope, path: &str, text: &str) {
        // Taken while they are fed: what a reader writes to its own pipe does not come round for ever.
        let mut readers = std::mem::take(&mut self.readers);
        // They read what the last command prints, as a stage after it would.
        let writer = self.analysis.atoms.last().map_or(Stage::default(), |atom| atom.stage);
        let stage = Stage { index: writer.index + 1, ..writer };
        for (_, line) in readers.iter().filter(|(pipe, line)| pipe == path && !line.is_empty()) {
            let io = Io { stdin: Some(Rc::from(text)), ..Io::default() };
            self.run_text(&mut scope.clone(), &Script { stage, ..Script::new(line, None, &io) });
        }
        readers.append(&mut self.readers);
        self.readers = readers;
    }

    /// The file for which a descriptor stands, if a redirection has opened it.
    pub(crate) fn opened(&self, fd: &str) -> Option<String> {
        if self.descriptors.is_empty() {
            return None;
        }
        let fd: u32 = fd.parse().ok()?;
        self.descriptors.iter().find(|(known, _)| *known == fd).map(|(_, path)| path.clone())
    }

    /// How many lines of an input other names have taken before: a group's `read`s go on where the last one ended.
    pub(crate) fn lines_taken(&mut self, input: &Rc<str>, name: &str) -> usize {
        match &mut self.reads {
            // The same name again is a loop, in which each line may be the one.
            Some((known, names)) if Rc::ptr_eq(known, input) => {
                if names.iter().any(|known| known == name) {
                    return 0;
                }
                names.push(name.to_owned());
                names.len() - 1
            }
            reads => {
                *reads = Some((Rc::clone(input), vec![name.to_owned()]));
                0
            }
        }
    }

    /// A name that no other file has, and that no one knows before: a token, which stands for a name without meaning.
    pub fn fresh_name(&mut self) -> String {
        self.fresh_names = (self.fresh_names + 1) % MAX_FRESH;
        // Only their number tells names without meaning apart.
        mark::TOKEN.to_string().repeat(if self.fresh_names == 0 { MAX_FRESH } else { self.fresh_names })
    }

    /// A file name that no other file has, for process substitutions.
    pub(crate) fn pseudo_file(&mut self) -> String {
        self.pseudo_files += 1;
        format!("/dev/fd/{}", 62 + self.pseudo_files)
    }

    /// Whether a text is what `/dev/null` holds.
    pub(crate) fn is_nothing(&self, text: &Rc<str>) -> bool {
        Rc::ptr_eq(text, &self.nothing)
    }

    /// The text of a file: what this command wrote into it, or something unknown.
    ///
    /// What lies on the disk is only promised: it is read where someone runs it.
    pub fn read_file(&self, scope: &Scope, path: &str) -> Rc<str> {
        if path == "/dev/null" {
            return Rc::clone(&self.nothing);
        }
        if is_system_program(path) && self.file_at(scope, path).is_none() {
            // Under another name it is still the same program: `cat /bin/rm > x; ./x`.
            return Rc::from(format!("{path} \"$@\"\n"));
        }
        let network = path.starts_with("/dev/tcp/") || path.starts_with("/dev/udp/");
        self.file_at(scope, path).unwrap_or_else(|| {
            let on_disk = || self.promise(scope, path).unwrap_or(mark::UNKNOWN);
            Rc::from(if network { mark::REMOTE } else { on_disk() }.to_string())
        })
    }
}

/// Whether a path names a program of the system, which is not a person's script.
fn is_system_program(path: &str) -> bool {
    let name =
        ["/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/"].iter().find_map(|folder| path.strip_prefix(folder));
    name.is_some_and(|name| !name.is_empty() && !name.contains('/') && !mark::any(name))
}
