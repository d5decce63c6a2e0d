//! Calls as data: what the built-in rules' tables and `calls` in a policy file say about a program.
//!
//! A line is words, all of which must fit:
//!
//! | word | fits when |
//! |---|---|
//! | `word` | the next operand is this; `a\|b` either, `delete-*` a beginning, `*-all` an end, `*gain*` a part, `*` any |
//! | `...` | any number of operands, but none after an option whose value cannot be distinguished from an operand |
//! | `-x\|--long` | one of the options is given, also bundled with other letters |
//! | `-l\|--long=0\|none` | one of the options has one of these values, in which `*` may stand as in words |
//! | `!--long`, `!word` | the option or operand is not given |
//! | `~text` | an argument holds this text, whatever the letters' case |
//! | `@production` | an argument, or a variable set for the call, names what is in production: `-n prod`, `RAILS_ENV=production` |
//! | `?` | an argument only exists at run time: a list that another command prints |
//!
//! `...` alone fits every call. Options and words of [Windows' programs](windows) are compared as Windows does it.
//!
//! A call that only explains itself, or only says what it would do, fits no line.

pub(crate) mod table;
pub(crate) mod windows;

use std::borrow::Cow;

use shell::{Arg, mark};

use crate::command::Command;

pub use table::Table;
pub(crate) use table::calls;

/// Whether one of the lines that the table has for this program fits, and the command would really do it.
pub fn fits(command: &Command<'_>, table: &'static Table) -> bool {
    let mut lines = table.of(&command.name).peekable();
    if lines.peek().is_none() {
        return false;
    }
    let words = command.words.get_or_init(|| Words::of(command));
    let operand = |at: usize| words.operands.get(at).map(|operand| operand.text(command));
    let first = operand(0).unwrap_or_default();
    // Whether it does anything at all is asked last: most calls are about something else.
    lines.any(|line| {
        (words.of_windows || may_begin(line, first))
            && Call { command, operand, sure: words.sure, of_windows: words.of_windows, unknown: false }
                .fits(line)
            && does_it(command)
    })
}

/// Whether a line fits a call with these operands. With `unknown`, a word that only run time tells is whatever the line
/// asks for.
pub fn line_fits(command: &Command<'_>, operands: &[Cow<'_, str>], line: &str, unknown: bool) -> bool {
    let words = command.words.get_or_init(|| Words::of(command));
    let operand = |at: usize| {
        // No one reads the words of Windows' programs in two ways.
        let own = || words.operands.get(at).map(|operand| operand.text(command));
        if words.of_windows { own() } else { operands.get(at).map(|operand| &**operand) }
    };
    // Another reading takes an option's value for granted; then every word that is left counts.
    let sure = if operands.len() == words.operands.len() { words.sure } else { operands.len() };
    Call { command, operand, sure, of_windows: words.of_windows, unknown }.fits(line) && does_it(command)
}

/// What is wrong with a line of someone's policy.
pub fn mistake(line: &str) -> Option<&'static str> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    if words.join(" ") != line || words.is_empty() {
        return Some("wants words with one blank between them");
    }
    let is_odd =
        |word: &str| word.trim_start_matches(['!', '~']).is_empty() || word.split('|').any(str::is_empty);
    let wants_operand = |word: Option<&&str>| {
        word.is_none_or(|word| word.starts_with(['-', '/', '!', '~', '@', '?']) || *word == "...")
    };
    words.iter().enumerate().find_map(|(at, word)| match *word {
        word if word.starts_with('@') && word != "@production" => {
            Some("knows no name with `@` but `@production`")
        }
        "..." if words.len() > 1 && wants_operand(words.get(at + 1)) => Some("wants an operand after `...`"),
        word if is_odd(word) => Some("has a word in which something is missing"),
        _ => None,
    })
}

fn does_it(command: &Command<'_>) -> bool {
    !*command.is_harmless.get_or_init(|| is_harmless(command))
}

/// Whether the first word of a line can be about a call with this first operand: a quick look, because most lines end
/// there.
fn may_begin(line: &str, first: &str) -> bool {
    let mut rest = line;
    loop {
        let end = rest.bytes().position(|byte| ENDS[usize::from(byte)]).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        match after.bytes().next() {
            None | Some(b' ') => return word == first || word.starts_with('-'),
            Some(b'|') if word == first || word.starts_with('-') => return true,
            Some(b'|') => rest = &after[1..],
            // These fit more than their letters say; only a full look can tell.
            Some(_) => return true,
        }
    }
}

/// What ends a word of a line's first column, or fits more than itself.
static ENDS: [bool; 256] = crate::protected::among(b" |*.?!@~");

