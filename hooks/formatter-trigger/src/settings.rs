//! What the machine and the user set: `format.toml` in `/etc/policy-hooks` and `~/.config/policy-hooks`.
//!
//! A project has no such file: it says which formatter it uses by configuring that.
//!
//! A broken file is the strict one: it may have kept any program from running, or from any file, so none runs until it is
//! fixed.

use std::path::Path;
use std::time::Duration;

use repository::Paths;
use store::settings::format::{Class, Format, Formatter, NAME};
use store::settings::{Layer, Mistake};

/// What holds.
#[derive(Debug)]
pub(crate) struct Settings {
    /// The largest file that is formatted, in bytes.
    pub(crate) max_file: u64,
    /// How long one formatter may take.
    pub(crate) limit: Duration,
    /// How long all formatters of one call may take together, within the hook's own deadline.
    pub(crate) budget: Duration,
    /// Whether code runs as it was committed; else only where the person trusts the repository.
    pub(crate) committed_code: bool,
    /// Formatters of the table that count only on request.
    pub(crate) delegate: Vec<String>,
    /// The user's own formatters, which come before those of the table.
    pub(crate) formatters: Vec<Own>,
    exclude: Option<Paths>,
    /// The mistake because of which nothing is formatted.
    pub(crate) broken: Option<Mistake>,
    /// What a person has to know.
    pub(crate) notes: Vec<String>,
}

/// A formatter of the user's own.
#[derive(Debug)]
pub(crate) struct Own {
    pub(crate) name: String,
    files: Paths,
    pub(crate) argv: Vec<String>,
    /// Whether the text goes in on stdin; else the program changes a copy of the file.
    pub(crate) stdin: bool,
    /// Whether it may change what the text means; such a one runs only when the agent stops.
    pub(crate) semantic: bool,
    /// Its configuration files, which may be code. It runs only where there is one.
    pub(crate) config: Vec<String>,
}

impl Own {
    pub(crate) fn takes(&self, relative: &Path) -> bool {
        self.files.matches(relative)
    }
}

impl Own {
    fn of(table: Formatter) -> Result<Self, String> {
        let program = table.argv.first().map(Path::new);
        let own = || Some(program?.file_name()?.to_string_lossy().into_owned());
        Ok(Self {
            name: table.name.clone().or_else(own).unwrap_or_default(),
            files: Paths::new(&table.globs).map_err(|error| error.to_string())?,
            argv: table.argv,
            stdin: table.stdin,
            semantic: table.class == Class::Semantic,
            config: table.config,
        })
    }
}

impl Settings {
    /// What holds for the user with this home.
    pub(crate) fn of(home: &Path) -> Self {
        let mut settings = Self {
            max_file: 1024 * 1024,
            limit: Duration::from_secs(5),
            budget: Duration::from_secs(20),
            committed_code: true,
            delegate: Vec::new(),
            formatters: Vec::new(),
            exclude: None,
            broken: None,
            notes: Vec::new(),
        };
        let mut excluded = Vec::new();
        // The user's own come before the machine's.
        let files = [
            (store::settings::user(home, NAME), Layer::User),
            (store::settings::system(NAME), Layer::Machine),
        ];
        for (file, layer) in files {
            let mut said = store::settings::read::<Format>(&file, layer);
            if let Some(document) = said.document {
                settings.add(&file, document, &mut excluded, &mut said.mistakes);
            }
            if let Some(mistake) = said.mistakes.into_iter().next() {
                settings.notes.push(format!("nothing is formatted until this is fixed: {mistake}"));
                settings.broken.get_or_insert(mistake);
            }
        }
        if !excluded.is_empty() {
            settings.exclude = Paths::new(&excluded).ok();
        }
        settings
    }

    /// Whether the user wants nothing to happen to this file.
    pub(crate) fn excludes(&self, relative: &Path) -> bool {
        self.exclude.as_ref().is_some_and(|paths| paths.matches(relative))
    }

