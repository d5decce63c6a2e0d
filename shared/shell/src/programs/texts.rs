//! Tools that print lines of what they read, cut, numbered or in another order, and tools that print their arguments.

use shell_engine::text::escapes;
use shell_engine::text::regex::{Dialect, Pattern};
use shell_engine::{Arg, mark};

use super::option;

/// Text longer than this is not followed.
const MAX_TEXT: usize = 64 * 1024;

/// What a tool of lines prints for a text. `None` for another program, and where that is not computed.
pub(super) fn lines(name: &str, args: &[Arg], text: &str) -> Option<String> {
    // Of lines that are not known, no one says which come first, or how long they are.
    if mark::any(text) || text.len() > MAX_TEXT {
        return None;
    }
    match name {
        "tac" => Some(ended(text.lines().rev())),
        "sort" => sorted(args, text),
        "uniq" => {
            let mut last = None;
            Some(ended(text.lines().filter(|line| last.replace(*line) != Some(*line))))
        }
        "head" | "tail" => piece(name == "tail", args, text),
        "nl" => {
            let numbered = text.lines().enumerate();
            Some(numbered.map(|(at, line)| format!("{:>6}\t{line}\n", at + 1)).collect())
        }
        "fold" => folded(text, width(args)?),
        "fmt" => Some(filled(text, width(args).unwrap_or(75))),
        "strings" => strings(args, text),
        // Wide characters of one script are letters with a NUL each.
        "iconv" => Some(text.replace(['\0', '\u{feff}'], "")),
        "expand" => Some(text.replace('\t', "        ")),
        "pr" | "col" | "colrm" => None,
        _ => None,
    }
}

fn ended<'l>(lines: impl Iterator<Item = &'l str>) -> String {
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The number in `-w 5`, `-w5`, `--width=5` or `-5`.
fn width(args: &[Arg]) -> Option<usize> {
    let bare = || args.iter().find_map(|arg| arg.text.strip_prefix('-')?.parse().ok());
    option(args, "-w", "--width").and_then(|value| value.parse().ok()).or_else(bare)
}

fn sorted(args: &[Arg], text: &str) -> Option<String> {
    let flags: String = args
        .iter()
        .filter_map(|arg| arg.text.strip_prefix('-').filter(|rest| !rest.starts_with('-')))
        .collect();
    let key = option(args, "-k", "--key");
    let separator = option(args, "-t", "--field-separator").and_then(|value| value.chars().next());
    let field = key.and_then(|key| key.split(|c: char| !c.is_ascii_digit()).next()?.parse::<usize>().ok());
    let of = |line: &str| -> String {
        let Some(field) = field.filter(|field| *field > 0) else { return line.to_owned() };
        match separator {
            Some(separator) => line.split(separator).skip(field - 1).collect::<Vec<_>>().join("\0"),
            None => line.split_whitespace().skip(field - 1).collect::<Vec<_>>().join(" "),
        }
    };
    let number = |text: &str| {
        let text = text.trim_start();
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '-' && c != '.').unwrap_or(text.len());
        text[..end].parse::<f64>().unwrap_or(0.0)
    };
    let mut lines: Vec<(String, &str)> = text.lines().map(|line| (of(line), line)).collect();
    if flags.contains(['R', 'V', 'h', 'M']) {
        return None;
    }
    if flags.contains('n') || key.is_some_and(|key| key.contains('n')) {
        lines.sort_by(|one, other| number(&one.0).total_cmp(&number(&other.0)));
    } else {
        lines.sort();
    }
    if flags.contains('r') || key.is_some_and(|key| key.contains('r')) {
        lines.reverse();
    }
    if flags.contains('u') {
        lines.dedup_by(|one, other| one.0 == other.0);
    }
    Some(ended(lines.into_iter().map(|(_, line)| line)))
}

