//! Statements that code hands to a database.

use shell_engine::{Query, Span};

use super::Language;
use super::files::is_true;
use super::follow::Follower;
use super::value::{Arguments, Value};

/// Statements of one body that are looked at.
const MAX_STATEMENTS: usize = 200;

/// What a body sends to its databases.
#[derive(Default)]
pub(super) struct Statements {
    /// The library by which they go.
    library: String,
    texts: Vec<String>,
    /// Where the first one stands that does more than read.
    origin: Option<Span>,
}

/// Whether what chooses rows chooses all of them: `deleteMany({})`.
pub(super) fn is_all(arguments: &Arguments) -> bool {
    matches!(arguments.values.as_slice(), [Value::Map(filter)] if filter.is_empty())
}

/// Whether the address of a database is a file that is there for a while, or for tests: `/tmp/x.db`, `sqlite:////tmp/x.db`, and
/// where the library has databases in files, `tmp/app.sqlite3`, `test.db`.
fn is_temporary(library: &str, address: &str) -> bool {
    let file = ["sqlite:///", "sqlite:"].iter().find_map(|scheme| address.strip_prefix(scheme));
    let path = file.unwrap_or(address);
    if path.contains("..") || path.contains("://") {
        return false;
    }
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let library = library.to_ascii_lowercase();
    let is_file = file.is_some() || ["sqlite", "duckdb", "apsw"].iter().any(|name| library.contains(name));
    ["/tmp/", "/var/tmp/"].iter().any(|folder| path.starts_with(folder))
        || is_file && (folder.split('/').any(|part| part == "tmp") || is_for_tests(name))
}

/// Whether a name says that it is for tests: `test`, `app_test`.
fn is_for_tests(name: &str) -> bool {
    name.split(['_', '-', '.'])
        .any(|part| ["test", "tests", "testing", "testdb"].iter().any(|word| part.eq_ignore_ascii_case(word)))
}

/// Whether an address is the one of a database for tests on this machine: `postgres://app@localhost/app_test`,
/// `mysql:host=127.0.0.1;dbname=app_test`.
fn is_local_test(address: &str) -> bool {
    let is_local = |host: &str| matches!(host, "localhost" | "127.0.0.1" | "::1");
    if let Some((_, rest)) = address.split_once("://") {
        let (place, name) = rest.split_once('/').unwrap_or((rest, ""));
        // Without user, password and port.
        let host = place.rsplit('@').next().unwrap_or("").split(':').next().unwrap_or("");
        return is_local(host) && is_for_tests(name.split('?').next().unwrap_or(""));
    }
    let field = |names: &[&str]| {
        let mut parts = address.split([' ', ';', ':']).filter_map(|part| part.split_once('='));
        parts.find(|(name, _)| names.contains(name)).map(|(_, value)| value)
    };
    field(&["host", "hostaddr"]).is_some_and(is_local)
        && field(&["dbname", "database"]).is_some_and(is_for_tests)
}

/// A connection to a database that no one could lose anything with.
pub(super) const MEMORY: &str = "memory";

/// The arguments of a connection that may say where it leads: the first, and those with such a name. Others are passwords, and
/// files that it needs besides: `sslrootcert="/tmp/ca"`.
pub(super) fn addresses(arguments: &Arguments) -> impl Iterator<Item = &Value> {
    let named = arguments.named.iter().filter(|(name, _)| names_address(name)).map(|(_, value)| value);
    let given = arguments.values.iter().take(1).flat_map(|value| match value {
        // `new pg.Client({ connectionString: url })`
        Value::Map(entries) => {
            entries.iter().filter(|(name, _)| names_address(name)).map(|(_, value)| value).collect()
        }
        value => vec![value],
    });
    given.chain(named)
}

