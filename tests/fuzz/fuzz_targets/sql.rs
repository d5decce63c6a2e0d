//! SQL on the command line of every kind of client, and as it is. The first byte chooses the client. See
//! `tests/fuzz/run`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shell::{analyze_sql, mark};

/// A client of each flavor and style.
const CLIENTS: &[&str] = &[
    "psql -c",
    "psql <<<",
    "mysql -e",
    "mysql <<<",
    "sqlite3 app.db",
    "duckdb -c",
    "sqlcmd -Q",
    "sqlplus a/b <<<",
    "bq query",
    "hive -e",
    "snowsql -q",
    "clickhouse-client -q",
    "db2",
    "curl http://localhost:8123/ -d",
];

fuzz_target!(|input: (u8, &str)| {
    let (client, text) = input;
    let client = CLIENTS[usize::from(client) % CLIENTS.len()];
    fuzz::check(&format!("{client} {}", fuzz::quoted(text)));
    let analysis = analyze_sql(text, fuzz::SURROUNDINGS);
    let again = analyze_sql(text, fuzz::SURROUNDINGS);
    assert_eq!(format!("{analysis:?}"), format!("{again:?}"), "the same text, two answers");
    assert!(!analysis.atoms.is_empty(), "the database itself is the first atom");
    if mark::any(text) {
        let scrubbed = analyze_sql(&mark::scrub(text), fuzz::SURROUNDINGS);
        assert_eq!(format!("{analysis:?}"), format!("{scrubbed:?}"), "a mark of the input was taken for ours");
    }
});
