//! The configurations that are compiled in.

use host::installed::plain_program;
use host::place::Scope;
use host::read::Source;
use host::{Format, Hook, Product, System};

use super::made;

include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// What is shipped for a host.
pub(super) enum Shipped {
    Flat,
    /// Groups for a settings file, from these files.
    Groups(&'static [(&'static str, &'static str)]),
    /// Made from the host's record.
    Made,
}

impl Shipped {
    /// What is shipped for a host.
    pub(super) fn of(product: Product) -> Self {
        if made::is_for(product) {
            return Self::Made;
        }
        let own = GROUPS.iter().find(|(folder, _)| product.configs == Some(*folder));
        own.map_or(Self::Flat, |(_, files)| Self::Groups(files))
    }
}

impl Shipped {
    /// The entries of these hooks, as the host reads them.
    pub(super) fn hooks(&self, product: Product, names: &[&str]) -> Vec<Hook> {
        let own = product.place(Scope::User).map_or(Format::Hooks, |place| place.format);
        let read = |name: &str, text: &str, format: Format| {
            let source = Source { file: name.into(), scope: Scope::User, format, text };
            host::read(product, &source, System::HERE).hooks
        };
        let all = |files: &[(&str, &str)], format: Format| -> Vec<Hook> {
            files.iter().flat_map(|(name, text)| read(name, text, format)).collect()
        };
        let mut hooks = match self {
            Self::Flat => all(FLAT, Format::Hooks),
            Self::Groups(files) => all(files, own),
            Self::Made => {
                let texts = made::texts(product, &made::entries(product, names, &|hook| hook.to_owned()));
                texts.iter().flat_map(|(name, text)| read(name, text, own)).collect()
            }
        };
        hooks.retain(|hook| plain_program(&hook.action.describe()).is_some_and(|name| names.contains(&name)));
        hooks
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
