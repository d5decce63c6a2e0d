//! Programs that send SQL somewhere, and where in their arguments it stands.

use shell_engine::{Arg, Process, arguments, mark};

use super::Session;
use super::flavor::{Flavor, Style};

/// A client of a database.
#[derive(Clone, Copy)]
struct Client {
    flavor: Flavor,
    style: Style,
    /// Options that take SQL, separated by blanks. Long ones may be abbreviated.
    sql: &'static str,
    /// Options that take a file of SQL.
    files: &'static str,
    /// Options that take a value as the next argument, whatever it is: those of the catalog.
    values: [&'static str; 2],
    /// Letters that take the rest of their word, and nothing else.
    glued: &'static str,
    operands: Operands,
}

/// What the operands of a client are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operands {
    /// Databases and the like.
    Names,
    Sql(usize),
    /// One statement, word by word.
    Words,
}

const fn client(flavor: Flavor, style: Style, sql: &'static str, files: &'static str) -> Client {
    Client { flavor, style, sql, files, values: [""; 2], glued: "", operands: Operands::Names }
}

/// The client of that name, and its arguments after a sub-command.
///
/// Options are from the manuals of `PostgreSQL` 17, `MySQL` 9, `MariaDB` 11, `SQLite` 3.50, `DuckDB` 1, sqlcmd 18,
/// `ClickHouse` 25, and the tools' own `--help`.
fn find<'a>(name: &str, args: &'a [Arg]) -> Option<(Client, &'a [Arg])> {
    let whole = |client: Client| Some((client, args));
    let operands = |client: Client, operands: Operands| Client { operands, ..client };
    match name {
        "psql" | "pgcli" | "vsql" | "usql" | "gsql" | "ysqlsh" | "nzsql" => {
            whole(Client { ..client(Flavor::Postgres, Style::Psql, "-c --command", "-f --file") })
        }
        "mysql" | "mariadb" | "mycli" | "mysqlsh" => whole(Client {
            glued: "p",
            ..client(
                Flavor::MySql,
                Style::MySql,
                "-e --execute --init-command --init-command-add",
                "-f --file",
            )
        }),
        "sqlite3" | "sqlite" | "litecli" | "sqlcipher" => whole(Client {
            operands: Operands::Sql(1),
            ..client(Flavor::Sqlite, Style::Dot, "-cmd", "-init")
        }),
        "duckdb" => whole(Client {
            operands: Operands::Sql(1),
            ..client(Flavor::Postgres, Style::Dot, "-c -s -cmd", "-f -init")
        }),
        "sqlcmd" | "osql" | "isql" | "tsql" | "mssql-cli" | "isql-fb" => whole(Client {
            ..client(Flavor::SqlServer, Style::Sqlcmd, "-Q -q --query --initial-query", "-i --input-file")
        }),
        "Invoke-Sqlcmd" | "Invoke-DbaQuery" | "Invoke-SqliteQuery" | "Invoke-SqlUpdate"
        | "Invoke-SqlQuery" => whole(Client {
            ..client(Flavor::SqlServer, Style::Sqlcmd, "-Query -Q -q", "-InputFile -File -i")
        }),
        "hdbsql" => whole(operands(client(Flavor::Oracle, Style::Plain, "", "-I"), Operands::Sql(0))),
        "cbq" => whole(client(Flavor::Unknown, Style::Plain, "-s --script", "-f --file")),
        "bcp" => whole(operands(client(Flavor::SqlServer, Style::Plain, "", ""), Operands::Sql(0))),
        "clickhouse-client" | "clickhouse-local" | "clickhouse-cloud" => whole(clickhouse()),
        "clickhouse" | "ch" => after(args, &["client|local"]).map(|args| (clickhouse(), args)),
        "snowsql" => whole(Client { ..client(Flavor::Unknown, Style::Snow, "-q --query", "-f --filename") }),
        "sqlplus" | "sqlplus64" | "sqlcl" | "sql" => {
            whole(client(Flavor::Oracle, Style::Sqlplus, "-sql", ""))
        }
        "db2" => {
            whole(operands(client(Flavor::Oracle, Style::Hive, "", "-f -tf -tvf -svtf"), Operands::Words))
        }
        "trino" | "presto" | "presto-cli" | "trino-cli" => {
            whole(client(Flavor::Postgres, Style::Plain, "--execute", "-f --file"))
        }
        "beeline" | "hive" | "spark-sql" | "spark-beeline" | "dbsqlcli" | "databricks-sql" => {
            whole(Client { ..client(Flavor::Hive, Style::Hive, "-e --execute", "-f") })
        }
        "impala-shell" => {
            whole(Client { ..client(Flavor::Hive, Style::Hive, "-q --query", "-f --query_file") })
        }
        "cqlsh" | "cqlsh-expansion" => {
            whole(Client { ..client(Flavor::Postgres, Style::Plain, "-e --execute", "-f --file") })
        }
        "influx" => {
            let sql = client(Flavor::Unknown, Style::Plain, "-execute --execute", "");
            args.iter()
                .any(|arg| arg.text.trim_start_matches('-').starts_with("execute"))
                .then_some((sql, args))
        }
        "ksql" => whole(client(Flavor::Unknown, Style::Plain, "-e --execute", "-f --file")),
        "bteq" | "fisql" | "exaplus" => whole(client(Flavor::Oracle, Style::Plain, "-sql", "-f")),
        _ => tool(name, args),
    }
}

