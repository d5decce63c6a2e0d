//! What steps do to places of files: what is copied, moved, unpacked over others, and written down beside them.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use git2::{DiffFlags, DiffOptions, Patch};
use rules::loss::Source;

use crate::apply::{Applied, Done};
use crate::archive;
use crate::paths::Spec;
use crate::state::{Content, File, Name};

/// As many files are looked at that are put somewhere.
const LISTED: usize = 10_000;

/// A file that is put into a folder: its name there, and where it lies now, if it does.
type Brought = (PathBuf, Option<PathBuf>);

impl Applied<'_, '_> {
    /// Puts files over those that are there.
    pub(crate) fn put(&mut self, from: &Source, into: &str) -> Option<Done> {
        let into = std::fs::canonicalize(into).ok()?;
        let brought: Vec<Brought> = match from {
            Source::Paths(paths) => {
                let mut brought = Vec::new();
                for path in paths {
                    list(path, &mut brought)?;
                }
                brought
            }
            Source::Archive { path, only } => {
                let names = archive::names(Path::new(path))?;
                let plain = names.iter().map(|name| name.trim_start_matches("./").trim_start_matches('/'));
                let is_meant = |name: &&str| {
                    only.is_empty()
                        || only.iter().any(|only| {
                            let only = only.trim_start_matches("./").trim_end_matches('/');
                            name.strip_prefix(only)
                                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                        })
                };
                plain.filter(is_meant).map(|name| (PathBuf::from(name), None)).collect()
            }
            Source::Commit(revision) => {
                let commit = self.commit_of(Some(revision))??;
                let files = self.world.files_of(self.state, commit)?;
                files.keys().map(|name| (repository::to_path(name).to_owned(), None)).collect()
            }
        };
        for (name, source) in brought {
            let full = into.join(name);
            let same = source.is_some_and(|source| holds_the_same(&source, &full));
            if !same && std::fs::symlink_metadata(&full).is_ok_and(|facts| !facts.is_dir()) {
                self.overwrite_one(&full);
            }
        }
        Some(Done::Yes)
    }

    /// Where a path lies in the tree, if it does. What is not there yet lies where it is written.
    fn inside(&self, full: &str) -> Option<Name> {
        let full = Path::new(full);
        let root = std::fs::canonicalize(self.world.root()).ok()?;
        let real = match (full.parent().map(std::fs::canonicalize), full.file_name()) {
            (Some(Ok(folder)), Some(name)) => folder.join(name),
            _ => full.to_owned(),
        };
        let name = real.strip_prefix(&root).or_else(|_| full.strip_prefix(self.world.root())).ok()?;
        Some(name.as_os_str().as_encoded_bytes().to_vec())
    }

    /// The files at a path, and below it, with what follows it in their names.
    fn files_at(&self, path: &[u8]) -> Vec<(Name, Name, File)> {
        let all = self.state.tree.keys().chain(self.state.index.keys());
        let rest = |name: &Name| match name.strip_prefix(path) {
            Some(rest) if path.is_empty() || rest.is_empty() || rest.starts_with(b"/") => Some(rest.to_vec()),
            _ => None,
        };
        let found = all.filter_map(|name| Some((name.clone(), rest(name)?)));
        let mut found: Vec<_> = found
            .filter_map(|(name, rest)| {
                let file = self.world.file(self.state, &name)?.clone();
                Some((name, rest, file))
            })
            .collect();
        found.sort_by(|one, other| one.0.cmp(&other.0));
        found.dedup_by(|one, other| one.0 == other.0);
        found
    }

    /// Gives files and folders another path.
    pub(crate) fn relocate(
        &mut self,
        from: &[String],
        to: &str,
        (staged, forced): (bool, bool),
    ) -> Option<Done> {
        for original in from {
            let source = original;
            let (source, target) = if staged {
                let full = |text: &str| match Spec::new(text, &self.prefix, self.world.root())? {
                    Spec::Plain(name) => {
                        self.world.root().join(repository::to_path(&name)).to_str().map(str::to_owned)
                    }
                    _ => None,
                };
                let place = place(&full(source)?, &full(to)?);
                (self.inside(&full(source)?), self.inside(&place))
            } else {
                (self.inside(source), self.inside(&place(source, to)))
            };
            let in_the_way = target.as_ref().is_some_and(|target| {
                self.world.file(self.state, target).is_some() || self.world.has_on_disk(target)
            });
            if !forced && in_the_way {
                return Some(Done::Perhaps);
            }
            let outside = place(original, to);
            match (source, target) {
                (Some(source), target) => self.carry(&source, target.as_deref(), &outside, staged),
                (None, Some(target)) => {
                    self.overwrite_one(&self.world.root().join(repository::to_path(&target)));
                }
                (None, None) => {}
            }
        }
        Some(Done::Yes)
    }

    /// Takes what lies at a path to another one, or out of the tree.
    fn carry(&mut self, source: &[u8], target: Option<&[u8]>, outside: &str, staged: bool) {
        let mut index = staged.then(|| (*self.state.index).clone());
        for (name, rest, file) in self.files_at(source) {
            self.state.tree.insert(name.clone(), None);
            let Some(target) = target else {
                self.save(&file, outside, &rest);
                continue;
            };
            let new = [target, rest.as_slice()].concat();
            self.state.tree.insert(new.clone(), Some(file));
            if let Some(index) = &mut index
                && let Some(entry) = index.remove(&name)
            {
                index.insert(new, entry);
            }
        }
        if let Some(index) = index {
            self.state.index = Rc::new(index);
        }
    }

