//! A program that will run, as rules look at it.

use std::borrow::Cow;
use std::cell::OnceCell;

use shell::{Analysis, Arg, Atom, Flow, Language, Place, mark, path};

use crate::builtin::{Searches, Write, has};
use crate::calls::Words;
use crate::facts::Facts;
use crate::protected::Owner;
use crate::readable::readable;
use crate::zone::Target;

/// One program of an analysis, with what rules ask about it.
///
/// Options are a property, not a spelling: bundled letters (`-rf`), abbreviated long names (`--rec`), values
/// after `=`, options after operands and letters broken up by unset variables are all the same to a rule.
pub struct Command<'a> {
    /// Everything that was found in the text.
    pub analysis: &'a Analysis,
    pub atom: &'a Atom,
    /// Its name, without a folder.
    pub name: Cow<'a, str>,
    /// What the catalog knows about it: looked up once, as every rule asks.
    pub(crate) known: Option<&'static catalog::Program>,
    /// Where it would run.
    pub facts: &'a Facts<'a>,
    /// What it writes, once someone has asked.
    pub(crate) writes: OnceCell<Vec<Write>>,
    /// Its operands as lines of calls look at them, once someone has asked.
    pub(crate) words: OnceCell<Words>,
    /// Whether it only says what it would do, once someone has asked.
    pub(crate) is_harmless: OnceCell<bool>,
    /// Whether its arguments name files that it writes, once someone has asked.
    pub(crate) is_writer: OnceCell<bool>,
    /// The strictest owner of the protected files that it touches, once someone has asked.
    pub(crate) owner: OnceCell<Option<Owner>>,
    /// Whether it may have to do with this protection, once someone has asked.
    pub(crate) is_near_guard: OnceCell<bool>,
    /// Whether it may name protected files at all, once someone has asked.
    pub(crate) names_kept: OnceCell<bool>,
    /// What the searches of its text may find, where its text is judged as a whole.
    pub(crate) searches: Option<&'a Searches>,
    /// The text in which it stands, where that is judged as a whole.
    pub(crate) source: &'a str,
    operands: OnceCell<Vec<&'a Arg>>,
}

/// What tools call the options that say where they work.
const SAYS_WHERE: &str = "\
    --context --profile --server --host --project --region --namespace --env --environment --cluster --config --token \
    --url --account --org --organization --team --workspace --subscription --zone --endpoint --user --password --stage \
    --app --site --api-key --api-url --server-url";

impl<'a> Command<'a> {
    /// An atom of an analysis, as rules look at it.
    pub fn new(analysis: &'a Analysis, atom: &'a Atom, facts: &'a Facts<'a>) -> Self {
        let name = atom.program();
        Self {
            analysis,
            atom,
            known: catalog::find(&name),
            name,
            facts,
            writes: OnceCell::new(),
            words: OnceCell::new(),
            is_harmless: OnceCell::new(),
            is_writer: OnceCell::new(),
            owner: OnceCell::new(),
            is_near_guard: OnceCell::new(),
            names_kept: OnceCell::new(),
            searches: None,
            source: "",
            operands: OnceCell::new(),
        }
    }

    /// Its place among the programs of the analysis. `None` for a copy that is not one of them.
    pub(crate) fn index(&self) -> Option<usize> {
        self.analysis.atoms.iter().position(|atom| std::ptr::eq(atom, self.atom))
    }

