//! What analysis finds: the commands that will run.

use std::any::Any;
use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use payload::Language;

use crate::mark;
use crate::span::Span;

/// One program that will run, as far as the text tells.
#[derive(Debug, Clone)]
pub struct Atom {
    /// The program and its arguments, resolved. Empty for a bare redirection such as `> file`.
    pub args: Rc<Vec<Arg>>,
    /// Assignments in front of the program, and those that a declaring builtin makes.
    pub assigns: Vec<(String, String)>,
    /// Redirections, with resolved targets.
    pub redirects: Vec<Redirect>,
    /// What it reads on its standard input, where that is known; marks stand for what is not.
    pub stdin: Option<Rc<str>>,
    /// Whether something takes what it prints: a substitution, a later stage, a file.
    pub captured: bool,
    /// The folder it runs in, absolute where that is known; may hold marks.
    pub cwd: Rc<str>,
    /// On which machine its paths lie.
    pub place: Place,
    /// The shell that starts it: its paths and switches are written that shell's way.
    pub shell: Language,
    /// How it was reached from the command before, for explanations.
    pub via: Option<Via>,
    /// Where it stands in the original text, or in that of `file`; for text found inside, the word that holds it.
    pub span: Span,
    /// The file of [`Analysis::files`] in which it stands; `None` for the original text.
    pub file: Option<u32>,
    /// Which pipeline it belongs to, and at which place in it.
    pub stage: Stage,
}

/// A resolved argument: text with [`mark`]s where it is not known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Arg {
    /// The text. See [`mark`] for the characters that stand for what is not known.
    pub text: String,
}

/// A redirection of one descriptor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// The descriptor.
    pub fd: u32,
    /// Which way.
    pub flow: Flow,
    /// The file, with marks where it is not known.
    pub target: String,
}

/// Which way a redirection goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Reads the file.
    Read,
    /// Empties the file and writes it.
    Write,
    /// Writes at its end.
    Append,
    /// Reads and writes without emptying.
    ReadWrite,
}

/// On which machine a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Place {
    /// This one.
    #[default]
    Here,
    /// A container or a virtual machine.
    Container,
    /// Another machine.
    Remote,
}

/// Which pipeline an atom belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stage {
    /// A number that all stages of one pipeline share.
    pub pipeline: u32,
    /// Its place in the pipeline, from 0.
    pub index: u32,
}

/// How an atom was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Via {
    /// Index of the atom that leads to it.
    pub parent: u32,
    /// In which way.
    pub how: How,
}

/// In which way one command leads to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// It runs its arguments: `sudo rm`.
    Arguments,
    /// It runs a string: `bash -c 'rm'`.
    Text,
    /// It runs what it reads: `… | sh`.
    Input,
    /// It runs a file: one that this command wrote before, or one on the disk.
    File,
    /// It applies to what the command goes through: `find -delete`.
    Each,
    /// It sends a statement of SQL: `psql -c 'DROP TABLE t'`. The atom's arguments are the statement, reduced to
    /// what it means.
    Statement,
}

/// Something about the text that no single atom carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Note {
    /// What there is to say.
    pub kind: NoteKind,
    /// Where in the original text, or in that of `file`.
    pub span: Span,
    /// The file of [`Analysis::files`] that it is about; `None` for the original text.
    pub file: Option<u32>,
}

/// What a [`Note`] says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoteKind {
    /// A piece that is not valid; what could be read around it was.
    Syntax,
    /// More nesting than is followed.
    TooDeep,
    /// More work than is done for one command; what follows was not looked at.
    TooMuch,
    /// A function or loop that starts endless copies of itself.
    ForkBomb,
    /// A program runs a string that was downloaded or that a remote machine sends.
    RunsRemote,
    /// A program runs a string that was decoded or computed where it cannot be read here.
    RunsDecoded,
    /// A program runs a string that only exists at run time.
    RunsUnknown,
    /// An interpreter gets code that cannot be looked at: too long, nested too often, or put together in a way that
    /// is not understood.
    OpaqueCode,
    /// A file that is run cannot be read, or is too large.
    UnreadFile,
    /// A variable of the environment is shown of which the name says that it keeps a secret.
    ShowsSecret,
    /// Such a variable goes to another service than the one that it is for.
    SendsSecret,
}

