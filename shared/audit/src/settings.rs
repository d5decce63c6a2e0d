//! How auditing is set up: `audit.toml` of the system, of the user and of the project.
//!
//! The system's file binds: below it, the user may only tighten what it says. The project's file may only tighten, and
//! says nothing about where the log is or what it tells: a repository must not be able to hide what happens in it.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use redact::Pattern;
use serde::Deserialize;

use crate::log::{Keeping, Sync};
use crate::place;
use crate::private;
use crate::record::Level;

/// The largest settings file, in bytes.
const LARGEST: u64 = 64 * 1024;

/// Within these, an answer still leaves in time, in milliseconds.
const LONGEST_WAIT: u64 = 150;

/// How auditing is set up.
#[derive(Debug, Default)]
pub struct Settings {
    /// Where the log is, if that is set.
    pub path: Option<PathBuf>,
    /// Whether the system's file says where the log is, so that the environment does not count.
    pub path_binds: bool,
    /// How much a record tells.
    pub level: Level,
    /// Whether a call that cannot be recorded is denied.
    pub required: bool,
    /// How the log is kept.
    pub keeping: Keeping,
    /// The team's own patterns of secrets.
    pub patterns: Vec<Pattern>,
    /// What was wrong with the files, for people.
    pub troubles: Vec<String>,
}

/// A file as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    path: Option<PathBuf>,
    level: Option<String>,
    required: Option<bool>,
    wait_ms: Option<u64>,
    segment_mib: Option<u64>,
    daily: Option<bool>,
    keep_days: Option<u32>,
    sync: Option<String>,
    #[serde(default)]
    redact: Vec<String>,
}

impl Settings {
    /// Reads all files that there are; `project` is the root of the repository.
    pub fn load(project: Option<&Path>) -> Self {
        let mut settings = Self::default();
        let system = place::system_settings();
        let bound = settings.read(&system, true);
        if let Some(written) = &bound {
            settings.set(written, &Written::default());
            settings.path_binds = written.path.is_some();
        }
        if let Some(user) = place::user_settings()
            && let Some(written) = settings.read(&user, false)
        {
            settings.set(&written, bound.as_ref().unwrap_or(&Written::default()));
        }
        if let Some(project) = project
            && let Some(written) = settings.read(&place::project_settings(project), false)
        {
            settings.tighten(&written);
        }
        settings
    }

    /// A file, if it is there and in order.
    fn read(&mut self, path: &Path, system: bool) -> Option<Written> {
        let mut file = private::open_plain(path).ok()?;
        let about = file.metadata().ok()?;
        if !about.is_file() {
            self.troubles.push(format!("{} is not a regular file, so it is ignored", path.display()));
            return None;
        }
        if system && !private::owned_by_root(&about) {
            self.troubles
                .push(format!("{} is not the administrator's alone, so it is ignored", path.display()));
            return None;
        }
        let mut text = String::new();
        if let Err(error) = file.by_ref().take(LARGEST).read_to_string(&mut text) {
            self.troubles.push(format!("{}: {error}", path.display()));
            return None;
        }
        match toml::from_str::<Written>(&text) {
            Ok(written) => {
                self.complain(path, &written);
                Some(written)
            }
            Err(error) => {
                self.troubles.push(format!("{}: {}", path.display(), error.to_string().trim_end()));
                None
            }
        }
    }

    fn complain(&mut self, path: &Path, written: &Written) {
        let path = path.display();
        if let Some(Err(error)) = written.level.as_deref().map(str::parse::<Level>) {
            self.troubles.push(format!("{path}: {error}"));
        }
        if written.sync.is_some() && sync(written).is_none() {
            self.troubles.push(format!("{path}: `sync` is \"never\", \"decisions\" or \"always\""));
        }
        if written.path.as_ref().is_some_and(|path| !path.is_absolute()) {
            self.troubles.push(format!("{path}: `path` has to be absolute"));
        }
    }

