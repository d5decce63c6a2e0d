//! How auditing is set up: `audit.toml` of the system, of the user and of the project.
//!
//! The system's file binds: below it, the user may only tighten what it says. The project's file may only tighten, and
//! says nothing about where the log is or what it tells: a repository must not be able to hide what happens in it.
//!
//! A broken file is the strict one, in each layer: what can be read in it holds, and `required` is on.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ::store::settings::{Document, Layer, Mistake};
use redact::Pattern;
use serde::Deserialize;
use toml::Spanned;

use crate::here::Who;
use crate::log::{Keeping, Sync};
use crate::place;
use crate::record::Level;

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
    /// Who a record says it is about; `None` where no file says anything about it.
    pub who: Option<Box<Who>>,
    /// Where the log is shipped to.
    pub ship: Option<Box<Ship>>,
    /// What was wrong with the files, for people.
    pub troubles: Vec<String>,
}

/// How a record names the user and the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Identity {
    /// The user as the environment names them, the machine by a digest: where nothing is set.
    #[default]
    #[serde(skip)]
    Login,
    /// Both by digests that say nothing elsewhere.
    Hash,
    /// Both by their names.
    Name,
}

/// Where the log is shipped to, as `[ship]` says it. `hook-runner log ship` reads it; no hook sends anything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ship {
    /// The receiver's address.
    pub to: Option<String>,
    /// In which format; each receiver has a usual one.
    pub format: Option<String>,
    /// The file that holds the token, absolute.
    pub token_file: Option<PathBuf>,
    /// A certificate's file, besides those of the platform.
    pub ca_file: Option<PathBuf>,
    /// Whether the end of a session starts a run in the background.
    #[serde(default)]
    pub at_session_end: bool,
}

/// How many tags a record has at most, and how long their names and values are.
const TAGS: usize = 8;
const TAG_NAME: usize = 32;
const TAG_VALUE: usize = 64;

/// A file as it is written.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    path: Option<Spanned<PathBuf>>,
    level: Option<Level>,
    required: Option<bool>,
    wait_ms: Option<u64>,
    segment_mib: Option<u64>,
    daily: Option<bool>,
    keep_days: Option<u32>,
    sync: Option<Sync>,
    redact: Option<Vec<Spanned<String>>>,
    identity: Option<Identity>,
    email: Option<bool>,
    resource: Option<Box<Spanned<BTreeMap<String, String>>>>,
    ship: Option<Box<Ship>>,
}

impl Document for Written {
    fn sift(&mut self, wrong: &mut dyn FnMut(Range<usize>, String, &str)) {
        if let Some(path) = self.path.take_if(|path| !path.get_ref().is_absolute()) {
            wrong(path.span(), "`path` is not absolute".to_owned(), "write an absolute path");
        }
        if let Some(patterns) = &mut self.redact {
            patterns.retain(|pattern| match Pattern::check(pattern.get_ref()) {
                Ok(()) => true,
                Err(error) => {
                    wrong(pattern.span(), format!("`redact`: {error}"), "fix the pattern");
                    false
                }
            });
        }
        if let Some(tags) = self.resource.take_if(|tags| !are_tags(tags.get_ref())) {
            let hint = "use letters, digits, `.`, `_` and `-` in at most 32 characters";
            let what =
                format!("`resource` is not {TAGS} tags or fewer, each with a value of 64 bytes or fewer");
            wrong(tags.span(), what, hint);
        }
    }
}

impl Written {
    /// What a file with these mistakes may mean at its strictest: what can be read in it holds, a call that cannot be
    /// recorded is denied, and nothing that it may say is left to others.
    fn strictest(self, mistakes: &[Mistake]) -> Self {
        if mistakes.is_empty() {
            return self;
        }
        let level = match self.level {
            // What a pattern that cannot be read would have removed must not be written.
            _ if hides_patterns(&self, mistakes) => Level::Metadata,
            Some(level) => level,
            // Strict, for a log, is to record everything; secrets are removed at every level.
            None => Level::Full,
        };
        Self {
            level: Some(level),
            required: Some(true),
            keep_days: self.keep_days.or(Some(0)),
            sync: self.sync.or(Some(Sync::Always)),
            wait_ms: self.wait_ms.or(Some(LONGEST_WAIT)),
            segment_mib: self.segment_mib.or(Some(Keeping::default().segment_bytes >> 20)),
            identity: self.identity.or(Some(Identity::default())),
            email: self.email.or(Some(false)),
            ship: self.ship.or_else(|| Some(Box::default())),
            ..self
        }
    }
}

/// Whether these can be tags of a record.
fn are_tags(tags: &BTreeMap<String, String>) -> bool {
    let named = |name: &str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        !name.is_empty() && name.len() <= TAG_NAME && name.bytes().all(is_plain)
    };
    tags.len() <= TAGS && tags.iter().all(|(name, value)| named(name) && value.len() <= TAG_VALUE)
}

