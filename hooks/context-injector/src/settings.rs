//! What the people in charge want to be told.
//!
//! `context.toml`, in three places: `/etc/policy-hooks`, `~/.config/policy-hooks`, and a project's `.github/hooks`. A
//! project's file may only make the block smaller, unless the person trusts its exact bytes. A mistake switches the file
//! off and is told.

use std::path::{Path, PathBuf};
use std::time::Duration;

use payload::EventKind;
use serde::Deserialize;
use trust::Trust;

use crate::budget::{HARD_LIMIT, LEAST};
use crate::facts::Fact;

/// The name of the machine's and the user's file.
const FILE: &str = "context.toml";

/// The project's file, below its root. Hosts load every `.json` there, and never a `.toml`.
pub(crate) const PROJECT_FILE: &str = ".github/hooks/context.toml";

/// The longest time that a look at the repository may take.
const LONGEST_LOOK: u64 = 60_000;

/// The longest time that a command may take.
const LONGEST_COMMAND: u64 = 5_000;

/// How many commands of one's own there may be.
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
    /// When the facts are told.
    pub(crate) on: Vec<EventKind>,
    /// Commands whose output is a fact.
    pub(crate) commands: Vec<OwnFact>,
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
            notes: Vec::new(),
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    context: Table,
}

/// The `[context]` table.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    facts: Option<Vec<Fact>>,
    max_chars: Option<usize>,
    git_deadline_ms: Option<u64>,
    max_index_entries: Option<u32>,
    on: Option<Vec<String>>,
    #[serde(default)]
    fact: Vec<CommandTable>,
}

/// A `[[context.fact]]` table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CommandTable {
    id: String,
    argv: Vec<String>,
    timeout_ms: Option<u64>,
    #[serde(default)]
    env: Vec<String>,
}

impl CommandTable {
    fn command(self) -> Result<OwnFact, String> {
        let Self { id, argv, timeout_ms, env } = self;
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if id.is_empty() || id.len() > 32 || !id.chars().all(fits) {
            return Err(format!("the id {id:?} is not 1 to 32 letters, digits, `-`, `_` or `.`"));
        }
        if argv.first().is_none_or(String::is_empty) {
            return Err(format!("the fact `{id}` has an empty `argv`"));
        }
        let limit = Duration::from_millis(timeout_ms.unwrap_or(1_000).clamp(1, LONGEST_COMMAND));
        Ok(OwnFact { id, argv, limit, env })
    }
}

fn events(names: &[String]) -> Result<Vec<EventKind>, String> {
    names
        .iter()
        .map(|name| match name.parse::<EventKind>() {
            Ok(kind @ (EventKind::SessionStart | EventKind::SubagentStart)) => Ok(kind),
            _ => Err(format!("`on` is {name:?}, but SessionStart and SubagentStart are possible")),
        })
        .collect()
}

