//! Where clients of databases and brokers connect to: their own options, connection strings, and variables.
//!
//! Options are from the manuals of `PostgreSQL` 17, `MySQL` 9, Redis 8, `MongoDB` Shell 2, sqlcmd 18, `ClickHouse` 25, Kafka 4
//! and the tools' own `--help`.

use rules::Command;

use super::hosts::{Host, remote_or_bare};

/// Programs that connect where the same options say.
struct Client {
    programs: &'static [&'static str],
    /// Options whose value is a host, a URL, or a list of either with commas.
    options: &'static [&'static [&'static str]],
}

const fn client(programs: &'static [&'static str], options: &'static [&'static [&'static str]]) -> Client {
    Client { programs, options }
}

/// The programs whose connections are understood.
pub(crate) fn programs() -> Vec<&'static str> {
    CLIENTS.iter().flat_map(|client| client.programs).copied().collect()
}

const CLIENTS: &[Client] = &[
    client(
        &[
            "psql",
            "pgcli",
            "usql",
            "ysqlsh",
            "vsql",
            "pg_dump",
            "pg_dumpall",
            "pg_restore",
            "pg_basebackup",
            "pgbench",
            "pg_isready",
            "createdb",
            "dropdb",
            "createuser",
            "dropuser",
            "vacuumdb",
            "reindexdb",
            "clusterdb",
        ],
        &[&["-h", "--host"], &["-d", "--dbname"]],
    ),
    client(
        &[
            "mysql",
            "mariadb",
            "mycli",
            "mysqlsh",
            "mysqldump",
            "mariadb-dump",
            "mysqladmin",
            "mariadb-admin",
            "mysqlimport",
            "mysqlcheck",
            "mysqlpump",
            "mydumper",
            "myloader",
            "pt-online-schema-change",
            "gh-ost",
        ],
        &[&["-h", "--host"], &["--uri"]],
    ),
    client(&["redis-cli", "valkey-cli", "keydb-cli", "iredis", "redis-benchmark"], &[&["-h"], &["-u"]]),
    client(
        &[
            "mongosh",
            "mongo",
            "mongodump",
            "mongorestore",
            "mongoexport",
            "mongoimport",
            "mongostat",
            "mongotop",
        ],
        &[&["--host", "-h"], &["--uri"]],
    ),
    client(&["sqlcmd", "osql", "bcp", "mssql-cli", "tsql"], &[&["-S", "--server"], &["-H"]]),
    client(&["clickhouse-client", "clickhouse"], &[&["-h", "--host"]]),
    client(&["cqlsh", "nodetool", "dsbulk"], &[&["-h", "--host"]]),
    client(&["cockroach"], &[&["--host"], &["--url"]]),
    client(&["trino", "presto", "presto-cli", "trino-cli"], &[&["--server"]]),
    client(&["impala-shell"], &[&["-i", "--impalad"]]),
    client(&["sqlplus", "sqlcl", "exp", "imp", "expdp", "impdp"], &[]),
    client(&["influx"], &[&["-host", "--host"]]),
    client(&["cypher-shell"], &[&["-a", "--address"]]),
    client(&["arangosh", "arangodump", "arangorestore"], &[&["--server.endpoint"]]),
    client(&["etcdctl"], &[&["--endpoints"]]),
    client(&["consul"], &[&["-http-addr", "--http-addr"]]),
    client(&["vault", "bao"], &[&["-address", "--address"]]),
    client(&["nats"], &[&["-s", "--server"]]),
    client(&["kcat", "kafkacat"], &[&["-b"]]),
    client(
        &[
            "kafka-topics",
            "kafka-topics.sh",
            "kafka-console-producer",
            "kafka-console-producer.sh",
            "kafka-console-consumer",
            "kafka-console-consumer.sh",
            "kafka-consumer-groups",
            "kafka-consumer-groups.sh",
            "kafka-configs",
            "kafka-configs.sh",
            "kafka-delete-records",
            "kafka-delete-records.sh",
        ],
        &[&["--bootstrap-server"], &["--broker-list"]],
    ),
    client(&["rabbitmqadmin"], &[&["-H", "--host"]]),
    client(&["mosquitto_pub", "mosquitto_sub"], &[&["-h", "--host"]]),
    client(&["ldapsearch", "ldapmodify", "ldapadd", "ldapdelete", "ldappasswd"], &[&["-H"], &["-h"]]),
    client(&["memcstat", "memccat", "memcflush", "memcrm"], &[&["--servers", "-s"]]),
];

/// The hosts that a client's options and connection strings name. URLs in arguments are everyone's, see
/// [`super::net::hosts_of`].
pub(super) fn by_options(command: &Command<'_>) -> Vec<Host> {
    let mut hosts = Vec::new();
    let Some(client) = CLIENTS.iter().find(|client| client.programs.contains(&&*command.name)) else {
        return hosts;
    };
    for option in client.options {
        // `-d` of PostgreSQL's clients is a database, unless it is a connection string.
        let is_host = *option != ["-d", "--dbname"];
        hosts.extend(command.value(option).filter(|_| is_host).into_iter().flat_map(listed));
    }
    hosts.extend(command.args().iter().flat_map(|arg| in_connection_string(&arg.text)));
    hosts
}

