//! The scripts of `package.json`, `composer.json` and `deno.json`, in all the ways in which their tools start them.

use payload::Json;
use shell_engine::{Arg, Loaded, Process, Scope, mark};

use super::recipe::{self, Recipe, offset};
use super::workspace::{self, Meant};
use crate::programs::{option, packaged, quoted};

/// Scripts of a package and programs of its dependencies, in all the ways in which npm, pnpm, yarn and bun start
/// them.
pub(super) fn manager(process: &mut Process<'_>) -> Option<String> {
    let (name, call) = (process.name, process.call);
    let args = without_own_options(name, &call.args[1..]);
    let mut words: Vec<&str> = args.iter().map(|arg| arg.text.as_str()).collect();
    // `npm run -s build`: options of npm's own stand between the words.
    while matches!(words.first(), Some(&("run" | "run-script" | "rum")))
        && words.get(1).is_some_and(|word| word.starts_with('-') && *word != "--")
    {
        let option = words.remove(1);
        if takes_value(name, option) && words.len() > 1 {
            words.remove(1);
        }
    }
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
            let program = packaged(args.get(1 + skip..)?);
            if let Some(meant) = Meant::of(name, &call.args[1..])
                && let Some(printed) = in_folders(process, &meant, &program)
            {
                return Some(printed);
            }
            Some(process.start(&program))
        }
        [] if name == "yarn" => lifecycle(process, "install"),
        [verb, ..] if !steps(verb).is_empty() => lifecycle(process, verb),
        // yarn's own ways to another package.
        ["workspace", package, "run", script, ..] | ["workspace", package, script, ..] => {
            let own = args.iter().position(|arg| arg.text == *script).map_or(args.len(), |at| at + 1);
            let meant = Meant::Named(vec![package]);
            let scope = process.scope.clone();
            let run = (&meant, *script, &args[own..]);
            in_packages(process, &scope, run).then(String::new)
        }
        ["workspaces", "foreach", rest @ ..] if rest.contains(&"exec") => {
            let at = args.iter().position(|arg| arg.text == "exec")?;
            in_folders(process, &Meant::All, args.get(at + 1..)?)
        }
        ["workspaces", rest @ ..] => {
            let script = rest.iter().skip_while(|word| **word != "run").nth(1)?;
            let scope = process.scope.clone();
            in_packages(process, &scope, (&Meant::All, script, &[])).then(String::new)
        }
        ["run" | "run-script" | "rum", script, ..]
        | [script @ ("test" | "t" | "start" | "stop" | "restart"), ..] => {
            let script = if *script == "t" { "test" } else { script };
            let own = args.iter().position(|arg| arg.text == *script).and_then(|at| args.get(at + 1..));
            let own = own.unwrap_or(&[]);
            // npm keeps the options in front of `--`; the others hand on everything.
            let end = own.iter().position(|arg| arg.text == "--").unwrap_or(own.len());
            let handed = |arg: &&Arg| name != "npm" || !arg.text.starts_with('-');
            let own: Vec<Arg> =
                own[..end].iter().filter(handed).chain(own.iter().skip(end + 1)).cloned().collect();
            let own = own.as_slice();
            if whole_script(process, script, own) {
                return Some(String::new());
            }
            // `yarn run program`: without such a script it is a dependency's program.
            let at = args.iter().position(|arg| arg.text == *script)?;
            (name != "npm" && is_dependency(script)).then(|| process.start(&args[at..]))
        }
        [script, ..] if name != "npm" => {
            if whole_script(process, script, args.get(1..).unwrap_or(&[])) {
                return Some(String::new());
            }
            is_dependency(script).then(|| process.start(args))
        }
        _ => None,
    }
}

/// Whether the call leaves out scripts that run before and after the named one.
fn ignores_scripts(process: &Process<'_>) -> bool {
    let own: Vec<&str> =
        process.args().iter().map(|arg| arg.text.as_str()).take_while(|word| *word != "--").collect();
    let skips = |(at, word): (usize, &&str)| match *word {
        "--ignore-scripts" => own.get(at + 1) != Some(&"false"),
        word => word == "--ignore-scripts=true",
    };
    own.iter().enumerate().any(skips)
}

