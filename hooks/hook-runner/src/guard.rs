//! What is on here, for the record of a session's start: digests of our programs, of the files that configure the host's
//! hooks and of the policies, whether anything is enforced, and whether an administrator wants it.

use std::collections::HashSet;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use host::Product;
use host::installed::PROGRAMS;
use host::load::Loaded;
use host::place::Scope;
use payload::EventKind;
use policy::layers::{self, Places};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use store::bundle::InForce;

use crate::project::Project;

/// Our programs that decide about a call.
pub(crate) const DECIDING: [&str; 2] = ["command-blocker", "approval-gate"];

/// No program of ours is larger, in bytes; what is has no digest.
const LARGEST_PROGRAM: u64 = 512 << 20;

/// What is on for a host in a folder.
pub(crate) fn look(question: &Value) -> Option<Value> {
    let project = Project::around(Some(Path::new(question["cwd"].as_str()?))).ok()?;
    let host = question["host"].as_str().unwrap_or_default();
    let loaded: Vec<Loaded> = Product::ALL
        .into_iter()
        .filter(|product| product.host.as_str() == host)
        .map(|product| project.load(product))
        .collect();
    let texts = loaded
        .iter()
        .flat_map(|loaded| &loaded.files)
        .map(|file| (file.path.clone(), file.text.as_deref().unwrap_or_default().as_bytes().to_vec()));
    let home = project.folders.home.to_str();
    let policies = layers::find(&Places::here(home), home, project.root.to_str());
    let policies = policies.into_iter().map(|source| (source.path, source.text.into_bytes()));
    let (mode, managed) = decides(&loaded);
    Some(json!({
        "programs": programs(),
        "hooks": files(texts.collect()),
        "policy": files(policies.collect()),
        "bundle": bundle(),
        "mode": mode,
        "managed": managed,
    }))
}

/// The bundle that came from the centre; nothing where there is none.
fn bundle() -> Value {
    match store::bundle::in_force() {
        InForce::Bundle(bundle) => {
            json!({ "name": bundle.name, "serial": bundle.serial, "sha256": bundle.digest })
        }
        InForce::None | InForce::Broken(_) => Value::Null,
    }
}

/// Whether what our programs decide is enforced, and whether an administrator's file calls them.
fn decides(loaded: &[Loaded]) -> (&'static str, bool) {
    let (mut mode, mut managed) = ("off", false);
    for loaded in loaded {
        for hook in loaded.hooks() {
            let run = hook.action.describe();
            if hook.kind != EventKind::PreToolUse || !DECIDING.iter().any(|name| run.contains(name)) {
                continue;
            }
            let is_managed = hook.origin.scope == Scope::Policy;
            managed |= is_managed;
            // An administrator's hooks run all the same.
            if loaded.switched_off.is_some() && !is_managed {
                continue;
            }
            let observes = run.contains("--mode observe") || run.contains("--mode=observe");
            mode = if observes || mode == "observe" { "observe" } else { "enforce" };
        }
    }
    (mode, managed)
}

/// How many files there are, and one digest of all: of the line that `sha256sum` prints for each, without its path, in
/// the order of the paths.
fn files(mut files: Vec<(PathBuf, Vec<u8>)>) -> Value {
    files.sort();
    // Products of one host may read the same file.
    files.dedup();
    if files.is_empty() {
        return json!({ "files": 0 });
    }
    let digests: String = files.iter().map(|(_, bytes)| hex(&Sha256::digest(bytes)) + "\n").collect();
    json!({ "files": files.len(), "sha256": hex(&Sha256::digest(digests)) })
}

/// Our programs beside this one, and this one.
fn programs() -> Vec<Value> {
    let mut seen = HashSet::new();
    let names = PROGRAMS.iter().copied().chain(["hook-runner"]).filter(|name| seen.insert(*name));
    let mut known: Vec<(PathBuf, String)> = Vec::new();
    let mut found = Vec::new();
    for name in names {
        let Some(path) = process::beside(name) else { continue };
        // Several names may lead to one file.
        let path = path.canonicalize().unwrap_or(path);
        let digest = known.iter().find(|(other, _)| same(other, &path)).map(|(_, digest)| digest.clone());
        let Some(digest) = digest.or_else(|| digest_of(&path)) else { continue };
        found.push(json!({ "name": name, "sha256": digest }));
        known.push((path, digest));
    }
    found
}

/// Whether two names are of one file.
fn same(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let identity = |path: &Path| path.metadata().ok().map(|about| (about.dev(), about.ino()));
        identity(one).is_some_and(|one| Some(one) == identity(other))
    }
    #[cfg(not(unix))]
    {
        one == other
    }
}

fn digest_of(path: &Path) -> Option<String> {
    let mut file = File::open(path).ok()?.take(LARGEST_PROGRAM);
    let (mut digest, mut buffer) = (Sha256::new(), vec![0; 256 * 1024]);
    loop {
        match file.read(&mut buffer).ok()? {
            0 => return Some(hex(&digest.finalize())),
            count => digest.update(&buffer[..count]),
        }
    }
}

fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