fn clickhouse() -> Client {
    Client {
        operands: Operands::Sql(0),
        ..client(Flavor::Unknown, Style::Plain, "-q --query", "--queries-file")
    }
}

/// Tools of which one sub-command takes SQL.
fn tool<'a>(name: &str, args: &'a [Arg]) -> Option<(Client, &'a [Arg])> {
    let plain =
        |flavor: Flavor, sql: &'static str, files: &'static str| client(flavor, Style::Plain, sql, files);
    let texts = |client: Client, from: usize| Client { operands: Operands::Sql(from), ..client };
    let (client, args) = match name {
        "cockroach" => {
            let sql = client(Flavor::Postgres, Style::Psql, "-e --execute", "-f --file");
            (sql, after(args, &["sql|demo"])?)
        }
        // It only estimates what the statement would read.
        "bq" if args.iter().any(|arg| arg.text.trim_start_matches('-') == "dry_run") => return None,
        "bq" => {
            let sql = plain(Flavor::BigQuery, "", "--flagfile");
            (texts(sql, 0), after(args, &["query"])?)
        }
        "surreal" => (plain(Flavor::Postgres, "", ""), after(args, &["sql"])?),
        "dolt" => (plain(Flavor::MySql, "-q --query", "-f --file"), after(args, &["sql"])?),
        "snow" => {
            (client(Flavor::Unknown, Style::Snow, "-q --query", "-f --filename"), after(args, &["sql"])?)
        }
        "turso" => (texts(plain(Flavor::Sqlite, "", ""), 1), after(args, &["db", "shell"])?),
        "wrangler" => {
            let args = after(args, &["d1", "execute"])?;
            // wrangler keeps a database on this machine for tests.
            if args.iter().any(|arg| arg.text == "--local") {
                return None;
            }
            (plain(Flavor::Sqlite, "--command", "--file"), args)
        }
        "heroku" => {
            let args = after(args, &["pg:psql|psql"])?;
            (client(Flavor::Postgres, Style::Psql, "-c --command", "-f --file"), args)
        }
        "aws" => {
            let services = &[
                "rds-data|redshift-data|athena|dynamodb|timestream-query|neptunedata",
                "*statement|start-query-execution|query",
            ];
            let args = after(args, services)?;
            (plain(Flavor::Unknown, "--sql --sqls --query-string --statement --statements", ""), args)
        }
        "gcloud" => {
            if let Some(args) = after(args, &["spanner", "databases"]) {
                (plain(Flavor::BigQuery, "--sql --ddl", "--ddl-file"), args)
            } else {
                (plain(Flavor::Unknown, "", ""), after(args, &["sql|alloydb", "connect"])?)
            }
        }
        "az" => {
            let args = after(args, &["postgres|mysql", "flexible-server", "execute"])?;
            (plain(Flavor::Unknown, "-q --querytext", "-f --file-path"), args)
        }
        "rails" | "bin/rails" => (plain(Flavor::Unknown, "", ""), after(args, &["db|dbconsole"])?),
        "prisma" => (plain(Flavor::Unknown, "", "--file"), after(args, &["db", "execute"])?),
        "supabase" => {
            (texts(plain(Flavor::Postgres, "", "-f --file"), 0), after(args, &["db", "query|execute|psql"])?)
        }
        "wp" => (texts(plain(Flavor::MySql, "", ""), 0), after(args, &["db", "query|cli"])?),
        "drush" => {
            let args = after(args, &["sql:query|sqlq|sql-query|sql:cli|sqlc"])?;
            (texts(plain(Flavor::MySql, "", "--file"), 0), args)
        }
        "n98-magerun2" | "n98-magerun" | "magerun2" | "magerun" => {
            (texts(plain(Flavor::MySql, "", ""), 0), after(args, &["db:query"])?)
        }
        "console" | "symfony" | "doctrine" => {
            let args = after(args, &["dbal:run-sql|doctrine:query:sql"])?;
            (texts(plain(Flavor::Unknown, "", ""), 0), args)
        }
        "php" => {
            let args = after(args, &["dbal:run-sql|doctrine:query:sql|db|sql:query|sqlq"])?;
            (texts(plain(Flavor::Unknown, "", ""), 0), args)
        }
        "typeorm" | "typeorm-ts-node-commonjs" | "typeorm-ts-node-esm" => {
            let sql = plain(Flavor::Unknown, "", "");
            (texts(sql, 0), after(args, &["query"])?)
        }
        "manage.py" | "django-admin" | "python" | "python3" => {
            let sql = client(Flavor::Unknown, Style::Psql, "-c -e", "-f");
            let args = after(args, &["dbshell"])?;
            // `dbshell -- -c …`: Django hands on what follows to the database's own client.
            (sql, args.get(usize::from(args.first().is_some_and(|arg| arg.text == "--"))..)?)
        }
        "neonctl" | "neon" => {
            let args = after(args, &["psql"])?;
            let args =
                args.iter().position(|arg| arg.text == "--").and_then(|at| args.get(at + 1..)).unwrap_or(&[]);
            (client(Flavor::Postgres, Style::Psql, "-c --command", "-f --file"), args)
        }
        "pscale" => (client(Flavor::MySql, Style::MySql, "-e", ""), after(args, &["shell"])?),
        "fly" | "flyctl" => {
            (client(Flavor::Postgres, Style::Psql, "-c", ""), after(args, &["postgres|pg|mpg", "connect"])?)
        }
        "railway" => (plain(Flavor::Unknown, "", ""), after(args, &["connect"])?),
        _ => return None,
    };
    Some((client, args))
}

