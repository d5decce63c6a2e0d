//! Migrations of databases: what the newest one does, where a tool applies those that are new. Earlier ones have run.

use shell_engine::{Arg, Loaded, Process, Scope, Span, mark};

use super::indented::below;
use super::recipe::{self, Recipe, offset};
use super::{names, testers};
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
    /// A class with a method `up` or `change`, as Rails has them.
    Ruby,
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
        "typeorm" | "typeorm-ts-node-commonjs" | "typeorm-ts-node-esm" => Tool {
            verbs: &[&["migration:run"]],
            option: "",
            setting: None,
            folders: &["src/migrations", "src/migration", "migrations", "db/migrations"],
            file: "s",
            form: Form::JavaScript,
        },
        "drizzle-kit" => Tool {
            verbs: &[&["migrate"]],
            option: "",
            setting: None,
            folders: &["drizzle", "drizzle/migrations", "migrations", "src/db/migrations"],
            file: ".sql",
            form: WHOLE,
        },
        "rails" | "rake" => Tool {
            verbs: &[&["db:migrate"], &["db:prepare"]],
            option: "",
            setting: None,
            folders: &["db/migrate"],
            file: ".rb",
            form: Form::Ruby,
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

/// Follows the newest migration of a tool that applies them, or what it fills a database with.
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    if process.name == "liquibase" {
        return liquibase(process);
    }
    let tool = tool(process.name)?;
    addressed(process);
    seeds(process);
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
            let text = &*loaded.text;
            let class = text.split_once("class ").and_then(|(_, rest)| rest.split_whitespace().next());
            let up = match class {
                Some(class) => format!("new {class}().up"),
                None if text.contains("exports.up") => "exports.up".to_owned(),
                None if text.contains("module.exports") => "module.exports.up".to_owned(),
                None => "up".to_owned(),
            };
            let after = format!("\nvar _db = require('knex')({{}});\n{up}(_db, _db);");
            code(process, &scope, &loaded, ("node", "", &format!("{text}{after}")));
        }
        Form::Python => {
            let up = loaded.text.split("def downgrade").next().unwrap_or("");
            let up = up.replace("from alembic import op", "from alembic import _p");
            code(process, &scope, &loaded, ("python", ALEMBIC, &up));
        }
        Form::Ruby => {
            let body = of_rails(&loaded.text);
            code(process, &scope, &loaded, ("ruby", "", &body));
        }
    }
    None
}

/// What fills a new database: a file of the project's own.
fn seeds(process: &mut Process<'_>) -> Option<()> {
    let words = names(process);
    let has = |word: &str| words.contains(&word);
    let scope = process.scope.clone();
    match process.name {
        "prisma" if words.starts_with(&["db", "seed"]) => {
            let loaded = process.runner.look_up(&scope, "package.json")?;
            let line = serde_json::from_str::<serde_json::Value>(&loaded.text).ok()?;
            let line = line.get("prisma")?.get("seed")?.as_str()?.to_owned();
            let line = Recipe { at: loaded.text.find("\"seed\"").unwrap_or(0), text: line };
            recipe::run(process, &scope, (&loaded, "seed"), &[line]);
        }
        "rails" | "rake" if has("db:seed") || has("db:setup") || has("db:reset") => {
            let loaded = process.runner.look_up(&scope, "db/seeds.rb")?;
            code(process, &scope, &loaded, ("ruby", "", &loaded.text));
        }
        "knex" if has("seed:run") => {
            let files = process.runner.paths(&scope, &format!("seeds/{}s", mark::STAR));
            for file in files.into_iter().filter(|file| !mark::any(file)).take(MAX_APPS) {
                let loaded = process.runner.look_up(&scope, &file)?;
                let text = format!("{}\nexports.seed(require('knex')({{}}));", loaded.text);
                code(process, &scope, &loaded, ("node", "", &text));
            }
        }
        _ => {}
    }
    Some(())
}

