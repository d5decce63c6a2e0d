//! What the people in charge want to be reported.
//!
//! `context.toml`, in three places: `/etc/policy-hooks`, `~/.config/policy-hooks`, and a project's `.github/hooks`. A
//! project's file may only make the block smaller, unless the person trusts its exact bytes.
//!
//! A broken file is the strict one: it may have kept any fact from being reported and any command from running, so nothing is
//! reported until it is fixed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use ::store::settings::context::{Command, Context, Fact, NAME, Table, event};
use ::store::settings::{Layer, Mistake};
use payload::EventKind;
use store::trust::Trust;

use crate::budget::{HARD_LIMIT, LEAST};

pub(crate) use ::store::settings::context::PROJECT_FILE;

/// The longest time that a look at the repository may take.
const LONGEST_LOOK: u64 = 60_000;

/// The longest time that a command may take.
const LONGEST_COMMAND: u64 = 5_000;

/// How many commands the settings may hold.
const MOST_COMMANDS: usize = 8;

/// What holds here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Settings {
    /// The facts that are wanted, the most important one first.
    pub(crate) facts: Vec<Fact>,
    /// How long the block may be, in characters.
    pub(crate) max_chars: usize,
    /// How long the repository may be looked at.
    pub(crate) look: Duration,
    /// Above so many entries in the index the status is not read.
    pub(crate) max_index: u32,
    /// When the facts are reported.
    pub(crate) on: Vec<EventKind>,
    /// Commands whose output is a fact.
    pub(crate) commands: Vec<OwnFact>,
    /// Whether nothing is reported, as a settings file is broken.
    pub(crate) withheld: bool,
    /// What a person has to know.
    pub(crate) notes: Vec<String>,
}

/// A fact that a command tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OwnFact {
    pub(crate) id: String,
    pub(crate) argv: Vec<String>,
    pub(crate) limit: Duration,
    pub(crate) env: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            facts: Fact::USUAL.to_vec(),
            max_chars: 1_500,
            look: Duration::from_millis(300),
            max_index: 60_000,
            on: vec![EventKind::SessionStart, EventKind::SubagentStart],
            commands: Vec::new(),
            withheld: false,
            notes: Vec::new(),
        }
    }
}

impl OwnFact {
    fn of(table: Command) -> Self {
        let Command { id, argv, timeout_ms, env } = table;
        // At most the time that all commands share.
        let limit = Duration::from_millis(timeout_ms.unwrap_or(1_000).clamp(1, LONGEST_COMMAND));
        Self { id, argv, limit, env }
    }
}

/// The commands that a file names, for a person to read before trusting it.
pub(crate) fn commands_of(context: Context) -> Vec<OwnFact> {
    context.context.fact.into_iter().map(|command| OwnFact::of(command.into_inner())).collect()
}

/// When a table wants facts to be reported.
fn events(table: &Table) -> Option<Vec<EventKind>> {
    Some(table.on.as_ref()?.iter().filter_map(|name| event(name.get_ref())).collect())
}

impl Settings {
    /// What the machine and the user say.
    pub(crate) fn own(home: Option<&Path>) -> Self {
        let user = home.map(|home| (::store::settings::user(home, NAME), Layer::User));
        // The machine first: what the user says comes after it, and replaces it.
        let files = [Some((::store::settings::system(NAME), Layer::Machine)), user];
        Self::layered(files.into_iter().flatten())
    }

    fn layered(files: impl IntoIterator<Item = (PathBuf, Layer)>) -> Self {
        let mut settings = Self::default();
        for (file, layer) in files {
            let said = ::store::settings::read::<Context>(&file, layer);
            settings.withhold(&said.mistakes);
            if let Some(document) = said.document {
                settings.set(&file, document.context);
            }
        }
        settings
    }

    /// With what the project says.
    pub(crate) fn with_project(mut self, trust: &Trust, root: &Path) -> Self {
        let file = root.join(PROJECT_FILE);
        let said = ::store::settings::read::<Context>(&file, Layer::Project);
        self.withhold(&said.mistakes);
        match said.document {
            Some(document) if trust.has_file(&file, &said.bytes) => self.set(&file, document.context),
            Some(document) => self.tighten(&file, &document.context),
            None => {}
        }
        self
    }

