//! What the calls of each language's library do: `calls/*.txt`, a file for each language, as sorted static arrays.

use std::borrow::Cow;

use super::Language;

include!(concat!(env!("OUT_DIR"), "/calls.rs"));

/// A format of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Json,
    Yaml,
    /// INI and TOML.
    Sections,
    /// CSV; `named` by its first row.
    Rows {
        named: bool,
    },
}

/// What a call does, and what it gives back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Runs its first argument with a shell; a list is a program with its arguments.
    Shell,
    /// Runs its arguments: a program and its arguments, or a list of them.
    Program,
    /// Runs one argument with a shell, and more as a program with its arguments.
    Either,
    /// Runs its first argument without a shell, split at blanks; a list is a program with its arguments.
    Split,
    /// Runs its second argument's list, or everything after the first one, which is the program's file.
    Replace,
    /// Deletes what its arguments name; `true` with everything below.
    Delete(bool),
    /// Deletes what its first argument names, and asks an option or a second argument whether everything below goes.
    DeleteIfAsked,
    /// Empties or writes the file that its first argument names, with its second one.
    Write,
    /// Adds its second argument to the file that its first one names.
    Append,
    /// Declares an option of the command line.
    Declare,
    /// An option of the command line with its default, as a value.
    Flag,
    /// The same, for the variable that its first argument names.
    FlagInto,
    /// The options of the command line.
    Options,
    /// Cuts a file.
    Truncate,
    /// Opens a file: its second argument says how.
    Open,
    /// Moves its first argument to its second one.
    Move,
    /// Copies its first argument to its second one.
    Copy,
    /// Copies what is in its first argument into its second one.
    CopyTree,
    /// Unpacks an archive into the folder that its argument at this place names.
    Extract(usize),
    /// Links its first argument as its second one.
    Link,
    /// Changes the permissions of its first argument to its second one; `true` for the other way round.
    Mode(bool),
    /// Changes the owner of its first argument.
    Own,
    /// Sends a signal: process and signal; `true` for the other way round.
    Kill(bool),
    /// Runs its first argument as code of the same language.
    Code,
    /// Runs the file that its first argument names as code of the same language.
    Include,
    /// The values of a map.
    Values,
    /// The keys of a map with their values.
    Items,
    /// Its arguments as a list.
    List,
    /// Starts a copy of the process.
    Fork,
    /// Opens a connection.
    Connect,
    /// Waits for connections.
    Listen,
    /// Asks an address, and sends the rest of its arguments.
    Send,
    /// Asks an address, and writes the answer into the file that its second argument names.
    Download,
    /// Opens a database, or a cursor on one.
    Database,
    /// Prints its arguments; `true` ends the line.
    Print(bool),
    /// Text that the caller hands in, on the standard input.
    Input,
    /// Everything that the caller hands in, as arguments.
    Parameters,
    /// Its first argument, unchanged.
    First,
    /// A map of all that the arguments have.
    Merge,
    /// Its receiver, unchanged.
    Receiver,
    /// Its first argument, decoded from base64.
    Base64,
    /// Its first argument, decoded from hexadecimal digits.
    Hex,
    /// Its first argument, with every letter moved by thirteen.
    Rotate,
    /// Its first argument, decoded as the second one says.
    Decode,
    /// Its last argument, decoded as the first one (a template) says: Perl's and Ruby's `pack`.
    Pack,
    /// Its first argument, unpacked from something that is not followed.
    Unpack,
    /// The characters whose numbers it gets.
    Characters,
    /// The numbers of the characters.
    Codes,
    /// The receiver between the parts of the first argument (Python), or the other way round.
    Join,
    /// The first argument between the elements of the others: Perl, PHP.
    JoinFirst,
    /// The arguments as one path.
    Path,
    /// The user's home folder.
    Home,
    /// The folder that it runs in.
    Here,
    /// A folder for temporary files, or a fresh file in it.
    Temporary,
    /// The first argument as a pattern.
    Pattern,
    /// The names in the folder that the first argument names.
    Names,
    /// The paths in the folder that the first argument names.
    Entries,
    /// Everything below the first argument.
    Below,
    /// Everything below the first argument as folder, folders in it, and files in it.
    Walk,
    /// What a file holds.
    Read,
    /// A variable of the environment.
    Environment,
    /// A module by its name.
    Module,
    /// A part of a module by its name.
    Attribute,
    /// The receiver or first argument, reversed.
    Reverse,
    /// A format, filled with the other arguments as `printf` does.
    Format,
    /// Goes to another folder.
    Folder,
    /// A function of the second argument for each element of the first: `map(f, xs)`.
    Each,
    /// The same, and gives back those of the first argument's elements that the function chooses.
    Keep,
    /// Its first argument, called with the others.
    Apply,
    /// The folder that holds the path.
    Parent,
    /// The method of this name of its first argument, with the others as that method's arguments.
    Method(&'static str),
    /// Its third argument, with its first one replaced by its second one.
    Substitute,
    /// The same, put into the variable that its third argument names: awk's `gsub`.
    SubstituteIn,
    /// Its first argument, with `%20` and the like decoded.
    Percent,
    /// Its first argument as a number.
    Number,
    /// Its first argument, split into words as a shell does.
    Words,
    /// Its arguments as a map: named ones, or a list of pairs.
    Mapping,
    /// A type whose objects have the fields that its arguments name: `namedtuple("Job", "name root")`.
    Record,
    /// Gives the field of its first argument that its second one names the value of its third one.
    Field,
    /// One of the elements of its first argument.
    One,
    /// Any key of a map with any value.
    Pair,
    /// What its first argument has under its second one, or its third one.
    Lookup,
    /// A map of keys and values, one after the other.
    Pairs,
    /// A string in quotes, as the language writes it.
    Quoted,
    /// A string that grows: its first argument, or nothing yet.
    Builder,
    /// A program, and all of its arguments in one string.
    Line,
    /// A format with `{}`, filled with the other arguments, and with variables where they are named.
    Braces,
    /// One of the arguments after the first one.
    Choice,
    /// Its second argument, split at its first one.
    Parts,
    /// A function of what came out so far and the next element, for each element of a list.
    Fold,
    /// Data written as the language writes it itself: JSON.
    Data,
    /// Data in another format: its first argument, or the file that this names.
    Table(Format),
    /// The variables of a file, `.env` if it names none, for the environment.
    Variables,
    /// The same, for the variable that its second argument names.
    DataInto,
    /// Sends the text among its arguments to a database: `dbExecute(con, "…")`.
    Statement,
    /// Gives the variable that its first argument names the value of its second one.
    Assign,
    /// Adds its second argument to the open file that its first one is.
    Put,
    /// Nothing that matters, and a number or a truth as the answer.
    Plain,
}

