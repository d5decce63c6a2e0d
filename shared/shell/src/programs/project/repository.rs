//! What git starts of a repository's own: its hooks, and the aliases and programs of its settings.

use shell_engine::{Arg, Loaded, Process, Scope, mark};

use super::recipe::{self, Recipe};
use crate::programs::{quoted, shells};

/// The hooks that a sub-command starts.
fn hooks(sub: &str) -> &'static [&'static str] {
    match sub {
        "commit" => &["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-rewrite"],
        "push" => &["pre-push"],
        "checkout" | "switch" | "worktree" => &["post-checkout"],
        "merge" | "pull" => &["pre-merge-commit", "prepare-commit-msg", "commit-msg", "post-merge"],
        "rebase" => &["pre-rebase", "post-checkout", "post-rewrite"],
        "cherry-pick" | "revert" => &["prepare-commit-msg", "post-commit"],
        "am" => &["applypatch-msg", "pre-applypatch", "post-applypatch", "post-rewrite"],
        "gc" => &["pre-auto-gc"],
        _ => &[],
    }
}

/// The hooks that `--no-verify` leaves out.
const VERIFIES: [&str; 5] = ["pre-commit", "commit-msg", "pre-merge-commit", "pre-push", "pre-rebase"];

/// What a hook is given, where `?` is a name that only git knows.
fn given(hook: &str) -> &'static [&'static str] {
    match hook {
        "post-checkout" => &["?", "?", "1"],
        "commit-msg" | "prepare-commit-msg" | "applypatch-msg" => &[".git/COMMIT_EDITMSG"],
        "pre-push" => &["?", "?"],
        "post-merge" => &["0"],
        "post-rewrite" => &["?"],
        "pre-rebase" => &["?"],
        _ => &[],
    }
}

/// Runs the hooks that a sub-command of git starts: those of the folder that the call names, that the command has set
/// before, or that the repository has.
pub(in crate::programs) fn run_hooks(
    process: &mut Process<'_>,
    scope: &Scope,
    (sub, told): (&str, Option<&str>),
) {
    let skips = |text: &str| text == "--no-verify" || sub == "commit" && text == "-n";
    let skips = process.args().iter().any(|arg| skips(&arg.text));
    let runs = |hook: &&&str| !(skips && VERIFIES.contains(*hook));
    let names: Vec<&str> = hooks(sub).iter().filter(runs).copied().collect();
    if names.is_empty() || !process.runner.has_disk() {
        return;
    }
    let mut root = scope.clone();
    let Some(settings) = recipe::nearest(process, &mut root, &[".git/config"]) else { return };
    // What the settings start by themselves where such a call goes through files, or to another machine.
    let started: &[&str] = if sub == "push" { &["sshcommand"] } else { &["fsmonitor", "sshcommand"] };
    for name in started {
        // `fsmonitor = true` is git's own.
        if let Some((at, line)) = setting(&settings.text, "core", name).filter(|(_, line)| line.contains(' '))
        {
            let line = Recipe { at, text: line.replace("\\\"", "\"") };
            recipe::run(process, &root, (&settings, *name), &[line]);
        }
    }
    let folder = setting(&settings.text, "core", "hookspath").map(|(_, path)| path);
    let set = process.scope.alias("git core.hookspath").map(str::to_owned);
    let folder = told.or(set.as_deref()).or(folder);
    // husky's own folder leads to the one around it.
    let usual = [".git/hooks", ".husky"].into_iter().filter(|usual| {
        folder.is_none_or(|folder| folder.starts_with(usual) && folder.trim_end_matches('/') != *usual)
    });
    for folder in folder.into_iter().chain(usual) {
        for &name in &names {
            let path = format!("{folder}/{name}");
            let Some(loaded) = process.runner.look_up(&root, &path) else { continue };
            let mut inner = root.clone();
            // What pre-commit and lefthook write there starts them.
            let starts: &[&str] = match &*loaded.text {
                text if text.contains("pre_commit") || text.contains("pre-commit.com") => {
                    &["pre-commit", "run"]
                }
                text if text.contains("call_lefthook") => &["lefthook", "run", name],
                _ => &[],
            };
            if !starts.is_empty() {
                let words: Vec<Arg> = starts.iter().copied().map(Arg::from).collect();
                process.elsewhere(&mut inner).start(&words);
                continue;
            }
            let mut words = vec![Arg::from(path.as_str())];
            words.extend(
                given(name).iter().map(|word| Arg::from(word.replace('?', &mark::TOKEN.to_string()))),
            );
            shells::script(&mut process.elsewhere(&mut inner), &loaded, &words);
        }
    }
}

