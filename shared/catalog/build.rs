//! Turns `programs/*.txt` into sorted static arrays.

#[path = "src/bucket.rs"]
mod bucket;
#[path = "src/source.rs"]
mod source;

use std::path::Path;
use std::{env, fs, io};

use source::Row;

const FIELDS: &[&str] = &[
    "values",
    "switches",
    "families",
    "is",
    "code.language",
    "code.options",
    "code.letter",
    "code.values",
    "code.files",
    "code.commands",
    "code.checks",
    "runs",
    "runs.flags",
    "runs.letters",
    "runs.options",
    "runs.operands",
    "runs.subcommand",
    "runs.assigns",
    "runs.line",
    "runs.text",
    "runs.packages",
    "runs.shell",
    "loads",
    "scripts",
    "scripts.after",
    "scripts.module",
    "scripts.options",
    "scripts.by",
    "named.file",
    "named.folder",
];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=programs");
    let mut files: Vec<_> = fs::read_dir("programs")?.collect::<Result<_, _>>()?;
    // A folder is listed in any order, and a build has to give the same bytes everywhere.
    files.sort_by_key(fs::DirEntry::path);
    let (mut rows, mut wrong) = (Vec::new(), Vec::new());
    for file in files {
        let name = format!("shared/catalog/programs/{}", file.file_name().display());
        rows.extend(source::read(&name, &fs::read_to_string(file.path())?, &mut wrong));
    }
    source::inherit(&mut rows, &mut wrong);
    source::check(&rows, FIELDS, &mut wrong);
    // Everything that is wrong at once, not one mistake a build.
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
    let folder = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    fs::write(Path::new(&folder).join("table.rs"), table(&rows))
}

/// As Rust writes a string.
fn quoted(text: &str) -> String {
    format!("{text:?}")
}

fn table(rows: &[Row]) -> String {
    let (families, kinds) = (words(rows, "families"), words(rows, "is"));
    let mut names: Vec<(&str, usize)> = Vec::new();
    let mut programs = String::new();
    for (at, row) in rows.iter().enumerate() {
        names.extend(row.names.iter().map(|name| (name.as_str(), at)));
        programs += &program(row, &families, &kinds);
    }
    names.sort_unstable_by_key(|(name, _)| (bucket::of(name), *name));
    // One string: of programs at no fixed address, each pointer costs every start a relocation.
    let text: String = names.iter().map(|(name, _)| *name).collect();
    let mut end = 0;
    let places: Vec<(usize, usize, usize)> = names
        .iter()
        .map(|&(name, row)| {
            end += name.len();
            (end - name.len(), end, row)
        })
        .collect();
    let examples: Vec<(&str, &str, &str)> = rows.iter().flat_map(examples).collect();
    let starts: Vec<usize> = (0..=bucket::BUCKETS)
        .map(|bucket| names.partition_point(|(name, _)| bucket::of(name) < bucket))
        .collect();
    let runs_another =
        |row: &&Row| row.has("runs") || row.get("is").split_whitespace().any(|kind| kind == "runner");
    let runners: Vec<&str> =
        rows.iter().filter(runs_another).flat_map(|row| row.names.iter().map(String::as_str)).collect();
    let runners = runners.join(" ");
    let with_switches = rows.iter().filter(|row| row.has("switches"));
    let switches: String =
        with_switches.map(|row| format!(" {} :{}\n", row.names.join(" "), row.get("switches"))).collect();
    // Nine in ten programs have none.
    let with_names = rows.iter().filter(|row| row.has("named.file") || row.has("named.folder"));
    let mut named: Vec<(&str, &str, &str)> = with_names
        .flat_map(|row| {
            row.names.iter().map(|name| (&**name, row.get("named.file"), row.get("named.folder")))
        })
        .collect();
    named.sort_unstable();
    let spots = named.iter().fold(0_u64, |spots, (name, ..)| spots | bucket::spot(name)).to_be_bytes();
    format!(
        "pub(crate) static RUNNERS: &str = {runners:?};\n\
         pub(crate) static SWITCHES: &str = {switches:?};\n\
         static SPOTS: u64 = u64::from_be_bytes({spots:?});\n\
         static NAMED: [(&str, &str, &str); {}] = {named:?};\n\
         static TEXT: &str = {text:?};\n\
         static NAMES: [(u16, u16, u16); {}] = {places:?};\n\
         pub(crate) static STARTS: [u16; {}] = {starts:?};\n\
         pub(crate) static FAMILIES: [&str; {}] = {families:?};\n\
         pub(crate) static KINDS: [&str; {}] = {kinds:?};\n\
         pub(crate) static EXAMPLES: [(&str, &str, &str); {}] = {examples:?};\n\
         pub(crate) static PROGRAMS: [Program; {}] = [{programs}];\n",
        named.len(),
        names.len(),
        starts.len(),
        families.len(),
        kinds.len(),
        examples.len(),
        rows.len(),
    )
}

