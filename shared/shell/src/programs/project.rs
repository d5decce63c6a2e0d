//! Tools that run what a project's own files name: make, just, the scripts of `package.json`.
//!
//! The files that count are those which the same command has written; no one looks at the disk here.

use shell_engine::{Arg, Process};

use super::option;

/// The recipes of a makefile that this command has written itself.
pub(super) fn make(process: &Process<'_>) -> Option<Vec<String>> {
    let (runner, scope) = (&*process.runner, &*process.scope);
    let args = process.args();
    let mut lines: Vec<String> = Vec::new();
    for rules in super::options(args, "-E", "--eval") {
        let recipe = rules.rsplit(['\t', ';']).next().unwrap_or(rules);
        let recipe = recipe.trim().strip_prefix("$(shell ").unwrap_or(recipe);
        lines.push(recipe.trim_end_matches(')').to_owned());
    }
    // Every recipe is handed to this shell; one with arguments does something of its own.
    let shells = args.iter().filter_map(|arg| arg.text.strip_prefix("SHELL="));
    lines.extend(shells.filter(|shell| shell.contains(' ')).map(str::to_owned));
    let folder = option(args, "-C", "--directory").unwrap_or(".");
    let file = option(args, "-f", "--file").or_else(|| option(args, "", "--makefile"));
    let text = match file {
        Some(file) => super::script_at(process, file),
        None => ["Makefile", "makefile", "GNUmakefile"]
            .iter()
            .find_map(|name| runner.file_at(scope, &format!("{folder}/{name}"))),
    };
    let mut variables: Vec<(String, String)> = Vec::new();
    // Those of the call win over those of the file.
    let assigned = args.iter().filter(|arg| !arg.text.starts_with('-')).filter_map(|arg| variable(&arg.text));
    let assigned: Vec<(String, String)> = assigned.collect();
    for line in text.iter().flat_map(|text| text.lines()) {
        if let Some((name, value)) = variable(line).filter(|_| !line.starts_with('\t')) {
            let value = filled(&value, &variables);
            variables.retain(|(known, _)| *known != name);
            variables.extend((variables.len() < MAX_VARIABLES).then_some((name, value)));
            continue;
        }
        let recipe = line.strip_prefix('\t').or_else(|| {
            // `target: ; recipe`
            line.split_once(':').and_then(|(_, rest)| rest.split_once(';')).map(|(_, recipe)| recipe)
        });
        // ninja's `command = …`
        let recipe =
            recipe.or_else(|| line.trim_start().strip_prefix("command")?.trim_start().strip_prefix('='));
        if let Some(recipe) = recipe {
            let recipe = filled(&filled(recipe, &assigned), &variables);
            lines.push(recipe.trim_start_matches(['@', '-', '+', ' ']).replace("$$", "$"));
        }
    }
    (!lines.is_empty()).then_some(lines)
}

/// Variables of a makefile that are followed.
const MAX_VARIABLES: usize = 64;

/// `NAME = value`, in all of its forms.
fn variable(line: &str) -> Option<(String, String)> {
    let (name, value) = line.split_once('=')?;
    let name = name.trim_end_matches([':', '?', '+', '!', ' ', '\t']);
    let plain = !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    plain.then(|| (name.to_owned(), value.trim().to_owned()))
}

/// A text with the values of variables: `$(NAME)`, `${NAME}`.
fn filled(text: &str, variables: &[(String, String)]) -> String {
    let mut text = text.to_owned();
    for (name, value) in variables {
        if text.contains(name) && text.len() < MAX_LINE {
            text = text.replace(&format!("$({name})"), value).replace(&format!("${{{name}}}"), value);
        }
    }
    text
}

/// A line that is longer is not filled further.
const MAX_LINE: usize = 4096;

/// The recipes of a justfile that this command has written itself.
pub(super) fn just(process: &Process<'_>) -> Option<Vec<String>> {
    let file = match super::bundled("just", process.args(), 'f', "--justfile").first() {
        Some(file) => super::script_at(process, file),
        None => ["justfile", "Justfile", ".justfile"]
            .iter()
            .find_map(|name| process.runner.file_at(process.scope, name)),
    };
    Some(recipes(&file?))
}

/// The recipe lines of a justfile: what is indented.
fn recipes(file: &str) -> Vec<String> {
    let indented = file.lines().filter(|line| line.starts_with([' ', '\t']));
    indented.map(|line| line.trim_start().trim_start_matches(['@', '-']).to_owned()).collect()
}

/// The build scripts that Gradle runs, as far as this command has written them: those that it is given, and those
/// that it finds.
pub(super) fn gradle(process: &mut Process<'_>) -> Option<String> {
    let args = process.args();
    let told = super::options(args, "-I", "--init-script")
        .chain(super::options(args, "-b", "--build-file"))
        .chain(super::options(args, "-c", "--settings-file"));
    let found = ["settings.gradle", "settings.gradle.kts", "build.gradle", "build.gradle.kts"];
    let scripts: Vec<_> =
        told.chain(found).filter_map(|file| process.runner.file_at(process.scope, file)).collect();
    for script in scripts {
        let mut inner = process.scope.clone();
        shell_interpreters::run_body(&mut process.elsewhere(&mut inner), "groovy", &script);
    }
    None
}