/// `head -n 2`, `head -c -3`, `tail -n +2`, `tail -1`.
fn piece(from_end: bool, args: &[Arg], text: &str) -> Option<String> {
    let bytes = option(args, "-c", "--bytes");
    let bare = || args.iter().find_map(|arg| bare_number(&arg.text)).map(str::to_owned);
    let count = bytes.or_else(|| option(args, "-n", "--lines")).map(str::to_owned).or_else(bare);
    let count = count.unwrap_or_else(|| "10".to_owned());
    let (sign, digits) = match count.split_at_checked(1) {
        Some((sign @ ("+" | "-"), digits)) => (sign, digits),
        _ => ("", count.as_str()),
    };
    let number: usize = digits.parse().ok()?;
    let pieces: Vec<&str> = match bytes {
        Some(_) => text.char_indices().map(|(at, c)| &text[at..at + c.len_utf8()]).collect(),
        None => text.split_inclusive('\n').collect(),
    };
    let length = pieces.len();
    let kept = match (from_end, sign) {
        (false, "-") => &pieces[..length.saturating_sub(number)],
        (false, _) => &pieces[..number.min(length)],
        (true, "+") => &pieces[number.saturating_sub(1).min(length)..],
        (true, _) => &pieces[length.saturating_sub(number)..],
    };
    Some(kept.concat())
}

/// `-3`, or `+3`, as the old `tail` has it.
fn bare_number(word: &str) -> Option<&str> {
    let digits = word.strip_prefix(['-', '+'])?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| word.trim_start_matches('-'))
}

fn folded(text: &str, width: usize) -> Option<String> {
    let mut folded = String::new();
    for line in text.lines() {
        let chars: Vec<char> = line.chars().collect();
        for part in chars.chunks(width.max(1)) {
            folded.extend(part);
            folded.push('\n');
        }
        if line.is_empty() {
            folded.push('\n');
        }
    }
    (folded.len() <= MAX_TEXT).then_some(folded)
}

fn filled(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    ended(lines.iter().map(String::as_str))
}

/// `strings -n 3`: runs of letters.
fn strings(args: &[Arg], text: &str) -> Option<String> {
    let least = match option(args, "-n", "--bytes") {
        Some(number) => number.parse().ok()?,
        None => width(args).unwrap_or(4),
    };
    let runs = text.split(|c: char| c.is_control() && c != '\t' || !c.is_ascii());
    Some(ended(runs.filter(|run| run.len() >= least)))
}

/// What `comm -13 A B`, `diff A B` and `join`'s like print of two texts.
pub(super) fn compared(name: &str, args: &[Arg], [left, right]: [&str; 2]) -> Option<String> {
    if mark::any(left) || mark::any(right) {
        return None;
    }
    let only = |own: &str, other: &str| -> Vec<String> {
        let known: Vec<&str> = other.lines().collect();
        own.lines().filter(|line| !known.contains(line)).map(str::to_owned).collect()
    };
    let (gone, new) = (only(left, right), only(right, left));
    if name == "diff" {
        let unified = args.iter().any(|arg| arg.text.starts_with("-u") || arg.text.starts_with("-U"));
        let (less, more) = if unified { ("-", "+") } else { ("< ", "> ") };
        let gone = gone.iter().map(|line| format!("{less}{line}\n"));
        return Some(gone.chain(new.iter().map(|line| format!("{more}{line}\n"))).collect());
    }
    let hides = |column: char| {
        args.iter().any(|arg| {
            let columns = arg.text.strip_prefix('-').unwrap_or_default();
            columns.bytes().all(|byte| byte.is_ascii_digit()) && columns.contains(column)
        })
    };
    let both: Vec<String> =
        left.lines().filter(|line| !gone.iter().any(|own| own == line)).map(str::to_owned).collect();
    let (mut printed, mut indent) = (String::new(), String::new());
    for (column, lines) in [('1', gone), ('2', new), ('3', both)] {
        if !hides(column) {
            for line in &lines {
                printed.extend([&indent, line, "\n"]);
            }
            indent.push('\t');
        }
    }
    Some(printed)
}

/// Which lines grep lets through, or which parts of them.
struct Search<'a> {
    pattern: &'a str,
    flags: String,
}

fn search<'a>(name: &str, args: &'a [Arg]) -> Option<Search<'a>> {
    let (mut flags, mut pattern) = (String::new(), None);
    let mut words = args.iter().map(|arg| arg.text.as_str());
    while let Some(word) = words.next() {
        match word {
            "-e" | "--regexp" => pattern = words.next(),
            "--only-matching" => flags.push('o'),
            "--line-regexp" => flags.push('x'),
            "--color=never" | "--" | "-" => {}
            _ if word.starts_with("--") => return None,
            _ if word.starts_with('-') => flags.push_str(&word[1..]),
            _ if pattern.is_none() => pattern = Some(word),
            _ => return None,
        }
    }
    match name {
        "fgrep" => flags.push('F'),
        "egrep" => flags.push('E'),
        "rg" => flags.push('P'),
        _ => {}
    }
    let known = flags.bytes().all(|flag| b"oxviEFPhsaw".contains(&flag));
    pattern.filter(|_| known).map(|pattern| Search { pattern, flags })
}

