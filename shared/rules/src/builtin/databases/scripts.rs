//! Scripts of which only the name is known.

use shell::Flow;

use super::super::has;
use super::sql::is_for_tests;
use crate::command::Command;
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

/// The file that a client of a database gets its statements from.
fn script<'a>(command: &Command<'a>) -> Option<&'a str> {
    let takes_files = match &*command.name {
        "psql" => true,
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
    file.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("sql"))
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
