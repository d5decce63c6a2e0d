//! Statements of SQL, reduced by the analysis to what they mean.

use shell::{Atom, Flow, How, Place};

use super::orm::is_in_test;
use crate::command::Command;
use crate::rule::{Rule, Severity, When};
use crate::zone::Zone;

pub(super) const DROP: Rule = Rule {
    id: "databases.sql-drop",
    severity: Severity::Destructive,
    when: When::Command(|command| {
        let Some(words) = statement(command) else { return false };
        match words.verb() {
            "DROP" => {
                (words.holds_data() || words.has("cascade")) && !words.drops_test_database() && !is_throw_away(command)
            }
            "REPLACE" => words.is(1, "database schema"),
            // SurrealDB's.
            "REMOVE" => words.is(1, "database db namespace ns table"),
            "CALL" => words.is(
                1,
                "pg_drop_replication_slot pg_file_unlink lo_unlink drop_chunks dropgeometrytable drop_hypertable",
            ),
            "EXEC" | "EXECUTE" => words.calls("sp_detach_db sp_dropserver sp_droplogin sp_dropuser sp_removedbreplication"),
            _ => false,
        }
    }),
    reason: "It drops a table, a database or a user of a database, with the data.",
    instead: "Check with `SELECT count(*)` first, make a dump, and let a person drop it.",
    matches: "
        psql -c 'DROP TABLE users'
        psql prod <<< 'drop schema if exists app cascade;'
        echo 'DROP DATABASE prod' | mysql -u root
        sqlite3 app.db 'DROP TABLE users'
        sudo -u postgres psql -c 'DROP OWNED BY alice'
        sqlcmd -Q 'DROP DATABASE prod'
        cqlsh -e 'DROP KEYSPACE ks'
        surreal sql --db main <<< 'REMOVE DATABASE main;'
        echo 'DROP TABLE a;' > x.sql && psql -f x.sql
        psql -c \"DO $$ BEGIN EXECUTE 'DROP TABLE a'; END $$\"
        psql -Atc \"SELECT 'DROP TABLE ' || tablename FROM pg_tables\" | psql
    ",
    spares: "
        psql -c \"SELECT 'DROP TABLE users'\"
        psql -c 'SELECT 1 -- DROP TABLE users'
        echo 'DROP TABLE users;' > migrations/down.sql
        psql -c 'CREATE TEMP TABLE t(a int); DROP TABLE t'
        sqlite3 :memory: 'DROP TABLE t'
        clickhouse local -q 'DROP TABLE t'
        psql -d app_test -c 'DROP TABLE users'
        psql -c 'BEGIN; DROP TABLE users; ROLLBACK;'
    ",
};

pub(super) const ROWS: Rule = Rule {
    id: "databases.sql-all-rows",
    severity: Severity::Destructive,
    when: When::Command(|command| {
        let Some(words) = statement(command) else { return false };
        let all = match words.verb() {
            "TRUNCATE" => true,
            "DELETE" | "UPDATE" => !words.chooses_rows(),
            _ => false,
        };
        all && !is_throw_away(command)
    }),
    reason: "It deletes or changes every row of a table.",
    instead: "Name the rows with WHERE, and check them with SELECT first.",
    matches: "
        psql -c 'DELETE FROM users'
        mysql -e 'UPDATE users SET admin = 1'
        psql -c 'TRUNCATE users CASCADE'
        mysql -e 'DELETE FROM users WHERE 1=1'
        psql -c \"DELETE FROM users WHERE name LIKE '%'\"
        bq query 'DELETE FROM ds.t WHERE true'
        psql -c 'WITH gone AS (DELETE FROM users RETURNING *) SELECT count(*) FROM gone'
        psql -c 'EXPLAIN ANALYZE DELETE FROM users'
    ",
    spares: "
        psql -c 'DELETE FROM users WHERE id = 1'
        mysql -e 'UPDATE users SET admin = 1 WHERE id = 7'
        psql -c 'EXPLAIN DELETE FROM users'
        psql -c 'BEGIN; DELETE FROM users; ROLLBACK'
        psql -c 'SELECT deleted_at FROM users'
        mysql -e 'DELETE FROM logs ORDER BY id LIMIT 1000'
    ",
};

