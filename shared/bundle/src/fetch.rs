//! Where a bundle comes from: a file, a folder, an address for curl, a remote for git. Both are the system's own, are run
//! without a shell, and may use the network by TLS or SSH only. Nothing of a repository is checked out or run.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use process::{Ended, Job, Output};
use store::settings::{Found, Layer, find};

use crate::archive::{LARGEST, SIGNATURE_ENDING, SIGNATURE_LARGEST};

/// How long git or curl may take.
const LIMIT: Duration = Duration::from_secs(180);

/// How the name of a bundle ends.
const ENDING: &str = ".bundle";

/// The most that git may list, in bytes.
const LISTED: usize = 1024 * 1024;

/// A place for a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    File(PathBuf),
    /// The one bundle in it.
    Folder(PathBuf),
    /// For curl.
    Web(String),
    Git(Remote),
}

/// A repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    address: String,
    /// A branch, a tag, or HEAD.
    reference: String,
    /// The file in it; the one bundle at its top, otherwise.
    file: Option<String>,
}

/// Why there is no bundle to be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    #[error("{0}: not an address from which bundles are pulled")]
    Address(String),
    #[error("`{0}` is not the name of a branch or a tag")]
    Reference(String),
    #[error("`{0}` is not a file's path in a repository")]
    Path(String),
    #[error("{place}: {why}")]
    Missing { place: String, why: String },
    #[error("{program} failed: {why}")]
    Program { program: &'static str, why: String },
}

impl FetchError {
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Address(_) => {
                "Give a file, a folder, https://…, or a remote of git (https://….git, ssh://…, user@host:path)."
            }
            Self::Reference(_) => "Give it without spaces, colons and dots in a row, as `main` or `v7`.",
            Self::Path(_) => "Give it from the repository's top, with forward slashes.",
            Self::Missing { .. } => {
                "Name the file; its signature lies beside it, with `.minisig` added to the name."
            }
            Self::Program { .. } => "Run it by hand to see more; the bundle in force stays in force.",
        }
    }
}

/// What was fetched: a bundle and its signature.
pub(crate) type Fetched = (Vec<u8>, String);

impl fmt::Display for Source {
    /// Without names and passwords in addresses.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) | Self::Folder(path) => write!(f, "{}", path.display()),
            Self::Web(address) => f.write_str(&without_user(address)),
            Self::Git(remote) => {
                write!(f, "{} {}", without_user(&remote.address), remote.reference)?;
                remote.file.as_ref().map_or(Ok(()), |file| write!(f, ":{file}"))
            }
        }
    }
}

fn without_user(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let (host, path) = rest.split_once('/').map_or((rest, None), |(host, path)| (host, Some(path)));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    // What follows a question mark may be a token as well.
    let path =
        path.map_or(String::new(), |path| format!("/{}", path.split(['?', '#']).next().unwrap_or_default()));
    format!("{scheme}://{host}{path}")
}

impl Source {
    /// What a person named. `reference` and `file` are for a remote of git.
    ///
    /// # Errors
    ///
    /// Why bundles are not pulled from there.
    pub fn parse(text: &str, reference: Option<&str>, file: Option<&str>) -> Result<Self, FetchError> {
        let remote = |address: &str| {
            let reference = reference.unwrap_or("HEAD");
            if !is_reference(reference) {
                return Err(FetchError::Reference(payload::one_line(reference)));
            }
            if let Some(file) = file.filter(|file| !is_inside(file)) {
                return Err(FetchError::Path(payload::one_line(file)));
            }
            let file = file.map(str::to_owned);
            Ok(Self::Git(Remote { address: address.to_owned(), reference: reference.to_owned(), file }))
        };
        let other = || FetchError::Address(payload::one_line(&without_user(text)));
        let git = reference.is_some() || file.is_some();
        if let Some((scheme, rest)) = text.split_once("://") {
            // A space or a control character is in no address; a dash in front would be an option to someone.
            let plain = text.bytes().all(|byte| byte.is_ascii_graphic()) && !rest.starts_with('-');
            let is_git =
                git || rest.split(['?', '#']).next().is_some_and(|path| path.strip_suffix(".git").is_some());
            return match scheme {
                _ if !plain || rest.is_empty() => Err(other()),
                "https" if is_git => remote(text),
                "https" => Ok(Self::Web(text.to_owned())),
                "ssh" | "file" => remote(text),
                "git+https" | "git+ssh" | "git+file" => remote(&text["git+".len()..]),
                _ => Err(other()),
            };
        }
        let path = Path::new(text);
        if path.is_dir() {
            let is_bare = ["HEAD", "objects", "refs"].iter().all(|part| path.join(part).exists());
            return match path.canonicalize() {
                Ok(path) if is_bare || git => remote(&format!("file://{}", path.display())),
                Ok(path) => Ok(Self::Folder(path)),
                Err(error) => Err(FetchError::Missing { place: text.to_owned(), why: error.to_string() }),
            };
        }
        if !path.exists() && is_scp(text) {
            return remote(text);
        }
        Ok(Self::File(path.to_owned()))
    }

