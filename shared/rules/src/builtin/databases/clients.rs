//! Clients that take commands as text: Redis and `MongoDB`.

use std::borrow::Cow;

use super::super::has;
use super::sql::is_test_database;
use crate::calls::{is_harmless, is_listed};
use crate::command::Command;
use crate::rule::{Rule, Severity, When};

const REDIS_CLIENTS: &[&str] = &["redis-cli", "valkey-cli", "keydb-cli", "dragonfly-cli", "iredis"];
const MONGO_CLIENTS: &[&str] = &["mongosh", "mongo", "arangosh"];

pub(super) const REDIS: Rule = Rule {
    id: "databases.redis-flush",
    severity: Severity::Destructive,
    when: When::Command(|command| {
        redis_lines(command).iter().any(|line| {
            let mut words = line.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
            let verb = words.next().unwrap_or("").to_ascii_lowercase();
            let rest: Vec<String> = words.map(str::to_ascii_lowercase).collect();
            let first = rest.first().map_or("", String::as_str);
            match verb.as_str() {
                // `flush_all` is memcached's.
                "flushall" | "flushdb" | "flush_all" => true,
                "eval" => {
                    let has = |part: &str| rest.iter().any(|word| word.contains(part));
                    has("flushall")
                        || has("flushdb")
                        // The usual one-liner in Lua: list every key, delete each.
                        || has("'keys'") && has("'*'") && (has("'del'") || has("'unlink'"))
                }
                // A file of the server's choice, such as someone's `authorized_keys`.
                "config" => {
                    first == "set"
                        && rest.get(1).is_some_and(|key| matches!(key.as_str(), "dir" | "dbfilename"))
                }
                "cluster" => matches!(first, "reset" | "flushslots"),
                "acl" => first == "deluser",
                // `segfault` stops the server, and with it goes what was not saved.
                "debug" => first == "flushall" || first == "segfault",
                "xtrim" | "ltrim" => rest.iter().any(|word| word == "0") && verb == "xtrim",
                _ => false,
            }
        })
    }),
    reason: "It deletes every key of a database.",
    instead: "Check with `redis-cli --scan`, and delete single keys with `redis-cli del key`.",
    matches: "
        redis-cli FLUSHALL
        redis-cli -h cache -p 6380 -n 2 flushdb async
        echo FLUSHALL | redis-cli
        valkey-cli -u redis://cache flushall
        redis-cli <<< 'flushdb'
    ",
    spares: "
        redis-cli get flushall
        redis-cli --scan --pattern 'user:*'
        redis-cli info
        redis-cli del session:1
    ",
};

pub(super) const REDIS_SOME: Rule = Rule {
    id: "databases.redis-delete",
    severity: Severity::Risky,
    when: When::Command(|command| {
        let listed = command.args().iter().any(is_listed);
        redis_lines(command).iter().any(|line| {
            let verb = line.split_whitespace().next().unwrap_or("").to_ascii_lowercase();
            match verb.as_str() {
                // Keys written out were chosen; a list of unknown length was not.
                "del" | "unlink" => listed,
                "shutdown" | "swapdb" | "failover" => true,
                // Who may connect, and with which password.
                "config" => {
                    let rest = line.to_ascii_lowercase();
                    let keys = ["protected-mode no", "bind", "requirepass", "masterauth"];
                    rest.starts_with("config set") && keys.iter().any(|key| rest.contains(key))
                }
                _ => false,
            }
        })
    }),
    reason: "It deletes whatever keys a list names, or stops the server.",
    instead: "List the keys first with `redis-cli --scan`, and delete them by name.",
    matches: "
        redis-cli --scan --pattern 'user:*' | xargs redis-cli del
        redis-cli SHUTDOWN NOSAVE
    ",
    spares: "
        redis-cli del session:1
        redis-cli set del 1
        redis-cli ping
    ",
};

/// Whether a client of a store writes something there.
pub(super) fn writes(command: &Command<'_>) -> bool {
    const VERBS: &str = "set setex mset getset append incr decr incrby decrby del unlink expire persist rename hset hmset \
        hdel lpush rpush lpop rpop lrem ltrim sadd srem zadd zrem xadd xdel restore migrate config publish";
    let verb = |line: &str| line.split_whitespace().next().unwrap_or("").to_ascii_lowercase();
    let reads = |line: &str| line.to_ascii_lowercase().starts_with("config get");
    let calls = ["update", "insert", "delete", "replace", "bulkWrite", "findOneAndUpdate", "save("];
    match &*command.name {
        "redis-cli" | "valkey-cli" | "keydb-cli" | "dragonfly-cli" | "iredis" => {
            command.has(&["--pipe"])
                || redis_lines(command).iter().any(|line| has(VERBS, &verb(line)) && !reads(line))
        }
        "mongosh" | "mongo" => mongo_texts(command).iter().any(|text| {
            let text = calls_only(text);
            calls.iter().any(|call| text.contains(&format!(".{call}")))
        }),
        _ => false,
    }
}