/// The hosts that variables in front of a program name: `DATABASE_URL=postgres://db.example/x`, `PGHOST=db.example`.
pub(super) fn by_variables(command: &Command<'_>) -> Vec<Host> {
    let assigns = command.atom.assigns.iter().map(|(name, value)| (&**name, &**value));
    // `env` is a program of its own, whose operands are assignments.
    let operands = if command.name == "env" { command.args() } else { &[] };
    let assigned = assigns
        .chain(operands.iter().filter_map(|arg| arg.text.split_once('=')))
        .filter(|(name, value)| value.contains("://") || names_host(name));
    // `HOST=0.0.0.0 npm start` listens, and a name without a dot is hardly another machine's.
    let remote = |host: &Host| host.0.contains(['.', ':']) && !matches!(host.0.as_str(), "0.0.0.0" | "::");
    assigned.flat_map(|(_, value)| in_value(value)).filter(remote).collect()
}

/// Whether a variable of this name holds a host.
fn names_host(name: &str) -> bool {
    ["HOST", "HOSTS", "HOSTNAME", "HOSTADDR", "SERVER", "SERVERS", "ENDPOINT", "ENDPOINTS", "ADDR", "BROKERS"]
        .iter()
        .any(|end| name.len() >= end.len() && name.ends_with(end))
}

fn in_value(value: &str) -> Vec<Host> {
    let described = in_connection_string(value);
    if described.is_empty() { listed(value).collect() } else { described }
}

/// `host`, `host:port`, a URL, `tcp:host,1433` of SQL Server, or several with commas.
fn listed(text: &str) -> impl Iterator<Item = Host> + '_ {
    let text = text.strip_prefix("tcp:").unwrap_or(text);
    let (scheme, rest) = text.split_once("://").map_or(("", text), |(scheme, rest)| (scheme, rest));
    let authority = &rest[..rest.find(['/', '?', '#', '\\', ';']).unwrap_or(rest.len())];
    let hosts = authority.rsplit_once('@').map_or(authority, |(_, hosts)| hosts);
    // `host,1433` of SQL Server: what is only digits is a port.
    let port = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    // `sqlite:///file.db` and `postgres:///db` are files and sockets of this machine.
    let on_disk = rest.starts_with('/') && !scheme.is_empty() || authority.is_empty() || scheme == "file";
    hosts
        .split(',')
        .filter(move |part| !on_disk && !port(part) && !part.contains('='))
        .filter_map(remote_or_bare)
}

/// The hosts of `host=db.example dbname=x`, `Server=db.example;Database=x` and Oracle's `user/x@//db.example:1521/y`.
fn in_connection_string(text: &str) -> Vec<Host> {
    const KEYS: &[&str] =
        &["host", "hostaddr", "server", "data source", "addr", "address", "network address"];
    if let Some((_, there)) = text.split_once("@//") {
        return listed(there).collect();
    }
    let thin = text.strip_prefix("jdbc:oracle:thin:@").filter(|there| !there.starts_with('('));
    if let Some(there) = thin {
        return listed(there).collect();
    }
    // SQL Server and ODBC write semicolons, and their values may hold blanks; libpq has blanks only.
    let separator = if text.contains(';') { ';' } else { ' ' };
    let pairs = text.split(separator).filter_map(|pair| pair.split_once('='));
    let named = pairs.filter(|(key, _)| KEYS.iter().any(|known| key.trim().eq_ignore_ascii_case(known)));
    named.flat_map(|(_, value)| listed(value.trim_matches(['\'', '"', ' ']))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(hosts: impl IntoIterator<Item = Host>) -> Vec<String> {
        hosts.into_iter().map(|host| host.0).collect()
    }

    #[test]
    fn values_name_hosts_in_every_form() {
        for (value, hosts) in [
            ("db.example", &["db.example"][..]),
            ("db.example:5432", &["db.example"]),
            ("tcp:db.example,1433", &["db.example"]),
            ("a.example:9092,b.example:9092", &["a.example", "b.example"]),
            ("mongodb://u:p@a.example:27017,b.example/x?y=z", &["a.example", "b.example"]),
            ("jdbc:sqlserver://db.example:1433;databaseName=x", &["db.example"]),
            ("jdbc:oracle:thin:@db.example:1521/x", &["db.example"]),
            ("scott/tiger@//db.example:1521/x", &["db.example"]),
            ("host=db.example dbname=x", &["db.example"]),
            ("Server=tcp:db.example,1433;Database=x", &["db.example"]),
            ("Data Source=db.example;Initial Catalog=x", &["db.example"]),
            ("host=/var/run/postgresql", &[]),
            ("file:///tmp/x.db", &[]),
            ("/var/run/mysqld.sock", &[]),
        ] {
            assert_eq!(names(in_value(value)), hosts, "{value}");
        }
    }

    #[test]
    fn no_program_is_listed_twice() {
        let mut all: Vec<&str> = CLIENTS.iter().flat_map(|client| client.programs).copied().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