    /// Fetches the bundle and its signature.
    pub(crate) fn fetch(&self) -> Result<Fetched, FetchError> {
        match self {
            Self::File(path) => of_file(path),
            Self::Folder(folder) => {
                let entries = std::fs::read_dir(folder).map_err(|error| FetchError::Missing {
                    place: self.to_string(),
                    why: error.to_string(),
                })?;
                let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
                of_file(&folder.join(only(names, &self.to_string())?))
            }
            Self::Web(address) => of_web(address),
            Self::Git(remote) => remote.fetch(),
        }
    }
}

/// `user@host:path`, as git and scp write it.
fn is_scp(text: &str) -> bool {
    let Some((host, path)) = text.split_once(':') else { return false };
    let Some((user, host)) = host.split_once('@') else { return false };
    let word = |text: &str| {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
        !text.is_empty() && !text.starts_with('-') && text.bytes().all(fits)
    };
    word(user)
        && word(host)
        && !path.is_empty()
        && !path.starts_with('-')
        && path.bytes().all(|b| b.is_ascii_graphic())
}

/// A branch or a tag, as `git check-ref-format` has it, and less: nothing that a refspec or an option could mean.
fn is_reference(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'/');
    (1..=200).contains(&text.len())
        && text.bytes().all(fits)
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && !text.contains("..")
        && !text.contains("//")
        && !text.ends_with(['/', '.'])
        && text.strip_suffix(".lock").is_none()
}

/// A path below the top of a repository.
fn is_inside(text: &str) -> bool {
    let part = |part: &str| !part.is_empty() && part != "." && part != "..";
    text.len() <= 400 && text.split('/').all(part) && !text.contains(['\0', '\n', '\\', ':'])
}

/// The one bundle among these names.
fn only(names: impl Iterator<Item = String>, place: &str) -> Result<String, FetchError> {
    let mut bundles: Vec<String> = names.filter(|name| name.ends_with(ENDING)).take(3).collect();
    bundles.sort();
    let missing = |why: String| FetchError::Missing { place: place.to_owned(), why };
    match (bundles.pop(), bundles.is_empty()) {
        (Some(name), true) => Ok(name),
        (Some(_), false) => Err(missing(format!("it has several files that end in {ENDING}"))),
        (None, _) => Err(missing(format!("it has no file that ends in {ENDING}"))),
    }
}

fn of_file(path: &Path) -> Result<Fetched, FetchError> {
    let read = |path: &Path, most: usize| match find(path, Layer::User, most as u64) {
        Found::Content(bytes) => Ok(bytes),
        Found::Absent => Err(FetchError::Missing {
            place: path.display().to_string(),
            why: "there is no such file".to_owned(),
        }),
        Found::Broken(why) => {
            Err(FetchError::Missing { place: path.display().to_string(), why: why.to_string() })
        }
    };
    let mut signature = path.as_os_str().to_owned();
    signature.push(SIGNATURE_ENDING);
    let bytes = read(path, LARGEST)?;
    let signature = read(Path::new(&signature), SIGNATURE_LARGEST)?;
    Ok((bytes, lossy(&signature)))
}

/// A signature with other bytes than letters does not hold, whatever they are.
fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn of_web(address: &str) -> Result<Fetched, FetchError> {
    let (path, rest) = address.split_at(address.find(['?', '#']).unwrap_or(address.len()));
    let bytes = curl(address, LARGEST)?;
    let signature = curl(&format!("{path}{SIGNATURE_ENDING}{rest}"), SIGNATURE_LARGEST)?;
    Ok((bytes, lossy(&signature)))
}

fn curl(address: &str, most: usize) -> Result<Vec<u8>, FetchError> {
    let most_text = most.to_string();
    let arguments = [
        // First, as curl wants it: no settings of a user.
        "--disable",
        "--silent",
        "--show-error",
        "--fail",
        "--globoff",
        "--location",
        "--max-redirs",
        "5",
        "--proto",
        "=https",
        "--proto-redir",
        "=https",
        "--tlsv1.2",
        "--connect-timeout",
        "30",
        "--max-filesize",
        &most_text,
        "--user-agent",
        "policy-hooks",
        "--url",
        address,
    ];
    run("curl", &arguments, Path::new("/"), most, &[])
}

