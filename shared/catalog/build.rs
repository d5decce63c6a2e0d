//! Turns `programs/*.txt` into sorted static arrays.

#[path = "src/source.rs"]
mod source;

use std::path::Path;
use std::{env, fs, io};

use source::Row;

const FIELDS: &[&str] = &["values", "families"];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=programs");
    let mut files: Vec<_> = fs::read_dir("programs")?.collect::<Result<_, _>>()?;
    files.sort_by_key(fs::DirEntry::path);
    let (mut rows, mut wrong) = (Vec::new(), Vec::new());
    for file in files {
        let name = format!("shared/catalog/programs/{}", file.file_name().display());
        rows.extend(source::read(&name, &fs::read_to_string(file.path())?, &mut wrong));
    }
    source::inherit(&mut rows, &mut wrong);
    source::check(&rows, FIELDS, &mut wrong);
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
    let folder = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    fs::write(Path::new(&folder).join("table.rs"), table(&rows))
}

/// As Rust writes a string.
fn quoted(text: &str) -> String {
    format!("{text:?}")
}

fn table(rows: &[Row]) -> String {
    let mut families: Vec<&str> =
        rows.iter().flat_map(|row| row.get("families").split_whitespace()).collect();
    families.sort_unstable();
    families.dedup();
    let mut names: Vec<(&str, usize)> = Vec::new();
    let mut programs = String::new();
    for (at, row) in rows.iter().enumerate() {
        names.extend(row.names.iter().map(|name| (name.as_str(), at)));
        programs += &program(row, &families);
    }
    names.sort_unstable();
    // Where the names with each first letter start.
    let starts: Vec<usize> =
        (0..=128).map(|letter| names.partition_point(|(name, _)| name.as_bytes()[0] < letter)).collect();
    format!(
        "pub(crate) static NAMES: [(&str, u16); {}] = {names:?};\n\
         pub(crate) static STARTS: [u16; {}] = {starts:?};\n\
         pub(crate) static FAMILIES: [&str; {}] = {families:?};\n\
         pub(crate) static PROGRAMS: [Program; {}] = [{programs}];\n",
        names.len(),
        starts.len(),
        families.len(),
        rows.len(),
    )
}

fn program(row: &Row, families: &[&str]) -> String {
    let bits =
        families.iter().enumerate().filter(|(_, id)| row.get("families").split(' ').any(|word| word == **id));
    let bits: u32 = bits.map(|(bit, _)| 1 << bit).sum();
    format!("Program {{ values: {}, families: Families({bits}) }},", quoted(row.get("values")))
}
