//! The hosts: one file each, and one line each in the list below.

mod antigravity;
mod augment;
mod claude;
mod cline;
mod codex;
mod copilot_cli;
mod copilot_cloud;
mod crush;
mod cursor;
mod devin;
mod documented;
mod droid;
mod gemini;
mod hermes;
mod kiro;
mod opencode;
mod openhands;
mod pi;
mod qwen;
mod vscode;
mod windsurf;

use std::cmp::Ordering;
use std::str::FromStr;

use thiserror::Error;

use crate::failing::{self, Failing};
pub use crate::record::Product;
use crate::tools::Use;

/// Declares the hosts, in the order in which they are named.
macro_rules! hosts {
    ($($name:ident $file:ident;)*) => {
        impl Product {
            $(#[doc = concat!("The host of `hosts/", stringify!($file), "`.")]
            pub const $name: Self = Self(&$file::HOST);)*

            /// All of them.
            pub const ALL: [Self; [$(stringify!($name)),*].len()] = [$(Self::$name),*];
        }
    };
}

hosts! {
    VS_CODE vscode;
    COPILOT_CLI copilot_cli;
    COPILOT_CLOUD copilot_cloud;
    CLAUDE claude;
    CODEX codex;
    GEMINI gemini;
    QWEN qwen;
    CLINE cline;
    OPENCODE opencode;
    PI pi;
    OPENHANDS openhands;
    CURSOR cursor;
    WINDSURF windsurf;
    KIRO kiro;
    ANTIGRAVITY antigravity;
    DROID droid;
    AUGMENT augment;
    DEVIN devin;
    CRUSH crush;
    HERMES hermes;
}

impl Product {
    fn rank(self) -> Option<usize> {
        Self::ALL.into_iter().position(|product| product == self)
    }

    /// The names that a `--host` flag takes, as a sentence has them.
    pub fn names() -> String {
        Self::ALL.map(|product| product.name).join(", ")
    }

    /// The same for a choice: the last after `or`.
    pub fn one_of() -> String {
        let names = Self::names();
        names.rsplit_once(", ").map_or_else(|| names.clone(), |(others, last)| format!("{others} or {last}"))
    }

    /// What these do when a program that we ship is missing: "A denies every call; B and C let …".
    pub fn without_program(hosts: &[Self]) -> String {
        let fate = |host: &Self| Some((host.title, host.when(Failing::Missing)?.shipped));
        failing::sentence(&hosts.iter().filter_map(fate).collect::<Vec<_>>())
    }

    /// The first that writes the payloads of a host.
    pub fn of(host: payload::Host) -> Option<Self> {
        // Copilot CLI and the cloud agent have the same payloads; the one on a person's machine comes first.
        Self::ALL.into_iter().find(|product| product.host == host)
    }
}

impl Ord for Product {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Product {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What the tool of that name is for, on whatever host has it.
pub fn purpose(name: &str) -> Option<Use> {
    let is_it = |names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
    let mut tools = Product::ALL.into_iter().flat_map(|product| product.tools);
    tools.find(|(_, names)| is_it(names)).map(|(purpose, _)| *purpose)
}

/// A `--host` value that names no host.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown host `{0}`")]
pub struct UnknownProduct(pub String);

impl FromStr for Product {
    type Err = UnknownProduct;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|product| product.name.eq_ignore_ascii_case(name));
        known.ok_or_else(|| UnknownProduct(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_any_case() {
        for product in Product::ALL {
            assert_eq!(product.name.parse(), Ok(product));
            assert_eq!(product.name.to_uppercase().parse(), Ok(product));
        }
        assert!("zed".parse::<Product>().is_err_and(|error| error.to_string().contains("zed")));
    }

    #[test]
    fn every_fact_says_where_it_comes_from() {
        for product in Product::ALL {
            let facts = [
                product.order.source,
                product.unit.source,
                product.limit.source,
                product.limit_keys.source,
                product.syntax.source,
                product.bad_entry.source,
                product.nesting.source,
                product.shell.source,
                product.patience.source,
                product.stop_limit.source,
                product.text_limit.source,
                product.once.source,
            ];
            let places = product.places.iter().map(|place| place.source);
            for source in facts.into_iter().chain(places).chain(product.failing.iter().map(|row| row.source))
            {
                let known = ["run: ", "source: ", "docs: ", "assumed: "];
                assert!(known.iter().any(|kind| source.starts_with(kind)), "{product}: {source}");
            }
        }
    }

    #[test]
    fn a_tool_of_two_hosts_is_for_the_same() {
        let tools = || Product::ALL.into_iter().flat_map(|product| product.tools);
        let named = || tools().flat_map(|(purpose, names)| names.iter().map(move |name| (name, purpose)));
        for (name, purpose) in named() {
            let same = |(other, _): &(&&str, _)| other.eq_ignore_ascii_case(name);
            assert!(named().filter(same).all(|(_, other)| other == purpose), "{name}");
        }
    }
}
