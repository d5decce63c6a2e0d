//! Patches: what a file holds after one was applied.

use shell_engine::{Call, Loaded, Process};

/// Remembers what `git apply FILE`, `git am FILE` and `patch < FILE` write: the lines that they add.
pub(super) fn follow(process: &mut Process<'_>) {
    let call: &Call = process.call;
    if !process.runner.has_disk() {
        return;
    }
    let args = process.args();
    let applies = match process.name {
        "git" => args.iter().any(|arg| matches!(arg.text.as_str(), "apply" | "am")),
        _ => true,
    };
    let shows = |arg: &shell_engine::Arg| {
        matches!(
            arg.text.as_str(),
            "--check" | "--stat" | "--numstat" | "--summary" | "--dry-run" | "-R" | "--reverse"
        )
    };
    if !applies || args.iter().any(shows) {
        return;
    }
    let named = args.iter().rev().map(|arg| arg.text.as_str()).filter(|word| !word.starts_with('-'));
    let mut file = None;
    for word in named {
        if word.contains('.') || process.runner.has_made(word) {
            let patch = process.runner.look_up(process.scope, word);
            file =
                file.or(
                    patch.filter(|patch| ["+++ ", "rename to "].iter().any(|sign| patch.text.contains(sign)))
                );
        }
    }
    let input = || {
        let text = call.io.stdin.clone()?;
        Some(process.runner.fulfilled(process.scope, &text).unwrap_or(Loaded { text, file: None }))
    };
    let Some(patch) = file.or_else(input) else { return };
    let scope = process.scope.clone();
    let text = if process.name == "git" { patch.text.to_string() } else { unindented(&patch.text) };
    for Change { path, moved_from, is_new, added, hunks } in changed(&text) {
        if is_new {
            process.runner.put_file(&scope, &path, &added);
            continue;
        }
        let before = process.runner.look_up(&scope, moved_from.as_deref().unwrap_or(&path));
        let is_whole = moved_from.is_some() && hunks.is_empty();
        let after = |before: Loaded| {
            if is_whole { Some(before.text.to_string()) } else { applied(&before.text, &hunks) }
        };
        match before.and_then(after) {
            Some(text) => process.runner.put_file(&scope, &path, &text),
            // Another state of the file than the patch was made for: its lines count all the same.
            None => process.runner.append_to_file(&scope, &path, &added),
        }
    }
}

/// What a patch does with one file.
#[derive(Debug, Default, PartialEq, Eq)]
struct Change {
    path: String,
    /// The file that it was before, where it gets another name, or is a copy.
    moved_from: Option<String>,
    is_new: bool,
    /// All lines that it gets.
    added: String,
    /// Each place that changes, before and after.
    hunks: Vec<(String, String)>,
}

/// `patch` takes a diff that is indented as a whole, such as in a mail.
fn unindented(patch: &str) -> String {
    let begins = |line: &&str| line.trim_start().starts_with("--- ");
    let indent = patch.lines().find(begins).map_or("", |line| &line[..line.len() - line.trim_start().len()]);
    patch.lines().flat_map(|line| [line.strip_prefix(indent).unwrap_or(line), "\n"]).collect()
}

/// The text with its changed places. `None` where one of them is not there.
fn applied(text: &str, hunks: &[(String, String)]) -> Option<String> {
    let mut text = text.to_owned();
    for (old, new) in hunks {
        let at = if old.is_empty() { text.len() } else { text.find(old.as_str())? };
        text.replace_range(at..at + old.len(), new);
    }
    (!hunks.is_empty()).then_some(text)
}

/// The files of a patch, and what each gets.
fn changed(patch: &str) -> Vec<Change> {
    let mut found: Vec<Change> = Vec::new();
    let mut is_new = false;
    let mut moved_from = None;
    for line in patch.lines() {
        let words = |from: &str, copied: &str| line.strip_prefix(from).or_else(|| line.strip_prefix(copied));
        if let Some(from) = words("rename from ", "copy from ") {
            moved_from = Some(from.to_owned());
            continue;
        }
        if let Some(to) = words("rename to ", "copy to ") {
            found.push(Change { path: to.to_owned(), moved_from: moved_from.take(), ..Change::default() });
            continue;
        }
        if let Some(from) = line.strip_prefix("--- ") {
            is_new = from.trim_end() == "/dev/null";
            continue;
        }
        if let Some(to) = line.strip_prefix("+++ ") {
            let to = to.split('\t').next().unwrap_or(to).trim_end();
            let path = to.strip_prefix("b/").unwrap_or(to).to_owned();
            // What was moved before it is changed is there already.
            if found.last().is_none_or(|last| last.moved_from.is_none() || last.path != path) {
                found.push(Change { path, is_new, ..Change::default() });
            }
            continue;
        }
        let Some(change) = found.last_mut() else { continue };
        if line.starts_with("@@") {
            change.hunks.push(Default::default());
        }
        let Some((old, new)) = change.hunks.last_mut() else { continue };
        let (sign, text) = line.split_at_checked(1).unwrap_or((" ", ""));
        if matches!(sign, " " | "-") {
            old.extend([text, "\n"]);
        }
        if matches!(sign, " " | "+") {
            new.extend([text, "\n"]);
        }
        if sign == "+" {
            change.added.extend([text, "\n"]);
        }
    }
    found.retain(|change| change.path != "/dev/null");
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_names_its_files_and_what_they_get() {
        let patch = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n a\n-b\n+c\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+d\n--- a/z\n+++ /dev/null\n";
        let own = |path: &str, is_new, added: &str, old: &str, new: &str| Change {
            path: path.to_owned(),
            moved_from: None,
            is_new,
            added: added.to_owned(),
            hunks: vec![(old.to_owned(), new.to_owned())],
        };
        let (first, second) = (own("x", false, "c\n", "a\nb\n", "a\nc\n"), own("y", true, "d\n", "", "d\n"));
        assert_eq!(applied("0\na\nb\n", &first.hunks).as_deref(), Some("0\na\nc\n"));
        assert_eq!(applied("0\n", &first.hunks), None);
        assert_eq!(changed(patch), [first, second]);
        let moved = "diff --git a/x b/y\nrename from x\nrename to y\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n";
        let change = Change { moved_from: Some("x".to_owned()), ..own("y", false, "b\n", "a\n", "b\n") };
        assert_eq!(changed(moved), [change]);
        let mail = "See:\n\n  --- a/x\n  +++ b/x\n  @@ -1 +1 @@\n  -a\n  +b\n";
        assert_eq!(changed(&unindented(mail)), [own("x", false, "b\n", "a\n", "b\n")]);
    }
}