/// Scripts of a package and programs of its dependencies, in all the ways in which npm, pnpm, yarn and bun start
/// them.
pub(super) fn package_manager(process: &mut Process<'_>) -> Option<String> {
    let (name, call) = (process.name, process.call);
    let args = without_own_options(&call.args[1..]);
    let words: Vec<&str> = args.iter().map(|arg| arg.text.as_str()).collect();
    match words.as_slice() {
        ["pkg", "set", rest @ ..] => {
            for setting in rest {
                if let Some((script, line)) =
                    setting.strip_prefix("scripts.").and_then(|rest| rest.split_once('='))
                {
                    process.scope.set_alias(&format!("npm {script}"), line);
                }
            }
            Some(String::new())
        }
        ["exec" | "x" | "dlx", rest @ ..] => {
            let own =
                rest.iter().position(|word| *word == "--" || word.contains('@') && !word.starts_with('-'));
            if let Some(line) = option(&args[1..=own.unwrap_or(rest.len())], "-c", "--call") {
                return Some(process.text(line));
            }
            // `bun exec 'line'`, `yarn exec 'line'`: a string goes to a shell.
            if let [line] = rest
                && line.contains(' ')
            {
                return Some(process.text(line));
            }
            let skip = rest.iter().position(|word| !word.starts_with('-') || *word == "--")?;
            let skip = skip + usize::from(rest[skip] == "--");
            Some(process.start(&super::packaged(args.get(1 + skip..)?)))
        }
        ["install" | "i" | "ci" | "add", ..] => {
            for script in ["preinstall", "install", "postinstall", "prepare"] {
                script_of(process, script);
            }
            None
        }
        ["run" | "run-script" | "rum", script, ..]
        | [script @ ("test" | "t" | "start" | "stop" | "restart"), ..] => {
            let script = if *script == "t" { "test" } else { script };
            let mut known = false;
            for script in [format!("pre{script}"), (*script).to_owned(), format!("post{script}")] {
                known |= script_of(process, &script);
            }
            if known {
                return Some(String::new());
            }
            // `yarn run program`: without such a script it is a dependency's program.
            let at = words.iter().position(|word| *word == script)?;
            (name != "npm" && is_dependency(script)).then(|| process.start(&args[at..]))
        }
        [script, ..] if name != "npm" => {
            if script_of(process, script) {
                return Some(String::new());
            }
            is_dependency(script).then(|| process.start(args))
        }
        _ => None,
    }
}

/// What follows the options in front of the sub-command: `pnpm -r --filter web exec …`.
fn without_own_options(args: &[Arg]) -> &[Arg] {
    let mut at = 0;
    while let Some(arg) = args.get(at)
        && arg.text.starts_with('-')
    {
        let valued = matches!(
            arg.text.as_str(),
            "--filter"
                | "-F"
                | "--filter-prod"
                | "-C"
                | "--dir"
                | "--prefix"
                | "--cwd"
                | "-w"
                | "--workspace"
        );
        // pnpm's `-w` takes no value: what follows is a sub-command then.
        at += if valued && arg.text != "-w" { 2 } else { 1 };
    }
    args.get(at..).unwrap_or(&[])
}

/// Runs a script of the package, if this command has set it or written it into `package.json`.
fn script_of(process: &mut Process<'_>, script: &str) -> bool {
    let line = match process.scope.alias(&format!("npm {script}")) {
        Some(line) => Some(line.to_owned()),
        None => {
            process.runner.file_at(process.scope, "package.json").and_then(|file| script_in(&file, script))
        }
    };
    let Some(line) = line else { return false };
    process.text(&line);
    true
}

/// The value of a key in the `scripts` of a `package.json`. It reads what is well-formed, and looks no further.
fn script_in(file: &str, script: &str) -> Option<String> {
    let scripts = file.split_once("\"scripts\"")?.1;
    let value = scripts.split_once(&format!("\"{script}\""))?.1.trim_start().strip_prefix(':')?;
    let mut line = String::new();
    let mut chars = value.trim_start().strip_prefix('"')?.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => return Some(line),
            '\\' => match chars.next()? {
                'n' => line.push('\n'),
                't' => line.push('\t'),
                c => line.push(c),
            },
            c => line.push(c),
        }
    }
    None
}

/// Programs of dependencies that other rules are about. A script of the same name is likely to start it.
fn is_dependency(program: &str) -> bool {
    matches!(
        program,
        "rimraf"
            | "del"
            | "del-cli"
            | "shx"
            | "trash"
            | "prisma"
            | "sequelize"
            | "sequelize-cli"
            | "typeorm"
            | "knex"
            | "drizzle-kit"
            | "cdk"
            | "serverless"
            | "sls"
            | "sst"
            | "wrangler"
            | "vercel"
            | "netlify"
            | "firebase"
            | "supabase"
            | "lerna"
            | "concurrently"
            | "cross-env"
            | "nodemon"
            | "dotenv"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_found_in_its_file() {
        let file = r#"{"name":"x","scripts":{"build": "tsc","clean" : "rm -rf \"dist\""}}"#;
        assert_eq!(script_in(file, "clean").as_deref(), Some("rm -rf \"dist\""));
        assert_eq!(script_in(file, "name"), None);
        assert_eq!(script_in(file, "x"), None);
    }

    #[test]
    fn recipes_are_what_is_indented() {
        assert_eq!(recipes("a:\n  @rm x\n\n\tls\nb := 1\n"), ["rm x", "ls"]);
    }

    #[test]
    fn options_in_front_of_the_sub_command_are_skipped() {
        let args: Vec<Arg> = "-r --filter web exec rm x".split(' ').map(Arg::from).collect();
        assert_eq!(without_own_options(&args)[0].text, "exec");
    }
}
