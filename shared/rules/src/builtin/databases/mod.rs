//! Databases, queues and their migrations.

mod clients;
mod http_stores;
mod migrations;
mod orm;
mod scripts;
mod servers;
mod sql;

use crate::rule::{Covers, Family};

#[cfg(test)]
pub(super) use self::migrations::BY_SCRIPT;

pub(super) static FAMILY: Family = Family {
    id: "databases",
    title: "Databases and their migrations",
    covers: Covers::Also(catalog::family("databases"), |name| {
        name.starts_with("kafka-") || orm::covers(name)
    }),
    rules: &[
        sql::DROP,
        sql::ROWS,
        sql::ALTER,
        sql::RIGHTS,
        sql::SERVER,
        clients::REDIS,
        clients::MONGO,
        clients::GRAPH,
        orm::DELETE,
        servers::DROP,
        servers::QUEUES,
        migrations::RESET,
        http_stores::DELETE,
        sql::OBJECTS,
        sql::CHANGE,
        clients::REDIS_SOME,
        servers::CHANGE,
        scripts::NAMED,
        migrations::ROLL_BACK,
        migrations::MIGRATE,
        scripts::PRODUCTION,
    ],
};
