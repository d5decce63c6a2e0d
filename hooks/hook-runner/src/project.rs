//! The project that the user stands in, and how hosts see it.

use std::path::{Path, PathBuf};

use host::load::{Loaded, load};
use host::place::{self, Folders};
use host::{Product, System};

use crate::fault::Fault;
use crate::{managed, plugins, stores};

#[derive(Debug)]
pub(crate) struct Project {
    pub(crate) root: PathBuf,
    /// Every folder that matters.
    pub(crate) folders: Folders,
}

impl Project {
    /// The project around a folder, or around the current one.
    pub(crate) fn around(folder: Option<&Path>) -> Result<Self, Fault> {
        let here = folder.map_or_else(|| PathBuf::from("."), Path::to_owned);
        // Without links: trust knows a project by its real path.
        let here = here.canonicalize().map_err(|error| Fault::unreadable(&here, error))?;
        if !here.is_dir() {
            return Err(Fault::unreadable(&here, "it is not a folder"));
        }
        let root = place::project_root(&here);
        let mut folders = Folders::here(&root);
        folders.stores = stores::read(&folders.root, &folders.home);
        Ok(Self { root, folders })
    }

    /// All that a host knows of hooks here.
    pub(crate) fn load(&self, product: Product) -> Loaded {
        self.with_more(load(product, &self.folders, System::HERE))
    }

    /// The same where it is started in this folder.
    pub(crate) fn load_in(&self, product: Product, folder: &Path) -> Loaded {
        let started = Some(folder.to_owned()).filter(|folder| *folder != self.root);
        self.with_more(load(product, &Folders { started, ..self.folders.clone() }, System::HERE))
    }

    /// With what is not in the form of the host's own files.
    fn with_more(&self, mut loaded: Loaded) -> Loaded {
        managed::add(&mut loaded, &self.folders);
        plugins::add(&mut loaded, &self.folders);
        loaded
    }

    /// The folder in which a host is started: the current one, if it is of this project.
    pub(crate) fn here(&self) -> PathBuf {
        let here = std::env::current_dir().ok().filter(|here| here.starts_with(&self.root));
        here.unwrap_or_else(|| self.root.clone())
    }

    /// A path as a person would write it.
    pub(crate) fn short(&self, path: &Path) -> String {
        // The project itself has a name only outside of it.
        if let Ok(inside) = path.strip_prefix(&self.root)
            && !inside.as_os_str().is_empty()
        {
            return inside.display().to_string();
        }
        match path.strip_prefix(&self.folders.home) {
            // Without a home every path would begin with it.
            Ok(inside) if !self.folders.home.as_os_str().is_empty() => format!("~/{}", inside.display()),
            _ => path.display().to_string(),
        }
    }
}
