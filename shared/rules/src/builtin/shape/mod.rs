//! Sub-commands as data, for tools with hundreds of verbs.
//!
//! A shape is one line of words, all of which must fit:
//!
//! | word | fits when |
//! |---|---|
//! | `word` | the next operand is this; `a\|b` either, `delete-*` a beginning, `*-all` an end, `*gain*` a part, `*` any |
//! | `...` | any number of operands, but none after an option whose value cannot be distinguished from an operand |
//! | `-x\|--long` | one of the options is given, also bundled with other letters |
//! | `-l\|--long=0\|none` | one of the options has one of these values, in which `*` may stand as in words |
//! | `!--long`, `!word` | the option or operand is not given |
//! | `@production` | an argument, or a variable set for the call, names what is in production: `-n prod`, `RAILS_ENV=production` |
//! | `?` | an argument only exists at run time: a list that another command prints |

pub(crate) mod table;

use std::borrow::Cow;

use shell::{Arg, mark};

use crate::command::Command;

pub(crate) use table::{Table, shapes};

/// Whether one of the shapes that the table has for this program fits, and the command would really do it.
pub(super) fn fits(command: &Command<'_>, table: &'static Table) -> bool {
    let mut shapes = table.of(&command.name).peekable();
    if shapes.peek().is_none() {
        return false;
    }
    let words = command.words.get_or_init(|| Words::of(command));
    let first = words.operands.first().map_or("", |first| first.text(command));
    // Whether it does anything at all is asked last: most calls are about something else.
    shapes.any(|shape| {
        may_begin(shape, first)
            && words.fit(command, shape)
            && !*command.is_harmless.get_or_init(|| is_harmless(command))
    })
}

/// Whether the first word of a shape can be about a call with this first operand: a quick look, because most
/// shapes end there.
fn may_begin(shape: &str, first: &str) -> bool {
    let mut rest = shape;
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

/// What ends a word of a shape's first column, or fits more than itself.
static ENDS: [bool; 256] = crate::protected::among(b" |*.?!@");

/// Whether the program only says what it would do, or explains itself.
pub(super) fn is_harmless(command: &Command<'_>) -> bool {
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
}

impl Words {
    fn of(command: &Command<'_>) -> Self {
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
                let takes = crate::builtin::has(valued, &text);
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
        Self { operands, sure }
    }

    fn fit(&self, command: &Command<'_>, shape: &str) -> bool {
        let mut at = 0;
        let mut anywhere = false;
        for word in shape.split(' ') {
            if word == "..." {
                anywhere = true;
            } else if word == "@production" {
                if !is_in_production(command) {
                    return false;
                }
            } else if word == "?" {
                if !command.args().iter().any(is_listed) {
                    return false;
                }
            } else if let Some(word) = word.strip_prefix('!') {
                let given = if word.starts_with('-') {
                    has(command, word)
                } else {
                    self.operands.iter().any(|operand| word_fits(operand.text(command), word))
                };
                if given {
                    return false;
                }
            } else if word.starts_with('-') {
                if !has(command, word) {
                    return false;
                }
            } else if anywhere {
                let sure = self.operands.get(at..self.sure).unwrap_or(&[]);
                let Some(found) = sure.iter().position(|operand| word_fits(operand.text(command), word))
                else {
                    return false;
                };
                at += found + 1;
                anywhere = false;
            } else {
                if !self.operands.get(at).is_some_and(|operand| word_fits(operand.text(command), word)) {
                    return false;
                }
                at += 1;
            }
        }
        true
    }
}

/// Whether one of `-x|--long` is given, or the option of `--long=a|b` has one of the values.
fn has(command: &Command<'_>, word: &str) -> bool {
    if let Some((names, values)) = word.split_once('=') {
        // A `*` alone is meant as it stands: whoever may call, from wherever.
        let fits = |value: &str| {
            values.split('|').any(|one| if one == "*" { value == one } else { word_fits(value, one) })
        };
        return names.split('|').any(|name| command.value(&[name]).is_some_and(fits));
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

/// Whether an argument, or what is set for the call, names what is in production. Builds set `NODE_ENV` as well.
pub(super) fn is_in_production(command: &Command<'_>) -> bool {
    let says_where = |name: &str| {
        let ends = [
            "ENV",
            "ENVIRONMENT",
            "PROFILE",
            "CONTEXT",
            "URL",
            "HOST",
            "DATABASE",
            "SETTINGS_MODULE",
            "STAGE",
        ];
        name != "NODE_ENV" && ends.iter().any(|end| name.ends_with(end))
    };
    command.args().iter().any(|arg| names_production(&arg.text))
        || command.atom.assigns.iter().any(|(name, value)| says_where(name) && names_production(value))
}

/// Whether a part of a word is the usual name for what others use.
fn names_production(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .any(|part| matches!(part, "prod" | "production" | "prd") || part.eq_ignore_ascii_case("production"))
}

/// Whether an argument is a list that another command prints, as opposed to a name in a variable.
pub(super) fn is_listed(arg: &Arg) -> bool {
    arg.text.contains([mark::UNKNOWN, mark::PRINTED, mark::ENTRY, mark::REMOTE, mark::STAR])
}

/// Whether an operand is the word of a shape.
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

/// Programs of the tables that the family's quick look leaves out.
#[cfg(test)]
pub(super) fn uncovered(family: &crate::rule::Family, tables: &[&'static Table]) -> Vec<&'static str> {
    tables.iter().flat_map(|table| table.programs()).filter(|program| !family.covers(program)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Facts;

    fn fit(line: &str, shape: &'static str) -> bool {
        let analysis = shell::analyze(line, shell::Surroundings::default());
        let facts = Facts::default();
        analysis.atoms.iter().any(|atom| {
            let command = Command::new(&analysis, atom, &facts);
            Words::of(&command).fit(&command, shape)
        })
    }

    #[test]
    fn shapes_fit_words_options_and_lists() {
        for (line, shape, expected) in [
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
        ] {
            assert_eq!(fit(line, shape), expected, "{line} / {shape}");
        }
    }
}
