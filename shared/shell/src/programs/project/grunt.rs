//! What plugins of Grunt do for the targets that a call names: `clean:all` deletes, `shell:reset` runs a line.

use shell_engine::{Arg, Process, Scope, mark};

use super::recipe::{self, Recipe, offset};
use super::testers::{MAX_NAMES, closing, parts, strings};
use crate::programs::{QUOTES, quoted};
use shell_engine::Loaded;

/// Plugins that start what their targets say, each with the keys under which a line stands.
const STARTING: [(&str, &[&str]); 5] = [
    ("shell", &["command"]),
    ("exec", &["command", "cmd"]),
    ("run", &["cmd", "exec"]),
    ("bgShell", &["cmd"]),
    ("execute", &["src"]),
];

/// Values inside of values.
const MAX_LEVELS: usize = 8;

/// Runs the targets of plugins among these tasks.
pub(super) fn plugins(process: &mut Process<'_>, scope: &Scope, loaded: &Loaded, meant: &[&str]) {
    let text = &*loaded.text;
    let heads = ["initConfig(", "config.init("];
    let Some((_, body)) = heads.iter().find_map(|head| text.split_once(*head)) else { return };
    let body = &body[..closing(body, ('(', ')')).unwrap_or(body.len())];
    let settings = Settings { text, body: inside(body), given: given(process) };
    let mut lines = Vec::new();
    for task in meant.iter().take(MAX_NAMES) {
        let (plugin, target) =
            task.split_once(':').map_or((*task, None), |(plugin, target)| (plugin, Some(target)));
        let target = target.map(|target| target.split(':').next().unwrap_or(target));
        let Some(value) = get(settings.body, plugin) else { continue };
        let own = fields(inside(value));
        let forced = |value: &str| value.contains("force: true") || value.contains("force:true");
        let all_forced = get(inside(value), "options").is_some_and(forced);
        let targets =
            own.iter().filter(|(name, _)| *name != "options" && target.is_none_or(|target| target == *name));
        let targets: Vec<&str> = targets.map(|(_, value)| *value).collect();
        // `clean: ['dist']` has no targets.
        let targets = if value.starts_with('{') { targets } else { vec![value] };
        for value in targets {
            let at = offset(text, value);
            if plugin == "clean" {
                let force = all_forced || forced(value);
                let list = get(inside(value), "src").filter(|_| value.starts_with('{')).unwrap_or(value);
                lines.extend(settings.deleted(list, force).map(|text| Recipe { at, text }));
            } else if let Some((_, keys)) = STARTING.iter().find(|(own, _)| *own == plugin) {
                let line = if value.starts_with('{') {
                    keys.iter().find_map(|key| get(inside(value), key))
                } else {
                    Some(value)
                };
                let Some(line) = line else { continue };
                let words = get(inside(value), "args").filter(|_| value.starts_with('{'));
                let words = words.map(|list| settings.words(list)).unwrap_or_default();
                let words: Vec<Arg> = words.iter().map(|word| Arg::from(word.as_str())).collect();
                let before = if plugin == "execute" { "node " } else { "" };
                let text = format!("{before}{} {}", settings.value(line, MAX_LEVELS), quoted(&words));
                lines.push(Recipe { at, text: text.trim_end().to_owned() });
            }
        }
    }
    recipe::run(process, scope, (loaded, "grunt"), &lines);
}

/// The options that a call gives for `grunt.option('x')`.
fn given(process: &Process<'_>) -> Vec<(String, String)> {
    let words = process.args().iter().filter_map(|arg| arg.text.strip_prefix("--"));
    let pairs = words.map(|word| word.split_once('=').unwrap_or((word, "true")));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// What stands in the braces of an object.
fn inside(value: &str) -> &str {
    let value = value.trim();
    value.strip_prefix('{').map_or(value, |body| &body[..closing(body, ('{', '}')).unwrap_or(body.len())])
}

/// The keys and values of an object, without what is a comment.
fn fields(body: &str) -> Vec<(&str, &str)> {
    let fields = parts(body).into_iter().filter_map(|part| {
        let mut part = part.trim_start();
        while part.starts_with("//") {
            part = part.split_once('\n').map_or("", |(_, rest)| rest.trim_start());
        }
        part.split_once(':')
    });
    fields.map(|(name, value)| (name.trim().trim_matches(QUOTES), value.trim())).collect()
}

/// The value of a key of an object.
fn get<'t>(body: &'t str, key: &str) -> Option<&'t str> {
    fields(body).into_iter().find(|(name, _)| *name == key).map(|(_, value)| value)
}

