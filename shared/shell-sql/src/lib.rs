//! SQL that a client sends to a server, or that stands in other code.
//!
//! Statements are found, not understood: which of them drop, delete or change what, reduced to words that say what
//! they mean. `DELETE FROM t WHERE 1=1` becomes `DELETE FROM t`, and what is rolled back in the same text leaves
//! nothing. Command lines in SQL, such as `COPY … FROM PROGRAM '…'`, run like any others.

mod client;
mod clients;
mod condition;
mod flavor;
mod functions;
mod http;
mod printed;
mod scan;
mod split;
mod statement;
mod text;
mod token;
mod words;

use std::rc::Rc;

use shell_engine::{
    Arg, Call, Flow, How, Io, Loaded, Query, Redirect, Runner, Scope, Script, Span, Stage, Via, mark,
};

pub use clients::run;
use flavor::{Flavor, Style};

use statement::{Effect, Reader};
use text::Variables;
use token::{Kind, Token};

/// SQL that is longer is not looked at.
const MAX_TEXT: usize = 1024 * 1024;

/// Bytes that a variable of psql may add to a string.
const MAX_FILLED: usize = 16 * 1024;

/// Functions that one session creates and that are remembered.
const MAX_FUNCTIONS: usize = 32;

/// Statements that change nothing are listed up to this number, then left out.
const MAX_HARMLESS: usize = 40;

/// Runs a string of SQL that the atom `index` sends somewhere. This is the way in for SQL in other languages' code:
/// `cursor.execute("…")`.
pub fn send(runner: &mut Runner, scope: &mut Scope, query: Query<'_>) {
    let client = Client { atom: query.client, flavor: Flavor::of(query.library), style: Style::Plain };
    let origin = scope.origin;
    let mut session = Session::new(runner, scope, client, true);
    // In a file, the statement of the code that holds it.
    session.span = origin.unwrap_or(session.span);
    session.run(query.text);
}

/// Who talks to the server.
#[derive(Clone, Copy)]
struct Client {
    atom: u32,
    flavor: Flavor,
    style: Style,
}

/// A session with a server.
struct Session<'r> {
    runner: &'r mut Runner,
    scope: &'r mut Scope,
    /// The client's atom.
    index: u32,
    span: Span,
    flavor: Flavor,
    style: Style,
    /// Whether a statement that fails ends the session.
    stops: bool,
    /// Whether it cannot write.
    read_only: bool,
    variables: Variables,
    /// Variables of psql.
    set: Vec<(String, String)>,
    /// Tables that this session has created itself.
    created: Vec<String>,
    /// Functions that it has created itself, with their code.
    functions: Vec<(String, String)>,
    /// Statements of an open transaction, each with its place.
    pending: Option<Vec<(Span, Vec<String>)>>,
    harmless: usize,
    printed: String,
    /// The command line into which psql's `\o |line` sends what is printed, and where that begins.
    pipe: Option<(String, usize)>,
    /// Where what the last statement has printed begins.
    last: usize,
}

impl<'r> Session<'r> {
    fn new(
        runner: &'r mut Runner,
        scope: &'r mut Scope,
        Client { atom: index, flavor, style }: Client,
        stops: bool,
    ) -> Self {
        let span = runner.span_of(index);
        Self {
            runner,
            scope,
            index,
            span,
            flavor,
            style,
            stops,
            read_only: false,
            variables: Variables::default(),
            set: Vec::new(),
            created: Vec::new(),
            functions: Vec::new(),
            pending: None,
            harmless: 0,
            printed: String::new(),
            pipe: None,
            last: 0,
        }
    }

    /// Runs a string to its end.
    fn run(&mut self, text: &str) {
        self.text(text);
        self.end();
    }

    /// The session is over.
    fn end(&mut self) {
        self.commit();
        self.close_pipe();
    }

