//! The archive: a plain tar of policy files, in one form only.

use std::io::Read as _;

use policy::MAX_FILE;
use tar::{Builder, EntryType, Header};

use crate::manifest::{MANIFEST, Manifest, is_name};

/// The largest bundle, in bytes.
pub const LARGEST: usize = 8 * 1024 * 1024;

/// The most policies in one.
pub const MOST_FILES: usize = 256;

/// What the name of the signature ends with.
pub const SIGNATURE_ENDING: &str = ".minisig";

/// The largest signature, in bytes: four short lines.
pub const SIGNATURE_LARGEST: usize = 4096;

/// A policy by its name: `base.toml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFile {
    pub name: String,
    pub text: String,
}

/// What is in a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archive {
    pub manifest: Manifest,
    /// Sorted by name, each once.
    pub files: Vec<NamedFile>,
}

/// Why something is not a bundle.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    #[error("it is larger than {} MiB", LARGEST >> 20)]
    TooLarge,
    #[error("it is not a bundle: {0}")]
    NotAnArchive(String),
    #[error("`{0}` is not the name of a policy: a bundle holds `NAME.toml` and no folders")]
    Name(String),
    #[error("`{0}` is not a plain file")]
    Kind(String),
    #[error("`{0}` appears twice")]
    Twice(String),
    #[error("`{0}` is larger than {limit} KiB", limit = MAX_FILE >> 10)]
    LargeFile(String),
    #[error("it holds more than {MOST_FILES} files")]
    TooMany,
    #[error("it holds no policy")]
    Empty,
    #[error("`{0}` is not UTF-8 text")]
    NotText(String),
    #[error("its `{MANIFEST}`: {0}")]
    Manifest(String),
    /// Every bundle has one form: whatever else a reader of archives would understand is not one.
    #[error("its bytes are not those that `policy bundle` writes")]
    NotCanonical,
}

/// Packs policies. The same content is the same bytes on every machine.
///
/// # Errors
///
/// What no bundle can hold.
pub fn pack(archive: &Archive) -> Result<Vec<u8>, Malformed> {
    if let Some(mistake) = archive.manifest.mistake() {
        return Err(Malformed::Manifest(mistake));
    }
    if archive.files.is_empty() {
        return Err(Malformed::Empty);
    }
    if archive.files.len() > MOST_FILES {
        return Err(Malformed::TooMany);
    }
    let mut builder = Builder::new(Vec::new());
    let mut add = |name: &str, text: &str| {
        let mut header = Header::new_ustar();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(0o644);
        header.set_size(text.len() as u64);
        let broken = |error: std::io::Error| Malformed::NotAnArchive(error.to_string());
        builder.append_data(&mut header, name, text.as_bytes()).map_err(broken)
    };
    add(MANIFEST, &archive.manifest.render())?;
    let mut last = None;
    for NamedFile { name, text } in &archive.files {
        named(name)?;
        if last >= Some(name) {
            return Err(Malformed::Twice(name.clone()));
        }
        if text.len() > MAX_FILE {
            return Err(Malformed::LargeFile(name.clone()));
        }
        add(name, text)?;
        last = Some(name);
    }
    let bytes = builder.into_inner().map_err(|error| Malformed::NotAnArchive(error.to_string()))?;
    if bytes.len() > LARGEST { Err(Malformed::TooLarge) } else { Ok(bytes) }
}

/// Whether a policy may have that name; the manifest is none.
fn named(name: &str) -> Result<(), Malformed> {
    let policy = name.strip_suffix(".toml").is_some_and(|stem| !stem.is_empty());
    let fits = is_name(name) && policy && name != MANIFEST;
    if fits { Ok(()) } else { Err(Malformed::Name(payload::one_line(name))) }
}

