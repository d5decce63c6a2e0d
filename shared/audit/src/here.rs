//! Who and where this is: the user, and the machine without its name, unless the settings want it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use payload::write::Object;
use redact::Key;

use sha2::{Digest, Sha256};

use crate::chain::short_hex;
use crate::private;
use crate::settings::Identity;

/// Who a record is about, where the settings say how it is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Who {
    pub identity: Identity,
    /// Whether the address of git's configuration is written.
    pub email: bool,
    /// Tags of the team's own.
    pub resource: BTreeMap<String, String>,
}

/// How much of a file that names users or addresses is read, in bytes.
const LARGEST_FILE: u64 = 256 * 1024;

/// How long a name is at most, in characters.
const LONGEST_NAME: usize = 64;

impl Who {
    /// Adds the members that say it.
    pub(crate) fn write(&self, object: &mut Object, key: &Key<'_>) {
        match self.identity {
            Identity::Login => object.text("user", &user()),
            // Under the key of this installation: whoever has a list of names cannot try them all.
            Identity::Hash => {
                object.text("user", &format!("h-{}", short_hex(&key.digest(user().as_bytes()), 16)))
            }
            Identity::Name => object.text("user", &named_user()),
        };
        object.text("machine", &machine());
        if self.identity == Identity::Name
            && let Some(name) = host_name()
        {
            object.text("machine_name", &plain(&name));
        }
        if self.email
            && self.identity != Identity::Hash
            && let Some(email) = email()
        {
            object.text("email", &plain(&email));
        }
        if !self.resource.is_empty() {
            object.object("resource", |tags| {
                for (name, value) in &self.resource {
                    tags.text(name, value);
                }
            });
        }
    }
}

/// A name on one line, bounded.
fn plain(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect()
}

/// The user's name and number; by the system's own list where the environment says nothing.
fn named_user() -> String {
    let user = user();
    if user.contains(':') {
        return user;
    }
    let named = beginning(Path::new("/etc/passwd")).and_then(|list| name_of(&list, &user).map(plain));
    named.map_or_else(|| user.clone(), |name| format!("{name}:{user}"))
}

/// The name of a user's number in passwd(5).
fn name_of<'l>(list: &'l str, number: &str) -> Option<&'l str> {
    list.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)? == number).then_some(name)
    })
}

fn host_name() -> Option<String> {
    #[cfg(unix)]
    let name = rustix::system::uname().nodename().to_str().ok().map(str::to_owned);
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").ok();
    name.filter(|name| !name.is_empty())
}

/// The user's address in git's configuration: their own files only, as a repository may say anything.
fn email() -> Option<String> {
    let home = std::env::home_dir()?;
    let config = std::env::var_os("XDG_CONFIG_HOME").map_or_else(|| home.join(".config"), PathBuf::from);
    // Git reads both, and the first of these has the last word.
    [home.join(".gitconfig"), config.join("git/config")]
        .into_iter()
        .find_map(|file| email_in(&beginning(&file)?).map(str::to_owned))
}

/// `user.email` of a configuration of git.
fn email_in(config: &str) -> Option<&str> {
    let (mut in_user, mut found) = (false, None);
    for line in config.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            in_user = section.split(']').next().is_some_and(|name| name.trim().eq_ignore_ascii_case("user"));
        } else if in_user
            && let Some((name, value)) = line.split_once('=')
            && name.trim().eq_ignore_ascii_case("email")
        {
            let value = value.split(['#', ';']).next().unwrap_or_default().trim().trim_matches('"');
            found = Some(value).filter(|value| !value.is_empty());
        }
    }
    found
}

fn beginning(path: &Path) -> Option<String> {
    let file = private::open_plain(path).ok()?;
    // A pipe in its place has no end.
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    file.take(LARGEST_FILE).read_to_string(&mut text).ok()?;
    Some(text)
}

/// The user's name and number.
pub(crate) fn user() -> String {
    let variables = if cfg!(windows) { ["USERNAME", "USER"] } else { ["USER", "LOGNAME"] };
    let name =
        variables.into_iter().find_map(|name| std::env::var(name).ok()).filter(|name| !name.is_empty());
    let id = private::user_id();
    match name {
        Some(name) => {
            // The environment is the agent's to set: like every text from there, the name is bounded and
            // stays on its line.
            format!("{}:{id}", name.chars().filter(|c| !c.is_control()).take(64).collect::<String>())
        }
        None => id.to_string(),
    }
}

/// A digest of the machine's own identifier: the same for all records of one machine, and no name.
pub(crate) fn machine() -> String {
    // Images of containers often ship that file empty or not at all; the host's name is all that is left there.
    let id = fs::read("/etc/machine-id").ok().filter(|id| !id.is_empty()).unwrap_or_else(|| {
        let name = std::env::var("HOSTNAME").or_else(|_| std::env::var("COMPUTERNAME"));
        name.unwrap_or_default().into_bytes()
    });
    // The identifier is confidential (machine-id(5)); hashed with a prefix of ours, it matches no one else's
    // digest either.
    short_hex(&Sha256::digest([b"policy-hooks machine ".as_slice(), &id].concat()), 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_are_found_by_their_number() {
        let list = "root:x:0:0:root:/root:/bin/sh\nbroken\nann:x:1000:1000::/home/ann:/bin/sh\n";
        assert_eq!(
            (name_of(list, "1000"), name_of(list, "0"), name_of(list, "7")),
            (Some("ann"), Some("root"), None)
        );
    }

    #[test]
    fn an_address_is_that_of_the_section_of_the_user() {
        for (config, email) in [
            ("[user]\n\tname = Ann\n\temail = ann@example.org\n", Some("ann@example.org")),
            ("[User]\nEMAIL=\"a@b\" ; work\n[x]\nemail = c@d", Some("a@b")),
            ("[user \"work\"]\nemail = a@b", None),
            ("[alias]\nemail = a@b", None),
            ("[user]\nemail =", None),
        ] {
            assert_eq!(email_in(config), email, "{config}");
        }
    }
}
