//! Scripts of which only the name is known.

use shell::{Flow, How};

use super::super::has;
use super::sql::is_for_tests;
use crate::calls::{is_in_production, is_production_set, names_production};
use crate::command::Command;
use crate::places::{as_sent, server_of};
use crate::rule::{Rule, Severity, When};

pub(super) const NAMED: Rule = Rule {
    id: "databases.sql-script",
    severity: Severity::Risky,
    when: When::Command(|command| {
        script(command).is_some_and(|file| says_loss(file) && !is_read(command, file))
            && !command.operands().iter().any(|arg| is_for_tests(&arg.text))
    }),
    reason: "It runs a script that cannot be read here, and by its name drops or deletes something.",
    instead: "Read the script first, and check which database it would reach.",
    matches: "
        psql -h db.example.org -f drop_all.sql
        mysql prod < sql/wipe-users.sql
        npx prisma db execute --file drop.sql
        wrangler d1 execute app --remote --file ./drop.sql
        turso db shell app < drop.sql
    ",
    spares: "
        psql -f schema.sql
        psql app_test -f drop_all.sql
        mysql app < seeds/dropdown.sql
        psql -f migrations/0042_drop_old_index.sql
        echo 'SELECT 1;' > drop.sql && psql -f drop.sql
        psql < dump.sql
        wrangler d1 execute app --local --file drop.sql
    ",
};

pub(super) const PRODUCTION: Rule = Rule {
    id: "databases.production",
    severity: Severity::Risky,
    when: When::Command(|command| {
        changes_rows(command) && as_sent(command, reaches_production)
            || (changes_by_script(command) || super::clients::writes(command)) && reaches_production(command)
    }),
    reason: "It changes what a database in production holds.",
    instead: "Show the statements and the rows that they would change, and let a person run them.",
    matches: "
        psql -h db.prod.internal shop -c \"UPDATE users SET plan = 'free' WHERE id = 1\"
        mysql -h prod-db shop < fix.sql
        redis-cli -h prod-cache DEL session:1
    ",
    spares: "
        psql -h db.prod.internal shop -c 'SELECT count(*) FROM users'
        psql -h db.prod.internal shop -f report.sql
        psql -h localhost shop -f fix.sql
        redis-cli -h prod-cache GET session:1
    ",
};

/// Whether a client is sent to a server in production. A database may be called `prod` anywhere.
fn reaches_production(command: &Command<'_>) -> bool {
    // Of these, every database is elsewhere.
    if command.is(&["turso", "wrangler", "heroku", "pscale", "snowsql", "bq"]) {
        return is_in_production(command);
    }
    let host = command.value(&["-h", "--host", "-b", "--bootstrap-server"]);
    let is_service = |text: &str| text.strip_prefix("service=").is_some_and(names_production);
    let in_address = |text: &str| server_of(text).is_some_and(|(host, _)| names_production(host));
    host.is_some_and(names_production)
        || command.args().iter().any(|arg| in_address(&arg.text) || is_service(&arg.text))
        || is_production_set(command)
}

/// Whether a statement writes rows, or what tables are made of.
fn changes_rows(command: &Command<'_>) -> bool {
    command.atom.via.is_some_and(|via| via.how == How::Statement)
        && has(
            "INSERT UPDATE DELETE MERGE UPSERT REPLACE ALTER CREATE TRUNCATE COPY LOAD IMPORT GRANT",
            &command.name,
        )
        && !super::sql::is_temporary(command)
}

/// Whether a client runs a script that cannot be read here, and whose name does not say that it only reads.
fn changes_by_script(command: &Command<'_>) -> bool {
    const READS: &str =
        "report select query queries check count list explain analyze stats status show export dump";
    let reads = |file: &str| {
        let name = shell::path::file_name(file).to_ascii_lowercase();
        name.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| has(READS, word))
    };
    script(command).is_some_and(|file| !reads(file) && !is_read(command, file))
}

/// The file that a client of a database gets its statements from.
fn script<'a>(command: &Command<'a>) -> Option<&'a str> {
    let takes_files = match &*command.name {
        "psql" | "cqlsh" | "cockroach" => true,
        "prisma" => command.sub(&["db", "execute"]),
        "wrangler" => command.sub(&["d1", "execute"]) && command.has_word("--remote"),
        "pgcli" | "mysql" | "mariadb" | "turso" | "pscale" => false,
        _ => return None,
    };
    let read =
        || command.atom.redirects.iter().find(|redirect| redirect.flow == Flow::Read && redirect.fd == 0);
    let named = if takes_files { command.value(&["-f", "--file"]) } else { None };
    named.or_else(|| read().map(|redirect| redirect.target.as_str())).filter(|file| is_sql(file))
}

fn is_sql(file: &str) -> bool {
    let endings = ["sql", "cql", "hql", "ddl"];
    file.rsplit_once('.')
        .is_some_and(|(_, ending)| endings.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// Whether a word of the file's name is what a loss is called.
fn says_loss(file: &str) -> bool {
    const WORDS: &str = "drop dropall wipe truncate purge nuke destroy teardown delete";
    // A migration was reviewed, and drops what the one before it has made.
    if file.contains("migrat") {
        return false;
    }
    let name = shell::path::file_name(file).to_ascii_lowercase();
    name.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| has(WORDS, word))
}

/// Whether the file's statements have been looked at: the text has made it, or it lies on the disk.
fn is_read(command: &Command<'_>, file: &str) -> bool {
    let path = command.target(file).path;
    let analysis = command.analysis;
    analysis.made.iter().any(|(made, _)| *made == path)
        || analysis.files.iter().any(|read| *read.path == *path)
}