/// A symbolic link that the text makes on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Where it lies, absolute as far as the text tells.
    pub at: String,
    /// Where it leads.
    pub to: String,
    /// How many programs had run when it moved there what lies at `to` now. `None` for a link.
    pub moved: Option<usize>,
}

/// A file of the disk whose commands were followed.
#[derive(Debug, Clone)]
pub struct ScriptFile {
    /// Where it lies, absolute.
    pub path: Rc<str>,
    /// What stood in it, with forged marks replaced.
    pub text: Rc<str>,
    /// Its bytes, where they are not those of the text.
    pub original: Option<Rc<[u8]>>,
    /// The text in which places of it are counted, where another language is read as bash: it has as many lines.
    pub read_as: Option<Rc<str>>,
}

impl ScriptFile {
    /// Its bytes, as they lay on the disk.
    pub fn bytes(&self) -> &[u8] {
        self.original.as_deref().unwrap_or(self.text.as_bytes())
    }

    /// The line on which a place in it stands, from 1.
    pub fn line(&self, at: Span) -> usize {
        let text = self.read_as.as_ref().unwrap_or(&self.text);
        1 + text.get(..at.start as usize).unwrap_or(text).matches('\n').count()
    }
}

/// A command is given a variable that holds what others have printed: `x=$(cat f); echo "$x"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handed {
    /// The atoms whose output it is, by their indexes.
    pub atoms: Range<usize>,
    /// The index of the atom that is given it.
    pub to: usize,
}

/// What a string will run.
#[derive(Debug, Default)]
pub struct Analysis {
    /// The commands, in the order in which they were reached.
    pub atoms: Vec<Atom>,
    /// What else there is to say.
    pub notes: Vec<Note>,
    /// The files that were read because something runs them.
    pub files: Vec<ScriptFile>,
    /// The files that it writes, by their paths, with what they hold then; marks stand for what only run
    /// time tells.
    pub made: Vec<(String, String)>,
    /// What variables hand from one command to another.
    pub handed: Vec<Handed>,
    /// The symbolic links that it makes, and what it moves.
    pub links: Vec<Link>,
    /// Names with a capital that it sets for more than one program: whatever runs may go by them.
    pub sets: Vec<String>,
    /// Folders that it fetches from other machines as repositories, with the atom that does.
    pub clones: Vec<(u32, String)>,
    /// Folders into which it unpacks what comes from another machine.
    pub unpacked: Vec<String>,
    /// The stage in which a pipeline stands, by its number and in that order: `(a | b) | c`.
    pub inside: Vec<(u32, Stage)>,
    /// The parsed strings. No one needs them any more, but taking them apart costs a tenth of an analysis: kept
    /// here, it is the owner of the analysis who decides whether to pay for that.
    pub(crate) trees: Vec<Rc<dyn Any>>,
}

impl Atom {
    /// The program's name without its folder and without a Windows extension; empty without a program.
    /// A variable that nothing sets counts as empty.
    pub fn program(&self) -> Cow<'_, str> {
        match self.args.first() {
            Some(arg) => program_name(&arg.text),
            None => Cow::Borrowed(""),
        }
    }

    /// Whether it lists the variables of the environment with their values.
    pub fn lists_variables(&self) -> bool {
        let args = self.args.get(1..).unwrap_or(&[]);
        // With a name, `export` sets it and `printenv` prints one.
        let flags =
            |not: &[char]| args.iter().all(|arg| arg.text.starts_with('-') && !arg.text.contains(not));
        match &*self.program() {
            // `env -i` starts without any.
            "env" => flags(&['i']) && args.iter().all(|arg| arg.text != "-"),
            "printenv" => flags(&[]),
            "set" => args.is_empty(),
            // `-f` lists functions, `-F` their names.
            "export" | "declare" | "typeset" | "readonly" => flags(&['f', 'F']),
            // PowerShell's drive.
            "Get-ChildItem" => args.iter().any(|arg| arg.text.eq_ignore_ascii_case("env:")),
            _ => false,
        }
    }
}