    /// Runs one more text of the session.
    fn text(&mut self, text: &str) {
        if let Some(loaded) = self.runner.fulfilled(self.scope, text) {
            return self.loaded(&loaded);
        }
        if text.len() > MAX_TEXT
            || self.scope.depth >= shell_engine::MAX_DEPTH
            || !self.runner.spend(text.len())
        {
            self.runner.note(shell_engine::NoteKind::TooMuch, self.span);
            return;
        }
        self.scope.depth += 1;
        let filled = self.filled(text);
        let text = filled.as_deref().unwrap_or(text);
        let readings: &[bool] = match self.flavor.escapes() {
            Some(true) => &[true],
            Some(false) => &[false],
            // Only a backslash in front of a quote makes a difference.
            None if text.contains("\\'") => &[false, true],
            None => &[false],
        };
        for &escapes in readings {
            let tokens = scan::scan(text, self.flavor, escapes, self.style);
            self.statements(&tokens);
        }
        self.scope.depth -= 1;
    }

    /// The text with the variables of psql, `:name`, put in.
    fn filled(&mut self, text: &str) -> Option<String> {
        if self.set.is_empty() || self.style != Style::Psql || !text.contains(':') {
            return None;
        }
        let mut filled = text.to_owned();
        for (name, value) in &self.set {
            let place = format!(":{name}");
            // Bounded before it is built: a short name with a long value may stand in the text many times.
            if !name.is_empty() && filled.matches(&place).count() * value.len() <= MAX_FILLED {
                filled = filled.replace(&place, value);
            }
        }
        self.runner.spend(filled.len()).then_some(filled)
    }

