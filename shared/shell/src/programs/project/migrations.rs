//! Migrations of databases: what the newest one does, where a tool applies those that are new. Earlier ones have run.

use shell_engine::{Arg, Loaded, Process, Scope, mark};

use super::names;
use super::recipe::{self, Recipe, offset};
use crate::programs::{option, quoted};

/// What stands in a migration.
#[derive(Clone, Copy)]
enum Form {
    /// Statements, between two remarks where both ways stand in one file.
    Sql(&'static str, &'static str),
    /// A function `up` that gets the database.
    JavaScript,
    /// A function `upgrade` that uses Alembic's `op`.
    Python,
}

/// A tool: how it is called, and where its migrations lie unless an option or its settings say so.
struct Tool {
    /// The words that begin a call, one of them.
    verbs: &'static [&'static [&'static str]],
    /// The option that names the folder.
    option: &'static str,
    /// The files and folders of the names that settings use for the folder.
    setting: Option<(&'static str, &'static str)>,
    folders: &'static [&'static str],
    /// What the files are called, after a star.
    file: &'static str,
    form: Form,
}

const WHOLE: Form = Form::Sql("", "");

/// The tool with this name.
fn tool(name: &str) -> Option<Tool> {
    Some(match name {
        "dbmate" => Tool {
            verbs: &[&["up"], &["migrate"]],
            option: "--migrations-dir",
            setting: None,
            folders: &["db/migrations"],
            file: ".sql",
            form: Form::Sql("-- migrate:up", "-- migrate:down"),
        },
        "goose" => Tool {
            verbs: &[&["up"]],
            option: "-dir",
            setting: None,
            folders: &["migrations", "db/migrations", "."],
            file: ".sql",
            form: Form::Sql("-- +goose Up", "-- +goose Down"),
        },
        "migrate" => Tool {
            verbs: &[&["up"], &["goto"]],
            option: "-path",
            setting: None,
            folders: &["migrations", "db/migrations"],
            file: ".up.sql",
            form: WHOLE,
        },
        "flyway" => Tool {
            verbs: &[&["migrate"]],
            option: "-locations",
            setting: Some(("flyway.conf conf/flyway.conf", "flyway.locations")),
            folders: &["sql", "src/main/resources/db/migration", "db/migration", "migrations"],
            file: ".sql",
            form: WHOLE,
        },
        "sqlx" => Tool {
            verbs: &[&["migrate", "run"]],
            option: "--source",
            setting: None,
            folders: &["migrations"],
            file: ".sql",
            form: WHOLE,
        },
        "diesel" => Tool {
            verbs: &[&["migration", "run"]],
            option: "--migration-dir",
            setting: None,
            folders: &["migrations"],
            file: "/up.sql",
            form: WHOLE,
        },
        "prisma" => Tool {
            verbs: &[&["migrate", "deploy"], &["migrate", "dev"]],
            option: "--migrations",
            setting: None,
            folders: &["prisma/migrations"],
            file: "/migration.sql",
            form: WHOLE,
        },
        "supabase" => Tool {
            verbs: &[&["db", "push"], &["migration", "up"]],
            option: "",
            setting: None,
            folders: &["supabase/migrations"],
            file: ".sql",
            form: WHOLE,
        },
        "knex" | "node-pg-migrate" => Tool {
            verbs: &[&["migrate:latest"], &["migrate:up"], &["up"]],
            option: "--migrations-directory",
            setting: None,
            folders: &["migrations", "db/migrations", "src/migrations"],
            file: "s",
            form: Form::JavaScript,
        },
        "sequelize" | "sequelize-cli" => Tool {
            verbs: &[&["db:migrate"]],
            option: "--migrations-path",
            setting: None,
            folders: &["migrations", "db/migrations", "src/migrations"],
            file: "s",
            form: Form::JavaScript,
        },
        "alembic" => Tool {
            verbs: &[&["upgrade"]],
            option: "",
            setting: Some(("alembic.ini", "script_location")),
            folders: &["alembic", "migrations"],
            file: ".py",
            form: Form::Python,
        },
        _ => return None,
    })
}