/// Runs a program of the system, and takes what it prints.
fn run(
    program: &'static str,
    arguments: &[&str],
    folder: &Path,
    most: usize,
    variables: &[(&str, &str)],
) -> Result<Vec<u8>, FetchError> {
    let wanted = |name: &str| {
        let name = name.to_ascii_lowercase();
        matches!(
            &*name,
            "https_proxy"
                | "all_proxy"
                | "no_proxy"
                | "ssl_cert_file"
                | "ssl_cert_dir"
                | "curl_ca_bundle"
                | "ssh_auth_sock"
        )
    };
    let mut environment = process::usual(wanted);
    environment.extend(variables.iter().map(|(name, value)| (OsString::from(name), OsString::from(value))));
    let folder = if folder.is_dir() { folder.to_owned() } else { std::env::temp_dir() };
    let ran = process::run(Job {
        program: program.into(),
        arguments: arguments.iter().map(OsString::from).collect(),
        folder: &folder,
        environment,
        input: None,
        stays_open: false,
        output: Output::Used(most),
        limit: LIMIT,
    });
    let why = match ran.ended {
        Ended::Code(0) => return Ok(ran.output),
        Ended::NotStarted(why) => format!("it cannot be started: {why}"),
        Ended::TooLate => format!("it took longer than {} s", LIMIT.as_secs()),
        Ended::TooMuch => format!("it sent more than {most} bytes"),
        Ended::Signalled | Ended::StillOpen => "it was ended".to_owned(),
        Ended::Code(code) => {
            let said = process::plain(&ran.errors);
            let last = said.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
            // What it says may quote the address.
            let last: Vec<String> = last.split(' ').map(without_user).collect();
            format!("exit code {code}: {}", payload::one_line(&last.join(" ")))
        }
    };
    Err(FetchError::Program { program, why })
}

/// The settings with which git runs: no code of a repository, no question, no way but by TLS and SSH.
const SAFELY: [&str; 11] = [
    "protocol.allow=never",
    "protocol.https.allow=always",
    "protocol.ssh.allow=always",
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.askPass=",
    "fetch.fsckObjects=true",
    "submodule.recurse=false",
    "http.followRedirects=initial",
    "gc.auto=0",
    "maintenance.auto=false",
];

impl Remote {
    fn fetch(&self) -> Result<Fetched, FetchError> {
        let scratch = tempfile::tempdir().map_err(|error| FetchError::Missing {
            place: "a temporary folder".to_owned(),
            why: error.to_string(),
        })?;
        let git = |arguments: &[&str], most: usize| {
            let mut all = Vec::new();
            for setting in SAFELY {
                all.extend(["-c", setting]);
            }
            // A folder of this machine that a person named.
            if self.address.starts_with("file://") {
                all.extend(["-c", "protocol.file.allow=always"]);
            }
            all.extend(arguments);
            let variables = [
                ("GIT_TERMINAL_PROMPT", "0"),
                ("GIT_SSH_COMMAND", "ssh -o BatchMode=yes"),
                ("GIT_NO_LAZY_FETCH", "1"),
                ("GIT_OPTIONAL_LOCKS", "0"),
                ("LC_ALL", "C"),
            ];
            run("git", &all, scratch.path(), most, &variables)
        };
        git(&["init", "--quiet", "--bare", "--template=", "."], LISTED)?;
        let refspec = format!("+{}:refs/pulled", self.reference);
        let fetch = [
            "fetch",
            "--quiet",
            "--no-tags",
            "--depth=1",
            "--no-recurse-submodules",
            "--no-write-fetch-head",
        ];
        git(&[&fetch[..], &["--", &self.address, &refspec]].concat(), LISTED)?;
        let place = Source::Git(self.clone()).to_string();
        let listing = git(&["ls-tree", "-z", "-r", "--full-tree", "refs/pulled"], LISTED)?;
        let blobs = blobs(&listing);
        let top = || blobs.iter().map(|(name, _)| name.clone()).filter(|name| !name.contains('/'));
        let name = self.file.clone().map_or_else(|| only(top(), &place), Ok)?;
        let blob = |name: &str, most: usize| {
            let missing =
                || FetchError::Missing { place: place.clone(), why: format!("it has no file `{name}`") };
            let (_, id) = blobs.iter().find(|(known, _)| known == name).ok_or_else(missing)?;
            git(&["cat-file", "blob", id], most)
        };
        let bytes = blob(&name, LARGEST)?;
        Ok((bytes, lossy(&blob(&format!("{name}{SIGNATURE_ENDING}"), SIGNATURE_LARGEST)?)))
    }
}

