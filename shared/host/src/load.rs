//! All hooks that a host would run for a project.

use std::path::{Path, PathBuf};

use payload::EventKind;

use crate::hook::{Hook, Origin, System};
use crate::installed::command;
use crate::place::{self, Folders, Found, Place, Scope};
use crate::read::{Reading, Source, read};
use crate::record::{Permits, Product, Quirk};
use crate::standing::{Remark, Weight, remark};
use crate::tree::text;

/// A file that a host read.
#[derive(Debug)]
pub struct File {
    pub path: PathBuf,
    /// Why the host reads it.
    pub place: Place,
    /// Its text, or why there is none.
    pub text: Result<String, String>,
    /// What the host makes of it.
    pub reading: Reading,
}

/// All that a host knows of hooks.
#[derive(Debug)]
pub struct Loaded {
    pub product: Product,
    /// The files, in its order.
    pub files: Vec<File>,
    /// What its settings say about hooks.
    pub remarks: Vec<Remark>,
    /// Why hooks of other files do not run, when something switches them off.
    pub switched_off: Option<String>,
}

/// Reads every file that a host would read.
pub fn load(product: Product, folders: &Folders, system: System) -> Loaded {
    load_with(product, folders, system, &[])
}

/// The same as if these files were written already: their text, or `None` where one is deleted.
pub fn load_with(
    product: Product,
    folders: &Folders,
    system: System,
    pending: &[(&Path, Option<&str>)],
) -> Loaded {
    let mut found = place::find(product.places, folders);
    for (path, after) in pending {
        // A file that is to be deleted is not read any more.
        found.retain(|found| after.is_some() || found.path != *path);
        if after.is_some()
            && !found.iter().any(|found| found.path == *path)
            && let Some(place) = place::of(product.places, folders, path)
        {
            found.push(Found { path: path.to_path_buf(), place: *place });
        }
    }
    let mut hidden = Vec::new();
    if product.has(Quirk::ReadsFirstFile) {
        found.sort_by_key(|found| product.places.iter().position(|place| folders.path(place) == found.path));
        hidden = found.split_off(found.len().min(1));
    }
    // Of an administrator's sources the first counts, and a store comes before files. [docs] Claude Code, managed settings.
    let stored = folders.stored(product.name).filter(|_| product.managed.is_some());
    if let Some((stored, managed)) = stored.zip(product.managed) {
        found.retain(|found| found.place.scope != Scope::Policy);
        found.insert(0, Found { path: stored.at.clone(), place: managed.place() });
    }
    let text_of = |path: &Path| match pending.iter().find(|(pending, _)| *pending == path) {
        Some((_, after)) => Ok(after.unwrap_or_default().to_owned()),
        None => stored
            .filter(|stored| stored.at == path)
            .map_or_else(|| text(path), |stored| Ok(stored.text.clone())),
    };
    let files: Vec<File> = found
        .into_iter()
        .map(|found| {
            let text = text_of(&found.path);
            let reading = text.as_deref().map_or_else(
                // A host does not run what it cannot read either; the reason stays in `text`.
                |_| Reading { dropped: true, ..Reading::default() },
                |text| {
                    let source = Source {
                        file: found.path.clone(),
                        scope: found.place.scope,
                        format: found.place.format,
                        text,
                    };
                    read(product, &source, system)
                },
            );
            File { path: found.path, place: found.place, text, reading }
        })
        .collect();
    let with_hooks = || files.iter().filter(|file| !file.reading.hooks.is_empty());
    // Trust matters only where the project has hooks of its own.
    let of_project = with_hooks().any(|file| file.place.scope == Scope::Project);
    let remarks = (product.standing)(folders, with_hooks().next().is_some(), of_project);
    let mut loaded = Loaded { product, files, remarks, switched_off: None };
    for Found { path, .. } in hidden {
        let text =
            format!("{} is not read: {} reads the first of its files alone", path.display(), product.title);
        loaded.remarks.push(remark(Weight::Known, text, "Move its hooks into that one."));
    }
    loaded.settings();
    if let Some(overridden) = loaded.overridden() {
        loaded.remarks.push(remark(Weight::Known, overridden.text, ""));
    }
    loaded
}

/// A hook of ours that decides about permissions, and another whose allow overrides its denial.
#[derive(Debug)]
pub struct Overridden {
    /// Ours.
    pub hook: Origin,
    /// The other.
    pub by: Origin,
    /// What happens, in a sentence.
    pub text: String,
}