/// Whether an argument of this name may say where a connection leads.
fn names_address(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [
        "url",
        "uri",
        "dsn",
        "host",
        "database",
        "dbname",
        "db",
        "path",
        "file",
        "filename",
        "bind",
        "conninfo",
        "connectionstring",
        "connection_string",
        "connection",
    ]
    .contains(&name.as_str())
}

/// Whether a value is such a connection.
pub(super) fn is_memory(value: &Value) -> bool {
    matches!(value, Value::Name(name) if name == MEMORY)
}

/// Whether an address is that of a database that lives in memory: `sqlite:///:memory:`, `jdbc:h2:mem:demo`.
fn is_in_memory(address: &str) -> bool {
    [":memory:", ":h2:mem:", ":hsqldb:mem:", "mode=memory"].iter().any(|part| address.contains(part))
}

/// Whether the arguments of a connection say that: `connect(host="localhost", dbname="app_test")`.
fn names_local_test(arguments: &Arguments) -> bool {
    let text = |names: &[&str]| names.iter().find_map(|name| arguments.option(name)).and_then(Value::known);
    // Of a variable that no one sets, what counts in its place.
    let is_test = |value: &Value| {
        let mut choices = value.choices().iter().filter(|choice| !choice.is_missing()).peekable();
        choices.peek().is_some() && choices.all(|one| one.known().is_some_and(|text| is_local_test(&text)))
    };
    let whole = addresses(arguments).any(is_test);
    let host = text(&["host", "server", "hostname"]);
    let name = text(&["dbname", "database", "db"]);
    whole
        || host.is_some_and(|host| matches!(host.as_str(), "localhost" | "127.0.0.1" | "::1"))
            && name.is_some_and(|name| is_for_tests(&name))
}

