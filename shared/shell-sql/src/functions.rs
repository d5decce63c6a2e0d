//! Functions of a server that do more than compute.

use shell_engine::Flow;

use super::condition::split;
use super::statement::Effect;
use super::text::{self, Variables};
use super::token::{Kind, Token};
use super::words::closing;

/// Calls that are looked at in one statement.
const MAX_CALLS: usize = 32;

/// Finds calls in a statement.
pub(super) fn read(tokens: &[Token<'_>], variables: &Variables, effects: &mut Vec<Effect>) {
    let calls = tokens.windows(2).enumerate().filter_map(|(at, pair)| {
        let [name, open] = pair else { return None };
        let what = if name.names() && open.is_symbol("(") { kind(&name.value()) } else { What::Nothing };
        (what != What::Nothing).then_some((at, name, what))
    });
    for (at, name, what) in calls.take(MAX_CALLS) {
        let arguments = tokens.get(at + 2..closing(tokens, at + 1)).unwrap_or(&[]);
        let arguments = split(arguments, |token| token.is_symbol(","));
        let argument =
            |index: usize| arguments.get(index).and_then(|argument| text::literal(argument, variables));
        let call = || {
            let mut words = vec!["CALL".to_owned(), name.value().to_ascii_lowercase()];
            words.extend(arguments.first().into_iter().flat_map(|first| super::words::render(first, 4)));
            words
        };
        match what {
            What::Nothing => {}
            What::Changes => effects.push(Effect::Statement(call(), Vec::new())),
            What::Sql => {
                let texts =
                    arguments.iter().filter(|argument| argument.iter().any(|token| token.kind == Kind::Text));
                effects.extend(texts.filter_map(|text| text::literal(text, variables)).map(Effect::Sql));
            }
            What::Shell(index) => effects.extend(argument(index).map(Effect::Shell)),
            What::File(index, flow) => {
                if let Some(file) = argument(index).filter(|file| file.starts_with(['/', '~'])) {
                    effects.push(Effect::Statement(call(), vec![(flow, file)]));
                }
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Nothing,
    /// Changes the server or its data.
    Changes,
    /// Runs its arguments as SQL.
    Sql,
    /// Runs this argument as a command line.
    Shell(usize),
    /// Reads or writes the file that this argument names.
    File(usize, Flow),
}

/// What a function does, in `PostgreSQL` 17, `MySQL` 9, the shell of `SQLite` 3.50 and `DuckDB` 1.
fn kind(name: &str) -> What {
    let mut buffer = [0; 32];
    let Some(lower) = buffer.get_mut(..name.len()) else { return What::Nothing };
    lower.copy_from_slice(name.as_bytes());
    lower.make_ascii_lowercase();
    match std::str::from_utf8(lower).unwrap_or("") {
        "pg_terminate_backend"
        | "pg_drop_replication_slot"
        | "pg_file_unlink"
        | "lo_unlink"
        | "drop_chunks"
        | "dropgeometrytable"
        | "drop_hypertable"
        | "load_extension"
        | "pg_stat_reset" => What::Changes,
        "dblink_exec" | "dblink" | "query_to_xml" | "openrowset" | "openquery" | "run_command_on_workers" => {
            What::Sql
        }
        "sys_exec" | "sys_eval" => What::Shell(0),
        "edit" => What::Shell(1),
        "load_file"
        | "pg_read_file"
        | "pg_read_binary_file"
        | "readfile"
        | "pg_ls_dir"
        | "read_text"
        | "lo_import" => What::File(0, Flow::Read),
        "writefile" | "pg_file_write" => What::File(0, Flow::Write),
        "lo_export" => What::File(1, Flow::Write),
        _ => What::Nothing,
    }
}
