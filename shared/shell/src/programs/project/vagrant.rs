//! `vagrant up`, `vagrant provision`: what the shell provisioners of a Vagrantfile run in the machine, which sees the project.

use shell_engine::{Arg, Process};

use super::recipe::{self, Recipe, offset};
use super::testers::{MAX_NAMES, strings};
use super::{names, only_shows};
use crate::programs::{QUOTES, option, quoted};

pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let words = names(process);
    let provisions = match *words.first()? {
        "up" | "provision" => !only_shows(process, &["--no-provision"]),
        "reload" | "resume" => only_shows(process, &["--provision"]),
        _ => false,
    };
    if !provisions {
        return None;
    }
    let only = option(process.args(), "", "--provision-with").map(str::to_owned);
    let mut scope = process.scope.clone();
    let loaded = recipe::nearest(process, &mut scope, &["Vagrantfile"])?;
    let text = &*loaded.text;
    let shared = shared_folders(text);
    let heads = text.lines().filter(|line| line.contains(".provision") && line.contains("shell"));
    let mut lines = Vec::new();
    for head in heads.filter(|line| !line.trim_start().starts_with('#')).take(MAX_NAMES) {
        let statement = statement(text, head);
        let named = |name: &str| strings(head).iter().any(|(_, own)| *own == name);
        let is_meant = match &only {
            Some(only) => only.split(',').any(named),
            None => !["never", ":never"].iter().any(|word| value(statement, "run").contains(word)),
        };
        if !is_meant {
            continue;
        }
        let inline = value(statement, "inline");
        let (at, script) =
            if let Some(end) = inline.split_once("<<").map(|(_, end)| end.trim_start_matches(['-', '~'])) {
                let end = end.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
                let start = offset(text, inline) + inline.len();
                let body = text.get(start..).unwrap_or("").trim_start_matches('\n');
                let body: Vec<&str> = body.lines().take_while(|line| line.trim() != end).collect();
                (body.first().map_or(start, |first| offset(text, first)), body.join("\n"))
            } else if let Some((_, line)) = strings(inline).first() {
                (offset(text, line), (*line).to_owned())
            } else if let Some((_, file)) = strings(value(statement, "path")).first() {
                let Some(found) = process.runner.look_up(&scope, file) else { continue };
                (offset(text, file), found.text.to_string())
            } else {
                continue;
            };
        let mut words: Vec<Arg> = shared.iter().flat_map(|folder| ["-v", folder]).map(Arg::from).collect();
        words.extend(["image", "sh", "-c", &script, "sh"].map(Arg::from));
        let given = strings(value(statement, "args"));
        words.extend(given.into_iter().flat_map(|(_, word)| word.split_whitespace()).map(Arg::from));
        lines.push(Recipe { at, text: format!("docker run --rm {}", quoted(&words)) });
    }
    recipe::run(process, &scope, (&loaded, "vagrant"), &lines);
    None
}

/// The folders of this machine that the other one sees, the project's own among them.
fn shared_folders(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let lines = lines.filter_map(|line| line.split_once("synced_folder"));
    let said: Vec<(Vec<&str>, bool)> = lines
        .map(|(_, rest)| {
            (strings(rest).into_iter().map(|(_, word)| word).collect(), rest.contains("disabled: true"))
        })
        .collect();
    let is_said = said.iter().any(|(words, _)| words.get(1) == Some(&"/vagrant"));
    let own = said.iter().filter(|(words, disabled)| words.len() > 1 && !disabled);
    let own = own.map(|(words, _)| format!("{}:{}", words[0], words[1]));
    own.chain((!is_said).then(|| ".:/vagrant".to_owned())).collect()
}

/// A statement with the lines that belong to it: after a comma, or up to the end of its block.
fn statement<'t>(text: &'t str, head: &'t str) -> &'t str {
    let start = offset(text, head);
    let rest = text.get(start..).unwrap_or(head);
    let mut end = 0;
    let is_block = head.contains(" do ");
    for line in rest.lines() {
        end += line.len() + 1;
        let goes_on = if is_block { line.trim() != "end" } else { line.trim_end().ends_with(',') };
        if !goes_on {
            break;
        }
    }
    rest.get(..end.min(rest.len())).unwrap_or(head)
}

/// What stands after a key, up to the end of its line: `path: 'x', args: [y]`, `s.path = 'x'`.
fn value<'t>(statement: &'t str, key: &str) -> &'t str {
    let heads = [format!(" {key}: "), format!(":{key} => "), format!(".{key} = ")];
    let Some(rest) = heads.iter().find_map(|head| Some(statement.split_once(head.as_str())?.1)) else {
        return "";
    };
    let line = rest.lines().next().unwrap_or("");
    // A list, or up to what the next key says.
    let end = match line.strip_prefix('[') {
        Some(_) => line.find(']').map_or(line.len(), |at| at + 1),
        None => line.find(", ").unwrap_or(line.len()),
    };
    let is_text = line.starts_with(QUOTES);
    let quote = line.chars().next().unwrap_or('"');
    let end = if is_text { line[1..].find(quote).map_or(line.len(), |at| at + 2) } else { end };
    &line[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn provisioners_have_values_and_folders() {
        let text = "config.vm.provision 'shell', path: 'a.sh', args: ['/vagrant', 'b']\n";
        assert_eq!(value(statement(text, text.trim_end()), "path"), "'a.sh'");
        assert_eq!(value(text, "args"), "['/vagrant', 'b']");
        assert_eq!(shared_folders(text), [".:/vagrant"]);
        assert_eq!(
            shared_folders("c.synced_folder 'a', '/b'\nc.synced_folder '.', '/vagrant', disabled: true\n"),
            ["a:/b"]
        );
        let text = "config.vm.provision \"shell\" do |s|\n  s.inline = \"ls, x\"\nend\n";
        assert_eq!(value(statement(text, text.lines().next().unwrap_or("")), "inline"), "\"ls, x\"");
    }
}
