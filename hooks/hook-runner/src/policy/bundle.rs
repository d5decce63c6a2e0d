//! `policy bundle`: policies as one signed file, for every machine.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bundle::{Archive, Manifest, NamedFile, SIGNATURE_ENDING, SecretKey, stamp};
use chrono::Utc;
use clap::{Arg, ArgAction, ArgMatches, Command};
use policy::layers::{Source, today};
use policy::{Layer, cli};
use serde_json::json;

use crate::Done;
use crate::fault::{Exit, Fault};
use crate::paint::{Screen, one_line};

/// For how many days a bundle may be pulled, where no one says.
const DAYS: u64 = 90;

pub(super) fn task() -> Command {
    let text = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    Command::new("bundle")
        .about("Packs and signs policies for every machine of a team")
        .long_about(
            "Packs and signs policies for every machine of a team.\n\n\
             The policies are checked and their examples run first: nothing with a mistake is packed. The signature is \
             minisign's, beside the bundle; without --key, `minisign -Sm` makes it. Exit codes: 0 it was written, 1 a \
             policy has a mistake or an example fails, 2 the arguments or files cannot be read.",
        )
        .arg(Arg::new("folder").required(true).value_name("DIR").help("The folder of the policies (*.toml)"))
        .arg(
            Arg::new("output")
                .long("output")
                .short('o')
                .required(true)
                .value_name("FILE")
                .help("The bundle, such as team.bundle"),
        )
        .arg(text("key", "FILE", "Sign it with this secret key of minisign"))
        .arg(text("name", "NAME", "Which line of bundles it belongs to [default: from FILE]"))
        .arg(text("serial", "NUMBER", "Higher than that of the last one [default: the time, as 20261125224500]"))
        .arg(text("not-before", "DAY", "From when on it may be pulled [default: now]"))
        .arg(
            text("not-after", "DAY", "Until when it may be pulled [default: 90 days later]").conflicts_with("days"),
        )
        .arg(text("days", "NUMBER", "For how many days it may be pulled"))
        .arg(text("requires", "VERSION", "The oldest version of the programs that understands it"))
        .arg(Arg::new("force").long("force").action(ArgAction::SetTrue).help("Replace an existing file"))
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON"))
}

/// The time, in seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs()
}

/// `hook-runner policy bundle`.
pub(super) fn run(matches: &ArgMatches, screen: &Screen) -> Done {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let folder = Path::new(text("folder").unwrap_or_default());
    let output = Path::new(text("output").unwrap_or_default());
    let manifest = manifest(&text, output)?;
    // Before the work: a key with a password asks for it.
    let ask = || rpassword::prompt_password("Password of the secret key: ");
    let key = text("key").map(|path| SecretKey::read(Path::new(path), ask)).transpose();
    let key = key.map_err(|error| Fault::usage(error.to_string(), error.hint()))?;
    let files = policies(folder)?;
    let (mistakes, examples) = check(folder, &files);
    if !mistakes.is_empty() {
        screen.say(&format!("{}nothing was written\n", screen::tinted(&mistakes)))?;
        return Ok(Exit::Found);
    }
    let archive = Archive { manifest, files };
    let bytes = bundle::pack(&archive).map_err(|error| {
        Fault::usage(format!("{}: {error}", folder.display()), "Leave out what does not belong in it.")
    })?;
    let Archive { manifest, files } = &archive;
    let comment = format!("policy-hooks bundle {} serial {}", manifest.name, manifest.serial);
    let signed = key.as_ref().map(|key| Ok((key.sign(&bytes, &comment)?, key.public()?))).transpose();
    let signed = signed.map_err(|error: bundle::KeyError| Fault::usage(error.to_string(), error.hint()))?;
    let mut signature_file = output.as_os_str().to_owned();
    signature_file.push(SIGNATURE_ENDING);
    let signature_file = PathBuf::from(signature_file);
    let force = matches.get_flag("force");
    super::write_new(output, &bytes, force)?;
    match &signed {
        Some((signature, _)) => super::write_new(&signature_file, signature.as_bytes(), force)?,
        // A signature of what was there before would only confuse.
        None if force => drop(fs::remove_file(&signature_file)),
        None => {}
    }
    let digest = store::bundle::digest(&bytes);
    if matches.get_flag("json") {
        let report = json!({
            "version": 1, "file": output.display().to_string(), "name": manifest.name, "serial": manifest.serial,
            "digest": digest, "not_before": stamp(manifest.not_before), "not_after": stamp(manifest.not_after),
            "requires": manifest.requires.as_ref().map(ToString::to_string),
            "files": files.iter().map(|file| &file.name).collect::<Vec<_>>(),
            "key": signed.as_ref().map(|(_, key)| key.id()),
            "public_key": signed.as_ref().map(|(_, key)| key.written()),
        });
        screen.say(&format!("{report:#}\n"))?;
        return Ok(Exit::Fine);
    }
    let several = |count: usize, one: &str| screen::several(count, one);
    let policies = if files.len() == 1 { "1 policy".to_owned() } else { format!("{} policies", files.len()) };
    let mut said = format!(
        "{}: {}, serial {}, {policies}, {} tried\n",
        one_line(&output.display().to_string()),
        manifest.name,
        manifest.serial,
        several(examples, "example")
    );
    let _ = writeln!(said, "valid from {} until {}", stamp(manifest.not_before), stamp(manifest.not_after));
    let _ = match &signed {
        Some((_, key)) => writeln!(said, "signed; machines pull it with --key {}", key.written()),
        None => {
            writeln!(said, "not signed yet: minisign -Sm {}", payload::quote(&output.display().to_string()))
        }
    };
    screen.say(&said)?;
    Ok(Exit::Fine)
}