/// Runs a script between those that come before and after it; whether there is one.
fn whole_script(process: &mut Process<'_>, script: &str, own: &[Arg]) -> bool {
    if process.name == "npm" && ignores_scripts(process) {
        return script_of(process, script, own);
    }
    let before = script_of(process, &format!("pre{script}"), &[]);
    let known = script_of(process, script, own);
    script_of(process, &format!("post{script}"), &[]) || known || before
}

/// The scripts that a package manager runs on the way, in their order.
fn steps(verb: &str) -> &'static [&'static str] {
    match verb {
        "install" | "i" | "in" | "ci" | "clean-install" | "install-clean" | "add" | "link" | "ln"
        | "rebuild" | "rb" | "it" | "install-test" | "install-ci-test" => {
            &["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare"]
        }
        "pack" => &["prepack", "prepare", "postpack"],
        "publish" => &["prepublishOnly", "prepack", "prepare", "postpack", "publish", "postpublish"],
        "version" => &["preversion", "version", "postversion"],
        _ => &[],
    }
}

fn lifecycle(process: &mut Process<'_>, verb: &str) -> Option<String> {
    if !ignores_scripts(process) {
        for script in steps(verb) {
            script_of(process, script, &[]);
        }
    }
    if process.name == "pnpm" {
        hooks_of_pnpm(process);
    }
    None
}

/// What pnpm calls in a file beside the package while it installs.
fn hooks_of_pnpm(process: &mut Process<'_>) {
    let scope = process.scope.clone();
    if !process.runner.may_lie_above(&scope, &[PNPM_FILE], 1) {
        return;
    }
    let Some(loaded) = process.runner.look_up(&scope, PNPM_FILE) else { return };
    let hooks = ["readPackage", "afterAllResolved", "preResolution", "updateConfig", "filterLog"];
    let called = hooks.iter().filter(|hook| loaded.text.contains(**hook));
    let called: String = called
        .map(|hook| {
            let is_function = loaded.text.contains(&format!("function {hook}("));
            let path = if is_function { "" } else { "module.exports.hooks." };
            format!("\n{path}{hook}({{}}, {{}});")
        })
        .collect();
    let code = format!("{}{called}\n", loaded.text);
    recipe::code(process, &scope, (&loaded, ""), ("node", &code, 0));
}

/// Where pnpm's own hooks lie.
const PNPM_FILE: &str = ".pnpmfile.cjs";

/// A script by its name, where a tool takes nothing else: `nr reset`, `node --run reset`.
pub(in crate::programs) fn script_named(process: &mut Process<'_>) -> Option<String> {
    let args = process.args();
    let at = args.iter().position(|arg| !arg.text.starts_with('-'))?;
    script_of(process, &args[at].text, &args[at + 1..]).then(String::new)
}

/// What follows the options in front of the sub-command: `pnpm -r --filter web exec …`.
fn without_own_options<'a>(manager: &str, args: &'a [Arg]) -> &'a [Arg] {
    let mut at = 0;
    while let Some(arg) = args.get(at)
        && arg.text.starts_with('-')
    {
        at += if takes_value(manager, &arg.text) { 2 } else { 1 };
    }
    args.get(at..).unwrap_or(&[])
}

/// Whether an option of a package manager takes the next word.
fn takes_value(manager: &str, option: &str) -> bool {
    match option {
        // pnpm's `-w` takes no value: what follows is a sub-command then.
        "-w" => manager == "npm",
        "--filter" | "-F" | "--filter-prod" | "-C" | "--dir" | "--prefix" | "--cwd" | "--workspace" => true,
        _ => false,
    }
}

