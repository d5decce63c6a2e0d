//! Dockerfiles: the lines that a build runs, and what each sees of this machine.

use shell_engine::text::data;
use shell_engine::{Arg, path};

use super::containers::words;
use super::recipe::{Recipe, offset};
use crate::programs::{QUOTES, quoted};

/// A stage of a build: where its lines run, and what has been copied into it.
#[derive(Clone)]
struct Stage<'t> {
    inside: &'t str,
    copied: Vec<Copied>,
}

impl Default for Stage<'_> {
    fn default() -> Self {
        Self { inside: "/", copied: Vec::new() }
    }
}

/// A file or a folder of the build's folder, and where it lies in the image.
#[derive(Clone)]
struct Copied {
    from: String,
    to: String,
}

/// The lines that a Dockerfile runs while it is built, each as a program of a container that is thrown away. It sees
/// the secrets that the line mounts and the call gives.
///
/// What it may do with a secret stands in files that were copied from the folder: they lie where the lines run.
pub(super) fn built(text: &str, (secrets, folder): (&[String], &str)) -> Vec<Recipe> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    let mut stages: Vec<(&str, Stage<'_>)> = Vec::new();
    let mut stage = Stage::default();
    let mut name = "";
    while let Some(line) = lines.next() {
        let start = line.trim_start();
        let Some((word, rest)) = start.split_once(' ') else { continue };
        let word = word.to_ascii_uppercase();
        if !matches!(word.as_str(), "FROM" | "WORKDIR" | "COPY" | "ADD" | "RUN") {
            continue;
        }
        let rest = rest.trim_start();
        let at = offset(text, rest);
        let mut end = at + rest.len();
        let mut last = line;
        while last.trim_end().ends_with('\\') {
            let Some(next) = lines.next() else { break };
            end = offset(text, next) + next.len();
            last = next;
        }
        let rest = text.get(at..end).unwrap_or(rest);
        match word.as_str() {
            "WORKDIR" => stage.inside = rest.trim(),
            "FROM" => {
                let words: Vec<&str> =
                    rest.split_whitespace().filter(|word| !word.starts_with("--")).collect();
                stages.push((name, stage));
                // It may go on from where another one ends.
                let begun = stages.iter().find(|(name, _)| words.first() == Some(name));
                stage = begun.map_or_else(Stage::default, |(_, stage)| stage.clone());
                name = words.get(2).copied().unwrap_or_default();
            }
            "RUN" => {
                let (mounts, script) = run_line(rest, &mut lines, secrets);
                let mut words = ["docker", "run", "--rm"].map(str::to_owned).to_vec();
                words.extend(mounts);
                let script = stage.mounted(script, (!secrets.is_empty(), folder), &mut words);
                words.extend(["image", "sh", "-c", &script].map(str::to_owned));
                let words: Vec<Arg> = words.into_iter().map(Arg::from).collect();
                found.push(Recipe { at, text: quoted(&words) });
            }
            _ => {
                let copied = copies(rest, &stage, &stages);
                stage.copied.extend(copied);
            }
        }
    }
    found
}

/// The mounts of a line that is run, and its script, which may stand in the lines below.
fn run_line<'t>(
    line: &str,
    lines: &mut impl Iterator<Item = &'t str>,
    secrets: &[String],
) -> (Vec<String>, String) {
    let mut body = line;
    let mut mounts = Vec::new();
    // `--mount=…`, `--network=…`
    while let Some((option, rest)) = body.strip_prefix("--").and_then(|rest| rest.split_once([' ', '\n'])) {
        if let Some(mount) = option.strip_prefix("mount=").filter(|mount| mount.contains("type=secret")) {
            mounts.extend(secret(mount, secrets).into_iter().flat_map(|mount| ["-v".to_owned(), mount]));
        }
        body = if option.is_empty() { "" } else { rest.trim_start_matches([' ', '\\', '\n', '\t']) };
    }
    let script = match (body.strip_prefix('['), heredoc(body)) {
        (Some(_), _) => words(&data::yaml(&format!("run: {}", body.trim_end()))["run"]).join(" "),
        (None, Some(word)) => {
            let below: Vec<&str> = lines.take_while(|line| line.trim() != word).collect();
            match body.split_once(' ') {
                // `RUN <<EOF`: the lines are the script.
                None => below.join("\n"),
                Some(_) => format!("{body}\n{}\n{word}\n", below.join("\n")),
            }
        }
        _ => body.replace("\\\n", " "),
    };
    (mounts, script)
}

/// What a line copies: `[--chown=x] SOURCE… TARGET`.
fn copies(line: &str, stage: &Stage<'_>, stages: &[(&str, Stage<'_>)]) -> Vec<Copied> {
    let marks = ['[', ']', ',', '"'];
    let words = line.split_whitespace().map(|word| word.trim_matches(marks)).filter(|word| *word != "\\");
    let (options, files): (Vec<&str>, Vec<&str>) = words.partition(|word| word.starts_with("--"));
    let Some((target, sources)) = files.split_last() else { return Vec::new() };
    let whole = if target.starts_with('/') {
        (*target).to_owned()
    } else {
        format!("{}/{}", stage.inside.trim_end_matches('/'), target.trim_start_matches("./"))
    };
    let folder = whole.trim_end_matches(['/', '.']);
    let from = options.iter().find_map(|option| option.strip_prefix("--from="));
    let copied = sources.iter().filter(|source| !source.contains("://")).filter_map(|source| {
        let source = source.trim_start_matches("./").trim_end_matches('/');
        let own = match from {
            // What another stage has of the folder.
            Some(from) => {
                let (_, stage) = stages.iter().find(|(name, _)| *name == from)?;
                stage.copied.iter().find_map(|copied| copied.origin(source))?
            }
            None => source.to_owned(),
        };
        // A folder is copied as what is in it.
        let is_whole = is_folder(source);
        let into = target.ends_with(['/', '.']) || sources.len() > 1;
        let to = match (is_whole, into) {
            (false, true) => format!("{folder}/{}", path::file_name(source)),
            _ => folder.to_owned(),
        };
        Some(Copied { from: own, to })
    });
    copied.collect()
}

