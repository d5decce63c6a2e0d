//! What the machine and the user set: `format.toml` in `/etc/policy-hooks` and `~/.config/policy-hooks`.
//!
//! A project has no such file: it says which formatter it uses by configuring that.

use std::path::Path;
use std::time::Duration;

use repository::Paths;
use serde::Deserialize;

/// The file's name.
const NAME: &str = "format.toml";

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

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    max_file_kib: Option<u64>,
    timeout_ms: Option<u64>,
    budget_ms: Option<u64>,
    committed_code: Option<bool>,
    #[serde(default)]
    exclude: Vec<String>,
    #[serde(default)]
    delegate: Vec<String>,
    #[serde(default)]
    formatter: Vec<Table>,
}

/// A `[[formatter]]` table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    name: Option<String>,
    globs: Vec<String>,
    argv: Vec<String>,
    #[serde(default = "yes")]
    stdin: bool,
    #[serde(default)]
    class: Class,
    #[serde(default)]
    config: Vec<String>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Class {
    #[default]
    Layout,
    Semantic,
}

fn yes() -> bool {
    true
}

impl Table {
    fn formatter(self) -> Result<Own, String> {
        let Some(program) = self.argv.first().filter(|program| !program.is_empty()) else {
            return Err("a formatter has an empty `argv`".to_owned());
        };
        let path = Path::new(program);
        if path.components().count() > 1 && !path.is_absolute() {
            return Err(format!("`{program}` is neither a name nor an absolute path"));
        }
        if self.globs.is_empty() {
            return Err(format!("the formatter `{program}` has no `globs`"));
        }
        if !self.stdin && !self.argv.iter().any(|word| word.contains("{file}")) {
            return Err(format!("the formatter `{program}` reads no stdin and names no {{file}}"));
        }
        let name = self.name.clone().or_else(|| Some(path.file_name()?.to_string_lossy().into_owned()));
        Ok(Own {
            name: name.unwrap_or_default(),
            files: Paths::new(&self.globs).map_err(|error| error.to_string())?,
            argv: self.argv,
            stdin: self.stdin,
            semantic: self.class == Class::Semantic,
            config: self.config,
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
            notes: Vec::new(),
        };
        let mut excluded = Vec::new();
        // The user's own come before the machine's.
        for file in [settings::user(home, NAME), settings::system(NAME)] {
            let read =
                settings::read(&file).and_then(|bytes| bytes.map(|bytes| parse(&file, &bytes)).transpose());
            match read {
                Ok(Some(document)) => settings.add(&file, document, &mut excluded),
                Ok(None) => {}
                Err(error) => settings.notes.push(format!("{error}\nIt does not count.")),
            }
        }
        if !excluded.is_empty() {
            match Paths::new(&excluded) {
                Ok(paths) => settings.exclude = Some(paths),
                Err(error) => settings.notes.push(format!("`exclude` does not count: {error}")),
            }
        }
        settings
    }

    /// Whether the user wants nothing to happen to this file.
    pub(crate) fn excludes(&self, relative: &Path) -> bool {
        self.exclude.as_ref().is_some_and(|paths| paths.matches(relative))
    }

    fn add(&mut self, file: &Path, document: Document, excluded: &mut Vec<String>) {
        const MOST_KIB: u64 = 8 * 1024;
        const MOST_MS: u64 = 600_000;
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
        excluded.extend(document.exclude);
        self.delegate.extend(document.delegate);
        for table in document.formatter {
            match table.formatter() {
                Ok(own) => self.formatters.push(own),
                Err(error) => self.notes.push(format!("{}: {error}; it does not count.", file.display())),
            }
        }
    }
}

fn parse(file: &Path, bytes: &[u8]) -> Result<Document, String> {
    let text =
        std::str::from_utf8(bytes).map_err(|error| format!("{} is not text: {error}", file.display()))?;
    toml::from_str(text).map_err(|error| format!("{}: {}", file.display(), error.to_string().trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Settings {
        let home = tempfile::tempdir().unwrap();
        let file = settings::user(home.path(), NAME);
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
    fn mistakes_are_told_and_do_not_count() {
        for (text, told) in [
            ("max_file_kb = 2\n", "max_file_kb"),
            ("[[formatter]]\nglobs = [\"*\"]\nargv = []\n", "empty"),
            ("[[formatter]]\nglobs = []\nargv = [\"x\"]\n", "globs"),
            ("[[formatter]]\nglobs = [\"*\"]\nargv = [\"./x\"]\n", "absolute"),
            ("[[formatter]]\nglobs = [\"*\"]\nargv = [\"x\"]\nstdin = false\n", "{file}"),
            ("[[formatter]]\nglobs = [\"*\"]\nargv = [\"x\"]\nclass = \"loud\"\n", "loud"),
            ("\u{1}", "format.toml"),
        ] {
            let settings = of(text);
            assert!(settings.formatters.is_empty(), "{text}");
            assert!(settings.notes.concat().contains(told), "{text}: {:?}", settings.notes);
        }
    }
}
