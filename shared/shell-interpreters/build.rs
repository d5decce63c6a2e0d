//! Turns `calls/*.txt` into sorted static arrays.
//!
//! A file says first how paths of its language are compared, then what functions and methods do: an effect, and the
//! names that have it. Names may go on in lines that are indented further, and `name/2` is a method with two arguments.

#![expect(clippy::use_debug, reason = "Rust reads what it writes as Debug")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

/// Where the effects are declared.
const EFFECTS: &str = "src/languages.rs";

/// Effects with a word of their own; all others have their name in Rust, in small letters with hyphens.
const WORDS: &[(&str, &str)] = &[
    ("delete", "Delete(false)"),
    ("delete-tree", "Delete(true)"),
    ("extract-into-first", "Extract(0)"),
    ("extract-into-second", "Extract(1)"),
    ("kill", "Kill(false)"),
    ("kill-signal-first", "Kill(true)"),
    ("mode", "Mode(false)"),
    ("mode-first", "Mode(true)"),
    ("named-rows", "Table(Format::Rows { named: true })"),
    ("print", "Print(false)"),
    ("print-line", "Print(true)"),
    ("rows", "Table(Format::Rows { named: false })"),
    ("sections", "Table(Format::Sections)"),
    ("yaml", "Table(Format::Yaml)"),
];

/// What a file says: keys of the head, and names with their effects.
#[derive(Default)]
struct Library {
    head: BTreeMap<String, String>,
    functions: BTreeMap<String, String>,
    methods: BTreeMap<String, String>,
}

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=calls");
    println!("cargo::rerun-if-changed={EFFECTS}");
    let effects = fs::read_to_string(EFFECTS)?;
    let mut files: Vec<_> = fs::read_dir("calls")?.collect::<Result<_, _>>()?;
    files.sort_by_key(fs::DirEntry::path);
    let (mut libraries, mut wrong) = (BTreeMap::new(), Vec::new());
    for file in files {
        let path = file.path();
        let language = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path)?;
        libraries.insert(language, read(&path, &text, &effects, &mut wrong));
    }
    // Everything that is wrong at once, not one mistake a build.
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
    let folder = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    fs::write(Path::new(&folder).join("calls.rs"), source(&libraries))
}

fn read(path: &Path, text: &str, effects: &str, wrong: &mut Vec<String>) -> Library {
    let mut library = Library::default();
    let mut section = "";
    let mut effect = String::new();
    for (number, line) in
        text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
    {
        let mut report = |what: String| wrong.push(format!("{}:{}: {what}", path.display(), number + 1));
        let (key, names) = match line.split_once(" = ") {
            Some((key, names)) => (key.trim(), names),
            None if line.starts_with("        ") => ("", line),
            None => {
                section = line;
                if !matches!(section, "functions" | "methods") {
                    report(format!("`{section}` is neither `functions` nor `methods`"));
                }
                continue;
            }
        };
        if section.is_empty() {
            if !matches!(key, "without" | "unary" | "paths" | "case" | "methods of") {
                report(format!("unknown key `{key}`"));
            }
            library.head.insert(key.to_owned(), names.to_owned());
            continue;
        }
        if !key.is_empty() {
            effect = in_rust(key);
            let variant = effect.split('(').next().unwrap_or_default();
            if !effects.contains(&format!("\n    {variant}("))
                && !effects.contains(&format!("\n    {variant},"))
            {
                report(format!("unknown effect `{key}`"));
            }
        }
        let known = if section == "methods" { &mut library.methods } else { &mut library.functions };
        for name in names.split_ascii_whitespace() {
            if known.insert(name.to_owned(), effect.clone()).is_some() {
                report(format!("`{name}` appears twice"));
            }
        }
    }
    library
}

/// An effect as Rust writes it.
fn in_rust(word: &str) -> String {
    if let Some((_, effect)) = WORDS.iter().find(|(known, _)| *known == word) {
        return (*effect).to_owned();
    }
    if let Some(method) = word.strip_prefix("method:") {
        return format!("Method({method:?})");
    }
    let parts = word.split('-').map(|part| {
        let (first, rest) = part.split_at(part.len().min(1));
        first.to_ascii_uppercase() + rest
    });
    parts.collect()
}

fn source(libraries: &BTreeMap<String, Library>) -> String {
    let mut source = String::new();
    for (language, library) in libraries {
        let name = language.to_ascii_uppercase();
        let head = |key: &str| library.head.get(key).map_or("", String::as_str);
        let words = |key: &str| head(key).split_ascii_whitespace().collect::<Vec<_>>();
        let (mut functions, mut wholes, mut anywhere) = (Vec::new(), Vec::new(), Vec::new());
        for (path, effect) in &library.functions {
            let (list, path) = match (path.strip_suffix(".*"), path.strip_prefix("*.")) {
                (Some(whole), _) => (&mut wholes, whole),
                (_, Some(name)) => (&mut anywhere, name),
                _ => (&mut functions, path.as_str()),
            };
            list.push((path, format!("Effect::{effect}")));
        }
        let methods = match head("methods of") {
            "" => {
                // Sorted by the name alone.
                let mut rows: Vec<_> =
                    library.methods.iter().map(|(name, effect)| (counted(name), effect)).collect();
                rows.sort();
                let rows = rows
                    .iter()
                    .map(|((name, count), effect)| (*name, format!("({count:?}, Effect::{effect})")));
                sorted(rows)
            }
            other => format!("{}_METHODS", other.to_ascii_uppercase()),
        };
        let _ = write!(
            source,
            "const {name}_METHODS: Sorted<(Option<usize>, Effect)> = {methods};\n\
             static {name}: Library = Library {{ functions: {}, wholes: {}, anywhere: {}, \
             methods: {name}_METHODS, unary: {}, without: &{:?}, by_ends: {}, folds: {} }};\n",
            sorted(functions),
            sorted(wholes),
            sorted(anywhere),
            sorted(words("unary").into_iter().map(|name| (name, "()".to_owned()))),
            words("without"),
            head("paths") == "ends",
            head("case") == "folded",
        );
    }
    source
}

/// Rows that are sorted by name, as `Sorted`.
fn sorted<'n>(rows: impl IntoIterator<Item = (&'n str, String)>) -> String {
    let (mut text, mut source) = (String::new(), String::new());
    for (name, value) in rows {
        let start = text.len();
        text.push_str(name);
        let _ = writeln!(source, "({start}, {}, {value}),", text.len());
    }
    format!("Sorted {{ text: {text:?}, rows: &[{source}] }}")
}

/// `name/2`: a method's name, and with how many arguments it is meant.
fn counted(name: &str) -> (&str, Option<usize>) {
    match name.rsplit_once('/').map(|(name, count)| (name, count.parse())) {
        Some((name, Ok(count))) if !name.is_empty() => (name, Some(count)),
        _ => (name, None),
    }
}
