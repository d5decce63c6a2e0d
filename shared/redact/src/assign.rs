//! Values given under a name: `NAME=value`, `"name": "value"`, `name := "value"`, `--name value`, `<name>value</name>`.

use crate::class::{self, ALNUM, DIGIT, LOW_LINE, LOWER, UPPER};
use crate::encoded;
use crate::guard;
use crate::literal::{ENOUGH, Value, literal, skip_spaces, unquoted};
use crate::name::{self, Promise};
use crate::pair;
use crate::span::Span;

/// How far after a name its value may begin, in bytes.
const REACH: usize = 48;

/// The value given under the word `bytes[start..end]`, if the name and the value say that it is a secret.
///
/// `after_verb` where a verb stands before that gives a name its value after a space, as in `setenv NAME value`.
pub(crate) fn secret(text: &str, start: usize, end: usize, after_verb: bool) -> Option<Span> {
    let bytes = text.as_bytes();
    let follows = *bytes.get(end)?;
    // Most words are followed by none of these, and end here.
    if !matches!(
        follows,
        b'=' | b':'
            | b'"'
            | b'\''
            | b'`'
            | b' '
            | b'\\'
            | b']'
            | b')'
            | b'>'
            | b'?'
            | b'.'
            | b'+'
            | b'|'
            | b','
            | b'\n'
            | b'\r'
    ) {
        return None;
    }
    let word = &bytes[start..end];
    let option = word[0] == b'-';
    let spaced = follows == b' ' && !option && !word_takes_space(bytes, start, end, after_verb);
    // In a resource's name: `arn:aws:secretsmanager:eu-west-1:1234:secret:prod/db`.
    let inner = follows == b':' && start > 0 && bytes[start - 1] == b':';
    if spaced || inner {
        return None;
    }
    let promise = promise(bytes, start, end);
    if promise == Promise::Nothing {
        return None;
    }
    // `auth=("bob", "…")`, and nothing else that holds two strings.
    let second = || pair::second_of_two(bytes, end).filter(|_| word.ends_with(b"auth"));
    let (promise, value) = if let Some(value) = pair::value(bytes, start, end) {
        (promise, value)
    } else if let Some(value) = second() {
        (Promise::Password, value)
    } else if matches!(follows, b'\n' | b'\r') {
        // A name at the end of its line has its value in an entry of its own, or none.
        return None;
    } else {
        (promise, value(bytes, start, end, option)?)
    };
    let shown = beginning(text, value.start, value.end)?;
    if header(word) {
        return authorization(text, &value);
    }
    let is_secret = match promise {
        Promise::Nothing => false,
        Promise::Perhaps => {
            // `get session:…` is a key of a database.
            let keyed = follows == b':' && value.start == end + 1 && !value.quoted && !word.contains(&b'-');
            let random = !keyed && guard::is_random(shown) && shown.len() >= 16 && plain(shown);
            let pair = || word.ends_with(b"auth") && encoded::holds_a_pair(shown);
            !guard::is_placeholder(shown) && (random || pair())
        }
        Promise::Key => guard::may_be_key(shown, value.quoted),
        // In a sentence words follow: `set password policy`.
        Promise::Password
            if after_verb && !value.quoted && !shown.bytes().any(|byte| class::is(byte, DIGIT)) =>
        {
            false
        }
        Promise::Password => guard::may_be_password(shown, value.quoted, value.shell),
    };
    let rule = match promise {
        Promise::Password => "password",
        _ => "named-secret",
    };
    // All of it, however long.
    let end =
        || if value.quoted { value.end } else { value.start + unquoted(&bytes[value.start..], value.shell) };
    is_secret.then(|| Span::plain(value.start, end(), rule))
}

/// What a word promises, as a name and by what stands before it.
fn promise(bytes: &[u8], start: usize, end: usize) -> Promise {
    let word = &bytes[start..end];
    let before = start.checked_sub(1).map(|before| bytes[before]);
    // The shell's own PWD is the folder; what stands in a connection string or in an object is not.
    let is_option = matches!(word, b"-pwd" | b"--pwd");
    if is_option || word.eq_ignore_ascii_case(b"pwd") && (before == Some(b';') || is_field(bytes, end)) {
        return Promise::Password;
    }
    // `?code=…`: what an address hands over.
    if word.eq_ignore_ascii_case(b"code") && matches!(before, Some(b'?' | b'&')) {
        return Promise::Perhaps;
    }
    // `IDENTIFIED [WITH plugin] BY '…'`
    if word.eq_ignore_ascii_case(b"by") && is_identified(&bytes[..start]) {
        return Promise::Password;
    }
    name::promise(word)
}

/// Whether a string follows as an object's field has it: `name: "…"`, `"name": "…"`.
fn is_field(bytes: &[u8], end: usize) -> bool {
    let rest = &bytes[end..bytes.len().min(end + 8)];
    let sign = rest.iter().position(|byte| !matches!(byte, b'"' | b'\'' | b'\\'));
    let Some(value) = sign.filter(|sign| rest[*sign] == b':').map(|sign| rest[sign + 1..].trim_ascii_start())
    else {
        return false;
    };
    matches!(value, [b'"' | b'\'', ..] | [b'\\', b'"', ..])
}

