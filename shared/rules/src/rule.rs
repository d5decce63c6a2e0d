//! What a rule is.

use payload::Language;
use shell::NoteKind;

use crate::calls::{self, Table};
use crate::command::Command;

/// What a rule says about a command that matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Decision {
    /// A person is asked.
    Ask,
    /// It does not run.
    Deny,
}

/// How bad it is when a rule's command runs by mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Can be undone with some work, or is meant quite often.
    Risky,
    /// Loses work or data.
    Destructive,
    /// Loses a machine, a home folder or someone else's trust.
    Catastrophic,
}

impl Severity {
    /// The word for it in output and policy files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Risky => "risky",
            Self::Destructive => "destructive",
            Self::Catastrophic => "catastrophic",
        }
    }
}

impl Severity {
    /// How bad it is in a file that is committed and unchanged: a team meant what it wrote down, so what loses work there
    /// is a question, and what can be undone is none.
    pub fn in_team_file(self) -> Option<Self> {
        match self {
            Self::Risky => None,
            Self::Destructive => Some(Self::Risky),
            Self::Catastrophic => Some(Self::Catastrophic),
        }
    }
}

/// How strict the built-in rules are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// Catastrophic and destructive commands are denied, risky ones asked about.
    #[default]
    Standard,
    /// Risky commands are denied as well, and what cannot be understood is asked about.
    Strict,
}

/// What a caller may set.
#[derive(Debug, Clone, Copy, Default)]
pub struct Settings<'a> {
    /// How strict.
    pub profile: Profile,
    /// Families that are switched off, by id.
    pub off: &'a [&'a str],
}

#[derive(Debug)]
pub struct Rule {
    /// Family and name, such as `git.reset-hard`. Stable: policies and logs refer to it.
    pub id: &'static str,
    /// How bad.
    pub severity: Severity,
    /// What it matches.
    pub when: When,
    /// Why it matters: one sentence for the model and the person.
    pub reason: &'static str,
    /// What to do instead: one sentence, and it must itself pass the rules.
    pub instead: &'static str,
    /// Commands that match, one a line; `\n` inside a command is written `␤`.
    pub matches: &'static str,
    /// Commands that look alike and do not match, one a line.
    pub spares: &'static str,
}

