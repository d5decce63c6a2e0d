//! What the people in charge want to be checked.
//!
//! `stop.toml`, in three places: `/etc/policy-hooks`, `~/.config/policy-hooks`, and a project's `.github/hooks`. A
//! project's file may only add checks, and counts only while the person trusts its exact bytes. A check that starts a
//! program runs only in a repository that the person trusts. Mistakes switch the file off and are told.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use trust::Trust;

use crate::check::{Builtin, Check, What};

/// However it is configured, an agent is held back no more often per prompt: below every host's own cap.
pub(crate) const MOST_BLOCKS: u32 = 5;

/// The project's file, below the repository's root. Hosts load every `.json` there, and never a `.toml`.
pub(crate) const PROJECT_FILE: &str = ".github/hooks/stop.toml";

/// The file's name in the folders of the machine and the user.
const NAME: &str = "stop.toml";

/// What holds here.
#[derive(Debug)]
pub(crate) struct Settings {
    /// How often the agent may be held back per prompt, 1 to [`MOST_BLOCKS`].
    pub(crate) max_blocks: u32,
    /// Whether somebody chose that number.
    pub(crate) chosen: bool,
    /// How long all checks together may take.
    pub(crate) budget: Duration,
    /// Whether sub-agents are checked too; only with checks that start no program.
    pub(crate) subagents: bool,
    /// Whether the other checks run after one failed.
    pub(crate) run_all: bool,
    /// The checks, built-in ones first.
    pub(crate) checks: Vec<Check>,
    /// What a person has to know.
    pub(crate) notes: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            max_blocks: 1,
            chosen: false,
            budget: Duration::from_secs(90),
            subagents: false,
            run_all: false,
            checks: vec![Check::builtin(Builtin::NoConflictMarkers)],
            notes: Vec::new(),
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    stop: Table,
}

/// The `[stop]` table.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    max_blocks: Option<u32>,
    budget_s: Option<u64>,
    subagents: Option<bool>,
    run_all: Option<bool>,
    conflict_markers: Option<bool>,
    #[serde(default)]
    check: Vec<CheckTable>,
}

/// A `[[stop.check]]` table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckTable {
    id: String,
    builtin: Option<Builtin>,
    argv: Option<Vec<String>>,
    #[serde(default)]
    paths: Vec<String>,
    timeout_s: Option<u64>,
    #[serde(default)]
    env: Vec<String>,
}

impl Table {
    /// What was set besides checks, which a project's file may not do.
    fn sets_more_than_checks(&self) -> bool {
        self.max_blocks.is_some()
            || self.budget_s.is_some()
            || self.subagents.is_some()
            || self.run_all.is_some()
            || self.conflict_markers.is_some()
    }
}

impl CheckTable {
    fn check(self) -> Result<Check, String> {
        let Self { id, builtin, argv, paths, timeout_s, env } = self;
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if id.is_empty() || id.len() > 64 || !id.chars().all(fits) {
            return Err(format!("the id {id:?} is not 1 to 64 letters, digits, `-`, `_` or `.`"));
        }
        let what = match (builtin, argv) {
            (Some(builtin), None) => What::Builtin(builtin),
            (None, Some(argv)) if argv.first().is_some_and(|program| !program.is_empty()) => {
                What::Program(argv)
            }
            (None, Some(_)) => return Err(format!("check `{id}` has an empty `argv`")),
            _ => return Err(format!("check `{id}` needs either `builtin` or `argv`")),
        };
        let limit = Duration::from_secs(timeout_s.unwrap_or(60).clamp(1, 3600));
        Ok(Check { id, what, paths, limit, env })
    }
}

fn parse(path: &Path, bytes: &[u8]) -> Result<Table, String> {
    let text =
        std::str::from_utf8(bytes).map_err(|error| format!("{} is not text: {error}", path.display()))?;
    let document: Document = toml::from_str(text)
        .map_err(|error| format!("{}: {}", path.display(), error.to_string().trim_end()))?;
    Ok(document.stop)
}