/// Whether SQL's `IDENTIFIED` stands before, in the same statement.
fn is_identified(before: &[u8]) -> bool {
    // The name of a plugin fits between the two, and hardly more.
    let near = before[before.len().saturating_sub(48)..].to_ascii_lowercase();
    let statement = near.iter().rposition(|byte| *byte == b';').map_or(&near[..], |end| &near[end..]);
    memchr::memmem::find(statement, b"identified").is_some()
}

/// Whether a word without dashes takes a value after a space: `password value` in `.netrc`, `:=` and `=` with spaces
/// around, `PASSWORD 'value'` in SQL.
fn word_takes_space(bytes: &[u8], start: usize, end: usize, after_verb: bool) -> bool {
    if after_verb {
        return true;
    }
    let rest = &bytes[end..];
    let spaces = rest.iter().take_while(|byte| **byte == b' ').count();
    match rest.get(spaces) {
        // The signs of `:=`, `?=`, `.=`, `+=` and `||=`: some of make, some of programs.
        Some(b'=' | b':' | b'?' | b'.' | b'+' | b'|') => true,
        Some(b'\'' | b'"') => {
            let word = &bytes[start..end];
            header(word)
                || [&b"password"[..], b"by", b"requirepass", b"masterauth"]
                    .iter()
                    .any(|name| word.eq_ignore_ascii_case(name))
        }
        // Typed declarations: `var apiToken string = "…"`.
        Some(b's' | b'S') if says_string(&rest[spaces..]) => true,
        Some(_) => match &bytes[start..end] {
            b"password" => in_netrc(&bytes[..start]),
            // A line of redis.conf.
            b"requirepass" | b"masterauth" => start == 0 || bytes[start - 1] == b'\n',
            _ => false,
        },
        None => false,
    }
}

/// As much of a value as it takes to judge it.
fn beginning(text: &str, start: usize, end: usize) -> Option<&str> {
    text.get(start..boundary(text, end.min(start + ENOUGH)))
}

/// The last place up to `at` that is not a character's middle.
fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn says_string(text: &[u8]) -> bool {
    text.get(..6).is_some_and(|word| word.eq_ignore_ascii_case(b"string"))
}

/// `machine M login L ` stands before.
fn in_netrc(before: &[u8]) -> bool {
    // The three parts may stand on lines of their own, but near each other.
    let from = before.len().saturating_sub(160);
    let near = &before[from..];
    memchr::memmem::find(near, b"machine ").is_some() && memchr::memmem::find(near, b"login ").is_some()
}

/// Finds the value after a name that ends at `end`.
fn value(bytes: &[u8], start: usize, end: usize, option: bool) -> Option<Value> {
    // What begins further away belongs to something else.
    let limit = bytes.len().min(end + REACH);
    let mut at = end;
    let mut closed = false;
    // What closes the name: a quote, perhaps escaped, a bracket.
    while at < limit && matches!(bytes[at], b'"' | b'\'' | b'`' | b']' | b')' | b'\\') {
        closed = true;
        at += 1;
    }
    // `<password>…</password>`
    let tag = bytes.get(at) == Some(&b'>') && start > 0 && bytes[start - 1] == b'<';
    let spaced = at;
    at = skip_spaces(bytes, at, limit);
    let spaces = at - spaced;
    let mut shell = false;
    match bytes.get(at)? {
        b'=' | b':' | b'?' | b'.' | b'+' | b'|' => {
            let sign = assignment(&bytes[at..limit])?;
            at += sign.len();
            // Ruby's and PHP's `=>`.
            if bytes.get(at) == Some(&b'>') {
                at += 1;
            }
            // Without any space or quote it is a shell's assignment, and hardly ever program code.
            shell = spaces == 0 && !closed && sign == b"=";
            // `name: string = "value"`, `name: &str = "value"`.
            if sign == b":"
                && let Some(typed) = after_type(bytes, at, limit)
            {
                at = typed;
            }
        }
        b'>' if tag => {
            return element(bytes, at + 1);
        }
        b',' if closed => {
            at = skip_spaces(bytes, at + 1, limit);
            // `f("passwd", shell=True)`
            if !bytes[at..].first().is_some_and(|byte| matches!(byte, b'"' | b'\'' | b'`' | b'\\')) {
                return None;
            }
        }
        // `password "x"`, as many configurations have it.
        b'"' | b'\'' if spaces > 0 && !closed => {}
        b's' | b'S' if spaces > 0 && !option && says_string(&bytes[at..]) => {
            at = after_type(bytes, at, limit)?;
        }
        _ if option && spaces > 0 && !closed => {
            // The next option, or the end of the command: this option has no value.
            if bytes[at] == b'-' || matches!(bytes[at], b'|' | b'&' | b';' | b'<' | b'>') {
                return None;
            }
            shell = true;
        }
        _ if spaces > 0 && !closed => shell = true,
        _ => return None,
    }
    let spaced = skip_spaces(bytes, at, limit);
    if shell && spaced > at && bytes.get(end) == Some(&b'=') {
        // `NAME= command`: empty.
        return None;
    }
    shell |= option;
    let mut at = spaced;
    // `f"…"`, `b'…'`, `@"…"`, `$'…'`, `L"…"`.
    if at + 1 < bytes.len()
        && matches!(bytes[at], b'f' | b'b' | b'r' | b'u' | b'@' | b'$' | b'L')
        && matches!(bytes[at + 1], b'"' | b'\'')
    {
        at += 1;
    }
    literal(bytes, at, shell)
}

