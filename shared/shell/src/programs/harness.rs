//! Programs that run scripts of a language they do not name: test runners, profilers, servers, interpreters that no one
//! here reads.

use shell_engine::{Arg, Process};

use super::project::nearest;
use super::{code, option, options};

/// How a program gets its scripts.
#[derive(Clone, Copy)]
enum Takes {
    /// As operands, with one of these endings.
    Files(&'static str),
    /// As `module:application`.
    Application,
    /// As the value of one of these options.
    Option(&'static str),
}

/// A program, as far as it runs scripts.
struct Harness {
    /// The sub-command that does; empty where every call does.
    sub: &'static str,
    takes: Takes,
    /// What runs them; empty where no one here reads them, and they are looked through for lines that they run.
    interpreter: &'static str,
}

/// What is known about a program. Code and no table: a table would cost every call its share of the program's start.
fn known(program: &str) -> Option<Harness> {
    const SCRIPTS: Takes = Takes::Files("py");
    const MODULES: Takes = Takes::Files("js mjs cjs ts mts cts jsx tsx");
    let (sub, takes, interpreter) = match program {
        "coverage" | "streamlit" => ("run", SCRIPTS, "python3"),
        "accelerate" => ("launch", SCRIPTS, "python3"),
        "panel" => ("serve", SCRIPTS, "python3"),
        "kernprof" | "py.test" | "pytest" | "pyinstrument" | "scalene" | "torchrun" | "viztracer" => {
            ("", SCRIPTS, "python3")
        }
        "uvicorn" | "gunicorn" | "hypercorn" => ("", Takes::Application, "python3"),
        "locust" => ("", Takes::Option("-f --locustfile"), "python3"),
        "flask" | "celery" => ("", Takes::Option("-A --app"), "python3"),
        "pm2" | "forever" => ("start", MODULES, "node"),
        "ava" | "esno" | "jasmine" | "jest" | "mocha" | "nodemon" | "ts-node-dev" | "tsnd" | "vite-node"
        | "vitest" => ("", MODULES, "node"),
        "rails" => ("runner", Takes::Files("rb"), "ruby"),
        "rspec" => ("", Takes::Files("rb"), "ruby"),
        "prove" => ("", Takes::Files("t pl"), "perl"),
        "phpunit" => ("", Takes::Files("php"), "php"),
        "R" => ("CMD", Takes::Files("R r"), "Rscript"),
        "crystal" => ("", Takes::Files("cr"), ""),
        "dart" => ("", Takes::Files("dart"), ""),
        "kotlinc" => ("", Takes::Files("kts"), ""),
        "nim" => ("", Takes::Files("nim"), ""),
        "ocaml" => ("", Takes::Files("ml"), ""),
        "octave" => ("", Takes::Files("m"), ""),
        "runghc" | "runhaskell" => ("", Takes::Files("hs lhs"), ""),
        _ => return None,
    };
    Some(Harness { sub, takes, interpreter })
}

/// Files of code that a program loads by itself: from where it runs, or from the nearest folder above. `*` stands for
/// each ending of JavaScript. Sorted by program.
const LOADS: &[(&str, &str)] = &[
    ("astro", "astro.config.*"),
    ("ava", "ava.config.*"),
    ("babel", "babel.config.*"),
    ("bundle", "Gemfile"),
    ("bundler", "Gemfile"),
    ("cap", "Capfile config/deploy.rb"),
    ("commitlint", "commitlint.config.*"),
    ("cypress", "cypress.config.*"),
    ("docusaurus", "docusaurus.config.*"),
    ("doit", "dodo.py"),
    ("drizzle-kit", "drizzle.config.*"),
    ("eleventy", "eleventy.config.* .eleventy.*"),
    ("eslint", "eslint.config.* .eslintrc.*"),
    ("expo", "metro.config.*"),
    ("fastlane", "fastlane/Fastfile"),
    ("gatsby", "gatsby-config.* gatsby-node.*"),
    ("graphql-codegen", "codegen.*"),
    ("guard", "Guardfile"),
    ("gunicorn", "gunicorn.conf.py"),
    ("hardhat", "hardhat.config.*"),
    ("jest", "jest.config.* jest.setup.*"),
    ("karma", "karma.conf.*"),
    ("knex", "knexfile.*"),
    ("lint-staged", "lint-staged.config.*"),
    ("locust", "locustfile.py"),
    ("metro", "metro.config.*"),
    ("mix", "mix.exs"),
    ("mocha", ".mocharc.*"),
    ("next", "next.config.*"),
    ("nuxi", "nuxt.config.*"),
    ("nuxt", "nuxt.config.*"),
    ("php-cs-fixer", ".php-cs-fixer.php .php-cs-fixer.dist.php"),
    ("playwright", "playwright.config.*"),
    ("pod", "Podfile"),
    ("postcss", "postcss.config.*"),
    ("prettier", "prettier.config.*"),
    ("prisma", "prisma.config.*"),
    ("py.test", "conftest.py tests/conftest.py"),
    ("pytest", "conftest.py tests/conftest.py"),
    ("react-native", "metro.config.*"),
    ("rollup", "rollup.config.*"),
    ("rsbuild", "rsbuild.config.*"),
    ("rspack", "rspack.config.*"),
    ("rspec", "spec/spec_helper.rb"),
    ("scons", "SConstruct"),
    ("semantic-release", "release.config.*"),
    ("sphinx-build", "conf.py docs/conf.py"),
    ("storybook", ".storybook/main.*"),
    ("stylelint", "stylelint.config.*"),
    ("tailwindcss", "tailwind.config.*"),
    ("truffle", "truffle-config.*"),
    ("tsdown", "tsdown.config.*"),
    ("tsup", "tsup.config.*"),
    ("unbuild", "build.config.*"),
    ("vagrant", "Vagrantfile"),
    ("vite", "vite.config.* vitest.config.*"),
    ("vitest", "vite.config.* vitest.config.*"),
    ("vue-cli-service", "vue.config.*"),
    ("wdio", "wdio.conf.*"),
    ("webpack", "webpack.config.*"),
    ("webpack-cli", "webpack.config.*"),
    ("webpack-dev-server", "webpack.config.*"),
];

/// The files that a program loads.
fn loads(program: &str) -> impl Iterator<Item = &'static str> {
    let row = LOADS.binary_search_by_key(&program, |row| row.0).ok();
    row.into_iter().flat_map(|at| LOADS[at].1.split(' '))
}

/// Endings of JavaScript and its like.
const ENDINGS: [&str; 6] = ["js", "ts", "mjs", "cjs", "mts", "cts"];

/// Runs what a program loads by itself.
pub(super) fn configured(process: &mut Process<'_>) {
    let shows = |arg: &Arg| matches!(arg.text.as_str(), "--version" | "-V" | "-v" | "--help" | "-h" | "help");
    if process.args().first().is_some_and(shows) {
        return;
    }
    // `vite --config FILE`: another file in the place of the usual ones.
    let mut files: Vec<&str> = loads(process.name).collect();
    if !files.is_empty() {
        files.extend(options(process.args(), "-c", "--config").filter(|file| file.contains('.')));
    }
    for file in files {
        let names: Vec<String> = match file.strip_suffix('*') {
            Some(before) => ENDINGS.iter().map(|ending| format!("{before}{ending}")).collect(),
            None => vec![file.to_owned()],
        };
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut scope = process.scope.clone();
        let Some(loaded) = nearest(process, &mut scope, &names) else { continue };
        let Some(opened) = process.runner.open_file(&mut scope, (loaded.file, "")) else { continue };
        let interpreter = match file.rsplit_once('.') {
            Some((_, "py")) => "python3",
            Some((_, "exs")) => "elixir",
            Some((_, "php")) => "php",
            Some((_, "*")) => "node",
            _ if file == "SConstruct" => "python3",
            Some((_, ending)) if ENDINGS.contains(&ending) => "node",
            _ => "ruby",
        };
        shell_interpreters::run_body(&mut process.elsewhere(&mut scope), interpreter, &loaded.text);
        process.runner.close_file(&mut scope, &opened);
    }
}

/// `pip install .` runs the project's own `setup.py`.
fn installs(process: &mut Process<'_>) -> Option<String> {
    let words: Vec<&str> = process.args().iter().map(|arg| arg.text.as_str()).collect();
    let folder = words.contains(&"install").then(|| {
        words
            .iter()
            .find(|word| word.starts_with('.') && !word.contains(".whl"))
            .map(|word| word.split('[').next().unwrap_or("."))
    })??;
    let script = format!("{}/setup.py", folder.trim_end_matches('/'));
    process.runner.look_up(process.scope, &script)?;
    let mut inner = process.scope.clone();
    inner.change_folder(folder);
    process.start_in(&mut inner, &["python3", "setup.py", "install"].map(Arg::from));
    // What pip itself does is still to be looked at.
    None
}

/// Runs the scripts of such a program. `None` for others, and where it runs none that is there.
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    if !process.runner.has_disk() {
        return None;
    }
    if matches!(process.name, "pip" | "pip3") {
        return installs(process);
    }
    configured(process);
    let harness = known(process.name)?;
    let mut found = false;
    for file in files(process.args(), &harness) {
        if harness.interpreter.is_empty() {
            found |= searched(process, &file);
        } else if process.runner.look_up(process.scope, &file).is_some() {
            process.start(&[Arg::from(harness.interpreter), Arg::from(file)]);
            found = true;
        }
    }
    found.then(String::new)
}

