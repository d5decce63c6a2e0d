//! The hosts' switches that take hooks or questions away, as data: by option, by setting and by variable. Those of a host
//! stand in its traits.
//!
//! A line is `HOST EFFECT KIND …`:
//!
//! | kind | what follows |
//! |---|---|
//! | `flag` | options that count by being there |
//! | `value` | options, separated by `\|`, and the values that count; `*` is any, `*x*` what has x in it |
//! | `tool` | options that list tools, and tools that are every command |
//! | `key` | a setting and its value, as the host's settings file and `-c` have it |
//! | `run` | a sub-command |
//!
//! The effect is `off`, where no hook or no question is left, or `looser`, where fewer are. Source: `--help` and runs.

use super::super::has;
use super::book::values_of;
use crate::command::Command;
use crate::of_hosts::lines_of_all;

const SWITCHES: &str = lines_of_all!("", switches);

/// What a switch leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Effect {
    /// Fewer hooks or questions, or other servers and extensions.
    Looser,
    /// No hooks, or no questions.
    Off,
}

/// The kinds and what follows them, of one host.
fn of(host: &str) -> impl Iterator<Item = (Effect, &'static str, &'static str)> {
    SWITCHES.lines().filter_map(move |line| {
        let (effect, rest) = line.strip_prefix(host)?.strip_prefix(' ')?.split_once(' ')?;
        let (kind, rest) = rest.split_once(' ')?;
        Some((if effect == "off" { Effect::Off } else { Effect::Looser }, kind, rest))
    })
}

/// The settings of every host that switch hooks or questions off, with the value that does.
pub(crate) fn keys() -> impl Iterator<Item = (&'static str, &'static str)> {
    SWITCHES.lines().filter_map(|line| line.split_once(" off key ")?.1.split_once(' '))
}

/// The strongest switch with which a command starts this host.
pub(super) fn given(command: &Command<'_>, host: &str) -> Option<Effect> {
    of(host).filter(|(_, kind, rest)| fits(command, host, kind, rest)).map(|(effect, ..)| effect).max()
}

fn fits(command: &Command<'_>, host: &str, kind: &str, rest: &str) -> bool {
    let (first, values) = rest.split_once(' ').unwrap_or((rest, ""));
    let options = || first.split('|');
    match kind {
        "flag" => rest.split(' ').any(|flag| is_given(command, flag)),
        "value" => options().any(|option| values_of(command, option).any(|value| is_one_of(values, value))),
        "tool" => options().any(|option| listed(command, option).any(|tool| has(values, tool))),
        "run" => {
            let operands = command.operands();
            let mut words = operands.iter().map(|arg| arg.text.as_str());
            words.any(|word| options().any(|option| option == word))
                && values
                    .split_ascii_whitespace()
                    .all(|known| words.next().is_some_and(|word| known.split('|').any(|known| known == word)))
        }
        // Codex takes single settings as TOML on its command line: `-c features.hooks=false`.
        "key" if host == "codex" => {
            let settings = ["-c", "--config"].into_iter().flat_map(|option| values_of(command, option));
            settings.into_iter().any(|text| {
                let mut found = false;
                flattened("", text, 0, &mut |name, value| {
                    let same = name == first
                        // A profile has the same keys below its own name.
                        || name.ends_with(first) && name[..name.len() - first.len()].ends_with('.');
                    found |= same && is_one_of(values, value);
                });
                found
            })
        }
        "key" => command.args().iter().any(|arg| switches(&arg.text, first, values)),
        _ => false,
    }
}

/// Whether a flag is given: a letter also among others, such as `-yp`.
fn is_given(command: &Command<'_>, flag: &str) -> bool {
    command.args().iter().take_while(|arg| arg.text != "--").any(|arg| {
        let text = arg.without_unset();
        // Longer ones are words with one dash, as some programs write them.
        let letters = || text.len() < 5 && text[1..].bytes().all(|byte| byte.is_ascii_alphabetic());
        match flag.strip_prefix('-').filter(|letter| letter.len() == 1) {
            Some(letter) => text.starts_with('-') && text.contains(letter) && letters(),
            None => text.split('=').next() == Some(flag),
        }
    })
}

fn is_one_of(values: &str, value: &str) -> bool {
    let value = value.trim();
    values.split(' ').any(|known| match known.strip_prefix('*').and_then(|rest| rest.strip_suffix('*')) {
        Some(part) => value.to_ascii_lowercase().contains(part),
        None => known == "*" || known == value,
    })
}

