//! What is known about programs, as data: one row for each in `programs/*.txt`, read by whoever has to know.
//!
//! ```
//! assert!(catalog::values("git").contains("--git-dir"));
//! assert!(catalog::find("no-such-program").is_none());
//! ```

mod bucket;
#[cfg(test)]
mod source;

include!(concat!(env!("OUT_DIR"), "/table.rs"));

/// What is known about a program.
#[derive(Debug)]
pub struct Program {
    /// Options that take the next argument and may stand in front of the sub-command, separated by blanks. A policy's
    /// rule may rely on them: what follows their values is the sub-command for sure.
    pub values: &'static str,
    /// Those of a program without sub-commands, or of any of them. No policy relies on them.
    pub anywhere: &'static str,
    /// Those of sub-commands, after their names.
    subs: &'static [(&'static str, &'static str)],
    /// Those of sub-commands in a group: `container`, `run`.
    nested: &'static [(&'static str, &'static str, &'static str)],
    /// Families of rules that look at it.
    pub families: Tags,
    /// What kind of program it is.
    pub is: Tags,
    /// Where code stands in its arguments, if it is an interpreter.
    pub code: Option<Code>,
    /// How its own arguments look, if another program follows them.
    pub runs: Option<Wrapper>,
    /// Files of code that it loads by itself, from where it runs or from the nearest directory above, separated by
    /// blanks. `*` at the end stands for each extension of JavaScript.
    pub loads: &'static str,
    /// The scripts that it runs without being their interpreter: a test runner, a profiler, a server.
    pub scripts: Option<&'static Scripts>,
}

impl Program {
    /// Options of a sub-command that take the next argument, if it has any of its own.
    pub fn values_of(&self, sub: &str) -> Option<&'static str> {
        self.subs.iter().find(|(name, _)| *name == sub).map(|(_, values)| *values)
    }

    /// The same for a sub-command within a group: `docker container run`.
    pub fn values_within(&self, group: &str, sub: &str) -> Option<&'static str> {
        self.nested.iter().find(|known| known.0 == group && known.1 == sub).map(|known| known.2)
    }
}

/// The arguments of an interpreter. Lists are separated by blanks.
#[derive(Debug)]
pub struct Code {
    /// The language that it runs: `python`, `lisp`.
    pub language: &'static str,
    /// Options that take code.
    pub options: &'static str,
    /// The letter of such an option at the end of a bundle: `-Bc`, `-lane`.
    pub letter: Option<char>,
    /// Options that take something else.
    pub values: &'static str,
    /// Options that take the name of a file with code.
    pub files: &'static str,
    /// Words before the code or the file: `deno eval`, `bun run`.
    pub commands: &'static str,
    /// Options by which a file is only checked: `node --check`, `php -l`.
    pub checks: &'static str,
}

/// The arguments of a wrapper, in front of the program that it runs.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a field of a row, given or not")]
pub struct Wrapper {
    /// Short options that take no value.
    pub flags: &'static str,
    /// Short options that take one.
    pub letters: &'static str,
    /// Long options whose value is the next argument, separated by blanks; a name with `@` takes the next two.
    pub options: &'static str,
    /// Operands before the program.
    pub operands: usize,
    /// Options whose value is the folder in which it runs, separated by blanks.
    pub folder: &'static str,
    /// Whether only a sub-command runs it, which is the first operand.
    pub subcommand: bool,
    /// Whether assignments may stand before it.
    pub assigns: bool,
    /// Whether a single argument is a command line.
    pub line: bool,
    /// The option whose value is a command line, by its letter and its name.
    pub text: Option<(char, &'static str)>,
    /// Whether what follows is a package.
    pub packages: bool,
    /// Whether it starts a shell where no program follows.
    pub shell: bool,
}

/// The scripts that a program runs.
#[derive(Debug)]
pub struct Scripts {
    /// The sub-command that runs them; empty where every call does.
    pub after: &'static str,
    /// The extensions of operands that are scripts.
    pub endings: &'static str,
    /// Options that take one, by its path or as a module; a name in capitals is a variable of the environment.
    pub options: &'static str,
    /// Whether an operand names one as `module:application`.
    pub module: bool,
    /// The interpreter that runs them; empty where it is one whose language nothing here reads.
    pub by: &'static str,
}

/// How the interpreter with this name takes code; versions at its end do not matter.
pub fn code(name: &str) -> Option<&'static Code> {
    // Builds with symbols, and `python3.13t`, which has no global lock.
    let name = name.strip_suffix("-dbg").or_else(|| name.strip_suffix("-debug")).unwrap_or(name);
    let of_python = |name: &&str| name.starts_with("python3.");
    let name = name.strip_suffix(['t', 'd']).filter(of_python).unwrap_or(name);
    let name = name.strip_suffix('t').filter(of_python).unwrap_or(name);
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    find(bare)?.code.as_ref()
}

/// The options by which a call of this tool names the file that says what it runs, and those by which it names the
/// folder of it: separated by blanks.
pub fn named(program: &str) -> Option<[&'static str; 2]> {
    // Builds ask about every `cargo`, which has none.
    if SPOTS & bucket::spot(program) == 0 {
        return None;
    }
    let at = NAMED.binary_search_by_key(&program, |row| row.0).ok()?;
    NAMED.get(at).map(|(_, file, folder)| [*file, *folder])
}

/// Families of rules, or kinds of programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tags(u32);

