//! What the keys of a call's arguments mean, in the tools of every host and of MCP servers.

use std::borrow::Cow;

use Meaning as M;

/// What a key means; one key may mean several things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Meaning(u32);

impl Meaning {
    /// Nothing that is known.
    pub(crate) const NONE: Self = Self(0);
    /// A command line, a list of arguments, or a list of command lines.
    pub(crate) const COMMAND: Self = Self(1);
    /// With [`Meaning::COMMAND`]: a value that is neither text nor a list of strings hides the command.
    pub(crate) const TEXT_ONLY: Self = Self(1 << 1);
    /// A program without its arguments.
    pub(crate) const PROGRAM: Self = Self(1 << 2);
    /// The arguments of a program.
    pub(crate) const ARGUMENTS: Self = Self(1 << 3);
    /// What is typed into a shell that runs already.
    pub(crate) const TYPED: Self = Self(1 << 4);
    /// A piece of a program in a language that another key may name.
    pub(crate) const CODE: Self = Self(1 << 5);
    /// A path, in every tool.
    pub(crate) const PATH: Self = Self(1 << 6);
    /// A path often enough to count in tools that we do not know.
    pub(crate) const MAYBE_PATH: Self = Self(1 << 7);
    /// With a path: it is gone after a move.
    pub(crate) const MOVED_AWAY: Self = Self(1 << 8);
    /// With a path: only where the tool is named for moving, because people and dates have the same keys.
    pub(crate) const MOVES_ONLY: Self = Self(1 << 9);
    pub(crate) const PATCH: Self = Self(1 << 10);
    /// The directory in which a command runs.
    pub(crate) const FOLDER: Self = Self(1 << 11);
    /// A directory in which a command may run; the session's own counts too.
    pub(crate) const MAYBE_FOLDER: Self = Self(1 << 12);
    pub(crate) const SQL: Self = Self(1 << 13);
    /// SQL where the tool is named for a database.
    pub(crate) const QUERY: Self = Self(1 << 14);
    /// The text of before, in an edit.
    pub(crate) const OLD: Self = Self(1 << 15);
    /// The text of after, in an edit.
    pub(crate) const NEW: Self = Self(1 << 16);
    /// All that stands in a file then.
    pub(crate) const WHOLE: Self = Self(1 << 17);
    /// Whether every occurrence changes.
    pub(crate) const ALL: Self = Self(1 << 18);
    /// Words for people or models, or a file's content: never a command, never JSON that is read.
    pub(crate) const WORDS: Self = Self(1 << 19);

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether it has one of these meanings.
    pub(crate) const fn is(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }
}

/// Longer keys are not in the table.
const LONGEST: usize = 32;

/// What the table says about a key, whatever its case, `_` and `-`.
pub(crate) fn meaning(key: &str) -> Meaning {
    let mut letters = [0; LONGEST];
    plain(key, &mut letters).map_or(Meaning::NONE, of)
}

/// As [`meaning`], and a guess for keys that are nearly in the table, as after a host's update: a letter or number more
/// at the end, or a name that is made with `command`.
pub(crate) fn guess(key: &str) -> Meaning {
    let known = meaning(key);
    if known != Meaning::NONE {
        return known;
    }
    let letters = letters(key);
    let shorter = letters.strip_suffix(|_: char| true).map_or(Meaning::NONE, of);
    if shorter != Meaning::NONE {
        return shorter;
    }
    // What ends like that is about a command: `commandId`.
    let about = ["id", "ids", "name", "type", "description", "count", "source", "title"];
    let command = letters.contains("command") || letters.starts_with("cmd") || letters.ends_with("cmd");
    if (command || letters.starts_with("script")) && !about.iter().any(|end| letters.ends_with(end)) {
        Meaning::COMMAND
    } else if letters.contains("filepath") {
        Meaning::MAYBE_PATH
    } else {
        Meaning::NONE
    }
}

/// The letters and numbers of a key, in lower case.
pub(crate) fn letters(key: &str) -> Cow<'_, str> {
    if key.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
        return Cow::Borrowed(key);
    }
    Cow::Owned(key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect())
}

