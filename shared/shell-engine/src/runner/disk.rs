//! Files of the disk that a command makes a program run: read where they are run, within bounds, and never changed.
//!
//! The engine itself touches no disk: who analyses hands one in, and without one nothing is read.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use super::copies::Entry;
use super::{Runner, Scope};
use crate::atom::{Arg, Note, NoteKind, Place, ScriptFile};
use crate::mark;
use crate::span::Span;

/// Files that one analysis reads.
const MAX_FILES: usize = 32;
/// Files that lead from one to the next.
const MAX_LEVELS: usize = 8;
/// Bytes of all files together.
const MAX_TOTAL: usize = 1024 * 1024;

/// Where files come from.
pub trait Disk: fmt::Debug {
    /// What lies at an absolute path. It must neither wait nor change anything.
    fn read(&self, path: &str) -> Found;

    /// Whether anything lies at an absolute path: a quick look, before it is read.
    fn has(&self, path: &str) -> bool {
        self.read(path) != Found::Nothing
    }

    /// What lies in a folder, in order; nothing where it is none, and no more than a command may mean. It must neither
    /// wait nor change anything.
    fn list(&self, folder: &str) -> Vec<Entry>;
}

/// What lies at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// Nothing, or nothing that an interpreter would read: a folder, a compiled program.
    Nothing,
    /// A text.
    Text(String),
    /// A text whose bytes are not UTF-8, and these.
    Recoded(String, Vec<u8>),
    /// Something that cannot be looked at: too large, no regular file, not ours to read.
    Unreadable,
}

/// The text of a file that someone runs.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// What stands in it.
    pub text: Rc<str>,
    /// Its place in [`crate::Analysis::files`]; `None` for one that the command itself has written.
    pub file: Option<u32>,
}

/// Where a file was run.
#[derive(Debug)]
#[must_use]
pub struct Opened {
    file: Option<u32>,
    origin: Option<Span>,
    source: Option<Rc<str>>,
    counted: bool,
}

/// Something that is only needed where it is run.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Promise {
    /// The content of a file.
    File(Rc<str>),
    /// What a filter prints for an input that is promised itself, and the mark for it where that is not known.
    Output { args: Rc<[Arg]>, input: Rc<str>, otherwise: char },
}

/// What an analysis knows of the disk.
#[derive(Debug, Default)]
pub(super) struct Reader {
    pub(super) disk: Option<Rc<dyn Disk>>,
    /// Paths that were asked for, with the file that was found.
    asked: Vec<(Rc<str>, Option<u32>)>,
    /// What is being run at the moment, from the outside in: a file, and the part of it.
    open: Vec<(u32, Rc<str>)>,
    /// What was named but what no one has run so far.
    promises: RefCell<Vec<Promise>>,
    /// Where something lies that was copied there, and where it comes from.
    pub(super) copies: Vec<(Rc<str>, Rc<str>)>,
    /// Paths of the container at work, each with the one of this machine that lies there.
    shared: Vec<(String, String)>,
    /// Files of which the promises are being fulfilled, from the outside in.
    loading: Vec<Rc<str>>,
    /// Bytes that were read.
    total: usize,
}

impl Reader {
    /// The file that is being read; `None` for the original text.
    pub(super) fn current(&self) -> Option<u32> {
        self.open.last().map(|(file, _)| *file)
    }
}

/// A text with blanks in the place of those lines that are not among some of them, in their order.
fn masked(text: &str, lines: &str) -> Option<String> {
    let mut kept = lines.lines().peekable();
    let mut masked = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if kept.next_if(|kept| *kept == line.trim_end_matches('\n')).is_some() {
            masked.push_str(line);
        } else {
            masked.extend(line.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        }
    }
    kept.peek().is_none().then_some(masked)
}

impl Runner {
    /// From now on, files that are run are read from there.
    pub fn set_disk(&mut self, disk: Option<Rc<dyn Disk>>) {
        self.disk.disk = disk;
    }

    /// Whether files are read at all.
    pub fn has_disk(&self) -> bool {
        self.disk.disk.is_some()
    }

    /// The text of a file that is run: what this command has written into it, else what lies on the disk.
    pub fn load(&mut self, scope: &Scope, path: &str) -> Option<Loaded> {
        if let Some(text) = self.file_at(scope, path) {
            // `cat a.sh > b.sh`: what was written there is a file.
            return self.fulfilled(scope, &text).or(Some(Loaded { text, file: None }));
        }
        let path = self.place(scope, path)?;
        self.load_from(scope, &path)
    }