/// What follows these words, which may have options between them. `a|b` stands for either, `*x` for an end.
fn after<'a>(args: &'a [Arg], words: &[&str]) -> Option<&'a [Arg]> {
    let mut rest = args;
    for word in words {
        let fits = |arg: &Arg| {
            word.split('|').any(|word| match word.strip_prefix('*') {
                Some(end) => arg.text.ends_with(end),
                None => arg.text == word,
            })
        };
        let at = rest.iter().position(fits)?;
        // Options and their values may stand between the words, so each is looked for from where the last one
        // was found.
        rest = &rest[at + 1..];
    }
    Some(rest)
}

/// Variables of psql that are followed.
const MAX_SET: usize = 8;

/// What a client is given.
#[derive(Default)]
struct Given<'a> {
    /// Strings, or files of text, in their order.
    inputs: Vec<(Input, &'a str)>,
    operands: Vec<&'a Arg>,
    words: Vec<&'a str>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Input {
    Text,
    File,
}

/// Sends SQL as the client `name` would. `None` if it is not a client, or gets no SQL.
pub fn run(process: &mut Process<'_>) -> Option<String> {
    let (index, name, call) = (process.index, process.name, process.call);
    let args = call.args.get(1..)?;
    // Some databases take SQL over HTTP, such as ClickHouse.
    if matches!(name, "curl" | "wget" | "http" | "https" | "xh") {
        // It only looks: what these print is worked out elsewhere.
        super::http::run(process);
        return None;
    }
    let (client, args) = find(name, args)?;
    let known = catalog::find(name);
    let values = known.map_or([""; 2], |known| [known.values, known.anywhere]);
    let client = Client { values, ..client };
    let given = given(&client, args);
    let stdin = call.io.stdin.clone();
    let flag = |flags: &[&str]| args.iter().any(|arg| flags.contains(&arg.text.as_str()));
    let argument = !given.inputs.is_empty();
    // Whether a mistake ends the script: if not, later statements run even where an earlier one must fail.
    let stops = match client.style {
        Style::Psql => {
            argument || flag(&["ON_ERROR_STOP=1", "ON_ERROR_STOP=on", "ON_ERROR_STOP", "-vON_ERROR_STOP=1"])
        }
        Style::MySql => !flag(&["-f", "--force"]),
        Style::Dot => argument || flag(&["-bail", "--bail"]),
        Style::Sqlcmd => flag(&["-b"]),
        _ => argument,
    };
    let mut session = Session::new(
        process.runner,
        process.scope,
        super::Client { atom: index, flavor: client.flavor, style: client.style },
        stops,
    );
    // The server itself refuses to write then.
    session.read_only = flag(&["-readonly", "--readonly", "-safe", "--safe"])
        || args.iter().any(|arg| arg.text.contains("mode=ro"))
        || call.assigns.iter().any(|(name, value)| {
            name == "PGOPTIONS" && (value.contains("read_only=on") || value.contains("read_only=true"))
        });
    if client.style == Style::Psql {
        let settings =
            args.windows(2).filter(|pair| matches!(pair[0].text.as_str(), "-v" | "--set" | "--variable"));
        let values = settings.filter_map(|pair| pair[1].text.split_once('='));
        if let Some(line) =
            arguments::option(args, "-o", "--output").and_then(|value| value.strip_prefix('|'))
        {
            session.open_pipe(line);
        }
        session.set = values.take(MAX_SET).map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    }
    for (input, text) in &given.inputs {
        match input {
            Input::Text => session.text(text),
            // `-f -` reads standard input at this place, among other files.
            Input::File if matches!(*text, "-" | "/dev/stdin") => {
                if let Some(text) = &stdin {
                    session.text(text);
                }
            }
            Input::File => session.file(text),
        }
    }
    let words = if client.operands == Operands::Words { given.words.join(" ") } else { String::new() };
    session.text(&words);
    if client.style == Style::Sqlplus {
        for file in given.operands.iter().filter_map(|operand| operand.text.strip_prefix('@')) {
            session.file(file);
            // SQL*Plus adds the ending where it is missing.
            session.file(&format!("{file}.sql"));
        }
    }
    // Standard input is only read where the arguments bring no SQL.
    if !argument && words.is_empty() {
        match &stdin {
            Some(text) => session.text(text),
            None => session.file("/dev/fd/0"),
        }
    }
    session.end();
    // What came from elsewhere stays marked: its result may be piped into a shell.
    let reads = |mark: char| stdin.as_deref().is_some_and(|text| text.contains(mark));
    match [mark::REMOTE, mark::DECODED].into_iter().find(|&mark| reads(mark)) {
        Some(foreign) => Some(format!("{foreign}\n")),
        None => Some(session.output()),
    }
}

