//! What one statement does.

use shell_engine::Flow;

use super::condition::{self, Subject, split};
use super::flavor::Flavor;
use super::functions;
use super::split::is_definition;
use super::text::{self, Variables};
use super::token::{Kind, Token};
use super::words::{closing, name, position, position_of, render};

/// Statements inside of statements that are followed.
const MAX_DEPTH: u32 = 8;

/// Words of a statement that are kept.
const MAX_WORDS: usize = 24;

/// A limit of so many rows is none.
const ALL_ROWS: u64 = 1_000_000;

/// Actions of one `ALTER TABLE` that are kept.
const MAX_ACTIONS: usize = 64;

/// Something that a statement does.
#[derive(Debug)]
pub(super) enum Effect {
    /// The statement itself, reduced to what it means, and the files that the server reads or writes.
    Statement(Vec<String>, Vec<(Flow, String)>),
    /// A command line for a shell on the server.
    Shell(String),
    /// A command line for `cmd.exe` on the server.
    Cmd(String),
    /// SQL in a string.
    Sql(String),
}

/// Reads statements.
pub(super) struct Reader<'v> {
    pub(super) flavor: Flavor,
    pub(super) variables: &'v mut Variables,
    pub(super) effects: Vec<Effect>,
}

impl Reader<'_> {
    /// Reads one statement.
    pub(super) fn read(&mut self, tokens: &[Token<'_>]) {
        self.statement(tokens, 0);
        if !is_definition(tokens) {
            functions::read(tokens, self.variables, &mut self.effects);
        }
    }

    fn push(&mut self, words: Vec<String>) {
        self.effects.push(Effect::Statement(words, Vec::new()));
    }

    fn statement(&mut self, tokens: &[Token<'_>], depth: u32) {
        let tokens = if is_definition(tokens) { tokens } else { trimmed(tokens) };
        let Some(first) = tokens.first().filter(|_| depth < MAX_DEPTH) else { return };
        // Verbs are short: a long first word is not worth a copy.
        let upper = if first.kind == Kind::Word && first.text.len() < 16 {
            first.text.to_ascii_uppercase()
        } else {
            String::new()
        };
        match &*upper {
            "DELETE" => self.delete(tokens),
            "UPDATE" => self.update(tokens),
            "DROP" => self.drop(tokens),
            "TRUNCATE" => self.truncate(tokens),
            "ALTER" if !is_definition(tokens) => self.alter(tokens),
            "MERGE" => self.merge(tokens),
            "COPY" | "UNLOAD" | "LOAD" => self.copy(tokens),
            "WITH" => self.with(tokens, depth),
            "EXEC" | "EXECUTE" => self.execute(tokens),
            // PostgreSQL's `DO $$…$$` has its code in a string; MySQL's `DO` runs an expression.
            "DO" => match tokens.iter().find(|token| token.kind == Kind::Text) {
                Some(body) => self.effects.push(Effect::Sql(body.value().into_owned())),
                None => self.statement(&tokens[1..], depth + 1),
            },
            "PREPARE" => self.prepare(tokens, depth),
            "SET" | "DECLARE" => {
                self.variables.learn(tokens);
                self.generic(tokens);
            }
            "EXPLAIN" | "DESCRIBE" | "DESC" => self.explain(tokens, depth),
            // A block's first statement follows the word without a semicolon.
            "BEGIN" if !is_transaction(tokens) => self.statement(&tokens[1..], depth + 1),
            "ELSE" | "THEN" | "LOOP" | "END" if tokens.len() > 1 => self.statement(&tokens[1..], depth + 1),
            "IF" | "ELSIF" | "ELSEIF" | "WHILE" | "FOR" | "FOREACH" | "WHEN" | "EXCEPTION" | "REPEAT" => {
                let verb = verb(tokens).unwrap_or(tokens.len());
                // The condition is shown as a statement of its own, so that what it leads to begins with its
                // own verb.
                self.generic(&tokens[..verb.min(8)]);
                self.statement(&tokens[verb..], depth + 1);
            }
            "CREATE" => self.create(tokens, depth),
            // `(SELECT …) UNION (…)`
            _ if first.is_symbol("(") => self.statement(&tokens[1..], depth + 1),
            "SELECT" => {
                self.variables.learn(tokens);
                let files = files_written(tokens);
                let mut words = render(tokens, 16);
                words[0].make_ascii_uppercase();
                self.effects.push(Effect::Statement(words, files));
            }
            _ => {
                self.variables.learn(tokens);
                self.generic(tokens);
            }
        }
    }

    fn generic(&mut self, tokens: &[Token<'_>]) {
        let mut words = render(tokens, MAX_WORDS);
        if let Some(first) = words.first_mut() {
            first.make_ascii_uppercase();
        }
        self.push(words);
    }

    /// `DELETE [TOP (n)] [FROM] table [WHERE …] [LIMIT n]`
    fn delete(&mut self, tokens: &[Token<'_>]) {
        let mut at = 1;
        at += tokens[at..].iter().take_while(|token| token.is_one("low_priority quick ignore")).count();
        let mut part = false;
        if tokens.get(at).is_some_and(|token| token.is("top")) {
            at += 1;
            at = if tokens.get(at).is_some_and(|token| token.is_symbol("(")) {
                closing(tokens, at)
            } else {
                at
            };
            at += 1;
            // `TOP (100) PERCENT` may be all rows, a number is a part of them.
            part = !tokens.get(at).is_some_and(|token| token.is("percent"));
            at += usize::from(!part);
        }
        at += usize::from(tokens.get(at).is_some_and(|token| token.is("from")));
        at += usize::from(tokens.get(at).is_some_and(|token| token.is("only")));
        let Some((name, next)) = name(tokens, at) else { return self.generic(tokens) };
        let mut words = vec!["DELETE".to_owned(), "FROM".to_owned(), name];
        let rest = &tokens[next..];
        self.restrict(&mut words, rest, part || is_joined(rest) && !matches_keys_only(rest));
        self.push(words);
    }

    /// `UPDATE table SET … [WHERE …]`
    fn update(&mut self, tokens: &[Token<'_>]) {
        let mut at = 1;
        while tokens
            .get(at)
            .is_some_and(|token| token.is_one("low_priority ignore only or rollback abort replace fail"))
        {
            at += 1;
        }
        let mut part = false;
        if tokens.get(at).is_some_and(|token| token.is("top")) {
            at = closing(tokens, at + 1) + 1;
            part = true;
        }
        let set = position(tokens, "set");
        let (Some((name, next)), Some(set)) = (name(tokens, at), set) else { return self.generic(tokens) };
        let mut words = vec!["UPDATE".to_owned(), name, "SET".to_owned()];
        let end = tokens[set..]
            .iter()
            .position(|token| token.is_one("where from"))
            .map_or(tokens.len(), |end| set + end);
        // A column may be called `"WHERE"`.
        let set_words = render(&tokens[set + 1..end.max(set + 1)], 12).into_iter();
        words.extend(set_words.map(|word| if word == "WHERE" { word.to_ascii_lowercase() } else { word }));
        // A join leaves rows out, as a condition does.
        let joins = is_joined(&tokens[next.min(set)..set]) || is_joined(&tokens[set..]);
        self.restrict(&mut words, &tokens[set..], part || joins);
        self.push(words);
    }

    /// Adds the condition of a statement, if it leaves any row out. `part` says that something else does.
    fn restrict(&self, words: &mut Vec<String>, rest: &[Token<'_>], part: bool) {
        let top = |word: &str| position(rest, word);
        let limited = part || is_limited(rest);
        if let Some(at) = top("where") {
            let condition = &rest[at + 1..];
            let end = ["returning", "order", "limit", "option", "log", "settings"]
                .iter()
                .filter_map(|word| position(condition, word))
                .min()
                .unwrap_or(condition.len());
            let condition = &condition[..end];
            let table = words.iter().find(|word| !matches!(word.as_str(), "DELETE" | "UPDATE" | "FROM"));
            let subject = Subject {
                table: table.map_or("", |table| table),
                bars_mean_or: self.flavor == Flavor::MySql,
            };
            // `WHERE 1=1` is left out, so that rules see what it amounts to: all rows.
            if !condition::always(condition, subject) {
                words.push("WHERE".to_owned());
                words.extend(render(condition, 12));
                return;
            }
        }
        if limited {
            words.extend(["WHERE".to_owned(), "…".to_owned()]);
        }
    }

    /// `DROP TABLE [IF EXISTS] a, b`
    fn drop(&mut self, tokens: &[Token<'_>]) {
        let mut kept: Vec<Token<'_>> = Vec::with_capacity(tokens.len().min(MAX_WORDS));
        for token in tokens.iter().take(2 * MAX_WORDS) {
            // `IF EXISTS` changes nothing about what is dropped, and would stand where rules look for the
            // name.
            if token.is("exists") && kept.last().is_some_and(|last| last.is("if")) {
                kept.pop();
            } else {
                kept.push(*token);
            }
        }
        let mut words = render(&kept, MAX_WORDS);
        for word in words.iter_mut().take(2) {
            word.make_ascii_uppercase();
        }
        self.push(words);
    }

    fn truncate(&mut self, tokens: &[Token<'_>]) {
        let skip =
            tokens[1..].iter().take_while(|token| token.is_one("table only if exists database")).count();
        let mut words = vec!["TRUNCATE".to_owned(), "TABLE".to_owned()];
        words.extend(render(&tokens[1 + skip..], 12));
        if words.len() > 2 {
            self.push(words);
        }
    }

    /// `ALTER TABLE t a, b`: a statement for each action.
    fn alter(&mut self, tokens: &[Token<'_>]) {
        if tokens.get(1).is_some_and(|token| token.is("system")) {
            return self.alter_system(tokens);
        }
        let mut at = 2;
        at +=
            tokens.get(at..).unwrap_or(&[]).iter().take_while(|token| token.is_one("if exists only")).count();
        let (Some((name, next)), Some(kind)) = (name(tokens, at), tokens.get(1)) else {
            return self.generic(tokens);
        };
        let head = [String::from("ALTER"), kind.text.to_ascii_uppercase(), name];
        for action in split(&tokens[next..], |token| token.is_symbol(",")).into_iter().take(MAX_ACTIONS) {
            let exists = action.windows(2).position(|pair| pair[0].is("if") && pair[1].is("exists"));
            let mut words = head.to_vec();
            match exists {
                Some(at) => {
                    words.extend(render(&action[..at], 16));
                    words.extend(render(&action[at + 2..], 16));
                }
                None => words.extend(render(action, 16)),
            }
            // `ALTER TABLE t DELETE WHERE …`, `UPDATE a = 1 WHERE …`: ClickHouse changes rows like this.
            if let [first, ..] = action
                && first.is_one("delete update")
            {
                let mut rows = vec![first.text.to_ascii_uppercase(), "FROM".to_owned(), head[2].clone()];
                self.restrict(&mut rows, action, false);
                words = rows;
            }
            self.push(words);
        }
    }

    /// `ALTER SYSTEM SET archive_command = '…'`
    fn alter_system(&mut self, tokens: &[Token<'_>]) {
        let is_command =
            |token: &Token<'_>| token.names() && token.text.to_ascii_lowercase().ends_with("_command");
        if tokens.iter().any(is_command)
            && let Some(line) = tokens.iter().find(|token| token.kind == Kind::Text)
        {
            self.effects.push(Effect::Shell(line.value().into_owned()));
        }
        self.generic(tokens);
    }

    fn merge(&mut self, tokens: &[Token<'_>]) {
        let deletes = tokens.windows(2).any(|pair| pair[0].is("then") && pair[1].is("delete"));
        let at = 1 + usize::from(tokens.get(1).is_some_and(|token| token.is("into")));
        let Some((name, _)) = name(tokens, at).filter(|_| deletes) else { return self.generic(tokens) };
        self.push(["MERGE", "INTO", &name, "DELETE"].map(str::to_owned).to_vec());
    }

    /// `COPY t FROM PROGRAM 'command'`, `COPY t TO 'file'`, `LOAD DATA INFILE 'file'`
    fn copy(&mut self, tokens: &[Token<'_>]) {
        let mut files = Vec::new();
        for pair in tokens.windows(2) {
            if pair[1].kind != Kind::Text {
                continue;
            }
            let value = pair[1].value();
            if pair[0].is("program") {
                self.effects.push(Effect::Shell(value.into_owned()));
            } else if value.starts_with('/') {
                let flow = if pair[0].is("to") { Flow::Write } else { Flow::Read };
                if pair[0].is_one("to from infile") {
                    files.push((flow, value.into_owned()));
                }
            }
        }
        let mut words = render(tokens, 16);
        words[0].make_ascii_uppercase();
        self.effects.push(Effect::Statement(words, files));
    }

    /// `WITH a AS (DELETE …) SELECT …`
    fn with(&mut self, tokens: &[Token<'_>], depth: u32) {
        let mut at = 1;
        while let Some(token) = tokens.get(at) {
            if token.is_symbol("(") {
                let end = closing(tokens, at);
                let inner = tokens.get(at + 1..end).unwrap_or(&[]);
                // PostgreSQL runs what changes data in a `WITH`, whether its result is used or not.
                if inner.first().is_some_and(|first| first.is_one("delete update insert merge")) {
                    self.statement(inner, depth + 1);
                }
                at = end + 1;
                continue;
            }
            if token.is_one("delete update insert select merge") {
                return self.statement(&tokens[at..], depth + 1);
            }
            at += 1;
        }
    }

    fn explain(&mut self, tokens: &[Token<'_>], depth: u32) {
        let verb = position_of(tokens, "delete update insert select with merge create execute").unwrap_or(1);
        let runs = tokens[..verb.min(tokens.len())].iter().any(|token| token.is_one("analyze analyse"));
        // `EXPLAIN ANALYZE DELETE …` deletes; plain `EXPLAIN` only shows the plan.
        if runs && verb > 1 {
            self.statement(&tokens[verb..], depth + 1);
        } else {
            self.generic(&tokens[..tokens.len().min(8)]);
        }
    }

    /// `PREPARE p AS DELETE …`, `PREPARE p FROM '…'`
    fn prepare(&mut self, tokens: &[Token<'_>], depth: u32) {
        // It is taken for executed: nearly always the next statement does that.
        if let Some(at) = position(tokens, "as") {
            return self.statement(&tokens[at + 1..], depth + 1);
        }
        if let Some(at) = position(tokens, "from")
            && let Some(text) = text::literal(&tokens[at + 1..], self.variables)
        {
            self.effects.push(Effect::Sql(text));
        }
    }

    /// `EXECUTE IMMEDIATE '…'`, `EXEC ('…')`, `EXEC master..xp_cmdshell '…'`
    fn execute(&mut self, tokens: &[Token<'_>]) {
        let at = 1 + usize::from(tokens.get(1).is_some_and(|token| token.is("immediate")));
        let rest = tokens.get(at..).unwrap_or(&[]);
        if let Some((name, next)) = name(rest, 0) {
            let routine = name.rsplit('.').next().unwrap_or(&name).to_ascii_lowercase();
            let arguments = rest.get(next..).unwrap_or(&[]);
            let line = || text::first(arguments, self.variables);
            match &*routine {
                "xp_cmdshell" => {
                    self.effects.extend(line().map(Effect::Cmd));
                    return self.generic(tokens);
                }
                "sp_executesql" | "sp_msforeachtable" | "sp_msforeachdb" | "sp_prepexec" | "sp_sqlexec"
                | "sp_execute" => {
                    self.effects.extend(line().map(|text| Effect::Sql(text.replace('?', "every_table"))));
                    return;
                }
                _ => {}
            }
            if !text::is_computed(rest, self.variables) {
                return self.generic(tokens);
            }
        }
        if let Some(text) = text::literal(rest, self.variables) {
            self.effects.push(Effect::Sql(text));
        }
    }

    fn create(&mut self, tokens: &[Token<'_>], depth: u32) {
        // `CREATE OR REPLACE TABLE t (…)`: what was in it is gone. From a query, it is how pipelines work.
        if let [_, or, replace, kind, ..] = tokens
            && or.is("or")
            && replace.is("replace")
            && kind.is_one("table database schema")
            && position_of(tokens, "as clone like copy").is_none()
            && let Some((name, _)) = name(tokens, 4)
        {
            return self.push(vec!["REPLACE".to_owned(), kind.text.to_ascii_uppercase(), name]);
        }
        self.generic(tokens);
        // `CREATE EVENT e ON SCHEDULE … DO DELETE …`: no one has to call it.
        if tokens.iter().take(6).any(|token| token.is("event"))
            && let Some(at) = position(tokens, "do")
        {
            self.statement(&tokens[at + 1..], depth + 1);
        }
    }
}

/// The statement without what only closes a block around it.
fn trimmed<'a, 't>(tokens: &'a [Token<'t>]) -> &'a [Token<'t>] {
    let count = |word: &str| tokens.iter().filter(|token| token.is(word)).count();
    let mut tokens = tokens;
    if tokens.last().is_some_and(|last| last.is("end")) {
        let mut open = count("end").saturating_sub(count("case"));
        while open > 0
            && let [rest @ .., last] = tokens
            && last.is("end")
        {
            tokens = rest;
            open -= 1;
        }
    }
    tokens
}

/// Whether a `BEGIN` begins a transaction, not a block.
pub(super) fn is_transaction(tokens: &[Token<'_>]) -> bool {
    tokens.first().is_some_and(|first| first.is("begin"))
        && tokens.get(1).is_none_or(|next| {
            next.is_one(
                "transaction tran work isolation read deferred immediate exclusive concurrent not deferrable",
            )
        })
}

/// Where the first statement begins that an `IF` or a loop leads to.
fn verb(tokens: &[Token<'_>]) -> Option<usize> {
    let mut at = 1;
    while at < tokens.len() {
        let token = &tokens[at];
        if token.is_symbol("(") {
            at = closing(tokens, at) + 1;
            continue;
        }
        if token.is_one("delete update truncate drop alter grant revoke exec execute merge copy call kill shutdown insert")
            && !tokens[at - 1].is_one("for on of after before or and")
        {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// Whether `LIMIT n` or `FETCH FIRST n ROWS` leaves rows out. `LIMIT -1` and a column of that name do not.
fn is_limited(tokens: &[Token<'_>]) -> bool {
    let Some(at) = position_of(tokens, "limit fetch") else { return false };
    let Some(next) = tokens.get(at + 1) else { return false };
    match next.kind {
        Kind::Number => next.text.parse::<u64>().is_ok_and(|rows| rows < ALL_ROWS),
        Kind::Word => !next.is("all"),
        Kind::Symbol => matches!(next.text, "?" | ":" | "("),
        _ => false,
    }
}

/// Whether rows are only those that another table has a partner for.
fn is_joined(tokens: &[Token<'_>]) -> bool {
    let Some(at) = position(tokens, "join") else { return false };
    !tokens[at.saturating_sub(2)..at].iter().any(|token| token.is_one("left right full cross natural"))
}

/// Whether joins only match keys of whole tables: `DELETE a FROM a JOIN b ON a.id = b.id` deletes whatever the other
/// table knows of, which is all of it most of the time. A second condition, a value or a table made for the purpose
/// chooses rows.
fn matches_keys_only(tokens: &[Token<'_>]) -> bool {
    let chooses = |token: &Token<'_>| {
        token.is_one("and or select is like in between")
            || matches!(token.kind, Kind::Text | Kind::Number)
            || token.kind == Kind::Symbol
                && matches!(token.text, "<" | ">" | "<>" | "!=" | "<=" | ">=" | "?" | "#" | "@")
    };
    let temporary = |part: &str| part.eq_ignore_ascii_case("tmp") || part.eq_ignore_ascii_case("temp");
    let passing = |token: &Token<'_>| {
        token.text.starts_with(['#', '@']) || token.names() && token.text.split('_').any(temporary)
    };
    !tokens.iter().any(|token| chooses(token) || passing(token))
}

/// Files that `SELECT … INTO OUTFILE 'file'` and the like write.
fn files_written(tokens: &[Token<'_>]) -> Vec<(Flow, String)> {
    let names = |pair: &&[Token<'_>]| pair[0].is_one("outfile dumpfile") && pair[1].kind == Kind::Text;
    tokens.windows(2).filter(names).map(|pair| (Flow::Write, pair[1].value().into_owned())).collect()
}