fn parse(path: &Path, bytes: &[u8]) -> Result<Table, String> {
    let text =
        std::str::from_utf8(bytes).map_err(|error| format!("{} is not text: {error}", path.display()))?;
    let document: Document = toml::from_str(text)
        .map_err(|error| format!("{}: {}", path.display(), error.to_string().trim_end()))?;
    let table = document.context;
    if let Some(on) = &table.on {
        events(on).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(table)
}

/// The commands that a file names, for a person to read before trusting it.
pub(crate) fn commands_of(path: &Path, bytes: &[u8]) -> Result<Vec<OwnFact>, String> {
    parse(path, bytes)?.fact.into_iter().map(CommandTable::command).collect()
}

impl Settings {
    /// What the machine and the user say.
    pub(crate) fn own(home: Option<&Path>) -> Self {
        let user = home.map(|home| ::settings::user(home, FILE));
        Self::layered(&[Some(::settings::system(FILE)), user].into_iter().flatten().collect::<Vec<_>>())
    }

    fn layered(files: &[PathBuf]) -> Self {
        let mut settings = Self::default();
        for file in files {
            match ::settings::read(file).and_then(|bytes| bytes.map(|bytes| parse(file, &bytes)).transpose())
            {
                Ok(Some(table)) => settings.set(file, table),
                Ok(None) => {}
                Err(error) => settings.notes.push(format!("{error}\nThe file does not count.")),
            }
        }
        settings
    }

    /// With what the project says.
    pub(crate) fn with_project(mut self, trust: &Trust, root: &Path) -> Self {
        let file = root.join(PROJECT_FILE);
        match ::settings::read(&file).and_then(|bytes| match bytes {
            Some(bytes) => parse(&file, &bytes).map(|table| Some((table, trust.has_file(&file, &bytes)))),
            None => Ok(None),
        }) {
            Ok(Some((table, true))) => self.set(&file, table),
            Ok(Some((table, false))) => self.tighten(&file, &table),
            Ok(None) => {}
            Err(error) => self.notes.push(format!("{error}\nThe file does not count.")),
        }
        self
    }

    /// All that a file says.
    fn set(&mut self, file: &Path, table: Table) {
        let note = |text: String| format!("{}: {text}.", file.display());
        if let Some(mut facts) = table.facts {
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
                self.notes
                    .push(note(format!("max_chars is {wanted}, but {LEAST} to {HARD_LIMIT} is possible")));
            }
            self.max_chars = wanted.clamp(LEAST, HARD_LIMIT);
        }
        if let Some(wanted) = table.git_deadline_ms {
            self.look = Duration::from_millis(wanted.clamp(1, LONGEST_LOOK));
        }
        self.max_index = table.max_index_entries.unwrap_or(self.max_index);
        if let Some(on) = &table.on {
            self.on = events(on).unwrap_or_default();
        }
        for table in table.fact {
            match table.command() {
                Ok(command) if self.commands.iter().any(|known| known.id == command.id) => {
                    self.notes.push(note(format!(
                        "there is a fact `{}` already; this one does not count",
                        command.id
                    )));
                }
                Ok(_) if self.commands.len() == MOST_COMMANDS => {
                    self.notes.push(note(format!(
                        "there are more than {MOST_COMMANDS} commands; the others do not run"
                    )));
                    break;
                }
                Ok(command) => self.commands.push(command),
                Err(error) => self.notes.push(note(error)),
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
            self.look = self.look.min(Duration::from_millis(wanted.max(1)));
        }
        if let Some(wanted) = table.max_index_entries {
            self.max_index = self.max_index.min(wanted);
        }
        if let Some(on) = table.on.as_deref().and_then(|on| events(on).ok()) {
            self.on.retain(|kind| on.contains(kind));
        }
        if asks_for_more {
            self.notes.push(format!(
                "{} is not trusted as it is, so it adds nothing. Read it, then run `context-injector trust`.",
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
            Settings::layered(&[self.0.path().join("missing.toml"), file])
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
    fn the_user_says_what_is_told() {
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
    fn mistakes_are_told_and_change_nothing() {
        for (text, told) in [
            ("[context]\nfact = 1\n", "fact"),
            ("[context]\nmax_char = 1\n", "max_char"),
            ("[context]\nfacts = [\"brunch\"]\n", "brunch"),
            ("[context]\non = [\"Stop\"]\n", "Stop"),
            ("[context\n", "user.toml"),
            ("\u{0}", "user.toml"),
            ("[[context.fact]]\nid = \"a b\"\nargv = [\"x\"]\n", "id"),
            ("[[context.fact]]\nid = \"a\"\nargv = []\n", "empty"),
        ] {
            let settings = Scene::new().own(text);
            assert!(settings.notes.iter().any(|note| note.contains(told)), "{text}: {:?}", settings.notes);
            assert_eq!(Settings { notes: Vec::new(), ..settings }, Settings::default(), "{text}");
        }
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
