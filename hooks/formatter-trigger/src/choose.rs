//! Which formatter a file gets: the user's own, else the one that the nearest configuration names.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::code;
use crate::eligible::{self, File};
use crate::evidence::{self, Found};
use crate::folder::Folder;
use crate::locate;
use crate::settings::Own;
use crate::skip::Skip;
use crate::table::{COPY, FORMATTERS, Formatter, PYTHON, Place, Word};
use crate::workspace::Workspace;

/// When a file is formatted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// Right after an edit: only what leaves the meaning alone.
    Edit,
    /// When the agent stops.
    Stop,
}

/// A formatter that is ready to run on a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The formatter's name.
    pub(crate) name: Cow<'static, str>,
    /// What asks for it.
    pub(crate) because: OsString,
    /// Absolute.
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<OsString>,
    /// Where it runs.
    pub(crate) folder: PathBuf,
    /// Whether the text goes in on stdin; else the program changes a copy, whose path stands for [`COPY`].
    pub(crate) stdin: bool,
    /// Whether it may be written in Python.
    pub(crate) python: bool,
}

/// The formatters that the file gets, in order; never none.
pub(crate) fn plans(workspace: &Workspace, file: &File, moment: Moment) -> Result<Vec<Plan>, Skip> {
    if let Some(mistake) = &workspace.settings.broken {
        return Err(Skip::Settings(mistake.to_string()));
    }
    let mut plans = Vec::new();
    let mut fits = workspace.settings.formatters.iter().filter(|own| own.takes(&file.relative));
    // What changes the meaning of a file waits until no edit is under way.
    if moment == Moment::Stop {
        for own in fits.clone().filter(|own| own.semantic) {
            plans.extend(own_plan(workspace, file, own)?);
        }
    }
    let mut layout = None;
    for own in fits.by_ref().filter(|own| !own.semantic) {
        layout = own_plan(workspace, file, own)?;
        if layout.is_some() {
            break;
        }
    }
    match layout.map_or_else(|| known_plan(workspace, file, moment), Ok) {
        Ok(plan) => plans.push(plan),
        Err(skip) if plans.is_empty() => return Err(skip),
        // What the user's own formatters do is worth running where none of the table fits.
        Err(_) => {}
    }
    Ok(plans)
}

/// Whether a formatter waits for the agent to stop.
pub(crate) fn waits(workspace: &Workspace, path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if FORMATTERS.iter().any(|formatter| formatter.at_stop && formatter.takes(extension)) {
        return true;
    }
    let mut semantic = workspace.settings.formatters.iter().filter(|own| own.semantic).peekable();
    // The look at the file is spared where no one has such a formatter.
    semantic.peek().is_some()
        && eligible::file(workspace, path).is_ok_and(|file| semantic.any(|own| own.takes(&file.relative)))
}

/// Whether any formatter may be for files with such a name: no look at the disk.
pub(crate) fn is_known(workspace: &Workspace, path: &Path) -> bool {
    if !workspace.settings.formatters.is_empty() || !workspace.settings.delegate.is_empty() {
        return true;
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| {
        FORMATTERS.iter().any(|formatter| !formatter.on_request && formatter.takes(extension))
    })
}

fn own_plan(workspace: &Workspace, file: &File, own: &Own) -> Result<Option<Plan>, Skip> {
    file.is_kept(workspace)?;
    let mut because = OsString::from("format.toml, for ");
    because.push(&file.relative);
    if !own.config.is_empty() {
        let names = || own.config.iter();
        let found = file
            .folders
            .iter()
            .find_map(|folder| names().find(|name| folder.has_file(name)).map(|name| folder.join(name)));
        let Some(config) = found else { return Ok(None) };
        if let Some(why) = code::is_doubtful(workspace, &config) {
            return Err(Skip::Untrusted { formatter: own.name.clone(), why });
        }
        because.push(format!(", with {}", config.display()));
    }
    let (first, rest) = own.argv.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
    let missing = || Skip::Missing { formatter: own.name.clone(), config: "format.toml".into() };
    let program = if Path::new(first).is_absolute() {
        Some(PathBuf::from(first))
    } else {
        locate::program(workspace, first, &[], &file.folders)?
    };
    // A copy has its path only when it is made.
    let arguments = rest.iter().map(|word| if own.stdin { with_path(word, &file.path) } else { word.into() });
    Ok(Some(Plan {
        name: own.name.clone().into(),
        because,
        program: program.ok_or_else(missing)?,
        arguments: arguments.collect(),
        folder: workspace.root.clone(),
        stdin: own.stdin,
        // An own program may be written in anything.
        python: true,
    }))
}

