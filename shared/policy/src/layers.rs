//! Who says what: the layers of policy files, and what is left of one that is broken.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chrono::{DateTime, Utc};
use store::settings::{Found, Why};

use crate::error::{PolicyError, Problem};
use crate::model::{Defaults, Layer, Limits, NoPrompt, Policy, Unresolved};
use crate::programs::Programs;
use crate::read::{MAX_FILE, read, read_for_hook};

/// Where policy files are.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// The folder of the machine's files.
    pub system: Option<PathBuf>,
    /// The user's file.
    pub user: Option<PathBuf>,
    /// The record of what the user trusts.
    pub trust: Option<PathBuf>,
    /// The user who must own the machine's files, by number; root.
    pub owner: u32,
}

impl Places {
    /// The places of this machine. No environment variable but the home folder moves them: what an agent sets for a
    /// program that it starts must not choose a policy.
    pub fn here(home: Option<&str>) -> Self {
        let home = home.map(Path::new);
        let (system, user) = if cfg!(windows) {
            (r"C:\ProgramData\policy-hooks\policy.d", "AppData/Roaming/policy-hooks")
        } else if cfg!(target_os = "macos") {
            ("/Library/Application Support/policy-hooks/policy.d", ".config/policy-hooks")
        } else {
            ("/etc/policy-hooks/policy.d", ".config/policy-hooks")
        };
        Self {
            system: Some(PathBuf::from(system)),
            user: home.map(|home| home.join(user).join("policy.toml")),
            trust: home.map(store::trust::file),
            owner: 0,
        }
    }
}

/// A policy file as it was found.
#[derive(Debug)]
pub struct Source {
    pub layer: Layer,
    pub path: PathBuf,
    pub text: String,
    /// Why nothing stands in it.
    pub fault: Option<Problem>,
    /// Whether a person has trusted exactly this content. Asked for projects only.
    pub trusted: bool,
}

impl Source {
    /// A file with this text, for tests and for trying policies out.
    pub fn of(layer: Layer, path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        Self { layer, path: path.into(), text: text.into(), fault: None, trusted: false }
    }
}

/// The files for a call in the folder `cwd`.
pub fn find(places: &Places, home: Option<&str>, cwd: Option<&str>) -> Vec<Source> {
    let mut found = Vec::new();
    if let Some(folder) = &places.system {
        system(folder, places.owner, &mut found);
    }
    if let Some(path) = &places.user {
        found.extend(load(Layer::User, path));
    }
    for root in roots(cwd, home) {
        for name in [".github/hooks/policy.toml", ".claude/hooks/policy.toml"] {
            if let Some(mut source) = load(Layer::Project, &root.join(name)) {
                let trusts =
                    |record: &PathBuf| store::trust::has_file(record, &source.path, source.text.as_bytes());
                source.trusted = places.trust.as_ref().is_some_and(trusts);
                found.push(source);
            }
        }
    }
    found
}

/// The roots of the working trees that hold the folder, else the folder itself.
///
/// Also those around the nearest one: `git init` in a folder below must not hide the policy.
fn roots(cwd: Option<&str>, home: Option<&str>) -> Vec<PathBuf> {
    let Some(cwd) = cwd.map(Path::new).filter(|cwd| cwd.is_absolute()) else { return Vec::new() };
    // The home folder may be a working tree, too (of dotfiles), and is not the project of all that lies below it.
    let below_home = |folder: &&Path| home.is_none_or(|home| *folder != Path::new(home));
    let roots: Vec<PathBuf> = cwd
        .ancestors()
        .take_while(below_home)
        .filter(|folder| folder.join(".git").exists())
        .map(Path::to_owned)
        .collect();
    if roots.is_empty() { vec![cwd.to_owned()] } else { roots }
}

/// The file at a path, in a layer; `None` when there is none.
pub fn load(layer: Layer, path: &Path) -> Option<Source> {
    let fault = |problem| Some(Source { fault: Some(problem), ..Source::of(layer, path, "") });
    // Whose file of the machine it is was looked at already.
    match store::settings::find(path, store::settings::Layer::User, MAX_FILE as u64) {
        Found::Absent => None,
        Found::Broken(why) => fault(Problem::Unusable(why)),
        Found::Content(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Some(Source::of(layer, path, text)),
            Err(_) => fault(Problem::NotText),
        },
    }
}

/// How often the machine's folder is listed anew before it counts as broken.
const TRIES: usize = 8;

/// The machine's files, in the order of their names.
fn system(folder: &Path, owner: u32, found: &mut Vec<Source>) {
    let begin = found.len();
    for _ in 0..TRIES {
        match listed(folder, owner, found) {
            Ok(true) => return,
            Ok(false) => found.truncate(begin),
            Err(why) => return found.push(unusable(folder, why)),
        }
    }
    found.push(unusable(folder, Why::Unreadable("its files change while they are read".to_owned())));
}

/// A file of the machine's, or their folder, of which nothing can be read.
fn unusable(path: &Path, why: Why) -> Source {
    Source { fault: Some(Problem::Unusable(why)), ..Source::of(Layer::System, path, "") }
}