/// What grep prints of a text. Of one that is not known: what a whole line, or a part of it, can only be.
pub(super) fn found(name: &str, args: &[Arg], text: &str) -> Option<String> {
    let Search { pattern, flags } = search(name, args)?;
    let has = |flag: char| flags.contains(flag);
    let literal = has('F') || !pattern.contains(|c: char| "\\.*[]^$?+(){}|".contains(c));
    if mark::any(text) {
        let exact = literal && has_any(&flags, "ox") && !has('v') && !has('i') && !mark::any(pattern);
        return exact.then(|| format!("{pattern}\n"));
    }
    let dialect = match () {
        () if has('P') => Dialect::Perl,
        () if has('E') => Dialect::Extended,
        () => Dialect::Basic,
    };
    let text_of = |pattern: &str| if has('F') { regex_escaped(pattern) } else { pattern.to_owned() };
    let pattern = Pattern::read(&text_of(pattern), if has('F') { Dialect::Perl } else { dialect }, has('i'))?;
    let mut printed = String::new();
    for line in text.lines() {
        let matches = pattern.matches(line);
        let is_found = if has('x') { matches.contains(&line) } else { pattern.groups(line).is_some() };
        if is_found == has('v') {
            continue;
        }
        if has('o') {
            for part in &matches {
                printed.extend([part, "\n"]);
            }
        } else {
            printed.extend([line, "\n"]);
        }
    }
    Some(printed)
}

fn has_any(flags: &str, letters: &str) -> bool {
    flags.contains(|c| letters.contains(c))
}

/// A text as a pattern that matches it alone.
fn regex_escaped(text: &str) -> String {
    text.chars().flat_map(|c| c.is_ascii_punctuation().then_some('\\').into_iter().chain([c])).collect()
}

/// What `getopt` prints: the options with their values, and after `--` the words that are none.
pub(super) fn parted(args: &[Arg]) -> Option<String> {
    let end = args.iter().position(|arg| arg.text == "--")?;
    let (own, words) = (&args[..end], &args[end + 1..]);
    let short = option(own, "-o", "--options").unwrap_or_default();
    // GNU's takes any beginning of its own long names.
    let long = super::options(own, "-l", "--longoptions").chain(super::options(own, "", "--long"));
    let long: Vec<&str> = long.flat_map(|names| names.split(',')).collect();
    let quoted = |text: &str| super::quoted(&[Arg::from(text)]);
    let (mut found, mut rest) = (String::new(), String::new());
    let mut words = words.iter().map(|arg| arg.text.as_str());
    while let Some(word) = words.next() {
        if word == "--" {
            words.by_ref().for_each(|word| rest.extend([" ", &quoted(word)]));
        } else if let Some(name) = word.strip_prefix("--") {
            let (name, value) =
                name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
            found.extend([" --", name]);
            if long.iter().any(|known| known.trim_end_matches(':') == name && known.ends_with(':')) {
                found.extend([" ", &quoted(value.or_else(|| words.next()).unwrap_or_default())]);
            }
        } else if let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) {
            for (at, letter) in letters.char_indices() {
                found.extend([' ', '-', letter]);
                let after = at + letter.len_utf8();
                if short.find(letter).is_some_and(|at| short[at + letter.len_utf8()..].starts_with(':')) {
                    let glued = Some(&letters[after..]).filter(|glued| !glued.is_empty());
                    found.extend([" ", &quoted(glued.or_else(|| words.next()).unwrap_or_default())]);
                    break;
                }
            }
        } else {
            rest.extend([" ", &quoted(word)]);
        }
    }
    Some(format!("{found} --{rest}\n"))
}

/// A text that a program has packed or encrypted travels as it is, after this letter of a private area: the unpacking
/// program gets it back.
const PACKED: char = '\u{F8FE}';

