//! What the people in charge want to be checked.
//!
//! `stop.toml`, in three places: `/etc/policy-hooks`, `~/.config/policy-hooks`, and a project's `.github/hooks`. A
//! project's file may only add checks, and counts only while the person trusts its exact bytes. A check that starts a
//! program runs only in a repository that the person trusts.
//!
//! A broken file is the strict one: what can be read in it counts, conflict markers are looked for, whatever any file says,
//! and the file itself is a check that fails until a person has fixed it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use store::settings::stop::{NAME, Stop, Table};
use store::settings::{Layer, Mistake, Said};
use store::trust::Trust;

use crate::check::{Builtin, Check, What};

pub(crate) use store::settings::stop::PROJECT_FILE;

/// However it is configured, an agent is held back no more often per prompt: below every host's own cap.
pub(crate) const MOST_BLOCKS: u32 = 5;

/// What holds here.
#[derive(Debug)]
pub(crate) struct Settings {
    /// How often the agent may be held back per prompt, 1 to [`MOST_BLOCKS`].
    pub(crate) max_blocks: u32,
    /// Whether someone chose that number.
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

fn check(table: store::settings::stop::Check) -> Option<Check> {
    let store::settings::stop::Check { id, builtin, argv, paths, timeout_s, env } = table;
    // What is neither was taken out as a mistake.
    let what = builtin.map(What::Builtin).or(argv.map(What::Program))?;
    // From a second to an hour; the hook's deadline cuts in earlier anyway.
    let limit = Duration::from_secs(timeout_s.unwrap_or(60).clamp(1, 3600));
    Some(Check { id, what, paths, limit, env })
}

/// The checks that a file names, for a person to read before trusting it.
pub(crate) fn checks_of(said: Said<Stop>) -> Vec<Check> {
    let tables = said.document.unwrap_or_default().stop.check;
    tables.into_iter().filter_map(|table| check(table.into_inner())).collect()
}

/// What was set besides checks, which a project's file may not do.
fn sets_more_than_checks(table: &Table) -> bool {
    table.max_blocks.is_some()
        || table.budget_s.is_some()
        || table.subagents.is_some()
        || table.run_all.is_some()
        || table.conflict_markers.is_some()
}

impl Settings {
    /// What holds for the user with this home in the folder `root`.
    pub(crate) fn of(home: &Path, root: &Path) -> Self {
        let own = [
            (store::settings::system(NAME), Layer::Machine),
            (store::settings::user(home, NAME), Layer::User),
        ];
        Self::layered(&own, &store::trust::file(home), root)
    }

    fn layered(own: &[(PathBuf, Layer)], trusted: &Path, root: &Path) -> Self {
        let mut settings = Self::default();
        let trust = Trust::read(trusted).unwrap_or_else(|error| {
            settings.notes.push(format!("{error} {}", error.hint()));
            Trust::default()
        });
        let mut markers = Markers::default();
        for (file, layer) in own {
            let said = store::settings::read::<Stop>(file, *layer);
            markers.hear(&said);
            settings.mistaken(&said.mistakes);
            settings.add(file, said.document.unwrap_or_default().stop);
        }
        if !markers.wanted() {
            settings.checks.retain(|check| check.what != What::Builtin(Builtin::NoConflictMarkers));
        }
        // After the user's own: of two checks with one name, the person's counts.
        settings.add_project(&trust, &root.join(PROJECT_FILE));
        let programs = settings.checks.iter().any(|check| matches!(check.what, What::Program(_)));
        if programs && !trust.has_repository(root) {
            settings.checks.retain(|check| !matches!(check.what, What::Program(_)));
            settings.notes.push(format!(
                "{} is not trusted, so no check starts a program there. Look at it, then run `stop-guard trust` in it.",
                root.display()
            ));
        }
        // The cheap ones first: a failure may spare the others.
        settings.checks.sort_by_key(|check| match check.what {
            What::Builtin(_) => 0,
            What::Program(_) => 1,
            What::Settings(_) => 2,
        });
        settings
    }

