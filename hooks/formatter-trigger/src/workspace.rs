//! Where the agent works, and what the user set.

use std::cell::OnceCell;
use std::env;
use std::path::{Path, PathBuf};
use std::time::Instant;

use repository::{Glance, Repository};
use store::session::{Owner, Record, Store};
use store::trust::Trust;

use crate::folder::{self, Folder, real};
use crate::installed::Caller;
use crate::settings::Settings;
use crate::skip::Skip;

/// The name of the mark that the tools of a project were edited by an agent.
const TOOLS_EDITED: &str = "formatter-trigger.tools-edited";

/// Where the agent works, and what the user set.
#[derive(Debug)]
pub(crate) struct Workspace {
    /// Where relative paths start.
    pub(crate) folder: PathBuf,
    /// The top folder of the repository, without links; outside of any, the folder itself.
    pub(crate) root: PathBuf,
    pub(crate) home: PathBuf,
    pub(crate) caller: Caller,
    pub(crate) settings: Settings,
    /// When everything must have ended.
    pub(crate) until: Instant,
    /// Whether `root` is that of a repository.
    pub(crate) in_repository: bool,
    /// The folders of the `PATH` outside of the project, and whether those are all.
    programs: OnceCell<(Vec<PathBuf>, bool)>,
    glance: OnceCell<Option<Glance>>,
    repository: OnceCell<Result<Option<Repository>, String>>,
    trusted: OnceCell<bool>,
}

impl Workspace {
    /// The workspace around `folder`, where the host waits no longer than until `deadline`; `None` when there is no such
    /// folder.
    pub(crate) fn around(
        folder: &Path,
        home: &Path,
        caller: Caller,
        deadline: Option<Instant>,
    ) -> Option<Self> {
        let folder = real(folder).ok()?;
        // A file as well as a folder: work trees and submodules have a file.
        let top = folder.ancestors().find(|above| Folder::at(above).has(".git"));
        // What holds something is a folder.
        if top != Some(&*folder) && !folder.is_dir() {
            return None;
        }
        let (root, in_repository) = (top.unwrap_or(&folder).to_owned(), top.is_some());
        let settings = Settings::of(home);
        let budget = Instant::now() + settings.budget;
        Some(Self {
            folder,
            root,
            home: home.to_owned(),
            caller,
            settings,
            until: deadline.map_or(budget, |deadline| deadline.min(budget)),
            in_repository,
            programs: OnceCell::new(),
            glance: OnceCell::new(),
            repository: OnceCell::new(),
            trusted: OnceCell::new(),
        })
    }

    /// The repository, or `None` outside of any.
    pub(crate) fn repository(&self) -> Result<Option<&Repository>, Skip> {
        if !self.in_repository {
            return Ok(None);
        }
        let opened = self.repository.get_or_init(|| match Repository::around(&self.root) {
            Ok(found) => Ok(found),
            Err(error) => Err(format!("{error}. {}", error.hint())),
        });
        match opened {
            // A `.git` in which libgit2 sees no repository tells nothing of what is ignored.
            Ok(None) => {
                Err(Skip::Unreadable(format!("{} contains a broken repository", self.root.display())))
            }
            Ok(found) => Ok(found.as_ref()),
            Err(why) => Err(Skip::Unreadable(why.clone())),
        }
    }

    /// The folders of the `PATH` that are outside of the project.
    pub(crate) fn path(&self) -> &[PathBuf] {
        &self.programs().0
    }

    /// Whether the whole `PATH` is outside of the project.
    pub(crate) fn is_path_outside(&self) -> bool {
        self.programs().1
    }

    fn programs(&self) -> &(Vec<PathBuf>, bool) {
        self.programs.get_or_init(|| {
            let path = env::var_os("PATH").unwrap_or_default();
            let outside = folder::outside(&self.root, &path);
            let all =
                // Fewer than the `PATH` names means that some lie in the project, or are not absolute.
                cfg!(unix) && path.as_encoded_bytes().split(|byte| *byte == b':').count() == outside.len();
            (outside, all)
        })
    }

    /// What is certain about the repository without opening it.
    fn glance(&self) -> Option<&Glance> {
        self.glance.get_or_init(|| Glance::at(&self.root, &self.home)).as_ref()
    }

    /// Whether git ignores a file, by its path relative to the root.
    pub(crate) fn ignores(&self, relative: &Path) -> Result<bool, Skip> {
        if !self.in_repository || self.glance().is_some_and(|glance| glance.surely_keeps(relative)) {
            return Ok(false);
        }
        let ignored = self.repository()?.map(|repository| repository.ignores(relative)).transpose();
        ignored.map(Option::unwrap_or_default).map_err(|error| Skip::Unreadable(error.to_string()))
    }

    /// Whether git surely tracks none of these, by their paths relative to the root, and no link on the way to them.
    pub(crate) fn surely_tracks_none(&self, paths: &[&Path]) -> bool {
        self.glance().is_some_and(|glance| glance.surely_tracks_none(paths))
    }

    /// Whether the person lets code of this project run, whatever became of it.
    pub(crate) fn is_trusted(&self) -> bool {
        *self.trusted.get_or_init(|| {
            // A record that cannot be read trusts nothing.
            Trust::read(&store::trust::file(&self.home)).is_ok_and(|trust| trust.has_repository(&self.root))
        })
    }

    /// An error where no code of the project may run without the person's trust, committed or not.
    pub(crate) fn lets_committed_code_run(&self) -> Result<(), String> {
        if self.settings.committed_code {
            return Ok(());
        }
        Err("`committed_code = false` in format.toml asks for your trust in the repository".to_owned())
    }

    /// A file's path relative to the root.
    pub(crate) fn relative<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        folder::relative(path, &self.root)
    }

    /// What is remembered between two calls.
    pub(crate) fn store(&self) -> Store {
        Store::of(&self.home)
    }

    /// The mark that an agent edited what is installed in the project.
    pub(crate) fn tools_edited(&self) -> Record {
        self.store().record(Owner::Folder(&self.root), TOOLS_EDITED)
    }

    /// An error where an agent was seen editing what is installed in the project, or where `changed` since its session
    /// began.
    pub(crate) fn agent_left_alone(&self, changed: Option<PathBuf>) -> Result<(), String> {
        if self.tools_edited().exists() {
            return Err(format!("the agent edited what is installed in {}", self.root.display()));
        }
        changed.map_or(Ok(()), |path| {
            Err(format!(
                "{} changed since the session began, so the agent may have written it",
                path.display()
            ))
        })
    }

    /// The folders from that of `file`, which lies in the root, up to the root.
    pub(crate) fn folders_above(&self, file: &Path) -> Vec<Folder> {
        // What starts with the root and is not longer is the root.
        let inside = |folder: &&Path| folder.as_os_str().len() >= self.root.as_os_str().len();
        file.ancestors().skip(1).take_while(inside).map(Folder::at).collect()
    }
}