/// Whether a program packs, encrypts, or does the opposite.
pub(super) fn packs(name: &str, args: &[Arg]) -> bool {
    match name {
        "openssl" => {
            let ciphers = |arg: &Arg| {
                let name = arg.text.strip_prefix('-').unwrap_or_default();
                [
                    "aes", "des", "camellia", "chacha", "aria", "bf", "rc4", "cast", "seed", "sm4", "pass",
                    "pbkdf",
                ]
                .iter()
                .any(|cipher| name.starts_with(cipher))
            };
            args.iter().any(ciphers)
        }
        "gpg" | "gpg2" | "age" | "uuencode" | "uudecode" => true,
        _ => matches!(
            name,
            "gzip"
                | "gunzip"
                | "zcat"
                | "gzcat"
                | "pigz"
                | "unpigz"
                | "bzip2"
                | "bunzip2"
                | "bzcat"
                | "xz"
                | "unxz"
                | "xzcat"
                | "lzma"
                | "unlzma"
                | "lzcat"
                | "zstd"
                | "unzstd"
                | "zstdcat"
                | "lz4"
                | "unlz4"
                | "lz4cat"
                | "brotli"
                | "compress"
                | "uncompress"
                | "lzop"
                | "lzip"
        ),
    }
}

/// What a packer or a cipher prints: `gzip -c`, `xz -d`, `openssl enc`. `None` where what it unpacks was not packed here.
pub(super) fn packed(name: &str, args: &[Arg], text: &str) -> Option<String> {
    let flag = |letter: char| {
        args.iter()
            .any(|arg| arg.text.starts_with('-') && !arg.text.starts_with("--") && arg.text.contains(letter))
    };
    let unpacks = match name {
        "openssl" => args.iter().any(|arg| arg.text == "-d"),
        "gpg" | "gpg2" | "age" => args.iter().any(|arg| matches!(arg.text.as_str(), "-d" | "--decrypt")),
        "uudecode" => true,
        _ => {
            name.starts_with("un")
                || name.starts_with("gun")
                || name.ends_with("cat")
                || name.starts_with("bun")
                || flag('d')
        }
    };
    if mark::any(text) || text.is_empty() {
        return None;
    }
    if unpacks {
        return text.strip_prefix(PACKED).map(str::to_owned);
    }
    Some(format!("{PACKED}{text}"))
}

/// What a tool prints that fills a format of its own: `date '+rm %s'`, `stat -c 'rm %n'`, `seq -f 'rm %g' 1`. `None` where
/// the format has no words, as nearly everyone's: what it prints is a number, a date, a name.
pub(super) fn told(name: &str, args: &[Arg]) -> Option<String> {
    let format = match name {
        "date" => args.iter().find_map(|arg| arg.text.strip_prefix('+'))?,
        "stat" => option(args, "-c", "--format").or_else(|| option(args, "-f", "--printf"))?,
        "seq" => option(args, "-f", "--format")?,
        "numfmt" => option(args, "", "--format")?,
        "ps" => option(args, "-o", "--format")?,
        _ => return None,
    };
    let named = args.last().map_or("", |arg| arg.text.as_str());
    filled_in(format, |directive| (name == "stat" && directive == 'n').then(|| named.to_owned()))
}

/// A format with its directives filled in: by what is known of them, else by a value without meaning.
pub(super) fn filled_in(format: &str, known: impl Fn(char) -> Option<String>) -> Option<String> {
    let mut printed = String::new();
    let mut words = 0;
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '%' {
            words += usize::from(c.is_ascii_alphabetic());
            printed.push(c);
            continue;
        }
        while chars.next_if(|c| c.is_ascii_digit() || "-+ #'.:^_E".contains(*c)).is_some() {}
        match chars.next() {
            Some('%') => printed.push('%'),
            Some('n' | 'N') if known('n').is_none() => printed.push('\n'),
            Some(directive) => match known(directive) {
                Some(text) => {
                    words += text.len();
                    printed.push_str(&text);
                }
                None => printed.push(mark::TOKEN),
            },
            None => {}
        }
    }
    (words > 1 && printed.contains(char::is_whitespace)).then(|| escapes::printf(&printed) + "\n")
}

/// What `basename` prints: `basename -s .z PATH…`, `basename PATH .z`.
pub(super) fn base_names(args: &[Arg]) -> Option<String> {
    let suffix = option(args, "-s", "--suffix");
    let many = suffix.is_some() || args.iter().any(|arg| matches!(arg.text.as_str(), "-a" | "--multiple"));
    let names = args.iter().map(|arg| arg.text.as_str()).filter(|text| {
        !matches!(*text, "--" | "-a" | "--multiple" | "-s" | "-z") && !text.starts_with("--suffix=")
    });
    let mut names: Vec<&str> = names.skip(usize::from(args.iter().any(|arg| arg.text == "-s"))).collect();
    let mut suffix = suffix.unwrap_or_default();
    if !many {
        suffix = names.get(1).copied().unwrap_or_default();
        names.truncate(1);
    }
    let base = |path: &&str| {
        let name = shell_engine::path::file_name(path.trim_end_matches('/'));
        format!("{}\n", name.strip_suffix(suffix).filter(|name| !name.is_empty()).unwrap_or(name))
    };
    (!names.is_empty()).then(|| names.iter().map(base).collect())
}