    fn add(
        &mut self,
        file: &Path,
        document: Format,
        excluded: &mut Vec<String>,
        mistakes: &mut Vec<Mistake>,
    ) {
        const MOST_KIB: u64 = 8 * 1024;
        const MOST_MS: u64 = 600_000;
        // The machine's file is read last: its limits hold.
        if let Some(kib) = document.max_file_kib {
            self.max_file = kib.clamp(1, MOST_KIB) * 1024;
        }
        if let Some(ms) = document.timeout_ms {
            self.limit = Duration::from_millis(ms.clamp(100, MOST_MS));
        }
        if let Some(ms) = document.budget_ms {
            self.budget = Duration::from_millis(ms.clamp(100, MOST_MS));
        }
        // Whoever says no is heard, be it the user or the machine.
        self.committed_code &= document.committed_code.unwrap_or(true);
        let mut wrong = |what: String| mistakes.push(Mistake::in_file(file, what, "fix the pattern"));
        if let Err(error) = Paths::new(&document.exclude) {
            wrong(format!("`exclude`: {error}"));
        }
        excluded.extend(document.exclude);
        self.delegate.extend(document.delegate);
        for table in document.formatter {
            match Own::of(table.into_inner()) {
                Ok(own) => self.formatters.push(own),
                Err(error) => wrong(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Settings {
        let home = tempfile::tempdir().unwrap();
        let file = store::settings::user(home.path(), NAME);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
        Settings::of(home.path())
    }

    #[test]
    fn what_the_user_writes_holds() {
        let settings = of("max_file_kib = 2\ntimeout_ms = 700\nexclude = [\"vendor/**\"]\n\
             [[formatter]]\nglobs = [\"*.sql\"]\nargv = [\"sqlfluff\", \"format\", \"--stdin-filename\", \"{file}\", \"-\"]\n\
             [[formatter]]\nglobs = [\"*.js\"]\nargv = [\"eslint\", \"--fix\", \"{file}\"]\nstdin = false\nclass = \"semantic\"\n");
        assert_eq!((settings.max_file, settings.limit), (2048, Duration::from_millis(700)));
        assert!(settings.excludes(Path::new("vendor/a.js")) && !settings.excludes(Path::new("src/a.js")));
        let [sql, js] = &settings.formatters[..] else { panic!("{settings:?}") };
        assert!(sql.takes(Path::new("deep/a.sql")) && sql.stdin && !sql.semantic && sql.name == "sqlfluff");
        assert!(js.takes(Path::new("a.js")) && !js.stdin && js.semantic);
        assert!(settings.notes.is_empty());
    }

    #[test]
    fn with_a_mistake_nothing_is_formatted() {
        for (text, told) in [
            (
                "max_file_kb = 2\n",
                "format.toml:1:1: unknown key `max_file_kb` (did you mean `max_file_kib`?)",
            ),
            ("[[formatter]]\nglobs = [\"*\"]\nargv = []\n", "empty"),
            ("[[formatter]]\nglobs = []\nargv = [\"x\"]\n", "globs"),
            ("[[formatter]]\nglobs = [\"*\"]\nargv = [\"./x\"]\n", "absolute"),
            ("[[formatter]]\nglobs = [\"*\"]\nargv = [\"x\"]\nstdin = false\n", "{file}"),
            ("[[formatter]]\nglobs = [\"*\"]\nargv = [\"x\"]\nclass = \"loud\"\n", "loud"),
            ("exclude = \"vendor/**\"\n", "format.toml:1:11"),
            ("\u{1}", "format.toml"),
        ] {
            let settings = of(text);
            let broken = settings.broken.map(|mistake| mistake.to_string()).unwrap_or_default();
            assert!(broken.contains(told), "{text}: {broken}");
            assert!(settings.notes.concat().contains(told), "{text}: {:?}", settings.notes);
        }
    }
}