/// Runs a script of the package with arguments of its own, if this command has set it or the package has it.
fn script_of(process: &mut Process<'_>, script: &str, args: &[Arg]) -> bool {
    if let Some(line) = process.scope.alias(&format!("npm {script}")).map(str::to_owned) {
        process.text(format!("{line} {}", quoted(args)).trim_end());
        return true;
    }
    let own = &process.call.args[1..];
    let mut scope = process.scope.clone();
    for long in ["--prefix", "--dir", "--cwd"] {
        if let Some(folder) = option(own, if long == "--dir" { "-C" } else { "" }, long) {
            scope.change_folder(folder);
        }
    }
    if let Some(meant) = Meant::of(process.name, own)
        && in_packages(process, &scope, (&meant, script, args))
    {
        return true;
    }
    let Some(loaded) = recipe::nearest(process, &mut scope, &["package.json"]) else { return false };
    in_package(process, &scope, &loaded, (script, args))
}

/// Runs a script of one package.
pub(super) fn in_package(
    process: &mut Process<'_>,
    scope: &Scope,
    loaded: &Loaded,
    (script, args): (&str, &[Arg]),
) -> bool {
    let mut recipes = scripts(loaded, "scripts", script);
    // wireit has the commands in a table of its own.
    if recipes.iter().any(|recipe| recipe.text.trim() == "wireit") {
        recipes = scripts(loaded, "wireit", script);
        for recipe in &mut recipes {
            let Some(need) = recipe.text.strip_prefix("deno task ") else { continue };
            // `../other:build` is the script of another package.
            recipe.text = match need.split_once(':').filter(|(folder, _)| folder.starts_with('.')) {
                Some((folder, script)) => format!("npm --prefix {folder} run {script}"),
                None => format!("npm run {need}"),
            };
        }
    }
    let mut scope = scope.clone();
    for (name, value) in config(loaded) {
        scope.set_text(&name, &value);
        scope.export(&name);
    }
    let scope = &scope;
    for recipe in recipes.iter_mut().filter(|_| !args.is_empty()) {
        recipe.text = format!("{} {}", recipe.text, quoted(args));
    }
    recipe::run(process, scope, (loaded, script), &recipes)
}

/// The variables that npm makes of a package's `config`.
fn config(loaded: &Loaded) -> Vec<(String, String)> {
    if !loaded.text.contains("\"config\"") {
        return Vec::new();
    }
    let Some(config) = Json::new(&loaded.text).and_then(|file| file.get("config")) else { return Vec::new() };
    let entries = config.members().filter_map(|(name, value)| {
        Some((format!("npm_package_config_{name}"), value.as_str()?.into_owned()))
    });
    entries.collect()
}

/// Starts a program in the folder of each package that is meant: `pnpm -r exec rm -rf dist`. `None` where there is none.
pub(super) fn in_folders(process: &mut Process<'_>, meant: &Meant<'_>, program: &[Arg]) -> Option<String> {
    let scope = process.scope.clone();
    let folders = workspace::packages(process, &scope, meant);
    let printed = folders.into_iter().map(|(mut folder, _)| process.start_in(&mut folder, program)).last();
    // A line in quotes is one for a shell: `lerna exec 'rm -rf dist'`.
    printed.filter(|_| !program.is_empty())
}

/// Runs a script in each of the packages that are meant; whether one has it.
fn in_packages(
    process: &mut Process<'_>,
    scope: &Scope,
    (meant, script, args): (&Meant<'_>, &str, &[Arg]),
) -> bool {
    let mut known = false;
    for (folder, loaded) in workspace::packages(process, scope, meant) {
        known |= in_package(process, &folder, &loaded, (script, args));
    }
    known
}

/// The lines of a script: a string, a list of strings, or the `command` of an object.
fn scripts(loaded: &Loaded, table: &str, script: &str) -> Vec<Recipe> {
    // Those of deno may have comments.
    let plain = if Json::new(&loaded.text).is_some() { None } else { Some(without_comments(&loaded.text)) };
    let text = plain.as_deref().unwrap_or(&loaded.text);
    let Some(value) = Json::new(text).and_then(|file| file.get(table)?.get(script)) else {
        return Vec::new();
    };
    let line = |value: Json<'_>| {
        let line = value.as_str()?;
        Some(Recipe { at: offset(text, value.text()), text: line.into_owned() })
    };
    // `{ "command": "…", "dependencies": ["clean"] }` of deno.
    let needs = value.get("dependencies").into_iter().flat_map(Json::elements);
    let needs = needs.filter_map(|need| line(need).or_else(|| line(need.get("script")?)));
    let needs = needs.map(|need| Recipe { text: format!("deno task {}", need.text), ..need });
    let one = line(value).or_else(|| line(value.get("command")?));
    needs.chain(one).chain(value.elements().filter_map(line)).collect()
}

