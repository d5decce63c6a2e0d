//! What is known about programs, as data: one row for each in `programs/*.txt`, read by whoever has to know.
//!
//! ```
//! assert!(catalog::values("git").contains("--git-dir"));
//! assert!(catalog::find("no-such-program").is_none());
//! ```

#[cfg(test)]
mod source;

include!(concat!(env!("OUT_DIR"), "/table.rs"));

/// What is known about a program.
#[derive(Debug)]
pub struct Program {
    /// Options that take the next argument and may stand in front of the words that matter, separated by blanks.
    pub values: &'static str,
    /// Families of rules that look at it.
    pub families: Families,
}

/// Families of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Families(u32);

impl Families {
    /// No family: for one that no row names.
    pub const NONE: Self = Self(0);

    /// Whether they have one in common.
    pub const fn meet(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// What is known about the program with this name.
pub fn find(name: &str) -> Option<&'static Program> {
    let first = usize::from(*name.as_bytes().first()?);
    let (from, to) = (*STARTS.get(first)?, *STARTS.get(first + 1)?);
    let near = NAMES.get(usize::from(from)..usize::from(to))?;
    let at = near.binary_search_by(|(known, _)| known.as_bytes().cmp(name.as_bytes())).ok()?;
    PROGRAMS.get(usize::from(near[at].1))
}

/// Options of a program that take the next argument; empty for most programs.
pub fn values(name: &str) -> &'static str {
    find(name).map_or("", |program| program.values)
}

/// The family with this id.
///
/// # Panics
/// If no row names the family: for a constant, that does not compile.
pub const fn family(id: &str) -> Families {
    let mut at = 0;
    while at < FAMILIES.len() {
        if same(FAMILIES[at].as_bytes(), id.as_bytes()) {
            return Families(1 << at);
        }
        at += 1;
    }
    panic!("no row names this family")
}

/// `==`, which constants cannot use yet.
const fn same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// Ids of all families that a row names.
pub fn families() -> &'static [&'static str] {
    &FAMILIES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_and_nothing_else() {
        assert!(NAMES.is_sorted());
        for (name, row) in &NAMES {
            assert!(std::ptr::eq(find(name).unwrap(), &raw const PROGRAMS[usize::from(*row)]), "{name}");
            assert!(find(&format!("{name}\u{e000}")).is_none(), "{name}");
        }
        for name in ["", "\u{e000}", "~", "\u{7f}"] {
            assert!(find(name).is_none(), "{name:?}");
        }
    }
}
