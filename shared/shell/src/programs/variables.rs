//! Files of variables that a program sets for what it starts: `dotenv -e FILE -- PROGRAM`, `docker run --env-file FILE`.

use shell_engine::text::data;
use shell_engine::{Arg, Process, Scope};

use super::options;

/// The options by which a program takes such files, and whether it reads `.env` without one.
fn options_of(name: &str) -> Option<(&'static [&'static str], bool)> {
    Some(match name {
        "dotenv" | "dotenv-cli" | "env-cmd" => (&["-e", "-f", "--file"], true),
        "dotenvx" => (&["-f", "--env-file"], true),
        "node" | "bun" | "deno" | "tsx" => (&["--env-file", "--env-file-if-exists"], false),
        "docker" | "podman" | "nerdctl" | "uv" | "op" => (&["--env-file"], false),
        _ => return None,
    })
}

/// Files of one call.
const MAX_FILES: usize = 8;

/// What the files that a call names set, those of the first file first. What is set already stays as it is.
pub(super) fn given(process: &mut Process<'_>) -> Vec<(String, String)> {
    let Some((names, usual)) = options_of(process.name) else { return Vec::new() };
    // What follows the program is its own: `env-cmd -f .env rm -f x`.
    let end = process.args().iter().position(|arg| arg.text == "--").unwrap_or(process.args().len());
    let own = &process.args()[..end];
    let files = names.iter().flat_map(|name| options(own, name, name)).map(str::to_owned);
    let mut files: Vec<String> = files.take(MAX_FILES).collect();
    // `dotenv -c test`: the files of that name come first.
    let stage = options(own, "-c", "--cascade").next().filter(|_| process.name.starts_with("dotenv"));
    let stages = stage
        .into_iter()
        .flat_map(|stage| [format!(".env.{stage}.local"), ".env.local".to_owned(), format!(".env.{stage}")]);
    files.extend(stages);
    // `env-cmd -e test`: one of the tables of a file of its own.
    let table =
        options(own, "-e", "--environments").next().filter(|_| process.name == "env-cmd").map(str::to_owned);
    if usual && (files.is_empty() || stage.is_some()) {
        files.push(".env".to_owned());
    }
    let scope = process.scope.clone();
    let set: Vec<String> =
        scope.exported("").into_iter().chain(process.call.assigns.clone()).map(|(name, _)| name).collect();
    let is_set = |name: &str| set.iter().any(|own| own == name);
    let mut found: Vec<(String, String)> = Vec::new();
    if let Some(table) = table
        && let Some(loaded) =
            [".env-cmdrc", ".env-cmdrc.json"].iter().find_map(|file| process.runner.look_up(&scope, file))
        && let Some(read) = payload::Json::new(&loaded.text)
    {
        let tables = table.split(',').filter_map(|name| read.get(name));
        let set = tables.flat_map(payload::Json::members);
        let set = set.filter_map(|(name, value)| Some((name.into_owned(), value.as_str()?.into_owned())));
        found.extend(set.filter(|(name, _)| !is_set(name)));
    }
    for file in files {
        let Some(loaded) = process.runner.look_up(&scope, &file) else { continue };
        for (name, value) in data::variables(&loaded.text) {
            if !is_set(name) && found.iter().all(|(own, _)| own != name) {
                found.push((name.to_owned(), value.to_owned()));
            }
        }
    }
    found
}

/// Sets what the files of a call say for a program that it starts, and returns that program: those variables that say where
/// it works stand in front of it, as `env` takes them.
pub(super) fn set_for(process: &mut Process<'_>, inner: &mut Scope, program: &[Arg]) -> Vec<Arg> {
    let found = given(process);
    let says_where = |name: &str| {
        ["URL", "URI", "DSN", "HOST", "DATABASE", "ENV", "CONTEXT"].iter().any(|end| name.ends_with(end))
    };
    let named: Vec<Arg> = found
        .iter()
        .filter(|(name, value)| says_where(name) && !value.is_empty())
        .map(|(name, value)| Arg::from(format!("{name}={value}")))
        .collect();
    for (name, value) in &found {
        inner.set_text(name, value);
        inner.export(name);
    }
    if named.is_empty() {
        return program.to_vec();
    }
    [&[Arg::from("env")], named.as_slice(), program].concat()
}