    /// The same for a file of which a tool runs a part, such as a script of `package.json`: what cannot be read is no
    /// reason to ask about every call of the tool.
    pub fn look_up(&mut self, scope: &Scope, path: &str) -> Option<Loaded> {
        let before = self.analysis.notes.len();
        let loaded = self.load(scope, path);
        self.analysis.notes.truncate(before);
        loaded
    }

    /// A file is read as this text, which has the same lines.
    pub fn reads_as(&mut self, file: Option<u32>, text: &str) {
        if let Some(file) = file.and_then(|file| self.analysis.files.get_mut(file as usize)) {
            file.read_as = Some(Rc::from(text));
        }
    }

    /// Whether a file lies there on the disk.
    pub fn lies_on_disk(&self, scope: &Scope, path: &str) -> bool {
        let disk = self.disk.disk.as_ref().zip(self.on_disk(scope, path));
        disk.is_some_and(|(disk, path)| disk.has(&path))
    }

    /// Whether one of these files may lie in the folder of `scope`, or in the few above it. Most tools are called where
    /// there is none, and finding that out for each path by itself costs many times as much.
    pub fn may_lie_above(&self, scope: &Scope, names: &[&str], folders: usize) -> bool {
        // What the command has written or copied itself is known by its whole path.
        if !self.files.is_empty() || !self.disk.copies.is_empty() {
            return true;
        }
        let Some((disk, folder)) = self.disk.disk.as_ref().zip(self.on_disk(scope, ".")) else {
            return false;
        };
        let mut path = String::from(folder.trim_end_matches('/'));
        for _ in 0..folders {
            let end = path.len();
            for name in names {
                path.truncate(end);
                path.push('/');
                path.push_str(name);
                if disk.has(&path) {
                    return true;
                }
            }
            path.truncate(end);
            let Some(slash) = path.rfind('/') else { return false };
            path.truncate(slash);
        }
        false
    }

    fn load_from(&mut self, scope: &Scope, path: &Rc<str>) -> Option<Loaded> {
        let origins = self.origins(path);
        let file = origins.iter().find_map(|path| {
            match self.disk.asked.iter().find(|(asked, _)| asked == path) {
                Some((_, file)) => *file,
                // A fresh name: nothing lies there but what this command has put there.
                None if mark::any(path) => None,
                None => self.fetch(scope, path),
            }
        });
        let Some(file) = file else {
            // A copy of what the command has written.
            let text = origins.iter().find_map(|path| self.files.get(&**path))?.text();
            // What was added to a file that is not there promises that file itself: nothing stood in front of it.
            if self.disk.loading.contains(path) {
                return Some(Loaded { text: Rc::from(""), file: None });
            }
            self.disk.loading.push(Rc::clone(path));
            let loaded = self.fulfilled(scope, &text).or(Some(Loaded { text, file: None }));
            self.disk.loading.pop();
            return loaded;
        };
        let text = Rc::clone(&self.analysis.files.get(file as usize)?.text);
        Some(Loaded { text, file: Some(file) })
    }

    /// The path of a file that may be read; `None` where there is no disk, or no one knows the path.
    pub(super) fn on_disk(&self, scope: &Scope, path: &str) -> Option<Rc<str>> {
        self.place(scope, path).filter(|path| !mark::any(path))
    }

    /// The same for what may be a fresh name, as `mktemp` makes it: nothing lies there, but something may be put there.
    pub(super) fn place(&self, scope: &Scope, path: &str) -> Option<Rc<str>> {
        let unknown = |path: &str| mark::any(path) && path.contains(|c| mark::is_mark(c) && c != mark::TOKEN);
        if self.disk.disk.is_none() || path.is_empty() || unknown(path) {
            return None;
        }
        let path = match scope.place {
            Place::Here => scope.absolute(path),
            Place::Container => self.shared_with(&scope.absolute(path))?,
            Place::Remote => return None,
        };
        // `~` stays where no one says which folder that is; a device is not a file that an interpreter reads.
        let known = path.starts_with('/') || path.as_bytes().get(1) == Some(&b':');
        let device = path.starts_with("/dev/") || path.starts_with("/proc/") || path.starts_with("/sys/");
        (known && !device && !unknown(&path)).then(|| Rc::from(path))
    }

    /// What a container sees of this machine from now on; what it saw before.
    pub fn share(&mut self, shared: Vec<(String, String)>) -> Vec<(String, String)> {
        std::mem::replace(&mut self.disk.shared, shared)
    }