/// The checks that a file names, for a person to read before trusting it.
pub(crate) fn checks_of(path: &Path, bytes: &[u8]) -> Result<Vec<Check>, String> {
    parse(path, bytes)?.check.into_iter().map(CheckTable::check).collect()
}

impl Settings {
    /// What holds for the user with this home in the folder `root`.
    pub(crate) fn of(home: &Path, root: &Path) -> Self {
        Self::layered(&[settings::system(NAME), settings::user(home, NAME)], &trust::file(home), root)
    }

    fn layered(own: &[PathBuf], trusted: &Path, root: &Path) -> Self {
        let mut settings = Self::default();
        let trust = Trust::read(trusted).unwrap_or_else(|error| {
            settings.notes.push(format!("{error} {}", error.hint()));
            Trust::default()
        });
        for file in own {
            let table =
                settings::read(file).and_then(|bytes| bytes.map(|bytes| parse(file, &bytes)).transpose());
            match table {
                Ok(Some(table)) => settings.add(file, table),
                Ok(None) => {}
                Err(error) => settings.notes.push(format!("{error}\nIts checks do not run.")),
            }
        }
        settings.add_project(&trust, &root.join(PROJECT_FILE));
        let programs = settings.checks.iter().any(|check| matches!(check.what, What::Program(_)));
        if programs && !trust.has_repository(root) {
            settings.checks.retain(|check| matches!(check.what, What::Builtin(_)));
            settings.notes.push(format!(
                "{} is not trusted, so no check starts a program there. Look at it, then run `stop-guard trust` in it.",
                root.display()
            ));
        }
        settings.checks.sort_by_key(|check| matches!(check.what, What::Program(_)));
        settings
    }

    fn add_project(&mut self, trust: &Trust, file: &Path) {
        let told = match settings::read(file) {
            Ok(None) => return,
            Ok(Some(bytes)) if trust.has_file(file, &bytes) => match parse(file, &bytes) {
                Ok(table) if table.sets_more_than_checks() => {
                    format!("{}: a project's file may only add checks; it does not count.", file.display())
                }
                Ok(table) => return self.add(file, table),
                Err(error) => format!("{error}\nIts checks do not run."),
            },
            Ok(Some(_)) => format!(
                "{} is not trusted as it is, so its checks do not run. Read it, then run `stop-guard trust`.",
                file.display()
            ),
            Err(error) => error,
        };
        self.notes.push(told);
    }