impl Follower<'_> {
    /// Opens a database by a function of the library, or runs what is handed over at once.
    pub(super) fn database(&mut self, path: &str, arguments: &Arguments) -> Value {
        // One that lives in memory, or in a file of a temporary folder, holds nothing that anyone could lose.
        let is_passing = |value: &Value| match value {
            Value::Text(text) => is_in_memory(&text.text) || is_temporary(path, &text.text),
            _ => false,
        };
        if addresses(arguments).any(is_passing) || names_local_test(arguments) {
            return Value::Name(MEMORY.to_owned());
        }
        path.clone_into(&mut self.statements.library);
        for value in &arguments.values {
            if let Value::Text(text) = value {
                self.statement_text(&text.text.clone());
            }
        }
        Value::Database
    }

    /// A method of a handle, or of a query that is put together from it: `db("users").where({id: 1}).del()`.
    pub(super) fn of_database(&mut self, name: &str, arguments: &Arguments) -> Value {
        let lower = name.to_ascii_lowercase();
        let chooses = ["where", "filter", "limit", "find", "eq", "match", "having"];
        // gorm deletes all rows only where it is given a condition that all meet.
        let of_all = || {
            let first = arguments.first().and_then(Value::known).unwrap_or_default();
            matches!(first.replace(' ', "").as_str(), "1=1" | "true")
        };
        if chooses.iter().any(|word| lower.contains(word)) && !of_all() {
            self.query(arguments);
            return Value::unknown();
        }
        // SQLAlchemy's `synchronize_session` chooses none.
        let chooses_none = |(name, _): &(String, Value)| name.starts_with("synchronize");
        let nothing = arguments.values.is_empty() && arguments.named.iter().all(chooses_none);
        match lower.as_str() {
            "deletemany" | "destroyall" | "destroy_all" | "deleteall" if nothing || is_all(arguments) => {
                self.statement_text("DELETE FROM rows");
            }
            // Supabase says afterwards which rows it means.
            "del" | "delete" | "delete_all" if nothing && !self.is_narrowed() => {
                self.statement_text("DELETE FROM rows");
            }
            "truncate" if nothing => self.statement_text("TRUNCATE TABLE rows"),
            "drop" | "drop_all" if nothing => self.statement_text("DROP TABLE rows"),
            // Sequelize's `sync({ force: true })`
            "sync" if arguments.option("force").is_some_and(is_true) => {
                self.statement_text("DROP TABLE rows");
            }
            // drizzle's `db.delete(users)`, and gorm's after `Where("1 = 1")`
            "delete"
                if ["drizzle", "gorm"].iter().any(|name| self.statements.library.contains(name))
                    && !self.is_narrowed()
                    && arguments.values.len() == 1 =>
            {
                self.statement_text("DELETE FROM rows");
            }
            "dropdatabase" | "drop_database" => self.statement_text("DROP DATABASE rows"),
            // Knex takes all migrations back.
            "rollback" if arguments.all().any(is_true) => self.statement_text("DROP TABLE rows"),
            // TypeORM
            "clear" if nothing && self.language == Language::JavaScript && self.names("getRepository") => {
                self.statement_text("DELETE FROM rows");
            }
            "drop_tables" | "drop_table" | "droptable" | "drop_table_if_exists" | "droptableifexists" => {
                self.statement_text("DROP TABLE rows");
            }
            _ => return self.query(arguments),
        }
        Value::Database
    }

    /// Whether the call that comes next in the chain chooses rows: `.delete().eq("id", 1)`.
    pub(super) fn is_narrowed(&self) -> bool {
        self.next_in_chain().is_some_and(|name| {
            matches!(
                name,
                "eq" | "match"
                    | "in"
                    | "filter"
                    | "lt"
                    | "gt"
                    | "lte"
                    | "gte"
                    | "is"
                    | "like"
                    | "ilike"
                    | "where"
            )
        })
    }

    /// A method of a database's handle.
    pub(super) fn query(&mut self, arguments: &Arguments) -> Value {
        for value in &arguments.values {
            for choice in value.choices() {
                match choice {
                    Value::Text(text) => self.statement_text(&text.text.clone()),
                    // `client.query({text: "…"})`
                    Value::Map(_) => {
                        let text =
                            ["text", "sql", "query"].iter().find_map(|key| choice.get(key)).map(Value::text);
                        if let Some(text) = text {
                            self.statement_text(&text);
                        }
                    }
                    // `client.connect().then(() => …)`, `prisma.$transaction(async (tx) => …)`
                    Value::Function(function) => {
                        self.call_function(function, vec![Value::Database]);
                    }
                    _ => {}
                }
            }
        }
        // `connection.tables.each do |table|`
        if let Some(block) = &arguments.block {
            self.call_function(block, vec![Value::Database]);
        }
        // A cursor, a row, a promise: whatever comes next belongs to the database, too.
        Value::Database
    }

    /// A call of a library that sends this.
    pub(super) fn send_statement(&mut self, text: &str) -> Value {
        self.statement_text(text);
        Value::Database
    }

    /// Keeps a statement, with marks where it is not known.
    fn statement_text(&mut self, text: &str) {
        if text.trim().contains(char::is_whitespace) && self.statements.texts.len() < MAX_STATEMENTS {
            let text = text.trim().trim_end_matches(';');
            let first = text.split_whitespace().next().unwrap_or("");
            let reads = ["select", "with", "insert", "create", "begin", "set", "show", "use", "explain"];
            if !reads.iter().any(|word| first.eq_ignore_ascii_case(word)) {
                self.statements.origin = self.statements.origin.or(self.scope.origin);
            }
            self.statements.texts.push(text.to_owned());
        }
    }

    /// Runs what was kept, as one session: what it has created itself it may drop.
    pub(super) fn run_statements(&mut self) {
        let statements = std::mem::take(&mut self.statements);
        if statements.texts.is_empty() {
            return;
        }
        let text = statements.texts.join(";\n");
        self.scope.origin = statements.origin.or(self.scope.origin);
        let query = Query { client: self.index, library: &statements.library, text: &text };
        (self.runner.registry.sql)(self.runner, self.scope, query);
    }
}