/// Whether a name reads as that of a folder.
fn is_folder(name: &str) -> bool {
    !path::file_name(name).trim_start_matches('.').contains('.') && !path::file_name(name).starts_with(".env")
}

impl Copied {
    /// The file of the build's folder that a path in the image was.
    fn origin(&self, file: &str) -> Option<String> {
        let inside = file.trim_start_matches('/').strip_prefix(self.to.trim_start_matches('/'))?;
        match (inside.strip_prefix('/'), self.from.as_str()) {
            _ if inside.is_empty() => Some(self.from.clone()),
            (Some(rest), "" | ".") => Some(rest.to_owned()),
            (Some(rest), from) => Some(format!("{from}/{rest}")),
            (None, _) => None,
        }
    }

    /// The file of secret settings that a script may find in what was copied, and where.
    fn settings(&self, script: &str) -> Option<(String, String)> {
        if path::file_name(&self.from).starts_with(".env") {
            return Some((self.from.clone(), self.to.clone()));
        }
        if !is_folder(&self.from) {
            return None;
        }
        let ends = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'));
        let at = script.find(".env").filter(|&at| !script[..at].ends_with(char::is_alphanumeric))?;
        let name = script[at..].split(ends).next()?;
        let from = self.from.trim_end_matches('.');
        let from = if from.is_empty() { name.to_owned() } else { format!("{from}/{name}") };
        Some((from, format!("{}/{name}", self.to)))
    }
}

impl Stage<'_> {
    /// Mounts what a script sees of the build's folder. With secrets at hand it is the whole folder, as any file may send them;
    /// else it is the settings that the script names, by their whole paths.
    fn mounted(
        &self,
        script: String,
        (has_secrets, folder): (bool, &str),
        words: &mut Vec<String>,
    ) -> String {
        // A folder, not the name of a volume.
        let here = if folder.starts_with('/') { "" } else { "./" };
        if self.copied.is_empty() {
            return script;
        }
        if has_secrets {
            let mount = format!("{here}{folder}:{}:ro", self.inside);
            words.extend(["-v".to_owned(), mount, "-w".to_owned(), self.inside.to_owned()]);
            return script;
        }
        let mut whole = script;
        for copied in &self.copied {
            if let Some((from, to)) = copied.settings(&whole) {
                words.extend(["-v".to_owned(), format!("{here}{folder}/{from}:{to}:ro")]);
                whole = by_whole_paths(&whole, &to, self.inside);
            }
        }
        whole
    }
}

/// A script with the whole path of a file where it names it as it is seen from a folder.
fn by_whole_paths(script: &str, path: &str, folder: &str) -> String {
    let Some(near) = path.strip_prefix(folder).map(|near| near.trim_start_matches('/')) else {
        return script.to_owned();
    };
    let mut whole = String::new();
    let mut rest = script;
    while let Some(at) = rest.find(near).filter(|_| !near.is_empty()) {
        let before = rest[..at].strip_suffix("./").unwrap_or(&rest[..at]);
        let is_name = !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-'));
        whole.push_str(if is_name { before } else { &rest[..at] });
        whole.push_str(if is_name { path } else { near });
        rest = &rest[at + near.len()..];
    }
    whole + rest
}

/// The word that ends the text below a line: `<<EOF`, `<<-'EOF'`.
fn heredoc(line: &str) -> Option<&str> {
    let word = line.split_once("<<")?.1.trim_start_matches('-').split_whitespace().next()?;
    Some(word.trim_matches(QUOTES)).filter(|word| !word.is_empty() && !word.starts_with('<'))
}

/// The value of a field: `id=key,src=/x`.
fn field<'t>(text: &'t str, names: &[&str]) -> Option<&'t str> {
    let fields = text.split(',').filter_map(|field| field.split_once('='));
    fields.into_iter().find(|(name, _)| names.contains(name)).map(|(_, value)| value)
}

/// A secret's file, mounted where the line expects it: `type=secret,id=key,target=/k`.
fn secret(mount: &str, secrets: &[String]) -> Option<String> {
    let id = field(mount, &["id"]).or_else(|| field(mount, &["target"])?.rsplit('/').next())?;
    let given = secrets.iter().find(|given| field(given, &["id"]) == Some(id))?;
    let target = field(mount, &["target", "dst", "destination"]);
    let target = target.map_or_else(|| format!("/run/secrets/{id}"), str::to_owned);
    Some(format!("{}:{target}:ro", field(given, &["src", "source"])?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_dockerfile_sees_the_secrets_that_it_mounts() {
        let text = "FROM x\nRUN --mount=type=secret,id=k,target=/k \\\n  cat /k\nRUN <<EOF\na\nb\nEOF\nRUN [\"c\", \"d\"]\n";
        let lines = built(text, (&["id=k,src=/s".to_owned()], "."));
        let lines: Vec<String> = lines.into_iter().map(|line| line.text.replace('\'', "")).collect();
        assert_eq!(
            lines,
            [
                "docker run --rm -v /s:/k:ro image sh -c cat /k",
                "docker run --rm image sh -c a\nb",
                "docker run --rm image sh -c c d"
            ]
        );
    }
}