/// Follows the newest migration of a tool that applies them.
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let tool = tool(process.name)?;
    let words = names(process);
    let is_called = |verb: &&[&str]| words.windows(verb.len()).any(|words| words == *verb);
    if !tool.verbs.iter().any(is_called) || process.args().iter().any(|arg| arg.text == "--sql") {
        return None;
    }
    let scope = process.scope.clone();
    let (settings, key) = tool.setting.unwrap_or(("", ""));
    // `-configFiles=FILE`
    let own = process.args().iter().find_map(|arg| arg.text.strip_prefix("-configFiles=").map(str::to_owned));
    let files: Vec<String> =
        own.into_iter().chain(settings.split_ascii_whitespace().map(str::to_owned)).collect();
    let settings = files.iter().find_map(|file| process.runner.look_up(&scope, file));
    let value = |key: &str| {
        let lines = settings.as_ref()?.text.lines().filter_map(|line| line.split_once('='));
        lines
            .map(|(name, value)| (name.trim(), value.trim()))
            .find(|(name, _)| *name == key)
            .map(|(_, value)| value)
    };
    let named = option(process.args(), "", tool.option).filter(|_| !tool.option.is_empty());
    let glued = process.args().iter().find_map(|arg| arg.text.strip_prefix(tool.option)?.strip_prefix('='));
    let named = named.or(glued.filter(|_| !tool.option.is_empty())).or_else(|| value(key));
    let named = named.map(|folder| folder.trim_start_matches("filesystem:"));
    let below = if matches!(tool.form, Form::Python) { "/versions" } else { "" };
    let folders: Vec<String> = named
        .map_or_else(|| tool.folders.to_vec(), |folder| vec![folder])
        .iter()
        .map(|folder| format!("{folder}{below}"))
        .collect();
    let address = ["flyway.url", "sqlalchemy.url"]
        .into_iter()
        .find_map(value)
        .map(|url| url.trim_start_matches("jdbc:").to_owned());
    let address = address
        .or_else(|| process.variable("DATABASE_URL"))
        .or_else(|| option(process.args(), "", "--url").map(str::to_owned));
    let newest = folders.iter().find_map(|folder| {
        let found = process.runner.paths(&scope, &format!("{folder}/{}{}", mark::STAR, tool.file));
        let applied = |file: &String| !mark::any(file) && !file.ends_with(".down.sql");
        found.into_iter().filter(applied).max()
    })?;
    let loaded = process.runner.look_up(&scope, &newest)?;
    match tool.form {
        Form::Sql(from, to) => statements(process, &scope, (&loaded, (from, to)), address.as_deref()),
        Form::JavaScript => {
            let ends = ["exports.down", "function down", "async down", " down(", " down:", "const down"];
            let end = ends.iter().filter_map(|end| loaded.text.find(end)).min();
            let up = loaded.text.get(..end.unwrap_or(loaded.text.len())).unwrap_or("");
            code(process, &scope, &loaded, ("node", "const DB = require('knex')({});\n", up));
        }
        Form::Python => {
            let up = loaded.text.split("def downgrade").next().unwrap_or("");
            let up =
                up.replace("from alembic import op", "from sqlalchemy import create_engine as e;op=e('')");
            code(process, &scope, &loaded, ("python", "", &up));
        }
    }
    None
}

/// Runs statements as the client of a database does.
fn statements(
    process: &mut Process<'_>,
    scope: &Scope,
    (loaded, (from, to)): (&Loaded, (&str, &str)),
    address: Option<&str>,
) {
    let text = &*loaded.text;
    let up = text.split_once(from).filter(|_| !from.is_empty()).map_or(text, |(_, up)| up);
    let up = up.split_once(to).filter(|_| !to.is_empty()).map_or(up, |(up, _)| up);
    let words = |words: &[&str]| quoted(&words.iter().copied().map(Arg::from).collect::<Vec<_>>());
    let client = words(&["psql"].into_iter().chain(address).collect::<Vec<_>>());
    let line = Recipe { at: offset(text, up.trim_start()), text: format!("{client} <<< {}", words(&[up])) };
    recipe::run(process, scope, (loaded, "migration"), &[line]);
}

/// Follows code whose function gets the database.
fn code(
    process: &mut Process<'_>,
    scope: &Scope,
    loaded: &Loaded,
    (interpreter, before, up): (&str, &str, &str),
) {
    // The parameter of `up` is the database that stands in front.
    let parameter =
        up.split_once("up").and_then(|(_, rest)| rest.split_once('(')?.1.split([')', ',']).next());
    let parameter =
        parameter.map(str::trim).filter(|name| !name.is_empty() && name.chars().all(char::is_alphanumeric));
    let mut body = up.to_owned();
    if let Some(name) = parameter.filter(|_| !before.is_empty()) {
        body = before.replace("DB", name) + &body.replacen(&format!("({name}"), "(_", 1);
    }
    recipe::code(process, scope, (loaded, "migration"), (interpreter, &body, 0));
}
