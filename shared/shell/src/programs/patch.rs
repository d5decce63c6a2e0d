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
            file = file.or(patch.filter(|patch| patch.text.contains("+++ ")));
        }
    }
    let input = || {
        let text = call.io.stdin.clone()?;
        Some(process.runner.fulfilled(process.scope, &text).unwrap_or(Loaded { text, file: None }))
    };
    let Some(patch) = file.or_else(input) else { return };
    let scope = process.scope.clone();
    for (path, is_new, added) in changed(&patch.text) {
        if is_new {
            process.runner.put_file(&scope, &path, &added);
        } else {
            process.runner.append_to_file(&scope, &path, &added);
        }
    }
}

/// The files of a patch: where they lie, whether they are new, and the lines that each gets.
fn changed(patch: &str) -> Vec<(String, bool, String)> {
    let mut found: Vec<(String, bool, String)> = Vec::new();
    let mut is_new = false;
    for line in patch.lines() {
        if let Some(from) = line.strip_prefix("--- ") {
            is_new = from.trim_end() == "/dev/null";
        } else if let Some(to) = line.strip_prefix("+++ ") {
            let to = to.split('\t').next().unwrap_or(to).trim_end();
            let path = to.strip_prefix("b/").unwrap_or(to);
            found.push((path.to_owned(), is_new, String::new()));
        } else if let (Some(added), Some((_, _, text))) = (line.strip_prefix('+'), found.last_mut()) {
            text.push_str(added);
            text.push('\n');
        }
    }
    found.retain(|(path, _, _)| path != "/dev/null");
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_names_its_files_and_what_they_get() {
        let patch = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n a\n-b\n+c\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+d\n--- a/z\n+++ /dev/null\n";
        let own = |path: &str, is_new, added: &str| (path.to_owned(), is_new, added.to_owned());
        assert_eq!(changed(patch), [own("x", false, "c\n"), own("y", true, "d\n")]);
    }
}
