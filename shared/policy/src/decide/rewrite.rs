//! What a call becomes where a rule rewrites it: words of the command, in its own place, and nothing else.
//!
//! Whoever sends it judges the new text by everything first: see [`Rewritten`].

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use shell::{Analysis, Atom, Place, mark};

use super::Judge;
use crate::action::Part;
use crate::finding::Finding;
use crate::model::{Rewrite, Rule};

/// A call in the form in which it would run instead. It is a proposal: until it has been judged, nothing says that it may
/// run, and where it may not, the finding that brought it stays what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewritten {
    /// The texts of the call's commands, in their order.
    pub texts: Vec<String>,
    /// The rule, with its reason.
    pub rule: String,
    pub reason: String,
    /// The command as it was, and as it is.
    pub before: String,
    pub after: String,
}

/// The platform's programs that put files into the trash, the usual one first: where one lies, how it is called, and what it
/// takes for `-f`.
#[cfg(target_os = "macos")]
const TRASHES: &[(&str, &str, &str)] = &[
    ("/usr/bin/trash", "trash", ""),
    ("/opt/homebrew/bin/trash", "trash", ""),
    ("/usr/local/bin/trash", "trash", ""),
];
#[cfg(not(target_os = "macos"))]
const TRASHES: &[(&str, &str, &str)] =
    &[("/usr/bin/gio", "gio trash", " -f"), ("/usr/bin/trash-put", "trash-put", " -f")];

impl Judge<'_, '_> {
    /// What the call becomes by the rules that rewrite, if all of what holds it back may be gone by that.
    pub(super) fn rewritten(&self, findings: &[Finding]) -> Option<Rewritten> {
        let rewrites = |file: &&crate::layers::File<'_>| {
            file.may_loosen && file.policy.rules.iter().any(|rule| rewrite(rule).is_some())
        };
        // Nearly no policy rewrites, and only what is held back comes here at all.
        self.stack.files.iter().find(rewrites)?;
        let mut texts: Vec<String> =
            self.action.commands.iter().map(|command| command.text.to_owned()).collect();
        let mut done: Vec<(usize, Range<usize>, String)> = Vec::new();
        let mut first = None;
        for finding in findings.iter().filter(|finding| finding.counts() && !finding.maybe) {
            let (Part::Command { text, atom }, Some((rule, how))) = (finding.part, self.rewriter(finding))
            else {
                continue;
            };
            let analysis = self.case.analyses.get(text)?;
            let of = analysis.atoms.get(atom)?;
            let range = of.span.range();
            if done.iter().any(|(known, place, _)| *known == text && *place == range) {
                continue;
            }
            let source = self
                .action
                .commands
                .get(text)
                .filter(|command| command.language == rules::Language::Posix)?;
            let written = plainly_written(source.text, analysis, of)?;
            let after = written.anew(how, self.case.facts.sees_disk())?;
            first.get_or_insert_with(|| (rule, written.raw.to_owned(), after.clone()));
            done.push((text, range, after));
        }
        // From the end, so that the places before stay where they are.
        done.sort_by_key(|(text, place, _)| (*text, std::cmp::Reverse(place.start)));
        for (text, place, after) in done {
            texts.get_mut(text)?.replace_range(place, &after);
        }
        let (rule, before, after) = first?;
        Some(Rewritten {
            texts,
            rule: rule.id.clone().into_owned(),
            reason: rule.reason.clone().into_owned(),
            before,
            after,
        })
    }

    /// The rule of a finding, if it rewrites and its file may loosen: what a repository says does not choose what runs.
    fn rewriter(&self, finding: &Finding) -> Option<(&Rule<'_>, &Rewrite<'_>)> {
        let files = self
            .stack
            .files
            .iter()
            .filter(|file| file.may_loosen && Some(&file.name) == finding.file.as_ref());
        let mut rules = files.flat_map(|file| &file.policy.rules);
        let rule = rules.find(|rule| rule.id == finding.rule)?;
        Some((rule, rewrite(rule)?))
    }
}

fn rewrite<'r, 'f>(rule: &'r Rule<'f>) -> Option<&'r Rewrite<'f>> {
    rule.more.as_ref()?.rewrite.as_ref()
}

/// A command whose words stand in the text as they are: no expansion, no wrapper, no other file.
struct Written<'t> {
    raw: &'t str,
    /// The words, with their places in it.
    words: Vec<(Range<usize>, Cow<'t, str>)>,
}

/// The command as it is written, if every word of it is known and stands there.
fn plainly_written<'t>(text: &'t str, analysis: &Analysis, atom: &Atom) -> Option<Written<'t>> {
    if atom.via.is_some() || atom.file.is_some() || atom.place != Place::Here || !analysis.notes.is_empty() {
        return None;
    }
    let raw = text.get(atom.span.range())?;
    let words = words(raw)?;
    let same = words.len() == atom.args.len()
        && words.iter().zip(atom.args.iter()).all(|((_, word), arg)| {
            // A pattern stands for itself in both; what only run time tells does not.
            !arg.has_hole() && **word == *mark::readable(&arg.text)
        });
    // Loops and functions run one text several times, with other words each time.
    let alone =
        analysis.atoms.iter().filter(|other| other.span == atom.span && other.file.is_none()).count() == 1;
    (same && alone).then_some(Written { raw, words })
}