    fn add(&mut self, file: &Path, table: Table) {
        let mut note = |text: String| self.notes.push(format!("{}: {text}.", file.display()));
        if let Some(wanted) = table.max_blocks {
            if !(1..=MOST_BLOCKS).contains(&wanted) {
                note(format!("max_blocks is {wanted}, but 1 to {MOST_BLOCKS} is possible"));
            }
            self.max_blocks = wanted.clamp(1, MOST_BLOCKS);
            self.chosen = true;
        }
        self.budget = table.budget_s.map_or(self.budget, Duration::from_secs);
        self.subagents = table.subagents.unwrap_or(self.subagents);
        self.run_all = table.run_all.unwrap_or(self.run_all);
        if table.conflict_markers == Some(false) {
            self.checks.retain(|check| check.what != What::Builtin(Builtin::NoConflictMarkers));
        }
        for table in table.check {
            match table.check() {
                Ok(check)
                    if self.checks.iter().any(|known| known.id == check.id && known.what != check.what) =>
                {
                    note(format!("there is a check `{}` already; this one does not run", check.id));
                }
                Ok(check) if self.checks.iter().any(|known| known.what == check.what) => {}
                Ok(check) => self.checks.push(check),
                Err(error) => note(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Scene {
        folder: tempfile::TempDir,
    }

    impl Scene {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            std::fs::create_dir_all(folder.path().join("project/.github/hooks")).unwrap();
            Self { folder }
        }

        fn write(&self, name: &str, text: &str) -> PathBuf {
            let path = self.folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        }

        fn trust(&self, change: impl FnOnce(&mut Trust)) {
            let mut trust = Trust::default();
            change(&mut trust);
            trust.write(&self.folder.path().join("trust.toml")).unwrap();
        }

        fn settings(&self) -> Settings {
            let own = ["system.toml", "user.toml"].map(|name| self.folder.path().join(name));
            Settings::layered(&own, &self.folder.path().join("trust.toml"), &self.root())
        }

        fn root(&self) -> PathBuf {
            self.folder.path().join("project")
        }
    }

    fn ids(settings: &Settings) -> Vec<&str> {
        settings.checks.iter().map(|check| check.id.as_str()).collect()
    }

    const TESTS: &str = "[[stop.check]]\nid = \"tests\"\nargv = [\"make\", \"test\"]\n";

    #[test]
    fn without_files_only_conflict_markers_are_looked_for() {
        let settings = Scene::new().settings();
        assert_eq!(ids(&settings), ["no_conflict_markers"]);
        assert_eq!((settings.max_blocks, settings.chosen), (1, false));
        assert!(settings.notes.is_empty());
    }

    #[test]
    fn a_program_runs_only_in_a_trusted_repository() {
        let scene = Scene::new();
        scene.write("user.toml", TESTS);
        let settings = scene.settings();
        assert_eq!(ids(&settings), ["no_conflict_markers"]);
        assert!(settings.notes[0].contains("stop-guard trust"), "{:?}", settings.notes);
        scene.trust(|trust| trust.add_repository(&scene.root()).unwrap());
        assert_eq!(ids(&scene.settings()), ["no_conflict_markers", "tests"]);
    }

    #[test]
    fn a_projects_file_counts_only_as_it_was_trusted() {
        let scene = Scene::new();
        let file = scene.write("project/.github/hooks/stop.toml", TESTS);
        scene.trust(|trust| trust.add_repository(&scene.root()).unwrap());
        let settings = scene.settings();
        assert_eq!(ids(&settings), ["no_conflict_markers"], "a trusted repository is not a trusted file");
        assert!(settings.notes[0].contains("not trusted as it is"), "{:?}", settings.notes);
        scene.trust(|trust| {
            trust.add_repository(&scene.root()).unwrap();
            trust.add_file(&file, TESTS.as_bytes()).unwrap();
        });
        assert_eq!(ids(&scene.settings()), ["no_conflict_markers", "tests"]);
        scene.write("project/.github/hooks/stop.toml", &TESTS.replace("make", "evil"));
        assert_eq!(ids(&scene.settings()), ["no_conflict_markers"]);
    }

    #[test]
    fn a_projects_file_may_only_add() {
        let scene = Scene::new();
        scene.write("user.toml", TESTS);
        for text in ["[stop]\nmax_blocks = 5\n", "[stop]\nconflict_markers = false\n"] {
            let file = scene.write("project/.github/hooks/stop.toml", text);
            scene.trust(|trust| {
                trust.add_repository(&scene.root()).unwrap();
                trust.add_file(&file, text.as_bytes()).unwrap();
            });
            let settings = scene.settings();
            assert_eq!(ids(&settings), ["no_conflict_markers", "tests"]);
            assert_eq!(settings.max_blocks, 1);
            assert!(settings.notes[0].contains("may only add"), "{:?}", settings.notes);
        }
        let other = TESTS.replace("make", "evil");
        let file = scene.write("project/.github/hooks/stop.toml", &other);
        scene.trust(|trust| {
            trust.add_repository(&scene.root()).unwrap();
            trust.add_file(&file, other.as_bytes()).unwrap();
        });
        let settings = scene.settings();
        assert_eq!(settings.checks[1].what, What::Program(vec!["make".to_owned(), "test".to_owned()]));
        assert!(settings.notes[0].contains("already"), "{:?}", settings.notes);
    }

    /// The names that a mistake in `text` is told to be none of.
    fn expected(text: &str) -> Vec<String> {
        let told = toml::from_str::<Document>(text).unwrap_err().to_string();
        let list = told.split_once("expected").unwrap().1;
        let mut names: Vec<String> = list.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        names.sort();
        names
    }

    #[test]
    fn the_published_schema_has_what_is_read_and_nothing_else() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/schemas/stop-settings.json");
        let schema: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let stop = &schema["properties"]["stop"];
        let check = &stop["properties"]["check"]["items"];
        for (place, text) in [
            (&schema, "nonsense = 1"),
            (stop, "[stop]\nnonsense = 1"),
            (check, "[[stop.check]]\nid = \"a\"\nnonsense = 1"),
        ] {
            assert_eq!(place["additionalProperties"], false);
            let names: Vec<&String> = place["properties"].as_object().unwrap().keys().collect();
            assert_eq!(names, expected(text).iter().collect::<Vec<_>>(), "{text}");
        }
        let mut builtins: Vec<String> = check["properties"]["builtin"]["enum"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap().to_owned())
            .collect();
        builtins.sort();
        assert_eq!(builtins, expected("[[stop.check]]\nid = \"a\"\nbuiltin = \"nonsense\""));
        assert_eq!(stop["properties"]["max_blocks"]["maximum"], MOST_BLOCKS);
    }

    #[test]
    fn mistakes_are_told_and_never_make_the_guard_stricter() {
        let scene = Scene::new();
        for (text, told) in [
            ("[stop]\nmax_block = 2\n", "max_block"),
            ("[stop\n", "user.toml"),
            ("[stop]\nmax_blocks = 9\n", "1 to 5"),
            ("[stop]\nmax_blocks = 0\n", "1 to 5"),
            ("[stop]\nmax_blocks = -1\n", "max_blocks"),
            ("[[stop.check]]\nid = \"a b\"\nargv = [\"x\"]\n", "id"),
            ("[[stop.check]]\nid = \"a\"\n", "either"),
            ("[[stop.check]]\nid = \"a\"\nargv = []\n", "empty"),
            ("[[stop.check]]\nid = \"a\"\nbuiltin = \"no_typos\"\n", "no_typos"),
            ("\u{feff}[stop]\nx = \u{1}", "user.toml"),
        ] {
            scene.write("user.toml", text);
            let settings = scene.settings();
            assert_eq!(ids(&settings), ["no_conflict_markers"], "{text}");
            assert!((1..=MOST_BLOCKS).contains(&settings.max_blocks), "{text}");
            assert!(settings.notes.iter().any(|note| note.contains(told)), "{text}: {:?}", settings.notes);
        }
        scene.write("user.toml", "[stop]\nmax_blocks = 2\nconflict_markers = false\n");
        let settings = scene.settings();
        assert_eq!((ids(&settings), settings.max_blocks, settings.chosen), (vec![], 2, true));
    }

    #[test]
    fn the_readmes_example_is_a_whole_file() {
        let readme = include_str!("../README.md");
        let mut examples = readme.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap());
        let example = examples.find(|example| example.contains("[stop]")).unwrap();
        let scene = Scene::new();
        scene.write("user.toml", example);
        scene.trust(|trust| trust.add_repository(&scene.root()).unwrap());
        let settings = scene.settings();
        assert_eq!(ids(&settings), ["no_conflict_markers", "nothing-left", "tests"]);
        assert!(settings.notes.is_empty(), "{:?}", settings.notes);
        let rest = (settings.max_blocks, settings.budget, settings.run_all, settings.subagents);
        let default = Settings::default();
        assert_eq!(rest, (default.max_blocks, default.budget, default.run_all, default.subagents));
    }
}
