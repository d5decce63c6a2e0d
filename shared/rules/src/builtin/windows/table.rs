//! Calls of Windows' programs and cmdlets as data.
//!
//! A line is the program, a colon and words, all of which must fit, whatever the letters' case:
//!
//! | word | fits when |
//! |---|---|
//! | `word` | the next argument that is not a switch is this; `a\|b` either, `a*` a beginning, `*` any |
//! | `/x`, `-x` | the switch is given; `/x:v` and `/x=v` count, and `/x` and `-x` are the same |
//! | `-Name=a\|b` | the parameter has one of these values; `a*` a beginning |
//! | `~text` | an argument holds this text |
//! | `!word` | the word or switch does not stand there |

use shell::mark;

use crate::command::Command;

/// Whether a line of the table fits.
pub(super) fn listed(command: &Command<'_>, table: &'static str) -> bool {
    !command.only_shows()
        && table.lines().filter_map(|line| line.trim().split_once(':')).any(|(program, words)| {
            program.split('|').any(|name| name.eq_ignore_ascii_case(&command.name)) && fits(command, words)
        })
}

fn fits(command: &Command<'_>, words: &str) -> bool {
    let mut plain = command.args().iter().map(|arg| arg.text.as_str()).filter(|text| !is_switch(text));
    words.split_ascii_whitespace().all(|word| {
        if let Some(text) = word.strip_prefix('~') {
            return command.args().iter().any(|arg| holds(&arg.text, text));
        }
        if let Some(word) = word.strip_prefix('!') {
            return !has(command, word);
        }
        if let Some((name, values)) = word.split_once('=').filter(|_| word.starts_with('-')) {
            return has_value(command, name, values);
        }
        if is_switch(word) {
            return has(command, word);
        }
        plain.next().is_some_and(|text| word.split('|').any(|word| is_word(text, word)))
    })
}

fn is_switch(text: &str) -> bool {
    text.len() > 1 && text.starts_with(['/', '-']) && !text[1..].contains(['/', '\\'])
}

/// Whether `text` holds `part`, whatever the letters' case.
pub(super) fn holds(text: &str, part: &str) -> bool {
    text.len() >= part.len()
        && text.as_bytes().windows(part.len()).any(|window| window.eq_ignore_ascii_case(part.as_bytes()))
}

fn begins(text: &str, start: &str) -> bool {
    text.as_bytes().get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
}

fn is_word(text: &str, word: &str) -> bool {
    match word.strip_suffix('*') {
        Some(start) => begins(text, start),
        None => text.eq_ignore_ascii_case(word),
    }
}

/// Whether a switch or a plain argument is given.
pub(super) fn has(command: &Command<'_>, word: &str) -> bool {
    command.args().iter().any(|arg| {
        let text = arg.text.as_str();
        if !is_switch(word) {
            return is_word(text, word);
        }
        let name = text.split([':', '=']).next().unwrap_or(text);
        is_switch(name) && name[1..].eq_ignore_ascii_case(&word[1..])
    })
}

/// Whether a parameter has one of the values, after a colon, an equals sign or as the next argument.
fn has_value(command: &Command<'_>, name: &str, values: &str) -> bool {
    let args = command.args();
    args.iter().enumerate().any(|(at, arg)| {
        let (own, glued) = match arg.text.split_once([':', '=']) {
            Some((own, value)) => (own, Some(value)),
            None => (arg.text.as_str(), None),
        };
        if !is_switch(own) || !own[1..].eq_ignore_ascii_case(&name[1..]) {
            return false;
        }
        let fits = |text: &str| values.split('|').any(|value| is_word(text, value));
        match glued {
            Some(value) => fits(value),
            None => args[at + 1..].iter().take_while(|arg| !is_switch(&arg.text)).any(|arg| fits(&arg.text)),
        }
    })
}

/// Arguments that are not switches, in small letters.
pub(super) fn plain<'c>(command: &'c Command<'_>) -> impl Iterator<Item = &'c str> {
    command.args().iter().map(|arg| arg.text.as_str()).filter(|text| !is_switch(text))
}

/// Whether a string stands for everything: `*`, or what a pipeline brings without a filter.
pub(super) fn is_everything(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c == '*' || c == mark::STAR || c == mark::ENTRY || c == '.')
}
