//! Code of other languages that empties tables or stores through a library's calls.

use super::clients::calls_only;
use crate::command::Command;
use crate::rule::{Rule, Severity, When};

/// Calls that delete everything, without blanks and without what stands in quotes.
const CALLS: &[&str] = &[
    // ActiveRecord, Ecto.
    ".delete_all",
    ".destroy_all",
    ".update_all(",
    // Django, SQLAlchemy.
    ".objects.all().delete()",
    ".objects.all().update(",
    ".query.delete()",
    ".drop_all(",
    ".drop_tables(",
    // Eloquent, Doctrine.
    "::truncate()",
    "->truncate()",
    "::query()->delete()",
    "')->delete()",
    "\")->delete()",
    "Schema::drop",
    // Prisma, Mongoose, Sequelize, TypeORM, Knex.
    ".deleteMany()",
    ".deleteMany({})",
    ".delete_many({})",
    ".dropDatabase(",
    ".drop_database(",
    ".drop_collection(",
    ".dropCollection(",
    ".dropTable(",
    ".destroy({where:{}",
    ".destroy({truncate:true",
    ".sync({force:true",
    ".synchronize(true)",
    // Stores and clouds.
    ".flushall",
    ".flushdb",
    ".flushAll",
    ".flushDb",
    ":flushall",
    ":flushdb",
    "->flushAll",
    "->flushDB",
    "->flushdb",
    ".indices.delete(",
    ".delete_bucket(",
    ".terminate_instances(",
    ".delete_db_instance(",
    ".delete_stack(",
];

/// Calls that choose rows.
const CHOOSES: &[&str] =
    &["where(", ",where:", ".filter(", "filter_by(", ".limit(", "->where", "::where", ".find"];

/// Whether the rule looks at the program.
pub(super) fn covers(name: &str) -> bool {
    // `python3.12`
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    matches!(
        bare,
        "lua"
            | "luajit"
            | "perl"
            | "groovy"
            | "irb"
            | "pry"
            | "psysh"
            | "python"
            | "ruby"
            | "php"
            | "node"
            | "tsx"
            | "ts-node"
            | "bun"
            | "deno"
            | "mix"
            | "elixir"
    )
}

pub(super) const DELETE: Rule = Rule {
    id: "databases.code-deletes-all",
    severity: Severity::Destructive,
    when: When::Command(|command| code(command).is_some_and(deletes_all) && !is_in_test(command)),
    reason: "It deletes or changes everything in a table, a store or a database, through a library's calls.",
    instead: "Choose the rows first, for example with `.where(...)`, and count them.",
    matches: "
        rails runner 'User.delete_all'
        rails runner 'User.update_all(admin: true)'
        RAILS_ENV=production rails console <<< 'Account.update_all(balance: 0)'
        echo 'User.destroy_all' | rails console
        php artisan tinker --execute='User::truncate();'
        python manage.py shell -c 'from app.models import User; User.objects.all().delete()'
        node -e 'prisma.user.deleteMany({})'
        python3 -c 'import redis; redis.Redis().flushall()'
    ",
    spares: "
        rails runner 'User.where(gone: true).delete_all'
        rails runner 'User.where(id: 42).update_all(admin: true)'
        RAILS_ENV=test rails runner 'User.delete_all'
        rails runner 'puts User.count'
        python manage.py shell -c 'print(User.objects.count())'
        node -e 'console.log(\"prisma.user.deleteMany({})\")'
        php artisan tinker --execute='User::count();'
    ",
};

/// The code that an interpreter is given.
fn code<'a>(command: &Command<'a>) -> Option<&'a str> {
    if !covers(&command.name) {
        return None;
    }
    let args = command.args();
    let after = args.iter().position(|arg| {
        matches!(arg.text.as_str(), "-c" | "-e" | "-r" | "-p" | "-pe" | "--eval" | "--print" | "eval")
    });
    match after {
        Some(at) => args.get(at + 1).map(|arg| arg.text.as_str()),
        // With a file to run, stdin is data.
        None if args.iter().all(|arg| arg.text.starts_with('-')) => command.atom.stdin.as_deref(),
        None => None,
    }
}

/// Variables by which frameworks choose a stage, and its database with it.
pub(super) const STAGE_VARIABLES: &str = "\
    RAILS_ENV RACK_ENV MIX_ENV NODE_ENV APP_ENV FLASK_ENV DJANGO_SETTINGS_MODULE DJANGO_CONFIGURATION \
    ASPNETCORE_ENVIRONMENT DOTNET_ENVIRONMENT SPRING_PROFILES_ACTIVE CAKE_ENV HANAMI_ENV";

/// Whether the framework uses its database for tests, which every test run empties.
pub(super) fn is_in_test(command: &Command<'_>) -> bool {
    STAGE_VARIABLES.split_ascii_whitespace().any(|name| command.variable(name).is_some_and(is_test_stage))
}

/// Whether a name is that of a stage for tests: `test`, `app.settings.test`.
pub(super) fn is_test_stage(name: &str) -> bool {
    let last = name.rsplit(['.', '_', '-']).next().unwrap_or(name);
    ["test", "tests", "testing"].iter().any(|test| last.eq_ignore_ascii_case(test))
}

fn deletes_all(code: &str) -> bool {
    if !CALLS.iter().any(|call| {
        call.split(['(', '{']).next().is_some_and(|name| code.contains(name.trim_start_matches('\'')))
    }) {
        return false;
    }
    // Line by line, so that a filter of one call does not excuse another.
    code.split(['\n', ';']).map(|line| line.split("# ").next().unwrap_or(line)).map(calls_only).any(|line| {
        CALLS.iter().any(|call| line.contains(call)) && !CHOOSES.iter().any(|choice| line.contains(choice))
    })
}