/// `composer run-script X`, `composer X`
pub(super) fn composer(process: &mut Process<'_>) -> Option<String> {
    let words: Vec<&str> = process.args().iter().map(|arg| arg.text.as_str()).collect();
    let skips = words.contains(&"--no-scripts");
    let own = recipe::named(process);
    let mut names = words.into_iter().filter(|word| !word.starts_with('-') && !own.contains(&Some(*word)));
    let script = match names.next()? {
        "run" | "run-script" => names.next()?,
        verb @ ("install" | "update" | "require" | "remove" | "i" | "u" | "upgrade" | "dump-autoload"
        | "dumpautoload" | "create-project") => {
            let verb = match verb {
                "install" | "i" | "create-project" => "install",
                "dump-autoload" | "dumpautoload" => "autoload-dump",
                _ => "update",
            };
            let events = [
                format!("pre-{verb}-cmd"),
                "pre-autoload-dump".to_owned(),
                "post-autoload-dump".to_owned(),
                format!("post-{verb}-cmd"),
            ];
            for event in events.iter().filter(|_| !skips) {
                named(process, &["composer.json"], "scripts", event);
            }
            return None;
        }
        name => name,
    };
    named(process, &["composer.json"], "scripts", script)
}

/// `deno task X`
pub(in crate::programs) fn deno_task(process: &mut Process<'_>) -> Option<String> {
    let own = recipe::named(process);
    let mut words = process.args().iter().skip(1).map(|arg| arg.text.as_str());
    let script = words.find(|word| !word.starts_with('-') && !own.contains(&Some(*word)))?;
    named(process, &["deno.json", "deno.jsonc"], "tasks", script)
        .or_else(|| named(process, &["package.json"], "scripts", script))
}

fn named(process: &mut Process<'_>, files: &[&str], table: &str, script: &str) -> Option<String> {
    let mut scope = process.scope.clone();
    let loaded = recipe::nearest(process, &mut scope, files)?;
    let mut recipes = scripts(&loaded, table, script);
    for recipe in &recipes {
        method_of_composer(process, &scope, (&loaded, &recipe.text));
    }
    for recipe in &mut recipes {
        // Composer's `@php x`, `@other`.
        if let Some(rest) = recipe.text.strip_prefix('@') {
            recipe.text = if rest.starts_with("php ") { rest.to_owned() } else { format!("composer {rest}") };
        }
    }
    recipe::run(process, &scope, (&loaded, script), &recipes).then(String::new)
}

/// Follows a method that composer calls, `Acme\Ops::sync`, where the class lies by the rules of `autoload`.
fn method_of_composer(process: &mut Process<'_>, scope: &Scope, (loaded, line): (&Loaded, &str)) {
    let Some((class, method)) = line.split_once("::").filter(|(class, _)| !class.contains([' ', '/'])) else {
        return;
    };
    let read: serde_json::Value = serde_json::from_str(&loaded.text).unwrap_or_default();
    let roots =
        ["autoload", "autoload-dev"].into_iter().filter_map(|key| read.get(key)?.get("psr-4")?.as_object());
    let files = roots.flatten().filter_map(|(prefix, folder)| {
        let inside = class.trim_start_matches('\\').strip_prefix(prefix.as_str())?.replace('\\', "/");
        Some(format!("{}/{inside}.php", folder.as_str()?.trim_end_matches('/')))
    });
    let files: Vec<String> = files.collect();
    let Some(file) = files.iter().find_map(|file| process.runner.look_up(scope, file)) else { return };
    let name = class.rsplit('\\').next().unwrap_or(class);
    let code = format!("{}\n{name}::{method}();\n", file.text);
    recipe::code(process, scope, (&file, method), ("php", &code, 0));
}

