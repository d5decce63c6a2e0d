//! What a script of sed makes of lines that are known: what it prints, runs and writes into files.

use std::iter::Peekable;
use std::str::Chars;

use shell_engine::text::escapes;
use shell_engine::text::regex::{Dialect, Pattern, is_foreign};
use shell_engine::{Arg, mark};

/// Text that is longer, or more lines, are not followed.
const MAX_TEXT: usize = 64 * 1024;
const MAX_LINES: usize = 1024;

/// What a script has made.
#[derive(Default)]
pub(super) struct Made {
    pub(super) printed: String,
    /// Lines that went to a shell: `e`, `s///e`.
    pub(super) runs: Vec<String>,
    /// Files that `w` has written, with their text.
    pub(super) files: Vec<(String, String)>,
}

/// Which lines a command is for.
enum Address {
    Number(usize),
    Last,
    Step(usize, usize),
    /// So many lines, or up to a multiple.
    Beside,
    /// `None` for a pattern that is not understood.
    Matching(Option<Pattern>),
}

/// What a command does to its line.
enum Verb {
    Substitute {
        pattern: Option<Pattern>,
        with: String,
        all: bool,
        nth: usize,
        prints: bool,
        runs: bool,
        file: Option<String>,
    },
    Translate(Vec<char>, Vec<char>),
    Print,
    Delete,
    Quit {
        prints: bool,
    },
    Run(Option<String>),
    Write(String),
    /// Text before the line, in its place, or after it.
    Text(char, String),
    Next {
        appends: bool,
    },
    /// `g G h H x`
    Hold(char),
    Number,
    Open,
    Close,
    /// What is not followed: branches, other files.
    Other,
}

struct Command {
    from: Option<Address>,
    to: Option<Address>,
    negated: bool,
    verb: Verb,
}

/// The lines that a script runs in a shell, whatever it reads. `None` where it is not understood.
pub(super) fn run_by(script: &str) -> Option<Vec<String>> {
    let commands = Reader { chars: script.chars().peekable(), extended: false }.commands()?;
    let lines = commands.into_iter().filter_map(|command| match command.verb {
        Verb::Run(line) => line,
        _ => None,
    });
    Some(lines.collect())
}

/// What a call of sed makes of a text. `None` where its script is not understood, or the text is not known.
pub(super) fn run(args: &[Arg], text: &str) -> Option<Made> {
    if is_foreign(text) || text.len() > MAX_TEXT || text.lines().count() > MAX_LINES {
        return None;
    }
    let (mut quiet, mut extended) = (false, false);
    let (mut script, mut operand) = (String::new(), None);
    let mut words = args.iter().map(|arg| arg.text.as_str());
    while let Some(word) = words.next() {
        match word {
            "-n" | "--quiet" | "--silent" => quiet = true,
            "-E" | "-r" | "--regexp-extended" => extended = true,
            "-e" | "--expression" => script.extend([words.next()?, "\n"]),
            "-s" | "-u" | "--separate" | "--unbuffered" | "--posix" | "-" => {}
            "-ne" | "-nE" | "-En" | "-nr" | "-rn" => {
                (quiet, extended) = (true, extended || word.contains(['E', 'r']));
                if word.ends_with('e') {
                    script.extend([words.next()?, "\n"]);
                }
            }
            "-Ee" | "-re" => {
                extended = true;
                script.extend([words.next()?, "\n"]);
            }
            _ => match word.strip_prefix("--expression=").or_else(|| word.strip_prefix("-e")) {
                Some(part) => script.extend([part, "\n"]),
                None if word.starts_with('-') => return None,
                None => operand = operand.or(Some(word)),
            },
        }
    }
    if script.is_empty() {
        operand?.clone_into(&mut script);
    }
    let commands = Reader { chars: script.chars().peekable(), extended }.commands()?;
    let lines: Vec<&str> = text.lines().collect();
    let machine = Machine {
        commands,
        lines,
        at: 0,
        hold: String::new(),
        active: Vec::new(),
        quiet,
        made: Made::default(),
    };
    let mut made = machine.run()?;
    // Names stand for more than a pattern sees of them: a script that takes them apart is not followed.
    let marks = |text: &str| text.chars().filter(|c| mark::is_mark(*c)).count();
    if mark::any(text) && marks(&made.printed) < marks(text) {
        return None;
    }
    // A last line without its end stays so.
    if !text.ends_with('\n') && made.printed.ends_with('\n') {
        made.printed.pop();
    }
    Some(made)
}