/// Whether someone gets every right on a server.
pub(super) fn makes_root(command: &Command<'_>) -> bool {
    mongo_texts(command).iter().any(|text| {
        ["createUser(", "grantRolesToUser(", "updateUser("].iter().any(|call| text.contains(call))
            && ["root", "dbOwner", "userAdminAnyDatabase", "dbAdminAnyDatabase"]
                .iter()
                .any(|role| text.contains(role))
    })
}

pub(super) const GRAPH: Rule = Rule {
    id: "databases.graph-delete",
    severity: Severity::Destructive,
    when: When::Command(|command| {
        if command.name != GRAPH_CLIENT || is_harmless(command) {
            return false;
        }
        let operands = command.operands();
        let texts = operands.iter().map(|arg| arg.text.as_str()).chain(command.atom.stdin.as_deref());
        let texts: Vec<String> = texts.map(without_comments).collect();
        texts.iter().flat_map(|text| text.split(';')).any(|statement| {
            let upper = statement.to_ascii_uppercase();
            let has =
                |word: &str| upper.split(|c: char| !c.is_ascii_alphanumeric()).any(|known| known == word);
            // A brace in a pattern is a filter: `(n {id: 1})`.
            let chosen = has("WHERE") || has("LIMIT") || upper.contains('{');
            has("DELETE") && has("MATCH") && !chosen || upper.trim_start().starts_with("DROP DATABASE")
        })
    }),
    reason: "It deletes every node of a kind, or a whole database.",
    instead: "Choose the nodes with WHERE, and check them with RETURN first.",
    matches: "
        cypher-shell 'MATCH (n) DETACH DELETE n'
        cypher-shell -u neo4j -p x <<< 'MATCH (n:User) DELETE n;'
    ",
    spares: "
        cypher-shell 'MATCH (n {id: 1}) DETACH DELETE n'
        cypher-shell 'MATCH (n) RETURN count(n)'
        cypher-shell '/* MATCH (n) DETACH DELETE n; */ MATCH (n) RETURN count(n)'
    ",
};

/// A text of Cypher without its comments: `// …` up to the end of a line, `/* … */`.
fn without_comments(text: &str) -> String {
    let mut plain = String::new();
    let (mut rest, mut quote) = (text, None);
    while let Some(c) = rest.chars().next() {
        let end = match (quote, rest) {
            (None, rest) if rest.starts_with("//") => Some(rest.find('\n').unwrap_or(rest.len())),
            (None, rest) if rest.starts_with("/*") => Some(rest.find("*/").map_or(rest.len(), |at| at + 2)),
            _ => None,
        };
        if let Some(end) = end {
            plain.push(' ');
            rest = &rest[end..];
            continue;
        }
        match quote {
            None if matches!(c, '"' | '\'' | '`') => quote = Some(c),
            Some(open) if open == c => quote = None,
            _ => {}
        }
        plain.push(c);
        rest = &rest[c.len_utf8()..];
    }
    plain
}

const GRAPH_CLIENT: &str = "cypher-shell";