/// What `dc` prints: `dc -e '[rm]p'`, `dc -e '7499053P'`.
pub(super) fn calculated(script: &str) -> Option<String> {
    let mut stack: Vec<Entry> = Vec::new();
    let mut printed = String::new();
    let mut chars = script.chars().peekable();
    let (mut steps, mut radix) = (0, 10);
    while let Some(c) = chars.next() {
        steps += 1;
        if steps > MAX_STEPS {
            return None;
        }
        match c {
            c if c.is_whitespace() => {}
            '#' => while chars.next_if(|c| *c != '\n').is_some() {},
            '0'..='9' | 'A'..='F' | '_' => {
                let mut digits = if c == '_' { "-".to_owned() } else { c.to_string() };
                while let Some(digit) = chars.next_if(|c| c.is_ascii_digit() || ('A'..='F').contains(c)) {
                    digits.push(digit);
                }
                stack.push(Entry::Number(i128::from_str_radix(&digits, radix).ok()?));
            }
            'i' => match stack.pop()? {
                Entry::Number(number) => {
                    radix = u32::try_from(number).ok().filter(|base| (2..=16).contains(base))?;
                }
                Entry::Text(_) => return None,
            },
            '[' => {
                let (mut depth, mut text) = (1, String::new());
                loop {
                    let c = chars.next()?;
                    depth += i32::from(c == '[') - i32::from(c == ']');
                    if depth == 0 {
                        break;
                    }
                    text.push(c);
                }
                stack.push(Entry::Text(text));
            }
            'd' => stack.push(stack.last()?.clone()),
            'c' => stack.clear(),
            'r' => {
                let at = stack.len().checked_sub(2)?;
                stack.swap(at, at + 1);
            }
            'p' | 'n' | 'P' => {
                let entry = if c == 'p' { stack.last()?.clone() } else { stack.pop()? };
                printed.push_str(&entry.shown(c == 'P'));
                if c == 'p' {
                    printed.push('\n');
                }
            }
            'f' => stack.iter().rev().for_each(|entry| printed.extend([entry.shown(false), "\n".to_owned()])),
            'a' => {
                let text = match stack.pop()? {
                    Entry::Number(number) => char::from(u8::try_from(number & 0xFF).ok()?).to_string(),
                    Entry::Text(text) => text.chars().take(1).collect(),
                };
                stack.push(Entry::Text(text));
            }
            '+' | '-' | '*' | '/' | '%' | '^' => {
                let (Entry::Number(right), Entry::Number(left)) = (stack.pop()?, stack.pop()?) else {
                    return None;
                };
                let result = match c {
                    '+' => left.checked_add(right),
                    '-' => left.checked_sub(right),
                    '*' => left.checked_mul(right),
                    '/' => left.checked_div(right),
                    '%' => left.checked_rem(right),
                    _ => left.checked_pow(u32::try_from(right).ok()?),
                };
                stack.push(Entry::Number(result?));
            }
            'q' => break,
            _ => return None,
        }
    }
    (!printed.is_empty()).then_some(printed)
}

const MAX_STEPS: usize = 4096;

/// What lies on the stack of `dc`.
#[derive(Clone)]
enum Entry {
    Number(i128),
    Text(String),
}

impl Entry {
    /// As it is printed; `P` prints a number as the bytes of which it consists.
    fn shown(&self, bytes: bool) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(number) if bytes => {
                let all = number.to_be_bytes().into_iter().skip_while(|byte| *byte == 0);
                all.map(char::from).collect()
            }
            Self::Number(number) => number.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(line: &str, text: &str) -> Option<String> {
        let words: Vec<Arg> = line.split(' ').map(Arg::from).collect();
        lines(&words[0].text, &words[1..], text)
    }

