//! Files of the disk under other names: those that a command copies, moves or links before someone runs them, and those
//! that a pattern stands for.

use std::collections::VecDeque;
use std::rc::Rc;

use super::{Runner, Scope};
use crate::mark;
use crate::text::pattern;

/// Copies that one command makes and that are followed.
const MAX_COPIES: usize = 64;
/// Places that the content of one path may come from.
const MAX_ORIGINS: usize = 16;
/// Names in folders that one pattern is held against.
const MAX_ENTRIES: usize = 1024;
/// Files that one pattern stands for.
const MAX_MATCHES: usize = 48;
/// Folders below the first that `find` and `**` go down into.
const MAX_DEPTH: usize = 4;

/// What lies in a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Its name there.
    pub name: String,
    /// Whether it is a folder itself.
    pub is_folder: bool,
}

impl Runner {
    /// Remembers that what lies at `from` lies at `to` as well from now on: a file, or a folder with all that is in it.
    pub fn copied(&mut self, scope: &Scope, from: &str, to: &str) {
        let (Some(from), Some(to)) = (self.place(scope, from), self.place(scope, to)) else { return };
        if from == to || self.disk.copies.len() >= MAX_COPIES {
            return;
        }
        // What this command has written there before is gone.
        self.files.remove(&*to);
        self.disk.copies.push((Rc::clone(&to), from));
        self.copy_planted(scope, &to);
    }

    /// Whether this command has copied something to where a path leads.
    pub fn is_copy(&self, scope: &Scope, path: &str) -> bool {
        !self.disk.copies.is_empty()
            && self.place(scope, path).is_some_and(|path| self.disk.copies.iter().any(|(to, _)| *to == path))
    }

    /// Whether this command has written or copied a file of that name, wherever.
    pub fn has_made(&self, name: &str) -> bool {
        let named = |path: &str| path.strip_suffix(name).is_some_and(|folder| folder.ends_with('/'));
        self.files.keys().any(|path| named(path)) || self.disk.copies.iter().any(|(to, _)| named(to))
    }

    /// What a pattern finds among the files that this command has made, if their names read as more than names.
    pub fn odd_names(&self, scope: &Scope, pattern: &str) -> Vec<String> {
        if self.files.is_empty() {
            return Vec::new();
        }
        let is_odd = |path: &String| path.contains([' ', ';', '$', '`', '|', '&', '\t']);
        let folder = pattern.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
        let odd = self.made(&scope.absolute(pattern)).into_iter().filter(is_odd);
        odd.map(|path| format!("{folder}{}", crate::path::file_name(&path))).collect()
    }

    /// The file of that name that this command has written, wherever.
    pub fn made_named(&self, name: &str) -> Option<String> {
        let named = |path: &&String| path.strip_suffix(name).is_some_and(|folder| folder.ends_with('/'));
        self.files.keys().filter(named).min().cloned()
    }

    /// Whether this command has written a file whose path begins so.
    pub fn has_made_below(&self, beginning: &str) -> bool {
        self.files.keys().any(|path| path.starts_with(beginning))
    }

    /// Where the content of a path may come from: the latest copy first, the path itself last.
    pub(super) fn origins(&self, path: &Rc<str>) -> Vec<Rc<str>> {
        let mut found = Vec::new();
        self.add_origins(path, self.disk.copies.len(), &mut found);
        found
    }

    /// The same with the first copies alone: one that was made later has not changed what an earlier one took.
    fn add_origins(&self, path: &Rc<str>, copies: usize, found: &mut Vec<Rc<str>>) {
        for (number, (at, from)) in self.disk.copies.iter().enumerate().take(copies).rev() {
            if let Some(below) = path.strip_prefix(&**at)
                && (below.is_empty() || below.starts_with('/'))
            {
                let origin = Rc::from(format!("{}{below}", from.trim_end_matches('/')));
                self.add_origins(&origin, number, found);
            }
        }
        if found.len() < MAX_ORIGINS {
            found.push(Rc::clone(path));
        }
    }