/// Whether the program only says what it would do, or explains itself.
pub(crate) fn is_harmless(command: &Command<'_>) -> bool {
    if windows::is_program(&command.name) {
        return command.only_shows();
    }
    let args = command.args();
    // `--version` may also be an option of a sub-command: `cargo yank --version 1.0.0`.
    let explains = |arg: &Arg| matches!(arg.text.as_str(), "help" | "-h" | "--help" | "-help");
    let shows = |arg: &Arg| explains(arg) || matches!(arg.text.as_str(), "version" | "--version" | "-V");
    args.first()
        .is_some_and(|arg| if args.len() == 1 { shows(arg) } else { explains(arg) && arg.text != "-h" })
        || args.len() > 1 && args.last().is_some_and(explains)
        || command.options().any(|arg| matches!(arg.text.as_str(), "--help" | "-help"))
        || command.options().filter(|arg| may_be_dry(&arg.text)).any(|arg| {
            let (name, value) = arg.text.split_once('=').unwrap_or((&arg.text, "true"));
            let dry = name.starts_with("--dry")
                || matches!(
                    name,
                    "--whatif" | "--what-if" | "--simulate" | "--noop" | "--preview-only" | "-dry-run"
                )
                || name == "--generate-cli-skeleton";
            // `--dry-run=none` is kubectl's way of doing it after all.
            dry && !matches!(value, "none" | "false" | "0")
        })
}

/// Whether an option begins like one that keeps a program from doing it: a quick look at one letter.
fn may_be_dry(option: &str) -> bool {
    let letter = option.bytes().find(|&byte| byte != b'-');
    matches!(letter, Some(b'd' | b'w' | b's' | b'n' | b'p' | b'g'))
}

/// An operand of a call. Most are arguments as they stand, and need no copy.
enum Operand {
    /// The argument at this place.
    Argument(usize),
    /// An argument without the letters of unset variables.
    Bare(String),
}

impl Operand {
    fn text<'c>(&'c self, command: &'c Command<'_>) -> &'c str {
        match self {
            Self::Argument(at) => command.args().get(*at).map_or("", |arg| &arg.text),
            Self::Bare(text) => text,
        }
    }
}

/// The operands of a call, and how far they can be trusted to be words of the tool.
pub(crate) struct Words {
    operands: Vec<Operand>,
    /// How many operands come before an option that may take the next argument.
    sure: usize,
    /// Whether it is one of Windows' programs.
    of_windows: bool,
}

impl Words {
    fn of(command: &Command<'_>) -> Self {
        if windows::is_program(&command.name) {
            let args = command.args().iter().enumerate();
            let operands: Vec<_> = args
                .filter(|(_, arg)| !windows::is_switch(&arg.text))
                .map(|(at, _)| Operand::Argument(at))
                .collect();
            return Self { sure: operands.len(), operands, of_windows: true };
        }
        let valued = command.values();
        let mut operands: Vec<Operand> = Vec::with_capacity(command.args().len());
        let mut sure = None;
        let mut options = true;
        let mut args = command.args().iter().enumerate();
        while let Some((at, arg)) = args.next() {
            let text = arg.without_unset();
            if text.is_empty() && !arg.text.is_empty() {
                // A variable that nothing sets: no word of the tool.
                continue;
            }
            if options && text == "--" {
                options = false;
            } else if options && text.starts_with('-') && text.len() > 1 {
                let takes =
                    crate::builtin::has(valued, &text) || operands.is_empty() && command.says_where(&text);
                if takes {
                    args.next();
                } else if !operands.is_empty() && !text.contains('=') && !is_plain_flag(&text) {
                    sure.get_or_insert(operands.len());
                }
            } else {
                operands.push(match text {
                    Cow::Borrowed(_) => Operand::Argument(at),
                    Cow::Owned(text) => Operand::Bare(text),
                });
            }
        }
        // `k3s kubectl delete`, `microk8s kubectl delete`
        let sure = sure.unwrap_or(operands.len());
        Self { operands, sure, of_windows: false }
    }
}

/// A call that a line is compared with.
struct Call<'c, 'a, F> {
    command: &'c Command<'a>,
    /// Its operands, one by one.
    operand: F,
    /// How many of them are surely operands.
    sure: usize,
    /// Whether options and words are those of Windows.
    of_windows: bool,
    /// Whether a word that only run time tells counts as any.
    unknown: bool,
}

