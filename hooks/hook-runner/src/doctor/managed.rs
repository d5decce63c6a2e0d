//! What an administrator set for everyone, and what a user can do about it.

use std::collections::BTreeSet;
use std::path::Path;

use host::installed::command::call;
use host::load::{File, Loaded};
use host::place::Scope;
use serde_json::{Value, json};

use crate::init::{Documented, weak_part};
use crate::paint::{Tone, paint};
use crate::project::Project;

/// The administrator's files that have hooks.
fn files(loaded: &Loaded) -> impl Iterator<Item = &File> {
    let has = |file: &&File| file.place.scope == Scope::Policy && !file.reading.hooks.is_empty();
    loaded.files.iter().filter(has)
}

/// Our programs in them.
fn ours(loaded: &Loaded) -> BTreeSet<&'static str> {
    let hooks = files(loaded).flat_map(|file| &file.reading.hooks);
    hooks.filter_map(|hook| call(&hook.action.describe()).map(|call| call.program)).collect()
}

/// A file of an administrator that someone else can change, or replace.
fn weak(loaded: &Loaded) -> Option<&Path> {
    files(loaded).map(|file| file.path.as_path()).find(|path| weak_part(path).is_some())
}

/// Whether a switch leaves no hook at all: what users and projects have may be off while an administrator's hooks run.
pub(super) fn is_off(loaded: &Loaded) -> bool {
    loaded.switched_off.is_some() && loaded.files.iter().all(|file| file.reading.hooks.is_empty())
}

/// Whether someone could change what an administrator set.
pub(super) fn is_weak(loaded: &Loaded) -> bool {
    weak(loaded).is_some()
}

/// In a line; none where there are no hooks at all.
pub(super) fn line(loaded: &Loaded, project: &Project) -> Option<String> {
    if let Some(path) = weak(loaded) {
        let text = format!("managed, but not only root can change {}", project.short(path));
        return Some(paint(Tone::Bad, text));
    }
    let ours: Vec<&str> = ours(loaded).into_iter().collect();
    if !ours.is_empty() {
        let ours = ours.join(", ");
        let loophole = loaded.product.managed.and_then(|managed| managed.loophole);
        return Some(match loophole {
            None => paint(Tone::Good, format!("managed: no user can switch off {ours}")),
            Some(how) => paint(Tone::Warn, format!("managed: only {how} switches off {ours}")),
        });
    }
    let any = loaded.files.iter().any(|file| !file.reading.hooks.is_empty());
    any.then(|| paint(Tone::Quiet, "not managed: you can switch these hooks off".to_owned()))
}

/// What an administrator set for hosts that are known by their documentation alone.
pub(super) fn documented(all: &[Documented]) -> String {
    let head = |host: &Documented| {
        let known = paint(Tone::Quiet, "behaviour known by its documentation; not called here");
        format!("\n{}\n  {known}\n", paint(Tone::Strong, host.title))
    };
    let state = |host: &Documented| {
        let ours = host.programs.iter().copied().collect::<Vec<_>>().join(", ");
        let path = host.path.display();
        match (&host.missing, weak_part(&host.path)) {
            _ if ours.is_empty() => paint(Tone::Quiet, format!("nothing of ours in {path}")),
            (Some(missing), _) => {
                paint(Tone::Bad, format!("{} is missing: {path} calls it", missing.display()))
            }
            (None, Some(_)) => paint(Tone::Bad, format!("managed, but not only root can change {path}")),
            (None, None) => paint(Tone::Good, format!("managed: {path} calls {ours}")),
        }
    };
    all.iter().map(|host| format!("{}  {}\n", head(host), state(host))).collect()
}

/// Whether it does not hold.
pub(super) fn is_bad(host: &Documented) -> bool {
    !host.programs.is_empty() && (host.missing.is_some() || weak_part(&host.path).is_some())
}

/// The same for scripts.
pub(super) fn documented_report(all: &[Documented]) -> Value {
    let shown = |path: &Path| path.display().to_string();
    let one = |host: &Documented| {
        json!({
            "host": host.title,
            "file": shown(&host.path),
            "programs": host.programs,
            "missing": host.missing.as_deref().map(shown),
            "weak": weak_part(&host.path).map(|part| shown(&part)),
        })
    };
    all.iter().map(one).collect()
}

/// For scripts.
pub(super) fn report(loaded: &Loaded, project: &Project) -> Value {
    json!({
        "files": files(loaded).map(|file| project.short(&file.path)).collect::<Vec<_>>(),
        "programs": ours(loaded),
        "loophole": loaded.product.managed.and_then(|managed| managed.loophole),
        "weak": weak(loaded).map(|path| project.short(path)),
    })
}