/// The same for short keys in ASCII, without memory of its own.
fn plain<'b>(key: &str, letters: &'b mut [u8; LONGEST]) -> Option<&'b str> {
    let mut length = 0;
    for byte in key.bytes() {
        if byte.is_ascii_alphanumeric() {
            *letters.get_mut(length)? = byte.to_ascii_lowercase();
            length += 1;
        // Any other sign makes it another name: `path[0]`, or one that is not in ASCII.
        } else if !matches!(byte, b'_' | b'-' | b' ' | b'.') {
            return None;
        }
    }
    std::str::from_utf8(&letters[..length]).ok()
}

/// The table.
///
/// Sources: the tools of the hosts ([`crate::ToolKind::from_name`]), Cline 3.0.65, Cursor, Windsurf and Antigravity by
/// their documents, and MCP servers: filesystem, git, Serena (`relative_path`), `JetBrains` (`pathInProject`), Desktop
/// Commander, terminals and databases.
#[rustfmt::skip]
const TABLE: &[(Meaning, &[&str])] = &[
    (M::COMMAND.and(M::TEXT_ONLY), &["command", "cmd", "script"]),
    (M::COMMAND, &[
        "commands", "cmds", "commandline", "commandlines", "cmdline", "shellcommand", "shellcommands",
        "bashcommand", "terminalcommand", "scripts", "shellscript", "bashscript", "bash", "shell", "sh", "zsh",
        "pwsh", "powershell", "terminal", "exec", "execute", "run", "argv", "invocation", "oneliner",
    ]),
    (M::PROGRAM, &["program", "executable", "exe", "binary", "entrypoint"]),
    (M::ARGUMENTS, &["args", "arguments", "argumentlist", "commandargs", "programargs", "arglist"]),
    (M::TYPED, &["input", "chars", "keys", "keystrokes", "stdin"]),
    (M::CODE, &[
        "sourcecode", "pythoncode", "python", "javascript", "javascriptcode", "jscode", "snippet",
        "codesnippet", "codeblock", "cellcode", "cellsource",
    ]),
    (M::CODE.and(M::NEW), &["code"]),
    (M::PATH, &[
        "filepath", "path", "notebookpath", "absolutepath", "targetfile", "files", "paths", "filepaths",
        "fileuri",
    ]),
    (M::PATH.and(M::FOLDER), &["dirpath"]),
    (M::MAYBE_PATH, &[
        "file", "filename", "filenames", "uri", "destination", "dst", "dest", "newpath", "destinationpath",
        "destpath", "dstpath", "destinationfile", "outputpath", "outputfile", "outfile", "target", "targetpath",
        "targetfilepath", "relativepath", "relativefilepath", "relativeworkspacepath", "pathinproject",
        "localpath", "savepath", "saveto", "saveas", "downloadpath", "fullpath", "absolutefilepath", "filelist",
        "fileuris", "scriptpath",
    ]),
    (M::MAYBE_PATH.and(M::MAYBE_FOLDER), &["directory", "dir", "folder"]),
    (AWAY, &["source", "src", "oldpath", "sourcepath", "srcpath", "sourcefile"]),
    (AWAY.and(M::MOVES_ONLY), &["from"]),
    (M::MAYBE_PATH.and(M::MOVES_ONLY), &["to"]),
    (M::PATCH, &["patch", "patches", "diff", "diffs", "unifieddiff", "patchtext", "difftext", "patchcontent"]),
    (M::FOLDER, &[
        "cwd", "workdir", "workingdirectory", "workingdir", "workdirectory", "currentdirectory", "currentdir",
        "currentworkingdirectory", "rundirectory", "execdir", "startdirectory", "chdir",
    ]),
    (M::MAYBE_FOLDER, &[
        "basedir", "basepath", "rootdir", "projectpath", "projectdir", "projectroot", "repopath",
        "workspacefolder", "workspacepath", "root", "worktree",
    ]),
    (M::SQL, &[
        "sql", "sqls", "statement", "statements", "sqlquery", "sqlstatement", "sqlstatements", "rawsql", "ddl",
    ]),
    (M::QUERY.and(M::WORDS), &["query", "queries", "querystring", "querytext"]),
    (M::OLD.and(M::WORDS), &["oldstring", "oldstr", "oldtext"]),
    (M::NEW.and(M::WORDS), &["newstring", "newstr", "newtext", "inserttext"]),
    (M::WHOLE.and(M::WORDS), &["content", "filetext", "contents", "text", "data"]),
    (M::ALL, &["replaceall", "allowmultiple"]),
    (M::WORDS, &[
        "body", "message", "prompt", "description", "explanation", "title", "comment", "summary", "pattern",
        "regex", "question", "answer", "result", "response", "output", "thought", "reasoning", "instruction",
        "instructions", "note", "notes", "goal", "label", "subject", "intent", "reason", "task", "name", "id",
        "userprompt",
    ]),
];

