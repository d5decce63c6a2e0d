//! Compiles the shipped configurations in, so that `init` works without a clone.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let configs = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../configs").canonicalize()?;
    println!("cargo::rerun-if-changed={}", configs.display());
    let mut tables = String::new();
    // The files of `.github/hooks` begin with a number: `10-command-blocker.json`. One that holds several hooks does not.
    let numbered = |name: &str| name.starts_with(|c: char| c.is_ascii_digit());
    writeln!(tables, "/// The files in `configs`: name and text.")?;
    writeln!(tables, "pub(super) const FLAT: &[(&str, &str)] = &[{}];", files(&configs, numbered)?)?;
    writeln!(tables, "/// The folders in `configs` with files for one host: name, and its files.")?;
    writeln!(tables, "const GROUPS: &[(&str, &[(&str, &str)])] = &[")?;
    for folder in folders(&configs)? {
        writeln!(tables, "(\"{folder}\", &[{}]),", files(&configs.join(&folder), |_| true)?)?;
    }
    tables.push_str("];\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("shipped.rs"), tables)?;
    Ok(())
}

/// The folders with files for one host that are not made from its record: one of the files has the name that the host gives
/// it, the others that of the hook whose entries they hold.
fn folders(configs: &Path) -> Result<Vec<String>, std::io::Error> {
    let mut names = Vec::new();
    for entry in fs::read_dir(configs)? {
        let folder = entry?;
        let named = |name: &str| folder.path().join(name).is_file();
        if named("audit-logger.json") && (named("settings.json") || named("hooks.json")) {
            names.push(folder.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// The JSON files of a folder as rows of a table: name and text.
fn files(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<String, Box<dyn Error>> {
    let mut rows = String::new();
    for path in json_files(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if wanted(&name) {
            write!(rows, "(\"{name}\", include_str!(r\"{}\")),", path.display())?;
        }
    }
    Ok(rows)
}

fn json_files(folder: &Path) -> Result<Vec<PathBuf>, std::io::Error> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            println!("cargo::rerun-if-changed={}", path.display());
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}
