//! Recall and false alarms on a labelled set that is made while the test runs: no secret, not even an invented one,
//! stands in the repository.

mod cases;
mod harmless;
mod kinds;
mod others;
mod random;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use random::Random;
use redact::{KEY_LENGTH, Key, Redactor};

const ROWS: usize = 1_000;

/// Ways in which a secret stands in a command, a file or an answer.
const CONTEXTS: [&str; 12] = [
    "export TOKEN={}",
    "curl -H 'Authorization: Bearer {}' https://api.example.com/v1/things",
    "{}",
    "echo {} | tool login --stdin",
    "const apiKey = \"{}\";",
    "{\"config\":{\"api_key\":\"{}\",\"region\":\"eu\"}}",
    "{\\\"auth\\\":{\\\"token\\\":\\\"{}\\\"}}",
    "client := New(\n\tWithToken(\"{}\"),\n)",
    "api_token: {}",
    "tool --api-key {} deploy",
    "tool --api-key={} deploy",
    "# remember: {}, valid until May",
];

struct Row {
    kind: &'static str,
    text: String,
    secret: String,
}

fn positives(kinds: &[(&'static str, kinds::Maker)], random: &mut Random) -> Vec<Row> {
    let mut rows = Vec::new();
    for index in 0.. {
        let (kind, make) = &kinds[index % kinds.len()];
        let made = make(random);
        // Kinds with a context of their own give text and secret; the others are put into every context in turn.
        let (mut text, secret) = match made.text {
            Some(text) => (text, made.secret),
            None => {
                (CONTEXTS[(index / kinds.len()) % CONTEXTS.len()].replace("{}", &made.secret), made.secret)
            }
        };
        match random.below(12) {
            0 => text = format!("echo {} | base64 -d", STANDARD.encode(&text)),
            1 => text = format!("https://example.com/callback?next={}", percent(&text)),
            2 => text = format!("cd src && make test\n{text}\nls -la"),
            _ => {}
        }
        rows.push(Row { kind, text, secret });
        if rows.len() == ROWS {
            return rows;
        }
    }
    rows
}

fn percent(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// Whether eight characters of `secret` in a row stand in `text`, as they are or in the text's encodings.
fn leaks(text: &str, secret: &str) -> bool {
    let decoded = text
        .split(|c: char| !(c.is_ascii_alphanumeric() || "+/=".contains(c)))
        .filter_map(|word| STANDARD.decode(word).ok())
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let unescaped = text.replace("%2B", "+").replace("%2F", "/").replace("%3D", "=");
    let places: Vec<String> = decoded.chain([text.to_owned(), unescaped]).collect();
    let pieces = secret.as_bytes().windows(secret.len().min(8));
    pieces
        .filter_map(|piece| std::str::from_utf8(piece).ok())
        .any(|piece| places.iter().any(|place| place.contains(piece)))
}

#[test]
fn recall_is_at_least_95_percent_and_no_kind_is_forgotten() {
    let kinds = kinds::all();
    assert!(kinds.len() >= 60, "{} kinds", kinds.len());
    recall(&kinds);
}

#[test]
fn recall_is_as_high_for_forms_that_the_rules_were_not_written_from() {
    recall(&[others::tokens(), others::places()].concat());
}

#[expect(clippy::print_stdout, reason = "numbers for people, with --nocapture")]
fn recall(kinds: &[(&'static str, kinds::Maker)]) {
    let mut random = Random::new(7);
    let rows = positives(kinds, &mut random);
    assert_eq!(rows.len(), ROWS);
    let key = Key::new(&|| [1; KEY_LENGTH]);
    let mut missed: Vec<&Row> = Vec::new();
    for row in &rows {
        let redacted = Redactor::new(&key, &[]).redact(&row.text);
        if leaks(&redacted.text, &row.secret) {
            missed.push(row);
        }
    }
    let report: Vec<String> =
        missed.iter().map(|row| format!("{}: {}", row.kind, row.text.escape_debug())).collect();
    println!("recall: {} of {ROWS} in {} kinds", ROWS - missed.len(), kinds.len());
    if std::env::var_os("SHOW_MISSES").is_some() {
        println!("{}", report.join("\n"));
    }
    assert!(missed.len() * 20 <= ROWS, "{} missed:\n{}", missed.len(), report.join("\n"));
    for (kind, _) in kinds {
        let of_kind = rows.iter().filter(|row| row.kind == *kind).count();
        let missed = missed.iter().filter(|row| row.kind == *kind).count();
        assert!(missed < of_kind, "{kind} is never found");
    }
}

#[test]
fn false_alarms_are_at_most_2_percent() {
    false_alarms(&harmless::all());
}

#[test]
fn false_alarms_are_as_few_among_other_look_alikes() {
    false_alarms(&others::harmless());
}

#[expect(clippy::print_stdout, reason = "numbers for people, with --nocapture")]
fn false_alarms(makers: &[harmless::Maker]) {
    let mut random = Random::new(11);
    let texts: Vec<String> = (0..ROWS).map(|index| makers[index % makers.len()](&mut random)).collect();
    let alarms: Vec<String> = texts
        .iter()
        .filter_map(|text| {
            let found = redact::find(text);
            let first = found.first()?;
            Some(format!("{} in {}", first.rule, text.escape_debug()))
        })
        .collect();
    println!("false alarms: {} of {ROWS}, from {} kinds of look-alikes", alarms.len(), makers.len());
    if std::env::var_os("SHOW_MISSES").is_some() {
        println!("{}", alarms.join("\n"));
    }
    assert!(alarms.len() * 50 <= ROWS, "{} alarms:\n{}", alarms.len(), alarms.join("\n"));
}

/// Neutral places: nothing in them says that a secret follows, so that its form alone must.
const NEUTRAL: [&str; 8] = [
    "tool deploy '{}'",
    "VALUE='{}' make run",
    "curl -H 'X-Thing: {}' https://api.example.com/v1",
    "curl 'https://api.example.com/v1?q={}'",
    "curl -d '{\"thing\":\"{}\"}' https://api.example.com/v1",
    "cat > app.conf <<EOF\nthing: {}\nEOF",
    "echo '{}' | tool import -",
    "printf 'thing = \"%s\"\\n' '{}' >> app.toml",
];

/// How often each row is made: random values differ in what they look like.
const TIMES: usize = 4;

/// A tag names the kind, as the beginning of many a token does.
fn without_tags(text: &str) -> String {
    let mut parts = text.split("[REDACTED:");
    let first = parts.next().unwrap_or_default();
    let rest = parts.map(|part| part.split_once(']').map_or("", |(_, after)| after));
    std::iter::once(first).chain(rest).collect::<Vec<_>>().join(" ")
}

/// The rows whose secrets are still in the redacted text.
fn leaking(rows: &[(String, cases::Made)]) -> Vec<String> {
    let key = Key::new(&|| [1; KEY_LENGTH]);
    let mut missed: Vec<String> = Vec::new();
    for (name, made) in rows {
        let redacted = Redactor::new(&key, &[]).redact(&made.text);
        let shown = without_tags(&redacted.text);
        if made.secrets_or_all().iter().any(|secret| leaks(&shown, secret)) {
            missed.push(format!(
                "{name}: {}\n    {}",
                made.text.escape_debug(),
                redacted.text.escape_debug()
            ));
        }
    }
    missed
}

#[test]
fn every_form_is_known_in_every_place() {
    let mut random = Random::new(23);
    let mut rows = Vec::new();
    for row in cases::rows(cases::FORMS) {
        let (kind, form) = row.split_once('\t').unwrap();
        for _ in 0..TIMES {
            let made = cases::make(form, &mut random);
            for place in NEUTRAL {
                let text = place.replace("{}", &made.text);
                rows.push((kind.to_owned(), cases::Made { text, secrets: made.secrets_or_all() }));
            }
        }
    }
    assert!(rows.len() >= 280 * NEUTRAL.len() * TIMES, "{} rows", rows.len());
    let missed = leaking(&rows);
    assert!(missed.is_empty(), "{} of {} missed:\n{}", missed.len(), rows.len(), missed.join("\n"));
}

#[test]
fn every_place_is_known() {
    let mut random = Random::new(29);
    let rows: Vec<_> = cases::rows(cases::PLACES)
        .flat_map(|row| std::iter::repeat_n(row, TIMES))
        .map(|row| (row.to_owned(), cases::make(row, &mut random)))
        .collect();
    assert!(rows.len() >= 400 * TIMES && rows.iter().all(|(_, made)| !made.secrets.is_empty()));
    let missed = leaking(&rows);
    assert!(missed.is_empty(), "{} of {} missed:\n{}", missed.len(), rows.len(), missed.join("\n"));
}

#[test]
fn nothing_is_taken_out_of_what_people_run_every_day() {
    let mut random = Random::new(31);
    let rows: Vec<&str> = cases::rows(cases::EVERYDAY).collect();
    assert!(rows.len() >= 400, "{} rows", rows.len());
    let made = rows
        .iter()
        .flat_map(|row| std::iter::repeat_n(row, TIMES))
        .map(|row| cases::make(row, &mut random).text);
    let alarms: Vec<String> = made
        .filter_map(|text| {
            let span = *redact::find(&text).first()?;
            Some(format!("{} `{}` in {}", span.rule, &text[span.start..span.end], text.escape_debug()))
        })
        .collect();
    assert!(alarms.is_empty(), "{} alarms:\n{}", alarms.len(), alarms.join("\n"));
}