/// Takes an archive apart.
///
/// # Errors
///
/// Why it is not a bundle: also whatever [`pack`] would have written in another way.
pub fn unpack(bytes: &[u8]) -> Result<Archive, Malformed> {
    if bytes.len() > LARGEST {
        return Err(Malformed::TooLarge);
    }
    let broken = |error: std::io::Error| Malformed::NotAnArchive(payload::one_line(&error.to_string()));
    let mut archive = tar::Archive::new(bytes);
    let mut manifest = None;
    let mut files: Vec<NamedFile> = Vec::new();
    // Raw: what gives the next entry a long name, or other facts, is an entry that no bundle has.
    for entry in archive.entries().map_err(broken)?.raw(true) {
        let mut entry = entry.map_err(broken)?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if entry.header().entry_type() != EntryType::Regular {
            return Err(Malformed::Kind(payload::one_line(&name)));
        }
        if entry.size() > MAX_FILE as u64 {
            return Err(Malformed::LargeFile(payload::one_line(&name)));
        }
        let mut text = String::new();
        let read = entry.by_ref().take(MAX_FILE as u64 + 1).read_to_string(&mut text);
        read.map_err(|error| match error.kind() {
            std::io::ErrorKind::InvalidData => Malformed::NotText(payload::one_line(&name)),
            _ => broken(error),
        })?;
        if manifest.is_none() {
            if name != MANIFEST {
                return Err(Malformed::NotAnArchive(format!("it does not begin with `{MANIFEST}`")));
            }
            manifest = Some(Manifest::parse(&text).map_err(Malformed::Manifest)?);
            continue;
        }
        named(&name)?;
        if files.iter().any(|file| file.name == name) {
            return Err(Malformed::Twice(name));
        }
        if files.len() == MOST_FILES {
            return Err(Malformed::TooMany);
        }
        files.push(NamedFile { name, text });
    }
    let manifest = manifest.ok_or_else(|| Malformed::NotAnArchive("it is empty".to_owned()))?;
    let archive = Archive { manifest, files };
    // One rule for all that a tar could hide: order, padding, times, owners, what follows the end.
    if pack(&archive)? == bytes { Ok(archive) } else { Err(Malformed::NotCanonical) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(names: &[&str]) -> Archive {
        let manifest = Manifest {
            name: "team".to_owned(),
            serial: 7,
            not_before: 1_000_000_000,
            not_after: 2_000_000_000,
            requires: Some("0.1.0".parse().unwrap()),
        };
        let file =
            |name: &&str| NamedFile { name: (*name).to_owned(), text: format!("schema = 1\n# {name}\n") };
        Archive { manifest, files: names.iter().map(file).collect() }
    }

    #[test]
    fn what_is_packed_comes_out_again() {
        let packed = archive(&["a.toml", "b.toml"]);
        let bytes = pack(&packed).unwrap();
        assert_eq!(unpack(&bytes), Ok(packed.clone()));
        assert_eq!(pack(&packed).unwrap(), bytes);
    }

    #[test]
    fn no_bundle_has_such_content() {
        assert_eq!(pack(&archive(&[])), Err(Malformed::Empty));
        for name in
            ["../a.toml", "a/b.toml", "/a.toml", ".a.toml", "a.json", ".toml", "bundle.toml", "", "a b.toml"]
        {
            assert!(matches!(pack(&archive(&[name])), Err(Malformed::Name(_))), "{name}");
        }
        assert!(matches!(pack(&archive(&["b.toml", "b.toml"])), Err(Malformed::Twice(_))));
        assert!(matches!(pack(&archive(&["b.toml", "a.toml"])), Err(Malformed::Twice(_))));
        let mut large = archive(&["a.toml"]);
        large.files[0].text = "#".repeat(MAX_FILE + 1);
        assert_eq!(pack(&large), Err(Malformed::LargeFile("a.toml".to_owned())));
        let many: Vec<String> = (0..=MOST_FILES).map(|number| format!("{number:04}.toml")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(pack(&archive(&many)), Err(Malformed::TooMany));
    }

    /// An archive by hand: entries as (name, kind, text), which no one but a hostile author makes.
    fn tar(entries: &[(&str, EntryType, &str)]) -> Vec<u8> {
        let mut builder = Builder::new(Vec::new());
        for (name, kind, text) in entries {
            let mut header = Header::new_ustar();
            header.set_mode(0o644);
            header.set_entry_type(*kind);
            header.set_size(text.len() as u64);
            // The crate's own way refuses `..`.
            header.as_ustar_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_cksum();
            builder.append(&header, text.as_bytes()).unwrap();
        }
        builder.into_inner().unwrap()
    }

    #[test]
    fn hostile_archives_are_refused() {
        use EntryType::{Directory, Link, Regular, Symlink, XGlobalHeader, XHeader};
        let manifest = archive(&[]).manifest.render();
        let first = (MANIFEST, Regular, &*manifest);
        let policy = "schema = 1\n";
        assert!(unpack(&tar(&[first, ("a.toml", Regular, policy)])).is_ok());
        let refused = |entries: &[(&str, EntryType, &str)]| unpack(&tar(entries)).unwrap_err();
        for name in
            ["../../etc/passwd", "/etc/x.toml", "x/../../a.toml", "d/a.toml", "..", "a\\b.toml", "C:a.toml"]
        {
            assert!(matches!(refused(&[first, (name, Regular, policy)]), Malformed::Name(_)), "{name}");
        }
        for kind in
            [Symlink, Link, Directory, XHeader, XGlobalHeader, EntryType::GNULongName, EntryType::Fifo]
        {
            assert!(matches!(refused(&[first, ("a.toml", kind, "")]), Malformed::Kind(_)), "{kind:?}");
        }
        let twice = [first, ("a.toml", Regular, policy), ("a.toml", Regular, policy)];
        assert_eq!(refused(&twice), Malformed::Twice("a.toml".to_owned()));
        assert!(matches!(refused(&[first, first]), Malformed::Name(_)), "a second manifest");
        assert!(matches!(
            refused(&[first, ("b.toml", Regular, policy), ("a.toml", Regular, policy)]),
            Malformed::Twice(_)
        ));
        assert!(matches!(refused(&[("a.toml", Regular, policy), first]), Malformed::NotAnArchive(_)));
        assert_eq!(refused(&[first]), Malformed::Empty);
        assert!(matches!(refused(&[]), Malformed::NotAnArchive(_)));
        let mut longer = tar(&[first, ("a.toml", Regular, policy)]);
        longer.extend([0; 512]);
        assert_eq!(unpack(&longer), Err(Malformed::NotCanonical), "what follows the end");
        assert!(unpack(&vec![0; LARGEST + 1]).is_err());
        // Says that it is larger than any memory.
        let mut vast = tar(&[first, ("a.toml", Regular, policy)]);
        let at = vast.len() - 1024 - 512 - 512;
        vast[at + 124..at + 136].copy_from_slice(b"77777777777\0");
        let mut header = Header::from_byte_slice(&vast[at..at + 512]).clone();
        header.set_cksum();
        vast[at..at + 512].copy_from_slice(header.as_bytes());
        assert!(matches!(unpack(&vast), Err(Malformed::LargeFile(_) | Malformed::NotAnArchive(_))));
    }

    #[test]
    fn mistakes_of_the_manifest_are_named() {
        let good = archive(&[]).manifest.render();
        for (old, new, what) in [
            ("schema = 1", "schema = 2", "schema is 2"),
            ("\"team\"", "\"../team\"", "not a name"),
            ("serial = 7", "serial = -7", ""),
            ("serial = 7", "serial = 7\nsize = 3", "unknown field"),
            ("2033-05-18T03:33:20Z", "1999-01-01T00:00:00Z", "before it begins"),
            ("2033-05-18T03:33:20Z", "tomorrow", "is not a day"),
            ("0.1.0", "new", ""),
        ] {
            let text = good.replace(old, new);
            assert_ne!(text, good, "{old}");
            let error = Manifest::parse(&text).unwrap_err();
            assert!(error.contains(what), "{error}");
        }
    }
}