/// `liquibase update`: the statements of its file, which is SQL itself, or has them between `<sql>` and `</sql>`.
fn liquibase(process: &mut Process<'_>) -> Option<String> {
    let words = names(process);
    words
        .iter()
        .find(|word| matches!(**word, "update" | "update-count" | "updateCount" | "update-to-tag"))?;
    let scope = process.scope.clone();
    let settings = process.runner.look_up(&scope, "liquibase.properties");
    let of = |names: [&str; 2]| {
        let said = names.into_iter().find_map(|name| option(process.args(), "", &format!("--{name}")));
        let lines = settings.iter().flat_map(|settings| settings.text.lines());
        let mut set = lines.filter_map(|line| line.split_once(['=', ':']));
        let set = || set.find(|(name, _)| names.contains(&name.trim())).map(|(_, value)| value.trim());
        said.or_else(set).map(str::to_owned)
    };
    let file = of(["changelog-file", "changeLogFile"])?;
    let address = of(["url", "url"]).map(|url| url.trim_start_matches("jdbc:").to_owned());
    let loaded = process.runner.look_up(&scope, &file)?;
    if file.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("sql")) {
        statements(process, &scope, (&loaded, ("", "")), address.as_deref());
        return None;
    }
    for (at, _) in loaded.text.match_indices("<sql").take(MAX_APPS) {
        let Some((_, body)) = loaded.text[at..].split_once('>') else { continue };
        let body = body.split("</sql>").next().unwrap_or("");
        let piece =
            Loaded { text: body.trim().replace("&lt;", "<").replace("&gt;", ">").into(), file: loaded.file };
        statements(process, &scope, (&piece, ("", "")), address.as_deref());
    }
    None
}

/// A migration of Rails', with the call that applies it.
fn of_rails(text: &str) -> String {
    let class = text.split_once("class ").and_then(|(_, rest)| rest.split_whitespace().next()).unwrap_or("");
    let verb = if text.contains("def up") { "up" } else { "change" };
    // A method that no one calls would be followed as well, also one that stands around it.
    let back = text.lines().filter(|line| line.trim() == "def down").map(|line| {
        let end = below(text, offset(text, line)).last();
        let start = offset(text, line) + line.len();
        start..end.map_or(start, |last| offset(text, last) + last.len())
    });
    let body = testers::blanked(text, back);
    let used = RAILS.iter().filter(|(name, _)| body.contains(name)).map(|(_, code)| *code);
    let used: Vec<&str> = used.collect();
    let used = used.concat();
    format!("{body}\nMIGRATED = Sequel.connect('')\n{used}{class}.new.{verb}")
}

/// `artisan migrate` runs `up` of the newest migration: of a class, or of an object that the file returns.
pub(super) fn laravel(process: &mut Process<'_>) {
    if process.args().iter().any(|arg| matches!(arg.text.as_str(), "--pretend" | "--help")) {
        return;
    }
    let scope = process.scope.clone();
    let found = process.runner.paths(&scope, &format!("database/migrations/{}.php", mark::STAR));
    let newest = found.into_iter().filter(|file| !mark::any(file)).max();
    let Some(loaded) = newest.and_then(|file| process.runner.look_up(&scope, &file)) else { return };
    let back = loaded.text.lines().filter(|line| line.contains("function down("));
    let text = testers::blanked(&loaded.text, back.map(|line| testers::block_of(&loaded.text, line)));
    // As long as what it takes the place of.
    let text = text.replace("return new class", "$_m  = new class");
    let class = text.lines().find_map(|line| line.strip_prefix("class ")?.split_whitespace().next());
    let up = class.map_or_else(|| "$_m->up();".to_owned(), |class| format!("(new {class})->up();"));
    code(process, &scope, &loaded, ("php", "", &format!("{text}\n{up}")));
}

