//! The arguments of a hook's own path, read by hand: building an argument parser costs more than a whole decision.
//!
//! Whatever is not exactly a known flag with a valid value goes to clap, which either understands it or says why not.

use std::ffi::{OsStr, OsString};
use std::str::FromStr;
use std::time::Duration;

use payload::{EventKind, Host};

/// When an answer of most hooks must have left the process, unless `--deadline-ms` says otherwise.
///
/// Far below every host's own time limit (30 s at the least), as all of them let the call through when that passes.
pub const DEFAULT_DEADLINE: Duration = Duration::from_millis(1500);

/// What becomes of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// The host receives it.
    #[default]
    Enforce,
    /// The host receives `{}`; what it would have received goes to stderr.
    Observe,
}

/// How a hook is to work, from its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// `--host`: who calls, where the payload does not tell.
    pub host: Option<Host>,
    /// `--event`: what happened, where the payload does not tell.
    pub event: Option<EventKind>,
    /// `--deadline-ms`: when an answer must have left the process.
    pub deadline: Duration,
    /// `--mode`: whether the answer counts.
    pub mode: Mode,
    /// The program's own settings that were given, as flag and value.
    pub settings: Vec<(&'static str, &'static str)>,
}

/// A setting of one program, given as a flag with one of a few values.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The flag without its dashes.
    pub name: &'static str,
    /// What it may be set to; the first one is what holds without the flag.
    pub values: &'static [&'static str],
    pub help: &'static str,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            host: None,
            event: None,
            deadline: DEFAULT_DEADLINE,
            mode: Mode::Enforce,
            settings: Vec::new(),
        }
    }
}

/// Who is talking to the program.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Arguments {
    Hook(Options),
    /// A person, or a host with a mistake in its configuration.
    Cli(Vec<OsString>),
}

/// The values of `--mode`.
pub(crate) const MODES: [(&str, Mode); 2] = [("enforce", Mode::Enforce), ("observe", Mode::Observe)];

impl FromStr for Mode {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let mode = MODES.iter().find(|(known, _)| *known == name).map(|(_, mode)| *mode);
        mode.ok_or_else(|| {
            let known = MODES.iter().map(|(known, _)| *known);
            store::settings::meant(name, known, "use `enforce` or `observe`")
        })
    }
}

/// Sorts the arguments: a hook's flags, or everything else.
pub(crate) fn sort(
    mut arguments: impl ExactSizeIterator<Item = OsString>,
    settings: &'static [Setting],
    deadline: Duration,
) -> Arguments {
    let default = Options { deadline, ..Options::default() };
    // The usual call: without arguments, nothing is copied or compared.
    if arguments.len() <= 1 {
        return Arguments::Hook(default);
    }
    let program = arguments.next();
    let rest: Vec<OsString> = arguments.collect();
    match flags(&rest, default, settings) {
        Some(options) => Arguments::Hook(options),
        None => Arguments::Cli(program.into_iter().chain(rest).collect()),
    }
}

/// The options that `arguments` spell, or `None` as soon as anything is not perfectly plain.
fn flags(arguments: &[OsString], default: Options, settings: &'static [Setting]) -> Option<Options> {
    let mut options = default;
    let mut arguments = arguments.iter().map(OsString::as_os_str).map(OsStr::to_str);
    while let Some(argument) = arguments.next() {
        // What is not UTF-8 goes to clap, which knows how to say so.
        let argument = argument?;
        let (flag, value) = match argument.split_once('=') {
            Some(parts) => parts,
            None => (argument, arguments.next()??),
        };
        match flag {
            // Not reported here: clap parses the same words again, and its message names the known ones.
            "--host" => options.host = Some(value.parse().ok()?),
            "--event" => options.event = Some(value.parse().ok()?),
            "--deadline-ms" => options.deadline = deadline(value).ok()?,
            "--mode" => options.mode = value.parse().ok()?,
            _ => options.settings.push(setting(flag, value, settings)?),
        }
    }
    Some(options)
}