/// Pipelines around a command that are looked at.
const MAX_STAGES: usize = 16;

impl Analysis {
    /// The commands whose output may come to this one, or to what it stands in, through a pipe. To a redirection comes
    /// what its group, function or program leads to.
    pub fn feeders<'a>(&'a self, atom: &'a Atom) -> impl Iterator<Item = &'a Atom> {
        let leads = atom.redirects.iter().any(|redirect| redirect.flow != Flow::Read);
        self.met(atom, move |other, own| {
            other.index < own.index || leads && other == own && own == atom.stage
        })
    }

    /// The commands to which what this one prints, or what it stands in, may come through a pipe.
    pub fn readers<'a>(&'a self, atom: &'a Atom) -> impl Iterator<Item = &'a Atom> {
        self.met(atom, |other, own| other.index > own.index)
    }

    /// The redirections of the groups and loops that a command stands in.
    pub fn around<'a>(&'a self, atom: &'a Atom) -> impl Iterator<Item = &'a Atom> {
        let own: Vec<Stage> = self.stages(atom).collect();
        self.atoms.iter().filter(move |other| {
            other.args.is_empty() && own.contains(&other.stage) && !std::ptr::eq(*other, atom)
        })
    }

    /// The commands of the innermost pipeline that is theirs and the atom's, chosen by their places in it.
    fn met<'a>(
        &'a self,
        atom: &'a Atom,
        is_wanted: impl Fn(Stage, Stage) -> bool + 'a,
    ) -> impl Iterator<Item = &'a Atom> {
        // Nearly every line has no pipeline inside another.
        let is_flat = self.inside.is_empty() && atom.via.is_none();
        self.atoms.iter().filter(move |other| {
            let common = |stage: Stage| {
                let own = self.stages(atom).find(|own| own.pipeline == stage.pipeline)?;
                Some(is_wanted(stage, own) && !std::ptr::eq(*other, atom))
            };
            if is_flat && other.via.is_none() {
                return other.stage.pipeline == atom.stage.pipeline
                    && atom.stage.pipeline > 0
                    && is_wanted(other.stage, atom.stage)
                    && !std::ptr::eq(*other, atom);
            }
            self.stages(other).find_map(common) == Some(true)
        })
    }

    /// The stages that an atom belongs to, from the inside out.
    fn stages<'a>(&'a self, atom: &'a Atom) -> impl Iterator<Item = Stage> + use<'a> {
        let outer = move |&(atom, stage): &(&'a Atom, Stage)| {
            let at = self.inside.binary_search_by_key(&stage.pipeline, |(pipeline, _)| *pipeline);
            // What a program leads to prints where it does.
            let leader = || self.atoms.get(atom.via?.parent as usize).map(|leader| (leader, leader.stage));
            at.ok().map(|at| (atom, self.inside[at].1)).or_else(leader)
        };
        std::iter::successors(Some((atom, atom.stage)), outer)
            .take(MAX_STAGES)
            .map(|(_, stage)| stage)
            .filter(|stage| stage.pipeline > 0)
    }
}

/// Programs that a pattern in command position, or a name in capitals, may stand for: the ones that other rules are about.
pub(crate) const PATTERN_PROGRAMS: &str = "rm sh bash dd git env sudo mkfs mkfs.ext4 shred chmod chown find xargs mv cp curl wget python3 python perl ruby node kill killall tee truncate wipefs fdisk reboot shutdown unlink rmdir docker kubectl terraform aws ssh su";