    /// Copies files and folders.
    pub(crate) fn duplicate(&mut self, from: &[String], to: &str) {
        for source in from {
            let outside = place(source, to);
            let target = self.inside(&outside);
            match (self.inside(source), target) {
                (Some(source), target) => {
                    for (_, rest, file) in self.files_at(&source) {
                        match &target {
                            Some(target) => {
                                self.state.tree.insert([target.as_slice(), &rest].concat(), Some(file));
                            }
                            None => self.save(&file, &outside, &rest),
                        }
                    }
                }
                (None, Some(target)) => {
                    self.overwrite_one(&self.world.root().join(repository::to_path(&target)));
                }
                (None, None) => {}
            }
        }
    }

    /// What a file holds lies somewhere outside as well.
    fn save(&mut self, file: &File, place: &str, rest: &[u8]) {
        let place = format!("{place}{}", String::from_utf8_lossy(rest));
        match &file.content {
            Content::Disk(name) => self.state.copies.insert(place, name.clone()),
            _ => self.state.copies.remove(&place),
        };
    }

    /// Changes are written down as a patch: on what is staged, which has to be committed then, or on the current commit.
    pub(crate) fn save_patch(&mut self, on_head: bool) -> Option<Done> {
        let git = self.world.git;
        let settings = git.config().ok()?;
        let mut all = settings.entries(None).ok()?;
        while let Some(Ok(entry)) = all.next() {
            // Then a patch is for people.
            let name = entry.name().unwrap_or_default();
            if name.starts_with("diff.")
                && ["textconv", "external", "command"].iter().any(|key| name.ends_with(key))
            {
                return Some(Done::Yes);
            }
        }
        let head = self.files_of_head()?;
        let mut saved = Vec::new();
        for (path, file) in &self.state.tree {
            let Some(File { content: Content::Disk(name), .. }) = file else { continue };
            let staged = self.state.index.get(path);
            if staged.is_none() || name != path || !on_head && staged != head.get(path) {
                continue;
            }
            let mut options = DiffOptions::new();
            options.pathspec(path.as_slice()).disable_pathspec_match(true);
            let diff = git.diff_index_to_workdir(None, Some(&mut options)).ok()?;
            let patch = Patch::from_diff(&diff, 0).ok().flatten();
            if patch.is_some_and(|patch| patch.delta().flags().contains(DiffFlags::NOT_BINARY)) {
                saved.push(name.clone());
            }
        }
        self.state.saved.extend(saved);
        Some(Done::Yes)
    }
}

/// The path that one of several gets, if all go to `to`.
fn place(from: &str, to: &str) -> String {
    let name = from.rsplit('/').next().unwrap_or(from);
    let plain = to.trim_end_matches('/');
    let is_folder = to.ends_with('/') || Path::new(plain).is_dir();
    if is_folder { format!("{plain}/{name}") } else { plain.to_owned() }
}

fn holds_the_same(one: &Path, other: &Path) -> bool {
    let length = |path: &Path| {
        std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file).map(|facts| facts.len())
    };
    let lengths = (length(one), length(other));
    lengths.0.is_some()
        && lengths.0 == lengths.1
        && lengths.0 < Some(1 << 20)
        && std::fs::read(one).ok() == std::fs::read(other).ok()
}

/// What a path stands for, by the names under which it arrives. `None` for what is not there, or too much.
fn list(path: &str, brought: &mut Vec<Brought>) -> Option<()> {
    if let Some(folder) = path.strip_suffix("/.") {
        return walk(Path::new(folder), Path::new(""), brought);
    }
    let full = Path::new(path);
    let (folder, name) = (full.parent()?, full.file_name()?.to_str()?);
    if !name.contains('*') {
        return one(full, Path::new(name), brought);
    }
    if folder.to_str()?.contains('*') {
        return None;
    }
    for entry in std::fs::read_dir(folder).ok()? {
        let entry = entry.ok()?;
        let found = entry.file_name();
        if is_meant(name.as_bytes(), found.as_encoded_bytes()) {
            one(&entry.path(), Path::new(&found), brought)?;
        }
    }
    Some(())
}

/// Whether a pattern of the shell names a file.
fn is_meant(pattern: &[u8], name: &[u8]) -> bool {
    let hidden = name.starts_with(b".") && !pattern.starts_with(b".");
    !hidden && crate::paths::is_globbed(pattern, name)
}

fn one(full: &Path, name: &Path, brought: &mut Vec<Brought>) -> Option<()> {
    if std::fs::symlink_metadata(full).ok()?.is_dir() {
        return walk(full, name, brought);
    }
    brought.push((name.to_owned(), Some(full.to_owned())));
    (brought.len() <= LISTED).then_some(())
}

fn walk(folder: &Path, name: &Path, brought: &mut Vec<Brought>) -> Option<()> {
    for entry in std::fs::read_dir(folder).ok()? {
        let entry = entry.ok()?;
        if entry.file_name() != ".git" {
            one(&entry.path(), &name.join(entry.file_name()), brought)?;
        }
    }
    Some(())
}
