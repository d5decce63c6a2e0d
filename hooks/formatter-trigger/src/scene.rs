//! Where the agent works, and what the user set.

use std::cell::OnceCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use repository::Repository;
use session::{Owner, Record, Store};
use trust::Trust;

use crate::settings::Settings;
use crate::skip::Skip;

/// The name of the mark that the tools of a project were edited by an agent.
const TOOLS_EDITED: &str = "formatter-trigger.tools-edited";

/// Where the agent works, and what the user set.
#[derive(Debug)]
pub(crate) struct Scene {
    /// Where relative paths start.
    pub(crate) folder: PathBuf,
    /// The top folder of the repository, without links; outside of any, the folder itself.
    pub(crate) root: PathBuf,
    pub(crate) home: PathBuf,
    pub(crate) settings: Settings,
    pub(crate) store: Store,
    /// When everything must have ended.
    pub(crate) until: Instant,
    repository: OnceCell<Result<Option<Repository>, String>>,
    trusted: OnceCell<bool>,
}

impl Scene {
    /// The scene around `folder`, where the host waits no longer than until `deadline`; `None` when there is no such
    /// folder.
    pub(crate) fn around(folder: &Path, home: &Path, deadline: Option<Instant>) -> Option<Self> {
        let folder = fs::canonicalize(folder).ok().filter(|folder| folder.is_dir())?;
        let is_top = |folder: &&Path| folder.join(".git").symlink_metadata().is_ok();
        let root = folder.ancestors().find(is_top).unwrap_or(&folder).to_owned();
        let settings = Settings::of(home);
        let budget = Instant::now() + settings.budget;
        Some(Self {
            folder,
            root,
            home: home.to_owned(),
            settings,
            store: Store::of(home),
            until: deadline.map_or(budget, |deadline| deadline.min(budget)),
            repository: OnceCell::new(),
            trusted: OnceCell::new(),
        })
    }

    /// The repository, or `None` outside of any.
    pub(crate) fn repository(&self) -> Result<Option<&Repository>, Skip> {
        let opened = self.repository.get_or_init(|| match Repository::around(&self.root) {
            Ok(found) => Ok(found),
            Err(error) => Err(format!("{error}. {}", error.hint())),
        });
        match opened {
            // A `.git` in which libgit2 sees no repository tells nothing of what is ignored.
            Ok(None) if self.root.join(".git").exists() => {
                Err(Skip::Unreadable(format!("{} holds a broken repository", self.root.display())))
            }
            Ok(found) => Ok(found.as_ref()),
            Err(why) => Err(Skip::Unreadable(why.clone())),
        }
    }

    /// Whether the person lets code of this project run, whatever became of it.
    pub(crate) fn is_trusted(&self) -> bool {
        *self.trusted.get_or_init(|| {
            // A record that cannot be read trusts nothing.
            Trust::read(&trust::file(&self.home)).is_ok_and(|trust| trust.has_repository(&self.root))
        })
    }

    /// A file's path relative to the root.
    pub(crate) fn relative<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        path.strip_prefix(&self.root).ok()
    }

    /// The mark that an agent edited what is installed in the project.
    pub(crate) fn tools_edited(&self) -> Record {
        self.store.record(Owner::Folder(&self.root), TOOLS_EDITED)
    }

    /// The folders from that of `file` up to the root.
    pub(crate) fn folders_above<'p>(&self, file: &'p Path) -> impl Iterator<Item = &'p Path> {
        let root = self.root.clone();
        file.ancestors().skip(1).take_while(move |folder| folder.starts_with(&root))
    }
}
