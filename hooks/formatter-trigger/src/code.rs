//! Whether the code that a formatter's configuration makes it run is the project's own, as it was committed.
//!
//! An agent that may edit files must not be able to run code through this hook. So a configuration that is code counts
//! only as it stands in HEAD, with everything that it fetches from the project; what cannot be followed needs trust.

use std::path::{Path, PathBuf};

use crate::evidence::read;
use crate::folder::real;
use crate::workspace::Workspace;

/// As many files may a configuration be made of.
const MOST: usize = 64;

/// What loads code in ways that are not followed.
const OPAQUE: &[&str] = &[
    "__dirname",
    "__filename",
    "import.meta",
    "createRequire",
    "child_process",
    "process.",
    "eval(",
    "Function(",
    "readFile",
    "vm\"",
    "vm'",
];

/// What runs programs or loads further settings for dprint, whose paths need no dot, or may spell that.
const DPRINT: &[&str] = &["exec", "extends", "\\"];

/// Why the code behind `config` is not what the project committed, if so.
pub(crate) fn is_doubtful(workspace: &Workspace, config: &Path) -> Option<String> {
    if workspace.is_trusted() {
        return None;
    }
    if let Err(why) = workspace.lets_committed_code_run() {
        return Some(why);
    }
    let folder = config.parent().unwrap_or(&workspace.root);
    if let Err(why) = workspace.agent_left_alone(workspace.caller.changed_around(folder, &workspace.root)) {
        return Some(why);
    }
    let mut open = vec![config.to_owned()];
    let mut seen: Vec<PathBuf> = Vec::new();
    while let Some(path) = open.pop() {
        let Ok(path) = real(&path) else { continue };
        if seen.contains(&path) {
            continue;
        }
        if seen.len() >= MOST {
            return Some(format!("{} loads too many files", config.display()));
        }
        let Some(text) = read(&path) else { return Some(format!("{} cannot be read", path.display())) };
        // Of a `package.json` one member counts; what else agents change in it is not code of the formatter's.
        let package = seen.is_empty() && path.file_name().is_some_and(|name| name == "package.json");
        let part = if package { prettier_of } else { |text: &str| text.replace("\r\n", "\n") };
        if committed(workspace, &path).is_none_or(|head| part(&head) != part(&text)) {
            return Some(format!("{} is not what was committed", path.display()));
        }
        let text = part(&text);
        let is_dprint = path.file_name().is_some_and(|name| name.to_string_lossy().contains("dprint"));
        let further = if is_dprint { DPRINT } else { &[] };
        let found = further.iter().copied().find(|part| text.contains(*part));
        if let Some(opaque) = found.or_else(|| opaque(&text)) {
            return Some(format!("what {} loads cannot be followed (`{opaque}`)", path.display()));
        }
        for word in quoted_words(&text) {
            let folder = path.parent().unwrap_or(&workspace.root);
            match relation(workspace, folder, word) {
                Relation::Files(files) => open.extend(files),
                Relation::InTheProject => {
                    return Some(format!("{} loads `{word}`, which is code of the project", path.display()));
                }
                Relation::None => {}
            }
        }
        seen.push(path);
    }
    None
}

/// The text of a file in HEAD.
fn committed(workspace: &Workspace, path: &Path) -> Option<String> {
    let repository = workspace.repository().ok()??;
    String::from_utf8(repository.committed(workspace.relative(path)?)?).ok()
}

/// Whether a file is in HEAD as it is, but for line endings.
pub(crate) fn is_committed(workspace: &Workspace, path: &Path) -> bool {
    let unix = |text: String| text.replace("\r\n", "\n");
    committed(workspace, path).is_some_and(|head| read(path).is_some_and(|now| unix(now) == unix(head)))
}

/// What a `package.json` says to prettier.
fn prettier_of(package: &str) -> String {
    let prettier =
        payload::Json::new(package).and_then(|package| Some(package.get("prettier")?.text().to_owned()));
    prettier.unwrap_or_default()
}