/// The tools of an option that takes several, one after the other or separated by commas.
fn listed<'c>(command: &Command<'c>, option: &str) -> impl Iterator<Item = &'c str> {
    let args = command.args();
    let is = move |text: &str| {
        text == option || text.strip_prefix(option).is_some_and(|rest| rest.starts_with('='))
    };
    let at: Vec<usize> = args.iter().enumerate().filter(|(_, arg)| is(&arg.text)).map(|(at, _)| at).collect();
    at.into_iter().flat_map(move |at| {
        let glued = args[at].text.split_once('=').map(|(_, value)| value);
        let after =
            args[at + 1..].iter().map(|arg| arg.text.as_str()).take_while(|text| !text.starts_with('-'));
        // A blank in brackets belongs to a tool: `Bash(git log:*)`.
        glued.into_iter().chain(after).flat_map(|text| at_top(text, "()", &[',', ' ']))
    })
}

/// Every setting of a TOML expression such as `a.b = {c = false}`, without blanks and quotes: `a.b.c`, `false`.
fn flattened(above: &str, text: &str, depth: usize, found: &mut dyn FnMut(&str, &str)) {
    let bare = |text: &str| -> String {
        text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\'')).collect()
    };
    let Some((name, value)) = text.split_once('=') else { return };
    let name = if above.is_empty() { bare(name) } else { format!("{above}.{}", bare(name)) };
    let inner = value.trim().strip_prefix('{').and_then(|inner| inner.strip_suffix('}'));
    // Deeper than any setting is.
    match inner.filter(|_| depth < 8) {
        Some(inner) => {
            for part in at_top(inner, "{}", &[',']) {
                flattened(&name, part, depth + 1, found);
            }
        }
        None => found(&name, &bare(value)),
    }
}

/// The parts of a string between separators that stand outside of brackets.
fn at_top<'t>(
    text: &'t str,
    brackets: &'static str,
    separators: &'static [char],
) -> impl Iterator<Item = &'t str> {
    let mut depth = 0usize;
    text.split(move |c| {
        if brackets.starts_with(c) {
            depth += 1;
        } else if brackets.ends_with(c) {
            depth = depth.saturating_sub(1);
        }
        depth == 0 && separators.contains(&c)
    })
}

/// Whether a string sets `setting` to `value`, as JSON, an expression of jq, or a script of sed has it.
fn switches(text: &str, setting: &str, value: &str) -> bool {
    // Most arguments are shorter: preparing the search would cost more than all else about them.
    text.len() > setting.len()
        && memchr::memmem::rfind(text.as_bytes(), setting.as_bytes())
            .is_some_and(|at| text[at..].contains(value))
}

/// Whether a string switches the hooks of any host off.
pub(super) fn switches_off(text: &str) -> bool {
    // The names in question hold this, unless JSON spells them with escapes.
    let telling = |at: usize| text[..at].ends_with("oo") || text[..at].ends_with('\\');
    if !memchr::memchr2_iter(b'k', b'u', text.as_bytes()).any(telling) {
        return false;
    }
    // Names with a dot are the paths of TOML and JSON, which a string of JSON does not hold as they are.
    keys()
        .filter(|(setting, _)| matches!(*setting, "disableAllHooks" | "chat.useHooks"))
        .any(|(setting, value)| switches(text, setting, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_its_parts() {
        for line in SWITCHES.lines().filter(|line| !line.is_empty()) {
            let parts: Vec<&str> = line.split(' ').collect();
            assert!(payload::Host::NAMES.contains(&parts[0]), "{line}");
            assert!(["off", "looser"].contains(&parts[1]), "{line}");
            assert!(["flag", "value", "tool", "key", "run"].contains(&parts[2]), "{line}");
            assert!(parts.len() > if matches!(parts[2], "flag" | "run") { 3 } else { 4 }, "{line}");
        }
    }

    #[test]
    fn settings_are_read_in_every_spelling() {
        for (text, expected) in [
            ("features.hooks=false", "features.hooks false"),
            ("features = { hooks = false }", "features.hooks false"),
            ("features={web=true,hooks=false}", "features.hooks false"),
            ("\"features\".'hooks' = false", "features.hooks false"),
            ("sandbox_mode = \"danger-full-access\"", "sandbox_mode danger-full-access"),
            ("profiles={x={sandbox_mode='y'}}", "profiles.x.sandbox_mode y"),
        ] {
            let mut found = Vec::new();
            flattened("", text, 0, &mut |name, value| found.push(format!("{name} {value}")));
            assert!(found.iter().any(|one| one == expected), "{text}: {found:?}");
        }
    }
}