/// The name under which a program is known: no folder, no `.exe`, no unset variables.
pub fn program_name(text: &str) -> Cow<'_, str> {
    // Plain loops over bytes: this is asked about every word of every command.
    let start = text.bytes().rposition(|byte| matches!(byte, b'/' | b'\\')).map_or(0, |slash| slash + 1);
    let mut name = &text[start..];
    // All the extensions that are looked for have three letters.
    if let Some(dot) = name.len().checked_sub(4).filter(|&dot| dot > 0 && name.as_bytes()[dot] == b'.')
        && is_extension(&name[dot + 1..])
    {
        name = &name[..dot];
    }
    if mark::any(name) && name.contains(mark::UNSET) && name.chars().any(|c| c != mark::UNSET) {
        return Cow::Owned(name.chars().filter(|&c| c != mark::UNSET).collect());
    }
    if is_shouted(name) {
        let lower = name.to_ascii_lowercase();
        if PATTERN_PROGRAMS.split(' ').any(|known| known == lower) {
            return Cow::Owned(lower);
        }
    }
    Cow::Borrowed(name)
}

/// Whether a name is in capitals: where file names are alike in both, on macOS and Windows, `RM` is `rm`.
fn is_shouted(name: &str) -> bool {
    let bytes = name.as_bytes();
    bytes.len() > 1
        && bytes[0].is_ascii_uppercase()
        && bytes.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        // Statements of SQL are atoms, too.
        && !matches!(name, "KILL" | "TRUNCATE" | "SHUTDOWN")
}

/// Whether a program is a shell of the POSIX family, or close enough to be read as one.
pub fn is_shell(name: &str) -> bool {
    matches!(
        name,
        "sh" | "bash"
            | "dash"
            | "zsh"
            | "ksh"
            | "ksh93"
            | "mksh"
            | "ash"
            | "rbash"
            | "yash"
            | "fish"
            | "csh"
            | "tcsh"
            | "elvish"
            | "nu"
            | "posh"
            | "oksh"
            | "bash5"
    )
}

/// Whether Windows adds the extension to a program's name.
fn is_extension(text: &str) -> bool {
    matches!(text, "exe" | "cmd" | "bat" | "com") || text.eq_ignore_ascii_case("exe")
}

impl Arg {
    /// The text, if all of it is known.
    pub fn known(&self) -> Option<&str> {
        (!mark::any(&self.text)).then_some(self.text.as_str())
    }

    /// The text with marks. Compare it with plain text freely: a mark equals nothing a person types.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether some of it is only known at run time.
    pub fn has_hole(&self) -> bool {
        mark::any(&self.text) && self.text.contains(mark::is_hole)
    }

    /// The text without variables that nothing sets: what an empty environment makes of it.
    pub fn without_unset(&self) -> Cow<'_, str> {
        if mark::any(&self.text) && self.text.contains(mark::UNSET) {
            return Cow::Owned(self.text.chars().filter(|&c| c != mark::UNSET).collect());
        }
        Cow::Borrowed(&self.text)
    }
}

impl From<&str> for Arg {
    fn from(text: &str) -> Self {
        Self { text: text.to_owned() }
    }
}

impl From<String> for Arg {
    fn from(text: String) -> Self {
        Self { text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_known_by_its_name() {
        for text in ["rm", "/bin/rm", "/bin/../bin/rm", "rm.exe", r"C:\tools\rm.exe"] {
            assert_eq!(program_name(text), "rm", "{text}");
        }
        assert_eq!(program_name(&format!("r{}m", mark::UNSET)), "rm");
        for (text, name) in
            [("RM", "rm"), ("/bin/GIT.EXE", "git"), ("BASH", "bash"), ("R", "R"), ("FOO", "FOO")]
        {
            assert_eq!(program_name(text), name);
        }
    }
}