/// Sorts the arguments of a client.
fn given<'a>(client: &Client, args: &'a [Arg]) -> Given<'a> {
    let mut given = Given::default();
    let mut rest = args.iter();
    let mut options = true;
    // `sqlite3 -header`: long names after one dash, and no bundles.
    let long_names = matches!(client.style, Style::Dot) || client.sql.starts_with("-execute");
    while let Some(arg) = rest.next() {
        let text = arg.text.as_str();
        if options && text == "--" {
            options = false;
            continue;
        }
        if !options || !text.starts_with('-') || text.len() < 2 {
            given.operands.push(arg);
            given.words.push(text);
            continue;
        }
        let (option, value) = if long_names || text.starts_with("--") {
            let text = if long_names && text.starts_with("--") { &text[1..] } else { text };
            match text.split_once('=') {
                Some((name, value)) => (listed(client, name, true), Some(value)),
                None => (listed(client, text, true), None),
            }
        } else {
            bundle(client, text)
        };
        let Some(option) = option else { continue };
        let Some(value) = value.or_else(|| rest.next().map(|arg| arg.text.as_str())) else { break };
        match option {
            Takes::Sql => given.inputs.push((Input::Text, value)),
            Takes::File => given.inputs.push((Input::File, value)),
            Takes::Other => {}
        }
    }
    if let Operands::Sql(from) = client.operands {
        let texts = given.operands.get(from..).unwrap_or(&[]);
        given.inputs.extend(texts.iter().map(|arg| (Input::Text, arg.text.as_str())));
    }
    given
}

/// What an option takes.
#[derive(Clone, Copy)]
enum Takes {
    Sql,
    File,
    Other,
}

/// What the option of that name takes; nothing, if it is a flag.
fn listed(client: &Client, name: &str, abbreviated: bool) -> Option<Takes> {
    let is = |list: &str| {
        let mut words = list.split_ascii_whitespace();
        words.any(|word| {
            word == name || abbreviated && name.len() >= 5 && name.starts_with("--") && word.starts_with(name)
        })
    };
    match () {
        () if is(client.sql) => Some(Takes::Sql),
        () if is(client.files) => Some(Takes::File),
        () if client.values.into_iter().any(is) => Some(Takes::Other),
        () => None,
    }
}

/// Letters after one dash: `-Atc 'SELECT 1'`, `-c'SELECT 1'`, `-psecret`.
fn bundle<'a>(client: &Client, text: &'a str) -> (Option<Takes>, Option<&'a str>) {
    if let Some(takes) = listed(client, text, false) {
        return (Some(takes), None);
    }
    let letters = &text[1..];
    for (at, letter) in letters.char_indices() {
        if client.glued.contains(letter) {
            return (None, None);
        }
        let mut buffer = [b'-', 0];
        buffer[1] = u8::try_from(letter).unwrap_or(b'-');
        let name = std::str::from_utf8(&buffer).unwrap_or("-");
        if let Some(takes) = listed(client, name, false) {
            let value = &letters[at + letter.len_utf8()..];
            return (Some(takes), (!value.is_empty()).then_some(value));
        }
    }
    (None, None)
}
