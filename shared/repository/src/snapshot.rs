//! What is in a working tree, so exactly that two equal fingerprints mean equal files.
//!
//! A file that git holds for unchanged stands with the object that git has of it; git compares size, times (also the
//! change time, which no program can set) and, where a clock's tick leaves doubt, content. Every other file is read.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, Metadata};
use std::path::Path;
use std::time::Instant;

use git2::{ObjectType, Oid, Pathspec, PathspecFlags, Status};
use sha2::{Digest as _, Sha256};

use crate::facts::status_options;
use crate::{Repository, RepositoryError};

/// A file above this size, in bytes, stands with its size and times instead of its content.
const LARGE: u64 = 32 << 20;

/// A digest that is equal for equal files.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// In hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Patterns of paths, as in `.gitignore`: `src/**`, `*.rs`.
pub struct Paths(Option<Pathspec>);

impl std::fmt::Debug for Paths {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "Paths(some)" } else { "Paths(all)" })
    }
}

impl Paths {
    /// All paths that match one of `patterns`; without patterns, all.
    pub fn new(patterns: &[String]) -> Result<Self, RepositoryError> {
        if patterns.is_empty() {
            return Ok(Self(None));
        }
        Pathspec::new(patterns).map(|spec| Self(Some(spec))).map_err(|error| {
            RepositoryError::new("read the patterns", Path::new(&patterns.join(" ")), &error)
        })
    }

    fn has(&self, path: &[u8]) -> bool {
        std::str::from_utf8(path).is_ok_and(|path| self.matches(Path::new(path)))
    }

    /// Whether a path, relative to the root, matches.
    pub fn matches(&self, path: &Path) -> bool {
        self.0.as_ref().is_none_or(|spec| spec.matches_path(path, PathspecFlags::USE_CASE))
    }
}

/// The mode of a file, and its object or what stands for it.
type File = (u32, String);

/// The files of a working tree at one moment.
#[derive(Debug, Clone)]
pub struct Snapshot {
    known: Known,
    /// What lies where the working tree is not as the index has it.
    changed: BTreeMap<Vec<u8>, Option<File>>,
    /// What git says beyond the files: the commit, an unfinished operation, what is staged.
    beside: String,
}

/// The files of the index.
#[derive(Debug, Clone)]
enum Known {
    Read(BTreeMap<Vec<u8>, File>),
    /// Taken apart only where someone asks: what is changed says whether a tree is the one of before.
    #[cfg(target_os = "linux")]
    Plain(Vec<u8>),
}

impl Known {
    fn files(&self) -> BTreeMap<Vec<u8>, File> {
        match self {
            Self::Read(files) => files.clone(),
            #[cfg(target_os = "linux")]
            Self::Plain(index) => {
                let mut files = BTreeMap::new();
                crate::quick::entries(index, |path, mode, object| {
                    let object = Oid::from_bytes(object).map(|object| object.to_string());
                    files.insert(path.to_owned(), (mode, object.unwrap_or_default()));
                });
                files
            }
        }
    }
}

impl Snapshot {
    /// A digest of the files that match: content, names and modes; the same before and after a commit.
    pub fn files(&self, paths: &Paths) -> Fingerprint {
        let mut files = self.known.files();
        for (path, file) in &self.changed {
            match file {
                Some(file) => files.insert(path.clone(), file.clone()),
                None => files.remove(path),
            };
        }
        let mut digest = Sha256::new();
        for (path, file) in files.iter().filter(|(path, _)| paths.has(path)) {
            add(&mut digest, path, file);
        }
        finish(digest)
    }

    /// A digest of the files and of everything that git says about them: a commit changes it.
    pub fn whole(&self) -> Fingerprint {
        // The commit and what differs from it are all there is.
        let mut digest = Sha256::new();
        digest.update((self.beside.len() as u64).to_le_bytes());
        digest.update(&self.beside);
        for (path, file) in &self.changed {
            digest.update([u8::from(file.is_some())]);
            add(&mut digest, path, file.as_ref().unwrap_or(&(0, String::new())));
        }
        finish(digest)
    }
}

