//! What clients understand besides SQL: lines that run a command, read a file, or write one.

use shell_engine::Flow;

use super::Session;
use super::flavor::Style;

impl Session<'_> {
    /// A line that is meant for the client.
    pub(super) fn client_line(&mut self, line: &str) {
        match self.style {
            Style::Psql => self.psql(line),
            Style::MySql => self.mysql(line),
            Style::Dot => self.dot(line),
            Style::Sqlcmd => self.sqlcmd(line),
            Style::Sqlplus => self.sqlplus(line),
            Style::Snow | Style::Hive => self.bang(line),
            Style::Plain => {}
        }
    }

    /// psql 17: `\! command`, `\i file`, `\o file`, `\copy t from program '…'`. Several may share a line.
    fn psql(&mut self, line: &str) {
        // A string in back-ticks is a command line in any of them.
        let mut ticks = line.split('`').skip(1);
        while let Some(command) = ticks.next() {
            self.shell(command);
            // Every other piece stands between two back-ticks.
            ticks.next();
        }
        let mut rest = line;
        while let Some(command) = rest.strip_prefix('\\') {
            let (name, value) = word(command);
            let whole = matches!(name, "copy" | "ef" | "ev" | "h" | "help") || name.starts_with('!');
            // These take the rest of the line; a backslash ends the value of all others.
            let end = if whole { value.len() } else { value.find('\\').unwrap_or(value.len()) };
            let (value, next) = value.split_at(end);
            let value = value.trim();
            match name {
                _ if name.starts_with('!') => self.shell(&format!("{} {value}", &name[1..])),
                "i" | "include" => self.file(bare(value)),
                "ir" | "include_relative" => {
                    let path = self.beside(bare(value));
                    self.file(&path);
                }
                "o" | "out" => {
                    self.close_pipe();
                    match value.strip_prefix('|') {
                        Some(line) => self.open_pipe(line),
                        None => self.output_to(value),
                    }
                }
                // These send what the statement before them prints.
                "g" | "gx" | "watch" if value.starts_with('|') => {
                    let last = self.last;
                    self.shell_reading(&value[1..], Some(last));
                }
                "w" | "write" | "s" | "g" | "gx" | "watch" => self.output_to(value),
                "copy" => self.copy_line(value),
                "c" | "connect" => self.other_database(value),
                "set" if value.split_whitespace().next() == Some("ON_ERROR_STOP") => self.stops = true,
                _ => {}
            }
            rest = next;
        }
    }

    /// What follows is about another database.
    fn other_database(&mut self, name: &str) {
        self.keep(vec!["USE".to_owned(), bare(name).to_owned()], Vec::new());
    }

    /// `\o file`, `\o |command`
    fn output_to(&mut self, value: &str) {
        self.close_pipe();
        if let Some(line) = value.strip_prefix('|') {
            // What it prints comes later; some programs run without reading it.
            self.shell(line);
            self.open_pipe(line);
        } else if value.starts_with(['/', '~', '\'']) {
            self.redirect(Flow::Write, &["OUTPUT"], bare(value));
        }
    }

    /// `\copy table to program 'command'`: the client's own shell runs it.
    fn copy_line(&mut self, value: &str) {
        let text = format!("copy {value}");
        self.text(&text);
    }

    /// mysql 9: `system command`, `\! command`, `source file`, `\. file`, `tee file`, `pager command`.
    fn mysql(&mut self, line: &str) {
        let (name, value) = match line.strip_prefix('\\') {
            // A short command needs no blank: `\.file`.
            Some(short) => short.split_at(short.chars().next().map_or(0, char::len_utf8)),
            None => word(line),
        };
        let value = value.trim().trim_end_matches(';').trim();
        match &*name.to_ascii_lowercase() {
            "!" | "system" | "p" | "pager" => self.shell(value),
            "." | "source" => self.file(value),
            "u" | "r" | "connect" => self.other_database(value),
            "t" | "tee" => self.redirect(Flow::Append, &["OUTPUT"], value),
            _ => {}
        }
    }

    /// sqlite3 3.50 and duckdb 1: `.shell command`, `.read file`, `.output file`, `.import file table`.
    fn dot(&mut self, line: &str) {
        let (name, value) = word(line.get(1..).unwrap_or(""));
        let value = value.trim();
        let name = name.to_ascii_lowercase();
        // Any unambiguous abbreviation will do.
        let is = |long: &str, shortest: usize| name.len() >= shortest && long.starts_with(&name);
        if name == "sh" || is("shell", 2) || is("system", 2) {
            self.shell(value);
        } else if is("read", 3) {
            match value.strip_prefix('|') {
                Some(line) => self.shell(line),
                None => self.file(bare(value)),
            }
        } else if is("output", 1) || is("once", 2) || is("excel", 1) || is("log", 3) {
            self.output_to(value);
        } else if is("backup", 2) || is("save", 2) || is("clone", 2) {
            // `.backup main file`: the database may be named before it.
            let file = bare(value.rsplit(char::is_whitespace).next().unwrap_or(""));
            self.redirect(Flow::Write, &["BACKUP"], file);
        } else if is("import", 2) {
            let source = value.split_whitespace().find(|word| !word.starts_with('-')).unwrap_or("");
            if let Some(line) = value.trim_start_matches(['"', '\'']).strip_prefix('|') {
                self.shell(line.split(['"', '\'']).next().unwrap_or(line));
            } else {
                self.redirect(Flow::Read, &["IMPORT"], bare(source));
            }
        } else if is("open", 1) {
            self.other_database(value.rsplit(char::is_whitespace).next().unwrap_or(""));
        } else if is("restore", 3) {
            self.keep(vec!["RESTORE".to_owned(), "DATABASE".to_owned()], Vec::new());
        } else if is("drop", 2) {
            self.keep(vec!["DROP".to_owned(), "TABLE".to_owned(), value.to_owned()], Vec::new());
        } else if is("load", 2) {
            self.keep(vec!["CALL".to_owned(), "load_extension".to_owned(), value.to_owned()], Vec::new());
        }
    }

    /// sqlcmd: `!! command`, `:r file`, `:out file`.
    fn sqlcmd(&mut self, line: &str) {
        let line = line.strip_prefix(':').unwrap_or(line);
        if let Some(command) = line.strip_prefix("!!") {
            return self.shell(command);
        }
        let (name, value) = word(line);
        match &*name.to_ascii_lowercase() {
            "r" => self.file(bare(value.trim())),
            "out" | "error" | "perftrace" => self.output_to(value.trim()),
            _ => {}
        }
    }

    /// sqlplus: `host command`, `!command`, `@file`, `start file`, `spool file`.
    fn sqlplus(&mut self, line: &str) {
        if let Some(command) = line.strip_prefix('!') {
            return self.shell(command);
        }
        if let Some(file) = line.strip_prefix('@') {
            let file = file.trim_start_matches('@').split_whitespace().next().unwrap_or("");
            self.file(file);
            // sqlplus adds the extension where none is given.
            return self.file(&format!("{file}.sql"));
        }
        let (name, value) = word(line);
        match &*name.to_ascii_lowercase() {
            "host" | "ho" => self.shell(value),
            "start" => self.file(value.split_whitespace().next().unwrap_or("")),
            "spool" => self.output_to(value.trim()),
            _ => {}
        }
    }

    /// snowsql, hive, beeline, impala-shell: `!system command`, `!sh command`, `!command;`, `dfs -rm path;`.
    fn bang(&mut self, line: &str) {
        let line = line.trim_end().trim_end_matches(';');
        let Some(command) = line.strip_prefix('!') else {
            let (name, value) = word(line);
            return match &*name.to_ascii_lowercase() {
                "dfs" => self.shell(&format!("hdfs dfs {value}")),
                "source" => self.file(bare(value.trim())),
                _ => self.shell(value),
            };
        };
        let (name, value) = word(command.trim_start());
        match name {
            "system" | "sh" => self.shell(value),
            "source" | "load" | "run" => self.file(bare(value.trim())),
            "spool" => self.output_to(value.trim()),
            // hive runs anything else after `!` by a shell; other clients refuse it, which costs nothing
            // here.
            _ => self.shell(command),
        }
    }
}

/// The first word, and what follows it.
fn word(line: &str) -> (&str, &str) {
    line.split_at(line.find(|c: char| c.is_whitespace()).unwrap_or(line.len()))
}

/// A value without quotes around it.
fn bare(value: &str) -> &str {
    value.trim_end_matches(';').trim_matches(['\'', '"'])
}
