//! Programs that a name finds in the project's own folders, and names that a file holds.

use std::rc::Rc;

use shell_engine::{Arg, Call, How, Io, Process, Value, Via, mark};

use super::quoted;

/// Names that one list brings.
const MAX_NAMES: usize = 64;
/// Folders for a user's own programs.
const OWN: [&str; 4] = ["/usr/local/bin", "~/bin", "~/.local/bin", "/usr/bin"];

/// Folders of programs that are what their names say.
const SYSTEM: [&str; 4] = ["/usr/", "/bin/", "/sbin/", "/opt/"];

/// The script that a bare name finds: `export PATH="$PWD/bin:$PATH"; clean`, or what this command has put among the
/// programs: `cp a.sh /usr/local/bin/x && x`.
pub(super) fn path(process: &mut Process<'_>) -> Option<String> {
    let name = process.call.args[0].text.as_str();
    if name.contains('/') || mark::any(name) {
        return None;
    }
    let own = process.call.assigns.iter().rev().find(|(own, _)| own == "PATH");
    let set = own.map(|(_, value)| value.clone()).or_else(|| match process.scope.get("PATH") {
        Some(Value::One(value)) => Some(value.to_string()),
        _ => None,
    });
    let runner = &process.runner;
    // Nearly all calls end here: few commands set the `PATH` or make a program, and those of the system have no ending.
    let asks = set.is_some() || name.contains('.');
    if !asks && !runner.has_made(name) {
        return None;
    }
    let set = set.unwrap_or_default();
    let set = set.split(':').filter(|folder| !folder.is_empty() && !mark::any(folder));
    let mut known = set.chain(OWN).map(|folder| match folder.strip_prefix('~') {
        Some(below) => format!("{}{below}/{name}", process.scope.home),
        None => format!("{folder}/{name}"),
    });
    let of_system = |path: &str| SYSTEM.iter().any(|folder| path.starts_with(folder));
    known.find(|path| {
        let made = runner.is_copy(process.scope, path) || runner.file_at(process.scope, path).is_some();
        // As the shell looks: the first folder that has it.
        made || asks && !of_system(path) && runner.lies_on_disk(process.scope, path)
    })
}

/// What a file names, or says, that a program gets: `rm -rf $(cat list)`, `mongosh < drop.js`. Rules look at the words and at
/// the input of these programs; of all others, no file is read for that.
pub(super) fn handed(process: &mut Process<'_>) {
    let call = process.call;
    match process.name {
        "rm" | "unlink" | "rmdir" | "shred" | "find" | "chmod" | "chown" | "chgrp" | "mv" => {
            let named = |arg: &&Arg| mark::any(&arg.text);
            let texts: Vec<_> = call.args[1..].iter().filter(named).map(|arg| arg.text.clone()).collect();
            let lists: Vec<_> =
                texts.iter().filter_map(|text| process.runner.fulfilled(process.scope, text)).collect();
            if lists.is_empty() {
                return;
            }
            let home = Rc::clone(&process.scope.home);
            let word = |name: &str| match name.strip_prefix('~') {
                Some(below) if below.is_empty() || below.starts_with('/') => {
                    Arg::from(format!("{home}{below}"))
                }
                _ => Arg::from(name),
            };
            let mut words: Vec<Arg> = Vec::new();
            let mut left = lists.iter();
            for arg in call.args.iter() {
                if !mark::any(&arg.text) {
                    words.push(arg.clone());
                } else if let Some(list) = left.next() {
                    words.extend(list.text.split_whitespace().take(MAX_NAMES).map(word));
                }
            }
            // Where every one of them is a whole list that is known, nothing about the call is left open.
            let whole =
                texts.iter().all(|text| text.trim().chars().count() == 1) && texts.len() == lists.len();
            let known = lists.iter().all(|list| !mark::any(&list.text));
            let count: usize = lists.iter().map(|list| list.text.split_whitespace().count()).sum();
            let at = usize::try_from(process.index).ok();
            match at.and_then(|at| process.runner.analysis.atoms.get_mut(at)) {
                Some(atom) if whole && known && count <= MAX_NAMES => atom.args = Rc::new(words),
                _ => drop(process.start(&words)),
            }
        }
        "mongosh" | "mongo" | "cypher-shell" | "redis-cli" | "valkey-cli" | "keydb-cli" => {
            let input = call.io.stdin.as_deref().filter(|text| mark::any(text));
            let mut inner = process.scope.clone();
            let Some(loaded) = input.and_then(|text| process.runner.fulfilled(&inner, text)) else { return };
            let Some(opened) = process.runner.open_file(&mut inner, (loaded.file, "")) else { return };
            let io = Io { stdin: Some(loaded.text), ..Io::default() };
            let call =
                Call { args: Rc::clone(&call.args), io, span: call.span, external: true, ..Call::default() };
            process.runner.start(&mut inner, Via { parent: process.index, how: How::Arguments }, call);
            process.runner.close_file(&mut inner, &opened);
        }
        // What reads or sends files: the paths that a list names, and no other text.
        name if catalog::find(name).is_some_and(|known| known.families.meet(catalog::family("secrets"))) => {
            let is_path = |word: &str| word.contains('/') || word.starts_with(['~', '.']);
            let mut words = vec![call.args[0].clone()];
            let mut finds = false;
            for arg in &call.args[1..] {
                let list = process.runner.fulfilled(process.scope, &arg.text);
                match list.filter(|list| list.text.split_whitespace().all(is_path)) {
                    Some(list) => {
                        finds = true;
                        words.extend(list.text.split_whitespace().take(MAX_NAMES).map(Arg::from));
                    }
                    None => words.push(arg.clone()),
                }
            }
            if finds {
                process.start(&words);
            }
        }
        _ => {}
    }
}

/// A program that is what a file holds: `X=$(cat cmds.txt); $X`.
pub(super) fn text(process: &mut Process<'_>) {
    let Some(loaded) = process.runner.fulfilled(process.scope, &process.call.args[0].text) else { return };
    let rest = quoted(&process.call.args[1..]);
    let mut inner = process.scope.clone();
    let Some(opened) = process.runner.open_file(&mut inner, (loaded.file, "")) else { return };
    process.text_in(&inner, format!("{} {rest}", loaded.text.trim_end()).trim_end());
    process.runner.close_file(&mut inner, &opened);
}