const AWAY: Meaning = M::MAYBE_PATH.and(M::MOVED_AWAY);

/// How many keys the table has.
const COUNT: usize = {
    let (mut row, mut count) = (0, 0);
    while row < TABLE.len() {
        count += TABLE[row].1.len();
        row += 1;
    }
    count
};

/// The table by the length of the keys, and where each length begins: hundreds of comparisons less than in a row.
static BY_LENGTH: ([(&str, Meaning); COUNT], [usize; LONGEST + 2]) = {
    let (mut keys, mut starts) = ([("", Meaning::NONE); COUNT], [0; LONGEST + 2]);
    let (mut length, mut next) = (0, 0);
    while length <= LONGEST {
        starts[length] = next;
        let mut row = 0;
        while row < TABLE.len() {
            let (meaning, names) = TABLE[row];
            let mut name = 0;
            while name < names.len() {
                if names[name].len() == length {
                    keys[next] = (names[name], meaning);
                    next += 1;
                }
                name += 1;
            }
            row += 1;
        }
        length += 1;
    }
    starts[LONGEST + 1] = next;
    (keys, starts)
};

/// What the table says about the letters of a key.
fn of(letters: &str) -> Meaning {
    let (keys, starts) = &BY_LENGTH;
    let length = letters.len().min(LONGEST);
    let same = &keys[starts[length]..starts[length + 1]];
    same.iter().find(|(key, _)| *key == letters).map_or(Meaning::NONE, |(_, meaning)| *meaning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_in_every_casing() {
        for (key, meaning_of_it) in [
            ("command_line", Meaning::COMMAND),
            ("CommandLine", Meaning::COMMAND),
            ("COMMAND-LINE", Meaning::COMMAND),
            ("workingDirectory", Meaning::FOLDER),
            ("working_directory", Meaning::FOLDER),
            ("Cwd", Meaning::FOLDER),
            ("pathInProject", Meaning::MAYBE_PATH),
            ("relative_path", Meaning::MAYBE_PATH),
            ("dir_path", Meaning::FOLDER),
            ("dir_path", Meaning::PATH),
            ("executeCode", Meaning::NONE),
        ] {
            assert_eq!(meaning(key).is(meaning_of_it), meaning_of_it != Meaning::NONE, "{key}");
            assert_eq!(meaning(key), of(&letters(key)), "{key}");
        }
        assert_eq!(meaning(&"command".repeat(9)), Meaning::NONE);
        assert_eq!(meaning("größe"), Meaning::NONE);
    }

    #[test]
    fn every_key_is_in_the_table_once_and_found() {
        let all = TABLE.iter().flat_map(|(meaning, keys)| keys.iter().map(move |key| (*key, *meaning)));
        let mut seen = std::collections::BTreeSet::new();
        for (key, meaning) in all {
            assert!(seen.insert(key) && key.len() <= LONGEST, "{key}");
            assert_eq!(of(key), meaning, "{key}");
            assert_eq!(letters(key), key, "keys are written in their letters");
        }
        assert_eq!(seen.len(), COUNT);
    }

    #[test]
    fn a_key_that_is_nearly_known_is_guessed() {
        for key in
            ["commandx", "command2", "the_command", "shellCommandText", "cmd_1", "cmdx", "scriptx", "argvs"]
        {
            assert!(guess(key).is(Meaning::COMMAND), "{key}");
        }
        for key in ["file_pathx", "new_filepath_", "files1"] {
            assert!(guess(key).is(Meaning::PATH.and(Meaning::MAYBE_PATH)), "{key}");
        }
        for key in
            ["commandId", "command_description", "description", "transcript", "subscription", "xpath", "é"]
        {
            assert!(!guess(key).is(Meaning::COMMAND.and(Meaning::PATH)), "{key}");
        }
    }
}
