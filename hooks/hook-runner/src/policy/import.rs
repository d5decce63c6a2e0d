//! `policy import`: permission rules of a host as a policy of ours, which the library [`import`] does.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command};
use import::{Format, Source};

use crate::Done;
use crate::fault::{Exit, Fault};
use crate::paint::Screen;

pub(super) fn task() -> Command {
    let formats: Vec<&'static str> = Format::ALL.iter().map(|format| format.as_str()).collect();
    Command::new("import")
        .about("Converts a host's permission rules into a policy, and reports what is lost and what leaked")
        .long_about(
            "Converts a host's permission rules into a policy, and reports what is lost and what leaked.\n\n\
             It reads Claude Code's `permissions`, VS Code's `chat.tools.…autoApprove`, Copilot CLI's options and \
             `permissions-config.json`, Codex CLI's `.rules`, Gemini CLI's policies, GitHub's managed settings, and the permissions of Cursor, OpenCode \
             and Qwen Code. What allows is carried over only \
             where ours allows nothing more; what asks or denies also holds in other spellings. Without --output the \
             policy is printed, and the report goes to stderr. Exit codes: 0 all of it was carried over, 1 some was \
             not, 2 the input cannot be read.",
        )
        .arg(Arg::new("file").value_name("FILE").default_value("-").help("The host's file; `-` is stdin"))
        .arg(
            Arg::new("from")
                .long("from")
                .value_name("FORMAT")
                .value_parser(formats)
                .help("Whose rules they are, if the file does not show it"),
        )
        .arg(Arg::new("output").long("output").short('o').value_name("POLICY").help("Write the policy to this file"))
        .arg(Arg::new("force").long("force").action(ArgAction::SetTrue).help("Replace an existing file"))
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON"))
}

/// `hook-runner policy import`.
pub(super) fn run(matches: &ArgMatches, screen: &Screen) -> Done {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let named = text("file").unwrap_or("-");
    let source = read(named)?;
    let name = if named == "-" { "stdin" } else { named };
    let Some(format) = text("from").and_then(|word| word.parse().ok()).or_else(|| Format::at(named, &source))
    else {
        return Err(Fault::usage(
            format!("{name}: these rules fit no known host, or several"),
            "Name the host: --from claude, vscode, copilot, codex, gemini, github, cursor, opencode or qwen.",
        ));
    };
    let of_project = is_of_project(named);
    let source = Source { name, text: &source, format, of_project };
    let imported = import::import(&source).map_err(|broken| {
        let hint = format!("It was read as rules of {}; --from names another host.", format.title());
        Fault::usage(format!("{}:{broken}", payload::one_line(name)), hint)
    })?;
    if let Some(output) = text("output") {
        super::write_new(Path::new(output), imported.policy.as_bytes(), matches.get_flag("force"))?;
    }
    let report = import::text(name, &imported);
    if matches.get_flag("json") {
        screen.say(&format!("{:#}\n", import::json(name, format, &imported)))?;
    } else if text("output").is_some() {
        screen.say(&report)?;
    } else {
        screen::data(&imported.policy)?;
        screen.remark(&report);
    }
    Ok(Exit::found(imported.left().next().is_some()))
}

/// Whether a file is known to be a repository's own, and not the user's: `.claude/settings.json` in a folder that is
/// no home.
fn is_of_project(named: &str) -> bool {
    let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
    // Both without links: a home is often reached through one.
    let folder = Path::new(named).canonicalize().ok();
    let folder = folder.as_deref().and_then(Path::parent).filter(|folder| folder.ends_with(".claude"));
    folder.and_then(Path::parent).is_some_and(|above| home.is_some_and(|home| home != above))
}

/// The text of a file, as far as one can be.
fn read(named: &str) -> Result<String, Fault> {
    // One more than may be read, so that what is too large is refused and not cut off.
    let limit = import::MAX_SIZE as u64 + 1;
    let mut bytes = Vec::new();
    let done = if named == "-" {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        fs::File::open(named).and_then(|file| file.take(limit).read_to_end(&mut bytes))
    };
    done.map_err(|error| Fault::unreadable(Path::new(named), error))?;
    String::from_utf8(bytes).map_err(|_| Fault::unreadable(Path::new(named), "it is not UTF-8 text"))
}
