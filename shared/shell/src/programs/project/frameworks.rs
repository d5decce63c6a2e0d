//! Frameworks whose commands stand in files of their own: the CDK, Django, Flask, Laravel, Pulumi, rake, Capistrano, fastlane.

use std::rc::Rc;

use shell_engine::{Loaded, Process, Scope, mark};

use super::recipe::Recipe;
use super::testers::MAX_NAMES;
use super::{migrations, option, recipe};
use super::{names, only_shows};
use crate::programs::QUOTES;

/// Runs what the command of a framework does that a call names.
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    match process.name {
        "php" | "artisan" => artisan(process),
        "pulumi" => pulumi(process),
        "cdk" | "cdklocal" => cdk(process),
        "fastlane" => lanes(process),
        "cap" => capistrano(process),
        "flask" => flask(process),
        _ => django(process),
    }
}

/// Where the word is after the file of a framework's commands: `manage.py wipe`, `php artisan shop:wipe`.
fn command_at(process: &Process<'_>, file: &str) -> Option<usize> {
    let args = &process.call.args;
    let at = args.iter().take(4).position(|arg| arg.text.ends_with(file))?;
    let command = args[at + 1..].iter().position(|arg| !arg.text.starts_with('-'))?;
    Some(at + 1 + command)
}

/// The words of a call from this place on, for the code that they are for.
fn words_from(process: &Process<'_>, at: usize) -> Option<Rc<[String]>> {
    Some(process.call.args.get(at..)?.iter().map(|arg| arg.text.clone()).collect())
}

/// Follows a whole file of code.
fn whole(process: &mut Process<'_>, scope: &Scope, loaded: &Loaded, interpreter: &str) {
    let mut inner = scope.clone();
    for (name, value) in &process.call.assigns {
        inner.give(name, value);
    }
    let Some(opened) = process.runner.open_file(&mut inner, (loaded.file, "")) else { return };
    shell_interpreters::run_body(&mut process.elsewhere(&mut inner), interpreter, &loaded.text);
    process.runner.close_file(&mut inner, &opened);
}

/// `manage.py wipe` is `handle` in `app/management/commands/wipe.py`.
fn django(process: &mut Process<'_>) -> Option<String> {
    let at = command_at(process, "manage.py").or_else(|| command_at(process, "django-admin"))?;
    let name = process.call.args[at].text.as_str();
    if name == "migrate" {
        migrations::django(process);
        return None;
    }
    let star = mark::STAR;
    let mut scope = process.scope.clone();
    scope.positional = words_from(process, at + 1);
    for folder in [star.to_string(), format!("{star}/{star}")] {
        let pattern = format!("{folder}/management/commands/{name}.py");
        for file in process.runner.paths(&scope, &pattern).into_iter().filter(|file| !mark::any(file)) {
            if let Some(loaded) = process.runner.look_up(&scope, &file) {
                whole(process, &scope, &loaded, "python3");
                return None;
            }
        }
    }
    None
}

/// `flask --app shop sync-users` is a command of the application in `shop.py`, or in the package of that name. All of its
/// commands load it.
fn flask(process: &mut Process<'_>) -> Option<String> {
    let named =
        option(process.args(), "-A", "--app").map(str::to_owned).or_else(|| process.variable("FLASK_APP"));
    let module = named.as_deref().map_or("", |app| app.split(':').next().unwrap_or(app));
    let path = module.trim_end_matches(".py").replace('.', "/");
    let files = match module {
        "" => ["wsgi.py".to_owned(), "app.py".to_owned()],
        _ => [format!("{path}.py"), format!("{path}/__init__.py")],
    };
    let mut scope = process.scope.clone();
    let loaded = files.iter().find_map(|file| process.runner.look_up(&scope, file))?;
    let mut words = process.call.args.iter().skip(1).map(|arg| arg.text.as_str());
    let mut own = Vec::new();
    while let Some(word) = words.next() {
        match word {
            "-A" | "--app" | "-e" | "--env-file" => _ = words.next(),
            word if own.is_empty() && word.starts_with('-') => {}
            word => own.push(word.to_owned()),
        }
    }
    scope.positional = Some(own.into());
    whole(process, &scope, &loaded, "python3");
    Some(String::new())
}

/// `artisan shop:wipe` is a function in `routes/console.php`, or the class with that signature.
fn artisan(process: &mut Process<'_>) -> Option<String> {
    let at = command_at(process, "artisan")?;
    let name = process.call.args[at].text.as_str();
    if name == "migrate" {
        migrations::laravel(process);
        return None;
    }
    let mut scope = process.scope.clone();
    scope.positional = words_from(process, at);
    let heads = [format!("command('{name}"), format!("command(\"{name}")];
    if let Some(loaded) = process.runner.look_up(&scope, "routes/console.php")
        && heads.iter().any(|head| loaded.text.contains(head))
    {
        whole(process, &scope, &loaded, "php");
        return None;
    }
    let files = process.runner.paths(&scope, &format!("app/Console/Commands/{}.php", mark::STAR));
    for file in files.into_iter().filter(|file| !mark::any(file)).take(MAX_NAMES) {
        let Some(loaded) = process.runner.look_up(&scope, &file) else { continue };
        let signature = loaded.text.split_once("$signature").map_or("", |(_, rest)| rest);
        let signature = signature.split(QUOTES).nth(1).unwrap_or("");
        if signature.split_whitespace().next() == Some(name) {
            whole(process, &scope, &loaded, "php");
        }
    }
    None
}

