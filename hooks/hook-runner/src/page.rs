//! The page of the audit log: a file, or a live view for this machine. `audit-logger report` calls this: a hook holds no
//! code that listens.
//!
//! The records come from `audit-logger query`, which knows the options by which they are chosen.

mod serve;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use audit::{Anchor, Record};
use report::{About, BEGINNING, Page, Proof, Story, page};

use crate::Done;
use crate::beside;
use crate::command_line::PageOptions;
use crate::fault::{Exit, Fault};
use crate::paint::Screen;
use crate::project::Project;

/// The page's name, where no other is given.
const NAME: &str = "report.html";

/// `hook-runner page`, which people reach as `audit-logger report`.
pub(crate) fn task(options: &PageOptions, screen: &Screen) -> Done {
    let source = Source::of(options)?;
    if options.serve {
        return serve::serve(source, options.port, screen);
    }
    let Some(content) = source.read()? else { return Ok(Exit::Usage) };
    let html = page(Page::Whole { story: content.story, about: &content.about, proofs: &content.proofs });
    if options.out.as_deref() == Some(Path::new("-")) {
        screen::data(&html).map_err(Fault::Output)?;
        return Ok(Exit::Fine);
    }
    let out = match &options.out {
        Some(out) => std::path::absolute(out).map_err(|error| Fault::unwritable(out, error))?,
        None => audit::state_folder()
            .ok_or_else(|| Fault::usage("There is no folder for the page.", "Name a file: --out FILE."))?
            .join(NAME),
    };
    write(&out, &html)?;
    screen.say(&format!("\nThe page, for a browser:\n  {}\n", address(&out)))?;
    Ok(Exit::Fine)
}

/// The records that are meant, and where their logs are.
struct Source {
    logger: PathBuf,
    query: Vec<OsString>,
    filter: String,
    logs: Vec<PathBuf>,
    anchors: Vec<Anchor>,
    limit: usize,
}

/// What a page is made of.
struct Content {
    story: Story,
    about: About,
    proofs: Vec<Proof>,
}

impl Source {
    fn of(options: &PageOptions) -> Result<Self, Fault> {
        let mut anchors = Vec::new();
        for file in &options.anchor {
            let text = fs::read_to_string(file).map_err(|error| Fault::unreadable(file, error))?;
            let found = Anchor::all(&text);
            if found.is_empty() {
                // It would prove nothing, and look as if it did.
                return Err(Fault::unreadable(file, "it contains no anchor"));
            }
            anchors.extend(found);
        }
        Ok(Self {
            logger: beside::logger(&Project::around(None)?)?,
            query: options.query.clone(),
            filter: options.query.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" "),
            logs: options.log.clone(),
            anchors,
            limit: options.limit,
        })
    }

    /// Reads the records; `None` where the logger refused its options, and has said why.
    fn read(&self) -> Result<Option<Content>, Fault> {
        let mut command = Command::new(&self.logger);
        command.args(["query", "--format", "json", "--limit"]);
        // One more than is shown: so it is known whether there are more.
        command.arg(self.limit.saturating_add(1).to_string()).args(&self.query);
        for log in &self.logs {
            command.arg("--log").arg(log);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).env(program::TYPED, "audit-logger report");
        let failed = |error| Fault::unreadable(&self.logger, error);
        let mut child = command.spawn().map_err(failed)?;
        let mut story = Story::default();
        let mut first = None;
        let mut count = 0_usize;
        if let Some(lines) = child.stdout.take() {
            for line in BufReader::new(lines).split(b'\n') {
                let Some(record) = Record::parse(&line.map_err(failed)?) else { continue };
                count += 1;
                // The oldest is held back until it is known that it is not the one too many.
                match first {
                    None => first = Some(record),
                    Some(_) => story.add(&record),
                }
            }
        }
        let cut = count > self.limit;
        if let Some(first) = first.filter(|_| !cut) {
            story.add(&first);
        }
        if !matches!(child.wait().map_err(failed)?.code(), Some(0 | 1)) {
            return Ok(None);
        }
        let about = About {
            version: program::VERSION.to_owned(),
            made: chrono::Utc::now().timestamp_millis(),
            filter: self.filter.clone(),
            limit: cut.then_some(self.limit),
        };
        Ok(Some(Content { story, about, proofs: self.proofs() }))
    }

    fn proofs(&self) -> Vec<Proof> {
        let proof = |log: &PathBuf| {
            let files = match audit::files(log) {
                Ok(files) if !files.is_empty() => files,
                Ok(_) => return Proof::unknown(log, "there is no log yet"),
                Err(error) => return Proof::unknown(log, &error.to_string()),
            };
            match audit::verify(&files, if self.logs.len() == 1 { &self.anchors } else { &[] }) {
                Ok(report) => Proof::of(&report, log),
                Err(error) => Proof::unknown(log, &error.to_string()),
            }
        };
        self.logs.iter().map(proof).collect()
    }

    /// The files of the logs as they are now, for whoever wants to know whether anything is new.
    fn state(&self) -> String {
        let files = self.logs.iter().flat_map(|log| {
            let mut files = audit::files(log).unwrap_or_default();
            files.extend(audit::waiting(log));
            files
        });
        let of_file = |file: PathBuf| {
            let about = fs::metadata(&file).ok()?;
            let time = about.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
            Some(format!("{}.{}.{};", about.len(), time.as_nanos(), file.display()))
        };
        files.filter_map(of_file).collect()
    }
}

