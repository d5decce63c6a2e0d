//! Regular expressions of hosts: as one of ours, an example of what they match, and the plain commands that they mean.

use regex_lite::RegexBuilder;
use regex_syntax::ast::parse::ParserBuilder;
use regex_syntax::ast::{
    AssertionKind, Ast, ClassPerlKind, ClassSet, ClassSetItem, GroupKind, RepetitionKind, RepetitionRange,
};

/// A string that stands for itself.
pub(crate) fn escape(text: &str) -> String {
    regex_lite::escape(text)
}

/// An expression in our form, with an example of what it matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) pattern: String,
    pub(crate) sample: String,
}

/// An expression of JavaScript in our form; or why there is none. Of its flags those count that change what it matches.
pub(crate) fn known(pattern: &str, flags: &str) -> Result<Known, &'static str> {
    // What JavaScript lets people escape, and Rust does not.
    let pattern = pattern.replace("\\/", "/").replace("\\-", "-");
    let flags: String = ['i', 'm', 's'].into_iter().filter(|flag| flags.contains(*flag)).collect();
    let body = pattern;
    // The flags stand in the pattern itself: a rule's text is one string, without any beside it.
    let pattern = if flags.is_empty() { body.clone() } else { format!("(?{flags}){body}") };
    let regex = RegexBuilder::new(&pattern)
        // A host's file may come from a repository: what it makes us compile is bounded.
        .size_limit(1 << 20)
        .nest_limit(64)
        .build()
        .map_err(|_| "the regular expression uses look-around or other features that ours do not have")?;
    // What fits the empty string fits somewhere in every command.
    if regex.is_match("") {
        return Err("the regular expression matches everything");
    }
    let sample =
        Either::read(&body).and_then(|either| either.sample()).filter(|sample| regex.is_match(sample));
    let sample = sample.ok_or("no example of what the regular expression matches could be made")?;
    Ok(Known { pattern, sample })
}

/// The commands that an expression means, if it is no more than a list of them: each with whether more may follow.
pub(crate) fn commands(pattern: &str) -> Option<Vec<(String, bool)>> {
    let pattern = pattern.replace("\\/", "/").replace("\\-", "-");
    // Without `^` the words may stand anywhere in the text.
    let rest = pattern.strip_prefix('^')?;
    let either = Either::read(rest)?;
    let mut all = Vec::new();
    for sequence in &either.0 {
        all.extend(sequence.commands()?);
    }
    (!all.is_empty() && all.len() <= MAX_COMMANDS).then_some(all)
}

/// Commands that one expression may stand for.
const MAX_COMMANDS: usize = 64;
/// Pieces that an example may be made of.
const MAX_STEPS: u32 = 2_000;
/// Groups, alternatives and repetitions inside each other that are followed.
const MAX_DEPTH: u32 = 48;

/// `a|b`
#[derive(Debug, Clone)]
struct Either(Vec<Sequence>);

#[derive(Debug, Clone, Default)]
struct Sequence(Vec<Piece>);

#[derive(Debug, Clone)]
struct Piece {
    what: What,
    min: u32,
    max: Option<u32>,
}

#[derive(Debug, Clone)]
enum What {
    Literal(char),
    /// Some character, one of which is this.
    Any(char),
    Blank,
    Start,
    End,
    Edge,
    Group(Either),
}

impl Either {
    /// As `regex-syntax` reads it; nothing for what has no plain example, such as other flags inside.
    fn read(pattern: &str) -> Option<Self> {
        let ast = ParserBuilder::new().nest_limit(MAX_DEPTH).build().parse(pattern).ok()?;
        Self::of(&ast)
    }

    fn of(ast: &Ast) -> Option<Self> {
        let sequences = match ast {
            Ast::Alternation(either) => either.asts.iter().map(Sequence::of).collect::<Option<_>>()?,
            one => vec![Sequence::of(one)?],
        };
        Some(Self(sequences))
    }
}

impl Sequence {
    fn of(ast: &Ast) -> Option<Self> {
        let pieces = match ast {
            Ast::Empty(_) => Vec::new(),
            Ast::Concat(all) => all.asts.iter().map(Piece::of).collect::<Option<_>>()?,
            one => vec![Piece::of(one)?],
        };
        Some(Self(pieces))
    }
}