/// All words of a field, sorted.
fn words<'r>(rows: &'r [Row], key: &str) -> Vec<&'r str> {
    // Sorted, so that the bit of a word does not depend on where a row stands.
    let mut words: Vec<&str> = rows.iter().flat_map(|row| row.get(key).split_whitespace()).collect();
    words.sort_unstable();
    words.dedup();
    words
}

fn program(row: &Row, families: &[&str], kinds: &[&str]) -> String {
    let tags = |all: &[&str], key: &str| {
        let given = |word: &str| row.get(key).split_whitespace().any(|given| given == word);
        all.iter().enumerate().filter(|(_, word)| given(word)).map(|(bit, _)| bit).collect::<Vec<_>>()
    };
    let subs: Vec<(&str, &str)> = row
        .subs()
        .flat_map(|(names, values)| names.split_whitespace().map(move |name| (name, values)))
        .collect();
    let anywhere = subs.iter().find(|(name, _)| *name == "*").map_or("", |(_, values)| *values);
    let nested: Vec<(&str, &str, &str)> = subs
        .iter()
        .filter_map(|(name, values)| name.split_once('/').map(|(group, sub)| (group, sub, *values)))
        .collect();
    let subs: Vec<_> = subs.into_iter().filter(|(name, _)| *name != "*" && !name.contains('/')).collect();
    format!(
        "Program {{ values: {}, anywhere: {anywhere:?}, subs: &{subs:?}, nested: &{nested:?}, families: Tags::of(&{:?}), is: Tags::of(&{:?}), code: {}, runs: {}, loads: {:?}, scripts: {} }},",
        quoted(row.get("values")),
        tags(families, "families"),
        tags(kinds, "is"),
        code(row),
        wrapper(row),
        row.get("loads"),
        scripts(row),
    )
}

/// The examples of a wrapper, with each of its names.
fn examples(row: &Row) -> impl Iterator<Item = (&str, &str, &str)> {
    let given = row.fields.iter().filter(|field| field.key == "runs");
    given.filter_map(|field| field.value.split_once('|')).flat_map(|(own, program)| {
        row.names.iter().map(move |name| (name.as_str(), own.trim(), program.trim()))
    })
}

fn code(row: &Row) -> String {
    if !row.has("code.language") {
        return "None".to_owned();
    }
    format!(
        "Some(Code {{ language: {}, options: {}, letter: {:?}, values: {}, files: {}, commands: {}, checks: {} }})",
        quoted(row.get("code.language")),
        quoted(row.get("code.options")),
        row.get("code.letter").chars().next(),
        quoted(row.get("code.values")),
        quoted(row.get("code.files")),
        quoted(row.get("code.commands")),
        quoted(row.get("code.checks")),
    )
}

fn wrapper(row: &Row) -> String {
    if !row.has("runs") {
        return "None".to_owned();
    }
    let text = match row.get("runs.text").split_once(' ') {
        Some((letter, name)) => format!("Some(({:?}, {name:?}))", letter.chars().nth(1).unwrap_or_default()),
        None => "None".to_owned(),
    };
    format!(
        "Some(Wrapper {{ flags: {}, letters: {}, options: {}, operands: {}, folder: {}, subcommand: {}, assigns: {}, line: {}, \
         text: {text}, packages: {}, shell: {} }})",
        quoted(row.get("runs.flags")),
        quoted(row.get("runs.letters")),
        quoted(row.get("runs.options")),
        if row.has("runs.operands") { row.get("runs.operands") } else { "0" },
        quoted(row.get("named.folder")),
        row.has("runs.subcommand"),
        row.has("runs.assigns"),
        row.has("runs.line"),
        row.has("runs.packages"),
        row.has("runs.shell"),
    )
}

fn scripts(row: &Row) -> String {
    if !["scripts", "scripts.options", "scripts.module"].into_iter().any(|key| row.has(key)) {
        return "None".to_owned();
    }
    // By reference: few programs have them.
    format!(
        "Some(&Scripts {{ after: {:?}, endings: {:?}, options: {:?}, module: {}, by: {:?} }})",
        row.get("scripts.after"),
        row.get("scripts"),
        row.get("scripts.options"),
        row.has("scripts.module"),
        row.get("scripts.by")
    )
}
