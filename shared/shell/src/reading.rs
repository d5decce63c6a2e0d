//! Which shell a string is written for, where no one says so.

use payload::Language;

/// The shells that may be meant to read `text`, the likeliest first.
///
/// `windows` says whether it runs on Windows, where that is known. On any other system, a string is bash unless it
/// speaks PowerShell plainly.
pub fn readings(text: &str, windows: bool) -> Vec<Language> {
    let powershell = speaks_powershell(text);
    let cmd = speaks_cmd(text);
    let posix = speaks_posix(text);
    let mut found = Vec::new();
    // On Windows too, hosts may run Git Bash: bash only goes where another shell is plainly meant.
    if !(windows && (powershell || cmd) && !posix) {
        found.push(Language::Posix);
    }
    if powershell || windows && !posix && !cmd {
        found.push(Language::PowerShell);
    }
    if cmd || windows && !posix && !powershell {
        found.push(Language::Cmd);
    }
    if found.is_empty() {
        found.push(Language::Posix);
    }
    found
}

/// How a text for PowerShell is read, if it has syntax of cmd that PowerShell refuses: as cmd reads it, which is what
/// was meant, and as both where it speaks PowerShell as well.
pub fn cmd_in_powershell(text: &str) -> Option<&'static [Language]> {
    let lower = text.to_ascii_lowercase();
    let letters =
        |part: &[u8]| part[0].is_ascii_alphabetic() && part[1] == b'^' && part[2].is_ascii_alphabetic();
    let meant = speaks_cmd(text)
        || ["for /", "copy nul ", "type nul ", "echo.", "if exist "].iter().any(|sign| lower.contains(sign))
        || text.as_bytes().windows(3).any(letters)
        || names_variable(text);
    if !meant {
        return None;
    }
    // PowerShell has these names as aliases, which refuse such a switch.
    let mut words = lower.split_whitespace();
    let deletes = matches!(words.next(), Some("rd" | "rmdir" | "del" | "erase"))
        && words.next().is_some_and(|word| word.starts_with('/') && word.len() == 2);
    let alone = deletes && !text.contains([';', '$', '|', '`', '\n', '(']) && !speaks_powershell(text);
    Some(if alone { &[Language::Cmd] } else { &[Language::PowerShell, Language::Cmd] })
}

/// Whether it has a variable of cmd: `%USERPROFILE%`.
fn names_variable(text: &str) -> bool {
    let is_name =
        |part: &str| part.len() > 2 && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    text.split('%').skip(1).step_by(2).any(is_name)
}

/// What only bash and its family write.
fn speaks_posix(text: &str) -> bool {
    [
        "<<",
        "; then",
        "; do",
        "; fi",
        "; done",
        "$((",
        "[[ ",
        "#!/bin/",
        "esac",
        "export ",
        "2>/dev/null",
        ">/dev/null",
        "sudo ",
    ]
    .iter()
    .any(|sign| text.contains(sign))
        || text.starts_with("if [")
}

/// `Verb-Noun`, a drive of PowerShell, a .NET type, or one of its aliases with a parameter.
fn speaks_powershell(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    if [
        "$env:",
        "]::",
        "$_",
        "hklm:\\",
        "hkcu:\\",
        "-erroraction",
        "$psscriptroot",
        "@{",
        "@\"",
        "@'",
        "| iex",
        "|iex",
        "iex(",
        "iex (",
        "| % ",
        "|%{",
        "| ?",
    ]
    .iter()
    .any(|sign| lower.contains(sign))
    {
        return true;
    }
    lower.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '`')).any(|word| {
        let word = word.replace('`', "");
        shell_windows::powershell::is_cmdlet(&word)
            || matches!(
                word.as_str(),
                "iex" | "iwr" | "irm" | "gci" | "ri" | "icm" | "saps" | "spps" | "erase"
            )
    })
}

/// A built-in command of cmd with a switch, `%NAME%`, or carets in a name.
fn speaks_cmd(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    // `/?` explains a program, and that of Unix takes no `/s`.
    if lower.contains(" /?") || lower.contains("shutdown /") {
        return true;
    }
    let mut previous = "";
    for word in lower.split([' ', '\t', '&', '|', '(', ')', '"', '\n']) {
        let bare = word.split('/').next().unwrap_or("");
        let commands = matches!(
            bare,
            "del"
                | "erase"
                | "rd"
                | "rmdir"
                | "format"
                | "copy"
                | "xcopy"
                | "move"
                | "attrib"
                | "takeown"
                | "icacls"
                | "start"
                | "taskkill"
                | "dir"
                | "robocopy"
                | "shutdown"
                | "reg"
        );
        if commands && word.len() > bare.len()
            || word.len() > 1
                && word.len() < 4
                && word.starts_with('/')
                && matches!(
                    previous,
                    "del"
                        | "erase"
                        | "rd"
                        | "rmdir"
                        | "copy"
                        | "xcopy"
                        | "move"
                        | "dir"
                        | "start"
                        | "format"
                        | "attrib"
                )
        {
            return true;
        }
        if !word.is_empty() {
            previous = word;
        }
    }
    // `date +%Y` and printf have percent signs as well.
    let percents = lower.split('%').skip(1).step_by(2).any(|name| {
        !name.is_empty()
            && name.len() < 40
            && name.bytes().all(|b| {
                b.is_ascii_alphanumeric() || matches!(b, b'_' | b'(' | b')' | b':' | b'~' | b',' | b'-')
            })
            && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '~')
    });
    percents && lower.matches('%').count() > 1 && !lower.contains("date +") && !lower.contains("printf")
        || lower.contains('^')
            && lower.replace('^', "").split_whitespace().next().is_some_and(|word| {
                matches!(word, "del" | "rd" | "cmd" | "format" | "erase" | "rmdir" | "cmd.exe")
            })
}
