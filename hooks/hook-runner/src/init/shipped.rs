//! The configurations that are compiled in.

use host::Product;

include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// What is shipped for a host.
pub(super) enum Shipped {
    Flat,
    /// Groups for a settings file, from these files.
    Groups(&'static [(&'static str, &'static str)]),
}

impl Shipped {
    /// What is shipped for a host.
    pub(super) fn of(product: Product) -> Self {
        let own = GROUPS.iter().find(|(folder, _)| product.configs == Some(*folder));
        own.map_or(Self::Flat, |(_, files)| Self::Groups(files))
    }
}

/// The hooks that are shipped.
pub(super) fn hooks() -> Vec<&'static str> {
    FLAT.iter().map(|(name, _)| name_of(name)).collect()
}

/// The hook in `10-command-blocker.json`.
pub(super) fn name_of(file: &str) -> &str {
    let name = file.strip_suffix(".json").unwrap_or(file);
    name.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_of_a_program_of_ours() {
        assert!(!FLAT.is_empty());
        for (name, text) in FLAT {
            assert!(host::installed::PROGRAMS.contains(&name_of(name)), "{name}");
            assert!(text.contains(name_of(name)), "{name}");
        }
    }
}
