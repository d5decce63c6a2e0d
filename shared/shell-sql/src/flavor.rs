//! How the SQL of different databases is written: what quotes, what comments, what escapes.

/// Whose SQL a string is, as far as its spelling goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flavor {
    /// `PostgreSQL` and those that speak like it: `CockroachDB`, `DuckDB`, Redshift, Vertica.
    Postgres,
    /// `MySQL` and `MariaDB`.
    MySql,
    Sqlite,
    /// Microsoft SQL Server and Sybase.
    SqlServer,
    /// Oracle and Db2.
    Oracle,
    /// Google `BigQuery`.
    BigQuery,
    /// Hive, Spark, Databricks, Impala.
    Hive,
    /// Not known, or spelled in a way of its own: what reveals the most counts.
    Unknown,
}

impl Flavor {
    /// Whose SQL a library speaks, by its name.
    pub(super) fn of(library: &str) -> Self {
        let path = library.to_ascii_lowercase();
        let has = |names: &[&str]| names.iter().any(|name| path.contains(name));
        if has(&["sqlite", "libsql", "apsw"]) {
            Self::Sqlite
        } else if has(&["mysql"]) {
            Self::MySql
        } else if has(&["psycopg", "asyncpg", "pg.", "pg_", "postgres", "duckdb"]) {
            Self::Postgres
        } else if has(&["mssql"]) {
            Self::SqlServer
        } else if has(&["oracle"]) {
            Self::Oracle
        } else {
            Self::Unknown
        }
    }

    /// Whether a backslash escapes in `'…'`; `None` where both readings count.
    pub(super) fn escapes(self) -> Option<bool> {
        match self {
            Self::MySql | Self::BigQuery | Self::Hive => Some(true),
            Self::Postgres | Self::Sqlite | Self::SqlServer | Self::Oracle => Some(false),
            Self::Unknown => None,
        }
    }

    /// Whether `"…"` is a string; elsewhere it is a name.
    pub(super) fn double_is_text(self) -> bool {
        matches!(self, Self::MySql | Self::BigQuery | Self::Hive)
    }

    /// Whether `#` begins a comment.
    pub(super) fn hash_comments(self) -> bool {
        matches!(self, Self::MySql | Self::BigQuery)
    }

    /// Whether `[…]` is a name.
    pub(super) fn brackets(self) -> bool {
        matches!(self, Self::SqlServer | Self::Sqlite | Self::Unknown)
    }

    /// Whether `$tag$…$tag$` is a string.
    pub(super) fn dollars(self) -> bool {
        matches!(self, Self::Postgres | Self::Unknown)
    }

    pub(super) fn nested_comments(self) -> bool {
        matches!(self, Self::Postgres | Self::SqlServer)
    }

    /// Whether the text of `/*! … */` runs.
    pub(super) fn runs_comments(self) -> bool {
        matches!(self, Self::MySql | Self::Unknown)
    }

    /// Whether a statement about tables, such as `DROP TABLE`, can be rolled back.
    pub(super) fn rolls_back_tables(self) -> bool {
        matches!(self, Self::Postgres | Self::Sqlite | Self::SqlServer)
    }
}

/// What a client understands besides SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    /// `\! command`, `\i file`, `\gexec`: psql and its kin.
    Psql,
    /// `\! command`, `system command`, `source file`, `delimiter //`.
    MySql,
    /// `.shell command`, `.read file`: sqlite3, duckdb.
    Dot,
    /// `GO`, `:r file`, `!! command`: sqlcmd.
    Sqlcmd,
    /// `host command`, `@file`, `/`: sqlplus.
    Sqlplus,
    /// `!system command`, `!source file`: snowsql.
    Snow,
    /// `!command`, `source file`, `dfs -rm`: hive, beeline, impala-shell.
    Hive,
}