    /// Nothing is reported where a file is broken.
    fn withhold(&mut self, mistakes: &[Mistake]) {
        self.withheld |= !mistakes.is_empty();
        self.notes.extend(
            mistakes.iter().map(|mistake| format!("nothing is reported until this is fixed: {mistake}")),
        );
    }

    /// All that a file says.
    fn set(&mut self, file: &Path, table: Table) {
        let note = |text: String| format!("{}: {text}.", file.display());
        if let Some(mut facts) = table.facts.clone() {
            let mut seen = Vec::new();
            facts.retain(|fact| {
                !seen.contains(fact) && {
                    seen.push(*fact);
                    true
                }
            });
            self.facts = facts;
        }
        if let Some(wanted) = table.max_chars {
            if !(LEAST..=HARD_LIMIT).contains(&wanted) {
                self.notes.push(note(format!("max_chars is {wanted}, but must be {LEAST} to {HARD_LIMIT}")));
            }
            self.max_chars = wanted.clamp(LEAST, HARD_LIMIT);
        }
        if let Some(wanted) = table.git_deadline_ms {
            self.look = Duration::from_millis(wanted.clamp(1, LONGEST_LOOK));
        }
        self.max_index = table.max_index_entries.unwrap_or(self.max_index);
        if let Some(on) = events(&table) {
            self.on = on;
        }
        for command in table.fact {
            let command = OwnFact::of(command.into_inner());
            if self.commands.iter().any(|known| known.id == command.id) {
                let text = format!("a fact `{}` already exists; this one does not count", command.id);
                self.notes.push(note(text));
            } else if self.commands.len() == MOST_COMMANDS {
                let text = format!("there are more than {MOST_COMMANDS} commands; the others do not run");
                self.notes.push(note(text));
                break;
            } else {
                self.commands.push(command);
            }
        }
    }

