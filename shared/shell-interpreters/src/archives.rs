//! Archives that code packs by a library: each file that goes in is packed by `tar`, so that what is known of an archive
//! holds for these as well. `zipfile.ZipFile("x.zip", "w").write(key)` is `tar -rf x.zip -- key`.

use std::rc::Rc;

use shell_engine::{Arg, mark};

use super::Language;
use super::follow::Follower;
use super::services::{Client, Kind};
use super::value::{Arguments, Source, Value};

/// Files and folders of one archive that are remembered.
const MAX_MEMBERS: usize = 16;

/// Whether a path of names makes an archive, or opens one.
pub(super) fn makes(language: Language, path: &str) -> bool {
    match language {
        Language::Python => {
            ["zipfile.ZipFile", "tarfile.open", "tarfile.TarFile"].iter().any(|maker| path.ends_with(maker))
        }
        Language::JavaScript => {
            matches!(path, "adm-zip" | "archiver" | "jszip" | "yazl.ZipFile" | "archiver.create")
        }
        Language::Php => path.eq_ignore_ascii_case("ZipArchive"),
        Language::Ruby => path == "Zip.File.open",
        _ => false,
    }
}

impl Follower<'_> {
    /// A function that packs at once: `shutil.make_archive("x", "zip", folder)`.
    pub(super) fn packs_at_once(&mut self, path: &str, arguments: &Arguments) -> Option<Value> {
        let at = |place: usize, name: &str| arguments.values.get(place).or_else(|| arguments.named(name));
        let (archive, folder) = match path {
            "shutil.make_archive" => {
                let kind = at(1, "format")?.text();
                let ending = kind.replace("gztar", "tar.gz").replace("bztar", "tar.bz2");
                let folder = at(2, "root_dir").map_or_else(|| ".".to_owned(), Value::text);
                let inside = at(3, "base_dir").map(Value::text);
                let folder = inside.map_or(folder.clone(), |inside| format!("{folder}/{inside}"));
                (format!("{}.{ending}", at(0, "base_name")?.text()), folder)
            }
            _ if self.language == Language::Other && path.ends_with("ZipFile.CreateFromDirectory") => {
                (at(1, "destinationArchiveFileName")?.text(), at(0, "sourceDirectoryName")?.text())
            }
            _ => return None,
        };
        self.pack_file(&archive, &folder);
        Some(Value::from(archive))
    }

    /// An archive that is made or opened here. `None` where it is only read.
    pub(super) fn archive(&mut self, path: &str, arguments: &Arguments) -> Option<Value> {
        let mode = arguments.values.get(1).or_else(|| arguments.named("mode")).map(Value::text);
        let writes =
            || mode.as_deref().is_some_and(|mode| mode.starts_with(['w', 'a', 'x']) || mark::any(mode));
        if self.language == Language::Python && !writes() {
            return None;
        }
        let named = |name| arguments.named(name);
        let file = arguments.first().or_else(|| ["name", "file", "fileobj"].into_iter().find_map(named));
        let named = !matches!(self.language, Language::JavaScript | Language::Php);
        let about = file.filter(|_| named).and_then(Value::known).unwrap_or_default();
        // `ZipFile(io.BytesIO(), "w")`
        let holder = match file {
            Some(Value::Name(holder)) => vec![holder.clone()],
            _ => Vec::new(),
        };
        let handle = self.keep_client(Client { options: holder, ..Client::of_archive(about) });
        if let Some(block) = arguments.block.clone().filter(|_| path == "Zip.File.open") {
            self.call_function(&block, vec![handle.clone()]);
        }
        Some(handle)
    }

    /// A method of an archive.
    pub(super) fn of_archive(&mut self, index: usize, name: &str, arguments: &Arguments) -> Value {
        let values = || arguments.values.iter();
        let own = |value: &Value| value.choices().iter().map(member_of).collect::<Vec<_>>();
        match name {
            // Ruby's has the name in the archive first.
            "add" if self.language == Language::Ruby => {
                let members = arguments.values.get(1).map(own).unwrap_or_default();
                self.take_in(index, members);
            }
            "write" | "add" | "addLocalFile" | "addLocalFolder" | "file" | "directory" | "addFile" => {
                let named = || ["name", "filename"].iter().find_map(|name| arguments.named(name));
                let members = arguments.first().or_else(named).map(own).unwrap_or_default();
                self.take_in(index, members);
            }
            // What they get is text that was read.
            "writestr" | "addfile" | "append" | "addFromString" | "addBuffer" => {
                self.take_in(index, held(arguments));
            }
            "open" | "writeZip" | "toFile" | "pipe" | "writeZipPromise" => {
                let Some(file) = values().map(file_of).find(|file| !file.is_empty()) else {
                    return Value::unknown();
                };
                let Some(client) = self.clients.get_mut(index) else { return Value::unknown() };
                client.about.clone_from(&file);
                let members: Vec<String> = client.parts.iter().map(|(_, member)| member.clone()).collect();
                for member in members {
                    self.pack_file(&file, &member);
                }
            }
            // The archive as a value, or what it is written to in memory.
            "toBuffer" | "generateAsync" | "toBufferPromise" => {
                let members = self.clients.get(index).map_or(&[][..], |client| client.parts.as_slice());
                let from =
                    Source::among(members.iter().map(|(_, member)| Some(Source::part(member.as_str()))));
                return Value::Text(super::value::Text { text: mark::UNKNOWN.to_string(), from, to: None });
            }
            _ => {}
        }
        Value::unknown()
    }

    /// Files go into an archive.
    fn take_in(&mut self, index: usize, members: Vec<String>) {
        for member in members.into_iter().filter(|member| !member.is_empty()) {
            self.note_private(&member);
            let Some(client) = self.clients.get_mut(index) else { return };
            if client.parts.len() < MAX_MEMBERS {
                client.parts.push(("member".to_owned(), member.clone()));
            }
            let about = client.about.clone();
            for holder in client.options.clone() {
                let ways = ["", ".getvalue", ".getbuffer", ".read"];
                let held = ways.map(|way| (Rc::from(format!("{holder}{way}")), Rc::from(member.as_str())));
                self.holders.extend(held);
            }
            if !about.is_empty() {
                self.pack_file(&about, &member);
            }
        }
    }

    fn pack_file(&mut self, archive: &str, member: &str) {
        self.start(["tar", "-rf", archive, "--", member].map(Arg::from).to_vec(), None);
    }
}

/// The files of which arguments hold something.
fn held(arguments: &Arguments) -> Vec<String> {
    let sources = arguments.all().filter_map(Value::source);
    sources.flat_map(|source| source.paths().map(ToString::to_string).collect::<Vec<_>>()).collect()
}

/// The file that a value names; the folder of those of which not all is known: `keys/*`.
fn member_of(value: &Value) -> String {
    let text = value.text();
    match text.find(mark::is_mark) {
        Some(at) => text[..at].rsplit_once('/').map_or("", |(folder, _)| folder).to_owned(),
        None => text,
    }
}

/// The file that an argument names, or to which it writes.
fn file_of(value: &Value) -> String {
    match value {
        Value::File(path) => path.clone(),
        value => value.known().unwrap_or_default(),
    }
}

impl Client {
    fn of_archive(about: String) -> Self {
        Self { kind: Kind::Archive, about, options: Vec::new(), parts: Vec::new() }
    }
}