/// Whether a file with these mistakes may have had patterns that cannot be read.
fn hides_patterns(written: &Written, mistakes: &[Mistake]) -> bool {
    let of_redact =
        |mistake: &Mistake| mistake.what.starts_with("`redact`") || mistake.hint == "did you mean `redact`?";
    // A key that no one knows is the only mistake that surely hides no other key.
    let another = |mistake: &Mistake| mistake.at.is_some() && mistake.what.starts_with("unknown key");
    mistakes.iter().any(of_redact) || (written.redact.is_none() && !mistakes.iter().all(another))
}

/// The settings files for a repository, and whose they are.
pub fn places(project: Option<&Path>) -> Vec<(PathBuf, Layer)> {
    let user = place::user_settings().map(|path| (path, Layer::User));
    let project = project.map(|root| (place::project_settings(root), Layer::Project));
    [Some((place::system_settings(), Layer::Machine)), user, project].into_iter().flatten().collect()
}

/// Everything that is wrong with a settings file; `None` when there is none.
pub fn mistakes(path: &Path, layer: Layer) -> Option<Vec<Mistake>> {
    let said = ::store::settings::read::<Written>(path, layer);
    said.document.map(|_| said.mistakes)
}

impl Settings {
    /// Where the log is: as the system's settings say, as [`place::VARIABLE`] says, as the user's settings say, or in
    /// the user's folder for state.
    pub fn log_path(&self) -> Option<PathBuf> {
        if self.path_binds {
            return self.path.clone();
        }
        place::from_environment().or_else(|| self.path.clone()).or_else(place::usual)
    }

    /// Reads all files that there are; `project` is the root of the repository.
    pub fn load(project: Option<&Path>) -> Self {
        let mut settings = Self::default();
        let mut bound = Written::default();
        // Machine, user, project, as `places` lists them: each is held against what those before it bind.
        for (path, layer) in places(project) {
            let said = ::store::settings::read::<Written>(&path, layer);
            let Some(document) = said.document else { continue };
            settings.troubles.extend(said.mistakes.iter().map(ToString::to_string));
            let written = document.strictest(&said.mistakes);
            match layer {
                Layer::Machine => {
                    settings.set(&written, &bound);
                    // It may have said where the log is.
                    settings.path_binds = written.path.is_some() || !said.mistakes.is_empty();
                    bound = written;
                }
                Layer::User => settings.set(&written, &bound),
                Layer::Project => settings.tighten(&written),
            }
        }
        settings
    }

