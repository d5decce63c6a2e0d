//! What steps do to references, here and on a remote.

use rules::loss::Push;

use crate::apply::{Applied, Done};
use crate::state::Commit;

/// A branch of a remote, and the commit that it gets; none where it is deleted.
type Target = (String, Option<Commit>);

impl Applied<'_, '_> {
    pub(crate) fn delete_branches(&mut self, names: &[String]) {
        if names.iter().any(|name| name == "*") {
            let current = self.state.branch.clone();
            let stays = |name: &String| !name.starts_with("refs/heads/") || current.as_ref() == Some(name);
            self.state.references.retain(|name, _| stays(name));
        }
        for name in names {
            let Some(name) = self.branch_of(name) else { continue };
            // git keeps what is checked out.
            if self.state.branch.as_ref() != Some(&name) {
                self.state.references.remove(&name);
            }
        }
    }

    pub(crate) fn point(&mut self, name: &str, to: Option<&str>, even_current: bool) -> Option<Done> {
        // A renamed one is not modelled, as its old name goes.
        let Some(commit) = self.commit_of(to)? else { return Some(Done::Perhaps) };
        let is_current = self.state.branch.as_deref() == Some(name);
        if is_current && even_current {
            self.state.head = Some(commit);
        }
        if !is_current || even_current {
            let before = self.state.references.insert(name.to_owned(), commit);
            // A tag with a message is an object of its own: another one, even on the same commit.
            let is_object = || self.world.git.find_reference(name).is_ok_and(|tag| tag.peel_to_tag().is_ok());
            if name.starts_with("refs/tags/") && before.is_some_and(|before| before != commit || is_object())
            {
                self.state.moved.insert(name.to_owned());
            }
        }
        Some(Done::Yes)
    }

    pub(crate) fn delete_reference(&mut self, name: &str) -> Option<Done> {
        let is_missing = |error: git2::Error| error.code() == git2::ErrorCode::NotFound;
        // The line may have made it.
        let is_made = self.state.references.contains_key(name);
        if !is_made && self.world.git.find_reference(name).is_err_and(is_missing) {
            return Some(Done::Perhaps);
        }
        let held = ["refs/heads/", "refs/tags/", "refs/remotes/"];
        // `HEAD` and the list of stashes are more than a name.
        if !held.iter().any(|folder| name.starts_with(folder)) {
            return None;
        }
        self.state.references.remove(name);
        if self.state.branch.as_deref() == Some(name) {
            self.state.head = None;
        }
        Some(Done::Yes)
    }

    /// What other machines have is not known: of branches that they overwrite, only the commits stay that others hold. git
    /// refuses to overwrite what is checked out.
    pub(crate) fn fetch_into(&mut self, branches: &[String]) {
        self.state.fetched = true;
        for name in branches {
            let name = if name.starts_with("refs/") { name.clone() } else { format!("refs/heads/{name}") };
            if self.state.branch.as_deref() != Some(name.as_str()) {
                self.state.references.remove(&name);
            }
        }
    }

    pub(crate) fn forget_log(&mut self, name: Option<&str>) -> Option<Done> {
        let full = match name {
            None | Some("HEAD") => name.map(str::to_owned),
            Some(name) => {
                let names = [name.to_owned(), format!("refs/heads/{name}"), format!("refs/remotes/{name}")];
                Some(names.into_iter().find(|full| self.state.references.contains_key(full))?)
            }
        };
        if full.is_none() {
            // The list of stashes is a log, too: only the newest has a name of its own.
            self.state.stashes.truncate(1);
        }
        self.state.forgotten.insert(full);
        Some(Done::Yes)
    }

    /// The remote of a push, and what each of its branches becomes.
    pub(crate) fn targets(&self, push: &Push) -> Option<(String, Vec<Target>)> {
        let git = self.world.git;
        let current = self.state.branch.as_deref().and_then(|name| name.strip_prefix("refs/heads/"));
        let setting = |name: &str| {
            let name = format!("branch.{}.{name}", current?);
            git.config().ok()?.get_string(&name).ok()
        };
        let remote = push.remote.clone().or_else(|| setting("remote")).unwrap_or_else(|| "origin".to_owned());
        let known = format!("refs/remotes/{remote}/");
        let local = |name: &str| self.state.references.get(&format!("refs/heads/{name}")).copied();
        let mut pushed: Vec<Target> = Vec::new();
        for spec in &push.specs {
            let (from, to) = spec.split_once(':').unwrap_or((spec, spec));
            let to = to.strip_prefix("refs/heads/").unwrap_or(to);
            let to = if matches!(to, "HEAD" | "@") { current? } else { to };
            let commit =
                if push.deletes || from.is_empty() { None } else { Some(self.commit_of(Some(from))??) };
            pushed.push((to.to_owned(), commit));
        }
        let branches = || {
            let names = self.state.references.keys().filter_map(|name| name.strip_prefix(&known));
            names.filter(|name| *name != "HEAD").map(str::to_owned)
        };
        if push.all {
            pushed.extend(branches().filter_map(|name| Some((name.clone(), Some(local(&name)?)))));
        } else if push.specs.is_empty() && !push.deletes {
            let to = setting("merge").and_then(|merge| merge.strip_prefix("refs/heads/").map(str::to_owned));
            pushed.push((to.unwrap_or(current?.to_owned()), Some(self.state.head?)));
        }
        if push.prunes && push.specs.is_empty() {
            pushed.extend(branches().filter(|name| local(name).is_none()).map(|name| (name, None)));
        }
        Some((remote, pushed))
    }

    /// What is known of a remote's branches becomes what is pushed.
    pub(crate) fn push(&mut self, push: &Push) -> Option<Done> {
        let (remote, pushed) = self.targets(push)?;
        for (name, commit) in pushed {
            let name = format!("refs/remotes/{remote}/{name}");
            if let (Some(commit), true) = (commit, self.state.references.contains_key(&name)) {
                self.state.references.insert(name, commit);
            } else {
                self.state.references.remove(&name);
            }
        }
        Some(Done::Yes)
    }
}