/// Plain files and their ids from `git ls-tree -z`; no links, and no other repositories.
fn blobs(listing: &[u8]) -> Vec<(String, String)> {
    let one = |entry: &[u8]| {
        let text = std::str::from_utf8(entry).ok()?;
        let (about, name) = text.split_once('\t')?;
        let mut words = about.split(' ');
        let (mode, kind, id) = (words.next()?, words.next()?, words.next()?);
        let plain = matches!(mode, "100644" | "100755")
            && kind == "blob"
            && id.bytes().all(|b| b.is_ascii_hexdigit());
        plain.then(|| (name.to_owned(), id.to_owned()))
    };
    listing.split(|byte| *byte == 0).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_source_is_known_by_its_form() {
        let of = |text: &str| Source::parse(text, None, None);
        assert!(matches!(of("https://x.example/team.bundle"), Ok(Source::Web(_))));
        for git in [
            "https://x.example/policies.git",
            "https://x.example/policies.git?x=1",
            "git+https://x.example/policies",
            "ssh://git@x.example/policies",
            "git@x.example:team/policies.git",
            "file:///srv/policies",
        ] {
            assert!(matches!(of(git), Ok(Source::Git(_))), "{git}");
        }
        assert!(matches!(Source::parse("https://x.example/p", Some("main"), None), Ok(Source::Git(_))));
        assert!(matches!(of("no-such-file.bundle"), Ok(Source::File(_))));
        assert!(matches!(of("C:team.bundle"), Ok(Source::File(_))));
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(of(folder.path().to_str().unwrap()), Ok(Source::Folder(_))));
    }

    #[test]
    fn hostile_addresses_and_references_are_refused() {
        for text in [
            "http://x.example/team.bundle",
            "git://x.example/p",
            "ext::sh -c touch% /tmp/x",
            "git+ext://sh",
            "ftp://x.example/a",
            "https://x.example/a b",
            "https://x.example/\n--output=/etc/passwd",
            "https://",
            "ssh://-oProxyCommand=touch/x",
            "https://-x/y",
        ] {
            let parsed = Source::parse(text, None, None);
            // What is no address is a file's name: nothing is run for it.
            assert!(
                matches!(parsed, Err(FetchError::Address(_)) | Ok(Source::File(_))),
                "{text}: {parsed:?}"
            );
            assert!(!text.contains("://") || parsed.is_err(), "{text}");
        }
        for text in ["-oProxyCommand=x@h:p", "u@-oProxyCommand=x:p", "u@h:-x", "@h:p", "u@:p", "u@h:"] {
            assert!(matches!(Source::parse(text, None, None), Ok(Source::File(_))), "{text}");
        }
        for reference in [
            "--upload-pack=touch /tmp/x",
            "-x",
            "a:b",
            "+main",
            "a..b",
            "a b",
            "",
            "a//b",
            "a/",
            "x.lock",
            "a\nb",
            "^a",
            "a~1",
        ] {
            let parsed = Source::parse("ssh://h/p", Some(reference), None);
            assert!(matches!(parsed, Err(FetchError::Reference(_))), "{reference}: {parsed:?}");
        }
        for file in ["../x", "/etc/passwd", "a/../b", "a//b", "", ".", "a\\b", "a:b"] {
            let parsed = Source::parse("ssh://h/p", None, Some(file));
            assert!(matches!(parsed, Err(FetchError::Path(_))), "{file}: {parsed:?}");
        }
    }

    #[test]
    fn what_is_shown_of_an_address_has_no_password() {
        let shown = |text: &str| Source::parse(text, None, None).unwrap().to_string();
        assert_eq!(shown("https://me:secret@x.example/a.bundle?token=7"), "https://x.example/a.bundle");
        assert_eq!(shown("https://token@x.example/p.git"), "https://x.example/p.git HEAD");
    }

    #[test]
    fn only_plain_files_of_a_repository_count() {
        let id = "0".repeat(40);
        let listing = format!(
            "100644 blob {id}\tteam.bundle\0120000 blob {id}\tlink.bundle\0160000 commit {id}\tother.bundle\0\
             100755 blob {id}\td/x y\tz\0garbage\0"
        );
        let names: Vec<String> = blobs(listing.as_bytes()).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["team.bundle", "d/x y\tz"]);
        let only = |names: &[&str]| only(names.iter().map(|name| (*name).to_owned()), "x");
        assert_eq!(only(&["README.md", "a.bundle"]), Ok("a.bundle".to_owned()));
        assert!(only(&["a.bundle", "b.bundle"]).is_err() && only(&["a.bundle.minisig"]).is_err());
    }
}
