//! However large or strange SQL is, the answer comes after a bounded amount of work.

use shell::{Surroundings, analyze, analyze_sql};

/// Repetitions of each piece.
const TIMES: usize = 20_000;

/// Strings that grow when something looks at all that is left for each piece.
fn pieces() -> Vec<String> {
    let again = |piece: &str| piece.repeat(TIMES);
    vec![
        again("("),
        again("/*"),
        again("/*!"),
        again("$a"),
        again("$a$"),
        again("'"),
        again("''"),
        again("["),
        again("[a"),
        again("\\"),
        again("\\!"),
        again("--\n"),
        again(";"),
        again("BEGIN "),
        again("BEGIN;"),
        again("IF 1 THEN "),
        again("CASE "),
        again("WITH a AS ("),
        format!("DELETE FROM t WHERE {}", again("(")),
        format!("DELETE FROM t WHERE {}", again("NOT ")),
        format!("DELETE FROM t WHERE {}1", again("1=1 AND ")),
        format!("DELETE FROM t WHERE {}1", again("a=1 OR ")),
        format!("DELETE FROM t WHERE a IN ({}1)", again("1,")),
        format!("DELETE FROM t WHERE {}", again("a IS NULL OR ")),
        format!("SELECT {}", again("edit(")),
        format!("SELECT {}", again("edit('a','b'),")),
        format!("SELECT {}", again("concat('a',")),
        format!("EXECUTE {}", again("concat('a',")),
        format!("ALTER TABLE {} {}", "t".repeat(10_000), again("a,")),
        format!("ALTER TABLE t {}", again("DROP a,")),
        format!("DROP TABLE {}", again("a,")),
        again("DROP TABLE a;"),
        again("DELETE FROM a;"),
        again("EXEC('DROP TABLE a');"),
        format!("SET @a='x';{}", "SET @a=concat(@a,@a);".repeat(2_000)),
        format!("SET @a='DROP TABLE x;';{}", "SET @a=concat(@a,@a); EXEC(@a);".repeat(500)),
        again("CREATE TRIGGER t BEGIN "),
        again("IF a set "),
        again("COPY t FROM STDIN;"),
        again("delimiter x\n"),
        again("GO\n"),
    ]
}

#[test]
fn every_text_is_answered_in_proportion() {
    for text in pieces() {
        let quoted = text.replace('\'', r"'\''");
        for client in ["psql -c", "mysql -e", "sqlite3 a.db", "sqlcmd -Q", "sqlplus <<<", "hive -e"] {
            let command = format!("{client} '{quoted}'");
            let analysis = analyze(&command, Surroundings::default());
            let size: usize =
                analysis.atoms.iter().flat_map(|atom| atom.args.iter()).map(|arg| arg.text.len()).sum();
            let most = 64 * command.len() + 4 * 1024 * 1024;
            assert!(size <= most, "{client} {text:.40}: {size} bytes for {}", command.len());
            assert!(analysis.atoms.len() <= command.len() + 1_000, "{client} {text:.40}");
        }
        let analysis = analyze_sql(&text, Surroundings::default());
        assert!(analysis.atoms.len() <= text.len() + 1_000, "{text:.40}");
    }
}

#[test]
fn files_that_read_each_other_end() {
    for command in [
        r"printf '\i a.sql\n\i a.sql\n' > a.sql; psql -f a.sql",
        r"printf '.read a.sql\n.read a.sql\n' > a.sql; sqlite3 a.db < a.sql",
        r#"psql -c '\! psql -c "\! psql -c 1"'"#,
        "mysql -e 'source a.sql' ; echo 'source a.sql' > a.sql; mysql < a.sql",
    ] {
        let analysis = analyze(command, Surroundings::default());
        assert!(analysis.atoms.len() <= 5_000, "{command}: {}", analysis.atoms.len());
    }
}
