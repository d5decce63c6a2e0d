//! `string` of fish, by the filters that do the same.

use shell_engine::{Arg, arguments};

use super::Word;
use super::builtins::joined;

/// What a sub-command of `string` is given.
struct Call<'w, 'a> {
    /// Its options, and what they take.
    options: Vec<(&'w str, &'w str)>,
    operands: Vec<&'w Word<'a>>,
}

impl Call<'_, '_> {
    fn has(&self, short: char, long: &str) -> bool {
        self.options
            .iter()
            .any(|(option, _)| *option == long || !option.starts_with("--") && option.contains(short))
    }

    fn value(&self, short: &str, long: &str) -> Option<&str> {
        self.options.iter().find(|(option, _)| *option == short || *option == long).map(|(_, value)| *value)
    }

    /// The strings from an operand on, as input of a filter.
    fn through(&self, from: usize, filter: &str) -> String {
        match self.operands.get(from..).filter(|strings| !strings.is_empty()) {
            Some(strings) => format!("printf '%s\\n'{} | {filter}", joined(strings)),
            None => filter.to_owned(),
        }
    }
}

/// Options that take the next word: `string sub -s 2`.
const VALUED: [&str; 16] = [
    "-s", "--start", "-l", "--length", "-e", "--end", "-m", "--max", "-f", "--fields", "-n", "--count", "-c",
    "--chars", "-w", "--width",
];

fn call<'w, 'a>(sub: &str, words: &[&'w Word<'a>]) -> Call<'w, 'a> {
    let mut call = Call { options: Vec::new(), operands: Vec::new() };
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        if word.raw == "--" {
            call.operands.extend(&words[at..]);
            break;
        }
        if !word.raw.starts_with('-') || word.raw == "-" {
            call.operands.push(word);
            continue;
        }
        if let Some((option, value)) = word.raw.split_once('=') {
            call.options.push((option, value));
            continue;
        }
        // `-n` of `string match` is `--index`; `-e` is `--entire`.
        let is_valued =
            VALUED.contains(&word.raw) && !matches!(sub, "match" | "replace" | "upper" | "lower" | "length");
        let value = words.get(at).filter(|_| is_valued).map_or("", |word| word.bare());
        at += usize::from(is_valued);
        call.options.push((word.raw, value));
    }
    call
}