    /// The programs that the text names before it.
    pub(crate) fn earlier(&self) -> &'a [Atom] {
        let atoms = &self.analysis.atoms;
        &atoms[..self.index().unwrap_or(atoms.len())]
    }

    /// The arguments, without the program.
    pub fn args(&self) -> &'a [Arg] {
        self.atom.args.get(1..).unwrap_or(&[])
    }

    /// Whether the program has one of these names.
    pub fn is(&self, names: &[&str]) -> bool {
        names.contains(&&*self.name)
    }

    /// Whether the program has one of the names of a list, between which there are blanks.
    pub(crate) fn is_in(&self, names: &str) -> bool {
        has(names, &self.name)
    }

    /// Whether it is a program of this kind.
    pub(crate) fn is_kind(&self, kind: catalog::Tags) -> bool {
        self.known.is_some_and(|program| program.is.meet(kind))
    }

    /// Its options that take the next argument, separated by blanks.
    pub(crate) fn values(&self) -> &'static str {
        self.known.map_or("", |program| program.values)
    }

    /// Whether an option in front of the sub-command takes the next argument, of a tool whose options the catalog does
    /// not list: `nats --context prod stream rm`.
    pub(crate) fn says_where(&self, option: &str) -> bool {
        option.starts_with("--") && self.values().is_empty() && has(SAYS_WHERE, option)
    }

    /// Whether one of the options is given, each written as `-x` or `--long` (or `-long`, for programs with
    /// long names after one dash).
    pub fn has(&self, options: &[&str]) -> bool {
        self.options().any(|arg| {
            let text = arg.without_unset();
            options.iter().any(|option| is_option(&text, option))
        })
    }

    /// Whether an argument is exactly this text.
    pub fn has_word(&self, word: &str) -> bool {
        self.args().iter().any(|arg| arg.text == word)
    }

    /// Arguments that look like options, up to `--`.
    pub fn options(&self) -> impl Iterator<Item = &'a Arg> {
        self.args().iter().take_while(|arg| arg.text != "--").filter(|arg| {
            let text = arg.text.as_str();
            // A letter is the usual case, and no option, whatever follows it.
            if text.as_bytes().first().is_none_or(u8::is_ascii_alphanumeric) {
                return false;
            }
            let text = text.trim_start_matches(mark::UNSET);
            text.starts_with('-') && text.len() > 1
        })
    }

    /// The value of an option, where it is given first.
    pub fn value(&self, options: &[&str]) -> Option<&'a str> {
        self.values_of(options).next()
    }

    /// The values of an option: `-x V`, `-xV`, `--long V`, `--long=V`, also for abbreviations of the name.
    pub fn values_of<'o>(&self, options: &'o [&'o str]) -> impl Iterator<Item = &'a str> + 'o
    where
        'a: 'o,
    {
        let (args, known) = (self.args(), self.known);
        let own = args.iter().enumerate().take_while(|(_, arg)| arg.text != "--");
        own.filter_map(move |(at, arg)| {
            let text = arg.text.as_str();
            // Only a long name brings its value along.
            let split = if text.starts_with("--") { text.split_once('=') } else { None };
            options.iter().find_map(|option| {
                if let Some((name, value)) = split
                    && option.starts_with("--")
                    && is_option(name, option)
                {
                    return Some(value);
                }
                let next = || args.get(at + 1).map(|arg| arg.text.as_str());
                if text == *option || option.starts_with("--") && is_option(text, option) {
                    return next();
                }
                if option.len() != 2 || text.len() <= 2 || !text.starts_with('-') || text.starts_with("--") {
                    return None;
                }
                // Before the bundle: `-ofoo` is a value that is glued to its letter, whatever it ends in.
                let is_glued = text.starts_with(option);
                // `-qO FILE`: the letter that takes a value ends a bundle.
                let ends_bundle =
                    text.ends_with(&option[1..]) && text[1..].bytes().all(|b| b.is_ascii_alphabetic());
                // `migrate -path X` is neither.
                if !is_glued && !ends_bundle || takes_value(known, text) {
                    return None;
                }
                if is_glued { Some(&text[2..]) } else { next() }
            })
        })
    }

    /// Arguments that are neither options nor their values, as far as the catalog knows which options take one.
    pub fn operands(&self) -> &[&'a Arg] {
        self.operands.get_or_init(|| self.without_options())
    }

    fn without_options(&self) -> Vec<&'a Arg> {
        let values = self.values();
        let mut values_here = self.known.map_or("", |program| program.anywhere);
        let mut operands: Vec<&Arg> = Vec::with_capacity(self.args().len());
        let mut args = self.args().iter();
        let mut options = true;
        while let Some(arg) = args.next() {
            let text = arg.text.as_str();
            if options && text == "--" {
                options = false;
            } else if options && text.starts_with('-') && text.len() > 1 {
                // `--option=value` brings its value along.
                if !text.contains('=')
                    && (has(values, text)
                        || has(values_here, text)
                        || ends_with_value(text, [values, values_here])
                        || operands.is_empty() && self.says_where(text)
                        || self.is_code(text))
                {
                    args.next();
                }
            } else {
                // Nothing but the sub-command chooses options: `git mv config file` has no options of `git config`.
                let of_sub = match operands.as_slice() {
                    [] => self.known.and_then(|program| program.values_of(text)),
                    // Two words for programs with groups of sub-commands: `gh repo create`.
                    [group] => self.known.and_then(|program| program.values_within(&group.text, text)),
                    _ => None,
                };
                values_here = of_sub.unwrap_or(values_here);
                operands.push(arg);
            }
        }
        operands
    }

    /// Whether an option of an interpreter takes code, or something else that is not a file to run: `perl -i -pe CODE`.
    fn is_code(&self, option: &str) -> bool {
        let Some(code) = self.known.and_then(|program| program.code.as_ref()) else { return false };
        let bundle = || {
            let letters = option.strip_prefix('-')?;
            let ends = code.letter.is_some_and(|letter| letters.ends_with(letter));
            Some(ends && letters.bytes().all(|letter| letter.is_ascii_alphabetic()))
        };
        has(code.options, option) || has(code.values, option) || bundle().unwrap_or_default()
    }

    /// Whether the operands begin with these words: a sub-command, past global options. `*` stands for any
    /// one word, and `a|b` for either.
    pub fn sub(&self, words: &[&str]) -> bool {
        let operands = self.operands();
        operands.len() >= words.len()
            && words
                .iter()
                .zip(operands)
                .all(|(word, arg)| *word == "*" || word.split('|').any(|word| word == arg.text))
    }

    /// What an operand names as a path of this machine.
    pub fn target(&self, path: &str) -> Target {
        if !self.analysis.links.is_empty()
            // Who makes a link names the link.
            && !self.is(&["ln", "gln", "mount"])
            && let Some(real) = self.followed(path)
        {
            let followed = self.facts.target(&real, self.atom);
            // A descriptor is the file that it stands for.
            if is_descriptor(path) {
                return followed;
            }
            let named = self.facts.target(path, self.atom);
            // Whichever is worse: the text may have made the link only in one of its branches.
            return if followed.outweighs(&named) { followed } else { named };
        }
        self.facts.target(path, self.atom)
    }

    /// Where a path leads through the links that the command text makes itself, and where what lies there was before it
    /// was moved. A path that only names a link means the link to those that take names away, and what it leads to for
    /// everyone else.
    fn followed(&self, path: &str) -> Option<String> {
        let takes_names = self.is(&["rm", "unlink", "mv", "ls", "readlink", "rmdir"]);
        let comes_after = |programs: usize| self.index().is_none_or(|own| own >= programs);
        let full = path::join(&self.atom.cwd, path).replace("/proc/self/fd/", "/dev/fd/");
        self.analysis.links.iter().rev().find_map(|link| {
            // A folder is more than what was moved into it.
            let holds = link.moved.is_some_and(comes_after) && path::is_within(&link.at, &full);
            let rest = if holds { "" } else { full.strip_prefix(&link.at)? };
            let is_itself = rest.is_empty()
                && match link.moved {
                    Some(_) => !self.is(&["mv", "gmv"]),
                    None => path.ends_with('/') || !takes_names,
                };
            let through = (is_itself || rest.starts_with('/')) && link.moved.is_none_or(comes_after);
            through.then(|| path::join(&link.to, rest.trim_start_matches('/')))
        })
    }

    /// What each operand names as a path.
    pub fn targets(&self) -> Vec<Target> {
        self.operands().iter().copied().map(|arg| self.target(&arg.text)).collect()
    }

    /// The files that redirections write, with their flow.
    pub fn written(&self) -> impl Iterator<Item = (Target, Flow)> {
        let redirects = self.atom.redirects.iter().filter(|redirect| redirect.flow != Flow::Read);
        redirects.map(|redirect| (self.target(&redirect.target), redirect.flow))
    }

    /// Whether it only explains itself: `--help`, `--version`.
    pub fn only_asks(&self) -> bool {
        let mut before = "";
        // The value of an option does not ask anything: `chmod -R --reference --help /`.
        let mut options = self.args().iter().take_while(|arg| arg.text != "--").filter(|arg| {
            let before = std::mem::replace(&mut before, arg.text.as_str());
            matches!(arg.text.as_str(), "--help" | "--version" | "-help") && !takes_value(self.known, before)
        });
        options.next().is_some()
            // One letter means other things beside other arguments: `-h` is a host to many.
            || self.args().len() == 1
                && matches!(self.args()[0].text.as_str(), "-h" | "-V" | "help" | "version")
    }

    /// Whether it only shows what it would do: `-WhatIf`, `/?`.
    pub(crate) fn only_shows(&self) -> bool {
        self.atom.shell != Language::Posix
            && self.args().iter().any(|arg| matches!(arg.text.as_str(), "-WhatIf" | "/?" | "-?"))
    }

    /// The values of a parameter of a cmdlet, whose name is written in full.
    pub fn parameter(&self, name: &'static str) -> impl Iterator<Item = &'a Arg> {
        let named = move |arg: &Arg| arg.text.strip_prefix('-').is_some_and(|text| text == name);
        let after = self.args().iter().skip_while(move |arg| !named(arg)).skip(1);
        after.take_while(|arg| !is_parameter(&arg.text))
    }

    /// Whether it runs on this machine, not in a container or elsewhere.
    pub fn is_here(&self) -> bool {
        self.atom.place == Place::Here
    }

    /// The variables that its line sets for it, with their values: in front of it, by what starts it (`env A=b x`,
    /// `A=b make`), and exported before it. For what restricts: a later value takes none of them back.
    pub fn variables(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let atoms = &self.analysis.atoms;
        let parent = |atom: &&'a Atom| atom.via.and_then(|via| atoms.get(via.parent as usize));
        let started_by: Vec<&Atom> = std::iter::successors(Some(self.atom), parent).collect();
        let exports = |atom: &Atom| has("export declare typeset set setx", &atom.program());
        let set_for_it = move |atom: &&Atom| {
            exports(atom) || started_by.iter().any(|starter| std::ptr::eq(*starter, *atom))
        };
        let before = self.earlier().iter().filter(set_for_it);
        // `env` and its like take assignments as arguments.
        let given = before
            .clone()
            .flat_map(|atom| atom.args.iter().skip(1).filter_map(|arg| arg.text.split_once('=')));
        let given = given.filter(|(name, _)| !name.starts_with('-'));
        let assigned = before.chain([self.atom]).flat_map(|atom| &atom.assigns);
        assigned.map(|(name, value)| (name.as_str(), value.as_str())).chain(given)
    }

    /// The value that a variable of its line surely has for it: for what loosens. It stands in front of the command or of
    /// what starts it, or it was exported by a step that surely ran in the same shell, and once only.
    pub(crate) fn variable(&self, name: &str) -> Option<&'a str> {
        let atoms = &self.analysis.atoms;
        let parent = |via: shell::Via| atoms.get(via.parent as usize);
        let mut chain = std::iter::successors(Some(self.atom), |atom| atom.via.and_then(parent));
        let of = |atom: &'a Atom| {
            let value = atom.assigns.iter().rev().find(|(known, _)| known == name);
            value.map(|(_, value)| value.as_str())
        };
        // `env -u NAME`, `unset NAME`
        let takes = |atom: &Atom| {
            matches!(&*atom.program(), "unset" | "env")
                && atom.args.iter().any(|arg| matches!(&*arg.text, "-i" | "-u"))
                || atom.program() == "unset" && atom.args.iter().any(|arg| arg.text == name)
        };
        if atoms.iter().any(takes) {
            return None;
        }
        if let Some(value) = chain.find_map(of) {
            return Some(value);
        }
        let is_export =
            |atom: &&Atom| has("export declare typeset", &atom.program()) && self.runs_first(atom);
        let set =
            self.source.match_indices(name).filter(|(at, _)| self.source[at + name.len()..].starts_with('='));
        let value = atoms.iter().filter(is_export).find_map(of);
        value.filter(|_| set.count() == 1)
    }

    /// Whether a step surely runs before the others and in the same shell: nothing in front of it opens a group, a branch
    /// or a pipe.
    fn runs_first(&self, atom: &Atom) -> bool {
        let (start, end) = (atom.span.start as usize, atom.span.end as usize);
        let (Some(before), Some(after)) = (self.source.get(..start), self.source.get(end..)) else {
            return false;
        };
        let opens = "if for while until case select function then do else { ! || &&";
        let after = after.trim_start_matches([' ', '\t']);
        atom.file.is_none()
            && !before.contains(['(', '`', '|'])
            && !before.split_whitespace().any(|word| has(opens, word))
            && !after.starts_with('|')
            && (!after.starts_with('&') || after.starts_with("&&"))
    }

    /// Whether it names a variable of the environment, whose value no one knows here: `psql "$PROD_URL"`.
    pub(crate) fn names_variable(&self, test: impl Fn(&str) -> bool) -> bool {
        let leaves_open = |text: &str| text.contains(mark::UNSET);
        let is_open = |atom: &Atom| {
            atom.args.iter().any(|arg| leaves_open(&arg.text))
                || atom.assigns.iter().any(|(_, value)| leaves_open(value))
        };
        let named = |atom: &Atom| {
            let (start, end) = (atom.span.start as usize, atom.span.end as usize);
            let text = self.source.get(start..end).unwrap_or("");
            text.split('$').skip(1).any(|rest| {
                let rest = rest.trim_start_matches('{');
                test(rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or(""))
            })
        };
        // What starts it may set a variable for it: `DATABASE_URL=$PROD_URL npx prisma`.
        let parent = |via: shell::Via| self.analysis.atoms.get(via.parent as usize);
        let mut atoms = std::iter::successors(Some(self.atom), |atom| atom.via.and_then(parent));
        // A span is that of a file's own text for what stands in one.
        atoms.any(|atom| atom.file.is_none() && is_open(atom) && named(atom))
    }

    /// The commands whose output comes to it through a pipe.
    pub fn feeders(&self) -> impl Iterator<Item = &'a Atom> {
        self.analysis.feeders(self.atom)
    }

    /// The commands to which its output goes through a pipe.
    pub fn readers(&self) -> impl Iterator<Item = &'a Atom> {
        self.analysis.readers(self.atom)
    }

    /// The command as it reads for a person, after its place if it stands in a file.
    pub fn readable(&self) -> String {
        let command = self.readable_alone();
        match self.file_and_line() {
            Some(place) => format!("{place}: {command}"),
            None => command,
        }
    }

    /// The same without its place.
    pub fn readable_alone(&self) -> String {
        readable(self.atom)
    }

    /// The file and the line in which it stands, if that is not the original text.
    pub fn file_and_line(&self) -> Option<String> {
        place(self.analysis, self.atom.file, self.atom.span, self.facts)
    }
}

