//! The stack of folders: `pushd`, `popd`, `dirs`, `~1`.

use std::rc::Rc;

use super::{Scope, Value};
use crate::atom::Arg;

/// Folders on the stack.
const MAX_FOLDERS: usize = 32;
/// The variable that bash keeps it in.
const STACK: &str = "DIRSTACK";

/// The folders on the stack: the one that the shell is in comes first.
pub(super) fn stack(scope: &mut Scope) -> Vec<String> {
    let mut folders = match scope.get(STACK) {
        Some(Value::Many(folders)) => folders.to_vec(),
        _ => vec![String::new()],
    };
    folders[0] = scope.cwd.to_string();
    folders
}

/// `pushd FOLDER`, `pushd +1`, `pushd -n FOLDER`, `popd`, `popd +1`.
pub(super) fn change(scope: &mut Scope, name: &str, args: &[Arg]) {
    let mut folders = stack(scope);
    let stays = args.iter().any(|arg| arg.text == "-n");
    let word = args.iter().map(|arg| arg.text.as_str()).find(|text| !matches!(*text, "-n" | "--"));
    let place = word.and_then(|word| place(word, folders.len()));
    match (name, word, place) {
        ("pushd", None, _) if folders.len() > 1 => folders.swap(0, 1),
        ("pushd", None, _) => return scope.change_folder("-"),
        ("pushd", _, Some(place)) => folders.rotate_left(place),
        ("pushd", Some(folder), None) => {
            let folder = if folder == "-" { scope.previous_cwd.to_string() } else { scope.absolute(folder) };
            folders.insert(usize::from(stays), folder);
        }
        // Without anything on it, there is somewhere that it was before.
        (_, _, _) if folders.len() < 2 => return scope.change_folder("-"),
        (_, _, place) => drop(folders.remove(place.unwrap_or(usize::from(stays)))),
    }
    folders.truncate(MAX_FOLDERS);
    let top = folders[0].clone();
    if !stays && *top != *scope.cwd {
        scope.change_folder(&top);
    }
    scope.set(STACK, Value::Many(Rc::from(folders)));
}

/// Which folder `+1` or `-0` means.
fn place(word: &str, count: usize) -> Option<usize> {
    let number: usize = word.get(1..)?.parse().ok()?;
    match word.get(..1)? {
        "+" => (number < count).then_some(number),
        "-" => count.checked_sub(number + 1),
        _ => None,
    }
}

/// What `dirs` prints: all of them on a line, one on each with `-p`, or the one at a place.
pub(super) fn shown(scope: &mut Scope, args: &[Arg]) -> String {
    let folders = stack(scope);
    if let Some(at) = args.iter().find_map(|arg| place(&arg.text, folders.len())) {
        return format!("{}\n", folders[at]);
    }
    let lines = args.iter().any(|arg| arg.text.contains(['p', 'v']));
    folders.join(if lines { "\n" } else { " " }) + "\n"
}

/// The folder that `~1`, `~+1` or `~-0` stands for.
pub(super) fn tilde(scope: &mut Scope, word: &str) -> Option<String> {
    let folders = stack(scope);
    let signed = if word.starts_with(['+', '-']) { word.to_owned() } else { format!("+{word}") };
    place(&signed, folders.len()).map(|at| folders[at].clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_pushed_turned_and_popped() {
        let mut scope = Scope::new("/a", None);
        let words = |line: &str| line.split_whitespace().map(Arg::from).collect::<Vec<_>>();
        for (line, folders) in [
            ("pushd /b", "/b /a"),
            ("pushd -n /c", "/b /c /a"),
            ("pushd +1", "/c /a /b"),
            ("pushd", "/a /c /b"),
            ("popd +1", "/a /b"),
            ("popd", "/b"),
        ] {
            let words = words(line);
            change(&mut scope, &words[0].text, &words[1..]);
            assert_eq!(stack(&mut scope).join(" "), folders, "{line}");
        }
        assert_eq!(tilde(&mut scope, "0").as_deref(), Some("/b"));
    }
}