/// Writes the page: only for its user to read, whole or not at all, and never over a file of another kind.
fn write(out: &Path, html: &str) -> Result<(), Fault> {
    let failed = |error| Fault::unwritable(out, error);
    if let Ok(about) = out.symlink_metadata() {
        let mut beginning = Vec::new();
        if about.is_file()
            && let Ok(file) = fs::File::open(out)
        {
            let _ = file.take(BEGINNING.len() as u64).read_to_end(&mut beginning);
        }
        if beginning != BEGINNING.as_bytes() {
            return Err(Fault::usage(
                format!("{} is there already, and not a report.", out.display()),
                "Name another file, or remove it.",
            ));
        }
    }
    let folder = out.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed)?;
    let mut name = out.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let fresh = folder.join(name);
    let mut how = OpenOptions::new();
    how.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut how, 0o600);
    let mut file = how.open(&fresh).map_err(failed)?;
    let written = file.write_all(html.as_bytes()).and_then(|()| fs::rename(&fresh, out));
    written.map_err(|error| {
        let _ = fs::remove_file(&fresh);
        failed(error)
    })
}

/// A file's address, as browsers and terminals take it.
fn address(path: &Path) -> String {
    let text = path.display().to_string().replace('\\', "/");
    let mut address = String::from(if text.starts_with('/') { "file://" } else { "file:///" });
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~:".contains(&byte) {
            address.push(char::from(byte));
        } else {
            let _ = write!(address, "%{byte:02X}");
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_report_is_written_over() -> Result<(), Fault> {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("x.html");
        write(&out, &format!("{BEGINNING}one"))?;
        write(&out, &format!("{BEGINNING}two"))?;
        assert!(fs::read_to_string(&out).unwrap().ends_with("two"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&out).unwrap().permissions().mode() & 0o777, 0o600);
            std::os::unix::fs::symlink(&out, folder.path().join("link")).unwrap();
            assert!(write(&folder.path().join("link"), BEGINNING).is_err());
        }
        for other in ["", "export PATH=x\n", "<!doctype html>\n<p>mine"] {
            fs::write(&out, other).unwrap();
            assert!(write(&out, BEGINNING).is_err(), "{other}");
            assert_eq!(fs::read_to_string(&out).unwrap(), other);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1 + usize::from(cfg!(unix)));
        Ok(())
    }

    #[test]
    fn an_address_is_one_word() {
        assert_eq!(
            address(Path::new("/tmp/a b/\u{202e}#x?.html")),
            "file:///tmp/a%20b/%E2%80%AE%23x%3F.html"
        );
    }
}
