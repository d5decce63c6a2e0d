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
    for (table, folder, wanted) in [
        ("FLAT", ".", Some(&numbered)),
        ("CLAUDE", "claude-code", None),
        ("CODEX", "codex", None),
        ("GEMINI", "gemini-cli", None),
    ] {
        writeln!(tables, "/// The files in `configs/{folder}`: name and text.")?;
        writeln!(tables, "pub(super) const {table}: &[(&str, &str)] = &[")?;
        for path in json_files(&configs.join(folder).canonicalize()?)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if wanted.is_none_or(|wanted| wanted(&name)) {
                writeln!(tables, "(\"{name}\", include_str!(r\"{}\")),", path.display())?;
            }
        }
        tables.push_str("];\n");
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("shipped.rs"), tables)?;
    Ok(())
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
