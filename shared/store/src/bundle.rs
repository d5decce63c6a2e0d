//! Which bundle of policies this machine obeys: a small file beside the policies, put there by the same rename.
//!
//! `hook-runner policy pull` writes it; `policy status`, `doctor` and the audit log's heartbeat read it. No hook reads it
//! to decide: the policies are plain files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::settings::{Found, Layer, Why, find};

/// The file's name, in the folder of the machine's policies. Hooks read only what ends in `.toml` there.
pub const NAME: &str = "bundle.lock";

/// What the name of a policy begins with that came in a bundle; anything else there is the administrator's own.
pub const PREFIX: &str = "bundle-";

/// The largest such file, in bytes.
const LARGEST: u64 = 64 * 1024;

/// A bundle, as far as who obeys it wants to know.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    pub name: String,
    /// Never smaller than that of the bundle before.
    pub serial: u64,
    /// SHA-256 of the whole bundle, in hexadecimal.
    pub digest: String,
    /// From when on, in seconds since 1970.
    pub not_before: u64,
    /// Until when: afterwards it stays in force, and is stale.
    pub not_after: u64,
    /// The id of the key that signed it, as minisign shows it.
    pub key: String,
    /// When it was pulled, in seconds since 1970.
    pub pulled: u64,
    /// Its files, as they are named beside this one.
    #[serde(default)]
    pub files: Vec<File>,
}

/// A policy of a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    pub name: String,
    /// SHA-256, in hexadecimal.
    pub digest: String,
}

/// What is known of a bundle here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InForce {
    /// This machine has none.
    None,
    Bundle(Identity),
    /// There is one, and which it is cannot be read.
    Broken(String),
}

/// Where the machine's policies are.
pub fn folder() -> PathBuf {
    crate::settings::system("policy.d")
}

/// The bundle in force on this machine. It costs one small file.
pub fn in_force() -> InForce {
    in_force_at(&folder())
}

/// The same for policies in another folder.
pub fn in_force_at(policies: &Path) -> InForce {
    match find(&policies.join(NAME), Layer::User, LARGEST) {
        Found::Absent => InForce::None,
        Found::Broken(why) => InForce::Broken(why.to_string()),
        Found::Content(bytes) => match Identity::parse(&bytes) {
            Ok(identity) => InForce::Bundle(identity),
            Err(why) => InForce::Broken(why),
        },
    }
}

/// SHA-256 in hexadecimal.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

impl Identity {
    /// Reads what [`Identity::render`] wrote.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())?;
        toml::from_str(text).map_err(|error| error.message().to_owned())
    }

    /// The file's text. Names and digests need no escapes: a bundle with others is refused before.
    pub fn render(&self) -> String {
        let mut text =
            "# The bundle that `hook-runner policy pull` put here. The next pull replaces it.\n".to_owned();
        for (key, value) in [("name", &self.name), ("digest", &self.digest), ("key", &self.key)] {
            let _ = writeln!(text, "{key} = \"{value}\"");
        }
        for (key, value) in [
            ("serial", self.serial),
            ("not_before", self.not_before),
            ("not_after", self.not_after),
            ("pulled", self.pulled),
        ] {
            let _ = writeln!(text, "{key} = {value}");
        }
        for File { name, digest } in &self.files {
            let _ = write!(text, "\n[[files]]\nname = \"{name}\"\ndigest = \"{digest}\"\n");
        }
        text
    }

    /// Whether its last day is over at `now`, in seconds since 1970. It stays in force: rules that restrict must not
    /// fall away because no one renewed them.
    pub fn is_stale(&self, now: u64) -> bool {
        now > self.not_after
    }

    /// What is not as it was signed: files that are gone, changed, or left from another bundle.
    pub fn altered(&self, policies: &Path) -> Vec<String> {
        let differs = |file: &&File| match find(&policies.join(&file.name), Layer::User, u64::from(u32::MAX))
        {
            Found::Content(bytes) => digest(&bytes) != file.digest,
            Found::Absent | Found::Broken(Why::Dangling | Why::NotAFile | Why::TooLarge(_)) => true,
            // Who may not read it cannot say that it differs.
            Found::Broken(_) => false,
        };
        let mut names: Vec<String> =
            self.files.iter().filter(differs).map(|file| file.name.clone()).collect();
        let entries = std::fs::read_dir(policies).into_iter().flatten().flatten();
        let others = entries
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| is_bundled(name) && self.files.iter().all(|file| file.name != *name));
        names.extend(others);
        names.sort();
        names
    }
}

/// Whether a file beside the policies is a bundle's, by its name.
pub fn is_bundled(name: &str) -> bool {
    name.starts_with(PREFIX) && Path::new(name).extension().is_some_and(|extension| extension == "toml")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(files: Vec<File>) -> Identity {
        Identity {
            name: "team".to_owned(),
            serial: 7,
            digest: digest(b"archive"),
            not_before: 100,
            not_after: 200,
            key: "E7620F1842B4E81F".to_owned(),
            pulled: 150,
            files,
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let file = |name: &str| File { name: name.to_owned(), digest: digest(name.as_bytes()) };
        for files in [vec![], vec![file("bundle-7-a.toml"), file("bundle-7-b.toml")]] {
            let written = identity(files);
            assert_eq!(Identity::parse(written.render().as_bytes()), Ok(written));
        }
        assert!(Identity::parse(b"name = \"x\"").is_err());
        assert!(Identity::parse(b"\xff").is_err());
    }

    #[test]
    fn a_folder_says_which_bundle_is_in_force() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert_eq!(in_force_at(folder.path()), InForce::None);
        assert_eq!(in_force_at(&at("missing")), InForce::None);
        std::fs::write(at("bundle-7-a.toml"), "schema = 1\n").unwrap();
        std::fs::write(at("10-own.toml"), "schema = 1\n").unwrap();
        let identity =
            identity(vec![File { name: "bundle-7-a.toml".to_owned(), digest: digest(b"schema = 1\n") }]);
        std::fs::write(at(NAME), identity.render()).unwrap();
        assert_eq!(in_force_at(folder.path()), InForce::Bundle(identity.clone()));
        assert!(identity.altered(folder.path()).is_empty());
        assert!(!identity.is_stale(200) && identity.is_stale(201));
        std::fs::write(at("bundle-6-b.toml"), "schema = 1\n").unwrap();
        std::fs::write(at("bundle-7-a.toml"), "schema = 1 \n").unwrap();
        assert_eq!(identity.altered(folder.path()), ["bundle-6-b.toml", "bundle-7-a.toml"]);
        std::fs::remove_file(at("bundle-7-a.toml")).unwrap();
        assert_eq!(identity.altered(folder.path()), ["bundle-6-b.toml", "bundle-7-a.toml"]);
        std::fs::write(at(NAME), "name = 7\n").unwrap();
        assert!(matches!(in_force_at(folder.path()), InForce::Broken(_)));
    }
}
