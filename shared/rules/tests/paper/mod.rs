//! A disk that exists only in a test.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use rules::loss::{Line, Loss, World};
use rules::{CommandText, Decision, Facts, Judgement, judge, prompted};
use shell::{Disk, Entry, Found};

pub(crate) const PROJECT: &str = "/home/user/project";

/// What files hold, by their full paths.
#[derive(Debug, Default, Clone)]
pub(crate) struct Paper(pub(crate) HashMap<String, String>);

impl Disk for Paper {
    fn read(&self, path: &str) -> Found {
        self.0.get(path).map_or(Found::Nothing, |text| Found::Text(text.clone()))
    }

    fn list(&self, folder: &str) -> Vec<Entry> {
        let below = |path: &String| {
            let rest = path.strip_prefix(folder)?.strip_prefix('/')?;
            let (name, is_folder) = rest.split_once('/').map_or((rest, false), |(name, _)| (name, true));
            Some(Entry { name: name.to_owned(), is_folder })
        };
        self.0.keys().filter_map(below).collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// Whether what is there is committed: all of it, or no one knows.
pub(crate) struct Committed(pub(crate) Option<bool>);

impl World for Committed {
    fn loss(&self, _: &Line<'_>) -> Loss {
        Loss::Unknown
    }

    fn are_committed(&self, paths: &[&str]) -> Vec<Option<bool>> {
        vec![self.0; paths.len()]
    }
}

impl Paper {
    /// Puts a file into the project, unless its path is a full one.
    pub(crate) fn put(&mut self, path: &str, text: String) -> String {
        let path = if path.starts_with('/') { path.to_owned() } else { format!("{PROJECT}/{path}") };
        self.0.insert(path.clone(), text);
        path
    }

    /// What the built-in rules say about a command that runs in the project.
    pub(crate) fn judge(&self, command: &str, world: &dyn World) -> Judgement {
        let (language, text) = prompted(command);
        let disk: Rc<dyn Disk> = Rc::new(self.clone());
        let facts = Facts::on_paper(Some(PROJECT), Some("/home/user")).with_scripts(disk).with_world(world);
        judge(&[CommandText { text: &text, language }], &facts)
    }
}

/// The word for a decision in the tables.
pub(crate) fn word(decision: Option<Decision>) -> &'static str {
    match decision {
        Some(Decision::Deny) => "deny",
        Some(Decision::Ask) => "ask",
        None => "none",
    }
}