    fn statements(&mut self, mut tokens: &[Token<'_>]) {
        while let Some(first) = tokens.first() {
            if self.runner.stopped() {
                return;
            }
            if first.kind == Kind::Client {
                self.client_line(first.text);
                tokens = &tokens[1..];
                continue;
            }
            self.place(first);
            let (statement, width) = split::first(tokens, self.flavor);
            if !statement.is_empty() {
                self.statement(statement);
                // `SELECT 'DROP TABLE ' || name … \gexec`
                let line =
                    tokens.get(width).filter(|next| next.kind == Kind::Client).map_or("", |next| next.text);
                if line.starts_with("\\gexec")
                    && let Some(text) = printed::by(statement, &self.variables)
                {
                    self.text(&text);
                }
            }
            // At least one token, so that reading ends whatever stands there.
            tokens = &tokens[width.max(1)..];
        }
    }

    fn statement(&mut self, tokens: &[Token<'_>]) {
        if self.transaction(tokens) {
            return;
        }
        self.functions(tokens);
        let mut reader = Reader { flavor: self.flavor, variables: &mut self.variables, effects: Vec::new() };
        reader.read(tokens);
        for effect in reader.effects {
            match effect {
                Effect::Statement(words, files) => self.effect(words, files),
                Effect::Sql(text) => self.text(&text),
                Effect::Shell(line) => self.shell(&line),
                Effect::Cmd(line) => {
                    // SQL Server runs `xp_cmdshell` by cmd, so the line is written in its language.
                    let args = ["cmd", "/c", &line].map(Arg::from).to_vec();
                    let call = self.call(args, Vec::new());
                    self.runner.start(self.scope, Via { parent: self.index, how: How::Text }, call);
                }
            }
        }
        // psql's `\g |line` sends on what this statement prints, and nothing from before.
        self.last = self.printed.len();
        if let Some(text) = printed::by(tokens, &self.variables) {
            self.printed.push_str(&text);
        }
    }

    /// Remembers a function that is created here, and runs those that are called.
    fn functions(&mut self, tokens: &[Token<'_>]) {
        let [first, ..] = tokens else { return };
        // The name in front of the bracket: that of the schema stands before it.
        let named = tokens.windows(2).filter(|pair| pair[0].names() && pair[1].is_symbol("("));
        let mut names = named.map(|pair| pair[0].value());
        if first.is("create") && tokens.iter().take(4).any(|token| token.is_one("function procedure")) {
            let code = tokens.iter().rfind(|token| token.kind == Kind::Text && token.quote == b'$');
            if let Some((name, code)) = names.next().zip(code)
                && self.functions.len() < MAX_FUNCTIONS
            {
                self.functions.push((name.to_ascii_lowercase(), code.value().into_owned()));
            }
        } else if !self.functions.is_empty() && first.is_one("select call perform") {
            let called = names.filter_map(|name| {
                self.functions.iter().rfind(|(own, _)| own.eq_ignore_ascii_case(&name)).cloned()
            });
            for (_, code) in called.collect::<Vec<_>>() {
                self.text(&code);
            }
        }
    }

    /// Follows transactions. Says whether the statement is nothing else.
    fn transaction(&mut self, tokens: &[Token<'_>]) -> bool {
        let [first, rest @ ..] = tokens else { return true };
        let goes_back = |token: &Token<'_>| token.is_one("to prepared");
        if statement::is_transaction(tokens)
            || first.is("start") && rest.first().is_some_and(|t| t.is("transaction"))
        {
            self.commit();
            self.pending = Some(Vec::new());
        } else if first.is_one("commit end") && rest.len() < 3 {
            self.commit();
        } else if first.is_one("rollback abort") {
            // `ROLLBACK TO savepoint` undoes a part, and what came before it may still be committed.
            if !rest.iter().any(goes_back) {
                self.pending = None;
            }
        } else {
            return false;
        }
        true
    }

    /// What has been done so far stays.
    fn commit(&mut self) {
        let at = self.span;
        for (span, words) in self.pending.take().unwrap_or_default() {
            self.span = span;
            self.keep(words, Vec::new());
        }
        self.span = at;
    }

    /// A statement takes effect.
    fn effect(&mut self, words: Vec<String>, files: Vec<(Flow, String)>) {
        if self.creates_or_drops_own(&words) {
            return;
        }
        let rows = words.first().is_some_and(|verb| matches!(verb.as_str(), "DELETE" | "UPDATE" | "MERGE"));
        let tables = words.first().is_some_and(|verb| matches!(verb.as_str(), "DROP" | "TRUNCATE" | "ALTER"));
        if tables && self.pending.is_some() && !self.flavor.rolls_back_tables() {
            self.commit();
            // MySQL and Oracle commit before they change a table; the transaction that follows is a new one.
            self.pending = Some(Vec::new());
        }
        // Anything else, such as a file that the server wrote, is not undone by a rollback.
        let undone = rows || tables && self.flavor.rolls_back_tables();
        match &mut self.pending {
            Some(pending) if undone => pending.push((self.span, words)),
            _ => self.keep(words, files),
        }
    }

    /// Whether it creates a table for this session, or drops or empties such a one.
    fn creates_or_drops_own(&mut self, words: &[String]) -> bool {
        let is = |at: usize, known: &str| {
            words.get(at).is_some_and(|word| known.split(' ').any(|known| word.eq_ignore_ascii_case(known)))
        };
        if is(0, "create") {
            let temporary = is(1, "temp temporary") || is(2, "temp temporary");
            let at = words.iter().position(|word| word.eq_ignore_ascii_case("table"));
            // Where mistakes do not stop the script, CREATE may have failed on a table that was there before.
            if let Some(at) = at.filter(|_| temporary || self.stops && is(1, "table"))
                // `IF NOT EXISTS` does not say whether the table is new.
                && !is(at + 1, "if")
                && let Some(name) = words.get(at + 1)
            {
                // Words are put together without blanks around brackets: `t(a int)`.
                let name = name.split('(').next().unwrap_or(name);
                self.created.push(name.to_owned());
            }
            return false;
        }
        let table = match () {
            // Only tables of this session can be temporary ones.
            () if is(0, "drop") && is(1, "temporary temp") => return true,
            () if is(0, "drop") && is(1, "table")
                || is(0, "truncate") && words.len() == 3
                || is(0, "delete") =>
            {
                2
            }
            () if is(0, "update") => 1,
            () => return false,
        };
        let Some(name) = words.get(table) else { return false };
        let own = |name: &str| {
            let lower = name.to_ascii_lowercase();
            // Temporary tables by their names: of SQL Server, PostgreSQL and SQLite.
            lower.starts_with('#') || lower.starts_with("pg_temp.") || lower.starts_with("temp.")
        };
        if is(0, "drop") {
            let names: Vec<&str> = name.split(',').filter(|name| !name.is_empty()).collect();
            // More words than these are a form that is not known: then it is not taken for harmless.
            let last = words.len() == 3 || words.len() == 4 && is(3, "cascade restrict");
            return last
                && names.iter().all(|name| {
                    let at = self.created.iter().position(|created| created.eq_ignore_ascii_case(name));
                    // A second one drops what has been there before.
                    own(name) || at.map(|at| self.created.swap_remove(at)).is_some()
                });
        }
        own(name) || self.created.iter().any(|created| created.eq_ignore_ascii_case(name))
    }

    /// Adds a statement to what is found.
    fn keep(&mut self, words: Vec<String>, files: Vec<(Flow, String)>) {
        let verb = words.first().map_or("", String::as_str);
        if matches!(verb, "SELECT" | "INSERT" | "CREATE" | "SET" | "VALUES" | "COMMENT" | "SHOW")
            && files.is_empty()
        {
            // A dump has thousands of `INSERT`, which would fill the analysis and say nothing.
            self.harmless += 1;
            if self.harmless > MAX_HARMLESS {
                return;
            }
        }
        let size: usize = words.iter().map(|word| word.len() + 8).sum();
        // A verb that is not known makes no statement that anyone could judge.
        if self.read_only
            || mark::any(verb)
            || words.is_empty()
            || !self.runner.step()
            || !self.runner.spend(size)
        {
            return;
        }
        let args = words.into_iter().map(Arg::from).collect();
        let redirects = files
            .into_iter()
            .map(|(flow, target)| Redirect { fd: u32::from(flow != Flow::Read), flow, target })
            .collect();
        let call = self.call(args, redirects);
        // Statements of one session have one parent, the client, however deep the SQL was nested.
        let outer = self.scope.via.replace(Via { parent: self.index, how: How::Statement });
        self.runner.push_atom(self.scope, &call);
        self.scope.via = outer;
    }

    fn call(&self, args: Vec<Arg>, redirects: Vec<Redirect>) -> Call {
        Call {
            args: Rc::new(args),
            assigns: Vec::new(),
            redirects,
            io: Io::default(),
            stage: Stage::default(),
            span: self.span,
            external: true,
        }
    }

    /// A command line that the client or the server gives to a shell.
    fn shell(&mut self, line: &str) {
        self.shell_reading(line, None);
    }

    /// The same for one that reads what was printed from a place on.
    fn shell_reading(&mut self, line: &str, from: Option<usize>) {
        if !line.trim().is_empty() {
            let how = Some((self.index, How::Text));
            let printed = from.and_then(|from| self.printed.get(from..)).filter(|text| !text.is_empty());
            let io = Io { stdin: printed.map(Rc::from), capture: false, ..Io::default() };
            // A copy: the line runs in a shell of its own, whose `cd` does not move the client.
            self.runner.run_text(&mut self.scope.clone(), &Script::new(line, how, &io));
        }
    }

    /// Sends what is printed from now on into a command line.
    fn open_pipe(&mut self, line: &str) {
        self.close_pipe();
        self.pipe = Some((line.to_owned(), self.printed.len()));
    }

    /// The command line after `\o |line` gets what was printed since.
    fn close_pipe(&mut self) {
        if let Some((line, from)) = self.pipe.take() {
            self.shell_reading(&line, Some(from));
        }
    }

    /// A file of SQL that the session reads.
    fn file(&mut self, path: &str) {
        for path in self.runner.paths(self.scope, path) {
            if let Some(loaded) = self.runner.load(self.scope, &path) {
                self.loaded(&loaded);
            }
        }
    }

    /// A path as it is meant in the file at work, where the folder of that counts.
    fn beside(&self, path: &str) -> String {
        let own = self.scope.file.and_then(|file| self.runner.analysis.files.get(file as usize));
        match own.and_then(|own| own.path.rsplit_once('/')) {
            Some((folder, _)) => shell_engine::path::join(folder, path),
            None => path.to_owned(),
        }
    }

    fn loaded(&mut self, loaded: &Loaded) {
        let Some(opened) = self.runner.open_file(self.scope, (loaded.file, "")) else { return };
        let outer = self.span;
        self.text(&loaded.text);
        self.span = outer;
        self.runner.close_file(self.scope, &opened);
    }

    /// Statements of a file stand where they stand in it.
    fn place(&mut self, token: &Token<'_>) {
        let Some(file) = self.scope.file.filter(|_| self.runner.is_own_text(self.scope, self.index)) else {
            return;
        };
        let Some(whole) = self.runner.analysis.files.get(file as usize) else { return };
        // Tokens are pieces of the text; one of a text that was put together lies elsewhere.
        let at = (token.text.as_ptr() as usize).wrapping_sub(whole.text.as_ptr() as usize);
        if at < whole.text.len() {
            self.span = Span::new(at, at + token.text.len());
        }
    }

    /// A file that the client writes or reads.
    fn redirect(&mut self, flow: Flow, words: &[&str], path: &str) {
        let words = words.iter().map(|&word| word.to_owned()).collect();
        self.keep(words, vec![(flow, path.to_owned())]);
    }

    /// What the session prints.
    fn output(self) -> String {
        if self.printed.is_empty() { format!("{}\n", mark::UNKNOWN) } else { self.printed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shell_engine::Registry;

    /// Statements alone: no shell and no program is started.
    static ALONE: Registry = Registry {
        posix: |_, _, _| String::new(),
        cmd: |_, _, _| String::new(),
        sql: send,
        sql_client: run,
        filter: |_, _| None,
        views: |_| false,
        leaks: |_, _| false,
        in_bash: |_, _| None,
        program: |_| String::new(),
    };

    /// The statements of a string, as they are found.
    fn reduced(text: &str) -> String {
        let mut runner = Runner::new(text.len(), &ALONE);
        let mut scope = Scope::new("/", None);
        let client = runner.push(&scope, vec![Arg::from("sql")]);
        send(&mut runner, &mut scope, Query { client, library: "", text });
        let statements =
            runner.analysis.atoms.iter().filter(|atom| atom.via.is_some_and(|via| via.how == How::Statement));
        let words = statements.map(|atom| {
            let words: Vec<&str> = atom.args.iter().map(|arg| arg.text.as_str()).collect();
            words.join(" ")
        });
        words.collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn a_statement_is_reduced_to_what_it_means() {
        for (text, expected) in [
            ("drop table if exists \"A b\"", "DROP TABLE A b"),
            ("delete from t where 1=1", "DELETE FROM t"),
            ("DELETE FROM a.t x WHERE x.id = 3 RETURNING *", "DELETE FROM a.t WHERE x.id = 3"),
            ("DELETE FROM t LIMIT 5", "DELETE FROM t WHERE …"),
            ("UPDATE t SET a = 1 WHERE true", "UPDATE t SET a = 1"),
            ("TRUNCATE ONLY t", "TRUNCATE TABLE t"),
            ("ALTER TABLE t ADD a int, DROP IF EXISTS b", "ALTER TABLE t ADD a int; ALTER TABLE t DROP b"),
            ("WITH d AS (DELETE FROM t) SELECT 1", "DELETE FROM t; SELECT 1"),
            ("BEGIN; DELETE FROM t; ROLLBACK", ""),
            ("BEGIN; DELETE FROM t; COMMIT", "DELETE FROM t"),
            (
                "CREATE TEMP TABLE t (a int); DROP TABLE t; DROP TABLE t",
                "CREATE TEMP TABLE t(a int); DROP TABLE t",
            ),
            ("EXECUTE IMMEDIATE 'DROP ' || 'TABLE t'", "DROP TABLE t"),
            (
                "CREATE FUNCTION s.f() RETURNS void AS $$ BEGIN DROP TABLE t; END $$; SELECT s.f()",
                "CREATE FUNCTION s.f() RETURNS void AS ' BEGIN DROP TABLE t; END '; DROP TABLE t; SELECT s.f()",
            ),
            ("DO $$ BEGIN IF true THEN DROP TABLE t; END IF; END $$", "IF true THEN; DROP TABLE t"),
            (
                "CREATE PROCEDURE p() BEGIN DELETE FROM t; END; SELECT 1",
                "CREATE PROCEDURE p() BEGIN DELETE FROM t ; END; SELECT 1",
            ),
        ] {
            assert_eq!(reduced(text), expected, "{text}");
        }
    }
}