    fn add_project(&mut self, trust: &Trust, file: &Path) {
        let said = store::settings::read::<Stop>(file, Layer::Project);
        let table = match said.document {
            None => return,
            Some(_) if !trust.has_file(file, &said.bytes) => None,
            Some(document) => Some(document.stop),
        };
        let told = match table {
            // It is trusted, and what can be read of it still counts.
            Some(table) if !said.mistakes.is_empty() => {
                self.mistaken(&said.mistakes);
                return self.add(file, Table { check: table.check, ..Table::default() });
            }
            Some(table) if sets_more_than_checks(&table) => {
                format!("{}: a project's file may only add checks; it does not count.", file.display())
            }
            Some(table) => return self.add(file, table),
            None => match said.mistakes.first() {
                Some(mistake) => format!("{mistake}\nIts checks do not run."),
                None => format!(
                    "{} is not trusted in its current state, so its checks do not run. Read it, then run `stop-guard trust`.",
                    file.display()
                ),
            },
        };
        self.notes.push(told);
    }

    /// A file with mistakes may have asked for more than can be read in it: that is a check that fails.
    fn mistaken(&mut self, mistakes: &[Mistake]) {
        let Some(first) = mistakes.first() else { return };
        self.notes.extend(mistakes.iter().map(ToString::to_string));
        self.checks.push(Check {
            id: "settings".to_owned(),
            what: What::Settings(first.to_string()),
            paths: Vec::new(),
            limit: Duration::ZERO,
            env: Vec::new(),
        });
    }

    fn add(&mut self, file: &Path, table: Table) {
        let mut note = |text: String| self.notes.push(format!("{}: {text}.", file.display()));
        if let Some(wanted) = table.max_blocks {
            if !(1..=MOST_BLOCKS).contains(&wanted) {
                note(format!("max_blocks is {wanted}, but must be 1 to {MOST_BLOCKS}"));
            }
            self.max_blocks = wanted.clamp(1, MOST_BLOCKS);
            self.chosen = true;
        }
        self.budget = table.budget_s.map_or(self.budget, Duration::from_secs);
        self.subagents = table.subagents.unwrap_or(self.subagents);
        self.run_all = table.run_all.unwrap_or(self.run_all);
        for check in table.check.into_iter().filter_map(|table| check(table.into_inner())) {
            // The first one stays: a project must not replace a check of the person by giving its own the same name.
            if self.checks.iter().any(|known| known.id == check.id && known.what != check.what) {
                note(format!("a check `{}` already exists; this one does not run", check.id));
            } else if !self.checks.iter().any(|known| known.what == check.what) {
                self.checks.push(check);
            }
        }
    }
}

/// Whether conflict markers are looked for: as the last file says, unless the machine wants it, or a file cannot be
/// read, which may have wanted it.
#[derive(Debug, Default)]
struct Markers {
    told: Option<bool>,
    demanded: bool,
}

impl Markers {
    fn hear(&mut self, said: &Said<Stop>) {
        let told = said.document.as_ref().and_then(|document| document.stop.conflict_markers);
        // The machine's file comes first: what it demands, no later one takes away.
        self.demanded |= !said.mistakes.is_empty() || (self.told.is_none() && told == Some(true));
        self.told = told.or(self.told);
    }