/// The library of a language.
pub(super) struct Library {
    /// What each function does, by its path.
    functions: Sorted<Effect>,
    /// Classes and modules of which every function does the same.
    wholes: Sorted<Effect>,
    /// Functions that do the same wherever they stand.
    anywhere: Sorted<Effect>,
    /// What each method does to the value that it belongs to, and with how many arguments, if only with that many.
    methods: Sorted<(Option<usize>, Effect)>,
    /// Functions that take what follows them without brackets only up to the next comma.
    unary: Sorted<()>,
    /// What may stand in front of any path and says nothing.
    without: &'static [&'static str],
    /// Whether only the last two parts of a path count.
    by_ends: bool,
    /// Whether names have no case.
    folds: bool,
}

/// Rows that are sorted by name. Their names are one string: the loader would have to correct a pointer for each name
/// whenever a program starts, whether it looks at a script or not.
struct Sorted<T: 'static> {
    text: &'static str,
    /// Where a row's name starts and ends in the text.
    rows: &'static [(u16, u16, T)],
}

impl<T: Copy> Sorted<T> {
    fn name(&self, row: &(u16, u16, T)) -> &'static str {
        &self.text[usize::from(row.0)..usize::from(row.1)]
    }

    /// The rows of a name.
    fn of<'n>(&'n self, name: &'n str) -> impl Iterator<Item = T> + 'n {
        let first = self.rows.partition_point(|row| self.name(row) < name);
        self.rows[first..].iter().take_while(move |row| self.name(row) == name).map(|row| row.2)
    }

    fn find(&self, name: &str) -> Option<T> {
        self.of(name).next()
    }
}