/// Reads a script.
struct Reader<'s> {
    chars: Peekable<Chars<'s>>,
    extended: bool,
}

impl Reader<'_> {
    fn commands(mut self) -> Option<Vec<Command>> {
        let mut found = Vec::new();
        loop {
            while self.chars.next_if(|c| c.is_whitespace() || *c == ';').is_some() {}
            if self.chars.peek().is_none() {
                return Some(found);
            }
            found.push(self.command()?);
        }
    }

    fn command(&mut self) -> Option<Command> {
        let from = if self.at_address() { Some(self.address()?) } else { None };
        let mut to = None;
        if from.is_some() && self.chars.next_if_eq(&',').is_some() {
            to = Some(self.address()?);
        }
        self.blanks();
        let negated = self.chars.next_if_eq(&'!').is_some();
        self.blanks();
        let verb = match self.chars.next()? {
            '{' => Verb::Open,
            '}' => Verb::Close,
            'p' | 'P' => Verb::Print,
            'd' | 'D' => Verb::Delete,
            'q' => Verb::Quit { prints: true },
            'Q' => Verb::Quit { prints: false },
            '=' => Verb::Number,
            'n' => Verb::Next { appends: false },
            'N' => Verb::Next { appends: true },
            hold @ ('g' | 'G' | 'h' | 'H' | 'x') => Verb::Hold(hold),
            'e' => Verb::Run(Some(self.line()).filter(|line| !line.is_empty() && line != "}")),
            'w' => Verb::Write(self.line()),
            place @ ('a' | 'i' | 'c') => Verb::Text(place, self.text()),
            's' => self.substitution()?,
            'y' => {
                let separator = self.chars.next()?;
                let (from, to) = (self.part(separator)?, self.part(separator)?);
                Verb::Translate(
                    escapes::printf(&from).chars().collect(),
                    escapes::printf(&to).chars().collect(),
                )
            }
            '#' => {
                self.line();
                Verb::Close
            }
            'b' | 't' | 'T' | ':' => {
                while self.chars.next_if(|c| !matches!(c, '\n' | ';' | '}')).is_some() {}
                Verb::Other
            }
            'r' | 'R' | 'W' | 'v' => {
                self.line();
                Verb::Other
            }
            'l' | 'L' | 'F' | 'z' => Verb::Other,
            _ => return None,
        };
        Some(Command { from, to, negated, verb })
    }

    fn blanks(&mut self) {
        while self.chars.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
    }

    /// The rest of the line.
    fn line(&mut self) -> String {
        self.blanks();
        let mut line = String::new();
        while let Some(c) = self.chars.next_if(|c| *c != '\n') {
            line.push(c);
        }
        line.trim_end().to_owned()
    }

    /// The text of `a`, `i` and `c`: on the same line, or after a backslash on the next.
    fn text(&mut self) -> String {
        self.blanks();
        if self.chars.next_if_eq(&'\\').is_some() {
            while self.chars.next_if(|c| c.is_whitespace()).is_some() {}
        }
        self.line()
    }

    fn number(&mut self) -> Option<usize> {
        let mut digits = String::new();
        while let Some(digit) = self.chars.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        digits.parse().ok()
    }

    fn at_address(&mut self) -> bool {
        matches!(self.chars.peek(), Some('0'..='9' | '$' | '/' | '\\'))
    }

    /// The address that stands here; `None` where it is not understood.
    fn address(&mut self) -> Option<Address> {
        Some(match self.chars.peek()? {
            '0'..='9' => {
                let number = self.number()?;
                match self.chars.next_if_eq(&'~') {
                    Some(_) => Address::Step(number, self.number()?),
                    None => Address::Number(number),
                }
            }
            '$' => {
                self.chars.next();
                Address::Last
            }
            '+' | '~' => {
                self.chars.next();
                self.number()?;
                Address::Beside
            }
            '/' | '\\' => {
                // `\,from,` has a separator of its own.
                let separator = match self.chars.next()? {
                    '\\' => self.chars.next()?,
                    own => own,
                };
                let pattern = self.pattern_part(separator)?;
                let (mut any_case, mut is_odd) = (false, false);
                while let Some(flag) = self.chars.next_if(|c| matches!(c, 'I' | 'M')) {
                    any_case |= flag == 'I';
                    is_odd |= flag == 'M';
                }
                Address::Matching(self.pattern(&pattern, any_case).filter(|_| !is_odd))
            }
            _ => return None,
        })
    }

    /// What stands in front of the next separator that no backslash protects.
    fn part(&mut self, separator: char) -> Option<String> {
        let mut part = String::new();
        loop {
            match self.chars.next()? {
                '\\' => match self.chars.next()? {
                    c if c == separator => part.push(c),
                    c => part.extend(['\\', c]),
                },
                c if c == separator => return Some(part),
                c => part.push(c),
            }
        }
    }

    /// The same for a pattern, in which a list of letters may hold it: `/[/]/`.
    fn pattern_part(&mut self, separator: char) -> Option<String> {
        let mut part = String::new();
        let mut listed = false;
        loop {
            match self.chars.next()? {
                '\\' => match self.chars.next()? {
                    c if c == separator => part.push(c),
                    c => part.extend(['\\', c]),
                },
                c if c == separator && !listed => return Some(part),
                c => {
                    // A bracket that comes first belongs to the list.
                    let begins = part.ends_with('[') || part.ends_with("[^");
                    listed = if listed { c != ']' || begins } else { c == '[' };
                    part.push(c);
                }
            }
        }
    }

    fn pattern(&self, pattern: &str, any_case: bool) -> Option<Pattern> {
        // The last pattern again.
        if pattern.is_empty() {
            return None;
        }
        Pattern::read(pattern, if self.extended { Dialect::Extended } else { Dialect::Basic }, any_case)
    }

    fn substitution(&mut self) -> Option<Verb> {
        let separator = self.chars.next().filter(char::is_ascii_punctuation)?;
        let (pattern, with) = (self.pattern_part(separator)?, self.part(separator)?);
        let (mut all, mut nth, mut prints, mut runs, mut any_case, mut odd, mut file) =
            (false, 1, false, false, false, false, None);
        loop {
            match self.chars.peek() {
                Some('g') => all = true,
                Some('p') => prints = true,
                Some('e') => runs = true,
                Some('i' | 'I') => any_case = true,
                Some('m' | 'M') => odd = true,
                Some('0'..='9') => {
                    nth = self.number()?;
                    continue;
                }
                Some('w') => {
                    self.chars.next();
                    file = Some(self.line());
                    break;
                }
                _ => break,
            }
            self.chars.next();
        }
        let pattern = self.pattern(&pattern, any_case).filter(|_| !odd);
        Some(Verb::Substitute { pattern, with, all, nth, prints, runs, file })
    }
}