    #[test]
    fn lines_are_those_that_the_tools_print() {
        for (line, text, printed) in [
            ("sort", "b\na\n", "a\nb\n"),
            ("sort -n", "10 x\n9 y\n", "9 y\n10 x\n"),
            ("sort -rk2", "a 1\nb 2\n", "b 2\na 1\n"),
            ("sort -t: -k2", "a:2\nb:1\n", "b:1\na:2\n"),
            ("sort -u", "a\na\n", "a\n"),
            ("tac", "a\nb\n", "b\na\n"),
            ("uniq", "a\na\nb\na\n", "a\nb\na\n"),
            ("head -n 1", "a\nb\n", "a\n"),
            ("head -c 2", "rmx", "rm"),
            ("head -c -1", "rmx", "rm"),
            ("head -1", "a\nb\n", "a\n"),
            ("tail -n +2", "a\nb\nc\n", "b\nc\n"),
            ("tail -c +3", "# rm", "rm"),
            ("tail -1", "a\nb\n", "b\n"),
            ("nl", "a\n", "     1\ta\n"),
            ("fold -w1", "rm\n", "r\nm\n"),
            ("fmt -w 4", "a b c\n", "a b\nc\n"),
            ("strings -n 3", "\0\u{1}abc\0de", "abc\n"),
            ("iconv -f UTF-16LE", "r\0m\0", "rm"),
        ] {
            assert_eq!(run(line, text).as_deref(), Some(printed), "{line}");
        }
        assert_eq!(run("sort -R", "a\nb\n"), None);
        assert_eq!(run("head -n 1", &mark::UNKNOWN.to_string()), None);
    }

    #[test]
    fn parts_of_lines_are_found() {
        let grep = |line: &str, text: &str| {
            let words: Vec<Arg> = line.split(' ').map(Arg::from).collect();
            found("grep", &words, text)
        };
        assert_eq!(grep("-oP (?<=x).*(?=x)", "xrmx\n").as_deref(), Some("rm\n"));
        assert_eq!(grep("-v a", "a\nb\n").as_deref(), Some("b\n"));
        assert_eq!(grep("-F a.b", "a.b\naxb\n").as_deref(), Some("a.b\n"));
        assert_eq!(grep("-x rm", &mark::UNKNOWN.to_string()).as_deref(), Some("rm\n"));
        assert_eq!(grep("rm", &mark::UNKNOWN.to_string()), None);
        assert_eq!(grep("-c a", "a\n"), None);
    }

    #[test]
    fn words_are_parted_into_options_and_others() {
        let words: Vec<Arg> = "-o x:v -l long: -- -vx /a b --long=c".split(' ').map(Arg::from).collect();
        assert_eq!(parted(&words).as_deref(), Some(" -v -x '/a' --long 'c' -- 'b'\n"));
    }

    #[test]
    fn what_was_packed_is_unpacked() {
        let packed_text = packed("xz", &[], "rm\n").unwrap();
        assert_eq!(packed("xzcat", &[], &packed_text).as_deref(), Some("rm\n"));
        assert_eq!(packed("xz", &[Arg::from("-dc")], &packed_text).as_deref(), Some("rm\n"));
        assert_eq!(packed("xzcat", &[], "rm"), None);
    }

    #[test]
    fn two_texts_are_compared() {
        let args = |word: &str| [Arg::from(word)];
        assert_eq!(compared("comm", &args("-13"), ["a\n", "a\nb\n"]).as_deref(), Some("b\n"));
        assert_eq!(compared("diff", &[], ["a\n", "b\n"]).as_deref(), Some("< a\n> b\n"));
        assert_eq!(compared("diff", &args("-u"), ["", "b\n"]).as_deref(), Some("+b\n"));
    }

    #[test]
    fn a_format_counts_where_it_has_words() {
        let told = |line: &str| told("date", &[Arg::from(line)]);
        assert_eq!(told("+rm -rf /etc").as_deref(), Some("rm -rf /etc\n"));
        assert_eq!(told("+%Y-%m-%d"), None);
        assert_eq!(told("+%Y-%m-%d %H:%M"), None);
    }

    #[test]
    fn a_stack_prints_letters() {
        assert_eq!(calculated("7499053P").as_deref(), Some("rm-"));
        assert_eq!(calculated("16i 726DP").as_deref(), Some("rm"));
        assert_eq!(calculated("[rm]p").as_deref(), Some("rm\n"));
        assert_eq!(calculated("114aP 100 9+aP").as_deref(), Some("rm"));
        assert_eq!(calculated("1 2+p").as_deref(), Some("3\n"));
        assert_eq!(calculated("1 0/p"), None);
    }
}