pub(super) const ALTER: Rule = Rule {
    id: "databases.sql-alter-drop",
    severity: Severity::Destructive,
    when: When::Command(|command| {
        let Some(words) = statement(command) else { return false };
        let drops = words.verb() == "ALTER"
            && (words.is(3, "drop") && !words.is(4, CONSTRAINTS)
                || words.is(3, "truncate")
                || words.is(3, "clear") && words.is(4, "column"));
        drops && !is_throw_away(command)
    }),
    reason: "It drops a column or a part of a table, with the data.",
    instead: "Rename the column first, and drop it when nothing has read it for a while.",
    matches: "
        psql -c 'ALTER TABLE users DROP COLUMN email'
        mysql -e 'ALTER TABLE users ADD a int, DROP b'
        mysql -e 'ALTER TABLE logs TRUNCATE PARTITION p1'
    ",
    spares: "
        psql -c 'ALTER TABLE users ADD COLUMN email text'
        psql -c 'ALTER TABLE users ALTER COLUMN email DROP NOT NULL'
        psql -c 'ALTER TABLE users RENAME COLUMN a TO b'
    ",
};

/// Parts of a table that hold no data.
const CONSTRAINTS: &str =
    "constraint index key primary foreign check default trigger policy projection unique";

pub(super) const RIGHTS: Rule = Rule {
    id: "databases.sql-rights",
    severity: Severity::Destructive,
    when: When::Command(|command| {
        let Some(words) = statement(command) else { return false };
        let powers = "superuser bypassrls";
        match words.verb() {
            "GRANT" => {
                let all = words.is(1, "all");
                let writes = all || words.has("insert") || words.has("update") || words.has("delete");
                words.given_to("public") && writes
                    || all && words.has("*.*")
                    || words.is(1, "superuser postgres rds_superuser cloudsqlsuperuser sysadmin dba root")
            }
            "ALTER" | "CREATE" => words.is(1, "user role group login") && words.has_any(powers),
            "EXEC" | "EXECUTE" => words.calls("sp_addsrvrolemember") && words.text.contains("sysadmin"),
            _ => false,
        }
    }),
    reason: "It gives someone all rights on a server, or everyone the right to change data.",
    instead: "Grant only what is needed to one role, and let a person review it.",
    matches: "
        psql -c 'GRANT ALL ON ALL TABLES IN SCHEMA public TO PUBLIC'
        mysql -e \"GRANT ALL PRIVILEGES ON *.* TO 'x'@'%'\"
        psql -c 'ALTER ROLE app SUPERUSER'
    ",
    spares: "
        psql -c 'GRANT SELECT ON users TO reporting'
        psql -c 'ALTER ROLE app NOSUPERUSER'
    ",
};

pub(super) const SERVER: Rule = Rule {
    id: "databases.sql-server",
    severity: Severity::Destructive,
    when: When::Command(|command| {
        let Some(words) = statement(command) else { return false };
        match words.verb() {
            "RESET" => words.is(1, "master binary replica slave"),
            "PURGE" => words.is(1, "binary master"),
            "RESTORE" => words.is(1, "database"),
            "SYSTEM" => words.is(1, "drop shutdown kill") && !words.has("cache"),
            _ => false,
        }
    }),
    reason: "It deletes a server's logs or replaces a database, which cannot be undone.",
    instead: "Let a person who knows the server's backups and replicas do it.",
    matches: "
        mysql -e 'RESET MASTER'
        mysql -e \"PURGE BINARY LOGS BEFORE '2030-01-01'\"
        sqlcmd -Q \"RESTORE DATABASE prod FROM DISK = 'x.bak' WITH REPLACE\"
    ",
    spares: "
        mysql -e 'SHOW BINARY LOGS'
        psql -c 'RESET search_path'
    ",
};

