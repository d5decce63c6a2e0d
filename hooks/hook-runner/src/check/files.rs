//! Problems of files as a whole: who can write them, where they are, and what they are together.

use std::path::{Path, PathBuf};

use host::load::{Loaded, load};
use host::place::Scope;
use host::tree::text;
use host::{Code, Hook, Problem, Product, System, Weight};
use payload::{EventKind, Root};

use super::finding::{Finding, Page};
use crate::project::Project;

/// Whether users other than the owner and the group can write a file, or put another one in its place.
#[cfg(unix)]
pub(super) fn writable_by_others(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |path: &Path| path.metadata().map_or(0, |data| data.permissions().mode());
    let file = mode(path) & 0o002 != 0;
    // Who may write in a folder may put another file in its place.
    // In a folder with the sticky bit, such as /tmp, only owners replace files.
    let folder = path.parent().map_or(0, mode);
    file || (folder & 0o002 != 0 && folder & 0o1000 == 0)
}

/// No one has looked at access control lists of Windows yet.
#[cfg(not(unix))]
pub(super) fn writable_by_others(_path: &Path) -> bool {
    false
}

/// Whether a file of the organisation could be written by anyone but root.
#[cfg(unix)]
fn not_only_by_root(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    path.metadata().is_ok_and(|data| data.uid() != 0 || data.mode() & 0o022 != 0)
}

#[cfg(not(unix))]
fn not_only_by_root(_path: &Path) -> bool {
    false
}

/// Who can write the file.
pub(super) fn permissions(page: &Page, product: Product, scope: Scope) -> Vec<Finding> {
    let policy = scope == Scope::Policy && not_only_by_root(&page.path);
    if !policy && !writable_by_others(&page.path) {
        return Vec::new();
    }
    let (message, help) = if policy {
        (
            "Hosts take policy files only from root: this one belongs to someone else, or others can write it.",
            "chown root, chmod 644.",
        )
    } else {
        (
            "Every user of this machine can write this file, and so decide what the agent runs.",
            "Use chmod o-w on it, and on its folder.",
        )
    };
    vec![page.finding(Problem::new(Code::FileWritableByOthers, product, 0..0, message, help))]
}

fn page(project: &Project, path: PathBuf) -> Page {
    let text = text(&path).unwrap_or_default();
    Page { file: project.short(&path), path, text: text.as_str().into() }
}

/// Files that look like hooks and that no host reads.
pub(super) fn strays(project: &Project) -> Vec<Finding> {
    let strays =
        Product::ALL.into_iter().flat_map(|product| product.strays.iter().map(move |of| (product, of)));
    let mut found: Vec<(PathBuf, Product, String)> = strays
        .map(|(product, (name, place))| (project.root.join(name), product, (*place).to_owned()))
        .filter(|(path, ..)| path.is_file())
        .collect();
    let folder = project.root.join(".github/hooks");
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        let ours = crate::own_settings::is_ours(&path);
        // Hosts only read `.json` there.
        if !ours && matches!(extension.as_str(), "jsonc" | "json5" | "yaml" | "yml" | "toml") {
            found.push((path, Product::COPILOT_CLI, "NAME.json".to_owned()));
        }
    }
    found
        .into_iter()
        .map(|(path, product, place)| page(project, path).stray(product, &place))
        .filter(|finding| {
            // A file of another purpose may have the same name.
            finding.text.contains("hooks")
                || finding.text.contains("PreToolUse")
                || finding.text.contains("preToolUse")
        })
        .collect()
}

impl Page {
    fn stray(&self, product: Product, place: &str) -> Finding {
        let message = "No host reads a file with this name in this place: its hooks never run.";
        self.finding(Problem::new(Code::FileName, product, 0..0, message, format!("Name it {place}.")))
    }
}

/// Workflows that mean to switch a repository's hooks on, and do not.
pub(super) fn workflows(project: &Project) -> Vec<Finding> {
    const NAME: &str = "GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS";
    let mut findings = Vec::new();
    let entries = std::fs::read_dir(project.root.join(".github/workflows"));
    // Folders are listed in any order; findings are compared from run to run.
    let mut paths: Vec<PathBuf> = entries.into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let page = page(project, path);
        for (at, _) in page.text.match_indices(NAME) {
            let rest = &page.text[at + NAME.len()..];
            let Some(value) = rest.trim_start_matches([' ', '"', '\'']).strip_prefix([':', '=']) else {
                continue;
            };
            // A comment may follow the value.
            let value = value.lines().next().unwrap_or_default().trim();
            let value = value.split(|c: char| c.is_whitespace() || c == '#').next().unwrap_or_default();
            let value = value.trim_matches(['"', '\'']);
            // What is computed may well be `true`.
            if value != "true" && !value.is_empty() && !value.starts_with('$') {
                let message = format!(
                    "`{value}` does nothing: Copilot CLI loads the repository's hooks in `-p` only with `true`."
                );
                let problem = Problem::new(
                    Code::TrustValue,
                    Product::COPILOT_CLI,
                    at..at + NAME.len(),
                    message,
                    "Write \"true\".",
                );
                findings.push(page.finding(problem));
            }
        }
    }
    findings
}

fn loaded(project: &Project, product: Product) -> Loaded {
    load(product, &project.folders, System::HERE)
}

fn wanted(hosts: &[Product], product: Product) -> bool {
    hosts.is_empty() || hosts.contains(&product)
}