    /// The path of this machine that lies at one of the container at work.
    fn shared_with(&self, path: &str) -> Option<String> {
        self.disk.shared.iter().find_map(|(inside, here)| {
            let rest = path.strip_prefix(inside.trim_end_matches('/'))?;
            let is_below = rest.is_empty() || rest.starts_with('/');
            is_below.then(|| format!("{}{rest}", here.trim_end_matches('/')))
        })
    }

    fn fetch(&mut self, scope: &Scope, path: &Rc<str>) -> Option<u32> {
        let disk = Rc::clone(self.disk.disk.as_ref()?);
        let full = self.analysis.files.len() >= MAX_FILES || self.disk.asked.len() >= 4 * MAX_FILES;
        let read = match if full { Found::Unreadable } else { disk.read(path) } {
            Found::Nothing => None,
            Found::Unreadable => Some(None),
            Found::Text(text) => Some(Some((text, None))),
            Found::Recoded(text, bytes) => Some(Some((text, Some(bytes)))),
        };
        let file = match read {
            None => None,
            Some(Some((text, bytes))) if self.disk.total + text.len() <= MAX_TOTAL => {
                self.disk.total += text.len();
                // A file may do as much work as if it had been typed.
                self.grant(text.len());
                let scrubbed = mark::scrub(&text);
                let is_forged = matches!(scrubbed, Cow::Owned(_));
                let bytes = bytes.or_else(|| is_forged.then(|| text.as_bytes().to_vec()));
                let (text, original) = (Rc::from(scrubbed), bytes.map(Rc::from));
                self.analysis.files.push(ScriptFile { path: Rc::clone(path), text, original, read_as: None });
                u32::try_from(self.analysis.files.len() - 1).ok()
            }
            Some(_) => {
                // Kept with its path, so that whose it is can be asked.
                let file = u32::try_from(self.analysis.files.len()).ok();
                let unread =
                    ScriptFile { path: Rc::clone(path), text: Rc::from(""), original: None, read_as: None };
                self.analysis.files.push(unread);
                if !self.analysis.notes.iter().any(|note| note.kind == NoteKind::UnreadFile) {
                    let span = scope.origin.unwrap_or(self.at);
                    self.analysis.notes.push(Note { kind: NoteKind::UnreadFile, span, file });
                }
                None
            }
        };
        self.disk.asked.push((Rc::clone(path), file));
        file
    }

    /// Runs `work` on a file, or on a part of it such as a target. `None` if that is being run already, or if too many
    /// files lead there.
    pub fn in_file<T>(
        &mut self,
        scope: &mut Scope,
        (file, part): (Option<u32>, &str),
        work: impl FnOnce(&mut Self, &mut Scope) -> T,
    ) -> Option<T> {
        let opened = self.open_file(scope, (file, part))?;
        let done = work(self, scope);
        self.close_file(scope, &opened);
        Some(done)
    }

    /// Goes into a file, as [`Runner::in_file`] does for those that can hand over both.
    pub fn open_file(&mut self, scope: &mut Scope, (file, part): (Option<u32>, &str)) -> Option<Opened> {
        let counted = file.is_some();
        let outer = Opened { file: scope.file, origin: scope.origin, source: scope.source.clone(), counted };
        let Some(file) = file else { return Some(outer) };
        if self.disk.open.iter().any(|(open, of)| *open == file && **of == *part) {
            return None;
        }
        if self.disk.open.len() >= MAX_LEVELS {
            self.note(NoteKind::TooDeep, scope.origin.unwrap_or(self.at));
            return None;
        }
        // Places in a file count from its own beginning.
        (scope.file, scope.origin) = (Some(file), None);
        scope.source = self.analysis.files.get(file as usize).map(|file| Rc::from(&*file.path));
        self.disk.open.push((file, Rc::from(part)));
        Some(outer)
    }

    /// Back to where the file was run.
    pub fn close_file(&mut self, scope: &mut Scope, outer: &Opened) {
        if outer.counted {
            self.disk.open.pop();
        }
        (scope.file, scope.origin) = (outer.file, outer.origin);
        scope.source.clone_from(&outer.source);
    }

    /// Whether a text that an atom leads to is a file's own: then its places are the file's.
    pub fn is_own_text(&self, scope: &Scope, parent: u32) -> bool {
        scope.file.is_some()
            && self.analysis.atoms.get(parent as usize).is_some_and(|atom| atom.file != scope.file)
    }

