//! Packages of a workspace: the folders that the package at its root names, and those of them that a call is about.

use payload::Json;
use shell_engine::text::pattern;
use shell_engine::{Arg, Loaded, Process, Scope, mark};

use super::package::without_comments;
use super::recipe;
use crate::programs::{QUOTES, option, options};

/// Folders above in which the root of a workspace is looked for.
const MAX_FOLDERS: usize = 6;
/// Packages that one call is looked at for.
const MAX_PACKAGES: usize = 24;

/// The packages that a call means.
pub(super) enum Meant<'a> {
    All,
    Named(Vec<&'a str>),
}

impl<'a> Meant<'a> {
    /// What the options of a package manager say; `None` where that is the package in which it is called.
    pub(super) fn of(manager: &str, args: &'a [Arg]) -> Option<Self> {
        let given = |words: &[&str]| args.iter().any(|arg| words.contains(&arg.text.as_str()));
        let all = match manager {
            "npm" => given(&["-ws", "--workspaces", "--workspaces=true"]),
            "pnpm" => given(&["-r", "--recursive"]),
            _ => false,
        };
        if all && manager == "npm" {
            return Some(Self::All);
        }
        let mut named: Vec<&str> = match manager {
            "npm" => options(args, "-w", "--workspace").collect(),
            "pnpm" | "bun" => options(args, "-F", "--filter").collect(),
            _ => Vec::new(),
        };
        // `--filter-prod`
        named.extend(option(args, "", "--filter-prod"));
        if named.is_empty() { all.then_some(Self::All) } else { Some(Self::Named(named)) }
    }

    /// Whether the package with this name, in this folder, is one of them.
    pub(super) fn has(&self, name: &str, folder: &str) -> bool {
        let Self::Named(filters) = self else { return true };
        filters.iter().any(|filter| {
            // `...x`, `x^...`, `{./packages/x}`, `./packages/x`
            let bare = filter.trim_matches(['.', '^', '{', '}', '/']);
            let below = folder.strip_suffix(bare).is_some_and(|above| above.ends_with('/'));
            // What is only a pattern, or leaves some out, may mean each.
            bare.contains(['*', '!', '[']) || mark::any(bare) || name == bare || below
        })
    }
}

/// The packages that are meant, each with the folder in which it lies.
pub(super) fn packages(process: &mut Process<'_>, scope: &Scope, meant: &Meant<'_>) -> Vec<(Scope, Loaded)> {
    let mut root = scope.clone();
    let Some(patterns) = patterns_above(process, &mut root) else { return Vec::new() };
    let mut found = Vec::new();
    for named in patterns.iter().filter(|named| !named.starts_with('!')).take(MAX_PACKAGES) {
        let named = named.trim_start_matches("./").trim_end_matches('/');
        let files = process.runner.paths(&root, &pattern::active(&format!("{named}/package.json")));
        for file in files.into_iter().filter(|file| !mark::any(file)) {
            let folder = file.trim_end_matches("/package.json");
            let Some(loaded) = process.runner.look_up(&root, &file) else { continue };
            let name = Json::new(&loaded.text).and_then(|file| file.get("name")?.as_str());
            if found.len() < MAX_PACKAGES && meant.has(name.as_deref().unwrap_or(""), folder) {
                let mut inner = root.clone();
                inner.change_folder(folder);
                found.push((inner, loaded));
            }
        }
    }
    found
}

/// Goes to the root of a workspace, and takes the patterns for its packages.
fn patterns_above(process: &mut Process<'_>, scope: &mut Scope) -> Option<Vec<String>> {
    for _ in 0..MAX_FOLDERS {
        // Each of them may leave it to the next.
        let files = ["pnpm-workspace.yaml", "package.json", "lerna.json", "rush.json"];
        recipe::nearest(process, scope, &files)?;
        for file in files {
            let loaded = process.runner.look_up(scope, file);
            let patterns = loaded.map_or_else(Vec::new, |loaded| patterns(&loaded.text));
            if !patterns.is_empty() {
                return Some(patterns);
            }
        }
        scope.change_folder("..");
    }
    None
}

/// `workspaces` of a `package.json`, a list or with one inside; `packages` of lerna's file and of pnpm's.
fn patterns(text: &str) -> Vec<String> {
    let plain = if text.contains("\"projects\"") { Some(without_comments(text)) } else { None };
    let Some(file) = Json::new(plain.as_deref().unwrap_or(text)) else {
        let below = text.lines().skip_while(|line| line.trim_end() != "packages:").skip(1);
        // `packages: ["a/*", b]`
        let inline = text.lines().find_map(|line| line.strip_prefix("packages:")?.trim().strip_prefix('['));
        if let Some(list) = inline {
            let items = list.trim_end().trim_end_matches(']').split(',');
            return items.map(|item| item.trim().trim_matches(QUOTES).to_owned()).collect();
        }
        let items = below.map_while(|line| line.trim().strip_prefix("- "));
        return items.map(|item| item.trim().trim_matches(QUOTES).to_owned()).collect();
    };
    // Rush's file names each of them.
    if let Some(projects) = file.get("projects").filter(|_| plain.is_some()) {
        let folders = projects.elements().filter_map(|project| project.get("projectFolder")?.as_str());
        return folders.map(std::borrow::Cow::into_owned).collect();
    }
    let Some(listed) = file.get("workspaces").or_else(|| file.get("packages")) else { return Vec::new() };
    let listed = listed.get("packages").unwrap_or(listed);
    listed.elements().filter_map(Json::as_str).map(std::borrow::Cow::into_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_names_its_packages_in_all_forms() {
        assert_eq!(patterns(r#"{"workspaces": ["a/*", "b"]}"#), ["a/*", "b"]);
        assert_eq!(patterns(r#"{"workspaces": {"packages": ["a/*"]}}"#), ["a/*"]);
        assert_eq!(patterns("packages:\n  - 'a/*'\n  - b\ncatalog:\n  - c\n"), ["a/*", "b"]);
        assert_eq!(patterns("packages: [\"a/*\", b]\n"), ["a/*", "b"]);
        assert!(patterns(r#"{"name": "x"}"#).is_empty());
    }

    #[test]
    fn a_filter_names_a_package_or_its_folder() {
        for (filter, expected) in [
            ("@me/y", true),
            ("y", true),
            ("packages/y", true),
            ("@me/*", true),
            ("...@me/y", true),
            ("x", false),
        ] {
            let meant = Meant::Named(vec![filter]);
            assert_eq!(meant.has("@me/y", "/w/packages/y"), expected, "{filter}");
        }
    }
}