/// What a string does that cannot be followed.
fn opaque(text: &str) -> Option<&'static str> {
    if let Some(found) = OPAQUE.iter().find(|part| text.contains(**part)) {
        return Some(found);
    }
    ["require", "import"].into_iter().find(|call| {
        text.match_indices(call).any(|(at, _)| {
            let rest = text.get(at + call.len()..).unwrap_or_default().trim_start();
            // A computed name may load anything.
            rest.strip_prefix('(').is_some_and(|rest| !rest.trim_start().starts_with(['"', '\'']))
        })
    })
}

/// What stands between quotes on one line.
fn quoted_words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for line in text.lines() {
        // Paired line by line: text that is not code gives words that name no file.
        for quote in ['"', '\'', '`'] {
            words.extend(line.split(quote).skip(1).step_by(2).filter(|word| !word.is_empty()));
        }
        // A list or a name of YAML and of a bare `.prettierrc` has no quotes.
        let bare = line.trim().trim_start_matches("- ").rsplit(": ").next().unwrap_or_default();
        words.push(bare.trim_matches(['[', ']', ' ']));
    }
    words
}

/// How a quoted word may load code.
enum Relation {
    None,
    Files(Vec<PathBuf>),
    InTheProject,
}

fn relation(workspace: &Workspace, folder: &Path, word: &str) -> Relation {
    if word.starts_with("./")
        || word.starts_with("../")
        || word.starts_with('/')
        || word == "."
        || word == ".."
    {
        let target = folder.join(word);
        // The endings that node tries.
        let ends = [
            "",
            ".js",
            ".cjs",
            ".mjs",
            ".ts",
            ".cts",
            ".mts",
            ".json",
            "/index.js",
            "/index.cjs",
            "/index.mjs",
        ];
        let files = ends.iter().map(|end| PathBuf::from(format!("{}{end}", target.display())));
        return Relation::Files(files.filter(|file| file.is_file()).collect());
    }
    // `#name` and the package's own name lead back into the project, and so does a package that is a link into it.
    if word.starts_with('#') && word.len() > 1 && !word.contains(' ') {
        return Relation::InTheProject;
    }
    let name = |c: char| c.is_ascii_alphanumeric() || "@/-_.".contains(c);
    if word.is_empty() || !word.chars().all(name) {
        return Relation::None;
    }
    let mut parts = word.split('/');
    let package = match (parts.next(), parts.next()) {
        (Some(scope), Some(name)) if scope.starts_with('@') => format!("{scope}/{name}"),
        (Some(name), _) => name.to_owned(),
        _ => return Relation::None,
    };
    for above in folder.ancestors().take_while(|above| above.starts_with(&workspace.root)) {
        let own = read(&above.join("package.json"));
        let own = own
            .as_deref()
            .and_then(payload::Json::new)
            .and_then(|own| own.get_str("name").map(|name| name == package));
        let linked = real(&above.join("node_modules").join(&package)).is_ok_and(|path| {
            path.starts_with(&workspace.root)
                && !path.components().any(|part| part.as_os_str() == "node_modules")
        });
        if own == Some(true) || linked {
            return Relation::InTheProject;
        }
    }
    Relation::None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_followed_is_seen() {
        for text in [
            "require(name)",
            "await import( where )",
            "const x = import.meta.url",
            "require(`./${x}`)",
            "fs.readFileSync('x')",
        ] {
            assert!(opaque(text).is_some(), "{text}");
        }
        for text in
            ["import x from './x.js'", "require('./x')", "export default { semi: false }", "import('./a.js')"]
        {
            assert!(opaque(text).is_none(), "{text}");
        }
    }

    #[test]
    fn words_are_found_with_and_without_quotes() {
        let words =
            quoted_words("import x from './x.js'; y(\"../y\")\nplugins:\n  - ./z.js\nplugins: [./w.js]\n");
        for word in ["./x.js", "../y", "./z.js", "./w.js"] {
            assert!(words.contains(&word), "{word} in {words:?}");
        }
    }
}