impl Loaded {
    /// Whether an allow of another hook overrides what ours denies on a permission request.
    pub fn overridden(&self) -> Option<Overridden> {
        let product = self.product;
        let heeds = match product.permits.value {
            Permits::Last => "the last answer",
            Permits::FirstToAnswer => "the answer that comes first",
            Permits::Strictest => return None,
        };
        let mut asked = self.hooks();
        asked.retain(|hook| hook.kind == EventKind::PermissionRequest);
        let program = |hook: &Hook| command::call(&hook.action.describe()).map(|call| call.program);
        // Our other programs decide nothing here.
        let own = asked.iter().position(|hook| program(hook) == Some("approval-gate"))?;
        // Where the last answer counts, only hooks after ours can override it.
        let from = if product.permits.value == Permits::Last { own } else { 0 };
        let by = asked[from..].iter().find(|hook| program(hook).is_none())?;
        let text = format!(
            "On a permission request {} heeds {heeds}: an allow by `{}` overrides a denial by approval-gate.",
            product.title,
            by.action.describe()
        );
        Some(Overridden { hook: asked[own].origin.clone(), by: by.origin.clone(), text })
    }

    /// The hooks that run, in the host's order.
    pub fn hooks(&self) -> Vec<Hook> {
        self.files.iter().flat_map(|file| file.reading.hooks.iter().cloned()).collect()
    }

    /// What one file says about all of them. [docs] claude-code-docs ec68a5b2: `disableAllHooks` of the last file that
    /// has it switches off all but managed hooks, `allowManagedHooksOnly` does the same for everyone.
    fn settings(&mut self) {
        for command in self.remarks.iter().filter_map(|remark| remark.only.as_deref()) {
            for file in &mut self.files {
                file.reading.hooks.retain(|hook| hook.action.describe() != command);
            }
        }
        // The host's own switch stops every hook, an administrator's as well.
        let is_switch = |remark: &&Remark| remark.weight == Weight::Off && remark.only.is_none();
        if let Some(remark) = self.remarks.iter().find(is_switch) {
            let file =
                remark.at.as_ref().map_or_else(String::new, |(path, _)| format!(" ({})", path.display()));
            self.switched_off = Some(format!("{}{file}", remark.text));
            for file in &mut self.files {
                file.reading.hooks.clear();
            }
            return;
        }
        let off = self.files.iter().find(|file| file.reading.disables_others);
        let only = self.files.iter().find(|file| file.reading.managed_only);
        let why = match (off, only) {
            (Some(file), _) => format!("`disableAllHooks` in {}", file.path.display()),
            (None, Some(file)) => format!("`allowManagedHooksOnly` in {}", file.path.display()),
            (None, None) => return,
        };
        // An administrator's hooks run whatever others switch off.
        for file in self.files.iter_mut().filter(|file| file.place.scope != Scope::Policy) {
            file.reading.hooks.clear();
        }
        self.switched_off = Some(why);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::fs;

    use super::*;

    #[test]
    fn a_host_that_reads_its_first_file_alone_is_known_to_hide_the_other() {
        let folder = tempfile::tempdir().unwrap();
        let [home, project] = ["home", "project"].map(|name| folder.path().join(name));
        let guard = r#"{"PreToolUse": [{"hooks": [{"type": "command", "command": "command-blocker"}]}]}"#;
        for (base, text) in [(&home, guard), (&project, "{}")] {
            fs::create_dir_all(base.join(".openhands")).unwrap();
            fs::write(base.join(".openhands/hooks.json"), text).unwrap();
        }
        let folders = Folders { home: home.clone(), project: project.clone(), ..Folders::default() };
        let loaded = load(Product::OPENHANDS, &folders, System::HERE);
        let read: Vec<&Path> = loaded.files.iter().map(|file| file.path.as_path()).collect();
        assert_eq!(read, [project.join(".openhands/hooks.json")]);
        let hidden = home.join(".openhands/hooks.json").display().to_string();
        assert!(loaded.remarks.iter().any(|remark| remark.text.starts_with(&hidden)), "{:?}", loaded.remarks);
        fs::remove_file(project.join(".openhands/hooks.json")).unwrap();
        let loaded = load(Product::OPENHANDS, &folders, System::HERE);
        assert!(loaded.remarks.is_empty() && loaded.files.len() == 1, "{:?}", loaded.remarks);
    }
}