fn manifest<'m>(text: &impl Fn(&str) -> Option<&'m str>, output: &Path) -> Result<Manifest, Fault> {
    let wrong = |name: &str, why: String| {
        Fault::usage(format!("--{name}: {why}"), "See `hook-runner policy bundle --help`.")
    };
    let number = |name: &str, otherwise: u64| match text(name) {
        Some(text) => text.parse::<u64>().map_err(|error| wrong(name, format!("`{text}`: {error}"))),
        None => Ok(otherwise),
    };
    let day = |name: &str, otherwise: u64| match text(name) {
        Some(text) => Manifest::time(text).map_err(|why| wrong(name, why)),
        None => Ok(otherwise),
    };
    let stem = output.file_stem().unwrap_or_default().to_string_lossy();
    let not_before = day("not-before", now())?;
    let lasts = number("days", DAYS)?.saturating_mul(24 * 3600);
    let requires = match text("requires") {
        Some(version) => {
            Some(version.parse().map_err(|error| wrong("requires", format!("`{version}`: {error}")))?)
        }
        None => None,
    };
    let manifest = Manifest {
        name: text("name").unwrap_or(&stem).to_owned(),
        serial: number("serial", Utc::now().format("%Y%m%d%H%M%S").to_string().parse().unwrap_or(0))?,
        not_before,
        not_after: day("not-after", not_before.saturating_add(lasts))?,
        requires,
    };
    match manifest.mistake() {
        Some(why) => {
            Err(Fault::usage(why, "Name another with --name, --serial, --not-before or --not-after."))
        }
        None => Ok(manifest),
    }
}

/// The policies of a folder, by name.
fn policies(folder: &Path) -> Result<Vec<NamedFile>, Fault> {
    let entries = fs::read_dir(folder).map_err(|error| Fault::unreadable(folder, error))?;
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| Fault::unreadable(folder, error))?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).map_err(|error| Fault::unreadable(&path, error))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.push(NamedFile { name, text });
    }
    if files.is_empty() {
        let message = format!("{}: there is no policy in it", folder.display());
        return Err(Fault::usage(message, "Name the folder in which the *.toml files are."));
    }
    Ok(files)
}

/// What is wrong with the policies, a line each, and how many examples were tried.
fn check(folder: &Path, files: &[NamedFile]) -> (String, usize) {
    let (mut text, mut examples) = (String::new(), 0);
    let sources: Vec<Source> =
        files.iter().map(|file| Source::of(Layer::System, folder.join(&file.name), &*file.text)).collect();
    for source in &sources {
        let path = one_line(&source.path.display().to_string());
        let errors = cli::check(source, &[], today(), -1).errors;
        for error in &errors {
            let _ = writeln!(text, "{path}:{error}");
        }
        if errors.is_empty() {
            let tested = cli::test(source, &[], false);
            examples += tested.outcomes.len();
            for outcome in tested.faults() {
                let fault = outcome.fault.as_deref().unwrap_or_default();
                let _ = writeln!(text, "{path}: {}: {}: {fault}", outcome.of, outcome.what);
            }
        }
    }
    (text, examples)
}
