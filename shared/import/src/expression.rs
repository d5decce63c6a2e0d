//! Regular expressions of hosts: as one of ours, an example of what they match, and the plain commands that they mean.

use regex_lite::RegexBuilder;

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
    let pattern = if flags.is_empty() { body.clone() } else { format!("(?{flags}){body}") };
    let regex = RegexBuilder::new(&pattern)
        .size_limit(1 << 20)
        .nest_limit(64)
        .build()
        .map_err(|_| "the regular expression looks around or uses what ours do not have")?;
    if regex.is_match("") {
        return Err("the regular expression matches everything");
    }
    let sample =
        Reader::read(&body).and_then(|either| either.sample()).filter(|sample| regex.is_match(sample));
    let sample = sample.ok_or("no example of what the regular expression matches could be made")?;
    Ok(Known { pattern, sample })
}

/// The commands that an expression means, if it is no more than a list of them: each with whether more may follow.
pub(crate) fn commands(pattern: &str) -> Option<Vec<(String, bool)>> {
    let pattern = pattern.replace("\\/", "/").replace("\\-", "-");
    let rest = pattern.strip_prefix('^')?;
    let either = Reader::read(rest)?;
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
/// Groups inside each other that are followed.
const MAX_DEPTH: u32 = 16;

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

struct Reader<'p> {
    rest: std::str::Chars<'p>,
    depth: u32,
}

impl<'p> Reader<'p> {
    fn read(pattern: &'p str) -> Option<Either> {
        let mut reader = Reader { rest: pattern.chars(), depth: 0 };
        let either = reader.either()?;
        reader.rest.as_str().is_empty().then_some(either)
    }

    fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    fn takes(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.rest.next();
        }
        found
    }

    fn either(&mut self) -> Option<Either> {
        let mut all = vec![self.sequence()?];
        while self.takes('|') {
            all.push(self.sequence()?);
        }
        Some(Either(all))
    }

    fn sequence(&mut self) -> Option<Sequence> {
        let mut pieces = Vec::new();
        while let Some(c) = self.peek().filter(|c| !matches!(c, '|' | ')')) {
            self.rest.next();
            let what = self.what(c)?;
            let (min, max) = self.times()?;
            pieces.push(Piece { what, min, max });
        }
        Some(Sequence(pieces))
    }

    fn times(&mut self) -> Option<(u32, Option<u32>)> {
        let times = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => {
                let (inside, _) = self.rest.as_str()[1..].split_once('}')?;
                let length = inside.chars().count();
                let (min, max) = inside.split_once(',').unwrap_or((inside, inside));
                let times = (min.parse().ok()?, if max.is_empty() { None } else { Some(max.parse().ok()?) });
                self.rest.nth(length);
                times
            }
            _ => return Some((1, Some(1))),
        };
        self.rest.next();
        self.takes('?');
        Some(times)
    }

    fn what(&mut self, c: char) -> Option<What> {
        Some(match c {
            '(' => {
                if self.takes('?') && !self.takes(':') {
                    return None;
                }
                self.depth += 1;
                let either = if self.depth > MAX_DEPTH { None } else { self.either() };
                self.depth -= 1;
                let either = either?;
                if !self.takes(')') {
                    return None;
                }
                What::Group(either)
            }
            '[' => self.class()?,
            '.' => What::Any('x'),
            '^' => What::Start,
            '$' => What::End,
            '\\' => match self.rest.next()? {
                's' => What::Blank,
                'b' => What::Edge,
                'S' | 'w' | 'D' => What::Any('x'),
                'd' => What::Any('1'),
                'W' => What::Any('-'),
                't' => What::Literal('\t'),
                c if c.is_ascii_alphanumeric() => return None,
                c => What::Literal(c),
            },
            '*' | '+' | '?' | '{' => return None,
            c => What::Literal(c),
        })
    }

    fn class(&mut self) -> Option<What> {
        let not = self.takes('^');
        let mut listed = Vec::new();
        let mut first = true;
        loop {
            match self.rest.next()? {
                ']' if !first => break,
                '\\' => listed.push(match self.rest.next()? {
                    's' => ' ',
                    'w' => 'x',
                    'd' => '1',
                    c if c.is_ascii_alphanumeric() => return None,
                    c => c,
                }),
                c => listed.push(c),
            }
            first = false;
        }
        if not {
            return "xyz019_.-/".chars().find(|c| !listed.contains(c)).map(What::Any);
        }
        match listed.as_slice() {
            [one] => Some(What::Literal(*one)),
            [first, ..] => Some(What::Any(*first)),
            [] => None,
        }
    }
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
        assert_eq!(Reader::read(&nothing).and_then(|either| either.sample()), None, "it takes too long");
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