/// The scripts that these arguments name.
fn files(args: &[Arg], harness: &Harness) -> Vec<String> {
    let words = || args.iter().map(|arg| arg.text.as_str()).filter(|word| !word.starts_with('-'));
    if !harness.sub.is_empty() && words().next() != Some(harness.sub) {
        return Vec::new();
    }
    let module = |name: &str| format!("{}.py", name.split(':').next().unwrap_or(name).replace('.', "/"));
    match harness.takes {
        Takes::Files(endings) => {
            // `tests/test_x.py::test_one`
            let files = words().map(|word| word.split("::").next().unwrap_or(word));
            let named = |file: &&str| {
                file.rsplit_once('.').is_some_and(|(_, last)| endings.split(' ').any(|ending| ending == last))
            };
            files.filter(named).map(str::to_owned).collect()
        }
        Takes::Application => words().filter(|word| word.contains(':')).map(module).take(1).collect(),
        Takes::Option(names) => {
            let value = names.split(' ').find_map(|name| option(args, name, name));
            let file = |value: &str| match value.rsplit_once('.') {
                Some((_, "py")) => value.to_owned(),
                _ => module(value),
            };
            value.map(file).into_iter().collect()
        }
    }
}

/// Runs the lines that code in a language which no one here reads names as such.
fn searched(process: &mut Process<'_>, file: &str) -> bool {
    let Some(loaded) = process.runner.look_up(process.scope, file) else { return false };
    let mut inner = process.scope.clone();
    let Some(opened) = process.runner.open_file(&mut inner, (loaded.file, "")) else { return false };
    for line in code::started(&loaded.text) {
        process.text_in(&inner, line);
    }
    process.runner.close_file(&mut inner, &opened);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_load_files_are_in_order() {
        assert!(LOADS.is_sorted_by_key(|row| row.0));
        assert_eq!(loads("vite").count(), 2);
    }
}