impl Library {
    /// What a function does.
    pub(super) fn function(&self, path: &str) -> Option<Effect> {
        let path = self.folded(path);
        let path = self.without.iter().fold(&*path, |path, prefix| path.strip_prefix(prefix).unwrap_or(path));
        let path = if self.by_ends { ends(path) } else { path };
        (self.functions.find(path))
            .or_else(|| self.wholes.find(path.split_once('.')?.0))
            .or_else(|| self.anywhere.find(path.rsplit_once('.').map_or(path, |(_, name)| name)))
    }

    /// What a method does to the value that it belongs to.
    pub(super) fn method(&self, name: &str, arguments: usize) -> Option<Effect> {
        let name = self.folded(name);
        let mut rows = self.methods.of(&name);
        rows.find(|(count, _)| count.is_none_or(|count| count == arguments)).map(|(_, effect)| effect)
    }

    /// Whether a function takes what follows it without brackets only up to the next comma.
    pub(super) fn is_unary(&self, name: &str) -> bool {
        self.unary.find(name).is_some()
    }

    fn folded<'n>(&self, name: &'n str) -> Cow<'n, str> {
        // PHP's `\exec` is the function outside of all namespaces.
        if self.folds {
            Cow::Owned(name.trim_start_matches('\\').to_ascii_lowercase())
        } else {
            Cow::Borrowed(name)
        }
    }
}

impl Language {
    /// What its library does.
    pub(super) fn library(self) -> &'static Library {
        match self {
            Self::Python => &PYTHON,
            Self::JavaScript => &JAVASCRIPT,
            Self::Ruby => &RUBY,
            Self::Perl => &PERL,
            Self::Php => &PHP,
            Self::Lua => &LUA,
            Self::Awk => &AWK,
            Self::R => &R,
            Self::Jvm => &JVM,
            Self::Julia => &JULIA,
            Self::Elixir => &ELIXIR,
            Self::Go => &GO,
            Self::Other => &OTHER,
        }
    }
}

/// The last two parts of a path.
fn ends(path: &str) -> &str {
    path.rmatch_indices('.').nth(1).map_or(path, |(at, _)| &path[at + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_by_path_end_and_whole() {
        for (language, path, expected) in [
            (Language::Python, "shutil.rmtree", Some(Effect::Delete(true))),
            (Language::Python, "rmtree_", None),
            (Language::Ruby, "Kernel.system", Some(Effect::Either)),
            (Language::Perl, "CORE.GLOBAL.system", Some(Effect::Either)),
            (Language::Php, "\\Shell_Exec", Some(Effect::Shell)),
            (Language::Lua, "luasql.sqlite3.env", Some(Effect::Database)),
            (Language::Jvm, "java.nio.file.Files.delete", Some(Effect::Delete(false))),
            (Language::Jvm, "Math.abs", Some(Effect::Plain)),
            (Language::Other, "std.fs.cwd.deleteTree", Some(Effect::Delete(true))),
            (Language::Other, "deleteTree", Some(Effect::Delete(true))),
        ] {
            assert_eq!(language.library().function(path), expected, "{language:?} {path}");
        }
    }

    #[test]
    fn a_method_may_depend_on_how_many_arguments_it_gets() {
        let python = Language::Python.library();
        assert_eq!([1, 2].map(|count| python.method("replace", count)), [Some(Effect::Move), None]);
        assert_eq!(Language::Go.library().method("Wait", 3), Some(Effect::Receiver));
    }
}