pub(super) const OBJECTS: Rule = Rule {
    id: "databases.sql-drop-object",
    severity: Severity::Risky,
    when: When::Command(|command| {
        let Some(words) = statement(command) else { return false };
        // A database for tests that the same text makes again is a fresh one.
        let drops_test = words.drops_test_database();
        if is_throw_away(command) || drops_test {
            return drops_test && !is_made_again(command, &words);
        }
        match words.verb() {
            "DROP" => {
                !words.holds_data()
                    && !words.is(1, "prepare statistics table")
                    && !is_made_again(command, &words)
            }
            "ALTER" => words.is(3, "drop") && words.is(4, "constraint primary foreign policy check"),
            "MERGE" => words.is(3, "delete"),
            "REPLACE" => words.is(1, "table"),
            _ => false,
        }
    }),
    reason: "It drops something that others may use: a view, an index, a function, a constraint.",
    instead: "Check with `\\d` or `SHOW CREATE` first, and create the new one in the same script.",
    matches: "
        psql -c 'DROP INDEX users_email'
        psql -c 'DROP VIEW report'
        mysql -e 'DROP DATABASE test'
        psql -c 'ALTER TABLE users DROP CONSTRAINT users_pkey'
    ",
    spares: "
        psql -c 'DROP VIEW IF EXISTS report; CREATE VIEW report AS SELECT 1'
        psql -c 'CREATE INDEX users_email ON users(email)'
    ",
};

pub(super) const CHANGE: Rule = Rule {
    id: "databases.sql-change",
    severity: Severity::Risky,
    when: When::Command(|command| {
        let Some(words) = statement(command) else { return false };
        if reads_secrets(command) || words.changes_catalog() {
            return true;
        }
        match words.verb() {
            "SHUTDOWN" | "KILL" | "REVOKE" => true,
            "GRANT" => words.is(1, "all") || words.given_to("public"),
            "STOP" => words.is(1, "replica slave group_replication"),
            "CALL" => words.is(1, "pg_terminate_backend load_extension"),
            "EXEC" | "EXECUTE" => {
                words.calls("xp_cmdshell sp_configure sp_oacreate xp_regwrite xp_regdeletevalue")
            }
            "ALTER" => {
                words.is(1, "system") && words.is(2, "set")
                    || words.is(1, "system")
                    || words.is(1, "database") && words.has_any("offline single_user")
                    || words.is(3, "disable")
            }
            "PRAGMA" => words.is(1, "writable_schema"),
            _ => false,
        }
    }),
    reason: "It stops a server or a session, or changes who may do what.",
    instead: "Check first, for example with `SHOW GRANTS` or `pg_stat_activity`, and let a person decide.",
    matches: "
        psql -c 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity'
        mysql -e 'SHUTDOWN'
        psql -c 'GRANT ALL PRIVILEGES ON DATABASE app TO alice'
        psql -c 'REVOKE CONNECT ON DATABASE app FROM alice'
    ",
    spares: "
        psql -c 'SELECT pid FROM pg_stat_activity'
        mysql -e 'SHOW GRANTS'
        psql -c 'GRANT SELECT ON users TO reporting'
    ",
};

/// The words of a statement.
struct Statement<'a> {
    atom: &'a Atom,
    /// All of it in small letters.
    text: String,
}

/// The statement that the command is, if it is one.
fn statement<'a>(command: &Command<'a>) -> Option<Statement<'a>> {
    command.atom.via.filter(|via| via.how == How::Statement)?;
    let mut text = String::new();
    for arg in command.atom.args.iter() {
        text.push_str(&arg.text);
        text.push(' ');
    }
    text.make_ascii_lowercase();
    Some(Statement { atom: command.atom, text })
}

/// What holds data that is gone with it, or lets someone in.
const DATA: &str = "database schema table keyspace tablespace user role login owned measurement series bucket dataset \
     foreign external virtual stage warehouse catalog namespace shard retention group columnfamily pluggable";