/// The settings that a Gruntfile makes.
struct Settings<'t> {
    text: &'t str,
    body: &'t str,
    given: Vec<(String, String)>,
}

impl Settings<'_> {
    /// The value that `<%= paths.work %>` names.
    fn named(&self, path: &str, levels: usize) -> Option<String> {
        let value = path.split('.').try_fold(self.body, |body, key| get(inside(body), key))?;
        Some(self.value(value, levels.checked_sub(1)?))
    }

    /// The value of an expression of JavaScript's, as text for a shell; a token for one that is not plain.
    fn value(&self, expression: &str, levels: usize) -> String {
        let token = || mark::TOKEN.to_string();
        let Some(levels) = levels.checked_sub(1) else { return token() };
        let expression = expression.trim().trim_end_matches(';').trim();
        let expression = expression.strip_prefix("() =>").map_or(expression, str::trim);
        if let Some(list) = expression.strip_prefix('[').and_then(|list| list.strip_suffix("].join(' && ')"))
        {
            return self.words(list).join(" && ");
        }
        if expression.starts_with('[') {
            return self.words(expression).join(" && ");
        }
        let quote = expression.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
        let plain =
            quote.and_then(|quote| expression[1..].strip_suffix(quote).filter(|text| !text.contains(quote)));
        if let Some(plain) = plain {
            let filled = super::values::filled(plain, ("<%=", "%>"), |name| {
                self.named(name, levels).or_else(|| self.option(name.strip_prefix("grunt.option(")?))
            });
            return super::values::filled(&filled, ("${", "}"), |name| Some(self.value(name, levels)));
        }
        if let Some((left, right)) = split(expression, "||") {
            let known = self.value(left, levels);
            // What a call does not give is nothing.
            let is_nothing = known.is_empty() || known == "undefined";
            return if is_nothing { self.value(right, levels) } else { known };
        }
        if let Some((left, right)) = split(expression, " + ") {
            return self.value(left, levels) + &self.value(right, levels);
        }
        if let Some(rest) = expression.strip_prefix("grunt.option(") {
            return self.option(rest).unwrap_or_default();
        }
        if expression.ends_with("homedir()") {
            return "$HOME".to_owned();
        }
        if let Some(name) = expression.strip_prefix("process.env.") {
            return format!("${name}");
        }
        let heads = ["const", "let", "var"].map(|word| format!("{word} {expression} ="));
        let found = self
            .text
            .lines()
            .find_map(|line| heads.iter().find_map(|head| line.trim().strip_prefix(head.as_str())));
        found.map_or_else(token, |value| self.value(value, levels))
    }

    fn option(&self, rest: &str) -> Option<String> {
        let (_, name) = *strings(rest).first()?;
        self.given.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone())
    }

    /// The values of a list, or of one.
    fn words(&self, list: &str) -> Vec<String> {
        let list = list.trim().trim_start_matches('[').trim_end_matches(']');
        let items = parts(list).into_iter().filter(|item| !item.trim().is_empty());
        items.map(|item| self.value(item, MAX_LEVELS)).collect()
    }

    /// What `clean` deletes: nothing outside of the project, unless it is forced.
    fn deleted(&self, list: &str, force: bool) -> Option<String> {
        let words = self.words(list).into_iter().filter(|word| {
            let leaves = word.starts_with(['/', '$', '~']) || word.starts_with("..");
            !word.starts_with('!') && (force || !leaves)
        });
        // A pattern of the plugin's goes down as many folders as there are.
        let words: Vec<String> = words.map(|word| word.replace("**/*", "*")).collect();
        (!words.is_empty()).then(|| format!("rm -rf {}", words.join(" ")))
    }
}

/// The two sides of an operator outside of quotes and brackets.
fn split<'t>(expression: &'t str, operator: &str) -> Option<(&'t str, &'t str)> {
    let at = expression.match_indices(operator).map(|(at, _)| at).find(|at| {
        let before = &expression[..*at];
        let is_even = |quote: char| before.matches(quote).count().is_multiple_of(2);
        is_even('"') && is_even('\'') && before.matches('(').count() == before.matches(')').count()
    })?;
    Some((&expression[..at], &expression[at + operator.len()..]))
}