/// A script at work.
struct Machine<'t> {
    commands: Vec<Command>,
    lines: Vec<&'t str>,
    /// The next line.
    at: usize,
    hold: String,
    /// Commands whose range has begun.
    active: Vec<usize>,
    quiet: bool,
    made: Made,
}

/// How a line goes on after a command.
enum Goes {
    On,
    /// It is gone.
    Away,
    /// It is the last.
    Out {
        prints: bool,
    },
}

impl Machine<'_> {
    fn run(mut self) -> Option<Made> {
        while let Some(line) = self.lines.get(self.at) {
            let mut space = (*line).to_owned();
            self.at += 1;
            let mut after = String::new();
            let goes = self.line(&mut space, &mut after)?;
            let prints = !self.quiet && !matches!(goes, Goes::Away | Goes::Out { prints: false });
            if prints {
                self.made.printed.extend([&space, "\n"]);
            }
            self.made.printed.push_str(&after);
            if matches!(goes, Goes::Out { .. }) || self.made.printed.len() > MAX_TEXT {
                break;
            }
        }
        Some(self.made)
    }

    /// Runs all commands on one line.
    fn line(&mut self, space: &mut String, after: &mut String) -> Option<Goes> {
        let mut index = 0;
        // They are the script's own, and do not change.
        let commands = std::mem::take(&mut self.commands);
        let mut goes = Goes::On;
        while let Some(command) = commands.get(index) {
            let chosen = self.chosen(command, index, space)? != command.negated;
            index += 1;
            if !chosen {
                if matches!(command.verb, Verb::Open) {
                    // Past what stands in the braces.
                    let mut depth = 1;
                    while depth > 0 {
                        match commands.get(index)?.verb {
                            Verb::Open => depth += 1,
                            Verb::Close => depth -= 1,
                            _ => {}
                        }
                        index += 1;
                    }
                }
                continue;
            }
            goes = self.act(&command.verb, space, after)?;
            if !matches!(goes, Goes::On) {
                break;
            }
        }
        self.commands = commands;
        Some(goes)
    }

    /// `None` where that is not followed.
    fn matches(&self, address: &Address, space: &str) -> Option<bool> {
        Some(match address {
            Address::Number(number) => *number == self.at,
            Address::Last => self.at == self.lines.len(),
            Address::Step(first, step) => {
                self.at >= *first && (self.at - first).is_multiple_of((*step).max(1))
            }
            Address::Beside => return None,
            Address::Matching(pattern) => pattern.as_ref()?.groups(space).is_some(),
        })
    }

    /// Whether a command is for this line.
    fn chosen(&mut self, command: &Command, index: usize, space: &str) -> Option<bool> {
        let Some(from) = &command.from else { return Some(true) };
        let Some(to) = &command.to else { return self.matches(from, space) };
        if self.active.contains(&index) {
            let past = matches!(to, Address::Number(number) if *number < self.at);
            if past || self.matches(to, space)? {
                self.active.retain(|active| *active != index);
            }
            return Some(!past);
        }
        let begins = self.matches(from, space)?;
        if begins && !matches!(to, Address::Number(number) if *number <= self.at) {
            self.active.push(index);
        }
        Some(begins)
    }

    fn write(&mut self, file: &str, space: &str) {
        match self.made.files.iter_mut().find(|(known, _)| known == file) {
            Some((_, text)) => text.extend([space, "\n"]),
            None => self.made.files.push((file.to_owned(), format!("{space}\n"))),
        }
    }

    fn act(&mut self, verb: &Verb, space: &mut String, after: &mut String) -> Option<Goes> {
        match verb {
            Verb::Open | Verb::Close => {}
            Verb::Other => return None,
            Verb::Print => self.made.printed.extend([space.as_str(), "\n"]),
            Verb::Delete => return Some(Goes::Away),
            Verb::Quit { prints } => return Some(Goes::Out { prints: *prints }),
            Verb::Number => self.made.printed.extend([&self.at.to_string(), "\n"]),
            Verb::Write(file) => self.write(file, space),
            Verb::Text('a', text) => after.extend([text, "\n"]),
            Verb::Text('i', text) => self.made.printed.extend([text, "\n"]),
            Verb::Text(_, text) => {
                self.made.printed.extend([text, "\n"]);
                return Some(Goes::Away);
            }
            Verb::Run(line) => {
                let line =
                    line.clone().unwrap_or_else(|| std::mem::replace(space, mark::UNKNOWN.to_string()));
                self.made.runs.push(line);
            }
            Verb::Next { appends } => {
                let Some(next) = self.lines.get(self.at) else { return Some(Goes::Out { prints: true }) };
                self.at += 1;
                if *appends {
                    space.extend(["\n", next]);
                } else {
                    if !self.quiet {
                        self.made.printed.extend([space.as_str(), "\n"]);
                    }
                    (*next).clone_into(space);
                }
            }
            Verb::Hold(verb) => match verb {
                'g' => space.clone_from(&self.hold),
                'G' => space.extend(["\n", &self.hold]),
                'h' => self.hold.clone_from(space),
                'H' => self.hold.extend(["\n", space.as_str()]),
                _ => std::mem::swap(space, &mut self.hold),
            },
            Verb::Translate(from, to) => {
                let letter =
                    |c: char| from.iter().position(|own| *own == c).and_then(|at| to.get(at)).copied();
                *space = space.chars().map(|c| letter(c).unwrap_or(c)).collect();
            }
            Verb::Substitute { pattern, with, all, nth, prints, runs, file } => {
                let mut seen = 0;
                let replaced = pattern.as_ref()?.replaced(space, *all || *nth > 1, |groups| {
                    seen += 1;
                    let is_meant = if *all { seen >= *nth } else { seen == *nth };
                    if is_meant {
                        made(with, groups)
                    } else {
                        groups.first().copied().unwrap_or("").to_owned()
                    }
                })?;
                if seen < *nth {
                    return Some(Goes::On);
                }
                *space = replaced;
                if *runs {
                    let line = std::mem::replace(space, mark::UNKNOWN.to_string());
                    self.made.runs.push(line);
                }
                if *prints {
                    self.made.printed.extend([space.as_str(), "\n"]);
                }
                if let Some(file) = file {
                    self.write(file, space);
                }
            }
        }
        Some(Goes::On)
    }
}