impl Statement<'_> {
    fn verb(&self) -> &str {
        self.atom.args.first().map_or("", |arg| arg.text.as_str())
    }

    /// Whether the word at `at` is one of these.
    fn is(&self, at: usize, words: &str) -> bool {
        self.atom
            .args
            .get(at)
            .is_some_and(|arg| words.split_ascii_whitespace().any(|word| arg.text.eq_ignore_ascii_case(word)))
    }

    /// Whether it has the word anywhere.
    fn has(&self, word: &str) -> bool {
        self.text.split([' ', ',', '(', ')']).any(|known| known == word)
    }

    /// Whether a statement about rows leaves some out: the analysis keeps `WHERE` only then, as a word of its own.
    fn chooses_rows(&self) -> bool {
        self.atom.args.iter().skip(3).any(|arg| arg.text == "WHERE")
    }

    fn has_any(&self, words: &str) -> bool {
        words.split_ascii_whitespace().any(|word| self.has(word))
    }

    /// Whether what a `DROP` names holds data.
    fn holds_data(&self) -> bool {
        self.is(1, DATA)
    }

    /// Whether a `GRANT` is to this role.
    fn given_to(&self, role: &str) -> bool {
        self.text
            .rsplit_once(" to ")
            .is_some_and(|(_, roles)| roles.split([' ', ',']).any(|known| known == role))
    }

    /// Whether it calls one of these procedures.
    fn calls(&self, procedures: &str) -> bool {
        self.atom.args.get(1).is_some_and(|arg| {
            let name = arg.text.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
            super::super::has(procedures, &name)
        })
    }

    /// Whether it changes the tables in which the server itself keeps what it knows.
    fn changes_catalog(&self) -> bool {
        let table = match self.verb() {
            "DELETE" => 2,
            "UPDATE" => 1,
            _ => return false,
        };
        self.atom.args.get(table).is_some_and(|name| {
            let name = name.text.to_ascii_lowercase();
            ["pg_", "mysql.", "sys.", "sqlite_master", "sqlite_schema"]
                .iter()
                .any(|start| name.starts_with(start))
        })
    }

    /// Whether it drops a database that is named for tests.
    fn drops_test_database(&self) -> bool {
        self.verb() == "DROP"
            && self.is(1, "database schema keyspace")
            && self.atom.args.get(2).is_some_and(|name| is_for_tests(&name.text))
    }
}

/// Whether the server reads files of the system or of someone's home.
fn reads_secrets(command: &Command<'_>) -> bool {
    let mut read = command.atom.redirects.iter().filter(|redirect| redirect.flow == Flow::Read);
    read.any(|redirect| {
        matches!(command.target(&redirect.target).zone, Zone::System | Zone::HomeSettings | Zone::Home)
    })
}

/// Whether the same session creates what the statement drops.
fn is_made_again(command: &Command<'_>, dropped: &Statement<'_>) -> bool {
    let kind = dropped.atom.args.get(1).map_or("", |arg| arg.text.as_str());
    let parent = command.atom.via.map(|via| via.parent);
    command.analysis.atoms.iter().any(|atom| {
        atom.via.is_some_and(|via| via.how == How::Statement && Some(via.parent) == parent)
            && atom.program() == "CREATE"
            && atom.args.iter().take(5).any(|arg| arg.text.eq_ignore_ascii_case(kind))
    })
}

/// Whether the statement goes to a database that is there to be thrown away: in memory, among temporary files, or
/// for tests on this machine.
fn is_throw_away(command: &Command<'_>) -> bool {
    let Some(via) = command.atom.via else { return false };
    let Some(parent) = command.analysis.atoms.get(via.parent as usize) else { return false };
    if is_in_test(command) {
        return true;
    }
    let client = Command::new(command.analysis, parent, command.facts);
    let siblings = || command.analysis.atoms.iter().filter(|atom| atom.via == Some(via));
    // `prod.users` lies in another database.
    let qualified =
        command.atom.args.get(1..).unwrap_or(&[]).iter().take(3).any(|arg| arg.text.contains('.'));
    // These statements lead to another database than the client was started with.
    if siblings().any(|atom| atom.program() == "ATTACH") {
        return false;
    }
    let mut used = siblings().filter(|atom| atom.program() == "USE").peekable();
    if used.peek().is_some() {
        return used.all(|atom| atom.args.get(1).is_some_and(|name| is_for_tests(&name.text)))
            && !qualified
            && client.is(&["mysql", "mariadb"])
            && parent.place != Place::Remote
            && is_at_this_machine(&client);
    }
    if client.is(&["sqlite3", "sqlite", "litecli", "duckdb", "sqlcipher"]) {
        let file = client.operands().iter().copied().next();
        return file.is_none_or(|file| {
            let path = file.text.trim_start_matches("file:");
            // Both mean a database that is gone with the client.
            path == ":memory:"
                || path.is_empty()
                || path.starts_with("/tmp/")
                || is_for_tests(file_name(path))
        });
    }
    // It has no tables but those that it makes, unless it is given a folder of some.
    if client.name == "clickhouse-local" || client.name == "clickhouse" && client.sub(&["local"]) {
        return client.value(&["--path"]).is_none();
    }
    if !client.is(&["psql", "mysql", "mariadb"]) || parent.place == Place::Remote {
        return false;
    }
    // PostgreSQL has no queries from one database to another: there it is a schema.
    is_test_database(&client) && !(qualified && client.name != "psql")
}