pub(super) const MONGO: Rule = Rule {
    id: "databases.mongo-drop",
    severity: Severity::Destructive,
    when: When::Command(|command| {
        !is_test_database(command)
            && mongo_texts(command).iter().any(|text| {
                // So that neither blanks hide a call nor a string looks like one.
                let text = calls_only(text);
                [
                    ".dropDatabase(",
                    "._dropDatabase(",
                    "._drop(",
                    ".drop(",
                    ".deleteMany({}",
                    ".remove({}",
                    ".deleteMany()",
                    ".remove()",
                    ".dropUser(",
                    ".dropAllUsers",
                    ".dropRole(",
                    ".updateMany({},",
                    ".shutdownServer(",
                    ".dropIndexes(",
                    ".findAndRemove({}",
                    "dropDatabase:1",
                    "drop:'",
                    "drop:\"",
                    "rs.remove(",
                    "sh.removeShard",
                    "{dropDatabase",
                    "deleteMany:{filter:{}",
                    "q:{},limit:0",
                    ".deleteMany({_id:{$exists:true}}",
                    ".deleteMany({_id:{$ne:null}}",
                    "{shutdown:1",
                ]
                .iter()
                .any(|call| text.contains(call))
            })
    }),
    reason: "It drops a database or a collection, or changes every document of one.",
    instead: "Check with `find` or `countDocuments` first, and delete with a filter that names the documents.",
    matches: "
        mongosh --eval 'db.dropDatabase()'
        mongosh prod --quiet --eval=\"db.users.drop()\"
        mongo app --eval 'db.users.deleteMany( {} )'
        echo 'db.users.remove({})' | mongosh prod
        mongosh prod <<< 'db.dropDatabase()'
        arangosh --javascript.execute-string 'db._dropDatabase(\"crm\")'
    ",
    spares: "
        mongosh --eval 'db.users.find()'
        mongosh --eval 'db.users.deleteMany({ _id: 1 })'
        mongosh --eval 'db.users.countDocuments()'
    ",
};

/// A program without blanks, comments, and what stands in quotes.
pub(super) fn calls_only(program: &str) -> String {
    let mut text = String::with_capacity(program.len());
    let mut chars = program.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' | '\'' | '`' => {
                text.push(c);
                while let Some(inner) = chars.next() {
                    if inner == '\\' {
                        chars.next();
                    } else if inner == c {
                        break;
                    }
                }
                text.push(c);
            }
            '/' if chars.peek() == Some(&'/') => {
                chars.find(|&c| c == '\n');
            }
            '/' if chars.peek() == Some(&'*') => {
                let mut before = ' ';
                chars.find(|&c| std::mem::replace(&mut before, c) == '*' && c == '/');
            }
            c if c.is_whitespace() => {}
            c => text.push(c),
        }
    }
    text
}

/// The commands that a Redis client gets: its operands, or the lines of its input.
fn redis_lines<'a>(command: &Command<'a>) -> Vec<Cow<'a, str>> {
    // Redis and memcached speak plain lines, so any connection to their ports is a client.
    let plain = matches!(&*command.name, "nc" | "ncat" | "netcat" | "telnet")
        && (command.has_word("6379") || command.has_word("11211"));
    if plain {
        let input = command.atom.stdin.as_deref().unwrap_or("");
        return input.lines().map(|line| Cow::Owned(line.trim().to_owned())).collect();
    }
    if !REDIS_CLIENTS.contains(&&*command.name) {
        return Vec::new();
    }
    // Everything after the first word belongs to the command, also what looks like an option.
    let valued = [
        "-h",
        "-p",
        "-s",
        "-a",
        "-u",
        "-n",
        "-r",
        "-i",
        "-d",
        "-D",
        "-t",
        "--user",
        "--pass",
        "--pattern",
        "--cacert",
        "--cert",
        "--key",
        "--sni",
        "--tls-ciphers",
        "--count",
        "--eval",
        "-X",
    ];
    let mut args = command.args().iter();
    let mut words: Vec<&str> = Vec::new();
    while let Some(arg) = args.next() {
        if !words.is_empty() || !arg.text.starts_with('-') {
            words.push(&arg.text);
        } else if valued.contains(&arg.text.as_str()) {
            args.next();
        }
    }
    // `--cluster call HOST:PORT COMMAND`: the command goes to every node.
    if let ["call", _, ..] = words[..] {
        words.drain(..2);
    }
    // With a command among its arguments, the client ignores its input.
    if !words.is_empty() {
        return vec![Cow::Owned(words.join(" "))];
    }
    let input = command.atom.stdin.as_deref().unwrap_or("");
    input.lines().map(|line| Cow::Owned(line.trim().to_owned())).collect()
}

/// The programs that a `MongoDB` shell gets.
fn mongo_texts<'a>(command: &Command<'a>) -> Vec<&'a str> {
    if !MONGO_CLIENTS.contains(&&*command.name) || is_harmless(command) {
        return Vec::new();
    }
    let args = command.args();
    let evals = args.iter().enumerate().filter_map(|(at, arg)| match arg.text.as_str() {
        "--eval" | "--javascript.execute-string" => args.get(at + 1).map(|arg| arg.text.as_str()),
        text => text.strip_prefix("--eval=").or_else(|| text.strip_prefix("--javascript.execute-string=")),
    });
    evals.chain(command.atom.stdin.as_deref()).collect()
}