/// Settings beside the hooks that switch them off.
pub(super) fn switches(project: &Project, hosts: &[Product], scopes: &[Scope]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for product in Product::ALL.into_iter().filter(|product| wanted(hosts, *product)) {
        let loaded = loaded(project, product);
        for remark in loaded.remarks.iter().filter(|remark| remark.weight == Weight::Off) {
            let Some((path, span)) = &remark.at else { continue };
            // A check of a project does not speak of the user's own files.
            if !scopes.contains(&Scope::User) && !path.starts_with(&project.root) {
                continue;
            }
            let message = format!("{}: {}.", product.title, remark.text);
            let problem =
                Problem::new(Code::HooksDisabled, product, span.clone(), message, remark.help.clone());
            findings.push(page(project, path.clone()).finding(problem));
        }
    }
    findings
}

/// Agents that bring hooks of their own.
pub(super) fn agents(project: &Project, hosts: &[Product]) -> Vec<Finding> {
    let product = Product::VS_CODE;
    if !wanted(hosts, product) {
        return Vec::new();
    }
    let of_repository =
        product.host.traits().agents.places.iter().filter(|place| place.below == Root::Repository);
    let mut paths: Vec<PathBuf> = of_repository
        .flat_map(|place| std::fs::read_dir(project.root.join(place.path)).into_iter().flatten().flatten())
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    paths.sort();
    let mut findings = Vec::new();
    for page in paths.into_iter().map(|path| page(project, path)) {
        // The head ends where a line says so; what comes after it is for the model.
        let Some(head) = page.text.strip_prefix("---").and_then(|rest| rest.split("\n---").next()) else {
            continue;
        };
        let Some(at) = head.find("\nhooks:") else { continue };
        let at = "---\n".len() + at;
        let message = "This agent brings hooks of its own: VS Code runs them besides those of files, while the agent works.";
        let help = "They can add a hook, and take none away; read them as you would read a hook file.";
        let span = at..at + "hooks".len();
        findings.push(page.finding(Problem::new(Code::HooksOfAgent, product, span, message, help)));
    }
    findings
}

/// The same hook in two files that one host reads.
pub(super) fn twice(project: &Project, hosts: &[Product]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for product in
        [Product::VS_CODE, Product::COPILOT_CLI].into_iter().filter(|product| wanted(hosts, *product))
    {
        let hooks = loaded(project, product).hooks();
        // Ours may run twice: user and project install them both.
        let ours = |hook: &Hook| host::installed::command::call(&hook.action.describe()).is_some();
        for (index, hook) in hooks.iter().enumerate().filter(|(_, hook)| !ours(hook)) {
            let same = |earlier: &&Hook| {
                earlier.kind == hook.kind
                    && earlier.action == hook.action
                    && earlier.origin.file != hook.origin.file
            };
            let Some(first) = hooks[..index].iter().find(same) else { continue };
            let message = format!(
                "{} reads this file and {}: it runs `{}` twice.",
                product.title,
                project.short(&first.origin.file),
                hook.action.describe()
            );
            let help = "Keep one of them, or make sure that running twice does no harm.";
            let problem = Problem::new(Code::RunTwice, product, hook.origin.span.clone(), message, help);
            findings.push(page(project, hook.origin.file.clone()).finding(problem));
        }
    }
    findings
}

/// A hook of ours that decides about permissions beside one whose allow can override its denial.
pub(super) fn overridden(project: &Project, hosts: &[Product]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for product in Product::ALL.into_iter().filter(|product| wanted(hosts, *product)) {
        let loaded = loaded(project, product);
        let Some(found) = loaded.overridden() else { continue };
        let message = format!("{} ({}:{})", found.text, project.short(&found.by.file), found.by.line);
        let help =
            "What `PreToolUse` denies stays denied: keep the hook there as well, as `hook-runner init` does.";
        let problem =
            Problem::new(Code::PermissionOverridden, product, found.hook.span.clone(), message, help);
        findings.push(page(project, found.hook.file.clone()).finding(problem));
    }
    findings
}

/// A logger that never sees what earlier hooks denied.
pub(super) fn audit_late(project: &Project, hosts: &[Product]) -> Vec<Finding> {
    if !wanted(hosts, Product::COPILOT_CLI) {
        return Vec::new();
    }
    let hooks = loaded(project, Product::COPILOT_CLI).hooks();
    let before: Vec<&Hook> = hooks.iter().filter(|hook| hook.kind == EventKind::PreToolUse).collect();
    let is_logger = |hook: &Hook| {
        let run = hook.action.describe().to_lowercase();
        run.contains("audit") || run.contains("logger")
    };
    let Some(late) = before.iter().position(|hook| is_logger(hook)).filter(|index| *index > 0) else {
        return Vec::new();
    };
    // Loggers before it deny nothing.
    if before[..late].iter().all(|hook| is_logger(hook)) {
        return Vec::new();
    }
    let hook = before[late];
    let message = "Copilot CLI stops at the first hook that denies, and runs files in descending order of their names: this logger never sees a denied call.";
    let help = "Give its file a higher number than the guards, and put it where they are: the user's hooks run before the project's.";
    let problem =
        Problem::new(Code::OrderAudit, Product::COPILOT_CLI, hook.origin.span.clone(), message, help);
    vec![page(project, hook.origin.file.clone()).finding(problem)]
}