impl<'c, F: Fn(usize) -> Option<&'c str>> Call<'c, '_, F> {
    fn fits(&self, line: &str) -> bool {
        let mut at = 0;
        let mut anywhere = false;
        line.split(' ').all(|word| match word {
            "..." => {
                anywhere = true;
                true
            }
            "@production" => is_in_production(self.command),
            "?" => self.command.args().iter().any(is_listed),
            _ if let Some(text) = word.strip_prefix('~') => {
                self.command.args().iter().any(|arg| windows::holds(&arg.text, text))
            }
            _ if let Some(word) = word.strip_prefix('!') => {
                let mut operands = (0..).map_while(|at| (self.operand)(at));
                if self.is_option(word) {
                    !self.gives(word)
                } else {
                    !operands.any(|operand| self.fits_word(operand, word))
                }
            }
            _ if self.is_option(word) => self.gives(word) || self.unknown && may_have(self.command),
            _ => {
                let last = if std::mem::take(&mut anywhere) { self.sure } else { at + 1 };
                let found =
                    (at..last).find(|at| (self.operand)(*at).is_some_and(|operand| self.is(operand, word)));
                at = found.map_or(at, |found| found + 1);
                found.is_some()
            }
        })
    }

    /// Whether an operand is the word, or may be at run time.
    fn is(&self, operand: &str, word: &str) -> bool {
        self.fits_word(operand, word) || self.unknown && mark::any(operand)
    }

    fn fits_word(&self, operand: &str, word: &str) -> bool {
        if self.of_windows { windows::word_fits(operand, word) } else { word_fits(operand, word) }
    }

    fn is_option(&self, word: &str) -> bool {
        word.starts_with('-') || self.of_windows && word.starts_with('/')
    }

    fn gives(&self, word: &str) -> bool {
        if self.of_windows { windows::gives(self.command, word) } else { has(self.command, word) }
    }
}

/// Whether an argument may be any option at run time.
fn may_have(command: &Command<'_>) -> bool {
    command.args().iter().take_while(|arg| arg.text != "--").any(|arg| arg.text.starts_with(mark::is_hole))
}

/// Whether one of `-x|--long` is given, or the option of `--long=a|b` has one of the values.
fn has(command: &Command<'_>, word: &str) -> bool {
    if let Some((names, values)) = word.split_once('=') {
        // A `*` alone is meant as it stands: whoever may call, from wherever.
        let fits = |value: &str| {
            values.split('|').any(|one| if one == "*" { value == one } else { word_fits(value, one) })
        };
        return names.split('|').any(|name| command.values_of(&[name]).any(fits));
    }
    command.options().any(|arg| {
        let text = arg.without_unset();
        let (name, value) = text.split_once('=').unwrap_or((&text, ""));
        !matches!(value, "false" | "0") && word.split('|').any(|option| is_given(name, option))
    })
}

/// Whether an argument is the option, or bundles its letter with others.
fn is_given(name: &str, option: &str) -> bool {
    if name == option {
        return true;
    }
    option.len() == 2
        && !name.starts_with("--")
        // Longer ones with one dash are words: `-verbose`.
        && name.len() <= 6
        && name[1..].chars().all(|c| c.is_ascii_alphabetic())
        && name[1..].chars().any(|c| option.ends_with(c))
}

/// Options that never take a value, in any of the tools.
fn is_plain_flag(text: &str) -> bool {
    matches!(
        text,
        "-y" | "-q"
            | "-f"
            | "-r"
            | "-a"
            | "-A"
            | "--yes"
            | "--quiet"
            | "--force"
            | "--all"
            | "--debug"
            | "--verbose"
            | "--json"
            | "--only-show-errors"
            | "--no-cli-pager"
            | "--no-verify-ssl"
            | "--recursive"
            | "--no-prompt"
            | "--non-interactive"
            | "--no-input"
            | "--async"
            | "--no-wait"
            | "--confirm"
            | "--no-paginate"
    )
}

/// Whether an argument, what is set for the call, or what carries it there, names what is in production.
pub(crate) fn is_in_production(command: &Command<'_>) -> bool {
    command.args().iter().any(|arg| names_production(&arg.text)) || is_production_set(command)
}

/// Whether what is set for a call, or what carries it there, names what is in production. Builds set `NODE_ENV` as well.
pub(crate) fn is_production_set(command: &Command<'_>) -> bool {
    let says_where = |name: &str| {
        let ends = [
            "ENV",
            "ENVIRONMENT",
            "PROFILE",
            "CONTEXT",
            "URL",
            "URI",
            "DSN",
            "HOST",
            "SERVER",
            "DATABASE",
            "SETTINGS_MODULE",
            "STAGE",
            "KUBECONFIG",
            "CLUSTER",
            "NAMESPACE",
            "WORKSPACE",
        ];
        name != "NODE_ENV" && ends.iter().any(|end| name.ends_with(end))
    };
    command.variables().any(|(name, value)| says_where(name) && names_production(value))
        || is_carried_there(command)
        || command.names_variable(|name| name.split('_').any(|part| matches!(part, "PROD" | "PRODUCTION")))
}

/// What runs a program elsewhere, or with what it needs there.
const CARRIERS: &str = "\
    kubectl oc k ssh docker podman nerdctl docker-compose heroku fly flyctl railway doppler infisical aws-vault chamber \
    dotenv dotenvx env-cmd op teller summon envchain nomad";