/// `pulumi up` runs the program of the project.
fn pulumi(process: &mut Process<'_>) -> Option<String> {
    let words = names(process);
    words
        .first()
        .filter(|verb| matches!(**verb, "up" | "update" | "preview" | "pre" | "refresh" | "watch"))?;
    let mut scope = process.scope.clone();
    let project = recipe::nearest(process, &mut scope, &["Pulumi.yaml", "Pulumi.yml"])?;
    let mut lines = project.text.lines().map(str::trim);
    let runtime =
        lines.find_map(|line| line.strip_prefix("runtime:").or_else(|| line.strip_prefix("name:python")))?;
    let runtime = match runtime.trim().trim_matches('"') {
        // The name stands below, beside options.
        "" => lines.find_map(|line| line.strip_prefix("name:"))?.trim(),
        runtime => runtime,
    };
    let (files, interpreter): (&[&str], &str) = match runtime {
        "python" => (&["__main__.py"], "python3"),
        "nodejs" => (&["index.ts", "index.js"], "node"),
        "go" => (&["main.go"], "gorun"),
        _ => return None,
    };
    let loaded = files.iter().find_map(|file| process.runner.look_up(&scope, file))?;
    whole(process, &scope, &loaded, interpreter);
    None
}

/// `cdk synth` and its like run the command that `cdk.json` names as the app.
fn cdk(process: &mut Process<'_>) -> Option<String> {
    let words = names(process);
    let verbs =
        ["synth", "synthesize", "deploy", "diff", "ls", "list", "watch", "destroy", "import", "rollback"];
    words.first().filter(|verb| verbs.contains(verb))?;
    let mut scope = process.scope.clone();
    let settings = recipe::nearest(process, &mut scope, &["cdk.json"])?;
    let read: serde_json::Value = serde_json::from_str(&settings.text).ok()?;
    let app = option(process.args(), "-a", "--app").or_else(|| read.get("app")?.as_str())?.to_owned();
    let at = settings.text.find(&app).unwrap_or(0);
    recipe::run(process, &scope, (&settings, "app"), &[Recipe { at, text: app }]);
    None
}

/// Runs the tasks of a file of Ruby's that a call wants. `more` is code after it.
fn tasks(process: &mut Process<'_>, scope: &Scope, loaded: &Loaded, (wanted, more): (&[&str], &str)) {
    let mut inner = scope.clone();
    let Some(opened) = process.runner.open_file(&mut inner, (loaded.file, &wanted.join(" "))) else { return };
    let text = format!("{}\n{more}", loaded.text);
    shell_interpreters::run_tasks(&mut process.elsewhere(&mut inner), &text, wanted);
    process.runner.close_file(&mut inner, &opened);
}

/// `rake NAME`, and the files that a Rakefile's tasks usually stand in.
pub(super) fn rake(process: &mut Process<'_>) -> Option<String> {
    if only_shows(process, &["-T", "--tasks", "-n", "--dry-run", "-P", "-W", "-D", "--describe"]) {
        return None;
    }
    migrations::run(process);
    let mut scope = process.scope.clone();
    let loaded = recipe::nearest(process, &mut scope, &["Rakefile", "rakefile", "Rakefile.rb"])?;
    let mut wanted = names(process);
    if wanted.is_empty() {
        wanted.push("default");
    }
    let more =
        "Dir.glob('rakelib/*.rake').each { |f| load f }\nDir.glob('lib/tasks/*.rake').each { |f| load f }";
    tasks(process, &scope, &loaded, (&wanted, more));
    None
}

/// `cap STAGE NAME`
fn capistrano(process: &mut Process<'_>) -> Option<String> {
    if only_shows(process, &["-T", "--tasks", "-n", "--dry-run", "-P", "-W", "-D", "--describe"]) {
        return None;
    }
    let mut scope = process.scope.clone();
    let loaded = recipe::nearest(process, &mut scope, &["Capfile", "config/deploy.rb"])?;
    let wanted = names(process);
    let stage = wanted.first().copied().unwrap_or("production");
    let more = format!(
        "load 'config/deploy.rb'\nload 'config/deploy/{stage}.rb'\nDir.glob('lib/capistrano/tasks/*.rake').each {{ |f| load f }}"
    );
    tasks(process, &scope, &loaded, (wanted.get(1..).unwrap_or_default(), &more));
    None
}

/// `fastlane [PLATFORM] LANE`
fn lanes(process: &mut Process<'_>) -> Option<String> {
    let mut scope = process.scope.clone();
    let loaded =
        recipe::nearest(process, &mut scope, &["fastlane/Fastfile", "Fastfile", ".fastlane/Fastfile"])?;
    let wanted = names(process);
    let wanted: Vec<&str> = wanted.into_iter().filter(|word| *word != "run").collect();
    tasks(process, &scope, &loaded, (&wanted, ""));
    None
}
