//! What goes into an archive.

use std::path::PathBuf;

use crate::archive::Entry;
use crate::metadata::Metadata;
use crate::runner::{add, managed};
use crate::{ReleaseError, bill, licences, pages, read};

/// Files at the root, as they are.
const ROOT: [&str; 6] =
    ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Folders whose files go along with their paths.
const FOLDERS: [&str; 3] = ["configs", "docs", "shared/rules/rules"];

/// Everything but the sums.
pub(crate) fn files(metadata: &Metadata, programs: &[PathBuf]) -> Result<Vec<Entry>, ReleaseError> {
    let mut entries = Vec::new();
    for program in programs {
        let name = program.file_name().unwrap_or_default().to_string_lossy();
        let mut entry = Entry::new(format!("bin/{name}"), read(program)?);
        entry.executable = true;
        entries.push(entry);
    }
    let root = &metadata.root;
    for file in ROOT {
        entries.push(Entry::new(file, read(&root.join(file))?));
    }
    for folder in FOLDERS {
        add(root, &root.join(folder), &mut entries)?;
    }
    // The README shows them, and leads to these pages.
    for file in [
        ".github/session.svg",
        ".github/vscode-denies.png",
        ".github/vscode-asks.png",
        "shared/program/README.md",
    ] {
        entries.push(Entry::new(file, read(&root.join(file))?));
    }
    for hook in &metadata.hooks {
        let page = format!("hooks/{hook}/README.md");
        entries.push(Entry::new(page.clone(), read(&root.join(page))?));
    }
    entries.extend(pages::pages(metadata)?);
    entries.extend(managed(metadata)?);
    entries.push(Entry::new("THIRD-PARTY-LICENSES.txt", licences::third_party(metadata)?));
    entries.push(Entry::new("COPYRIGHT-library.html", licences::standard_library()?));
    entries.push(Entry::new("bill-of-materials.cdx.json", bill::bill(metadata)));
    Ok(entries)
}