/// The words of a command without anything that a shell expands but patterns.
fn words(raw: &str) -> Option<Vec<(Range<usize>, Cow<'_, str>)>> {
    let mut words = Vec::new();
    let mut chars = raw.char_indices().peekable();
    loop {
        while chars.next_if(|(_, c)| matches!(c, ' ' | '\t')).is_some() {}
        let Some(&(start, _)) = chars.peek() else { return Some(words) };
        let mut word = String::new();
        let mut end = start;
        while let Some((at, c)) = chars.next_if(|(_, c)| !matches!(c, ' ' | '\t')) {
            match c {
                '\'' => loop {
                    match chars.next()? {
                        (_, '\'') => break,
                        (_, c) => word.push(c),
                    }
                },
                '"' => loop {
                    match chars.next()? {
                        (_, '"') => break,
                        (_, '$' | '`' | '\\' | '!') => return None,
                        (_, c) => word.push(c),
                    }
                },
                '$' | '`' | '\\' | '{' | '}' | '<' | '>' | '|' | '&' | ';' | '(' | ')' | '\n' | '\r'
                | '#' | '!' | '~' => {
                    return None;
                }
                c => word.push(c),
            }
            end = chars.peek().map_or(raw.len(), |(next, _)| *next).max(at);
        }
        words.push((start..end, Cow::Owned(word)));
    }
}

impl Written<'_> {
    /// The command as the rule wants it; nothing where that changes nothing, or cannot be done.
    fn anew(&self, how: &Rewrite<'_>, sees_disk: bool) -> Option<String> {
        let mut edits: Vec<(Range<usize>, String)> = Vec::new();
        let options = self.words.iter().position(|(_, word)| word == "--").unwrap_or(self.words.len());
        if how.trash {
            self.to_trash(options, sees_disk, &mut edits)?;
        }
        for (place, word) in &self.words[..options] {
            if let Some((_, to)) = how.swap.iter().find(|(from, _)| from == word) {
                edits.push((place.clone(), to.clone().into_owned()));
            }
        }
        if !how.add.is_empty() {
            let at = match self.words.get(options) {
                Some((place, _)) => place.start,
                None => self.raw.trim_end().len(),
            };
            let added = how.add.join(" ");
            let added = if options == self.words.len() { format!(" {added}") } else { format!("{added} ") };
            edits.push((at..at, added));
        }
        if edits.is_empty() {
            return None;
        }
        let mut text = self.raw.to_owned();
        edits.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
        for (place, with) in edits {
            text.replace_range(place, &with);
        }
        (text != self.raw).then_some(text)
    }

    /// `rm -rf x` as the trash's own command.
    fn to_trash(
        &self,
        options: usize,
        sees_disk: bool,
        edits: &mut Vec<(Range<usize>, String)>,
    ) -> Option<()> {
        let (program, name) = self.words.first()?;
        if name != "rm" {
            return None;
        }
        // On paper no one knows what is installed.
        let found = TRASHES.iter().find(|(path, ..)| !sees_disk || Path::new(path).exists());
        let (_, trash, force) = found?;
        let mut forces = false;
        for (place, word) in self.words.iter().take(options).skip(1).filter(|(_, word)| word.starts_with('-'))
        {
            let known = match word.strip_prefix("--") {
                Some(long) => matches!(long, "recursive" | "force" | "verbose" | "dir"),
                None => word.len() > 1 && word[1..].chars().all(|c| matches!(c, 'r' | 'R' | 'f' | 'v' | 'd')),
            };
            if !known {
                return None;
            }
            forces |= word == "--force" || !word.starts_with("--") && word.contains('f');
            // With the blank before it.
            edits.push((place.start - 1..place.end, String::new()));
        }
        edits.push((program.clone(), format!("{trash}{}", if forces { force } else { "" })));
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_a_shell_makes_of_them_or_nothing() {
        for (raw, expected) in [
            ("git push --force", Some("git,push,--force")),
            ("rm -rf 'my dir'  \"a b\"", Some("rm,-rf,my dir,a b")),
            ("rm *.o", Some("rm,*.o")),
            ("rm $x", None),
            ("rm \"$x\"", None),
            ("rm a > b", None),
            ("rm ~/x", None),
            ("rm 'a", None),
            ("rm a{b,c}", None),
            ("r\\m x", None),
        ] {
            let found = words(raw).map(|words| {
                words.iter().map(|(_, word)| word.clone().into_owned()).collect::<Vec<_>>().join(",")
            });
            assert_eq!(found.as_deref(), expected, "{raw}");
        }
    }
}