    /// Takes over what a file says; what `bound` says already may only be tightened.
    fn set(&mut self, written: &Written, bound: &Written) {
        if !self.path_binds
            && let Some(path) = &written.path
        {
            self.path = Some(path.get_ref().clone());
        }
        if bound.level.is_none()
            && let Some(level) = written.level
        {
            self.level = level;
        }
        if bound.segment_mib.is_none()
            && let Some(size) = written.segment_mib
        {
            // Zero would begin a new file with each record; far above, the shift would overflow.
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
            && let Some(sync) = written.sync
        {
            self.keeping.sync = sync;
        }
        if bound.required.is_none()
            && let Some(required) = written.required
        {
            self.required = required;
        }
        self.keeping.daily = written.daily.unwrap_or(self.keeping.daily);
        if written.identity.is_some() || written.email.is_some() || written.resource.is_some() {
            self.identify(written, bound);
        }
        if bound.ship.is_none()
            && let Some(ship) = &written.ship
        {
            self.ship = Some(ship.clone());
        }
        // What is bound may still be made stricter.
        self.tighten(written);
    }

    /// Takes over who a record is about.
    fn identify(&mut self, written: &Written, bound: &Written) {
        let who = self.who.get_or_insert_default();
        if bound.identity.is_none()
            && let Some(identity) = written.identity
        {
            who.identity = identity;
        }
        if bound.email.is_none()
            && let Some(email) = written.email
        {
            who.email = email;
        }
        if bound.resource.is_none()
            && let Some(tags) = &written.resource
        {
            who.resource.clone_from(tags.get_ref());
        }
    }

    /// Takes over what makes the settings stricter, and nothing else.
    fn tighten(&mut self, written: &Written) {
        self.required |= written.required.unwrap_or(false);
        self.keeping.sync = self.keeping.sync.max(written.sync.unwrap_or_default());
        // Zero keeps for ever, so nothing is longer.
        if let Some(days) = written.keep_days
            && self.keeping.days != 0
        {
            self.keeping.days = if days == 0 { 0 } else { self.keeping.days.max(days) };
        }
        let patterns = written.redact.iter().flatten();
        self.patterns.extend(patterns.map(|pattern| Pattern::new(pattern.get_ref())));
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
        let project = "required = true\nsync = \"always\"\nlevel = \"metadata\"\npath = \"/dev/null\"\nkeep_days = 1\nwait_ms = 0\nredact = ['ACME-\\d+']";
        settings.tighten(&written(project));
        assert!(settings.required);
        assert_eq!(
            (settings.level, settings.path.as_deref(), settings.keeping.days),
            (Level::Full, None, 30)
        );
        assert_eq!(settings.keeping.sync, Sync::Always);
        assert_eq!(settings.keeping.wait, Keeping::default().wait);
        assert_eq!((settings.patterns.len(), settings.troubles.len()), (1, 0));
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
        settings.path_binds = true;
        settings.set(&written("required = false\nlevel = \"metadata\"\npath = \"/tmp/x\"\nsync = \"never\"\nsegment_mib = 1"), &system);
        assert!(settings.required);
        assert_eq!(
            (settings.level, settings.path.as_deref()),
            (Level::Redacted, Some(Path::new("/var/log/audit.jsonl")))
        );
        assert_eq!((settings.keeping.sync, settings.keeping.segment_bytes), (Sync::Decisions, 1 << 20));
    }

    #[test]
    fn the_machine_says_who_is_named_and_where_records_go() {
        let system = written("identity = \"hash\"\nresource = { team = \"x\" }\n[ship]\nto = \"https://a\"");
        let mut settings = Settings::default();
        settings.set(&system, &Written::default());
        let user = "identity = \"name\"\nemail = true\nresource = { team = \"y\" }\n[ship]\nto = \"https://b\"\nat_session_end = true";
        settings.set(&written(user), &system);
        settings.tighten(&written("identity = \"name\"\nresource = { team = \"z\" }"));
        let who = settings.who.unwrap();
        assert_eq!((who.identity, who.email, who.resource["team"].as_str()), (Identity::Hash, true, "x"));
        let ship = settings.ship.unwrap();
        assert_eq!((ship.to.as_deref(), ship.at_session_end), (Some("https://a"), false));
    }

    #[test]
    fn tags_are_few_short_and_plain() {
        for (text, fine) in [
            ("resource = { team = \"payments\", \"cost.center\" = \"17\" }", true),
            ("resource = { \"a b\" = \"x\" }", false),
            ("resource = { team = 7 }", false),
            ("resource = { a='', b='', c='', d='', e='', f='', g='', h='', i='' }", false),
            (&format!("resource = {{ a = \"{}\" }}", "x".repeat(65)), false),
            ("identity = \"login\"", false),
            ("[ship]\nto = \"x\"\ntoken = \"s3cret\"", false),
        ] {
            let (_, mistakes) = meant(text);
            assert_eq!(mistakes.is_empty(), fine, "{text}: {mistakes:?}");
        }
    }

    /// What a file means, and what is wrong with it.
    fn meant(text: &str) -> (Written, Vec<Mistake>) {
        let (written, mistakes) =
            ::store::settings::parse::<Written>(Path::new("audit.toml"), text.as_bytes());
        (written.strictest(&mistakes), mistakes)
    }

    #[test]
    fn a_mistake_is_reported_and_never_loosens() {
        for (text, level, told) in [
            (
                "levl = \"metadata\"\nrequired = false\n",
                Level::Full,
                "unknown key `levl` (did you mean `level`?)",
            ),
            ("level = \"redacted\"\nx = 1\n", Level::Redacted, "unknown key `x`"),
            ("level = \"ful\"\nredact = []\n", Level::Full, "did you mean `full`?"),
            // What these would have taken out is not reported at all.
            ("level = \"full\"\nredact = ['(']\n", Level::Metadata, "`redact`"),
            ("level = \"full\"\nredcat = ['ACME']\n", Level::Metadata, "did you mean `redact`?"),
            ("level = \"full\"\nrequired = yes\n", Level::Metadata, "audit.toml:2:"),
            ("required = \"no\"\nredact = ['ACME']\n", Level::Full, "audit.toml:1:12"),
            ("path = \"log\"\nredact = []\n", Level::Full, "not absolute"),
            ("sync = \"often\"\nredact = []\n", Level::Full, "audit.toml:1:8"),
            ("required = false\n[x\n", Level::Metadata, "audit.toml:2:"),
        ] {
            let (written, mistakes) = meant(text);
            assert_eq!((written.required, written.level), (Some(true), Some(level)), "{text}{mistakes:?}");
            assert_eq!((written.sync, written.keep_days), (Some(Sync::Always), Some(0)), "{text}");
            assert!(mistakes.iter().any(|mistake| mistake.to_string().contains(told)), "{text}{mistakes:?}");
        }
        let (written, mistakes) = meant("level = \"metadata\"\n");
        assert_eq!((written.required, mistakes), (None, Vec::new()));
    }

    #[test]
    fn a_file_that_is_none_is_the_strictest_one() {
        let folder = tempfile::tempdir().unwrap();
        let said = ::store::settings::read::<Written>(folder.path(), Layer::User);
        let written = said.document.unwrap_or_default().strictest(&said.mistakes);
        assert_eq!((written.required, written.level), (Some(true), Some(Level::Metadata)));
    }
}