pub(super) fn string(words: &[&Word<'_>]) -> Option<String> {
    let (sub, rest) = words.split_first()?;
    let call = call(sub.raw, rest);
    let first = call.operands.first();
    Some(match sub.raw {
        "replace" => {
            let [from, to, ..] = call.operands.as_slice() else { return None };
            let is_regex = call.has('r', "--regex");
            let (from, to) = (inner(from), inner(to));
            let from = if is_regex { from.replace('\u{1}', "") } else { literal(&from) };
            let to = if is_regex { groups(&to) } else { to.replace('\\', "\\\\") };
            let flags = if call.has('a', "--all") { "g" } else { "" };
            call.through(
                2,
                &format!("sed {}\"s\u{1}{from}\u{1}{to}\u{1}{flags}\"", if is_regex { "-E " } else { "" }),
            )
        }
        "split" | "split0" => {
            let separator = if sub.raw == "split" { first?.bare() } else { "\\0" };
            let from = usize::from(sub.raw == "split");
            match call.value("-f", "--fields") {
                Some(fields) => {
                    call.through(from, &format!("cut -d {} -f {}", quoted(separator), quoted(fields)))
                }
                None if separator.is_empty() => return None,
                None if separator.chars().count() == 1 => {
                    call.through(from, &format!("tr {} '\\n'", quoted(separator)))
                }
                None => call.through(
                    from,
                    &format!("sed {}", quoted(&format!("s\u{1}{}\u{1}\\n\u{1}g", literal(separator)))),
                ),
            }
        }
        "join" => {
            let separator = first?.bare();
            call.through(
                1,
                &match separator {
                    "" => "tr -d '\\n'".to_owned(),
                    separator => format!("paste -sd {} -", quoted(separator)),
                },
            )
        }
        "match" => matched(&call)?,
        "trim" => match call.value("-c", "--chars") {
            Some(chars) => {
                let both = !call.has('l', "--left") && !call.has('r', "--right");
                let left = if both || call.has('l', "--left") {
                    format!("s\u{1}^[{chars}]*\u{1}\u{1};")
                } else {
                    String::new()
                };
                let right = if both || call.has('r', "--right") {
                    format!("s\u{1}[{chars}]*$\u{1}\u{1}")
                } else {
                    String::new()
                };
                call.through(0, &format!("sed {}", quoted(&format!("{left}{right}"))))
            }
            None => call.through(0, "sed 's/^ *//;s/ *$//'"),
        },
        "sub" => {
            let start = call.value("-s", "--start").unwrap_or("1").parse::<usize>().ok()?;
            let end = match call.value("-l", "--length") {
                Some(length) => (start + length.parse::<usize>().ok()?).saturating_sub(1).to_string(),
                None => call.value("-e", "--end").unwrap_or("").to_owned(),
            };
            call.through(0, &format!("cut -c {start}-{end}"))
        }
        "upper" => call.through(0, "tr a-z A-Z"),
        "lower" => call.through(0, "tr A-Z a-z"),
        "length" if call.has('q', "--quiet") => format!("[ -n {} ]", first?.out),
        "length" => call.through(0, "wc -m"),
        "collect" | "escape" | "unescape" | "pad" | "shorten" => call.through(0, "cat"),
        "repeat" => {
            let count = call.value("-n", "--count").and_then(|count| count.parse::<usize>().ok());
            let (count, strings) = match count {
                Some(count) => (count, call.operands.as_slice()),
                None => (first?.bare().parse().ok()?, &call.operands[1..]),
            };
            format!("printf '%s\\n' {}", strings.first()?.out.repeat(count.min(64)))
        }
        _ => return None,
    })
}

/// `string match -q 'a*' $x`, `string match -r '^a' $x`
fn matched(call: &Call<'_, '_>) -> Option<String> {
    let (wanted, strings) = call.operands.split_first()?;
    let is_regex = call.has('r', "--regex");
    if call.has('q', "--quiet")
        && let [string] = strings
    {
        let not = if call.has('v', "--invert") { "! " } else { "" };
        return Some(if is_regex {
            format!("{not}[[ {} =~ {} ]]", string.out, bare_regex(wanted.bare()))
        } else {
            format!("{not}[[ {} == {} ]]", string.out, super::words::pattern(wanted))
        });
    }
    let mut flags = String::new();
    flags.push_str(if call.has('v', "--invert") { "v" } else { "" });
    flags.push_str(if call.has('i', "--ignore-case") { "i" } else { "" });
    flags.push_str(if call.has('q', "--quiet") { "q" } else { "" });
    let only = is_regex && !call.has('e', "--entire") && flags.is_empty();
    flags.push_str(if only { "oE" } else { "E" });
    let pattern = if is_regex {
        inner(wanted)
    } else {
        format!("^{}$", literal(&inner(wanted)).replace("\\*", ".*").replace('?', "."))
    };
    Some(call.through(1, &format!("grep -{flags} \"{pattern}\"")))
}

fn quoted(text: &str) -> String {
    arguments::quoted(&[Arg::from(text)])
}

/// What stands in the quotes of a word, for others around it.
fn inner(word: &Word<'_>) -> String {
    if word.raw.starts_with('\'') {
        let mut text = String::new();
        for c in word.bare().chars() {
            if matches!(c, '"' | '$' | '`' | '\\') {
                text.push('\\');
            }
            text.push(c);
        }
        return text;
    }
    word.out.replace('"', "")
}

/// Plain text in a pattern.
fn literal(text: &str) -> String {
    let mut written = String::new();
    for c in text.chars() {
        if matches!(c, '.' | '*' | '[' | ']' | '^') {
            written.push('\\');
        }
        written.push(c);
    }
    written
}

/// `$1` of fish is `\1` of sed.
fn groups(text: &str) -> String {
    let mut written = text.replace("\\$", "$");
    for number in 1..10 {
        written = written
            .replace(&format!("${number}"), &format!("\\{number}"))
            .replace(&format!("${{{number}}}"), &format!("\\{number}"));
    }
    written
}

/// A pattern after `=~`, where quotes would make plain text of it.
fn bare_regex(text: &str) -> String {
    text.replace(' ', "\\ ")
        .replace(';', "\\;")
        .replace('&', "\\&")
        .replace('<', "\\<")
        .replace('>', "\\>")
        .replace('\'', "\\'")
        .replace('"', "\\\"")
        .replace('#', "\\#")
}
