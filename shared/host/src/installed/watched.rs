//! Which files decide what the hooks of a project do: configurations, policies, and the programs that they name.

use std::path::{Path, PathBuf};

use crate::load::load;
use crate::place::{Folders, Scope};
use crate::{Action, Hook, Product, System};

/// Policies and settings of ours that a repository may have.
const SETTINGS: [&str; 6] = [
    ".github/hooks/policy.toml",
    ".claude/hooks/policy.toml",
    ".github/hooks/context.toml",
    ".github/hooks/stop.toml",
    ".policy-hooks/audit.toml",
    ".policy-hooks/format.toml",
];

/// The files that are there now, each once.
pub fn files(root: &Path) -> Vec<PathBuf> {
    let folders = Folders::here(root);
    let mut found: Vec<PathBuf> = SETTINGS.iter().map(|name| root.join(name)).collect();
    for product in Product::ALL {
        let loaded = load(product, &folders, System::HERE);
        let own = loaded.files.iter().filter(|file| file.place.scope == Scope::Project);
        found.extend(own.map(|file| file.path.clone()));
        for hook in loaded.hooks().iter().filter(|hook| hook.origin.scope == Scope::Project) {
            found.extend(programs(hook, root));
        }
    }
    found.retain(|path| path.is_file());
    found.sort();
    found.dedup();
    // However many they are: what was left out would be where a change hides.
    found
}

/// The programs and scripts that a hook names: the words of its command that are files, and its program on the `PATH`.
fn programs(hook: &Hook, root: &Path) -> Vec<PathBuf> {
    let words: Vec<String> = match &hook.action {
        Action::Shell(command) | Action::NamedShell(_, command) => {
            match crate::installed::command::call(command) {
                // Its arguments are not files that it runs.
                Some(call) => vec![call.path.unwrap_or_else(|| call.program.to_owned())],
                None => words(command),
            }
        }
        Action::Program(program, arguments) => [std::slice::from_ref(program), arguments].concat(),
        Action::Elsewhere(_) | Action::Unstartable(_) => Vec::new(),
    };
    // The host starts the hook there, so a relative script is looked for there, too.
    let folder = hook.folder.as_ref().map_or_else(|| root.to_owned(), |folder| root.join(folder));
    let mut found = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let file = folder.join(word);
        if !word.is_empty() && file.is_file() {
            found.push(file);
        // A shell looks only for the first word on the `PATH`; later ones are arguments.
        } else if index == 0 && !word.contains('/') {
            found.extend(crate::installed::on_path(word));
        }
    }
    found
}

/// The words of a command, with the project's folder in the place of the hosts' variables for it. What a shell would do
/// beyond that names no file here.
fn words(command: &str) -> Vec<String> {
    let split = |c: char| c.is_whitespace() || ";&|()<>`".contains(c);
    let plain = |word: &str| {
        let project = [
            "${CLAUDE_PROJECT_DIR}/",
            "$CLAUDE_PROJECT_DIR/",
            "${COPILOT_PROJECT_DIR}/",
            "$COPILOT_PROJECT_DIR/",
        ];
        project.iter().find_map(|start| word.strip_prefix(start)).unwrap_or(word).to_owned()
    };
    // As a shell takes it apart, and once more at everything that may part words, for scripts within scripts:
    // `sh -c './a.sh && ./b.sh'`.
    let whole = shell_words::split(command).unwrap_or_default();
    let bare = command.replace(['"', '\''], "");
    let parts = bare.split(split).map(str::to_owned);
    whole.into_iter().chain(parts).filter(|word| !word.is_empty()).map(|word| plain(&word)).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn configurations_policies_and_what_they_run_are_watched() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let write = |name: &str, text: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(
            ".github/hooks/a.json",
            r#"{"version":1,"hooks":{"PreToolUse":[{"type":"command","bash":"sh ./scripts/check.sh --fast && other"}]}}"#,
        );
        write(
            ".claude/settings.json",
            r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"\"$CLAUDE_PROJECT_DIR\"/tools/stop.sh"},{"type":"command","command":"$CLAUDE_PROJECT_DIR/tools/end.sh"},{"type":"command","command":"'tools/my end.sh' x"}]}]}}"#,
        );
        write(".github/hooks/policy.toml", "schema = 1");
        for script in
            ["scripts/check.sh", "tools/stop.sh", "tools/end.sh", "tools/my end.sh", "tools/other.sh"]
        {
            write(script, "");
        }
        let watched = files(&root);
        let has = |name: &str| watched.contains(&root.join(name));
        for name in [
            ".github/hooks/a.json",
            ".claude/settings.json",
            ".github/hooks/policy.toml",
            "scripts/check.sh",
            "tools/stop.sh",
            "tools/end.sh",
            "tools/my end.sh",
        ] {
            assert!(has(name), "{name}: {watched:?}");
        }
        assert!(!has("tools/other.sh"), "{watched:?}");
        assert!(watched.iter().any(|path| path.ends_with("sh")), "the shell itself: {watched:?}");
    }
}