/// `run-s clean build`, `npm-run-all clean build`: each word is a script.
pub(super) fn run_all(process: &mut Process<'_>) -> Option<String> {
    let mut known = false;
    for arg in process.args().iter().filter(|arg| !arg.text.starts_with('-')) {
        for script in matching(process, &arg.text) {
            known |= whole_script(process, &script, &[]);
        }
    }
    known.then(String::new)
}

/// The scripts that a word of `run-s` or `concurrently` names: `build:*` all of this beginning.
fn matching(process: &mut Process<'_>, word: &str) -> Vec<String> {
    let Some((before, after)) = word.split_once(['*', mark::STAR]) else { return vec![word.to_owned()] };
    let mut scope = process.scope.clone();
    let Some(loaded) = recipe::nearest(process, &mut scope, &["package.json"]) else { return Vec::new() };
    let Some(scripts) = Json::new(&loaded.text).and_then(|file| file.get("scripts")) else {
        return Vec::new();
    };
    let names = scripts.members().map(|(name, _)| name.into_owned());
    let after = after.trim_matches(['*', mark::STAR]);
    names.filter(|name| name.starts_with(before) && name.ends_with(after)).take(MAX_MATCHES).collect()
}

/// Scripts that one pattern names.
const MAX_MATCHES: usize = 16;

/// JSON with blanks in the place of comments, and of commas in front of a bracket that closes.
pub(super) fn without_comments(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut plain = bytes.to_vec();
    let (mut at, mut comma) = (0, None);
    while at < bytes.len() {
        let rest = &bytes[at..];
        let width = match rest {
            [b'"', body @ ..] => {
                let mut escaped = false;
                let end = body.iter().position(|byte| {
                    let closes = *byte == b'"' && !escaped;
                    escaped = *byte == b'\\' && !escaped;
                    closes
                });
                comma = None;
                end.map_or(rest.len(), |end| end + 2)
            }
            [b'/', b'/', ..] => blank(&mut plain[at..], rest.iter().position(|byte| *byte == b'\n')),
            [b'/', b'*', ..] => {
                blank(&mut plain[at..], rest.windows(2).position(|two| two == b"*/").map(|end| end + 2))
            }
            [b',', ..] => {
                comma = Some(at);
                1
            }
            [b'}' | b']', ..] => {
                if let Some(comma) = comma.take() {
                    plain[comma] = b' ';
                }
                1
            }
            [byte, ..] => {
                comma = comma.filter(|_| byte.is_ascii_whitespace());
                1
            }
            [] => break,
        };
        at += width;
    }
    String::from_utf8(plain).unwrap_or_default()
}

/// Fills the first of these bytes with blanks, and says how many.
fn blank(bytes: &mut [u8], width: Option<usize>) -> usize {
    let width = width.unwrap_or(bytes.len());
    bytes[..width].fill(b' ');
    width
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
            | "turbo"
            | "nx"
            | "lage"
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
        let text =
            r#"{"name":"x","scripts":{"build": "tsc","clean" : "rm -rf \"dist\"", "all": ["a", "b"]}}"#;
        let loaded = Loaded { text: text.into(), file: None };
        let of = |script: &str| -> Vec<String> {
            scripts(&loaded, "scripts", script).into_iter().map(|recipe| recipe.text).collect()
        };
        assert_eq!(of("clean"), ["rm -rf \"dist\""]);
        assert_eq!(of("all"), ["a", "b"]);
        assert!(of("name").is_empty() && of("x").is_empty());
    }

    #[test]
    fn comments_become_blanks() {
        let text = "{ // a\n \"b\": \"x // \\\" y\", /* c\n */ \"d\": [1, 2,],\n}";
        let plain = without_comments(text);
        assert_eq!(plain.len(), text.len());
        let file = Json::new(&plain).unwrap();
        assert_eq!(file.get("b").and_then(Json::as_str).as_deref(), Some("x // \" y"));
        assert_eq!(file.get("d").map(|list| list.elements().count()), Some(2));
    }

    #[test]
    fn options_in_front_of_the_sub_command_are_skipped() {
        let args: Vec<Arg> = "-r --filter web exec rm x".split(' ').map(Arg::from).collect();
        assert_eq!(without_own_options("pnpm", &args)[0].text, "exec");
    }
}
