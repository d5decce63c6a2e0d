//! Folders import downwards only, also inside a crate, where the compiler lets them do as they please.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

/// The layers of a crate, from the bottom to the top. What stands in one layer does not know its neighbours.
struct Layers(&'static str, &'static [&'static [&'static str]]);

const CRATES: [Layers; 3] = [
    Layers(
        "shell-engine",
        &[&["span", "mark"], &["atom", "path"], &["text", "arguments"], &["runner"], &["bash"], &["lib"]],
    ),
    Layers("shell-windows", &[&["system"], &["cmd", "powershell"], &["lib"]]),
    Layers("shell", &[&["programs", "reading"], &["lib"]]),
];

/// What imports what: `(from, to)`, with the file in which it does.
fn imports(folder: &Path, inside: &str, found: &mut BTreeMap<(String, String), String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let module = if inside.is_empty() { name } else { inside.to_owned() };
        if path.is_dir() {
            imports(&path, &module, found)?;
            continue;
        }
        let text = fs::read_to_string(&path)?;
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let code = code.join(" ");
        for rest in code.split("crate::").skip(1) {
            let names = match rest.strip_prefix('{') {
                Some(list) => outermost(list),
                None => vec![rest],
            };
            for name in names {
                let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
                let to = name[..end].to_owned();
                if to != module && !to.is_empty() {
                    found.insert((module.clone(), to), path.display().to_string());
                }
            }
        }
    }
    Ok(())
}

/// What stands in a list of imports, without what is nested in it.
fn outermost(list: &str) -> Vec<&str> {
    let mut depth = 0;
    let mut start = 0;
    let mut names = Vec::new();
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                names.push(list[start..at].trim());
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    names
}

#[test]
fn imports_point_downwards() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for Layers(name, layers) in &CRATES {
        let mut found = BTreeMap::new();
        imports(&shared.join(name).join("src"), "", &mut found).unwrap();
        seen += found.len();
        let layer = |name: &str| layers.iter().position(|layer| layer.contains(&name));
        let upwards =
            found.iter().filter(|((from, to), _)| layer(from).is_none() || layer(from) <= layer(to));
        wrong.extend(upwards.map(|((from, to), file)| format!("{from} imports {to}: {file}")));
    }
    assert!(seen > 15, "imports are not found any more");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