/// The file and the line of something that does not stand in the original text, as a person names it: `clean.sh:3`.
pub(crate) fn place(
    analysis: &Analysis,
    file: Option<u32>,
    span: shell::Span,
    facts: &Facts<'_>,
) -> Option<String> {
    let file = analysis.files.get(file? as usize)?;
    let below = |folder: &str| file.path.strip_prefix(folder)?.strip_prefix('/');
    let path = facts.cwd.and_then(below).unwrap_or(&file.path);
    // A file's name is someone's text as well: it must not end the line on which it is quoted.
    let path: String = path.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    Some(format!("{path}:{}", file.line(span)))
}

/// Whether a path names a descriptor of the shell itself.
fn is_descriptor(path: &str) -> bool {
    path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/")
}

/// Whether `text` is the name of a cmdlet's parameter.
fn is_parameter(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Whether the last letter of a bundle takes the next argument, and no letter before it takes the rest: `-avze VALUE`.
fn ends_with_value(text: &str, lists: [&str; 2]) -> bool {
    // Most options are long, or a letter of their own, which the lists have as it stands; `-40` is a number.
    let letters = text.as_bytes();
    if letters.len() < 3 || letters[1] == b'-' || !letters[letters.len() - 1].is_ascii_alphabetic() {
        return false;
    }
    let valued = |letter: char| lists.iter().any(|list| catalog::has_letter(list, letter));
    let (before, last) = text[1..].split_at(text.len() - 2);
    last.chars().all(valued) && !before.chars().any(valued)
}

/// Whether `text` is the option, in one of its spellings.
pub fn is_option(text: &str, option: &str) -> bool {
    if let Some(long) = option.strip_prefix("--") {
        let Some(name) = text.strip_prefix("--") else { return false };
        let name = name.split('=').next().unwrap_or("");
        // An unambiguous abbreviation counts; an ambiguous one would be refused by the program.
        return !name.is_empty() && long.starts_with(name);
    }
    if option.len() == 2 {
        return text.len() > 1
            && !text.starts_with("--")
            && text.starts_with('-')
            && text[1..]
                .chars()
                // A bundle ends where a value is glued to it: `-C/tmp/f` has no `f`.
                .take_while(|c| c.is_ascii_alphanumeric() || mark::is_mark(*c))
                .any(|c| option.ends_with(c));
    }
    text == option || text.strip_prefix(option).is_some_and(|rest| rest.starts_with(['=', ':']))
}

/// Whether the catalog says that an option takes the next argument.
fn takes_value(known: Option<&catalog::Program>, option: &str) -> bool {
    option.starts_with('-')
        && known.is_some_and(|known| has(known.values, option) || has(known.anywhere, option))
}

#[cfg(test)]
mod tests {
    use super::is_option;

    #[test]
    fn an_option_is_found_in_every_spelling() {
        for (text, option, expected) in [
            ("-rf", "-r", true),
            ("-fr", "-r", true),
            ("--recursive", "--recursive", true),
            ("--rec", "--recursive", true),
            ("--force-with-lease", "--force", false),
            ("--fo", "--force", true),
            ("--color=always", "--color", true),
            ("-f", "-r", false),
            ("--", "--force", false),
            ("-auto-approve", "-auto-approve", true),
            ("-auto-approve=true", "-auto-approve", true),
        ] {
            assert_eq!(is_option(text, option), expected, "{text} {option}");
        }
    }
}