/// Whether a program is run where something in production is named: `kubectl exec -n prod api-0 -- rails db:migrate`.
fn is_carried_there(command: &Command<'_>) -> bool {
    let atoms = &command.analysis.atoms;
    let parent = |via: shell::Via| atoms.get(via.parent as usize);
    let mut carriers =
        std::iter::successors(command.atom.via.and_then(parent), |atom| atom.via.and_then(parent));
    carriers.any(|atom| {
        crate::builtin::has(CARRIERS, &atom.program())
            && atom.args.iter().any(|arg| names_production(&arg.text))
    })
}

/// Whether a part of a word is the usual name for what others use.
pub(crate) fn names_production(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .any(|part| matches!(part, "prod" | "production" | "prd") || part.eq_ignore_ascii_case("production"))
        || text.contains("live") && names_live(text)
}

/// Whether a name says that it is what customers see, as opposed to what it does: `shop-live`, not `live-reload`.
fn names_live(text: &str) -> bool {
    let mut names = text.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_'));
    names.any(|name| name == "live" || name.ends_with("-live") || name.ends_with("_live"))
}

/// Whether an argument is a list that another command prints, as opposed to a name in a variable.
pub(crate) fn is_listed(arg: &Arg) -> bool {
    arg.text.contains([mark::UNKNOWN, mark::PRINTED, mark::ENTRY, mark::REMOTE, mark::STAR])
}

/// Whether an operand is the word of a line.
fn word_fits(operand: &str, word: &str) -> bool {
    word.split('|').any(|word| match word.split_once('*') {
        None => operand == word,
        Some(("", end)) if end.len() > 1 && end.ends_with('*') => operand.contains(&end[..end.len() - 1]),
        // Any other second star stands for itself: `rm **` is `rm` of what ends in one.
        Some((start, end)) => {
            operand.len() >= start.len() + end.len() && operand.starts_with(start) && operand.ends_with(end)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Facts;

    fn fit(text: &str, line: &'static str) -> bool {
        let analysis = shell::analyze(text, shell::Surroundings::default());
        let facts = Facts::default();
        analysis.atoms.iter().any(|atom| {
            let command = Command::new(&analysis, atom, &facts);
            let words = Words::of(&command);
            let operand = |at: usize| words.operands.get(at).map(|operand| operand.text(&command));
            Call {
                command: &command,
                operand,
                sure: words.sure,
                of_windows: words.of_windows,
                unknown: false,
            }
            .fits(line)
        })
    }

    #[test]
    fn lines_fit_words_options_and_lists() {
        for (text, line, expected) in [
            ("x volume rm a", "volume rm|prune", true),
            ("x --debug volume prune", "volume rm|prune", true),
            ("x volume ls", "volume rm|prune", false),
            ("x a b c delete y", "... delete", true),
            ("x ssh vm --command delete", "... delete", false),
            ("x vm --zone=z delete y", "... delete", true),
            ("x db:drop:all", "db:drop:*", true),
            ("x run my-deploy.yml", "run *deploy*", true),
            ("x run ci.yml", "run *deploy*", false),
            ("x -o remount,rw", "-o|--options=remount*", true),
            ("x --options=ro", "-o|--options=remount*", false),
            ("x --port '*'", "--port=*|22", true),
            ("x --port 80", "--port=*|22", false),
            ("x --add=a --add=b", "--add=b", true),
            ("x -p a -p b", "-p=b", true),
            ("x -- -p b", "-p=b", false),
            ("x rm -rf", "rm -f|--force", true),
            ("x rm --force=false", "rm -f|--force", false),
            ("x scale --replicas 0", "scale --replicas=0", true),
            ("x scale --replicas=3", "scale --replicas=0", false),
            ("x del -n", "del !-n", false),
            ("x del", "del !-n", true),
            ("x config delete", "... delete !config", false),
            ("x rm $(y)", "rm ?", true),
            ("x rm \"$NAME\"", "rm ?", false),
            ("x set y -n prod", "set @production", true),
            ("x set y --stack=web-production", "set @production", true),
            ("x set product -n dev", "set @production", false),
            ("x r${Q}m a", "rm", true),
            ("x", "...", true),
            ("x --config=/etc/Prod.ini", "~prod", true),
            ("x --config=a.ini", "~prod", false),
            ("reg add HKLM\\x /F", "ADD /f", true),
            ("reg add x -v:y", "add /V=y*", true),
            ("reg query x /f", "add /f", false),
            ("reg.exe delete x", "delete !/f", true),
            ("x add /f", "add /f", true),
            ("x add -f", "add /f", false),
        ] {
            assert_eq!(fit(text, line), expected, "{text} / {line}");
        }
    }
}