impl Tags {
    const fn of(bits: &[u32]) -> Self {
        let (mut all, mut at) = (0, 0);
        while at < bits.len() {
            // Not an iterator: the tables are constants, in which `for` cannot run yet.
            all |= 1 << bits[at];
            at += 1;
        }
        Self(all)
    }

    /// These and others.
    #[must_use]
    pub const fn or(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Whether they have one in common.
    pub const fn meet(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// What is known about the program with this name.
pub fn find(name: &str) -> Option<&'static Program> {
    // Every program of every command is looked up here.
    let bucket = bucket::of(name);
    let (from, to) = (*STARTS.get(bucket)?, *STARTS.get(bucket + 1)?);
    let near = NAMES.get(usize::from(from)..usize::from(to))?;
    let is_name = |known: &&(u16, u16, u16)| {
        // The length first: it nearly always tells two names of a bucket apart.
        usize::from(known.1 - known.0) == name.len() && text(**known) == name.as_bytes()
    };
    PROGRAMS.get(usize::from(near.iter().find(is_name)?.2))
}

/// A name, which [`NAMES`] keeps as the place where it begins and the one where it ends.
const fn text((from, to, _): (u16, u16, u16)) -> &'static [u8] {
    TEXT.as_bytes().split_at(to as usize).0.split_at(from as usize).1
}

/// The row of a program that has one, at compile time: where the program is known, nothing is looked up.
///
/// # Panics
/// If no row has the name: for a constant, that does not compile.
pub const fn row(name: &str) -> &'static Program {
    // From the first name in its bucket: the compiler evaluates this for every constant.
    let mut at = STARTS[bucket::of(name)] as usize;
    while at < NAMES.len() {
        if same(text(NAMES[at]), name.as_bytes()) {
            return &PROGRAMS[NAMES[at].2 as usize];
        }
        at += 1;
    }
    panic!("no row in shared/catalog/programs has this name")
}

/// Whether a list has an option of one letter: such options may stand in a bundle.
pub fn has_letter(options: &str, letter: char) -> bool {
    options.split_ascii_whitespace().any(|option| {
        let mut letters = option.chars().skip(1);
        letters.next() == Some(letter) && letters.next().is_none()
    })
}

/// Options of a program that take the next argument; empty for most programs.
pub fn values(name: &str) -> &'static str {
    find(name).map_or("", |program| program.values)
}

/// Options of a program that may stand in front of its sub-command and take no value; empty for most programs. What is
/// neither here nor in [`values`] may be either.
pub fn switches(name: &str) -> &'static str {
    let known = SWITCHES.lines().filter_map(|line| line.split_once(':'));
    let names = |row: &(&str, &str)| row.0.split_ascii_whitespace().any(|known| known == name);
    known.into_iter().find(names).map_or("", |(_, switches)| switches)
}

/// Whether a program runs what follows its name, on whatever machine and in whatever language.
pub fn runs_another(name: &str) -> bool {
    // Compared word by word, not searched: `sh` is a part of `dash`, and of many more.
    RUNNERS.split(' ').any(|runner| runner == name)
}

/// Whether a program is of this kind.
pub fn is(name: &str, kind: Tags) -> bool {
    find(name).is_some_and(|program| program.is.meet(kind))
}

/// The family of rules with this id.
///
/// # Panics
/// If no row names the family: for a constant, that does not compile.
pub const fn family(id: &str) -> Tags {
    tag(&FAMILIES, id)
}

/// The kind of programs with this name.
///
/// # Panics
/// If no row names the kind: for a constant, that does not compile.
pub const fn kind(name: &str) -> Tags {
    tag(&KINDS, name)
}

const fn tag(all: &[&str], name: &str) -> Tags {
    let mut at = 0;
    while at < all.len() {
        if same(all[at].as_bytes(), name.as_bytes()) {
            return Tags(1 << at);
        }
        at += 1;
    }
    panic!("no row in shared/catalog/programs has this word")
}

/// `==`, which constants cannot use yet.
const fn same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// How every interpreter takes code.
pub fn interpreters() -> impl Iterator<Item = &'static Code> {
    PROGRAMS.iter().filter_map(|program| program.code.as_ref())
}

/// Ids of all families that a row names.
pub fn families() -> &'static [&'static str] {
    &FAMILIES
}

/// Examples of wrappers: a name, its own arguments, and the program after them.
pub fn examples() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    EXAMPLES.iter().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_and_nothing_else() {
        let fullest = STARTS.windows(2).map(|bounds| bounds[1] - bounds[0]).max();
        assert!(fullest.is_some_and(|names| names < 8), "{fullest:?}");
        for known in NAMES {
            let name = str::from_utf8(text(known)).unwrap();
            assert!(std::ptr::eq(find(name).unwrap(), &raw const PROGRAMS[usize::from(known.2)]), "{name}");
            assert!(std::ptr::eq(find(name).unwrap(), super::row(name)), "{name}");
            assert!(find(&format!("{name}\u{e000}")).is_none(), "{name}");
            // Who has found a row that takes no code does not look for an interpreter any more.
            assert!(code(name).is_none() || find(name).unwrap().code.is_some(), "{name}");
        }
        assert!(runs_another("sudo") && runs_another("bash") && !runs_another("rm"));
        for name in ["", "\u{e000}", "~", "\u{7f}"] {
            assert!(find(name).is_none(), "{name:?}");
        }
    }
}