    fn wanted(&self) -> bool {
        self.demanded || self.told.unwrap_or(true)
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
            let own = ["system.toml", "user.toml"].map(|name| (self.folder.path().join(name), Layer::User));
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
        assert!(settings.notes[0].contains("not trusted in its current state"), "{:?}", settings.notes);
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

    /// The names that a mistake in `text` lists as possible.
    fn expected(text: &str) -> Vec<String> {
        let told = toml::from_str::<Stop>(text).unwrap_err().to_string();
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
    fn a_mistake_is_a_check_that_fails_and_switches_nothing_off() {
        let scene = Scene::new();
        for (text, told) in [
            (
                "[stop]\nmax_block = 2\n",
                "user.toml:2:1: unknown key `max_block` (did you mean `max_blocks`?)",
            ),
            ("[stop\n", "user.toml:1:"),
            ("[stop]\nmax_blocks = -1\n", "user.toml:2:14: "),
            ("[[stop.check]]\nid = \"a b\"\nargv = [\"x\"]\n", "id"),
            ("[[stop.check]]\nid = \"a\"\n", "either"),
            ("[[stop.check]]\nid = \"a\"\nargv = []\n", "empty"),
            ("[[stop.check]]\nid = \"a\"\nbuiltin = \"no_typos\"\n", "no_typos"),
            ("[stop]\nconflict_markers = false\nrun_al = true\n", "run_all"),
            ("\u{feff}[stop]\nx = \u{1}", "user.toml:2:"),
        ] {
            scene.write("user.toml", text);
            let settings = scene.settings();
            assert_eq!(ids(&settings), ["no_conflict_markers", "settings"], "{text}");
            assert!((1..=MOST_BLOCKS).contains(&settings.max_blocks), "{text}");
            let What::Settings(what) = &settings.checks[1].what else { panic!("{text}") };
            assert!(what.contains("user.toml"), "{text}: {what}");
            assert!(settings.notes.iter().any(|note| note.contains(told)), "{text}: {:?}", settings.notes);
        }
        for text in ["[stop]\nmax_blocks = 9\n", "[stop]\nmax_blocks = 0\n"] {
            scene.write("user.toml", text);
            let settings = scene.settings();
            assert_eq!(ids(&settings), ["no_conflict_markers"], "{text}");
            assert!((1..=MOST_BLOCKS).contains(&settings.max_blocks), "{text}");
            assert!(settings.notes[0].contains("1 to 5"), "{text}: {:?}", settings.notes);
        }
        scene.write("user.toml", "[stop]\nmax_blocks = 2\nconflict_markers = false\n");
        let settings = scene.settings();
        assert_eq!((ids(&settings), settings.max_blocks, settings.chosen), (vec![], 2, true));
    }

    #[test]
    fn a_broken_file_of_the_machine_keeps_what_can_be_read_in_it() {
        let scene = Scene::new();
        scene.trust(|trust| trust.add_repository(&scene.root()).unwrap());
        scene.write("system.toml", &format!("{TESTS}[[stop.check]]\nid = \"left\"\nbuiltin = \"no_tdo\"\n"));
        scene.write("user.toml", "[stop]\nconflict_markers = false\n");
        assert_eq!(ids(&scene.settings()), ["no_conflict_markers", "tests", "settings"]);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_there_and_no_file_is_broken_and_not_absent() {
        let scene = Scene::new();
        let place = scene.folder.path().join("system.toml");
        std::os::unix::fs::symlink("/nowhere/at/all", &place).unwrap();
        assert_eq!(ids(&scene.settings()), ["no_conflict_markers", "settings"]);
        std::fs::remove_file(&place).unwrap();
        std::fs::create_dir(&place).unwrap();
        assert_eq!(ids(&scene.settings()), ["no_conflict_markers", "settings"]);
        std::fs::remove_dir(&place).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&place).status().unwrap().success());
        assert_eq!(ids(&scene.settings()), ["no_conflict_markers", "settings"]);
    }

    #[test]
    fn what_the_machine_demands_no_user_switches_off() {
        let scene = Scene::new();
        scene.write("system.toml", "[stop]\nconflict_markers = true\n");
        scene.write("user.toml", "[stop]\nconflict_markers = false\n");
        assert_eq!(ids(&scene.settings()), ["no_conflict_markers"]);
    }

    #[test]
    fn a_broken_file_of_a_project_that_no_one_trusts_holds_no_one_back() {
        let scene = Scene::new();
        scene.write("project/.github/hooks/stop.toml", "[stop\n");
        let settings = scene.settings();
        assert_eq!(ids(&settings), ["no_conflict_markers"]);
        assert!(settings.notes[0].contains("stop.toml:1:"), "{:?}", settings.notes);
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