/// One of the program's own settings, as its flag and its value spell it.
fn setting(flag: &str, value: &str, settings: &'static [Setting]) -> Option<(&'static str, &'static str)> {
    let name = flag.strip_prefix("--")?;
    let setting = settings.iter().find(|setting| setting.name == name)?;
    let value = setting.values.iter().find(|known| **known == value)?;
    Some((setting.name, value))
}

/// A deadline from its flag's value.
pub(crate) fn deadline(value: &str) -> Result<Duration, String> {
    match value.parse::<u32>() {
        // The watchdog would answer before the work began, on every call.
        Ok(0) => Err("a deadline of 0 ms leaves no time to answer".to_owned()),
        Ok(milliseconds) => Ok(Duration::from_millis(u64::from(milliseconds))),
        Err(error) => Err(format!("{error}; a whole number of milliseconds is needed")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(arguments: &[&str]) -> Arguments {
        let all: Vec<OsString> = ["hook"].iter().chain(arguments).map(OsString::from).collect();
        sort(all.into_iter(), SETTINGS, DEFAULT_DEADLINE)
    }

    const SETTINGS: &[Setting] =
        &[Setting { name: "profile", values: &["standard", "strict"], help: "How strict." }];

    #[test]
    fn a_program_has_settings_of_its_own() {
        assert_eq!(
            sorted(&["--profile", "strict"]),
            hook(|options| options.settings = vec![("profile", "strict")])
        );
        assert!(matches!(sorted(&["--profile", "loose"]), Arguments::Cli(_)));
    }

    fn hook(change: impl FnOnce(&mut Options)) -> Arguments {
        let mut options = Options::default();
        change(&mut options);
        Arguments::Hook(options)
    }

    #[test]
    fn no_arguments_are_a_host() {
        assert_eq!(sorted(&[]), hook(|_| {}));
    }

    #[test]
    fn a_program_has_a_deadline_of_its_own_until_a_flag_says_otherwise() {
        let own = Duration::from_secs(100);
        let with = |flags: &[&str]| {
            let all: Vec<OsString> = ["hook"].iter().chain(flags).map(OsString::from).collect();
            match sort(all.into_iter(), &[], own) {
                Arguments::Hook(options) => options.deadline,
                Arguments::Cli(arguments) => panic!("{arguments:?}"),
            }
        };
        assert_eq!(with(&[]), own);
        assert_eq!(with(&["--mode", "observe"]), own);
        assert_eq!(with(&["--deadline-ms", "20"]), Duration::from_millis(20));
    }

    #[test]
    fn flags_take_their_value_in_both_spellings() {
        let expected = hook(|options| {
            options.host = Some(Host::Copilot);
            options.event = Some(EventKind::PreToolUse);
            options.deadline = Duration::from_millis(200);
            options.mode = Mode::Observe;
        });
        let apart =
            ["--host", "copilot", "--event", "preToolUse", "--deadline-ms", "200", "--mode", "observe"];
        assert_eq!(sorted(&apart), expected);
        let joined = ["--host=copilot", "--event=PreToolUse", "--deadline-ms=200", "--mode=observe"];
        assert_eq!(sorted(&joined), expected);
    }

    #[test]
    fn everything_else_goes_to_the_argument_parser() {
        for arguments in [
            &["--help"][..],
            &["--version"],
            &["explain", "ls"],
            &["--host"],
            &["--host", "emacs"],
            &["--mode=loud"],
            &["--deadline-ms", "soon"],
            &["--deadline-ms", "0"],
            &["--event", ""],
            &["--event", "PreToolUSed"],
            &["--host", "claude", "extra"],
        ] {
            assert!(matches!(sorted(arguments), Arguments::Cli(_)), "{arguments:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn an_argument_that_is_not_text_goes_to_the_argument_parser() {
        use std::os::unix::ffi::OsStringExt;
        let odd = OsString::from_vec(vec![b'-', b'-', 0xff]);
        let sorted = sort(vec![OsString::from("hook"), odd].into_iter(), &[], DEFAULT_DEADLINE);
        assert!(matches!(sorted, Arguments::Cli(_)));
    }
}
