//! The project that the user stands in, and how hosts see it.

use std::path::{Path, PathBuf};

use host::load::{Loaded, load};
use host::place::{self, Folders};
use host::{Product, System};

use crate::fault::Fault;

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
        let folders = Folders::here(&root);
        Ok(Self { root, folders })
    }

    /// All that a host knows of hooks here.
    pub(crate) fn load(&self, product: Product) -> Loaded {
        load(product, &self.folders, System::HERE)
    }

    /// A path as a person would write it.
    pub(crate) fn short(&self, path: &Path) -> String {
        if let Ok(inside) = path.strip_prefix(&self.root) {
            return inside.display().to_string();
        }
        match path.strip_prefix(&self.folders.home) {
            // Without a home every path would begin with it.
            Ok(inside) if !self.folders.home.as_os_str().is_empty() => format!("~/{}", inside.display()),
            _ => path.display().to_string(),
        }
    }
}
