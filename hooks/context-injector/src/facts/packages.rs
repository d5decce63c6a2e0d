//! `packages`: who installs packages here, by its lock file.

use super::listed;
use crate::tree::Tree;

/// Lock file and package manager.
const LOCKS: &[(&str, &str)] = &[
    ("pnpm-lock.yaml", "pnpm"),
    ("yarn.lock", "yarn"),
    ("bun.lock", "bun"),
    ("bun.lockb", "bun"),
    ("package-lock.json", "npm"),
    ("npm-shrinkwrap.json", "npm"),
    ("deno.lock", "deno"),
    ("Cargo.lock", "cargo"),
    ("uv.lock", "uv"),
    ("poetry.lock", "poetry"),
    ("pdm.lock", "pdm"),
    ("Pipfile.lock", "pipenv"),
    ("pixi.lock", "pixi"),
    ("conda-lock.yml", "conda-lock"),
    ("go.sum", "go"),
    ("Gemfile.lock", "bundler"),
    ("composer.lock", "composer"),
    ("mix.lock", "mix"),
    ("rebar.lock", "rebar3"),
    ("pubspec.lock", "pub"),
    ("gradle.lockfile", "gradle"),
    ("packages.lock.json", "nuget"),
    ("paket.lock", "paket"),
    ("Package.resolved", "swift"),
    ("Podfile.lock", "cocoapods"),
    ("flake.lock", "nix"),
    ("stack.yaml.lock", "stack"),
    ("cabal.project.freeze", "cabal"),
    ("conan.lock", "conan"),
    (".terraform.lock.hcl", "terraform"),
    ("Chart.lock", "helm"),
];

pub(super) fn tell(tree: &Tree) -> Option<String> {
    // The nearest folder with a lock counts: a workspace has one at its top.
    let found = tree.folders().find_map(|folder| {
        let locks: Vec<_> = LOCKS.iter().filter(|(file, _)| Tree::has(folder, file)).collect();
        (!locks.is_empty()).then_some(locks)
    })?;
    Some(listed(found.iter().map(|(file, manager)| format!("{manager} ({file})")), 5, 400))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_tells_who_installs() {
        let root = tempfile::tempdir().unwrap();
        let below = root.path().join("packages/a");
        std::fs::create_dir_all(&below).unwrap();
        let tree = Tree::new(&below, root.path()).unwrap();
        assert_eq!(tell(&tree), None);
        std::fs::write(root.path().join("pnpm-lock.yaml"), "").unwrap();
        std::fs::write(root.path().join("Cargo.lock"), "").unwrap();
        assert_eq!(tell(&tree).as_deref(), Some("pnpm (pnpm-lock.yaml), cargo (Cargo.lock)"));
        std::fs::write(below.join("yarn.lock"), "").unwrap();
        assert_eq!(tell(&tree).as_deref(), Some("yarn (yarn.lock)"));
    }
}