/// The new text of a match: `&`, `\1`, `\n`, `\U`.
fn made(with: &str, groups: &[&str]) -> String {
    let mut text = String::new();
    let mut change: Option<fn(&str) -> String> = None;
    let mut chars = with.chars();
    while let Some(c) = chars.next() {
        let piece = match c {
            '&' => groups.first().copied().unwrap_or("").to_owned(),
            '\\' => match chars.next() {
                Some(digit @ '0'..='9') => {
                    let number = digit.to_digit(10).and_then(|number| usize::try_from(number).ok());
                    number.and_then(|number| groups.get(number)).copied().unwrap_or("").to_owned()
                }
                Some('n') => "\n".to_owned(),
                Some('t') => "\t".to_owned(),
                Some('L' | 'l') => {
                    change = Some(str::to_lowercase);
                    continue;
                }
                Some('U' | 'u') => {
                    change = Some(str::to_uppercase);
                    continue;
                }
                Some('E') => {
                    change = None;
                    continue;
                }
                // `\x72`, `\o162`, `\d114`
                Some(base @ ('x' | 'o' | 'd')) => {
                    let (radix, width) = match base {
                        'x' => (16, 2),
                        'o' => (8, 3),
                        _ => (10, 3),
                    };
                    let digits: String =
                        chars.clone().take(width).take_while(|c| c.is_digit(radix)).collect();
                    chars.by_ref().take(digits.len()).for_each(drop);
                    let code = u32::from_str_radix(&digits, radix).ok().and_then(char::from_u32);
                    code.map(String::from).unwrap_or_default()
                }
                Some(c) => c.to_string(),
                None => String::new(),
            },
            c => c.to_string(),
        };
        text.push_str(&change.map_or_else(|| piece.clone(), |change| change(&piece)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sed(line: &str, text: &str) -> Option<Made> {
        let words: Vec<Arg> = line.split('¦').map(Arg::from).collect();
        run(&words, text)
    }

    #[test]
    fn a_script_prints_what_sed_prints() {
        for (line, text, printed) in [
            ("s/a/b/", "aa\n", "ba\n"),
            ("s/a/b/2", "aaa\n", "aba\n"),
            ("-E¦s/(.)(.)/\\2\\1/g", "mrfr\n", "rmrf\n"),
            ("-n¦s/^> //p", "1d0\n> rm\n", "rm\n"),
            ("-n¦2p", "a\nb\n", "b\n"),
            ("2,$d", "a\nb\nc\n", "a\n"),
            ("/b/d", "a\nb\n", "a\n"),
            ("/b/!d", "a\nb\n", "b\n"),
            ("-e¦s/a/b/¦-e¦s/b/c/", "a\n", "c\n"),
            ("y/ab/rm/", "ab\n", "rm\n"),
            ("1{s/a/b/;p}", "a\n", "b\nb\n"),
            ("1!G;h;$!d", "a\nb\n", "b\na\n"),
            ("N;s/\\n/ /", "rm\n-rf\n", "rm -rf\n"),
            ("1i x", "a\n", "x\na\n"),
            ("s/.*/\\U&/", "rm\n", "RM\n"),
            ("s/x/\\x72/", "xm\n", "rm\n"),
            ("q", "a\nb\n", "a\n"),
        ] {
            assert_eq!(sed(line, text).map(|made| made.printed).as_deref(), Some(printed), "{line}");
        }
    }

    #[test]
    fn lines_run_and_files_are_written() {
        assert_eq!(sed("-E¦s/go (.*)/rm \\1/e", "go x\n").unwrap().runs, ["rm x"]);
        assert_eq!(sed("1{s/.*/rm x/;e\n}", "z\n").unwrap().runs, ["rm x"]);
        assert_eq!(sed("1e rm x", "z\n").unwrap().runs, ["rm x"]);
        let made = sed("-n¦s/^#//w out.sh", "#rm\n").unwrap();
        assert_eq!(made.files, [("out.sh".to_owned(), "rm\n".to_owned())]);
    }

    #[test]
    fn what_is_not_understood_is_not_known() {
        for line in [":a;ba", "s/a/b", "-f¦x", "s//b/", "r x", "s/\\(a\\)\\1/b/"] {
            assert!(sed(line, "a\n").is_none(), "{line}");
        }
    }
}