impl Piece {
    fn of(ast: &Ast) -> Option<Self> {
        let Ast::Repetition(repetition) = ast else {
            return Some(Self { what: What::of(ast)?, min: 1, max: Some(1) });
        };
        let (min, max) = match repetition.op.kind {
            RepetitionKind::ZeroOrOne => (0, Some(1)),
            RepetitionKind::ZeroOrMore => (0, None),
            RepetitionKind::OneOrMore => (1, None),
            RepetitionKind::Range(RepetitionRange::Exactly(times)) => (times, Some(times)),
            RepetitionKind::Range(RepetitionRange::AtLeast(min)) => (min, None),
            RepetitionKind::Range(RepetitionRange::Bounded(min, max)) => (min, Some(max)),
        };
        Some(Self { what: What::of(&repetition.ast)?, min, max })
    }
}

impl What {
    fn of(ast: &Ast) -> Option<Self> {
        Some(match ast {
            Ast::Literal(literal) => Self::Literal(literal.c),
            // For an example, any letter does.
            Ast::Dot(_) => Self::Any('x'),
            Ast::Assertion(assertion) => match assertion.kind {
                AssertionKind::StartLine => Self::Start,
                AssertionKind::EndLine => Self::End,
                AssertionKind::WordBoundary => Self::Edge,
                _ => return None,
            },
            Ast::ClassPerl(class) => match (&class.kind, class.negated) {
                (ClassPerlKind::Space, false) => Self::Blank,
                (ClassPerlKind::Digit, false) => Self::Any('1'),
                // A character that is not part of a word.
                (ClassPerlKind::Word, true) => Self::Any('-'),
                _ => Self::Any('x'),
            },
            Ast::ClassBracketed(class) => {
                let mut listed = Vec::new();
                let ClassSet::Item(item) = &class.kind else { return None };
                list(item, &mut listed)?;
                match listed.as_slice() {
                    // The first of these that the class does not exclude.
                    _ if class.negated => Self::Any("xyz019_.-/".chars().find(|c| !listed.contains(c))?),
                    [one] => Self::Literal(*one),
                    [first, ..] => Self::Any(*first),
                    [] => return None,
                }
            }
            Ast::Group(group) if !matches!(group.kind, GroupKind::NonCapturing(ref flags) if !flags.items.is_empty()) => {
                Self::Group(Either::of(&group.ast)?)
            }
            _ => return None,
        })
    }
}

/// One character for each thing that stands in brackets, and both ends of a range.
fn list(item: &ClassSetItem, listed: &mut Vec<char>) -> Option<()> {
    match item {
        ClassSetItem::Empty(_) => {}
        ClassSetItem::Literal(literal) => listed.push(literal.c),
        ClassSetItem::Range(range) => listed.extend([range.start.c, range.end.c]),
        ClassSetItem::Perl(class) if !class.negated => listed.push(match class.kind {
            ClassPerlKind::Space => ' ',
            ClassPerlKind::Word => 'x',
            ClassPerlKind::Digit => '1',
        }),
        ClassSetItem::Union(union) => union.items.iter().try_for_each(|item| list(item, listed))?,
        _ => return None,
    }
    Some(())
}

impl Either {
    /// A string that fits.
    fn sample(&self) -> Option<String> {
        let mut text = String::new();
        let mut steps = MAX_STEPS;
        self.0.first()?.sample(&mut text, &mut steps)?;
        Some(text)
    }
}

impl Sequence {
    fn sample(&self, text: &mut String, steps: &mut u32) -> Option<()> {
        for piece in &self.0 {
            // The fewest that fit. Sixty-four of a thing are enough for an example, and one that is too short
            // is found out by the expression itself.
            for _ in 0..piece.min.min(64) {
                match &piece.what {
                    What::Literal(c) | What::Any(c) => text.push(*c),
                    What::Blank => text.push(' '),
                    What::Start | What::End | What::Edge => {}
                    What::Group(either) => either.0.first()?.sample(text, steps)?,
                }
                // Groups of nothing inside each other take long and write nothing.
                *steps = steps.checked_sub(1)?;
                if text.len() > 500 {
                    return None;
                }
            }
        }
        Some(())
    }