    /// The files that a path names, as a shell would find them where it is a pattern; else the path itself.
    pub fn paths(&mut self, scope: &Scope, path: &str) -> Vec<String> {
        let itself = || vec![path.to_owned()];
        let searched = |c: char| mark::is_glob(c) || c == mark::ENTRY;
        if !self.has_disk() || !path.contains(searched) {
            return itself();
        }
        // `$(ls sub)` is every path below `sub`, of which `ls` prints the names alone: `sub/$f`.
        let own = path.split_once("//").and_then(|(folder, listed)| {
            Some(format!("{folder}/{}", listed.get(listed.find(mark::is_mark)?..)?))
        });
        let absolute = scope.absolute(own.as_deref().unwrap_or(path));
        // What is not known at all matches everything, which would be every file of the machine.
        let known = |c: char| !mark::is_mark(c) || searched(c) || c == mark::TOKEN;
        if !absolute.starts_with('/') || !absolute.chars().all(known) {
            return itself();
        }
        let mut found = self.made(&absolute);
        for origin in self.origins(&Rc::from(absolute)) {
            let parts: Vec<&str> = origin.split('/').filter(|part| !part.is_empty()).collect();
            found.extend(self.search(&parts));
        }
        if found.is_empty() { itself() } else { found }
    }

    /// What the command itself has written or copied to where a pattern finds it.
    fn made(&self, pattern: &str) -> Vec<String> {
        let matches = |path: &str| {
            path.split('/').count() == pattern.split('/').count()
                && pattern.split('/').zip(path.split('/')).all(|(part, name)| is_named(part, name))
        };
        let copies = self.disk.copies.iter().map(|(to, _)| &**to);
        let mut made: Vec<&str> = self.files.keys().map(String::as_str).chain(copies).collect();
        made.retain(|path| matches(path));
        // Files are kept in no order.
        made.sort_unstable();
        made.dedup();
        made.truncate(MAX_MATCHES);
        made.into_iter().map(str::to_owned).collect()
    }

    /// The files below the root folder that these parts of a path match.
    fn search(&mut self, parts: &[&str]) -> Vec<String> {
        let Some(disk) = self.disk.disk.clone() else { return Vec::new() };
        let mut found: Vec<String> = Vec::new();
        let mut seen = 0;
        // A folder, the parts that are left below it, and how many folders lie between.
        let mut open = VecDeque::from([(String::new(), 0, 0)]);
        while let Some((folder, mut at, depth)) = open.pop_front() {
            let mut folder = folder;
            while let Some(part) = parts.get(at).filter(|part| !mark::any(part)) {
                folder = format!("{folder}/{part}");
                at += 1;
            }
            let Some(part) = parts.get(at) else {
                // The last part was a plain name: whether it is there shows when it is read.
                found.push(folder);
                continue;
            };
            let anywhere = part.contains(mark::ENTRY);
            let last = at + 1 + usize::from(anywhere && at + 2 == parts.len()) >= parts.len();
            let wanted = if anywhere { parts.get(at + 1) } else { Some(part) };
            for Entry { name, is_folder } in disk.list(&folder) {
                seen += 1;
                if seen > MAX_ENTRIES || found.len() >= MAX_MATCHES {
                    return found;
                }
                let path = format!("{folder}/{name}");
                let matches = wanted.is_none_or(|wanted| is_named(wanted, &name));
                if last && matches && !is_folder {
                    found.push(path.clone());
                }
                // No project keeps its scripts in there.
                if !is_folder || matches!(name.as_str(), ".git" | "node_modules") {
                    continue;
                }
                if anywhere && depth < MAX_DEPTH {
                    open.push_back((path.clone(), at, depth + 1));
                }
                if !last && matches {
                    open.push_back((path, at + 1 + usize::from(anywhere), depth));
                }
            }
        }
        found
    }
}

/// Whether a part of a path matches a name, as in a shell: a pattern finds no hidden file.
fn is_named(part: &str, name: &str) -> bool {
    let hidden = name.starts_with('.') && part.starts_with(mark::is_mark);
    !hidden && (pattern::matches(part, name) || part.contains(mark::TOKEN))
}