    /// Takes over what a file says; what `bound` says already may only be tightened.
    fn set(&mut self, written: &Written, bound: &Written) {
        if bound.path.is_none()
            && let Some(path) = written.path.as_ref().filter(|path| path.is_absolute())
        {
            self.path = Some(path.clone());
        }
        if bound.level.is_none()
            && let Some(Ok(level)) = written.level.as_deref().map(str::parse)
        {
            self.level = level;
        }
        if bound.segment_mib.is_none()
            && let Some(size) = written.segment_mib
        {
            self.keeping.segment_bytes = size.clamp(1, 1 << 20) << 20;
        }
        if bound.wait_ms.is_none()
            && let Some(wait) = written.wait_ms
        {
            self.keeping.wait = Duration::from_millis(wait.min(LONGEST_WAIT));
        }
        if bound.keep_days.is_none()
            && let Some(days) = written.keep_days
        {
            self.keeping.days = days;
        }
        if bound.sync.is_none()
            && let Some(sync) = sync(written)
        {
            self.keeping.sync = sync;
        }
        if bound.required.is_none()
            && let Some(required) = written.required
        {
            self.required = required;
        }
        self.keeping.daily = written.daily.unwrap_or(self.keeping.daily);
        self.tighten(written);
    }

    /// Takes over what makes the settings stricter, and nothing else.
    fn tighten(&mut self, written: &Written) {
        self.required |= written.required.unwrap_or(false);
        self.keeping.sync = self.keeping.sync.max(sync(written).unwrap_or_default());
        if let Some(days) = written.keep_days
            && self.keeping.days != 0
        {
            self.keeping.days = if days == 0 { 0 } else { self.keeping.days.max(days) };
        }
        for pattern in &written.redact {
            match Pattern::check(pattern) {
                Ok(()) => self.patterns.push(Pattern::new(pattern)),
                Err(error) => self.troubles.push(error.to_string()),
            }
        }
    }
}

fn sync(written: &Written) -> Option<Sync> {
    match written.sync.as_deref()? {
        "never" => Some(Sync::Never),
        "decisions" => Some(Sync::Decisions),
        "always" => Some(Sync::Always),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Written {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn a_project_can_tighten_and_nothing_else() {
        let mut settings = Settings::default();
        settings.set(&written("keep_days = 30\nlevel = \"full\""), &Written::default());
        let project = "required = true\nsync = \"always\"\nlevel = \"metadata\"\npath = \"/dev/null\"\nkeep_days = 1\nwait_ms = 0\nredact = ['ACME-\\d+', '(']";
        settings.tighten(&written(project));
        assert!(settings.required);
        assert_eq!(
            (settings.level, settings.path.as_deref(), settings.keeping.days),
            (Level::Full, None, 30)
        );
        assert_eq!(settings.keeping.sync, Sync::Always);
        assert_eq!(settings.keeping.wait, Keeping::default().wait);
        assert_eq!((settings.patterns.len(), settings.troubles.len()), (1, 1));
        settings.tighten(&written("required = false\nsync = \"never\""));
        assert!(settings.required && settings.keeping.sync == Sync::Always);
    }

    #[test]
    fn what_the_system_says_binds_the_user() {
        let system = written(
            "required = true\nlevel = \"redacted\"\npath = \"/var/log/audit.jsonl\"\nsync = \"decisions\"",
        );
        let mut settings = Settings::default();
        settings.set(&system, &Written::default());
        settings.set(&written("required = false\nlevel = \"metadata\"\npath = \"/tmp/x\"\nsync = \"never\"\nsegment_mib = 1"), &system);
        assert!(settings.required);
        assert_eq!(
            (settings.level, settings.path.as_deref()),
            (Level::Redacted, Some(Path::new("/var/log/audit.jsonl")))
        );
        assert_eq!((settings.keeping.sync, settings.keeping.segment_bytes), (Sync::Decisions, 1 << 20));
    }

    #[test]
    fn a_typing_mistake_is_told() {
        assert!(toml::from_str::<Written>("requird = true").unwrap_err().to_string().contains("requird"));
    }
}
