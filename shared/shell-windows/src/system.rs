//! What Windows' two shells share: paths, and the variables that are always there.

use std::borrow::Cow;

/// A path with `/` between its parts, which Windows takes as well. The prefixes of PowerShell's provider and of
/// long paths are left out.
pub fn slashes(path: &str) -> String {
    let path = path.trim_matches('"');
    let path = match path.rsplit_once("::") {
        Some((provider, inside)) if provider.to_ascii_lowercase().ends_with("filesystem") => inside,
        _ => path,
    };
    let path = plain(&path.replace('\\', "/")).into_owned();
    for prefix in ["//?/", "//./", "/??/"] {
        if let Some(rest) = path.strip_prefix(prefix)
            && rest.as_bytes().get(1) == Some(&b':')
        {
            return drive(rest);
        }
    }
    drive(&path)
}

/// A path with `/` between its parts, each without what Windows drops when it opens a file: dots and blanks at its end,
/// and the name of a stream, such as `settings.json::$DATA`.
pub fn plain(path: &str) -> Cow<'_, str> {
    let opened = |(at, name): (usize, &str)| {
        // A drive has one letter, and what PowerShell calls a drive stands in front: `HKLM:`, `env:PATH`.
        let is_file = |file: &str, stream: &str| {
            file.len() > 1 && (at > 0 || file.contains('.') || stream.contains('$'))
        };
        let file = name
            .split_once(':')
            .filter(|(file, stream)| is_file(file, stream))
            .map_or(name, |(file, _)| file);
        // `..` has no other name.
        match file.trim_end_matches(['.', ' ']).len() {
            0 => name.len(),
            length => length,
        }
    };
    let names = || path.split('/').enumerate();
    if names().all(|(at, name)| opened((at, name)) == name.len()) {
        return Cow::Borrowed(path);
    }
    let names: Vec<&str> = names().map(|(at, name)| &name[..opened((at, name))]).collect();
    Cow::Owned(names.join("/"))
}

/// `C:` and `C:name` as paths that begin at the drive's root.
fn drive(path: &str) -> String {
    let bytes = path.as_bytes();
    if bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && bytes.get(2) != Some(&b'/') {
        return format!("{}/{}", &path[..2], &path[2..]);
    }
    path.to_owned()
}

/// A folder as the rest of the analysis writes it: `/` between its parts, whatever the system.
pub fn folder(path: &str) -> Cow<'_, str> {
    // Elsewhere a backslash may be a letter of a name.
    if has_drive(path) && path.contains('\\') {
        return Cow::Owned(path.replace('\\', "/"));
    }
    Cow::Borrowed(path)
}

/// Whether `path` begins with a drive letter.
pub fn has_drive(path: &str) -> bool {
    let bytes = path.as_bytes();
    bytes.len() >= 2
        && bytes[0].is_ascii_alphabetic()
        && bytes[1] == b':'
        && matches!(bytes.get(2), None | Some(b'/' | b'\\'))
}

/// The value that a variable has on every Windows machine; `name` is in capitals.
pub(crate) fn environment(name: &str, home: &str) -> Option<String> {
    Some(match name {
        "USERPROFILE" => home.to_owned(),
        "HOMEDRIVE" => home.get(..2).filter(|drive| drive.ends_with(':')).unwrap_or("").to_owned(),
        "HOMEPATH" => match home.get(..2) {
            Some(drive) if drive.ends_with(':') => home[2..].to_owned(),
            _ => home.to_owned(),
        },
        "APPDATA" => format!("{home}/AppData/Roaming"),
        "LOCALAPPDATA" => format!("{home}/AppData/Local"),
        "ONEDRIVE" => format!("{home}/OneDrive"),
        "SYSTEMDRIVE" => "C:".to_owned(),
        "SYSTEMROOT" | "WINDIR" => r"C:\Windows".to_owned(),
        "PROGRAMFILES" | "PROGRAMW6432" => r"C:\Program Files".to_owned(),
        "PROGRAMFILES(X86)" => r"C:\Program Files (x86)".to_owned(),
        "COMMONPROGRAMFILES" => r"C:\Program Files\Common Files".to_owned(),
        "PROGRAMDATA" | "ALLUSERSPROFILE" => r"C:\ProgramData".to_owned(),
        "PUBLIC" => r"C:\Users\Public".to_owned(),
        "COMSPEC" => r"C:\Windows\system32\cmd.exe".to_owned(),
        "USERNAME"
        | "COMPUTERNAME"
        | "USERDOMAIN"
        | "NUMBER_OF_PROCESSORS"
        | "PROCESSOR_ARCHITECTURE"
        | "OS"
        | "DATE"
        | "TIME"
        | "RANDOM"
        | "ERRORLEVEL"
        | "LOGONSERVER" => shell_engine::mark::TOKEN.to_string(),
        "PATH" | "PATHEXT" | "PSMODULEPATH" => shell_engine::mark::TOKEN.to_string(),
        _ => return None,
    })
}

/// A folder, an entry of it, and what is between them.
pub fn below(folder: &str, entry: &str) -> String {
    let folder = folder.trim_end_matches(['/', '\\']);
    // `Join-Path a \b` is `a/b`: unlike elsewhere, a slash in front does not make it absolute.
    let entry = entry.trim_start_matches(['/', '\\']);
    format!("{folder}/{entry}")
}

/// The arguments that a program makes of its command line: Microsoft's C runtime cuts at blanks, and `\"` is a
/// quote.
pub(crate) fn arguments(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let (mut quoted, mut any) = (false, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.peek() == Some(&'"') => {
                // `"C:\"` is what people write, and cmd's own commands read it so.
                if word.ends_with(':') && quoted {
                    word.push('\\');
                } else {
                    chars.next();
                    word.push('"');
                }
            }
            '"' => {
                quoted = !quoted;
                any = true;
            }
            c if c.is_whitespace() && !quoted => {
                if any || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                any = false;
            }
            c => word.push(c),
        }
    }
    if any || !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_name_that_windows_opens() {
        for (written, opened) in [
            ("C:/p/.claude/settings.json::$DATA", "C:/p/.claude/settings.json"),
            ("C:/p/.claude./settings.json ", "C:/p/.claude/settings.json"),
            ("C:/p/.claude::$INDEX_ALLOCATION/settings.json", "C:/p/.claude/settings.json"),
            ("settings.json:x", "settings.json"),
            ("../.. /x", "../.. /x"),
            ("C:x", "C:x"),
            ("HKLM:/SOFTWARE", "HKLM:/SOFTWARE"),
            ("env:PATH", "env:PATH"),
            ("//host/c$/x", "//host/c$/x"),
        ] {
            assert_eq!(plain(written), opened);
        }
    }

    #[test]
    fn arguments_are_cut_as_the_runtime_does() {
        assert_eq!(arguments(r#"-c "a b" \"x\" d"#), ["-c", "a b", "\"x\"", "d"]);
        assert_eq!(arguments(r#"/s "C:\" /q"#), ["/s", r"C:\", "/q"]);
    }
}