    /// A mark for the content of a file on the disk, which is read where the content is run.
    pub(super) fn promise(&self, scope: &Scope, path: &str) -> Option<char> {
        self.promised(Promise::File(self.place(scope, path)?))
    }

    /// A mark for what a filter prints, which is computed where it is run. `None` where its input promises nothing.
    pub fn promise_output(&self, args: Vec<Arg>, input: &str, otherwise: char) -> Option<char> {
        let promised = self.promises_any() && input.contains(|c| mark::promised(c).is_some());
        promised
            .then(|| self.promised(Promise::Output { args: args.into(), input: input.into(), otherwise }))?
    }

    fn promised(&self, promise: Promise) -> Option<char> {
        let mut promises = self.disk.promises.borrow_mut();
        let number = promises.iter().position(|known| *known == promise).unwrap_or(promises.len());
        let mark = mark::promise(number)?;
        if number == promises.len() {
            promises.push(promise);
        }
        Some(mark)
    }

    /// A text that is run, with what it promises; `None` where it promises nothing that is there.
    pub fn fulfilled(&mut self, scope: &Scope, text: &str) -> Option<Loaded> {
        if !self.promises_any() || !text.contains(|c| mark::promised(c).is_some()) {
            return None;
        }
        let mut only = text.trim().chars();
        if let (Some(mark), None) = (only.next(), only.next()) {
            // The whole text is a file: what it runs has its places there.
            return self.kept(scope, mark);
        }
        let mut filled = String::new();
        for c in text.chars() {
            match self.kept(scope, c) {
                // As a substitution has it, the last line breaks are not part of it.
                Some(loaded) if self.spend(loaded.text.len()) => {
                    filled.push_str(loaded.text.trim_end_matches('\n'));
                }
                _ => filled.push(self.plain(c)),
            }
        }
        Some(Loaded { text: Rc::from(filled), file: None })
    }

    /// What a mark promises.
    fn kept(&mut self, scope: &Scope, mark: char) -> Option<Loaded> {
        let number = mark::promised(mark)?;
        let promise = self.disk.promises.borrow().get(number).cloned()?;
        let (args, input, otherwise) = match promise {
            // From where it was promised: `docker exec db psql < drop.sql` reads a file of this machine.
            Promise::File(path) => return self.load_from(scope, &path),
            Promise::Output { args, input, otherwise } => (args, input, otherwise),
        };
        // An input promises only what was promised before it: this ends.
        let Some(input) = self.fulfilled(scope, &input) else {
            return Some(Loaded { text: Rc::from(otherwise.to_string()), file: None });
        };
        // Filters of filters may hold one input many times over.
        let paid = self.spend(input.text.len() + 256);
        let printed = if paid { (self.registry.filter)(&args, &input.text) } else { None };
        let text = match printed {
            // Nothing was changed, and every line has its place.
            Some(printed) if *printed == *input.text => return Some(input),
            // Some of the lines: with blanks in the place of the others, they stay where they are in the file.
            Some(printed) if input.file.is_some() => {
                let masked = masked(&input.text, &printed);
                let file = input.file.filter(|_| masked.is_some());
                return Some(Loaded { text: Rc::from(masked.unwrap_or(printed)), file });
            }
            Some(printed) => Rc::from(printed),
            // A filter of lines mostly hands on the lines that matter.
            None if !matches!(otherwise, mark::DECODED | mark::REMOTE) => return Some(input),
            None => Rc::from(otherwise.to_string()),
        };
        Some(Loaded { text, file: None })
    }

    /// A mark as rules see it: what was not run is not known.
    fn plain(&self, c: char) -> char {
        match mark::promised(c).and_then(|number| self.disk.promises.borrow().get(number).cloned()) {
            Some(Promise::Output { otherwise, .. }) => otherwise,
            Some(Promise::File(_)) => mark::UNKNOWN,
            None => c,
        }
    }

    /// A text as rules see it: what was not run is not known.
    pub fn unpromised<'t>(&self, text: &'t str) -> Cow<'t, str> {
        // A byte tells that there is no mark, which is so in most texts.
        let promises = mark::any(text) && text.contains(|c| mark::promised(c).is_some());
        if !self.promises_any() || !promises {
            return Cow::Borrowed(text);
        }
        Cow::Owned(text.chars().map(|c| self.plain(c)).collect())
    }

    /// Whether some content of the disk is only promised so far.
    pub fn promises_any(&self) -> bool {
        !self.disk.promises.borrow().is_empty()
    }
}