    /// Strings with whether more may follow; nothing, if it is more than that.
    fn commands(&self) -> Option<Vec<(String, bool)>> {
        let mut texts = vec![String::new()];
        let mut pieces = self.0.iter().peekable();
        while let Some(piece) = pieces.next() {
            let last = pieces.peek().is_none();
            let once = (piece.min, piece.max) == (1, Some(1));
            match &piece.what {
                What::Literal(c) if once => texts.iter_mut().for_each(|text| text.push(*c)),
                What::Blank if piece.min == 1 => texts.iter_mut().for_each(|text| text.push(' ')),
                What::End if last => return Some(texts.into_iter().map(|text| (text, false)).collect()),
                // `\b`, and perhaps `.*` or ` .*` after it.
                What::Edge => {
                    let rest: Vec<&Piece> = pieces.collect();
                    let open = rest.iter().all(|piece| piece.min == 0 || matches!(piece.what, What::End));
                    let ends = rest.len() == 1 && matches!(rest[0].what, What::End);
                    return open.then(|| texts.into_iter().map(|text| (text, !ends)).collect());
                }
                // `(\s|$)`
                What::Group(either) if last && once && either.is_end() => {
                    return Some(texts.into_iter().map(|text| (text, true)).collect());
                }
                What::Group(either) if once => {
                    let mut inner = Vec::new();
                    for sequence in &either.0 {
                        // Where more may follow in one of them, all of it is more than a list.
                        inner.extend(sequence.commands_inside()?);
                    }
                    if texts.len() * inner.len() > MAX_COMMANDS {
                        return None;
                    }
                    texts = texts
                        .iter()
                        .flat_map(|text| inner.iter().map(move |inner| format!("{text}{inner}")))
                        .collect();
                }
                _ => return None,
            }
        }
        // Without an end the last word may go on: whole words are less than that.
        Some(texts.into_iter().map(|text| (text, true)).collect())
    }

    /// Literal strings inside a group.
    fn commands_inside(&self) -> Option<Vec<String>> {
        let plain = self.0.iter().all(|piece| {
            (piece.min, piece.max) == (1, Some(1))
                && matches!(piece.what, What::Literal(_) | What::Group(_) | What::Blank)
                || matches!(piece.what, What::Blank) && piece.min == 1
        });
        if !plain {
            return None;
        }
        Some(self.commands()?.into_iter().map(|(text, _)| text).collect())
    }
}

impl Either {
    /// `\s|$` and the like.
    fn is_end(&self) -> bool {
        self.0.len() > 1
            && self.0.iter().all(|sequence| {
                matches!(sequence.0.as_slice(), [Piece { what: What::End | What::Blank, .. }])
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_made_from_expressions() {
        for (pattern, sample) in [
            (r"^git push\b", "git push"),
            (r"^(ls|cat)(\s|$)", "ls "),
            (r"rm\s+-[a-z]*r", "rm -r"),
            (r"a{3}b?", "aaa"),
            (r"[^x]y", "yy"),
            (r"^npm (run )?test$", "npm test"),
            (r"\.env\b", ".env"),
        ] {
            assert_eq!(known(pattern, "").map(|known| known.sample), Ok(sample.to_owned()), "{pattern}");
        }
        let nothing = format!("x{}a?{}", "(?:".repeat(12), "){60}".repeat(12));
        assert_eq!(Either::read(&nothing).and_then(|either| either.sample()), None, "it takes too long");
        for pattern in [r"(?!x)y", r"(?<=a)b", r"a\1", "", "x*", "(", "[", r"\bgit\b(?=x)"] {
            assert!(known(pattern, "").is_err(), "{pattern}");
        }
    }

    #[test]
    fn lists_of_commands_are_seen() {
        let all = |pattern: &str| {
            commands(pattern).map(|all| {
                all.into_iter()
                    .map(|(text, open)| format!("{text}{}", if open { " …" } else { "" }))
                    .collect::<Vec<_>>()
            })
        };
        for (pattern, expected) in [
            (r"^git status\b", &["git status …"][..]),
            (r"^git (status|diff)$", &["git status", "git diff"]),
            (r"^(ls|pwd)(\s|$)", &["ls …", "pwd …"]),
            (r"^npm\s+test\b.*$", &["npm test …"]),
            (r"^ls$|^pwd$", &["ls"]),
            (r"^git\s+(branch|tag)\s+list\b", &["git branch list …", "git tag list …"]),
        ] {
            if pattern.contains("|^") {
                assert_eq!(all(pattern), None, "{pattern}");
            } else {
                assert_eq!(all(pattern).unwrap_or_default(), expected, "{pattern}");
            }
        }
        for pattern in ["git", "^git .*", "^git( push)?", "^[a-z]+", "^git(?! push)", "^a.b"] {
            assert_eq!(all(pattern), None, "{pattern}");
        }
    }
}