/// Says where it works, if a file of variables told that the shell has read: `set -a; . .env`.
fn addressed(process: &mut Process<'_>) {
    let set: Vec<(String, String)> = process
        .scope
        .exported("")
        .into_iter()
        .filter(|(name, value)| name.ends_with("_URL") && !mark::any(value))
        .filter(|(name, _)| process.call.assigns.iter().all(|(own, _)| own != name))
        .collect();
    if let Some(atom) = process.runner.analysis.atoms.get_mut(process.index as usize) {
        atom.assigns.extend(set);
    }
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

/// What stands in front of a migration of Alembic's.
const ALEMBIC: &str = "from sqlalchemy import create_engine as e;op=e('')\n";

/// What methods of a migration of Rails' do to the database.
const RAILS: [(&str, &str); 3] = [
    ("execute", "def execute(statement)\n  MIGRATED.run(statement)\nend\n"),
    ("drop_table", "def drop_table(*names)\n  MIGRATED.run('DROP TABLE rows')\nend\n"),
    ("truncate_tables", "def truncate_tables(*names)\n  MIGRATED.run('TRUNCATE TABLE rows')\nend\n"),
];

/// What stands in front of a migration of Django's: the operations that are not only a change of the schema.
const DJANGO: &str = "from sqlalchemy import create_engine as _e
_db = _e('')
def migrations_RunPython(code, *more, **named): code(_db, _db)
def migrations_RunSQL(sql, *more, **named):
    for one in ([sql] if isinstance(sql, str) else sql): _db.execute(one)
";

/// What deletes a table, where there is such an operation.
const DJANGO_DELETES: &str = "def migrations_DeleteModel(*more, **named): _db.execute('DROP TABLE rows')
";

/// `manage.py migrate [APP]` applies the newest migration of each application.
pub(super) fn django(process: &mut Process<'_>) {
    let words: Vec<&str> = process.args().iter().map(|arg| arg.text.as_str()).collect();
    if words.iter().any(|word| matches!(*word, "--plan" | "--check" | "--fake" | "--fake-initial")) {
        return;
    }
    let after = words.iter().skip_while(|word| **word != "migrate").skip(1);
    let app = after.into_iter().find(|word| !word.starts_with('-')).map(|app| (*app).to_owned());
    let scope = process.scope.clone();
    let star = mark::STAR;
    let mut newest: Vec<String> = Vec::new();
    for folder in [star.to_string(), format!("{star}/{star}")] {
        let mut found = process.runner.paths(&scope, &format!("{folder}/migrations/{star}.py"));
        found.retain(|file| !mark::any(file) && !file.ends_with("/__init__.py"));
        found.sort_unstable();
        for file in found {
            let folder = |file: &str| file.rsplit_once('/').map(|(folder, _)| folder.to_owned());
            if app.as_ref().is_some_and(|app| !file.contains(&format!("{app}/migrations/"))) {
                continue;
            }
            // They are in order: of one folder, the last one stays.
            match newest.last_mut().filter(|last| folder(last) == folder(&file)) {
                Some(last) => *last = file,
                None => newest.push(file),
            }
        }
    }
    for file in newest.into_iter().take(MAX_APPS) {
        let Some(loaded) = process.runner.look_up(&scope, &file) else { continue };
        let mut text = loaded.text.to_string();
        for name in ["RunPython(", "RunSQL(", "DeleteModel("] {
            text = text.replace(&format!("migrations.{name}"), &format!("migrations_{name}"));
        }
        // A function that no one calls would be followed as well.
        let before =
            format!("{DJANGO}{}", if text.contains("migrations_DeleteModel(") { DJANGO_DELETES } else { "" });
        if text != *loaded.text {
            code(process, &scope, &loaded, ("python", &before, &text));
        }
    }
}

/// Applications of one project whose migrations are followed.
const MAX_APPS: usize = 16;

/// Follows code, with more in front of it that does not stand in the file.
fn code(
    process: &mut Process<'_>,
    scope: &Scope,
    loaded: &Loaded,
    (interpreter, before, text): (&str, &str, &str),
) {
    let analysis = &process.runner.analysis;
    let (atoms, notes) = (analysis.atoms.len(), analysis.notes.len());
    let body = format!("{before}{text}");
    recipe::code(process, scope, (loaded, "migration"), (interpreter, &body, 0));
    let (size, end) = (before.len(), loaded.text.len());
    // What stands around the file has no place in it.
    let moved = |span: Span| {
        let at = |offset: u32| (offset as usize).checked_sub(size).filter(|at| *at < end).unwrap_or(0);
        Span::new(at(span.start), at(span.end))
    };
    let analysis = &mut process.runner.analysis;
    for atom in analysis.atoms[atoms..].iter_mut().filter(|atom| atom.file == loaded.file) {
        atom.span = moved(atom.span);
    }
    for note in analysis.notes[notes..].iter_mut().filter(|note| note.file == loaded.file) {
        note.span = moved(note.span);
    }
}