/// Reads the machine's files. Whether all that were listed were still there: a pull may have put another folder in the
/// place of this one, and then nothing of it counts.
fn listed(folder: &Path, owner: u32, found: &mut Vec<Source>) -> Result<bool, Why> {
    // A folder in which there is to be a file.
    match store::settings::find(folder, store::settings::Layer::User, 0) {
        Found::Absent => return Ok(true),
        // A folder is what is wanted here; the search itself also finds links that lead nowhere.
        Found::Broken(Why::NotAFile) if folder.is_dir() => {}
        Found::Broken(why @ Why::Dangling) => return Err(why),
        _ => return Err(Why::Unreadable("it is not a folder".to_owned())),
    }
    let unreadable = |error: io::Error| Why::Unreadable(error.to_string());
    let entries = fs::read_dir(folder).map_err(unreadable)?;
    if let Err(why) = store::settings::administrators(folder, owner) {
        // Its files still count: what they restrict is better than nothing.
        found.push(unusable(folder, why));
    }
    let mut paths = Vec::new();
    for entry in entries {
        match entry {
            Ok(entry) => paths.push(entry.path()),
            // A file that cannot be seen may restrict anything, so its absence is a broken policy.
            Err(error) => found.push(unusable(folder, unreadable(error))),
        }
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    // A folder lists its files in no order, and which file a finding names should not change.
    paths.sort();
    for path in paths {
        let source = match store::settings::administrators(&path, owner) {
            Ok(()) => load(Layer::System, &path),
            Err(_) if fs::symlink_metadata(&path).is_err() => None,
            Err(why) => Some(unusable(&path, why)),
        };
        let Some(source) = source else { return Ok(false) };
        found.push(source);
    }
    Ok(true)
}

/// A policy file, read.
#[derive(Debug)]
pub struct File<'f> {
    pub layer: Layer,
    pub name: String,
    /// What it says, as far as it can be read.
    pub policy: Policy<'f>,
    pub errors: Vec<PolicyError>,
    /// Whether what loosens in it counts.
    pub may_loosen: bool,
}

/// All layers of a call.
#[derive(Debug, Default)]
pub struct Stack<'f> {
    /// The files, the machine's first.
    pub files: Vec<File<'f>>,
    /// Today, in days since 1970.
    pub today: i64,
}

impl<'f> Stack<'f> {
    /// Reads what was found, for a decision.
    pub fn of(sources: &'f [Source], today: i64) -> Self {
        Self::read(sources, today, |text, today| read_for_hook(text, today, None))
    }

    /// Reads what was found, for a decision about a call of these programs. Rules about other programs are left out.
    pub fn about(programs: &Programs<'_>, sources: &'f [Source], today: i64) -> Self {
        Self::read(sources, today, |text, today| read_for_hook(text, today, Some(programs)))
    }

    /// Reads what was found, with the examples of the rules.
    pub(crate) fn with_examples(sources: &'f [Source], today: i64) -> Self {
        Self::read(sources, today, read)
    }

    fn read(sources: &'f [Source], today: i64, read: impl Read<'f>) -> Self {
        let files = sources.iter().map(|source| File::of(source, today, &read)).collect();
        let mut stack = Self { files, today };
        stack.close_doors();
        stack
    }

    fn close_doors(&mut self) {
        let allowed = self.limits().project_allow;
        for file in self.files.iter_mut().filter(|file| file.layer == Layer::Project) {
            file.may_loosen &= allowed;
        }
    }

    /// What the machine's files let others do: all of them must agree.
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        for file in self.files.iter().filter(|file| file.layer == Layer::System) {
            limits.project_allow &= file.policy.limits.project_allow;
            limits.user_exceptions &= file.policy.limits.user_exceptions;
        }
        limits
    }

    /// The strictest of what the files say. `owner`'s layer and those above it may also say less than what is usual; those
    /// below it can only add.
    fn strictest<T: Ord + Copy>(&self, owner: Layer, usual: T, said: impl Fn(&Defaults) -> Option<T>) -> T {
        // A project's word never loosens, also not about its own rules.
        let owner = owner.max(Layer::User);
        let of = |owners: bool| {
            let files = self.files.iter().filter(move |file| (file.layer >= owner) == owners);
            files.filter_map(|file| said(&file.policy.defaults)).max()
        };
        let base = of(true).unwrap_or(usual);
        of(false).map_or(base, |below| base.max(below))
    }

    /// What an ask of this layer becomes where no one can answer, for rules of no file.
    pub(crate) fn no_prompt(&self, owner: Layer) -> NoPrompt {
        self.strictest(owner, NoPrompt::Deny, |defaults| defaults.no_prompt)
    }

    /// What becomes of commands that may be what a rule of this layer denies.
    pub(crate) fn unresolved(&self, owner: Layer) -> Unresolved {
        self.strictest(owner, Unresolved::Ask, |defaults| defaults.unresolved)
    }

    /// The highest layer that says what becomes of them.
    pub(crate) fn who_says_unresolved(&self) -> Option<Layer> {
        let says = self.files.iter().filter(|file| file.policy.defaults.unresolved.is_some());
        says.map(|file| file.layer).max()
    }
}

/// A reader of policy files.
trait Read<'f>: Fn(&'f str, i64) -> (Policy<'f>, Vec<PolicyError>) {}

impl<'f, F: Fn(&'f str, i64) -> (Policy<'f>, Vec<PolicyError>)> Read<'f> for F {}

impl<'f> File<'f> {
    /// Reads a file.
    fn of(source: &'f Source, today: i64, read: &impl Read<'f>) -> Self {
        let (policy, mut errors) = match source.fault {
            Some(_) => (Policy::default(), Vec::new()),
            None => read(&source.text, today),
        };
        if let Some(problem) = &source.fault {
            errors.push(PolicyError { line: 1, column: 1, problem: problem.clone() });
        }
        // A file with a mistake may have lost what narrows its exceptions.
        let may_loosen = errors.is_empty() && (source.layer != Layer::Project || source.trusted);
        Self { layer: source.layer, name: source.path.display().to_string(), policy, errors, may_loosen }
    }
}

/// Today, in days since 1970.
pub fn today() -> i64 {
    DateTime::<Utc>::from(SystemTime::now()).date_naive().to_epoch_days().into()
}