/// The sign of an assignment: `=`, `:`, `:=`, `?=`, `.=`, and what stands before the `>` of `=>`.
fn assignment(bytes: &[u8]) -> Option<&[u8]> {
    let length =
        bytes.iter().take_while(|byte| matches!(byte, b'=' | b':' | b'?' | b'.' | b'+' | b'|')).count();
    let sign = &bytes[..length];
    // `a == b` compares, and `a::b` is a path of names.
    let assigns = (sign.contains(&b'=') || sign == b":") && !sign.starts_with(b"==");
    assigns.then_some(sign)
}

/// The text of an XML element: `<password>x</password>`.
fn element(bytes: &[u8], from: usize) -> Option<Value> {
    let from = skip_spaces(bytes, from, bytes.len().min(from - 1 + REACH));
    // An element that goes on for longer holds a document and not a value.
    let close = bytes[from..].iter().take(512).position(|byte| *byte == b'<')?;
    let length = bytes[from..from + close].iter().rposition(|byte| !byte.is_ascii_whitespace())? + 1;
    Some(Value { start: from, end: from + length, quoted: true, shell: false })
}

/// After a type and its `=`, as in `string = `; `None` if there is no type.
fn after_type(bytes: &[u8], from: usize, limit: usize) -> Option<usize> {
    let at = skip_spaces(bytes, from, limit);
    let name = bytes[at..limit]
        .iter()
        .take_while(|b| class::is(**b, ALNUM | LOW_LINE) || matches!(b, b'&' | b'\'' | b'<' | b'>' | b'?'))
        .count();
    let sign = skip_spaces(bytes, at + name, limit);
    (name > 0 && bytes.get(sign) == Some(&b'=') && bytes.get(sign + 1) != Some(&b'=')).then_some(sign + 1)
}

/// Whether a value is one word of a key's characters.
fn plain(value: &str) -> bool {
    value.bytes().all(|byte| class::is(byte, class::DOTTED64) || matches!(byte, b'~' | b':' | b'!' | b'%'))
        && !value.starts_with('/')
        // Neither base64 has both.
        && !(value.contains('/') && value.contains(['-', '.', '_']))
        // In base64 one character of 64 is a slash, in a path many more are.
        && value.bytes().filter(|byte| *byte == b'/').count() <= value.len() / 16
}

fn header(word: &[u8]) -> bool {
    let word = &word[class::run(word, class::DASH)..];
    [&b"authorization"[..], b"proxy-authorization", b"cookie", b"set-cookie"]
        .iter()
        .any(|name| word.eq_ignore_ascii_case(name))
}

/// `Authorization: Bearer …`: what follows the scheme, to the end of the quotes or the line.
fn authorization(text: &str, value: &Value) -> Option<Span> {
    let bytes = text.as_bytes();
    let mut end = value.end;
    if !value.quoted {
        // The header stands inside quotes that opened before its name.
        end = value.start + line_length(&bytes[value.start..bytes.len().min(value.start + 8 * ENOUGH)]);
    }
    let mut start = value.start;
    // The scheme stays readable, since it tells what kind of secret was there.
    let scheme = class::run(&bytes[start..end], UPPER | LOWER | DIGIT | class::DASH);
    if bytes.get(start + scheme) == Some(&b' ') && scheme > 0 {
        start += scheme + 1;
    }
    let shown = text.get(start..boundary(text, end))?.trim_end();
    let secret = shown.len() >= 6
        && !guard::is_placeholder(shown.trim_matches(['"', '\'', '\\']))
        && shown.bytes().any(|byte| class::is(byte, ALNUM));
    // `$(gcloud auth print-access-token)` and the like are not secrets yet.
    let computed = shown.starts_with('$')
        || shown.starts_with('`')
        || shown.contains("$(")
        || shown.starts_with('<')
        || shown.starts_with('{');
    if !secret || computed {
        return None;
    }
    // All of it, however long.
    let rest = if value.quoted { value.end - start } else { line_length(&bytes[start..]) };
    let end = start + text.get(start..start + rest)?.trim_end().len();
    Some(Span::plain(start, end, "authorization"))
}

/// How far it is to the end of the quotes or of the line.
fn line_length(bytes: &[u8]) -> usize {
    let stop = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`' | b'\n' | b'\r');
    bytes.iter().position(stop).unwrap_or(bytes.len())
}