/// Runs an alias of the repository's settings, or of the user's. `None` if there is none of this name.
pub(in crate::programs) fn run_alias(process: &mut Process<'_>, scope: &Scope, sub: &str) -> Option<String> {
    if !process.runner.has_disk() || is_own(sub) {
        return None;
    }
    let mut root = scope.clone();
    let own = recipe::nearest(process, &mut root, &[".git/config"]);
    let mut loaded = None;
    let user = process.variable("GIT_CONFIG_GLOBAL").unwrap_or_else(|| format!("{}/.gitconfig", scope.home));
    for (file, folder) in [(own, ".git"), (process.runner.look_up(scope, &user), "~")] {
        let Some(file) = file else { continue };
        let included =
            setting(&file.text, "include", "path").map(|(_, path)| match path.strip_prefix("~/") {
                Some(path) => format!("{}/{path}", scope.home),
                None if path.starts_with('/') => path.to_owned(),
                None => format!("{}/{path}", if folder == "~" { &scope.home } else { folder }),
            });
        let included = included.and_then(|path| process.runner.look_up(&root, &path));
        loaded = loaded.or_else(|| [Some(file), included].into_iter().flatten().find(|file| has(file, sub)));
    }
    // What this command includes, or has included before.
    if let Some(path) = scope.alias("git include.path").filter(|_| loaded.is_none()) {
        let path = path.to_owned();
        loaded = process.runner.look_up(&root, &path).filter(|file| has(file, sub));
    }
    let loaded = loaded?;
    let (at, value) = setting(&loaded.text, "alias", sub)?;
    let after = process.args().iter().position(|arg| arg.text == sub).map_or(0, |at| at + 1);
    let rest = quoted(process.args().get(after..).unwrap_or(&[]));
    // git reads escapes inside and outside of quotes.
    let value = value.replace("\\\n", "").replace("\\\"", "\"").replace("\\\\", "\\");
    let text = match value.strip_prefix('!') {
        Some(line) => format!("{line} {rest}"),
        None => format!("git {value} {rest}"),
    };
    recipe::run(process, scope, (&loaded, sub), &[Recipe { at, text }]).then(String::new)
}

fn has(file: &Loaded, alias: &str) -> bool {
    setting(&file.text, "alias", alias).is_some()
}

/// The value of a setting in one of git's files, with its place.
fn setting<'t>(text: &'t str, section: &str, name: &str) -> Option<(usize, &'t str)> {
    let mut inside = false;
    let mut found = None;
    for line in text.lines() {
        let entry = line.trim();
        if let Some(header) = entry.strip_prefix('[') {
            inside = header.trim_end_matches(']').trim().eq_ignore_ascii_case(section);
        } else if inside
            && let Some((key, value)) = entry.split_once('=')
            && key.trim().eq_ignore_ascii_case(name)
        {
            let value = continued(text, value).trim();
            let bare = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(value);
            // The last one counts.
            found = Some((recipe::offset(text, value), bare));
        }
    }
    found
}

/// A value of git's settings, with the lines in which it goes on.
fn continued<'t>(text: &'t str, value: &'t str) -> &'t str {
    let start = recipe::offset(text, value);
    let rest = text.get(start..).unwrap_or(value);
    let mut end = value.len();
    while rest[..end].trim_end_matches('\r').ends_with('\\') && end < rest.len() {
        end += 1 + rest[end + 1..].find('\n').unwrap_or(rest.len() - end - 1);
    }
    &rest[..end]
}

/// The usual sub-commands, which no alias can replace: for them no settings are read.
fn is_own(sub: &str) -> bool {
    sub.starts_with('-') || OWN.binary_search(&sub).is_ok()
}

/// Sub-commands of git's own, in order.
const OWN: &[&str] = &[
    "add",
    "am",
    "apply",
    "archive",
    "bisect",
    "blame",
    "branch",
    "bundle",
    "cat-file",
    "check-attr",
    "check-ignore",
    "checkout",
    "cherry",
    "cherry-pick",
    "clean",
    "clone",
    "commit",
    "config",
    "count-objects",
    "credential",
    "describe",
    "diff",
    "diff-files",
    "diff-index",
    "diff-tree",
    "difftool",
    "fetch",
    "filter-branch",
    "for-each-ref",
    "format-patch",
    "fsck",
    "gc",
    "grep",
    "hash-object",
    "help",
    "init",
    "lfs",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "maintenance",
    "merge",
    "merge-base",
    "mergetool",
    "mv",
    "name-rev",
    "notes",
    "prune",
    "pull",
    "push",
    "range-diff",
    "read-tree",
    "rebase",
    "reflog",
    "remote",
    "repack",
    "replace",
    "rerere",
    "reset",
    "restore",
    "rev-list",
    "rev-parse",
    "revert",
    "rm",
    "send-email",
    "shortlog",
    "show",
    "show-ref",
    "sparse-checkout",
    "stash",
    "status",
    "submodule",
    "switch",
    "symbolic-ref",
    "tag",
    "update-index",
    "update-ref",
    "var",
    "verify-commit",
    "verify-tag",
    "version",
    "whatchanged",
    "worktree",
    "write-tree",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sub_commands_are_in_order() {
        assert!(OWN.is_sorted());
        assert!(is_own("status") && is_own("--version") && !is_own("wipe"));
    }

    #[test]
    fn a_setting_is_found_in_its_section() {
        let text = "[alias \"x\"]\n\ta = b\n[alias]\n\tst = status\n\twipe = \"!rm x\"\n[core]\n\tst = no\n";
        assert_eq!(setting(text, "alias", "st").map(|(_, value)| value), Some("status"));
        assert_eq!(setting(text, "alias", "wipe").map(|(_, value)| value), Some("!rm x"));
        assert_eq!(setting(text, "alias", "a"), None);
    }
}