fn add(digest: &mut Sha256, path: &[u8], (mode, object): &File) {
    for part in [path, object.as_bytes()] {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    digest.update(mode.to_le_bytes());
}

fn finish(digest: Sha256) -> Fingerprint {
    let mut text = String::with_capacity(64);
    for byte in digest.finalize() {
        let _ = write!(text, "{byte:02x}");
    }
    Fingerprint(text)
}

/// A path with what git says about it, byte for byte: two names that are not text must not look alike.
fn note(beside: &mut String, path: &[u8], says: std::fmt::Arguments<'_>) {
    let _ = write!(beside, "\n{says} ");
    beside.extend(path.iter().map(|byte| char::from(*byte)));
}

impl Repository {
    /// The files as they are now. Ignored files and what is inside nested repositories are not part of it.
    pub fn snapshot(&self, until: Instant) -> Result<Snapshot, RepositoryError> {
        self.in_time(until)?;
        #[cfg(target_os = "linux")]
        if let Some(look) = self.quick_look() {
            let mut beside = self.commit_and_operation();
            let mut changed = BTreeMap::new();
            for (path, bits) in look.changes() {
                self.in_time(until)?;
                note(&mut beside, path, format_args!("{} None", bits.bits()));
                changed.insert(path.to_owned(), as_it_is(&self.root().join(to_path(path))));
            }
            return Ok(Snapshot { known: Known::Plain(look.index), changed, beside });
        }
        self.read_snapshot(until)
    }

    /// The time is looked at where each further file costs some: libgit2 cannot be interrupted.
    fn in_time(&self, until: Instant) -> Result<(), RepositoryError> {
        if Instant::now() < until {
            Ok(())
        } else {
            Err(RepositoryError::TooLong { path: self.root().to_owned() })
        }
    }

    fn commit_and_operation(&self) -> String {
        format!("{:?} {:?}", self.head(), self.operation())
    }

    /// The same, by libgit2 alone.
    fn read_snapshot(&self, until: Instant) -> Result<Snapshot, RepositoryError> {
        let (mut beside, mut changed) = (self.commit_and_operation(), BTreeMap::new());
        let mut files = BTreeMap::new();
        let index = self.git.index().map_err(|error| self.failed("read the index of", &error))?;
        for entry in index.iter() {
            let stage = (entry.flags >> 12) & 3;
            // Which commit of a submodule is staged, git may be told not to say.
            if entry.mode == 0o160_000 {
                note(&mut beside, &entry.path, format_args!("{}", entry.id));
            }
            // The sides of a conflict have no object that stands for the file.
            if stage == 0 {
                files.insert(entry.path, (entry.mode, entry.id.to_string()));
            }
        }
        let statuses = self
            .git
            .statuses(Some(&mut status_options()))
            .map_err(|error| self.failed("read the status of", &error))?;
        let in_the_tree = Status::WT_NEW
            | Status::WT_MODIFIED
            | Status::WT_DELETED
            | Status::WT_TYPECHANGE
            | Status::WT_RENAMED
            | Status::WT_UNREADABLE
            | Status::CONFLICTED;
        for entry in statuses.iter() {
            self.in_time(until)?;
            let path = entry.path_bytes();
            // With what is staged there, as another may have been before.
            let staged = entry.status().difference(in_the_tree).bits() != 0;
            let staged = files.get(path).filter(|_| staged);
            note(&mut beside, path, format_args!("{} {staged:?}", entry.status().bits()));
            if entry.status().intersects(in_the_tree) {
                changed.insert(path.to_owned(), as_it_is(&self.root().join(to_path(path))));
            }
        }
        Ok(Snapshot { known: Known::Read(files), changed, beside })
    }
}

/// The mode and object of what lies at `path`; `None` when nothing does.
pub(crate) fn as_it_is(path: &Path) -> Option<(u32, String)> {
    let facts = fs::symlink_metadata(path).ok()?;
    if facts.is_symlink() {
        // As git has it: the content of a link is where it leads.
        let target = fs::read_link(path).ok()?;
        let object = Oid::hash_object(ObjectType::Blob, target.as_os_str().as_encoded_bytes()).ok()?;
        return Some((0o120_000, object.to_string()));
    }
    if facts.is_dir() {
        // A nested repository stands with what it has checked out.
        let head = git2::Repository::open(path).ok().and_then(|inner| inner.head().ok()?.target());
        return Some((0o160_000, head.map_or_else(String::new, |head| head.to_string())));
    }
    if facts.is_file() && facts.len() <= LARGE {
        let object = Oid::hash_file(ObjectType::Blob, path).map(|object| object.to_string());
        return Some((mode(&facts), object.unwrap_or_else(|_| "unreadable".to_owned())));
    }
    Some((mode(&facts), identity(&facts)))
}

/// The mode that git notes for a file with these facts.
#[cfg(unix)]
pub fn mode(facts: &Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    // As git has it: its owner may execute it or not, and nothing else counts.
    if facts.permissions().mode() & 0o100 == 0 { 0o100_644 } else { 0o100_755 }
}

/// The mode that git notes for a file with these facts.
#[cfg(not(unix))]
pub fn mode(_facts: &Metadata) -> u32 {
    0o100_644
}

/// What changes whenever someone writes to a file that is too large to read.
#[cfg(unix)]
fn identity(facts: &Metadata) -> String {
    use std::os::unix::fs::MetadataExt as _;
    format!(
        "{} {}.{} {}.{} {}",
        facts.len(),
        facts.mtime(),
        facts.mtime_nsec(),
        facts.ctime(),
        facts.ctime_nsec(),
        facts.ino()
    )
}

#[cfg(not(unix))]
fn identity(facts: &Metadata) -> String {
    format!("{} {:?}", facts.len(), facts.modified().ok())
}

/// A path as git writes it.
#[cfg(unix)]
pub fn to_path(bytes: &[u8]) -> &Path {
    use std::os::unix::ffi::OsStrExt as _;
    Path::new(std::ffi::OsStr::from_bytes(bytes))
}

/// A path as git writes it.
#[cfg(not(unix))]
pub fn to_path(bytes: &[u8]) -> &Path {
    Path::new(std::str::from_utf8(bytes).unwrap_or_default())
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::process::Command;
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    const BASE: &str = "git init -q -b main .; mkdir -p src/deep; for f in a src/b src/deep/c '[d]*'; do echo $f > \"$f\"; done; printf 'x\\ny\\n' > e.txt; echo '*.o' > .gitignore; git add .; git commit -qm base";

    /// What people, programs and git do to a working tree.
    const STEPS: &[&str] = &[
        "echo more >> a",
        "echo b > src/b",
        "printf 'A\n' > a",
        "touch -r a stamp; printf 'X\n' > a; touch -r stamp a; rm stamp",
        "touch a src/b",
        "touch -d 2001-01-01 a src/b e.txt",
        "cat a > copy; mv copy a",
        "chmod +x src/b",
        "rm -f src/deep/c",
        "rm -rf src/deep",
        "mv a src/a",
        "git mv -f src/b b",
        "rm -f a; ln -s src/b a",
        "ln -sf nowhere src/link",
        "mv src src2; ln -s src2 src",
        "rm -rf a; mkdir a; echo in > a/x",
        "echo new > new",
        "echo new > src/new",
        "printf 'one\ntwo' > src/new",
        "printf 'a\\0b\n' > new",
        "printf '*.txt -diff\nnew binary\n' > .gitattributes",
        "mkdir -p fresh; echo new > fresh/x",
        "mkdir -p made; : > made/x.o; : > src/x.o",
        "mkfifo pipe",
        "printf 'x\r\ny\r\n' > e.txt",
        "echo '*.txt text eol=crlf' > .gitattributes",
        "echo '*.txt text' > .git/info/attributes; touch -d 2002-02-02 e.txt",
        "echo 'src/new' >> .gitignore",
        "echo new > .git/info/exclude",
        "git add -A",
        "git add -N new",
        "git commit -qam more",
        "git rm -q --cached a",
        "git stash -q",
        "git reset -q --hard",
        "git status",
        "git checkout -q --detach",
        "git update-index --assume-unchanged src/b",
        "git update-index --skip-worktree src/b",
        "git update-index --index-version 4",
        "git update-index --untracked-cache",
        "git sparse-checkout set --cone src",
        "git config core.fileMode false",
        "git config core.ignoreCase true; mv a A",
        "git init -q nested",
        "git init -q nested; git -C nested commit -q --allow-empty -m in; git add nested",
        "git worktree add -q ../linked; cd ../linked",
        "git gc -q",
        "printf x > \"$(printf 'bad\\377')\"",
    ];

    /// Where the steps lead. A step that cannot be done here is passed over.
    fn played(folder: &Path, steps: &[&str]) -> Repository {
        let script = format!(
            "git() {{ command git -c user.name=t -c user.email=t@t.test -c commit.gpgsign=false \"$@\"; }}\n{BASE}\n{}\npwd > \"$WHERE\"",
            steps.join("\n")
        );
        let (tree, place) = (folder.join("tree"), folder.join("where"));
        fs::create_dir(&tree).unwrap();
        let output =
            Command::new("sh").args(["-c", &script]).env("WHERE", &place).current_dir(&tree).output();
        assert!(output.unwrap().status.success());
        let place = fs::read_to_string(place).unwrap();
        Repository::around(Path::new(place.trim())).unwrap().unwrap()
    }

    /// A path as `git status` has it, with what is said about it.
    fn shown((path, bits): (&&[u8], &Status)) -> String {
        let letters = match *bits {
            Status::WT_NEW => "??",
            Status::WT_DELETED => " D",
            _ => " M",
        };
        format!("{letters} {}", path.escape_ascii())
    }

    /// What git itself says, without renewing the index.
    fn by_git(folder: &Path) -> Vec<String> {
        let mut git = Command::new("git");
        git.args(["--no-optional-locks", "status", "--porcelain", "-z", "--untracked-files=all"]);
        let output = git.current_dir(folder).output().unwrap();
        assert!(output.status.success());
        let records = output.stdout.split(|byte| *byte == 0).filter(|record| !record.is_empty());
        let mut records: Vec<_> = records.map(|record| record.escape_ascii().to_string()).collect();
        records.sort_by(|one, other| one[3..].cmp(&other[3..]));
        records
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_quick_look_sees_what_libgit2_sees(
            steps in prop::collection::vec(prop::sample::select(STEPS), 0..7),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let repository = played(folder.path(), &steps);
            if let Some(look) = repository.quick_look() {
                let quick: Vec<String> = look.changes().iter().map(shown).collect();
                prop_assert_eq!(quick, by_git(repository.root()), "{:?}", steps);
            }
            let until = Instant::now() + Duration::from_mins(1);
            let (one, other) = (repository.snapshot(until).unwrap(), repository.read_snapshot(until).unwrap());
            let all = Paths::new(&[]).unwrap();
            prop_assert_eq!(one.files(&all), other.files(&all), "{:?}\n{:?}\n{:?}", steps, one, other);
            prop_assert_eq!(one.whole(), other.whole(), "{:?}\n{:?}\n{:?}", steps, one, other);
            // libgit2 refuses some trees, such as one that folds case where the disk does not.
            let any = |_: &str, _: &str| true;
            let (one, other) = (repository.added(None, &any).ok(), repository.read_added(None, &any).ok());
            prop_assert_eq!(one, other, "{:?}", steps);
        }
    }
}
