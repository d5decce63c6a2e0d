//! Where definitions lie, and a walk through them that ends.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use payload::{AgentForm, Host, Root};

use super::{Defined, Roster, head};

/// Files and folders that are looked at, over all places together.
const MAX_ENTRIES: usize = 5_000;
/// Folders inside each other that are gone into.
const MAX_DEPTH: u32 = 8;
/// Folders inside each other in which a plugin's `agents` is looked for.
const MAX_PLUGIN_DEPTH: u32 = 5;
/// How much of a definition is read, in bytes: its head.
const MAX_HEAD: u64 = 64 * 1024;
/// Folders above the one in which the agent works that are looked at.
const MAX_PARENTS: usize = 32;

/// A place, with the hosts that look there.
struct Place {
    path: &'static str,
    form: AgentForm,
    hosts: Vec<Host>,
}

/// The places of all hosts below such a root, each once.
fn places(below: Root) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for host in Host::NAMED {
        for place in host.traits().agents.places.iter().filter(|place| place.below == below) {
            match places.iter_mut().find(|known| known.path == place.path) {
                Some(known) => known.hosts.push(host),
                None => places.push(Place { path: place.path, form: place.form, hosts: vec![host] }),
            }
        }
    }
    places
}

/// Looks for the agents that exist for someone who works in `cwd`: those of the repository first.
///
/// A repository without agents is not looked into further: nothing is held back there.
pub(crate) fn look(cwd: Option<&str>, worktree: Option<&str>, home: Option<&str>) -> Roster {
    let mut walk = Walk { roster: Roster::default(), seen: 0, own: true };
    let Some(worktree) = worktree.map(Path::new).filter(|worktree| worktree.is_absolute()) else {
        return walk.roster;
    };
    let of_repository = places(Root::Repository);
    for folder in parents(cwd.map(Path::new), worktree, home.map(Path::new)) {
        for place in &of_repository {
            walk.place(place, folder, worktree);
        }
    }
    if !walk.roster.in_repository {
        return walk.roster;
    }
    walk.own = false;
    if let Some(home) = home.map(Path::new) {
        for place in places(Root::Home) {
            walk.place(&place, home, home);
        }
    }
    walk.roster
}

/// The working tree's root, and every folder from there to the one in which the agent works; never the user's home,
/// whose folders are the user's.
fn parents<'p>(cwd: Option<&'p Path>, worktree: &'p Path, home: Option<&Path>) -> Vec<&'p Path> {
    let below = cwd.filter(|cwd| cwd.starts_with(worktree)).unwrap_or(worktree);
    let inside = below.ancestors().take(MAX_PARENTS).take_while(|folder| folder.starts_with(worktree));
    let mut folders: Vec<&Path> = inside.filter(|folder| Some(*folder) != home).collect();
    if !folders.contains(&worktree) && Some(worktree) != home {
        // A root that is more than `MAX_PARENTS` above is looked at all the same: most definitions lie there.
        folders.push(worktree);
    }
    folders
}

struct Walk {
    roster: Roster,
    seen: usize,
    /// Whether this is the repository.
    own: bool,
}

impl Walk {
    fn place(&mut self, place: &Place, base: &Path, root: &Path) {
        let path = base.join(place.path);
        match fs::symlink_metadata(&path) {
            // A repository must not make the hook walk through folders elsewhere.
            Ok(about) if about.is_symlink() && !stays(&path, root) => return self.leaves(),
            Ok(_) => {}
            Err(error) => return self.missing(&error),
        }
        if place.form == AgentForm::Tables {
            let Some(text) = self.head(&path) else { return };
            let names: Vec<String> = head::tables(&text).collect();
            for name in names {
                self.found(name, place, true);
            }
            return;
        }
        self.folder(place, path, root);
    }

    fn folder(&mut self, place: &Place, first: PathBuf, root: &Path) {
        // A list and not recursion: a repository decides how deep its folders are.
        let mut open = vec![(first, 0, place.form != AgentForm::Plugins)];
        while let Some((folder, depth, inside)) = open.pop() {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) => {
                    self.missing(&error);
                    continue;
                }
            };
            for entry in entries {
                self.seen += 1;
                // What could not be seen may define the agent: then nothing is held back.
                if self.seen > MAX_ENTRIES {
                    return self.unseen("there are too many files");
                }
                let Ok(entry) = entry else { return self.unseen("a folder cannot be read") };
                let path = entry.path();
                let link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
                // Checked at each entry: a folder in the place may lead out although the place does not.
                if link && !stays(&path, root) {
                    self.leaves();
                    continue;
                }
                if !path.is_dir() {
                    if inside {
                        self.file(place, &path);
                    }
                    continue;
                }
                let name = entry.file_name();
                let inside = inside || name == "agents";
                // What else a plugin brings may lie as deep as it likes.
                let skipped = !inside && (depth == MAX_PLUGIN_DEPTH || is_other(&name));
                if depth == MAX_DEPTH {
                    self.unseen("folders are nested too deeply");
                } else if !skipped {
                    open.push((path, depth + 1, inside));
                }
            }
        }
    }

    /// One definition.
    fn file(&mut self, place: &Place, path: &Path) {
        let toml = place.form == AgentForm::Toml;
        let wanted = if toml { "toml" } else { "md" };
        if path.extension().is_none_or(|extension| extension != wanted) {
            return;
        }
        let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else {
            return self.unseen("a name is not a string");
        };
        let marked = stem.strip_suffix(".agent");
        // Unreadable, it still has a name.
        let Some(text) = self.head(path) else {
            return self.found(marked.unwrap_or(stem).to_owned(), place, marked.is_some());
        };
        let named = if toml { head::name_in_toml(&text) } else { head::name(&text) };
        // A `README.md` beside the agents is not an agent.
        let defines = toml || marked.is_some() || head::has_block(&text);
        let name = named.unwrap_or_else(|| marked.unwrap_or(stem).to_owned());
        self.found(name, place, defines);
    }

    fn found(&mut self, name: String, place: &Place, defines: bool) {
        // What may be a definition is a name that may be called, but does not switch the rules on.
        self.roster.in_repository |= self.own && defines;
        self.roster.defined.push(Defined { name, hosts: place.hosts.clone() });
    }

    /// The beginning of a file that is one.
    fn head(&mut self, path: &Path) -> Option<String> {
        // A pipe would keep the hook waiting.
        if !path.is_file() {
            return None;
        }
        let mut head = Vec::new();
        let read = File::open(path).and_then(|file| file.take(MAX_HEAD).read_to_end(&mut head));
        if read.is_err() {
            self.unseen("a file cannot be read");
            return None;
        }
        // The head may end inside a character, which must not cost the name.
        Some(String::from_utf8_lossy(&head).into_owned())
    }

    fn missing(&mut self, error: &io::Error) {
        // A place that is not there holds no agents; one that cannot be read may.
        if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) {
            self.unseen("a folder cannot be read");
        }
    }

    fn leaves(&mut self) {
        self.unseen("a link leads out of it");
    }

    fn unseen(&mut self, why: &'static str) {
        self.roster.unseen.get_or_insert(why);
    }
}

/// Folders of a plugin that hold no agents, and much else.
fn is_other(name: &OsStr) -> bool {
    name == "node_modules" || name.as_encoded_bytes().starts_with(b".")
}

/// Whether a path lies in `root` when its links are followed.
fn stays(path: &Path, root: &Path) -> bool {
    match (fs::canonicalize(path), fs::canonicalize(root)) {
        (Ok(path), Ok(root)) => path.starts_with(root),
        _ => false,
    }
}
