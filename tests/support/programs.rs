//! Our programs, as cargo built them together with the tests.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The folder of programs to which anyone at a terminal is a person.
pub const STAND_INS: &str = "stand-ins";

/// Where the others are.
const AS_TESTED: &str = "as-tested";

/// The program that is all of them.
const ALL: &str = "our-programs";

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The command blocker.
pub fn command_blocker() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| program("command-blocker"))
}

/// The audit logger.
pub fn audit_logger() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| program("audit-logger"))
}

/// The approval gate.
pub fn approval_gate() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| program("approval-gate"))
}

/// The stop guard.
pub fn stop_guard() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| program("stop-guard"))
}

/// The context injector.
pub fn context_injector() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| program("context-injector"))
}

/// The formatter trigger.
pub fn formatter_trigger() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| program("formatter-trigger"))
}

/// The runner.
pub fn hook_runner() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| program("hook-runner"))
}

/// The driver of the real hosts.
pub fn real_hosts() -> PathBuf {
    program("real-hosts")
}

/// Every hook, by name.
pub fn hooks() -> Vec<(String, PathBuf)> {
    names()
        .into_iter()
        .filter(|name| name != "hook-runner")
        .map(|name| (name.clone(), program(&name)))
        .collect()
}

/// Every hook as `.ci/release programs x86_64-unknown-linux-musl` built it for users, by name.
///
/// # Panics
///
/// When one was not built.
pub fn shipped_hooks() -> Vec<(String, PathBuf)> {
    let folder = beside_the_caller().join("../x86_64-unknown-linux-musl/release");
    let shipped = |name: String| {
        let path = folder.join(&name);
        assert!(path.is_file(), "{}: not built; `.ci/release programs` builds it", path.display());
        (name, path)
    };
    names().into_iter().filter(|name| name != "hook-runner").map(shipped).collect()
}

/// Every program that users get, by name: the folders of `hooks`.
///
/// # Panics
///
/// When these cannot be listed.
pub fn names() -> Vec<String> {
    let folder = root().join("hooks");
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// One of our programs, to which whoever is at a terminal is a person.
pub fn stand_in(name: &str) -> PathBuf {
    static LINKED: OnceLock<PathBuf> = OnceLock::new();
    LINKED.get_or_init(|| link_all(STAND_INS)).join(format!("{name}{EXE_SUFFIX}"))
}

fn program(name: &str) -> PathBuf {
    static LINKED: OnceLock<PathBuf> = OnceLock::new();
    LINKED.get_or_init(|| link_all(AS_TESTED)).join(format!("{name}{EXE_SUFFIX}"))
}

/// The folder of cargo's profile: tests are in one of its folders.
fn beside_the_caller() -> PathBuf {
    let own = std::env::current_exe().unwrap_or_else(|error| panic!("{error}"));
    let folder = own.parent().unwrap_or(&own);
    folder.parent().filter(|_| folder.ends_with("deps")).unwrap_or(folder).to_owned()
}

/// A folder with the one program under each of its names.
fn link_all(folder: &str) -> PathBuf {
    let built = beside_the_caller();
    let folder = built.join(folder);
    let all = built.join(format!("{ALL}{EXE_SUFFIX}"));
    for name in names().into_iter().chain(["real-hosts", "demo"].map(str::to_owned)) {
        let path = folder.join(format!("{name}{EXE_SUFFIX}"));
        // What was linked for an earlier build is another file. Tests run at once, and each may be the first.
        let beside = folder.join(format!("{name}-{}-{:?}", std::process::id(), std::thread::current().id()));
        let made = fs::create_dir_all(&folder)
            .and_then(|()| fs::hard_link(&all, &beside))
            .and_then(|()| fs::rename(&beside, &path));
        made.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        // Where both are the same file already, nothing was renamed.
        let _ = fs::remove_file(&beside);
    }
    folder
}