/// Whether a program that will run is what a rule is about.
pub(crate) type Test = fn(&Command<'_>) -> bool;

/// Whether a table lists the call or the first function knows it, and the second one admits it.
// A call of its own: inlined, it costs every rule that has no table.
#[inline(never)]
fn lists(command: &Command<'_>, table: &'static Table, [also, only]: [Test; 2]) -> bool {
    (calls::fits(command, table) || also(command)) && only(command)
}

/// What a rule looks at.
#[derive(Debug, Clone, Copy)]
pub enum When {
    /// A program that will run, of those that the family covers.
    Command(Test),
    /// Calls of a table, with what a table cannot say: see [`When::calls`].
    Calls { table: &'static Table, also: Test, only: Test },
    /// The same, and what matters is what it would lose: nothing is said where someone has looked and that is nothing.
    Loss(Test),
    /// The same, but nothing is said either where it is not known what it would lose: it usually loses nothing.
    KnownLoss(Test),
    /// The same, about what others have: what a remote would lose is listed as far as it is known here, and nothing can be
    /// kept. As someone may have pushed since, it loses nothing only where the remote is on this disk or checks that itself.
    Remote(Test),
    /// The same as a command; what it deletes may be saved before.
    Deletion(Test),
    /// A remark about the text as a whole.
    Note(NoteKind),
}

impl When {
    /// The calls that a table lists.
    pub(crate) const fn calls(table: &'static Table) -> Self {
        Self::Calls { table, also: |_| false, only: |_| true }
    }

    /// These, and calls that a function knows.
    pub(crate) const fn also(self, test: Test) -> Self {
        match self {
            Self::Calls { table, only, .. } => Self::Calls { table, also: test, only },
            when => when,
        }
    }

    /// Of all these, what a function admits.
    pub(crate) const fn only(self, test: Test) -> Self {
        match self {
            Self::Calls { table, also, .. } => Self::Calls { table, also, only: test },
            when => when,
        }
    }

    /// The table of calls, if it has one.
    pub fn table(self) -> Option<&'static Table> {
        match self {
            Self::Calls { table, .. } => Some(table),
            _ => None,
        }
    }

    /// Whether it asks what would be lost.
    pub fn is_about_loss(self) -> bool {
        matches!(self, Self::Loss(_) | Self::KnownLoss(_) | Self::Remote(_))
    }

    /// Whether what the command loses may be saved, so that nothing is left to say.
    pub fn can_be_kept(self) -> bool {
        matches!(self, Self::Loss(_) | Self::KnownLoss(_) | Self::Deletion(_))
    }

    /// Whether it matches a command.
    pub fn matches(&self, command: &Command<'_>) -> bool {
        match *self {
            Self::Command(matches)
            | Self::Loss(matches)
            | Self::KnownLoss(matches)
            | Self::Remote(matches)
            | Self::Deletion(matches) => matches(command),
            Self::Calls { table, also, only } => lists(command, table, [also, only]),
            Self::Note(_) => false,
        }
    }
}

/// Rules about one subject.
#[derive(Debug)]
pub struct Family {
    /// The first part of its rules' ids.
    pub id: &'static str,
    /// What it is about, in a few words.
    pub title: &'static str,
    /// Which programs may match one of its rules: a quick look before they are asked.
    pub covers: Covers,
    /// Its rules, the most severe first.
    pub rules: &'static [Rule],
}

/// Which programs a family looks at. The name is empty for a bare redirection such as `> file`.
#[derive(Debug)]
pub enum Covers {
    /// Every program: a redirection may stand anywhere.
    Every,
    /// Those whose rows in the catalog name the family.
    Listed(catalog::Tags),
    /// Those, and names of a certain form.
    Also(catalog::Tags, fn(&str) -> bool),
    /// Those, those of the other families, and programs of which the catalog knows nothing.
    OrUnknown(catalog::Tags, catalog::Tags),
    /// Those, programs of which the catalog knows nothing, and bare redirections.
    OrUnnamed(catalog::Tags),
    /// Names of a certain form only.
    Named(fn(&str) -> bool),
}

impl Covers {
    /// Whether it covers the program with this name, of which the catalog knows this.
    pub(crate) fn program(&self, name: &str, known: Option<&catalog::Program>) -> bool {
        let lists = |family| known.is_some_and(|program| program.families.meet(family));
        match *self {
            Self::Every => true,
            Self::Listed(family) => lists(family),
            Self::Also(family, form) => lists(family) || form(name),
            Self::OrUnknown(family, others) => {
                known.is_none() && !is_everyday(name) || lists(family) || lists(others)
            }
            Self::OrUnnamed(family) => {
                known.is_none() && (name.is_empty() || !is_everyday(name)) || lists(family)
            }
            Self::Named(form) => form(name),
        }
    }
}

/// Whether a name is that of a shell's own command or of a tool for text, of which every script is full: words such as
/// `delete` are data to them. Or of nothing at all.
fn is_everyday(name: &str) -> bool {
    matches!(
        name,
        "" | "["
            | "[["
            | ":"
            | "."
            | "test"
            | "true"
            | "false"
            | "echo"
            | "printf"
            | "cd"
            | "pwd"
            | "pushd"
            | "popd"
            | "set"
            | "unset"
            | "export"
            | "local"
            | "declare"
            | "typeset"
            | "readonly"
            | "shift"
            | "read"
            | "mapfile"
            | "let"
            | "return"
            | "exit"
            | "break"
            | "continue"
            | "wait"
            | "trap"
            | "alias"
            | "type"
            | "hash"
            | "shopt"
            | "tee"
            | "cat"
            | "ls"
            | "wc"
            | "sort"
            | "uniq"
            | "cut"
            | "tr"
            | "paste"
            | "column"
            | "nl"
            | "rev"
            | "tac"
            | "seq"
            | "date"
            | "sleep"
            | "basename"
            | "dirname"
            | "realpath"
            | "readlink"
            | "which"
            | "stat"
            | "file"
            | "du"
            | "df"
            | "diff"
            | "cmp"
            | "jq"
            | "yq"
            | "less"
            | "more"
            | "id"
            | "whoami"
            | "uname"
            | "hostname"
    )
}

impl Family {
    /// Whether a program may match one of its rules.
    pub fn covers(&self, name: &str) -> bool {
        self.covers.program(name, catalog::find(name))
    }

    /// Whether it has rules for a program by name: not only for every program, or for what any tool is asked to do.
    pub fn is_about(&self, name: &str) -> bool {
        match self.covers {
            Covers::Every | Covers::OrUnknown(..) => false,
            Covers::OrUnnamed(family) => Covers::Listed(family).program(name, catalog::find(name)),
            _ => self.covers(name),
        }
    }
}

impl Rule {
    /// Whether no policy may loosen it, whoever's it is.
    pub fn is_locked(&self) -> bool {
        self.family() == "guard" && self.severity == Severity::Catastrophic
    }

    /// The family's id.
    pub fn family(&self) -> &'static str {
        self.id.split_once('.').map_or(self.id, |(family, _)| family)
    }

    /// Whether a person may lift it once, for one exact action: not what is catastrophic, and of the rules that protect
    /// us only those that ask.
    pub fn once(&self) -> bool {
        // A person who is talked into it once must not switch off what asks the next time.
        let most = if self.family() == "guard" { Severity::Risky } else { Severity::Destructive };
        self.severity <= most
    }

    /// The commands of `matches` or `spares`, decoded, in the language that their prompt names: `PS> ` that of
    /// PowerShell, `C:\> ` that of cmd.
    pub fn examples(text: &'static str) -> impl Iterator<Item = (Language, String)> {
        text.lines().map(str::trim).filter(|line| !line.is_empty()).map(prompted)
    }
}

/// A command after the prompt of its shell, with `\n` written `␤`.
pub fn prompted(line: &str) -> (Language, String) {
    let (language, command) = match line.strip_prefix("PS> ") {
        Some(command) => (Language::PowerShell, command),
        None => match line.strip_prefix("C:\\> ") {
            Some(command) => (Language::Cmd, command),
            None => (Language::Posix, line),
        },
    };
    (language, command.replace('␤', "\n"))
}