/// `word` with the path for each `{file}`.
pub(crate) fn with_path(word: &str, path: &Path) -> OsString {
    let mut text = OsString::new();
    for (number, part) in word.split(COPY).enumerate() {
        if number > 0 {
            text.push(path);
        }
        text.push(part);
    }
    text
}

fn known_plan(workspace: &Workspace, file: &File, moment: Moment) -> Result<Plan, Skip> {
    let extension = file.path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let wanted = |formatter: &&Formatter| {
        formatter.takes(extension)
            && (!formatter.at_stop || moment == Moment::Stop)
            && (!formatter.on_request
                || workspace.settings.delegate.iter().any(|name| name == formatter.name))
    };
    let candidates: Vec<&Formatter> = FORMATTERS.iter().filter(wanted).collect();
    if candidates.is_empty() {
        return Err(Skip::NoFormatter);
    }
    // The nearest folder wins, and in it the formatter that is first in the list.
    let found = file.folders.iter().find_map(|folder| {
        candidates.iter().find_map(|formatter| {
            let found = formatter.evidence.iter().find_map(|evidence| evidence.look(folder))?;
            Some((*formatter, found, folder))
        })
    });
    let (formatter, found, configured) = found.ok_or(Skip::NoConfiguration)?;
    file.is_kept(workspace)?;
    vouched(workspace, file, formatter, &found)
        .map_err(|why| Skip::Untrusted { formatter: formatter.name.to_owned(), why })?;
    let program = locate::program(workspace, formatter.program(), formatter.local, &file.folders)?;
    let program = program.ok_or_else(|| Skip::Missing {
        formatter: formatter.name.to_owned(),
        config: workspace.relative(&found.config).unwrap_or(&found.config).to_owned(),
    })?;
    let folder = match formatter.folder {
        Place::Configuration => configured.path(),
        Place::File => file.folders.first().map_or(&*workspace.root, Folder::path),
    };
    Ok(Plan {
        name: formatter.name.into(),
        folder: folder.to_owned(),
        because: found.config.into_os_string(),
        program,
        arguments: words(file, formatter.arguments, extension),
        stdin: formatter.stdin,
        python: formatter.on_request || formatter.local == PYTHON,
    })
}

/// Whether the code that the formatter would run is known; why not, otherwise.
fn vouched(workspace: &Workspace, file: &File, formatter: &Formatter, found: &Found) -> Result<(), String> {
    if formatter.on_request && !workspace.is_trusted() {
        return Err(format!(
            "it runs whatever {} names, including programs of the project",
            found.config.display()
        ));
    }
    let doubt = |config: &Path| code::is_doubtful(workspace, config).map_or(Ok(()), Err);
    if found.is_code {
        doubt(&found.config)?;
    }
    let pins = file.folders.iter().find_map(|folder| {
        formatter.pinned_by.iter().find(|name| folder.has_file(name)).map(|name| folder.join(name))
    });
    let Some(pin) = pins else { return Ok(()) };
    if workspace.is_trusted() {
        return Ok(());
    }
    workspace.lets_committed_code_run()?;
    if !code::is_committed(workspace, &pin) {
        return Err(format!("{} is not what was committed", pin.display()));
    }
    // A toolchain in a folder may be one that the agent writes into. TOML has many spellings of a key, so the word alone
    // counts, and so does what may be one with escapes.
    match evidence::read(&pin) {
        Some(text) if !text.contains("path") && !text.contains('\\') => Ok(()),
        _ => Err(format!("{} may name a folder of programs", pin.display())),
    }
}

fn words(file: &File, words: &[Word], extension: &str) -> Vec<OsString> {
    // The edition is two.
    let mut arguments = Vec::with_capacity(words.len() + 1);
    for word in words {
        match word {
            Word::Is(text) => arguments.push((*text).into()),
            Word::File(before) => {
                let mut text = OsString::with_capacity(before.len() + file.path.as_os_str().len());
                text.push(before);
                text.push(&file.path);
                arguments.push(text);
            }
            Word::Extension(before) => {
                arguments.push(format!("{before}{}", extension.to_ascii_lowercase()).into());
            }
            Word::Edition => {
                if let Some(edition) = evidence::edition(file.folders.iter().map(Folder::path)) {
                    arguments.extend(["--edition".into(), edition.into()]);
                }
            }
        }
    }
    arguments
}