fn is_local(host: &str) -> bool {
    // The last three are what Compose files call the database beside the program.
    matches!(host, "localhost" | "127.0.0.1" | "::1" | "0.0.0.0" | "db" | "postgres" | "mysql")
        || host.starts_with('/')
}

/// Whether the host that a client names, if it names one, is this machine.
fn is_at_this_machine(client: &Command<'_>) -> bool {
    client.value(&["-h", "--host"]).is_none_or(is_local)
}

/// Whether a statement is about a table that only its own session sees: `pg_temp.x`, `#x`, or one that it creates as such.
pub(super) fn is_temporary(command: &Command<'_>) -> bool {
    let words = |atom: &'_ Atom| -> Vec<String> {
        atom.args.iter().take(8).map(|arg| arg.text.to_ascii_lowercase()).collect()
    };
    let is_temp = |words: &[String]| {
        words.iter().skip(1).take(2).any(|word| matches!(word.as_str(), "temp" | "temporary"))
    };
    // `t(a int)`: a name and what follows it are one word.
    let bare = |word: &str| word.split('(').next().unwrap_or("").to_owned();
    let own = words(command.atom);
    if own.first().is_some_and(|verb| verb == "create") {
        return is_temp(&own);
    }
    let skipped = ["into", "from", "table", "only", "if", "exists", "ignore"];
    let Some(name) = own.iter().skip(1).find(|word| !skipped.contains(&word.as_str())).map(|word| bare(word))
    else {
        return false;
    };
    if ["pg_temp.", "#", "temp."].iter().any(|start| name.starts_with(start)) {
        return true;
    }
    let before = command.earlier().iter();
    let created = before.filter(|atom| atom.via == command.atom.via && atom.program() == "CREATE").map(words);
    let mut created = created.filter(|words| is_temp(words));
    created.any(|words| {
        let after = words.iter().skip_while(|word| *word != "table").skip(1);
        let mut names = after.filter(|word| !matches!(word.as_str(), "if" | "not" | "exists"));
        names.next().is_some_and(|word| bare(word) == name)
    })
}

/// Whether a client talks to a database for tests on this machine.
pub(super) fn is_test_database(client: &Command<'_>) -> bool {
    if !is_at_this_machine(client) {
        return false;
    }
    let operands = client.operands();
    let database = client
        .value(&["-d", "-D", "--dbname", "--database"])
        .or(operands.first().map(|arg| arg.text.as_str()));
    let Some(database) = database else { return false };
    if let Some((_, rest)) = database.split_once("://") {
        let (place, name) = rest.split_once('/').unwrap_or((rest, ""));
        // Without user, password and port.
        let host = place.rsplit('@').next().unwrap_or("").split(':').next().unwrap_or("");
        return is_local(host) && is_for_tests(name.split('?').next().unwrap_or(""));
    }
    is_for_tests(database)
}

/// A file's name without its folder.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether a name says that it is for tests: `test`, `app_test`, `test-db`.
pub(super) fn is_for_tests(name: &str) -> bool {
    name.split(['_', '-', '.']).any(|part| {
        ["test", "tests", "testing"].iter().any(|word| part.eq_ignore_ascii_case(word))
            || part.eq_ignore_ascii_case("testdb")
    })
}
