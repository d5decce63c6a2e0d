//! What the calls of each language's library do, a file for each.

pub(super) mod awk;
pub(super) mod javascript;
pub(super) mod jvm;
pub(super) mod lua;
pub(super) mod others;
pub(super) mod perl;
pub(super) mod php;
pub(super) mod python;
pub(super) mod r;
pub(super) mod ruby;

/// The row of a table that is sorted by name.
fn find(table: &[(&str, Effect)], name: &str) -> Option<Effect> {
    table.binary_search_by_key(&name, |row| row.0).ok().map(|at| table[at].1)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_by_name() {
        for table in [
            javascript::FUNCTIONS,
            perl::FUNCTIONS,
            php::FUNCTIONS,
            python::FUNCTIONS,
            r::FUNCTIONS,
            ruby::FUNCTIONS,
        ] {
            let wrong = table.windows(2).find(|rows| rows[0].0 >= rows[1].0);
            assert!(wrong.is_none(), "{wrong:?}");
        }
    }
}
