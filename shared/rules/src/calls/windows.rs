//! Calls of Windows' programs and cmdlets: an option begins with a slash or a dash, its value follows a colon, an equals
//! sign or a blank, and case never counts.

use shell::mark;

use crate::command::Command;

/// Programs that take their arguments like this.
const KIND: catalog::Tags = catalog::kind("windows");

/// Whether a program is one of Windows.
pub(super) fn is_program(name: &str) -> bool {
    catalog::is(name, KIND) || has_form_of_powershell(name)
}

/// Whether it is a cmdlet or the member of a class, by its form.
pub(crate) fn has_form_of_powershell(name: &str) -> bool {
    name.contains('-') && name.bytes().any(|b| b.is_ascii_uppercase())
        || name.len() > 2 && name.starts_with('[')
}

/// Whether one of the options of a line's word is given: `/a|/b`, or `-Name=a|b` with one of the values.
pub(super) fn gives(command: &Command<'_>, word: &str) -> bool {
    match word.split_once('=') {
        Some((name, values)) => has_value(command, name, values),
        None => word.split('|').any(|option| has(command, option)),
    }
}

pub(super) fn is_switch(text: &str) -> bool {
    text.len() > 1 && text.starts_with(['/', '-']) && !text[1..].contains(['/', '\\'])
}

/// Whether `text` holds `part`, whatever the letters' case.
pub(crate) fn holds(text: &str, part: &str) -> bool {
    text.len() >= part.len()
        && text.as_bytes().windows(part.len()).any(|window| window.eq_ignore_ascii_case(part.as_bytes()))
}

/// Whether an operand or a value is the word of a line.
pub(super) fn word_fits(text: &str, word: &str) -> bool {
    super::word_fits(&text.to_ascii_lowercase(), &word.to_ascii_lowercase())
}

/// Whether a switch or a plain argument is given.
pub(crate) fn has(command: &Command<'_>, word: &str) -> bool {
    command.args().iter().any(|arg| {
        let text = arg.text.as_str();
        if !is_switch(word) {
            return word_fits(text, word);
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
        match glued {
            Some(value) => word_fits(value, values),
            None => args[at + 1..]
                .iter()
                .take_while(|arg| !is_switch(&arg.text))
                .any(|arg| word_fits(&arg.text, values)),
        }
    })
}

/// Arguments that are not switches.
pub(crate) fn plain<'c>(command: &'c Command<'_>) -> impl Iterator<Item = &'c str> {
    command.args().iter().map(|arg| arg.text.as_str()).filter(|text| !is_switch(text))
}

/// Whether a string stands for everything: `*`, or what a pipeline brings without a filter.
pub(crate) fn is_everything(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c == '*' || c == mark::STAR || c == mark::ENTRY || c == '.')
}
