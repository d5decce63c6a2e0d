//! Programs and the secrets that they take: by options, by place, on stdin. Which program takes what is in [`table`].

mod table;

use crate::command::{Command, Word};
use crate::guard;
use crate::name::{self, Promise};
use crate::span::{Encoding, How, Span};

/// Where a program takes a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Take {
    /// The value of an option: `-p value`, `-p=value`.
    Opt(&'static str),
    /// The same, of one letter that may stand at the end of others: `-rP value`.
    Letter(char),
    /// What follows in the same word: `-pvalue`, `/p:value`.
    Glued(&'static str),
    /// What follows the sign in an option's value: `-u user:value`.
    Part(&'static str, char),
    /// The same, at the end of other letters and in the same word: `-sSu user:value`, `-uuser:value`.
    LetterPart(char, char),
    /// The operand at this place after the sub-command, from 1 on.
    Nth(u8),
    /// The same, where it looks made by a machine: what people write there otherwise are words.
    Made(u8),
    /// What follows the sign in the operand at this place.
    NthPart(u8, char),
    /// The operand after this word.
    After(&'static str),
    /// The operand after this word, if it is quoted.
    Quoted(&'static str),
    /// Every value in an option's `name=value,…`, or in `name=value` operands if the option is empty.
    Values(&'static str),
    /// Cookies: `name=value; …` of an option.
    Cookies(&'static str),
    Stdin,
    /// The first line of stdin, where it looks made by a machine.
    MadeStdin,
    /// `user:value` on stdin.
    StdinPart(char),
    /// The word at this place in a line of stdin that begins with another word: `user bob value` for ftp.
    Line(&'static str, usize),
    /// None: this option has another value, so that what follows it is not an operand.
    Harmless(&'static str),
}

/// What a program takes in one of its sub-commands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    /// The words that must be there; `a|b` is either, `-*b` a word of options of one letter with `b` among them.
    words: &'static str,
    takes: &'static [Take],
}

/// The secrets of the command at `index`.
pub(crate) fn secrets(commands: &[Command<'_>], index: usize, nested: bool, found: &mut Vec<Span>) {
    let Some(command) = commands.get(index) else { return };
    // Not only the first word: `sudo`, `docker exec` and many others run a program that is named further on.
    for (place, word) in command.words.iter().enumerate() {
        let words = &command.words[place..command.words.len().min(place + MOST_WORDS)];
        if let Some(rows) = table::rows(base_name(word.text())) {
            let is_called = is_called(&command.words[..place]);
            // In a quoted string the name may stand in a sentence.
            if !is_called && nested {
                continue;
            }
            let call = Call { commands, command, words, is_called };
            for row in rows {
                call.apply(row, found);
            }
        }
    }
    general(commands, command, found);
}

/// How many words after a program are looked at.
const MOST_WORDS: usize = 256;

/// A program's name without its folder and ending.
fn base_name(word: &str) -> &str {
    let name = memchr::memrchr2(b'/', b'\\', word.as_bytes()).map_or(word, |sign| &word[sign + 1..]);
    name.strip_suffix(".exe").unwrap_or(name)
}

/// Whether the word after `before` is the program that runs.
fn is_called(before: &[Word<'_>]) -> bool {
    let assignment = |word: &Word<'_>| word.text().contains('=') && !word.text().starts_with('-');
    let keyword = |word: &Word<'_>| {
        matches!(word.text(), "if" | "then" | "else" | "do" | "while" | "until" | "!" | "{" | "$" | "." | "&")
    };
    let first = before.iter().position(|word| !assignment(word) && !keyword(word));
    first.is_none_or(|first| {
        catalog::runs_another(base_name(before[first].text())) || before[first].text().ends_with('$')
    })
}

struct Call<'c, 't> {
    commands: &'c [Command<'t>],
    command: &'c Command<'t>,
    /// The program and what follows it.
    words: &'c [Word<'t>],
    /// It stands where commands stand, and not among another program's words.
    is_called: bool,
}

impl Call<'_, '_> {
    fn apply(&self, row: &Row, found: &mut Vec<Span>) {
        let mut from = 1;
        for wanted in row.words.split_ascii_whitespace() {
            let fits = |word: &Word<'_>| wanted.split('|').any(|one| says(word.text(), one));
            let Some(at) = self.words.iter().position(fits).filter(|at| *at > 0) else { return };
            if !is_option(wanted) {
                from = from.max(at + 1);
            }
        }
        for take in row.takes {
            self.take(*take, row, from, found);
        }
    }

    fn take(&self, take: Take, row: &Row, from: usize, found: &mut Vec<Span>) {
        match take {
            Take::Opt(option) => {
                self.values(option, found, |word, start| (start, word.len()));
            }
            Take::Letter(letter) => self.letters(letter, found, |_| Some(0)),
            Take::Glued(prefix) => {
                for word in &self.words[1..] {
                    let glued = strip(word.text(), prefix).filter(|rest| !rest.is_empty());
                    // `-password x` has its value in the next word.
                    if glued.is_some() && !word.text().starts_with("-pass") {
                        add(word, prefix.len(), word.text().len(), found);
                    }
                }
            }
            Take::Part(option, sign) => self.values(option, found, |word, start| {
                let part = word.get(start..).and_then(|value| value.find(sign));
                part.map_or((word.len(), word.len()), |at| (start + at + sign.len_utf8(), word.len()))
            }),
            Take::LetterPart(letter, sign) => {
                self.letters(letter, found, |value| value.find(sign).map(|at| at + 1));
                let glued = |text: &str| text.starts_with(['-', letter]) && !text.starts_with("--");
                for word in self.words.iter().filter(|word| glued(word.text())) {
                    if let Some(at) = word.text().find(sign)
                        && word.text()[1..].starts_with(letter)
                    {
                        add(word, at + 1, word.text().len(), found);
                    }
                }
            }
            // Where a program is only mentioned, what follows it is prose, whose words have no places.
            Take::Nth(nth) if self.is_called => {
                // `role=dev` is a parameter.
                let parameter = |word: &&Word<'_>| {
                    word.text().split_once('=').is_some_and(|(name, value)| {
                        !value.trim_matches('=').is_empty()
                            && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
                    })
                };
                self.operand(row, from, nth)
                    .filter(|word| !parameter(word))
                    .into_iter()
                    .for_each(|word| add(word, 0, word.text().len(), found));
            }
            Take::Made(nth) => {
                let made = |word: &&Word<'_>| is_made(word.text());
                self.operand(row, from, nth)
                    .filter(made)
                    .into_iter()
                    .for_each(|word| add(word, 0, word.text().len(), found));
            }
            Take::NthPart(nth, sign) if self.is_called => {
                if let Some(word) = self.operand(row, from, nth)
                    && let Some(at) = word.text().find(sign)
                {
                    // `user/password@database`
                    let to = word.text()[at..].rfind('@').map(|host| at + host);
                    add(word, at + 1, to.unwrap_or(word.text().len()), found);
                }
            }
            Take::After(before) | Take::Quoted(before) => {
                let quoted = matches!(take, Take::Quoted(_));
                let pairs = self.words.windows(2).filter(|pair| pair[0].text().eq_ignore_ascii_case(before));
                for word in pairs.map(|pair| &pair[1]).filter(|word| word.quoted || !quoted) {
                    add(word, 0, word.text().len(), found);
                }
            }
            Take::Values(option) => self.named_values(option, found),
            Take::Cookies(option) => self.cookies(option, found),
            Take::Stdin => self.stdin(found, |text| (!text.is_empty()).then_some(0)),
            Take::MadeStdin => self.stdin(found, |text| is_made(text).then_some(0)),
            // `printf 'bob:%s'` has the sign in its format.
            Take::StdinPart(sign) => self.stdin(found, |text| Some(text.find(sign).map_or(0, |at| at + 1))),
            Take::Line(first, nth) => self.lines(first, nth, found),
            Take::Nth(_) | Take::NthPart(..) | Take::Harmless(_) => {}
        }
    }

    /// The values of an option; `part` says which part of the word is the secret, given where the value starts.
    fn values(&self, option: &str, found: &mut Vec<Span>, part: impl Fn(&str, usize) -> (usize, usize)) {
        for (at, word) in self.words.iter().enumerate().skip(1) {
            let Some(rest) = strip(word.text(), option) else { continue };
            let (word, start) = match (rest.as_bytes(), self.words.get(at + 1)) {
                ([], Some(next)) if !is_option(next.text()) => (next, 0),
                ([b'=' | b':', ..], _) => (word, option.len() + 1),
                _ => continue,
            };
            let (from, to) = part(word.text(), start);
            add(word, from, to, found);
        }
    }

    /// The values of an option of one letter, which may end others; `part` says where in it the secret starts.
    fn letters(&self, letter: char, found: &mut Vec<Span>, part: impl Fn(&str) -> Option<usize>) {
        for pair in self.words.windows(2) {
            let flags = pair[0].text().strip_prefix('-').unwrap_or_default();
            if flags.ends_with(letter)
                // A word with digits or signs in it is not a bundle of letters.
                && flags.bytes().all(|flag| flag.is_ascii_alphabetic())
                && let Some(from) = part(pair[1].text())
                && !is_option(pair[1].text())
            {
                add(&pair[1], from, pair[1].text().len(), found);
            }
        }
    }

    /// The operand at a place after the sub-command.
    fn operand(&self, row: &Row, from: usize, nth: u8) -> Option<&Word<'_>> {
        let has_value = |word: &str| {
            row.takes.iter().any(|take| matches!(take, Take::Harmless(option) if *option == word))
        };
        let mut seen = 0;
        let mut at = from;
        while let Some(word) = self.words.get(at) {
            if is_option(word.text()) {
                at += 1 + usize::from(has_value(word.text()));
                continue;
            }
            seen += 1;
            if seen == nth {
                return Some(word);
            }
            at += 1;
        }
        None
    }

    /// The values of `name=value` parts.
    fn named_values(&self, option: &str, found: &mut Vec<Span>) {
        let value = |word: &Word<'_>, start: usize, found: &mut Vec<Span>| {
            let text = word.text();
            let Some(sign) = text.get(start..).and_then(|rest| rest.find('=')) else { return };
            let (named, value) = (&text[start..start + sign], &text[start + sign + 1..]);
            let promised = name::promise(named.as_bytes()) >= Promise::Key;
            let number = value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b':'));
            // Paths, addresses and numbers are settings, not secrets.
            let chosen = value.len() >= 6 && has_digit(value) && !number && !value.contains(['/', ':']);
            if promised || guard::may_be_key(value, true) || chosen && !HARMLESS.contains(&named) {
                add(word, start + sign + 1, text.len(), found);
            }
        };
        if option.is_empty() {
            self.words[1..]
                .iter()
                .filter(|word| !is_option(word.text()))
                .for_each(|word| value(word, 0, found));
            return;
        }
        for (at, word) in self.words.iter().enumerate().skip(1) {
            match (strip(word.text(), option).map(str::as_bytes), self.words.get(at + 1)) {
                (Some([]), Some(next)) => value(next, 0, found),
                (Some([b'=', ..]), _) => value(word, option.len() + 1, found),
                _ => {}
            }
        }
    }

    fn cookies(&self, option: &str, found: &mut Vec<Span>) {
        for pair in self.words[1..].windows(2).filter(|pair| pair[0].text() == option) {
            let text = pair[1].text();
            let mut start = 0;
            for cookie in text.split(';') {
                if let Some(sign) = cookie.find('=')
                    && let value = cookie[sign + 1..].trim_end()
                    && (name::promise(&cookie.as_bytes()[..sign]) != Promise::Nothing
                        || guard::is_random(value))
                {
                    add(&pair[1], start + sign + 1, start + sign + 1 + value.len(), found);
                }
                start += cookie.len() + 1;
            }
        }
    }

    /// The words at a place in the lines of stdin that begin with `first`.
    fn lines(&self, first: &str, nth: usize, found: &mut Vec<Span>) {
        fed(self.commands, self.command, &mut |word| {
            let text = word.text();
            for line in text.lines().filter(|line| line.split_ascii_whitespace().next() == Some(first)) {
                if let Some(value) = line.split_ascii_whitespace().nth(nth) {
                    // The word borrows from the text, so their addresses tell where it stands.
                    let from = value.as_ptr() as usize - text.as_ptr() as usize;
                    add(word, from, from + value.len(), found);
                }
            }
        });
    }

    /// What the command gets on stdin; `part` says where in it the secret starts.
    fn stdin(&self, found: &mut Vec<Span>, part: impl Fn(&str) -> Option<usize>) {
        fed(self.commands, self.command, &mut |word| {
            if let Some(from) = part(word.text()) {
                add(word, from, word.text().len(), found);
            }
        });
    }
}

/// What is stored beside secrets and is not one.
const HARMLESS: [&str; 24] = [
    "app", "bucket", "database", "db", "dbname", "email", "endpoint", "env", "host", "hostname", "image",
    "kind", "login", "mode", "name", "port", "region", "server", "tag", "ttl", "url", "user", "username",
    "version",
];

/// Words that read a secret on stdin, whatever the program.
const STDIN_OPTIONS: [&str; 8] = [
    "--password-stdin",
    "--with-token",
    "--passphrase-fd",
    "--token-stdin",
    "--key-stdin",
    "--api-key-stdin",
    "--secret-stdin",
    "--pass-stdin",
];

/// Options that take `user:password`, whatever the program.
const CREDENTIALS: [&str; 6] = ["--auth", "--basic-auth", "--creds", "--credentials", "--user", "--userpwd"];

/// Sub-commands that store what comes with them.
const STORING: [&str; 11] =
    ["add", "create", "import", "insert", "put", "set", "store", "update", "upload", "upsert", "write"];

/// Sub-commands after which a token may stand.
const LOGGING_IN: [&str; 12] = [
    "login",
    "auth",
    "authenticate",
    "authtoken",
    "add-authtoken",
    "set-token",
    "save-token",
    "unlock",
    "unseal",
    "signin",
    "apikey",
    "set-key",
];

/// What holds for any program.
fn general(commands: &[Command<'_>], command: &Command<'_>, found: &mut Vec<Span>) {
    let words = &command.words;
    let says = |options: &[&str]| words.iter().any(|word| options.contains(&word.text()));
    let reads = command.producer.is_some() || !command.fed.is_empty();
    if reads && says(&STDIN_OPTIONS) {
        fed(commands, command, &mut |word| add(word, 0, word.text().len(), found));
    } else if reads && says(&["--stdin"]) {
        // Formatters have that option as well, and get code.
        fed(commands, command, &mut |word| {
            let text = word.text().trim_end();
            if text.len() >= 8 && has_digit(text) && !text.contains(char::is_whitespace) {
                add(word, 0, text.len(), found);
            }
        });
    } else if reads && words.iter().skip(1).any(|word| is_store(word.text())) && stores(words) {
        fed(commands, command, &mut |word| {
            if !word.text().trim_end().contains(char::is_whitespace) {
                add(word, 0, word.text().len(), found);
            }
        });
    }
    for pair in words.get(1..).unwrap_or_default().windows(2) {
        continued(&pair[0], &pair[1], found);
        if CREDENTIALS.contains(&pair[0].text())
            && let Some(colon) = pair[1].text().find(':')
            && has_digit(&pair[1].text()[colon..])
        {
            add(&pair[1], colon + 1, pair[1].text().len(), found);
        }
        // Hexadecimal digits are mostly ids of what is logged in to.
        if LOGGING_IN.contains(&pair[0].text()) && is_made(pair[1].text()) && !is_hex(pair[1].text()) {
            add(&pair[1], 0, pair[1].text().len(), found);
        }
    }
    if let [read, .., name] = &words[..]
        && read.text() == "read"
        && name::promise(name.text().as_bytes()) >= Promise::Key
    {
        command.fed.iter().for_each(|word| add(word, 0, word.text().len(), found));
    }
    set(words, found);
    kept(commands, command, found);
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether a word names a store of secrets: `secret`, `secrets:set`, `secretsmanager`, `keyring`.
fn is_store(word: &str) -> bool {
    let word = word.split([':', '.']).next().unwrap_or(word);
    matches!(
        word,
        "secret"
            | "secrets"
            | "secretsmanager"
            | "credential"
            | "credentials"
            | "keyring"
            | "password"
            | "passphrase"
    )
}

fn stores(words: &[Word<'_>]) -> bool {
    let verb = |word: &str| STORING.iter().any(|verb| word.split([':', '-']).any(|part| part == *verb));
    words.iter().any(|word| verb(word.text()))
}

/// An option whose value stands in the next line: `--token \`.
fn continued(option: &Word<'_>, value: &Word<'_>, found: &mut Vec<Span>) {
    let gap = option.shown.place(option.text().len()).zip(value.shown.place(0));
    // More than a blank lies between: the line goes on after a backslash.
    if gap.is_some_and(|(end, start)| start > end + 2)
        && is_option(option.text())
        && name::promise(option.text().as_bytes()) >= Promise::Key
    {
        add(value, 0, value.text().len(), found);
    }
}

/// `… set NAME value`, where the name says what the value is, with options between.
fn set(words: &[Word<'_>], found: &mut Vec<Span>) {
    let Some(verb) =
        words.iter().position(|word| matches!(word.text(), "set" | "put" | "set-secret" | "config"))
    else {
        return;
    };
    // `secrets set NAME value` stores a secret under whatever name.
    let stored = words[..verb].iter().any(|word| is_store(word.text()));
    let mut operands = words[verb + 1..].iter().filter(|word| !is_option(word.text()));
    let mut is_first = true;
    while let (Some(named), rest) = (operands.next(), operands.clone().next()) {
        let Some(value) = rest else { return };
        let promise = name::promise(named.text().as_bytes());
        let secret = match promise {
            // In a sentence words follow: `set password policy`.
            Promise::Password => {
                has_digit(value.text()) && guard::may_be_password(value.text(), value.quoted, true)
            }
            Promise::Key => guard::may_be_key(value.text(), value.quoted),
            Promise::Perhaps if is_made(value.text()) => true,
            _ if stored && is_first => {
                has_digit(value.text())
                    && guard::may_be_password(value.text(), value.quoted, true)
                    && !value.text().contains('=')
            }
            _ => false,
        };
        if secret && !named.text().contains('=') {
            add(value, 0, value.text().len(), found);
        }
        is_first = false;
    }
}

/// `echo value > ~/.token`: the file's name says what it keeps.
fn kept(commands: &[Command<'_>], command: &Command<'_>, found: &mut Vec<Span>) {
    let mut files = command.written.iter().chain(
        (base_name(command.words.first().map_or("", Word::text)) == "tee")
            .then(|| command.words.get(1..).unwrap_or_default())
            .into_iter()
            .flatten(),
    );
    let promise = |word: &Word<'_>| {
        // By the name without its ending, as `token` of `token.txt`; of `.token` it is all.
        let name = base_name(word.text());
        name::promise(
            name.split_once('.')
                .filter(|(stem, _)| !stem.is_empty())
                .map_or(name, |(stem, _)| stem)
                .as_bytes(),
        )
    };
    if !files.any(|file| promise(file) >= Promise::Key) {
        return;
    }
    let mut keep = |word: &Word<'_>| {
        let text = word.text().trim_end();
        let made = text.len() >= 8 && has_digit(text);
        if made && !text.contains(char::is_whitespace) && guard::may_be_password(text, true, true) {
            add(word, 0, text.len(), found);
        }
    };
    printed(command, &mut keep);
    fed(commands, command, &mut keep);
}

/// What a command gets on stdin, as far as its text is there.
pub(crate) fn fed(commands: &[Command<'_>], command: &Command<'_>, take: &mut dyn FnMut(&Word<'_>)) {
    command.fed.iter().for_each(&mut *take);
    let mut at = command;
    // `echo … | tr -d '\n' | base64 | …`
    for _ in 0..4 {
        let Some(before) = at.producer.and_then(|index| commands.get(index)) else { return };
        // A group: `(echo bob; echo …) | program`.
        if before.words.is_empty() {
            commands[before.group.clone()].iter().for_each(|command| printed(command, take));
        }
        printed(before, take);
        before.fed.iter().for_each(&mut *take);
        at = before;
    }
}

/// What `echo`, `printf` and the like print.
fn printed(command: &Command<'_>, take: &mut dyn FnMut(&Word<'_>)) {
    let words = &command.words;
    let prints = |word: &Word<'_>| {
        matches!(base_name(word.text()), "echo" | "printf" | "print" | "Write-Output" | "Write-Host" | "yes")
    };
    let Some(at) = words.iter().position(prints) else {
        // PowerShell prints a string that stands alone.
        if let [word] = &words[..]
            && word.quoted
        {
            take(word);
        }
        return;
    };
    let mut operands: Vec<&Word<'_>> = words[at + 1..].iter().filter(|word| !is_flags(word.text())).collect();
    if words[at].text().ends_with("printf") && operands.len() > 1 {
        // The format; alone it would be what is printed.
        operands.remove(0);
    }
    operands.into_iter().for_each(take);
}

/// Whether a word of a command is the wanted one, also as the value of an option.
fn says(word: &str, wanted: &str) -> bool {
    if let Some(letter) = wanted.strip_prefix("-*") {
        return word.strip_prefix('-').is_some_and(|flags| {
            flags.contains(letter) && flags.bytes().all(|flag| flag.is_ascii_alphanumeric())
        });
    }
    word.eq_ignore_ascii_case(wanted)
        || word.starts_with('-') && word.split_once('=').is_some_and(|(_, value)| value == wanted)
}

/// `-n`, `-e`, `-nE`, `--`
fn is_flags(word: &str) -> bool {
    word.strip_prefix('-')
        .is_some_and(|flags| flags.bytes().all(|flag| matches!(flag, b'n' | b'e' | b'E' | b'r' | b'-')))
}

fn is_option(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-')
}

/// What follows `prefix`; PowerShell's and Windows' options are of any case.
fn strip<'w>(word: &'w str, prefix: &str) -> Option<&'w str> {
    let head = word.get(..prefix.len())?;
    let fits = head == prefix
        || (prefix.len() > 2 && !prefix.starts_with("--") && head.eq_ignore_ascii_case(prefix));
    fits.then(|| &word[prefix.len()..])
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether a machine made a word, and it is not the name of a place.
fn is_made(text: &str) -> bool {
    // Keys in base64 have few slashes, and no dots.
    let slashes = text.bytes().filter(|byte| *byte == b'/').count();
    let path = slashes > 0 && (text.contains('.') || text.len() < 40 || slashes > text.len() / 16);
    text.len() >= 16 && guard::is_random(text) && !path && !text.contains(['@', ':']) && !is_host(text)
}

/// `db-1a2b3c.example.com`
fn is_host(text: &str) -> bool {
    text.rsplit_once('.')
        .is_some_and(|(_, last)| last.len() <= 6 && last.bytes().all(|byte| byte.is_ascii_lowercase()))
}

/// Takes a part of a word, if it may be a secret.
fn add(word: &Word<'_>, from: usize, to: usize, found: &mut Vec<Span>) {
    let Some(shown) = word.text().get(from..to) else { return };
    if shown.contains('\n') {
        // Each line is a secret of its own: one of them may be quoted elsewhere.
        let mut at = from;
        for line in shown.split('\n') {
            add(word, at, at + line.len(), found);
            at += line.len() + 1;
        }
        return;
    }
    let shown = shown.trim_end().trim_end_matches("\\n");
    let secret = shown.len() >= 4
        && !guard::is_placeholder(shown)
        && !shown.contains("path/to")
        && !shown.ends_with('$')
        && (!shown.starts_with('/') || guard::is_random(shown) && shown.len() >= 24 && !shown.contains('.'));
    // Ports (`-p 8080:80`, `-P 3306`) are not passwords.
    let number = shown.bytes().all(|byte| byte.is_ascii_digit() || byte == b':') && shown.len() <= 11;
    if !secret || number || is_option(shown) {
        return;
    }
    let how = if word.shown.is_changed() { How::Decoded(Encoding::Quotes) } else { How::Plain };
    found.extend(word.shown.original(Span {
        start: from,
        end: from + shown.len(),
        rule: "option-password",
        how,
    }));
}
