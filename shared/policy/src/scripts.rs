//! `[builtin] scripts`: whose the files are that commands run, as policies say it.

use std::fmt;
use std::rc::Rc;

use rules::loss::{Line, Loss, World};
use shell::{Disk, Entry, Found};

use crate::certainty::Match;
use crate::glob;
use crate::layers::Stack;
use crate::model::{Layer, Scripts};

/// What one layer says: patterns, and how what matches them is judged.
type Said = (Layer, Vec<(String, Scripts)>);

/// What the files of a stack say about scripts, from the highest layer to the lowest.
#[derive(Debug, Clone)]
pub struct Owners {
    said: Rc<[Said]>,
}

impl Owners {
    /// What `stack` says, with relative patterns seen from `root`; `None` where it says nothing.
    pub fn of(stack: &Stack<'_>, root: Option<&str>, home: Option<&str>) -> Option<Self> {
        let absolute = |pattern: &str| match (pattern.strip_prefix("~/"), home, root) {
            (Some(below), Some(home), _) => format!("{home}/{below}"),
            (None, _, Some(root)) if !pattern.starts_with('/') && !pattern.starts_with("**") => {
                format!("{root}/{pattern}")
            }
            _ => pattern.to_owned(),
        };
        let files = stack.files.iter().filter(|file| !file.policy.builtin.scripts.is_empty());
        let mut said: Vec<Said> = files
            .map(|file| {
                let patterns = file.policy.builtin.scripts.iter();
                (file.layer, patterns.map(|(pattern, whose)| (absolute(pattern), *whose)).collect())
            })
            .collect();
        said.sort_by_key(|(layer, _)| std::cmp::Reverse(*layer));
        (!said.is_empty()).then(|| Self { said: said.into() })
    }

    /// How a file is judged.
    fn whose(&self, path: &str) -> Scripts {
        let mut found: Option<Scripts> = None;
        for (layer, patterns) in &*self.said {
            let fits = |pattern: &str| glob::matches(pattern, path, glob::PATH) == Match::Yes;
            let Some((_, whose)) = patterns.iter().rev().find(|(pattern, _)| fits(pattern)) else { continue };
            // What is catastrophic is the machine's to let through, and it has to be read to be found.
            let whose = if *layer < Layer::System { Scripts::Team.max(*whose) } else { *whose };
            found = Some(match found {
                // What was said above, and what git says, a repository can only make stricter.
                Some(above) => above.max(whose),
                None if *layer == Layer::Project => Scripts::ByGit.max(whose),
                None => whose,
            });
        }
        found.unwrap_or(Scripts::ByGit)
    }

    /// The disk without the files that no one is to read.
    pub fn disk(&self, disk: Rc<dyn Disk>) -> Rc<dyn Disk> {
        Rc::new(Readable { disk, owners: self.clone() })
    }

    /// Someone who says whose files are, before git is asked.
    pub fn world<'w>(&'w self, world: &'w dyn World) -> impl World + 'w {
        Owned { world, owners: self }
    }
}

/// A disk, without what is ignored.
struct Readable {
    disk: Rc<dyn Disk>,
    owners: Owners,
}

impl fmt::Debug for Readable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Readable").field(&self.disk).finish()
    }
}

impl Disk for Readable {
    fn read(&self, path: &str) -> Found {
        if self.owners.whose(path) == Scripts::Ignore { Found::Nothing } else { self.disk.read(path) }
    }

    fn has(&self, path: &str) -> bool {
        self.disk.has(path)
    }

    fn list(&self, folder: &str) -> Vec<Entry> {
        self.disk.list(folder)
    }
}

/// A world in which policies say whose files are.
struct Owned<'w> {
    world: &'w dyn World,
    owners: &'w Owners,
}

impl World for Owned<'_> {
    fn loss(&self, line: &Line<'_>) -> Loss {
        self.world.loss(line)
    }

    fn are_committed(&self, paths: &[&str]) -> Vec<Option<bool>> {
        let said = paths.iter().map(|path| match self.owners.whose(path) {
            Scripts::AsTyped => Some(false),
            Scripts::Team | Scripts::Ignore => Some(true),
            Scripts::ByGit => None,
        });
        let said: Vec<Option<bool>> = said.collect();
        let open = || said.iter().zip(paths).filter(|(said, _)| said.is_none()).map(|(_, path)| *path);
        let by_git = if open().next().is_some() {
            self.world.are_committed(&open().collect::<Vec<_>>())
        } else {
            Vec::new()
        };
        let mut by_git = by_git.into_iter();
        said.iter().map(|said| said.or_else(|| by_git.next().flatten())).collect()
    }
}

#[cfg(test)]
mod tests {
    use Layer::{Project, System, User};

    use super::*;

    fn owners(said: &[(Layer, &[(&str, Scripts)])]) -> Owners {
        let own = |patterns: &[(&str, Scripts)]| {
            patterns.iter().map(|(pattern, whose)| ((*pattern).to_owned(), *whose)).collect()
        };
        Owners { said: said.iter().map(|(layer, patterns)| (*layer, own(patterns))).collect() }
    }

    #[test]
    fn who_stands_higher_says_it_and_who_stands_lower_makes_it_stricter() {
        let all = |whose| [("**", whose)];
        let of = |said: &[(Layer, Scripts)]| {
            let patterns: Vec<(Layer, [(&str, Scripts); 1])> =
                said.iter().map(|(layer, whose)| (*layer, all(*whose))).collect();
            let said: Vec<(Layer, &[(&str, Scripts)])> =
                patterns.iter().map(|(layer, patterns)| (*layer, &patterns[..])).collect();
            owners(&said).whose("/p/a.sh")
        };
        assert_eq!(of(&[]), Scripts::ByGit);
        assert_eq!(of(&[(System, Scripts::Ignore)]), Scripts::Ignore);
        assert_eq!(of(&[(User, Scripts::Ignore)]), Scripts::Team);
        assert_eq!(of(&[(System, Scripts::AsTyped), (User, Scripts::Ignore)]), Scripts::AsTyped);
        assert_eq!(of(&[(System, Scripts::Team), (User, Scripts::AsTyped)]), Scripts::AsTyped);
        // A repository opens nothing.
        assert_eq!(of(&[(Project, Scripts::Ignore)]), Scripts::ByGit);
        assert_eq!(of(&[(Project, Scripts::AsTyped)]), Scripts::AsTyped);
        assert_eq!(of(&[(User, Scripts::Team), (Project, Scripts::Ignore)]), Scripts::Team);
    }

    #[test]
    fn the_last_pattern_that_fits_counts() {
        let owners = owners(&[(
            System,
            &[
                ("**", Scripts::AsTyped),
                ("/p/vendor/**", Scripts::Ignore),
                ("/p/vendor/own/*", Scripts::Team),
            ],
        )]);
        assert_eq!(owners.whose("/p/a.sh"), Scripts::AsTyped);
        assert_eq!(owners.whose("/p/vendor/x/y.sh"), Scripts::Ignore);
        assert_eq!(owners.whose("/p/vendor/own/y.sh"), Scripts::Team);
    }
}
