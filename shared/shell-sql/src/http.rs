//! SQL in requests to databases that are asked over HTTP: `ClickHouse`, `InfluxDB`, D1, `CrateDB` and others.

use shell_engine::{Arg, Process};

use super::flavor::{Flavor, Style};
use super::{Client, Session};

/// Addresses of interfaces that take SQL.
const SIGNS: &[&str] = &[
    ":8123",
    "clickhouse",
    ":8086/query",
    "/_sql",
    "/druid/v2/sql",
    "/v1/statement",
    "/d1/database/",
    "/database/query",
    "/v2/pipeline",
    "/db/execute",
    "/exec?query=",
    "/sql/statements",
    "/api/v2/statements",
    "bigquery.googleapis.com",
];

/// Verbs with which the SQL in a JSON body begins.
const VERBS: &str = "drop delete truncate update alter with create insert select grant revoke begin";

/// Looks for SQL in what a program sends over HTTP.
pub(super) fn run(process: &mut Process<'_>) {
    let call = process.call;
    let args = call.args.get(1..).unwrap_or(&[]);
    // Without such an address a body is not SQL, whatever it looks like.
    if !args.iter().any(|arg| SIGNS.iter().any(|sign| arg.text.contains(sign))) {
        return;
    }
    let stdin = call.io.stdin.clone();
    let client = Client { atom: process.index, flavor: Flavor::Unknown, style: Style::Plain };
    let mut session = Session::new(process.runner, process.scope, client, true);
    for (at, arg) in args.iter().enumerate() {
        if let Some(text) = parameter(&arg.text) {
            session.text(&text);
            continue;
        }
        let Some(body) = body(args, at) else { continue };
        match body.strip_prefix('@') {
            Some("-" | "/dev/stdin") => {
                if let Some(text) = &stdin {
                    session.text(text);
                }
            }
            Some(file) => session.file(file),
            None if body.trim_start().starts_with(['{', '[']) => {
                for text in json_texts(body) {
                    session.text(&text);
                }
            }
            None => session.text(body),
        }
    }
    session.commit();
}

/// The body that an argument is or holds: `-d BODY`, `-dBODY`, `--data-binary=BODY`.
fn body(args: &[Arg], at: usize) -> Option<&str> {
    let text = args[at].text.as_str();
    if let Some((name, value)) = text.split_once('=')
        && is_data(name)
    {
        return Some(value);
    }
    if let Some(glued) = text.strip_prefix("-d").filter(|glued| !glued.is_empty()) {
        return Some(glued);
    }
    let before = args.get(at.checked_sub(1)?)?;
    is_data(&before.text).then_some(text)
}

fn is_data(option: &str) -> bool {
    matches!(
        option,
        "-d" | "--data"
            | "--data-raw"
            | "--data-binary"
            | "--data-urlencode"
            | "--json"
            | "--post-data"
            | "--body-data"
    )
}

/// The SQL in a parameter of an address or a form: `?query=DROP%20TABLE+x`.
fn parameter(text: &str) -> Option<String> {
    let value = ["?query=", "&query=", "?q=", "&q=", "?sql=", "&sql="].iter().find_map(|name| {
        let at = text.find(name)?;
        text.get(at + name.len()..)
    });
    let value = value.or_else(|| ["query=", "q=", "sql="].iter().find_map(|name| text.strip_prefix(name)))?;
    // The next parameter of the address is not a part of it.
    let value = value.split('&').next().unwrap_or(value);
    let mut bytes = Vec::with_capacity(value.len());
    let mut at = 0;
    while let Some(&byte) = value.as_bytes().get(at) {
        let code = value.get(at + 1..at + 3).filter(|_| byte == b'%');
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(decoded) => {
                bytes.push(decoded);
                at += 2;
            }
            None => bytes.push(if byte == b'+' { b' ' } else { byte }),
        }
        at += 1;
    }
    Some(shell_engine::mark::scrub(&String::from_utf8_lossy(&bytes)).into_owned())
}

/// Strings of a JSON body that begin like SQL.
fn json_texts(body: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut chars = body.chars();
    while let Some(c) = chars.next() {
        if c != '"' {
            continue;
        }
        let mut text = String::new();
        while let Some(c) = chars.next() {
            match c {
                '"' => break,
                '\\' => match chars.next() {
                    // To SQL a line break is a blank.
                    Some('n' | 't' | 'r') => text.push(' '),
                    Some(c) => text.push(c),
                    None => {}
                },
                c => text.push(c),
            }
        }
        // Keys and other values of the body are strings as well; the verb tells them apart.
        let first = text.split_whitespace().next().unwrap_or("");
        if VERBS.split(' ').any(|verb| verb.eq_ignore_ascii_case(first)) {
            texts.push(text);
        }
    }
    texts
}