    /// What a file says as far as it makes the block smaller.
    fn tighten(&mut self, file: &Path, table: &Table) {
        if let Some(wanted) = &table.facts {
            self.facts.retain(|fact| wanted.contains(fact));
        }
        let asks_for_more = table.facts.iter().flatten().any(|fact| !self.facts.contains(fact))
            || !table.fact.is_empty()
            || table.max_chars.is_some_and(|wanted| wanted > self.max_chars);
        if let Some(wanted) = table.max_chars {
            self.max_chars = self.max_chars.min(wanted.clamp(LEAST, HARD_LIMIT));
        }
        if let Some(wanted) = table.git_deadline_ms {
            // Not below one: no time at all would name every fact as not read.
            self.look = self.look.min(Duration::from_millis(wanted.max(1)));
        }
        if let Some(wanted) = table.max_index_entries {
            self.max_index = self.max_index.min(wanted);
        }
        if let Some(on) = events(table) {
            self.on.retain(|kind| on.contains(kind));
        }
        if asks_for_more {
            self.notes.push(format!(
                "{} is not trusted in its current state, so it adds nothing. Read it, then run `context-injector trust`.",
                file.display()
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Scene(tempfile::TempDir);

    impl Scene {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn own(&self, text: &str) -> Settings {
            let file = self.0.path().join("user.toml");
            std::fs::write(&file, text).unwrap();
            let missing = self.0.path().join("missing.toml");
            Settings::layered([(missing, Layer::User), (file, Layer::User)])
        }

        fn project(&self, text: &str, trusted: bool) -> Settings {
            let file = self.0.path().join(PROJECT_FILE);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, text).unwrap();
            let mut trust = Trust::default();
            if trusted {
                trust.add_file(&file, text.as_bytes()).unwrap();
            }
            Settings::default().with_project(&trust, self.0.path())
        }
    }

    const ALL: &str = "[context]\nfacts = [\"date\", \"branch\"]\nmax_chars = 5000\ngit_deadline_ms = 700\nmax_index_entries = 70000\non = [\"SessionStart\"]\n[[context.fact]]\nid = \"ci\"\nargv = [\"gh\", \"run\"]\ntimeout_ms = 9000\n";

    #[test]
    fn the_user_says_what_is_reported() {
        let settings = Scene::new().own(ALL);
        assert!(settings.notes.is_empty(), "{:?}", settings.notes);
        assert_eq!(settings.facts, [Fact::Date, Fact::Branch]);
        assert_eq!(
            (settings.max_chars, settings.look, settings.max_index),
            (5_000, Duration::from_millis(700), 70_000)
        );
        assert_eq!(settings.on, [EventKind::SessionStart]);
        assert_eq!(
            (settings.commands[0].id.as_str(), settings.commands[0].limit),
            ("ci", Duration::from_secs(5))
        );
        assert_eq!(Scene::new().own(""), Settings::default());
    }

    #[test]
    fn a_project_makes_the_block_smaller_and_not_larger() {
        let settings = Scene::new().project(ALL, false);
        assert_eq!(settings.facts, [Fact::Branch]);
        assert_eq!(
            (settings.max_chars, settings.look, settings.max_index),
            (1_500, Duration::from_millis(300), 60_000)
        );
        assert!(settings.commands.is_empty() && settings.on == [EventKind::SessionStart]);
        assert!(settings.notes[0].contains("context-injector trust"), "{:?}", settings.notes);
        let small = Scene::new()
            .project("[context]\nmax_chars = 700\ngit_deadline_ms = 50\nmax_index_entries = 9", false);
        assert_eq!((small.max_chars, small.look, small.max_index), (700, Duration::from_millis(50), 9));
        assert!(small.notes.is_empty());
        let trusted = Scene::new().project(ALL, true);
        assert_eq!(trusted.facts, [Fact::Date, Fact::Branch]);
        assert_eq!((trusted.max_chars, trusted.commands.len()), (5_000, 1));
    }

    #[test]
    fn with_a_mistake_nothing_is_reported() {
        for (text, told) in [
            ("[context]\nfact = 1\n", "user.toml:2:8: "),
            (
                "[context]\nmax_char = 1\n",
                "user.toml:2:1: unknown key `max_char` (did you mean `max_chars`?)",
            ),
            ("[context]\nfacts = [\"brunch\"]\n", "`brunch` is not valid here (did you mean `branch`?)"),
            ("[context]\non = [\"Stop\"]\n", "user.toml:2:7: `on` is \"Stop\""),
            ("[context\n", "user.toml:1:"),
            ("\u{0}", "user.toml"),
            ("[[context.fact]]\nid = \"a b\"\nargv = [\"x\"]\n", "id"),
            ("[[context.fact]]\nid = \"a\"\nargv = []\n", "empty"),
        ] {
            let settings = Scene::new().own(text);
            assert!(settings.notes.iter().any(|note| note.contains(told)), "{text}: {:?}", settings.notes);
            assert!(settings.withheld, "{text}");
            assert!(Scene::new().project(text, false).withheld, "{text}");
        }
        assert!(!Scene::new().own("[context]\nfacts = []\n").withheld);
        let settings = Scene::new().own("[context]\nmax_chars = 99999\n");
        assert_eq!(settings.max_chars, HARD_LIMIT);
        assert!(settings.notes[0].contains("9000"), "{:?}", settings.notes);
    }

    #[test]
    fn the_readmes_example_is_what_holds_without_it() {
        let readme = include_str!("../README.md");
        let mut examples = readme.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap());
        let settings = Scene::new().own(examples.find(|example| example.contains("[context]")).unwrap());
        assert!(settings.notes.is_empty(), "{:?}", settings.notes);
        assert_eq!(settings.commands[0].id, "ci");
        assert_eq!(Settings { commands: Vec::new(), ..settings }, Settings::default());
    }

    #[test]
    fn the_schema_says_what_is_read() {
        let schema = include_str!("../../../configs/schemas/context-settings.json");
        let table = payload::Json::new(schema).unwrap().get("properties").unwrap().get("context").unwrap();
        let keys = |object: payload::Json<'_>| -> Vec<String> {
            object.get("properties").unwrap().members().map(|(key, _)| key.into_owned()).collect()
        };
        let mistake = Scene::new().own("[context]\nx = 1\n").notes.remove(0);
        for key in keys(table) {
            assert!(mistake.contains(&format!("`{key}`")), "{key}: {mistake}");
        }
        assert_eq!(keys(table).len(), 6);
        let mistake = Scene::new().own("[[context.fact]]\nx = 1\n").notes.remove(0);
        for key in keys(table.get("properties").unwrap().get("fact").unwrap().get("items").unwrap()) {
            assert!(mistake.contains(&format!("`{key}`")), "{key}: {mistake}");
        }
        for fact in Fact::ALL {
            assert!(schema.contains(&format!("\"{}\"", fact.as_str())));
        }
    }
}
